//! What can be wrong with puzzle JSON.

use crate::puzzle::{Cell, CellNameError, MAX_CELLS};

/// What is wrong, and at which JSON path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", shown(.path))]
pub struct JsonError {
    /// Such as `rules[0].cells[2]`; empty for the whole document.
    pub path: String,
    /// What is wrong and what to do.
    pub fault: Fault,
}

fn shown(path: &str) -> &str {
    if path.is_empty() { "top level" } else { path }
}

/// What is wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A value of another JSON type.
    #[error("this is {found}, but must be {wanted}")]
    Type {
        /// What it is.
        found: String,
        /// What it must be.
        wanted: &'static str,
    },
    /// A number with a fraction.
    #[error("{found} is not a whole number; {what} is an integer from {low} to {high}")]
    NotWhole {
        /// As it is written.
        found: String,
        /// What it counts.
        what: &'static str,
        /// Least.
        low: u64,
        /// Most.
        high: u64,
    },
    /// A whole number out of range.
    #[error("{found} is out of range; {what} is an integer from {low} to {high}")]
    Range {
        /// As it is written.
        found: String,
        /// What it counts.
        what: &'static str,
        /// Least.
        low: u64,
        /// Most.
        high: u64,
    },
    /// No `format_version`.
    #[error("the field format_version is missing; this reader needs \"format_version\": 1")]
    NoVersion,
    /// A version that this reader does not know.
    #[error("format_version {0} is not known; this reader understands 1 only")]
    Version(String),
    /// A field that this reader does not know.
    #[error(
        "the field {field:?} is not known and would change what the puzzle means, so the puzzle \
         is refused; known here are {known}"
    )]
    UnknownField {
        /// Its name.
        field: String,
        /// The names that are known.
        known: String,
    },
    /// A field that must be there.
    #[error("the field {0:?} is missing; add it")]
    Missing(&'static str),
    /// A rule type that this reader does not know.
    #[error("the rule type {found:?} is not known, so the puzzle is refused; {hint}")]
    UnknownRule {
        /// Its name.
        found: String,
        /// The nearest known type, or all of them.
        hint: String,
    },
    /// A rule of some other program.
    #[error(
        "{0:?} is a vendor's own rule, which only that vendor's program understands, so the \
         puzzle is refused; express it with the standard rule types"
    )]
    VendorRule(String),
    /// `custom` or `table`.
    #[error(
        "the rule type {0:?} is reserved for rules written out by hand and not supported, so the \
         puzzle is refused; express it with the standard rule types"
    )]
    ReservedRule(String),
    /// `allowed`.
    #[error(
        "the operator \"allowed\" is reserved and not supported, so the puzzle is refused; \
         express what is allowed with the standard rule types"
    )]
    ReservedOperator,
    /// `digits` as an object.
    #[error(
        "digits given as an object (other symbols or a range of one's own) are not supported; \
         give the number of digits, 1 to 16"
    )]
    DigitsObject,
    /// A variant's name as a rule type.
    #[error(
        "{found:?} is the name of a variant, not a rule; put it in meta.type and write its rules \
         out: {hint}"
    )]
    VariantName {
        /// As it is written.
        found: String,
        /// How its rules are expressed.
        hint: &'static str,
    },
    /// A text that is no cell name.
    #[error(transparent)]
    CellName(#[from] CellNameError),
    /// A cell that no grid has.
    #[error("the cell {0} is in no grid of this puzzle; name an existing cell or add its grid")]
    NoSuchCell(Cell),
    /// A cell that stands twice in one list.
    #[error("the cell {0} stands twice in one list; list it once")]
    CellTwice(Cell),
    /// A list with nothing in it.
    #[error("this list is empty; {0}")]
    EmptyList(&'static str),
    /// A house that cannot hold that many different digits.
    #[error(
        "{place} has {cells} cells that must all differ, but there are only {digits} digits; \
         {remedy}"
    )]
    HouseTooLarge {
        /// Which house.
        place: &'static str,
        /// Its size.
        cells: usize,
        /// D.
        digits: u8,
        /// What to do.
        remedy: &'static str,
    },
    /// Boxes that do not fill their grid.
    #[error(
        "boxes of {0} by {1} do not tile a grid of {2} by {3}; give a box that divides both, or \
         leave \"boxes\" out of houses"
    )]
    BoxesDoNotTile(u16, u16, u16, u16),
    /// More cells than are allowed.
    #[error("the grids have more than {MAX_CELLS} cells together; make the puzzle smaller")]
    TooManyCells,
    /// A grid that ends beyond the last cell that has a name.
    #[error("the grid reaches beyond r9999c9999; move it")]
    GridTooFar,
    /// A list that is too long.
    #[error("there are {found} {what} here, at most {most} are allowed")]
    TooMany {
        /// How many there are.
        found: usize,
        /// Of what.
        what: &'static str,
        /// How many are allowed.
        most: usize,
    },
    /// A word that is none of those allowed.
    #[error("{found:?} is not one of {allowed}")]
    Word {
        /// As it is written.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// One word twice.
    #[error("{0:?} stands twice in this list; write it once")]
    WordTwice(String),
    /// Too few regions or segments, or another number than two.
    #[error("there are {found} {what} here, but {wanted}")]
    Number {
        /// How many there are.
        found: usize,
        /// Of what.
        what: &'static str,
        /// How many there must be.
        wanted: &'static str,
    },
    /// Regions of different lengths.
    #[error(
        "this region has {found} cells, the first one has {first}; corresponding cells need \
         regions of equal length"
    )]
    RegionLength {
        /// Its length.
        found: usize,
        /// The first one's.
        first: usize,
    },
    /// None or several of `each`, `counts` and `kind`.
    #[error("a count rule has exactly one of each, counts and kind, this one has {0}; keep one")]
    CountFields(String),
    /// One digit twice in `counts`.
    #[error("the digit {0} is counted twice; keep one pair for it")]
    CountedTwice(u8),
    /// A `count` whose cells are a house.
    #[error(
        "the cells of this count rule are exactly a house, where each digit appears at most once \
         by itself; take the rule out or name other cells"
    )]
    CountIsHouse,
    /// `global_entropy` with a number of digits that has no thirds.
    #[error(
        "global_entropy needs low, middle and high thirds, but digits is {0}, which is not \
         divisible by 3"
    )]
    NoThirds(u8),
    /// `appears` with its source among its cells.
    #[error(
        "the source {0} is itself among the cells, so the rule would say nothing; take it out of \
         the list"
    )]
    SourceInCells(Cell),
}
