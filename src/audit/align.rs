//! Which picture is which frame, by what the pictures show.
//!
//! An edit distance over frames and pictures (Levenshtein, banded): a picture may match a frame
//! at the cost of how badly it fits, a frame may be missing, a picture may be extra. What the
//! cheapest alignment says is then put into words: missing, doubled, frozen, swapped, foreign.

use super::color::{Yuv, distance, mix, project};
use super::plan::{Kind, Plan, Show, Targets};

/// Cost of a missing frame and of an extra picture.
const GAP: f32 = 1.0;
/// A picture never costs more than this against a frame: one bad picture is one bad picture.
const WORST: f32 = 1.9;
/// A picture that costs less fits.
const FITS: f32 = 0.25;
/// A picture that costs more than this against the frame it is matched with may be another one: in
/// a film as it was made, and in a coarse copy, where one fade may lag.
const CLEAR: [f32; 2] = [0.3, 1.0];
/// From this noise of vertices on a copy is a coarse one.
const COARSE: f32 = 8.0;
/// Another frame must fit it so much better.
const BETTER: f32 = 0.3;
/// So many wrong vertices are vertices that are wrong, more are another frame.
const FEW: f32 = 3.0;
/// Where nothing else was measured, nothing speaks for another frame than the one judged.
const NOT_JUDGED: f32 = 0.05;
/// The alignment is not searched farther from the diagonal than this.
const BAND: usize = 400;
/// Frames and pictures that an alignment can hold.
pub const CAPACITY: usize = 40_000;

/// What was seen, picture by picture, small enough to keep for a whole film.
#[derive(Debug, Default)]
pub struct Track {
    /// Y, Cb, Cr of each place; all zero where it was hidden.
    seen: Vec<[u8; 3]>,
    /// Progress of regroup as the picture shows it; not a number where not measured.
    progress: Vec<f32>,
    /// The frame that the picture was judged as.
    judged: Vec<u64>,
    /// Presentation times.
    pub times: Vec<f64>,
    width: usize,
}

impl Track {
    /// For `width` places a picture.
    pub fn new(width: usize) -> Self {
        Track {
            width,
            ..Track::default()
        }
    }

    /// Pictures kept.
    pub fn len(&self) -> usize {
        self.judged.len()
    }

    /// Adds a picture.
    pub fn push(&mut self, seen: &[Option<Yuv>], progress: Option<f64>, judged: u64, time: f64) {
        if self.len() >= CAPACITY {
            return;
        }
        self.seen.extend(
            seen.iter()
                .map(|s| s.map_or([0; 3], |c| c.map(|v| v.round().clamp(1.0, 255.0) as u8))),
        );
        self.progress.push(progress.map_or(f32::NAN, |p| p as f32));
        self.judged.push(judged);
        self.times.push(time);
    }

    fn picture(&self, j: usize) -> &[[u8; 3]] {
        &self.seen[j * self.width..(j + 1) * self.width]
    }
}

/// Something wrong with the order of frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// These frames are not in the film; one of `among` where they cannot be told apart.
    Missing {
        /// First and last.
        frames: (u64, u64),
        /// The frames that look alike, if more than the missing ones.
        among: (u64, u64),
    },
    /// This frame is there `times` times too often.
    Doubled {
        /// The frame.
        frame: u64,
        /// The frames that look alike.
        among: (u64, u64),
        /// How often beyond once.
        times: u64,
    },
    /// These frames show one other frame.
    Frozen {
        /// First and last.
        frames: (u64, u64),
        /// What they show.
        shows: u64,
    },
    /// These two frames stand in each other's place.
    Swapped(u64, u64),
    /// Pictures stand before this frame that are not of the film.
    Inserted {
        /// The frame after them.
        before: u64,
        /// How many.
        pictures: u64,
    },
    /// In place of these frames stand pictures that are not of the film.
    Foreign {
        /// First and last.
        frames: (u64, u64),
    },
}

/// What the alignment found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Alignment {
    /// The frame of each picture; `None` for extra, frozen, swapped and foreign ones.
    pub map: Vec<Option<u64>>,
    /// What is wrong with the order.
    pub problems: Vec<Problem>,
}

/// Compares pictures with frames.
pub struct Fit<'a> {
    plan: &'a Plan,
    targets: &'a Targets,
    track: &'a Track,
    /// The noise as it is.
    usual: [f32; 2],
    /// Differences up to this are noise, in YCbCr steps: of cells, of vertices.
    noise: [f32; 2],
    /// Pixels of the film that regroup's whole movement comes to.
    travel: f32,
    /// Pixels of movement that cannot be measured.
    blur: f32,
}

/// What one place should show, ready to be compared with.
#[derive(Clone, Copy)]
enum Want {
    Point(Yuv),
    Line(Yuv, Yuv),
}

impl<'a> Fit<'a> {
    /// `noise` is what differences of cells and of vertices come to that compression makes, `blur`
    /// how many film pixels of movement cannot be measured.
    pub fn new(
        plan: &'a Plan,
        targets: &'a Targets,
        track: &'a Track,
        noise: [f32; 2],
        blur: f32,
    ) -> Self {
        let mut lengths: Vec<f64> = (0..plan.n)
            .map(|v| {
                let s = plan.vertex_speed(v, 0.5);
                s[0].hypot(s[1])
            })
            .collect();
        lengths.sort_by(f64::total_cmp);
        Fit {
            plan,
            targets,
            track,
            usual: noise,
            noise: [noise[0].clamp(3.0, 24.0), noise[1].clamp(3.0, 45.0)],
            travel: lengths.get(plan.n / 2).copied().unwrap_or(0.0) as f32,
            blur,
        }
    }

    fn wants(&self, f: u64) -> Vec<Want> {
        (0..2 * self.plan.n)
            .map(|i| {
                let kind = self.plan.kind(i).0;
                match self.plan.show(i, f) {
                    Show::NotYet => Want::Point(self.targets.all(kind)[0]),
                    Show::Settled(ink) => Want::Point(self.targets.get(kind, ink)),
                    Show::Moving(a, b, t, _) => {
                        let (a, b) = (self.targets.get(kind, a), self.targets.get(kind, b));
                        t.map_or(Want::Line(a, b), |t| Want::Point(mix(a, b, t)))
                    }
                }
            })
            .collect()
    }

    fn noise_of(&self, i: usize) -> f32 {
        self.noise[usize::from(self.plan.kind(i).0 == Kind::Vertex)]
    }

    /// Before regroup, in it, or after it.
    fn side(&self, f: u64) -> u8 {
        self.plan.regroup().map_or(0, |(first, len)| {
            u8::from(f >= first) + u8::from(f >= first + len)
        })
    }

    /// How badly picture `j` fits frame `f`, whose wants are given: 0 well, 1 a place as wrong as
    /// can be, more for more places.
    fn misfit(&self, j: usize, f: u64, wants: &[Want]) -> f32 {
        let judged = self.track.judged[j];
        let moving = self.side(f) == 1;
        let vertices = self.side(judged) == self.side(f) && (!moving || f == judged);
        let mut sum = 0.0;
        if moving && self.side(judged) == 1 && f != judged {
            // On the move, vertices were looked at where they are at the frame that was judged.
            // Few that are wrong there are wrong at any other frame; many show that it is another.
            let wrong = self.misplaced(j);
            sum += NOT_JUDGED + if wrong < FEW { wrong } else { 0.0 };
        }
        for (i, (seen, want)) in self.track.picture(j).iter().zip(wants).enumerate() {
            if *seen == [0; 3] || (i >= self.plan.n && !vertices) {
                continue;
            }
            let seen = seen.map(f32::from);
            let d = match want {
                Want::Point(p) => distance(seen, *p),
                Want::Line(a, b) => {
                    let (t, off) = project(seen, *a, *b);
                    off.max((t - t.clamp(0.0, 1.0)).abs() * distance(*a, *b))
                }
            };
            if matches!(self.plan.kind(i).0, Kind::Vertex)
                && matches!(self.plan.show(i, f), Show::NotYet)
            {
                continue;
            }
            sum += ((d - self.noise_of(i)) / 24.0).clamp(0.0, 1.0);
        }
        let p = self.track.progress[j];
        if p.is_finite() {
            let off = (p - self.plan.progress(f) as f32).abs() * self.travel;
            sum += ((off - self.blur) / (4.0 * self.blur)).clamp(0.0, 1.5);
        }
        sum
    }

    /// How badly the vertices of picture `j` fit the frame that it was judged as.
    fn misplaced(&self, j: usize) -> f32 {
        let n = self.plan.n;
        let f = self.track.judged[j];
        let kind = self.plan.kind(n).0;
        let seen = &self.track.picture(j)[n..];
        let places = seen.iter().enumerate().filter(|(_, s)| **s != [0; 3]);
        let off = places.filter_map(|(v, s)| match self.plan.show(n + v, f) {
            Show::Settled(ink) => Some(distance(s.map(f32::from), self.targets.get(kind, ink))),
            _ => None,
        });
        off.map(|d| ((d - self.noise_of(n)) / 24.0).clamp(0.0, 1.0))
            .sum()
    }

    /// Whether frames `f` and `g` look alike in all that is compared here.
    fn alike(&self, f: u64, g: u64) -> bool {
        let (a, b) = (self.wants(f), self.wants(g));
        let moved = (self.plan.progress(f) - self.plan.progress(g)).abs() as f32 * self.travel;
        moved < self.blur * 1.5
            && a.iter()
                .zip(&b)
                .enumerate()
                .all(|(i, (a, b))| match (a, b) {
                    (Want::Point(a), Want::Point(b)) => distance(*a, *b) < self.noise_of(i) * 0.75,
                    (Want::Line(a, b), Want::Line(c, d)) => {
                        distance(*a, *c) + distance(*b, *d) < 1.0
                    }
                    (Want::Point(p), Want::Line(a, b)) | (Want::Line(a, b), Want::Point(p)) => {
                        project(*p, *a, *b).1 < self.noise_of(i)
                    }
                })
    }

    /// How many of `frames` look like the next one.
    pub fn alike_neighbours(&self, frames: &[u64]) -> u64 {
        frames.windows(2).filter(|w| self.alike(w[0], w[1])).count() as u64
    }

    /// The sum of misfits with every picture as what it was judged; the cheap first question.
    pub fn as_judged(&self) -> f32 {
        (0..self.track.len())
            .map(|j| {
                let f = self.track.judged[j];
                self.misfit(j, f, &self.wants(f)).min(WORST)
            })
            .sum()
    }

    /// The run of frames around `frames[a]` that look like it.
    fn among(&self, frames: &[u64], a: usize) -> (usize, usize) {
        let (mut lo, mut hi) = (a, a);
        while lo > 0 && self.alike(frames[lo - 1], frames[lo]) {
            lo -= 1;
        }
        while hi + 1 < frames.len() && self.alike(frames[hi], frames[hi + 1]) {
            hi += 1;
        }
        (lo, hi)
    }

    /// Aligns all pictures with `frames`.
    pub fn align(&self, frames: &[u64], rate: Option<f64>) -> Alignment {
        let (n, m) = (frames.len(), self.track.len());
        if n == 0 || m == 0 {
            return Alignment {
                map: vec![None; m],
                problems: vec![],
            };
        }
        let ops = self.cheapest(frames, rate);
        self.in_words(frames, &ops)
    }

    /// The cheapest way: (frame index, picture index) with either absent.
    fn cheapest(&self, frames: &[u64], rate: Option<f64>) -> Vec<(Option<usize>, Option<usize>)> {
        let (n, m) = (frames.len(), self.track.len());
        let band = (n.abs_diff(m) + 24).min(BAND.max(n.abs_diff(m) + 8));
        let width = 2 * band + 1;
        // Column of picture count j in the row of frame count i: j - i + band.
        let column = |i: usize, j: usize| (j + band).checked_sub(i).filter(|c| *c < width);
        let mut from = vec![0u8; (n + 1) * width];
        let mut row = vec![f32::INFINITY; width];
        for (j, c) in (0..=m.min(band)).map(|j| (j, j + band)) {
            row[c] = j as f32 * GAP;
            from[c] = 2;
        }
        for i in 1..=n {
            let wants = self.wants(frames[i - 1]);
            let mut next = vec![f32::INFINITY; width];
            for j in i.saturating_sub(band)..=m.min(i + band) {
                let Some(c) = column(i, j) else { continue };
                let mut best = (f32::INFINITY, 0u8);
                if j > 0 {
                    let mut cost = self.misfit(j - 1, frames[i - 1], &wants).min(WORST);
                    // Where timestamps leave a gap they break ties between frames that look alike.
                    if let Some(rate) = rate {
                        let t = self.track.times[j - 1] - self.track.times[0];
                        cost += if (t * rate - (i - 1) as f64).abs() > 0.5 {
                            0.001
                        } else {
                            0.0
                        };
                    }
                    let total = row[c] + cost;
                    if total < best.0 {
                        best = (total, 0);
                    }
                }
                if c + 1 < width && row[c + 1] + GAP < best.0 {
                    best = (row[c + 1] + GAP, 1);
                }
                if j > 0 && c > 0 && next[c - 1] + GAP < best.0 {
                    best = (next[c - 1] + GAP, 2);
                }
                next[c] = best.0;
                from[i * width + c] = best.1;
            }
            row = next;
        }
        let (mut i, mut j) = (n, m);
        let mut ops = Vec::new();
        while i > 0 || j > 0 {
            let step = match column(i, j) {
                Some(_) if i == 0 => 2,
                Some(_) if j == 0 => 1,
                Some(c) => from[i * width + c],
                None => 1,
            };
            match step {
                0 if i > 0 && j > 0 => {
                    (i, j) = (i - 1, j - 1);
                    ops.push((Some(i), Some(j)));
                }
                2 if j > 0 => {
                    j -= 1;
                    ops.push((None, Some(j)));
                }
                _ if i > 0 => {
                    i -= 1;
                    ops.push((Some(i), None));
                }
                _ => {
                    j -= 1;
                    ops.push((None, Some(j)));
                }
            }
        }
        ops.reverse();
        ops
    }

    /// The frame of all that picture `j` fits best, near `a` first.
    fn best(&self, frames: &[u64], j: usize, a: usize) -> (usize, f32) {
        // Frames in which less can be compared would fit the better for it.
        let side = self.side(self.track.judged[j]);
        let look = |range: std::ops::Range<usize>| {
            range
                .filter(|k| self.side(frames[*k]) == side)
                .map(|k| (k, self.misfit(j, frames[k], &self.wants(frames[k]))))
                // Of frames that fit equally the nearest is meant.
                .min_by(|x, y| {
                    x.1.total_cmp(&y.1)
                        .then(x.0.abs_diff(a).cmp(&y.0.abs_diff(a)))
                })
                .unwrap_or((a, f32::INFINITY))
        };
        let near = look(a.saturating_sub(16)..(a + 17).min(frames.len()));
        if near.1 <= FITS {
            near
        } else {
            look(0..frames.len())
        }
    }

    fn in_words(&self, frames: &[u64], ops: &[(Option<usize>, Option<usize>)]) -> Alignment {
        let mut map = vec![None; self.track.len()];
        let mut problems = Vec::new();
        let mut missing: Vec<usize> = Vec::new();
        // Extra pictures: the frame before which they stand, and what they show.
        let mut extra: Vec<(usize, Option<usize>)> = Vec::new();
        let mut shows: Vec<(usize, usize)> = Vec::new();
        let mut foreign: Vec<usize> = Vec::new();
        let mut next = 0usize;
        // Searching all frames for one picture is slow; a film full of strangers need not be
        // searched through again and again.
        let mut searches = 400;
        let clear = CLEAR[usize::from(self.usual[1] >= COARSE)];
        for &(a, j) in ops {
            match (a, j) {
                (Some(a), Some(j)) => {
                    next = a + 1;
                    map[j] = Some(frames[a]);
                    let cost = self.misfit(j, frames[a], &self.wants(frames[a]));
                    if cost > clear && searches > 0 {
                        searches -= 1;
                        let (b, other) = self.best(frames, j, a);
                        if b != a && other <= FITS.min(BETTER * cost) {
                            shows.push((a, b));
                            map[j] = None;
                        } else if cost > 0.4 * self.plan.n as f32 {
                            foreign.push(a);
                            map[j] = None;
                        }
                    }
                }
                (Some(a), None) => {
                    next = a + 1;
                    missing.push(a);
                }
                (None, Some(j)) => {
                    // An extra picture of the movement is one of the frames beside it, if nothing
                    // but its vertices says otherwise.
                    let moving = self.side(self.track.judged[j]) == 1;
                    let fits = FITS + if moving { FEW } else { 0.0 };
                    let shown = (searches > 0)
                        .then(|| self.best(frames, j, next.min(frames.len() - 1)))
                        .filter(|(_, cost)| *cost <= fits)
                        .map(|(b, _)| b);
                    searches -= 1;
                    extra.push((next, shown));
                }
                (None, None) => {}
            }
        }
        for (a, b) in self.pair_up(&mut missing, &mut extra, &mut shows, &mut foreign) {
            problems.push(Problem::Swapped(frames[a], frames[b]));
        }
        for (first, last) in runs(&missing) {
            let (lo, hi) = (self.among(frames, first).0, self.among(frames, last).1);
            problems.push(Problem::Missing {
                frames: (frames[first], frames[last]),
                among: (frames[lo], frames[hi]),
            });
        }
        let mut k = 0;
        while k < extra.len() {
            let (before, shown) = extra[k];
            let same = extra[k..]
                .iter()
                .take_while(|e| e.1 == shown && e.0.abs_diff(before) <= 1)
                .count();
            match shown {
                Some(b) => {
                    let (lo, hi) = self.among(frames, b);
                    problems.push(Problem::Doubled {
                        frame: frames[b],
                        among: (frames[lo], frames[hi]),
                        times: same as u64,
                    });
                }
                None => problems.push(Problem::Inserted {
                    before: frames.get(before).copied().unwrap_or(self.plan.frames),
                    pictures: same as u64,
                }),
            }
            k += same;
        }
        let mut k = 0;
        while k < shows.len() {
            let (a, b) = shows[k];
            if let Some(back) = shows
                .iter()
                .position(|s| s.0 == b && self.near(frames, s.1, a))
            {
                if back > k {
                    problems.push(Problem::Swapped(frames[a.min(b)], frames[a.max(b)]));
                } else if back == k {
                    problems.push(Problem::Frozen {
                        frames: (frames[a], frames[a]),
                        shows: frames[b],
                    });
                }
                k += 1;
                continue;
            }
            let mut last = k;
            while last + 1 < shows.len()
                && shows[last + 1].0 == shows[last].0 + 1
                && self.near(frames, shows[last + 1].1, b)
            {
                last += 1;
            }
            problems.push(Problem::Frozen {
                frames: (frames[a], frames[shows[last].0]),
                shows: frames[b],
            });
            k = last + 1;
        }
        for (first, last) in runs(&foreign) {
            problems.push(Problem::Foreign {
                frames: (frames[first], frames[last]),
            });
        }
        problems.sort_by_key(Problem::frame);
        Alignment { map, problems }
    }

    fn near(&self, frames: &[u64], a: usize, b: usize) -> bool {
        a == b || (a.abs_diff(b) <= 3 && self.alike(frames[a], frames[b]))
    }

    /// A missing frame with an extra picture beside it is one frame with a wrong picture; with its
    /// own picture beside it, it has changed places with its neighbour. Returns those pairs.
    fn pair_up(
        &self,
        missing: &mut Vec<usize>,
        extra: &mut Vec<(usize, Option<usize>)>,
        shows: &mut Vec<(usize, usize)>,
        foreign: &mut Vec<usize>,
    ) -> Vec<(usize, usize)> {
        let mut swapped = Vec::new();
        let mut kept = Vec::new();
        for &a in missing.iter() {
            let Some(k) = extra.iter().position(|(before, _)| before.abs_diff(a) <= 8) else {
                kept.push(a);
                continue;
            };
            let (at, shown) = extra.remove(k);
            match shown {
                Some(b) if b == a => {
                    // The extra picture stands before the frame of index `at`.
                    let c = if a >= at { at } else { at - 1 };
                    swapped.push((a.min(c), a.max(c)));
                }
                Some(b) => shows.push((a, b)),
                None => foreign.push(a),
            }
        }
        *missing = kept;
        shows.sort_unstable();
        foreign.sort_unstable();
        swapped
    }
}

impl Problem {
    /// The first frame that it is about.
    pub fn frame(&self) -> u64 {
        match self {
            Problem::Missing { frames, .. }
            | Problem::Frozen { frames, .. }
            | Problem::Foreign { frames } => frames.0,
            Problem::Doubled { frame, .. } => *frame,
            Problem::Swapped(a, _) => *a,
            Problem::Inserted { before, .. } => *before,
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        let span = |(a, b): (u64, u64)| {
            if a == b {
                format!("frame {a}")
            } else {
                format!("frames {a} to {b}")
            }
        };
        let verb = |(a, b): (u64, u64)| if a == b { "is" } else { "are" };
        let doubt = |told: (u64, u64), among: (u64, u64)| {
            if told == among {
                String::new()
            } else {
                format!(
                    " (frames {} to {} look alike, so it may be another of them)",
                    among.0, among.1
                )
            }
        };
        match self {
            Problem::Missing { frames, among } => {
                format!(
                    "{} {} missing{}",
                    span(*frames),
                    verb(*frames),
                    doubt(*frames, *among)
                )
            }
            Problem::Doubled {
                frame,
                among,
                times,
            } => {
                let doubt = doubt((*frame, *frame), *among);
                if *times == 1 {
                    format!("frame {frame} is doubled{doubt}")
                } else {
                    format!("frame {frame} is shown {} times{doubt}", times + 1)
                }
            }
            Problem::Frozen { frames, shows } if frames.0 == frames.1 => {
                format!("frame {} shows frame {shows} instead", frames.0)
            }
            Problem::Frozen { frames, shows } => {
                format!("{} are frozen: they show frame {shows}", span(*frames))
            }
            Problem::Swapped(a, b) => format!("frames {a} and {b} are swapped"),
            Problem::Inserted { before, pictures } => format!(
                "{pictures} picture{} that {} not of this film {} before frame {before}",
                if *pictures == 1 { "" } else { "s" },
                if *pictures == 1 { "is" } else { "are" },
                if *pictures == 1 {
                    "is inserted"
                } else {
                    "are inserted"
                },
            ),
            Problem::Foreign { frames } => {
                format!(
                    "in place of {} stands a picture that is not of this film",
                    span(*frames)
                )
            }
        }
    }
}

/// Consecutive numbers as (first, last).
fn runs(sorted: &[usize]) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for &v in sorted {
        match out.last_mut() {
            Some((_, last)) if *last + 1 == v => *last = v,
            _ => out.push((v, v)),
        }
    }
    out
}
