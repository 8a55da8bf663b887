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

/// Whole samples of a plane: x and y from … up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    x0: u32,
    x1: u32,
    y0: u32,
    y1: u32,
}

/// The pixels of one place, in luma and in chroma samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    luma: Block,
    chroma: Block,
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
    /// The window of a rectangle given in film pixels. It keeps off the rectangle's border by a
    /// pixel where there is room, since compression and scaling blur there.
    pub fn window(&self, rect: [f64; 4]) -> Window {
        let (x, w, y, h) = (
            rect[0] * self.x,
            rect[2] * self.x,
            rect[1] * self.y,
            rect[3] * self.y,
        );
        let luma = block(x, w, y, h, self.size.0, self.size.1, 1.0);
        let (fx, fy) = (
            f64::from(1u32 << self.shift.0),
            f64::from(1u32 << self.shift.1),
        );
        let chroma = block(
            x / fx,
            w / fx,
            y / fy,
            h / fy,
            self.size.0.div_ceil(1 << self.shift.0),
            self.size.1.div_ceil(1 << self.shift.1),
            0.5,
        );
        Window { luma, chroma }
    }
}

fn block(x: f64, w: f64, y: f64, h: f64, width: u32, height: u32, margin: f64) -> Block {
    let span = |at: f64, len: f64, limit: u32| -> (u32, u32) {
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
    };
    let ((x0, x1), (y0, y1)) = (span(x, w, width), span(y, h, height));
    Block { x0, x1, y0, y1 }
}

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
    /// can be seen.
    pub fn look(&mut self, view: &View<'_>, window: &Window, covers: &[Cover]) -> Option<Seen> {
        let mut yuv = [0.0; 3];
        let (mut strays, mut samples) = (0.0f32, 0);
        for (plane, value) in yuv.iter_mut().enumerate() {
            let (block, limit) = if plane == 0 {
                (&window.luma, 20)
            } else {
                (&window.chroma, 20)
            };
            let factor = if plane == 0 {
                (1.0, 1.0)
            } else {
                let (sx, sy) = view.chroma_shift();
                (f64::from(1u32 << sx), f64::from(1u32 << sy))
            };
            let (median, far, count) = self.plane(view, plane, block, covers, factor, limit)?;
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
        b: &Block,
        covers: &[Cover],
        factor: (f64, f64),
        limit: usize,
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
        let (x0, x1) = (b.x0 as usize, b.x1 as usize);
        let mut count = 0u32;
        for y in b.y0 as usize..b.y1 as usize {
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
        let area = (b.x1 - b.x0) * (b.y1 - b.y0);
        if count == 0 || count * 3 < area {
            return None;
        }
        let (mut below, mut median) = (0, 0);
        for (v, &c) in self.bins[..used].iter().enumerate() {
            below += c;
            if below * 2 >= count {
                median = v;
                break;
            }
        }
        let reach = limit * unit;
        let (lo, hi) = (median.saturating_sub(reach), (median + reach).min(used - 1));
        let near: u32 = self.bins[lo..=hi].iter().sum();
        Some((
            median as f32 / unit as f32,
            (count - near) as f32 / count as f32,
            count,
        ))
    }
}
