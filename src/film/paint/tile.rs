//! Drawing into one tile of the canvas.
//!
//! Every pixel's value depends on the pixel and the shape alone, never on where the tile's border
//! lies, so that any set of tiles drawn in any order makes the same picture.

use super::damage::Bounds;
use super::mask::Mask;
use crate::film::display::Rgb;

/// Part of the canvas: some of its pixels, and how they lie in `rows`, which holds whole pixel
/// rows of the canvas from `top` on.
pub(super) struct Tile<'a> {
    /// RGBA bytes.
    pub rows: &'a mut [u8],
    /// Bytes from one row to the next.
    pub stride: usize,
    /// What may be drawn into, in pixels of the canvas.
    pub area: Bounds,
    /// The canvas row in which `rows` begins.
    pub top: i32,
}

/// A weight of 0 to 65536 from an opacity, with NaN as 0.
pub(super) fn weight(alpha: f32) -> u32 {
    (alpha.clamp(0.0, 1.0) * 65536.0 + 0.5) as u32
}

#[inline(always)]
fn blend(under: u8, over: u8, weight: u32) -> u8 {
    ((u32::from(under) * (65536 - weight) + u32::from(over) * weight + 32768) >> 16) as u8
}

impl Tile<'_> {
    /// The pixels from `left` to `right` of row `y`, which must lie inside `area`.
    #[inline(always)]
    pub fn span(&mut self, y: i32, left: i32, right: i32) -> &mut [[u8; 4]] {
        let start = (y - self.top) as usize * self.stride + left as usize * 4;
        let end = start + (right - left) as usize * 4;
        self.rows[start..end].as_chunks_mut::<4>().0
    }

    /// Fills pixels of a row that lies inside `area`.
    #[inline(always)]
    fn fill_span(&mut self, y: i32, left: i32, right: i32, color: Rgb, weight: u32) {
        let pixels = self.span(y, left, right);
        if weight == 65536 {
            pixels.fill([color.r, color.g, color.b, 255]);
        } else {
            for pixel in pixels {
                mix(pixel, color, weight);
            }
        }
    }

    /// Fills whole pixels.
    #[inline(always)]
    pub fn fill(&mut self, bounds: Bounds, color: Rgb, weight: u32) {
        let part = bounds.intersect(&self.area);
        if part.is_empty() || weight == 0 {
            return;
        }
        for y in part.top..part.bottom {
            self.fill_span(y, part.left, part.right, color, weight);
        }
    }

    /// The border of a rectangle, `width` pixels wide, inside it.
    #[inline(always)]
    pub fn frame(&mut self, outer: Bounds, width: i32, color: Rgb, weight: u32) {
        for side in frame_sides(outer, width) {
            self.fill(side, color, weight);
        }
    }

    /// A disc: each pixel is covered by how far its centre lies inside the edge, between half a
    /// pixel outside (not at all) and half a pixel inside (fully).
    #[inline(always)]
    pub fn disc(&mut self, at: [f32; 2], radius: f32, color: Rgb, weight: u32) {
        let part = Bounds::around(at, radius + 1.0).intersect(&self.area);
        if part.is_empty() || weight == 0 || radius <= 0.0 {
            return;
        }
        let limit = radius + 0.5;
        for y in part.top..part.bottom {
            let dy = y as f32 + 0.5 - at[1];
            let room = limit * limit - dy * dy;
            if room <= 0.0 {
                continue;
            }
            let reach = room.sqrt();
            // Pixels that are certainly covered in full need no root of their own.
            let core = (radius - 0.75) * (radius - 0.75) - dy * dy;
            let (core_left, core_right) = if radius > 0.75 && core > 1.0 {
                let half = core.sqrt() - 0.5;
                ((at[0] - half).ceil() as i32, (at[0] + half).floor() as i32)
            } else {
                (i32::MAX, i32::MAX)
            };
            let left = ((at[0] - reach - 0.5).floor() as i32).max(part.left);
            let right = ((at[0] + reach + 0.5).ceil() as i32).min(part.right);
            let mut x = left;
            while x < right {
                if x >= core_left && x < core_right {
                    let end = core_right.min(right);
                    self.fill_span(y, x, end, color, weight);
                    x = end;
                    continue;
                }
                let dx = x as f32 + 0.5 - at[0];
                let cover = (limit - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0);
                let w = (cover * weight as f32 + 0.5) as u32;
                mix(&mut self.span(y, x, x + 1)[0], color, w);
                x += 1;
            }
        }
    }

    /// A circle's outline, covered like a disc of the outer radius without one of the inner.
    #[inline(always)]
    pub fn ring(&mut self, at: [f32; 2], radius: f32, width: f32, color: Rgb, weight: u32) {
        let (outer, inner) = (radius + width / 2.0, (radius - width / 2.0).max(0.0));
        let part = Bounds::around(at, outer + 1.0).intersect(&self.area);
        if part.is_empty() || weight == 0 || width.is_nan() || width <= 0.0 {
            return;
        }
        for y in part.top..part.bottom {
            let dy = y as f32 + 0.5 - at[1];
            let room = (outer + 0.5) * (outer + 0.5) - dy * dy;
            if room <= 0.0 {
                continue;
            }
            let reach = room.sqrt();
            let hole = if inner > 0.5 {
                let room = (inner - 0.5) * (inner - 0.5) - dy * dy;
                if room > 1.0 { room.sqrt() - 1.0 } else { -1.0 }
            } else {
                -1.0
            };
            let left = ((at[0] - reach - 0.5).floor() as i32).max(part.left);
            let right = ((at[0] + reach + 0.5).ceil() as i32).min(part.right);
            for x in left..right {
                let dx = x as f32 + 0.5 - at[0];
                if dx.abs() < hole {
                    continue;
                }
                let distance = (dx * dx + dy * dy).sqrt();
                let cover = (outer + 0.5 - distance).clamp(0.0, 1.0)
                    - if inner > 0.0 {
                        (inner + 0.5 - distance).clamp(0.0, 1.0)
                    } else {
                        0.0
                    };
                let w = (cover * weight as f32 + 0.5) as u32;
                mix(&mut self.span(y, x, x + 1)[0], color, w);
            }
        }
    }

    /// Ink where a mask has coverage; its corner stands at `left`, `top`.
    #[inline(always)]
    pub fn mask(&mut self, mask: &Mask, left: i32, top: i32, color: Rgb, weight: u32) {
        let bounds = mask.bounds(left, top);
        let part = bounds.intersect(&self.area);
        if part.is_empty() || weight == 0 {
            return;
        }
        for y in part.top..part.bottom {
            let row = mask.row((y - bounds.top) as u32);
            let from = (part.left - bounds.left) as usize;
            let to = (part.right - bounds.left) as usize;
            for (pixel, &cover) in self
                .span(y, part.left, part.right)
                .iter_mut()
                .zip(&row[from..to])
            {
                if cover != 0 {
                    // 0 to 255 becomes 0 to 65536 with both ends exact.
                    let w = (u32::from(cover) * weight + 127) / 255;
                    mix(pixel, color, w);
                }
            }
        }
    }
}

#[inline(always)]
fn mix(pixel: &mut [u8; 4], color: Rgb, weight: u32) {
    pixel[0] = blend(pixel[0], color.r, weight);
    pixel[1] = blend(pixel[1], color.g, weight);
    pixel[2] = blend(pixel[2], color.b, weight);
}

/// The four sides of a frame, which do not overlap.
pub(super) fn frame_sides(outer: Bounds, width: i32) -> [Bounds; 4] {
    if outer.is_empty() || width <= 0 {
        return [Bounds::EMPTY; 4];
    }
    let (w, h) = (
        outer.right.saturating_sub(outer.left),
        outer.bottom.saturating_sub(outer.top),
    );
    if width >= w - width || width >= h - width {
        return [outer, Bounds::EMPTY, Bounds::EMPTY, Bounds::EMPTY];
    }
    let (top, bottom) = (outer.top + width, outer.bottom - width);
    [
        Bounds {
            bottom: top,
            ..outer
        },
        Bounds {
            top,
            bottom,
            right: outer.left + width,
            ..outer
        },
        Bounds {
            top,
            bottom,
            left: outer.right - width,
            ..outer
        },
        Bounds {
            top: bottom,
            ..outer
        },
    ]
}
