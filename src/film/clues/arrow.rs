//! Arrows inside a cell that point along other cells.

use super::pen::Pen;
use super::tokens;
use crate::film::geometry::length;
use crate::puzzle::Cell;

/// Length of an arrow in cells.
const LENGTH: f32 = 0.22;

/// The direction from one cell to another as (x, y), where it is one of the eight of a compass.
fn compass(from: Cell, to: Cell) -> Option<[i32; 2]> {
    let d = [
        i32::from(to.col) - i32::from(from.col),
        i32::from(to.row) - i32::from(from.row),
    ];
    let straight = d[0] == 0 || d[1] == 0 || d[0].abs() == d[1].abs();
    (straight && d != [0, 0]).then(|| d.map(i32::signum))
}

/// The directions in which `cells` lie from `source`: one for each ray of the compass, or one to
/// their middle where they do not lie on rays.
fn directions(source: Cell, cells: &[Cell]) -> Vec<[f64; 2]> {
    let rays: Option<Vec<[i32; 2]>> = cells.iter().map(|&c| compass(source, c)).collect();
    let sum = |f: fn(&Cell) -> u16, own: u16| -> f64 {
        cells.iter().map(|c| f64::from(f(c)) - f64::from(own)).sum()
    };
    let mut found: Vec<[f64; 2]> = match rays {
        Some(mut rays) => {
            rays.sort_unstable();
            rays.dedup();
            rays.iter().map(|d| d.map(f64::from)).collect()
        }
        None => vec![[sum(|c| c.col, source.col), sum(|c| c.row, source.row)]],
    };
    found.retain(|&d| length(d) > 0.0);
    found
}

/// Draws the arrows of an `appears` rule.
pub(super) fn appears(pen: &mut Pen<'_>, source: Cell, cells: &[Cell]) {
    for d in directions(source, cells) {
        let l = length(d);
        let [x, y] = d.map(|v| (v / l) as f32);
        let at = if tokens(pen.look) {
            // The middle belongs to the token: arrows stand in the strip above it.
            pen.point(source, 0.5 + 0.36 * x, 0.15)
        } else {
            // On the border of a square around the digit.
            let far = x.abs().max(y.abs());
            pen.point(source, 0.5 + 0.37 * x / far, 0.5 + 0.37 * y / far)
        };
        // Corners have more room than sides.
        let long = if x == 0.0 || y == 0.0 { 1.0 } else { 1.25 };
        arrow(pen, at, [x, y], LENGTH * long);
    }
}

/// One arrow around `at`, `long` cells long, in direction `d` of length 1.
pub(super) fn arrow(pen: &mut Pen<'_>, at: [f32; 2], [dx, dy]: [f32; 2], long: f32) {
    let l = long * pen.side;
    let shape = [
        [0.5, 0.0],
        [0.02, 0.42],
        [0.02, 0.13],
        [-0.5, 0.13],
        [-0.5, -0.13],
        [0.02, -0.13],
        [0.02, -0.42],
    ];
    let turned = shape.map(|[u, v]| [at[0] + l * (u * dx - v * dy), at[1] + l * (u * dy + v * dx)]);
    pen.fill(turned.to_vec());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str, cells: &[&str]) -> Vec<[f64; 2]> {
        let cells: Vec<Cell> = cells.iter().map(|c| c.parse().unwrap()).collect();
        directions(source.parse().unwrap(), &cells)
    }

    #[test]
    fn arrows_point_along_rays_or_to_the_middle() {
        assert_eq!(found("r3c3", &["r2c4", "r1c5"]), [[1.0, -1.0]]);
        assert_eq!(
            found("r3c3", &["r3c4", "r3c2", "r3c5"]),
            [[-1.0, 0.0], [1.0, 0.0]]
        );
        assert_eq!(found("r3c3", &["r1c4", "r2c5"]), [[3.0, -3.0]]);
        // All around: no direction at all.
        assert_eq!(found("r3c3", &["r1c4", "r5c2"]).len(), 0);
    }
}
