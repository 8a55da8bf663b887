//! Counts solutions by another search than the recorded one: every house and rule narrows every
//! cell, then the cell with the fewest colours for its past failures is split (Boussemart et al.,
//! ECAI 2004). Where that does not end soon, each colour is tried alone first.

use std::ops::ControlFlow;

use super::limits::{Progress, Stop, Watch};
use super::narrow::{Blame, Narrower, Scratch};
use super::ruled::{POLL, PROBE_AFTER};
use super::rules;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};

/// What the search found.
#[derive(Debug)]
pub(super) struct Counted {
    /// Solutions found, up to the number wanted.
    pub count: u64,
    /// The first two.
    pub solutions: Vec<Vec<Color>>,
    pub nodes: u64,
    pub stopped: Option<Stop>,
}

/// Looks for up to `wanted` solutions, in at most `max_nodes` nodes; `before` nodes were made by
/// another search and are only added to the progress.
pub(super) fn count(
    puzzle: &Puzzle,
    graph: &Graph,
    wanted: u64,
    max_nodes: u64,
    before: u64,
    watch: Watch<'_>,
) -> Counted {
    let n = graph.vertices.len();
    let mut served = rules::houses(graph);
    served.extend(rules::build(puzzle, graph, false));
    let narrower = Narrower::new(n, served, true);
    let mut weight = vec![1u32; n];
    let mut scratch = Scratch::default();
    let mut blame = Blame::new(n);
    let mut masks: Vec<u16> = puzzle
        .given_colors()
        .iter()
        .map(|&c| match c {
            0 => ColorSet::all(puzzle.digits).0,
            c => rules::bit(c),
        })
        .collect();
    let mut out = Counted {
        count: 0,
        solutions: Vec::new(),
        nodes: 0,
        stopped: None,
    };
    if narrower
        .run(None, &mut masks, &mut blame, &mut scratch)
        .is_err()
    {
        return out;
    }
    // Each entry: the masks before the split, the vertex, and its colours not tried yet.
    let mut stack: Vec<(Vec<u16>, u16, u16)> = Vec::new();
    let mut failures = 0;
    let mut pause = max_nodes.min(POLL);
    loop {
        let split = (0..n as u16)
            .filter(|&v| !masks[usize::from(v)].is_power_of_two())
            .min_by_key(|&v| {
                let colors = u64::from(masks[usize::from(v)].count_ones());
                // Colours over weight, as one number without fractions.
                (colors << 32) / u64::from(weight[usize::from(v)])
            });
        match split {
            Some(v) => {
                let left = masks[usize::from(v)];
                stack.push((masks.clone(), v, left));
            }
            None => {
                let colors: Vec<Color> = masks
                    .iter()
                    .map(|m| m.trailing_zeros() as Color + 1)
                    .collect();
                let by_cell = |cell| puzzle.index_of(cell).map_or(0, |i| colors[i]);
                if puzzle
                    .rules
                    .iter()
                    .all(|rule| rules::holds(rule, puzzle, &by_cell))
                {
                    out.count += 1;
                    if out.solutions.len() < 2 {
                        out.solutions.push(colors);
                    }
                    if out.count >= wanted {
                        return out;
                    }
                }
            }
        }
        // The next colour to try, nearest the top of the stack.
        loop {
            let depth = stack.len();
            let Some((saved, v, left)) = stack.last_mut() else {
                return out;
            };
            if *left == 0 {
                stack.pop();
                continue;
            }
            if out.nodes >= pause {
                if out.nodes >= max_nodes {
                    out.stopped = Some(Stop::Nodes);
                    return out;
                }
                let progress = Progress {
                    nodes: before + out.nodes,
                    depth,
                    solutions: out.count,
                };
                if watch(progress) == ControlFlow::Break(()) {
                    out.stopped = Some(Stop::Watcher);
                    return out;
                }
                let step = if failures >= PROBE_AFTER { 1 } else { POLL };
                pause = max_nodes.min(out.nodes + step);
            }
            let color = *left & left.wrapping_neg();
            *left &= !color;
            out.nodes += 1;
            masks.clone_from(saved);
            masks[usize::from(*v)] = color;
            let changed = [*v];
            let mut narrowed = narrower.run(Some(&changed), &mut masks, &mut blame, &mut scratch);
            if narrowed.is_ok() && failures >= PROBE_AFTER {
                narrowed = narrower.probe(&mut masks, &mut blame, &mut scratch);
            }
            match narrowed {
                Ok(()) => break,
                Err(failure) => {
                    failures += 1;
                    for &u in narrower.served[failure.propagator].propagator.scope() {
                        weight[usize::from(u)] += 1;
                    }
                }
            }
        }
    }
}
