//! What every cell and vertex must show at every frame: the trace's states laid over the
//! manifest's times.

use std::sync::Arc;

use crate::manifest::{Manifest, PointPx, Span};
use crate::puzzle::Color;
use crate::trace::{Replay, Trace};

use super::AuditError;
use super::claims::parse_fps;
use super::color::{Encoding, Yuv, parse_hex};

/// One of the colours that a place may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// What is behind it: not yet drawn.
    Behind,
    /// Drawn and uncoloured.
    Empty,
    /// A colour of the trace.
    Color(Color),
}

/// A cell or a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A cell of the board.
    Cell,
    /// A vertex of the graph.
    Vertex,
}

/// A change of one place's colour, from `first` to the frame before `settled`.
#[derive(Debug, Clone)]
pub struct Step {
    /// First frame that may differ.
    pub first: u64,
    /// First frame at rest.
    pub settled: u64,
    /// The colour before.
    pub from: Ink,
    /// The colour after.
    pub to: Ink,
    mix: Option<Arc<[f64]>>,
}

/// What a place must show at one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Show {
    /// Nothing of it yet.
    NotYet,
    /// This colour.
    Settled(Ink),
    /// A mixture: from, to, how far where the manifest says so, and which step it is.
    Moving(Ink, Ink, Option<f32>, u32),
}

/// The whole film's expectations.
#[derive(Debug)]
pub struct Plan {
    /// Number of cells, and of vertices.
    pub n: usize,
    /// Frames of the film.
    pub frames: u64,
    /// Frames a second.
    pub fps: (u32, u32),
    /// Steps by place: cells first, then vertices.
    steps: Vec<Vec<Step>>,
    /// First frames of the states.
    starts: Vec<u64>,
    paths: Vec<Path>,
    /// First frame of regroup and its progress values.
    regroup: Option<(u64, Vec<f64>)>,
    rgb: Inks,
}

#[derive(Debug, Clone, Copy)]
struct Path {
    before: PointPx,
    turn: Option<(PointPx, PointPx)>,
}

#[derive(Debug)]
struct Inks {
    background: [u8; 3],
    empty_cell: [u8; 3],
    empty_vertex: [u8; 3],
    colors: Vec<[u8; 3]>,
    names: Vec<String>,
}

impl Plan {
    /// Lays the trace over the manifest, which must have passed `claims::usable` and be without
    /// contradictions.
    ///
    /// # Errors
    /// If the trace cannot be replayed.
    pub fn new(m: &Manifest, trace: &Trace) -> Result<Self, AuditError> {
        let n = trace.graph.vertices.len();
        let rgb = |text: &str| parse_hex(text).map_or([0; 3], |(c, _)| c);
        let by_color = |color: u8| m.palette.colors.iter().find(|c| c.color == color);
        let inks = Inks {
            background: rgb(&m.palette.background),
            empty_cell: rgb(&m.palette.empty_cell),
            empty_vertex: rgb(&m.palette.empty_vertex),
            colors: (1..=trace.puzzle.digits)
                .map(|c| by_color(c).map_or([0; 3], |p| rgb(&p.rgb)))
                .collect(),
            names: (1..=trace.puzzle.digits)
                .map(|c| by_color(c).map_or(String::new(), |p| p.name.chars().take(40).collect()))
                .collect(),
        };
        let fades: Vec<(u64, Arc<[f64]>)> = m
            .layout
            .fades
            .iter()
            .map(|f| (f.frames, f.mix.clone().into()))
            .collect();
        let fade = |s: &Span| {
            let frames = s[1] - s[0];
            fades
                .iter()
                .find(|(n, _)| *n == frames)
                .map(|(_, mix)| mix.clone())
        };
        let ink = |c: Color| if c == 0 { Ink::Empty } else { Ink::Color(c) };
        let givens = trace.puzzle.given_colors();
        let mut steps: Vec<Vec<Step>> = Vec::with_capacity(2 * n);
        let spans = m
            .layout
            .cells
            .iter()
            .map(|c| (c.appears, c.given))
            .chain(m.layout.vertices.iter().map(|v| (v.appears, v.given)));
        for (i, (appears, given)) in spans.enumerate() {
            let mut own = vec![Step {
                first: appears[0],
                settled: appears[1],
                from: Ink::Behind,
                to: Ink::Empty,
                mix: fade(&appears),
            }];
            if let Some(g) = given {
                own.push(Step {
                    first: g[0],
                    settled: g[1],
                    from: Ink::Empty,
                    to: ink(givens[i % n]),
                    mix: fade(&g),
                });
            }
            steps.push(own);
        }
        let mut replay = Replay::new(trace);
        let mut next = 0usize;
        for state in &m.states {
            let before = replay.colors().to_vec();
            while next as u64 <= state.event {
                let Some(event) = trace.events.get(next) else {
                    break;
                };
                replay
                    .apply(event)
                    .map_err(|e| AuditError::Trace(e.to_string()))?;
                next += 1;
            }
            let mix: Option<Arc<[f64]>> = (!state.mix.is_empty()).then(|| state.mix.clone().into());
            for (i, (&old, &new)) in before.iter().zip(replay.colors()).enumerate() {
                if old != new {
                    for own in [i, n + i] {
                        steps[own].push(Step {
                            first: state.starts,
                            settled: state.settled,
                            from: ink(old),
                            to: ink(new),
                            mix: mix.clone(),
                        });
                    }
                }
            }
        }
        Ok(Plan {
            n,
            frames: m.film.frames,
            fps: parse_fps(&m.film.fps).unwrap_or((60, 1)),
            steps,
            starts: m.states.iter().map(|s| s.starts).collect(),
            paths: m
                .layout
                .vertices
                .iter()
                .map(|v| Path {
                    before: v.before,
                    turn: v.control.zip(v.after),
                })
                .collect(),
            regroup: m.regroup.as_ref().map(|r| (r.first, r.progress.clone())),
            rgb: inks,
        })
    }

    /// What place `i` (cells first, then vertices) must show at `frame`.
    pub fn show(&self, i: usize, frame: u64) -> Show {
        let own = &self.steps[i];
        match own.partition_point(|s| s.first <= frame).checked_sub(1) {
            None => Show::NotYet,
            Some(k) => {
                let s = &own[k];
                if frame >= s.settled {
                    Show::Settled(s.to)
                } else {
                    let t = s
                        .mix
                        .as_ref()
                        .and_then(|mix| mix.get((frame - s.first) as usize))
                        .map(|t| *t as f32);
                    Show::Moving(s.from, s.to, t, k as u32)
                }
            }
        }
    }

    /// How many frames ago the last change of place `i` came to rest; 0 while it goes on.
    pub fn since(&self, i: usize, frame: u64) -> u64 {
        let own = &self.steps[i];
        let started = own.partition_point(|s| s.first <= frame);
        started
            .checked_sub(1)
            .map_or(u64::MAX, |k| frame.saturating_sub(own[k].settled))
    }

    /// The state that frame shows or moves to, from 0; `None` before the first.
    pub fn state(&self, frame: u64) -> Option<u64> {
        self.starts
            .partition_point(|&s| s <= frame)
            .checked_sub(1)
            .map(|k| k as u64)
    }

    /// Cell or vertex, and its index among them.
    pub fn kind(&self, i: usize) -> (Kind, usize) {
        if i < self.n {
            (Kind::Cell, i)
        } else {
            (Kind::Vertex, i - self.n)
        }
    }

    /// The sRGB value of an ink on a cell or vertex.
    pub fn rgb(&self, kind: Kind, ink: Ink) -> [u8; 3] {
        match (ink, kind) {
            (Ink::Behind, _) => self.rgb.background,
            (Ink::Empty, Kind::Cell) => self.rgb.empty_cell,
            (Ink::Empty, Kind::Vertex) => self.rgb.empty_vertex,
            (Ink::Color(c), _) => self
                .rgb
                .colors
                .get(usize::from(c).wrapping_sub(1))
                .copied()
                .unwrap_or([0; 3]),
        }
    }

    /// The English name of an ink.
    pub fn ink_name(&self, ink: Ink) -> &str {
        match ink {
            Ink::Behind => "background",
            Ink::Empty => "uncoloured",
            Ink::Color(c) => self
                .rgb
                .names
                .get(usize::from(c).wrapping_sub(1))
                .map_or("", String::as_str),
        }
    }

    /// Number of colours.
    pub fn digits(&self) -> u8 {
        self.rgb.colors.len() as u8
    }

    /// How far regroup has come at `frame`: 0 before it, 1 after it.
    pub fn progress(&self, frame: u64) -> f64 {
        match &self.regroup {
            Some((first, progress)) if frame >= *first => progress
                .get((frame - first) as usize)
                .or(progress.last())
                .copied()
                .unwrap_or(1.0),
            _ => 0.0,
        }
    }

    /// First frame and length of regroup.
    pub fn regroup(&self) -> Option<(u64, u64)> {
        self.regroup.as_ref().map(|(f, p)| (*f, p.len() as u64))
    }

    /// Whether vertices are on the move at `frame`.
    pub fn regrouping(&self, frame: u64) -> bool {
        self.regroup()
            .is_some_and(|(first, len)| (first..first + len).contains(&frame))
    }

    /// Where vertex `v` stands when regroup has come to `p`.
    pub fn vertex_at(&self, v: usize, p: f64) -> PointPx {
        let path = &self.paths[v];
        match path.turn {
            Some((c, a)) if p > 0.0 => {
                let (q, b) = (1.0 - p, path.before);
                [0, 1].map(|k| q * q * b[k] + 2.0 * q * p * c[k] + p * p * a[k])
            }
            _ => path.before,
        }
    }

    /// How fast vertex `v` moves with the progress, at `p`: pixels for the whole of it.
    pub fn vertex_speed(&self, v: usize, p: f64) -> PointPx {
        let path = &self.paths[v];
        match path.turn {
            Some((c, a)) => {
                let b = path.before;
                [0, 1].map(|k| 2.0 * (1.0 - p) * (c[k] - b[k]) + 2.0 * p * (a[k] - c[k]))
            }
            None => [0.0, 0.0],
        }
    }

    /// The time of a frame in seconds.
    pub fn seconds(&self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.fps.1) / f64::from(self.fps.0)
    }
}

/// All inks in one encoding, for cells and for vertices.
#[derive(Debug, Clone)]
pub struct Targets {
    /// The encoding that they are in.
    pub encoding: Encoding,
    cell: Vec<Yuv>,
    vertex: Vec<Yuv>,
}

impl Targets {
    /// All inks of the plan's palette in `encoding`.
    pub fn new(plan: &Plan, encoding: Encoding) -> Self {
        let of = |kind| {
            [Ink::Behind, Ink::Empty]
                .into_iter()
                .chain((1..=plan.digits()).map(Ink::Color))
                .map(|ink| encoding.encode(plan.rgb(kind, ink)))
                .collect()
        };
        Targets {
            encoding,
            cell: of(Kind::Cell),
            vertex: of(Kind::Vertex),
        }
    }

    /// All of a kind: background, empty, colour 1, 2, …
    pub fn all(&self, kind: Kind) -> &[Yuv] {
        match kind {
            Kind::Cell => &self.cell,
            Kind::Vertex => &self.vertex,
        }
    }

    /// The place of an ink in [`Targets::all`].
    pub fn index(ink: Ink) -> usize {
        match ink {
            Ink::Behind => 0,
            Ink::Empty => 1,
            Ink::Color(c) => usize::from(c) + 1,
        }
    }

    /// The ink at a place of [`Targets::all`].
    pub fn ink(index: usize) -> Ink {
        match index {
            0 => Ink::Behind,
            1 => Ink::Empty,
            c => Ink::Color((c - 1) as Color),
        }
    }

    /// One ink.
    pub fn get(&self, kind: Kind, ink: Ink) -> Yuv {
        let all = self.all(kind);
        all[Self::index(ink).min(all.len() - 1)]
    }
}
