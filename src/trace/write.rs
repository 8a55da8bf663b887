//! A trace as a file: streamed, one event a line, the same bytes for the same trace.

use std::io::{self, Write};

use super::{Event, Trace, VERSION};
use crate::puzzle::{Cell, Color, json};

/// Writes a trace as JSON.
///
/// # Errors
/// If `out` cannot be written, or (`InvalidData`) the trace names a vertex that it does not have.
pub fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{{")?;
    writeln!(out, "\"format\": \"proofreel-trace\",")?;
    writeln!(out, "\"version\": {VERSION},")?;
    write!(out, "\"puzzle\": ")?;
    serde_json::to_writer(&mut *out, &json::to_json(&trace.puzzle))?;
    write!(out, ",\n\"graph\": {{\"vertices\": ")?;
    list(out, trace.graph.vertices.iter(), |out, cell| {
        write!(out, "\"{cell}\"")
    })?;
    write!(out, ",\n\"edges\": ")?;
    let name = |v: u16| vertex(trace, v);
    list(out, trace.graph.edges.iter(), |out, &(a, b)| {
        write!(out, "[\"{}\",\"{}\"]", name(a)?, name(b)?)
    })?;
    writeln!(out, "}},")?;
    writeln!(out, "\"status\": \"{}\",", trace.status.name())?;
    let unique = match trace.unique {
        Some(true) => "true",
        Some(false) => "false",
        None => "null",
    };
    writeln!(out, "\"unique\": {unique},")?;
    write!(out, "\"solution\": ")?;
    coloring(out, trace, trace.solution.as_deref())?;
    if trace.second_solution.is_some() {
        write!(out, ",\n\"second_solution\": ")?;
        coloring(out, trace, trace.second_solution.as_deref())?;
    }
    if let Some(cell) = trace.dead_cell {
        write!(out, ",\n\"dead_cell\": \"{cell}\"")?;
    }
    if !trace.conflicts.is_empty() {
        write!(out, ",\n\"conflicts\": ")?;
        list(out, trace.conflicts.iter(), |out, conflict| {
            write!(out, "{{\"cells\": ")?;
            list(out, conflict.cells.iter(), |out, c| write!(out, "\"{c}\""))?;
            write!(out, ", \"place\": ")?;
            serde_json::to_writer(&mut *out, &conflict.place)?;
            write!(out, "}}")
        })?;
    }
    let s = &trace.stats;
    write!(
        out,
        ",\n\"stats\": {{\"assignments\": {}, \"undos\": {}, \"dead_ends\": {}, \
         \"max_depth\": {}, \"uniqueness_nodes\": ",
        s.assignments, s.undos, s.dead_ends, s.max_depth
    )?;
    match s.uniqueness_nodes {
        Some(n) => write!(out, "{n}")?,
        None => write!(out, "null")?,
    }
    writeln!(out, "}},")?;
    writeln!(out, "\"trace_complete\": {},", trace.trace_complete)?;
    write!(out, "\"events\": [")?;
    for (i, event) in trace.events.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        write_event(out, trace, event)?;
    }
    writeln!(out, "\n]\n}}")
}

fn write_event(out: &mut dyn Write, trace: &Trace, event: &Event) -> io::Result<()> {
    match *event {
        Event::Assign {
            vertex: v,
            color,
            saturation,
            legal,
        } => {
            write!(
                out,
                "{{\"kind\": \"assign\", \"cell\": \"{}\", \"color\": {color}, \
                 \"saturation\": {saturation}, \"legal\": ",
                vertex(trace, v)?
            )?;
            list(out, legal.iter(), |out, c| write!(out, "{c}"))?;
            write!(out, "}}")
        }
        Event::DeadEnd { vertex: v, rule } => {
            let cell = vertex(trace, v)?;
            write!(out, "{{\"kind\": \"dead_end\", \"cell\": \"{cell}\"")?;
            if let Some(rule) = rule {
                write!(out, ", \"rule\": {rule}")?;
            }
            write!(out, "}}")
        }
        Event::Undo { vertex: v, color } => write!(
            out,
            "{{\"kind\": \"undo\", \"cell\": \"{}\", \"color\": {color}}}",
            vertex(trace, v)?
        ),
        Event::Solved => write!(out, "{{\"kind\": \"solved\"}}"),
    }
}

/// The cell of a vertex index.
fn vertex(trace: &Trace, index: u16) -> io::Result<Cell> {
    trace
        .graph
        .vertices
        .get(usize::from(index))
        .copied()
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the trace names vertex {index}, which its graph does not have"),
            )
        })
}

/// `[a,b,c]`
fn list<T>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
    mut one: impl FnMut(&mut dyn Write, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        one(out, item)?;
    }
    out.write_all(b"]")
}

/// `{"r1c1":5,…}` or `null`
fn coloring(out: &mut dyn Write, trace: &Trace, colors: Option<&[Color]>) -> io::Result<()> {
    let Some(colors) = colors else {
        return out.write_all(b"null");
    };
    out.write_all(b"{")?;
    for (i, (cell, color)) in trace.graph.vertices.iter().zip(colors).enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        write!(out, "\"{cell}\":{color}")?;
    }
    out.write_all(b"}")
}
