//! Puzzle JSON, `format_version` 1: strict reading (what is not understood is refused, with its
//! JSON path) and deterministic writing.

mod fault;
mod node;
mod read;
mod rules;
mod strict;
mod variant;
mod write;

pub use fault::{Fault, JsonError};
pub use read::from_value;
pub use strict::{StrictValue, SyntaxError};
pub use write::to_json;

use super::{Puzzle, PuzzleError};

/// The version of the puzzle format that this crate writes and reads.
pub const VERSION: u64 = 1;

/// Reads one puzzle from JSON text without a byte order mark.
///
/// # Errors
/// With line and column where it is not JSON or repeats a key, else with the JSON path.
pub(super) fn read(text: &str, name: &str) -> Result<Puzzle, PuzzleError> {
    let value = strict::parse(text).map_err(|fault| PuzzleError::Syntax {
        name: name.to_string(),
        fault,
    })?;
    from_value(&value, "").map_err(|fault| PuzzleError::Json {
        name: name.to_string(),
        fault,
    })
}

#[cfg(test)]
mod tests;
