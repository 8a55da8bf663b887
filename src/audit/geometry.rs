//! Whether the stream's picture is the film's picture: the same, scaled, or cut about.

use crate::decode::StreamInfo;
use crate::manifest::Manifest;

use super::AuditError;
use super::sample::{Scale, View};

/// How far the board may stand from its place, in stream pixels: blur can feign so much.
const OFF: f64 = 2.5;

/// Where the board stands in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Board {
    /// Where it should.
    InPlace,
    /// It cannot be measured: too little contrast.
    Unknown,
    /// Elsewhere, or in another size: across and down, (scale against what it should be, shift in
    /// film pixels).
    Elsewhere([(f64, f64); 2]),
}

/// The scale of a stream, if its shape is that of the film.
///
/// # Errors
/// If the picture has another aspect ratio or is turned.
pub fn scale(info: &StreamInfo, m: &Manifest) -> Result<Scale, AuditError> {
    if info.rotation.rem_euclid(360) != 0 {
        return Err(AuditError::Refused(format!(
            "the film is rotated by {} degrees in its metadata; remove the rotation (ffmpeg -display_rotation 0 -i FILM -c copy) and audit that",
            info.rotation
        )));
    }
    let (w, h) = (f64::from(info.width), f64::from(info.height));
    let (fw, fh) = (f64::from(m.film.width), f64::from(m.film.height));
    // Sizes are rounded to even numbers when a film is scaled.
    let fits = (w - h * fw / fh).abs() <= 2.0 || (h - w * fh / fw).abs() <= 2.0;
    if !fits || w < 16.0 || h < 16.0 {
        return Err(AuditError::Refused(format!(
            "the picture is {}x{}, another shape than the film's {}x{}: it is letterboxed, cropped or stretched; audit a copy that shows the whole picture and nothing else",
            info.width, info.height, m.film.width, m.film.height
        )));
    }
    if info.layout.chroma_shift_x > 2
        || info.layout.chroma_shift_y > 2
        || !(8..=16).contains(&info.layout.depth)
    {
        return Err(AuditError::Refused(format!(
            "pixel format {} cannot be audited; make a copy in yuv420p",
            info.pixel_format
        )));
    }
    Ok(Scale {
        x: w / fw,
        y: h / fh,
        size: (info.width, info.height),
        shift: (info.layout.chroma_shift_x, info.layout.chroma_shift_y),
    })
}

/// Measures where the board's outer border stands, by the tiles along it, each of which should
/// stand out from the `ground` by as much luma as `contrast` says. Where that cannot be measured
/// the whole picture is searched for the board, but only if it is plainly `lost`: a search always
/// finds something.
pub fn board(
    view: &View<'_>,
    m: &Manifest,
    scale: Scale,
    contrast: &dyn Fn(usize) -> f32,
    ground: f32,
    lost: bool,
) -> Board {
    let cells = &m.layout.cells;
    let bound = |k: usize, far: bool| {
        cells
            .iter()
            .map(|c| {
                if far {
                    c.rect[k] + c.rect[k + 2]
                } else {
                    c.rect[k]
                }
            })
            .fold(
                if far { f64::MIN } else { f64::MAX },
                if far { f64::max } else { f64::min },
            )
    };
    let mut result = [(1.0, 0.0); 2];
    let mut elsewhere = false;
    for axis in 0..2 {
        let factor = if axis == 0 { scale.x } else { scale.y };
        let (near, far) = (bound(axis, false), bound(axis, true));
        let side = |at: f64, outwards: f64| -> Option<f64> {
            let mut offs: Vec<f64> = cells
                .iter()
                .enumerate()
                .filter(|(_, c)| {
                    let edge = if outwards < 0.0 {
                        c.rect[axis]
                    } else {
                        c.rect[axis] + c.rect[axis + 2]
                    };
                    (edge - at).abs() < 0.5
                })
                .filter_map(|(v, c)| {
                    let across = 1 - axis;
                    let other = if across == 0 { scale.x } else { scale.y };
                    let line = Border {
                        axis,
                        at: at * factor,
                        outwards,
                        from: (c.rect[across] + c.rect[across + 2] * 0.3) * other,
                        to: (c.rect[across] + c.rect[across + 2] * 0.7) * other,
                        // A quarter of a tile: what stands on it or beside it is farther off.
                        reach: (c.rect[axis + 2] * factor * 0.25).clamp(3.0, 24.0) as isize,
                    };
                    line.find(view, ground, contrast(v))
                })
                .collect();
            offs.sort_by(f64::total_cmp);
            // One tile may show anything; a border is what most of them agree on.
            (offs.len() >= 3).then(|| offs[offs.len() / 2])
        };
        let (a, b) = (side(near, -1.0), side(far, 1.0));
        match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = (a / factor, b / factor);
                if (a.abs().max(b.abs())) * factor > OFF {
                    elsewhere = true;
                    let s = (far + b - near - a) / (far - near);
                    result[axis] = (s, near + a - near * s);
                }
            }
            _ if !lost => return Board::Unknown,
            _ => match search(view, m, axis, factor) {
                Some((s, shift)) => {
                    let off = (near * (s - 1.0) + shift)
                        .abs()
                        .max((far * (s - 1.0) + shift).abs());
                    if off * factor > OFF + 1.5 {
                        elsewhere = true;
                        result[axis] = (s, shift);
                    }
                }
                None => return Board::Unknown,
            },
        }
    }
    if elsewhere {
        Board::Elsewhere(result)
    } else {
        Board::InPlace
    }
}

/// One side of a tile, in stream pixels.
struct Border {
    axis: usize,
    /// Where it should be along the axis.
    at: f64,
    /// Which way the ground lies.
    outwards: f64,
    /// The part of the side that is looked at.
    from: f64,
    to: f64,
    /// How far it is looked for.
    reach: isize,
}

impl Border {
    /// How far off its place it is: where, coming from the ground, the tile's luma is reached by
    /// half. What is drawn on the tile lies behind that and does not matter.
    fn find(&self, view: &View<'_>, ground: f32, contrast: f32) -> Option<f64> {
        if contrast.abs() < 5.0 {
            return None;
        }
        let from = self.from.round() as isize;
        let to = (self.to.round() as isize).max(from + 1);
        let base = self.at.floor() as isize;
        let way = if self.outwards < 0.0 { -1 } else { 1 };
        // Pixel `k` of the profile, counted outwards from the one that begins at the border.
        let level = |k: isize| {
            let along = if way > 0 { base + k } else { base - 1 - k };
            let sum: f32 = (from..to)
                .map(|o| {
                    if self.axis == 0 {
                        view.luma(along, o)
                    } else {
                        view.luma(o, along)
                    }
                })
                .sum();
            (sum / (to - from) as f32 - ground) / contrast
        };
        let mut outer = level(self.reach);
        if outer.abs() > 0.35 {
            return None;
        }
        for k in (-self.reach..self.reach).rev() {
            let v = level(k);
            if v >= 0.5 {
                // Pixel centres are half a pixel on.
                let cross = k as f64 + 0.5 + f64::from((v - 0.5) / (v - outer).max(1e-6));
                let place = base as f64 + cross * way as f64;
                return Some(place - self.at);
            }
            outer = v;
        }
        None
    }
}

/// Looks for the board in any size at any place along one axis: the tiles' borders laid over the
/// picture's own steps in luma.
fn search(view: &View<'_>, m: &Manifest, axis: usize, factor: f64) -> Option<(f64, f64)> {
    let (len, other) = if axis == 0 {
        (view.width, view.height)
    } else {
        (view.height, view.width)
    };
    let mut profile = vec![0.0f32; len];
    for along in 1..len.saturating_sub(1) {
        let mut sum = 0.0;
        for o in (0..other).step_by(4) {
            let (a, o) = (along as isize, o as isize);
            let step = if axis == 0 {
                view.luma(a + 1, o) - view.luma(a - 1, o)
            } else {
                view.luma(o, a + 1) - view.luma(o, a - 1)
            };
            sum += step.abs().min(40.0);
        }
        profile[along] = sum / other as f32 * 4.0;
    }
    let mut edges: Vec<f64> = m
        .layout
        .cells
        .iter()
        .flat_map(|c| {
            [
                c.rect[axis] * factor,
                (c.rect[axis] + c.rect[axis + 2]) * factor,
            ]
        })
        .collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup_by(|a, b| (*a - *b).abs() < 0.01);
    let (first, last) = (*edges.first()?, *edges.last()?);
    let span = (last - first).max(1.0);
    let score = |s: f64, shift: f64| -> f32 {
        edges
            .iter()
            .map(|e| {
                let at = (e * s + shift).round();
                if at >= 0.0 && (at as usize) < len {
                    profile[at as usize]
                } else {
                    0.0
                }
            })
            .sum()
    };
    let mut best = (f32::MIN, 1.0, 0.0);
    let step = (1.0 / span).max(0.001);
    let mut s = 0.4;
    while s < 2.5 {
        // The board's near border may stand anywhere in the picture.
        let mut at = -span * 0.3;
        while at < len as f64 - span * s * 0.5 {
            let shift = at - first * s;
            let v = score(s, shift);
            if v > best.0 {
                best = (v, s, shift);
            }
            at += 1.0;
        }
        s += step;
    }
    let mean = profile.iter().sum::<f32>() / len as f32 * edges.len() as f32;
    (best.0 > mean * 2.0).then_some((best.1, best.2 / factor))
}

/// What a board elsewhere means: a copy that shows another part of the picture is refused; a board
/// of the right size at another place contradicts the manifest, in these words.
///
/// # Errors
/// If the copy is letterboxed or cropped.
pub fn judge(found: [(f64, f64); 2], view: &View<'_>) -> Result<String, AuditError> {
    let [(sx, dx), (sy, dy)] = found;
    let same_size = (sx - 1.0).abs() < 0.004 && (sy - 1.0).abs() < 0.004;
    if same_size {
        return Ok(format!(
            "the board stands {dx:+.1}, {dy:+.1} pixels off the place that the manifest gives"
        ));
    }
    let flat = |x0: isize, x1: isize, y0: isize, y1: isize| {
        let first = view.luma(x0, y0);
        first < 22.0
            && (y0..y1).all(|y| {
                (x0..x1)
                    .step_by(8)
                    .all(|x| (view.luma(x, y) - first).abs() < 3.0)
            })
    };
    let (w, h) = (view.width as isize, view.height as isize);
    let bars =
        (flat(0, w, 0, 2) && flat(0, w, h - 2, h)) || (flat(0, 2, 0, h) && flat(w - 2, w, 0, h));
    let word = if sx < 1.0 || sy < 1.0 {
        "letterboxed"
    } else if bars {
        "letterboxed or cropped"
    } else {
        "cropped"
    };
    Err(AuditError::Refused(format!(
        "the copy is {word}: its board is {sx:.3} times as wide and {sy:.3} times as high as it should be, {dx:+.0}, {dy:+.0} pixels off its place; audit a copy that shows the whole picture and nothing else"
    )))
}
