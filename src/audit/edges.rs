//! Edges at rest: present where the trace's graph has one, and nowhere else.
//!
//! An edge is looked at along its curve, at points where nothing else is near: no other edge, no
//! vertex, no tile. At each point the line is held against the ground on both of its sides. The
//! straight lines between vertices that are not joined are looked at in the same way; they also
//! show how much a line is imitated by noise, so that a copy in which thin lines do not survive is
//! found out and not judged.

use crate::manifest::Manifest;
use crate::trace::{Event, Trace};

use super::color::{Encoding, Matrix, parse_hex};
use super::plan::{Plan, Show, Targets};
use super::report::{Coverage, Finding, What};
use super::sample::{Scale, View};

/// Points looked at along one edge.
const POINTS: usize = 48;
/// An edge with fewer free points is not judged.
const FEWEST: usize = 6;
/// A line between unjoined vertices needs more: there are thousands of them.
const FEWEST_FREE: usize = 12;
/// A point shows a line where its contrast is at least this part of what is expected.
const SHOWN: f32 = 0.3;
/// An edge shown at fewer of its points is missing.
const MISSING: f32 = 0.3;
/// A line shown at more of its points is there.
const THERE: f32 = 0.8;
/// Findings kept.
const KEPT: usize = 60;

/// One point: the pixels of the line (two, on both sides of its middle) and of the ground.
#[derive(Clone, Copy)]
struct Point {
    line: [u32; 2],
    ground: [u32; 2],
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
        let expected = self.expected(targets);
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
            let hits = own
                .iter()
                .filter(|p| contrast(view, p) * expected.signum() >= SHOWN * expected.abs())
                .count();
            hits as f32 / own.len().max(1) as f32
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
            .filter(|p| (MISSING..THERE).contains(p))
            .count();
        let there = judged.iter().filter(|p| **p >= THERE).count();
        let imitated = ghosts.iter().filter(|p| **p > 0.5).count();
        let fit = expected.abs() >= 4.0
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

    /// Luma that an edge stands out by, with its sign.
    fn expected(&self, targets: &Targets) -> f32 {
        let Some((rgb, alpha)) = parse_hex(&self.m.layout.edges.rgba) else {
            return 0.0;
        };
        let encoding = if targets.encoding.full {
            targets.encoding
        } else {
            Encoding::new(Matrix::Bt709, false)
        };
        let line = encoding.encode(rgb)[0];
        let ground = targets.all(super::plan::Kind::Vertex)[0][0];
        let width = self.m.layout.edges.width * (self.scale.x * self.scale.y).sqrt();
        (line - ground) * f32::from(alpha) / 255.0 * (width as f32).min(1.0)
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

/// How much the line stands out from the ground on both sides.
fn contrast(view: &View<'_>, p: &Point) -> f32 {
    let [a, b] = p.line.map(|i| view.luma_at(i));
    let [c, d] = p.ground.map(|i| view.luma_at(i));
    let ground = (c + d) / 2.0;
    let (a, b) = (a - ground, b - ground);
    if a.abs() > b.abs() { a } else { b }
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
        const MANY: u16 = u16::MAX;
        let mut map = vec![0u16; w * h];
        let mut block = |x: f64, y: f64, reach: i64, id: u16| {
            let (cx, cy) = (x.floor() as i64, y.floor() as i64);
            for py in (cy - reach).max(0)..=(cy + reach).min(h as i64 - 1) {
                for px in (cx - reach).max(0)..=(cx + reach).min(w as i64 - 1) {
                    let slot = &mut map[py as usize * w + px as usize];
                    *slot = if *slot == 0 || *slot == id { id } else { MANY };
                }
            }
        };
        let pixel = (scale.x * scale.y).sqrt();
        let width = m.layout.edges.width * pixel;
        let reach = (width / 2.0).ceil() as i64;
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
        let count = trace.graph.edges.len().min(usize::from(MANY) - 2);
        for e in 0..count {
            curve(e).walk(0.6, |x, y, _| block(x, y, reach, e as u16 + 1));
        }
        // Vertices, with room for rings around them, and tiles are no ground.
        for (v, c) in at.iter().enumerate() {
            let r = m.layout.vertices[v].radius * pixel + 3.0;
            for y in (c[1] - r) as i64..=(c[1] + r) as i64 {
                for x in (c[0] - r) as i64..=(c[0] + r) as i64 {
                    if (x as f64 + 0.5 - c[0]).hypot(y as f64 + 0.5 - c[1]) < r {
                        block(x as f64, y as f64, 0, MANY);
                    }
                }
            }
        }
        for c in &m.layout.cells {
            let r = c.rect;
            for y in (r[1] * scale.y) as i64 - 2..=((r[1] + r[3]) * scale.y) as i64 + 2 {
                for x in (r[0] * scale.x) as i64 - 2..=((r[0] + r[2]) * scale.x) as i64 + 2 {
                    block(x as f64, y as f64, 0, MANY);
                }
            }
        }
        let mut points = Vec::new();
        let side = (width / 2.0 + 2.0).max(2.5);
        let inside =
            |x: f64, y: f64| x >= 1.0 && y >= 1.0 && x < w as f64 - 1.0 && y < h as f64 - 1.0;
        let mut collect = |curve: &Curve, id: u16| -> std::ops::Range<usize> {
            let first = points.len();
            let mut all = Vec::new();
            curve.walk(1.5, |x, y, normal| {
                let sides = [-side, side].map(|s| [x + normal[0] * s, y + normal[1] * s]);
                // The two pixels that the line's middle lies between.
                let lines = [-0.4, 0.4].map(|s| [x + normal[0] * s, y + normal[1] * s]);
                if !sides.iter().chain(&lines).all(|p| inside(p[0], p[1])) {
                    return;
                }
                let index = |p: [f64; 2]| p[1] as usize * w + p[0] as usize;
                if lines.iter().all(|p| map[index(*p)] == id)
                    && sides.iter().all(|p| map[index(*p)] == 0)
                {
                    all.push(Point {
                        line: lines.map(|p| index(p) as u32),
                        ground: sides.map(|p| index(p) as u32),
                    });
                }
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
                points: collect(&curve(e), e as u16 + 1),
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
                let points = collect(&straight, 0);
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
