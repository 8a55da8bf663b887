//! The exact search: colour the graph, prove whether there is a second colouring, record it all.

mod conflict;
mod dsatur;
mod learn;
mod limits;
mod narrow;
mod near;
mod recorder;
mod ruled;
mod rules;
mod strong;

pub use limits::{Limits, Progress, Stop, Watch};

use std::ops::ControlFlow;

use crate::graph::Graph;
use crate::puzzle::{Puzzle, Rule};
use crate::trace::{Stats, Status, Trace};

/// What a search found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The verdict and the record of the search for the first solution.
    pub trace: Trace,
    /// Solutions found: all there are if `exhausted`, else at least so many.
    pub solutions: u64,
    /// Whether every solution was found.
    pub exhausted: bool,
    /// All nodes, those after the first solution too.
    pub nodes: u64,
    /// What cut the search off, if anything did.
    pub stopped: Option<Stop>,
}

/// Solves a puzzle exactly within limits, with no deadline; see [`solve_watched`].
pub fn solve(puzzle: &Puzzle, limits: &Limits) -> Outcome {
    solve_watched(puzzle, limits, &mut |_| ControlFlow::Continue(()))
}

/// Solves a puzzle exactly within limits, while `watch` looks on and may stop it.
///
/// Colours the graph by the search that the trace format fixes: choose the uncoloured vertex with
/// the fewest legal colours, ties to the cell nearest to the one chosen before it on the current
/// branch, then to the lowest index; try legal colours in ascending order. The search then goes on
/// from the first solution until a second one or its end.
pub fn solve_watched(puzzle: &Puzzle, limits: &Limits, watch: Watch<'_>) -> Outcome {
    let graph = Graph::new(puzzle);
    let mut trace = Trace {
        puzzle: puzzle.clone(),
        graph: graph.to_trace(),
        status: Status::Conflict,
        unique: Some(false),
        solution: None,
        second_solution: None,
        dead_cell: None,
        conflicts: conflict::find(puzzle, &graph),
        stats: Stats::default(),
        trace_complete: true,
        events: Vec::new(),
    };
    if !trace.conflicts.is_empty() {
        return Outcome {
            trace,
            solutions: 0,
            exhausted: true,
            nodes: 0,
            stopped: None,
        };
    }
    let has_rules = puzzle
        .rules
        .iter()
        .any(|r| !matches!(r, Rule::House { .. }));
    let found = if has_rules {
        search_ruled(puzzle, &graph, limits, watch)
    } else {
        let givens = puzzle.given_colors();
        dsatur::search(&graph, puzzle.digits, &givens, limits, watch)
    };

    let exhausted = found.stopped.is_none() && found.count < limits.wanted();
    (trace.status, trace.unique) = match found.count {
        0 if exhausted => (Status::Impossible, Some(false)),
        0 => (Status::Incomplete, None),
        1 if exhausted => (Status::Unique, Some(true)),
        1 => (Status::Solved, None),
        _ => (Status::Ambiguous, Some(false)),
    };
    let mut solutions = found.solutions.into_iter();
    trace.solution = solutions.next();
    trace.second_solution = solutions.next();
    trace.stats = found.recorder.stats;
    trace.stats.uniqueness_nodes = found.second_nodes;
    trace.trace_complete = !found.recorder.omitted;
    trace.events = found.recorder.events;
    trace.dead_cell = found.dead_at_start.map(|v| graph.vertices[usize::from(v)]);
    Outcome {
        trace,
        solutions: found.count,
        exhausted,
        nodes: found.nodes,
        stopped: found.stopped,
    }
}

/// The recorded search for the first solution, then the stronger one for a second.
fn search_ruled(
    puzzle: &Puzzle,
    graph: &Graph,
    limits: &Limits,
    watch: Watch<'_>,
) -> dsatur::Found {
    let (mut found, counted) = ruled::search(puzzle, graph, limits, watch);
    let wanted = limits.wanted();
    let Some(first) = found.solutions.first().filter(|_| wanted > 1) else {
        return found;
    };
    let nodes_left = limits
        .max_nodes
        .map_or(u64::MAX, |max| max.saturating_sub(found.nodes));
    let counted = counted
        .unwrap_or_else(|| strong::count(puzzle, graph, wanted, nodes_left, found.nodes, watch));
    let second = counted.solutions.into_iter().find(|s| s != first);
    found.nodes += counted.nodes;
    found.stopped = counted.stopped;
    // Stopped early, it may have met only the solution that is known, or none.
    found.count = counted.count.max(1 + u64::from(second.is_some()));
    found.solutions.extend(second);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classic(text: &str) -> Puzzle {
        let mut puzzle = Puzzle::classic();
        for (cell, c) in puzzle.cells().to_vec().into_iter().zip(text.bytes()) {
            if (b'1'..=b'9').contains(&c) {
                puzzle.givens.insert(cell, c - b'0');
            }
        }
        puzzle
    }

    #[test]
    fn the_demo_takes_51_assignments_and_no_undo() {
        let text =
            "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
        let outcome = solve(&classic(text), &Limits::default());
        assert_eq!(outcome.trace.status, Status::Unique);
        assert_eq!(outcome.trace.stats.assignments, 51);
        assert_eq!(outcome.trace.stats.undos, 0);
        assert_eq!(outcome.trace.stats.uniqueness_nodes, Some(0));
        assert_eq!(outcome.trace.events.len(), 52);

        let mut bytes = Vec::new();
        crate::trace::write(&outcome.trace, &mut bytes).expect("memory takes it");
        let back = crate::trace::read(&bytes, "demo").expect("what was written reads back");
        assert_eq!(back, outcome.trace);
    }
}
