//! Any bytes as a puzzle: never a panic; what is read as text is classic, and 81 plain cells
//! of it read back as the same puzzle.
#![no_main]

use libfuzzer_sys::fuzz_target;
use proofreel::puzzle;

fuzz_target!(|bytes: &[u8]| {
    match puzzle::read(bytes, "fuzz") {
        Ok(puzzles) => {
            assert!(!puzzles.is_empty());
            for puzzle in puzzles.iter().filter(|p| p.is_classic()) {
                let line: String = puzzle
                    .given_colors()
                    .iter()
                    .map(|c| char::from(b'0' + c))
                    .collect();
                let again = puzzle::read(line.as_bytes(), "again").expect("81 plain cells");
                assert_eq!(again.len(), 1);
                assert_eq!(again[0].givens, puzzle.givens);
            }
        }
        Err(error) => assert!(error.to_string().starts_with("fuzz")),
    }
});
