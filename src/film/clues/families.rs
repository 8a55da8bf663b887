//! One drawing for each rule family, by the conventions that solvers of such puzzles know.

use super::arrow::{self, arrow};
use super::label;
use super::outline::{self, is_diagonal, is_scattered};
use super::pen::{Dash, Pen};
use crate::film::display::{Item, Symbol};
use crate::film::geometry::length;
use crate::film::palette;
use crate::puzzle::{Cell, CountKind, Puzzle, Rule, Side};

/// Radius of the ring of a `contains` rule, in cells.
const RING: f32 = 0.285;

/// Draws all rules.
pub(super) fn draw(pen: &mut Pen<'_>, puzzle: &Puzzle) {
    let mut labels: Vec<(String, &[Cell])> = Vec::new();
    let (mut clones, mut scattered, mut counts) = (0, 0, 0);
    for rule in &puzzle.rules {
        match rule {
            Rule::House { cells } if is_diagonal(cells) => pen.through(cells),
            Rule::House { cells } if is_scattered(cells) => {
                tags(pen, cells, scattered);
                scattered += 1;
            }
            Rule::House { cells } => pen.outline(cells, Dash::Solid),
            Rule::Contains { digits, cells } => match corner(pen, cells) {
                Some(at) => ring(pen, at, digits),
                None => {
                    pen.outline(cells, Dash::Dashed);
                    labels.extend(label::of(rule).map(|text| (text, cells.as_slice())));
                }
            },
            Rule::Appears { source, cells } => arrow::appears(pen, *source, cells),
            Rule::Clone { regions } => {
                for region in regions {
                    pen.band(region, clones);
                }
                clones += 1;
            }
            Rule::Isomorphic { regions } => {
                for region in regions {
                    if !is_whole_grid(puzzle, region) {
                        pen.outline(region, Dash::Solid);
                        pen.outline(region, Dash::Dotted);
                    }
                }
            }
            Rule::Count {
                kind: CountKind::Circles,
                cells,
            } => {
                for &c in cells {
                    let at = pen.middle(c);
                    pen.circle(at, 0.425 * pen.side);
                }
            }
            Rule::DistinctCount {
                value,
                side: Some(side),
                cells,
            } => outside(pen, *value, *side, cells),
            Rule::Count { cells, .. } if is_diagonal(cells) => {
                pen.through(cells);
                labels.extend(label::of(rule).map(|text| (text, &cells[..1])));
            }
            Rule::Count { cells, .. } => {
                // Sets in several pieces run through each other: each has a line of its own.
                let pieces = outline::loops(cells, 0.0, |_| [0; 4]).len();
                let dash = [Dash::Long, Dash::Dotted, Dash::Solid][counts % 3];
                counts += usize::from(pieces > 1);
                pen.outline(cells, if pieces > 1 { dash } else { Dash::Long });
                labels.extend(label::of(rule).map(|text| (text, cells.as_slice())));
            }
            Rule::DistinctCount {
                cells, side: None, ..
            } => {
                pen.outline(cells, Dash::Dotted);
                labels.extend(label::of(rule).map(|text| (text, cells.as_slice())));
            }
            Rule::GlobalEntropy => entropy(pen, puzzle),
            Rule::EqualSum { segments } => equal_sum(pen, segments),
            Rule::Vudoku {
                cells: [vertex, a, b],
            } => vee(pen, *vertex, [*a, *b]),
        }
    }
    // Plates with a fixed place come first; the others find room between them.
    for (text, cells) in labels {
        label::place(pen, &text, cells);
    }
}

/// The shared corner of four cells that form a 2×2 block.
fn corner(pen: &Pen<'_>, cells: &[Cell]) -> Option<[f32; 2]> {
    let (first, last) = (cells.iter().min()?, cells.iter().max()?);
    let block = cells.len() == 4
        && last.row == first.row + 1
        && last.col == first.col + 1
        && cells
            .iter()
            .all(|c| (first.col..=last.col).contains(&c.col));
    let ([ax, ay], [bx, by]) = (pen.middle(*first), pen.middle(*last));
    block.then_some([(ax + bx) / 2.0, (ay + by) / 2.0])
}

/// A ring with up to four numbers.
fn ring(pen: &mut Pen<'_>, [x, y]: [f32; 2], digits: &[u8]) {
    let s = pen.side;
    let wide = digits.iter().any(|d| *d > 9);
    pen.disc([x, y], RING * s);
    // Offsets from the middle, and the font size, in cells.
    let (places, size): (&[[f32; 2]], f32) = match digits.len() {
        1 => (&[[0.0, 0.0]], 0.34),
        2 => (&[[-0.105, 0.0], [0.105, 0.0]], 0.26),
        3 => (&[[-0.095, -0.09], [0.095, -0.09], [0.0, 0.12]], 0.23),
        _ => (
            &[[-0.09, -0.1], [0.09, -0.1], [-0.09, 0.1], [0.09, 0.1]],
            0.225,
        ),
    };
    for (digit, [dx, dy]) in digits.iter().zip(places) {
        let size = size * s * if wide { 0.66 } else { 1.0 };
        pen.text(&digit.to_string(), [x + dx * s, y + dy * s], size);
    }
}

fn is_whole_grid(puzzle: &Puzzle, region: &[Cell]) -> bool {
    let mut sorted = region.to_vec();
    sorted.sort_unstable();
    puzzle.grids.iter().any(|g| {
        let inside = |c: &Cell| {
            (g.at.row..g.at.row + g.rows).contains(&c.row)
                && (g.at.col..g.at.col + g.cols).contains(&c.col)
        };
        sorted.len() == usize::from(g.rows) * usize::from(g.cols) && sorted.iter().all(inside)
    })
}

/// A letter in each of a set of cells that do not touch.
fn tags(pen: &mut Pen<'_>, cells: &[Cell], number: u8) {
    let letter = char::from(b'a' + number % 26).to_string();
    for &c in cells {
        let at = pen.point(c, 0.87, 0.87);
        pen.disc(at, 0.115 * pen.side);
        pen.text(&letter, at, 0.165 * pen.side);
    }
}

/// A number outside of the board, before the first of its cells. Where they run aslant it stands
/// half a cell aside, with an arrow, so that clues of one cell do not meet.
fn outside(pen: &mut Pen<'_>, value: u16, side: Side, cells: &[Cell]) {
    let Some(&first) = cells.first() else { return };
    let second = cells.get(1).copied().unwrap_or(first);
    let run = [
        f32::from(second.col) - f32::from(first.col),
        f32::from(second.row) - f32::from(first.row),
    ];
    let out: [f32; 2] = match side {
        Side::Top => [0.0, -1.0],
        Side::Bottom => [0.0, 1.0],
        Side::Left => [-1.0, 0.0],
        Side::Right => [1.0, 0.0],
    };
    // The part of the run along the side.
    let along = [0, 1].map(|i| {
        if out[i] == 0.0 {
            run[i].clamp(-1.0, 1.0)
        } else {
            0.0
        }
    });
    let slant = along != [0.0, 0.0];
    let far = if slant { 0.98 } else { 0.92 };
    let at = [0, 1].map(|i| 0.5 + far * out[i] - if slant { 0.52 * along[i] } else { 0.0 });
    let at = pen.point(first, at[0], at[1]);
    let size = (0.42 * pen.side).max(7.0);
    pen.text(&value.to_string(), at, size);
    if slant {
        let d = [0, 1].map(|i| (along[i] - out[i]) * std::f32::consts::FRAC_1_SQRT_2);
        let tip = [0, 1].map(|i| at[i] + d[i] * 0.4 * pen.side);
        let before = pen.under.len();
        arrow(pen, tip, d, 0.22);
        // No casing on the bare background.
        pen.under.remove(before);
    }
}

/// Below the board: a 2×2 block, and the colours in their thirds.
fn entropy(pen: &mut Pen<'_>, puzzle: &Puzzle) {
    let s = pen.side;
    let [left, top, w, h] = pen.board.bounds.map(|v| v as f32);
    let below = pen.board.caption as f32;
    let third = puzzle.digits / 3;
    let (chip, gap, apart) = (0.3 * s, 0.06 * s, 0.26 * s);
    let block = 2.0 * chip + gap;
    let n = f32::from(puzzle.digits);
    let total = block + 2.0 * apart + n * (chip + gap) - gap + 2.0 * (apart - gap);
    let mut x = left + (w - total) / 2.0;
    let y = top + h + below;
    for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let at = |k: i32| k as f32 * (chip + gap);
        square(pen, [x + at(i), y - block / 2.0 + at(j)], chip);
    }
    x += block + 2.0 * apart;
    for c in 1..=puzzle.digits {
        let color = palette::color(c).rgb;
        pen.over.push(Item::Rect {
            rect: [x, y - chip / 2.0, chip, chip].map(|v| (v + 0.5) as i32),
            color,
            alpha: 1.0,
        });
        x += chip + if c % third.max(1) == 0 { apart } else { gap };
    }
}

/// A small empty square.
fn square(pen: &mut Pen<'_>, [x, y]: [f32; 2], side: f32) {
    pen.over.push(Item::Frame {
        rect: [x, y, side, side].map(|v| (v + 0.5) as i32),
        width: (pen.thin() + 0.5) as i32,
        color: pen.ink,
        alpha: 1.0,
    });
}

/// Two lines that meet in the vertex. They end short of the arms' middles, so that one V can be
/// told from the next where they share a cell.
fn vee(pen: &mut Pen<'_>, vertex: Cell, arms: [Cell; 2]) {
    let v = pen.middle(vertex);
    let ends = arms.map(|arm| {
        let [x, y] = pen.middle(arm);
        let (dx, dy) = (f64::from(v[0] - x), f64::from(v[1] - y));
        let part = 0.2 * pen.side / (length([dx, dy]) as f32).max(1.0);
        [x + (v[0] - x) * part, y + (v[1] - y) * part]
    });
    pen.stroke_wide(vec![ends[0], v, ends[1]], false, Dash::Solid, 1.6);
    for cell in [vertex, arms[0], arms[1]] {
        let v = pen.index(cell);
        pen.through[v] = true;
    }
}

/// Outlines the segments and joins each to the next by an equals mark.
fn equal_sum(pen: &mut Pen<'_>, segments: &[Vec<Cell>]) {
    for segment in segments {
        pen.outline(segment, Dash::Solid);
    }
    for pair in segments.windows(2) {
        // The cells that are nearest to each other.
        let apart = |a: Cell, b: Cell| {
            let (dr, dc) = (a.row.abs_diff(b.row), a.col.abs_diff(b.col));
            u32::from(dr) * u32::from(dr) + u32::from(dc) * u32::from(dc)
        };
        let nearest = pair[0]
            .iter()
            .flat_map(|&a| pair[1].iter().map(move |&b| (apart(a, b), a, b)))
            .min();
        let Some((distance, a, b)) = nearest else {
            continue;
        };
        let (p, q) = (pen.middle(a), pen.middle(b));
        let mut at = [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0];
        if distance > 2 {
            pen.stroke(vec![p, q], false, Dash::Dotted);
            for c in [a, b] {
                let v = pen.index(c);
                pen.through[v] = true;
            }
            at = corner_near(pen, at);
        }
        let radius = 0.15 * pen.side;
        pen.disc(at, radius);
        pen.symbol(Symbol::Equals, at, radius * 1.25);
    }
}

/// The corner of a cell that is nearest to a point.
fn corner_near(pen: &Pen<'_>, [x, y]: [f32; 2]) -> [f32; 2] {
    let half = pen.board.gap as f32 / 2.0;
    let mut best = (f32::INFINITY, [x, y]);
    for r in &pen.board.rects {
        let [left, top, w, h] = r.map(|v| v as f32);
        for corner in [
            [left - half, top - half],
            [left + w + half, top - half],
            [left - half, top + h + half],
            [left + w + half, top + h + half],
        ] {
            let d = (corner[0] - x) * (corner[0] - x) + (corner[1] - y) * (corner[1] - y);
            if d < best.0 {
                best = (d, corner);
            }
        }
    }
    best.1
}
