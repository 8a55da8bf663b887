//! Nodes a second of the recorded search, on one core.

use proofreel::puzzle::{Puzzle, read};
use proofreel::solve::{Limits, solve};

fn main() {
    divan::main();
}

/// Thirteen givens with millions of solutions: far more nodes than the ten million that are
/// asked for.
const WIDE: &str =
    "000000010400000000020000000000050407008000300001090000300400200050000000000000000";

fn puzzle(text: &str) -> Puzzle {
    read(text.as_bytes(), "bench")
        .expect("the puzzle reads")
        .remove(0)
}

/// Ten million nodes, the first 100,000 events recorded.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_million_nodes(bencher: divan::Bencher) {
    let puzzle = puzzle(WIDE);
    let limits = Limits {
        max_nodes: Some(10_000_000),
        count: Some(u64::MAX),
        ..Limits::default()
    };
    bencher
        .counter(divan::counter::ItemsCount::new(10_000_000u64))
        .bench(|| {
            let outcome = solve(&puzzle, &limits);
            assert_eq!(outcome.nodes, 10_000_000);
            outcome
        });
}

/// The bundled demo from puzzle to trace: 51 assignments.
#[divan::bench]
fn demo(bencher: divan::Bencher) {
    let puzzle =
        puzzle("530070000600195000098000060800060003400803001700020006060000280000419005000080079");
    bencher.bench(|| solve(&puzzle, &Limits::default()));
}
