//! The search of a puzzle with rules: as on houses alone, with the legal colours narrowed by
//! what the rules rule out, and by what follows from that through houses. A dead end names the
//! rule that last took a colour from its vertex, itself or through houses. Where that
//! meets many dead ends, the search begins again and rules out colours by trying them too.

use std::ops::ControlFlow;

use super::dsatur::Found;
use super::learn;
use super::limits::{Limits, Progress, Stop, Watch};
use super::narrow::{Blame, Failure, NO_RULE, Narrower, Scratch};
use super::near::Nearness;
use super::recorder::Recorder;
use super::rules;
use super::strong::Counted;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};
use crate::trace::Event;

/// Nodes between two looks at the watcher; a node takes some microseconds here.
pub(super) const POLL: u64 = 128;
/// Dead ends after which a search begins again with every node narrowed by probing too: an easy
/// one needs no probing, a hard one is lost without it.
pub(super) const PLAIN_DEAD_ENDS: u64 = 256;
/// Dead ends of a probing search after which the number of solutions is worked out first.
const PROBED_DEAD_ENDS: u64 = 128;

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
        let (masks, blame) = (&mut level.masks, &mut level.blame);
        let mut outcome = self.narrower.run(changed, masks, blame, &mut self.scratch);
        if outcome.is_ok() && self.probing {
            outcome = self
                .narrower
                .probe(self.graph, masks, blame, &mut self.scratch);
        }
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

/// How each node is narrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth<'a> {
    /// Rule by rule and house by house; given up after so many dead ends.
    Plain(u64),
    /// By trying every colour too; given up after so many dead ends.
    Probing(u64),
    /// To what the only solution has.
    Known(&'a [Color]),
}

impl Depth<'_> {
    /// Whether a search with so many dead ends is given up.
    pub fn is_lost(self, dead_ends: u64) -> bool {
        matches!(self, Depth::Plain(most) | Depth::Probing(most) if dead_ends > most)
    }
}

/// Searches for the first solution: plainly if that is enough, else with probing from the start.
/// Where that is lost too, solutions are counted first; a single one leaves each vertex one legal
/// colour.
pub(super) fn search(
    puzzle: &Puzzle,
    graph: &Graph,
    limits: &Limits,
    watch: Watch<'_>,
) -> (Found, Option<Counted>) {
    let plain = Depth::Plain(PLAIN_DEAD_ENDS);
    let probing = Depth::Probing(PROBED_DEAD_ENDS);
    for depth in [plain, probing] {
        if let Some(found) = search_at(depth, puzzle, graph, limits, watch) {
            return (found, None);
        }
    }
    let most = limits.max_nodes.unwrap_or(u64::MAX);
    let counted = learn::count(puzzle, graph, 2, most, 0, watch);
    let depth = match counted.solutions.as_slice() {
        [only] if counted.stopped.is_none() => Depth::Known(only),
        _ => Depth::Probing(u64::MAX),
    };
    let found = search_at(depth, puzzle, graph, limits, watch)
        .unwrap_or_else(|| unreachable!("a search without a limit is not given up"));
    let settled = matches!(depth, Depth::Known(_)).then_some(counted);
    (found, settled)
}

/// Searches for the first solution; `None` if it was given up.
pub(super) fn search_at(
    depth: Depth<'_>,
    puzzle: &Puzzle,
    graph: &Graph,
    limits: &Limits,
    watch: Watch<'_>,
) -> Option<Found> {
    let n = graph.vertices.len();
    let near = Nearness::new(&graph.vertices);
    let mut served = rules::build(puzzle, graph, false);
    served.extend(rules::houses(graph, puzzle.digits));
    let mut search = Search {
        graph,
        narrower: Narrower::new(n, served, false),
        scratch: Scratch::default(),
        colors: puzzle.given_colors(),
        probing: matches!(depth, Depth::Probing(_)),
    };
    // A probed node takes a thousand times as long.
    let poll = if search.probing { 1 } else { POLL };
    let mut levels = vec![search.start(puzzle.digits)];
    if let Depth::Known(solution) = depth {
        let masks = levels[0].masks.iter_mut();
        masks.zip(solution).for_each(|(m, &c)| *m = rules::bit(c));
    }
    let mut frames: Vec<Frame> = Vec::with_capacity(n);
    let mut recorder = Recorder::new(limits.max_events);
    let mut solutions = Vec::new();
    let mut dead_at_start = None;
    let node_limit = limits.max_nodes.unwrap_or(u64::MAX);
    let mut pause = node_limit.min(poll);

    let stopped = 'search: loop {
        let height = frames.len();
        let previous = frames.last().map(|f| f.vertex);
        let level = &levels[height];
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
                    if depth.is_lost(recorder.stats.dead_ends) {
                        return None;
                    }
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
            let height = frames.len();
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
                    depth: height,
                    solutions: 0,
                };
                if watch(progress) == ControlFlow::Break(()) {
                    break 'search Some(Stop::Watcher);
                }
                pause = node_limit.min(nodes + poll);
            }
            let color = top.left.trailing_zeros() as Color + 1;
            top.left &= top.left - 1;
            top.color = color;
            recorder.stats.assignments += 1;
            recorder.stats.max_depth = recorder.stats.max_depth.max(height as u32);
            recorder.push(Event::Assign {
                vertex: top.vertex,
                color,
                saturation: top.saturation,
                legal: ColorSet(top.legal),
            });
            let vertex = top.vertex;
            levels.truncate(height);
            let mut next = levels[height - 1].clone();
            search.assign(vertex, color, &mut next);
            levels.push(next);
            break;
        }
    };
    Some(Found {
        nodes: recorder.stats.assignments,
        count: solutions.len() as u64,
        recorder,
        solutions,
        second_nodes: None,
        stopped,
        dead_at_start,
    })
}
