//! Runs propagators until none has anything left to say.

use std::collections::VecDeque;

use super::rules::{Served, View};
use crate::graph::Graph;

/// No rule: what took a colour, or a propagator that serves a house.
pub(super) const NO_RULE: u16 = u16::MAX;

/// A rule that cannot be fulfilled any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Failure {
    /// The propagator, as an index into those of the [`Narrower`].
    pub propagator: usize,
    /// The vertex that was left no colour, where it shows at one.
    pub vertex: Option<u16>,
}

/// Which rule lies behind what was taken.
#[derive(Debug, Clone)]
pub(super) struct Blame {
    /// For each vertex the rule that last took a colour from it, itself or through houses.
    pub of: Vec<u16>,
    /// The rule that last took any colour.
    pub latest: u16,
}

impl Blame {
    pub fn new(vertices: usize) -> Self {
        Blame {
            of: vec![NO_RULE; vertices],
            latest: NO_RULE,
        }
    }
}

/// All propagators, and which of them care for which vertex.
pub(super) struct Narrower {
    pub served: Vec<Served>,
    watchers: Vec<Vec<u16>>,
    /// Whether houses may take colours before any rule did.
    houses_first: bool,
}

/// Working memory, reused from node to node.
#[derive(Default)]
pub(super) struct Scratch {
    queue: VecDeque<u16>,
    waiting: Vec<bool>,
    touched: Vec<u16>,
    /// What would follow from one colour of one vertex, and from any of its colours.
    trial: Vec<u16>,
    union: Vec<u16>,
    trial_blame: Option<Blame>,
}

impl Narrower {
    pub fn new(vertices: usize, served: Vec<Served>, houses_first: bool) -> Self {
        let mut watchers = vec![Vec::new(); vertices];
        for (i, s) in served.iter().enumerate() {
            for &v in s.propagator.scope() {
                let list: &mut Vec<u16> = &mut watchers[usize::from(v)];
                if list.last() != Some(&(i as u16)) {
                    list.push(i as u16);
                }
            }
        }
        Narrower {
            served,
            watchers,
            houses_first,
        }
    }

    /// Narrows `masks` after the masks of `changed` shrank (`None`: for the first time).
    pub fn run(
        &self,
        changed: Option<&[u16]>,
        masks: &mut [u16],
        blame: &mut Blame,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        self.drain(changed, masks, blame, scratch, false)
    }

    /// As [`Narrower::run`]; `quickly`, with what each propagator sees at little cost.
    fn drain(
        &self,
        changed: Option<&[u16]>,
        masks: &mut [u16],
        blame: &mut Blame,
        scratch: &mut Scratch,
        quickly: bool,
    ) -> Result<(), Failure> {
        let Scratch {
            queue,
            waiting,
            touched,
            ..
        } = scratch;
        queue.clear();
        waiting.clear();
        waiting.resize(self.served.len(), false);
        let enqueue = |v: u16, queue: &mut VecDeque<u16>, waiting: &mut Vec<bool>| {
            for &p in &self.watchers[usize::from(v)] {
                if !std::mem::replace(&mut waiting[usize::from(p)], true) {
                    queue.push_back(p);
                }
            }
        };
        match changed {
            Some(changed) => changed.iter().for_each(|&v| enqueue(v, queue, waiting)),
            None => {
                queue.extend(0..self.served.len() as u16);
                waiting.fill(true);
            }
        }
        while let Some(p) = queue.pop_front() {
            let p = usize::from(p);
            waiting[p] = false;
            touched.clear();
            let served = &self.served[p];
            let house = served.rule == NO_RULE;
            // Houses only draw consequences of what rules said.
            if house && !self.houses_first && blame.latest == NO_RULE {
                continue;
            }
            let mut view = View::new(masks, touched);
            let outcome = if quickly {
                served.propagator.narrow_quickly(&mut view)
            } else {
                served.propagator.narrow(&mut view)
            };
            if !house
                && !touched.is_empty()
                && std::mem::replace(&mut blame.latest, served.rule) == NO_RULE
            {
                for (h, other) in self.served.iter().enumerate() {
                    if other.rule == NO_RULE && !std::mem::replace(&mut waiting[h], true) {
                        queue.push_back(h as u16);
                    }
                }
            }
            for &v in touched.iter() {
                blame.of[usize::from(v)] = blame.latest;
                enqueue(v, queue, waiting);
            }
            if let Err(broken) = outcome {
                return Err(Failure {
                    propagator: p,
                    vertex: broken.0,
                });
            }
        }
        Ok(())
    }

    /// Narrows `masks` by trying every colour of every undecided vertex: a colour from which it
    /// follows that a rule cannot be fulfilled goes, and so does what no colour of a vertex leaves
    /// possible elsewhere (singleton consistency; Debruyne and Bessière, IJCAI 1997). `masks` must
    /// be narrowed already.
    ///
    /// What follows from neighbours alone, before any rule took a colour, is left for the search
    /// to find unless houses come first.
    pub fn probe(
        &self,
        graph: &Graph,
        masks: &mut [u16],
        blame: &mut Blame,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let n = masks.len();
        let mut trial = std::mem::take(&mut scratch.trial);
        let mut union = std::mem::take(&mut scratch.union);
        let mut trial_blame = scratch.trial_blame.take().unwrap_or_else(|| blame.clone());
        let mut outcome = Ok(());
        let (mut vertex, mut quiet) = (0, 0);
        'vertices: while quiet < n {
            let before = masks[vertex];
            if !before.is_power_of_two() {
                union.clear();
                union.resize(n, 0);
                let mut changed = Vec::new();
                for bit in (0..16).map(|b| 1u16 << b).filter(|b| before & b != 0) {
                    trial.clear();
                    trial.extend_from_slice(masks);
                    trial_blame.clone_from(blame);
                    match self.try_color(graph, vertex, bit, &mut trial, &mut trial_blame, scratch)
                    {
                        Ok(()) => union.iter_mut().zip(&trial).for_each(|(u, &t)| *u |= t),
                        Err(rule) => {
                            masks[vertex] &= !bit;
                            blame.of[vertex] = rule;
                            blame.latest = rule;
                            changed.push(vertex as u16);
                            if masks[vertex] == 0 {
                                outcome = Err(Failure {
                                    propagator: self.of_rule(rule),
                                    vertex: Some(vertex as u16),
                                });
                                break 'vertices;
                            }
                        }
                    }
                }
                // What took a colour in every trial, a rule or a house after one, took it.
                if self.houses_first || blame.latest != NO_RULE {
                    for (v, &possible) in union.iter().enumerate() {
                        if masks[v] & !possible != 0 {
                            masks[v] &= possible;
                            blame.of[v] = blame.latest;
                            changed.push(v as u16);
                        }
                    }
                }
                if !changed.is_empty() {
                    quiet = 0;
                    outcome = self.run(Some(&changed), masks, blame, scratch);
                    if outcome.is_err() {
                        break;
                    }
                }
            }
            quiet += 1;
            vertex = (vertex + 1) % n;
        }
        scratch.trial = trial;
        scratch.union = union;
        scratch.trial_blame = Some(trial_blame);
        outcome
    }

    /// What follows if a vertex has a colour; the rule that excludes it, if one does.
    fn try_color(
        &self,
        graph: &Graph,
        vertex: usize,
        bit: u16,
        trial: &mut [u16],
        blame: &mut Blame,
        scratch: &mut Scratch,
    ) -> Result<(), u16> {
        trial[vertex] = bit;
        let mut changed = vec![vertex as u16];
        for &u in &graph.neighbors[vertex] {
            let mask = &mut trial[usize::from(u)];
            if *mask & bit != 0 {
                if *mask == bit {
                    let rule = blame.of[usize::from(u)];
                    // Houses alone say so; the search will see it.
                    return if rule == NO_RULE && !self.houses_first {
                        Ok(())
                    } else {
                        Err(rule)
                    };
                }
                *mask &= !bit;
                changed.push(u);
            }
        }
        self.drain(Some(&changed), trial, blame, scratch, true)
            .map_err(|f| match self.served[f.propagator].rule {
                NO_RULE => blame.latest,
                rule => rule,
            })
    }

    /// The propagator that serves a rule; any, where houses alone are behind it.
    fn of_rule(&self, rule: u16) -> usize {
        self.served
            .iter()
            .position(|s| s.rule == rule)
            .unwrap_or_default()
    }
}
