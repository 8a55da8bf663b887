//! Pictures into an MP4. Knows bytes, sizes and colour tags, nothing of scenes.

use crate::picture::Yuv420;

/// What an encoder must know before the first picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoSpec {
    /// Width in pixels, even.
    pub width: u32,
    /// Height in pixels, even.
    pub height: u32,
    /// Frames a second.
    pub fps: u32,
    /// How many pictures will come.
    pub frames: u64,
    /// Frame numbers that must be keyframes (segment boundaries), ascending, starting with 0.
    pub keyframes: Vec<u64>,
}

/// A named stretch of the film, for the container's chapter list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Its name.
    pub title: String,
    /// First frame.
    pub first: u64,
    /// Last frame.
    pub last: u64,
}

/// What the container carries beside the pictures; known once the last one is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Tags in order, such as ("title", "…"). Values may be long (hundreds of kilobytes).
    pub tags: Vec<(String, String)>,
    /// Chapters in order.
    pub chapters: Vec<Chapter>,
}

/// What encoded a film, for its manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncoderIdentity {
    /// "ffmpeg" or "builtin".
    pub name: String,
    /// Its version.
    pub version: String,
    /// Codec and settings, as a person would write them.
    pub settings: String,
}

/// Why encoding failed: the root cause, with the encoder's own last words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodeError(pub String);

/// Takes pictures in order and makes a film of them.
///
/// The sink writes to the path that it was opened with, which is a temporary name: renaming is
/// the caller's business. Dropping a sink without `finish` ends and reaps whatever it started.
pub trait FrameSink {
    /// Takes the next picture.
    ///
    /// # Errors
    /// If the encoder has failed; the error is the root cause.
    fn write(&mut self, picture: &Yuv420) -> Result<(), EncodeError>;

    /// Takes the picture before once more (nothing was drawn or converted).
    ///
    /// # Errors
    /// As `write`.
    fn repeat(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        self.write(picture)
    }

    /// Ends the film: all pictures flushed, index before media, tags and chapters written.
    ///
    /// # Errors
    /// If the encoder or the container writer failed, or fewer pictures came than were announced.
    fn finish(self: Box<Self>, metadata: &Metadata) -> Result<EncoderIdentity, EncodeError>;
}
