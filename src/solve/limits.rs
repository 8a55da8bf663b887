//! How far a search may go, and what it says on the way.

use std::ops::ControlFlow;

/// Limits of a search that give the same verdict on every machine. A deadline or a key press
/// comes through the watcher instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Stop before the node after this many.
    pub max_nodes: Option<u64>,
    /// Record at most this many events; the search itself goes on.
    pub max_events: usize,
    /// Do not ask whether there is a second solution.
    pub first_only: bool,
    /// Count solutions up to this many.
    pub count: Option<u64>,
}

impl Default for Limits {
    /// No node limit, 100,000 events, uniqueness asked, no count.
    fn default() -> Self {
        Limits {
            max_nodes: None,
            max_events: 100_000,
            first_only: false,
            count: None,
        }
    }
}

impl Limits {
    /// How many solutions to look for.
    pub(super) fn wanted(&self) -> u64 {
        let least = if self.first_only { 1 } else { 2 };
        self.count.unwrap_or(0).max(least)
    }
}

/// Where a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Nodes so far, in the search for the first solution and after it.
    pub nodes: u64,
    /// Assignments standing now.
    pub depth: usize,
    /// Solutions found so far.
    pub solutions: u64,
}

/// Looks at the progress of a search every few thousand nodes; `Break` stops it. The library
/// itself has no clock.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// What ended a search before it was exhausted or satisfied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// `max_nodes`.
    Nodes,
    /// The watcher.
    Watcher,
}
