//! The colouring after any state, without replaying the whole trace for it.

use crate::film::timeline::Timeline;
use crate::trace::{Event, Replay, ReplayError, Trace};

/// A snapshot is kept every this many events: 81 bytes each.
const EVERY: usize = 256;

/// The states of a film's search.
#[derive(Debug)]
pub struct States {
    /// All shown events.
    events: Vec<Event>,
    /// The last event of each state.
    last: Vec<usize>,
    /// The replay before event 0, `EVERY`, 2 `EVERY`, …
    snapshots: Vec<Replay>,
}

impl States {
    /// Replays the trace once.
    pub fn new(trace: &Trace, timeline: &Timeline) -> Result<Self, ReplayError> {
        let last: Vec<usize> = timeline.states.iter().map(|s| s.event).collect();
        let shown = last.last().map_or(0, |&e| e + 1);
        let events = trace.events[..shown].to_vec();
        let mut replay = Replay::new(trace);
        let mut snapshots = Vec::with_capacity(shown / EVERY + 1);
        for (i, event) in events.iter().enumerate() {
            if i % EVERY == 0 {
                snapshots.push(replay.clone());
            }
            replay.apply(event)?;
        }
        if snapshots.is_empty() {
            snapshots.push(replay);
        }
        Ok(States {
            events,
            last,
            snapshots,
        })
    }

    /// The last event that state `s` contains.
    pub fn last_event(&self, s: usize) -> &Event {
        &self.events[self.last[s]]
    }

    /// The colours after state `s`.
    pub fn colors(&self, s: usize) -> Vec<u8> {
        let end = self.last[s] + 1;
        let from = (end / EVERY).min(self.snapshots.len() - 1);
        let mut replay = self.snapshots[from].clone();
        for event in &self.events[from * EVERY..end] {
            // `new` replayed every event once already.
            let _ = replay.apply(event);
        }
        replay.colors().to_vec()
    }
}
