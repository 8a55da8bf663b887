//! From sRGB to BT.709 limited-range YCbCr with 4:2:0 chroma.
//!
//! In integers throughout, each value rounded to the nearest, so that every machine gets the same
//! bytes: of the libraries at hand, the fast paths for different processors round differently.

use super::damage::Damage;
use crate::picture::Yuv420;

/// Fraction bits of the factors.
const BITS: i32 = 15;

/// BT.709 luma of R, G and B in limited range: 0.2126, 0.7152, 0.0722 times 219 / 255.
const Y: [i32; 3] = [5983, 20127, 2032];
/// Cb: (B - Y) / 1.8556 times 224 / 255.
const CB: [i32; 3] = [-3298, -11094, 14392];
/// Cr: (R - Y) / 1.5748 times 224 / 255.
const CR: [i32; 3] = [14392, -13073, -1319];

/// Luma of one pixel.
#[inline(always)]
fn luma([r, g, b, _]: [u8; 4]) -> u8 {
    let sum = Y[0] * i32::from(r) + Y[1] * i32::from(g) + Y[2] * i32::from(b);
    ((sum + (16 << BITS) + (1 << (BITS - 1))) >> BITS) as u8
}

/// Cb or Cr of the sum of four pixels.
#[inline(always)]
fn chroma(factors: [i32; 3], [r, g, b]: [i32; 3]) -> u8 {
    let sum = factors[0] * r + factors[1] * g + factors[2] * b;
    ((sum + (128 << (BITS + 2)) + (1 << (BITS + 1))) >> (BITS + 2)) as u8
}

/// Converts the damaged parts of an RGBA picture of `width` pixels a row (even).
pub(super) fn convert(rgba: &[u8], width: usize, damage: &Damage, picture: &mut Yuv420) {
    let (pixels, _) = rgba.as_chunks::<4>();
    let [ys, us, vs] = picture.planes_mut();
    for [x, y, w, h] in damage.rects() {
        let (x, w) = (x as usize, w as usize);
        for y in (y as usize..(y + h) as usize).step_by(2) {
            let from = y * width + x;
            let upper = &pixels[from..from + w];
            let lower = &pixels[from + width..from + width + w];
            for (line, at) in [(upper, from), (lower, from + width)] {
                for (luma_out, &pixel) in ys[at..at + w].iter_mut().zip(line) {
                    *luma_out = luma(pixel);
                }
            }
            let at = y / 2 * (width / 2) + x / 2;
            let (upper, lower) = (upper.as_chunks::<2>().0, lower.as_chunks::<2>().0);
            let outputs = us[at..at + w / 2].iter_mut().zip(&mut vs[at..at + w / 2]);
            for ((u, v), (up, low)) in outputs.zip(upper.iter().zip(lower)) {
                let sum = [0, 1, 2].map(|c| {
                    i32::from(up[0][c])
                        + i32::from(up[1][c])
                        + i32::from(low[0][c])
                        + i32::from(low[1][c])
                });
                *u = chroma(CB, sum);
                *v = chroma(CR, sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_those_of_the_standard() {
        let unit = f64::from(1 << BITS);
        let (kr, kb) = (0.2126, 0.0722);
        let kg = 1.0 - kr - kb;
        let y = [kr, kg, kb].map(|k| k * 219.0 / 255.0 * unit);
        let cb = [-kr, -kg, 1.0 - kb].map(|k| k / (2.0 * (1.0 - kb)) * 224.0 / 255.0 * unit);
        let cr = [1.0 - kr, -kg, -kb].map(|k| k / (2.0 * (1.0 - kr)) * 224.0 / 255.0 * unit);
        for (ours, exact) in [(Y, y), (CB, cb), (CR, cr)] {
            for (o, e) in ours.iter().zip(exact) {
                assert!(
                    (f64::from(*o) - e).abs() <= 1.0,
                    "{ours:?} is not {exact:?}"
                );
            }
        }
        // White is white and every grey has no colour.
        assert_eq!(luma([255, 255, 255, 255]), 235);
        assert_eq!(luma([0, 0, 0, 255]), 16);
        assert_eq!((CB.iter().sum::<i32>(), CR.iter().sum::<i32>()), (0, 0));
    }
}
