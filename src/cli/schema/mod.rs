//! `proofreel schema`: the JSON Schema of each file format, generated from types.
//!
//! The manifest and the audit report are written from their types, which therefore are the
//! schema. Puzzles and traces are read by hand, since their errors name a path and a remedy;
//! their file shapes are mirrored here, and tests hold the mirrors to real files.

mod puzzle_file;
mod trace_file;

use std::io::Write;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::args::{SchemaArgs, SchemaFormat};
use super::{Exit, Tone};
use crate::{audit, manifest};

/// Prints the schema of one format.
pub fn run(args: &SchemaArgs, _tone: Tone) -> anyhow::Result<Exit> {
    let text = serde_json::to_string_pretty(&schema(args.format))?;
    writeln!(std::io::stdout().lock(), "{text}")?;
    Ok(Exit::Done)
}

fn schema(format: SchemaFormat) -> Schema {
    match format {
        SchemaFormat::Puzzle => of::<puzzle_file::PuzzleFile>("proofreel puzzle, format_version 1"),
        SchemaFormat::Trace => of::<trace_file::TraceFile>("proofreel trace, version 1"),
        SchemaFormat::Manifest => of::<manifest::Manifest>("proofreel film manifest, version 1"),
        SchemaFormat::Report => of::<audit::Report>("proofreel audit report, version 1"),
    }
}

fn of<T: JsonSchema>(title: &str) -> Schema {
    let mut schema = SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>();
    schema.insert("title".to_string(), title.into());
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every object with named properties in a schema, with the path to it.
    fn objects(value: &serde_json::Value, path: &str, found: &mut Vec<(String, bool)>) {
        if let Some(map) = value.as_object() {
            if map.contains_key("properties") {
                let closed = map.get("additionalProperties") == Some(&false.into());
                found.push((path.to_string(), closed));
            }
            for (key, value) in map {
                objects(value, &format!("{path}/{key}"), found);
            }
        }
        for (i, value) in value.as_array().into_iter().flatten().enumerate() {
            objects(value, &format!("{path}/{i}"), found);
        }
    }

    #[test]
    fn the_puzzle_schema_knows_every_rule_family_and_closes_every_object() {
        let schema = serde_json::to_value(schema(SchemaFormat::Puzzle)).unwrap();
        let text = schema.to_string();
        for family in [
            "house",
            "contains",
            "appears",
            "clone",
            "isomorphic",
            "count",
            "distinct_count",
            "global_entropy",
            "equal_sum",
            "vudoku",
        ] {
            assert!(
                text.contains(&format!("\"const\":\"{family}\"")),
                "{family}"
            );
        }
        let mut found = Vec::new();
        objects(&schema, "", &mut found);
        assert!(found.len() >= 12, "{found:?}");
        // In parts of a `oneOf` that only say which fields there must be, nothing is listed.
        assert!(found.iter().all(|(_, closed)| *closed), "{found:?}");
        assert_eq!(schema["required"], serde_json::json!(["format_version"]));
    }

    #[test]
    fn each_format_has_a_schema_with_its_own_required_fields() {
        for (format, fields) in [
            (
                SchemaFormat::Trace,
                &["format", "version", "puzzle", "graph", "status", "events"][..],
            ),
            (
                SchemaFormat::Manifest,
                &["format", "version", "film", "palette", "layout", "states"],
            ),
            (
                SchemaFormat::Report,
                &["format", "version", "verdict", "checks", "findings"],
            ),
        ] {
            let schema = serde_json::to_value(schema(format)).unwrap();
            let required = schema["required"].as_array().unwrap();
            for field in fields {
                assert!(required.iter().any(|r| r == field), "{format:?} {field}");
            }
            assert_eq!(
                schema["$schema"],
                "https://json-schema.org/draft/2020-12/schema"
            );
        }
    }
}
