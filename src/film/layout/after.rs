//! The graph after solving: one group a colour, around one great circle.
//!
//! A group's vertices stand on an arc that bulges towards the middle of the circle. All edges
//! leave on the inside, since they go to other colours; the bowl behind the arc, the group's own
//! ground, stays free of edges. That emptiness is what the film is about.

use super::{Area, Field};
use crate::film::geometry::{Point, hundredths, length, sideways, unit};
use crate::puzzle::Color;

/// Distance of neighbours on an arc, in radii; 2 would touch.
const PITCH: f64 = 2.2;
/// Half the opening angle of an arc where there is room to choose, in degrees.
const EASY_HALF: f64 = 40.0;
/// Half the opening angle at most, in degrees.
const DEEPEST_HALF: f64 = 78.0;

/// Where the vertices go and by which way.
pub struct Plan {
    pub at: Vec<Point>,
    pub control: Vec<Point>,
    pub grounds: Vec<(Color, Vec<Point>)>,
}

impl Plan {
    /// Whether two discs of this radius would touch, or nearly so.
    pub fn is_crowded(&self, radius: f64) -> bool {
        let least = 2.06 * radius;
        self.at.iter().enumerate().any(|(i, p)| {
            self.at[..i].iter().any(|q| {
                let (x, y) = (p[0] - q[0], p[1] - q[1]);
                x * x + y * y < least * least
            })
        })
    }
}

/// The circle that edges keep to: a little more than that of the outermost vertices.
pub fn circle(area: Area) -> (Point, f64) {
    (
        [area.x + area.w / 2.0, area.y + area.h / 2.0],
        area.w.min(area.h) / 2.0,
    )
}

/// One place on the arc of a group: `n` places, `half` degrees to either side.
struct Arc {
    /// Direction from the circle's middle to the group.
    out: Point,
    /// Centre of curvature.
    centre: Point,
    curvature: f64,
    half: f64,
}

impl Arc {
    /// The point at `t` in [-1, 1], clockwise around the great circle, `push` pixels outwards
    /// from the arc's inside.
    fn at(&self, t: f64, push: f64) -> Point {
        let [c, s] = unit(t * self.half);
        let side = [-self.out[1], self.out[0]];
        let r = self.curvature - push;
        [
            self.centre[0] - self.out[0] * r * c + side[0] * r * s,
            self.centre[1] - self.out[1] * r * c + side[1] * r * s,
        ]
    }
}

/// Half the opening angle whose arc of length `arc` has the chord `chord`; both in pixels.
fn half_angle(arc: f64, chord: f64) -> f64 {
    // chord / arc = sin(x) / x falls monotonously on (0, 180): bisect.
    let (mut lo, mut hi) = (0.0, 179.0);
    for _ in 0..60 {
        let mid = (lo + hi) / 2.0;
        let x = mid * std::f64::consts::PI / 180.0;
        if x == 0.0 || unit(mid)[1] / x > chord / arc {
            lo = mid
        } else {
            hi = mid
        }
    }
    lo
}

/// Places every vertex by its colour.
pub fn places(colors: &[Color], digits: u8, before: &[Point], radius: f64, area: Area) -> Plan {
    let middle = [area.x + area.w / 2.0, area.y + area.h / 2.0];
    let rim = area.w.min(area.h) / 2.0 - 1.2 * radius;
    let mut at = vec![[0.0, 0.0]; colors.len()];
    let mut grounds = Vec::new();
    // Colours that no vertex has leave no gap in the circle.
    let used: Vec<Color> = (1..=digits).filter(|c| colors.contains(c)).collect();
    let step = 360.0 / used.len().max(1) as f64;
    let most = used
        .iter()
        .map(|c| colors.iter().filter(|k| *k == c).count())
        .max()
        .unwrap_or(1);
    for (i, &color) in used.iter().enumerate() {
        let out = unit(-90.0 + step * i as f64);
        let side = [-out[1], out[0]];
        let mut group: Vec<usize> = (0..colors.len()).filter(|&v| colors[v] == color).collect();
        let along = |v: usize| before[v][0] * side[0] + before[v][1] * side[1];
        // In the order in which they come along: fewer paths cross.
        group.sort_by(|&a, &b| along(a).total_cmp(&along(b)).then(a.cmp(&b)));
        let arc = arc_for(most, step, rim, radius, out, middle);
        let n = group.len();
        for (k, &v) in group.iter().enumerate() {
            let span = if most > 1 {
                (n as f64 - 1.0) / (most as f64 - 1.0)
            } else {
                0.0
            };
            let t = if n > 1 {
                (2.0 * k as f64 / (n as f64 - 1.0) - 1.0) * span
            } else {
                0.0
            };
            at[v] = arc.at(t, 0.0).map(hundredths);
        }
        grounds.push((color, ground(&arc, radius)));
    }
    let control = (0..colors.len())
        .map(|v| swing(before[v], at[v], middle))
        .collect();
    Plan {
        at,
        control,
        grounds,
    }
}

fn arc_for(n: usize, step: f64, rim: f64, radius: f64, out: Point, middle: Point) -> Arc {
    // Room to the neighbouring groups at the rim, less the discs and some air.
    let room = (rim * unit((step / 2.0).min(60.0))[1] - 1.4 * radius).max(radius);
    let needed = PITCH * radius * (n as f64 - 1.0).max(1.0);
    let (half, curvature) = if needed >= 2.0 * room * 0.92 {
        let half = half_angle(needed, 2.0 * room).min(DEEPEST_HALF);
        (half, room / unit(half)[1].max(0.05))
    } else {
        // Room to spare: the arc need not span it all.
        let chord = (needed * 1.25).min(2.0 * room);
        (EASY_HALF, chord / 2.0 / unit(EASY_HALF)[1])
    };
    let [c, s] = unit(half);
    // The tips lie on the rim.
    let lateral = curvature * s;
    let tip = (rim * rim - lateral * lateral).max(0.0).sqrt();
    let d = tip + curvature * c;
    Arc {
        out,
        centre: [middle[0] + out[0] * d, middle[1] + out[1] * d],
        curvature,
        half,
    }
}

/// The outline of a group's ground: along the arc behind the discs, and back by a flatter one.
fn ground(arc: &Arc, radius: f64) -> Vec<Point> {
    const POINTS: i32 = 24;
    let ends = 0.86;
    let inner = (0..=POINTS).map(|k| {
        let t = (2.0 * f64::from(k) / f64::from(POINTS) - 1.0) * ends;
        arc.at(t, 1.75 * radius)
    });
    let mut outline: Vec<Point> = inner.collect();
    let (first, last) = (outline[0], outline[outline.len() - 1]);
    let chord = [(first[0] + last[0]) / 2.0, (first[1] + last[1]) / 2.0];
    let bulge = length([first[0] - last[0], first[1] - last[1]]) * 0.1;
    let top = [chord[0] + arc.out[0] * bulge, chord[1] + arc.out[1] * bulge];
    for k in 1..POINTS {
        let t = f64::from(k) / f64::from(POINTS);
        outline.push(crate::film::geometry::quadratic(
            last,
            [2.0 * top[0] - chord[0], 2.0 * top[1] - chord[1]],
            first,
            t,
        ));
    }
    outline
}

/// The control point of a path: a swing clockwise around the middle keeps the streams apart.
fn swing(from: Point, to: Point, middle: Point) -> Point {
    let mid = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let pull = 0.16;
    let (rx, ry) = (mid[0] - middle[0], mid[1] - middle[1]);
    let clockwise = if -dy * rx + dx * ry >= 0.0 { 1.0 } else { -1.0 };
    [
        hundredths(mid[0] - clockwise * pull * dy),
        hundredths(mid[1] + clockwise * pull * dx),
    ]
}

/// The offset at which the control point of an edge lies level with the middle of the circle.
fn level(p: Point, q: Point, area: Area) -> f64 {
    let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
    let m = [
        area.x + area.w / 2.0 - (p[0] + q[0]) / 2.0,
        area.y + area.h / 2.0 - (p[1] + q[1]) / 2.0,
    ];
    (-dy * m[0] + dx * m[1]) / (dx * dx + dy * dy).max(1.0)
}

/// Bends to try for each edge: drawn towards the middle of the circle, more or less.
pub fn fan<'a>(field: &'a Field<'_>, area: Area) -> impl Fn(usize) -> Vec<Point> + 'a {
    move |edge| {
        let (a, b) = field.edges[edge];
        let (p, q) = (field.at[usize::from(a)], field.at[usize::from(b)]);
        let level = level(p, q, area);
        let mut bends = Vec::new();
        for k in 0..=48 {
            let k = f64::from(k) * 0.025;
            bends.push(sideways(p, q, level * (0.5 + k)));
            if k > 0.0 && k < 0.5 {
                bends.push(sideways(p, q, level * (0.5 - k)));
            }
        }
        bends
    }
}

/// More bends to try, steeper at one end than at the other, nearest to the usual ones first.
pub fn wide_fan<'a>(field: &'a Field<'_>, area: Area) -> impl Fn(usize) -> Vec<Point> + 'a {
    const ACROSS: i32 = 14;
    const ALONG: i32 = 4;
    let mut steps: Vec<(i32, i32)> = (-ACROSS..=ACROSS)
        .flat_map(|s| (-ALONG..=ALONG).map(move |w| (s, w)))
        .collect();
    steps.sort_by_key(|&(s, w)| (s * s + 6 * w * w, s, w));
    move |edge| {
        let (a, b) = field.edges[edge];
        let (p, q) = (field.at[usize::from(a)], field.at[usize::from(b)]);
        let level = level(p, q, area);
        // Neighbours in the circle are close: their offsets need room of their own.
        let size = level.abs().max(0.5);
        let sign = if level < 0.0 { -1.0 } else { 1.0 };
        steps
            .iter()
            .map(|&(s, w)| {
                let [x, y] = sideways(p, q, level * 0.5 + sign * size * 0.09 * f64::from(s));
                let w = 0.11 * f64::from(w);
                [
                    hundredths(x + w * (q[0] - p[0])),
                    hundredths(y + w * (q[1] - p[1])),
                ]
            })
            .collect()
    }
}

/// Discs that cover the grounds of all groups.
pub fn quiet(grounds: &[(Color, Vec<Point>)]) -> Vec<(Point, f64)> {
    let mut discs = Vec::new();
    for (_, outline) in grounds {
        // The outline runs along one side and back along the other.
        let half = outline.len() / 2;
        for k in (2..half).step_by(3) {
            let (p, q) = (outline[k], outline[outline.len() - k]);
            let apart = length([p[0] - q[0], p[1] - q[1]]);
            discs.push(([(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0], apart / 2.0));
        }
    }
    discs
}
