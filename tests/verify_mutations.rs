//! Every lie is found: thousands of generated mutants of true traces, none of them accepted.
//!
//! A mutant is left out only where it is no lie, by these principles:
//! - it equals the trace that it was made from;
//! - it equals the true trace of the puzzle and limits that it states (a changed given of which
//!   the recorded part takes no notice, a record cut off later or earlier), as an independent
//!   trace maker finds;
//! - it changes only what the format says is not proved: `uniqueness_nodes`, and totals of a
//!   truncated trace that no identity binds.

mod verify_support;

use std::collections::BTreeMap;

use proofreel::puzzle::{Cell, ColorSet, Puzzle, Rule};
use proofreel::trace::{Conflict, Event, Status, Trace};
use proofreel::verify::{Options, verify};
use verify_support::{Dice, Limits, NO_LIMITS, classic, make};

const DEMO: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

/// True traces of every status, truncated ones too.
fn originals() -> Vec<(&'static str, Trace)> {
    let cut = |max_events| Limits {
        max_events,
        ..NO_LIMITS
    };
    let nodes = |max_nodes| Limits {
        max_nodes,
        ..NO_LIMITS
    };
    let first = Limits {
        ask_unique: false,
        ..NO_LIMITS
    };
    let hard = "..8.....7....4.5...4...6.9......96...3..6..1....3.1....1.6...4...5.2....76....8..";
    let two = ".76...98....4.6...1..3.8..4.94...83...........37...59.2..8.9..6...7.3....58...31.";
    let many = ".4.8...1...1..65.....1....7354.82.611.84.7...7.9513.84512........62..1.......1.2.";
    let none = "5...2...7.1....4...69...15.1..3......9.....61...29...8.2.....7...5..93..6..1....9";
    let dead = "..548.2..6..9..7.49.....3..........7.69315.8.8..........6.....35.4..9..2..3.681..";
    let easy = "..74..9.5....318.4..26....13...86.7..26..51..58.29..4.45...3....19.72.8.......6.9";
    let clash = "847162953962537184351849672693471528178295436524386791715623849436958217289714356";
    let mut full = make(&classic(DEMO), NO_LIMITS);
    let mut given = full.puzzle.clone();
    for (i, &color) in full.solution.iter().flatten().enumerate() {
        given.givens.insert(given.cells()[i], color);
    }
    full = make(&given, NO_LIMITS);
    // A given that leaves r1c1 nothing: 1 to 8 around it in row and column, 9 in its box.
    let starved =
        "...12345.6........7........8..........................9...........................";
    let mut starved = classic(&starved[..81]);
    starved.givens.insert(Cell { row: 1, col: 2 }, 9);
    let mut small = Puzzle::new(4, vec![small_grid()]);
    small.givens.insert(Cell { row: 1, col: 2 }, 3);
    small.givens.insert(Cell { row: 4, col: 4 }, 2);
    let mut diagonal = classic(many);
    diagonal.rules.push(Rule::House {
        cells: (1..=9).map(|i| Cell { row: i, col: i }).collect(),
    });
    vec![
        ("demo", make(&classic(DEMO), NO_LIMITS)),
        ("demo, first only", make(&classic(DEMO), first)),
        ("demo, cut", make(&classic(DEMO), cut(30))),
        ("hard", make(&classic(hard), NO_LIMITS)),
        ("hard, cut", make(&classic(hard), cut(60))),
        ("hard, limit", make(&classic(hard), nodes(70))),
        (
            "hard, limit and cut",
            make(
                &classic(hard),
                Limits {
                    max_events: 50,
                    max_nodes: 70,
                    ask_unique: true,
                },
            ),
        ),
        ("easy", make(&classic(easy), NO_LIMITS)),
        ("two solutions", make(&classic(two), NO_LIMITS)),
        ("two solutions, cut", make(&classic(two), cut(40))),
        ("many solutions", make(&classic(many), NO_LIMITS)),
        ("many solutions, first only", make(&classic(many), first)),
        ("no solution", make(&classic(none), NO_LIMITS)),
        ("no solution, cut", make(&classic(none), cut(20))),
        ("no solution either", make(&classic(dead), NO_LIMITS)),
        ("starved", make(&starved, NO_LIMITS)),
        ("conflict", make(&classic(clash), NO_LIMITS)),
        ("full", full),
        ("four by four", make(&small, NO_LIMITS)),
        ("diagonal house", make(&diagonal, NO_LIMITS)),
    ]
}

fn small_grid() -> proofreel::puzzle::Grid {
    proofreel::puzzle::Grid {
        rows: 4,
        cols: 4,
        boxed: (2, 2),
        ..proofreel::puzzle::Grid::classic()
    }
}

/// Compares two traces but for what the format says is not proved.
fn same_story(a: &Trace, b: &Trace) -> bool {
    let told = |t: &Trace| {
        let mut t = t.clone();
        t.stats.uniqueness_nodes = None;
        if !t.trace_complete {
            t.stats = Default::default();
        }
        t
    };
    told(a) == told(b)
}

/// Whether a mutant happens to be the true trace of what it states.
fn is_true(mutant: &Trace) -> bool {
    let mut limits = NO_LIMITS;
    if !mutant.trace_complete {
        limits.max_events = mutant.events.len();
    }
    if mutant.status == Status::Incomplete {
        limits.max_nodes = mutant.stats.assignments;
    }
    limits.ask_unique = mutant.status != Status::Solved;
    let stated = &mutant.puzzle;
    let cells = stated.cells().len();
    // The maker is asked only what it can answer.
    let sane = (1..=16).contains(&stated.digits)
        && cells > 0
        && stated.rules.iter().all(|r| matches!(r, Rule::House { .. }))
        && stated
            .givens
            .iter()
            .all(|(c, &g)| stated.index_of(*c).is_some() && g >= 1 && g <= stated.digits);
    sane && same_story(&make(stated, limits), mutant)
}

/// The event's vertex, for changing.
fn vertex_of(event: &mut Event) -> Option<&mut u16> {
    match event {
        Event::Assign { vertex, .. }
        | Event::DeadEnd { vertex, .. }
        | Event::Undo { vertex, .. } => Some(vertex),
        Event::Solved => None,
    }
}

fn random_event(dice: &mut Dice) -> Event {
    let vertex = dice.below(82) as u16;
    let color = dice.below(11) as u8;
    match dice.below(4) {
        0 => Event::Assign {
            vertex,
            color,
            saturation: dice.below(10) as u8,
            legal: ColorSet(dice.below(512) as u16),
        },
        1 => Event::DeadEnd {
            vertex,
            rule: (dice.below(3) == 0).then_some(0),
        },
        2 => Event::Undo { vertex, color },
        _ => Event::Solved,
    }
}

fn random_cell(dice: &mut Dice) -> Cell {
    Cell {
        row: dice.below(9) as u16 + 1,
        col: dice.below(9) as u16 + 1,
    }
}

/// A mutation by name: changes a trace, or says that it does not apply.
type Mutation = (&'static str, fn(&mut Trace, &mut Dice) -> Option<()>);

fn pick(n: usize, dice: &mut Dice) -> Option<usize> {
    (n > 0).then(|| dice.below(n))
}

/// A number near `n`, or far from it, but another one.
fn other(n: u64, dice: &mut Dice) -> u64 {
    match dice.below(4) {
        0 => n + 1,
        1 => n.wrapping_sub(1),
        2 => n ^ (1 << dice.below(20)),
        _ => dice.next() >> 20,
    }
}

const MUTATIONS: &[Mutation] = &[
    ("drop an event", |t, d| {
        let i = pick(t.events.len(), d)?;
        t.events.remove(i);
        Some(())
    }),
    ("double an event", |t, d| {
        let i = pick(t.events.len(), d)?;
        let event = t.events[i];
        t.events.insert(i, event);
        Some(())
    }),
    ("swap two neighbouring events", |t, d| {
        let i = pick(t.events.len().saturating_sub(1), d)?;
        t.events.swap(i, i + 1);
        Some(())
    }),
    ("swap two events", |t, d| {
        let (i, j) = (pick(t.events.len(), d)?, pick(t.events.len(), d)?);
        t.events.swap(i, j);
        Some(())
    }),
    ("move an event", |t, d| {
        let (i, j) = (pick(t.events.len(), d)?, pick(t.events.len(), d)?);
        let event = t.events.remove(i);
        t.events.insert(j, event);
        Some(())
    }),
    ("reverse a stretch", |t, d| {
        let i = pick(t.events.len(), d)?;
        let j = (i + 2 + d.below(6)).min(t.events.len());
        t.events[i..j].reverse();
        Some(())
    }),
    ("insert an event", |t, d| {
        let i = d.below(t.events.len() + 1);
        let event = random_event(d);
        t.events.insert(i, event);
        Some(())
    }),
    ("repeat an event later", |t, d| {
        let (i, j) = (pick(t.events.len(), d)?, d.below(t.events.len() + 1));
        let event = t.events[i];
        t.events.insert(j, event);
        Some(())
    }),
    ("cut the end off", |t, d| {
        let i = pick(t.events.len(), d)?;
        t.events.truncate(i);
        Some(())
    }),
    ("cut the beginning off", |t, d| {
        let i = pick(t.events.len(), d)?;
        t.events.drain(..=i);
        Some(())
    }),
    ("change an event's vertex", |t, d| {
        let i = pick(t.events.len(), d)?;
        *vertex_of(&mut t.events[i])? = d.below(82) as u16;
        Some(())
    }),
    ("change an event's colour", |t, d| {
        let i = pick(t.events.len(), d)?;
        match &mut t.events[i] {
            Event::Assign { color, .. } | Event::Undo { color, .. } => *color = d.below(18) as u8,
            _ => return None,
        }
        Some(())
    }),
    ("change a colour and its undo and its legal list", |t, d| {
        let i = pick(t.events.len(), d)?;
        let Event::Assign {
            vertex,
            color,
            saturation,
            ..
        } = t.events[i]
        else {
            return None;
        };
        let new = d.below(9) as u8 + 1;
        t.events[i] = Event::Assign {
            vertex,
            color: new,
            saturation,
            legal: ColorSet::only(new),
        };
        for later in &mut t.events[i + 1..] {
            if let Event::Undo {
                vertex: v,
                color: c,
            } = later
                && *v == vertex
                && *c == color
            {
                *c = new;
                break;
            }
        }
        Some(())
    }),
    ("change a saturation", |t, d| {
        let i = pick(t.events.len(), d)?;
        let Event::Assign { saturation, .. } = &mut t.events[i] else {
            return None;
        };
        *saturation = other((*saturation).into(), d) as u8;
        Some(())
    }),
    ("flip a colour in a legal list", |t, d| {
        let i = pick(t.events.len(), d)?;
        let Event::Assign { legal, .. } = &mut t.events[i] else {
            return None;
        };
        legal.0 ^= 1 << d.below(16);
        Some(())
    }),
    ("turn an event into another kind", |t, d| {
        let i = pick(t.events.len(), d)?;
        t.events[i] = match (t.events[i], d.below(2)) {
            (Event::Assign { vertex, color, .. }, 0) => Event::Undo { vertex, color },
            (Event::Assign { vertex, .. } | Event::Undo { vertex, .. }, _) => {
                Event::DeadEnd { vertex, rule: None }
            }
            (Event::DeadEnd { vertex, .. }, _) => Event::Undo { vertex, color: 1 },
            (Event::Solved, _) => Event::DeadEnd {
                vertex: 0,
                rule: None,
            },
        };
        Some(())
    }),
    ("blame a rule for a dead end", |t, d| {
        let i = pick(t.events.len(), d)?;
        let Event::DeadEnd { rule, .. } = &mut t.events[i] else {
            return None;
        };
        *rule = Some(d.below(3) as u16);
        Some(())
    }),
    (
        "drop an assignment and its undo, and mend the totals",
        |t, d| {
            let i = pick(t.events.len(), d)?;
            let Event::Assign { vertex, color, .. } = t.events[i] else {
                return None;
            };
            let undo = Event::Undo { vertex, color };
            let j = i + t.events[i..].iter().position(|e| *e == undo)?;
            let gone: Vec<Event> = t.events.drain(i..=j).collect();
            for event in gone {
                match event {
                    Event::Assign { .. } => t.stats.assignments -= 1,
                    Event::Undo { .. } => t.stats.undos -= 1,
                    Event::DeadEnd { .. } => t.stats.dead_ends -= 1,
                    Event::Solved => {}
                }
            }
            Some(())
        },
    ),
    ("give up at once, and mend the totals", |t, _| {
        // The whole search replaced by its first event, as if there had been no other way.
        let Some(&Event::Assign { vertex, color, .. }) = t.events.first() else {
            return None;
        };
        if t.status == Status::Incomplete {
            return None;
        }
        t.events.truncate(1);
        t.events.push(Event::DeadEnd {
            vertex: (vertex + 1) % 81,
            rule: None,
        });
        t.events.push(Event::Undo { vertex, color });
        t.status = Status::Impossible;
        t.unique = Some(false);
        (t.solution, t.second_solution, t.trace_complete) = (None, None, true);
        (t.stats.assignments, t.stats.undos) = (1, 1);
        (t.stats.dead_ends, t.stats.max_depth) = (1, 1);
        Some(())
    }),
    ("swap two colours in all events", |t, d| {
        let (a, b) = (d.below(9) as u8 + 1, d.below(9) as u8 + 1);
        let swapped = |c: u8| {
            if c == a {
                b
            } else if c == b {
                a
            } else {
                c
            }
        };
        for event in &mut t.events {
            match event {
                Event::Assign { color, legal, .. } => {
                    *color = swapped(*color);
                    *legal = ColorSet(legal.iter().fold(0, |m, c| m | 1 << (swapped(c) - 1)));
                }
                Event::Undo { color, .. } => *color = swapped(*color),
                _ => {}
            }
        }
        Some(())
    }),
    ("change a total", |t, d| {
        // Of a truncated trace only what the status binds: dead ends are counted nowhere else,
        // and without a solution neither are the others.
        let bound = t.trace_complete || t.solution.is_some();
        if !bound {
            return None;
        }
        match d.below(if t.trace_complete { 4 } else { 3 }) {
            0 => t.stats.assignments = other(t.stats.assignments, d),
            1 => t.stats.undos = other(t.stats.undos, d),
            2 => t.stats.max_depth = other(t.stats.max_depth.into(), d) as u32,
            _ => t.stats.dead_ends = other(t.stats.dead_ends, d),
        }
        Some(())
    }),
    ("change a total below what is recorded", |t, d| {
        let stat = match d.below(4) {
            0 => &mut t.stats.assignments,
            1 => &mut t.stats.undos,
            2 => &mut t.stats.dead_ends,
            _ => {
                t.stats.max_depth = (t.stats.max_depth / 2).min(1);
                return (!t.events.is_empty() && t.events.len() > 4).then_some(());
            }
        };
        let recorded = t.events.len();
        (recorded > 4 && *stat > 0).then(|| *stat = 0)
    }),
    ("change the solution", |t, d| {
        let s = t.solution.as_mut()?;
        let i = pick(s.len(), d)?;
        s[i] = d.below(11) as u8;
        Some(())
    }),
    ("swap two cells of the solution", |t, d| {
        let s = t.solution.as_mut()?;
        let (i, j) = (pick(s.len(), d)?, pick(s.len(), d)?);
        s.swap(i, j);
        Some(())
    }),
    ("shorten or lengthen the solution", |t, d| {
        let s = t.solution.as_mut()?;
        if d.below(2) == 0 {
            s.pop().map(drop)
        } else {
            s.push(1);
            Some(())
        }
    }),
    ("drop the solution", |t, _| t.solution.take().map(drop)),
    ("invent a solution", |t, d| {
        if t.solution.is_some() {
            return None;
        }
        t.solution = Some(
            (0..t.graph.vertices.len())
                .map(|_| d.below(9) as u8 + 1)
                .collect(),
        );
        Some(())
    }),
    ("change the second solution", |t, d| {
        let s = t.second_solution.as_mut()?;
        let i = pick(s.len(), d)?;
        s[i] = d.below(11) as u8;
        Some(())
    }),
    ("drop the second solution", |t, _| {
        t.second_solution.take().map(drop)
    }),
    ("a second solution that is the first", |t, _| {
        t.second_solution = Some(t.solution.clone()?);
        Some(())
    }),
    ("exchange the two solutions", |t, _| {
        t.second_solution.as_ref()?;
        std::mem::swap(&mut t.solution, &mut t.second_solution);
        Some(())
    }),
    ("drop an edge", |t, d| {
        let i = pick(t.graph.edges.len(), d)?;
        t.graph.edges.remove(i);
        Some(())
    }),
    ("double an edge", |t, d| {
        let i = pick(t.graph.edges.len(), d)?;
        let edge = t.graph.edges[i];
        t.graph.edges.insert(i, edge);
        Some(())
    }),
    ("turn an edge round", |t, d| {
        let i = pick(t.graph.edges.len(), d)?;
        let (a, b) = t.graph.edges[i];
        t.graph.edges[i] = (b, a);
        Some(())
    }),
    ("change an edge", |t, d| {
        let i = pick(t.graph.edges.len(), d)?;
        t.graph.edges[i] = (d.below(90) as u16, d.below(90) as u16);
        Some(())
    }),
    ("add an edge", |t, d| {
        let i = d.below(t.graph.edges.len() + 1);
        t.graph
            .edges
            .insert(i, (d.below(81) as u16, d.below(81) as u16));
        Some(())
    }),
    ("swap two edges", |t, d| {
        let (i, j) = (pick(t.graph.edges.len(), d)?, pick(t.graph.edges.len(), d)?);
        t.graph.edges.swap(i, j);
        Some(())
    }),
    ("change a vertex", |t, d| {
        let i = pick(t.graph.vertices.len(), d)?;
        t.graph.vertices[i] = random_cell(d);
        Some(())
    }),
    ("drop a vertex", |t, d| {
        let i = pick(t.graph.vertices.len(), d)?;
        t.graph.vertices.remove(i);
        Some(())
    }),
    ("swap two vertices", |t, d| {
        let n = t.graph.vertices.len();
        let (i, j) = (pick(n, d)?, pick(n, d)?);
        t.graph.vertices.swap(i, j);
        Some(())
    }),
    ("change a given", |t, d| {
        let cells: Vec<Cell> = t.puzzle.givens.keys().copied().collect();
        let cell = cells[pick(cells.len(), d)?];
        t.puzzle.givens.insert(cell, d.below(9) as u8 + 1);
        Some(())
    }),
    ("drop a given", |t, d| {
        let cells: Vec<Cell> = t.puzzle.givens.keys().copied().collect();
        let cell = cells[pick(cells.len(), d)?];
        t.puzzle.givens.remove(&cell);
        Some(())
    }),
    ("add a given", |t, d| {
        let cell = random_cell(d);
        t.puzzle.givens.insert(cell, d.below(11) as u8);
        Some(())
    }),
    ("give what was found", |t, d| {
        let i = pick(t.graph.vertices.len(), d)?;
        let color = t.solution.as_ref()?[i];
        t.puzzle.givens.insert(t.graph.vertices[i], color);
        Some(())
    }),
    ("change the number of colours", |t, d| {
        t.puzzle.digits = d.below(18) as u8;
        Some(())
    }),
    ("take houses away", |t, d| {
        let grid = t.puzzle.grids.first_mut()?;
        match d.below(3) {
            0 => grid.row_houses = false,
            1 => grid.col_houses = false,
            _ => grid.box_houses = false,
        }
        Some(())
    }),
    ("turn the boxes", |t, d| {
        let grid = t.puzzle.grids.first_mut()?;
        grid.boxed = (d.below(5) as u16, d.below(5) as u16);
        Some(())
    }),
    ("add a house", |t, d| {
        let cells = (0..2 + d.below(3)).map(|_| random_cell(d)).collect();
        t.puzzle.rules.push(Rule::House { cells });
        Some(())
    }),
    ("add a rule that does not hold", |t, d| {
        // Two cells of one row cannot be equal. Where there is no solution anyway, a further rule
        // takes none away, and the record stays true.
        t.solution.as_ref()?;
        let cell = |col| Cell { row: 1, col };
        t.puzzle.rules.push(match d.below(3) {
            0 => Rule::Clone {
                regions: vec![vec![cell(1)], vec![cell(2)]],
            },
            1 => Rule::Appears {
                source: cell(1),
                cells: vec![cell(2), cell(3)],
            },
            _ => Rule::Contains {
                digits: vec![1, 1],
                cells: vec![cell(1), cell(2), cell(3)],
            },
        });
        Some(())
    }),
    ("change the status", |t, d| {
        t.status = [
            Status::Unique,
            Status::Ambiguous,
            Status::Solved,
            Status::Impossible,
            Status::Conflict,
            Status::Incomplete,
        ][d.below(6)];
        Some(())
    }),
    ("call it unique in every field", |t, _| {
        if t.status == Status::Unique || t.solution.is_none() {
            return None;
        }
        t.status = Status::Unique;
        t.unique = Some(true);
        t.second_solution = None;
        Some(())
    }),
    ("call it impossible in every field", |t, _| {
        t.status = Status::Impossible;
        t.unique = Some(false);
        (t.solution, t.second_solution) = (None, None);
        Some(())
    }),
    ("change unique", |t, d| {
        // Of a conflict both "no" and "unknown" are true.
        let says = [Some(true), Some(false), None][d.below(3)];
        if t.status == Status::Conflict && says != Some(true) {
            return None;
        }
        t.unique = says;
        Some(())
    }),
    ("change trace_complete", |t, _| {
        t.trace_complete = !t.trace_complete;
        Some(())
    }),
    ("name a dead cell", |t, d| {
        t.dead_cell = Some(random_cell(d));
        Some(())
    }),
    ("drop the dead cell", |t, _| t.dead_cell.take().map(drop)),
    ("drop a conflict", |t, d| {
        let i = pick(t.conflicts.len(), d)?;
        t.conflicts.remove(i);
        Some(())
    }),
    ("double a conflict", |t, d| {
        let i = pick(t.conflicts.len(), d)?;
        let conflict = t.conflicts[i].clone();
        t.conflicts.push(conflict);
        Some(())
    }),
    ("change a conflict", |t, d| {
        let i = pick(t.conflicts.len(), d)?;
        let cell = random_cell(d);
        let n = d.below(9) + 1;
        let conflict = &mut t.conflicts[i];
        match d.below(4) {
            0 => conflict.cells[0] = cell,
            1 => conflict.place = format!("row {n}"),
            2 => conflict.place = format!("box {n}"),
            _ => conflict.cells.push(cell),
        }
        Some(())
    }),
    ("invent a conflict", |t, d| {
        let conflict = Conflict {
            cells: vec![random_cell(d), random_cell(d)],
            place: format!("column {}", d.below(9) + 1),
        };
        t.conflicts.push(conflict);
        Some(())
    }),
];

#[test]
fn true_traces_are_accepted() {
    for (name, trace) in originals() {
        let report = verify(&trace, &Options::default());
        assert!(report.is_truthful(), "{name}: {:?}", report.faults);
        assert_eq!(report.counts.events_checked, trace.events.len(), "{name}");
    }
}

#[test]
fn the_originals_are_of_every_status_and_do_backtrack() {
    let all = originals();
    for status in [
        Status::Unique,
        Status::Ambiguous,
        Status::Solved,
        Status::Impossible,
        Status::Conflict,
        Status::Incomplete,
    ] {
        assert!(all.iter().any(|(_, t)| t.status == status), "{status:?}");
    }
    assert!(all.iter().any(|(_, t)| t.dead_cell.is_some()));
    assert!(all.iter().filter(|(_, t)| !t.trace_complete).count() >= 4);
    assert!(all.iter().filter(|(_, t)| t.stats.undos > 5).count() >= 4);
}

#[test]
fn every_mutant_is_rejected() {
    let mut dice = Dice(0x5EED);
    let (mut made, mut caught, mut no_lie) = (0, 0, 0);
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let mut escaped = Vec::new();
    for (name, original) in originals() {
        for &(kind, mutate) in MUTATIONS {
            for _ in 0..16 {
                let mut mutant = original.clone();
                if mutate(&mut mutant, &mut dice).is_none() || mutant == original {
                    continue;
                }
                let report = verify(&mutant, &Options::default());
                if report.is_truthful() && is_true(&mutant) {
                    no_lie += 1;
                    continue;
                }
                made += 1;
                *by_kind.entry(kind).or_default() += 1;
                if report.is_truthful() {
                    escaped.push(format!("{name}: {kind}"));
                } else {
                    caught += 1;
                    let fault = report.main_fault().expect("a wrong trace has a fault");
                    assert!(!fault.sentence.is_empty());
                }
            }
        }
    }
    println!("{made} mutants made, {caught} caught ({no_lie} more were no lie)");
    escaped.dedup();
    assert_eq!(caught, made, "escaped: {escaped:#?}");
    assert!(made > 5_000, "only {made} mutants");
    for &(kind, _) in MUTATIONS {
        assert!(
            by_kind.contains_key(kind),
            "no mutant of the kind \"{kind}\""
        );
    }
}
