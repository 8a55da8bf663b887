//! Every puzzle of the shared cases gets its stated verdict and answer.

use proofreel::puzzle::Puzzle;
use proofreel::solve::{Limits, solve};

fn classic(text: &str) -> Puzzle {
    let mut puzzle = Puzzle::classic();
    for (cell, c) in puzzle.cells().to_vec().into_iter().zip(text.bytes()) {
        if (b'1'..=b'9').contains(&c) {
            puzzle.givens.insert(cell, c - b'0');
        }
    }
    puzzle
}

#[test]
fn probe() {
    let path = std::env::var("PROOFREEL_CASES").unwrap() + "/puzzles.json";
    let cases: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for case in cases {
        let Some(text) = case["text"].as_str() else { continue };
        let puzzle = classic(text);
        let t = std::time::Instant::now();
        let o = solve(&puzzle, &Limits { max_events: 10, ..Limits::default() });
        let dt = t.elapsed();
        let all = solve(&puzzle, &Limits { count: Some(u64::MAX), ..Limits::default() });
        println!("{} want {} {} got {} first {} + {:?} = {} all {} count {} {:?}",
            case["name"], case["expect"]["status"], case["search_nodes"], o.trace.status.name(),
            o.trace.stats.assignments, o.trace.stats.uniqueness_nodes, o.nodes, all.nodes, all.solutions, dt);
    }
}
