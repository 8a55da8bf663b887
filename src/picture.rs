//! Planar YCbCr pictures: what drawing hands to an encoder and a decoder hands to the audit.

/// An 8-bit 4:2:0 picture, planes Y, Cb, Cr one after the other without padding
/// (`yuv420p`): the first `width * height` bytes are luma, then two chroma planes of
/// `(width / 2) * (height / 2)` bytes. Width and height are even. BT.709, limited range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Yuv420 {
    width: u32,
    height: u32,
    data: Vec<u8>,
}

impl Yuv420 {
    /// A black picture (Y 16, Cb and Cr 128). Odd sizes are rounded up to even ones.
    pub fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.next_multiple_of(2), height.next_multiple_of(2));
        let luma = width as usize * height as usize;
        let mut data = vec![16; luma + luma / 2];
        data[luma..].fill(128);
        Yuv420 {
            width,
            height,
            data,
        }
    }

    /// Width in pixels, even.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, even.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, planes in order Y, Cb, Cr.
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// All bytes, planes in order Y, Cb, Cr.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// The three planes.
    pub fn planes(&self) -> [&[u8]; 3] {
        let luma = self.width as usize * self.height as usize;
        let (y, c) = self.data.split_at(luma);
        let (u, v) = c.split_at(luma / 4);
        [y, u, v]
    }

    /// The three planes.
    pub fn planes_mut(&mut self) -> [&mut [u8]; 3] {
        let luma = self.width as usize * self.height as usize;
        let (y, c) = self.data.split_at_mut(luma);
        let (u, v) = c.split_at_mut(luma / 4);
        [y, u, v]
    }
}
