//! Every puzzle of the shared cases gets its stated verdict and answer, turned and mirrored too.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use proofreel::puzzle::{Cell, Puzzle, json};
use proofreel::solve::{Limits, Outcome, solve_watched};
use proofreel::trace::Status;
use proofreel::verify::{self, Options};
use serde_json::Value;

/// The shared cases; `None` (and a word) where they are not at hand.
fn cases() -> Option<Vec<Value>> {
    let folder = std::env::var_os("PROOFREEL_CASES").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases")),
        PathBuf::from,
    );
    let Ok(bytes) = std::fs::read(folder.join("puzzles.json")) else {
        println!("skipped: no puzzles.json in {}", folder.display());
        return None;
    };
    Some(serde_json::from_slice(&bytes).expect("the cases are JSON"))
}

/// Solves, but gives up after `seconds`.
fn solve_within(puzzle: &Puzzle, limits: &Limits, seconds: u64) -> Outcome {
    let began = Instant::now();
    solve_watched(puzzle, limits, &mut |_| {
        if began.elapsed() > Duration::from_secs(seconds) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
}

/// The answer of a case: the rows of all its grids, joined.
fn answers(case: &Value) -> Option<Vec<u8>> {
    let texts = case["expect"]["answer"].as_array()?;
    let digits = texts.iter().flat_map(|t| t.as_str().unwrap().bytes());
    Some(digits.map(|b| b - b'0').collect())
}

/// A solution grid by grid, as answers are written.
fn grid_by_grid(puzzle: &Puzzle, solution: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for grid in &puzzle.grids {
        for row in grid.at.row..grid.at.row + grid.rows {
            for col in grid.at.col..grid.at.col + grid.cols {
                out.push(solution[puzzle.index_of(Cell { row, col }).unwrap()]);
            }
        }
    }
    out
}

fn check(case: &Value, puzzle: &Puzzle, outcome: &Outcome) {
    let name = &case["name"];
    let expect = &case["expect"];
    let status = outcome.trace.status;
    let stated = expect["status"] == status.name();
    // Givens that contradict a rule are a conflict, which is a clear refusal.
    let refused = expect["or_refused"] == true && status == Status::Conflict;
    assert!(stated || refused, "{name}: {}", status.name());
    if let Some(answer) = answers(case) {
        let solution = outcome.trace.solution.as_ref().expect("it has a solution");
        assert_eq!(grid_by_grid(puzzle, solution), answer, "{name}");
    }
    if status == Status::Ambiguous {
        assert!(outcome.trace.second_solution.is_some(), "{name}");
        assert_ne!(outcome.trace.solution, outcome.trace.second_solution);
    }
    let report = verify::verify(&outcome.trace, &Options::default());
    assert!(report.is_truthful(), "{name}: {:?}", report.faults);
}

#[test]
fn every_classic_case_gets_its_verdict_answer_and_number_of_solutions() {
    let Some(cases) = cases() else { return };
    let mut checked = 0;
    for case in cases.iter().filter(|c| c["text"].is_string()) {
        let text = case["text"].as_str().unwrap();
        let mut puzzles = proofreel::puzzle::read(text.as_bytes(), "case").expect("it reads");
        let puzzle = puzzles.remove(0);
        let outcome = solve_within(&puzzle, &Limits::default(), 20);
        check(case, &puzzle, &outcome);
        if let Some(solutions) = case["expect"]["solutions"].as_u64() {
            let limits = Limits {
                count: Some(solutions + 1),
                ..Limits::default()
            };
            let counted = solve_within(&puzzle, &limits, 20);
            assert_eq!(counted.solutions, solutions, "{}", case["name"]);
            assert!(counted.exhausted, "{}", case["name"]);
        }
        checked += 1;
    }
    println!("{checked} classic cases");
    assert_eq!(checked, 44);
}

#[test]
#[ignore = "takes minutes; `cargo test --release -- --ignored` runs it"]
fn every_case_with_rules_gets_its_verdict_and_answer() {
    let Some(cases) = cases() else { return };
    let (mut checked, mut quick) = (0, 0);
    for case in cases.iter().filter(|c| c["text"].is_null()) {
        let puzzle = match json::from_value(&case["puzzle"], "") {
            Ok(puzzle) => puzzle,
            Err(why) => {
                assert_eq!(
                    case["expect"]["or_refused"], true,
                    "{}: {why}",
                    case["name"]
                );
                continue;
            }
        };
        let began = Instant::now();
        let outcome = solve_within(&puzzle, &Limits::default(), 120);
        let spent = began.elapsed();
        println!(
            "{}: {} after {} + {} nodes, {spent:.2?}",
            case["name"],
            outcome.trace.status.name(),
            outcome.trace.stats.assignments,
            outcome.nodes - outcome.trace.stats.assignments,
        );
        check(case, &puzzle, &outcome);
        quick += u32::from(spent < Duration::from_secs(10));
        checked += 1;
    }
    println!("{checked} cases with rules, {quick} within 10 s");
    assert!(quick * 10 >= checked * 9);
}

/// Carries a classic grid, cell (r, c) to `to(r, c)` and colour d to `colors[d - 1]`.
fn carried(values: &[u8], to: &dyn Fn(usize, usize) -> (usize, usize), colors: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 81];
    for r in 0..9 {
        for c in 0..9 {
            let value = values[r * 9 + c];
            let (to_r, to_c) = to(r, c);
            out[to_r * 9 + to_c] = match value {
                0 => 0,
                d => colors[usize::from(d) - 1],
            };
        }
    }
    out
}

fn puzzle_of(values: &[u8]) -> Puzzle {
    let mut puzzle = Puzzle::classic();
    for (&cell, &value) in puzzle.cells().to_vec().iter().zip(values) {
        if value != 0 {
            puzzle.givens.insert(cell, value);
        }
    }
    puzzle
}

type Move = Box<dyn Fn(usize, usize) -> (usize, usize)>;

#[test]
fn turns_mirrors_band_and_row_moves_and_relabellings_carry_verdict_and_answer_along() {
    let Some(cases) = cases() else { return };
    let mut moves: Vec<Move> = vec![
        Box::new(|r, c| (r, c)),
        Box::new(|r, c| (c, 8 - r)),
        Box::new(|r, c| (8 - r, 8 - c)),
        Box::new(|r, c| (8 - c, r)),
        Box::new(|r, c| (r, 8 - c)),
        Box::new(|r, c| (8 - r, c)),
        Box::new(|r, c| (c, r)),
        Box::new(|r, c| (8 - c, 8 - r)),
    ];
    // Bands round, rows round inside each band, columns likewise.
    moves.push(Box::new(|r, c| ((r + 3) % 9, c)));
    moves.push(Box::new(|r, c| (r / 3 * 3 + (r + 1) % 3, c)));
    moves.push(Box::new(|r, c| {
        ((r + 6) % 9, (c / 3 * 3 + (c + 2) % 3 + 3) % 9)
    }));
    let relabellings: [[u8; 9]; 3] = [
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
        [9, 8, 7, 6, 5, 4, 3, 2, 1],
        [4, 7, 1, 9, 2, 8, 5, 3, 6],
    ];
    let mut slowest = (Duration::ZERO, String::new());
    let mut solved = 0;
    for case in cases.iter().filter(|c| c["text"].is_string()) {
        let text = case["text"].as_str().unwrap();
        let values: Vec<u8> = text
            .bytes()
            .map(|b| if b.is_ascii_digit() { b - b'0' } else { 0 })
            .collect();
        for (m, to) in moves.iter().enumerate() {
            // Each move with one relabelling, in turn.
            let colors = &relabellings[m % relabellings.len()];
            let puzzle = puzzle_of(&carried(&values, to, colors));
            let began = Instant::now();
            let outcome = solve_within(&puzzle, &Limits::default(), 20);
            let spent = began.elapsed();
            let label = format!("{} moved by {m}", case["name"]);
            assert_eq!(
                case["expect"]["status"],
                outcome.trace.status.name(),
                "{label}"
            );
            if let Some(answer) = answers(case) {
                let expected = carried(&answer, to, colors);
                assert_eq!(outcome.trace.solution, Some(expected), "{label}");
            }
            if spent > slowest.0 {
                slowest = (spent, label);
            }
            solved += 1;
        }
    }
    println!("{solved} solved, slowest {:.2?}: {}", slowest.0, slowest.1);
}
