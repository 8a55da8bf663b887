//! Runs propagators until none has anything left to say.

use std::collections::VecDeque;

use super::rules::{Served, View};

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
        let Scratch {
            queue,
            waiting,
            touched,
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
            let outcome = served.propagator.narrow(&mut View::new(masks, touched));
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

    /// Takes away the colours that lead to a contradiction when tried alone (singleton
    /// consistency: Debruyne and Bessière, IJCAI 1997). `masks` must be narrowed already.
    pub fn probe(
        &self,
        masks: &mut [u16],
        blame: &mut Blame,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let mut trial = masks.to_vec();
        let mut trial_blame = blame.clone();
        // Vertices in a row whose colours all held; after a full round nothing is left to find.
        let mut calm = 0;
        let mut v = 0;
        while calm < masks.len() {
            let mut held = true;
            let mut rest = masks[v];
            if rest.count_ones() > 1 {
                while rest != 0 {
                    let color = rest & rest.wrapping_neg();
                    rest &= !color;
                    if masks[v] & color == 0 {
                        continue;
                    }
                    trial.copy_from_slice(masks);
                    trial[v] = color;
                    trial_blame.latest = blame.latest;
                    let changed = [v as u16];
                    let outcome = self.run(Some(&changed), &mut trial, &mut trial_blame, scratch);
                    if let Err(failure) = outcome {
                        masks[v] &= !color;
                        blame.latest = trial_blame.latest;
                        blame.of[v] = blame.latest;
                        held = false;
                        if masks[v] == 0 {
                            return Err(Failure {
                                vertex: Some(v as u16),
                                ..failure
                            });
                        }
                        self.run(Some(&changed), masks, blame, scratch)?;
                    }
                }
            }
            calm = if held { calm + 1 } else { 0 };
            v = (v + 1) % masks.len();
        }
        Ok(())
    }
}
