//! Counts solutions by conflict-driven learning: every conflict is traced back to the choices
//! behind it and remembered (Marques-Silva and Sakallah, 1996; first unique implication points,
//! two watched literals and activities as in Chaff and MiniSat), with the rules' propagators as
//! further sources of consequences (lazy clause generation; Ohrimenko, Stuckey and Codish, 2009).
//!
//! Houses are clauses. A propagator does not say why it took a colour, so that is found out when
//! it is asked for: the cells of its scope are given back their colours one by one, as long as it
//! still takes the colour.

use std::ops::ControlFlow;

use super::limits::{Progress, Stop, Watch};
use super::rules::{self, Served, View};
use super::strong::Counted;
use crate::graph::Graph;
use crate::puzzle::{Color, ColorSet, Puzzle};

/// A statement about a vertex and a colour: variable times two, plus one where it denies.
type Lit = u32;

/// Why a literal is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// A choice, or nothing but the puzzle.
    None,
    Clause(u32),
    /// The propagator of this index.
    Rule(u16),
}

/// What cannot be.
enum Conflict {
    Clause(u32),
    Rule(u16),
}

const UNSET: u8 = 2;
/// Conflicts between the shortest restarts.
const RESTART: u64 = 64;
/// Learned clauses that are kept before the longer half goes.
const KEEP: usize = 8_000;

struct Learner {
    served: Vec<Served>,
    /// For each vertex the propagators that look at it.
    watchers: Vec<Vec<u16>>,
    clauses: Vec<Vec<Lit>>,
    /// Clauses from here on were learned.
    fixed: usize,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// For each variable 0, 1 or unset.
    value: Vec<u8>,
    level: Vec<u32>,
    /// Its place in the trail.
    place: Vec<u32>,
    reason: Vec<Reason>,
    trail: Vec<Lit>,
    next: usize,
    /// Where in the trail each level begins.
    levels: Vec<usize>,
    masks: Vec<u16>,
    /// The masks with nothing chosen.
    root: Vec<u16>,
    waiting: Vec<bool>,
    queue: Vec<u16>,
    activity: Vec<f64>,
    step: f64,
    seen: Vec<bool>,
}

#[inline]
fn yes(vertex: usize, color: usize) -> Lit {
    ((vertex * 16 + color) * 2) as Lit
}

#[inline]
fn var(lit: Lit) -> usize {
    lit as usize / 2
}

impl Learner {
    fn new(puzzle: &Puzzle, graph: &Graph) -> Self {
        let n = graph.vertices.len();
        let served = rules::build(puzzle, graph, false);
        let mut watchers = vec![Vec::new(); n];
        for (i, s) in served.iter().enumerate() {
            for &v in s.propagator.scope() {
                watchers[usize::from(v)].push(i as u16);
            }
        }
        let variables = n * 16;
        Learner {
            watchers,
            clauses: Vec::new(),
            fixed: 0,
            watches: vec![Vec::new(); variables * 2],
            value: vec![UNSET; variables],
            level: vec![0; variables],
            place: vec![0; variables],
            reason: vec![Reason::None; variables],
            trail: Vec::new(),
            next: 0,
            levels: Vec::new(),
            masks: vec![ColorSet::all(puzzle.digits).0; n],
            root: Vec::new(),
            waiting: vec![true; served.len()],
            queue: (0..served.len() as u16).collect(),
            activity: vec![0.0; variables],
            step: 1.0,
            seen: vec![false; variables],
            served,
        }
    }

    /// Whether a literal is true (1), false (0) or unset.
    #[inline]
    fn holds(&self, lit: Lit) -> u8 {
        match self.value[var(lit)] {
            UNSET => UNSET,
            value => value ^ (lit & 1) as u8,
        }
    }

    /// Makes an unset literal true.
    fn set(&mut self, lit: Lit, reason: Reason) {
        let variable = var(lit);
        self.value[variable] = 1 - (lit & 1) as u8;
        self.level[variable] = self.levels.len() as u32;
        self.place[variable] = self.trail.len() as u32;
        self.reason[variable] = reason;
        self.trail.push(lit);
        if lit & 1 == 1 {
            let vertex = variable / 16;
            self.masks[vertex] &= !(1 << (variable % 16));
            for &p in &self.watchers[vertex] {
                if !std::mem::replace(&mut self.waiting[usize::from(p)], true) {
                    self.queue.push(p);
                }
            }
        }
    }

    /// Adds a clause while nothing is chosen; false if that leaves no solution.
    fn add(&mut self, clause: &[Lit]) -> bool {
        if clause.iter().any(|&l| self.holds(l) == 1) {
            return true;
        }
        let open: Vec<Lit> = clause
            .iter()
            .copied()
            .filter(|&l| self.holds(l) == UNSET)
            .collect();
        match open[..] {
            [] => false,
            [only] => {
                self.set(only, Reason::None);
                true
            }
            _ => {
                self.attach(open);
                true
            }
        }
    }

    /// Stores a clause that watches its first two literals.
    fn attach(&mut self, clause: Vec<Lit>) -> u32 {
        let index = self.clauses.len() as u32;
        self.watches[clause[0] as usize].push(index);
        self.watches[clause[1] as usize].push(index);
        self.clauses.push(clause);
        index
    }

    /// Draws all conclusions.
    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            while self.next < self.trail.len() {
                let gone = self.trail[self.next] ^ 1;
                self.next += 1;
                self.visit(gone)?;
            }
            let Some(p) = self.queue.pop() else {
                return Ok(());
            };
            self.waiting[usize::from(p)] = false;
            self.ask(p)?;
        }
    }

    /// Finds other literals for the clauses that watch one which became false.
    fn visit(&mut self, gone: Lit) -> Result<(), Conflict> {
        let mut list = std::mem::take(&mut self.watches[gone as usize]);
        let mut kept = 0;
        let mut outcome = Ok(());
        let mut i = 0;
        'clauses: while i < list.len() {
            let index = list[i];
            i += 1;
            let mut clause = std::mem::take(&mut self.clauses[index as usize]);
            if clause[0] == gone {
                clause.swap(0, 1);
            }
            let first = clause[0];
            if self.holds(first) != 1 {
                for k in 2..clause.len() {
                    if self.holds(clause[k]) != 0 {
                        clause.swap(1, k);
                        self.watches[clause[1] as usize].push(index);
                        self.clauses[index as usize] = clause;
                        continue 'clauses;
                    }
                }
            }
            self.clauses[index as usize] = clause;
            list[kept] = index;
            kept += 1;
            match self.holds(first) {
                1 => {}
                UNSET => self.set(first, Reason::Clause(index)),
                _ => {
                    outcome = Err(Conflict::Clause(index));
                    break;
                }
            }
        }
        list.copy_within(i.., kept);
        list.truncate(kept + list.len() - i);
        self.watches[gone as usize] = list;
        outcome
    }

    /// What a propagator concludes.
    fn ask(&mut self, p: u16) -> Result<(), Conflict> {
        let mut masks = self.masks.clone();
        let mut touched = Vec::new();
        let outcome = self.served[usize::from(p)]
            .propagator
            .narrow(&mut View::new(&mut masks, &mut touched));
        if outcome.is_err() {
            return Err(Conflict::Rule(p));
        }
        for v in touched {
            let v = usize::from(v);
            let mut taken = self.masks[v] & !masks[v];
            while taken != 0 {
                let color = taken.trailing_zeros() as usize;
                taken &= taken - 1;
                let lit = yes(v, color) | 1;
                match self.holds(lit) {
                    1 => {}
                    UNSET => self.set(lit, Reason::Rule(p)),
                    _ => unreachable!("a colour that a vertex has leaves it no other"),
                }
            }
        }
        Ok(())
    }

    /// Denied colours from which a propagator takes what `target` says (or all), true before
    /// `before` in the trail: few, if not the fewest.
    fn explain(&self, p: u16, target: Option<Lit>, before: u32) -> Vec<Lit> {
        let propagator = &self.served[usize::from(p)].propagator;
        let mut masks = self.root.clone();
        let mut latest: Vec<(u32, u16)> = Vec::new();
        for &v in propagator.scope() {
            let base = usize::from(v) * 16;
            let mut last = 0;
            for color in 0..16 {
                let set = self.root[usize::from(v)] >> color & 1 != 0
                    && self.value[base + color] == 0
                    && self.place[base + color] < before;
                if set {
                    masks[usize::from(v)] &= !(1 << color);
                    last = last.max(self.place[base + color] + 1);
                }
            }
            if last > 0 {
                latest.push((last, v));
            }
        }
        latest.sort_unstable_by(|a, b| b.cmp(a));
        latest.dedup();
        let mut touched = Vec::new();
        let mut follows = |masks: &[u16]| {
            let mut trial = masks.to_vec();
            touched.clear();
            let outcome = propagator.narrow(&mut View::new(&mut trial, &mut touched));
            match target {
                None => outcome.is_err(),
                Some(lit) => outcome.is_err() || trial[var(lit) / 16] >> (var(lit) % 16) & 1 == 0,
            }
        };
        let mut reason = Vec::new();
        for (_, v) in latest {
            let slot = usize::from(v);
            let own = std::mem::replace(&mut masks[slot], self.root[slot]);
            if follows(&masks) {
                continue;
            }
            masks[slot] = own;
            let mut taken = self.root[slot] & !own;
            while taken != 0 {
                let color = taken.trailing_zeros() as usize;
                taken &= taken - 1;
                reason.push(yes(slot, color) | 1);
            }
        }
        reason
    }

    /// The true literals from which a true literal follows.
    fn causes(&self, lit: Lit) -> Vec<Lit> {
        match self.reason[var(lit)] {
            Reason::None => Vec::new(),
            Reason::Clause(index) => self.clauses[index as usize]
                .iter()
                .filter(|&&l| l != lit)
                .map(|&l| l ^ 1)
                .collect(),
            Reason::Rule(p) => self.explain(p, Some(lit), self.place[var(lit)]),
        }
    }

    fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.step;
        if self.activity[variable] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.step *= 1e-100;
        }
    }

    /// The clause that a conflict teaches, its first literal the one that turns, and the level
    /// to return to.
    fn analyze(&mut self, conflict: &Conflict) -> (Vec<Lit>, usize) {
        let mut causes: Vec<Lit> = match *conflict {
            Conflict::Clause(index) => self.clauses[index as usize]
                .iter()
                .map(|&l| l ^ 1)
                .collect(),
            Conflict::Rule(p) => self.explain(p, None, u32::MAX),
        };
        // The last of the causes may lie below the present level.
        let level = causes
            .iter()
            .map(|&l| self.level[var(l)])
            .max()
            .unwrap_or_default();
        if level == 0 {
            return (Vec::new(), 0);
        }
        let mut learned = vec![0];
        let mut open = 0;
        let mut at = self.trail.len();
        let turning = loop {
            for &lit in &causes {
                let variable = var(lit);
                if self.level[variable] == 0 || std::mem::replace(&mut self.seen[variable], true) {
                    continue;
                }
                self.bump(variable);
                if self.level[variable] == level {
                    open += 1;
                } else {
                    learned.push(lit ^ 1);
                }
            }
            let lit = loop {
                at -= 1;
                let lit = self.trail[at];
                if self.seen[var(lit)] && self.level[var(lit)] == level {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            causes = self.causes(lit);
        };
        learned[0] = turning ^ 1;
        for &lit in &self.trail {
            self.seen[var(lit)] = false;
        }
        // The literal of the highest other level is watched too.
        let mut back = 0;
        for k in 1..learned.len() {
            let own = self.level[var(learned[k])];
            if own > back {
                back = own;
                learned.swap(1, k);
            }
        }
        self.step /= 0.95;
        (learned, back as usize)
    }

    /// Takes back everything above a level.
    fn back_to(&mut self, level: usize) {
        if self.levels.len() <= level {
            return;
        }
        let keep = self.levels[level];
        for lit in self.trail.drain(keep..) {
            self.value[var(lit)] = UNSET;
            if lit & 1 == 1 {
                self.masks[var(lit) / 16] |= 1 << (var(lit) % 16);
            }
        }
        self.levels.truncate(level);
        self.next = keep;
        // What was concluded below stands; what waits may have been asked for above only.
        for p in self.queue.drain(..) {
            self.waiting[usize::from(p)] = false;
        }
    }

    /// Forgets the longer half of what was learned, and what is settled for good; nothing may be
    /// chosen, and all conclusions must be drawn.
    fn forget(&mut self) {
        let mut learned = self.clauses.split_off(self.fixed);
        learned.sort_by_key(Vec::len);
        learned.truncate(KEEP / 2);
        self.watches.iter_mut().for_each(Vec::clear);
        for clause in std::mem::take(&mut self.clauses) {
            self.add(&clause);
        }
        self.fixed = self.clauses.len();
        for clause in learned {
            self.add(&clause);
        }
    }

    /// The colour of highest activity that is open, at the vertex with the fewest where equal.
    fn choose(&self) -> Option<Lit> {
        let mut best: Option<(f64, u32, Lit)> = None;
        for (v, &mask) in self.masks.iter().enumerate() {
            let count = mask.count_ones();
            if count < 2 {
                continue;
            }
            for color in 0..16 {
                if mask >> color & 1 == 0 {
                    continue;
                }
                let activity = self.activity[v * 16 + color];
                let better =
                    best.is_none_or(|(a, n, _)| activity > a || (activity == a && count < n));
                if better {
                    best = Some((activity, count, yes(v, color)));
                }
            }
        }
        best.map(|(_, _, lit)| lit)
    }
}

/// Looks for up to `wanted` solutions, a few at most, in at most `max_nodes` choices; `before`
/// nodes were made by another search and are only added to the progress.
pub(super) fn count(
    puzzle: &Puzzle,
    graph: &Graph,
    wanted: u64,
    max_nodes: u64,
    before: u64,
    watch: Watch<'_>,
) -> Counted {
    let mut out = Counted {
        count: 0,
        solutions: Vec::new(),
        nodes: 0,
        stopped: None,
    };
    let mut learner = Learner::new(puzzle, graph);
    if !state_houses(&mut learner, puzzle, graph) || learner.propagate().is_err() {
        return out;
    }
    learner.root = learner.masks.clone();
    learner.fixed = learner.clauses.len();
    let (mut conflicts, mut run, mut since) = (0u64, 1u64, 0u64);
    loop {
        let progress = Progress {
            nodes: before + out.nodes,
            depth: learner.levels.len(),
            solutions: out.count,
        };
        if (out.nodes + conflicts).is_multiple_of(16) && watch(progress) == ControlFlow::Break(()) {
            out.stopped = Some(Stop::Watcher);
            return out;
        }
        match learner.propagate() {
            Err(conflict) => {
                conflicts += 1;
                since += 1;
                let (clause, back) = learner.analyze(&conflict);
                if clause.is_empty() {
                    return out;
                }
                learner.back_to(back);
                let turn = clause[0];
                if clause.len() == 1 {
                    learner.set(turn, Reason::None);
                } else {
                    let index = learner.attach(clause);
                    learner.set(turn, Reason::Clause(index));
                }
                continue;
            }
            Ok(()) if learner.levels.is_empty() => learner.root.clone_from(&learner.masks),
            Ok(()) => {}
        }
        if since >= RESTART * luby(run) {
            (since, run) = (0, run + 1);
            learner.back_to(0);
            if learner.clauses.len() - learner.fixed > KEEP && learner.propagate().is_ok() {
                learner.forget();
            }
            continue;
        }
        match learner.choose() {
            Some(lit) => {
                if out.nodes >= max_nodes {
                    out.stopped = Some(Stop::Nodes);
                    return out;
                }
                out.nodes += 1;
                learner.levels.push(learner.trail.len());
                learner.set(lit, Reason::None);
            }
            None => {
                let colors: Vec<Color> = learner
                    .masks
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
                        out.solutions.push(colors.clone());
                    }
                    if out.count >= wanted {
                        return out;
                    }
                }
                // This one not again.
                learner.back_to(0);
                let other: Vec<Lit> = colors
                    .iter()
                    .enumerate()
                    .map(|(v, &c)| yes(v, usize::from(c) - 1) | 1)
                    .collect();
                if !learner.add(&other) {
                    return out;
                }
            }
        }
    }
}

/// Givens and houses as clauses; false if they clash.
fn state_houses(learner: &mut Learner, puzzle: &Puzzle, graph: &Graph) -> bool {
    let (n, digits) = (graph.vertices.len(), usize::from(puzzle.digits));
    let mut fine = true;
    for v in 0..n {
        for color in digits..16 {
            // Colours that the puzzle does not have are false from the start.
            learner.value[v * 16 + color] = 0;
        }
    }
    for (v, &given) in puzzle.given_colors().iter().enumerate() {
        if given != 0 {
            fine &= learner.add(&[yes(v, usize::from(given) - 1)]);
        }
    }
    for v in 0..n {
        let any: Vec<Lit> = (0..digits).map(|c| yes(v, c)).collect();
        fine &= learner.add(&any);
        for a in 0..digits {
            for b in a + 1..digits {
                fine &= learner.add(&[yes(v, a) | 1, yes(v, b) | 1]);
            }
        }
    }
    for &(a, b) in &graph.edges {
        for color in 0..digits {
            fine &= learner.add(&[
                yes(usize::from(a), color) | 1,
                yes(usize::from(b), color) | 1,
            ]);
        }
    }
    for house in graph.houses.iter().filter(|h| h.cells.len() == digits) {
        for color in 0..digits {
            let any: Vec<Lit> = house
                .cells
                .iter()
                .map(|&v| yes(usize::from(v), color))
                .collect();
            fine &= learner.add(&any);
        }
    }
    fine
}

/// The sequence 1 1 2 1 1 2 4 … of restarts (Luby, Sinclair and Zuckerman 1993), from 1.
fn luby(i: u64) -> u64 {
    let mut i = i;
    loop {
        let top = u64::BITS - i.leading_zeros();
        if i == (1 << top) - 1 {
            return 1 << (top - 1);
        }
        i -= (1 << (top - 1)) - 1;
    }
}
