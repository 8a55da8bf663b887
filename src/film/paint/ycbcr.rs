//! From sRGB to BT.709 limited-range YCbCr with 4:2:0 chroma.
//!
//! In integers throughout, each value rounded to the nearest, so that every machine gets the same
//! bytes: of the libraries at hand, the fast paths for different processors round differently.

use multiversion::multiversion;

use super::damage::{Damage, TILE};

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
fn luma(pixel: [u8; 4]) -> u8 {
    let p = u32::from_le_bytes(pixel);
    let [r, g, b] = [p & 255, p >> 8 & 255, p >> 16 & 255].map(|v| v as i32);
    let sum = Y[0] * r + Y[1] * g + Y[2] * b;
    ((sum + (16 << BITS) + (1 << (BITS - 1))) >> BITS) as u8
}

/// Cb and Cr of four pixels.
#[inline(always)]
fn chroma(pixels: [[u8; 4]; 4]) -> [u8; 2] {
    // Red and blue are summed in the halves of one number, green in another.
    let [a, b, c, d] = pixels.map(u32::from_le_bytes);
    let two = |p: u32| p & 0x00ff_00ff;
    let red_blue = two(a) + two(b) + two(c) + two(d);
    let green = two(a >> 8) + two(b >> 8) + two(c >> 8) + two(d >> 8);
    // Four times 255 fits in ten bits; saying so lets the products be taken in 16 bits.
    let sums = [red_blue & 1023, green & 1023, red_blue >> 16 & 1023].map(|v| v as i32);
    [CB, CR].map(|factors| {
        let sum = factors[0] * sums[0] + factors[1] * sums[1] + factors[2] * sums[2];
        ((sum + (128 << (BITS + 2)) + (1 << (BITS + 1))) >> (BITS + 2)) as u8
    })
}

/// Luma of a row. Whole numbers, so the wider registers change the speed and not the bytes.
#[multiversion(targets("x86_64+avx2", "x86_64+sse4.1"))]
fn luma_row(pixels: &[[u8; 4]], out: &mut [u8]) {
    for (out, &pixel) in out.iter_mut().zip(pixels) {
        *out = luma(pixel);
    }
}

/// Cb and Cr of two rows.
#[multiversion(targets("x86_64+avx2", "x86_64+sse4.1"))]
fn chroma_row(upper: &[[u8; 4]], lower: &[[u8; 4]], us: &mut [u8], vs: &mut [u8]) {
    let (upper, lower) = (upper.as_chunks::<2>().0, lower.as_chunks::<2>().0);
    for ((u, v), (&[a, b], &[c, d])) in us.iter_mut().zip(vs).zip(upper.iter().zip(lower)) {
        [*u, *v] = chroma([a, b, c, d]);
    }
}

/// Converts the damaged tiles of one row of tiles: its RGBA pixels, `width` a row (even), into its
/// part of the planes.
pub(super) fn convert_row(
    row: u32,
    rgba: &[u8],
    width: usize,
    damage: &Damage,
    [ys, us, vs]: [&mut [u8]; 3],
) {
    let (pixels, _) = rgba.as_chunks::<4>();
    let lines = pixels.len() / width;
    for (first, end) in damage.runs(row) {
        let x = (first * TILE) as usize;
        let w = ((end * TILE) as usize).min(width) - x;
        for y in (0..lines).step_by(2) {
            let from = y * width + x;
            let upper = &pixels[from..from + w];
            let lower = &pixels[from + width..from + width + w];
            luma_row(upper, &mut ys[from..from + w]);
            luma_row(lower, &mut ys[from + width..from + width + w]);
            let at = y / 2 * (width / 2) + x / 2;
            let (us, vs) = (&mut us[at..at + w / 2], &mut vs[at..at + w / 2]);
            chroma_row(upper, lower, us, vs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chroma_is_that_of_the_average_of_four_pixels() {
        let four = [
            [255, 0, 10, 255],
            [3, 255, 255, 255],
            [90, 7, 0, 255],
            [255, 255, 255, 255],
        ];
        let sum = [0, 1, 2].map(|k| four.iter().map(|p| i32::from(p[k])).sum::<i32>());
        let want = [CB, CR].map(|f| {
            let sum = f[0] * sum[0] + f[1] * sum[1] + f[2] * sum[2];
            (f64::from(sum) / f64::from(4 << BITS) + 128.0).round() as u8
        });
        assert_eq!(chroma(four), want);
    }

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
