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
        let cells = self.cells;
        let [vertex, first, second] = cells.map(|v| view.get(v));
        let all = ((1u32 << self.digits) - 1) as u16;
        let mut support = [0u16; 3];
        for x in colors(first) {
            let mine = bit(x);
            let z = vertex & if self.differ[0] { !mine } else { all };
            let y = second & if self.differ[2] { !mine } else { all };
            // Half of x is the only digit that is its own difference to x.
            let half = match x % 2 {
                0 if self.differ[1] => bit(x / 2),
                _ => 0,
            };
            let zs = z & partners(y, y & !half, x);
            if zs != 0 {
                support[0] |= zs;
                support[1] |= mine;
                support[2] |= y & partners(z, z & !half, x);
            }
        }
        for (cell, mask) in cells.into_iter().zip(support) {
            view.keep(cell, mask)?;
        }
        Ok(())
    }
}

/// The digits that are x more than one of `mask`, or x less, or what one of `below` lacks to x.
fn partners(mask: u16, below: u16, x: u8) -> u16 {
    let more = u32::from(mask) << x;
    // Digit d stands at bit d - 1; reversed, at 16 - d, from where x - d is 17 - x further down.
    let rest = u32::from(below.reverse_bits()) >> (17 - u32::from(x));
    (more | u32::from(mask) >> x | rest) as u16
}
