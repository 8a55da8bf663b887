//! Pictures into an MP4. Knows bytes, sizes and colour tags, nothing of scenes.

mod boxes;
#[cfg(feature = "builtin")]
pub mod builtin;
#[cfg(feature = "ffmpeg")]
pub mod ffmpeg;
mod segment;
mod select;

pub use boxes::{FilmHeaders, read_headers};
pub use segment::{CodedSegment, SegmentEncoder, Segmented};
pub use select::{Choice, Chosen, Coder, auto, choose};

use std::sync::Arc;

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

/// How an encoder is to work.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Speed preset, passed on to libx264. Default: veryfast. The built-in encoder has none.
    pub preset: Option<String>,
    /// Constant rate factor, 0 to 51; lower is better and larger. Default: 18.
    pub crf: Option<u8>,
    /// Every sample exactly as drawn.
    pub lossless: bool,
    /// Threads of libx264. Default: one a core. The built-in encoder has one for each segment in
    /// the making.
    pub threads: Option<usize>,
    /// How long the encoder may do nothing while it is waited for. Default: two minutes.
    pub patience: Option<std::time::Duration>,
}

/// The metadata keys that every container written here keeps through a plain remux, in the
/// spelling of ffmpeg. Others are refused, since they would be lost without a word.
pub const TAG_KEYS: [&str; 12] = [
    "title",
    "artist",
    "album",
    "date",
    "genre",
    "comment",
    "copyright",
    "description",
    "synopsis",
    "grouping",
    "keywords",
    "lyrics",
];

/// What the container carries beside the pictures; known once the last one is drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Tags in order, such as ("title", "…"), with keys of [`TAG_KEYS`]. Values may be long
    /// (hundreds of kilobytes).
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

impl VideoSpec {
    /// Whether an encoder can work by this.
    ///
    /// # Errors
    /// If the size is odd or nothing, the rate or the number of frames is zero, or the keyframes do
    /// not ascend from 0.
    pub fn check(&self) -> Result<(), EncodeError> {
        let wrong = |what: String| Err(EncodeError(what));
        let (w, h) = (self.width, self.height);
        if w == 0 || h == 0 || w % 2 == 1 || h % 2 == 1 || w > 16384 || h > 16384 {
            return wrong(format!(
                "a film of {w}x{h} pixels cannot be encoded; width and height must be even, 2 to 16384"
            ));
        }
        if self.fps == 0 || self.fps > 1000 {
            return wrong(format!(
                "{} frames a second cannot be encoded; take 1 to 1000",
                self.fps
            ));
        }
        if self.frames == 0 || self.frames > u64::from(u32::MAX) / 1000 {
            return wrong(format!(
                "a film of {} frames cannot be encoded",
                self.frames
            ));
        }
        let ascending = self.keyframes.windows(2).all(|k| k[0] < k[1]);
        if !ascending || self.keyframes.iter().any(|&k| k >= self.frames) {
            return wrong("keyframes must ascend and lie within the film".to_string());
        }
        Ok(())
    }

    /// Whether `picture` has the film's size.
    ///
    /// # Errors
    /// If not.
    pub(crate) fn fits(&self, picture: &Yuv420) -> Result<(), EncodeError> {
        if (picture.width(), picture.height()) == (self.width, self.height) {
            return Ok(());
        }
        Err(EncodeError(format!(
            "a picture of {}x{} pixels came for a film of {}x{}",
            picture.width(),
            picture.height(),
            self.width,
            self.height
        )))
    }
}

impl Metadata {
    /// Whether every container can keep it.
    ///
    /// # Errors
    /// If a key is none of [`TAG_KEYS`] or comes twice, or a chapter ends before it begins.
    pub fn check(&self) -> Result<(), EncodeError> {
        for (i, (key, _)) in self.tags.iter().enumerate() {
            if !TAG_KEYS.contains(&key.as_str()) {
                return Err(EncodeError(format!(
                    "metadata tag {key:?} would be lost in a copy; use one of {}",
                    TAG_KEYS.join(", ")
                )));
            }
            if self.tags[..i].iter().any(|(other, _)| other == key) {
                return Err(EncodeError(format!("metadata tag {key:?} is given twice")));
            }
        }
        if let Some(c) = self.chapters.iter().find(|c| c.last < c.first) {
            return Err(EncodeError(format!(
                "chapter {:?} ends before it begins",
                c.title
            )));
        }
        Ok(())
    }
}

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

    /// Where segments can be made side by side, how; each then comes back through `join`.
    fn segments(&self) -> Option<Arc<dyn Segmented>> {
        None
    }

    /// Takes the next segment in place of its pictures.
    ///
    /// # Errors
    /// If it does not fit those before it, or this encoder makes none.
    fn join(&mut self, segment: CodedSegment) -> Result<(), EncodeError> {
        let _ = segment;
        Err(EncodeError(
            "this encoder takes pictures one after the other".to_string(),
        ))
    }

    /// What encodes, for the manifest that the film carries inside.
    fn identity(&self) -> EncoderIdentity;

    /// Ends the film: all pictures flushed, index before media, tags and chapters written.
    ///
    /// # Errors
    /// If the encoder or the container writer failed, or fewer pictures came than were announced.
    fn finish(self: Box<Self>, metadata: &Metadata) -> Result<EncoderIdentity, EncodeError>;
}
