//! Runs propagators until none has anything left to say.

use std::collections::VecDeque;

use super::rules::{Served, View};

/// No rule took a colour from this vertex.
pub(super) const NO_RULE: u16 = u16::MAX;

/// A rule that cannot be fulfilled any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Failure {
    /// The propagator, as an index into those of the [`Narrower`].
    pub propagator: usize,
    /// The vertex that was left no colour, where it shows at one.
    pub vertex: Option<u16>,
}

/// All propagators, and which of them care for which vertex.
pub(super) struct Narrower {
    pub served: Vec<Served>,
    watchers: Vec<Vec<u16>>,
}

/// Working memory, reused from node to node.
#[derive(Default)]
pub(super) struct Scratch {
    queue: VecDeque<u16>,
    waiting: Vec<bool>,
    touched: Vec<u16>,
}

impl Narrower {
    pub fn new(vertices: usize, served: Vec<Served>) -> Self {
        let mut watchers = vec![Vec::new(); vertices];
        for (i, s) in served.iter().enumerate() {
            for &v in s.propagator.scope() {
                let list: &mut Vec<u16> = &mut watchers[usize::from(v)];
                if list.last() != Some(&(i as u16)) {
                    list.push(i as u16);
                }
            }
        }
        Narrower { served, watchers }
    }

    /// Narrows `masks` after the masks of `changed` shrank (`None`: for the first time). `last`
    /// receives, for each vertex that a rule takes a colour from, that rule.
    pub fn run(
        &self,
        changed: Option<&[u16]>,
        masks: &mut [u16],
        last: &mut [u16],
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
            let outcome = served.propagator.narrow(&mut View::new(masks, touched));
            for &v in touched.iter() {
                last[usize::from(v)] = served.rule;
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
}
