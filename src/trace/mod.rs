//! The record of a search: every assignment, dead end and undo, and what they led to.

mod error;
mod event;
mod read;
mod read_event;
mod replay;
mod write;

pub use error::TraceError;
pub use event::Event;
pub use read::read;
pub use replay::{Replay, ReplayError};
pub use write::write;

use crate::puzzle::{Cell, Color, Puzzle};

/// The version of the trace format that this crate writes and reads.
pub const VERSION: u32 = 1;

/// What a search found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// One solution, and proved to be the only one.
    Unique,
    /// At least two solutions.
    Ambiguous,
    /// A solution; whether it is the only one was not asked or not finished.
    Solved,
    /// The search was exhausted without a solution.
    Impossible,
    /// The givens break a rule; nothing was searched.
    Conflict,
    /// A limit struck before a first solution.
    Incomplete,
}

impl Status {
    /// The word in files and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Ambiguous => "ambiguous",
            Status::Solved => "solved",
            Status::Impossible => "impossible",
            Status::Conflict => "conflict",
            Status::Incomplete => "incomplete",
        }
    }
}

/// Totals of the search for the first solution (and, in `uniqueness_nodes`, of the second).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Nodes: assignments made.
    pub assignments: u64,
    /// Assignments taken back.
    pub undos: u64,
    /// Chosen vertices with no legal colour.
    pub dead_ends: u64,
    /// Most assignments standing at once.
    pub max_depth: u32,
    /// Nodes of the search for a second solution; `None` where another method did it or it was
    /// cut off.
    pub uniqueness_nodes: Option<u64>,
}

/// What a conflict among the givens breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The cells that clash (two, for a house).
    pub cells: Vec<Cell>,
    /// The house's name, such as "row 3" or "box 5"; or "rule N (type)".
    pub place: String,
}

/// The graph that was coloured.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceGraph {
    /// The vertices, one a cell, in reading order.
    pub vertices: Vec<Cell>,
    /// The edges as pairs of vertex indices, the lower first, ascending.
    pub edges: Vec<(u16, u16)>,
}

/// A whole trace in memory: some 8 bytes an event.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The puzzle as it was read.
    pub puzzle: Puzzle,
    /// Its graph.
    pub graph: TraceGraph,
    /// What was found.
    pub status: Status,
    /// True, false, or `None` when unknown.
    pub unique: Option<bool>,
    /// The first solution, by vertex index.
    pub solution: Option<Vec<Color>>,
    /// A second, different solution where one was found.
    pub second_solution: Option<Vec<Color>>,
    /// A cell that has no legal colour at the very start, where that is why it is impossible.
    pub dead_cell: Option<Cell>,
    /// What the givens break; empty unless the status is `Conflict`.
    pub conflicts: Vec<Conflict>,
    /// The totals.
    pub stats: Stats,
    /// False where events were left out (`--max-events`).
    pub trace_complete: bool,
    /// The search for the first solution, in order.
    pub events: Vec<Event>,
}
