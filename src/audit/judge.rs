//! One picture against one frame of the film: every cell and vertex judged by its colour.

use super::color::{Encoding, Yuv, distance, mix, project, to_hex};
use super::plan::{Ink, Kind, Plan, Show, Targets};
use super::report::{Checks, Expected, Extreme, Finding, SeenColor, What};
use super::sample::{Cover, Scale, Seen, Tally, View, Window};
use crate::manifest::Manifest;

/// How far a settled place may lie from its colour, in YCbCr steps. Copies at crf 35 and at a
/// third of the size come to about half of it; palette colours lie more than twice as far apart.
const SETTLED: f32 = 26.0;

/// How far a mixture may lie from the line between its two colours.
const OFF_LINE: f32 = 26.0;

/// How much of a moving place's way a lossy copy may lag behind or run ahead.
const LAG: f32 = 0.34;

/// How far a mixture may fall back from one frame to the next, in YCbCr steps.
const FALL: f32 = 14.0;

/// The part of a window's pixels that may stray from its median.
const STRAYS: f32 = 0.2;

/// The same for a vertex that another one partly covers: the other's rim is blended into it.
const HALF_COVERED: f32 = 0.45;

/// A moving vertex with fewer samples than this, in all planes, is compressed so coarsely that
/// less can be asked of it.
const SMALL: u32 = 120;

/// How far such a vertex may lie from its colour.
const SMALL_SETTLED: f32 = 42.0;

/// Findings kept in full.
pub const KEPT: usize = 200;

/// The judge's memory from picture to picture.
pub struct Judge<'a> {
    plan: &'a Plan,
    targets: Targets,
    scale: Scale,
    names: Vec<&'a str>,
    radius: Vec<f64>,
    samples: Vec<[f64; 4]>,
    rest: Vec<Window>,
    after: Vec<Window>,
    tally: Tally,
    /// For each place: the step it was last seen moving in, and how far it had come.
    way: Vec<(u32, f32)>,
    open: Vec<Option<Open>>,
    rivals: Vec<(Encoding, Targets, f64)>,
    rival_count: u64,
    bias: [f64; 3],
    /// The counts.
    pub checks: Checks,
    /// The farthest settled place.
    pub worst: Option<Extreme>,
    /// The nearest rival.
    pub margin: Option<Extreme>,
    /// Findings, complete up to [`KEPT`].
    pub findings: Vec<Finding>,
    /// Findings in all.
    pub findings_total: u64,
    /// What was seen at each place of the picture judged last; `None` where it was hidden.
    pub seen: Vec<Option<Yuv>>,
    /// Places judged wrong in the picture judged last.
    pub wrong_now: u32,
    /// Settled places judged wrong in the picture judged last, and settled places in it.
    pub settled_now: (u32, u32),
}

/// A finding that goes on from frame to frame.
struct Open {
    at: usize,
    last: u64,
    nearest: usize,
    expected: Show,
}

impl<'a> Judge<'a> {
    /// A judge for a stream of this scale in this encoding.
    pub fn new(plan: &'a Plan, m: &'a Manifest, scale: Scale, encoding: Encoding) -> Self {
        let n = plan.n;
        let at = |v: usize, p: f64| {
            let (c, s) = (plan.vertex_at(v, p), m.layout.vertices[v].sample);
            scale.window([c[0] + s[0], c[1] + s[1], s[2], s[3]])
        };
        let cells = m.layout.cells.iter().map(|c| scale.window(c.sample));
        let rest = cells.clone().chain((0..n).map(|v| at(v, 0.0))).collect();
        let after = cells.chain((0..n).map(|v| at(v, 1.0))).collect();
        Judge {
            plan,
            targets: Targets::new(plan, encoding),
            scale,
            names: m.layout.cells.iter().map(|c| c.cell.as_str()).collect(),
            radius: m.layout.vertices.iter().map(|v| v.radius).collect(),
            samples: m.layout.vertices.iter().map(|v| v.sample).collect(),
            rest,
            after,
            tally: Tally::default(),
            way: vec![(u32::MAX, 0.0); 2 * n],
            open: (0..2 * n).map(|_| None).collect(),
            rivals: Encoding::ALL
                .map(|e| (e, Targets::new(plan, e), 0.0))
                .to_vec(),
            rival_count: 0,
            bias: [0.0; 3],
            checks: Checks::default(),
            worst: None,
            margin: None,
            findings: Vec::new(),
            findings_total: 0,
            seen: vec![None; 2 * n],
            wrong_now: 0,
            settled_now: (0, 0),
        }
    }

    /// Judges one picture as frame `f`. `state_at_rest`: this frame stands for a state at rest.
    pub fn picture(&mut self, view: &View<'_>, f: u64, state_at_rest: bool) {
        let n = self.plan.n;
        let moving = self.plan.regrouping(f);
        let gone = self
            .plan
            .regroup()
            .is_some_and(|(first, len)| f >= first + len);
        let centres: Vec<[f64; 2]> = if moving {
            let p = self.plan.progress(f);
            (0..n).map(|v| self.plan.vertex_at(v, p)).collect()
        } else {
            Vec::new()
        };
        self.wrong_now = 0;
        self.settled_now = (0, 0);
        let mut covers: Vec<Cover> = Vec::new();
        for i in 0..2 * n {
            let show = self.plan.show(i, f);
            let (kind, v) = self.plan.kind(i);
            covers.clear();
            let window = if kind == Kind::Vertex && moving {
                self.covers(&centres, v, &mut covers);
                let (c, s) = (centres[v], self.samples[v]);
                self.scale.window([c[0] + s[0], c[1] + s[1], s[2], s[3]])
            } else if gone {
                self.after[i]
            } else {
                self.rest[i]
            };
            let seen = self.tally.look(view, &window, &covers);
            self.seen[i] = seen.map(|s| s.yuv);
            self.checks.total += 1;
            match kind {
                Kind::Cell => self.checks.cell += 1,
                Kind::Vertex => self.checks.vertex += 1,
            }
            let Some(seen) = seen else {
                self.checks.occluded += 1;
                continue;
            };
            match show {
                Show::NotYet => self.checks.not_yet_drawn += 1,
                Show::Settled(_) => {
                    self.checks.settled += 1;
                    self.settled_now.1 += 1;
                    self.checks.settled_states += u64::from(state_at_rest);
                }
                Show::Moving(..) => self.checks.moving += 1,
            }
            let soft = moving && kind == Kind::Vertex;
            let strays = match (soft, covers.is_empty()) {
                (true, false) => HALF_COVERED,
                _ => STRAYS,
            };
            let small = soft && seen.samples < SMALL;
            if let Some(problem) = self.place(i, kind, f, show, &seen, strays, small) {
                self.checks.failed += 1;
                self.wrong_now += 1;
                self.settled_now.0 += u32::from(matches!(show, Show::Settled(_)));
                self.report(i, kind, v, f, show, &seen, problem);
            } else {
                self.open[i] = None;
            }
        }
    }

    fn covers(&self, centres: &[[f64; 2]], v: usize, covers: &mut Vec<Cover>) {
        let own = centres[v];
        for (j, c) in centres.iter().enumerate().skip(v + 1) {
            let reach = self.radius[v] + self.radius[j] + 3.0;
            let (dx, dy) = (c[0] - own[0], c[1] - own[1]);
            if dx * dx + dy * dy < reach * reach {
                // A pixel and a half more than the disc: its rim is blended and compressed.
                covers.push(Cover {
                    at: [c[0] * self.scale.x, c[1] * self.scale.y],
                    radius: [
                        self.radius[j] * self.scale.x + 1.5,
                        self.radius[j] * self.scale.y + 1.5,
                    ],
                });
            }
        }
    }

    /// `None` if the place shows what it should, else what is wrong.
    #[allow(clippy::too_many_arguments)]
    fn place(
        &mut self,
        i: usize,
        kind: Kind,
        f: u64,
        show: Show,
        seen: &Seen,
        strays: f32,
        small: bool,
    ) -> Option<String> {
        // Cheap to copy, and frees `self` for its notes.
        let all: Vec<Yuv> = self.targets.all(kind).to_vec();
        let all = all.as_slice();
        match show {
            Show::NotYet => {
                let behind = distance(seen.yuv, all[0]);
                // Edges may run behind a vertex that is not there yet, so its ground is less pure.
                let nearest = nearest(all, seen.yuv).0;
                let wrong =
                    behind > SETTLED || (nearest != 0 && distance(all[nearest], all[0]) > 4.0);
                wrong.then(|| "is drawn before it appears".to_string())
            }
            Show::Settled(ink) => {
                let own = Targets::index(ink);
                let d = distance(seen.yuv, all[own]);
                let (near, _) = nearest(all, seen.yuv);
                let rival = all
                    .iter()
                    .enumerate()
                    .filter(|(k, _)| *k != own && *k != 0)
                    .map(|(_, c)| distance(seen.yuv, *c))
                    .fold(f32::INFINITY, f32::min);
                self.note_extremes(i, kind, f, d, rival - d);
                if let Ink::Color(_) = ink {
                    self.rival_count += 1;
                    for (_, targets, sum) in &mut self.rivals {
                        *sum += f64::from(distance(seen.yuv, targets.get(kind, ink)));
                    }
                    for (k, b) in self.bias.iter_mut().enumerate() {
                        *b += f64::from(seen.yuv[k] - all[own][k]);
                    }
                }
                let (near_limit, far_limit) = if small {
                    (10.0, SMALL_SETTLED)
                } else {
                    (0.0, SETTLED)
                };
                if near != own
                    && d - distance(seen.yuv, all[near]) > near_limit
                    && distance(all[near], all[own]) > 3.0
                {
                    Some("shows another colour".into())
                } else if d > far_limit {
                    Some("shows a colour that is none of the palette".into())
                } else if seen.strays > strays {
                    Some(format!(
                        "shows something else on {:.0} % of its sample",
                        seen.strays * 100.0
                    ))
                } else {
                    None
                }
            }
            Show::Moving(from, to, known, step) => {
                let (a, b) = (self.targets.get(kind, from), self.targets.get(kind, to));
                let (t, off) = project(seen.yuv, a, b);
                let length = distance(a, b);
                let slack = SETTLED / length.max(1.0);
                let before = self.way[i];
                self.way[i] = (step, t);
                if off > OFF_LINE || t < -slack || t > 1.0 + slack {
                    return Some(
                        "shows something that is no mixture of its old and new colour".into(),
                    );
                }
                if seen.strays > strays {
                    return Some(format!(
                        "shows something else on {:.0} % of its sample",
                        seen.strays * 100.0
                    ));
                }
                if before.0 == step && (before.1 - t) * length > FALL.max(length * 0.12) {
                    return Some("falls back from its new colour towards the old one".into());
                }
                if let Some(known) = known
                    && distance(seen.yuv, mix(a, b, known)) > SETTLED + LAG * length
                {
                    return Some(format!(
                        "has come {:.0} % of the way to its new colour instead of {:.0} %",
                        t * 100.0,
                        known * 100.0
                    ));
                }
                None
            }
        }
    }

    fn note_extremes(&mut self, i: usize, kind: Kind, f: u64, d: f32, margin: f32) {
        let what = if kind == Kind::Cell {
            What::Cell
        } else {
            What::Vertex
        };
        let cell = || self.names[i % self.plan.n].to_string();
        if self.worst.as_ref().is_none_or(|w| d > w.distance) {
            self.worst = Some(Extreme {
                distance: d,
                frame: f,
                cell: cell(),
                what,
            });
        }
        if self.margin.as_ref().is_none_or(|m| margin < m.distance) {
            self.margin = Some(Extreme {
                distance: margin,
                frame: f,
                cell: cell(),
                what,
            });
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn report(
        &mut self,
        i: usize,
        kind: Kind,
        v: usize,
        f: u64,
        show: Show,
        seen: &Seen,
        problem: String,
    ) {
        let all = self.targets.all(kind);
        let near = nearest(all, seen.yuv).0;
        if let Some(open) = &mut self.open[i]
            && open.nearest == near
            && same_step(open.expected, show)
        {
            if let Some(finding) = self.findings.get_mut(open.at) {
                finding.frames += 1;
            }
            open.last = f;
            return;
        }
        self.open[i] = Some(Open {
            at: self.findings.len(),
            last: f,
            nearest: near,
            expected: show,
        });
        self.findings_total += 1;
        if self.findings.len() >= KEPT {
            return;
        }
        let (word, what) = match kind {
            Kind::Cell => ("cell", What::Cell),
            Kind::Vertex => ("vertex", What::Vertex),
        };
        let ink = match show {
            Show::NotYet => Ink::Behind,
            Show::Settled(ink) | Show::Moving(_, ink, ..) => ink,
        };
        let expected = Expected {
            color: color_of(ink),
            name: self.plan.ink_name(ink).to_string(),
            rgb: to_hex(self.plan.rgb(kind, ink)),
        };
        let near_ink = Targets::ink(near);
        let seen_color = SeenColor {
            rgb: to_hex(self.targets.encoding.decode(seen.yuv)),
            nearest: color_of(near_ink),
            name: self.plan.ink_name(near_ink).to_string(),
        };
        let state = self.plan.state(f);
        let message = format!(
            "{word} {} {problem}: expected {}{}, seen {} (nearest: {}){}",
            self.names[v],
            if matches!(show, Show::Moving(..)) {
                "a mixture towards "
            } else {
                ""
            },
            labelled(ink, &expected.name, &expected.rgb),
            seen_color.rgb,
            labelled(near_ink, &seen_color.name, ""),
            state.map_or(String::new(), |s| format!(", state {s}")),
        );
        self.findings.push(Finding {
            frame: Some(f),
            time: Some(format!("{:.3}", self.plan.seconds(f))),
            state,
            cell: Some(self.names[v].to_string()),
            what,
            expected: Some(expected),
            seen: Some(seen_color),
            frames: 1,
            message,
        });
    }

    /// The encoding that the coloured places fit best, where it is clearly another one than the
    /// stream's tags say.
    pub fn other_encoding(&self) -> Option<Encoding> {
        if self.rival_count < 8 {
            return None;
        }
        let mean = |sum: f64| sum / self.rival_count as f64;
        let own = self
            .rivals
            .iter()
            .find(|(e, ..)| *e == self.targets.encoding)
            .map(|(.., sum)| mean(*sum))?;
        let (best, _, sum) = self.rivals.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
        (*best != self.targets.encoding && mean(*sum) < own * 0.7 && own - mean(*sum) > 1.5)
            .then_some(*best)
    }

    /// The mean distance of coloured places from their colours in `encoding`.
    pub fn typical_distance(&self, encoding: Encoding) -> f32 {
        let sum = self
            .rivals
            .iter()
            .find(|(e, ..)| *e == encoding)
            .map_or(0.0, |(.., s)| *s);
        (sum / self.rival_count.max(1) as f64) as f32
    }

    /// How far all coloured places lie off on average, Y, Cb, Cr.
    pub fn mean_bias(&self) -> [f32; 3] {
        let n = self.rival_count.max(1) as f64;
        self.bias.map(|b| (b / n) as f32)
    }
}

fn color_of(ink: Ink) -> Option<u8> {
    match ink {
        Ink::Color(c) => Some(c),
        _ => None,
    }
}

fn labelled(ink: Ink, name: &str, rgb: &str) -> String {
    let space = if rgb.is_empty() { "" } else { " " };
    match ink {
        Ink::Color(c) => format!("{c} {name}{space}{rgb}"),
        _ => format!("{name}{space}{rgb}"),
    }
}

fn same_step(a: Show, b: Show) -> bool {
    match (a, b) {
        (Show::Moving(_, _, _, k), Show::Moving(_, _, _, l)) => k == l,
        (a, b) => a == b,
    }
}

/// The nearest of all inks, and its distance.
fn nearest(all: &[Yuv], seen: Yuv) -> (usize, f32) {
    all.iter()
        .map(|c| distance(seen, *c))
        .enumerate()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, f32::INFINITY))
}
