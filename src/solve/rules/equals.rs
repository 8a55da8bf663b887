//! Which cells are equal in every solution, because clones and relabellings say so.

use crate::graph::Graph;
use crate::puzzle::{Cell, Puzzle, Rule};

/// For each vertex the lowest vertex that it must be equal to.
///
/// A `clone` makes corresponding cells equal; an `isomorphic` rule makes two cells of one region
/// equal where their partners in the other are, since its relabelling is one-to-one.
pub(super) fn classes(puzzle: &Puzzle, graph: &Graph) -> Vec<u16> {
    let mut class: Vec<u16> = (0..graph.vertices.len() as u16).collect();
    fn merge(class: &mut [u16], a: u16, b: u16) -> bool {
        let (a, b) = (class[usize::from(a)], class[usize::from(b)]);
        let (low, high) = (a.min(b), a.max(b));
        if low != high {
            class
                .iter_mut()
                .filter(|c| **c == high)
                .for_each(|c| *c = low);
        }
        low != high
    }
    let index = |cell: &Cell| puzzle.index_of(*cell).map(|i| i as u16);
    let indices = |cells: &[Cell]| -> Vec<u16> { cells.iter().filter_map(index).collect() };
    let mut relabellings = Vec::new();
    for rule in &puzzle.rules {
        match rule {
            Rule::Clone { regions } => {
                let regions: Vec<_> = regions.iter().map(|r| indices(r)).collect();
                for pair in regions.windows(2) {
                    for (&a, &b) in pair[0].iter().zip(&pair[1]) {
                        merge(&mut class, a, b);
                    }
                }
            }
            Rule::Isomorphic { regions: [a, b] } => relabellings.push([indices(a), indices(b)]),
            _ => {}
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for [first, second] in &relabellings {
            for (from, to) in [(first, second), (second, first)] {
                // In order of classes, equal ones stand together.
                let mut pairs: Vec<(u16, u16)> = from
                    .iter()
                    .zip(to)
                    .map(|(&a, &b)| (class[usize::from(a)], b))
                    .collect();
                pairs.sort_unstable();
                for two in pairs.windows(2) {
                    if two[0].0 == two[1].0 {
                        changed |= merge(&mut class, two[0].1, two[1].1);
                    }
                }
            }
        }
    }
    class
}
