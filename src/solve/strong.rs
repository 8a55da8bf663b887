//! Counts solutions by another search than the recorded one: every house and rule narrows every
//! cell, then the cell with the fewest colours for its past failures is split (Boussemart et al.,
//! ECAI 2004).

use std::ops::ControlFlow;

use super::learn;
use super::limits::{Progress, Stop, Watch};
use super::narrow::{Blame, Narrower, Scratch};
use super::ruled::{Depth, PLAIN_DEAD_ENDS, POLL};
use super::rules;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};

/// Failures of a probing search after which it is given up.
const PROBED_FAILURES: u64 = 128;
/// Solutions that learning can count: it remembers each.
const FEW: u64 = 64;

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
/// another search and are only added to the progress. Where it fails often, it begins again and
/// probes, then again and learns from each conflict (or probes on, to count many).
pub(super) fn count(
    puzzle: &Puzzle,
    graph: &Graph,
    wanted: u64,
    max_nodes: u64,
    before: u64,
    watch: Watch<'_>,
) -> Counted {
    let probing = Depth::Probing(PROBED_FAILURES);
    for depth in [Depth::Plain(PLAIN_DEAD_ENDS), probing] {
        let counted = count_at(depth, puzzle, graph, wanted, max_nodes, before, watch);
        if let Some(counted) = counted {
            return counted;
        }
    }
    if wanted <= FEW {
        return learn::count(puzzle, graph, wanted, max_nodes, before, watch);
    }
    let whole = Depth::Probing(u64::MAX);
    count_at(whole, puzzle, graph, wanted, max_nodes, before, watch)
        .unwrap_or_else(|| unreachable!("a search without a limit is not given up"))
}

/// As [`count`], with one way of narrowing; `None` if it was given up.
pub(super) fn count_at(
    depth: Depth<'_>,
    puzzle: &Puzzle,
    graph: &Graph,
    wanted: u64,
    max_nodes: u64,
    before: u64,
    watch: Watch<'_>,
) -> Option<Counted> {
    let probing = matches!(depth, Depth::Probing(_));
    let poll = if probing { 1 } else { POLL };
    let n = graph.vertices.len();
    let mut served = rules::houses(graph, puzzle.digits);
    served.extend(rules::build(puzzle, graph, false));
    let narrower = Narrower::new(n, served, true);
    let mut weight = vec![1u32; n];
    let mut failures = 0u64;
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
        return Some(out);
    }
    // Each entry: the masks before the split, the vertex, and its colours not tried yet.
    let mut stack: Vec<(Vec<u16>, u16, u16)> = Vec::new();
    let mut pause = max_nodes.min(poll);
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
                        return Some(out);
                    }
                }
            }
        }
        // The next colour to try, nearest the top of the stack.
        loop {
            let height = stack.len();
            let Some((saved, v, left)) = stack.last_mut() else {
                return Some(out);
            };
            if *left == 0 {
                stack.pop();
                continue;
            }
            if out.nodes >= pause {
                if out.nodes >= max_nodes {
                    out.stopped = Some(Stop::Nodes);
                    return Some(out);
                }
                let progress = Progress {
                    nodes: before + out.nodes,
                    depth: height,
                    solutions: out.count,
                };
                if watch(progress) == ControlFlow::Break(()) {
                    out.stopped = Some(Stop::Watcher);
                    return Some(out);
                }
                pause = max_nodes.min(out.nodes + poll);
            }
            let color = *left & left.wrapping_neg();
            *left &= !color;
            out.nodes += 1;
            masks.clone_from(saved);
            masks[usize::from(*v)] = color;
            let changed = [*v];
            let mut outcome = narrower.run(Some(&changed), &mut masks, &mut blame, &mut scratch);
            if outcome.is_ok() && probing {
                outcome = narrower.probe(graph, &mut masks, &mut blame, &mut scratch);
            }
            match outcome {
                Ok(()) => break,
                Err(failure) => {
                    failures += 1;
                    if depth.is_lost(failures) {
                        return None;
                    }
                    for &u in narrower.served[failure.propagator].propagator.scope() {
                        weight[usize::from(u)] += 1;
                    }
                }
            }
        }
    }
}
