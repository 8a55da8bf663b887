//! What a puzzle's rules draw on the board.

use super::display::Item;
use super::layout::Layout;
use super::palette::ThemeColors;
use crate::puzzle::Puzzle;

/// The drawn clues of a puzzle.
#[derive(Debug)]
pub struct Clues {
    items: Vec<Item>,
}

impl Clues {
    /// Lays out the clues of `puzzle`.
    pub fn new(_puzzle: &Puzzle, _layout: &Layout, _theme: &ThemeColors) -> Self {
        Clues { items: Vec::new() }
    }

    /// Adds them, `shown` of the way visible.
    pub fn draw(&self, _shown: f64, items: &mut Vec<Item>) {
        items.extend(self.items.iter().cloned());
    }
}
