//! Many pixels of one place in a decoded picture: their median and how many stray from it.

use crate::decode::PixelLayout;

use super::color::Yuv;

/// A picture with the arithmetic to reach its samples.
#[derive(Clone, Copy)]
pub struct View<'a> {
    data: &'a [u8],
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    layout: PixelLayout,
    chroma: (usize, usize),
}

impl<'a> View<'a> {
    /// Bytes of a whole picture.
    pub fn size_of(width: u32, height: u32, layout: PixelLayout) -> usize {
        let (cw, ch) = chroma_size(width as usize, height as usize, layout);
        (width as usize * height as usize + 2 * cw * ch)
            * usize::from(1 + u8::from(layout.depth > 8))
    }

    /// `None` if there are fewer bytes than the size needs.
    pub fn new(data: &'a [u8], width: u32, height: u32, layout: PixelLayout) -> Option<Self> {
        (data.len() >= Self::size_of(width, height, layout)).then(|| View {
            data,
            width: width as usize,
            height: height as usize,
            layout,
            chroma: chroma_size(width as usize, height as usize, layout),
        })
    }

    /// Chroma planes have width and height divided by two to these.
    pub fn chroma_shift(&self) -> (u8, u8) {
        (self.layout.chroma_shift_x, self.layout.chroma_shift_y)
    }

    fn plane(&self, plane: usize) -> (usize, usize, usize) {
        let luma = self.width * self.height;
        let (cw, ch) = self.chroma;
        match plane {
            0 => (0, self.width, self.height),
            1 => (luma, cw, ch),
            _ => (luma + cw * ch, cw, ch),
        }
    }

    fn deep(&self) -> bool {
        self.layout.depth > 8
    }

    /// Luma in 8-bit steps; coordinates are clamped to the picture.
    pub fn luma(&self, x: isize, y: isize) -> f32 {
        self.at(0, x, y)
    }

    /// One sample of a plane in 8-bit steps, in the plane's own coordinates, clamped.
    pub fn at(&self, plane: usize, x: isize, y: isize) -> f32 {
        let (start, w, h) = self.plane(plane);
        let x = x.clamp(0, w as isize - 1) as usize;
        let y = y.clamp(0, h as isize - 1) as usize;
        let i = start + y * w + x;
        if self.deep() {
            f32::from(u16::from_le_bytes([self.data[2 * i], self.data[2 * i + 1]]))
                / f32::from(1u16 << (self.layout.depth - 8))
        } else {
            f32::from(self.data[i])
        }
    }

    /// Luma in 8-bit steps at an index, row by row; 0 beyond the picture.
    pub fn luma_at(&self, index: u32) -> f32 {
        let i = index as usize;
        if self.deep() {
            self.data.get(2 * i..2 * i + 2).map_or(0.0, |s| {
                f32::from(u16::from_le_bytes([s[0], s[1]]))
                    / f32::from(1u16 << (self.layout.depth - 8))
            })
        } else {
            self.data.get(i).copied().map_or(0.0, f32::from)
        }
    }

    /// Luma between samples, bilinear; a pixel's centre is at + 0.5.
    pub fn luma_between(&self, x: f64, y: f64) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (x0, y0) = (x.floor(), y.floor());
        let (fx, fy) = ((x - x0) as f32, (y - y0) as f32);
        let (xi, yi) = (x0 as isize, y0 as isize);
        let top = self.luma(xi, yi) * (1.0 - fx) + self.luma(xi + 1, yi) * fx;
        let bottom = self.luma(xi, yi + 1) * (1.0 - fx) + self.luma(xi + 1, yi + 1) * fx;
        top * (1.0 - fy) + bottom * fy
    }
}

fn chroma_size(w: usize, h: usize, layout: PixelLayout) -> (usize, usize) {
    (
        w.div_ceil(1 << layout.chroma_shift_x.min(4)),
        h.div_ceil(1 << layout.chroma_shift_y.min(4)),
    )
}

/// Samples of one row of a plane that lie side by side: x from … up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    y: u32,
    x0: u32,
    x1: u32,
}

/// The pixels of one place, in luma and in chroma samples.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Window {
    luma: Vec<Row>,
    chroma: Vec<Row>,
}

/// How the film's pixels lie in the stream's picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Stream pixels a film pixel, across.
    pub x: f64,
    /// Stream pixels a film pixel, down.
    pub y: f64,
    /// Stream size.
    pub size: (u32, u32),
    /// Chroma subsampling as shifts.
    pub shift: (u8, u8),
}

impl Scale {
    /// Samples of a plane to a film pixel, and the plane's size.
    fn plane(&self, luma: bool) -> ((f64, f64), (u32, u32)) {
        let (sx, sy) = if luma { (0, 0) } else { self.shift };
        (
            (
                self.x / f64::from(1u32 << sx),
                self.y / f64::from(1u32 << sy),
            ),
            (self.size.0.div_ceil(1 << sx), self.size.1.div_ceil(1 << sy)),
        )
    }

    /// The window of a rectangle given in film pixels. It keeps off the rectangle's border by a
    /// pixel where there is room, since compression and scaling blur there.
    pub fn window(&self, rect: [f64; 4]) -> Window {
        let rows = |luma: bool| {
            let ((fx, fy), (w, h)) = self.plane(luma);
            let margin = if luma { 1.0 } else { 0.5 };
            let (x0, x1) = span(rect[0] * fx, rect[2] * fx, w, margin);
            let (y0, y1) = span(rect[1] * fy, rect[3] * fy, h, margin);
            (y0..y1).map(|y| Row { y, x0, x1 }).collect()
        };
        Window {
            luma: rows(true),
            chroma: rows(false),
        }
    }

    /// The window of a disc without the box `hole` (x, y, width, height from its centre), in film
    /// pixels. It keeps off both by half a sample.
    pub fn ring(&self, centre: [f64; 2], radius: f64, hole: [f64; 4]) -> Window {
        let rows = |luma: bool| {
            let ((fx, fy), (w, h)) = self.plane(luma);
            let (cx, cy) = (centre[0] * fx, centre[1] * fy);
            let (rx, ry) = (radius * fx - 0.5, radius * fy - 0.5);
            let (left, right) = (hole[0] * fx - 0.5, (hole[0] + hole[2]) * fx + 0.5);
            let (top, bottom) = (hole[1] * fy - 0.5, (hole[1] + hole[3]) * fy + 0.5);
            let mut out = Vec::new();
            // Samples whose middle lies between two places of a row.
            let mut put = |y: u32, from: f64, to: f64| {
                let lo = (cx + from - 0.5).ceil().max(0.0);
                let hi = ((cx + to - 0.5).floor() + 1.0).min(f64::from(w));
                if lo < hi {
                    out.push(Row {
                        y,
                        x0: lo as u32,
                        x1: hi as u32,
                    });
                }
            };
            let (first, last) = ((cy - ry).floor().max(0.0), (cy + ry).ceil());
            for y in first as u32..(last.max(0.0) as u32).min(h) {
                let dy = f64::from(y) + 0.5 - cy;
                let reach = 1.0 - (dy / ry) * (dy / ry);
                if ry <= 0.0 || reach <= 0.0 {
                    continue;
                }
                let half = rx * reach.sqrt();
                if dy > top && dy < bottom {
                    put(y, -half, left.min(half));
                    put(y, right.max(-half), half);
                } else {
                    put(y, -half, half);
                }
            }
            out
        };
        Window {
            luma: rows(true),
            chroma: rows(false),
        }
    }
}

/// Whole samples from `at` on, less a margin, of which there is room for at least one.
fn span(at: f64, len: f64, limit: u32, margin: f64) -> (u32, u32) {
    // A third of the length always stays.
    let m = margin.min(len / 4.0);
    let (mut lo, mut hi) = ((at + m).ceil(), (at + len - m).floor());
    if hi - lo < 1.0 {
        let middle = (at + len / 2.0).floor();
        (lo, hi) = (middle, middle + 1.0);
    }
    let limit = f64::from(limit.max(1));
    lo = lo.clamp(0.0, limit - 1.0);
    hi = hi.clamp(lo + 1.0, limit);
    (lo as u32, hi as u32)
}

/// Samples farther than this from their median, in 8-bit steps, stray.
const STRAY: usize = 20;

/// So many samples of a plane may stray without counting.
const FEW: u32 = 3;

/// What a window shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Median of each plane, in 8-bit steps.
    pub yuv: Yuv,
    /// The part of the luma samples, or of the chroma samples if more, that stray far from their
    /// median: something else is in the window.
    pub strays: f32,
    /// Samples looked at, in all planes.
    pub samples: u32,
}

/// A disc that covers what lies under it, in stream pixels.
#[derive(Debug, Clone, Copy)]
pub struct Cover {
    /// Centre.
    pub at: [f64; 2],
    /// Radius across and down.
    pub radius: [f64; 2],
}

impl Cover {
    fn hides(&self, x: f64, y: f64) -> bool {
        let (dx, dy) = (
            (x - self.at[0]) / self.radius[0],
            (y - self.at[1]) / self.radius[1],
        );
        dx * dx + dy * dy < 1.0
    }
}

/// Counts samples by value; kept from window to window.
pub struct Tally {
    bins: Vec<u32>,
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            bins: vec![0; 1024],
        }
    }
}

impl Tally {
    /// Looks at all pixels of `window` that no cover hides; `None` if fewer than a third of them
    /// can be seen. In a noisy picture samples stray only beyond `stray` 8-bit steps.
    pub fn look(
        &mut self,
        view: &View<'_>,
        window: &Window,
        covers: &[Cover],
        stray: f32,
    ) -> Option<Seen> {
        let stray = (stray as usize).clamp(STRAY, 4 * STRAY);
        let mut yuv = [0.0; 3];
        let (mut strays, mut samples) = (0.0f32, 0);
        for (plane, value) in yuv.iter_mut().enumerate() {
            let rows = if plane == 0 {
                &window.luma
            } else {
                &window.chroma
            };
            let factor = if plane == 0 {
                (1.0, 1.0)
            } else {
                let (sx, sy) = view.chroma_shift();
                (f64::from(1u32 << sx), f64::from(1u32 << sy))
            };
            let (median, far, count) = self.plane(view, plane, rows, covers, factor, stray)?;
            *value = median;
            strays = strays.max(far);
            samples += count;
        }
        Some(Seen {
            yuv,
            strays,
            samples,
        })
    }

    fn plane(
        &mut self,
        view: &View<'_>,
        plane: usize,
        rows: &[Row],
        covers: &[Cover],
        factor: (f64, f64),
        stray: usize,
    ) -> Option<(f32, f32, u32)> {
        let (start, stride, _) = view.plane(plane);
        // Bins of a quarter step for deep samples, of a whole step for 8 bits.
        let shift = view.layout.depth.saturating_sub(10);
        let unit: usize = if view.deep() {
            1 << (view.layout.depth.min(10) - 8)
        } else {
            1
        };
        let used = 256 * unit;
        self.bins[..used].fill(0);
        let (mut count, mut area) = (0u32, 0u32);
        for r in rows {
            let (x0, x1, y) = (r.x0 as usize, r.x1 as usize, r.y as usize);
            area += r.x1 - r.x0;
            let row = start + y * stride;
            if covers.is_empty() {
                count += (x1 - x0) as u32;
                if view.deep() {
                    for s in view.data[2 * (row + x0)..2 * (row + x1)].chunks_exact(2) {
                        let v = usize::from(u16::from_le_bytes([s[0], s[1]]) >> shift);
                        self.bins[v.min(used - 1)] += 1;
                    }
                } else {
                    for &s in &view.data[row + x0..row + x1] {
                        self.bins[usize::from(s)] += 1;
                    }
                }
                continue;
            }
            for x in x0..x1 {
                let (px, py) = ((x as f64 + 0.5) * factor.0, (y as f64 + 0.5) * factor.1);
                if covers.iter().any(|c| c.hides(px, py)) {
                    continue;
                }
                count += 1;
                let v = if view.deep() {
                    let i = 2 * (row + x);
                    usize::from(u16::from_le_bytes([view.data[i], view.data[i + 1]]) >> shift)
                } else {
                    usize::from(view.data[row + x])
                };
                self.bins[v.min(used - 1)] += 1;
            }
        }
        if count == 0 || count * 3 < area {
            return None;
        }
        // Of an even number of samples the two in the middle count alike: there may be but two.
        let (mut below, mut low, mut high) = (0, None, 0);
        for (v, &c) in self.bins[..used].iter().enumerate() {
            below += c;
            if low.is_none() && below * 2 >= count {
                low = Some(v);
            }
            if below * 2 > count {
                high = v;
                break;
            }
        }
        let middle = low.unwrap_or(high) + high;
        let median = middle / 2;
        let reach = stray * unit;
        let (lo, hi) = (median.saturating_sub(reach), (median + reach).min(used - 1));
        let near: u32 = self.bins[lo..=hi].iter().sum();
        // A few samples may be anything where there are few.
        let far = (count - near).saturating_sub(FEW);
        Some((
            middle as f32 / (2 * unit) as f32,
            far as f32 / count as f32,
            count,
        ))
    }
}
