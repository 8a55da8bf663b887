//! A video file into pictures, in the stream's own pixel format.

#[cfg(feature = "builtin")]
pub mod builtin;
#[cfg(feature = "ffmpeg")]
pub mod ffmpeg;
#[cfg(feature = "builtin")]
mod mp4;
#[cfg(feature = "ffmpeg")]
mod pixels;
mod select;
mod sniff;

pub use select::{auto, choose};
pub use sniff::{Sniffed, sniff};

/// Colour tags as a stream or container states them; `None` where it says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColorTags {
    /// Matrix, such as "bt709".
    pub matrix: Option<String>,
    /// Primaries.
    pub primaries: Option<String>,
    /// Transfer function.
    pub transfer: Option<String>,
    /// "tv" (limited) or "pc" (full).
    pub range: Option<String>,
}

/// How samples lie in a decoded picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelLayout {
    /// Bits a sample, 8 or 10 or 12; above 8 two bytes a sample, little endian.
    pub depth: u8,
    /// Chroma planes have width / 2^this.
    pub chroma_shift_x: u8,
    /// Chroma planes have height / 2^this.
    pub chroma_shift_y: u8,
    /// The decoder's own statement that samples are full range (`yuvj420p` and the like).
    pub full_range: bool,
}

impl PixelLayout {
    /// Size of plane 0 (Y), 1 (Cb) or 2 (Cr) in samples: chroma sizes are rounded up.
    pub fn plane_size(&self, plane: usize, width: u32, height: u32) -> (usize, usize) {
        let part = |size: u32, shift: u8| (size as usize).div_ceil(1 << shift);
        match plane {
            0 => (width as usize, height as usize),
            _ => (
                part(width, self.chroma_shift_x),
                part(height, self.chroma_shift_y),
            ),
        }
    }

    /// Bytes a sample.
    pub fn sample_bytes(&self) -> usize {
        if self.depth > 8 { 2 } else { 1 }
    }

    /// Bytes of one whole picture.
    pub fn picture_bytes(&self, width: u32, height: u32) -> usize {
        (0..3)
            .map(|plane| {
                let (w, h) = self.plane_size(plane, width, height);
                w * h * self.sample_bytes()
            })
            .sum()
    }
}

/// What is known of a video file before its first picture is decoded.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamInfo {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Codec name, such as "h264".
    pub codec: String,
    /// Codec profile, where known.
    pub profile: Option<String>,
    /// Pixel format name, such as "yuv420p".
    pub pixel_format: String,
    /// How the pictures are laid out.
    pub layout: PixelLayout,
    /// Container name, such as "mov,mp4,m4a,3gp,3g2,mj2".
    pub container: String,
    /// Nominal frame rate as a fraction (60, 1).
    pub frame_rate: (u32, u32),
    /// Frames as the container states them; a claim, not a fact.
    pub stated_frames: Option<u64>,
    /// Colour tags.
    pub color: ColorTags,
    /// Number of video streams, attached pictures not counted.
    pub video_streams: u32,
    /// Number of audio streams.
    pub audio_streams: u32,
    /// Clockwise rotation asked for by metadata, degrees.
    pub rotation: i32,
    /// Whether pixels are square.
    pub square_pixels: bool,
    /// Presentation time of the first picture in seconds, beyond zero where an edit list or a
    /// late start moves it.
    pub start_time: f64,
    /// All metadata tags of the container and the video stream; keys in lower case.
    pub tags: Vec<(String, String)>,
}

/// One decoded picture: planes Y, Cb, Cr one after the other without padding, as
/// `StreamInfo::layout` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture<'a> {
    /// All samples.
    pub data: &'a [u8],
    /// Presentation time in seconds.
    pub time: f64,
}

/// Why a file could not be decoded: a whole sentence with the file and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DecodeError(pub String);

/// Hands out the pictures of one video stream in presentation order, each exactly as often as it
/// is in the file: none dropped, none repeated to fit a rate.
pub trait FrameSource {
    /// What is known of the stream.
    fn info(&self) -> &StreamInfo;

    /// The next picture, or `None` after the last. The picture lives in a buffer that is reused.
    ///
    /// # Errors
    /// If the file is damaged or the decoder failed.
    fn next_picture(&mut self) -> Result<Option<Picture<'_>>, DecodeError>;

    /// The next picture's samples into `buffer`, which is made as long as they are, and its time;
    /// `None` after the last. For those who hand pictures on: a source may exchange its own buffer
    /// for this one instead of copying.
    ///
    /// # Errors
    /// As [`FrameSource::next_picture`].
    fn take_picture(&mut self, buffer: &mut Vec<u8>) -> Result<Option<f64>, DecodeError> {
        let Some(picture) = self.next_picture()? else {
            return Ok(None);
        };
        buffer.clear();
        buffer.extend_from_slice(picture.data);
        Ok(Some(picture.time))
    }
}
