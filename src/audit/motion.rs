//! Where the vertices are while they move: how far regroup has come, as the picture shows it.

use super::color::Yuv;
use super::plan::Plan;
use super::sample::{Scale, View};

/// What the picture says of the movement.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Progress, 0 to 1.
    pub progress: f64,
    /// Vertices that lie off their path or off their place on it: index, film pixels.
    pub astray: Vec<(usize, f64)>,
}

/// Where a disc is looked for besides its middle, in radii.
const RIM: f64 = 0.8;
/// Where so much of the discs' colour is not found, the frame is farther away.
const LOST: f32 = 0.15;
/// A frame must fit so much better than any other.
const CLEARER: f32 = 0.6;

/// Measures discs near where they should be at progress `p`. `colors` are those of the vertices.
/// `blur` film pixels more than usual may be the work of compression. `None` where too few discs
/// stand free enough to be measured.
#[allow(clippy::too_many_arguments)]
pub fn measure(
    view: &View<'_>,
    plan: &Plan,
    scale: Scale,
    radius: &[f64],
    p: f64,
    colors: &[Yuv],
    background: Yuv,
    blur: f64,
) -> Option<Motion> {
    // Room for a shift of a few frames at full speed; less where vertices stand close.
    [24.0, 8.0]
        .into_iter()
        .find_map(|room| within(view, plan, scale, radius, p, colors, background, blur, room))
}

#[allow(clippy::too_many_arguments)]
fn within(
    view: &View<'_>,
    plan: &Plan,
    scale: Scale,
    radius: &[f64],
    p: f64,
    colors: &[Yuv],
    background: Yuv,
    blur: f64,
    room: f64,
) -> Option<Motion> {
    let centres: Vec<[f64; 2]> = (0..plan.n).map(|v| plan.vertex_at(v, p)).collect();
    let pixel = (scale.x * scale.y).sqrt();
    let reach = (room * pixel).clamp(4.0, 40.0);
    let mut found: Vec<(usize, f64, f64, f64)> = Vec::new();
    for v in 0..plan.n {
        let contrast = colors[v][0] - background[0];
        let speed = plan.vertex_speed(v, p);
        let fast = speed[0].hypot(speed[1]);
        if contrast.abs() < 24.0 || fast < 60.0 {
            continue;
        }
        let room = radius[v] + reach / pixel;
        let free = centres.iter().enumerate().all(|(j, c)| {
            j == v || (c[0] - centres[v][0]).hypot(c[1] - centres[v][1]) > room + radius[j] + 2.0
        });
        if !free {
            continue;
        }
        let u = [speed[0] / fast, speed[1] / fast];
        let r = radius[v] * pixel;
        let at = [centres[v][0] * scale.x, centres[v][1] * scale.y];
        let level = |along: [f64; 2]| centre(view, at, along, r, reach, background[0], contrast);
        if let (Some(t), Some(s)) = (level(u), level([-u[1], u[0]])) {
            found.push((v, t / pixel, s / pixel, fast));
        }
    }
    if found.len() < 3 {
        return None;
    }
    let mut deltas: Vec<f64> = found.iter().map(|(_, t, _, fast)| t / fast).collect();
    deltas.sort_by(f64::total_cmp);
    let delta = deltas[deltas.len() / 2];
    let limit =
        (radius.iter().copied().fold(f64::INFINITY, f64::min) * 0.25).max(2.0 / pixel) + blur;
    let astray = found
        .iter()
        .map(|(v, t, s, fast)| (*v, (t - delta * fast).hypot(*s)))
        // Farther off than its radius, a vertex is missed by its colour; what is measured there
        // is something else.
        .filter(|(v, off)| *off > limit && *off < radius[*v])
        .collect();
    Some(Motion {
        progress: p + delta,
        astray,
    })
}

/// The frame of the movement whose vertices this picture shows, judged as frame `f`: the one at
/// whose places most of each vertex's colour is found. `None` if its neighbours are hardly worse.
pub fn locate(
    view: &View<'_>,
    plan: &Plan,
    scale: Scale,
    radius: &[f64],
    f: u64,
    colors: &[Yuv],
) -> Option<u64> {
    let (first, len) = plan.regroup()?;
    let pixel = (scale.x * scale.y).sqrt();
    let misfit = |g: u64| {
        let p = plan.progress(g);
        let mut sum = 0.0;
        for v in 0..plan.n {
            let at = plan.vertex_at(v, p);
            let (x, y, r) = (at[0] * scale.x, at[1] * scale.y, RIM * radius[v] * pixel);
            for (dx, dy) in [(0.0, 0.0), (r, 0.0), (-r, 0.0), (0.0, r), (0.0, -r)] {
                let off = (view.luma_between(x + dx, y + dy) - colors[v][0]).abs();
                sum += (off / 24.0).min(1.0);
            }
        }
        sum / (5 * plan.n) as f32
    };
    let all = |from: u64, to: u64| -> Vec<(u64, f32)> {
        let range = from.max(first)..to.min(first + len);
        range.map(|g| (g, misfit(g))).collect()
    };
    let best = |all: &[(u64, f32)]| all.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
    let mut near = all(f.saturating_sub(4), f + 5);
    if best(&near).is_none_or(|b| b.1 > LOST) {
        near = all(0, u64::MAX);
    }
    let found = best(&near)?;
    near.retain(|(g, _)| *g != found.0);
    let second = best(&near)?;
    (found.1 < CLEARER * second.1 - 0.01).then_some(found.0)
}

/// How far the middle of a disc of radius `r` lies from `at` along a direction, by where the
/// profile through it crosses half height; all in stream pixels.
fn centre(
    view: &View<'_>,
    at: [f64; 2],
    along: [f64; 2],
    r: f64,
    reach: f64,
    ground: f32,
    contrast: f32,
) -> Option<f64> {
    const STEP: f64 = 0.5;
    let half = ((r + reach) / STEP).ceil() as i32;
    let across = [-along[1], along[0]];
    let value = |k: i32| {
        let s = f64::from(k) * STEP;
        // Three lines side by side; the outer ones cut the disc a little nearer to its middle,
        // alike on both sides.
        let sum: f32 = [-0.25, 0.0, 0.25]
            .iter()
            .map(|o| {
                view.luma_between(
                    at[0] + along[0] * s + across[0] * o * r,
                    at[1] + along[1] * s + across[1] * o * r,
                )
            })
            .sum();
        (sum / 3.0 - ground) / contrast
    };
    let mut ups = Vec::new();
    let mut best: Option<f64> = None;
    let mut last = value(-half);
    for k in -half + 1..=half {
        let v = value(k);
        let cross = || (f64::from(k) - f64::from((v - 0.5) / (v - last))) * STEP;
        if last < 0.5 && v >= 0.5 {
            ups.push(cross());
        } else if last >= 0.5 && v < 0.5 {
            let down = cross();
            for up in &ups {
                let middle = (up + down) / 2.0;
                // Of several bright stretches as wide as the disc the nearest is meant.
                if (down - up - 1.96 * r).abs() < (0.12 * r).max(1.2)
                    && best.is_none_or(|b| middle.abs() < b.abs())
                {
                    best = Some(middle);
                }
            }
        }
        last = v;
    }
    best
}
