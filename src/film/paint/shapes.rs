//! Symbols and clue paths as coverage masks, rasterised by tiny-skia.

use super::damage::Bounds;
use super::mask::{FINE, Mask, to_fine};
use crate::film::display::{Polyline, Symbol};
use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Stroke, StrokeDash, Transform};

/// Rows of pixels that are rasterised at a time, which bounds the memory a large path needs.
const STRIP: i32 = 64;
/// The largest symbol in pixels.
const LARGEST: f32 = 4000.0;

/// Where a symbol stands, in samples: its mask depends on the size and on the place within a
/// pixel only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Whole pixels.
    pub pixel: [i32; 2],
    /// Samples right of and below them.
    pub phase: [u8; 2],
}

impl Place {
    pub fn of(at: [f32; 2]) -> Self {
        let fine = at.map(|v| if v.is_nan() { 0 } else { to_fine(v) });
        Place {
            pixel: fine.map(|v| v.div_euclid(FINE)),
            phase: fine.map(|v| v.rem_euclid(FINE) as u8),
        }
    }
}

/// A symbol's mask around the origin, moved right and down by `phase` samples.
pub(super) fn symbol(symbol: Symbol, size: f32, phase: [u8; 2]) -> Mask {
    let size = size.min(LARGEST);
    if size.is_nan() || size <= 0.0 {
        return Mask::empty();
    }
    let scale = size * FINE as f32;
    let Some((path, rule)) = outline(symbol) else {
        return Mask::empty();
    };
    let place = Transform::from_row(
        scale,
        0.0,
        0.0,
        scale,
        f32::from(phase[0]),
        f32::from(phase[1]),
    );
    match path.transform(place) {
        Some(path) => rasterise(&path, rule, None),
        None => Mask::empty(),
    }
}

/// A path's mask, within a picture of the given size.
pub(super) fn polyline(line: &Polyline, picture: Bounds) -> Mask {
    let fine = FINE as f32;
    let sound = line.points.iter().flatten().all(|v| v.abs() < 30_000.0);
    if !sound || line.points.len() < 2 || !line.width.is_finite() {
        return Mask::empty();
    }
    let mut builder = PathBuilder::new();
    for (i, [x, y]) in line.points.iter().enumerate() {
        match i {
            0 => builder.move_to(x * fine, y * fine),
            _ => builder.line_to(x * fine, y * fine),
        }
    }
    if line.closed {
        builder.close();
    }
    let Some(path) = builder.finish() else {
        return Mask::empty();
    };
    if line.width <= 0.0 {
        return rasterise(&path, FillRule::Winding, Some(picture));
    }
    let [dash, gap] = line.dash;
    let stroke = Stroke {
        width: line.width * fine,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: StrokeDash::new(vec![dash * fine, gap * fine], 0.0)
            .filter(|_| dash > 0.0 && gap > 0.0),
        ..Stroke::default()
    };
    let dashed = stroke.dash.as_ref().and_then(|dash| path.dash(dash, 1.0));
    match dashed.as_ref().unwrap_or(&path).stroke(&stroke, 1.0) {
        Some(outline) => rasterise(&outline, FillRule::Winding, Some(picture)),
        None => Mask::empty(),
    }
}

/// Coverage of a path whose unit is a sample.
fn rasterise(path: &Path, rule: FillRule, within: Option<Bounds>) -> Mask {
    let bounds = path.bounds();
    let pixel = |v: f32| (v / FINE as f32).floor() as i32;
    let mut area = Bounds {
        left: pixel(bounds.left()),
        top: pixel(bounds.top()),
        right: pixel(bounds.right()) + 1,
        bottom: pixel(bounds.bottom()) + 1,
    };
    if let Some(within) = within {
        area = area.intersect(&within);
    }
    if area.is_empty() {
        return Mask::empty();
    }
    let (width, height) = (area.right - area.left, area.bottom - area.top);
    let mut coverage = Vec::with_capacity(width as usize * height as usize);
    let mut top = area.top;
    while top < area.bottom {
        let rows = STRIP.min(area.bottom - top);
        let Some(mut fine) = tiny_skia::Mask::new((width * FINE) as u32, (rows * FINE) as u32)
        else {
            return Mask::empty();
        };
        let shift = Transform::from_translate((-area.left * FINE) as f32, (-top * FINE) as f32);
        fine.fill_path(path, rule, true, shift);
        let row_samples = (width * FINE) as usize;
        for pixel_row in fine.data().chunks_exact(row_samples * FINE as usize) {
            for x in 0..width as usize {
                let sum: u32 = pixel_row
                    .chunks_exact(row_samples)
                    .flat_map(|line| &line[x * FINE as usize..(x + 1) * FINE as usize])
                    .map(|v| u32::from(*v))
                    .sum();
                let all = (FINE * FINE) as u32;
                coverage.push(((sum + all / 2) / all) as u8);
            }
        }
        top += rows;
    }
    Mask {
        width: width as u32,
        height: height as u32,
        left: area.left,
        top: area.top,
        coverage,
    }
}

/// A symbol in a box from -0.5 to 0.5, sized so that all look equally heavy.
fn outline(symbol: Symbol) -> Option<(Path, FillRule)> {
    let mut b = PathBuilder::new();
    match symbol {
        Symbol::Circle => b.push_circle(0.0, 0.0, 0.45),
        Symbol::Triangle => polygon(&mut b, &[[0.0, -0.48], [0.5, 0.39], [-0.5, 0.39]]),
        Symbol::Square => polygon(&mut b, &square(0.4)),
        Symbol::Diamond => polygon(&mut b, &[[0.0, -0.5], [0.5, 0.0], [0.0, 0.5], [-0.5, 0.0]]),
        Symbol::Pentagon => polygon(&mut b, &PENTAGON.map(|[x, y]| [x * 0.5, y * 0.5 + 0.03])),
        Symbol::Hexagon => polygon(&mut b, &HEXAGON.map(|[x, y]| [x * 0.49, y * 0.49])),
        Symbol::Star => {
            // Inner corners lie opposite the outer ones.
            let mut points = [[0.0; 2]; 10];
            for i in 0..5 {
                points[2 * i] = PENTAGON[i].map(|v| v * 0.53);
                points[2 * i + 1] = PENTAGON[(i + 3) % 5].map(|v| v * -0.245);
            }
            polygon(&mut b, &points.map(|[x, y]| [x, y + 0.025]));
        }
        Symbol::Cross => {
            let (a, l) = (0.165, 0.46);
            polygon(
                &mut b,
                &[
                    [-a, -l],
                    [a, -l],
                    [a, -a],
                    [l, -a],
                    [l, a],
                    [a, a],
                    [a, l],
                    [-a, l],
                    [-a, a],
                    [-l, a],
                    [-l, -a],
                    [-a, -a],
                ],
            );
        }
        Symbol::Ring => {
            b.push_circle(0.0, 0.0, 0.46);
            b.push_circle(0.0, 0.0, 0.25);
            return b.finish().map(|path| (path, FillRule::EvenOdd));
        }
        Symbol::Wedge => polygon(&mut b, &[[0.0, 0.48], [0.5, -0.39], [-0.5, -0.39]]),
        Symbol::Crescent => {
            // The inner curve runs back through what is left of the disc.
            b.move_to(0.2, -0.44);
            b.cubic_to(-0.22, -0.56, -0.5, -0.3, -0.5, 0.0);
            b.cubic_to(-0.5, 0.3, -0.22, 0.56, 0.2, 0.44);
            b.cubic_to(-0.2, 0.26, -0.2, -0.26, 0.2, -0.44);
            b.close();
            return b
                .finish()?
                .transform(Transform::from_translate(0.12, 0.0))
                .map(|path| (path, FillRule::Winding));
        }
        Symbol::Hourglass => {
            polygon(&mut b, &[[-0.42, -0.46], [0.42, -0.46], [0.07, 0.0]]);
            polygon(&mut b, &[[0.42, 0.46], [-0.42, 0.46], [-0.07, 0.0]]);
            polygon(
                &mut b,
                &[[-0.42, -0.46], [0.07, 0.0], [0.42, 0.46], [-0.07, 0.0]],
            );
        }
        Symbol::Drop => {
            b.move_to(0.0, -0.52);
            b.cubic_to(0.06, -0.3, 0.36, -0.1, 0.36, 0.14);
            b.cubic_to(0.36, 0.35, 0.2, 0.5, 0.0, 0.5);
            b.cubic_to(-0.2, 0.5, -0.36, 0.35, -0.36, 0.14);
            b.cubic_to(-0.36, -0.1, -0.06, -0.3, 0.0, -0.52);
            b.close();
        }
        Symbol::Heart => {
            b.move_to(0.0, 0.46);
            b.cubic_to(-0.2, 0.26, -0.5, 0.08, -0.5, -0.17);
            b.cubic_to(-0.5, -0.46, -0.12, -0.52, 0.0, -0.23);
            b.cubic_to(0.12, -0.52, 0.5, -0.46, 0.5, -0.17);
            b.cubic_to(0.5, 0.08, 0.2, 0.26, 0.0, 0.46);
            b.close();
        }
        Symbol::Arrow => polygon(
            &mut b,
            &[
                [0.0, -0.5],
                [0.46, 0.0],
                [0.17, 0.0],
                [0.17, 0.48],
                [-0.17, 0.48],
                [-0.17, 0.0],
                [-0.46, 0.0],
            ],
        ),
        Symbol::Dome => {
            // Quarter circles as cubics, within a thousandth.
            let (r, k) = (0.5, 0.5 * 0.552_284_8);
            b.move_to(-r, 0.27);
            b.cubic_to(-r, 0.27 - k, -k, 0.27 - r, 0.0, 0.27 - r);
            b.cubic_to(k, 0.27 - r, r, 0.27 - k, r, 0.27);
            b.close();
        }
        Symbol::Saltire => {
            for s in [1.0, -1.0] {
                b.move_to(-0.37, -0.37 * s);
                b.line_to(0.37, 0.37 * s);
            }
            let stroke = Stroke {
                width: 0.17,
                line_cap: LineCap::Round,
                ..Stroke::default()
            };
            // Stroked at a size at which the round ends are smooth.
            let large = b
                .finish()?
                .transform(Transform::from_scale(1000.0, 1000.0))?;
            let stroke = Stroke {
                width: stroke.width * 1000.0,
                ..stroke
            };
            let path = large
                .stroke(&stroke, 1.0)?
                .transform(Transform::from_scale(0.001, 0.001))?;
            return Some((path, FillRule::Winding));
        }
        Symbol::Equals => {
            for y in [-0.2, 0.2] {
                polygon(
                    &mut b,
                    &[
                        [-0.42, y - 0.085],
                        [0.42, y - 0.085],
                        [0.42, y + 0.085],
                        [-0.42, y + 0.085],
                    ],
                );
            }
        }
    }
    b.finish().map(|path| (path, FillRule::Winding))
}

fn square(half: f32) -> [[f32; 2]; 4] {
    [[-half, -half], [half, -half], [half, half], [-half, half]]
}

fn polygon(builder: &mut PathBuilder, points: &[[f32; 2]]) {
    for (i, &[x, y]) in points.iter().enumerate() {
        match i {
            0 => builder.move_to(x, y),
            _ => builder.line_to(x, y),
        }
    }
    builder.close();
}

/// Corners on the unit circle from the top, clockwise. Written out, since sine and cosine differ
/// between systems in their last digit.
const PENTAGON: [[f32; 2]; 5] = [
    [0.0, -1.0],
    [0.951_056_5, -0.309_017],
    [0.587_785_25, 0.809_017],
    [-0.587_785_25, 0.809_017],
    [-0.951_056_5, -0.309_017],
];

const HEXAGON: [[f32; 2]; 6] = [
    [0.0, -1.0],
    [0.866_025_4, -0.5],
    [0.866_025_4, 0.5],
    [0.0, 1.0],
    [-0.866_025_4, 0.5],
    [-0.866_025_4, -0.5],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::film::display::Rgb;

    #[test]
    fn a_square_on_whole_pixels_has_the_area_it_should() {
        // 0.8 of a box of 50 pixels: 40 by 40.
        let mask = symbol(Symbol::Square, 50.0, [0, 0]);
        let full = mask.coverage.iter().filter(|c| **c == 255).count();
        let any = mask.coverage.iter().filter(|c| **c != 0).count();
        assert_eq!((full, any), (1600, 1600));
    }

    #[test]
    fn a_ring_has_a_hole_and_a_circle_has_its_area() {
        let area = |s| -> f64 {
            symbol(s, 100.0, [1, 3])
                .coverage
                .iter()
                .map(|c| f64::from(*c) / 255.0)
                .sum()
        };
        let circle = std::f64::consts::PI * 45.0 * 45.0;
        assert!((area(Symbol::Circle) - circle).abs() < circle * 0.003);
        let ring = std::f64::consts::PI * (46.0 * 46.0 - 25.0 * 25.0);
        assert!((area(Symbol::Ring) - ring).abs() < ring * 0.004);
    }

    #[test]
    fn a_stroked_path_is_as_wide_as_asked() {
        let line = Polyline {
            points: vec![[10.0, 20.5], [110.0, 20.5]],
            closed: false,
            width: 3.0,
            dash: [0.0, 0.0],
            color: Rgb::hex(0),
            alpha: 1.0,
        };
        let picture = Bounds {
            left: 0,
            top: 0,
            right: 200,
            bottom: 200,
        };
        let mask = polyline(&line, picture);
        let middle = 60 - mask.left as usize;
        let column: Vec<u8> = (0..mask.height).map(|y| mask.row(y)[middle]).collect();
        assert_eq!(column.iter().filter(|c| **c == 255).count(), 3);
        assert_eq!(
            mask.top + column.iter().position(|c| *c == 255).unwrap() as i32,
            19
        );
    }
}
