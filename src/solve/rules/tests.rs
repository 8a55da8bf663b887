//! Each family against brute force on small boards: every colouring that the houses allow is
//! judged by the definition, written here a second time in another way.

use std::ops::ControlFlow;

use super::*;
use crate::puzzle::{Color, CountKind, Grid};
use crate::solve::ruled::{self, Depth};
use crate::solve::{Limits, learn, solve, strong};
use crate::trace::Status;

/// A small reproducible source of chance (xorshift64*).
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    /// `n` different cells.
    fn cells(&mut self, puzzle: &Puzzle, n: usize) -> Vec<Cell> {
        let mut cells = puzzle.cells().to_vec();
        for i in 0..n {
            let j = i + self.next(cells.len() - i);
            cells.swap(i, j);
        }
        cells.truncate(n);
        cells
    }
}

fn grid(rows: u16, cols: u16, boxed: (u16, u16), houses: [bool; 3]) -> Grid {
    Grid {
        at: Cell { row: 1, col: 1 },
        rows,
        cols,
        boxed,
        row_houses: houses[0],
        col_houses: houses[1],
        box_houses: houses[2],
    }
}

/// Boards small enough to list every colouring of their houses.
fn boards() -> Vec<Puzzle> {
    vec![
        Puzzle::new(4, vec![grid(4, 4, (2, 2), [true; 3])]),
        Puzzle::new(3, vec![grid(3, 3, (1, 1), [true, false, false])]),
        Puzzle::new(6, vec![grid(2, 3, (1, 1), [true, true, false])]),
        Puzzle::new(3, vec![grid(2, 4, (1, 1), [false; 3])]),
    ]
}

/// Every colouring in which neighbours differ.
fn colorings(graph: &Graph, digits: u8) -> Vec<Vec<Color>> {
    let mut all = vec![Vec::new()];
    for v in 0..graph.vertices.len() {
        let mut next = Vec::new();
        for partial in &all {
            let partial: &Vec<Color> = partial;
            for color in 1..=digits {
                let free = graph.neighbors[v]
                    .iter()
                    .filter(|&&u| usize::from(u) < v)
                    .all(|&u| partial[usize::from(u)] != color);
                if free {
                    let mut longer = partial.clone();
                    longer.push(color);
                    next.push(longer);
                }
            }
        }
        all = next;
    }
    all
}

/// The definition by tallies of digits.
fn obeys(rule: &Rule, puzzle: &Puzzle, colors: &[Color]) -> bool {
    let at = |c: &Cell| colors[puzzle.index_of(*c).expect("the cell exists")];
    let tally = |cells: &[Cell]| {
        let mut tally = [0usize; 17];
        cells.iter().for_each(|c| tally[usize::from(at(c))] += 1);
        tally
    };
    match rule {
        Rule::House { .. } => unreachable!("houses are in the graph"),
        Rule::Contains { digits, cells } => {
            let mut left = tally(cells);
            digits.iter().all(|&d| {
                let enough = left[usize::from(d)] > 0;
                left[usize::from(d)] = left[usize::from(d)].saturating_sub(1);
                enough
            })
        }
        Rule::Appears { source, cells } => cells.iter().any(|c| at(c) == at(source)),
        Rule::Clone { regions } => {
            (0..regions[0].len()).all(|i| regions.iter().all(|r| at(&r[i]) == at(&regions[0][i])))
        }
        Rule::Isomorphic { regions: [a, b] } => {
            let (mut image, mut origin) = ([0; 17], [0; 17]);
            a.iter().zip(b).all(|(x, y)| {
                let (x, y) = (at(x), at(y));
                let (i, o) = (&mut image[usize::from(x)], &mut origin[usize::from(y)]);
                let fits = (*i == 0 || *i == y) && (*o == 0 || *o == x);
                (*i, *o) = (y, x);
                fits
            })
        }
        Rule::Count { kind, cells } => {
            let tally = tally(cells);
            match kind {
                CountKind::Each(k) => tally[1..=usize::from(puzzle.digits)]
                    .iter()
                    .all(|&n| n == usize::from(*k)),
                CountKind::Counts(counts) => counts
                    .iter()
                    .all(|&(d, n)| tally[usize::from(d)] == usize::from(n)),
                CountKind::Circles => cells
                    .iter()
                    .all(|c| tally[usize::from(at(c))] == usize::from(at(c))),
            }
        }
        Rule::DistinctCount { value, cells, .. } => {
            tally(cells).iter().filter(|&&n| n > 0).count() == usize::from(*value)
        }
        Rule::GlobalEntropy => {
            let third = |c: Cell| {
                puzzle
                    .index_of(c)
                    .map(|i| (colors[i] - 1) * 3 / puzzle.digits)
            };
            puzzle.cells().iter().all(|&Cell { row, col }| {
                let window = [
                    third(Cell { row, col }),
                    third(Cell { row, col: col + 1 }),
                    third(Cell { row: row + 1, col }),
                    third(Cell {
                        row: row + 1,
                        col: col + 1,
                    }),
                ];
                window.contains(&None) || (0..3).all(|t| window.contains(&Some(t)))
            })
        }
        Rule::EqualSum { segments } => {
            let sums: Vec<usize> = segments
                .iter()
                .map(|s| s.iter().map(|c| usize::from(at(c))).sum())
                .collect();
            sums.windows(2).all(|w| w[0] == w[1])
        }
        Rule::Vudoku { cells } => {
            let [v, a, b] = cells.each_ref().map(|c| i32::from(at(c)));
            v == a + b || v == a - b || v == b - a
        }
    }
}

const FAMILIES: usize = 9;

/// A rule of one family with chance cells; `None` where the board does not suit it.
fn random_rule(family: usize, puzzle: &Puzzle, chance: &mut Chance) -> Option<Rule> {
    let n = puzzle.cells().len();
    let digit = |chance: &mut Chance| 1 + chance.next(puzzle.digits.into()) as Color;
    Some(match family {
        0 => {
            let cells = 2 + chance.next(4);
            let digits = (0..1 + chance.next(cells.min(3))).map(|_| digit(chance));
            Rule::Contains {
                digits: digits.collect(),
                cells: chance.cells(puzzle, cells),
            }
        }
        1 => {
            let length = 2 + chance.next(3);
            let mut cells = chance.cells(puzzle, length + 1);
            Rule::Appears {
                source: cells.pop()?,
                cells,
            }
        }
        2 => {
            let (regions, length) = (2 + chance.next(2), 1 + chance.next(2));
            let cells = chance.cells(puzzle, regions * length);
            Rule::Clone {
                regions: cells.chunks(length).map(<[Cell]>::to_vec).collect(),
            }
        }
        3 => {
            let length = 2 + chance.next(n / 2 - 1);
            // The regions may overlap.
            Rule::Isomorphic {
                regions: [chance.cells(puzzle, length), chance.cells(puzzle, length)],
            }
        }
        4 => {
            let length = 2 + chance.next(n - 2);
            let kind = match chance.next(3) {
                0 => CountKind::Circles,
                1 => {
                    let k = 1 + chance.next(2);
                    let length = k * usize::from(puzzle.digits);
                    if length > n {
                        return None;
                    }
                    return Some(Rule::Count {
                        kind: CountKind::Each(k as u16),
                        cells: chance.cells(puzzle, length),
                    });
                }
                _ => {
                    let first = digit(chance);
                    let mut counts = vec![(first, chance.next(3) as u16)];
                    let second = digit(chance);
                    if second != first {
                        counts.push((second, chance.next(3) as u16));
                    }
                    CountKind::Counts(counts)
                }
            };
            Rule::Count {
                kind,
                cells: chance.cells(puzzle, length),
            }
        }
        5 => {
            let length = 2 + chance.next(n.min(6) - 1);
            Rule::DistinctCount {
                value: 1 + chance.next(length.min(puzzle.digits.into())) as u16,
                side: None,
                cells: chance.cells(puzzle, length),
            }
        }
        6 if puzzle.digits.is_multiple_of(3) => Rule::GlobalEntropy,
        6 => return None,
        7 => {
            let lengths = [1 + chance.next(3), 1 + chance.next(3)];
            let cells = chance.cells(puzzle, lengths[0] + lengths[1]);
            let (a, b) = cells.split_at(lengths[0]);
            Rule::EqualSum {
                segments: vec![a.to_vec(), b.to_vec()],
            }
        }
        _ => Rule::Vudoku {
            cells: chance.cells(puzzle, 3).try_into().ok()?,
        },
    })
}

#[test]
fn every_family_has_the_solutions_that_brute_force_finds() {
    let mut chance = Chance(0x5eed);
    let (mut compared, mut without, mut several) = (0, 0, 0);
    for board in boards() {
        let graph = Graph::new(&board);
        let all = colorings(&graph, board.digits);
        for round in 0..40 * FAMILIES {
            let mut puzzle = board.clone();
            for i in 0..1 + round % 2 {
                let family = if i == 0 {
                    round % FAMILIES
                } else {
                    chance.next(FAMILIES)
                };
                puzzle
                    .rules
                    .extend(random_rule(family, &board, &mut chance));
            }
            for cell in chance.cells(&board, round % 3) {
                let color = 1 + chance.next(board.digits.into()) as Color;
                puzzle.givens.insert(cell, color);
            }
            let givens = puzzle.given_colors();
            let solutions: Vec<&Vec<Color>> = all
                .iter()
                .filter(|s| givens.iter().zip(*s).all(|(&g, &c)| g == 0 || g == c))
                .filter(|s| puzzle.rules.iter().all(|r| obeys(r, &puzzle, s)))
                .collect();
            let limits = Limits {
                count: Some(u64::MAX),
                ..Limits::default()
            };
            let outcome = solve(&puzzle, &limits);
            let context = format!("{:?} {:?}", puzzle.rules, puzzle.givens);
            assert_eq!(outcome.solutions, solutions.len() as u64, "{context}");
            assert!(outcome.exhausted, "{context}");
            let trace = &outcome.trace;
            match solutions.len() {
                0 => assert!(
                    matches!(trace.status, Status::Impossible | Status::Conflict),
                    "{context}"
                ),
                1 => assert_eq!(trace.status, Status::Unique, "{context}"),
                _ => assert_eq!(trace.status, Status::Ambiguous, "{context}"),
            }
            if let Some(first) = &trace.solution {
                assert!(solutions.contains(&first), "{context}");
            }
            let report = crate::verify::verify(trace, &Default::default());
            assert!(report.is_truthful(), "{context}: {:?}", report.faults);
            // The same with every node probed.
            let mut watch = |_| ControlFlow::Continue(());
            let (depth, all_of) = (Depth::Probing(u64::MAX), u64::MAX);
            let counted =
                strong::count_at(depth, &puzzle, &graph, all_of, all_of, 0, &mut watch).unwrap();
            assert_eq!(counted.count, solutions.len() as u64, "{context}");
            let counted = learn::count(&puzzle, &graph, 40, all_of, 0, &mut watch);
            assert_eq!(counted.count, solutions.len().min(40) as u64, "{context}");
            assert!(counted.solutions.iter().all(|s| solutions.contains(&s)));
            if trace.status != Status::Conflict {
                let found = ruled::search_at(depth, &puzzle, &graph, &limits, &mut watch).unwrap();
                assert_eq!(found.count, solutions.len().min(1) as u64, "{context}");
            }
            compared += 1;
            without += u32::from(solutions.is_empty());
            several += u32::from(solutions.len() > 1);
        }
    }
    println!("{compared} instances, {without} without a solution, {several} with several");
    assert!(without > 100 && several > 100);
}

#[test]
fn no_propagator_alone_takes_a_color_that_a_solution_has() {
    let mut chance = Chance(0xc0105);
    let mut compared = 0;
    for board in boards() {
        let graph = Graph::new(&board);
        let all = colorings(&graph, board.digits);
        for round in 0..60 * FAMILIES {
            let mut puzzle = board.clone();
            puzzle
                .rules
                .extend(random_rule(round % FAMILIES, &board, &mut chance));
            let full = (1u32 << board.digits) as u16 - 1;
            let before: Vec<u16> = (0..graph.vertices.len())
                .map(|_| match chance.next(3) {
                    0 => full,
                    _ => {
                        1 << chance.next(board.digits.into())
                            | 1 << chance.next(board.digits.into())
                    }
                })
                .collect();
            for served in build(&puzzle, &graph, false) {
                let rule = &puzzle.rules[usize::from(served.rule)];
                let mut needed = vec![0; before.len()];
                for s in &all {
                    let inside = s.iter().zip(&before).all(|(&c, m)| m & bit(c) != 0);
                    if inside && obeys(rule, &puzzle, s) {
                        s.iter()
                            .zip(&mut needed)
                            .for_each(|(&c, n): (_, &mut u16)| *n |= bit(c));
                    }
                }
                if needed.contains(&0) {
                    continue;
                }
                for quickly in [false, true] {
                    let mut masks = before.clone();
                    let mut touched = Vec::new();
                    let mut view = View::new(&mut masks, &mut touched);
                    let outcome = match quickly {
                        false => served.propagator.narrow(&mut view),
                        true => served.propagator.narrow_quickly(&mut view),
                    };
                    assert!(outcome.is_ok(), "{rule:?} {before:?}");
                    for (v, (&mask, &need)) in masks.iter().zip(&needed).enumerate() {
                        assert_eq!(mask & need, need, "vertex {v}: {rule:?} {before:?}");
                    }
                }
                compared += 1;
            }
        }
    }
    println!("{compared} narrowings");
    assert!(compared > 300);
}

#[test]
fn with_one_cell_left_every_propagator_is_exact() {
    let mut chance = Chance(0x1a57);
    let mut compared = 0;
    for board in boards() {
        let graph = Graph::new(&board);
        let all = colorings(&graph, board.digits);
        for round in 0..60 * FAMILIES {
            let mut puzzle = board.clone();
            puzzle
                .rules
                .extend(random_rule(round % FAMILIES, &board, &mut chance));
            for served in build(&puzzle, &graph, false) {
                let rule = &puzzle.rules[usize::from(served.rule)];
                let s = &all[chance.next(all.len())];
                let scope = served.propagator.scope();
                let open = scope[chance.next(scope.len())];
                let mut masks: Vec<u16> = s.iter().map(|&c| bit(c)).collect();
                let around = graph.neighbors[usize::from(open)]
                    .iter()
                    .fold(0, |m, &u| m | masks[usize::from(u)]);
                masks[usize::from(open)] = ((1u32 << board.digits) as u16 - 1) & !around;
                let right: u16 = colors(masks[usize::from(open)])
                    .filter(|&c| {
                        let mut tried = s.clone();
                        tried[usize::from(open)] = c;
                        obeys(rule, &puzzle, &tried)
                    })
                    .fold(0, |m, c| m | bit(c));
                let mut touched = Vec::new();
                let mut broken = false;
                loop {
                    touched.clear();
                    let mut view = View::new(&mut masks, &mut touched);
                    broken |= served.propagator.narrow(&mut view).is_err();
                    if broken || touched.is_empty() {
                        break;
                    }
                }
                let left = if broken { 0 } else { masks[usize::from(open)] };
                assert_eq!(left, right, "{rule:?} {s:?} open {open}");
                compared += 1;
            }
        }
    }
    println!("{compared} last cells");
}
