//! Which part of a cell stays free of clues.

use crate::film::Style;
use crate::film::display::{Item, Polyline};
use crate::film::layout::BoardPlan;

/// Places for a sample in cells: left, top, width, height; best first. All keep clear of digits.
const REVEAL: [[f32; 4]; 10] = [
    [0.34, 0.15, 0.32, 0.12],
    [0.09, 0.15, 0.26, 0.12],
    [0.65, 0.15, 0.26, 0.12],
    [0.34, 0.81, 0.32, 0.11],
    [0.06, 0.34, 0.2, 0.16],
    [0.74, 0.34, 0.2, 0.16],
    [0.06, 0.52, 0.2, 0.16],
    [0.74, 0.52, 0.2, 0.16],
    [0.09, 0.81, 0.26, 0.11],
    [0.65, 0.81, 0.26, 0.11],
];
/// Those that keep clear of digit, symbol and name.
const TOKENS: [[f32; 4]; 6] = [
    [0.34, 0.15, 0.32, 0.12],
    [0.09, 0.15, 0.26, 0.12],
    [0.65, 0.15, 0.26, 0.12],
    [0.34, 0.81, 0.32, 0.11],
    [0.09, 0.81, 0.26, 0.11],
    [0.65, 0.81, 0.26, 0.11],
];

/// A sample, and whether the cell's colour must be laid over a line there.
pub(super) struct Choice {
    pub rect: [i32; 4],
    pub cut: bool,
}

/// Chooses a sample for every cell.
pub(super) fn choose(
    board: &BoardPlan,
    style: Style,
    under: &[Item],
    over: &[Item],
) -> Vec<Choice> {
    let places: &[[f32; 4]] = match style {
        Style::Reveal => &REVEAL,
        Style::Tokens => &TOKENS,
    };
    board
        .rects
        .iter()
        .map(|&cell| {
            let rects: Vec<[i32; 4]> = places.iter().map(|p| inside(cell, *p)).collect();
            let near = |items: &[Item]| -> Vec<Item> {
                let around = cell.map(|v| v as f32);
                items
                    .iter()
                    .filter(|i| touches(i, around))
                    .cloned()
                    .collect()
            };
            let (under, over) = (near(under), near(over));
            let free = |items: &[Item], r: &[i32; 4]| !items.iter().any(|i| touches(i, grown(*r)));
            let clear = |r: &&[i32; 4]| free(&under, r) && free(&over, r);
            if let Some(&rect) = rects.iter().find(clear) {
                return Choice { rect, cut: false };
            }
            // Nothing is cut from what stands above the digits, and as little as can be from what
            // lies beneath.
            let hits = |items: &[Item], r: &[i32; 4]| {
                items.iter().filter(|i| touches(i, grown(*r))).count()
            };
            let best = rects
                .iter()
                .min_by_key(|r| (hits(&over, r), hits(&under, r)));
            Choice {
                rect: *best.unwrap_or(&cell),
                cut: true,
            }
        })
        .collect()
}

/// A place in a cell, on whole pixels.
fn inside([x, y, w, h]: [i32; 4], place: [f32; 4]) -> [i32; 4] {
    let at = |from: i32, side: i32, part: f32| from + (part * side as f32 + 0.5) as i32;
    let (left, top) = (at(x, w, place[0]), at(y, h, place[1]));
    let (right, bottom) = (at(x, w, place[0] + place[2]), at(y, h, place[1] + place[3]));
    [left, top, right - left, bottom - top]
}

/// With the pixel around it that 4:2:0 mixes in.
fn grown(r: [i32; 4]) -> [f32; 4] {
    let [x, y, w, h] = r.map(|v| v as f32);
    [x - 1.0, y - 1.0, w + 2.0, h + 2.0]
}

/// Whether an item may colour a pixel of a rectangle (left, top, width, height). It errs towards
/// yes.
fn touches(item: &Item, rect: [f32; 4]) -> bool {
    match item {
        Item::Rect { rect: r, .. } | Item::Frame { rect: r, .. } => {
            overlap(r.map(|v| v as f32), rect)
        }
        Item::Disc { at, radius, .. } => nearest(*at, rect) <= radius + 1.0,
        Item::Ring {
            at, radius, width, ..
        } => {
            let (inner, outer) = (radius - width / 2.0 - 1.0, radius + width / 2.0 + 1.0);
            nearest(*at, rect) <= outer && farthest(*at, rect) >= inner
        }
        Item::Line(line) => line_touches(line, rect),
        // Plates and the margin carry these; their own bounds are the plate's.
        Item::Shape { at, size, .. } | Item::Text { at, size, .. } => {
            let half = size / 2.0;
            overlap([at[0] - half, at[1] - half, *size, *size], rect)
        }
        Item::Curves(_) => false,
    }
}

fn line_touches(line: &Polyline, rect: [f32; 4]) -> bool {
    let points = &line.points;
    if line.width <= 0.0 {
        let lo = |k: usize| points.iter().map(|p| p[k]).fold(f32::INFINITY, f32::min);
        let hi = |k: usize| points.iter().map(|p| p[k]).fold(-f32::INFINITY, f32::max);
        return overlap([lo(0), lo(1), hi(0) - lo(0), hi(1) - lo(1)], rect);
    }
    let closing = line
        .closed
        .then(|| points.last().zip(points.first()))
        .flatten();
    points
        .windows(2)
        .map(|w| (w[0], w[1]))
        .chain(closing.map(|(a, b)| (*a, *b)))
        .any(|(a, b)| reaches(a, b, line.width / 2.0 + 1.0, rect))
}

/// Whether a rectangle comes within `reach` of a straight line: points along it, half a pixel
/// apart, stand for the line.
fn reaches(a: [f32; 2], b: [f32; 2], reach: f32, rect: [f32; 4]) -> bool {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let steps = (dx.abs().max(dy.abs()) * 2.0).ceil().max(1.0);
    let mut i = 0.0;
    while i <= steps {
        let t = i / steps;
        if nearest([a[0] + dx * t, a[1] + dy * t], rect) <= reach {
            return true;
        }
        i += 1.0;
    }
    false
}

fn overlap(a: [f32; 4], b: [f32; 4]) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

/// Distance of a point from the nearest point of a rectangle.
fn nearest([x, y]: [f32; 2], [l, t, w, h]: [f32; 4]) -> f32 {
    let (dx, dy) = (x - x.clamp(l, l + w), y - y.clamp(t, t + h));
    (dx * dx + dy * dy).sqrt()
}

/// Distance of a point from the farthest corner of a rectangle.
fn farthest([x, y]: [f32; 2], [l, t, w, h]: [f32; 4]) -> f32 {
    let (dx, dy) = (
        (x - l).abs().max((x - l - w).abs()),
        (y - t).abs().max((y - t - h).abs()),
    );
    (dx * dx + dy * dy).sqrt()
}
