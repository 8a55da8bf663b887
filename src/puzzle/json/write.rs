//! From a puzzle to its JSON, the same bytes each time.

use serde_json::{Map, Value, json};

use super::VERSION;
use crate::puzzle::{Cell, CountKind, Grid, Puzzle, Rule, Side};

/// The puzzle as the JSON that [`super::from_value`] reads back as the same puzzle. All fields
/// are written, in the order of the format; givens in reading order.
pub fn to_json(puzzle: &Puzzle) -> Value {
    let givens: Map<String, Value> = puzzle
        .givens
        .iter()
        .map(|(cell, color)| (cell.to_string(), Value::from(*color)))
        .collect();
    json!({
        "format_version": VERSION,
        "meta": {
            "title": puzzle.meta.title,
            "author": puzzle.meta.author,
            "type": puzzle.meta.kind,
        },
        "digits": puzzle.digits,
        "grids": puzzle.grids.iter().map(grid).collect::<Vec<_>>(),
        "givens": givens,
        "rules": puzzle.rules.iter().map(rule).collect::<Vec<_>>(),
        "style": puzzle.style,
        "decorations": puzzle.decorations,
    })
}

fn grid(grid: &Grid) -> Value {
    let houses: Vec<&str> = [
        (grid.row_houses, "rows"),
        (grid.col_houses, "cols"),
        (grid.box_houses, "boxes"),
    ]
    .into_iter()
    .filter(|(on, _)| *on)
    .map(|(_, name)| name)
    .collect();
    json!({
        "at": grid.at.to_string(),
        "rows": grid.rows,
        "cols": grid.cols,
        "box": [grid.boxed.0, grid.boxed.1],
        "houses": houses,
    })
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

fn lists(lists: &[Vec<Cell>]) -> Vec<Vec<String>> {
    lists.iter().map(|cells| names(cells)).collect()
}

fn rule(rule: &Rule) -> Value {
    match rule {
        Rule::House { cells } => json!({"type": "house", "cells": names(cells)}),
        Rule::Contains { digits, cells } => {
            json!({"type": "contains", "digits": digits, "cells": names(cells)})
        }
        Rule::Appears { source, cells } => {
            json!({"type": "appears", "source": source.to_string(), "cells": names(cells)})
        }
        Rule::Clone { regions } => json!({"type": "clone", "regions": lists(regions)}),
        Rule::Isomorphic { regions } => json!({"type": "isomorphic", "regions": lists(regions)}),
        Rule::Count { kind, cells } => match kind {
            CountKind::Each(times) => {
                json!({"type": "count", "each": times, "cells": names(cells)})
            }
            CountKind::Counts(counts) => {
                json!({"type": "count", "counts": counts, "cells": names(cells)})
            }
            CountKind::Circles => {
                json!({"type": "count", "kind": "circles", "cells": names(cells)})
            }
        },
        Rule::DistinctCount {
            value,
            side: None,
            cells,
        } => json!({"type": "distinct_count", "value": value, "cells": names(cells)}),
        Rule::DistinctCount {
            value,
            side: Some(side),
            cells,
        } => json!({
            "type": "distinct_count",
            "value": value,
            "side": side_name(*side),
            "cells": names(cells),
        }),
        Rule::GlobalEntropy => json!({"type": "global_entropy"}),
        Rule::EqualSum { segments } => json!({"type": "equal_sum", "segments": lists(segments)}),
        Rule::Vudoku { cells } => json!({"type": "vudoku", "cells": names(cells)}),
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Top => "top",
        Side::Bottom => "bottom",
        Side::Left => "left",
        Side::Right => "right",
    }
}
