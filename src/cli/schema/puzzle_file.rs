//! The shape of a puzzle file.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// A cell by its 1-based row and column, such as r3c7.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct CellName(#[schemars(regex(pattern = r"^r[1-9][0-9]{0,3}c[1-9][0-9]{0,3}$"))] pub String);

/// One or more different cells.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "only its shape is used, for the schema")]
pub struct Cells(#[schemars(length(min = 1), extend("uniqueItems" = true))] pub Vec<CellName>);

/// A puzzle. What is not listed here is refused by readers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct PuzzleFile {
    /// Always 1.
    #[schemars(extend("const" = 1))]
    pub format_version: u32,
    /// Words about the puzzle; they change no rule.
    #[serde(default)]
    pub meta: MetaFile,
    /// D: digits run from 1 to this.
    #[serde(default = "nine")]
    #[schemars(range(min = 1, max = 16))]
    pub digits: u8,
    /// The grids whose cells exist; overlapping grids share cells. At most 512 cells together.
    #[serde(default = "one_grid")]
    #[schemars(length(min = 1, max = 512))]
    pub grids: Vec<GridFile>,
    /// The digits that are given, by cell.
    #[serde(default)]
    #[schemars(extend("propertyNames" = {"pattern": "^r[1-9][0-9]{0,3}c[1-9][0-9]{0,3}$"}))]
    pub givens: BTreeMap<String, Digit>,
    /// Rules beyond the grids' houses.
    #[serde(default)]
    pub rules: Vec<RuleFile>,
    /// Hints for drawing; they change no rule.
    #[serde(default)]
    pub style: BTreeMap<String, serde_json::Value>,
    /// Decorations; they change no rule.
    #[serde(default)]
    pub decorations: Vec<serde_json::Value>,
}

fn nine() -> u8 {
    9
}

fn one_grid() -> Vec<GridFile> {
    vec![GridFile::default()]
}

/// A digit, 1 to `digits`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "only its shape is used, for the schema")]
pub struct Digit(#[schemars(range(min = 1, max = 16))] pub u8);

/// Words about a puzzle.
#[derive(Debug, Default, serde::Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MetaFile {
    /// Shown in lists and in the film's metadata.
    pub title: String,
    /// Who set the puzzle.
    pub author: String,
    /// The variant's customary name; never a rule.
    pub r#type: String,
}

/// One rectangular grid.
#[derive(Debug, serde::Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GridFile {
    /// Its top left cell.
    #[schemars(regex(pattern = r"^r[1-9][0-9]{0,3}c[1-9][0-9]{0,3}$"))]
    pub at: String,
    /// Number of rows.
    #[schemars(range(min = 1, max = 512))]
    pub rows: u16,
    /// Number of columns.
    #[schemars(range(min = 1, max = 512))]
    pub cols: u16,
    /// Rows and columns of one box.
    pub r#box: [BoxSize; 2],
    /// Which of its lines and boxes are houses.
    #[schemars(extend("uniqueItems" = true))]
    pub houses: Vec<HouseKind>,
}

/// Rows or columns of one box.
#[derive(Debug, serde::Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct BoxSize(#[schemars(range(min = 1, max = 512))] pub u16);

/// Sets of cells of a grid that all differ.
#[derive(Debug, serde::Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HouseKind {
    /// Each row.
    Rows,
    /// Each column.
    Cols,
    /// Each box.
    Boxes,
}

impl Default for GridFile {
    fn default() -> Self {
        GridFile {
            at: "r1c1".to_string(),
            rows: 9,
            cols: 9,
            r#box: [BoxSize(3), BoxSize(3)],
            houses: vec![HouseKind::Rows, HouseKind::Cols, HouseKind::Boxes],
        }
    }
}

/// One rule beyond the grids' houses.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "its shape alone is used")]
pub enum RuleFile {
    /// The cells all differ.
    House {
        /// At most D cells.
        cells: Cells,
    },
    /// Every listed digit appears among the cells at least as often as it is listed.
    Contains {
        /// A multiset of digits.
        #[schemars(length(min = 1))]
        digits: Vec<Digit>,
        /// Where.
        cells: Cells,
    },
    /// The digit in the source appears in at least one of the cells.
    Appears {
        /// The cell that points.
        source: CellName,
        /// The cells that it points at.
        cells: Cells,
    },
    /// Corresponding cells of all regions are equal.
    Clone {
        /// Equally long ordered regions.
        #[schemars(length(min = 2))]
        regions: Vec<Cells>,
    },
    /// One relabelling of the digits maps the first region to the second.
    Isomorphic {
        /// Equally long ordered regions.
        regions: [Cells; 2],
    },
    /// How often digits appear among the cells.
    Count(CountFile),
    /// How many different digits are among the cells.
    DistinctCount {
        /// How many.
        #[schemars(range(min = 1, max = 512))]
        value: u16,
        /// With a side, an outside clue, the cells in order from that side.
        #[serde(default)]
        side: Option<SideFile>,
        /// Where.
        cells: Cells,
    },
    /// Every 2×2 window of existing cells holds a low, a middle and a high digit.
    GlobalEntropy {},
    /// All segments have the same sum.
    EqualSum {
        /// Sets of cells.
        #[schemars(length(min = 2))]
        segments: Vec<Cells>,
    },
    /// The vertex digit is the sum or the difference of the two arm digits.
    Vudoku {
        /// Vertex, arm, arm.
        cells: [CellName; 3],
    },
}

/// How often digits appear: exactly one of each, counts and kind. The cells of each and counts
/// are not exactly a house.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["each"]}, {"required": ["counts"]}, {"required": ["kind"]}]))]
#[expect(dead_code, reason = "its shape alone is used")]
pub struct CountFile {
    /// Every digit appears exactly this often.
    #[serde(default)]
    #[schemars(with = "u16", range(min = 0, max = 512))]
    pub each: Option<u16>,
    /// Pairs [digit, times]: these digits appear exactly that often.
    #[serde(default)]
    #[schemars(with = "Vec<(Digit, u16)>", length(min = 1))]
    pub counts: Option<Vec<(Digit, u16)>>,
    /// "circles": a digit that appears does so exactly as often as its value.
    #[serde(default)]
    #[schemars(with = "CountKindFile")]
    pub kind: Option<CountKindFile>,
    /// Where.
    pub cells: Cells,
}

/// Named counts.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CountKindFile {
    /// A digit that appears does so exactly as often as its value.
    Circles,
}

/// A side of the board.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SideFile {
    /// Above.
    Top,
    /// Below.
    Bottom,
    /// Left.
    Left,
    /// Right.
    Right,
}

#[cfg(test)]
mod tests {
    use super::PuzzleFile;
    use crate::puzzle::{bundled, json};

    fn fits(value: serde_json::Value) -> Result<PuzzleFile, serde_json::Error> {
        serde_json::from_value(value)
    }

    #[test]
    fn every_bundled_puzzle_as_json_has_the_shape_of_the_schema() {
        for bundled in bundled::ALL {
            let written = json::to_json(&bundled.read().unwrap());
            fits(written).unwrap_or_else(|e| panic!("{}: {e}", bundled.name));
        }
    }

    #[test]
    fn every_shared_case_has_the_shape_of_the_schema() {
        let folder = std::env::var("PROOFREEL_CASES").unwrap_or_else(|_| {
            concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases").to_string()
        });
        let Ok(text) = std::fs::read_to_string(format!("{folder}/puzzles.json")) else {
            eprintln!("skipped: no puzzles.json in {folder}");
            return;
        };
        let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        for case in cases {
            if let Ok(puzzle) = json::from_value(&case["puzzle"], "") {
                fits(case["puzzle"].clone()).unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
                fits(json::to_json(&puzzle)).unwrap_or_else(|e| panic!("{}: {e}", case["name"]));
            }
        }
    }

    #[test]
    fn what_the_reader_refuses_for_its_shape_does_not_fit_either() {
        for text in [
            r#"{"digits": 9}"#,
            r#"{"format_version": 1, "regions": []}"#,
            r#"{"format_version": 1, "digits": {"max": 9}}"#,
            r#"{"format_version": 1, "meta": 3}"#,
            r#"{"format_version": 1, "grids": [{"regions": []}]}"#,
            r#"{"format_version": 1, "rules": [{"type": "custom"}]}"#,
            r#"{"format_version": 1, "rules": [{"type": "house", "cells": ["r1c1"], "x": 1}]}"#,
            r#"{"format_version": 1, "rules": [{"type": "global_entropy", "cells": []}]}"#,
            r#"{"format_version": 1, "rules": [{"type": "count", "kind": "squares", "cells": ["r1c1"]}]}"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert!(json::from_value(&value, "").is_err(), "{text}");
            assert!(fits(value).is_err(), "{text}");
        }
    }
}
