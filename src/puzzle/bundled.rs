//! The puzzles that come with the program, compiled in.

use super::{Puzzle, PuzzleError};

/// How many solutions a bundled puzzle is said to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Exactly one.
    One,
    /// Two or more.
    Several,
    /// None, although no two givens clash.
    None,
    /// None, since two givens clash.
    Conflict,
}

/// One bundled puzzle.
#[derive(Debug, Clone, Copy)]
pub struct Bundled {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is called in lists and films.
    pub title: &'static str,
    /// How many solutions it is said to have; `boards` proves it.
    pub claim: Claim,
    /// Whether it is one of the five Color Sudoku boards, whose films show tokens.
    pub tokens: bool,
    /// Its file, as text or JSON.
    pub source: &'static str,
}

impl Bundled {
    /// The puzzle itself, with its title.
    ///
    /// # Errors
    /// Only if the compiled-in file is faulty, which a test excludes.
    pub fn read(&self) -> Result<Puzzle, PuzzleError> {
        let mut puzzles = super::read(self.source.as_bytes(), self.name)?;
        let mut puzzle = puzzles.swap_remove(0);
        puzzle.meta.title = self.title.to_string();
        Ok(puzzle)
    }
}

/// The bundled puzzle of this name.
pub fn find(name: &str) -> Option<&'static Bundled> {
    ALL.iter().find(|b| b.name == name)
}

/// The bundled name that was probably meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    super::nearest(name, ALL.iter().map(|b| b.name))
}

macro_rules! text {
    ($name:literal, $title:literal, $claim:expr, $tokens:literal) => {
        Bundled {
            name: $name,
            title: $title,
            claim: $claim,
            tokens: $tokens,
            source: include_str!(concat!("../../puzzles/", $name, ".txt")),
        }
    };
}

macro_rules! json {
    ($name:literal, $title:literal) => {
        Bundled {
            name: $name,
            title: $title,
            claim: Claim::One,
            tokens: false,
            source: include_str!(concat!("../../puzzles/", $name, ".json")),
        }
    };
}

/// All of them, in the order of lists: classic ones, then one for each family of rules.
pub const ALL: &[Bundled] = &[
    text!("demo", "Demo", Claim::One, false),
    text!("backtracking", "Twelve steps back", Claim::One, false),
    text!("ambiguous", "Two answers", Claim::Several, false),
    text!("impossible", "No answer", Claim::None, false),
    text!("conflict", "Two twos in a row", Claim::Conflict, false),
    text!("spectrum-diagonal", "Spectrum Diagonal", Claim::One, true),
    text!("reverse-prism", "Reverse Prism", Claim::One, true),
    text!("double-step", "Double Step", Claim::One, true),
    text!("offset-beam", "Offset Beam", Claim::One, true),
    text!("five-step-hue", "Five-Step Hue", Claim::One, true),
    json!("four-windows", "Four Windows"),
    json!("nine-rings", "Nine Rings"),
    json!("fourteen-arrows", "Fourteen Arrows"),
    json!("two-shadows", "Two Shadows"),
    json!("masked-twins", "Masked Twins"),
    json!("counting-circles", "Fifteen Circles"),
    json!("slanted-glances", "Slanted Glances"),
    json!("mixed-company", "Mixed Company"),
    json!("nine-balances", "Nine Balances"),
    json!("ten-vees", "Ten Vees"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_file_is_one_readable_puzzle_of_its_own_name() {
        for (i, bundled) in ALL.iter().enumerate() {
            let puzzles = crate::puzzle::read(bundled.source.as_bytes(), bundled.name).unwrap();
            assert_eq!(puzzles.len(), 1, "{}", bundled.name);
            assert_eq!(bundled.read().unwrap().meta.title, bundled.title);
            assert!(ALL[..i].iter().all(|other| other.name != bundled.name));
        }
    }

    #[test]
    fn every_family_of_rules_has_a_bundled_puzzle_with_the_title_of_its_file() {
        use crate::puzzle::Rule;
        let mut families = std::collections::BTreeSet::new();
        for bundled in ALL.iter().filter(|b| b.source.starts_with('{')) {
            let own = crate::puzzle::read(bundled.source.as_bytes(), bundled.name).unwrap();
            assert_eq!(own[0].meta.title, bundled.title, "{}", bundled.name);
            assert!(!bundled.title.is_empty());
            families.extend(own[0].rules.iter().map(|rule| match rule {
                Rule::House { .. } => 0,
                Rule::Contains { .. } => 1,
                Rule::Appears { .. } => 2,
                Rule::Clone { .. } => 3,
                Rule::Isomorphic { .. } => 4,
                Rule::Count { .. } => 5,
                Rule::DistinctCount { .. } => 6,
                Rule::GlobalEntropy => 7,
                Rule::EqualSum { .. } => 8,
                Rule::Vudoku { .. } => 9,
            }));
        }
        assert_eq!(families, (0..10).collect());
    }

    #[test]
    fn color_sudoku_boards_share_one_grid_and_open_one_cell_a_row_and_column() {
        let boards: Vec<Puzzle> = ALL
            .iter()
            .filter(|b| b.tokens)
            .map(|b| b.read().unwrap())
            .collect();
        assert_eq!(boards.len(), 5);
        let open_column: [fn(u16) -> u16; 5] = [
            |r| r,
            |r| 8 - r,
            |r| 2 * r % 9,
            |r| (r + 4) % 9,
            |r| 5 * r % 9,
        ];
        for (board, column) in boards.iter().zip(open_column) {
            assert_eq!(board.givens.len(), 72);
            for row in 0..9 {
                let open = crate::puzzle::Cell {
                    row: row + 1,
                    col: column(row) + 1,
                };
                assert!(!board.givens.contains_key(&open), "{open}");
            }
            for other in &boards {
                for (cell, color) in &board.givens {
                    assert!(other.givens.get(cell).is_none_or(|c| c == color));
                }
            }
        }
    }
}
