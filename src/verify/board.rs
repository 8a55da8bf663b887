//! The puzzle as the verifier sees it: its own cells, units, edges and laws, from the puzzle alone.

use super::law::Law;
use crate::puzzle::{Cell, Color, Puzzle, Rule};

/// A set of cells that all differ.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// What people call it: "row 3", "box 5", "rule 2 (house)".
    pub name: String,
    /// Its cells, by index.
    pub cells: Vec<u16>,
}

/// Everything that follows from the puzzle's text without searching.
#[derive(Debug, Clone)]
pub(super) struct Board {
    /// D.
    pub digits: u8,
    /// The mask of all D colours.
    pub all: u16,
    /// Cells in reading order.
    pub cells: Vec<Cell>,
    /// Rows, columns, boxes of each grid, then `house` rules.
    pub units: Vec<Unit>,
    /// Pairs that share a unit, the lower index first, ascending.
    pub edges: Vec<(u16, u16)>,
    /// For each cell, the cells that share a unit with it, ascending.
    pub peers: Vec<Vec<u16>>,
    /// Given colours by cell, 0 where open.
    pub givens: Vec<Color>,
    /// The puzzle's rules, at the same indices.
    pub laws: Vec<Law>,
    /// For each cell, the indices of the laws other than houses that speak of it.
    pub laws_of: Vec<Vec<u16>>,
    /// Whether houses decide everything: then legality is exactly "no neighbour has it".
    pub houses_only: bool,
}

impl Board {
    /// Derives the board.
    ///
    /// # Errors
    /// A sentence, if the puzzle speaks of cells or colours that it does not have. Puzzle files
    /// are checked when they are read; this guards a puzzle that was built otherwise.
    pub fn new(puzzle: &Puzzle) -> Result<Self, String> {
        let digits = puzzle.digits;
        if !(1..=16).contains(&digits) {
            return Err(format!("digits is {digits}; it must be 1 to 16"));
        }
        let cells = cells_of(puzzle);
        if cells.is_empty() || cells.len() > 512 {
            return Err(format!("it has {} cells; 1 to 512 can be", cells.len()));
        }
        let at = |cell: Cell| -> Result<u16, String> {
            cells
                .binary_search(&cell)
                .map(|i| i as u16)
                .map_err(|_| format!("it speaks of {cell}, which it does not have"))
        };
        let mut units = Vec::new();
        for grid in &puzzle.grids {
            let suffix = if puzzle.grids.len() > 1 {
                format!(" of the grid at {}", grid.at)
            } else {
                String::new()
            };
            let mut add = |kind: &str, n: u16, group: Vec<Cell>| -> Result<(), String> {
                let cells = group.into_iter().map(at).collect::<Result<_, _>>()?;
                units.push(Unit {
                    name: format!("{kind} {n}{suffix}"),
                    cells,
                });
                Ok(())
            };
            let cell = |r: u16, c: u16| Cell {
                row: grid.at.row + r,
                col: grid.at.col + c,
            };
            if grid.row_houses {
                for r in 0..grid.rows {
                    add(
                        "row",
                        grid.at.row + r,
                        (0..grid.cols).map(|c| cell(r, c)).collect(),
                    )?;
                }
            }
            if grid.col_houses {
                for c in 0..grid.cols {
                    add(
                        "column",
                        grid.at.col + c,
                        (0..grid.rows).map(|r| cell(r, c)).collect(),
                    )?;
                }
            }
            if grid.box_houses {
                let (height, width) = grid.boxed;
                if height == 0 || width == 0 {
                    return Err("a grid has boxes without cells".to_string());
                }
                let mut n = 0;
                for top in (0..grid.rows).step_by(usize::from(height)) {
                    for left in (0..grid.cols).step_by(usize::from(width)) {
                        n += 1;
                        let group = (top..(top + height).min(grid.rows))
                            .flat_map(|r| {
                                (left..(left + width).min(grid.cols)).map(move |c| (r, c))
                            })
                            .map(|(r, c)| cell(r, c))
                            .collect();
                        add("box", n, group)?;
                    }
                }
            }
        }
        let mut laws = Vec::new();
        for (i, rule) in puzzle.rules.iter().enumerate() {
            let law = Law::new(rule, digits, &cells, &at)?;
            if let Rule::House { cells: group } = rule {
                units.push(Unit {
                    name: format!("rule {i} (house)"),
                    cells: group.iter().map(|&c| at(c)).collect::<Result<_, _>>()?,
                });
            }
            laws.push(law);
        }
        let mut laws_of = vec![Vec::new(); cells.len()];
        for (i, law) in laws.iter().enumerate() {
            if matches!(law, Law::House { .. }) {
                continue;
            }
            let mut touched = law.cells();
            touched.sort_unstable();
            touched.dedup();
            for cell in touched {
                laws_of[usize::from(cell)].push(i as u16);
            }
        }
        let mut edges: Vec<(u16, u16)> = units
            .iter()
            .flat_map(|u| {
                u.cells.iter().enumerate().flat_map(|(i, &a)| {
                    u.cells[i + 1..]
                        .iter()
                        .map(move |&b| (a.min(b), a.max(b)))
                        .filter(|(a, b)| a != b)
                })
            })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut peers = vec![Vec::new(); cells.len()];
        for &(a, b) in &edges {
            peers[usize::from(a)].push(b);
            peers[usize::from(b)].push(a);
        }
        for p in &mut peers {
            p.sort_unstable();
        }
        let mut givens = vec![0; cells.len()];
        for (&cell, &color) in &puzzle.givens {
            if color == 0 || color > digits {
                return Err(format!(
                    "{cell} is given as {color}; colours are 1 to {digits}"
                ));
            }
            givens[usize::from(at(cell)?)] = color;
        }
        Ok(Board {
            digits,
            all: ((1u32 << digits) - 1) as u16,
            houses_only: laws.iter().all(|l| matches!(l, Law::House { .. })),
            cells,
            units,
            edges,
            peers,
            givens,
            laws,
            laws_of,
        })
    }

    /// The name of a cell by index.
    pub fn name(&self, cell: u16) -> Cell {
        self.cells[usize::from(cell)]
    }

    /// What is wrong with a full colouring, or `None` where it keeps the givens, every unit and
    /// every rule.
    pub fn flaw(&self, colors: &[Color]) -> Option<String> {
        if colors.len() != self.cells.len() {
            return Some(format!(
                "it colours {} cells of {}",
                colors.len(),
                self.cells.len()
            ));
        }
        for (i, &color) in colors.iter().enumerate() {
            let cell = self.cells[i];
            if color == 0 || color > self.digits {
                return Some(format!(
                    "{cell} has {color}; colours are 1 to {}",
                    self.digits
                ));
            }
            if self.givens[i] != 0 && self.givens[i] != color {
                return Some(format!(
                    "{cell} has {color}, but is given as {}",
                    self.givens[i]
                ));
            }
        }
        if let Some((unit, a, b)) = self.clash(colors) {
            return Some(format!(
                "{} and {} in {} both have colour {}",
                self.name(a),
                self.name(b),
                self.units[unit].name,
                colors[usize::from(a)]
            ));
        }
        self.laws
            .iter()
            .position(|law| !law.holds(colors))
            .map(|i| format!("it breaks rule {i} ({})", self.laws[i].family()))
    }

    /// The first two cells of one unit that have one colour.
    fn clash(&self, colors: &[Color]) -> Option<(usize, u16, u16)> {
        self.clashes(colors).next()
    }

    /// All pairs of cells of one unit that have one colour, unit by unit.
    pub fn clashes<'a>(
        &'a self,
        colors: &'a [Color],
    ) -> impl Iterator<Item = (usize, u16, u16)> + 'a {
        self.units.iter().enumerate().flat_map(move |(u, unit)| {
            unit.cells.iter().enumerate().flat_map(move |(i, &a)| {
                unit.cells[i + 1..]
                    .iter()
                    .filter(move |&&b| {
                        let color = colors[usize::from(a)];
                        color != 0 && color == colors[usize::from(b)]
                    })
                    .map(move |&b| (u, a, b))
            })
        })
    }
}

/// The cells of all grids in reading order, each once.
fn cells_of(puzzle: &Puzzle) -> Vec<Cell> {
    let mut cells = Vec::new();
    for grid in &puzzle.grids {
        // More cells than any puzzle may have are not worth listing.
        if usize::from(grid.rows) * usize::from(grid.cols) > 1024 {
            return Vec::new();
        }
        for row in 0..grid.rows {
            for col in 0..grid.cols {
                cells.push(Cell {
                    row: grid.at.row.saturating_add(row),
                    col: grid.at.col.saturating_add(col),
                });
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classic_has_27_units_of_9_and_810_edges_and_20_peers_a_cell() {
        let board = Board::new(&Puzzle::classic()).expect("classic");
        assert_eq!(board.units.len(), 27);
        assert!(board.units.iter().all(|u| u.cells.len() == 9));
        assert_eq!(board.edges.len(), 810);
        assert!(board.peers.iter().all(|p| p.len() == 20));
        let corner: Vec<String> = board.units[18]
            .cells
            .iter()
            .map(|&c| board.name(c).to_string())
            .collect();
        assert_eq!(
            corner,
            [
                "r1c1", "r1c2", "r1c3", "r2c1", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3"
            ]
        );
    }
}
