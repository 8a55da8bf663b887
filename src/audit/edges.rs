//! Edges at rest: present where the trace's graph has one, and nowhere else.
//!
//! All edges have one colour and opacity, so what a picture should show at a point follows from
//! how many edges cover it and by how much: the ground shines through all of them, whatever their
//! order. At points along an edge the picture is held against what it would be with and without
//! that edge: a matched filter, which is 1 where the edge is there and 0 where it is not, also
//! where other edges cross or run beside it. Points under vertices and tiles are left out. The
//! ground is measured on both sides of each point, so a tinted ground does not matter. The
//! straight lines between vertices that are not joined are looked at in the same way. How far both
//! kinds scatter is the noise of this picture, and a line is judged only where that noise is small
//! beside it: in a copy in which thin lines do not survive, none is.

use crate::manifest::Manifest;
use crate::trace::{Event, Trace};

use super::color::parse_hex;
use super::plan::{Plan, Show, Targets};
use super::report::{Coverage, Finding, What};
use super::sample::{Scale, View};

/// Points looked at along one edge.
const POINTS: usize = 48;
/// A line with fewer points is not judged.
const FEWEST: usize = 4;
/// At a point where so many edges lie on one another that one more or less changes the picture by
/// less than this part of what a lone edge does, nothing can be seen.
const VISIBLE: f32 = 0.3;
/// An edge that shows less of itself than this is missing, if each third of it shows less than
/// [`HALF`].
const MISSING: f32 = 0.3;
/// A line that shows more of itself than this is there, if each third of it shows more than
/// [`HALF`].
const THERE: f32 = 0.7;
/// An edge that shows so much of itself is plainly there.
const PLAIN: f32 = 0.6;
/// In a picture with more edges that are neither missing nor plainly there, none is judged.
const DOUBTFUL: usize = 2;
/// What lies across a line disturbs a part of it; a line that is there or not is so everywhere.
const HALF: f32 = 0.5;
/// By how many times the noise a line must stand out to be judged. In a film some million lines
/// are, and noise that follows the picture has a longer tail than the normal distribution.
const NOISES: f32 = 6.0;
/// The scatter of a normal distribution is this many times its median absolute deviation.
const MAD: f32 = 1.4826;
/// The grounds on either side of a point may differ by this part of what the line changes, before
/// the point counts for half.
const UNEVEN: f32 = 0.5;
/// Luma by which a lone edge must stand out from the ground for any to be judged.
const LEAST: f32 = 4.0;
/// Lit edges reach so much farther to each side than the others, in pixels.
const LIT: f64 = 3.0;
/// After the search its last choice goes dark within so many frames.
const FADES: u64 = 8;
/// Findings kept.
const KEPT: usize = 60;

/// One point: a pixel of the line and two of the ground beside it, and which part of the ground
/// should shine through the edges there.
#[derive(Clone, Copy)]
struct Point {
    line: u32,
    ground: [u32; 2],
    /// At the line without it.
    without: f32,
    /// At the line with it.
    with: f32,
    /// Beside the line, on either side.
    beside: [f32; 2],
    /// What a blur of one pixel makes of the edges around, at the line less beside it. Beside an
    /// edge a line is easily mistaken for what a codec smears. Zero for edges, whose own smear
    /// cannot be told from a fainter line.
    smear: f32,
    /// Less where an edge passes within a pixel: a small error of its place counts for much there.
    trust: f32,
}

/// A line between two vertices with its points.
struct Line {
    ends: (usize, usize),
    points: std::ops::Range<usize>,
    finding: Option<usize>,
}

/// All lines in one arrangement of the vertices.
struct Arrangement {
    edges: Vec<Line>,
    unjoined: Vec<Line>,
    points: Vec<Point>,
    curves: Vec<Curve>,
    stroke: Stroke,
    /// A vertex whose edges are lit, and which points those disturb.
    lit: Option<(usize, Vec<bool>)>,
}

/// How much a line shows of itself, all of it and each third, and the weight of its points.
#[derive(Clone, Copy)]
struct Shown {
    all: f32,
    thirds: [f32; 3],
    weight: f32,
    points: usize,
}

/// Looks at edges.
pub struct Edges<'a> {
    m: &'a Manifest,
    trace: &'a Trace,
    plan: &'a Plan,
    scale: Scale,
    before: Option<Arrangement>,
    after: Option<Arrangement>,
    checked: u64,
    blind: u64,
    blind_frames: u64,
    seen_frames: u64,
    failed: u64,
    /// What is missing or too much.
    pub findings: Vec<Finding>,
}

impl<'a> Edges<'a> {
    /// Nothing is prepared before the first picture at rest comes.
    pub fn new(m: &'a Manifest, trace: &'a Trace, plan: &'a Plan, scale: Scale) -> Self {
        Edges {
            m,
            trace,
            plan,
            scale,
            before: None,
            after: None,
            checked: 0,
            blind: 0,
            blind_frames: 0,
            seen_frames: 0,
            failed: 0,
            findings: Vec::new(),
        }
    }

    /// Looks at all edges, if frame `f` is one at rest.
    pub fn picture(&mut self, view: &View<'_>, f: u64, targets: &Targets) {
        if f < self.m.layout.edges.appears[1] || self.plan.regrouping(f) {
            return;
        }
        if let Some(k) = self.plan.state(f) {
            if f < self.m.states[k as usize].settled {
                return;
            }
        } else if (0..self.plan.n)
            .any(|v| !matches!(self.plan.show(self.plan.n + v, f), Show::Settled(_)))
        {
            return;
        }
        let lit = self.lit(f);
        let gone = self.plan.regroup().is_some_and(|(first, _)| f >= first);
        let slot = if gone {
            &mut self.after
        } else {
            &mut self.before
        };
        slot.get_or_insert_with(|| {
            Arrangement::new(
                self.m,
                self.trace,
                self.plan,
                self.scale,
                f64::from(u8::from(gone)),
            )
        });
        let (expected, lone) = self.expected(targets);
        let Edges {
            findings,
            checked,
            blind,
            failed,
            plan,
            m,
            ..
        } = self;
        let arrangement = if gone {
            self.after.as_mut()
        } else {
            self.before.as_mut()
        };
        let Some(arrangement) = arrangement else {
            return;
        };
        let disturbed = arrangement.disturbed(self.trace, lit);
        let Arrangement {
            edges,
            unjoined,
            points,
            ..
        } = arrangement;
        let measure = |line: &Line| {
            let range = line.points.clone();
            let clear = range.filter(|i| !disturbed.as_ref().is_some_and(|d| d[*i]));
            shown(clear.map(|i| (points[i], presence(view, &points[i], expected))))
        };
        let parts: Vec<Shown> = edges.iter().map(&measure).collect();
        let ghosts: Vec<Shown> = unjoined.iter().map(&measure).collect();
        let judged =
            |s: &Shown, noise: f32| s.points >= FEWEST && THERE * s.weight.sqrt() >= NOISES * noise;
        // In units of a line of weight 1.
        let (noise, ghost_noise) = (scatter(&parts), scatter(&ghosts));
        let fit = || parts.iter().filter(|s| judged(s, noise));
        // Edges that are half there were smeared away; then others may be gone for the same reason.
        let doubtful = fit().filter(|s| (MISSING..PLAIN).contains(&s.all)).count();
        if lone < LEAST || fit().count() * 2 < parts.len() || doubtful > DOUBTFUL {
            self.blind_frames += 1;
            *blind += edges.len() as u64;
            return;
        }
        self.seen_frames += 1;
        let mut report = |line: &mut Line, wrong: bool, words: &str, failed: &mut u64| {
            if !wrong {
                line.finding = None;
                return;
            }
            *failed += 1;
            if let Some(k) = line.finding {
                if let Some(finding) = findings.get_mut(k) {
                    finding.frames += 1;
                }
                return;
            }
            if findings.len() >= KEPT {
                return;
            }
            line.finding = Some(findings.len());
            let (a, b) = (
                &m.layout.cells[line.ends.0].cell,
                &m.layout.cells[line.ends.1].cell,
            );
            findings.push(Finding {
                frame: Some(f),
                time: Some(format!("{:.3}", plan.seconds(f))),
                state: plan.state(f),
                cell: Some(format!("{a} {b}")),
                ..Finding::whole(What::Edge, format!("{words} between {a} and {b}"))
            });
        };
        for (line, part) in edges.iter_mut().zip(&parts) {
            if lit.is_some_and(|v| line.ends.0 == v || line.ends.1 == v) {
                continue;
            }
            if !judged(part, noise) {
                *blind += 1;
                continue;
            }
            *checked += 1;
            let gone = part.all < MISSING && part.thirds.iter().all(|t| *t < HALF);
            report(line, gone, "an edge is missing", failed);
        }
        for (line, part) in unjoined.iter_mut().zip(&ghosts) {
            let there = judged(part, ghost_noise)
                && part.all > THERE
                && part.thirds.iter().all(|t| *t > HALF);
            report(
                line,
                there,
                "there is an edge that the graph does not have,",
                failed,
            );
        }
    }

    /// The vertex whose edges are lit, in colours of their own, or were a moment ago.
    fn lit(&self, f: u64) -> Option<usize> {
        let before = self.m.states.partition_point(|s| s.starts <= f);
        let s = before.checked_sub(1).map(|k| &self.m.states[k])?;
        // A search that failed keeps its last choice lit to the end.
        if f > s.last + FADES && self.plan.regroup().is_some() {
            return None;
        }
        match self.trace.events.get(s.event as usize) {
            Some(
                Event::Assign { vertex, .. }
                | Event::DeadEnd { vertex, .. }
                | Event::Undo { vertex, .. },
            ) => Some(usize::from(*vertex)),
            _ => None,
        }
    }

    /// Luma by which the edges' own colour differs from the ground, with its sign, and how much a
    /// lone edge stands out.
    fn expected(&self, targets: &Targets) -> (f32, f32) {
        let Some((rgb, alpha)) = parse_hex(&self.m.layout.edges.rgba) else {
            return (0.0, 0.0);
        };
        let ground = targets.all(super::plan::Kind::Vertex)[0][0];
        let differs = targets.encoding.encode(rgb)[0] - ground;
        let width = self.m.layout.edges.width * (self.scale.x * self.scale.y).sqrt();
        let lone = differs.abs() * f32::from(alpha) / 255.0 * (width as f32).min(1.0);
        (differs, lone)
    }

    /// How much was looked at.
    pub fn coverage(&self) -> Coverage {
        Coverage {
            checked: self.checked,
            not_assessable: self.blind,
            failed: self.failed,
            note: (self.blind_frames > self.seen_frames)
                .then(|| "edges not assessable: thin lines do not survive in this copy".into()),
        }
    }
}

/// How much of the line a point shows, 1 all of it, 0 none, and how far that can be trusted.
/// `expected` is the luma by which the edges' colour differs from the ground.
fn presence(view: &View<'_>, p: &Point, expected: f32) -> (f32, f32) {
    // Where less of the ground shines through, more of the edges' colour is seen.
    let ground = |k: usize| view.luma_at(p.ground[k]) - expected * (1.0 - p.beside[k]);
    let (a, b) = (ground(0), ground(1));
    let bare = (a + b) / 2.0 + expected * (1.0 - p.without);
    let change = expected * (p.without - p.with);
    // Where the ground is another on either side, what it is at the line is a guess.
    let uneven = (a - b) / (UNEVEN * change);
    (
        (view.luma_at(p.line) - bare) / change,
        1.0 / (1.0 + uneven * uneven),
    )
}

/// Least squares over points of a line: how much of it they show, and how much of the smear that
/// goes with it. Each point comes with what [`presence`] says of it.
fn shown(points: impl Iterator<Item = (Point, (f32, f32))> + Clone) -> Shown {
    let count = points.clone().count();
    // Something bright may lie across one point; it counts as one point.
    let terms = points.map(|(p, (presence, trust))| {
        let trust = p.trust * trust;
        let effect = p.without - p.with;
        let seen = effect * presence.clamp(-1.0, 2.0);
        (trust * effect, trust * p.smear, trust * seen)
    });
    let [mut ee, mut es, mut ss, mut ed, mut sd] = [0.0f32; 5];
    for (e, s, d) in terms.clone() {
        (ee, es, ss) = (ee + e * e, es + e * s, ss + s * s);
        (ed, sd) = (ed + e * d, sd + s * d);
    }
    let det = ee * ss - es * es;
    let blur = if det > 1e-3 * ee * ss {
        ((ee * sd - es * ed) / det).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (mut sums, mut weights) = ([0.0f32; 3], [0.0f32; 3]);
    for (i, (e, s, d)) in terms.enumerate() {
        let third = i * 3 / count;
        sums[third] += e * (d - blur * s);
        weights[third] += e * e;
    }
    let of = |sum: f32, weight: f32| sum / f32::max(weight, 1e-9);
    Shown {
        all: of(sums.iter().sum(), ee),
        thirds: [0, 1, 2].map(|t| of(sums[t], weights[t])),
        weight: ee - if ss > 0.0 { es * es / ss } else { 0.0 },
        points: count,
    }
}

/// How far lines scatter about what most of them show, in units of a line of weight 1. That a copy
/// has fainter edges, all of them alike, is no noise.
fn scatter(lines: &[Shown]) -> f32 {
    let judged = || lines.iter().filter(|s| s.points >= FEWEST);
    let Some(most) = median(judged().map(|s| s.all).collect()) else {
        return f32::INFINITY;
    };
    let off = judged().map(|s| (s.all - most).abs() * s.weight.sqrt());
    median(off.collect()).map_or(f32::INFINITY, |m| m * MAD)
}

/// The middle one in order of size, the upper one of two.
fn median(mut values: Vec<f32>) -> Option<f32> {
    let middle = values.len() / 2;
    (middle < values.len()).then(|| *values.select_nth_unstable_by(middle, f32::total_cmp).1)
}

impl Arrangement {
    /// Which points the lit edges of a vertex disturb, drawn wider and brighter than the others.
    fn disturbed(&mut self, trace: &Trace, lit: Option<usize>) -> Option<Vec<bool>> {
        let v = lit?;
        if self.lit.as_ref().is_none_or(|(of, _)| *of != v) {
            let mut near = vec![false; self.stroke.distance.len()];
            for (e, &(a, b)) in trace.graph.edges.iter().enumerate() {
                if usize::from(a) == v || usize::from(b) == v {
                    self.stroke.draw(&self.curves[e]);
                    for &i in &self.stroke.touched {
                        near[i as usize] = true;
                    }
                }
            }
            let points = self.points.iter();
            let map = points.map(|p| {
                [p.line, p.ground[0], p.ground[1]]
                    .iter()
                    .any(|i| near[*i as usize])
            });
            self.lit = Some((v, map.collect()));
        }
        self.lit.as_ref().map(|(_, map)| map.clone())
    }

    fn new(m: &Manifest, trace: &Trace, plan: &Plan, scale: Scale, progress: f64) -> Self {
        let n = plan.n;
        let at: Vec<[f64; 2]> = (0..n)
            .map(|v| {
                let p = plan.vertex_at(v, progress);
                [p[0] * scale.x, p[1] * scale.y]
            })
            .collect();
        let (w, h) = (scale.size.0 as usize, scale.size.1 as usize);
        let pixel = (scale.x * scale.y).sqrt();
        let width = m.layout.edges.width * pixel;
        let alpha = parse_hex(&m.layout.edges.rgba).map_or(0.0, |(_, a)| f32::from(a) / 255.0);
        let curve = |e: usize| -> Curve {
            let (a, b) = trace.graph.edges[e];
            let (p, q) = (at[usize::from(a)], at[usize::from(b)]);
            let d = m.layout.edges.bend.as_ref().map_or([0.0; 2], |bend| {
                let list = if progress > 0.0 {
                    &bend.after
                } else {
                    &bend.before
                };
                list.get(e).copied().unwrap_or([0.0; 2])
            });
            Curve {
                p,
                c: [
                    (p[0] + q[0]) / 2.0 + d[0] * scale.x,
                    (p[1] + q[1]) / 2.0 + d[1] * scale.y,
                ],
                q,
            }
        };
        let count = trace.graph.edges.len();
        let blocked = blocked(m, &at, scale);
        let mut stroke = Stroke::new(w, h, width);
        // How much of the ground shines through all edges.
        let mut through = vec![1.0f32; w * h];
        let curves: Vec<Curve> = (0..count).map(curve).collect();
        for curve in &curves {
            stroke.draw(curve);
            for &i in &stroke.touched {
                through[i as usize] *= 1.0 - alpha * stroke.coverage(i);
            }
        }
        // One pixel to each side, with the weights 1 2 1 each way.
        let smeared = |i: u32| {
            let at = |k: usize| through[k];
            let row = |k: usize| at(k - 1) + 2.0 * at(k) + at(k + 1);
            let k = i as usize;
            (row(k - w) + 2.0 * row(k) + row(k + w)) / 16.0 - at(k)
        };
        let mut points = Vec::new();
        let side = (width / 2.0 + 2.0).max(2.5);
        let inside =
            |x: f64, y: f64| x >= 1.0 && y >= 1.0 && x < w as f64 - 1.0 && y < h as f64 - 1.0;
        let index = |p: [f64; 2]| p[1] as usize * w + p[0] as usize;
        // What a lone edge changes at its middle.
        let lone = alpha * (width as f32).min(1.0);
        let mut collect = |curve: &Curve, joined: bool| -> std::ops::Range<usize> {
            let first = points.len();
            let mut all = Vec::new();
            stroke.draw(curve);
            let mut last = u32::MAX;
            curve.walk(0.75, |x, y, normal| {
                let sides = [-side, side].map(|s| [x + normal[0] * s, y + normal[1] * s]);
                if !inside(x, y) || !sides.iter().all(|p| inside(p[0], p[1])) {
                    return;
                }
                let line = index([x, y]) as u32;
                let ground = sides.map(|p| index(p) as u32);
                let free = |i: u32| !blocked[i as usize];
                if line == last || !free(line) || !ground.iter().all(|i| free(*i)) {
                    return;
                }
                last = line;
                let own = 1.0 - alpha * stroke.coverage(line);
                let is = through[line as usize];
                let (without, with) = if joined {
                    (is / own.max(0.05), is)
                } else {
                    (is, is * own)
                };
                if without - with < VISIBLE * lone {
                    return;
                }
                // Darker by smear is brighter ground; the sign is that of what an edge does.
                let smear = if joined {
                    0.0
                } else {
                    (smeared(ground[0]) + smeared(ground[1])) / 2.0 - smeared(line)
                };
                let trust = if joined {
                    1.0
                } else {
                    let rows = [line - w as u32, line, line + w as u32];
                    let all = rows.iter().flat_map(|r| [r - 1, *r, r + 1]);
                    let off = all.map(|i| (through[i as usize] - is).abs());
                    1.0 / (1.0 + off.fold(0.0, f32::max) / (VISIBLE * lone))
                };
                all.push(Point {
                    line,
                    smear,
                    trust,
                    ground,
                    without,
                    with,
                    beside: ground.map(|i| through[i as usize]),
                });
            });
            let stride = all.len().div_ceil(POINTS).max(1);
            points.extend(all.into_iter().step_by(stride));
            first..points.len()
        };
        let edges: Vec<Line> = (0..count)
            .map(|e| Line {
                ends: (
                    usize::from(trace.graph.edges[e].0),
                    usize::from(trace.graph.edges[e].1),
                ),
                points: collect(&curves[e], true),
                finding: None,
            })
            .collect();
        let mut joined = vec![false; n * n];
        for &(a, b) in &trace.graph.edges {
            joined[usize::from(a) * n + usize::from(b)] = true;
        }
        let mut unjoined = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                if joined[a * n + b] {
                    continue;
                }
                let (p, q) = (at[a], at[b]);
                let straight = Curve {
                    p,
                    c: [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0],
                    q,
                };
                let points = collect(&straight, false);
                if points.len() >= FEWEST {
                    unjoined.push(Line {
                        ends: (a, b),
                        points,
                        finding: None,
                    });
                }
            }
        }
        Arrangement {
            edges,
            unjoined,
            points,
            curves,
            stroke: Stroke::new(w, h, width + 2.0 * LIT),
            lit: None,
        }
    }
}

/// Where vertices, with room for rings around them, and tiles cover the edges.
fn blocked(m: &Manifest, at: &[[f64; 2]], scale: Scale) -> Vec<bool> {
    let (w, h) = (scale.size.0 as i64, scale.size.1 as i64);
    let mut map = vec![false; (w * h) as usize];
    let mut block = |x0: f64, x1: f64, y0: f64, y1: f64, hides: &dyn Fn(f64, f64) -> bool| {
        for y in (y0 as i64).max(0)..=(y1 as i64).min(h - 1) {
            for x in (x0 as i64).max(0)..=(x1 as i64).min(w - 1) {
                if hides(x as f64 + 0.5, y as f64 + 0.5) {
                    map[(y * w + x) as usize] = true;
                }
            }
        }
    };
    let pixel = (scale.x * scale.y).sqrt();
    for (v, c) in at.iter().enumerate() {
        let r = m.layout.vertices[v].radius * pixel + 3.0;
        block(c[0] - r, c[0] + r, c[1] - r, c[1] + r, &|x, y| {
            (x - c[0]).hypot(y - c[1]) < r
        });
    }
    for c in &m.layout.cells {
        let r = c.rect;
        block(
            r[0] * scale.x - 2.0,
            (r[0] + r[2]) * scale.x + 2.0,
            r[1] * scale.y - 2.0,
            (r[1] + r[3]) * scale.y + 2.0,
            &|_, _| true,
        );
    }
    map
}

/// The pixels of one curve at a time, with their distance from its middle.
struct Stroke {
    size: (usize, usize),
    width: f64,
    distance: Vec<f32>,
    /// Pixels that the curve passes, in no order.
    touched: Vec<u32>,
}

impl Stroke {
    fn new(w: usize, h: usize, width: f64) -> Self {
        Stroke {
            size: (w, h),
            width,
            distance: vec![f32::INFINITY; w * h],
            touched: Vec::new(),
        }
    }

    fn draw(&mut self, curve: &Curve) {
        for i in self.touched.drain(..) {
            self.distance[i as usize] = f32::INFINITY;
        }
        let (w, h) = (self.size.0 as i64, self.size.1 as i64);
        let reach = self.width / 2.0 + 0.5;
        let (distance, touched) = (&mut self.distance, &mut self.touched);
        curve.walk(0.7, |x, y, normal| {
            let (x0, x1) = ((x - reach).floor() as i64, (x + reach).floor() as i64);
            let (y0, y1) = ((y - reach).floor() as i64, (y + reach).floor() as i64);
            for py in y0.max(0)..=y1.min(h - 1) {
                for px in x0.max(0)..=x1.min(w - 1) {
                    let (dx, dy) = (px as f64 + 0.5 - x, py as f64 + 0.5 - y);
                    let along = dx * normal[1] - dy * normal[0];
                    let across = (dx * normal[0] + dy * normal[1]).abs();
                    if along.abs() > 0.8 || across >= reach {
                        continue;
                    }
                    let slot = &mut distance[(py * w + px) as usize];
                    if slot.is_infinite() {
                        touched.push((py * w + px) as u32);
                    }
                    *slot = slot.min(across as f32);
                }
            }
        });
    }

    /// The part of a pixel that the curve covers: how much a stroke of this width overlaps a
    /// pixel's width, across.
    fn coverage(&self, pixel: u32) -> f32 {
        let d = self.distance[pixel as usize];
        let half = self.width as f32 / 2.0;
        ((d + 0.5).min(half) - (d - 0.5).max(-half)).clamp(0.0, 1.0)
    }
}

/// A quadratic Bézier curve in stream pixels.
struct Curve {
    p: [f64; 2],
    c: [f64; 2],
    q: [f64; 2],
}

impl Curve {
    /// Calls `f` with points about `step` pixels apart and the unit normal there.
    fn walk(&self, step: f64, mut f: impl FnMut(f64, f64, [f64; 2])) {
        let (p, c, q) = (self.p, self.c, self.q);
        let length = (c[0] - p[0]).hypot(c[1] - p[1]) + (q[0] - c[0]).hypot(q[1] - c[1]);
        let steps = ((length / step).ceil() as usize).clamp(1, 20_000);
        for k in 0..=steps {
            let t = k as f64 / steps as f64;
            let u = 1.0 - t;
            let at = [0, 1].map(|i| u * u * p[i] + 2.0 * u * t * c[i] + t * t * q[i]);
            let d = [0, 1].map(|i| 2.0 * u * (c[i] - p[i]) + 2.0 * t * (q[i] - c[i]));
            let len = d[0].hypot(d[1]).max(1e-9);
            f(at[0], at[1], [-d[1] / len, d[0] / len]);
        }
    }
}
