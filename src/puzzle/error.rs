//! What can be wrong with a puzzle, in whole sentences.

use super::json::{JsonError, SyntaxError};
use super::text::TextFault;

/// A puzzle that cannot be read: which file, where in it, what is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// Nothing in it.
    #[error(
        "{name} is empty; give 81 cells as one line or nine lines of nine, with 0 or . for blanks"
    )]
    Empty {
        /// The file, or what stands for it.
        name: String,
    },
    /// Text of another encoding.
    #[error("{name} is {encoding}, save it as UTF-8")]
    Encoding {
        /// The file, or what stands for it.
        name: String,
        /// The encoding's name, such as "UTF-16 (little endian)".
        encoding: &'static str,
    },
    /// Bytes that are no text.
    #[error("{name}, line {line}, column {column}: this is not UTF-8 text; save it as UTF-8")]
    NotText {
        /// The file, or what stands for it.
        name: String,
        /// 1-based line.
        line: usize,
        /// 1-based column, in characters.
        column: usize,
    },
    /// A fault in a puzzle's text.
    #[error("{name}, line {line}, column {column}: {fault}")]
    Text {
        /// The file, or what stands for it.
        name: String,
        /// 1-based line.
        line: usize,
        /// 1-based column, in characters.
        column: usize,
        /// What is wrong.
        fault: TextFault,
    },
    /// A file that is not JSON to its end, or repeats a key.
    #[error("{name}, {fault}")]
    Syntax {
        /// The file, or what stands for it.
        name: String,
        /// Where and what.
        fault: SyntaxError,
    },
    /// JSON that is not a puzzle.
    #[error("{name}, {fault}")]
    Json {
        /// The file, or what stands for it.
        name: String,
        /// Where and what.
        fault: JsonError,
    },
}
