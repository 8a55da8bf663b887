//! The rules of a puzzle file: each family's fields, checked.

use std::collections::BTreeSet;

use super::node::{Fields, Node};
use super::{Fault, JsonError, variant};
use crate::puzzle::{Cell, CountKind, MAX_CELLS, Puzzle, Rule, Side};

type Read<T> = Result<T, JsonError>;

/// The rule types of format version 1.
pub const TYPES: [&str; 10] = [
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
];

/// Reads all rules; `puzzle` has its grids already.
pub fn read(list: &[Node<'_>], puzzle: &Puzzle) -> Read<Vec<Rule>> {
    let rules = list
        .iter()
        .map(|node| rule(node, puzzle))
        .collect::<Read<Vec<Rule>>>()?;
    let mut houses = None;
    for (node, rule) in list.iter().zip(&rules) {
        let Rule::Count { kind, cells } = rule else {
            continue;
        };
        let cells: BTreeSet<Cell> = cells.iter().copied().collect();
        let houses = houses.get_or_insert_with(|| all_houses(puzzle, &rules));
        if *kind != CountKind::Circles && houses.contains(&cells) {
            return node.fail(Fault::CountIsHouse);
        }
    }
    Ok(rules)
}

fn rule(node: &Node<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let map = node.object("a rule object")?;
    let Some(value) = map.get("type") else {
        return node.fail(Fault::Missing("type"));
    };
    let kind = Node::new(value, format!("{}.type", node.path));
    let name = kind.string("the name of a rule type")?;
    let fields = |known: &[&str]| {
        let known: Vec<&str> = ["type"].iter().chain(known).copied().collect();
        Fields::new(node, "a rule object", &known)
    };
    Ok(match name {
        "house" => house(&fields(&["cells"])?, puzzle)?,
        "contains" => contains(&fields(&["digits", "cells"])?, puzzle)?,
        "appears" => appears(&fields(&["source", "cells"])?, puzzle)?,
        "clone" => Rule::Clone {
            regions: regions(&fields(&["regions"])?, puzzle)?.1,
        },
        "isomorphic" => isomorphic(&fields(&["regions"])?, puzzle)?,
        "count" => count(node, &fields(&["each", "counts", "kind", "cells"])?, puzzle)?,
        "distinct_count" => distinct_count(&fields(&["value", "side", "cells"])?, puzzle)?,
        "global_entropy" => {
            fields(&[])?;
            if !puzzle.digits.is_multiple_of(3) {
                return node.fail(Fault::NoThirds(puzzle.digits));
            }
            Rule::GlobalEntropy
        }
        "equal_sum" => equal_sum(&fields(&["segments"])?, puzzle)?,
        "vudoku" => vudoku(&fields(&["cells"])?, puzzle)?,
        _ => return kind.fail(refusal(name)),
    })
}

/// Why a rule type is refused: each kind has a message of its own.
fn refusal(name: &str) -> Fault {
    let found: String = name.chars().take(60).collect();
    let lower = name.to_ascii_lowercase();
    if name.contains(':') {
        return Fault::VendorRule(found);
    }
    match lower.as_str() {
        "custom" | "table" => return Fault::ReservedRule(found),
        "allowed" => return Fault::ReservedOperator,
        _ => {}
    }
    // A known type in other spelling is a slip, not a variant.
    let plain = lower.replace(['-', ' '], "_");
    if let Some(near) = TYPES.iter().find(|t| **t == plain) {
        return Fault::UnknownRule {
            found,
            hint: format!("write {near:?}"),
        };
    }
    if let Some(hint) = variant::hint(name) {
        return Fault::VariantName { found, hint };
    }
    let hint = match crate::puzzle::nearest(&plain, TYPES.iter().copied()) {
        Some(near) => format!("is {near:?} meant?"),
        None => format!("known are {}", TYPES.join(", ")),
    };
    Fault::UnknownRule { found, hint }
}

fn house(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let node = fields.need("cells")?;
    let cells = node.cells(puzzle)?;
    if cells.len() > usize::from(puzzle.digits) {
        return node.fail(Fault::HouseTooLarge {
            place: "this house",
            cells: cells.len(),
            digits: puzzle.digits,
            remedy: "name fewer cells or raise digits",
        });
    }
    Ok(Rule::House { cells })
}

fn contains(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let node = fields.need("digits")?;
    let items = node.list("a list of digits")?;
    if items.is_empty() {
        return node.fail(Fault::EmptyList("list at least one digit"));
    }
    if items.len() > MAX_CELLS {
        return node.fail(Fault::TooMany {
            found: items.len(),
            what: "digits",
            most: MAX_CELLS,
        });
    }
    Ok(Rule::Contains {
        digits: items
            .iter()
            .map(|item| item.color(puzzle.digits))
            .collect::<Read<_>>()?,
        cells: fields.need("cells")?.cells(puzzle)?,
    })
}

fn appears(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let source = fields.need("source")?.cell(puzzle)?;
    let node = fields.need("cells")?;
    let cells = node.cells(puzzle)?;
    if cells.contains(&source) {
        return node.fail(Fault::SourceInCells(source));
    }
    Ok(Rule::Appears { source, cells })
}

/// Two or more regions of equal length.
fn regions<'a>(fields: &Fields<'a>, puzzle: &Puzzle) -> Read<(Node<'a>, Vec<Vec<Cell>>)> {
    let node = fields.need("regions")?;
    let regions = cell_lists(&node, puzzle, "regions")?;
    let first = regions[0].len();
    for (item, region) in node.list("a list of regions")?.iter().zip(&regions) {
        if region.len() != first {
            return item.fail(Fault::RegionLength {
                found: region.len(),
                first,
            });
        }
    }
    Ok((node, regions))
}

/// Two or more lists of cells.
fn cell_lists(node: &Node<'_>, puzzle: &Puzzle, what: &'static str) -> Read<Vec<Vec<Cell>>> {
    let items = node.list("a list of lists of cell names")?;
    if items.len() < 2 {
        return node.fail(Fault::Number {
            found: items.len(),
            what,
            wanted: "the rule needs at least two",
        });
    }
    if items.len() > MAX_CELLS {
        return node.fail(Fault::TooMany {
            found: items.len(),
            what,
            most: MAX_CELLS,
        });
    }
    items.iter().map(|item| item.cells(puzzle)).collect()
}

fn isomorphic(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let (node, regions) = regions(fields, puzzle)?;
    match <[Vec<Cell>; 2]>::try_from(regions) {
        Ok(regions) => Ok(Rule::Isomorphic { regions }),
        Err(regions) => node.fail(Fault::Number {
            found: regions.len(),
            what: "regions",
            wanted: "the rule relates exactly two; write one rule for each pair",
        }),
    }
}

fn count(node: &Node<'_>, fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let present: Vec<&str> = ["each", "counts", "kind"]
        .into_iter()
        .filter(|key| fields.get(key).is_some())
        .collect();
    let most = MAX_CELLS as u64;
    let kind = match present.as_slice() {
        ["each"] => CountKind::Each(fields.need("each")?.integer(
            "how often each digit appears",
            0,
            most,
        )? as u16),
        ["counts"] => CountKind::Counts(counts(&fields.need("counts")?, puzzle)?),
        ["kind"] => {
            let node = fields.need("kind")?;
            let word = node.string("\"circles\"")?;
            if word == "allowed" {
                return node.fail(Fault::ReservedOperator);
            }
            if word != "circles" {
                return node.fail(Fault::Word {
                    found: word.chars().take(40).collect(),
                    allowed: "circles",
                });
            }
            CountKind::Circles
        }
        [] => return node.fail(Fault::CountFields("none of them".to_string())),
        several => return node.fail(Fault::CountFields(several.join(" and "))),
    };
    Ok(Rule::Count {
        kind,
        cells: fields.need("cells")?.cells(puzzle)?,
    })
}

fn counts(node: &Node<'_>, puzzle: &Puzzle) -> Read<Vec<(u8, u16)>> {
    let items = node.list("a list of [digit, times] pairs")?;
    if items.is_empty() {
        return node.fail(Fault::EmptyList("give at least one [digit, times] pair"));
    }
    let mut pairs: Vec<(u8, u16)> = Vec::new();
    for item in &items {
        let pair = item.list("a pair [digit, times]")?;
        let [digit, times] = pair.as_slice() else {
            return item.fail(Fault::Number {
                found: pair.len(),
                what: "numbers",
                wanted: "a count is a pair [digit, times]",
            });
        };
        let digit_value = digit.color(puzzle.digits)?;
        if pairs.iter().any(|p| p.0 == digit_value) {
            return digit.fail(Fault::CountedTwice(digit_value));
        }
        let times = times.integer("how often a digit appears", 0, MAX_CELLS as u64)?;
        pairs.push((digit_value, times as u16));
    }
    Ok(pairs)
}

fn distinct_count(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let value =
        fields
            .need("value")?
            .integer("the number of different digits", 1, MAX_CELLS as u64)? as u16;
    let side = match fields.get("side") {
        None => None,
        Some(node) => Some(
            match node.string("\"top\", \"bottom\", \"left\" or \"right\"")? {
                "top" => Side::Top,
                "bottom" => Side::Bottom,
                "left" => Side::Left,
                "right" => Side::Right,
                other => {
                    return node.fail(Fault::Word {
                        found: other.chars().take(40).collect(),
                        allowed: "top, bottom, left, right",
                    });
                }
            },
        ),
    };
    Ok(Rule::DistinctCount {
        value,
        side,
        cells: fields.need("cells")?.cells(puzzle)?,
    })
}

fn equal_sum(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let segments = cell_lists(&fields.need("segments")?, puzzle, "segments")?;
    Ok(Rule::EqualSum { segments })
}

fn vudoku(fields: &Fields<'_>, puzzle: &Puzzle) -> Read<Rule> {
    let node = fields.need("cells")?;
    let cells = node.cells(puzzle)?;
    match <[Cell; 3]>::try_from(cells) {
        Ok(cells) => Ok(Rule::Vudoku { cells }),
        Err(cells) => node.fail(Fault::Number {
            found: cells.len(),
            what: "cells",
            wanted: "a vudoku has three: the vertex and its two arms",
        }),
    }
}

/// Every house as a set: those of the grids and those of `house` rules.
fn all_houses(puzzle: &Puzzle, rules: &[Rule]) -> BTreeSet<BTreeSet<Cell>> {
    let mut houses = BTreeSet::new();
    for grid in &puzzle.grids {
        let cell = |row: u16, col: u16| Cell {
            row: grid.at.row + row,
            col: grid.at.col + col,
        };
        if grid.row_houses {
            houses.extend(
                (0..grid.rows).map(|r| (0..grid.cols).map(|c| cell(r, c)).collect::<BTreeSet<_>>()),
            );
        }
        if grid.col_houses {
            houses.extend(
                (0..grid.cols).map(|c| (0..grid.rows).map(|r| cell(r, c)).collect::<BTreeSet<_>>()),
            );
        }
        if grid.box_houses {
            let (height, width) = grid.boxed;
            for top in (0..grid.rows).step_by(usize::from(height)) {
                for left in (0..grid.cols).step_by(usize::from(width)) {
                    houses.insert(
                        (top..top + height)
                            .flat_map(|r| (left..left + width).map(move |c| (r, c)))
                            .map(|(r, c)| cell(r, c))
                            .collect(),
                    );
                }
            }
        }
    }
    for rule in rules {
        if let Rule::House { cells } = rule {
            houses.insert(cells.iter().copied().collect());
        }
    }
    houses
}
