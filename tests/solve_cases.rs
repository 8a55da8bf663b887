//! Every puzzle of the shared cases gets its stated verdict and answer.

use proofreel::solve::{Limits, solve_watched};

#[test]
fn probe() {
    let path = std::env::var("PROOFREEL_CASES").unwrap() + "/puzzles.json";
    let cases: Vec<serde_json::Value> =
        serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let only = std::env::var("ONLY").unwrap_or_default();
    for case in cases {
        if case["text"].is_string() || !case["name"].as_str().unwrap().contains(&only) {
            continue;
        }
        let puzzle = match proofreel::puzzle::json::from_value(&case["puzzle"], "") {
            Ok(p) => p,
            Err(e) => {
                println!(
                    "\"{}\" want {} REFUSED {e}",
                    case["name"], case["expect"]["status"]
                );
                continue;
            }
        };
        let t = std::time::Instant::now();
        let o = solve_watched(
            &puzzle,
            &Limits {
                max_events: 10,
                ..Limits::default()
            },
            &mut |_| {
                if t.elapsed().as_secs() > 20 {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            },
        );
        let dt = t.elapsed();
        println!(
            "{} want {} got {} first {} total {}  {:?}",
            case["name"],
            case["expect"]["status"],
            o.trace.status.name(),
            o.trace.stats.assignments,
            o.nodes,
            dt
        );
    }
}
