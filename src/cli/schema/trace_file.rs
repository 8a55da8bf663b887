//! The shape of a trace file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::puzzle_file::{CellName, Digit, PuzzleFile};

/// The record of a search. Later versions may add fields.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct TraceFile {
    /// Always "proofreel-trace".
    #[schemars(extend("const" = "proofreel-trace"))]
    pub format: String,
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The puzzle that was solved.
    pub puzzle: PuzzleFile,
    /// The graph that was coloured.
    pub graph: GraphFile,
    /// What was found.
    pub status: StatusFile,
    /// Whether the solution is the only one; null when unknown.
    #[schemars(required)]
    pub unique: Option<bool>,
    /// The first solution, by cell; null where there is none.
    #[schemars(required)]
    pub solution: Option<BTreeMap<String, Digit>>,
    /// A second, different solution where one was found.
    #[serde(default)]
    pub second_solution: Option<BTreeMap<String, Digit>>,
    /// A cell that has no legal colour at the very start.
    #[serde(default)]
    pub dead_cell: Option<CellName>,
    /// What the givens break.
    #[serde(default)]
    pub conflicts: Vec<ConflictFile>,
    /// The totals.
    pub stats: StatsFile,
    /// False where events were left out.
    pub trace_complete: bool,
    /// The search for the first solution, in order.
    pub events: Vec<EventFile>,
}

/// The graph that was coloured.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct GraphFile {
    /// All cells in reading order.
    pub vertices: Vec<CellName>,
    /// Pairs of cells that differ.
    pub edges: Vec<(CellName, CellName)>,
}

/// What was found.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusFile {
    /// One solution, the only one.
    Unique,
    /// At least two solutions.
    Ambiguous,
    /// A solution; whether it is the only one was not asked or not finished.
    Solved,
    /// No solution.
    Impossible,
    /// The givens break a rule.
    Conflict,
    /// A limit struck before a first solution.
    Incomplete,
}

/// What a conflict breaks.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct ConflictFile {
    /// The cells that clash.
    pub cells: Vec<CellName>,
    /// The house or rule.
    pub place: String,
}

/// Totals of the whole search, also where events were left out.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct StatsFile {
    /// Assignments made.
    pub assignments: u64,
    /// Assignments taken back.
    pub undos: u64,
    /// Chosen vertices with no legal colour.
    pub dead_ends: u64,
    /// Most assignments standing at once.
    pub max_depth: u32,
    /// Nodes of the search for a second solution; null where that was done otherwise or cut off.
    #[schemars(required)]
    pub uniqueness_nodes: Option<u64>,
}

/// One step of a search.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "its shape alone is used")]
pub enum EventFile {
    /// The chosen cell takes a colour.
    Assign {
        /// The cell.
        cell: CellName,
        /// Its colour from now on.
        color: Digit,
        /// How many different colours its neighbours had when it was chosen.
        saturation: u8,
        /// All colours that were legal when it was chosen, ascending.
        legal: Vec<Digit>,
    },
    /// The chosen cell has no legal colour.
    DeadEnd {
        /// The cell.
        cell: CellName,
        /// The index of the rule that took the last colour, where it was not a house.
        #[serde(default)]
        rule: Option<u16>,
    },
    /// An assignment is taken back.
    Undo {
        /// The cell.
        cell: CellName,
        /// The colour that it loses.
        color: Digit,
    },
    /// Every cell is coloured.
    Solved {},
}

#[cfg(test)]
mod tests {
    use super::TraceFile;
    use crate::puzzle::{Color, Puzzle, bundled};
    use crate::trace::{self, Conflict, Event, Stats, Status, Trace, TraceGraph};

    fn fits(text: &str) -> Result<TraceFile, serde_json::Error> {
        serde_json::from_str(text)
    }

    fn written(trace: &Trace) -> String {
        let mut bytes = Vec::new();
        trace::write(trace, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// A trace with every kind of field and event in it; its search makes no sense.
    fn full(puzzle: Puzzle) -> Trace {
        let cells = puzzle.cells().to_vec();
        let colors: Vec<Color> = vec![1; cells.len()];
        Trace {
            graph: TraceGraph {
                vertices: cells.clone(),
                edges: vec![(0, 1)],
            },
            status: Status::Ambiguous,
            unique: Some(false),
            solution: Some(colors.clone()),
            second_solution: Some(colors),
            dead_cell: Some(cells[0]),
            conflicts: vec![Conflict {
                cells: vec![cells[0]],
                place: "row 1".to_string(),
            }],
            stats: Stats::default(),
            trace_complete: true,
            events: vec![
                Event::Assign {
                    vertex: 3,
                    color: 1,
                    saturation: 8,
                    legal: crate::puzzle::ColorSet::all(9),
                },
                Event::DeadEnd {
                    vertex: 4,
                    rule: Some(0),
                },
                Event::DeadEnd {
                    vertex: 4,
                    rule: None,
                },
                Event::Undo {
                    vertex: 3,
                    color: 1,
                },
                Event::Solved,
            ],
            puzzle,
        }
    }

    #[test]
    fn the_trace_of_every_bundled_puzzle_has_the_shape_of_the_schema() {
        for bundled in bundled::ALL {
            let solved = crate::solve::solve(&bundled.read().unwrap(), &Default::default());
            fits(&written(&solved.trace)).unwrap_or_else(|e| panic!("{}: {e}", bundled.name));
        }
    }

    #[test]
    fn written_traces_have_the_shape_of_the_schema() {
        let puzzle = bundled::find("demo").unwrap().read().unwrap();
        let mut trace = full(puzzle);
        fits(&written(&trace)).unwrap();
        trace.solution = None;
        trace.second_solution = None;
        trace.unique = None;
        trace.dead_cell = None;
        trace.conflicts.clear();
        trace.events.clear();
        let text = written(&trace);
        fits(&text).unwrap();
        assert!(fits(&text.replace("\"status\"", "\"statos\"")).is_err());
    }
}
