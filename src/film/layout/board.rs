//! The board: flat cells on whole pixels, small gaps, wider ones between boxes.

use super::Area;
use crate::puzzle::{Puzzle, Rule, Side};

/// Where the board's cells lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlan {
    /// Side of a cell.
    pub cell: i32,
    /// Gap between cells of one box; rings and marks fit into it.
    pub gap: i32,
    /// Left, top, width, height of each cell, in reading order.
    pub rects: Vec<[i32; 4]>,
    /// Left, top, width, height of all cells together.
    pub bounds: [i32; 4],
    /// Distance of the middle of the caption area below the cells from them.
    pub caption: i32,
}

/// Room around the cells for clues, in cells.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Margins {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    /// The part of `bottom` that lies above the caption area.
    above_caption: f64,
}

impl Margins {
    /// Outside clues stand at their side, the mark of global entropy below.
    fn of(puzzle: &Puzzle) -> Self {
        let at = |wanted: Side| {
            let has =
                |r: &Rule| matches!(r, Rule::DistinctCount { side: Some(s), .. } if *s == wanted);
            f64::from(u8::from(puzzle.rules.iter().any(has))) * 0.8
        };
        let caption = puzzle
            .rules
            .iter()
            .any(|r| matches!(r, Rule::GlobalEntropy));
        let below = at(Side::Bottom);
        Margins {
            left: at(Side::Left),
            top: at(Side::Top),
            right: at(Side::Right),
            bottom: below + if caption { 0.8 } else { 0.0 },
            above_caption: below,
        }
    }
}

/// One axis of the board: which lines (rows or columns) exist and where wide gaps lie.
pub(super) struct Axis {
    /// Number of the first line.
    first: u16,
    /// Whether a line has cells at all; an empty line between two grids takes half a cell.
    used: Vec<bool>,
    /// Whether a wide gap follows the line.
    wide: Vec<bool>,
}

impl Axis {
    /// The rows of a puzzle, or its columns.
    pub(super) fn new(puzzle: &Puzzle, rows: bool) -> Self {
        let line = |c: &crate::puzzle::Cell| if rows { c.row } else { c.col };
        let first = puzzle.cells().iter().map(line).min().unwrap_or(1);
        let last = puzzle.cells().iter().map(line).max().unwrap_or(1);
        let n = usize::from(last - first) + 1;
        let mut axis = Axis {
            first,
            used: vec![false; n],
            wide: vec![false; n],
        };
        for cell in puzzle.cells() {
            axis.used[usize::from(line(cell) - first)] = true;
        }
        for grid in &puzzle.grids {
            let (start, len, step) = if rows {
                (grid.at.row, grid.rows, grid.boxed.0)
            } else {
                (grid.at.col, grid.cols, grid.boxed.1)
            };
            for i in 1..=len {
                let boundary = i == len || (grid.box_houses && step > 0 && i % step == 0);
                if boundary && usize::from(start + i - first) < n {
                    axis.wide[usize::from(start + i - 1 - first)] = true;
                }
            }
        }
        axis
    }

    /// Start of each line and the total length, for this cell and gap size.
    fn places(&self, cell: i32, gap: i32) -> (Vec<i32>, i32) {
        let mut at = 0;
        let mut starts = Vec::with_capacity(self.used.len());
        for (i, &used) in self.used.iter().enumerate() {
            starts.push(at);
            at += if used { cell } else { cell / 2 };
            if i + 1 < self.used.len() {
                at += if self.wide[i] { 3 * gap } else { gap };
            }
        }
        (starts, at)
    }

    /// Middle of a line in cells from the start, without gaps; an empty line counts half.
    pub(super) fn middle(&self, line: u16) -> f64 {
        let i = usize::from(line - self.first);
        let before: f64 = self.used[..i]
            .iter()
            .map(|&u| if u { 1.0 } else { 0.5 })
            .sum();
        before + 0.5
    }
}

/// The gap that goes with a cell size: whole pixels, even where there is room, so that edges
/// fall on chroma samples.
fn gap_for(cell: i32) -> i32 {
    let gap = (cell * 34 + 500) / 1000;
    if cell >= 60 {
        (gap / 2 * 2).max(2)
    } else {
        gap.max(1)
    }
}

impl BoardPlan {
    /// The largest board that fits into `area`, in its middle.
    pub fn new(puzzle: &Puzzle, area: Area) -> Self {
        let (rows, cols) = (Axis::new(puzzle, true), Axis::new(puzzle, false));
        let room = Margins::of(puzzle);
        let mut cell = area.w.max(area.h) as i32;
        let total = |cell: i32, before: f64, length: i32, after: f64| {
            f64::from(cell) * (before + after) + f64::from(length)
        };
        let fits = |cell: i32| {
            let gap = gap_for(cell);
            total(cell, room.left, cols.places(cell, gap).1, room.right) <= area.w
                && total(cell, room.top, rows.places(cell, gap).1, room.bottom) <= area.h
        };
        while cell > 2 && !fits(cell) {
            cell -= 1;
        }
        if cell >= 60 {
            cell = cell / 2 * 2;
        }
        let gap = gap_for(cell);
        let (xs, width) = cols.places(cell, gap);
        let (ys, height) = rows.places(cell, gap);
        let wide = total(cell, room.left, width, room.right);
        let high = total(cell, room.top, height, room.bottom);
        let start = |at: f64, space: f64, taken: f64, before: f64| {
            ((at + (space - taken) / 2.0 + before * f64::from(cell)) as i32) / 2 * 2
        };
        let left = start(area.x, area.w, wide, room.left);
        let top = start(area.y, area.h, high, room.top);
        let rects = puzzle
            .cells()
            .iter()
            .map(|c| {
                let x = left + xs[usize::from(c.col - cols.first)];
                let y = top + ys[usize::from(c.row - rows.first)];
                [x, y, cell, cell]
            })
            .collect();
        BoardPlan {
            cell,
            gap,
            rects,
            bounds: [left, top, width, height],
            caption: ((room.above_caption + 0.52) * f64::from(cell)) as i32,
        }
    }

    /// The part of a cell that never carries anything but its colour where no rule is drawn: a
    /// strip along its top.
    pub fn sample(&self, rect: [i32; 4]) -> [i32; 4] {
        let s = self.cell;
        let inset = (s * 6 / 100).max(2);
        let height = (s * 13 / 100).max(3);
        [
            rect[0] + inset,
            rect[1] + (s * 5 / 100).max(1),
            s - 2 * inset,
            height,
        ]
    }
}
