//! The board: flat cells on whole pixels, small gaps, wider ones between boxes.

use super::Area;
use crate::puzzle::{Puzzle, Rule};

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
        // Outside clues stand in a margin of most of a cell at their side.
        let outside = puzzle
            .rules
            .iter()
            .any(|r| matches!(r, Rule::DistinctCount { side: Some(_), .. }));
        let mut cell = area.w.max(area.h) as i32;
        let fits = |cell: i32| {
            let gap = gap_for(cell);
            let margin = if outside { 2 * (cell * 8 / 10) } else { 0 };
            cols.places(cell, gap).1 + margin <= area.w as i32
                && rows.places(cell, gap).1 + margin <= area.h as i32
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
        let left = ((area.x + (area.w - f64::from(width)) / 2.0) as i32) / 2 * 2;
        let top = ((area.y + (area.h - f64::from(height)) / 2.0) as i32) / 2 * 2;
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
        }
    }

    /// The part of a cell that never carries anything but its colour: a strip along its top.
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
