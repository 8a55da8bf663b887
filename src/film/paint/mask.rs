//! Coverage masks: the shape of a symbol, a path or a text as 8-bit opacity.

use super::damage::Bounds;

/// How many samples a pixel has along each axis while a shape is rasterised. A shape's place is
/// rounded to this part of a pixel.
pub(super) const FINE: i32 = 4;

/// A shape's coverage, 0 none to 255 full, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mask {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Where the first column lies, in pixels from the left of what it was placed in.
    pub left: i32,
    /// Where the first row lies.
    pub top: i32,
    /// `width * height` values.
    pub coverage: Vec<u8>,
}

impl Mask {
    /// A mask of nothing.
    pub fn empty() -> Self {
        Mask {
            width: 0,
            height: 0,
            left: 0,
            top: 0,
            coverage: Vec::new(),
        }
    }

    /// One row of coverage.
    pub(super) fn row(&self, y: u32) -> &[u8] {
        let start = y as usize * self.width as usize;
        &self.coverage[start..start + self.width as usize]
    }

    /// What it covers when it is moved by `dx`, `dy`.
    pub(super) fn bounds(&self, dx: i32, dy: i32) -> Bounds {
        let (left, top) = (self.left.saturating_add(dx), self.top.saturating_add(dy));
        Bounds {
            left,
            top,
            right: left.saturating_add(self.width as i32),
            bottom: top.saturating_add(self.height as i32),
        }
    }

    /// Averages blocks of `FINE` by `FINE` samples. `samples` is `width` wide; its first column
    /// lies at `left` and its first row at `top`, in samples, not necessarily on a whole pixel.
    pub(super) fn from_fine(samples: &[u8], width: usize, left: i32, top: i32) -> Self {
        if width == 0 || samples.is_empty() {
            return Mask::empty();
        }
        let height = samples.len() / width;
        let (x0, y0) = (left.div_euclid(FINE), top.div_euclid(FINE));
        let (dx, dy) = (
            left.rem_euclid(FINE) as usize,
            top.rem_euclid(FINE) as usize,
        );
        let fine = FINE as usize;
        let (columns, rows) = ((width + dx).div_ceil(fine), (height + dy).div_ceil(fine));
        let mut sums = vec![0u16; columns * rows];
        for (y, line) in samples.chunks_exact(width).enumerate() {
            let out = &mut sums[(y + dy) / fine * columns..][..columns];
            for (x, &value) in line.iter().enumerate() {
                out[(x + dx) / fine] += u16::from(value);
            }
        }
        let all = (fine * fine) as u16;
        Mask {
            width: columns as u32,
            height: rows as u32,
            left: x0,
            top: y0,
            coverage: sums.iter().map(|s| ((s + all / 2) / all) as u8).collect(),
        }
        .trimmed()
    }

    /// The same without empty rows and columns at its border.
    fn trimmed(self) -> Self {
        let (w, h) = (self.width as usize, self.height as usize);
        let inked = |y: usize| self.coverage[y * w..(y + 1) * w].iter().any(|c| *c != 0);
        let Some(top) = (0..h).find(|y| inked(*y)) else {
            return Mask::empty();
        };
        let bottom = (top..h).rev().find(|y| inked(*y)).unwrap_or(top) + 1;
        let column = |x: usize| (top..bottom).any(|y| self.coverage[y * w + x] != 0);
        let left = (0..w).find(|x| column(*x)).unwrap_or(0);
        let right = (left..w).rev().find(|x| column(*x)).unwrap_or(left) + 1;
        if (left, top, right, bottom) == (0, 0, w, h) {
            return self;
        }
        Mask {
            width: (right - left) as u32,
            height: (bottom - top) as u32,
            left: self.left + left as i32,
            top: self.top + top as i32,
            coverage: (top..bottom)
                .flat_map(|y| &self.coverage[y * w + left..y * w + right])
                .copied()
                .collect(),
        }
    }
}

/// The nearest multiple of a sample, in samples; clamped far outside of any picture.
pub(super) fn to_fine(v: f32) -> i32 {
    (v.clamp(-30_000.0, 30_000.0) * FINE as f32 + 0.5).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_between_pixels_is_shared_by_both() {
        // One pixel wide and high, half a pixel to the right and a quarter up.
        let mask = Mask::from_fine(&[255; 16], 4, 2, -1);
        assert_eq!(
            (mask.left, mask.top, mask.width, mask.height),
            (0, -1, 2, 2)
        );
        assert_eq!(mask.coverage, [32, 32, 96, 96]);
    }

    #[test]
    fn empty_borders_are_trimmed() {
        let mut samples = vec![0; 12 * 12];
        for y in 4..8 {
            samples[y * 12 + 4..y * 12 + 8].fill(255);
        }
        let mask = Mask::from_fine(&samples, 12, 0, 0);
        assert_eq!((mask.left, mask.top, mask.coverage), (1, 1, vec![255]));
        assert_eq!(Mask::from_fine(&[0; 16], 4, 0, 0), Mask::empty());
    }
}
