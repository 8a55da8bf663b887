//! Many thin translucent curves of one colour, fast.
//!
//! A batch is prepared once: every curve is cut where its direction passes 45 degrees and then
//! into short straight segments, and the segments are sorted into the tiles they touch. Drawing a
//! tile then walks its segments along their longer axis and multiplies the transparency of the
//! pixels they cross, in 16 bits; the colour is laid over the picture once, at the end. A batch
//! at rest keeps its segments, so that redrawing one tile costs that tile's segments only.

use super::damage::{Bounds, Damage, TILE};
use super::profile::{Profile, phase};
use super::tile::Tile;
use crate::film::display::{Curve, CurveBatch, Rgb};
use multiversion::multiversion;
use std::sync::Arc;

/// How far a chord may lie from its curve, in pixels.
const FLATNESS: f64 = 1.0 / 64.0;
/// The longest segment along its axis, so that a segment touches few tiles.
const LONGEST: f64 = 24.0;
/// Segments a curve is cut into at most.
const MOST: f64 = 4096.0;
/// Pixels beside a tile in the transparency buffer: room for a run that begins outside.
const PAD: i32 = 16;
/// Pixels along and across the axis of the transparency buffer.
const ALONG: usize = TILE as usize;
const ACROSS: usize = TILE as usize + 2 * PAD as usize;
/// A tile's RGBA bytes in one row.
const ROW: usize = TILE as usize * 4;
/// No joint.
const NONE: u32 = u32::MAX;

/// A piece of a curve that is straight and at most 45 degrees from the axis it steps along.
#[derive(Debug, Clone, Copy)]
struct Segment {
    /// First pixel along the axis.
    first: i32,
    /// Where the line's middle crosses the middle of that pixel, across the axis, in 1 / 65536.
    place: i32,
    /// What `place` grows by with each pixel.
    step: i32,
    /// The joints that bound the curve's part this belongs to, where it comes near them.
    joints: [u32; 2],
    /// Pixels along the axis.
    count: u16,
    /// Opacity, 0 to 65535.
    alpha: u16,
    /// Row in the table of coverage.
    slope: u8,
    /// Whether the axis is y.
    steep: bool,
}

/// Where a curve's direction passes 45 degrees. Pixels on one side of the line across the curve
/// belong to the part before, those on the other side to the part after: none to both, none to
/// neither.
#[derive(Debug, Clone, Copy)]
struct Joint {
    x: i32,
    y: i32,
    /// Signs of the curve's direction.
    dx: i32,
    dy: i32,
    /// Whether this bounds the part after it.
    after: bool,
}

impl Joint {
    /// Whether a pixel belongs to the part that this joint bounds.
    #[inline(always)]
    fn owns(&self, x: i32, y: i32) -> bool {
        let along = i64::from((x << 16) + 32768 - self.x) * i64::from(self.dx)
            + i64::from((y << 16) + 32768 - self.y) * i64::from(self.dy);
        (along >= 0) == self.after
    }
}

/// A batch, prepared.
#[derive(Debug, Default)]
pub(super) struct Strokes {
    profile: Option<Arc<Profile>>,
    segments: Vec<Segment>,
    joints: Vec<Joint>,
    /// For each curve the end of its segments.
    ends: Vec<u32>,
    /// For each tile the end of its part of `sorted`.
    tile_ends: Vec<u32>,
    /// Segments tile by tile.
    sorted: Vec<u32>,
    columns: u32,
    rows: u32,
}

impl Strokes {
    /// Cuts and sorts a batch for a picture of `columns` by `rows` tiles, reusing the memory of
    /// what was here before.
    pub fn prepare(&mut self, batch: &CurveBatch, profile: Arc<Profile>, columns: u32, rows: u32) {
        self.segments.clear();
        self.joints.clear();
        self.ends.clear();
        (self.columns, self.rows) = (columns, rows);
        let limits = [
            f64::from(columns * TILE) + f64::from(profile.reach),
            f64::from(rows * TILE) + f64::from(profile.reach),
        ];
        cut_all(self, batch, &profile, limits);
        self.profile = Some(profile);
        self.sort();
    }

    /// Sorts segments into tiles; within a tile they keep their order.
    fn sort(&mut self) {
        let tiles = self.columns as usize * self.rows as usize;
        self.tile_ends.clear();
        self.tile_ends.resize(tiles, 0);
        for segment in &self.segments {
            let [left, top, right, bottom] = self.touched(segment);
            for row in top..bottom {
                for column in left..right {
                    self.tile_ends[(row * self.columns + column) as usize] += 1;
                }
            }
        }
        // Turn counts into starts; placing then moves each start to its end.
        let mut sum = 0;
        for end in &mut self.tile_ends {
            sum += std::mem::replace(end, sum);
        }
        self.sorted.clear();
        self.sorted.resize(sum as usize, 0);
        for index in 0..self.segments.len() {
            let [left, top, right, bottom] = self.touched(&self.segments[index]);
            for row in top..bottom {
                for column in left..right {
                    let at = &mut self.tile_ends[(row * self.columns + column) as usize];
                    self.sorted[*at as usize] = index as u32;
                    *at += 1;
                }
            }
        }
    }

    /// The tiles that a segment may draw into.
    #[inline(always)]
    fn touched(&self, segment: &Segment) -> [u32; 4] {
        let reach = self.profile.as_ref().map_or(0, |p| p.reach);
        let end = segment.place + segment.step * (i32::from(segment.count) - 1);
        let low = (segment.place.min(end) >> 16) - reach;
        let high = (segment.place.max(end) >> 16) + reach + 1;
        let (from, to) = (segment.first, segment.first + i32::from(segment.count));
        let bounds = if segment.steep {
            Bounds {
                left: low,
                top: from,
                right: high,
                bottom: to,
            }
        } else {
            Bounds {
                left: from,
                top: low,
                right: to,
                bottom: high,
            }
        };
        bounds.tiles(self.columns, self.rows).unwrap_or([0; 4])
    }

    /// Marks every tile that the batch touches.
    pub fn mark(&self, damage: &mut Damage) {
        let mut start = 0;
        for (tile, &end) in self.tile_ends.iter().enumerate() {
            if end > start {
                damage.mark_tile(tile);
            }
            start = end;
        }
    }

    /// Marks the tiles that one curve of the batch touches.
    pub fn mark_curve(&self, curve: usize, damage: &mut Damage) {
        let start = if curve == 0 { 0 } else { self.ends[curve - 1] };
        for segment in &self.segments[start as usize..self.ends[curve] as usize] {
            let [left, top, right, bottom] = self.touched(segment);
            for row in top..bottom {
                for column in left..right {
                    damage.mark_tile((row * self.columns + column) as usize);
                }
            }
        }
    }

    /// Draws what lies in tile (`column`, `row`).
    pub fn draw(&self, batch: &CurveBatch, column: u32, row: u32, tile: &mut Tile<'_>) {
        let index = (row * self.columns + column) as usize;
        let (Some(profile), Some(&end)) = (&self.profile, self.tile_ends.get(index)) else {
            return;
        };
        let start = if index == 0 {
            0
        } else {
            self.tile_ends[index - 1]
        };
        let sorted = &self.sorted[start as usize..end as usize];
        if sorted.is_empty() {
            return;
        }
        let mut layer = Layer {
            left: (column * TILE) as i32,
            top: (row * TILE) as i32,
            clear: [[[u16::MAX; ACROSS]; ALONG]; 2],
            used: [false; 2],
        };
        stroke_all(&mut layer, self, sorted, profile);
        lay(&layer, batch.color, tile);
    }
}

/// Cuts a batch's curves. All of its operations are exact in IEEE 754, on any registers.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2", "x86_64+sse4.1"))]
fn cut_all(strokes: &mut Strokes, batch: &CurveBatch, profile: &Profile, limits: [f64; 2]) {
    for curve in &batch.curves {
        let mut cutter = Cutter {
            profile,
            limits,
            alpha: (curve.alpha.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16,
            segments: &mut strokes.segments,
            joints: &mut strokes.joints,
        };
        cutter.curve(curve);
        strokes.ends.push(strokes.segments.len() as u32);
    }
}

/// Strokes a tile's segments. Whole numbers, so the wider registers change the speed and not the
/// pixels.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2", "x86_64+sse4.1"))]
fn stroke_all(layer: &mut Layer, strokes: &Strokes, sorted: &[u32], profile: &Profile) {
    for &segment in sorted {
        let segment = &strokes.segments[segment as usize];
        match profile.taps {
            8 => layer.stroke::<8>(segment, &strokes.joints, profile),
            _ => layer.stroke::<16>(segment, &strokes.joints, profile),
        }
    }
}

/// Lays the colour over a tile, as strongly as the buffer is not transparent.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2", "x86_64+sse4.1"))]
fn lay(layer: &Layer, color: Rgb, tile: &mut Tile<'_>) {
    layer.lay(color, tile);
}

/// The transparency of one tile and some pixels beside it, 65535 where nothing was drawn: once
/// for segments that step along x, by column and then row, and once for those that step along y,
/// by row and then column. So a run always lies in one piece of memory.
struct Layer {
    left: i32,
    top: i32,
    clear: [[[u16; ACROSS]; ALONG]; 2],
    used: [bool; 2],
}

impl Layer {
    #[inline(always)]
    fn stroke<const TAPS: usize>(&mut self, s: &Segment, joints: &[Joint], profile: &Profile) {
        let runs = profile.runs::<TAPS>(s.slope);
        let (along, across) = if s.steep {
            (self.top, self.left)
        } else {
            (self.left, self.top)
        };
        let side = usize::from(s.steep);
        let before = TAPS as i32 / 2 - 1;
        let first = s.first.max(along);
        let end = (s.first + i32::from(s.count)).min(along + TILE as i32);
        let mut place = s.place.wrapping_add(s.step.wrapping_mul(first - s.first));
        // The buffer begins PAD pixels before the tile.
        let shift = PAD - across - before;
        self.used[side] |= first < end;
        let clear = &mut self.clear[side];
        if s.joints == [NONE; 2] {
            for at in first..end {
                let run = &runs[phase(place)];
                let start = ((place >> 16) + shift) as usize;
                let line = &mut clear[(at - along) as usize % ALONG];
                if let Some(pixels) = line.get_mut(start..).and_then(|l| l.first_chunk_mut()) {
                    *pixels = faded::<TAPS>(*pixels, run, s.alpha);
                }
                place += s.step;
            }
            return;
        }
        // Near a joint, only the pixels on this part's side of it.
        for at in first..end {
            let run = &runs[phase(place)];
            let line = &mut clear[(at - along) as usize % ALONG];
            for (i, &cover) in ((place >> 16) + shift..).zip(run) {
                let other = i - PAD + across;
                let (x, y) = if s.steep { (other, at) } else { (at, other) };
                let owned = |j: u32| joints.get(j as usize).is_none_or(|j| j.owns(x, y));
                if let Some(pixel) = line.get_mut(i as usize)
                    && owned(s.joints[0])
                    && owned(s.joints[1])
                {
                    *pixel = fade(*pixel, cover, s.alpha);
                }
            }
            place += s.step;
        }
    }

    /// The part of the tile in the buffer of columns, by row. Four columns at a time: their
    /// pixels, four to a number, change places within squares of four by four.
    #[inline(always)]
    fn shallow_by_row(&self) -> [[u16; ALONG]; ALONG] {
        let mut rows = [[0; ALONG]; ALONG];
        if !self.used[0] {
            return rows;
        }
        let quads = |column: &[u16; ACROSS]| {
            let inside: &[u16; ALONG] = column[PAD as usize..].first_chunk().expect("a tile's");
            let mut quads = [0u64; ALONG / 4];
            for (quad, four) in quads.iter_mut().zip(inside.as_chunks::<4>().0) {
                *quad = four
                    .iter()
                    .rev()
                    .fold(0, |quad, &pixel| quad << 16 | u64::from(pixel));
            }
            quads
        };
        const ODD: u64 = 0xffff_0000_ffff_0000;
        const LOW: u64 = 0x0000_0000_ffff_ffff;
        for (i, four) in self.clear[0].as_chunks::<4>().0.iter().enumerate() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| quads(&four[k]));
            for k in 0..ALONG / 4 {
                let even = |p: u64, q: u64| p & !ODD | (q & !ODD) << 16;
                let odd = |p: u64, q: u64| (p & ODD) >> 16 | q & ODD;
                let (ab, cd) = (even(a[k], b[k]), even(c[k], d[k]));
                let (ab_odd, cd_odd) = (odd(a[k], b[k]), odd(c[k], d[k]));
                let turned = [
                    ab & LOW | cd << 32,
                    ab_odd & LOW | cd_odd << 32,
                    ab >> 32 | cd & !LOW,
                    ab_odd >> 32 | cd_odd & !LOW,
                ];
                for (r, quad) in turned.into_iter().enumerate() {
                    let place = &mut rows[4 * k + r][4 * i..4 * i + 4];
                    for (j, pixel) in place.iter_mut().enumerate() {
                        *pixel = (quad >> (16 * j)) as u16;
                    }
                }
            }
        }
        rows
    }

    /// Lays the colour over a tile, as strongly as the buffer is not transparent.
    #[inline(always)]
    fn lay(&self, color: Rgb, tile: &mut Tile<'_>) {
        let mut over = [0u16; ROW];
        for pixel in over.as_chunks_mut::<4>().0 {
            *pixel = [color.r, color.g, color.b, 255].map(wide);
        }
        let area = tile.area;
        let columns = (area.right - area.left) as usize;
        let [_, steep] = &self.clear;
        let shallow = self.shallow_by_row();
        for y in area.top..area.bottom {
            let row = (y - self.top) as usize;
            let mut clear = [u16::MAX; ALONG];
            if self.used[1] {
                clear.copy_from_slice(&steep[row][PAD as usize..PAD as usize + ALONG]);
            }
            if self.used[0] {
                for (clear, there) in clear.iter_mut().zip(shallow[row]) {
                    *clear -= high(*clear, u16::MAX - there);
                }
            }
            if clear == [u16::MAX; ALONG] {
                continue;
            }
            let mut weights = [0u16; ROW];
            for (four, clear) in weights.as_chunks_mut::<4>().0.iter_mut().zip(clear) {
                *four = [clear; 4];
            }
            let pixels = tile.span(y, area.left, area.right).as_flattened_mut();
            match pixels.first_chunk_mut::<ROW>() {
                Some(pixels) => laid(pixels, &over, &weights),
                None => laid(pixels, &over[..columns * 4], &weights[..columns * 4]),
            }
        }
    }
}

/// Mixes `over` into pixels, which keep `clear` of themselves.
#[inline(always)]
fn laid(pixels: &mut [u8], over: &[u16], clear: &[u16]) {
    for ((under, &over), &clear) in pixels.iter_mut().zip(over).zip(clear) {
        let sum = high(wide(*under), clear) + high(over, u16::MAX - clear);
        // 1: what the two products lost on average.
        *under = ((sum + 1) >> 8) as u8;
    }
}

/// A channel in 16 bits, in the middle of its 256 values, so that cutting off the lower half
/// rounds. (Without the half, compilers turn 16-bit products into twice as slow 32-bit ones.)
#[inline(always)]
fn wide(channel: u8) -> u16 {
    u16::from(channel) << 8 | 128
}

#[inline(always)]
fn high(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}

/// What is left of a pixel's transparency under a stroke.
#[inline(always)]
fn fade(clear: u16, cover: u16, alpha: u16) -> u16 {
    clear - high(clear, high(cover, alpha))
}

/// [`fade`] for a run; the pixels come by value so that they can be worked on all at once.
#[inline(always)]
fn faded<const TAPS: usize>(clear: [u16; TAPS], run: &[u16; TAPS], alpha: u16) -> [u16; TAPS] {
    let mut out = clear;
    for i in 0..TAPS {
        out[i] = fade(clear[i], run[i], alpha);
    }
    out
}

/// Cuts curves into segments.
struct Cutter<'a> {
    profile: &'a Profile,
    /// Right and lower end of what can be seen.
    limits: [f64; 2],
    alpha: u16,
    segments: &'a mut Vec<Segment>,
    joints: &'a mut Vec<Joint>,
}

/// A part of a curve between two changes of axis.
struct Part {
    steep: bool,
    /// Where it begins and ends along its axis if that is at a joint, and which.
    bounds: [Option<(f64, u32)>; 2],
}

impl Cutter<'_> {
    #[inline(always)]
    fn curve(&mut self, curve: &Curve) {
        let points = [curve.from, curve.control, curve.to].map(|p| p.map(f64::from));
        if self.alpha == 0 || !points.iter().flatten().all(|v| v.abs() < 1e6) {
            return;
        }
        let [p, q, r] = points;
        // The curve is a t² + b t + p.
        let a = [p[0] - 2.0 * q[0] + r[0], p[1] - 2.0 * q[1] + r[1]];
        let b = [2.0 * (q[0] - p[0]), 2.0 * (q[1] - p[1])];
        let at = |t: f64| [(a[0] * t + b[0]) * t + p[0], (a[1] * t + b[1]) * t + p[1]];
        let toward = |t: f64| [2.0 * a[0] * t + b[0], 2.0 * a[1] * t + b[1]];
        // Where the direction is a diagonal: x' = y' and x' = -y'.
        let mut cuts = [
            (b[1] - b[0]) / (2.0 * (a[0] - a[1])),
            (b[1] + b[0]) / (-2.0 * (a[0] + a[1])),
        ]
        .map(|t| if t > 1e-6 && t < 1.0 - 1e-6 { t } else { 2.0 });
        if cuts[0] > cuts[1] {
            cuts.swap(0, 1);
        }
        let mut from = 0.0;
        let mut opening = None;
        for cut in cuts.into_iter().chain([1.0]) {
            if cut > 1.0 || cut <= from {
                continue;
            }
            let middle = toward((from + cut) / 2.0);
            let steep = middle[1].abs() > middle[0].abs();
            let axis = usize::from(steep);
            let closing = (cut < 1.0).then(|| (at(cut), toward(cut)));
            let part = Part {
                steep,
                bounds: [
                    opening.map(|(p, d)| self.joint(axis, p, d, true)),
                    closing.map(|(p, d)| self.joint(axis, p, d, false)),
                ],
            };
            let length = (at(cut)[axis] - at(from)[axis]).abs();
            let span = cut - from;
            let bend = (a[0] * a[0] + a[1] * a[1]).sqrt() * span * span / 4.0;
            let pieces = (bend / FLATNESS)
                .sqrt()
                .max(length / LONGEST)
                .ceil()
                .clamp(1.0, MOST);
            let mut start = at(from);
            for i in 1..=pieces as u32 {
                let t = if f64::from(i) == pieces {
                    cut
                } else {
                    from + span * f64::from(i) / pieces
                };
                let end = at(t);
                self.piece(&part, start, end);
                start = end;
            }
            // Beyond a joint the line goes on along its direction there, for the pixels on this
            // part's side of it.
            let beyond = f64::from(self.profile.reach) + 1.0;
            for (joint, sign) in [(opening, -1.0), (closing, 1.0)] {
                if let Some((p, d)) = joint {
                    let unit = beyond / d[axis].abs();
                    let far = [p[0] + d[0] * unit * sign, p[1] + d[1] * unit * sign];
                    if sign > 0.0 {
                        self.piece(&part, p, far);
                    } else {
                        self.piece(&part, far, p);
                    }
                }
            }
            opening = closing;
            from = cut;
        }
    }

    #[inline(always)]
    fn joint(&mut self, axis: usize, p: [f64; 2], d: [f64; 2], after: bool) -> (f64, u32) {
        let sign = |v: f64| if v < 0.0 { -1 } else { 1 };
        let fixed = |v: f64| (v.clamp(-16_000.0, 16_000.0) * 65536.0).round_ties_even() as i32;
        self.joints.push(Joint {
            x: fixed(p[0]),
            y: fixed(p[1]),
            dx: sign(d[0]),
            dy: sign(d[1]),
            after,
        });
        (p[axis], self.joints.len() as u32 - 1)
    }

    /// A straight piece. It takes the pixels whose middle lies between its ends along the axis,
    /// so that pieces that follow one another share none and leave none out.
    #[inline(always)]
    fn piece(&mut self, part: &Part, from: [f64; 2], to: [f64; 2]) {
        let (axis, other) = if part.steep { (1, 0) } else { (0, 1) };
        let (from, to) = if from[axis] <= to[axis] {
            (from, to)
        } else {
            (to, from)
        };
        let reach = f64::from(self.profile.reach) + 1.0;
        if to[axis] < 0.0
            || from[axis] > self.limits[axis]
            || from[other].max(to[other]) < -reach
            || from[other].min(to[other]) > self.limits[other]
        {
            return;
        }
        // Only what can be seen: along the axis numbers stay small.
        let first = (from[axis] - 0.5).ceil().max(0.0);
        let end = (to[axis] - 0.5).ceil().min(self.limits[axis]);
        if first >= end {
            return;
        }
        let slope = (to[other] - from[other]) / (to[axis] - from[axis]);
        let place = from[other] + slope * (first + 0.5 - from[axis]);
        let last = place + slope * (end - 1.0 - first);
        if !(place.abs() <= 16_000.0 && last.abs() <= 16_000.0) {
            return;
        }
        let near = |bound: &Option<(f64, u32)>| match bound {
            Some((at, joint)) if from[axis] - reach - 1.0 < *at && *at < to[axis] + reach + 1.0 => {
                *joint
            }
            _ => NONE,
        };
        self.segments.push(Segment {
            first: first as i32,
            place: (place * 65536.0).floor() as i32,
            step: (slope * 65536.0).round_ties_even() as i32,
            joints: [near(&part.bounds[0]), near(&part.bounds[1])],
            count: (end - first) as u16,
            alpha: self.alpha,
            slope: self.profile.slope(slope),
            steep: part.steep,
        });
    }
}
