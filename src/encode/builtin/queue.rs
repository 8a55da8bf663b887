//! The way of pictures from the one that draws to those that encode: what changed since the
//! picture before, held within a budget of bytes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Pictures are compared in runs of this many bytes.
const RUN: usize = 512;

/// A picture, told by what is new in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// All of it.
    Whole(Vec<u8>),
    /// Runs of bytes: where each begins, and how long it is; then their bytes one after the other.
    Runs(Vec<(u32, u32)>, Vec<u8>),
    /// Nothing.
    Same,
}

impl Change {
    /// What is new in `next` against `last`, which becomes `next`.
    pub fn between(last: &mut [u8], next: &[u8]) -> Change {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut bytes = Vec::new();
        let mut at = 0;
        for (old, new) in last.chunks(RUN).zip(next.chunks(RUN)) {
            if old != new {
                match runs.last_mut() {
                    Some((start, length)) if (*start + *length) as usize == at => {
                        *length += new.len() as u32;
                    }
                    _ => runs.push((at as u32, new.len() as u32)),
                }
                bytes.extend_from_slice(new);
            }
            at += new.len();
        }
        if runs.is_empty() {
            return Change::Same;
        }
        let mut from = 0;
        for &(start, length) in &runs {
            let (start, length) = (start as usize, length as usize);
            last[start..start + length].copy_from_slice(&bytes[from..from + length]);
            from += length;
        }
        Change::Runs(runs, bytes)
    }

    /// Makes `picture`, the one before, into this one.
    pub fn apply(self, picture: &mut Vec<u8>) {
        match self {
            Change::Whole(bytes) => *picture = bytes,
            Change::Runs(runs, bytes) => {
                let mut from = 0;
                for (start, length) in runs {
                    let (start, length) = (start as usize, length as usize);
                    picture[start..start + length].copy_from_slice(&bytes[from..from + length]);
                    from += length;
                }
            }
            Change::Same => {}
        }
    }

    fn cost(&self) -> usize {
        match self {
            Change::Whole(bytes) => bytes.len(),
            Change::Runs(runs, bytes) => bytes.len() + 8 * runs.len(),
            Change::Same => 0,
        }
    }
}

/// A segment that some worker has taken or will take.
#[derive(Debug, Default)]
struct Segment {
    changes: VecDeque<Change>,
    complete: bool,
}

#[derive(Debug, Default)]
struct State {
    /// Segments in order; those before `first` are encoded.
    segments: VecDeque<Segment>,
    first: usize,
    /// The next segment that no worker has taken.
    untaken: usize,
    held: usize,
    ended: bool,
    /// Set on the first failure: everybody stops.
    failed: Option<String>,
}

/// The queue between one producer and several workers, each of which takes whole segments.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    moved: Condvar,
    budget: usize,
}

impl Queue {
    /// A queue that holds about `budget` bytes of pictures.
    pub fn new(budget: usize) -> Self {
        Queue {
            state: Mutex::new(State::default()),
            moved: Condvar::new(),
            budget,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a picture to the segment that is being filled, or begins another with it. Waits while
    /// the budget is used up: the earliest segment always has a worker, so room will come.
    pub fn push(&self, change: Change, begins: bool) -> Result<(), String> {
        let cost = change.cost();
        let mut state = self.lock();
        while state.failed.is_none() && state.held > 0 && state.held + cost > self.budget {
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(why) = &state.failed {
            return Err(why.clone());
        }
        if begins {
            if let Some(last) = state.segments.back_mut() {
                last.complete = true;
            }
            state.segments.push_back(Segment::default());
        }
        state.held += cost;
        if let Some(last) = state.segments.back_mut() {
            last.changes.push_back(change);
        }
        drop(state);
        self.moved.notify_all();
        Ok(())
    }

    /// Says that no more pictures come.
    pub fn end(&self) {
        let mut state = self.lock();
        if let Some(last) = state.segments.back_mut() {
            last.complete = true;
        }
        state.ended = true;
        drop(state);
        self.moved.notify_all();
    }

    /// Stops everybody; the first reason stands.
    pub fn fail(&self, why: String) {
        self.lock().failed.get_or_insert(why);
        self.moved.notify_all();
    }

    /// Why it failed, if it did.
    pub fn failure(&self) -> Option<String> {
        self.lock().failed.clone()
    }

    /// Takes the next segment's number, waiting for it; `None` when there is none any more.
    pub fn take_segment(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() {
                return None;
            }
            if state.untaken < state.first + state.segments.len() {
                state.untaken += 1;
                return Some(state.untaken - 1);
            }
            if state.ended {
                return None;
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes the next picture of a segment, waiting for it; `None` after its last.
    pub fn take(&self, segment: usize) -> Option<Change> {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() {
                return None;
            }
            let at = segment.checked_sub(state.first)?;
            let entry = state.segments.get_mut(at)?;
            if let Some(change) = entry.changes.pop_front() {
                state.held -= change.cost();
                drop(state);
                self.moved.notify_all();
                return Some(change);
            }
            if entry.complete {
                // Emptied segments at the front are forgotten, save the one being filled.
                while state.segments.len() > 1
                    && state.segments[0].complete
                    && state.segments[0].changes.is_empty()
                    && state.first < state.untaken
                    && state.first != segment
                {
                    state.segments.pop_front();
                    state.first += 1;
                }
                return None;
            }
            state = self
                .moved
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Queue};

    #[test]
    fn changes_rebuild_the_pictures() {
        let mut last = vec![0u8; 5000];
        let mut rebuilt = last.clone();
        let mut next = last.clone();
        for round in 0..50usize {
            next[(round * 977) % 5000] ^= 0x55;
            next[(round * 131) % 5000] ^= 0x0f;
            let change = Change::between(&mut last, &next);
            assert_eq!(last, next);
            change.apply(&mut rebuilt);
            assert_eq!(rebuilt, next, "round {round}");
        }
        assert_eq!(Change::between(&mut last, &next), Change::Same);
    }

    #[test]
    fn a_full_queue_waits_and_a_failed_one_does_not() {
        let queue = Queue::new(100);
        queue.push(Change::Whole(vec![0; 90]), true).unwrap();
        std::thread::scope(|s| {
            let pushed = s.spawn(|| queue.push(Change::Whole(vec![1; 90]), true));
            assert_eq!(queue.take_segment(), Some(0));
            assert!(matches!(queue.take(0), Some(Change::Whole(b)) if b[0] == 0));
            assert!(pushed.join().unwrap().is_ok());
            assert_eq!(queue.take(0), None);
            let blocked = s.spawn(|| queue.push(Change::Whole(vec![2; 90]), false));
            queue.fail("the reason".to_string());
            queue.fail("a later one".to_string());
            assert_eq!(blocked.join().unwrap(), Err("the reason".to_string()));
            assert_eq!(queue.take_segment(), None);
        });
    }
}
