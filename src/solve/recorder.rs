//! Keeps the events and totals of the search for the first solution.

use crate::trace::{Event, Stats};

/// The first so many events, and all totals.
#[derive(Debug)]
pub(super) struct Recorder {
    pub events: Vec<Event>,
    pub stats: Stats,
    /// Whether an event was left out.
    pub omitted: bool,
    cap: usize,
}

impl Recorder {
    pub fn new(cap: usize) -> Self {
        Recorder {
            events: Vec::new(),
            stats: Stats::default(),
            omitted: false,
            cap,
        }
    }

    #[inline]
    pub fn push(&mut self, event: Event) {
        if self.events.len() < self.cap {
            self.events.push(event);
        } else {
            self.omitted = true;
        }
    }
}
