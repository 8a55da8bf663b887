//! H.264 in process: OpenH264, an MP4 file around it, nothing to install.
//!
//! The film is cut into segments ([`VideoSpec::segments`]). Each is encoded from its own keyframe
//! by an encoder of its own, several side by side where the caller wants it, and the results are
//! joined in order. The cuts depend on the film alone, so the bytes are the same for any number of
//! threads.
//!
//! Quality is constant, not a bitrate: a fixed quantiser while the picture moves, a finer one as
//! soon as it rests.

mod codec;
mod container;
mod parts;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use parts::read_segments;

use codec::Codec;
use container::Index;

use super::boxes::read_headers;
use super::segment::{CodedSegment, SegmentEncoder, Segmented};
use super::{EncodeError, EncoderIdentity, FrameSink, Metadata, Settings, VideoSpec};
use crate::picture::Yuv420;

/// The largest picture that OpenH264 takes, longer side first.
const LARGEST: (u32, u32) = (3840, 2160);
/// Quality in the terms of libx264's constant rate factor, unless another is asked for.
const DEFAULT_CRF: u8 = 18;

/// The quantisers of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Quality {
    /// The first picture of a segment: all that follow build on it.
    key: u8,
    /// Pictures that move.
    moving: u8,
    /// Pictures that rest.
    resting: u8,
}

impl Quality {
    /// What comes closest to libx264 at this constant rate factor.
    fn of(crf: u8) -> Self {
        let at = |offset: i16| (i16::from(crf) + offset).clamp(0, 51) as u8;
        Quality {
            key: at(3),
            moving: at(8),
            resting: at(4),
        }
    }
}

/// The version of the codec inside.
pub fn version() -> String {
    codec::version()
}

/// A film in the making. Dropped before `finish`, the encoders are stopped and everything that was
/// written for the film is removed, save the file it was opened with.
pub struct BuiltinSink {
    path: PathBuf,
    maker: Arc<Maker>,
    /// Pictures taken, alone or in segments.
    written: u64,
    /// The segment whose pictures come one by one.
    current: Option<Box<dyn SegmentEncoder>>,
    media: Media,
}

/// What every segment's encoder is made from.
struct Maker {
    spec: VideoSpec,
    quality: Quality,
    ranges: Vec<Range<u64>>,
}

/// The joined media, in a file beside the film that vanishes with this value.
struct Media {
    path: PathBuf,
    file: Option<BufWriter<File>>,
    index: Index,
    joined: usize,
}

impl Drop for Media {
    fn drop(&mut self) {
        self.file = None;
        // Where it was never made, there is nothing to remove.
        let _ = fs::remove_file(&self.path);
    }
}

impl BuiltinSink {
    /// Starts the encoders on a film that is to be written to `path`; a file beside it (`path`
    /// with an ending of its own) holds what is in the making.
    ///
    /// # Errors
    /// If the specification or a setting makes no sense or is beyond this encoder.
    pub fn open(path: &Path, spec: &VideoSpec, settings: &Settings) -> Result<Self, EncodeError> {
        spec.check()?;
        let refuse = |what: &str| Err(EncodeError(what.to_string()));
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        if !matches!(extension.as_str(), "mp4" | "m4v" | "") {
            return Err(EncodeError(format!(
                "the built-in encoder writes MP4, not .{extension}; give a name that ends in .mp4, \
                 or choose --encoder ffmpeg"
            )));
        }
        if settings.lossless {
            return refuse("the built-in encoder has no lossless mode; choose --encoder ffmpeg");
        }
        if settings.preset.is_some() {
            return refuse(
                "the built-in encoder has no presets; leave --preset out, or choose --encoder ffmpeg",
            );
        }
        let crf = settings.crf.unwrap_or(DEFAULT_CRF);
        if crf > 51 {
            return Err(EncodeError(format!(
                "a constant rate factor of {crf} is out of range; take 0 to 51"
            )));
        }
        let (w, h) = (spec.width, spec.height);
        if w.max(h) > LARGEST.0 || w.min(h) > LARGEST.1 || w.min(h) < 16 {
            return Err(EncodeError(format!(
                "the built-in encoder takes 16x16 to 3840x2160 pixels, not {w}x{h}; choose --encoder ffmpeg"
            )));
        }
        let quality = Quality::of(crf);
        let mut media_path = path.as_os_str().to_owned();
        media_path.push(".stream.h264");
        let media_path = PathBuf::from(media_path);
        let file = File::create(&media_path)
            .map_err(|e| EncodeError(format!("{} cannot be written: {e}", media_path.display())))?;
        let ranges = spec.segments();
        Ok(BuiltinSink {
            path: path.to_path_buf(),
            maker: Arc::new(Maker {
                spec: spec.clone(),
                quality,
                ranges,
            }),
            written: 0,
            current: None,
            media: Media {
                path: media_path,
                file: Some(BufWriter::with_capacity(1 << 20, file)),
                index: Index::default(),
                joined: 0,
            },
        })
    }

    fn take(&mut self, picture: &Yuv420, new: bool) -> Result<(), EncodeError> {
        let maker = &self.maker;
        maker.spec.fits(picture)?;
        let Some(range) = maker.ranges.get(self.media.joined) else {
            return Err(EncodeError(format!(
                "more pictures came than the {} that were announced",
                maker.spec.frames
            )));
        };
        let current = match &mut self.current {
            Some(current) => current,
            None => self.current.insert(maker.encoder(self.media.joined)?),
        };
        current.write(picture, new)?;
        self.written += 1;
        if self.written == range.end
            && let Some(done) = self.current.take()
        {
            self.media.join(done.finish()?)?;
        }
        Ok(())
    }
}

impl Media {
    fn join(&mut self, segment: CodedSegment) -> Result<(), EncodeError> {
        let index = &mut self.index;
        if self.joined == 0 {
            index.sps = segment.sps;
            index.pps = segment.pps;
        } else if (&index.sps, &index.pps) != (&segment.sps, &segment.pps) {
            return Err(failed("two segments have different parameters".to_string()));
        }
        index.sync.push(index.sizes.len() as u32 + 1);
        index.chunks.push(segment.sizes.len() as u32);
        index.sizes.extend_from_slice(&segment.sizes);
        self.joined += 1;
        if let Some(file) = &mut self.file {
            file.write_all(&segment.media)
                .map_err(|e| written(&self.path, &e))?;
        }
        Ok(())
    }
}

fn failed(why: String) -> EncodeError {
    EncodeError(format!(
        "the film could not be encoded: {why}; choose --encoder ffmpeg"
    ))
}

fn written(path: &Path, error: &std::io::Error) -> EncodeError {
    EncodeError(format!(
        "{} could not be written: {error}; is the disk full?",
        path.display()
    ))
}

impl FrameSink for BuiltinSink {
    fn identity(&self) -> EncoderIdentity {
        let quality = self.maker.quality;
        EncoderIdentity {
            name: "builtin".to_string(),
            version: format!("OpenH264 {}", version()),
            settings: format!(
                "High, CABAC, qp {} moving, {} resting, {} key",
                quality.moving, quality.resting, quality.key
            ),
        }
    }

    fn write(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        self.take(picture, true)
    }

    fn repeat(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        self.take(picture, false)
    }

    fn segments(&self) -> Option<Arc<dyn Segmented>> {
        Some(self.maker.clone())
    }

    fn join(&mut self, segment: CodedSegment) -> Result<(), EncodeError> {
        let pictures = segment.sizes.len() as u64;
        let expected = self.maker.ranges.get(self.media.joined);
        if self.current.is_some() || expected.is_none_or(|r| r.end - r.start != pictures) {
            return Err(failed("a segment came out of turn".to_string()));
        }
        self.written += pictures;
        self.media.join(segment)
    }

    fn finish(mut self: Box<Self>, metadata: &Metadata) -> Result<EncoderIdentity, EncodeError> {
        metadata.check()?;
        let spec = &self.maker.spec;
        if self.written != spec.frames {
            return Err(EncodeError(format!(
                "only {} of {} pictures came",
                self.written, spec.frames
            )));
        }
        if let Some(mut file) = self.media.file.take() {
            file.flush().map_err(|e| written(&self.media.path, &e))?;
        }
        container::write(
            &self.path,
            &self.media.path,
            &self.media.index,
            spec,
            metadata,
        )
        .map_err(|e| written(&self.path, &e))?;
        let faults = read_headers(&self.path)?.faults(spec);
        if !faults.is_empty() {
            return Err(failed(format!("the file has {}", faults.join(", "))));
        }
        Ok(self.identity())
    }
}

impl Segmented for Maker {
    fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    fn encoder(&self, segment: usize) -> Result<Box<dyn SegmentEncoder>, EncodeError> {
        let range = &self.ranges[segment];
        let (spec, quality) = (&self.spec, self.quality);
        let codec = Codec::new(spec.width, spec.height, spec.fps, quality.key)
            .map_err(|e| failed(e.to_string()))?;
        Ok(Box::new(Coder {
            codec,
            quality,
            spec: spec.clone(),
            frames: range.end - range.start,
            coded: CodedSegment::default(),
        }))
    }
}

/// One segment in the making.
struct Coder {
    codec: Codec,
    quality: Quality,
    spec: VideoSpec,
    frames: u64,
    coded: CodedSegment,
}

impl SegmentEncoder for Coder {
    fn write(&mut self, picture: &Yuv420, new: bool) -> Result<(), EncodeError> {
        self.spec.fits(picture)?;
        let first = self.coded.sizes.is_empty();
        let qp = match (first, new) {
            (true, _) => self.quality.key,
            (false, false) => self.quality.resting,
            (false, true) => self.quality.moving,
        };
        let coded = &mut self.coded;
        let start = coded.media.len();
        self.codec
            .set_qp(qp)
            .and_then(|()| {
                self.codec
                    .encode(picture.bytes(), |nal| match nal.first().map(|b| b & 0x1f) {
                        Some(7) => coded.sps = nal.to_vec(),
                        Some(8) => coded.pps = nal.to_vec(),
                        Some(_) => {
                            let length = nal.len() as u32;
                            coded.media.extend_from_slice(&length.to_be_bytes());
                            coded.media.extend_from_slice(nal);
                        }
                        None => {}
                    })
            })
            .map_err(|e| failed(e.to_string()))?;
        coded.sizes.push((coded.media.len() - start) as u32);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<CodedSegment, EncodeError> {
        if self.coded.sizes.len() as u64 != self.frames {
            return Err(EncodeError(format!(
                "only {} of a segment's {} pictures came",
                self.coded.sizes.len(),
                self.frames
            )));
        }
        Ok(self.coded)
    }
}
