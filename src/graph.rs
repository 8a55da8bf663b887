//! Vertices and edges from houses: a cell is a vertex, two cells of one house share an edge.

use crate::puzzle::{Cell, Puzzle, Rule};
use crate::trace::TraceGraph;

/// A set of cells that all differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct House {
    /// Its name for people: "row 3", "column 4", "box 5", "rule 0 (house)"; where a puzzle has
    /// several grids, "row 3 of the grid at r1c11". Rows and columns carry the numbers that cell
    /// names carry, boxes are counted in reading order from 1, rules by their index from 0.
    pub name: String,
    /// Its cells as vertex indices, in the order of the grid or the rule.
    pub cells: Vec<u16>,
}

/// The graph whose proper colourings are the puzzle's solutions, as far as houses go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The vertices, one a cell, in reading order.
    pub vertices: Vec<Cell>,
    /// The edges as pairs of vertex indices, the lower first, ascending, each once.
    pub edges: Vec<(u16, u16)>,
    /// For each vertex its neighbours, ascending.
    pub neighbors: Vec<Vec<u16>>,
    /// Grid by grid the rows, columns and boxes, then the puzzle's `house` rules.
    pub houses: Vec<House>,
}

impl Graph {
    /// The graph of a puzzle's houses.
    pub fn new(puzzle: &Puzzle) -> Self {
        let vertices = puzzle.cells().to_vec();
        let houses = houses(puzzle);
        let mut neighbors: Vec<Vec<u16>> = vec![Vec::new(); vertices.len()];
        for house in &houses {
            for &a in &house.cells {
                neighbors[usize::from(a)].extend(house.cells.iter().filter(|&&b| b != a));
            }
        }
        let mut edges = Vec::new();
        for (a, list) in neighbors.iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            let a = a as u16;
            edges.extend(list.iter().filter(|&&b| b > a).map(|&b| (a, b)));
        }
        Graph {
            vertices,
            edges,
            neighbors,
            houses,
        }
    }

    /// The part of it that a trace records.
    pub fn to_trace(&self) -> TraceGraph {
        TraceGraph {
            vertices: self.vertices.clone(),
            edges: self.edges.clone(),
        }
    }
}

/// All houses of a puzzle, named.
fn houses(puzzle: &Puzzle) -> Vec<House> {
    let mut houses = Vec::new();
    let index = |row: u16, col: u16| -> Option<u16> {
        puzzle.index_of(Cell { row, col }).map(|i| i as u16)
    };
    for grid in &puzzle.grids {
        let of_grid = if puzzle.grids.len() > 1 {
            format!(" of the grid at {}", grid.at)
        } else {
            String::new()
        };
        let rows = grid.at.row..grid.at.row + grid.rows;
        let cols = grid.at.col..grid.at.col + grid.cols;
        if grid.row_houses {
            houses.extend(rows.clone().map(|r| House {
                name: format!("row {r}{of_grid}"),
                cells: cols.clone().filter_map(|c| index(r, c)).collect(),
            }));
        }
        if grid.col_houses {
            houses.extend(cols.clone().map(|c| House {
                name: format!("column {c}{of_grid}"),
                cells: rows.clone().filter_map(|r| index(r, c)).collect(),
            }));
        }
        let (high, wide) = (grid.boxed.0.max(1), grid.boxed.1.max(1));
        if grid.box_houses {
            let mut number = 0;
            for top in rows.clone().step_by(high.into()) {
                for left in cols.clone().step_by(wide.into()) {
                    number += 1;
                    let cells = (top..rows.end.min(top.saturating_add(high)))
                        .flat_map(|r| {
                            (left..cols.end.min(left.saturating_add(wide))).map(move |c| (r, c))
                        })
                        .filter_map(|(r, c)| index(r, c))
                        .collect();
                    houses.push(House {
                        name: format!("box {number}{of_grid}"),
                        cells,
                    });
                }
            }
        }
    }
    for (i, rule) in puzzle.rules.iter().enumerate() {
        if let Rule::House { cells } = rule {
            houses.push(House {
                name: format!("rule {i} (house)"),
                cells: cells
                    .iter()
                    .filter_map(|&c| puzzle.index_of(c).map(|i| i as u16))
                    .collect(),
            });
        }
    }
    houses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Grid;

    #[test]
    fn a_classic_grid_has_27_houses_and_810_edges() {
        let graph = Graph::new(&Puzzle::classic());
        assert_eq!(graph.vertices.len(), 81);
        assert_eq!(graph.houses.len(), 27);
        assert_eq!(graph.edges.len(), 810);
        assert!(graph.neighbors.iter().all(|n| n.len() == 20));
        assert!(graph.edges.is_sorted());
        let names: Vec<_> = graph.houses.iter().map(|h| h.name.as_str()).collect();
        assert_eq!(
            (names[2], names[12], names[22]),
            ("row 3", "column 4", "box 5")
        );
        assert_eq!(graph.houses[22].cells[0], 30);
    }

    #[test]
    fn houses_of_several_grids_say_which_grid() {
        let mut second = Grid::classic();
        second.at = Cell { row: 7, col: 7 };
        let puzzle = Puzzle::new(9, vec![Grid::classic(), second]);
        let graph = Graph::new(&puzzle);
        assert_eq!(graph.vertices.len(), 81 + 81 - 9);
        // The shared box is a house of both grids, its 36 edges count once.
        assert_eq!(graph.edges.len(), 810 + 810 - 36);
        let mut names: Vec<_> = graph.houses.iter().map(|h| h.name.clone()).collect();
        assert!(names.contains(&"row 7 of the grid at r7c7".to_string()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 54);
    }
}
