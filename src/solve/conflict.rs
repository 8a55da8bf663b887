//! Givens that contradict each other before any search.

use crate::graph::Graph;
use crate::puzzle::{Color, Puzzle};
use crate::trace::Conflict;

/// Every two givens of one colour in one house, house by house.
pub(super) fn in_houses(puzzle: &Puzzle, graph: &Graph) -> Vec<Conflict> {
    let givens: Vec<Color> = puzzle.given_colors();
    let mut conflicts = Vec::new();
    for house in &graph.houses {
        for (i, &a) in house.cells.iter().enumerate() {
            for &b in &house.cells[i + 1..] {
                let (a, b) = (usize::from(a), usize::from(b));
                if givens[a] != 0 && givens[a] == givens[b] {
                    conflicts.push(Conflict {
                        cells: vec![graph.vertices[a], graph.vertices[b]],
                        place: house.name.clone(),
                    });
                }
            }
        }
    }
    conflicts
}
