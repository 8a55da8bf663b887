//! `global_entropy`: every 2×2 window holds a low, a middle and a high digit.

use super::{Broken, Propagator, View};
use crate::puzzle::{Cell, Puzzle};

/// Tries, window by window, the 36 ways of giving four cells all three thirds.
pub(super) struct Entropy {
    windows: Vec<[u16; 4]>,
    scope: Vec<u16>,
    thirds: [u16; 3],
}

impl Entropy {
    pub fn new(puzzle: &Puzzle) -> Self {
        let index = |row: u16, col: u16| puzzle.index_of(Cell { row, col }).map(|i| i as u16);
        let windows = puzzle
            .cells()
            .iter()
            .filter_map(|&Cell { row, col }| {
                Some([
                    index(row, col)?,
                    index(row, col + 1)?,
                    index(row + 1, col)?,
                    index(row + 1, col + 1)?,
                ])
            })
            .collect();
        let third = u32::from(puzzle.digits / 3);
        let low = ((1u32 << third) - 1) as u16;
        Entropy {
            windows,
            scope: (0..puzzle.cells().len() as u16).collect(),
            thirds: [low, low << third, low << (2 * third)],
        }
    }

    fn window(&self, cells: &[u16; 4], view: &mut View<'_>) -> Result<(), Broken> {
        let able = cells.map(|v| {
            let mask = view.get(v);
            [0, 1, 2].map(|t| mask & self.thirds[t] != 0)
        });
        let mut support = [0u16; 4];
        for pattern in 0..81usize {
            let of = [pattern % 3, pattern / 3 % 3, pattern / 9 % 3, pattern / 27];
            let all = (0..3).all(|t| of.contains(&t));
            if all && (0..4).all(|i| able[i][of[i]]) {
                for i in 0..4 {
                    support[i] |= self.thirds[of[i]];
                }
            }
        }
        for (&v, mask) in cells.iter().zip(support) {
            view.keep(v, mask)?;
        }
        Ok(())
    }
}

impl Propagator for Entropy {
    fn scope(&self) -> &[u16] {
        &self.scope
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        self.windows
            .iter()
            .try_for_each(|cells| self.window(cells, view))
    }
}
