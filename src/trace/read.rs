//! A trace from a file: strict, in memory that grows with the recorded events only.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::error::TraceError;
use super::read_event::{EventsSeed, RawEvents};
use super::{Conflict, Stats, Status, Trace, TraceGraph, VERSION};
use crate::puzzle::json::{self, StrictValue};
use crate::puzzle::{Cell, Color, Puzzle};

/// What the whole file holds, each part at most once.
#[derive(Default)]
struct Parts {
    format: Option<Value>,
    version: Option<Value>,
    puzzle: Option<Value>,
    graph: Option<RawGraph>,
    status: Option<Value>,
    unique: Option<Value>,
    solution: Option<Value>,
    second_solution: Option<Value>,
    dead_cell: Option<Value>,
    conflicts: Option<Value>,
    stats: Option<Value>,
    trace_complete: Option<Value>,
    events: Option<RawEvents>,
}

/// A cell's name in a list.
#[derive(Clone, Copy)]
struct Name(Cell);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = Name;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a cell name like \"r3c7\"")
            }
            fn visit_str<E: de::Error>(self, s: &str) -> Result<Name, E> {
                s.parse().map(Name).map_err(E::custom)
            }
        }
        d.deserialize_str(NameVisitor)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGraph {
    vertices: Vec<Name>,
    edges: Vec<(Name, Name)>,
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trace, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        fn put<T, E: de::Error>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), E> {
            match slot.replace(value) {
                None => Ok(()),
                Some(_) => Err(E::custom(format_args!("\"{key}\" comes twice"))),
            }
        }
        let mut parts = Parts::default();
        while let Some(key) = map.next_key::<String>()? {
            let p = &mut parts;
            let slot = match key.as_str() {
                "graph" => {
                    put(&mut p.graph, &key, map.next_value()?)?;
                    continue;
                }
                "events" => {
                    put(&mut p.events, &key, map.next_value_seed(EventsSeed)?)?;
                    continue;
                }
                "format" => &mut p.format,
                "version" => &mut p.version,
                "puzzle" => &mut p.puzzle,
                "status" => &mut p.status,
                "unique" => &mut p.unique,
                "solution" => &mut p.solution,
                "second_solution" => &mut p.second_solution,
                "dead_cell" => &mut p.dead_cell,
                "conflicts" => &mut p.conflicts,
                "stats" => &mut p.stats,
                "trace_complete" => &mut p.trace_complete,
                // Later versions of this program may add fields that change nothing here.
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            put(slot, &key, map.next_value::<StrictValue>()?.0)?;
            // What is another format is not judged by the rest of this one's rules.
            if foreign(p).is_some() {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                break;
            }
        }
        Ok(parts)
    }
}

/// What makes the file something else than a trace of this version, if anything seen so far does.
enum Foreign {
    Format(Value),
    Version(Value),
}

fn foreign(parts: &Parts) -> Option<Foreign> {
    if let Some(v) = parts.format.as_ref().filter(|v| *v != "proofreel-trace") {
        return Some(Foreign::Format(v.clone()));
    }
    let version = parts.version.as_ref()?;
    (parts.format.is_some() && version.as_u64() != Some(u64::from(VERSION)))
        .then(|| Foreign::Version(version.clone()))
}

/// Reads a trace from the bytes of a file; `name` is what messages call the file.
///
/// # Errors
/// See [`TraceError`]; [`TraceError::is_content`] tells a trace that says something impossible
/// from a file that cannot be read as a trace at all.
pub fn read(bytes: &[u8], name: &str) -> Result<Trace, TraceError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let not = |why: &str| TraceError::NotATrace {
        name: name.to_string(),
        why: why.to_string(),
    };
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(not("it is UTF-16, and traces are UTF-8 (save it as such)"));
    }
    match bytes.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => {}
        Some(_) => return Err(not("it is not a JSON object")),
        None => return Err(not("it is empty")),
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let parts = deserializer
        .deserialize_map(PartsVisitor)
        .and_then(|parts| deserializer.end().map(|()| parts))
        .map_err(|e| json_error(&e, name))?;
    match foreign(&parts) {
        Some(Foreign::Format(v)) => {
            return Err(not(&format!("its format is {}", short(&v))));
        }
        Some(Foreign::Version(v)) => {
            return Err(TraceError::Version {
                name: name.to_string(),
                found: short(&v),
            });
        }
        None if parts.format.is_none() => {
            return Err(not("it has no \"format\": \"proofreel-trace\""));
        }
        None => {}
    }
    Reader { name }.build(parts)
}

fn json_error(e: &serde_json::Error, name: &str) -> TraceError {
    let name = name.to_string();
    // The place is said by the line and column of our own sentence.
    let full = e.to_string();
    let why = match full.rfind(" at line ") {
        Some(at) => full[..at].to_string(),
        None => full,
    };
    match e.classify() {
        Category::Eof => TraceError::Truncated {
            name,
            line: e.line(),
        },
        _ => TraceError::Syntax {
            name,
            line: e.line(),
            column: e.column(),
            why,
        },
    }
}

/// A value in a message: its beginning.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    let mut start: String = text.chars().take(40).collect();
    start.push('…');
    start
}

struct Reader<'a> {
    name: &'a str,
}

impl Reader<'_> {
    fn field(&self, path: &str, why: impl Into<String>) -> TraceError {
        TraceError::Field {
            name: self.name.to_string(),
            path: path.to_string(),
            why: why.into(),
        }
    }

    fn content(&self, path: &str, why: impl Into<String>) -> TraceError {
        TraceError::Content {
            name: self.name.to_string(),
            path: path.to_string(),
            why: why.into(),
        }
    }

    fn need<T>(&self, part: Option<T>, path: &str) -> Result<T, TraceError> {
        part.ok_or_else(|| self.field(path, "is missing"))
    }

    fn build(&self, parts: Parts) -> Result<Trace, TraceError> {
        self.need(parts.version, "version")?;
        let puzzle =
            json::from_value(&self.need(parts.puzzle, "puzzle")?, "puzzle").map_err(|fault| {
                TraceError::Puzzle {
                    name: self.name.to_string(),
                    fault,
                }
            })?;
        let graph = self.graph(self.need(parts.graph, "graph")?, &puzzle)?;
        let status_word = self.need(parts.status, "status")?;
        let status = status_word
            .as_str()
            .and_then(|word| STATUSES.into_iter().find(|s| s.name() == word))
            .ok_or_else(|| self.field("status", format!("{} is no status", short(&status_word))))?;
        let unique = match self.need(parts.unique, "unique")? {
            Value::Bool(b) => Some(b),
            Value::Null => None,
            other => {
                return Err(self.field(
                    "unique",
                    format!("{} is not true, false or null", short(&other)),
                ));
            }
        };
        let solution = match self.need(parts.solution, "solution")? {
            Value::Null => None,
            value => Some(self.coloring(&value, "solution", &puzzle)?),
        };
        let second_solution = match parts.second_solution {
            None | Some(Value::Null) => None,
            Some(value) => Some(self.coloring(&value, "second_solution", &puzzle)?),
        };
        let dead_cell = match parts.dead_cell {
            None | Some(Value::Null) => None,
            Some(value) => Some(self.cell(&value, "dead_cell", &puzzle)?),
        };
        let conflicts = match parts.conflicts {
            None | Some(Value::Null) => Vec::new(),
            Some(value) => self.conflicts(&value, &puzzle)?,
        };
        let stats = self.stats(&self.need(parts.stats, "stats")?)?;
        let trace_complete = self
            .need(parts.trace_complete, "trace_complete")?
            .as_bool()
            .ok_or_else(|| self.field("trace_complete", "is not true or false"))?;
        let raw = self.need(parts.events, "events")?;
        let mut events = Vec::with_capacity(raw.events.len());
        let mut fault = raw.fault;
        for (index, event) in raw.events.into_iter().enumerate() {
            match event.resolve(&puzzle) {
                Ok(event) => events.push(event),
                Err(why) => {
                    fault = Some((index, why));
                    break;
                }
            }
        }
        let trace = Trace {
            puzzle,
            graph,
            status,
            unique,
            solution,
            second_solution,
            dead_cell,
            conflicts,
            stats,
            trace_complete,
            events,
        };
        match fault {
            None => Ok(trace),
            Some((index, why)) => Err(TraceError::Event {
                name: self.name.to_string(),
                index,
                why,
                before: Box::new(trace),
            }),
        }
    }

    fn graph(&self, raw: RawGraph, puzzle: &Puzzle) -> Result<TraceGraph, TraceError> {
        let vertices: Vec<Cell> = raw.vertices.into_iter().map(|n| n.0).collect();
        if vertices != puzzle.cells() {
            return Err(self.content(
                "graph.vertices",
                "they are not the puzzle's cells in reading order",
            ));
        }
        let index = |i: usize, cell: Cell| {
            puzzle.index_of(cell).map(|v| v as u16).ok_or_else(|| {
                self.content(
                    &format!("graph.edges[{i}]"),
                    format!("the puzzle has no cell {cell}"),
                )
            })
        };
        let mut edges = Vec::with_capacity(raw.edges.len());
        for (i, (a, b)) in raw.edges.into_iter().enumerate() {
            edges.push((index(i, a.0)?, index(i, b.0)?));
        }
        Ok(TraceGraph { vertices, edges })
    }

    fn cell(&self, value: &Value, path: &str, puzzle: &Puzzle) -> Result<Cell, TraceError> {
        let text = value
            .as_str()
            .ok_or_else(|| self.field(path, format!("{} is not a cell name", short(value))))?;
        let cell: Cell = text
            .parse()
            .map_err(|e: crate::puzzle::CellNameError| self.field(path, e.to_string()))?;
        match puzzle.index_of(cell) {
            Some(_) => Ok(cell),
            None => Err(self.content(path, format!("the puzzle has no cell {cell}"))),
        }
    }

    fn coloring(
        &self,
        value: &Value,
        path: &str,
        puzzle: &Puzzle,
    ) -> Result<Vec<Color>, TraceError> {
        let map = value
            .as_object()
            .ok_or_else(|| self.field(path, "is neither an object of cells nor null"))?;
        let mut colors = vec![0; puzzle.cells().len()];
        for (key, value) in map {
            let cell = self.cell(&Value::String(key.clone()), path, puzzle)?;
            let color = value
                .as_u64()
                .filter(|c| (1..=u64::from(puzzle.digits)).contains(c))
                .ok_or_else(|| {
                    self.content(
                        &format!("{path}.{cell}"),
                        format!(
                            "{} is not a colour from 1 to {}",
                            short(value),
                            puzzle.digits
                        ),
                    )
                })?;
            if let Some(i) = puzzle.index_of(cell) {
                colors[i] = color as Color;
            }
        }
        match colors.iter().position(|&c| c == 0) {
            None => Ok(colors),
            Some(i) => {
                Err(self.content(path, format!("it gives no colour to {}", puzzle.cells()[i])))
            }
        }
    }

    fn conflicts(&self, value: &Value, puzzle: &Puzzle) -> Result<Vec<Conflict>, TraceError> {
        let list = value
            .as_array()
            .ok_or_else(|| self.field("conflicts", "is not a list"))?;
        let mut conflicts = Vec::with_capacity(list.len());
        for (i, item) in list.iter().enumerate() {
            let path = format!("conflicts[{i}]");
            let place = item["place"]
                .as_str()
                .ok_or_else(|| self.field(&path, "it has no \"place\""))?
                .to_string();
            let cells = item["cells"]
                .as_array()
                .ok_or_else(|| self.field(&path, "it has no list of \"cells\""))?
                .iter()
                .map(|c| self.cell(c, &format!("{path}.cells"), puzzle))
                .collect::<Result<_, _>>()?;
            conflicts.push(Conflict { cells, place });
        }
        Ok(conflicts)
    }

    fn stats(&self, value: &Value) -> Result<Stats, TraceError> {
        let number = |key: &str| {
            value[key].as_u64().ok_or_else(|| {
                self.field(
                    &format!("stats.{key}"),
                    format!("{} is not a count", short(&value[key])),
                )
            })
        };
        Ok(Stats {
            assignments: number("assignments")?,
            undos: number("undos")?,
            dead_ends: number("dead_ends")?,
            max_depth: u32::try_from(number("max_depth")?)
                .map_err(|_| self.field("stats.max_depth", "it is too large"))?,
            uniqueness_nodes: match value.get("uniqueness_nodes") {
                Some(Value::Null) => None,
                _ => Some(number("uniqueness_nodes")?),
            },
        })
    }
}

const STATUSES: [Status; 6] = [
    Status::Unique,
    Status::Ambiguous,
    Status::Solved,
    Status::Impossible,
    Status::Conflict,
    Status::Incomplete,
];
