//! How far each edge bends, so that single edges can be followed.
//!
//! An edge that ran under a vertex would seem to end there, and two edges on one another look
//! like one. The bends are chosen greedily, shortest edge first: of a fan of offsets the one that
//! runs under fewest foreign vertices, then along fewest edges placed before it, then the
//! flattest. The result depends on the geometry alone.

use crate::film::geometry::{Point, bent, length, quadratic, sideways};

/// Ground that an edge keeps between itself and the disc of a vertex that is not its end, as a
/// part of the vertex radius.
const CLEARANCE: f64 = 0.18;
/// Two edges share a stretch where they run closer than this (in radii) …
const NEAR: f64 = 0.085;
/// … and their directions differ by less than this sine.
const PARALLEL: f32 = 0.045;
/// Distance of the points that stand for a curve, in radii.
const STEP: f64 = 0.55;

/// What is left of crossings that a viewer could misread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clutter {
    /// Pairs of an edge and a vertex, not its end, whose disc it runs under.
    pub under_vertices: usize,
    /// Edges that share a stretch of at least two radii with another edge.
    pub shared_stretches: usize,
}

/// Where edges may bend and by how much.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    /// Vertex centres.
    pub at: &'a [Point],
    /// Vertex radius.
    pub radius: f64,
    /// The edges.
    pub edges: &'a [(u16, u16)],
    /// Left, top, right, bottom of the ground that curves keep to.
    pub ground: [f64; 4],
}

/// A point of a curve that was placed already: where and in which direction.
type Mark = [f32; 4];

/// Points of placed curves, by square of the plane.
struct Placed {
    squares: Vec<Vec<Mark>>,
    origin: Point,
    side: f64,
    columns: usize,
    rows: usize,
}

impl Placed {
    /// An empty plane around the field; curves outside of it are kept in its border squares.
    fn new(field: &Field<'_>) -> Self {
        let side = STEP * field.radius;
        let around = 8.0 * field.radius;
        let lo = |k: usize| field.at.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min) - around;
        let hi = |k: usize| field.at.iter().map(|p| p[k]).fold(-f64::INFINITY, f64::max) + around;
        let count = |k: usize| ((hi(k) - lo(k)) / side).ceil().clamp(1.0, 4000.0) as usize;
        let (columns, rows) = (count(0), count(1));
        Placed {
            squares: vec![Vec::new(); columns * rows],
            origin: [lo(0), lo(1)],
            side,
            columns,
            rows,
        }
    }

    fn square(&self, p: Point) -> (usize, usize) {
        let i = |k: usize, n: usize| {
            (((p[k] - self.origin[k]) / self.side).max(0.0) as usize).min(n - 1)
        };
        (i(0, self.columns), i(1, self.rows))
    }

    fn add(&mut self, (p, d): (Point, Point)) {
        let (x, y) = self.square(p);
        self.squares[y * self.columns + x].push([
            p[0] as f32,
            p[1] as f32,
            d[0] as f32,
            d[1] as f32,
        ]);
    }

    /// Whether some placed edge runs along direction `d` close to `p`.
    fn runs_along(&self, (p, d): (Point, Point), near: f64) -> bool {
        let (x, y) = self.square(p);
        let [px, py, dx, dy] = [p[0] as f32, p[1] as f32, d[0] as f32, d[1] as f32];
        let (near, side) = (near as f32, self.side as f32);
        (y.saturating_sub(1)..=(y + 1).min(self.rows - 1)).any(|j| {
            (x.saturating_sub(1)..=(x + 1).min(self.columns - 1)).any(|i| {
                self.squares[j * self.columns + i]
                    .iter()
                    .any(|&[qx, qy, ex, ey]| {
                        let (vx, vy) = (qx - px, qy - py);
                        (vx * dy - vy * dx).abs() < near
                            && (vx * dx + vy * dy).abs() < side
                            && (dx * ey - dy * ex).abs() < PARALLEL
                    })
            })
        })
    }
}

impl Field<'_> {
    fn ends(&self, edge: usize) -> (Point, Point) {
        let (a, b) = self.edges[edge];
        (self.at[usize::from(a)], self.at[usize::from(b)])
    }

    /// Points and unit directions along a bent edge, outside of its own two discs.
    fn points(&self, edge: usize, bend: Point, out: &mut Vec<(Point, Point)>) {
        out.clear();
        let (p, q) = self.ends(edge);
        let c = bent(p, q, bend);
        // Half the control polygon and half the chord: close to the curve's length.
        let legs = length([c[0] - p[0], c[1] - p[1]]) + length([q[0] - c[0], q[1] - c[1]]);
        let along = (legs + length([q[0] - p[0], q[1] - p[1]])) / 2.0;
        let n = (along / (STEP * self.radius)).ceil().clamp(4.0, 2000.0) as usize;
        for i in 0..=n {
            let t = i as f64 / n as f64;
            let at = quadratic(p, c, q, t);
            let far = |e: Point| length([at[0] - e[0], at[1] - e[1]]) > self.radius * 1.3;
            if far(p) && far(q) {
                let d = [
                    (1.0 - t) * (c[0] - p[0]) + t * (q[0] - c[0]),
                    (1.0 - t) * (c[1] - p[1]) + t * (q[1] - c[1]),
                ];
                let l = length(d).max(1e-9);
                out.push((at, [d[0] / l, d[1] / l]));
            }
        }
    }

    /// How many foreign discs (grown by `margin`, in pixels) the points run under.
    fn under(&self, edge: usize, points: &[(Point, Point)], margin: f64) -> usize {
        let (a, b) = self.edges[edge];
        let reach = self.radius + margin;
        let step = STEP * self.radius;
        // Most discs lie far from the curve as a whole.
        let far = reach + step;
        let mut ground = [f64::INFINITY, f64::INFINITY, -f64::INFINITY, -f64::INFINITY];
        for ([x, y], _) in points {
            ground[0] = ground[0].min(x - far);
            ground[1] = ground[1].min(y - far);
            ground[2] = ground[2].max(x + far);
            ground[3] = ground[3].max(y + far);
        }
        (0..self.at.len())
            .filter(|&v| v != usize::from(a) && v != usize::from(b))
            .filter(|&v| {
                let [x, y] = self.at[v];
                x > ground[0] && y > ground[1] && x < ground[2] && y < ground[3]
            })
            .filter(|&v| {
                let c = self.at[v];
                points.iter().any(|&(p, d)| {
                    let (vx, vy) = (c[0] - p[0], c[1] - p[1]);
                    // The curve near p is a short straight piece of direction d.
                    let along = (vx * d[0] + vy * d[1]).clamp(-step, step);
                    let (rx, ry) = (vx - along * d[0], vy - along * d[1]);
                    rx * rx + ry * ry < reach * reach
                })
            })
            .count()
    }

    /// Chooses how every edge is displaced: sideways by one of the offsets `fan(edge)`, best liked
    /// first.
    pub fn choose(&self, fan: impl Fn(usize) -> Vec<f64>) -> Vec<Point> {
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        let chord = |e: usize| {
            let (p, q) = self.ends(e);
            length([q[0] - p[0], q[1] - p[1]])
        };
        order.sort_by(|&x, &y| chord(x).total_cmp(&chord(y)).then(x.cmp(&y)));
        let mut placed = Placed::new(self);
        let mut bends = vec![[0.0, 0.0]; self.edges.len()];
        let mut points = Vec::new();
        for edge in order {
            let (p, q) = self.ends(edge);
            let mut best = (f64::INFINITY, [0.0, 0.0]);
            for (liking, offset) in fan(edge).into_iter().enumerate() {
                // Later candidates are liked less; a cost below that cannot be beaten any more.
                let mut cost = liking as f64;
                if cost >= best.0 {
                    break;
                }
                let bend = sideways(p, q, offset);
                self.points(edge, bend, &mut points);
                cost += 1000.0 * self.under(edge, &points, CLEARANCE * self.radius) as f64;
                let [left, top, right, bottom] = self.ground;
                let outside = points
                    .iter()
                    .filter(|&&([x, y], _)| x < left || x > right || y < top || y > bottom)
                    .count();
                cost += 25.0 * outside as f64;
                if cost >= best.0 {
                    continue;
                }
                for &mark in &points {
                    if placed.runs_along(mark, NEAR * self.radius) {
                        cost += 3.0;
                        if cost >= best.0 {
                            break;
                        }
                    }
                }
                if cost < best.0 {
                    best = (cost, bend);
                }
            }
            bends[edge] = best.1;
            self.points(edge, bends[edge], &mut points);
            for &mark in &points {
                placed.add(mark);
            }
        }
        bends
    }

    /// Counts what the chosen bends leave.
    pub fn clutter(&self, bends: &[Point]) -> Clutter {
        let mut placed = Placed::new(self);
        let mut points = Vec::new();
        let mut clutter = Clutter {
            under_vertices: 0,
            shared_stretches: 0,
        };
        for (edge, &bend) in bends.iter().enumerate() {
            self.points(edge, bend, &mut points);
            clutter.under_vertices += self.under(edge, &points, 0.0);
            // Four points at 0.55 radii make a stretch of about two radii.
            let along = points
                .iter()
                .filter(|&&mark| placed.runs_along(mark, NEAR * self.radius))
                .count();
            clutter.shared_stretches += usize::from(along >= 4);
            for &mark in &points {
                placed.add(mark);
            }
        }
        clutter
    }
}
