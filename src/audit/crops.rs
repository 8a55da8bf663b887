//! What failed, cut out of the picture, beside what should be there.

use crate::manifest::Manifest;
use crate::trace::Trace;

use super::color::{Encoding, mix, parse_hex};
use super::plan::{Ink, Kind, Plan, Show};
use super::report::{Finding, What};
use super::sample::{Scale, View};

/// Crops kept of one film.
const MOST: usize = 24;
/// A crop's long side is at most this, in pixels; of a larger part of the picture every so manieth
/// pixel is taken.
const SIDE: usize = 320;

/// A part of a picture twice, both 8-bit RGB, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Crop {
    /// Width and height of each in pixels.
    pub size: (u32, u32),
    /// As the film shows it.
    pub seen: Vec<u8>,
    /// The same with what should be there drawn over it, flat.
    pub expected: Vec<u8>,
    /// The finding in words, with its frame and time.
    pub words: String,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy)]
enum Spot {
    /// A cell or vertex, by its index among both.
    Place(usize),
    /// The digit on one.
    Digit(usize),
    /// Two vertices, whether joined or not.
    Edge(usize, usize),
}

/// A place's shape in stream pixels.
#[derive(Debug, Clone, Copy)]
enum Shape {
    Rect([f64; 4]),
    Disc([f64; 2], [f64; 2]),
}

impl Shape {
    fn bounds(self) -> [f64; 4] {
        match self {
            Shape::Rect([x, y, w, h]) => [x, y, x + w, y + h],
            Shape::Disc(c, r) => [c[0] - r[0], c[1] - r[1], c[0] + r[0], c[1] + r[1]],
        }
    }

    fn holds(self, x: f64, y: f64) -> bool {
        match self {
            Shape::Rect([left, top, w, h]) => {
                (left..left + w).contains(&x) && (top..top + h).contains(&y)
            }
            Shape::Disc(c, r) => ((x - c[0]) / r[0]).hypot((y - c[1]) / r[1]) <= 1.0,
        }
    }
}

/// Takes crops while a film is looked at.
pub struct Crops<'a> {
    m: &'a Manifest,
    trace: &'a Trace,
    plan: &'a Plan,
    scale: Scale,
    encoding: Encoding,
    /// What was taken.
    pub taken: Vec<Crop>,
}

impl<'a> Crops<'a> {
    /// None are taken yet.
    pub fn new(
        m: &'a Manifest,
        trace: &'a Trace,
        plan: &'a Plan,
        scale: Scale,
        encoding: Encoding,
    ) -> Self {
        Crops {
            m,
            trace,
            plan,
            scale,
            encoding,
            taken: Vec::new(),
        }
    }

    /// Cuts the place of a finding out of the picture that it was made in, frame `f`. `digit` is
    /// the place (cells first, then vertices) of a finding about a digit.
    pub fn take(&mut self, view: &View<'_>, f: u64, finding: &Finding, digit: Option<usize>) {
        if self.taken.len() >= MOST {
            return;
        }
        let Some(spot) = self.spot(finding, digit) else {
            return;
        };
        let [left, top, right, bottom] = self.part(spot, f);
        let (w, h) = (view.width, view.height);
        let from = |v: f64, most: usize| (v.floor().max(0.0) as usize).min(most);
        let (x0, x1) = (from(left, w), from(right + 1.0, w));
        let (y0, y1) = (from(top, h), from(bottom + 1.0, h));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        let stride = (x1 - x0).max(y1 - y0).div_ceil(SIDE);
        let size = ((x1 - x0).div_ceil(stride), (y1 - y0).div_ceil(stride));
        let (sx, sy) = view.chroma_shift();
        let mut seen = Vec::with_capacity(size.0 * size.1 * 3);
        for y in (y0..y1).step_by(stride) {
            for x in (x0..x1).step_by(stride) {
                let (x, y) = (x as isize, y as isize);
                let yuv = [
                    view.luma(x, y),
                    view.at(1, x >> sx, y >> sy),
                    view.at(2, x >> sx, y >> sy),
                ];
                seen.extend(self.encoding.decode(yuv));
            }
        }
        let mut expected = seen.clone();
        for (row, y) in (y0..y1).step_by(stride).enumerate() {
            for (column, x) in (x0..x1).step_by(stride).enumerate() {
                if let Some(rgb) = self.paint(spot, f, x as f64 + 0.5, y as f64 + 0.5) {
                    let at = 3 * (row * size.0 + column);
                    expected[at..at + 3].copy_from_slice(&rgb);
                }
            }
        }
        let time = self.plan.seconds(f);
        self.taken.push(Crop {
            size: (size.0 as u32, size.1 as u32),
            seen,
            expected,
            words: format!("frame {f} ({time:.3} s): {}", finding.message),
        });
    }

    fn spot(&self, finding: &Finding, digit: Option<usize>) -> Option<Spot> {
        let names = finding.cell.as_deref()?;
        let index = |name: &str| self.m.layout.cells.iter().position(|c| c.cell == name);
        match finding.what {
            What::Cell => index(names).map(Spot::Place),
            What::Vertex => index(names).map(|v| Spot::Place(self.plan.n + v)),
            What::Digit => digit.map(Spot::Digit),
            What::Edge => {
                let (a, b) = names.split_once(' ')?;
                Some(Spot::Edge(index(a)?, index(b)?))
            }
            _ => None,
        }
    }

    fn shape(&self, i: usize, f: u64) -> Shape {
        let (x, y) = (self.scale.x, self.scale.y);
        match self.plan.kind(i) {
            (Kind::Cell, v) => {
                let r = self.m.layout.cells[v].rect;
                Shape::Rect([r[0] * x, r[1] * y, r[2] * x, r[3] * y])
            }
            (Kind::Vertex, v) => {
                let c = self.plan.vertex_at(v, self.plan.progress(f));
                let r = self.m.layout.vertices[v].radius;
                Shape::Disc([c[0] * x, c[1] * y], [r * x, r * y])
            }
        }
    }

    /// The part of the picture that is cut out: left, top, right, bottom in stream pixels.
    fn part(&self, spot: Spot, f: u64) -> [f64; 4] {
        let (bounds, room) = match spot {
            Spot::Place(i) | Spot::Digit(i) => {
                let b = self.shape(i, f).bounds();
                let room = match self.plan.kind(i).0 {
                    Kind::Cell => 0.4,
                    Kind::Vertex => 1.0,
                };
                (b, room * (b[2] - b[0]))
            }
            Spot::Edge(a, b) => {
                let n = self.plan.n;
                let (p, q) = (self.shape(n + a, f).bounds(), self.shape(n + b, f).bounds());
                let both = [
                    p[0].min(q[0]),
                    p[1].min(q[1]),
                    p[2].max(q[2]),
                    p[3].max(q[3]),
                ];
                (both, p[2] - p[0])
            }
        };
        [
            bounds[0] - room,
            bounds[1] - room,
            bounds[2] + room,
            bounds[3] + room,
        ]
    }

    /// What should be at a point, where the finding is about it.
    fn paint(&self, spot: Spot, f: u64, x: f64, y: f64) -> Option<[u8; 3]> {
        match spot {
            Spot::Place(i) => self.shape(i, f).holds(x, y).then(|| self.color(i, f)),
            Spot::Digit(i) => self.digit(i, f, x, y),
            Spot::Edge(a, b) => self.edge(a, b, f, x, y),
        }
    }

    fn color(&self, i: usize, f: u64) -> [u8; 3] {
        let kind = self.plan.kind(i).0;
        let rgb = |ink| self.plan.rgb(kind, ink);
        match self.plan.show(i, f) {
            Show::NotYet => rgb(Ink::Behind),
            Show::Settled(ink) => rgb(ink),
            Show::Moving(from, to, t, _) => {
                let [from, to] = [from, to].map(|ink| rgb(ink).map(f32::from));
                mix(from, to, t.unwrap_or(1.0)).map(|v| (v + 0.5) as u8)
            }
        }
    }

    fn digit(&self, i: usize, f: u64, x: f64, y: f64) -> Option<[u8; 3]> {
        if !self.shape(i, f).holds(x, y) {
            return None;
        }
        let (kind, v) = self.plan.kind(i);
        let under = self.color(i, f);
        let rect = match kind {
            Kind::Cell => self.m.layout.cells[v].glyph?,
            Kind::Vertex => {
                let (g, at) = (
                    self.m.layout.vertices[v].glyph?,
                    self.plan.vertex_at(v, self.plan.progress(f)),
                );
                [at[0] + g[0], at[1] + g[1], g[2], g[3]]
            }
        };
        let color = *self.trace.solution.as_ref()?.get(v)?;
        let glyph = self.m.layout.glyphs.iter().find(|g| g.color == color)?;
        let (u, w) = (
            (x / self.scale.x - rect[0]) / rect[2],
            (y / self.scale.y - rect[1]) / rect[3],
        );
        if !(0.0..1.0).contains(&u) || !(0.0..1.0).contains(&w) {
            return Some(under);
        }
        let at = (w * f64::from(glyph.height)) as usize * glyph.width as usize
            + (u * f64::from(glyph.width)) as usize;
        let coverage = glyph
            .coverage
            .get(2 * at..2 * at + 2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())?;
        let ink = parse_hex(&glyph.rgb)?.0.map(f32::from);
        Some(mix(under.map(f32::from), ink, f32::from(coverage) / 255.0).map(|v| (v + 0.5) as u8))
    }

    /// A missing edge is drawn at full strength, one too many is covered with the background.
    fn edge(&self, a: usize, b: usize, f: u64, x: f64, y: f64) -> Option<[u8; 3]> {
        let p = self.plan.progress(f);
        let [from, to] = [a, b].map(|v| self.plan.vertex_at(v, p));
        let edge = (self.trace.graph.edges.iter())
            .position(|e| (usize::from(e.0), usize::from(e.1)) == (a, b));
        let bend = self.m.layout.edges.bend.as_ref();
        let d = edge
            .zip(bend)
            .and_then(|(e, bend)| {
                let list = if p > 0.0 { &bend.after } else { &bend.before };
                list.get(e).copied()
            })
            .unwrap_or([0.0; 2]);
        let control = [0, 1].map(|k| (from[k] + to[k]) / 2.0 + d[k]);
        let at = [x / self.scale.x, y / self.scale.y];
        // The curve in short pieces: enough for a picture of it.
        let near = (0..=200).any(|k| {
            let t = f64::from(k) / 200.0;
            let c = [0, 1].map(|k| {
                (1.0 - t).powi(2) * from[k] + 2.0 * t * (1.0 - t) * control[k] + t * t * to[k]
            });
            (c[0] - at[0]).hypot(c[1] - at[1]) < self.m.layout.edges.width.max(2.0) + 1.0
        });
        let discs = (0..self.plan.n).any(|v| self.shape(self.plan.n + v, f).holds(x, y));
        (near && !discs).then(|| match edge {
            Some(_) => parse_hex(&self.m.layout.edges.rgba).map_or([255; 3], |(rgb, _)| rgb),
            None => self.plan.rgb(Kind::Vertex, Ink::Behind),
        })
    }
}
