//! `proofreel show`.

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::args::ShowArgs;
use super::board_text::board_marked;
use super::input::{self, Input};
use super::solve::print;
use super::{Exit, Tone};
use crate::puzzle::{Cell, Color, ColorSet, Rule};
use crate::trace::{Event, Replay, Trace};

/// Runs the command.
pub fn run(args: &ShowArgs, tone: Tone) -> anyhow::Result<Exit> {
    let argument = args.trace.to_string_lossy();
    let found = match argument.as_ref() {
        "-" => input::resolve_puzzle_or_trace("-")?,
        _ => input::resolve_puzzle_or_trace(&argument)?,
    };
    let Input::Trace(found) = found else {
        bail!(
            "{argument} is a puzzle, not a trace; make its trace with `proofreel solve PUZZLE \
             --out FILE`"
        );
    };
    let (trace, shown) = (&found.trace, &found.shown);
    let last = trace.events.len();
    let step = args.step.unwrap_or(last);
    if step > last {
        bail!("{shown} has {last} events, so there is no step {step}; give 0 to {last}");
    }
    let mut replay = Replay::new(trace);
    for event in &trace.events[..step] {
        replay.apply(event).with_context(|| shown.to_string())?;
    }
    if tone.json {
        let text = format!("{:#}\n", as_json(trace, step, replay.colors()));
        print(&text)?;
    } else {
        print(&as_text(trace, step, replay.colors()))?;
    }
    Ok(Exit::Done)
}

fn cell(trace: &Trace, vertex: u16) -> Option<Cell> {
    trace.graph.vertices.get(usize::from(vertex)).copied()
}

fn name(trace: &Trace, vertex: u16) -> String {
    cell(trace, vertex).map_or(format!("vertex {vertex}"), |c| c.to_string())
}

fn colors(set: ColorSet) -> String {
    let words: Vec<_> = set.iter().map(|c| c.to_string()).collect();
    words.join(" ")
}

/// What an event does and why, in a sentence.
fn say(trace: &Trace, event: &Event) -> String {
    match *event {
        Event::Assign {
            vertex,
            color,
            saturation,
            legal,
        } => {
            let name = name(trace, vertex);
            let tried = legal.iter().filter(|&c| c < color).count();
            let retry = match tried {
                0 => String::new(),
                n => format!(", after {n} that failed"),
            };
            format!(
                "{name} = {color}: chosen with saturation {saturation} (different colours among \
                 its neighbours), legal: {}{retry}",
                colors(legal)
            )
        }
        Event::DeadEnd { vertex, rule } => {
            let name = name(trace, vertex);
            match rule {
                None => format!("dead end: {name} was chosen and has no legal colour"),
                Some(rule) => {
                    let family = trace.puzzle.rules.get(usize::from(rule)).map(Rule::family);
                    let family = family.map_or(String::new(), |f| format!(" ({f})"));
                    format!(
                        "dead end: {name} was chosen and has no legal colour; rule {rule}{family} \
                         took the last"
                    )
                }
            }
        }
        Event::Undo { vertex, color } => {
            format!("undo: {} gives back {color}", name(trace, vertex))
        }
        Event::Solved => "solved: every cell is coloured".to_string(),
    }
}

fn ending(trace: &Trace) -> String {
    let status = trace.status.name();
    if trace.trace_complete {
        format!("the trace ends here; status {status}")
    } else {
        format!("the recorded events end here, the search went on; status {status}")
    }
}

fn touched(event: &Event) -> Option<u16> {
    match *event {
        Event::Assign { vertex, .. }
        | Event::DeadEnd { vertex, .. }
        | Event::Undo { vertex, .. } => Some(vertex),
        Event::Solved => None,
    }
}

fn as_text(trace: &Trace, step: usize, state: &[Color]) -> String {
    let last = trace.events.len();
    let done = step.checked_sub(1).map(|i| &trace.events[i]);
    let mark = done.and_then(touched).and_then(|v| cell(trace, v));
    let mut text = format!("step {step} of {last}\n");
    text.push_str(&board_marked(&trace.puzzle, state, mark));
    match done {
        None => text.push_str("here: the givens alone\n"),
        Some(event) => text.push_str(&format!("here: {}\n", say(trace, event))),
    }
    match trace.events.get(step) {
        Some(event) => text.push_str(&format!("next: {}\n", say(trace, event))),
        None => text.push_str(&format!("{}\n", ending(trace))),
    }
    text
}

fn as_json(trace: &Trace, step: usize, state: &[Color]) -> Value {
    let board: serde_json::Map<_, _> = trace
        .graph
        .vertices
        .iter()
        .zip(state)
        .filter(|(_, color)| **color != 0)
        .map(|(cell, &color)| (cell.to_string(), color.into()))
        .collect();
    json!({
        "step": step,
        "steps": trace.events.len(),
        "board": board,
        "here": step.checked_sub(1).map(|i| say(trace, &trace.events[i])),
        "next": trace.events.get(step).map(|e| say(trace, e)),
        "status": trace.status.name(),
    })
}
