//! Whether a full colouring obeys a rule, word for word from the rule's meaning.

use crate::puzzle::{Cell, Color, CountKind, Puzzle, Rule};

/// Whether `color_of` every cell obeys `rule`.
pub(in crate::solve) fn holds(
    rule: &Rule,
    puzzle: &Puzzle,
    color_of: &dyn Fn(Cell) -> Color,
) -> bool {
    let times =
        |digit: Color, cells: &[Cell]| cells.iter().filter(|&&c| color_of(c) == digit).count();
    match rule {
        Rule::House { cells } => (1..=puzzle.digits).all(|d| times(d, cells) <= 1),
        Rule::Contains { digits, cells } => digits.iter().all(|&d| {
            let wanted = digits.iter().filter(|&&e| e == d).count();
            times(d, cells) >= wanted
        }),
        Rule::Appears { source, cells } => times(color_of(*source), cells) >= 1,
        Rule::Clone { regions } => regions.iter().all(|region| {
            region
                .iter()
                .zip(&regions[0])
                .all(|(&a, &b)| color_of(a) == color_of(b))
        }),
        Rule::Isomorphic { regions: [a, b] } => {
            let pairs: Vec<_> = a
                .iter()
                .zip(b)
                .map(|(&x, &y)| (color_of(x), color_of(y)))
                .collect();
            pairs
                .iter()
                .all(|p| pairs.iter().all(|q| (p.0 == q.0) == (p.1 == q.1)))
        }
        Rule::Count { kind, cells } => match kind {
            CountKind::Each(k) => (1..=puzzle.digits).all(|d| times(d, cells) == usize::from(*k)),
            CountKind::Counts(counts) => counts
                .iter()
                .all(|&(d, n)| times(d, cells) == usize::from(n)),
            CountKind::Circles => (1..=puzzle.digits).all(|d| {
                let n = times(d, cells);
                n == 0 || n == usize::from(d)
            }),
        },
        Rule::DistinctCount { value, cells, .. } => {
            let different = (1..=puzzle.digits).filter(|&d| times(d, cells) > 0);
            different.count() == usize::from(*value)
        }
        Rule::GlobalEntropy => {
            let third = puzzle.digits / 3;
            puzzle.cells().iter().all(|&Cell { row, col }| {
                let window = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, c)| Cell {
                    row: row + r,
                    col: col + c,
                });
                window.iter().any(|&c| puzzle.index_of(c).is_none())
                    || (0..3).all(|t| window.iter().any(|&c| (color_of(c) - 1) / third == t))
            })
        }
        Rule::EqualSum { segments } => {
            let sum =
                |cells: &[Cell]| -> u32 { cells.iter().map(|&c| u32::from(color_of(c))).sum() };
            segments.iter().all(|s| sum(s) == sum(&segments[0]))
        }
        Rule::Vudoku { cells: [v, a, b] } => {
            let (v, a, b) = (color_of(*v), color_of(*a), color_of(*b));
            v == a + b || v == a.abs_diff(b)
        }
    }
}
