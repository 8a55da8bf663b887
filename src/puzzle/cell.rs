//! Cells by name, colours, and sets of colours.

use std::fmt;
use std::str::FromStr;

/// A colour, 1..=D; 0 stands for "not coloured" where a whole board is listed.
pub type Color = u8;

/// A cell by its 1-based row and column, `r3c7` in every file and message. Orders in reading
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// 1-based row, from the top.
    pub row: u16,
    /// 1-based column, from the left.
    pub col: u16,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.col)
    }
}

/// A text that is not a cell's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a cell name; cells are named like r3c7, rows and columns from 1")]
pub struct CellNameError(pub String);

impl FromStr for Cell {
    type Err = CellNameError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        // One spelling a cell: no sign, no leading zero, ASCII digits only.
        let number = |t: &str| -> Option<u16> {
            let canonical = !t.is_empty()
                && t.len() <= 4
                && !t.starts_with('0')
                && t.bytes().all(|b| b.is_ascii_digit());
            if canonical { t.parse().ok() } else { None }
        };
        s.strip_prefix('r')
            .and_then(|rest| rest.split_once('c'))
            .and_then(|(row, col)| {
                Some(Cell {
                    row: number(row)?,
                    col: number(col)?,
                })
            })
            .ok_or_else(|| CellNameError(s.chars().take(40).collect()))
    }
}

/// A set of colours 1..=16 as a bit mask: bit `c - 1` stands for colour `c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ColorSet(pub u16);

impl ColorSet {
    /// Every colour from 1 to `digits`.
    pub fn all(digits: u8) -> Self {
        ColorSet(((1u32 << digits) - 1) as u16)
    }

    /// The set of one colour.
    pub fn only(color: Color) -> Self {
        ColorSet(1 << (color - 1))
    }

    /// Whether `color` is in the set.
    pub fn contains(self, color: Color) -> bool {
        (1..=16).contains(&color) && self.0 & (1 << (color - 1)) != 0
    }

    /// How many colours it holds.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its colours, ascending.
    pub fn iter(self) -> impl Iterator<Item = Color> {
        (1..=16).filter(move |&c| self.contains(c))
    }
}
