//! Replays a trace against the rules; shares no code with `solve` or `graph`.
//!
//! From the puzzle alone the verifier builds its own cells, units and edges. It judges every event
//! by the search that the trace format fixes, every total, the solutions by the rules' definitions,
//! and the number of solutions by a search of another kind. What it cannot prove it lists.

mod board;
mod count;
mod ending;
mod law;
mod possible;
mod report;
#[cfg(test)]
mod tests;
mod walk;

pub use report::{Counts, Fault, Report, Verdict};

use std::sync::atomic::{AtomicBool, Ordering};

use crate::puzzle::{Cell, Puzzle};
use crate::trace::{self, Event, Status, Trace, TraceError};
use board::Board;
use walk::Walk;

/// How far a verification goes.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Branches that the search for the number of solutions may try before it gives up.
    pub max_nodes: u64,
    /// Asked now and then by that search alone; true ends it, and the number of solutions is then
    /// listed as not proved.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// Set from outside to end the whole verification; the verdict is then `Interrupted`.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    /// Two million branches, no deadline, no interrupt.
    fn default() -> Self {
        Options {
            max_nodes: 2_000_000,
            stop: None,
            interrupt: None,
        }
    }
}

impl Options<'_> {
    fn interrupted(&self) -> bool {
        self.interrupt.is_some_and(|i| i.load(Ordering::Relaxed))
    }
}

/// Events between two looks at the interrupt.
const POLL: usize = 1 << 14;

/// Verifies a trace. Never panics, whatever the trace says: all that is wrong is in the report.
pub fn verify(trace: &Trace, options: &Options<'_>) -> Report {
    let mut report = Report {
        verdict: Verdict::Truthful,
        faults: Vec::new(),
        proved: Vec::new(),
        not_proved: Vec::new(),
        counts: Counts {
            events: trace.events.len(),
            ..Counts::default()
        },
    };
    match Board::new(&trace.puzzle) {
        Ok(board) => judge(trace, &board, options, &mut report),
        Err(why) => report.fault(None, format!("puzzle: {why}")),
    }
    if options.interrupted() {
        report.verdict = Verdict::Interrupted;
    } else if !report.faults.is_empty() {
        report.verdict = Verdict::Wrong;
    }
    report
}

/// How many solutions a puzzle has, up to `limit`, by the verifier's own search and the rules'
/// definitions alone; `None` if `max_nodes` branches were not enough to tell.
///
/// # Errors
/// If the puzzle cannot be laid out as a board, in a sentence without its name.
pub fn count_solutions(
    puzzle: &Puzzle,
    limit: usize,
    max_nodes: u64,
) -> Result<Option<usize>, String> {
    let board = Board::new(puzzle)?;
    let count = count::count(&board, limit, max_nodes, &|| false);
    Ok(count.settled.then_some(count.solutions.len()))
}

/// A trace file that was read and verified.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The trace, unless what the file says cannot even be held as one.
    pub trace: Option<Trace>,
    /// What was found.
    pub report: Report,
}

/// Reads a trace file and verifies it; `name` is what messages call the file. A file that is a
/// trace in form but says what cannot be is wrong, not unreadable.
///
/// # Errors
/// If the bytes cannot be read as a trace at all.
pub fn read_and_verify(
    bytes: &[u8],
    name: &str,
    options: &Options<'_>,
) -> Result<Verified, TraceError> {
    let alone = |event: Option<usize>, sentence: String| Report {
        verdict: Verdict::Wrong,
        faults: vec![Fault {
            event,
            cell: None,
            sentence,
        }],
        proved: Vec::new(),
        not_proved: Vec::new(),
        counts: Counts::default(),
    };
    match trace::read(bytes, name) {
        Ok(trace) => Ok(Verified {
            report: verify(&trace, options),
            trace: Some(trace),
        }),
        Err(TraceError::Event {
            index, why, before, ..
        }) => {
            // The events before the unreadable one may hold an earlier fault.
            let mut report = verify(&before, options);
            if report.verdict == Verdict::Interrupted {
                return Ok(Verified {
                    trace: None,
                    report,
                });
            }
            report.faults.retain(|f| f.event.is_some());
            if report.faults.is_empty() {
                let counts = report.counts;
                report = alone(Some(index), format!("event {index}: {why}"));
                report.counts = counts;
            }
            Ok(Verified {
                trace: None,
                report,
            })
        }
        Err(TraceError::Content { path, why, .. }) => Ok(Verified {
            trace: None,
            report: alone(None, format!("{path}: {why}")),
        }),
        Err(unreadable) => Err(unreadable),
    }
}

/// What distinguishes the trace's puzzle from another one, in one sentence; `None` if givens,
/// colours, grids and rules are the same. Titles, styles and decorations do not count.
pub fn differs_from(trace: &Trace, puzzle: &Puzzle) -> Option<String> {
    let own = &trace.puzzle;
    if own.digits != puzzle.digits {
        return Some(format!(
            "the trace is of another puzzle: its colours are 1 to {}, not 1 to {}",
            own.digits, puzzle.digits
        ));
    }
    if own.grids != puzzle.grids {
        return Some("the trace is of another puzzle: its grids are others".to_string());
    }
    let says = |given: Option<&u8>| given.map_or("open".to_string(), |g| format!("given as {g}"));
    for cell in puzzle.cells() {
        let (a, b) = (own.givens.get(cell), puzzle.givens.get(cell));
        if a != b {
            return Some(format!(
                "the trace is of another puzzle: {cell} is {} there, and {} in this one",
                says(a),
                says(b)
            ));
        }
    }
    if own.rules != puzzle.rules || own.givens != puzzle.givens {
        return Some("the trace is of another puzzle: its rules are others".to_string());
    }
    None
}

fn judge(trace: &Trace, board: &Board, options: &Options<'_>, report: &mut Report) {
    report.counts.vertices = board.cells.len();
    report.counts.edges = board.edges.len();
    report.counts.units = board.units.len();

    let same_vertices = judge_graph(trace, board, report);
    let clear = report.faults.is_empty();
    if clear {
        report.proved.push(format!(
            "the graph: {} vertices and {} edges from {} houses",
            board.cells.len(),
            board.edges.len(),
            board.units.len()
        ));
    }
    if !same_vertices {
        // Events and solutions name vertices by their index; nothing more can be said.
        return;
    }
    let clashes = ending::judge_givens(trace, board, report);
    ending::judge_status(trace, report);
    let solutions = ending::judge_solutions(trace, board, report);
    if clashes {
        return;
    }

    let mut walk = Walk::new(board, &solutions);
    let whole = replay(trace, board, &mut walk, options, report);
    if options.interrupted() {
        return;
    }
    if whole {
        ending::judge_end(trace, board, &walk, report);
        ending::judge_totals(trace, board, &walk, report);
        ending::judge_dead_cell(trace, board, report);
    }
    if report.faults.is_empty() && trace.status != Status::Conflict {
        ending::say_what_was_replayed(trace, board, &walk, report);
        judge_multiplicity(trace, board, &walk, options, report);
    }
}

/// Compares the graph; false if the vertices are others.
fn judge_graph(trace: &Trace, board: &Board, report: &mut Report) -> bool {
    let vertices = &trace.graph.vertices;
    if *vertices != board.cells {
        let at = (0..vertices.len().max(board.cells.len()))
            .find(|&i| vertices.get(i) != board.cells.get(i))
            .unwrap_or(0);
        let says = |cell: Option<&Cell>| cell.map_or("nothing".to_string(), |c| c.to_string());
        report.fault(
            vertices.get(at).copied(),
            format!(
                "graph.vertices[{at}] is {}; the puzzle has {} there",
                says(vertices.get(at)),
                says(board.cells.get(at))
            ),
        );
        return false;
    }
    let edges = &trace.graph.edges;
    if *edges != board.edges {
        let says = |edge: Option<&(u16, u16)>| {
            edge.map_or("nothing".to_string(), |&(a, b)| {
                let name = |v: u16| {
                    board
                        .cells
                        .get(usize::from(v))
                        .map_or(format!("vertex {v}"), |c| c.to_string())
                };
                format!("{}–{}", name(a), name(b))
            })
        };
        let at = (0..edges.len().max(board.edges.len()))
            .find(|&i| edges.get(i) != board.edges.get(i))
            .unwrap_or(0);
        report.fault(
            None,
            format!(
                "graph.edges[{at}] is {}; the houses give {} there",
                says(edges.get(at)),
                says(board.edges.get(at))
            ),
        );
    }
    true
}

/// Carries out the events up to the first wrong one; true if there is none.
fn replay(
    trace: &Trace,
    board: &Board,
    walk: &mut Walk<'_>,
    options: &Options<'_>,
    report: &mut Report,
) -> bool {
    let mut whole = true;
    for (i, event) in trace.events.iter().enumerate() {
        if i % POLL == 0 && options.interrupted() {
            return false;
        }
        if let Err(wrong) = walk.step(event) {
            let cell = wrong.cell.map(|c| board.name(c));
            report.faults.push(Fault {
                event: Some(i),
                cell,
                sentence: format!("event {i} ({}): {}", words(event, board), wrong.why),
            });
            whole = false;
            break;
        }
        report.counts.events_checked += 1;
    }
    report.counts.assignments = walk.assignments;
    report.counts.undos = walk.undos;
    report.counts.dead_ends = walk.dead_ends;
    report.counts.max_depth = walk.max_depth as u32;
    whole
}

/// An event in a few words.
fn words(event: &Event, board: &Board) -> String {
    let name = |v: u16| {
        board
            .cells
            .get(usize::from(v))
            .map_or(format!("vertex {v}"), |c| c.to_string())
    };
    match *event {
        Event::Assign { vertex, color, .. } => format!("assign {} = {color}", name(vertex)),
        Event::DeadEnd { vertex, rule: None } => format!("dead_end {}", name(vertex)),
        Event::DeadEnd {
            vertex,
            rule: Some(rule),
        } => format!("dead_end {} by rule {rule}", name(vertex)),
        Event::Undo { vertex, color } => format!("undo {} = {color}", name(vertex)),
        Event::Solved => "solved".to_string(),
    }
}

/// Proves the number of solutions that the status claims, as far as the budget goes.
fn judge_multiplicity(
    trace: &Trace,
    board: &Board,
    walk: &Walk<'_>,
    options: &Options<'_>,
    report: &mut Report,
) {
    let limit = match trace.status {
        Status::Unique => 2,
        Status::Impossible => 1,
        Status::Ambiguous => {
            report
                .proved
                .push("more than one solution: two different ones are legal".to_string());
            return;
        }
        Status::Solved => {
            report
                .not_proved
                .push("whether there is another solution (the trace does not say)".to_string());
            return;
        }
        Status::Incomplete => {
            report
                .not_proved
                .push("whether there is a solution (the trace does not say)".to_string());
            return;
        }
        Status::Conflict => return,
    };
    let stop = || options.interrupted() || options.stop.is_some_and(|stop| stop());
    let found = count::count(board, limit, options.max_nodes, &stop);
    report.counts.multiplicity_nodes = found.nodes;
    match (trace.status, found.solutions.as_slice()) {
        (Status::Unique, [a, b, ..]) => {
            let at = (0..a.len()).find(|&i| a[i] != b[i]).unwrap_or(0);
            let cell = board.cells[at];
            report.fault(
                Some(cell),
                format!(
                    "status is unique, but there are two solutions: {cell} can be {} or {}",
                    a[at], b[at]
                ),
            );
        }
        (Status::Unique, [only]) if found.settled => {
            if Some(only) == trace.solution.as_ref() {
                report
                    .proved
                    .push("exactly one solution, by a search of the verifier's own".to_string());
            } else {
                report.fault(
                    None,
                    "status is unique, but the solution is not the only one".to_string(),
                );
            }
        }
        (Status::Impossible, [any, ..]) => {
            let open = (0..any.len()).find(|&i| board.givens[i] == 0);
            report.fault(
                open.map(|i| board.cells[i]),
                "status is impossible, but there is a solution".to_string(),
            );
        }
        (Status::Impossible, []) if found.settled => {
            report
                .proved
                .push("no solution, by a search of the verifier's own".to_string());
        }
        (Status::Impossible, []) if walk.exhausted() && walk.airtight() => {
            report.proved.push(
                "no solution: the recorded search tried every branch (the verifier's own search \
                 did not end within its budget)"
                    .to_string(),
            );
        }
        _ => report.not_proved.push(format!(
            "{}: the verifier's own search did not settle it within {} branches",
            if trace.status == Status::Unique {
                "that there is no other solution"
            } else {
                "that there is no solution"
            },
            found.nodes
        )),
    }
}

impl Report {
    /// Adds a fault that no event is to blame for; the verdict is then wrong.
    pub fn add_fault(&mut self, sentence: String) {
        self.fault(None, sentence);
        self.verdict = Verdict::Wrong;
    }

    fn fault(&mut self, cell: Option<Cell>, sentence: String) {
        self.faults.push(Fault {
            event: None,
            cell,
            sentence,
        });
    }
}
