//! A puzzle: which cells exist, which are given, and which rules their colours obey.
//!
//! A colour is the integer 1..=D that classic Sudoku calls a digit. This module knows what the
//! rules *are*; what follows from them is worked out by `graph` and `solve` on one side and by
//! `verify` on the other, each for itself.

pub mod bundled;
mod cell;
mod encoding;
mod error;
pub mod json;
mod nearest;
mod rule;
pub mod text;

pub use cell::{Cell, CellNameError, Color, ColorSet};
pub use error::PuzzleError;
pub(crate) use nearest::nearest;
pub use rule::{CountKind, Rule, Side};

use std::collections::BTreeMap;

/// Reads a puzzle, or a list of puzzles, from a file's bytes: JSON or text, decided by content.
/// `name` stands for the file in messages.
///
/// # Errors
/// With the line and column, or the JSON path, of the first thing that is wrong.
pub fn read(bytes: &[u8], name: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    let text = encoding::decode(bytes, name)?;
    if looks_like_json(text) {
        json::read(text, name).map(|puzzle| vec![puzzle])
    } else {
        text::read(text, name)
    }
}

/// Whether a file starts as JSON does; `[Puzzle]` is a section header of a puzzle text.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start();
    match text.as_bytes() {
        [b'{', ..] => true,
        [b'[', rest @ ..] => !rest.first().is_some_and(u8::is_ascii_alphabetic),
        _ => false,
    }
}

/// The largest number of colours (`digits` in a puzzle file).
pub const MAX_COLORS: u8 = 16;
/// The largest number of cells in one puzzle.
pub const MAX_CELLS: usize = 512;

/// Words about a puzzle; they change no rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// Shown in lists and in the film's metadata.
    pub title: String,
    /// Who set the puzzle.
    pub author: String,
    /// The variant's customary name ("Windoku"); never a rule.
    pub kind: String,
}

/// One rectangular grid of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// Its top left cell.
    pub at: Cell,
    /// Number of rows.
    pub rows: u16,
    /// Number of columns.
    pub cols: u16,
    /// Rows and columns of one box; boxes tile the grid from its top left cell.
    pub boxed: (u16, u16),
    /// Whether each row is a house.
    pub row_houses: bool,
    /// Whether each column is a house.
    pub col_houses: bool,
    /// Whether each box is a house.
    pub box_houses: bool,
}

impl Grid {
    /// The classic grid: nine by nine at r1c1, boxes of three by three, all houses.
    pub fn classic() -> Self {
        Grid {
            at: Cell { row: 1, col: 1 },
            rows: 9,
            cols: 9,
            boxed: (3, 3),
            row_houses: true,
            col_houses: true,
            box_houses: true,
        }
    }
}

/// A puzzle that was read and found well formed. Its givens may still contradict its rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// Words about it.
    pub meta: Meta,
    /// D: colours run from 1 to this.
    pub digits: u8,
    /// The grids whose cells exist.
    pub grids: Vec<Grid>,
    /// The coloured cells at the start.
    pub givens: BTreeMap<Cell, Color>,
    /// Rules beyond the grids' houses, in file order; a trace names a rule by its index here.
    pub rules: Vec<Rule>,
    /// Free-form hints for drawing, kept as they were read.
    pub style: serde_json::Value,
    /// Free-form decorations, kept as they were read.
    pub decorations: serde_json::Value,
    cells: Vec<Cell>,
}

impl Puzzle {
    /// A puzzle of these grids; `cells` is derived from them. Nothing is checked here: the
    /// readers (`text`, `json`) check before they build.
    pub fn new(digits: u8, grids: Vec<Grid>) -> Self {
        let mut cells: Vec<Cell> = grids
            .iter()
            .flat_map(|g| {
                (0..g.rows).flat_map(move |r| {
                    (0..g.cols).map(move |c| Cell {
                        row: g.at.row + r,
                        col: g.at.col + c,
                    })
                })
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        Puzzle {
            meta: Meta::default(),
            digits,
            grids,
            givens: BTreeMap::new(),
            rules: Vec::new(),
            style: serde_json::Value::Object(Default::default()),
            decorations: serde_json::Value::Array(Vec::new()),
            cells,
        }
    }

    /// The empty classic puzzle.
    pub fn classic() -> Self {
        Puzzle::new(9, vec![Grid::classic()])
    }

    /// All cells in reading order (by row, then by column), each once.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The place of `cell` in [`Puzzle::cells`], or `None` if the puzzle has no such cell.
    pub fn index_of(&self, cell: Cell) -> Option<usize> {
        self.cells.binary_search(&cell).ok()
    }

    /// One classic grid and no further rule: what the search's DSATUR order is stated for.
    pub fn is_classic(&self) -> bool {
        self.digits == 9 && self.rules.is_empty() && self.grids == [Grid::classic()]
    }

    /// The given colours by cell index, 0 where a cell is open.
    pub fn given_colors(&self) -> Vec<Color> {
        self.cells
            .iter()
            .map(|c| self.givens.get(c).copied().unwrap_or(0))
            .collect()
    }
}
