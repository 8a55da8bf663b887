//! One step of a search.

use crate::puzzle::{Color, ColorSet};

/// One step of a search. Vertices are indices into the trace's `graph.vertices`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The chosen vertex takes a colour.
    Assign {
        /// The vertex.
        vertex: u16,
        /// Its colour from now on.
        color: Color,
        /// How many different colours its neighbours had when it was chosen.
        saturation: u8,
        /// All colours that were legal when it was chosen; the same on each retry.
        legal: ColorSet,
    },
    /// The chosen vertex has no legal colour.
    DeadEnd {
        /// The vertex.
        vertex: u16,
        /// The rule that took the last colour, where it was not a house.
        rule: Option<u16>,
    },
    /// An assignment is taken back.
    Undo {
        /// The vertex.
        vertex: u16,
        /// The colour that it loses.
        color: Color,
    },
    /// Every vertex is coloured.
    Solved,
}
