//! `vudoku`: the vertex digit is the sum or the difference of the arms.

use super::{Adjacency, Broken, Propagator, View, bit, colors};

/// Tries every pair of arms.
pub(super) struct Vudoku {
    cells: [u16; 3],
    digits: u8,
    /// vertex–first arm, vertex–second arm, arm–arm share a house
    differ: [bool; 3],
}

impl Vudoku {
    pub fn new(cells: [u16; 3], digits: u8, adjacency: &Adjacency) -> Self {
        let [v, a, b] = cells;
        Vudoku {
            cells,
            digits,
            differ: [
                adjacency.has(v, a),
                adjacency.has(v, b),
                adjacency.has(a, b),
            ],
        }
    }
}

impl Propagator for Vudoku {
    fn scope(&self) -> &[u16] {
        &self.cells
    }

    fn narrow(&self, view: &mut View<'_>) -> Result<(), Broken> {
        let [v, a, b] = self.cells;
        let mut support = [0u16; 3];
        for x in colors(view.get(a)) {
            for y in colors(view.get(b)) {
                if self.differ[2] && x == y {
                    continue;
                }
                for z in [x + y, x.abs_diff(y)] {
                    let possible = z >= 1
                        && z <= self.digits
                        && view.get(v) & bit(z) != 0
                        && !(self.differ[0] && z == x)
                        && !(self.differ[1] && z == y);
                    if possible {
                        support[0] |= bit(z);
                        support[1] |= bit(x);
                        support[2] |= bit(y);
                    }
                }
            }
        }
        for (&cell, mask) in self.cells.iter().zip(support) {
            view.keep(cell, mask)?;
        }
        Ok(())
    }
}
