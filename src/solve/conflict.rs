//! Givens that contradict the rules before any search.

use super::rules;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};
use crate::trace::Conflict;

/// Every two givens of one colour in one house, house by house; then the rules that the givens
/// alone break, each with as few of its givens as break it.
pub(super) fn find(puzzle: &Puzzle, graph: &Graph) -> Vec<Conflict> {
    let mut all = in_houses(puzzle, graph);
    all.extend(in_rules(puzzle, graph));
    all
}

fn in_houses(puzzle: &Puzzle, graph: &Graph) -> Vec<Conflict> {
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

fn in_rules(puzzle: &Puzzle, graph: &Graph) -> Vec<Conflict> {
    // Each rule is judged by its own words: houses do not help to break it.
    let houseless = Graph {
        vertices: graph.vertices.clone(),
        edges: Vec::new(),
        neighbors: vec![Vec::new(); graph.vertices.len()],
        houses: Vec::new(),
    };
    let all = ColorSet::all(puzzle.digits).0;
    let mut conflicts = Vec::new();
    for served in rules::build(puzzle, &houseless, true) {
        let broken = |givens: &[Color]| {
            let mut masks: Vec<u16> = givens
                .iter()
                .map(|&g| if g == 0 { all } else { rules::bit(g) })
                .collect();
            served
                .propagator
                .narrow(&mut rules::View::new(&mut masks, &mut Vec::new()))
                .is_err()
        };
        let scope = served.propagator.scope();
        let mut givens = vec![0; graph.vertices.len()];
        for (i, color) in puzzle.given_colors().into_iter().enumerate() {
            if scope.contains(&(i as u16)) {
                givens[i] = color;
            }
        }
        if !broken(&givens) {
            continue;
        }
        for i in 0..givens.len() {
            let color = std::mem::take(&mut givens[i]);
            if color != 0 && !broken(&givens) {
                givens[i] = color;
            }
        }
        let cells: Vec<_> = (0..givens.len())
            .filter(|&i| givens[i] != 0)
            .map(|i| graph.vertices[i])
            .collect();
        // A rule that no colouring at all obeys is not broken by the givens: the search says so.
        if !cells.is_empty() {
            let family = puzzle.rules[usize::from(served.rule)].family();
            conflicts.push(Conflict {
                cells,
                place: format!("rule {} ({family})", served.rule),
            });
        }
    }
    conflicts
}
