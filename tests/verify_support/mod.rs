//! A plain trace maker, written from the format's description alone, and a seeded generator.
//!
//! It shares nothing with the solver or the verifier, so that each can be held against it. Slow
//! and obvious on purpose.
#![allow(dead_code)]

use proofreel::puzzle::{Cell, Color, ColorSet, Puzzle, Rule};
use proofreel::trace::{Conflict, Event, Stats, Status, Trace, TraceGraph};

/// SplitMix64: small, seeded, the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// A classic puzzle from 81 characters.
pub fn classic(text: &str) -> Puzzle {
    let mut puzzle = Puzzle::classic();
    assert_eq!(text.len(), 81);
    for (i, ch) in text.bytes().enumerate() {
        if (b'1'..=b'9').contains(&ch) {
            let cell = Cell {
                row: i as u16 / 9 + 1,
                col: i as u16 % 9 + 1,
            };
            puzzle.givens.insert(cell, ch - b'0');
        }
    }
    puzzle
}

/// Limits of the maker's search.
#[derive(Clone, Copy)]
pub struct Limits {
    pub max_events: usize,
    /// Nodes until the first solution.
    pub max_nodes: u64,
    pub ask_unique: bool,
}

pub const NO_LIMITS: Limits = Limits {
    max_events: usize::MAX,
    max_nodes: u64::MAX,
    ask_unique: true,
};

/// The houses of a puzzle without rules other than `house`, as cells with a name each.
fn houses(puzzle: &Puzzle) -> Vec<(String, Vec<Cell>)> {
    let mut houses = Vec::new();
    for g in &puzzle.grids {
        let cell = |r: u16, c: u16| Cell {
            row: g.at.row + r,
            col: g.at.col + c,
        };
        for r in (0..g.rows).filter(|_| g.row_houses) {
            let cells = (0..g.cols).map(|c| cell(r, c)).collect();
            houses.push((format!("row {}", g.at.row + r), cells));
        }
        for c in (0..g.cols).filter(|_| g.col_houses) {
            let cells = (0..g.rows).map(|r| cell(r, c)).collect();
            houses.push((format!("column {}", g.at.col + c), cells));
        }
        if g.box_houses {
            let (h, w) = g.boxed;
            let across = g.cols.div_ceil(w);
            for b in 0..across * g.rows.div_ceil(h) {
                let cells = (0..g.rows)
                    .flat_map(|r| (0..g.cols).map(move |c| (r, c)))
                    .filter(|(r, c)| r / h * across + c / w == b)
                    .map(|(r, c)| cell(r, c))
                    .collect();
                houses.push((format!("box {}", b + 1), cells));
            }
        }
    }
    for (i, rule) in puzzle.rules.iter().enumerate() {
        match rule {
            Rule::House { cells } => houses.push((format!("rule {i} (house)"), cells.clone())),
            other => panic!("the maker knows houses only, not {other:?}"),
        }
    }
    houses
}

struct Maker<'a> {
    cells: &'a [Cell],
    neighbors: Vec<Vec<usize>>,
    digits: u8,
    colors: Vec<Color>,
    branch: Vec<usize>,
    limits: Limits,
    events: Vec<Event>,
    omitted: bool,
    stats: Stats,
    nodes: u64,
    stopped: bool,
    solutions: Vec<Vec<Color>>,
}

impl Maker<'_> {
    fn record(&mut self, event: Event) {
        if !self.solutions.is_empty() {
            return;
        }
        match event {
            Event::Assign { .. } => self.stats.assignments += 1,
            Event::Undo { .. } => self.stats.undos += 1,
            Event::DeadEnd { .. } => self.stats.dead_ends += 1,
            Event::Solved => {}
        }
        self.stats.max_depth = self.stats.max_depth.max(self.branch.len() as u32);
        if self.events.len() < self.limits.max_events {
            self.events.push(event);
        } else {
            self.omitted = true;
        }
    }

    fn legal(&self, v: usize) -> Vec<Color> {
        (1..=self.digits)
            .filter(|&c| self.neighbors[v].iter().all(|&n| self.colors[n] != c))
            .collect()
    }

    /// True to go on searching.
    fn search(&mut self) -> bool {
        let distance = |a: usize| -> i64 {
            self.branch.last().map_or(0, |&b| {
                let (a, b) = (self.cells[a], self.cells[b]);
                let rows = i64::from(a.row) - i64::from(b.row);
                let cols = i64::from(a.col) - i64::from(b.col);
                rows * rows + cols * cols
            })
        };
        let chosen = (0..self.cells.len())
            .filter(|&v| self.colors[v] == 0)
            .min_by_key(|&v| (self.legal(v).len(), distance(v), v));
        let Some(v) = chosen else {
            self.record(Event::Solved);
            self.solutions.push(self.colors.clone());
            return self.limits.ask_unique && self.solutions.len() < 2;
        };
        let legal = self.legal(v);
        if legal.is_empty() {
            self.record(Event::DeadEnd {
                vertex: v as u16,
                rule: None,
            });
            return true;
        }
        let mut around: Vec<Color> = self.neighbors[v]
            .iter()
            .map(|&n| self.colors[n])
            .filter(|&c| c != 0)
            .collect();
        around.sort_unstable();
        around.dedup();
        let mask = legal.iter().fold(0, |m, c| m | 1 << (c - 1));
        for &color in &legal {
            if self.solutions.is_empty() && self.nodes >= self.limits.max_nodes {
                self.stopped = true;
                return false;
            }
            self.nodes += 1;
            self.colors[v] = color;
            self.branch.push(v);
            self.record(Event::Assign {
                vertex: v as u16,
                color,
                saturation: around.len() as u8,
                legal: ColorSet(mask),
            });
            if !self.search() {
                return false;
            }
            self.branch.pop();
            self.colors[v] = 0;
            self.record(Event::Undo {
                vertex: v as u16,
                color,
            });
        }
        true
    }
}

/// The true trace of a puzzle that has houses only.
pub fn make(puzzle: &Puzzle, limits: Limits) -> Trace {
    let cells = puzzle.cells();
    let at = |c: &Cell| cells.iter().position(|x| x == c).expect("its own cell");
    let houses = houses(puzzle);
    let mut edges = Vec::new();
    for (_, house) in &houses {
        for a in house {
            for b in house {
                if at(a) < at(b) {
                    edges.push((at(a) as u16, at(b) as u16));
                }
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let givens = puzzle.given_colors();
    let mut conflicts = Vec::new();
    for (name, house) in &houses {
        for (i, a) in house.iter().enumerate() {
            for b in &house[i + 1..] {
                if givens[at(a)] != 0 && givens[at(a)] == givens[at(b)] {
                    conflicts.push(Conflict {
                        cells: vec![*a, *b],
                        place: name.clone(),
                    });
                }
            }
        }
    }
    let mut trace = Trace {
        puzzle: puzzle.clone(),
        graph: TraceGraph {
            vertices: cells.to_vec(),
            edges: edges.clone(),
        },
        status: Status::Conflict,
        unique: None,
        solution: None,
        second_solution: None,
        dead_cell: None,
        conflicts,
        stats: Stats::default(),
        trace_complete: true,
        events: Vec::new(),
    };
    if !trace.conflicts.is_empty() {
        return trace;
    }
    let mut neighbors = vec![Vec::new(); cells.len()];
    for &(a, b) in &edges {
        neighbors[usize::from(a)].push(usize::from(b));
        neighbors[usize::from(b)].push(usize::from(a));
    }
    let mut maker = Maker {
        cells,
        neighbors,
        digits: puzzle.digits,
        colors: givens,
        branch: Vec::new(),
        limits,
        events: Vec::new(),
        omitted: false,
        stats: Stats::default(),
        nodes: 0,
        stopped: false,
        solutions: Vec::new(),
    };
    maker.search();
    (trace.status, trace.unique) = match maker.solutions.len() {
        0 if maker.stopped => (Status::Incomplete, None),
        0 => (Status::Impossible, Some(false)),
        1 if limits.ask_unique => (Status::Unique, Some(true)),
        1 => (Status::Solved, None),
        _ => (Status::Ambiguous, Some(false)),
    };
    let mut solutions = maker.solutions.into_iter();
    trace.solution = solutions.next();
    trace.second_solution = solutions.next();
    trace.stats = maker.stats;
    trace.trace_complete = !maker.omitted;
    trace.events = maker.events;
    if let (Status::Impossible, Some(Event::DeadEnd { vertex, .. })) =
        (trace.status, trace.events.first())
    {
        trace.dead_cell = Some(cells[usize::from(*vertex)]);
    }
    trace
}
