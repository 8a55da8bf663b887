//! Where things stand, against coordinates worked out by hand.

use proofreel::film::layout::{Area, BoardPlan, Layout};
use proofreel::puzzle::{Cell, Grid, Puzzle, Rule, Side};
use proofreel::solve::{Limits, solve};

fn area(w: f64, h: f64) -> Area {
    Area {
        x: 0.0,
        y: 0.0,
        w,
        h,
    }
}

fn rect(puzzle: &Puzzle, plan: &BoardPlan, name: &str) -> [i32; 4] {
    let cell: Cell = name.parse().unwrap();
    plan.rects[puzzle.index_of(cell).unwrap()]
}

#[test]
fn a_classic_board_in_a_hundred_pixels_has_cells_of_nine() {
    // 9 × 9 cells, 6 gaps of 1 and 2 of 3: 93; cells of 10 would need 102.
    let puzzle = Puzzle::classic();
    let plan = BoardPlan::new(&puzzle, area(100.0, 100.0));
    assert_eq!((plan.cell, plan.gap), (9, 1));
    assert_eq!(plan.bounds, [2, 2, 93, 93]);
    assert_eq!(rect(&puzzle, &plan, "r1c1"), [2, 2, 9, 9]);
    assert_eq!(rect(&puzzle, &plan, "r1c2"), [12, 2, 9, 9]);
    assert_eq!(rect(&puzzle, &plan, "r1c4"), [34, 2, 9, 9]);
    assert_eq!(rect(&puzzle, &plan, "r9c9"), [86, 86, 9, 9]);
}

#[test]
fn twins_stand_side_by_side_half_a_cell_apart() {
    let grid = |col| Grid {
        at: Cell { row: 1, col },
        rows: 4,
        cols: 4,
        boxed: (2, 2),
        ..Grid::classic()
    };
    let puzzle = Puzzle::new(4, vec![grid(1), grid(6)]);
    let plan = BoardPlan::new(&puzzle, area(200.0, 200.0));
    // Eight cells of 21, half a cell of 10, gaps of 1, 3, 1, 3, 1, 1, 3, 1: 192.
    assert_eq!(plan.cell, 21);
    assert_eq!(plan.bounds[2], 192);
    assert_eq!(rect(&puzzle, &plan, "r1c1")[0], 4);
    assert_eq!(rect(&puzzle, &plan, "r1c3")[0], 4 + 42 + 4);
    assert_eq!(rect(&puzzle, &plan, "r1c6")[0], 4 + 84 + 8 + 10 + 1);
    // One row of twins is as high as one grid: 4 × 21 + 1 + 3 + 1.
    assert_eq!(plan.bounds[3], 89);
}

#[test]
fn an_outside_clue_gets_a_margin_at_its_side_only() {
    let mut puzzle = Puzzle::classic();
    let cells: Vec<Cell> = (1..=9).map(|row| Cell { row, col: 1 }).collect();
    puzzle.rules.push(Rule::DistinctCount {
        value: 9,
        side: Some(Side::Top),
        cells,
    });
    // 93 and eight tenths of a cell of 9 above: 100.2, in the middle of 110.
    let plan = BoardPlan::new(&puzzle, area(100.0, 110.0));
    assert_eq!(plan.cell, 9);
    assert_eq!(plan.bounds, [2, 12, 93, 93]);
}

#[test]
fn vertices_of_a_classic_graph_stand_where_arithmetic_puts_them() {
    let puzzle = proofreel::puzzle::bundled::find("demo")
        .unwrap()
        .read()
        .unwrap();
    let trace = solve(&puzzle, &Limits::default()).trace;
    let solution = trace.solution.clone().unwrap();
    let layout = Layout::new(&trace, (1280, 720), Some(&solution)).unwrap();
    let index = |name: &str| trace.puzzle.index_of(name.parse().unwrap()).unwrap();
    let near = |[x, y]: [f64; 2], [a, b]: [f64; 2]| {
        assert!(
            (x - a).abs() < 0.05 && (y - b).abs() < 0.05,
            "{x} {y}: not {a} {b}"
        );
    };
    // The graph's area is 580.608 × 612 around (934.656, 360). A group's ring has a radius of
    // 0.99 cells and is turned by 14°, so that the graph is 2 (3 + 0.99 cos 14°) = 7.9212 cells
    // wide and, with the rings of chosen vertices, 8.3412: a cell is 69.607.
    let before = &layout.graph.before;
    near(before[index("r5c5")], [934.656, 360.0]);
    near(before[index("r5c2")], [934.656 - 3.0 * 69.607, 360.0]);
    near(before[index("r2c5")], [934.656, 360.0 - 3.0 * 69.607]);
    // (-0.99 cos 14°, -0.99 sin 14°) cells from the middle.
    near(before[index("r5c4")], [934.656 - 66.864, 360.0 - 16.671]);
    assert!((layout.graph.radius - 10.44).abs() < 0.01);

    // After regroup, each group of nine has its middle vertex on a ray of its own, 40° from the
    // next, and its ends on the rim, 290.304 - 1.2 × 10.44 from the middle.
    let after = &layout.graph.regrouped.as_ref().unwrap().after;
    let polar = |v: usize| {
        let (x, y) = (after[v][0] - 934.656, after[v][1] - 360.0);
        ((x * x + y * y).sqrt(), y.atan2(x).to_degrees())
    };
    for color in 1..=9u8 {
        let mut far: Vec<(f64, f64)> = (0..81)
            .filter(|&v| solution[v] == color)
            .map(polar)
            .collect();
        far.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ray = (-90.0 + 40.0 * f64::from(color - 1) + 180.0f64).rem_euclid(360.0) - 180.0;
        assert!((far[0].1 - ray).abs() < 0.05, "colour {color}: {far:?}");
        for end in &far[7..] {
            assert!((end.0 - 277.776).abs() < 0.05, "colour {color}: {far:?}");
        }
    }
}

#[test]
#[ignore = "the bends of 16×16 and of two grids take minutes to choose"]
fn every_shape_of_puzzle_finds_room() {
    let grid = |row, col, n: u16, boxed, box_houses| Grid {
        at: Cell { row, col },
        rows: n,
        cols: n,
        boxed,
        box_houses,
        ..Grid::classic()
    };
    let cases = [
        (4, vec![grid(1, 1, 4, (2, 2), true)]),
        (6, vec![grid(1, 1, 6, (2, 3), true)]),
        (9, vec![grid(1, 1, 9, (3, 3), false)]),
        (
            9,
            vec![grid(1, 1, 9, (3, 3), true), grid(1, 11, 9, (3, 3), true)],
        ),
        (
            9,
            vec![grid(1, 1, 9, (3, 3), true), grid(7, 7, 9, (3, 3), true)],
        ),
        (12, vec![grid(1, 1, 12, (3, 4), true)]),
        (16, vec![grid(1, 1, 16, (4, 4), true)]),
    ];
    for (digits, grids) in cases {
        let puzzle = Puzzle::new(digits, grids);
        let limits = Limits {
            first_only: true,
            ..Limits::default()
        };
        let trace = solve(&puzzle, &limits).trace;
        let solution = trace.solution.clone().unwrap();
        let sizes = [(2560, 1440), (1080, 1920)];
        for size in sizes.into_iter().take(if digits == 16 { 1 } else { 2 }) {
            let layout = Layout::new(&trace, size, Some(&solution)).unwrap();
            let (w, h) = (f64::from(size.0), f64::from(size.1));
            let r = layout.graph.radius;
            let board = &layout.board;
            for &[x, y, cw, ch] in &board.rects {
                assert!(x > 0 && y > 0 && x + cw < size.0 as i32 && y + ch < size.1 as i32);
            }
            for progress in [0.0, 1.0] {
                let centres = layout.centres(progress);
                for (v, p) in centres.iter().enumerate() {
                    assert!(p[0] > r && p[1] > r && p[0] + r < w && p[1] + r < h);
                    for q in &centres[..v] {
                        let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                        let apart = (dx * dx + dy * dy).sqrt();
                        assert!(apart > 2.0 * r, "{digits} digits, {size:?}: {p:?} {q:?}");
                    }
                }
            }
        }
    }
}
