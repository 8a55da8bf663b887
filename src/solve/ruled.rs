//! The search of a puzzle with rules: as on houses alone, with the legal colours narrowed by
//! what the rules rule out, and by what follows from that through houses. A dead end names the
//! rule that last took a colour from its vertex, itself or through houses.

use std::ops::ControlFlow;

use super::dsatur::Found;
use super::limits::{Limits, Progress, Stop, Watch};
use super::narrow::{Blame, Failure, NO_RULE, Narrower, Scratch};
use super::near::Nearness;
use super::recorder::Recorder;
use super::rules;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};
use crate::trace::Event;

/// Nodes between two looks at the watcher; a node takes some microseconds here.
pub(super) const POLL: u64 = 128;
/// Dead ends after which every colour is tried before it counts as legal. Most searches are done
/// by then, and sooner without; of the others it cuts off far more than it costs.
pub(super) const PROBE_AFTER: u64 = 3000;

struct Frame {
    vertex: u16,
    /// Its colour now, 0 between two tries.
    color: Color,
    legal: u16,
    left: u16,
    saturation: u8,
}

/// What each vertex can still have at one depth of the search.
#[derive(Clone)]
struct Level {
    /// Legal colours; one bit for a coloured vertex.
    masks: Vec<u16>,
    blame: Blame,
}

struct Search<'a> {
    graph: &'a Graph,
    narrower: Narrower,
    scratch: Scratch,
    colors: Vec<Color>,
    /// Whether colours are tried, see [`PROBE_AFTER`].
    probing: bool,
}

impl Search<'_> {
    /// Gives every open vertex what houses leave it, then narrows by the rules.
    fn start(&mut self, digits: u8) -> Level {
        let n = self.colors.len();
        let mut level = Level {
            masks: vec![ColorSet::all(digits).0; n],
            blame: Blame::new(n),
        };
        for (v, &color) in self.colors.iter().enumerate() {
            if color != 0 {
                level.masks[v] = rules::bit(color);
            } else {
                level.masks[v] &= !self.around(v as u16);
            }
        }
        if !self.has_dead(&level) {
            self.narrow(None, &mut level);
        }
        level
    }

    /// The colours of the neighbours of a vertex.
    fn around(&self, vertex: u16) -> u16 {
        self.graph.neighbors[usize::from(vertex)]
            .iter()
            .map(|&u| self.colors[usize::from(u)])
            .filter(|&c| c != 0)
            .fold(0, |m, c| m | rules::bit(c))
    }

    fn has_dead(&self, level: &Level) -> bool {
        level.masks.contains(&0)
    }

    /// Narrows by the rules; a rule that cannot be fulfilled leaves an open vertex no colour.
    fn narrow(&mut self, changed: Option<&[u16]>, level: &mut Level) {
        let outcome = self.narrower.run(
            changed,
            &mut level.masks,
            &mut level.blame,
            &mut self.scratch,
        );
        let outcome = match outcome {
            Ok(()) if self.probing => {
                self.narrower
                    .probe(&mut level.masks, &mut level.blame, &mut self.scratch)
            }
            other => other,
        };
        let Err(Failure { propagator, vertex }) = outcome else {
            return;
        };
        let served = &self.narrower.served[propagator];
        let rule = match served.rule {
            NO_RULE => level.blame.latest,
            rule => rule,
        };
        let open = |v: &u16| self.colors[usize::from(*v)] == 0;
        let dead = vertex.filter(open).or_else(|| {
            let scope = served.propagator.scope();
            scope.iter().copied().filter(open).min()
        });
        // A rule whose cells are all coloured was exact before the last of them was.
        debug_assert!(dead.is_some(), "rule {rule} broke unseen");
        // Where it shows at a coloured vertex, that one keeps its colour.
        for (v, &color) in self.colors.iter().enumerate() {
            if color != 0 {
                level.masks[v] = rules::bit(color);
            }
        }
        let dead = dead.or_else(|| (0..self.colors.len() as u16).find(open));
        if let Some(v) = dead {
            level.masks[usize::from(v)] = 0;
            level.blame.of[usize::from(v)] = rule;
        }
    }

    /// Colours a vertex and narrows the others.
    fn assign(&mut self, vertex: u16, color: Color, level: &mut Level) {
        let bit = rules::bit(color);
        self.colors[usize::from(vertex)] = color;
        level.masks[usize::from(vertex)] = bit;
        let mut changed = vec![vertex];
        let mut dead = false;
        for &u in &self.graph.neighbors[usize::from(vertex)] {
            let mask = &mut level.masks[usize::from(u)];
            if self.colors[usize::from(u)] == 0 && *mask & bit != 0 {
                *mask &= !bit;
                dead |= *mask == 0;
                changed.push(u);
            }
        }
        if !dead {
            self.narrow(Some(&changed), level);
        }
    }

    /// The vertex that the search colours next.
    fn choose(&self, level: &Level, previous: Option<u16>, near: &Nearness) -> Option<u16> {
        let open = (0..self.colors.len() as u16).filter(|&v| self.colors[usize::from(v)] == 0);
        open.min_by_key(|&v| {
            let rank = previous.map_or(v, |p| near.from(p)[usize::from(v)]);
            (level.masks[usize::from(v)].count_ones(), rank)
        })
    }
}

/// Searches for the first solution.
pub(super) fn search(puzzle: &Puzzle, graph: &Graph, limits: &Limits, watch: Watch<'_>) -> Found {
    let n = graph.vertices.len();
    let near = Nearness::new(&graph.vertices);
    let mut served = rules::build(puzzle, graph, false);
    served.extend(rules::houses(graph));
    let mut search = Search {
        graph,
        narrower: Narrower::new(n, served, false),
        scratch: Scratch::default(),
        colors: puzzle.given_colors(),
        probing: false,
    };
    let mut levels = vec![search.start(puzzle.digits)];
    let mut frames: Vec<Frame> = Vec::with_capacity(n);
    let mut recorder = Recorder::new(limits.max_events);
    let mut solutions = Vec::new();
    let mut dead_at_start = None;
    let node_limit = limits.max_nodes.unwrap_or(u64::MAX);
    let mut pause = node_limit.min(POLL);

    let stopped = 'search: loop {
        let depth = frames.len();
        let previous = frames.last().map(|f| f.vertex);
        let level = &levels[depth];
        match search.choose(level, previous, &near) {
            None => {
                let by_cell = |cell| puzzle.index_of(cell).map_or(0, |i| search.colors[i]);
                let obeyed = puzzle
                    .rules
                    .iter()
                    .all(|rule| rules::holds(rule, puzzle, &by_cell));
                debug_assert!(obeyed, "a rule was broken unseen");
                if obeyed {
                    recorder.push(Event::Solved);
                    solutions.push(search.colors.clone());
                    break 'search None;
                }
            }
            Some(vertex) => {
                let legal = level.masks[usize::from(vertex)];
                let around = search.around(vertex);
                if legal == 0 {
                    recorder.stats.dead_ends += 1;
                    if recorder.stats.assignments == 0 {
                        dead_at_start = Some(vertex);
                    }
                    // Houses alone come first; else the rule that last took a colour from it.
                    let by_houses = around == ColorSet::all(puzzle.digits).0;
                    let rule = level.blame.of[usize::from(vertex)];
                    recorder.push(Event::DeadEnd {
                        vertex,
                        rule: (!by_houses && rule != NO_RULE).then_some(rule),
                    });
                } else {
                    frames.push(Frame {
                        vertex,
                        color: 0,
                        legal,
                        left: legal,
                        saturation: around.count_ones() as u8,
                    });
                }
            }
        }
        loop {
            let depth = frames.len();
            let Some(top) = frames.last_mut() else {
                break 'search None;
            };
            let slot = usize::from(top.vertex);
            if top.color != 0 {
                recorder.stats.undos += 1;
                recorder.push(Event::Undo {
                    vertex: top.vertex,
                    color: top.color,
                });
                top.color = 0;
                search.colors[slot] = 0;
            }
            if top.left == 0 {
                frames.pop();
                continue;
            }
            let nodes = recorder.stats.assignments;
            if nodes >= pause {
                if nodes >= node_limit {
                    break 'search Some(Stop::Nodes);
                }
                let progress = Progress {
                    nodes,
                    depth,
                    solutions: 0,
                };
                if watch(progress) == ControlFlow::Break(()) {
                    break 'search Some(Stop::Watcher);
                }
                // A node takes some milliseconds where colours are tried.
                let step = if search.probing { 1 } else { POLL };
                pause = node_limit.min(nodes + step);
            }
            let color = top.left.trailing_zeros() as Color + 1;
            top.left &= top.left - 1;
            top.color = color;
            recorder.stats.assignments += 1;
            recorder.stats.max_depth = recorder.stats.max_depth.max(depth as u32);
            recorder.push(Event::Assign {
                vertex: top.vertex,
                color,
                saturation: top.saturation,
                legal: ColorSet(top.legal),
            });
            let vertex = top.vertex;
            levels.truncate(depth);
            search.probing = recorder.stats.dead_ends >= PROBE_AFTER;
            let mut next = levels[depth - 1].clone();
            search.assign(vertex, color, &mut next);
            levels.push(next);
            break;
        }
    };
    Found {
        nodes: recorder.stats.assignments,
        count: solutions.len() as u64,
        recorder,
        solutions,
        second_nodes: None,
        stopped,
        dead_at_start,
    }
}
