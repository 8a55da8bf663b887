//! A JSON value together with its path, and the checks that every reader of one needs.

use serde_json::{Map, Value};

use super::{Fault, JsonError};
use crate::puzzle::{Cell, Puzzle};

type Read<T> = Result<T, JsonError>;

/// A value and where it stands.
pub struct Node<'a> {
    pub value: &'a Value,
    pub path: String,
}

impl<'a> Node<'a> {
    pub fn new(value: &'a Value, path: String) -> Self {
        Node { value, path }
    }

    pub fn fail<T>(&self, fault: Fault) -> Read<T> {
        Err(JsonError {
            path: self.path.clone(),
            fault,
        })
    }

    fn wrong_type<T>(&self, wanted: &'static str) -> Read<T> {
        self.fail(Fault::Type {
            found: describe(self.value),
            wanted,
        })
    }

    pub fn object(&self, wanted: &'static str) -> Read<&'a Map<String, Value>> {
        match self.value {
            Value::Object(map) => Ok(map),
            _ => self.wrong_type(wanted),
        }
    }

    pub fn list(&self, wanted: &'static str) -> Read<Vec<Node<'a>>> {
        match self.value {
            Value::Array(items) => Ok(items
                .iter()
                .enumerate()
                .map(|(i, v)| Node::new(v, format!("{}[{i}]", self.path)))
                .collect()),
            _ => self.wrong_type(wanted),
        }
    }

    pub fn string(&self, wanted: &'static str) -> Read<&'a str> {
        match self.value {
            Value::String(s) => Ok(s),
            _ => self.wrong_type(wanted),
        }
    }

    /// A whole number from `low` to `high`.
    pub fn integer(&self, what: &'static str, low: u64, high: u64) -> Read<u64> {
        let Value::Number(number) = self.value else {
            return self.wrong_type("a whole number");
        };
        if number.is_f64() {
            return self.fail(Fault::NotWhole {
                found: number.to_string(),
                what,
                low,
                high,
            });
        }
        match number.as_u64() {
            Some(n) if (low..=high).contains(&n) => Ok(n),
            _ => self.fail(Fault::Range {
                found: number.to_string(),
                what,
                low,
                high,
            }),
        }
    }

    /// A colour of a puzzle with `digits` colours.
    pub fn color(&self, digits: u8) -> Read<u8> {
        self.integer("a digit", 1, u64::from(digits))
            .map(|n| n as u8)
    }

    /// A cell's name, of any cell.
    pub fn cell_name(&self) -> Read<Cell> {
        match self.string("a cell's name such as \"r3c7\"")?.parse() {
            Ok(cell) => Ok(cell),
            Err(error) => self.fail(Fault::CellName(error)),
        }
    }

    /// The name of a cell that the puzzle has.
    pub fn cell(&self, puzzle: &Puzzle) -> Read<Cell> {
        let cell = self.cell_name()?;
        match puzzle.index_of(cell) {
            Some(_) => Ok(cell),
            None => self.fail(Fault::NoSuchCell(cell)),
        }
    }

    /// A list of one or more existing cells, no cell twice.
    pub fn cells(&self, puzzle: &Puzzle) -> Read<Vec<Cell>> {
        let items = self.list("a list of cell names")?;
        if items.is_empty() {
            return self.fail(Fault::EmptyList("name at least one cell"));
        }
        let mut seen = vec![false; puzzle.cells().len()];
        let mut cells = Vec::with_capacity(items.len().min(seen.len()));
        for item in &items {
            let cell = item.cell(puzzle)?;
            let index = puzzle.index_of(cell).unwrap_or(0);
            if std::mem::replace(&mut seen[index], true) {
                return item.fail(Fault::CellTwice(cell));
            }
            cells.push(cell);
        }
        Ok(cells)
    }
}

/// An object whose fields are all known, and what stands in them.
pub struct Fields<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

impl<'a> Fields<'a> {
    /// Refuses every field that is not in `known`.
    pub fn new(node: &Node<'a>, wanted: &'static str, known: &[&str]) -> Read<Self> {
        let fields = Fields {
            map: node.object(wanted)?,
            path: node.path.clone(),
        };
        for (key, value) in fields.map {
            if known.contains(&key.as_str()) {
                continue;
            }
            let at = Node::new(value, join(&fields.path, key));
            if key == "allowed" || is_reserved_operator(key, value) {
                return at.fail(Fault::ReservedOperator);
            }
            return at.fail(Fault::UnknownField {
                field: key.chars().take(60).collect(),
                known: known.join(", "),
            });
        }
        Ok(fields)
    }

    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        self.map
            .get(key)
            .map(|value| Node::new(value, join(&self.path, key)))
    }

    pub fn need(&self, key: &'static str) -> Read<Node<'a>> {
        self.get(key).ok_or_else(|| JsonError {
            path: self.path.clone(),
            fault: Fault::Missing(key),
        })
    }
}

fn is_reserved_operator(key: &str, value: &Value) -> bool {
    matches!(key, "operator" | "op") && value.as_str() == Some("allowed")
}

/// The path of a field.
pub fn join(path: &str, key: &str) -> String {
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let key: String = key.chars().take(60).collect();
    match (plain, path.is_empty()) {
        (true, true) => key,
        (true, false) => format!("{path}.{key}"),
        (false, _) => format!("{path}[{key:?}]"),
    }
}

/// What a value is, in words.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => format!("the number {n}"),
        Value::String(s) => {
            let short: String = s.chars().take(40).collect();
            let dots = if short.len() < s.len() { "…" } else { "" };
            format!("the text {:?}", format!("{short}{dots}"))
        }
        Value::Array(_) => "a list".to_string(),
        Value::Object(_) => "an object".to_string(),
    }
}
