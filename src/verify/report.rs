//! What a verification found.

use crate::puzzle::Cell;

/// The answer in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that could be checked agrees.
    Truthful,
    /// Something does not agree.
    Wrong,
    /// The verification was interrupted; it says nothing.
    Interrupted,
}

impl Verdict {
    /// The word in files and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Truthful => "truthful",
            Verdict::Wrong => "wrong",
            Verdict::Interrupted => "interrupted",
        }
    }
}

/// Something in a trace that is not true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The index of the event, where it is one.
    pub event: Option<usize>,
    /// The cell that it is about, where there is one.
    pub cell: Option<Cell>,
    /// One clear sentence, beginning with the place in the trace.
    pub sentence: String,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Vertices of the puzzle's graph, as the verifier builds it.
    pub vertices: usize,
    /// Edges, as the verifier builds them.
    pub edges: usize,
    /// Sets of cells that all differ.
    pub units: usize,
    /// Events in the trace.
    pub events: usize,
    /// Events found right.
    pub events_checked: usize,
    /// Assignments among those.
    pub assignments: u64,
    /// Undos among those.
    pub undos: u64,
    /// Dead ends among those.
    pub dead_ends: u64,
    /// Most assignments standing at once.
    pub max_depth: u32,
    /// Branches of the verifier's own search for the number of solutions.
    pub multiplicity_nodes: u64,
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// What is wrong: the first wrong event, and whatever else disagrees. A wrong event ends the
    /// replay, so there is at most one.
    pub faults: Vec<Fault>,
    /// What was proved, a phrase each.
    pub proved: Vec<String>,
    /// What the trace says that was not proved, a phrase each.
    pub not_proved: Vec<String>,
    /// How much was looked at.
    pub counts: Counts,
}

impl Report {
    /// Whether nothing was found wrong.
    pub fn is_truthful(&self) -> bool {
        self.verdict == Verdict::Truthful
    }

    /// The first wrong event, if an event is wrong.
    pub fn first_wrong_event(&self) -> Option<&Fault> {
        self.faults.iter().find(|f| f.event.is_some())
    }

    /// The fault to name first: the first wrong event, else the first of the others.
    pub fn main_fault(&self) -> Option<&Fault> {
        self.first_wrong_event().or(self.faults.first())
    }
}
