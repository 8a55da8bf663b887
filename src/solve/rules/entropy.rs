//! `global_entropy`: every 2×2 window holds a low, a middle and a high digit.

use super::{Broken, Propagator, View};
use crate::puzzle::{Cell, Puzzle};

/// Knows, window by window, the 36 ways of giving four cells all three thirds.
pub(super) struct Entropy {
    windows: Vec<[u16; 4]>,
    scope: Vec<u16>,
    thirds: [u16; 3],
    possible: Vec<u16>,
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
            possible: possible(),
        }
    }

    fn window(&self, cells: &[u16; 4], view: &mut View<'_>) -> Result<(), Broken> {
        let mut able = 0;
        for (i, &v) in cells.iter().enumerate() {
            let mask = view.get(v);
            for (t, third) in self.thirds.iter().enumerate() {
                able |= usize::from(mask & third != 0) << (3 * i + t);
            }
        }
        let possible = self.possible[able];
        if possible == able as u16 {
            return Ok(());
        }
        for (i, &v) in cells.iter().enumerate() {
            let kept = (0..3)
                .filter(|t| possible >> (3 * i + t) & 1 != 0)
                .fold(0, |m, t| m | self.thirds[t]);
            view.keep(v, kept)?;
        }
        Ok(())
    }
}

/// For the thirds that four cells can have, three bits a cell, those that they have in some
/// way of having all three among them.
fn possible() -> Vec<u16> {
    let ways: Vec<u16> = (0..81usize)
        .map(|way| [way % 3, way / 3 % 3, way / 9 % 3, way / 27])
        .filter(|of| (0..3).all(|t| of.contains(&t)))
        .map(|of| (0..4).fold(0, |m, i| m | 1 << (3 * i + of[i])))
        .collect();
    (0..1u16 << 12)
        .map(|able| {
            let fitting = ways.iter().filter(|&&way| way & able == way);
            fitting.fold(0, |m, way| m | way)
        })
        .collect()
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
