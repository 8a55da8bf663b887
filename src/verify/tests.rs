//! The laws against their literal definitions, and the count against brute force.

use super::board::Board;
use super::count::count;
use super::law::Law;
use crate::puzzle::{Cell, Color, CountKind, Grid, Puzzle, Rule};

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    /// `n` different cells of a grid of `size` rows and columns.
    fn cells(&mut self, n: usize, size: u16) -> Vec<Cell> {
        let mut cells = Vec::new();
        while cells.len() < n {
            let cell = Cell {
                row: self.below(size.into()) as u16 + 1,
                col: self.below(size.into()) as u16 + 1,
            };
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        cells
    }
}

fn square(size: u16, boxed: (u16, u16), houses: bool, digits: u8) -> Puzzle {
    Puzzle::new(
        digits,
        vec![Grid {
            rows: size,
            cols: size,
            boxed,
            row_houses: houses,
            col_houses: houses,
            box_houses: houses,
            ..Grid::classic()
        }],
    )
}

const FAMILIES: usize = 11;

/// A rule of the family, at random.
fn random_rule(family: usize, dice: &mut Dice, size: u16, digits: u8) -> Rule {
    let digit = |dice: &mut Dice| dice.below(digits.into()) as Color + 1;
    match family {
        0 => {
            let n = 2 + dice.below(2);
            Rule::House {
                cells: dice.cells(n, size),
            }
        }
        1 => {
            let (n, k) = (2 + dice.below(3), 1 + dice.below(3));
            Rule::Contains {
                digits: (0..k.min(n)).map(|_| digit(dice)).collect(),
                cells: dice.cells(n, size),
            }
        }
        2 => {
            let n = 2 + dice.below(3);
            let mut cells = dice.cells(n, size);
            Rule::Appears {
                source: cells.remove(0),
                cells,
            }
        }
        3 => {
            let cells = dice.cells(6, size);
            if dice.below(2) == 0 {
                Rule::Clone {
                    regions: vec![cells[..2].to_vec(), cells[2..4].to_vec()],
                }
            } else {
                Rule::Clone {
                    regions: cells[..3].iter().map(|&c| vec![c]).collect(),
                }
            }
        }
        4 => {
            // The regions may share cells.
            let n = 2 + dice.below(3);
            Rule::Isomorphic {
                regions: [dice.cells(n, size), dice.cells(n, size)],
            }
        }
        5 => Rule::Count {
            kind: CountKind::Each(1),
            cells: dice.cells(digits.into(), size),
        },
        6 => {
            let n = 2 + dice.below(4);
            let (a, b) = (digit(dice), digit(dice));
            let mut counts = vec![(a, dice.below(3) as u16)];
            if a != b {
                counts.push((b, dice.below(3) as u16));
            }
            Rule::Count {
                kind: CountKind::Counts(counts),
                cells: dice.cells(n, size),
            }
        }
        7 => {
            let n = 1 + dice.below(6);
            Rule::Count {
                kind: CountKind::Circles,
                cells: dice.cells(n, size),
            }
        }
        8 => {
            let n = 2 + dice.below(4);
            Rule::DistinctCount {
                value: 1 + dice.below(n) as u16,
                side: None,
                cells: dice.cells(n, size),
            }
        }
        9 => {
            let cells = dice.cells(5, size);
            let cut = 1 + dice.below(3);
            Rule::EqualSum {
                segments: vec![cells[..cut].to_vec(), cells[cut..4].to_vec()],
            }
        }
        _ => {
            let cells = dice.cells(3, size);
            Rule::Vudoku {
                cells: [cells[0], cells[1], cells[2]],
            }
        }
    }
}

/// A rule's definition, written down once more and differently.
fn literal(rule: &Rule, digits: u8, of: &dyn Fn(Cell) -> Color) -> bool {
    let tally = |cells: &[Cell]| {
        let mut tally = [0usize; 17];
        for &c in cells {
            tally[usize::from(of(c))] += 1;
        }
        tally
    };
    match rule {
        Rule::House { cells } => tally(cells).iter().all(|&n| n <= 1),
        Rule::Contains { digits, cells } => {
            // Cross the listed digits off one by one.
            let mut left: Vec<Color> = cells.iter().map(|&c| of(c)).collect();
            digits.iter().all(|d| {
                let found = left.iter().position(|c| c == d);
                found.map(|i| left.remove(i)).is_some()
            })
        }
        Rule::Appears { source, cells } => tally(cells)[usize::from(of(*source))] > 0,
        Rule::Clone { regions } => (0..regions[0].len()).all(|i| {
            regions
                .windows(2)
                .all(|pair| of(pair[0][i]) == of(pair[1][i]))
        }),
        Rule::Isomorphic { regions } => {
            // Try every permutation of the colours.
            fn some(map: &mut Vec<Color>, digits: u8, fits: &dyn Fn(&[Color]) -> bool) -> bool {
                if map.len() == usize::from(digits) {
                    return fits(map);
                }
                (1..=digits).any(|d| {
                    if map.contains(&d) {
                        return false;
                    }
                    map.push(d);
                    let found = some(map, digits, fits);
                    map.pop();
                    found
                })
            }
            some(&mut Vec::new(), digits, &|map| {
                regions[0]
                    .iter()
                    .zip(&regions[1])
                    .all(|(&a, &b)| map[usize::from(of(a)) - 1] == of(b))
            })
        }
        Rule::Count { kind, cells } => {
            let tally = tally(cells);
            match kind {
                CountKind::Each(k) => tally[1..=usize::from(digits)]
                    .iter()
                    .all(|&n| n == usize::from(*k)),
                CountKind::Counts(counts) => counts
                    .iter()
                    .all(|&(d, n)| tally[usize::from(d)] == usize::from(n)),
                CountKind::Circles => (1..17).all(|d| tally[d] == 0 || tally[d] == d),
            }
        }
        Rule::DistinctCount { value, cells, .. } => {
            tally(cells).iter().filter(|&&n| n > 0).count() == usize::from(*value)
        }
        Rule::GlobalEntropy => unreachable!("tested by itself"),
        Rule::EqualSum { segments } => {
            let sums: Vec<i32> = segments
                .iter()
                .map(|s| s.iter().map(|&c| i32::from(of(c))).sum())
                .collect();
            sums.windows(2).all(|w| w[0] == w[1])
        }
        Rule::Vudoku { cells } => {
            let [v, a, b] = cells.map(|c| i32::from(of(c)));
            v == a + b || v == a - b || v == b - a
        }
    }
}

fn of<'a>(board: &'a Board, colors: &'a [Color]) -> impl Fn(Cell) -> Color + 'a {
    |cell| {
        colors[board
            .cells
            .binary_search(&cell)
            .expect("a cell of the board")]
    }
}

#[test]
fn each_law_holds_exactly_where_its_definition_does() {
    let mut dice = Dice(1);
    for family in 0..FAMILIES {
        let (mut yes, mut no) = (0, 0);
        for _ in 0..600 {
            let digits = 3 + dice.below(3) as u8;
            let mut puzzle = square(3, (1, 1), false, digits);
            puzzle.rules.push(random_rule(family, &mut dice, 3, digits));
            let board = Board::new(&puzzle).expect("sound");
            let colors: Vec<Color> = (0..9)
                .map(|_| dice.below(digits.into()) as u8 + 1)
                .collect();
            let due = literal(&puzzle.rules[0], digits, &of(&board, &colors));
            let law = &board.laws[0];
            assert_eq!(law.holds(&colors), due, "{:?} {colors:?}", puzzle.rules[0]);
            let masks: Vec<u16> = colors.iter().map(|c| 1 << (c - 1)).collect();
            assert_eq!(
                law.possible(&masks, digits),
                due,
                "judged on full cells: {:?} {colors:?}",
                puzzle.rules[0]
            );
            assert_eq!(law.contradicted(&colors), !due, "{:?}", puzzle.rules[0]);
            if due { yes += 1 } else { no += 1 }
        }
        assert!(yes > 0 && no > 0, "family {family}: {yes} yes, {no} no");
    }
}

/// Whether some choice from the masks satisfies the law.
fn attainable(law: &Law, masks: &[u16], colors: &mut Vec<Color>) -> bool {
    let at = colors.len();
    if at == masks.len() {
        return law.holds(colors);
    }
    for color in (1..=16).filter(|c| masks[at] & (1 << (c - 1)) != 0) {
        colors.push(color);
        let found = attainable(law, masks, colors);
        colors.pop();
        if found {
            return true;
        }
    }
    false
}

#[test]
fn a_rule_is_called_impossible_only_where_no_choice_can_meet_it() {
    let mut dice = Dice(2);
    let (mut ruled_out, mut contradicted) = (0, 0);
    for family in 0..FAMILIES {
        for _ in 0..150 {
            let digits = 3 + dice.below(2) as u8;
            let mut puzzle = square(3, (1, 1), false, digits);
            puzzle.rules.push(random_rule(family, &mut dice, 3, digits));
            let board = Board::new(&puzzle).expect("sound");
            let all = (1usize << digits) - 1;
            let masks: Vec<u16> = (0..9)
                .map(|_| match dice.below(3) {
                    0 => all as u16,
                    1 => 1 << dice.below(digits.into()),
                    _ => dice.below(all) as u16 + 1,
                })
                .collect();
            let law = &board.laws[0];
            // Cells that the rule does not name may be anything.
            let named = law.cells();
            let narrowed: Vec<u16> = (0..9)
                .map(|i| {
                    if named.contains(&i) {
                        masks[usize::from(i)]
                    } else {
                        1
                    }
                })
                .collect();
            let can = attainable(law, &narrowed, &mut Vec::new());
            let says = law.possible(&masks, digits);
            assert!(says || !can, "{:?} {masks:?}", puzzle.rules[0]);
            // These are judged exactly; the others may err towards "possible".
            if matches!(family, 1 | 2 | 3 | 9 | 10) {
                assert_eq!(says, can, "{:?} {masks:?}", puzzle.rules[0]);
            }
            ruled_out += usize::from(!says);
            // Contradicted by coloured cells alone: then no choice meets it, and it is seen.
            let colors: Vec<Color> = narrowed
                .iter()
                .map(|m| match m.count_ones() {
                    1 => m.trailing_zeros() as Color + 1,
                    _ => 0,
                })
                .collect();
            assert!(
                !(law.contradicted(&colors) && can),
                "{:?} {colors:?}",
                puzzle.rules[0]
            );
            contradicted += usize::from(law.contradicted(&colors));
        }
    }
    assert!(ruled_out > 200, "only {ruled_out} were ruled out");
    assert!(contradicted > 20, "only {contradicted} were contradicted");
}

#[test]
fn entropy_wants_a_low_a_middle_and_a_high_digit_in_each_window() {
    let mut puzzle = square(3, (1, 1), false, 9);
    puzzle.rules.push(Rule::GlobalEntropy);
    let board = Board::new(&puzzle).expect("sound");
    let law = &board.laws[0];
    // Windows: r1c1, r1c2, r2c1, r2c2.
    assert!(law.holds(&[1, 4, 2, 7, 3, 8, 5, 9, 6]));
    // The last window is 1 2 / 4 5: no high digit.
    assert!(!law.holds(&[1, 4, 7, 7, 1, 2, 5, 4, 5]));
    let mut masks = vec![board.all; 9];
    (masks[0], masks[1], masks[3]) = (1, 2, 4);
    assert!(
        !law.possible(&masks, 9),
        "three low digits leave one cell for two classes"
    );
    masks[3] = 1 << 4;
    assert!(law.possible(&masks, 9));
}

/// All colourings of a board of 4×4 with all houses, by filling cell after cell.
fn all_four_by_four() -> Vec<Vec<Color>> {
    fn fill(board: &Board, colors: &mut Vec<Color>, out: &mut Vec<Vec<Color>>) {
        if colors.len() == 16 {
            out.push(colors.clone());
            return;
        }
        let at = colors.len() as u16;
        for color in 1..=4 {
            let free = board
                .edges
                .iter()
                .filter(|&&(_, b)| b == at)
                .all(|&(a, _)| colors[usize::from(a)] != color);
            if free {
                colors.push(color);
                fill(board, colors, out);
                colors.pop();
            }
        }
    }
    let board = Board::new(&square(4, (2, 2), true, 4)).expect("sound");
    let mut out = Vec::new();
    fill(&board, &mut Vec::new(), &mut out);
    out
}

#[test]
fn the_count_is_that_of_brute_force_on_four_by_four() {
    let all = all_four_by_four();
    assert_eq!(all.len(), 288, "there are 288 grids of 4×4");
    let mut dice = Dice(3);
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..600 {
        let mut puzzle = square(4, (2, 2), true, 4);
        for cell in dice.cells(round % 9, 4) {
            puzzle.givens.insert(cell, dice.below(4) as u8 + 1);
        }
        // Half with one or two rules of any family, half without.
        for _ in 0..if round % 2 == 0 { 0 } else { 1 + dice.below(2) } {
            let family = dice.below(FAMILIES);
            puzzle.rules.push(random_rule(family, &mut dice, 4, 4));
        }
        let board = Board::new(&puzzle).expect("sound");
        let due = all
            .iter()
            .filter(|colors| {
                let of = of(&board, colors);
                puzzle.givens.iter().all(|(&c, &g)| of(c) == g)
                    && puzzle.rules.iter().all(|r| literal(r, 4, &of))
            })
            .count();
        let found = count(&board, usize::MAX, u64::MAX, &|| false);
        assert!(found.settled);
        assert_eq!(
            found.solutions.len(),
            due,
            "{:?} {:?}",
            puzzle.givens,
            puzzle.rules
        );
        seen.insert(due.min(3));
        let two = count(&board, 2, u64::MAX, &|| false);
        assert_eq!(two.solutions.len(), due.min(2));
    }
    assert_eq!(seen.len(), 4, "none, one, two and more were all seen");
}

#[test]
fn a_search_beyond_its_budget_says_so() {
    let board = Board::new(&Puzzle::classic()).expect("sound");
    let found = count(&board, usize::MAX, 500, &|| false);
    assert!(!found.settled);
    let stopped = count(&board, usize::MAX, u64::MAX, &|| true);
    assert!(!stopped.settled && stopped.nodes < 200);
}
