//! The rule families: what each one says, with no opinion on how to search or draw it.

use super::{Cell, Color};

/// The side of the board at which an outside clue stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Above the board.
    Top,
    /// Below the board.
    Bottom,
    /// Left of the board.
    Left,
    /// Right of the board.
    Right,
}

/// What a `count` rule counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountKind {
    /// Every digit appears exactly this many times among the cells.
    Each(u16),
    /// These digits appear exactly that often: (digit, times).
    Counts(Vec<(Color, u16)>),
    /// A digit that appears among the cells appears exactly as many times as its own value.
    Circles,
}

/// One rule of a puzzle, beyond the houses of its grids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// The cells all differ.
    House {
        /// At most D cells.
        cells: Vec<Cell>,
    },
    /// Every listed digit (a multiset) appears among `cells` at least as often as it is listed.
    Contains {
        /// The multiset of digits.
        digits: Vec<Color>,
        /// Where they appear.
        cells: Vec<Cell>,
    },
    /// The digit in `source` appears in at least one of `cells`.
    Appears {
        /// The cell that points.
        source: Cell,
        /// The cells that it points at.
        cells: Vec<Cell>,
    },
    /// Corresponding cells of all regions are equal.
    Clone {
        /// Two or more equally long ordered regions.
        regions: Vec<Vec<Cell>>,
    },
    /// One permutation of 1..=D maps each cell of the first region to its partner in the second.
    Isomorphic {
        /// Two equally long ordered regions.
        regions: [Vec<Cell>; 2],
    },
    /// How often digits appear among the cells.
    Count {
        /// What is counted.
        kind: CountKind,
        /// Where.
        cells: Vec<Cell>,
    },
    /// Exactly `value` different digits among `cells`.
    DistinctCount {
        /// How many.
        value: u16,
        /// With a side, an outside clue; `cells` are then in order from that side.
        side: Option<Side>,
        /// Where.
        cells: Vec<Cell>,
    },
    /// Every 2×2 window of existing cells holds a low, a middle and a high digit.
    GlobalEntropy,
    /// All segments have the same sum.
    EqualSum {
        /// Two or more sets of cells.
        segments: Vec<Vec<Cell>>,
    },
    /// The vertex digit is the sum or the difference of the two arm digits.
    Vudoku {
        /// Vertex, arm, arm.
        cells: [Cell; 3],
    },
}

impl Rule {
    /// The word for its family in files and messages.
    pub fn family(&self) -> &'static str {
        match self {
            Rule::House { .. } => "house",
            Rule::Contains { .. } => "contains",
            Rule::Appears { .. } => "appears",
            Rule::Clone { .. } => "clone",
            Rule::Isomorphic { .. } => "isomorphic",
            Rule::Count { .. } => "count",
            Rule::DistinctCount { .. } => "distinct_count",
            Rule::GlobalEntropy => "global_entropy",
            Rule::EqualSum { .. } => "equal_sum",
            Rule::Vudoku { .. } => "vudoku",
        }
    }
}
