//! Where everything stands: the composition for any size and any puzzle.
//!
//! Landscape pictures show the board on the left and the graph on the right; square and portrait
//! ones stack them. All lengths are pixels of the film's own size.

mod after;
mod before;
mod bends;
mod board;

pub use bends::{Clutter, Field};
pub use board::BoardPlan;

use crate::film::geometry::{Point, bent, hundredths, quadratic};
use crate::puzzle::{Color, Puzzle};
use crate::trace::Trace;

/// A vertex keeps at least this radius, or the size is refused.
pub const SMALLEST_RADIUS: f64 = 5.0;
/// A cell keeps at least this side, or the size is refused.
pub const SMALLEST_CELL: i32 = 16;
/// Below this radius vertices carry no glyph.
pub const GLYPH_RADIUS: f64 = 10.0;
/// The smallest and largest pictures, either way round.
pub const SIZES: ((u32, u32), (u32, u32)) = ((640, 360), (3840, 2160));

/// A size that cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Odd width or height.
    #[error(
        "{0}x{1} has an odd side, which 4:2:0 video cannot have; {width}x{height} works",
        width = .0.next_multiple_of(2), height = .1.next_multiple_of(2)
    )]
    Odd(u32, u32),
    /// Outside of the range.
    #[error("{0}x{1} is out of range; sizes go from 640x360 to 3840x2160, either way round")]
    Range(u32, u32),
    /// Too small for this puzzle.
    #[error(
        "{width}x{height} is too small for this puzzle: {what}; {} works",
        match .works { Some((w, h)) => format!("{w}x{h}"), None => "no size in range".to_string() }
    )]
    Small {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
        /// What would be too small.
        what: String,
        /// The smallest size of the same shape that works.
        works: Option<(u32, u32)>,
    },
}

/// A part of the picture: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// Where the vertices stand, and how the edges bend between them.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphPlan {
    /// Radius of every vertex.
    pub radius: f64,
    /// Centres until regroup.
    pub before: Vec<Point>,
    /// Bends until regroup, one an edge.
    pub bend_before: Vec<Point>,
    /// The movement, where the film has one.
    pub regrouped: Option<Regrouped>,
}

/// Where the vertices go.
#[derive(Debug, Clone, PartialEq)]
pub struct Regrouped {
    /// Centres after regroup.
    pub after: Vec<Point>,
    /// Control points of the vertices' paths.
    pub control: Vec<Point>,
    /// Bends after regroup, one an edge.
    pub bend_after: Vec<Point>,
    /// The ground of each colour's group: a closed outline, and the colour.
    pub grounds: Vec<(Color, Vec<Point>)>,
}

/// The whole composition.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Picture size.
    pub size: (u32, u32),
    /// The board's cells.
    pub board: BoardPlan,
    /// The graph.
    pub graph: GraphPlan,
    /// The graph's edges, as in the trace.
    pub edges: Vec<(u16, u16)>,
}

impl Layout {
    /// Composes a picture of `size` for the puzzle of `trace`; vertices regroup by `solution`
    /// where there is one.
    ///
    /// # Errors
    /// If the size is odd, out of range, or too small for this puzzle.
    pub fn new(
        trace: &Trace,
        size: (u32, u32),
        solution: Option<&[Color]>,
    ) -> Result<Self, LayoutError> {
        check_size(&trace.puzzle, size)?;
        let (board_area, graph_area) = areas(size);
        let board = BoardPlan::new(&trace.puzzle, board_area);
        let (before, mut radius) = before::places(&trace.puzzle, graph_area);
        let regroup = |radius| {
            solution.map(|colors| {
                after::places(colors, trace.puzzle.digits, &before, radius, graph_area)
            })
        };
        let mut plan = regroup(radius);
        // Where the groups are crowded, all vertices are drawn smaller.
        while radius > SMALLEST_RADIUS && plan.as_ref().is_some_and(|p| p.is_crowded(radius)) {
            radius = hundredths(radius * 0.96).max(SMALLEST_RADIUS);
            plan = regroup(radius);
        }
        if let Some(colors) =
            solution.filter(|_| plan.as_ref().is_some_and(|p| p.is_crowded(radius)))
        {
            return Err(LayoutError::Small {
                width: size.0,
                height: size.1,
                what: "vertices would touch after regroup".to_string(),
                works: larger(size, |size| {
                    let area = areas(size).1;
                    let (before, _) = before::places(&trace.puzzle, area);
                    let digits = trace.puzzle.digits;
                    !after::places(colors, digits, &before, SMALLEST_RADIUS, area)
                        .is_crowded(SMALLEST_RADIUS)
                }),
            });
        }
        let edges = trace.graph.edges.clone();
        let ground = [
            graph_area.x - 3.0 * radius,
            graph_area.y - 3.0 * radius,
            graph_area.x + graph_area.w + 3.0 * radius,
            graph_area.y + graph_area.h + 3.0 * radius,
        ];
        let field = Field {
            at: &before,
            radius,
            edges: &edges,
            ground,
            quiet: Vec::new(),
            circle: None,
        };
        let bend_before = field.choose(before::fan(&field));
        let regrouped = plan.map(|plan| {
            let field = Field {
                at: &plan.at,
                radius,
                edges: &edges,
                ground,
                quiet: after::quiet(&plan.grounds),
                circle: Some(after::circle(graph_area)),
            };
            // The usual bends all lead inwards, where no ground has to be kept.
            let inwards = Field {
                quiet: Vec::new(),
                circle: None,
                ..field.clone()
            };
            let mut bend_after = inwards.choose(after::fan(&inwards, graph_area));
            field.refine(&mut bend_after, after::wide_fan(&field, graph_area));
            Regrouped {
                after: plan.at,
                control: plan.control,
                bend_after,
                grounds: plan.grounds,
            }
        });
        let graph = GraphPlan {
            radius,
            before,
            bend_before,
            regrouped,
        };
        Ok(Layout {
            size,
            board,
            graph,
            edges,
        })
    }

    /// Vertex centres at `progress` of the movement (0 before it, 1 after).
    pub fn centres(&self, progress: f64) -> Vec<Point> {
        match &self.graph.regrouped {
            Some(r) if progress > 0.0 => (0..r.after.len())
                .map(|v| quadratic(self.graph.before[v], r.control[v], r.after[v], progress))
                .collect(),
            _ => self.graph.before.clone(),
        }
    }

    /// The displacement of edge `e` at `progress` of the movement.
    pub fn bend(&self, e: usize, progress: f64) -> Point {
        let before = self.graph.bend_before[e];
        match &self.graph.regrouped {
            Some(r) => {
                let after = r.bend_after[e];
                [0, 1].map(|i| before[i] + (after[i] - before[i]) * progress)
            }
            None => before,
        }
    }

    /// Start, control point and end of edge `e` between these centres.
    pub fn curve(&self, e: usize, centres: &[Point], progress: f64) -> [Point; 3] {
        let (a, b) = self.edges[e];
        let (p, q) = (centres[usize::from(a)], centres[usize::from(b)]);
        [p, bent(p, q, self.bend(e, progress)), q]
    }

    /// Whether vertices carry digits or symbols.
    pub fn vertex_glyphs(&self) -> bool {
        self.graph.radius >= GLYPH_RADIUS
    }

    /// The part of a vertex that never carries a glyph: offset from the centre, width, height.
    pub fn vertex_sample(&self) -> [f64; 4] {
        let r = self.graph.radius;
        let s = if self.vertex_glyphs() {
            [-0.42 * r, -0.86 * r, 0.84 * r, 0.4 * r]
        } else {
            [-0.6 * r, -0.6 * r, 1.2 * r, 1.2 * r]
        };
        s.map(hundredths)
    }

    /// The box around a vertex's centre that its glyph stays in: offset, width, height.
    pub fn vertex_mark(&self) -> [f64; 4] {
        let r = self.graph.radius;
        [-0.47 * r, -0.44 * r, 0.94 * r, 0.98 * r].map(hundredths)
    }
}

/// Board area and graph area of a picture.
fn areas((w, h): (u32, u32)) -> (Area, Area) {
    let (w, h) = (f64::from(w), f64::from(h));
    if w >= 1.2 * h {
        let (mx, gap, my) = (0.043 * w, 0.05 * w, 0.075 * h);
        // The graph is the denser half: it gets a little more room.
        let board = (w - 2.0 * mx - gap) * 0.475;
        let graph = w - 2.0 * mx - gap - board;
        let area = |x, w| Area {
            x,
            y: my,
            w,
            h: h - 2.0 * my,
        };
        (area(mx, board), area(mx + board + gap, graph))
    } else {
        let (mx, gap, my) = (0.055 * w, 0.035 * h, 0.05 * h);
        let side = (h - 2.0 * my - gap) / 2.0;
        let area = |y| Area {
            x: mx,
            y,
            w: w - 2.0 * mx,
            h: side,
        };
        (area(my), area(my + side + gap))
    }
}

/// Refuses what cannot be drawn.
fn check_size(puzzle: &Puzzle, (w, h): (u32, u32)) -> Result<(), LayoutError> {
    if w % 2 == 1 || h % 2 == 1 {
        return Err(LayoutError::Odd(w, h));
    }
    let ((small_w, small_h), (large_w, large_h)) = SIZES;
    let (long, short) = (w.max(h), w.min(h));
    if short < small_h || long < small_w || long > large_w || short > large_h {
        return Err(LayoutError::Range(w, h));
    }
    let Some(what) = too_small(puzzle, (w, h)) else {
        return Ok(());
    };
    Err(LayoutError::Small {
        width: w,
        height: h,
        what,
        works: larger((w, h), |size| too_small(puzzle, size).is_none()),
    })
}

/// The smallest size of the same shape, growing by even steps, that works.
fn larger((w, h): (u32, u32), works: impl Fn((u32, u32)) -> bool) -> Option<(u32, u32)> {
    let (_, (long, short)) = SIZES;
    (w..=long)
        .step_by(2)
        .map(|wider| {
            let taller = (u64::from(wider) * u64::from(h) / u64::from(w)) as u32 / 2 * 2;
            (wider, taller)
        })
        .take_while(|(w, h)| w.max(h) <= &long && w.min(h) <= &short)
        .find(|&size| works(size))
}

fn too_small(puzzle: &Puzzle, size: (u32, u32)) -> Option<String> {
    let (board_area, graph_area) = areas(size);
    let cell = BoardPlan::new(puzzle, board_area).cell;
    if cell < SMALLEST_CELL {
        return Some(format!(
            "a cell would be {cell} px wide, less than {SMALLEST_CELL}"
        ));
    }
    let (_, radius) = before::places(puzzle, graph_area);
    if radius < SMALLEST_RADIUS {
        return Some(format!(
            "a vertex would have a radius of {radius:.1} px, less than {SMALLEST_RADIUS}"
        ));
    }
    None
}
