//! Judges what a trace says beside its events: status, conflicts, solutions, totals.

use super::board::Board;
use super::law::Law;
use super::report::Report;
use super::walk::Walk;
use crate::puzzle::Color;
use crate::trace::{Conflict, Event, Stats, Status, Trace};

/// Compares the conflicts with the clashes among the givens; true if givens do clash or the trace
/// says so, so that there is no search to replay.
pub(super) fn judge_givens(trace: &Trace, board: &Board, report: &mut Report) -> bool {
    let clashes: Vec<_> = board.clashes(&board.givens).collect();
    if trace.status != Status::Conflict {
        if let Some(&(unit, a, b)) = clashes.first() {
            report.fault(
                Some(board.name(a)),
                format!(
                    "status is {}, but {} and {} in {} are both given as {}",
                    trace.status.name(),
                    board.name(a),
                    board.name(b),
                    board.units[unit].name,
                    board.givens[usize::from(a)]
                ),
            );
        }
        if !trace.conflicts.is_empty() {
            report.fault(
                None,
                format!(
                    "conflicts are listed, but status is {}",
                    trace.status.name()
                ),
            );
        }
        return !clashes.is_empty();
    }
    for (i, conflict) in trace.conflicts.iter().enumerate() {
        if let Some(why) = untrue(conflict, board) {
            report.fault(
                conflict.cells.first().copied(),
                format!("conflicts[{i}]: {why}"),
            );
        }
        let again = trace.conflicts[..i].iter().any(|c| same(c, conflict));
        if again {
            report.fault(None, format!("conflicts[{i}] is listed before already"));
        }
    }
    for (unit, a, b) in &clashes {
        let place = &board.units[*unit].name;
        let (a, b) = (board.name(*a), board.name(*b));
        let listed = trace
            .conflicts
            .iter()
            .any(|c| c.place == *place && c.cells.contains(&a) && c.cells.contains(&b));
        if !listed {
            report.fault(
                Some(a),
                format!("conflicts leave out that {a} and {b} clash in {place}"),
            );
        }
    }
    if trace.conflicts.is_empty() && clashes.is_empty() {
        report.fault(
            None,
            "status is conflict, but no conflict is listed and no givens clash".to_string(),
        );
    }
    let idle = Stats {
        uniqueness_nodes: trace.stats.uniqueness_nodes,
        ..Stats::default()
    };
    if !trace.events.is_empty() || trace.stats != idle || !trace.trace_complete {
        report.fault(
            None,
            "status is conflict, so nothing was searched: events must be empty, totals zero and \
             trace_complete true"
                .to_string(),
        );
    }
    if trace.dead_cell.is_some() {
        report.fault(
            trace.dead_cell,
            "dead_cell is named, but status is conflict".to_string(),
        );
    }
    if report.faults.is_empty() {
        report.proved.push(format!(
            "the givens break the rules in {} place{}",
            trace.conflicts.len(),
            if trace.conflicts.len() == 1 { "" } else { "s" }
        ));
    }
    true
}

/// Whether two conflicts say the same.
fn same(a: &Conflict, b: &Conflict) -> bool {
    let sorted = |c: &Conflict| {
        let mut cells = c.cells.clone();
        cells.sort_unstable();
        cells
    };
    a.place == b.place && sorted(a) == sorted(b)
}

/// Why a conflict is none.
fn untrue(conflict: &Conflict, board: &Board) -> Option<String> {
    let mut cells = Vec::new();
    for &cell in &conflict.cells {
        match board.cells.binary_search(&cell) {
            Ok(i) if cells.contains(&(i as u16)) => return Some(format!("{cell} is named twice")),
            Ok(i) => cells.push(i as u16),
            Err(_) => return Some(format!("the puzzle has no cell {cell}")),
        }
    }
    if let Some(unit) = board.units.iter().find(|u| u.name == conflict.place) {
        let place = &unit.name;
        if let Some(&out) = cells.iter().find(|c| !unit.cells.contains(c)) {
            return Some(format!("{} is not in {place}", board.name(out)));
        }
        let given = |c: &u16| board.givens[usize::from(*c)];
        return match cells.as_slice() {
            [] | [_] => Some(format!("two cells of {place} must be named")),
            [first, rest @ ..]
                if given(first) == 0 || rest.iter().any(|c| given(c) != given(first)) =>
            {
                Some(format!("the cells named in {place} are not given alike"))
            }
            _ => None,
        };
    }
    let law = (0..board.laws.len())
        .find(|i| conflict.place == format!("rule {i} ({})", board.laws[*i].family()));
    let Some(law) = law else {
        return Some(format!(
            "the puzzle has no house or rule \"{}\"",
            conflict.place
        ));
    };
    let own = board.laws[law].cells();
    if let Some(&out) = cells.iter().find(|c| !own.contains(c)) {
        return Some(format!("{} is not in rule {law}", board.name(out)));
    }
    if board.laws[law].possible(&with_clones(given_masks(board), board), board.digits) {
        return Some(format!("the givens do not break rule {law}"));
    }
    None
}

/// The same with cloned cells having what all their partners may have: a rule can be broken by
/// a given and its clones.
fn with_clones(mut masks: Vec<u16>, board: &Board) -> Vec<u16> {
    loop {
        let before = masks.clone();
        for law in &board.laws {
            let Law::Clone { groups } = law else { continue };
            for group in groups {
                let common = group
                    .iter()
                    .fold(board.all, |m, &c| m & masks[usize::from(c)]);
                for &c in group {
                    masks[usize::from(c)] = common;
                }
            }
        }
        if masks == before {
            return masks;
        }
    }
}

/// What the givens and their houses leave each cell.
fn given_masks(board: &Board) -> Vec<u16> {
    let mut masks = vec![board.all; board.cells.len()];
    for (i, &given) in board.givens.iter().enumerate() {
        if given != 0 {
            for &p in &board.peers[i] {
                masks[usize::from(p)] &= !(1 << (given - 1));
            }
        }
    }
    for (mask, &given) in masks.iter_mut().zip(&board.givens) {
        if given != 0 {
            *mask = 1 << (given - 1);
        }
    }
    masks
}

/// Compares `status` with `unique`, and with which solutions are present.
pub(super) fn judge_status(trace: &Trace, report: &mut Report) {
    let status = trace.status;
    let fits = match status {
        Status::Unique => trace.unique == Some(true),
        Status::Ambiguous | Status::Impossible => trace.unique == Some(false),
        Status::Solved | Status::Incomplete => trace.unique.is_none(),
        // No solution, hence not one: but nothing was searched, so "unknown" is no lie either.
        Status::Conflict => trace.unique != Some(true),
    };
    if !fits {
        let says = trace.unique.map_or("null".to_string(), |u| u.to_string());
        report.fault(
            None,
            format!("unique is {says}, but status is {}", status.name()),
        );
    }
    let solved = matches!(status, Status::Unique | Status::Ambiguous | Status::Solved);
    let ambiguous = status == Status::Ambiguous;
    for (name, there, due) in [
        ("solution", trace.solution.is_some(), solved),
        (
            "second_solution",
            trace.second_solution.is_some(),
            ambiguous,
        ),
    ] {
        if there != due {
            report.fault(
                None,
                format!(
                    "{name} is {}, but status is {}",
                    if there { "there" } else { "missing" },
                    status.name()
                ),
            );
        }
    }
}

/// Judges the solutions by the rules' definitions; returns those that are legal.
pub(super) fn judge_solutions<'a>(
    trace: &'a Trace,
    board: &Board,
    report: &mut Report,
) -> Vec<(&'static str, &'a [Color])> {
    let mut legal = Vec::new();
    for (name, solution) in [
        ("solution", &trace.solution),
        ("second_solution", &trace.second_solution),
    ] {
        let Some(colors) = solution else { continue };
        match board.flaw(colors) {
            Some(why) => report.fault(None, format!("{name}: {why}")),
            None => legal.push((name, colors.as_slice())),
        }
    }
    if let [(_, a), (_, b)] = legal.as_slice() {
        if a == b {
            report.fault(None, "second_solution is the same as solution".to_string());
        } else if board.houses_only && Walk::order(board, a, b).is_gt() {
            report.fault(
                None,
                "solution: the search meets second_solution before it".to_string(),
            );
        }
    }
    legal
}

/// Judges where the events end.
pub(super) fn judge_end(trace: &Trace, board: &Board, walk: &Walk<'_>, report: &mut Report) {
    let status = trace.status;
    let ended = walk.solved() || walk.exhausted();
    if !trace.trace_complete {
        if ended {
            report.fault(
                None,
                "trace_complete is false, but the events reach the end of the search".to_string(),
            );
        }
        return;
    }
    let why = match status {
        Status::Unique | Status::Ambiguous | Status::Solved if !walk.solved() => {
            Some("the events do not end in solved")
        }
        Status::Impossible if !walk.exhausted() => {
            Some("the events do not end with every branch tried")
        }
        Status::Incomplete if walk.solved() => Some("the events end in solved"),
        Status::Incomplete if walk.exhausted() => Some("the events try every branch"),
        _ => None,
    };
    if let Some(why) = why {
        report.fault(None, format!("status is {}, but {why}", status.name()));
    }
    if let (true, Some(solution)) = (walk.solved(), &trace.solution) {
        let differs = (0..solution.len()).find(|&i| walk.colors().get(i) != Some(&solution[i]));
        if let Some(at) = differs {
            let cell = board.cells[at.min(board.cells.len() - 1)];
            report.fault(
                Some(cell),
                format!(
                    "solution: {cell} has {}, but {} after the last event",
                    solution[at],
                    walk.colors().get(at).copied().unwrap_or(0)
                ),
            );
        }
    }
}

/// Judges the totals: exactly where the trace is complete, else as far as the recorded part and
/// the status bind them.
pub(super) fn judge_totals(trace: &Trace, board: &Board, walk: &Walk<'_>, report: &mut Report) {
    let stats = &trace.stats;
    let seen = [
        ("assignments", stats.assignments, walk.assignments),
        ("undos", stats.undos, walk.undos),
        ("dead_ends", stats.dead_ends, walk.dead_ends),
        ("max_depth", stats.max_depth.into(), walk.max_depth as u64),
    ];
    for (name, says, is) in seen {
        if trace.trace_complete && says != is {
            report.fault(
                None,
                format!("stats.{name} is {says}; the events have {is}"),
            );
        } else if says < is {
            report.fault(
                None,
                format!("stats.{name} is {says}; the recorded events have {is} already"),
            );
        }
    }
    if trace.trace_complete {
        return;
    }
    let open = board.givens.iter().filter(|&&g| g == 0).count() as u64;
    let status = trace.status.name();
    let standing = stats.assignments.checked_sub(stats.undos);
    let depth = u64::from(stats.max_depth);
    let mut bound = |fine: bool, sentence: String| {
        if !fine {
            report.fault(None, sentence);
        }
    };
    match trace.status {
        Status::Unique | Status::Ambiguous | Status::Solved => {
            bound(
                standing == Some(open),
                format!(
                    "stats: {} assignments less {} undos must leave the {open} open cells coloured",
                    stats.assignments, stats.undos
                ),
            );
            bound(
                depth == open,
                format!("stats.max_depth is {depth}; a solution has {open} assignments standing"),
            );
        }
        Status::Impossible => {
            bound(
                standing == Some(0),
                format!(
                    "stats: status is impossible, so as many undos as assignments are due, not {} \
                     and {}",
                    stats.undos, stats.assignments
                ),
            );
            bound(
                stats.dead_ends > 0,
                "stats: status is impossible, but dead_ends is 0".to_string(),
            );
        }
        Status::Incomplete | Status::Conflict => bound(
            standing.is_some_and(|s| s <= depth),
            format!(
                "stats: {} assignments less {} undos cannot stand at a greatest depth of {depth}",
                stats.assignments, stats.undos
            ),
        ),
    }
    bound(
        depth <= stats.assignments && (depth <= open),
        format!("stats.max_depth is {depth}; that many assignments cannot stand"),
    );
    bound(
        depth < open || !matches!(trace.status, Status::Impossible | Status::Incomplete),
        format!("stats.max_depth is {depth}, which is a solution, but status is {status}"),
    );
    bound(
        stats.dead_ends <= stats.undos.saturating_add(1),
        format!(
            "stats: {} dead ends cannot come with {} undos, each is followed by one",
            stats.dead_ends, stats.undos
        ),
    );
    let left_out = (stats.assignments - stats.assignments.min(walk.assignments))
        + (stats.undos - stats.undos.min(walk.undos))
        + (stats.dead_ends - stats.dead_ends.min(walk.dead_ends));
    let only_solved_left = trace.solution.is_some() && walk.depth() as u64 == open;
    bound(
        left_out > 0 || only_solved_left,
        "trace_complete is false, but by the totals no event was left out".to_string(),
    );
}

/// Judges the cell that is said to have no colour from the start.
pub(super) fn judge_dead_cell(trace: &Trace, board: &Board, report: &mut Report) {
    let first = match trace.events.first() {
        Some(&Event::DeadEnd { vertex, .. }) => board.cells.get(usize::from(vertex)).copied(),
        _ => None,
    };
    match (trace.dead_cell, first) {
        (None, None) => {}
        (Some(named), Some(dead)) if named == dead && trace.status == Status::Impossible => {
            report
                .proved
                .push(format!("{dead} has no legal colour from the start"));
        }
        // Where no event is recorded, the cell is judged by its houses.
        (Some(named), None)
            if trace.events.is_empty()
                && !trace.trace_complete
                && trace.status == Status::Impossible
                && first_dead_by_houses(board) == Some(named) => {}
        // A rule may have taken its colours; with no dead end recorded, that cannot be judged.
        (Some(named), None)
            if trace.events.is_empty()
                && !trace.trace_complete
                && trace.status == Status::Impossible
                && !board.houses_only
                && !trace.puzzle.givens.contains_key(&named)
                && board.cells.binary_search(&named).is_ok() =>
        {
            report
                .not_proved
                .push(format!("that {named} has no legal colour from the start"));
        }
        (Some(named), _) => report.fault(
            Some(named),
            format!("dead_cell is {named}, but the search does not end there at its start"),
        ),
        (None, Some(dead)) => report.fault(
            Some(dead),
            format!("dead_cell is missing; {dead} has no legal colour from the start"),
        ),
    }
}

/// The first cell in reading order that the givens leave no colour.
fn first_dead_by_houses(board: &Board) -> Option<crate::puzzle::Cell> {
    given_masks(board)
        .iter()
        .position(|&m| m == 0)
        .map(|i| board.cells[i])
}

/// Lists what the replay proved and what it did not.
pub(super) fn say_what_was_replayed(
    trace: &Trace,
    board: &Board,
    walk: &Walk<'_>,
    report: &mut Report,
) {
    let events = trace.events.len();
    report.proved.push(if board.houses_only {
        format!(
            "{events} events: chosen cells, saturation, legal colours, their order, dead ends, undos"
        )
    } else {
        format!(
            "{events} events: saturation, order of colours, undos, every assigned colour allowed \
             by houses and by each rule's definition"
        )
    });
    if trace.trace_complete {
        report.proved.push("the totals".to_string());
    } else {
        report.not_proved.push(format!(
            "what follows event {events}, where the record stops, and with it the totals"
        ));
    }
    if trace.solution.is_some() {
        report.proved.push(
            if walk.solved() {
                "the solution keeps givens, houses and rules, and is where the events end"
            } else {
                "the solution keeps givens, houses and rules"
            }
            .to_string(),
        );
        if !walk.solved() {
            report
                .not_proved
                .push("that the search found this solution first".to_string());
        }
    }
    if !board.houses_only {
        report.not_proved.push(
            "chosen cells and legal colours beyond what houses decide: the rules' propagation is \
             not repeated"
                .to_string(),
        );
        if walk.unproved_dead_ends > 0 {
            report.not_proved.push(format!(
                "{} of {} dead ends: neither houses nor a rule's definition alone exclude every \
                 colour",
                walk.unproved_dead_ends, walk.dead_ends
            ));
        }
        if walk.unattainable > 0 {
            report.not_proved.push(format!(
                "that {} assigned colours were worth trying: a rule could not be met after them, \
                 which the search found out later",
                walk.unattainable
            ));
        }
        if walk.unproved_exclusions > 0 {
            report.not_proved.push(format!(
                "{} colours left out of legal lists that no definition alone excludes",
                walk.unproved_exclusions
            ));
        }
    }
    if trace.stats.uniqueness_nodes.is_some() {
        report.not_proved.push("uniqueness_nodes".to_string());
    }
}
