use super::*;

/// The puzzles of the shared case file, where it is there.
fn cases() -> Option<Vec<serde_json::Value>> {
    let folder = std::env::var("PROOFREEL_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/cases").to_string());
    let Ok(text) = std::fs::read_to_string(format!("{folder}/puzzles.json")) else {
        eprintln!("skipped: no puzzles.json in {folder}");
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn every_case_is_read_and_written_back_as_the_same_puzzle() {
    let Some(cases) = cases() else { return };
    assert!(cases.len() >= 73);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        match from_value(&case["puzzle"], "") {
            Ok(puzzle) => {
                let written = to_json(&puzzle);
                assert_eq!(from_value(&written, "").unwrap(), puzzle, "{name}");
                assert_eq!(
                    serde_json::to_string(&written).unwrap(),
                    serde_json::to_string(&to_json(&from_value(&written, "").unwrap())).unwrap()
                );
                if let Some(text) = case.get("text").and_then(|t| t.as_str()) {
                    let read = crate::puzzle::read(text.as_bytes(), name).unwrap();
                    assert_eq!(read[0].givens, puzzle.givens, "{name}");
                }
            }
            Err(error) => assert_eq!(case["expect"]["or_refused"], true, "{name}: {error}"),
        }
    }
}

/// The message for this file, which must name this JSON path.
fn refused(json: &str, path: &str) -> String {
    match crate::puzzle::read(json.as_bytes(), "f.json") {
        Ok(_) => panic!("accepted: {json}"),
        Err(error) => {
            let said = error.to_string();
            assert!(
                said.starts_with(&format!("f.json, {path}: ")),
                "{said}\nexpected the path {path}"
            );
            said
        }
    }
}

/// A refusal of the first rule of a classic puzzle, at this path below it.
fn rule_refused(rule: &str, path: &str) -> String {
    refused(
        &format!("{{\"format_version\": 1, \"rules\": [{rule}]}}"),
        &format!("rules[0]{path}"),
    )
}

fn with(fields: &str) -> String {
    format!("{{\"format_version\": 1, {fields}}}")
}

fn accepted(json: &str) -> Puzzle {
    let mut puzzles = crate::puzzle::read(json.as_bytes(), "f.json").unwrap();
    assert_eq!(from_value(&to_json(&puzzles[0]), "").unwrap(), puzzles[0]);
    puzzles.remove(0)
}

#[test]
fn defaults_are_the_empty_classic_puzzle() {
    assert_eq!(accepted("{\"format_version\": 1}"), Puzzle::classic());
}

#[test]
fn the_example_of_the_format_is_read() {
    let puzzle = accepted(
        r#"{
        "format_version": 1,
        "meta": {"title": "Two blocks", "author": "", "type": "quadruple"},
        "digits": 9,
        "grids": [{"at": "r1c1", "rows": 9, "cols": 9, "box": [3, 3],
                   "houses": ["rows", "cols", "boxes"]}],
        "givens": {"r1c2": 3},
        "rules": [{"type": "contains", "digits": [1, 9], "cells": ["r1c1", "r1c2", "r2c1", "r2c2"]}],
        "style": {}, "decorations": []
    }"#,
    );
    assert_eq!(puzzle.meta.title, "Two blocks");
    assert_eq!(puzzle.meta.kind, "quadruple");
    assert_eq!(puzzle.rules.len(), 1);
}

#[test]
fn each_refusal_has_a_message_and_path_of_its_own() {
    let mut messages = std::collections::BTreeSet::new();
    for (rule, path, part) in [
        (r#"{"type": "sum"}"#, ".type", "variant"),
        (r#"{"type": "zigzag"}"#, ".type", "not known"),
        (r#"{"type": "com.example:my_rule"}"#, ".type", "vendor"),
        (r#"{"type": "custom", "code": 1}"#, ".type", "reserved"),
        (r#"{"type": "table", "rows": []}"#, ".type", "reserved"),
        (r#"{"type": "allowed"}"#, ".type", "operator"),
        (r#"{"type": "Argyle"}"#, ".type", "meta.type"),
        (r#"{"type": "Windoku"}"#, ".type", "house rule"),
        (r#"{"type": "quadruple"}"#, ".type", "contains rule"),
        (r#"{"type": "Contains"}"#, ".type", "write \"contains\""),
        (
            r#"{"type": "isomorph1c"}"#,
            ".type",
            "is \"isomorphic\" meant",
        ),
        (r#"{"type": 7}"#, ".type", "must be the name of a rule type"),
        (r#"{"cells": ["r1c1"]}"#, "", "\"type\" is missing"),
        (
            r#"{"type": "house", "cells": ["r1c1"], "weight": 2}"#,
            ".weight",
            "not known",
        ),
        (
            r#"{"type": "house", "cells": ["r1c1"], "allowed": [1]}"#,
            ".allowed",
            "operator",
        ),
        (
            r#"{"type": "house", "cells": ["r1c1"], "op": "allowed"}"#,
            ".op",
            "operator",
        ),
        (r#"["house"]"#, "", "a list"),
    ] {
        let said = rule_refused(rule, path);
        assert!(said.contains(part), "{said}\nexpected {part}");
        assert!(messages.insert(said.clone()), "the same twice: {said}");
    }
    for (fields, path, part) in [
        (r#""regions": [[1]]"#, "regions", "not known"),
        (r#""digits": {"min": 1, "max": 9}"#, "digits", "object"),
        (r#""digits": 17"#, "digits", "1 to 16"),
        (r#""digits": 0"#, "digits", "1 to 16"),
        (r#""digits": 9.0"#, "digits", "not a whole number"),
        (r#""digits": "9""#, "digits", "the text \"9\""),
        (r#""meta": []"#, "meta", "a list"),
        (r#""meta": {"title": 3}"#, "meta.title", "the number 3"),
        (r#""meta": {"source": "x"}"#, "meta.source", "not known"),
        (r#""style": []"#, "style", "drawing hints"),
        (
            r#""decorations": {}"#,
            "decorations",
            "a list of decorations",
        ),
        (r#""givens": ["r1c1"]"#, "givens", "a list"),
        (r#""givens": {"r1c1": 10}"#, "givens.r1c1", "out of range"),
        (r#""givens": {"r1c1": -1}"#, "givens.r1c1", "-1"),
        (r#""givens": {"r1c1": null}"#, "givens.r1c1", "null"),
        (r#""givens": {"r10c1": 1}"#, "givens.r10c1", "in no grid"),
        (r#""givens": {"r01c1": 1}"#, "givens.r01c1", "cell name"),
        (r#""givens": {"A1": 1}"#, "givens.A1", "cell name"),
        (
            r#""givens": {"r１c1": 1}"#,
            "givens[\"r１c1\"]",
            "cell name",
        ),
        (r#""rules": {}"#, "rules", "a list of rules"),
        (r#""grids": []"#, "grids", "empty"),
        (
            r#""grids": [{"regions": 1}]"#,
            "grids[0].regions",
            "not known",
        ),
        (r#""grids": [{"rows": 10}]"#, "grids[0]", "only 9 digits"),
        (r#""grids": [{"rows": 8}]"#, "grids[0]", "do not tile"),
        (
            r#""grids": [{"box": [3]}]"#,
            "grids[0].box",
            "[rows, columns]",
        ),
        (
            r#""grids": [{"box": [0, 3]}]"#,
            "grids[0].box[0]",
            "out of range",
        ),
        (
            r#""grids": [{"houses": ["diagonals"]}]"#,
            "grids[0].houses[0]",
            "rows, cols, boxes",
        ),
        (
            r#""grids": [{"houses": ["rows", "rows"]}]"#,
            "grids[0].houses[1]",
            "twice",
        ),
        (
            r#""grids": [{"at": "r9999c9999"}]"#,
            "grids[0]",
            "r9999c9999",
        ),
        (
            r#""grids": [{"at": "r1c10000"}]"#,
            "grids[0].at",
            "cell name",
        ),
        (
            r#""grids": [{"rows": 30, "cols": 30, "houses": []}]"#,
            "grids[0]",
            "512",
        ),
        (r#""digits": 4"#, "grids", "only 4 digits"),
        (r#""op": "allowed""#, "op", "reserved"),
    ] {
        let said = refused(&with(fields), path);
        assert!(said.contains(part), "{said}\nexpected {part}");
        assert!(messages.insert(said.clone()), "the same twice: {said}");
    }
    assert!(refused("{}", "top level").contains("format_version"));
    assert!(refused("{\"format_version\": 2, \"x\": 1}", "format_version").contains("2"));
    assert!(refused("[{\"format_version\": 1}]", "top level").contains("a list"));
}

#[test]
fn every_check_of_every_family_is_made() {
    for (rule, path, part) in [
        (
            r#"{"type": "house", "cells": ["r1c1", "r1c2", "r1c1"]}"#,
            ".cells[2]",
            "twice",
        ),
        (
            r#"{"type": "house", "cells": ["r1c1", "r1c10"]}"#,
            ".cells[1]",
            "in no grid",
        ),
        (r#"{"type": "house", "cells": []}"#, ".cells", "empty"),
        (r#"{"type": "house"}"#, "", "\"cells\" is missing"),
        (
            r#"{"type": "house", "cells": ["r1c1","r1c2","r1c3","r1c4","r1c5","r1c6","r1c7","r1c8","r1c9","r2c1"]}"#,
            ".cells",
            "only 9 digits",
        ),
        (
            r#"{"type": "contains", "digits": [], "cells": ["r1c1"]}"#,
            ".digits",
            "empty",
        ),
        (
            r#"{"type": "contains", "digits": [0], "cells": ["r1c1"]}"#,
            ".digits[0]",
            "1 to 9",
        ),
        (
            r#"{"type": "contains", "digits": [1, 10], "cells": ["r1c1"]}"#,
            ".digits[1]",
            "1 to 9",
        ),
        (
            r#"{"type": "contains", "digits": 1, "cells": ["r1c1"]}"#,
            ".digits",
            "a list of digits",
        ),
        (
            r#"{"type": "appears", "cells": ["r1c1"]}"#,
            "",
            "\"source\" is missing",
        ),
        (
            r#"{"type": "appears", "source": "r1c1", "cells": ["r1c2", "r1c1"]}"#,
            ".cells",
            "say nothing",
        ),
        (
            r#"{"type": "appears", "source": ["r1c1"], "cells": ["r1c2"]}"#,
            ".source",
            "a list",
        ),
        (
            r#"{"type": "clone", "regions": [["r1c1"]]}"#,
            ".regions",
            "at least two",
        ),
        (
            r#"{"type": "clone", "regions": [["r1c1"], ["r1c2", "r1c3"]]}"#,
            ".regions[1]",
            "equal length",
        ),
        (
            r#"{"type": "clone", "regions": [["r1c1"], ["r5c5", "r5c5"]]}"#,
            ".regions[1][1]",
            "twice",
        ),
        (
            r#"{"type": "isomorphic", "regions": [["r1c1"], ["r1c2"], ["r1c3"]]}"#,
            ".regions",
            "exactly two",
        ),
        (
            r#"{"type": "isomorphic", "regions": [["r1c1", "r1c2"], ["r1c2"]]}"#,
            ".regions[1]",
            "equal length",
        ),
        (
            r#"{"type": "count", "cells": ["r1c1"]}"#,
            "",
            "none of them",
        ),
        (
            r#"{"type": "count", "each": 1, "kind": "circles", "cells": ["r1c1"]}"#,
            "",
            "each and kind",
        ),
        (
            r#"{"type": "count", "kind": "squares", "cells": ["r1c1"]}"#,
            ".kind",
            "circles",
        ),
        (
            r#"{"type": "count", "each": 1.5, "cells": ["r1c1"]}"#,
            ".each",
            "whole number",
        ),
        (
            r#"{"type": "count", "each": 70000, "cells": ["r1c1"]}"#,
            ".each",
            "out of range",
        ),
        (
            r#"{"type": "count", "counts": [], "cells": ["r1c1"]}"#,
            ".counts",
            "empty",
        ),
        (
            r#"{"type": "count", "counts": [[1]], "cells": ["r1c1"]}"#,
            ".counts[0]",
            "pair",
        ),
        (
            r#"{"type": "count", "counts": [[1, 1], [1, 2]], "cells": ["r1c1"]}"#,
            ".counts[1][0]",
            "twice",
        ),
        (
            r#"{"type": "count", "counts": [[10, 1]], "cells": ["r1c1"]}"#,
            ".counts[0][0]",
            "1 to 9",
        ),
        (
            r#"{"type": "count", "each": 1, "cells": ["r1c3","r1c1","r1c2","r2c1","r2c2","r2c3","r3c1","r3c2","r3c3"]}"#,
            "",
            "exactly a house",
        ),
        (
            r#"{"type": "count", "counts": [[1, 1]], "cells": ["r1c1","r2c1","r3c1","r4c1","r5c1","r6c1","r7c1","r8c1","r9c1"]}"#,
            "",
            "exactly a house",
        ),
        (
            r#"{"type": "distinct_count", "cells": ["r1c1"]}"#,
            "",
            "\"value\" is missing",
        ),
        (
            r#"{"type": "distinct_count", "value": 0, "cells": ["r1c1"]}"#,
            ".value",
            "out of range",
        ),
        (
            r#"{"type": "distinct_count", "value": 1, "side": "north", "cells": ["r1c1"]}"#,
            ".side",
            "top, bottom",
        ),
        (
            r#"{"type": "global_entropy", "cells": []}"#,
            ".cells",
            "not known",
        ),
        (
            r#"{"type": "equal_sum", "segments": [["r1c1"]]}"#,
            ".segments",
            "at least two",
        ),
        (
            r#"{"type": "equal_sum", "segments": [["r1c1"], []]}"#,
            ".segments[1]",
            "empty",
        ),
        (
            r#"{"type": "vudoku", "cells": ["r1c1", "r1c2"]}"#,
            ".cells",
            "has three",
        ),
        (
            r#"{"type": "vudoku", "cells": ["r1c1", "r1c2", "r1c1"]}"#,
            ".cells[2]",
            "twice",
        ),
    ] {
        let said = rule_refused(rule, path);
        assert!(said.contains(part), "{said}\nexpected {part}");
    }
    let eight = r#""digits": 8, "grids": [{"rows": 8, "cols": 8, "box": [2, 4]}], "rules": [{"type": "global_entropy"}]"#;
    assert!(refused(&with(eight), "rules[0]").contains("divisible by 3"));
    // A house of a rule counts as a house, also where it comes later.
    let later = r#""rules": [{"type": "count", "each": 1, "cells": ["r1c1", "r5c5"]}, {"type": "house", "cells": ["r5c5", "r1c1"]}]"#;
    assert!(refused(&with(later), "rules[0]").contains("exactly a house"));
    // Circles may fill a house.
    accepted(&with(
        r#""rules": [{"type": "count", "kind": "circles", "cells": ["r1c1","r1c2","r1c3","r1c4","r1c5","r1c6","r1c7","r1c8","r1c9"]}]"#,
    ));
}

#[test]
fn grids_of_other_sizes_and_places_are_read() {
    let twins = accepted(&with(r#""grids": [{"at": "r1c1"}, {"at": "r1c11"}]"#));
    assert_eq!(twins.cells().len(), 162);
    let overlapping = accepted(&with(r#""grids": [{}, {"at": "r7c7"}]"#));
    assert_eq!(overlapping.cells().len(), 81 + 81 - 9);
    let sixteen = accepted(&with(
        r#""digits": 16, "grids": [{"rows": 16, "cols": 16, "box": [4, 4]}], "givens": {"r16c16": 16}"#,
    ));
    assert_eq!(sixteen.cells().len(), 256);
    let four = accepted(&with(
        r#""digits": 4, "grids": [{"at": "r9996c9996", "rows": 4, "cols": 4, "box": [2, 2]}]"#,
    ));
    assert_eq!(four.cells()[15].to_string(), "r9999c9999");
    let latin = accepted(&with(
        r#""digits": 5, "grids": [{"rows": 5, "cols": 5, "houses": ["rows", "cols"]}]"#,
    ));
    assert!(!latin.grids[0].box_houses);
    let most = accepted(&with(
        r#""digits": 1, "grids": [{"rows": 16, "cols": 32, "houses": []}]"#,
    ));
    assert_eq!(most.cells().len(), crate::puzzle::MAX_CELLS);
}

#[test]
fn broken_json_names_line_and_column() {
    let syntax = |text: &str| {
        let said = crate::puzzle::read(text.as_bytes(), "f.json")
            .unwrap_err()
            .to_string();
        assert!(said.starts_with("f.json, line "), "{said}");
        said
    };
    assert!(
        syntax("{\"format_version\": 1,\n \"givens\": {\"r1c1\": 5").contains("ends too early")
    );
    assert!(syntax("{\"format_version\": 1,\n \"digits\": 09}").contains("line 2, column 13"));
    let said = syntax("{\"format_version\": 1,\n \"digits\": ９}");
    assert!(said.contains("line 2, column 12"), "{said}");
    let twice = syntax("{\"format_version\": 1,\n \"givens\": {\"r1c1\": 5, \"r1c1\": 6}}");
    assert!(
        twice.contains("\"r1c1\" stands twice") && twice.contains("line 2"),
        "{twice}"
    );
    assert!(syntax("{\"format_version\": 1} x").contains("trailing"));
    assert!(syntax(&"[".repeat(100_000)).contains("recursion"));
    assert!(syntax("{\"format_version\": 1e999}").contains("out of range"));
}

#[test]
fn a_prefix_leads_every_path() {
    let value: serde_json::Value = serde_json::from_str(&with(
        r#""rules": [{"type": "vudoku", "cells": ["r1c1", 4]}]"#,
    ))
    .unwrap();
    let error = from_value(&value, "puzzle").unwrap_err();
    assert_eq!(error.path, "puzzle.rules[0].cells[1]");
    let error = from_value(&serde_json::Value::Null, "puzzle").unwrap_err();
    assert_eq!(error.path, "puzzle");
}

mod properties {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::{Cell, CountKind, Grid, Rule, Side};

    /// Draws from a list of random numbers, around and around.
    struct Draw<'a>(&'a [u16], usize);

    impl Draw<'_> {
        fn below(&mut self, bound: usize) -> usize {
            self.1 += 1;
            usize::from(self.0[self.1 % self.0.len()]) % bound
        }

        fn cells(&mut self, all: &[Cell], count: usize) -> Vec<Cell> {
            let start = self.below(all.len());
            let count = count.clamp(1, all.len());
            (0..count).map(|i| all[(start + i) % all.len()]).collect()
        }
    }

    fn puzzle(numbers: &[u16], text: &str) -> Puzzle {
        let mut draw = Draw(numbers, 0);
        let digits = 3 + draw.below(14) as u8;
        let grids = (0..1 + draw.below(3))
            .map(|_| Grid {
                at: Cell {
                    row: 1 + draw.below(9990) as u16,
                    col: 1 + draw.below(9990) as u16,
                },
                rows: 1 + draw.below(usize::from(digits).min(9)) as u16,
                cols: 1 + draw.below(usize::from(digits).min(9)) as u16,
                boxed: (1, 1),
                row_houses: draw.below(2) == 0,
                col_houses: draw.below(2) == 0,
                box_houses: draw.below(2) == 0,
            })
            .collect();
        let mut puzzle = Puzzle::new(digits, grids);
        puzzle.meta.title = text.to_string();
        puzzle.style = serde_json::json!({ "note": text, "width": f64::from(numbers[0]) / 7.0 });
        let all = puzzle.cells().to_vec();
        for _ in 0..draw.below(9) {
            let color = 1 + draw.below(usize::from(digits)) as u8;
            puzzle.givens.insert(all[draw.below(all.len())], color);
        }
        for _ in 0..draw.below(12) {
            let size = 1 + draw.below(6);
            let color = 1 + draw.below(usize::from(digits)) as u8;
            let rule = match draw.below(9) {
                0 => Rule::House {
                    cells: draw.cells(&all, size.min(usize::from(digits))),
                },
                1 => Rule::Contains {
                    digits: vec![color; size],
                    cells: draw.cells(&all, size),
                },
                2 if all.len() > 1 => {
                    let mut cells = draw.cells(&all, size.max(2));
                    Rule::Appears {
                        source: cells.remove(0),
                        cells,
                    }
                }
                3 => Rule::Clone {
                    regions: (0..3).map(|_| draw.cells(&all, size)).collect(),
                },
                4 => Rule::Isomorphic {
                    regions: [draw.cells(&all, size), draw.cells(&all, size)],
                },
                5 => Rule::Count {
                    kind: CountKind::Circles,
                    cells: draw.cells(&all, size),
                },
                6 => Rule::DistinctCount {
                    value: size as u16,
                    side: [None, Some(Side::Top), Some(Side::Left)][draw.below(3)],
                    cells: draw.cells(&all, size),
                },
                7 => Rule::EqualSum {
                    segments: (0..2).map(|_| draw.cells(&all, size)).collect(),
                },
                _ if digits.is_multiple_of(3) => Rule::GlobalEntropy,
                _ => continue,
            };
            puzzle.rules.push(rule);
        }
        puzzle
    }

    /// JSON made of the words of the format, mostly wrong.
    fn near_json() -> impl Strategy<Value = serde_json::Value> {
        let word = prop::sample::select(vec![
            "r1c1",
            "r1c2",
            "r9c9",
            "r2c10",
            "rows",
            "cols",
            "boxes",
            "circles",
            "top",
            "house",
            "contains",
            "count",
            "clone",
            "vudoku",
            "equal_sum",
            "x:y",
            "custom",
            "Windoku",
            "",
        ]);
        let key = prop::sample::select(vec![
            "format_version",
            "meta",
            "digits",
            "grids",
            "givens",
            "rules",
            "style",
            "type",
            "decorations",
            "cells",
            "regions",
            "segments",
            "source",
            "each",
            "counts",
            "kind",
            "value",
            "side",
            "at",
            "box",
            "houses",
            "title",
            "r1c1",
            "allowed",
        ]);
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            (-2i64..20).prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            (0.0f64..3.0).prop_map(Into::into),
            word.prop_map(Into::into),
        ];
        leaf.prop_recursive(5, 60, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::Array),
                prop::collection::vec((key.clone(), inner), 0..6).prop_map(|entries| {
                    serde_json::Value::Object(
                        entries
                            .into_iter()
                            .map(|(k, v)| (k.to_string(), v))
                            .collect(),
                    )
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_as_the_same_puzzle(
            numbers in prop::collection::vec(any::<u16>(), 40..90),
            text in any::<String>(),
        ) {
            let puzzle = puzzle(&numbers, &text);
            let written = serde_json::to_string(&to_json(&puzzle)).unwrap();
            let read = crate::puzzle::read(written.as_bytes(), "f").unwrap();
            prop_assert_eq!(&read[0], &puzzle);
            prop_assert_eq!(serde_json::to_string(&to_json(&read[0])).unwrap(), written);
        }

        #[test]
        fn a_damaged_file_is_read_or_refused_without_a_panic(
            numbers in prop::collection::vec(any::<u16>(), 40..90),
            edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
        ) {
            let puzzle = puzzle(&numbers, "t");
            let mut bytes = serde_json::to_vec(&to_json(&puzzle)).unwrap();
            for (place, byte, kind) in edits {
                let place = place.index(bytes.len());
                match kind {
                    0 => bytes[place] = byte,
                    1 => bytes.insert(place, byte),
                    _ => bytes.truncate(place.max(1)),
                }
            }
            if let Err(error) = crate::puzzle::read(&bytes, "f") {
                prop_assert!(error.to_string().starts_with('f'));
            }
        }

        #[test]
        fn json_of_known_words_is_read_or_refused_without_a_panic(mut value in near_json()) {
            if let Some(map) = value.as_object_mut() {
                map.insert("format_version".to_string(), 1.into());
            }
            if let Ok(puzzle) = from_value(&value, "") {
                prop_assert_eq!(from_value(&to_json(&puzzle), "").unwrap(), puzzle);
            }
        }
    }
}
