//! From a JSON value to a puzzle, everything checked.

use std::collections::BTreeSet;

use serde_json::Value;

use super::node::{Fields, Node, join};
use super::{Fault, JsonError, VERSION, rules};
use crate::puzzle::{Cell, Grid, MAX_CELLS, MAX_COLORS, Meta, Puzzle};

/// The largest row or column that a cell name can have.
const LAST_LINE: u32 = 9999;
/// More rules than this are refused: a trace names a rule by a 16-bit index.
const MAX_RULES: usize = 65_535;

/// Reads a puzzle from a JSON value; `path_prefix` is the value's own path in a larger file
/// (`"puzzle"` in a trace), or empty.
///
/// # Errors
/// With the JSON path of the first thing that is wrong or not understood.
pub fn from_value(value: &Value, path_prefix: &str) -> Result<Puzzle, JsonError> {
    let root = Node::new(value, path_prefix.to_string());
    version(&root)?;
    let known = [
        "format_version",
        "meta",
        "digits",
        "grids",
        "givens",
        "rules",
        "style",
        "decorations",
    ];
    let fields = Fields::new(&root, "a puzzle object", &known)?;
    let digits = match fields.get("digits") {
        Some(node) if node.value.is_object() => return node.fail(Fault::DigitsObject),
        Some(node) => node.integer("the number of digits", 1, u64::from(MAX_COLORS))? as u8,
        None => 9,
    };
    let mut puzzle = Puzzle::new(digits, grids(&root, fields.get("grids"), digits)?);
    if let Some(node) = fields.get("meta") {
        puzzle.meta = meta(&node)?;
    }
    if let Some(node) = fields.get("givens") {
        for (name, value) in node.object("an object of cell names and digits")? {
            let given = Node::new(value, join(&node.path, name));
            let cell: Cell = match name.parse() {
                Ok(cell) => cell,
                Err(error) => return given.fail(Fault::CellName(error)),
            };
            if puzzle.index_of(cell).is_none() {
                return given.fail(Fault::NoSuchCell(cell));
            }
            puzzle.givens.insert(cell, given.color(digits)?);
        }
    }
    if let Some(node) = fields.get("rules") {
        let list = node.list("a list of rules")?;
        if list.len() > MAX_RULES {
            return node.fail(Fault::TooMany {
                found: list.len(),
                what: "rules",
                most: MAX_RULES,
            });
        }
        puzzle.rules = rules::read(&list, &puzzle)?;
    }
    if let Some(node) = fields.get("style") {
        node.object("an object of drawing hints")?;
        puzzle.style = node.value.clone();
    }
    if let Some(node) = fields.get("decorations") {
        node.list("a list of decorations")?;
        puzzle.decorations = node.value.clone();
    }
    Ok(puzzle)
}

/// The version comes first: a file of another version may have any field.
fn version(root: &Node<'_>) -> Result<(), JsonError> {
    let map = root.object("a puzzle object")?;
    let Some(value) = map.get("format_version") else {
        return root.fail(Fault::NoVersion);
    };
    let node = Node::new(value, join(&root.path, "format_version"));
    match node.integer("format_version", 0, u64::MAX)? {
        VERSION => Ok(()),
        other => node.fail(Fault::Version(other.to_string())),
    }
}

fn meta(node: &Node<'_>) -> Result<Meta, JsonError> {
    let fields = Fields::new(
        node,
        "an object with title, author and type",
        &["title", "author", "type"],
    )?;
    let text = |key| match fields.get(key) {
        Some(node) => node.string("a text").map(str::to_string),
        None => Ok(String::new()),
    };
    Ok(Meta {
        title: text("title")?,
        author: text("author")?,
        kind: text("type")?,
    })
}

fn grids(root: &Node<'_>, node: Option<Node<'_>>, digits: u8) -> Result<Vec<Grid>, JsonError> {
    let Some(node) = node else {
        let classic = Grid::classic();
        // The default grid stands at no path of its own.
        let place = Node::new(root.value, join(&root.path, "grids"));
        check_houses(&place, &classic, digits)?;
        return Ok(vec![classic]);
    };
    let list = node.list("a list of grids")?;
    if list.is_empty() {
        return node.fail(Fault::EmptyList("give one grid, or leave the field out"));
    }
    if list.len() > MAX_CELLS {
        return node.fail(Fault::TooMany {
            found: list.len(),
            what: "grids",
            most: MAX_CELLS,
        });
    }
    let mut cells = BTreeSet::new();
    let mut grids = Vec::with_capacity(list.len());
    for item in &list {
        let grid = grid(item, digits)?;
        for row in 0..grid.rows {
            for col in 0..grid.cols {
                cells.insert((grid.at.row + row, grid.at.col + col));
            }
        }
        if cells.len() > MAX_CELLS {
            return item.fail(Fault::TooManyCells);
        }
        grids.push(grid);
    }
    Ok(grids)
}

fn grid(node: &Node<'_>, digits: u8) -> Result<Grid, JsonError> {
    let fields = Fields::new(
        node,
        "a grid object",
        &["at", "rows", "cols", "box", "houses"],
    )?;
    let mut grid = Grid::classic();
    if let Some(node) = fields.get("at") {
        grid.at = node.cell_name()?;
    }
    let most = MAX_CELLS as u64;
    if let Some(node) = fields.get("rows") {
        grid.rows = node.integer("the number of rows", 1, most)? as u16;
    }
    if let Some(node) = fields.get("cols") {
        grid.cols = node.integer("the number of columns", 1, most)? as u16;
    }
    if usize::from(grid.rows) * usize::from(grid.cols) > MAX_CELLS {
        return node.fail(Fault::TooManyCells);
    }
    let last = |first: u16, count: u16| u32::from(first) + u32::from(count) - 1;
    if last(grid.at.row, grid.rows) > LAST_LINE || last(grid.at.col, grid.cols) > LAST_LINE {
        return node.fail(Fault::GridTooFar);
    }
    if let Some(node) = fields.get("box") {
        let sizes = node.list("the two sizes [rows, columns] of one box")?;
        let [rows, cols] = sizes.as_slice() else {
            return node.fail(Fault::Number {
                found: sizes.len(),
                what: "numbers",
                wanted: "a box is given as [rows, columns]",
            });
        };
        grid.boxed = (
            rows.integer("the rows of a box", 1, most)? as u16,
            cols.integer("the columns of a box", 1, most)? as u16,
        );
    }
    if let Some(node) = fields.get("houses") {
        (grid.row_houses, grid.col_houses, grid.box_houses) = (false, false, false);
        for item in node.list("a list of \"rows\", \"cols\" and \"boxes\"")? {
            let word = item.string("\"rows\", \"cols\" or \"boxes\"")?;
            let flag = match word {
                "rows" => &mut grid.row_houses,
                "cols" => &mut grid.col_houses,
                "boxes" => &mut grid.box_houses,
                _ => {
                    return item.fail(Fault::Word {
                        found: word.chars().take(40).collect(),
                        allowed: "rows, cols, boxes",
                    });
                }
            };
            if std::mem::replace(flag, true) {
                return item.fail(Fault::WordTwice(word.to_string()));
            }
        }
    }
    check_houses(node, &grid, digits)?;
    Ok(grid)
}

/// Houses of at most D cells, and boxes that fill the grid.
fn check_houses(node: &Node<'_>, grid: &Grid, digits: u8) -> Result<(), JsonError> {
    let most = usize::from(digits);
    let too_large = |place, cells| Fault::HouseTooLarge {
        place,
        cells,
        digits,
        remedy: "make the grid smaller (rows, cols, box), raise digits, or leave these houses out",
    };
    let (rows, cols) = (usize::from(grid.rows), usize::from(grid.cols));
    let (box_rows, box_cols) = grid.boxed;
    if grid.row_houses && cols > most {
        return node.fail(too_large("a row of this grid", cols));
    }
    if grid.col_houses && rows > most {
        return node.fail(too_large("a column of this grid", rows));
    }
    if grid.box_houses {
        if !grid.rows.is_multiple_of(box_rows) || !grid.cols.is_multiple_of(box_cols) {
            return node.fail(Fault::BoxesDoNotTile(
                box_rows, box_cols, grid.rows, grid.cols,
            ));
        }
        let cells = usize::from(box_rows) * usize::from(box_cols);
        if cells > most {
            return node.fail(too_large("a box of this grid", cells));
        }
    }
    Ok(())
}
