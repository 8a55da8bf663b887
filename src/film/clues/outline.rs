//! The border of a set of cells.

use std::collections::BTreeSet;

use crate::puzzle::Cell;

/// Left, top, width, height of a cell.
type RectPx = [i32; 4];

/// Sides of a cell, clockwise from its top: the way along it and the way out, as (row, column).
const SIDES: [([i32; 2], [i32; 2]); 4] = [
    ([0, 1], [-1, 0]),
    ([1, 0], [0, 1]),
    ([0, -1], [1, 0]),
    ([-1, 0], [0, -1]),
];

fn step(c: Cell, [row, col]: [i32; 2]) -> Cell {
    // Cells lie far from the ends of u16; what would leave it is no cell of the set.
    let by = |v: u16, d: i32| u16::try_from(i32::from(v) + d).unwrap_or(u16::MAX);
    Cell {
        row: by(c.row, row),
        col: by(c.col, col),
    }
}

/// Where the side `side` of a cell lies, `inset` pixels inside: y of the top and the bottom, x of
/// the left and the right.
fn line([x, y, w, h]: RectPx, side: usize, inset: f32) -> f32 {
    match side {
        0 => y as f32 + inset,
        1 => (x + w) as f32 - inset,
        2 => (y + h) as f32 - inset,
        _ => x as f32 + inset,
    }
}

/// Closed paths along the border of a set of cells, `inset` pixels inside of it, holes too. Cells
/// belong together where they share a side.
pub(super) fn loops(
    cells: &[Cell],
    inset: f32,
    rect: impl Fn(Cell) -> RectPx,
) -> Vec<Vec<[f32; 2]>> {
    let set: BTreeSet<Cell> = cells.iter().copied().collect();
    let mut left: BTreeSet<(Cell, usize)> = set
        .iter()
        .flat_map(|&c| (0..4).map(move |k| (c, k)))
        .filter(|&(c, k)| !set.contains(&step(c, SIDES[k].1)))
        .collect();
    let mut loops = Vec::new();
    while let Some(&start) = left.iter().next() {
        let mut points = Vec::new();
        let mut edge = start;
        while left.remove(&edge) {
            let (cell, k) = edge;
            let (along, out) = SIDES[k];
            let ahead = step(cell, along);
            let beyond = step(ahead, out);
            let next = if !set.contains(&ahead) {
                (cell, (k + 1) % 4)
            } else if !set.contains(&beyond) {
                (ahead, k)
            } else {
                (beyond, (k + 3) % 4)
            };
            if next.1 != k {
                let here = line(rect(cell), k, inset);
                let there = line(rect(next.0), next.1, inset);
                points.push(if k % 2 == 0 {
                    [there, here]
                } else {
                    [here, there]
                });
            }
            edge = next;
        }
        loops.push(points);
    }
    loops
}

/// Short lines between cells of a set that touch at a corner only.
pub(super) fn bridges(
    cells: &[Cell],
    inset: f32,
    rect: impl Fn(Cell) -> RectPx,
) -> Vec<[[f32; 2]; 2]> {
    let set: BTreeSet<Cell> = cells.iter().copied().collect();
    let mut bridges = Vec::new();
    for &c in &set {
        for side in [-1, 1] {
            let other = step(c, [1, side]);
            let beside = set.contains(&step(c, [0, side])) || set.contains(&step(c, [1, 0]));
            if !set.contains(&other) || beside {
                continue;
            }
            let (from, to) = if side > 0 { (1, 3) } else { (3, 1) };
            bridges.push([
                [line(rect(c), from, inset), line(rect(c), 2, inset)],
                [line(rect(other), to, inset), line(rect(other), 0, inset)],
            ]);
        }
    }
    bridges
}

/// Whether each cell touches the next at a corner: a diagonal, or a zigzag.
pub(super) fn is_diagonal(cells: &[Cell]) -> bool {
    cells.len() > 2
        && cells
            .windows(2)
            .all(|w| w[0].row.abs_diff(w[1].row) == 1 && w[0].col.abs_diff(w[1].col) == 1)
}

/// Whether no two cells of the set touch at a side or a corner.
pub(super) fn is_scattered(cells: &[Cell]) -> bool {
    cells.len() > 1
        && cells.iter().enumerate().all(|(i, a)| {
            cells[..i]
                .iter()
                .all(|b| a.row.abs_diff(b.row) > 1 || a.col.abs_diff(b.col) > 1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells of 10 pixels with gaps of 2.
    fn rect(c: Cell) -> RectPx {
        let at = |v: u16| i32::from(v - 1) * 12;
        [at(c.col), at(c.row), 10, 10]
    }

    fn cells(names: &[&str]) -> Vec<Cell> {
        names.iter().map(|n| n.parse().unwrap()).collect()
    }

    #[test]
    fn an_l_of_three_cells_has_one_border_of_six_corners() {
        let found = loops(&cells(&["r1c1", "r2c1", "r2c2"]), 1.0, rect);
        assert_eq!(
            found,
            [[
                [9.0, 1.0],
                [9.0, 13.0],
                [21.0, 13.0],
                [21.0, 21.0],
                [1.0, 21.0],
                [1.0, 1.0]
            ]]
        );
    }

    #[test]
    fn a_ring_of_eight_cells_has_a_hole() {
        let all = cells(&[
            "r1c1", "r1c2", "r1c3", "r2c1", "r2c3", "r3c1", "r3c2", "r3c3",
        ]);
        let mut found = loops(&all, 1.0, rect);
        assert_eq!(found.len(), 2);
        found[1].sort_by(|a, b| a.partial_cmp(b).unwrap());
        // Inside of the ring of cells means outside of the hole.
        assert_eq!(
            found[1],
            [[9.0, 9.0], [9.0, 25.0], [25.0, 9.0], [25.0, 25.0]]
        );
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_two_borders_and_a_bridge() {
        let two = cells(&["r1c2", "r2c1"]);
        assert_eq!(loops(&two, 1.0, rect).len(), 2);
        assert_eq!(bridges(&two, 1.0, rect), [[[13.0, 9.0], [9.0, 13.0]]]);
        // A third cell joins them: no bridge.
        assert!(bridges(&cells(&["r1c2", "r2c1", "r1c1"]), 1.0, rect).is_empty());
    }

    #[test]
    fn shapes_of_sets_are_told_apart() {
        assert!(is_diagonal(&cells(&["r1c1", "r2c2", "r3c3"])));
        assert!(!is_diagonal(&cells(&["r1c1", "r2c2", "r3c2"])));
        assert!(is_scattered(&cells(&["r1c1", "r1c4", "r7c1"])));
        assert!(!is_scattered(&cells(&["r1c1", "r2c2", "r7c1"])));
    }
}
