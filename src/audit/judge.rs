//! One picture against one frame of the film: every cell and vertex judged by its colour.

use super::color::{Encoding, Yuv, distance, mix, project, to_hex};
use super::plan::{Ink, Kind, Plan, Show, Targets};
use super::report::{Checks, Expected, Extreme, Finding, SeenColor, What};
use super::sample::{Cover, Scale, Seen, Tally, View, Window};
use crate::manifest::Manifest;

/// How far a settled place may lie from its colour in a clean film, in YCbCr steps. Palette colours
/// lie more than twice as far apart.
const SETTLED: f32 = 26.0;

/// Compression disturbs all places of a kind alike, so what most of them show tells how much it
/// does: a place may lie off by so many times the median of all.
const TIMES_NOISE: f32 = 10.0;

/// Another colour may be nearer than the right one by so many times the noise, and on the move by
/// so many times its square besides: the coarser a copy, the longer the tail of its errors.
const TIMES_NEARER: (f32, f32) = (5.0, 0.25);

/// For so many frames after a change compression may lag behind, and twice the noise is allowed.
const SETTLING: u64 = 8;

/// Noise that is believed at most, in YCbCr steps, for the same three. What moves is much coarser
/// in a lossy copy.
const NOISIEST: [f32; 3] = [5.0, 7.0, 13.0];

/// How much of a moving place's way a lossy copy may lag behind or run ahead.
const LAG: f32 = 0.34;

/// How far a mixture may fall back from one frame to the next, in YCbCr steps.
const FALL: f32 = 14.0;

/// The part of a window's pixels that may stray from its median.
const STRAYS: f32 = 0.2;

/// What each step of noise adds to that.
const STRAYS_NOISE: f32 = 0.03;

/// The same for a vertex that another one partly covers: the other's rim is blended into it.
const HALF_COVERED: f32 = 0.45;

/// Half the side of the square that is looked at on a disc without a digit, in radii: its corners
/// stay three quarters of the radius from the centre.
const BARE: f64 = 0.53;

/// The part of a disc's radius that is looked at where it carries something: what is farther out is
/// blended with the ground by compression.
const INNER: f64 = 0.86;

/// Findings kept in full.
pub const KEPT: usize = 200;

/// The judge's memory from picture to picture.
pub struct Judge<'a> {
    plan: &'a Plan,
    targets: Targets,
    scale: Scale,
    names: Vec<&'a str>,
    radius: Vec<f64>,
    looks: Vec<Look>,
    /// Up to which frame a disc carries nothing once regroup has begun.
    bare_until: Vec<u64>,
    rest: Vec<Window>,
    after: Vec<Window>,
    after_bare: Vec<Window>,
    tally: Tally,
    /// For each place: the step it was last seen moving in, and how far it had come.
    way: Vec<(u32, f32)>,
    open: Vec<Option<Open>>,
    rivals: Vec<(Encoding, Targets, f64)>,
    rival_count: u64,
    bias: [f64; 3],
    /// What was seen at each place of the picture judged last.
    looked: Vec<Option<Seen>>,
    /// What compression does to cells, to vertices at rest and to vertices on the move: the median
    /// distance from the nearest of all inks.
    noise: [f32; 3],
    /// The sum of the second of them, and over how many pictures.
    rest_noise: (f64, u64),
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

/// Where a disc is looked at while it may carry something, from its centre.
enum Look {
    /// On all of it outside of the box that the manifest keeps for what it carries.
    Around(f64, [f64; 4]),
    /// On the sample alone.
    At([f64; 4]),
}

impl Look {
    fn window(&self, scale: &Scale, c: [f64; 2]) -> Window {
        match self {
            Look::Around(radius, mark) => scale.ring(c, radius * INNER, *mark),
            Look::At(s) => scale.window([c[0] + s[0], c[1] + s[1], s[2], s[3]]),
        }
    }
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
        let looks: Vec<Look> = m
            .layout
            .vertices
            .iter()
            .map(|v| match v.mark {
                Some(mark) => Look::Around(v.radius, mark),
                None => Look::At(v.sample),
            })
            .collect();
        let at = |v: usize, p: f64| looks[v].window(&scale, plan.vertex_at(v, p));
        let cells = m.layout.cells.iter().map(|c| scale.window(c.sample));
        let rest = cells.clone().chain((0..n).map(|v| at(v, 0.0))).collect();
        let after = cells.chain((0..n).map(|v| at(v, 1.0))).collect();
        let after_bare = (0..n)
            .map(|v| scale.window(bare(plan.vertex_at(v, 1.0), m.layout.vertices[v].radius)))
            .collect();
        Judge {
            plan,
            targets: Targets::new(plan, encoding),
            scale,
            names: m.layout.cells.iter().map(|c| c.cell.as_str()).collect(),
            radius: m.layout.vertices.iter().map(|v| v.radius).collect(),
            bare_until: m
                .layout
                .vertices
                .iter()
                .map(|v| v.reveal.map_or(0, |r| r[0]))
                .collect(),
            looks,
            rest,
            after,
            after_bare,
            tally: Tally::default(),
            way: vec![(u32::MAX, 0.0); 2 * n],
            open: (0..2 * n).map(|_| None).collect(),
            rivals: Encoding::ALL
                .map(|e| (e, Targets::new(plan, e), 0.0))
                .to_vec(),
            rival_count: 0,
            bias: [0.0; 3],
            looked: vec![None; 2 * n],
            noise: [0.0; 3],
            rest_noise: (0.0, 0),
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
        let mut covered = vec![false; 2 * n];
        for i in 0..2 * n {
            let (kind, v) = self.plan.kind(i);
            covers.clear();
            let clear = kind == Kind::Vertex && f < self.bare_until[v];
            let soft = moving && kind == Kind::Vertex;
            let own;
            let window = if soft {
                self.covers(&centres, v, &mut covers);
                own = if clear {
                    self.scale.window(bare(centres[v], self.radius[v]))
                } else {
                    self.looks[v].window(&self.scale, centres[v])
                };
                &own
            } else if gone && clear {
                &self.after_bare[v]
            } else if gone {
                &self.after[i]
            } else {
                &self.rest[i]
            };
            let stray = 6.0 * self.noise[group(kind, moving)];
            self.looked[i] = self.tally.look(view, window, &covers, stray);
            covered[i] = !covers.is_empty();
        }
        self.measure_noise(f, moving);
        for i in 0..2 * n {
            let show = self.plan.show(i, f);
            let (kind, v) = self.plan.kind(i);
            let seen = self.looked[i];
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
            let strays = if covered[i] { HALF_COVERED } else { STRAYS };
            if let Some(problem) = self.place(i, kind, f, show, &seen, strays, moving) {
                self.checks.failed += 1;
                self.wrong_now += 1;
                self.settled_now.0 += u32::from(matches!(show, Show::Settled(_)));
                self.report(i, kind, v, f, show, &seen, problem);
            } else {
                self.open[i] = None;
            }
        }
    }

    /// Learns from the picture itself how far compression takes its places off their colours. The
    /// median over all inks, not over the right ones: colours that are exchanged are no noise.
    fn measure_noise(&mut self, f: u64, moving: bool) {
        let mut off: [Vec<f32>; 3] = Default::default();
        for (i, seen) in self.looked.iter().enumerate() {
            let kind = self.plan.kind(i).0;
            if let (Some(seen), Show::Settled(_)) = (seen, self.plan.show(i, f)) {
                off[group(kind, moving)].push(nearest(self.targets.all(kind), seen.yuv).1);
            }
        }
        for ((noise, off), most) in self.noise.iter_mut().zip(&mut off).zip(NOISIEST) {
            if off.len() >= 12 {
                let middle = off.len() / 2;
                *noise = (*off.select_nth_unstable_by(middle, f32::total_cmp).1).min(most);
            }
        }
        if !moving {
            self.rest_noise.0 += f64::from(self.noise[1]);
            self.rest_noise.1 += 1;
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
        moving: bool,
    ) -> Option<String> {
        // Cheap to copy, and frees `self` for its notes.
        let all: Vec<Yuv> = self.targets.all(kind).to_vec();
        let all = all.as_slice();
        let group = group(kind, moving);
        let fresh = if self.plan.since(i, f) < SETTLING {
            2.0
        } else {
            1.0
        };
        let noise = fresh * TIMES_NOISE * self.noise[group];
        let mut nearer = fresh * TIMES_NEARER.0 * self.noise[group];
        if group == 2 {
            nearer += TIMES_NEARER.1 * self.noise[group].powi(2);
        }
        let limit = SETTLED.max(noise);
        let strays = strays + fresh * STRAYS_NOISE * self.noise[group];
        let stray = || {
            (seen.strays > strays).then(|| {
                format!(
                    "shows something else on {:.0} % of its sample",
                    seen.strays * 100.0
                )
            })
        };
        match show {
            Show::NotYet => {
                let behind = distance(seen.yuv, all[0]);
                // Edges may run behind a vertex that is not there yet, so its ground is less pure.
                let (near, least) = nearest(all, seen.yuv);
                let wrong = behind > limit
                    || (near != 0 && behind - least > nearer && distance(all[near], all[0]) > 4.0);
                wrong.then(|| "is drawn before it appears".to_string())
            }
            Show::Settled(ink) => {
                let own = Targets::index(ink);
                let d = distance(seen.yuv, all[own]);
                let (near, least) = nearest(all, seen.yuv);
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
                if near != own && d - least > nearer && distance(all[near], all[own]) > 3.0 {
                    Some("shows another colour".into())
                } else if d > limit {
                    Some("shows a colour that is none of the palette".into())
                } else {
                    stray()
                }
            }
            Show::Moving(from, to, known, step) => {
                let (a, b) = (self.targets.get(kind, from), self.targets.get(kind, to));
                let (t, off) = project(seen.yuv, a, b);
                let length = distance(a, b);
                let slack = limit / length.max(1.0);
                let before = self.way[i];
                self.way[i] = (step, t);
                if off > limit || t < -slack || t > 1.0 + slack {
                    return Some(
                        "shows something that is no mixture of its old and new colour".into(),
                    );
                }
                if let Some(problem) = stray() {
                    return Some(problem);
                }
                if before.0 == step && (before.1 - t) * length > FALL.max(length * 0.12).max(noise)
                {
                    return Some("falls back from its new colour towards the old one".into());
                }
                if let Some(known) = known
                    && distance(seen.yuv, mix(a, b, known)) > limit + LAG * length
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

    /// The noise of vertices on the move in the picture judged last, in YCbCr steps.
    pub fn moving_noise(&self) -> f32 {
        self.noise[2]
    }

    /// The mean noise of vertices at rest, in YCbCr steps.
    pub fn usual_noise(&self) -> f32 {
        (self.rest_noise.0 / self.rest_noise.1.max(1) as f64) as f32
    }

    /// How far all coloured places lie off on average, Y, Cb, Cr.
    pub fn mean_bias(&self) -> [f32; 3] {
        let n = self.rival_count.max(1) as f64;
        self.bias.map(|b| (b / n) as f32)
    }
}

/// The square inside a disc that shows its colour as long as the disc carries nothing: from regroup
/// until its digit is revealed. Much more of the disc than its sample, and farther from its rim.
fn bare(centre: [f64; 2], radius: f64) -> [f64; 4] {
    let half = BARE * radius;
    [centre[0] - half, centre[1] - half, 2.0 * half, 2.0 * half]
}

/// Cells, vertices at rest and vertices on the move are disturbed by compression each in its way.
fn group(kind: Kind, moving: bool) -> usize {
    match kind {
        Kind::Cell => 0,
        Kind::Vertex => 1 + usize::from(moving),
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
