//! The graph before solving: one group a box, placed like the boxes of the board.

use super::board::Axis;
use super::{Area, Field};
use crate::film::geometry::{Point, hundredths, length, sideways, unit};
use crate::puzzle::Puzzle;

/// Every group is turned by this, so that rows and columns through its middle do not lie on one
/// line.
const TURN: f64 = 14.0;
/// Radius of a group's ring, in cells of the box.
const RING: f64 = 0.33;
/// Radius of a vertex in cells, where the box leaves room.
const VERTEX: f64 = 0.15;

/// Centres of all vertices and their radius, as large as `area` allows.
pub fn places(puzzle: &Puzzle, area: Area) -> (Vec<Point>, f64) {
    let (rows, cols) = (Axis::new(puzzle, true), Axis::new(puzzle, false));
    let [cos, sin] = unit(TURN);
    let mut nearest = f64::INFINITY;
    let raw: Vec<Point> = puzzle
        .cells()
        .iter()
        .map(|cell| {
            let inside = puzzle.grids.iter().find(|g| {
                (g.at.row..g.at.row + g.rows).contains(&cell.row)
                    && (g.at.col..g.at.col + g.cols).contains(&cell.col)
            });
            // Every cell comes from a grid; the whole plane stands in where none is found.
            let Some(grid) = inside else {
                return [f64::from(cell.col), f64::from(cell.row)];
            };
            let (bh, bw) = if grid.box_houses {
                grid.boxed
            } else {
                (grid.rows, grid.cols)
            };
            let (i, j) = (cell.row - grid.at.row, cell.col - grid.at.col);
            let (top, left) = (grid.at.row + i / bh * bh, grid.at.col + j / bw * bw);
            // Boxes may be cut off by the grid's end only in odd shapes; the middle is nominal.
            let middle =
                |axis: &Axis, start: u16, n: u16| axis.middle(start) + f64::from(n - 1) / 2.0;
            let centre = [middle(&cols, left, bw), middle(&rows, top, bh)];
            // The box's lattice in [-1, 1]², then its squares drawn out to circles.
            let along = |k: u16, n: u16| {
                if n == 1 {
                    0.0
                } else {
                    2.0 * f64::from(k) / f64::from(n - 1) - 1.0
                }
            };
            let (u, v) = (along(j % bw, bw), along(i % bh, bh));
            let round = if u == 0.0 && v == 0.0 {
                0.0
            } else {
                u.abs().max(v.abs()) / length([u, v])
            };
            let (rx, ry) = (RING * f64::from(bw), RING * f64::from(bh));
            let (x, y) = (u * round * rx, v * round * ry);
            let step =
                (2.0 * rx / f64::from((bw - 1).max(1))).min(2.0 * ry / f64::from((bh - 1).max(1)));
            nearest = nearest.min(step);
            [centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos]
        })
        .collect();
    let radius = VERTEX.min(nearest * 0.24);
    let span = |k: usize| {
        let lo = raw.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let hi = raw.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        (lo, hi)
    };
    let ((x0, x1), (y0, y1)) = (span(0), span(1));
    // Rings around chosen vertices need a little more than the disc.
    let reach = 2.0 * radius * 1.4;
    let scale = (area.w / (x1 - x0 + reach)).min(area.h / (y1 - y0 + reach));
    let (cx, cy) = (area.x + area.w / 2.0, area.y + area.h / 2.0);
    let at = raw
        .iter()
        .map(|p| {
            [
                hundredths(cx + (p[0] - (x0 + x1) / 2.0) * scale),
                hundredths(cy + (p[1] - (y0 + y1) / 2.0) * scale),
            ]
        })
        .collect();
    (at, hundredths(radius * scale))
}

/// Bends to try for each edge: straight first, then bent to either side, outwards first.
pub fn fan<'a>(field: &'a Field<'_>) -> impl Fn(usize) -> Vec<Point> + 'a {
    let n = field.at.len().max(1) as f64;
    let middle = field
        .at
        .iter()
        .fold([0.0, 0.0], |m, p| [m[0] + p[0] / n, m[1] + p[1] / n]);
    move |edge| {
        let (a, b) = field.edges[edge];
        let (p, q) = (field.at[usize::from(a)], field.at[usize::from(b)]);
        let (mx, my) = (
            (p[0] + q[0]) / 2.0 - middle[0],
            (p[1] + q[1]) / 2.0 - middle[1],
        );
        let outwards = if -(q[1] - p[1]) * mx + (q[0] - p[0]) * my >= 0.0 {
            1.0
        } else {
            -1.0
        };
        let mut offsets = vec![0.0];
        for k in 1..=66 {
            let o = f64::from(k) * 0.0115;
            offsets.push(outwards * o);
            offsets.push(-outwards * o);
        }
        offsets.into_iter().map(|o| sideways(p, q, o)).collect()
    }
}
