//! Any text as puzzle JSON: never a panic; what is read is written back as the same puzzle, and
//! keeps the bounds that the rest of the program relies on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proofreel::puzzle::{self, MAX_CELLS, MAX_COLORS, json};

fuzz_target!(|text: &str| {
    // The opening brace makes it JSON whatever follows.
    let text = format!("{{{text}");
    let Ok(puzzles) = puzzle::read(text.as_bytes(), "fuzz") else {
        return;
    };
    for puzzle in puzzles {
        assert!((1..=MAX_COLORS).contains(&puzzle.digits));
        assert!((1..=MAX_CELLS).contains(&puzzle.cells().len()));
        for (cell, color) in &puzzle.givens {
            assert!(puzzle.index_of(*cell).is_some());
            assert!((1..=puzzle.digits).contains(color));
        }
        let written = json::to_json(&puzzle);
        assert_eq!(json::from_value(&written, "").expect("what was written"), puzzle);
        let bytes = serde_json::to_vec(&written).expect("plain data");
        assert_eq!(puzzle::read(&bytes, "again").expect("what was written"), [puzzle]);
    }
});
