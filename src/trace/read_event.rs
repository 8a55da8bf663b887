//! Events of a trace file: read one by one into a few bytes each, faults kept with their index.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Event;
use crate::puzzle::{Cell, Color, ColorSet, Puzzle};

/// An event that still names its cell, since events may come before the graph in a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum RawEvent {
    Assign(Cell, Color, u8, ColorSet),
    DeadEnd(Cell, Option<u16>),
    Undo(Cell, Color),
    Solved,
}

impl RawEvent {
    /// Puts the vertex in place of the cell.
    pub fn resolve(self, puzzle: &Puzzle) -> Result<Event, String> {
        let vertex = |cell: Cell| {
            puzzle
                .index_of(cell)
                .map(|i| i as u16)
                .ok_or_else(|| format!("the puzzle has no cell {cell}"))
        };
        let in_range = |color: Color| {
            if color <= puzzle.digits {
                Ok(color)
            } else {
                Err(format!(
                    "{color} is not a colour from 1 to {}",
                    puzzle.digits
                ))
            }
        };
        Ok(match self {
            RawEvent::Assign(cell, color, saturation, legal) => {
                legal.iter().try_for_each(|c| in_range(c).map(drop))?;
                Event::Assign {
                    vertex: vertex(cell)?,
                    color: in_range(color)?,
                    saturation,
                    legal,
                }
            }
            RawEvent::DeadEnd(cell, rule) => {
                if let Some(r) = rule.filter(|&r| usize::from(r) >= puzzle.rules.len()) {
                    return Err(format!("the puzzle has no rule {r}"));
                }
                Event::DeadEnd {
                    vertex: vertex(cell)?,
                    rule,
                }
            }
            RawEvent::Undo(cell, color) => Event::Undo {
                vertex: vertex(cell)?,
                color: in_range(color)?,
            },
            RawEvent::Solved => Event::Solved,
        })
    }
}

/// The events up to the first that is none, and that one's index and fault.
#[derive(Debug, Default)]
pub(super) struct RawEvents {
    pub events: Vec<RawEvent>,
    pub fault: Option<(usize, String)>,
}

/// Reads the array of events.
pub(super) struct EventsSeed;

impl<'de> DeserializeSeed<'de> for EventsSeed {
    type Value = RawEvents;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<RawEvents, D::Error> {
        d.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for EventsSeed {
    type Value = RawEvents;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("events to be a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<RawEvents, A::Error> {
        let mut all = RawEvents::default();
        while let Some(read) = seq.next_element_seed(EventSeed)? {
            match read {
                Ok(event) => all.events.push(event),
                Err(why) => {
                    all.fault = Some((all.events.len(), why));
                    while seq.next_element::<IgnoredAny>()?.is_some() {}
                    break;
                }
            }
        }
        Ok(all)
    }
}

/// A value of an event's field, as far as events need it; never an error of type.
#[derive(Debug, Clone, PartialEq)]
enum Scalar {
    Number(u64),
    Word(String),
    Colors(ColorSet),
    /// Something else, in words.
    Other(&'static str),
}

impl<'de> serde::Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_u64<E>(self, n: u64) -> Result<Scalar, E> {
        Ok(Scalar::Number(n))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Scalar, E> {
        Ok(Scalar::Other("a negative number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Scalar, E> {
        Ok(Scalar::Other("a fraction"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Scalar, E> {
        Ok(Scalar::Other("true or false"))
    }

    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Other("null"))
    }

    fn visit_str<E>(self, s: &str) -> Result<Scalar, E> {
        // Longer than any word that an event knows; the beginning is enough to show.
        Ok(Scalar::Word(s.chars().take(40).collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
        let mut set = 0u16;
        let mut last = 0;
        let mut fault = None;
        while let Some(item) = seq.next_element::<Scalar>()? {
            match item {
                Scalar::Number(n @ 1..=16) if n > last => {
                    set |= 1 << (n - 1);
                    last = n;
                }
                Scalar::Number(1..=16) => {
                    fault.get_or_insert("a list that does not ascend");
                }
                _ => {
                    fault.get_or_insert("a list of something else than colours");
                }
            }
        }
        Ok(fault.map_or(Scalar::Colors(ColorSet(set)), Scalar::Other))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Other("an object"))
    }
}

impl Scalar {
    fn describe(&self) -> String {
        match self {
            Scalar::Number(n) => n.to_string(),
            Scalar::Word(w) => format!("\"{w}\""),
            Scalar::Colors(_) => "a list".to_string(),
            Scalar::Other(what) => (*what).to_string(),
        }
    }
}

/// Reads one event; the inner error is a fault of content.
struct EventSeed;

impl<'de> DeserializeSeed<'de> for EventSeed {
    type Value = Result<RawEvent, String>;

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_any(self)
    }
}

const FIELDS: [&str; 6] = ["kind", "cell", "color", "saturation", "legal", "rule"];

impl<'de> Visitor<'de> for EventSeed {
    type Value = Result<RawEvent, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_u64<E>(self, n: u64) -> Result<Self::Value, E> {
        Ok(Err(format!("an event is an object, not {n}")))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Self::Value, E> {
        Ok(Err(format!("an event is an object, not {n}")))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Self::Value, E> {
        Ok(Err(format!("an event is an object, not {n}")))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Self::Value, E> {
        Ok(Err(format!("an event is an object, not {b}")))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Err("an event is an object, not null".to_string()))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(Err("an event is an object, not a string".to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Err("an event is an object, not a list".to_string()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values: [Option<Scalar>; FIELDS.len()] = Default::default();
        let mut fault = None;
        while let Some(key) = map.next_key::<Scalar>()? {
            let value: Scalar = map.next_value()?;
            let known = FIELDS
                .iter()
                .position(|f| matches!(&key, Scalar::Word(w) if w == f));
            match known {
                Some(i) if values[i].is_none() => values[i] = Some(value),
                Some(i) => {
                    fault.get_or_insert(format!("it has \"{}\" twice", FIELDS[i]));
                }
                None => {
                    fault.get_or_insert(format!("events have no field {}", key.describe()));
                }
            }
        }
        Ok(fault.map_or_else(|| build(values), Err))
    }
}

/// An event of its fields; each kind has exactly its own.
fn build(values: [Option<Scalar>; FIELDS.len()]) -> Result<RawEvent, String> {
    let [kind, cell, color, saturation, legal, rule] = values;
    let kind = match kind {
        Some(Scalar::Word(w)) => w,
        Some(other) => return Err(format!("its kind is {}, not a word", other.describe())),
        None => return Err("it has no \"kind\"".to_string()),
    };
    let refuse = |unwanted: &[(&str, &Option<Scalar>)]| match unwanted
        .iter()
        .find(|(_, value)| value.is_some())
    {
        Some((name, _)) => Err(format!("a \"{kind}\" event has no field \"{name}\"")),
        None => Ok(()),
    };
    let need = |name: &str, value: &Option<Scalar>| {
        value
            .clone()
            .ok_or_else(|| format!("a \"{kind}\" event needs \"{name}\""))
    };
    let the_cell = |value: &Option<Scalar>| match need("cell", value)? {
        Scalar::Word(w) => w.parse::<Cell>().map_err(|e| e.to_string()),
        other => Err(format!("its cell is {}, not a name", other.describe())),
    };
    let number = |name: &str, value: &Option<Scalar>, max: u64| match need(name, value)? {
        Scalar::Number(n) if n <= max => Ok(n),
        other => Err(format!(
            "its {name} is {}, not a number up to {max}",
            other.describe()
        )),
    };
    let the_color = |value: &Option<Scalar>| match number("color", value, 16)? {
        0 => Err("its color is 0, and colours start at 1".to_string()),
        n => Ok(n as Color),
    };
    match kind.as_str() {
        "assign" => {
            refuse(&[("rule", &rule)])?;
            let legal_set = match need("legal", &legal)? {
                Scalar::Colors(set) => set,
                other => return Err(format!("its legal is {}", other.describe())),
            };
            Ok(RawEvent::Assign(
                the_cell(&cell)?,
                the_color(&color)?,
                number("saturation", &saturation, 16)? as u8,
                legal_set,
            ))
        }
        "dead_end" => {
            refuse(&[
                ("color", &color),
                ("saturation", &saturation),
                ("legal", &legal),
            ])?;
            let rule_index = match &rule {
                None => None,
                some => Some(number("rule", some, u64::from(u16::MAX))? as u16),
            };
            Ok(RawEvent::DeadEnd(the_cell(&cell)?, rule_index))
        }
        "undo" => {
            refuse(&[
                ("saturation", &saturation),
                ("legal", &legal),
                ("rule", &rule),
            ])?;
            Ok(RawEvent::Undo(the_cell(&cell)?, the_color(&color)?))
        }
        "solved" => {
            refuse(&[
                ("cell", &cell),
                ("color", &color),
                ("saturation", &saturation),
                ("legal", &legal),
                ("rule", &rule),
            ])?;
            Ok(RawEvent::Solved)
        }
        _ => Err(format!(
            "its kind is \"{kind}\"; events are assign, dead_end, undo and solved"
        )),
    }
}
