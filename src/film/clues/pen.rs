//! The hand that draws clues: strokes in two tones, plates, and who already stands where.

use std::sync::Arc;

use super::outline;
use crate::film::Look;
use crate::film::display::{Item, Polyline, Rgb, Symbol};
use crate::film::layout::BoardPlan;
use crate::film::paint::Font;
use crate::puzzle::{Cell, Puzzle};

/// Distances of nested outlines from the border of their cells, in cells.
const LEVELS: [f32; 2] = [0.04, 0.1];
/// Width of a line, in cells.
const LINE: f32 = 0.027;
/// What the casing adds on either side of it.
const CASING: f32 = 0.016;
/// Height of a label's plate, in cells.
pub(super) const PLATE: f32 = 0.25;

/// How a line runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Dashed,
    Dotted,
    Long,
}

/// What to draw with.
pub(super) struct Pen<'a> {
    pub board: &'a BoardPlan,
    pub look: Look,
    pub font: &'a Font,
    names: &'a [Cell],
    /// Lines and letters.
    pub ink: Rgb,
    /// Around and behind them.
    pub paper: Rgb,
    /// Side of a cell.
    pub side: f32,
    /// Beneath digits.
    pub under: Vec<Item>,
    /// Above them.
    pub over: Vec<Item>,
    /// Cells through whose middle a line runs.
    pub through: Vec<bool>,
    /// Plates that stand already: left, top, right, bottom.
    taken: Vec<[f32; 4]>,
    /// For each cell, which levels of outlines are in use.
    levels: Vec<[bool; LEVELS.len()]>,
}

impl<'a> Pen<'a> {
    pub fn new(puzzle: &'a Puzzle, board: &'a BoardPlan, look: Look, font: &'a Font) -> Self {
        let [ink, paper] = super::tones(look.theme);
        let n = puzzle.cells().len();
        Pen {
            board,
            look,
            font,
            names: puzzle.cells(),
            ink,
            paper,
            side: board.cell as f32,
            under: Vec::new(),
            over: Vec::new(),
            through: vec![false; n],
            taken: Vec::new(),
            levels: vec![[false; LEVELS.len()]; n],
        }
    }

    /// The index of a cell. Rules name existing cells only.
    pub fn index(&self, cell: Cell) -> usize {
        self.names.binary_search(&cell).unwrap_or(0)
    }

    /// A point of a cell, from (0, 0) at its top left to (1, 1).
    pub fn point(&self, cell: Cell, x: f32, y: f32) -> [f32; 2] {
        let [left, top, w, h] = self.board.rects[self.index(cell)].map(|v| v as f32);
        [left + x * w, top + y * h]
    }

    pub fn middle(&self, cell: Cell) -> [f32; 2] {
        self.point(cell, 0.5, 0.5)
    }

    /// Width of a thin line in pixels.
    pub fn thin(&self) -> f32 {
        (LINE * self.side).max(1.0)
    }

    /// Width of a line's casing in pixels.
    pub fn cased(&self, width: f32) -> f32 {
        width + 2.0 * (CASING * self.side).max(0.7)
    }

    fn dash(&self, dash: Dash, width: f32) -> [f32; 2] {
        let s = self.side.max(40.0);
        match dash {
            Dash::Solid => [0.0, 0.0],
            Dash::Dashed => [0.055 * s, 0.055 * s + width],
            Dash::Long => [0.16 * s, 0.05 * s + width],
            Dash::Dotted => [0.01, 0.03 * s + 1.6 * width],
        }
    }

    /// A line in two tones, beneath digits.
    pub fn stroke(&mut self, points: Vec<[f32; 2]>, closed: bool, dash: Dash) {
        self.stroke_wide(points, closed, dash, 1.0);
    }

    /// The same, `times` as wide as a thin line.
    pub fn stroke_wide(&mut self, points: Vec<[f32; 2]>, closed: bool, dash: Dash, times: f32) {
        let width = self.thin() * times;
        let casing = self.cased(width);
        let pattern = self.dash(dash, width);
        self.path(points.clone(), closed, casing, [0.0, 0.0], self.paper, 0.85);
        self.path(points, closed, width, pattern, self.ink, 1.0);
    }

    fn path(
        &mut self,
        points: Vec<[f32; 2]>,
        closed: bool,
        width: f32,
        dash: [f32; 2],
        color: Rgb,
        alpha: f32,
    ) {
        self.under.push(Item::Line(Arc::new(Polyline {
            points,
            closed,
            width,
            dash,
            color,
            alpha,
        })));
    }

    /// A filled shape in two tones, beneath digits.
    pub fn fill(&mut self, points: Vec<[f32; 2]>) {
        let rim = self.cased(0.0);
        self.path(points.clone(), true, rim, [0.0, 0.0], self.paper, 0.85);
        self.path(points, true, 0.0, [0.0, 0.0], self.ink, 1.0);
    }

    /// The lowest level of outlines that is free in all cells, and takes it.
    fn level(&mut self, cells: &[Cell]) -> f32 {
        let indices: Vec<usize> = cells.iter().map(|&c| self.index(c)).collect();
        let users = |level: usize| indices.iter().filter(|&&v| self.levels[v][level]).count();
        let level = (0..LEVELS.len()).min_by_key(|&l| users(l)).unwrap_or(0);
        for v in indices {
            self.levels[v][level] = true;
        }
        LEVELS[level] * self.side
    }

    /// Outlines a set of cells, nested inside of earlier outlines. Cells that touch at a corner
    /// are joined there.
    pub fn outline(&mut self, cells: &[Cell], dash: Dash) {
        let inset = self.level(cells);
        let at = |c: Cell| self.board.rects[self.index(c)];
        let loops = outline::loops(cells, inset, at);
        let bridges = outline::bridges(cells, inset, at);
        for points in loops {
            self.stroke(points, true, dash);
        }
        for [p, q] in bridges {
            self.stroke(vec![p, q], false, Dash::Solid);
        }
    }

    /// A band along the inside of a region's border, in one of six patterns.
    pub fn band(&mut self, cells: &[Cell], pattern: usize) {
        for &c in cells {
            let v = self.index(c);
            self.levels[v] = [true; LEVELS.len()];
        }
        let s = self.side;
        let wide = 0.088 * s;
        for points in outline::loops(cells, 0.058 * s, |c| self.board.rects[self.index(c)]) {
            self.path(points.clone(), true, wide, [0.0, 0.0], self.paper, 0.92);
            let (width, dash) = match pattern % 6 {
                0 => (0.045 * s, [0.01, 0.095 * s]),
                1 => (0.02 * s, [0.0, 0.0]),
                2 => (0.03 * s, [0.11 * s, 0.09 * s]),
                3 => (0.05 * s, [0.0, 0.0]),
                4 => (0.02 * s, [0.01, 0.052 * s]),
                _ => (0.03 * s, [0.30 * s, 0.09 * s]),
            };
            self.path(points, true, width.max(0.8), dash, self.ink, 1.0);
        }
        for [p, q] in outline::bridges(cells, 0.058 * s, |c| self.board.rects[self.index(c)]) {
            self.stroke(vec![p, q], false, Dash::Solid);
        }
    }

    /// A circle's outline in two tones.
    pub fn circle(&mut self, at: [f32; 2], radius: f32) {
        let width = self.thin() * 1.1;
        for (width, color, alpha) in [
            (self.cased(width), self.paper, 0.85),
            (width, self.ink, 1.0),
        ] {
            self.under.push(Item::Ring {
                at,
                radius,
                width,
                color,
                alpha,
            });
        }
    }

    /// A line through the middles of cells, which will make way for their digits.
    pub fn through(&mut self, cells: &[Cell]) {
        let points = cells.iter().map(|&c| self.middle(c)).collect();
        self.stroke(points, false, Dash::Solid);
        for &c in cells {
            let v = self.index(c);
            self.through[v] = true;
        }
    }

    /// Whether a plate there would cover another.
    pub fn is_free(&self, [l, t, r, b]: [f32; 4]) -> bool {
        let gap = 1.0;
        self.taken
            .iter()
            .all(|o| l >= o[2] + gap || o[0] >= r + gap || t >= o[3] + gap || o[1] >= b + gap)
    }

    fn take(&mut self, [x, y]: [f32; 2], half: [f32; 2]) {
        self.taken
            .push([x - half[0], y - half[1], x + half[0], y + half[1]]);
    }

    /// A round plate with a rim.
    pub fn disc(&mut self, at: [f32; 2], radius: f32) {
        let width = self.thin();
        self.over.push(Item::Disc {
            at,
            radius,
            color: self.paper,
            alpha: 1.0,
        });
        self.over.push(Item::Ring {
            at,
            radius: radius - width,
            width,
            color: self.ink,
            alpha: 1.0,
        });
        self.take(at, [radius, radius]);
    }

    /// A long plate with round ends and a rim, `width` wide.
    pub fn pill(&mut self, [x, y]: [f32; 2], width: f32) {
        let height = PLATE * self.side;
        let reach = ((width - height) / 2.0).max(0.0);
        let rim = self.thin();
        for (thickness, color) in [
            (height, self.paper),
            (height - rim, self.ink),
            (height - 3.0 * rim, self.paper),
        ] {
            self.over.push(Item::Line(Arc::new(Polyline {
                points: vec![[x - reach, y], [x + reach.max(0.01), y]],
                closed: false,
                width: thickness,
                dash: [0.0, 0.0],
                color,
                alpha: 1.0,
            })));
        }
        self.take([x, y], [width / 2.0, height / 2.0]);
    }

    /// Text above digits.
    pub fn text(&mut self, text: &str, at: [f32; 2], size: f32) {
        self.over.push(Item::Text {
            text: text.into(),
            at,
            size,
            color: self.ink,
            alpha: 1.0,
        });
    }

    /// A symbol above digits.
    pub fn symbol(&mut self, symbol: Symbol, at: [f32; 2], size: f32) {
        self.over.push(Item::Shape {
            symbol,
            at,
            size,
            color: self.ink,
            alpha: 1.0,
        });
    }
}
