//! The digits of the final picture: each is read, by comparing it with the shapes of all digits.
//!
//! The measure is normalised correlation between the luma in the digit's box and a shape's
//! coverage, so neither brightness nor contrast of a copy matters.

use crate::manifest::Manifest;
use crate::puzzle::Color;
use crate::trace::Trace;

use super::plan::{Ink, Kind, Plan, Targets};
use super::report::{Coverage, Expected, Finding, What};
use super::sample::{Scale, View};

/// Boxes lower than this in stream pixels hold no legible digit.
const LEGIBLE: f64 = 7.0;
/// Boxes at least this high must hold one.
const CLEAR: f64 = 12.0;
/// A shape that correlates less is not there.
const THERE: f32 = 0.5;
/// Another digit must fit better by this much to be what is read. A copy at a high crf makes a 7 of
/// a small 2 by less; digits that are exchanged differ by more than twice as much.
const BETTER: f32 = 0.1;
/// Most points across and down a box.
const GRID: (usize, usize) = (20, 28);

/// Where a digit is and which one it should be.
struct Place {
    index: usize,
    kind: Kind,
    cell: usize,
    color: Color,
    /// Top left, width, height in film pixels; of a vertex after regroup.
    rect: [f64; 4],
    /// From which frame on.
    from: u64,
    /// Where its points lie in [`Digits::shapes`].
    grid: usize,
    judged: bool,
    finding: Option<usize>,
}

/// Shapes of all digits on one grid of points.
struct Shapes {
    grid: (usize, usize),
    /// By colour: values with mean 0 and length 1.
    shapes: Vec<Vec<f32>>,
}

/// Reads digits.
pub struct Digits<'a> {
    plan: &'a Plan,
    names: Vec<&'a str>,
    places: Vec<Place>,
    shapes: Vec<Shapes>,
    /// Ink by colour.
    inks: Vec<[u8; 3]>,
    scale: Scale,
    first: u64,
    /// What was misread.
    pub findings: Vec<Finding>,
}

impl<'a> Digits<'a> {
    /// Prepares the places and shapes of a film that shows digits; else there is nothing to read.
    pub fn new(m: &'a Manifest, trace: &Trace, plan: &'a Plan, scale: Scale) -> Self {
        let mut digits = Digits {
            plan,
            names: m.layout.cells.iter().map(|c| c.cell.as_str()).collect(),
            places: Vec::new(),
            shapes: Vec::new(),
            inks: (1..=plan.digits())
                .map(|c| {
                    let glyph = m.layout.glyphs.iter().find(|g| g.color == c);
                    glyph
                        .and_then(|g| super::color::parse_hex(&g.rgb))
                        .map_or([0; 3], |(rgb, _)| rgb)
                })
                .collect(),
            scale,
            first: u64::MAX,
            findings: Vec::new(),
        };
        let hold = m
            .segments
            .iter()
            .find(|s| s.name == "hold")
            .map(|s| s.first);
        let (Some(solution), Some(hold)) = (&trace.solution, hold) else {
            return digits;
        };
        if m.layout.glyphs.is_empty() {
            return digits;
        }
        let n = plan.n;
        for i in 0..2 * n {
            let (kind, cell) = plan.kind(i);
            let (rect, reveal) = match kind {
                Kind::Cell => (m.layout.cells[cell].glyph, m.layout.cells[cell].reveal),
                Kind::Vertex => {
                    let v = &m.layout.vertices[cell];
                    let at = plan.vertex_at(cell, 1.0);
                    (
                        v.glyph.map(|g| [at[0] + g[0], at[1] + g[1], g[2], g[3]]),
                        v.reveal,
                    )
                }
            };
            let (Some(rect), Some(&color)) = (rect, solution.get(cell)) else {
                continue;
            };
            // Without a reveal the digit came with its colour; in the hold it is there anyway.
            let from = reveal.map_or(hold, |r| r[1]);
            digits.first = digits.first.min(from);
            let grid = (
                ((rect[2] * scale.x).round() as usize).clamp(3, GRID.0),
                ((rect[3] * scale.y).round() as usize).clamp(4, GRID.1),
            );
            let grid = digits.shapes_for(m, grid);
            digits.places.push(Place {
                index: i,
                kind,
                cell,
                color,
                rect,
                from,
                grid,
                judged: false,
                finding: None,
            });
        }
        digits
    }

    fn shapes_for(&mut self, m: &Manifest, grid: (usize, usize)) -> usize {
        if let Some(k) = self.shapes.iter().position(|s| s.grid == grid) {
            return k;
        }
        let shapes = (1..=self.plan.digits())
            .map(|c| {
                m.layout
                    .glyphs
                    .iter()
                    .find(|g| g.color == c)
                    .map_or(Vec::new(), |g| {
                        let hex = g.coverage.as_bytes();
                        let (w, h) = (g.width as usize, g.height as usize);
                        let value = |x: usize, y: usize| {
                            let at = 2 * (y * w + x);
                            let nibble = |b: u8| (b as char).to_digit(16).unwrap_or(0) as f32;
                            hex.get(at..at + 2)
                                .map_or(0.0, |p| nibble(p[0]) * 16.0 + nibble(p[1]))
                        };
                        let mut out = Vec::with_capacity(grid.0 * grid.1);
                        for gy in 0..grid.1 {
                            for gx in 0..grid.0 {
                                // The mean of four by four points of the shape under one point.
                                let sum: f32 = (0..16)
                                    .map(|k| {
                                        let fx = (gx as f32 + (k % 4) as f32 / 4.0 + 0.125)
                                            / grid.0 as f32;
                                        let fy = (gy as f32 + (k / 4) as f32 / 4.0 + 0.125)
                                            / grid.1 as f32;
                                        value(
                                            ((fx * w as f32) as usize).min(w - 1),
                                            ((fy * h as f32) as usize).min(h - 1),
                                        )
                                    })
                                    .sum();
                                out.push(sum);
                            }
                        }
                        normalise(&mut out);
                        out
                    })
            })
            .collect();
        self.shapes.push(Shapes { grid, shapes });
        self.shapes.len() - 1
    }

    /// Reads all digits that have been revealed at frame `f`.
    pub fn picture(&mut self, view: &View<'_>, f: u64, targets: &Targets) {
        if f < self.first {
            return;
        }
        let mut seen = Vec::new();
        for p in &mut self.places {
            let height = p.rect[3] * self.scale.y;
            if f < p.from || height < LEGIBLE {
                continue;
            }
            let Shapes { grid, shapes } = &self.shapes[p.grid];
            seen.clear();
            for gy in 0..grid.1 {
                for gx in 0..grid.0 {
                    let x =
                        (p.rect[0] + p.rect[2] * (gx as f64 + 0.5) / grid.0 as f64) * self.scale.x;
                    let y =
                        (p.rect[1] + p.rect[3] * (gy as f64 + 0.5) / grid.1 as f64) * self.scale.y;
                    seen.push(view.luma_between(x, y));
                }
            }
            normalise(&mut seen);
            let under = targets.get(p.kind, Ink::Color(p.color))[0];
            let ink = self
                .inks
                .get(usize::from(p.color) - 1)
                .copied()
                .unwrap_or([0; 3]);
            let sign = if targets.encoding.encode(ink)[0] > under {
                1.0
            } else {
                -1.0
            };
            let scores: Vec<f32> = shapes
                .iter()
                .map(|s| sign * s.iter().zip(&seen).map(|(a, b)| a * b).sum::<f32>())
                .collect();
            let own = scores.get(usize::from(p.color) - 1).copied().unwrap_or(0.0);
            let (best, top) = scores
                .iter()
                .enumerate()
                .max_by(|a, b| a.1.total_cmp(b.1))
                .map_or((0, 0.0), |(k, s)| (k + 1, *s));
            let read = if top >= THERE && best != usize::from(p.color) && top - own > BETTER {
                Some(best as Color)
            } else if own >= THERE && top - own <= BETTER {
                p.judged = true;
                p.finding = None;
                continue;
            } else if height >= CLEAR && top < THERE {
                None
            } else {
                continue;
            };
            p.judged = true;
            if let Some(k) = p.finding {
                if let Some(finding) = self.findings.get_mut(k) {
                    finding.frames += 1;
                }
                continue;
            }
            p.finding = Some(self.findings.len());
            let (word, name) = (
                match p.kind {
                    Kind::Cell => "cell",
                    Kind::Vertex => "vertex",
                },
                self.names[p.cell],
            );
            let is = read.map_or("no digit that can be read".to_string(), |d| format!("{d}"));
            self.findings.push(Finding {
                frame: Some(f),
                time: Some(format!("{:.3}", self.plan.seconds(f))),
                cell: Some(name.to_string()),
                expected: Some(Expected {
                    color: Some(p.color),
                    name: format!("digit {}", p.color),
                    rgb: super::color::to_hex(ink),
                }),
                ..Finding::whole(
                    What::Digit,
                    format!(
                        "the digit on {word} {name} should be {}, and it shows {is}",
                        p.color
                    ),
                )
            });
        }
    }

    /// The place (cells first, then vertices) that the `k`-th finding is about.
    pub fn place(&self, k: usize) -> Option<usize> {
        let place = self.places.iter().find(|p| p.finding == Some(k));
        place.map(|p| p.index)
    }

    /// How many digits were read.
    pub fn coverage(&self) -> Coverage {
        let judged = self.places.iter().filter(|p| p.judged).count() as u64;
        let open = self.places.len() as u64 - judged;
        let mut cells: Vec<usize> = Vec::new();
        for p in self.places.iter().filter(|p| p.finding.is_some()) {
            cells.push(p.index);
        }
        Coverage {
            checked: judged,
            not_assessable: open,
            failed: cells.len() as u64,
            note: (open > 0 && judged < self.places.len() as u64 / 2).then(|| {
                "digits not assessable: they are too small or too blurred in this copy".into()
            }),
        }
    }
}

/// Mean 0, length 1; a flat list becomes all zero.
fn normalise(values: &mut [f32]) {
    let mean = values.iter().sum::<f32>() / values.len().max(1) as f32;
    let length = values
        .iter()
        .map(|v| (v - mean) * (v - mean))
        .sum::<f32>()
        .sqrt();
    for v in values {
        *v = if length > 1e-3 {
            (*v - mean) / length
        } else {
            0.0
        };
    }
}
