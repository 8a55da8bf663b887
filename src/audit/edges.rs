//! Edges at rest: present where the trace's graph has one, and nowhere else.
//!
//! All edges have one colour and opacity, so what a picture should show at a point follows from
//! how many edges cover it and by how much: the ground shines through all of them, whatever their
//! order. At points along an edge the picture is held against what it would be with and without
//! that edge: a matched filter, which is 1 where the edge is there and 0 where it is not, also
//! where other edges cross or run beside it. Points under vertices and tiles are left out. The
//! ground is measured on both sides of each point, so a tinted ground does not matter. The
//! straight lines between vertices that are not joined are looked at in the same way; they also
//! show how much a line is imitated by noise, so that a copy in which thin lines do not survive is
//! found out and not judged.

use crate::manifest::Manifest;
use crate::trace::{Event, Trace};

use super::color::parse_hex;
use super::plan::{Plan, Show, Targets};
use super::report::{Coverage, Finding, What};
use super::sample::{Scale, View};

/// Points looked at along one edge.
const POINTS: usize = 48;
/// An edge with fewer points is not judged.
const FEWEST: usize = 4;
/// A line between unjoined vertices needs more: there are thousands of them.
const FEWEST_FREE: usize = 12;
/// At a point where so many edges lie on one another that one more or less changes the picture by
/// less than this part of what a lone edge does, nothing can be seen.
const VISIBLE: f32 = 0.3;
/// An edge that shows less of itself is missing.
const MISSING: f32 = 0.3;
/// An edge that shows so much of itself is plainly there.
const PLAIN: f32 = 0.6;
/// A line that shows so much of itself is there.
const THERE: f32 = 0.75;
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
    /// Beside the line.
    beside: f32,
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
        // The vertex of the state's events; its edges are lit, in colours of their own.
        let mut lit = None;
        if let Some(k) = self.plan.state(f) {
            let s = &self.m.states[k as usize];
            if f < s.settled {
                return;
            }
            if f <= s.last {
                lit = match self.trace.events.get(s.event as usize) {
                    Some(
                        Event::Assign { vertex, .. }
                        | Event::DeadEnd { vertex, .. }
                        | Event::Undo { vertex, .. },
                    ) => Some(usize::from(*vertex)),
                    _ => None,
                };
            }
        } else if (0..self.plan.n)
            .any(|v| !matches!(self.plan.show(self.plan.n + v, f), Show::Settled(_)))
        {
            return;
        }
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
        let Arrangement {
            edges,
            unjoined,
            points,
        } = arrangement;
        let shown = |line: &Line| -> f32 {
            let own = &points[line.points.clone()];
            let (mut sum, mut all) = (0.0, 0.0);
            for p in own {
                let effect = p.without - p.with;
                // Something bright may lie across one point; it counts as one point.
                sum += effect * presence(view, p, expected).clamp(-0.5, 1.5);
                all += effect;
            }
            sum / f32::max(all, 1e-6)
        };
        let parts: Vec<f32> = edges.iter().map(&shown).collect();
        let ghosts: Vec<f32> = unjoined.iter().map(&shown).collect();
        // Is this picture fit for judging single lines? Nearly all edges are plainly there or
        // plainly not, and hardly a line is imitated by noise.
        let judged: Vec<f32> = edges
            .iter()
            .zip(&parts)
            .filter(|(l, _)| l.points.len() >= FEWEST)
            .map(|(_, p)| *p)
            .collect();
        let doubtful = judged
            .iter()
            .filter(|p| (MISSING..PLAIN).contains(p))
            .count();
        let there = judged.iter().filter(|p| **p >= PLAIN).count();
        let imitated = ghosts.iter().filter(|p| **p > 0.5).count();
        let fit = lone >= 4.0
            && !judged.is_empty()
            && doubtful * 25 <= judged.len()
            && there * 2 >= judged.len()
            && imitated * 50 <= ghosts.len().max(1) * 2 + 100;
        if !fit {
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
            let own = lit.is_some_and(|v| line.ends.0 == v || line.ends.1 == v);
            if own || line.points.len() < FEWEST {
                *blind += u64::from(line.points.len() < FEWEST);
                continue;
            }
            *checked += 1;
            report(line, *part < MISSING, "an edge is missing", failed);
        }
        for (line, part) in unjoined.iter_mut().zip(&ghosts) {
            report(
                line,
                *part > THERE,
                "there is an edge that the graph does not have,",
                failed,
            );
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

/// How much of the line a point shows: 1 all of it, 0 none. `expected` is the luma by which the
/// edges' colour differs from the ground.
fn presence(view: &View<'_>, p: &Point, expected: f32) -> f32 {
    let [a, b] = p.ground.map(|i| view.luma_at(i));
    let is = view.luma_at(p.line) - (a + b) / 2.0;
    // Where less of the ground shines through, more of the edges' colour is seen.
    let without = expected * (p.beside - p.without);
    (is - without) / (expected * (p.without - p.with))
}

impl Arrangement {
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
        for e in 0..count {
            stroke.draw(&curve(e));
            for &i in &stroke.touched {
                through[i as usize] *= 1.0 - alpha * stroke.coverage(i);
            }
        }
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
                all.push(Point {
                    line,
                    ground,
                    without,
                    with,
                    beside: (through[ground[0] as usize] + through[ground[1] as usize]) / 2.0,
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
                points: collect(&curve(e), true),
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
                if points.len() >= FEWEST_FREE {
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
