//! Which part of the film each frame belongs to, and which state of the search it shows.
//!
//! All spans are laid out in ticks of 1/60 s and turned into frames by cumulative rounding, so
//! that a film has the same timing in seconds at every rate.

use crate::trace::{Event, Trace};

/// Ticks a second.
const TICKS: u64 = 60;
/// Length of the segments in ticks.
const INTRO: u64 = 90;
const ASSIGN: u64 = 10;
const DEAD_END: u64 = 24;
const UNDO: u64 = 8;
const SOLVED: u64 = 30;
const REGROUP: u64 = 180;
const REVEAL: u64 = 60;
const HOLD: u64 = 90;
/// Of an event's ticks, the part after which it is at rest, in tenths.
const MOVING_TENTHS: u64 = 7;

/// The parts of a film, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Tiles, givens, edges appear.
    Intro,
    /// The search, state by state.
    Search,
    /// Stillness.
    Solved,
    /// Vertices glide to their colours.
    Regroup,
    /// Digits appear.
    Reveal,
    /// The final composition.
    Hold,
}

impl Part {
    /// Its name in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Part::Intro => "intro",
            Part::Search => "search",
            Part::Solved => "solved",
            Part::Regroup => "regroup",
            Part::Reveal => "reveal",
            Part::Hold => "hold",
        }
    }
}

/// A part and its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Which part.
    pub part: Part,
    /// First frame.
    pub first: u64,
    /// Last frame.
    pub last: u64,
}

/// The frames of one state: the search after some event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Index of the last event that it contains.
    pub event: usize,
    /// First frame that differs.
    pub starts: u64,
    /// First frame at rest.
    pub settled: u64,
    /// Last frame at rest.
    pub last: u64,
}

/// When what happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// Frames a second.
    pub fps: u32,
    /// All frames.
    pub frames: u64,
    /// The parts, without gap or overlap.
    pub parts: Vec<Stretch>,
    /// The states of the search, in order.
    pub states: Vec<State>,
    /// Whether the search was compressed.
    pub compressed: bool,
    /// The frame at which each tick of the intro begins, 0..=90.
    intro: Vec<u64>,
}

/// A request that cannot be met.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TimelineError {
    /// Not a rate of the list.
    #[error("{0} frames a second is not offered; choose 24, 25, 30, 50 or 60")]
    Rate(u32),
    /// Not a usable length.
    #[error("--search-seconds {0} is not usable; give a number of seconds from 1 to 3600")]
    Seconds(f64),
    /// Nothing to show.
    #[error("the givens contradict each other ({0}), so there is no search to film; correct them")]
    Conflict(String),
}

/// Rates that a film may have.
pub const RATES: [u32; 5] = [24, 25, 30, 50, 60];

impl Timeline {
    /// Lays out the film of `trace` at `fps` frames a second, its search at most
    /// `search_seconds` long.
    ///
    /// # Errors
    /// If the rate or the length is out of range, or the trace is of a conflict.
    pub fn new(trace: &Trace, fps: u32, search_seconds: f64) -> Result<Self, TimelineError> {
        if !RATES.contains(&fps) {
            return Err(TimelineError::Rate(fps));
        }
        if !(1.0..=3600.0).contains(&search_seconds) {
            return Err(TimelineError::Seconds(search_seconds));
        }
        if trace.status == crate::trace::Status::Conflict {
            let place = trace
                .conflicts
                .first()
                .map_or("a rule is broken".into(), |c| {
                    let cells: Vec<String> = c.cells.iter().map(|c| c.to_string()).collect();
                    format!("{} in {}", cells.join(" and "), c.place)
                });
            return Err(TimelineError::Conflict(place));
        }
        let frame = |tick: u64| (tick * u64::from(fps) * 2 + TICKS) / (2 * TICKS);
        let mut parts = Vec::new();
        let mut push = |part, first: u64, end: u64| {
            if end > first {
                parts.push(Stretch {
                    part,
                    first,
                    last: end - 1,
                });
            }
        };
        let search_from = frame(INTRO);
        push(Part::Intro, 0, search_from);
        let budget = (search_seconds * f64::from(fps)).floor() as u64;
        let (states, compressed) = states(&trace.events, frame, budget, search_from);
        let search_to = states.last().map_or(search_from, |s| s.last + 1);
        push(Part::Search, search_from, search_to);
        // Spans go on where the search's own ticks end, or, where it was compressed, its frames.
        let natural: u64 = trace.events.iter().map(ticks).sum();
        let after = |tick: u64| {
            if compressed {
                search_to + frame(tick)
            } else {
                frame(INTRO + natural + tick)
            }
        };
        let mut end = search_to;
        let mut follow = |part, from: u64, to: u64| {
            end = after(to);
            push(part, after(from), end);
        };
        if regroups(trace) {
            follow(Part::Solved, 0, SOLVED);
            follow(Part::Regroup, SOLVED, SOLVED + REGROUP);
            follow(Part::Reveal, SOLVED + REGROUP, SOLVED + REGROUP + REVEAL);
            follow(
                Part::Hold,
                SOLVED + REGROUP + REVEAL,
                SOLVED + REGROUP + REVEAL + HOLD,
            );
        } else {
            follow(Part::Hold, 0, HOLD);
        }
        let intro = (0..=INTRO).map(frame).collect();
        Ok(Timeline {
            fps,
            frames: end,
            parts,
            states,
            compressed,
            intro,
        })
    }

    /// The part that frame `n` belongs to.
    pub fn part(&self, n: u64) -> Stretch {
        let i = self
            .parts
            .partition_point(|p| p.last < n)
            .min(self.parts.len() - 1);
        self.parts[i]
    }

    /// The frames of a part, where the film has it.
    pub fn stretch(&self, part: Part) -> Option<Stretch> {
        self.parts.iter().copied().find(|p| p.part == part)
    }

    /// The state that frame `n` shows or moves towards; `None` before the first.
    pub fn state(&self, n: u64) -> Option<usize> {
        self.states
            .partition_point(|s| s.starts <= n)
            .checked_sub(1)
    }

    /// A span of the intro given in ticks, in frames; at least one frame long.
    pub fn intro_span(&self, first: u64, settled: u64) -> [u64; 2] {
        let at = |tick: u64| self.intro[(tick as usize).min(self.intro.len() - 1)];
        let (first, settled) = (at(first), at(settled));
        // Something that appears differs from the frame before, so it cannot do so at frame 0
        // without being seen at all.
        [first, settled.max(first + 1)]
    }

    /// Which frames begin a part: where an encoder puts keyframes.
    pub fn keyframes(&self) -> Vec<u64> {
        self.parts.iter().map(|p| p.first).collect()
    }
}

/// Whether the film of a trace has regroup and reveal: a solution, and every event that leads
/// to it recorded.
pub fn regroups(trace: &Trace) -> bool {
    trace.solution.is_some() && trace.trace_complete
}

/// Ticks that an event has in an uncompressed film.
fn ticks(event: &Event) -> u64 {
    match event {
        Event::Assign { .. } => ASSIGN,
        Event::DeadEnd { .. } => DEAD_END,
        Event::Undo { .. } => UNDO,
        Event::Solved => 0,
    }
}

fn states(
    events: &[Event],
    frame: impl Fn(u64) -> u64,
    budget: u64,
    from: u64,
) -> (Vec<State>, bool) {
    let shown = events
        .iter()
        .take_while(|e| !matches!(e, Event::Solved))
        .count();
    let natural: u64 = events[..shown].iter().map(ticks).sum();
    let total = frame(natural);
    let compressed = total > budget;
    if !compressed {
        let mut tick = INTRO;
        let spans = events[..shown].iter().enumerate().map(|(i, e)| {
            let (a, b) = (frame(tick), frame(tick + ticks(e)));
            let moved = frame(tick + ticks(e) * MOVING_TENTHS / 10);
            tick += ticks(e);
            let last = b - 1;
            State {
                event: i,
                starts: a,
                settled: moved.min(last),
                last,
            }
        });
        return (spans.collect(), false);
    }
    let n = shown as u64;
    if n <= budget {
        // Shorter holds: every event keeps frames in proportion to its ticks, and at least one.
        let spare = budget - n;
        let mut tick = 0;
        let spans = events[..shown].iter().enumerate().map(|(i, e)| {
            let place = |t: u64| (t as u128 * u128::from(spare) / u128::from(natural)) as u64;
            let starts = from + i as u64 + place(tick);
            tick += ticks(e);
            let last = from + i as u64 + place(tick);
            let length = last - starts + 1;
            let settled = starts + (length * MOVING_TENTHS / 10).min(length - 1);
            State {
                event: i,
                starts,
                settled,
                last,
            }
        });
        (spans.collect(), true)
    } else {
        // Several events a frame; the state after the last of them is shown.
        let spans = (0..budget).map(|k| {
            let end = (u128::from(k + 1) * u128::from(n) / u128::from(budget)) as usize;
            let at = from + k;
            State {
                event: end - 1,
                starts: at,
                settled: at,
                last: at,
            }
        });
        (spans.collect(), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{ColorSet, Puzzle};
    use crate::trace::{Stats, Status, TraceGraph};

    fn trace(events: Vec<Event>, solved: bool) -> Trace {
        Trace {
            puzzle: Puzzle::classic(),
            graph: TraceGraph::default(),
            status: if solved {
                Status::Unique
            } else {
                Status::Impossible
            },
            unique: Some(solved),
            solution: solved.then(|| vec![1; 81]),
            second_solution: None,
            dead_cell: None,
            conflicts: Vec::new(),
            stats: Stats::default(),
            trace_complete: true,
            events,
        }
    }

    fn assign() -> Event {
        Event::Assign {
            vertex: 0,
            color: 1,
            saturation: 8,
            legal: ColorSet(1),
        }
    }

    #[test]
    fn fifty_one_assignments_make_960_frames_with_the_published_segments() {
        let mut events = vec![assign(); 51];
        events.push(Event::Solved);
        let t = Timeline::new(&trace(events, true), 60, 90.0).unwrap();
        assert_eq!(t.frames, 960);
        let spans: Vec<_> = t
            .parts
            .iter()
            .map(|p| (p.part.name(), p.first, p.last))
            .collect();
        assert_eq!(
            spans,
            [
                ("intro", 0, 89),
                ("search", 90, 599),
                ("solved", 600, 629),
                ("regroup", 630, 809),
                ("reveal", 810, 869),
                ("hold", 870, 959)
            ]
        );
        assert_eq!(
            t.states[0],
            State {
                event: 0,
                starts: 90,
                settled: 97,
                last: 99
            }
        );
        assert_eq!(t.states.len(), 51);
    }

    #[test]
    fn dead_ends_and_undos_keep_their_length() {
        let events = vec![
            assign(),
            Event::DeadEnd {
                vertex: 1,
                rule: None,
            },
            Event::Undo {
                vertex: 0,
                color: 1,
            },
        ];
        let t = Timeline::new(&trace(events, false), 60, 90.0).unwrap();
        let lengths: Vec<_> = t.states.iter().map(|s| s.last + 1 - s.starts).collect();
        assert_eq!(lengths, [10, 24, 8]);
        assert!(
            t.stretch(Part::Regroup).is_none(),
            "a search without a solution regrouped"
        );
    }

    #[test]
    fn every_rate_keeps_the_seconds_and_one_settled_frame_a_state() {
        let mut events = vec![assign(); 51];
        events.push(Event::Solved);
        let trace = trace(events, true);
        for fps in RATES {
            let t = Timeline::new(&trace, fps, 90.0).unwrap();
            assert_eq!(t.frames, 16 * u64::from(fps), "at {fps} frames a second");
            for pair in t.states.windows(2) {
                assert_eq!(pair[0].last + 1, pair[1].starts);
            }
            for s in &t.states {
                assert!(
                    s.starts <= s.settled && s.settled <= s.last,
                    "{s:?} at {fps}"
                );
            }
        }
    }

    #[test]
    fn a_search_of_100_000_events_fits_into_its_seconds() {
        for (n, seconds) in [(100_000, 90.0), (4000, 90.0), (1500, 10.0), (700, 1.0)] {
            let t = Timeline::new(&trace(vec![assign(); n], false), 60, seconds).unwrap();
            assert!(t.compressed);
            let search = t.stretch(Part::Search).unwrap();
            assert_eq!(
                search.last + 1 - search.first,
                (seconds * 60.0) as u64,
                "{n} events"
            );
            assert_eq!(
                t.states.last().unwrap().event,
                n - 1,
                "the last event is shown"
            );
            for pair in t.states.windows(2) {
                assert_eq!(pair[0].last + 1, pair[1].starts);
                assert!(pair[0].event < pair[1].event);
            }
        }
    }
}
