//! How far each edge bends, so that single edges can be followed.
//!
//! An edge that ran under a vertex would seem to end there, and two edges on one another look
//! like one. The bends are chosen greedily, shortest edge first: of a fan of bends the one that
//! runs under fewest foreign vertices, then along fewest edges placed before it, then the
//! flattest. What is still cluttered may be chosen again from a wider fan, with all others in
//! their places. The result depends on the geometry alone.

use crate::film::geometry::{Point, bent, length, quadratic};

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
    /// Discs (centre, radius) of ground that no edge should cross.
    pub quiet: Vec<(Point, f64)>,
    /// A circle (centre, radius) that edges should stay inside of.
    pub circle: Option<(Point, f64)>,
}

/// With more edges than this, second choices take more time than they are worth: the picture is
/// dense whatever is chosen.
const MOST_REFINED: usize = 2000;

/// A point of a curve that was placed already: where and in which direction, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Mark {
    at: [f32; 2],
    along: [f32; 2],
    edge: u32,
}

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

    fn add(&mut self, edge: usize, (p, d): (Point, Point)) {
        let (x, y) = self.square(p);
        self.squares[y * self.columns + x].push(Mark {
            at: p.map(|v| v as f32),
            along: d.map(|v| v as f32),
            edge: edge as u32,
        });
    }

    /// Takes the points of an edge away again.
    fn remove(&mut self, edge: usize, points: &[(Point, Point)]) {
        for (p, _) in points {
            let (x, y) = self.square(*p);
            self.squares[y * self.columns + x].retain(|m| m.edge != edge as u32);
        }
    }

    /// Whether some placed edge runs along direction `d` close to `p`.
    fn runs_along(&self, (p, d): (Point, Point), near: f64) -> bool {
        let (x, y) = self.square(p);
        let [px, py, dx, dy] = [p[0] as f32, p[1] as f32, d[0] as f32, d[1] as f32];
        let (near, side) = (near as f32, self.side as f32);
        (y.saturating_sub(1)..=(y + 1).min(self.rows - 1)).any(|j| {
            (x.saturating_sub(1)..=(x + 1).min(self.columns - 1)).any(|i| {
                self.squares[j * self.columns + i].iter().any(|m| {
                    let (vx, vy) = (m.at[0] - px, m.at[1] - py);
                    let [ex, ey] = m.along;
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

    /// All edges, the shortest first.
    fn order(&self) -> Vec<usize> {
        let chord = |e: usize| {
            let (p, q) = self.ends(e);
            length([q[0] - p[0], q[1] - p[1]])
        };
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by(|&x, &y| chord(x).total_cmp(&chord(y)).then(x.cmp(&y)));
        order
    }

    /// What speaks against a curve: foreign discs most of all, then ground it should not cross,
    /// then stretches along placed edges. Ends early once `limit` is reached.
    fn cost(&self, edge: usize, points: &[(Point, Point)], placed: &Placed, limit: f64) -> f64 {
        let mut cost = 1000.0 * self.under(edge, points, CLEARANCE * self.radius) as f64;
        let [left, top, right, bottom] = self.ground;
        let outside = points
            .iter()
            .filter(|&&([x, y], _)| x < left || x > right || y < top || y > bottom)
            .count();
        cost += 25.0 * outside as f64;
        if cost >= limit {
            return cost;
        }
        let inside = |p: Point, at: Point, radius: f64| {
            let (x, y) = (p[0] - at[0], p[1] - at[1]);
            x * x + y * y < radius * radius
        };
        for &(at, radius) in &self.quiet {
            cost += 25.0 * points.iter().filter(|m| inside(m.0, at, radius)).count() as f64;
        }
        if let Some((at, radius)) = self.circle {
            cost += 60.0 * points.iter().filter(|m| !inside(m.0, at, radius)).count() as f64;
        }
        for &mark in points {
            if cost >= limit {
                break;
            }
            if placed.runs_along(mark, NEAR * self.radius) {
                cost += 3.0;
            }
        }
        cost
    }

    /// The cheapest of some bends, best liked first; each place in the list costs `dislike`.
    fn cheapest(
        &self,
        edge: usize,
        bends: impl IntoIterator<Item = Point>,
        dislike: f64,
        placed: &Placed,
    ) -> (f64, Point) {
        let mut best = (f64::INFINITY, [0.0, 0.0]);
        let mut points = Vec::new();
        for (place, bend) in bends.into_iter().enumerate() {
            // Later candidates are liked less; a cost below that cannot be beaten any more.
            let liking = dislike * place as f64;
            if liking >= best.0 {
                break;
            }
            self.points(edge, bend, &mut points);
            let cost = liking + self.cost(edge, &points, placed, best.0 - liking);
            if cost < best.0 {
                best = (cost, bend);
            }
        }
        best
    }

    /// Chooses how every edge is displaced: by one of the bends `fan(edge)`, best liked first.
    pub fn choose(&self, fan: impl Fn(usize) -> Vec<Point>) -> Vec<Point> {
        let mut placed = Placed::new(self);
        let mut bends = vec![[0.0, 0.0]; self.edges.len()];
        let mut points = Vec::new();
        for edge in self.order() {
            bends[edge] = self.cheapest(edge, fan(edge), 1.0, &placed).1;
            self.points(edge, bends[edge], &mut points);
            for &mark in &points {
                placed.add(edge, mark);
            }
        }
        bends
    }

    /// Chooses again for edges that run under a foreign vertex or along others, with all others
    /// in their places, from a wider fan.
    pub fn refine(&self, bends: &mut [Point], fan: impl Fn(usize) -> Vec<Point>) {
        if self.edges.len() > MOST_REFINED {
            return;
        }
        let mut placed = Placed::new(self);
        let mut points = Vec::new();
        for (edge, &bend) in bends.iter().enumerate() {
            self.points(edge, bend, &mut points);
            for &mark in &points {
                placed.add(edge, mark);
            }
        }
        for edge in self.order() {
            self.points(edge, bends[edge], &mut points);
            placed.remove(edge, &points);
            let now = self.cost(edge, &points, &placed, f64::INFINITY);
            // One point along another edge is a crossing, not a stretch.
            if now > 3.0 {
                let (cost, bend) = self.cheapest(edge, fan(edge), 0.02, &placed);
                if cost < now {
                    bends[edge] = bend;
                    self.points(edge, bend, &mut points);
                }
            }
            for &mark in &points {
                placed.add(edge, mark);
            }
        }
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
                placed.add(edge, mark);
            }
        }
        clutter
    }
}
