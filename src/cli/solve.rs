//! `proofreel solve`.

use std::io::{ErrorKind, Write};

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};

use super::args::SolveArgs;
use super::board_text::board;
use super::{Exit, Tone, input, interrupt, note, output, search};
use crate::puzzle::{Color, Puzzle};
use crate::solve::{Outcome, Stop};
use crate::trace::{self, Event, Status};

/// Runs the command.
pub fn run(args: &SolveArgs, tone: Tone) -> anyhow::Result<Exit> {
    let puzzles = input::resolve(&args.source)?;
    let path = puzzles.path.clone();
    if puzzles.puzzles.len() > 1 && args.pick.is_none() {
        if args.out.is_some() {
            bail!(
                "{} holds {} puzzles and --out writes one trace; choose one with --pick N",
                puzzles.shown,
                puzzles.puzzles.len()
            );
        }
        return list(&puzzles.puzzles, args, tone);
    }
    let shown = puzzles.shown.clone();
    let puzzle = puzzles.pick(args.pick)?;
    // A name that is taken is refused before the search, not after it.
    let inputs: Vec<_> = path.as_deref().into_iter().collect();
    let pending = args
        .out
        .as_deref()
        .map(|out| output::Pending::new(out, args.force, &inputs))
        .transpose()?;
    let outcome = search::search(&puzzle, &args.limits, tone)?;
    if interrupt::requested() {
        return Ok(Exit::Nothing);
    }
    if let (Some(pending), Some(out)) = (pending, args.out.as_deref()) {
        let broken = || {
            format!(
                "{} could not be written to its end; is the disk full?",
                out.display()
            )
        };
        let file = std::fs::File::create(pending.path()).with_context(broken)?;
        let mut writer = std::io::BufWriter::with_capacity(1 << 16, file);
        trace::write(&outcome.trace, &mut writer).with_context(broken)?;
        writer.flush().with_context(broken)?;
        drop(writer);
        pending.commit()?;
        note(tone, &format!("trace written to {}", out.display()));
    }
    if tone.json {
        print(&format!("{:#}\n", as_json(&outcome, args)))?;
    } else {
        let mut text = format!("{}\n", verdict(&outcome, args));
        let boards = [
            ("", &outcome.trace.solution),
            ("\nanother solution\n", &outcome.trace.second_solution),
        ];
        for (heading, colors) in boards {
            if let Some(colors) = colors {
                text.push_str(heading);
                text.push_str(&board(&puzzle, colors));
            }
        }
        print(&text)?;
    }
    if let Some(why) = limit_hint(&outcome, args) {
        note(tone, &format!("{shown}: {why}"));
    }
    Ok(exit(outcome.trace.solution.is_some()))
}

/// Every puzzle of a list, a line each.
fn list(puzzles: &[Puzzle], args: &SolveArgs, tone: Tone) -> anyhow::Result<Exit> {
    let mut all = true;
    for (i, puzzle) in puzzles.iter().enumerate() {
        let outcome = search::search(puzzle, &args.limits, tone)?;
        if interrupt::requested() {
            return Ok(Exit::Nothing);
        }
        all &= outcome.trace.solution.is_some();
        if tone.json {
            let mut value = as_json(&outcome, args);
            value["number"] = json!(i + 1);
            print(&format!("{value}\n"))?;
        } else {
            let answer = outcome.trace.solution.as_deref().map(line);
            let answer = answer.map_or(String::new(), |a| format!(" {a}"));
            let verdict = verdict(&outcome, args);
            print(&format!("{}:{answer} {verdict}\n", i + 1))?;
        }
    }
    Ok(exit(all))
}

fn exit(solved: bool) -> Exit {
    if solved { Exit::Done } else { Exit::Nothing }
}

/// A colouring in one line.
fn line(colors: &[Color]) -> String {
    let separator = if colors.iter().any(|&c| c > 9) {
        ","
    } else {
        ""
    };
    let words: Vec<_> = colors.iter().map(Color::to_string).collect();
    words.join(separator)
}

/// The verdict in one line.
fn verdict(outcome: &Outcome, args: &SolveArgs) -> String {
    let trace = &outcome.trace;
    let status = trace.status.name();
    let what = match trace.status {
        Status::Unique => "exactly one solution".to_string(),
        Status::Ambiguous if outcome.exhausted => format!("{} solutions", outcome.solutions),
        Status::Ambiguous if args.limits.count.is_some() => {
            format!("at least {} solutions", outcome.solutions)
        }
        Status::Ambiguous => "at least two solutions".to_string(),
        Status::Solved if args.limits.first_only => "a solution; uniqueness not asked".to_string(),
        Status::Solved => format!(
            "a solution; whether it is the only one is unknown ({})",
            why_stopped(outcome)
        ),
        Status::Impossible => match trace.dead_cell {
            Some(cell) => format!(
                "no solution; {cell} has no legal colour at the start{}",
                by_rule(outcome)
            ),
            None => "no solution; the search was exhausted".to_string(),
        },
        Status::Conflict => {
            let places: Vec<String> = trace
                .conflicts
                .iter()
                .take(5)
                .map(|c| {
                    let cells: Vec<_> = c.cells.iter().map(ToString::to_string).collect();
                    format!("{} in {}", cells.join(" and "), c.place)
                })
                .collect();
            let more = match trace.conflicts.len().saturating_sub(places.len()) {
                0 => String::new(),
                n => format!("; and {n} more"),
            };
            format!("the givens clash: {}{more}", places.join("; "))
        }
        Status::Incomplete => format!("no solution found yet ({})", why_stopped(outcome)),
    };
    if trace.status == Status::Conflict {
        return format!("{status}: {what}");
    }
    let s = &trace.stats;
    format!(
        "{status}: {what}; {}, {}, {}",
        several(s.assignments, "assignment"),
        several(s.undos, "undo"),
        several(s.dead_ends, "dead end")
    )
}

/// A number of things: "1 undo", "2 undos".
fn several(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Which rule left a cell nothing before anything was assigned, if one did.
fn by_rule(outcome: &Outcome) -> String {
    let trace = &outcome.trace;
    match trace.events.first() {
        Some(&Event::DeadEnd {
            rule: Some(rule), ..
        }) => match trace.puzzle.rules.get(usize::from(rule)) {
            Some(rule_itself) => format!(", because of rule {rule} ({})", rule_itself.family()),
            None => String::new(),
        },
        _ => String::new(),
    }
}

fn why_stopped(outcome: &Outcome) -> &'static str {
    match outcome.stopped {
        Some(Stop::Nodes) => "stopped by --max-nodes",
        Some(Stop::Watcher) => "stopped by --timeout",
        None => "not searched to the end",
    }
}

/// How to get further than a limit let it.
fn limit_hint(outcome: &Outcome, args: &SolveArgs) -> Option<String> {
    Some(match outcome.stopped? {
        Stop::Nodes => format!(
            "the search stopped after {} nodes; give --max-nodes more, or leave it out",
            outcome.nodes
        ),
        Stop::Watcher => format!(
            "the search stopped after {} seconds; give --timeout more seconds, or 0 for no limit",
            args.limits.timeout
        ),
    })
}

/// The result as JSON; the fields are those of a trace.
fn as_json(outcome: &Outcome, args: &SolveArgs) -> Value {
    let trace = &outcome.trace;
    let coloring = |colors: &Option<Vec<Color>>| match colors {
        None => Value::Null,
        Some(colors) => Value::Object(
            trace
                .graph
                .vertices
                .iter()
                .zip(colors)
                .map(|(cell, &color)| (cell.to_string(), color.into()))
                .collect::<Map<_, _>>(),
        ),
    };
    let s = &trace.stats;
    let mut value = json!({
        "status": trace.status.name(),
        "unique": trace.unique,
        "solution": coloring(&trace.solution),
        "stats": {
            "assignments": s.assignments,
            "undos": s.undos,
            "dead_ends": s.dead_ends,
            "max_depth": s.max_depth,
            "uniqueness_nodes": s.uniqueness_nodes,
        },
        "trace_complete": trace.trace_complete,
        "nodes": outcome.nodes,
        "solutions": {"found": outcome.solutions, "exhausted": outcome.exhausted},
    });
    if trace.second_solution.is_some() {
        value["second_solution"] = coloring(&trace.second_solution);
    }
    if let Some(cell) = trace.dead_cell {
        value["dead_cell"] = json!(cell.to_string());
    }
    if !trace.conflicts.is_empty() {
        value["conflicts"] = trace
            .conflicts
            .iter()
            .map(|c| {
                let cells: Vec<_> = c.cells.iter().map(ToString::to_string).collect();
                json!({"cells": cells, "place": c.place})
            })
            .collect();
    }
    if outcome.stopped.is_some() {
        value["stopped"] = json!(match outcome.stopped {
            Some(Stop::Nodes) => "max_nodes",
            _ => "timeout",
        });
        value["timeout"] = json!(args.limits.timeout);
    }
    value
}

/// Prints a result; a reader that went away is no fault of ours.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(e).context("standard output cannot be written")
        }
        _ => Ok(()),
    }
}
