//! The search of a puzzle that has houses only: DSATUR (Brélaz 1979) with backtracking.
//!
//! Everything is a set of vertices in a few machine words. `blocked[c]` holds the vertices that
//! have a neighbour of colour c; how many legal colours a vertex has left is kept bit-sliced in
//! `planes`, so that colouring a vertex counts all its neighbours down at once, with no loop over
//! them, and the vertices with the fewest legal colours are found in one step a plane.

use std::ops::ControlFlow;

use super::limits::{Limits, Progress, Stop, Watch};
use super::near::Nearness;
use super::recorder::Recorder;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet};
use crate::trace::{Event, Stats};

/// Enough bits to count up to 16 legal colours.
const PLANES: usize = 5;
/// Nodes between two looks at the watcher.
const POLL: u64 = 4096;

/// A set of up to 64 · W vertices.
type Set<const W: usize> = [u64; W];

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    pub recorder: Recorder,
    /// The first two solutions.
    pub solutions: Vec<Vec<Color>>,
    /// Solutions found, up to the number wanted.
    pub count: u64,
    /// Nodes after the first solution, until the second or the end.
    pub second_nodes: Option<u64>,
    /// All nodes.
    pub nodes: u64,
    /// What cut the search off.
    pub stopped: Option<Stop>,
    /// The vertex that had no legal colour before anything was assigned.
    pub dead_at_start: Option<u16>,
}

/// A vertex on the current branch.
#[derive(Clone, Copy)]
struct Frame<const W: usize> {
    vertex: u16,
    /// Its colour now, 0 between two tries.
    color: Color,
    /// All colours that were legal when it was chosen.
    legal: u16,
    /// Those not tried yet.
    left: u16,
    /// The vertices that its colour took a legal colour from.
    newly: Set<W>,
}

struct Board<const W: usize> {
    digits: u8,
    adjacent: Vec<Set<W>>,
    open: Set<W>,
    blocked: [Set<W>; 16],
    planes: [Set<W>; PLANES],
}

impl<const W: usize> Board<W> {
    fn new(graph: &Graph, digits: u8, givens: &[Color]) -> Self {
        let mut adjacent = vec![[0; W]; graph.vertices.len()];
        for &(a, b) in &graph.edges {
            insert(&mut adjacent[usize::from(a)], b);
            insert(&mut adjacent[usize::from(b)], a);
        }
        let mut board = Board {
            digits,
            adjacent,
            open: [0; W],
            blocked: [[0; W]; 16],
            planes: [[0; W]; PLANES],
        };
        for (v, &given) in givens.iter().enumerate() {
            if given == 0 {
                insert(&mut board.open, v as u16);
            }
        }
        for (bit, plane) in board.planes.iter_mut().enumerate() {
            if digits & (1 << bit) != 0 {
                *plane = board.open;
            }
        }
        for (v, &given) in givens.iter().enumerate() {
            if given != 0 {
                board.color(v as u16, given);
            }
        }
        board
    }

    /// Takes `color` from the legal colours of the open neighbours of `vertex`; returns those
    /// that had it until now.
    #[inline]
    fn color(&mut self, vertex: u16, color: Color) -> Set<W> {
        let blocked = &mut self.blocked[usize::from(color) - 1];
        let adjacent = &self.adjacent[usize::from(vertex)];
        let mut newly = [0; W];
        for w in 0..W {
            newly[w] = adjacent[w] & self.open[w] & !blocked[w];
            blocked[w] |= newly[w];
            // Subtract one from every counter in `newly`: borrow through the planes.
            let mut borrow = newly[w];
            for plane in &mut self.planes {
                let before = plane[w];
                plane[w] = before ^ borrow;
                borrow &= !before;
            }
        }
        newly
    }

    /// Takes back what `color` did.
    #[inline]
    fn uncolor(&mut self, color: Color, newly: &Set<W>) {
        let blocked = &mut self.blocked[usize::from(color) - 1];
        for w in 0..W {
            blocked[w] &= !newly[w];
            let mut carry = newly[w];
            for plane in &mut self.planes {
                let before = plane[w];
                plane[w] = before ^ carry;
                carry &= before;
            }
        }
    }

    /// The open vertices with the fewest legal colours; empty when all are coloured.
    #[inline]
    fn fewest(&self) -> Set<W> {
        let mut best = self.open;
        for plane in self.planes.iter().rev() {
            let mut fewer = [0; W];
            let mut any = 0;
            for w in 0..W {
                fewer[w] = best[w] & !plane[w];
                any |= fewer[w];
            }
            if any != 0 {
                best = fewer;
            }
        }
        best
    }

    /// The legal colours of a vertex as a bit mask.
    #[inline]
    fn legal(&self, vertex: u16) -> u16 {
        let (word, shift) = (usize::from(vertex) / 64, vertex % 64);
        let mut mask = 0;
        for (bit, blocked) in self.blocked[..usize::from(self.digits)].iter().enumerate() {
            mask |= ((!blocked[word] >> shift & 1) as u16) << bit;
        }
        mask
    }
}

#[inline]
fn insert<const W: usize>(set: &mut Set<W>, vertex: u16) {
    set[usize::from(vertex) / 64] |= 1 << (vertex % 64);
}

#[inline]
fn remove<const W: usize>(set: &mut Set<W>, vertex: u16) {
    set[usize::from(vertex) / 64] &= !(1 << (vertex % 64));
}

/// The member of `set` nearest to `previous`, or its lowest where there is no previous one.
#[inline]
fn nearest<const W: usize>(set: &Set<W>, previous: Option<u16>, near: &Nearness) -> Option<u16> {
    let members = set.iter().enumerate().flat_map(|(w, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let v = (w * 64) as u16 + rest.trailing_zeros() as u16;
                rest &= rest - 1;
                v
            })
        })
    });
    match previous {
        None => members.min(),
        Some(previous) => {
            let ranks = near.from(previous);
            members.min_by_key(|&v| ranks[usize::from(v)])
        }
    }
}

/// Searches the graph exactly as the trace format says, from `givens` (0 where open), which must
/// not clash.
pub(super) fn search(
    graph: &Graph,
    digits: u8,
    givens: &[Color],
    limits: &Limits,
    watch: Watch<'_>,
) -> Found {
    if graph.vertices.len() <= 128 {
        search_in::<2>(graph, digits, givens, limits, watch)
    } else {
        search_in::<8>(graph, digits, givens, limits, watch)
    }
}

fn search_in<const W: usize>(
    graph: &Graph,
    digits: u8,
    givens: &[Color],
    limits: &Limits,
    watch: Watch<'_>,
) -> Found {
    let near = Nearness::new(&graph.vertices);
    let mut board: Board<W> = Board::new(graph, digits, givens);
    let mut frames: Vec<Frame<W>> = Vec::with_capacity(graph.vertices.len());
    let mut recorder = Recorder::new(limits.max_events);
    let mut recording = true;
    let (mut nodes, mut undos, mut dead_ends, mut max_depth) = (0u64, 0u64, 0u64, 0usize);
    let mut found: Vec<Vec<Color>> = Vec::new();
    let mut count = 0;
    let mut second_nodes = None;
    let mut dead_at_start = None;
    let wanted = limits.wanted();
    let node_limit = limits.max_nodes.unwrap_or(u64::MAX);
    let mut pause = node_limit.min(POLL);

    let stopped = 'search: loop {
        // Go down: choose a vertex.
        let previous = frames.last().map(|f| f.vertex);
        match nearest(&board.fewest(), previous, &near) {
            None => {
                count += 1;
                if count <= 2 {
                    let mut colors = givens.to_vec();
                    for frame in &frames {
                        colors[usize::from(frame.vertex)] = frame.color;
                    }
                    found.push(colors);
                }
                if count == 1 {
                    recorder.push(Event::Solved);
                    recording = false;
                    recorder.stats = Stats {
                        assignments: nodes,
                        undos,
                        dead_ends,
                        max_depth: max_depth as u32,
                        uniqueness_nodes: None,
                    };
                } else if count == 2 {
                    second_nodes = Some(nodes - recorder.stats.assignments);
                }
                if count >= wanted {
                    break 'search None;
                }
            }
            Some(vertex) => {
                let legal = board.legal(vertex);
                if legal == 0 {
                    dead_ends += 1;
                    if nodes == 0 {
                        dead_at_start = Some(vertex);
                    }
                    if recording {
                        recorder.push(Event::DeadEnd { vertex, rule: None });
                    }
                } else {
                    remove(&mut board.open, vertex);
                    frames.push(Frame {
                        vertex,
                        color: 0,
                        legal,
                        left: legal,
                        newly: [0; W],
                    });
                }
            }
        }
        // Try the next colour of the last vertex that has one left.
        let depth = frames.len();
        loop {
            let Some(top) = frames.last_mut() else {
                break 'search None;
            };
            if top.color != 0 {
                board.uncolor(top.color, &top.newly);
                undos += 1;
                if recording {
                    recorder.push(Event::Undo {
                        vertex: top.vertex,
                        color: top.color,
                    });
                }
                top.color = 0;
            }
            if top.left == 0 {
                insert(&mut board.open, top.vertex);
                frames.pop();
                continue;
            }
            if nodes >= pause {
                if nodes >= node_limit {
                    break 'search Some(Stop::Nodes);
                }
                let progress = Progress {
                    nodes,
                    depth,
                    solutions: count,
                };
                if watch(progress) == ControlFlow::Break(()) {
                    break 'search Some(Stop::Watcher);
                }
                pause = node_limit.min(nodes + POLL);
            }
            let color = top.left.trailing_zeros() as Color + 1;
            top.left &= top.left - 1;
            top.color = color;
            top.newly = board.color(top.vertex, color);
            nodes += 1;
            max_depth = max_depth.max(depth);
            if recording {
                recorder.push(Event::Assign {
                    vertex: top.vertex,
                    color,
                    saturation: digits - top.legal.count_ones() as u8,
                    legal: ColorSet(top.legal),
                });
            }
            break;
        }
    };
    if count == 0 {
        recorder.stats = Stats {
            assignments: nodes,
            undos,
            dead_ends,
            max_depth: max_depth as u32,
            uniqueness_nodes: None,
        };
    } else if count == 1 && stopped.is_none() && wanted > 1 {
        second_nodes = Some(nodes - recorder.stats.assignments);
    }
    Found {
        recorder,
        solutions: found,
        count,
        second_nodes,
        nodes,
        stopped,
        dead_at_start,
    }
}
