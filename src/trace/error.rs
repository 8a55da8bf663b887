//! Why a file is not accepted as a trace.

use super::Trace;
use crate::puzzle::json::JsonError;

/// A file that cannot be read as a trace, or a trace whose content cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// Something else than a trace.
    #[error("{name} is no trace: {why}; `proofreel solve PUZZLE --out FILE` writes one")]
    NotATrace {
        /// The file.
        name: String,
        /// What it is instead.
        why: String,
    },
    /// A trace of a version that this crate does not read.
    #[error(
        "{name} is a trace of version {found}, and this program reads version 1; solve its \
         puzzle again to get one"
    )]
    Version {
        /// The file.
        name: String,
        /// The version it claims.
        found: String,
    },
    /// The file ends too early.
    #[error("{name} ends in the middle, in line {line}; it was cut off, so copy or make it again")]
    Truncated {
        /// The file.
        name: String,
        /// 1-based line of the end.
        line: usize,
    },
    /// Text that is not JSON.
    #[error("{name}, line {line}, column {column}: {why}; the file is damaged, make it again")]
    Syntax {
        /// The file.
        name: String,
        /// 1-based.
        line: usize,
        /// 1-based, in bytes.
        column: usize,
        /// What the JSON parser says.
        why: String,
    },
    /// A field that is missing, doubled, or of another type than the format says.
    #[error("{name}, {path}: {why}; the file is damaged or not made by this program")]
    Field {
        /// The file.
        name: String,
        /// The JSON path.
        path: String,
        /// What is wrong there.
        why: String,
    },
    /// The puzzle inside is refused.
    #[error("{name}, {fault}")]
    Puzzle {
        /// The file.
        name: String,
        /// What is wrong, and at which JSON path.
        fault: JsonError,
    },
    /// Well formed, but it says something that cannot be.
    #[error("{name}, {path}: {why}")]
    Content {
        /// The file.
        name: String,
        /// The JSON path.
        path: String,
        /// What is wrong there.
        why: String,
    },
    /// An event that is none, or names what does not exist.
    #[error("{name}, events[{index}]: {why}")]
    Event {
        /// The file.
        name: String,
        /// The event's index, from 0.
        index: usize,
        /// What is wrong with it.
        why: String,
        /// The trace with the events before it only.
        before: Box<Trace>,
    },
}

impl TraceError {
    /// Whether the file is a trace in form and wrong in what it says: a finding for `verify`, not
    /// an unreadable input.
    pub fn is_content(&self) -> bool {
        matches!(self, TraceError::Content { .. } | TraceError::Event { .. })
    }
}
