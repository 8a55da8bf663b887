//! A small painter of its own, for testing the audit without the film's drawing code: it draws
//! what a manifest says, plainly and slowly, and hands the pictures over in memory.
#![allow(dead_code)]

use std::sync::Arc;

use proofreel::audit::{AuditError, Options, Report, audit};
use proofreel::decode::{ColorTags, DecodeError, FrameSource, Picture, PixelLayout, StreamInfo};
use proofreel::manifest::*;
use proofreel::puzzle::Puzzle;
use proofreel::solve::{Limits, solve};
use proofreel::trace::{Event, Replay, Trace};

pub const W: usize = 640;
pub const H: usize = 360;

/// The classic grid of 81 characters, `.` for an open cell.
pub fn puzzle(text: &str) -> Puzzle {
    let mut p = Puzzle::classic();
    for (cell, c) in p.cells().to_vec().into_iter().zip(text.chars()) {
        if let Some(d) = c.to_digit(10).filter(|d| *d > 0) {
            p.givens.insert(cell, d as u8);
        }
    }
    p
}

pub const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The solution with some cells opened.
pub fn opened(cells: &[usize]) -> Puzzle {
    let text: String = SOLUTION
        .chars()
        .enumerate()
        .map(|(i, c)| if cells.contains(&i) { '.' } else { c })
        .collect();
    puzzle(&text)
}

/// Nine open cells, one a row and column.
pub fn short_puzzle() -> Puzzle {
    opened(&[0, 10, 20, 30, 40, 50, 60, 70, 80])
}

pub fn trace_of(p: &Puzzle) -> Trace {
    solve(p, &Limits::default()).trace
}

const DIGITS: [[&str; 5]; 9] = [
    ["010", "110", "010", "010", "111"],
    ["111", "001", "111", "100", "111"],
    ["111", "001", "011", "001", "111"],
    ["101", "101", "111", "001", "001"],
    ["111", "100", "111", "001", "111"],
    ["111", "100", "111", "101", "111"],
    ["111", "001", "010", "010", "010"],
    ["111", "101", "111", "101", "111"],
    ["111", "101", "111", "001", "111"],
];
const COLORS: [(&str, &str); 9] = [
    ("Crimson", "#b0202c"),
    ("Amber", "#ee7c08"),
    ("Gold", "#ecdf6c"),
    ("Green", "#58ae70"),
    ("Teal", "#225f58"),
    ("Blue", "#1a66b8"),
    ("Indigo", "#4a00c8"),
    ("Violet", "#c072f0"),
    ("Rose", "#f0aebe"),
];
const INK: [&str; 9] = [
    "light", "dark", "dark", "dark", "light", "light", "light", "dark", "dark",
];

fn ease(n: u64) -> Vec<f64> {
    (0..n)
        .map(|i| 1.0 - (1.0 - (i + 1) as f64 / (n + 1) as f64).powi(2))
        .collect()
}

/// A manifest for a film of this trace, with a layout and timing of its own.
pub fn manifest(trace: &Trace) -> Manifest {
    let n = trace.graph.vertices.len();
    let given = trace.puzzle.given_colors();
    let mut frame = 24;
    let mut states = Vec::new();
    for (k, e) in trace.events.iter().enumerate() {
        let (len, settled) = match e {
            Event::Assign { .. } => (8, 5),
            Event::DeadEnd { .. } => (8, 1),
            Event::Undo { .. } => (6, 4),
            Event::Solved => continue,
        };
        states.push(StateSpan {
            event: k as u64,
            starts: frame,
            settled: frame + settled,
            last: frame + len - 1,
            mix: ease(settled),
        });
        frame += len;
    }
    let mut segments = vec![Segment {
        name: "intro".into(),
        first: 0,
        last: 23,
    }];
    if frame > 24 {
        segments.push(Segment {
            name: "search".into(),
            first: 24,
            last: frame - 1,
        });
    }
    let regroups = trace.solution.is_some() && trace.trace_complete;
    let parts: &[(&str, u64)] = if regroups {
        &[("solved", 8), ("regroup", 48), ("reveal", 16), ("hold", 12)]
    } else {
        &[("hold", 12)]
    };
    for (name, len) in parts {
        segments.push(Segment {
            name: (*name).into(),
            first: frame,
            last: frame + len - 1,
        });
        frame += len;
    }
    let first_of = |name: &str| segments.iter().find(|s| s.name == name).map(|s| s.first);
    let reveal_at = first_of("reveal");
    let reveal = |i: usize| reveal_at.map(|f| [f + (i % 9) as u64, f + (i % 9) as u64 + 6]);
    let mut cells = Vec::new();
    let mut vertices = Vec::new();
    let mut seats = [0usize; 10];
    for (i, cell) in trace.graph.vertices.iter().enumerate() {
        let (r, c) = (usize::from(cell.row - 1), usize::from(cell.col - 1));
        let x = (14 + c * 32 + c / 3 * 6) as f64;
        let y = (28 + r * 32 + r / 3 * 6) as f64;
        let appears = [r as u64, r as u64 + 4];
        let g = (given[i] != 0).then_some([14, 18]);
        cells.push(CellPlace {
            cell: cell.to_string(),
            rect: [x, y, 30.0, 30.0],
            sample: [x + 3.0, y + 21.0, 24.0, 7.0],
            appears,
            given: g,
            reveal: reveal(i),
            glyph: reveal_at.map(|_| [x + 9.0, y + 3.0, 12.0, 16.0]),
        });
        let bx = 376.0 + (c / 3) as f64 * 104.0 + ((c % 3) as f64 - 1.0) * 32.0;
        let by = 72.0 + (r / 3) as f64 * 106.0 + ((r % 3) as f64 - 1.0) * 33.0;
        let after = trace.solution.as_ref().filter(|_| regroups).map(|s| {
            let color = usize::from(s[i]);
            let seat = seats[color];
            seats[color] += 1;
            let a = (color as f64 - 1.0) / 9.0 * std::f64::consts::TAU;
            let (gx, gy) = (474.0 + 128.0 * a.sin(), 180.0 - 128.0 * a.cos());
            [
                gx + ((seat % 3) as f64 - 1.0) * 22.5,
                gy + ((seat / 3) as f64 - 1.0) * 22.5,
            ]
        });
        vertices.push(VertexPlace {
            cell: cell.to_string(),
            radius: 11.0,
            sample: [-6.0, 3.0, 12.0, 5.0],
            mark: None,
            before: [bx, by],
            control: after.map(|a| {
                [
                    (bx + a[0]) / 2.0 + (a[1] - by) * 0.2,
                    (by + a[1]) / 2.0 - (a[0] - bx) * 0.2,
                ]
            }),
            after,
            appears: [appears[0] + 2, appears[1] + 2],
            given: g,
            reveal: reveal(i),
            glyph: reveal_at.map(|_| [-4.0, -8.0, 8.0, 10.0]),
        });
    }
    let glyphs = DIGITS
        .iter()
        .enumerate()
        .map(|(d, rows)| {
            let mut coverage = String::new();
            for y in 0..10 {
                for x in 0..6 {
                    coverage.push_str(if rows[y / 2].as_bytes()[x / 2] == b'1' {
                        "ff"
                    } else {
                        "00"
                    });
                }
            }
            Glyph {
                color: d as u8 + 1,
                text: (d + 1).to_string(),
                width: 6,
                height: 10,
                ink: INK[d].into(),
                rgb: if INK[d] == "light" {
                    "#ffffff".into()
                } else {
                    "#0e0f13".into()
                },
                coverage,
            }
        })
        .collect();
    let regroup = first_of("regroup").map(|first| Regroup {
        first,
        progress: (0..48)
            .map(|i| {
                let t = f64::from(i) / 47.0;
                t * t * (3.0 - 2.0 * t)
            })
            .collect(),
    });
    assert_eq!(cells.len(), n);
    Manifest {
        format: "proofreel-manifest".into(),
        version: 1,
        film: FilmFile {
            file: "test.mp4".into(),
            sha256: None,
            width: W as u32,
            height: H as u32,
            fps: "60/1".into(),
            frames: frame,
            codec: "h264".into(),
            pixel_format: "yuv420p".into(),
            color: proofreel::manifest::ColorTags {
                matrix: "bt709".into(),
                primaries: "bt709".into(),
                transfer: "bt709".into(),
                range: "tv".into(),
            },
        },
        trace: TraceFile {
            file: "test.trace.json".into(),
            sha256: String::new(),
        },
        rendered_frames: FramesDigest {
            hash: "blake3".into(),
            digest: String::new(),
        },
        encoder: Encoder {
            name: "none".into(),
            version: String::new(),
            settings: String::new(),
        },
        style: Style {
            style: "reveal".into(),
            theme: "dark".into(),
            lang: "en".into(),
        },
        palette: Palette {
            background: "#0e0f13".into(),
            empty_cell: "#23262e".into(),
            empty_vertex: "#383c47".into(),
            colors: COLORS
                .iter()
                .enumerate()
                .map(|(i, (name, rgb))| PaletteColor {
                    color: i as u8 + 1,
                    name: (*name).into(),
                    rgb: (*rgb).into(),
                })
                .collect(),
        },
        layout: Layout {
            cells,
            vertices,
            edges: EdgeLook {
                width: 1.2,
                rgba: "#8f9bb38c".into(),
                appears: [14, 22],
                bend: None,
            },
            glyphs,
            fades: [4, 5, 6]
                .into_iter()
                .map(|n| Fade {
                    frames: n,
                    mix: ease(n),
                })
                .collect(),
        },
        segments,
        regroup,
        states,
        pace: None,
        part: None,
    }
}

pub type Rgb = [f32; 3];

pub fn hex(text: &str) -> Rgb {
    [1, 3, 5].map(|i| f32::from(u8::from_str_radix(&text[i..i + 2], 16).unwrap()))
}

fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

/// An RGB picture.
pub struct Canvas {
    px: Vec<Rgb>,
}

impl Canvas {
    fn new(color: Rgb) -> Self {
        Canvas {
            px: vec![color; W * H],
        }
    }

    fn blend(&mut self, x: i64, y: i64, color: Rgb, alpha: f32) {
        if x >= 0 && y >= 0 && x < W as i64 && y < H as i64 {
            let p = &mut self.px[y as usize * W + x as usize];
            *p = mix(*p, color, alpha.clamp(0.0, 1.0));
        }
    }

    pub fn rect(&mut self, r: [f64; 4], color: Rgb, alpha: f32) {
        for y in r[1] as i64..(r[1] + r[3]) as i64 {
            for x in r[0] as i64..(r[0] + r[2]) as i64 {
                self.blend(x, y, color, alpha);
            }
        }
    }

    pub fn disc(&mut self, at: [f64; 2], radius: f64, color: Rgb, alpha: f32) {
        for y in (at[1] - radius - 1.0) as i64..=(at[1] + radius + 1.0) as i64 {
            for x in (at[0] - radius - 1.0) as i64..=(at[0] + radius + 1.0) as i64 {
                let d = (x as f64 + 0.5 - at[0]).hypot(y as f64 + 0.5 - at[1]);
                let cover = (radius - d + 0.5).clamp(0.0, 1.0) as f32;
                self.blend(x, y, color, cover * alpha);
            }
        }
    }

    pub fn line(&mut self, p: [f64; 2], q: [f64; 2], width: f64, color: Rgb, alpha: f32) {
        let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
        let len = dx.hypot(dy).max(1e-6);
        let steep = dy.abs() > dx.abs();
        let (a, b) = if steep {
            (p[1].min(q[1]), p[1].max(q[1]))
        } else {
            (p[0].min(q[0]), p[0].max(q[0]))
        };
        for m in a.floor() as i64..=b.ceil() as i64 {
            let t = if steep {
                (m as f64 + 0.5 - p[1]) / dy
            } else {
                (m as f64 + 0.5 - p[0]) / dx
            };
            if !(0.0..=1.0).contains(&t) {
                continue;
            }
            let middle = if steep { p[0] + t * dx } else { p[1] + t * dy };
            for o in (middle - width - 2.0) as i64..=(middle + width + 2.0) as i64 {
                let (x, y) = if steep { (o, m) } else { (m, o) };
                let d = ((x as f64 + 0.5 - p[0]) * dy - (y as f64 + 0.5 - p[1]) * dx).abs() / len;
                self.blend(
                    x,
                    y,
                    color,
                    alpha * (width / 2.0 - d + 0.5).clamp(0.0, 1.0) as f32,
                );
            }
        }
    }

    /// BT.709 limited range 4:2:0.
    pub fn yuv(&self) -> Vec<u8> {
        let mut out = vec![0u8; W * H * 3 / 2];
        let enc = |c: Rgb| {
            let [r, g, b] = c.map(|v| v / 255.0);
            let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
            [
                16.0 + 219.0 * y,
                128.0 + 224.0 * (b - y) / 1.8556,
                128.0 + 224.0 * (r - y) / 1.5748,
            ]
        };
        for (i, p) in self.px.iter().enumerate() {
            out[i] = (enc(*p)[0] + 0.5) as u8;
        }
        for y in 0..H / 2 {
            for x in 0..W / 2 {
                let mut sum = [0.0; 3];
                for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let p = self.px[(2 * y + dy) * W + 2 * x + dx];
                    sum = [0, 1, 2].map(|k| sum[k] + p[k] / 4.0);
                }
                let c = enc(sum);
                out[W * H + y * W / 2 + x] = (c[1] + 0.5) as u8;
                out[W * H * 5 / 4 + y * W / 2 + x] = (c[2] + 0.5) as u8;
            }
        }
        out
    }
}

/// What to draw otherwise than is true.
#[derive(Default, Clone)]
pub struct Lie {
    /// Edges that are left out.
    pub without_edges: Vec<usize>,
    /// Edges between any two vertices that are drawn too.
    pub extra_edges: Vec<(usize, usize)>,
    /// Cells (and vertices, from 81 on) that show the digit of another colour.
    pub digits: Vec<(usize, u8)>,
}

/// Draws the whole film that the manifest and the trace describe.
pub fn draw(m: &Manifest, trace: &Trace, lie: &Lie) -> Vec<Arc<Vec<u8>>> {
    let n = trace.graph.vertices.len();
    let color = |c: u8| hex(&m.palette.colors[usize::from(c) - 1].rgb);
    let background = hex(&m.palette.background);
    let mut replay = Replay::new(trace);
    let mut next = 0;
    // Per state: colours before and after.
    let mut table = Vec::new();
    for s in &m.states {
        let before = replay.colors().to_vec();
        while next as u64 <= s.event {
            replay.apply(&trace.events[next]).unwrap();
            next += 1;
        }
        table.push((before, replay.colors().to_vec()));
    }
    let given = trace.puzzle.given_colors();
    let fade = |span: Span, f: u64| -> f32 {
        if f < span[0] {
            0.0
        } else if f >= span[1] {
            1.0
        } else {
            ease(span[1] - span[0])[(f - span[0]) as usize] as f32
        }
    };
    let mut last: Option<(u64, Arc<Vec<u8>>)> = None;
    let mut base: Option<(u64, Vec<Rgb>)> = None;
    let mut out = Vec::new();
    for f in 0..m.film.frames {
        let state = m.states.iter().rposition(|s| s.starts <= f);
        let ink = |i: usize, vertex: bool| -> Rgb {
            let empty = hex(if vertex {
                &m.palette.empty_vertex
            } else {
                &m.palette.empty_cell
            });
            let show = |c: u8| if c == 0 { empty } else { color(c) };
            match state {
                Some(k) => {
                    let (before, after) = &table[k];
                    let s = &m.states[k];
                    let t = if f >= s.settled {
                        1.0
                    } else {
                        s.mix[(f - s.starts) as usize] as f32
                    };
                    mix(show(before[i]), show(after[i]), t)
                }
                None => {
                    let span = if vertex {
                        m.layout.vertices[i].given
                    } else {
                        m.layout.cells[i].given
                    };
                    mix(empty, show(given[i]), span.map_or(0.0, |s| fade(s, f)))
                }
            }
        };
        let progress = m.regroup.as_ref().map_or(0.0, |r| {
            if f < r.first {
                0.0
            } else {
                r.progress[((f - r.first) as usize).min(r.progress.len() - 1)]
            }
        });
        let at = |v: usize| {
            let p = &m.layout.vertices[v];
            match (p.control, p.after) {
                (Some(c), Some(a)) if progress > 0.0 => [0, 1].map(|k| {
                    let q = 1.0 - progress;
                    q * q * p.before[k] + 2.0 * q * progress * c[k] + progress * progress * a[k]
                }),
                _ => p.before,
            }
        };
        // A frame like the one before need not be drawn again.
        let key = if f < 24 {
            f
        } else if let Some(k) = state.filter(|&k| f <= m.states[k].last) {
            m.states[k].settled.min(f)
        } else {
            let rest = m
                .segments
                .iter()
                .find(|s| s.first <= f && f <= s.last)
                .unwrap();
            if matches!(rest.name.as_str(), "solved" | "hold") {
                rest.first
            } else {
                f
            }
        };
        if let Some((k, picture)) = &last
            && *k == key
        {
            out.push(picture.clone());
            continue;
        }
        let edges_in = fade(m.layout.edges.appears, f);
        let ground = (edges_in * 1000.0) as u64 + (progress * 1e6) as u64 * 1000;
        let mut canvas = Canvas::new(background);
        match &base {
            Some((g, px)) if *g == ground => canvas.px.clone_from(px),
            _ => {
                let rgba = &m.layout.edges.rgba;
                let alpha =
                    f32::from(u8::from_str_radix(&rgba[7..9], 16).unwrap()) / 255.0 * edges_in;
                let w = m.layout.edges.width;
                for (e, (a, b)) in trace.graph.edges.iter().enumerate() {
                    if !lie.without_edges.contains(&e) {
                        canvas.line(
                            at(usize::from(*a)),
                            at(usize::from(*b)),
                            w,
                            hex(rgba),
                            alpha,
                        );
                    }
                }
                for (a, b) in &lie.extra_edges {
                    canvas.line(at(*a), at(*b), w, hex(rgba), alpha);
                }
                base = Some((ground, canvas.px.clone()));
            }
        }
        let digit = |canvas: &mut Canvas, i: usize, place: usize, b: [f64; 4], t: f32| {
            let Some(mut c) = trace.solution.as_ref().map(|s| s[i]) else {
                return;
            };
            let ink = hex(&m.layout.glyphs[usize::from(c) - 1].rgb);
            if let Some((_, d)) = lie.digits.iter().find(|(p, _)| *p == place) {
                c = *d;
            }
            let rows = DIGITS[usize::from(c) - 1];
            for y in b[1].floor() as i64..(b[1] + b[3]).ceil() as i64 {
                for x in b[0].floor() as i64..(b[0] + b[2]).ceil() as i64 {
                    // Four by four points a pixel.
                    let mut hits = 0;
                    for s in 0..16 {
                        let (px, py) = (
                            x as f64 + (s % 4) as f64 / 4.0 + 0.125,
                            y as f64 + (s / 4) as f64 / 4.0 + 0.125,
                        );
                        let (u, v) = ((px - b[0]) / b[2] * 3.0, (py - b[1]) / b[3] * 5.0);
                        if u >= 0.0
                            && v >= 0.0
                            && u < 3.0
                            && v < 5.0
                            && rows[v as usize].as_bytes()[u as usize] == b'1'
                        {
                            hits += 1;
                        }
                    }
                    canvas.blend(x, y, ink, hits as f32 / 16.0 * t);
                }
            }
        };
        for i in 0..n {
            let c = &m.layout.cells[i];
            canvas.rect(c.rect, ink(i, false), fade(c.appears, f));
            if let (Some(b), Some(r)) = (c.glyph, c.reveal) {
                let t = fade(r, f);
                if t > 0.0 {
                    digit(&mut canvas, i, i, b, t);
                }
            }
        }
        for i in 0..n {
            let v = &m.layout.vertices[i];
            canvas.disc(at(i), v.radius, ink(i, true), fade(v.appears, f));
            if let (Some(b), Some(r)) = (v.glyph, v.reveal) {
                let (t, p) = (fade(r, f), at(i));
                if t > 0.0 {
                    digit(
                        &mut canvas,
                        i,
                        81 + i,
                        [p[0] + b[0], p[1] + b[1], b[2], b[3]],
                        t,
                    );
                }
            }
        }
        let picture = Arc::new(canvas.yuv());
        last = Some((key, picture.clone()));
        out.push(picture);
    }
    out
}

/// A film in memory with everything that belongs to it.
#[derive(Clone)]
pub struct Film {
    pub manifest: Manifest,
    pub trace: Trace,
    pub frames: Vec<Arc<Vec<u8>>>,
    pub times: Vec<f64>,
    pub info: StreamInfo,
}

impl Film {
    pub fn of(p: &Puzzle) -> Film {
        Film::lying(p, &Lie::default())
    }

    pub fn lying(p: &Puzzle, lie: &Lie) -> Film {
        let trace = trace_of(p);
        let manifest = manifest(&trace);
        let frames = draw(&manifest, &trace, lie);
        Film::with(manifest, trace, frames)
    }

    pub fn with(manifest: Manifest, trace: Trace, frames: Vec<Arc<Vec<u8>>>) -> Film {
        let times = (0..frames.len()).map(|i| i as f64 / 60.0).collect();
        Film {
            info: info(frames.len()),
            manifest,
            trace,
            frames,
            times,
        }
    }

    /// Gives the pictures even times again after some were taken or added.
    pub fn retimed(mut self) -> Film {
        self.times = (0..self.frames.len()).map(|i| i as f64 / 60.0).collect();
        self
    }

    /// Audits it.
    pub fn audit(&self) -> Result<Report, AuditError> {
        self.audit_with(&Options::default())
    }

    pub fn audit_with(&self, options: &Options<'_>) -> Result<Report, AuditError> {
        let mut open = || -> Result<Box<dyn FrameSource + Send>, DecodeError> {
            Ok(Box::new(Reel {
                frames: self.frames.clone(),
                times: self.times.clone(),
                info: self.info.clone(),
                next: 0,
            }))
        };
        audit(&mut open, &self.manifest, &self.trace, options)
    }

    /// Paints over a rectangle of one picture, in film pixels.
    pub fn paint(&mut self, frame: usize, r: [f64; 4], rgb: Rgb) {
        let enc = |c: Rgb| {
            let [r, g, b] = c.map(|v| v / 255.0);
            let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
            [
                16.0 + 219.0 * y,
                128.0 + 224.0 * (b - y) / 1.8556,
                128.0 + 224.0 * (r - y) / 1.5748,
            ]
            .map(|v| (v + 0.5) as u8)
        };
        let c = enc(rgb);
        let data = Arc::make_mut(&mut self.frames[frame]);
        for y in r[1].max(0.0) as usize..((r[1] + r[3]) as usize).min(H) {
            for x in r[0].max(0.0) as usize..((r[0] + r[2]) as usize).min(W) {
                data[y * W + x] = c[0];
                data[W * H + y / 2 * (W / 2) + x / 2] = c[1];
                data[W * H * 5 / 4 + y / 2 * (W / 2) + x / 2] = c[2];
            }
        }
    }

    /// Where vertex `v` stands at `frame`.
    pub fn vertex_at(&self, v: usize, frame: u64) -> [f64; 2] {
        let p = &self.manifest.layout.vertices[v];
        let t = self.manifest.regroup.as_ref().map_or(0.0, |r| {
            if frame < r.first {
                0.0
            } else {
                r.progress[((frame - r.first) as usize).min(r.progress.len() - 1)]
            }
        });
        match (p.control, p.after) {
            (Some(c), Some(a)) if t > 0.0 => [0, 1].map(|k| {
                (1.0 - t) * (1.0 - t) * p.before[k] + 2.0 * (1.0 - t) * t * c[k] + t * t * a[k]
            }),
            _ => p.before,
        }
    }
}

pub fn info(frames: usize) -> StreamInfo {
    let bt709 = Some("bt709".to_string());
    StreamInfo {
        width: W as u32,
        height: H as u32,
        codec: "h264".into(),
        profile: Some("High".into()),
        pixel_format: "yuv420p".into(),
        layout: PixelLayout {
            depth: 8,
            chroma_shift_x: 1,
            chroma_shift_y: 1,
            full_range: false,
        },
        container: "mov,mp4,m4a,3gp,3g2,mj2".into(),
        frame_rate: (60, 1),
        stated_frames: Some(frames as u64),
        color: ColorTags {
            matrix: bt709.clone(),
            primaries: bt709.clone(),
            transfer: bt709,
            range: Some("tv".into()),
        },
        video_streams: 1,
        audio_streams: 0,
        rotation: 0,
        square_pixels: true,
        start_time: 0.0,
        tags: Vec::new(),
    }
}

/// Hands out pictures from memory.
struct Reel {
    frames: Vec<Arc<Vec<u8>>>,
    times: Vec<f64>,
    info: StreamInfo,
    next: usize,
}

impl FrameSource for Reel {
    fn info(&self) -> &StreamInfo {
        &self.info
    }

    fn next_picture(&mut self) -> Result<Option<Picture<'_>>, DecodeError> {
        let k = self.next;
        self.next += 1;
        Ok(self.frames.get(k).map(|f| Picture {
            data: f,
            time: self.times[k],
        }))
    }
}

/// A generator of numbers for choosing places, the same on every machine (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }
}
