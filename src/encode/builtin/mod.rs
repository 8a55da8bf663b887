//! H.264 in process: OpenH264 on every core, an MP4 file around it, nothing to install.
//!
//! The film is cut into segments at the frames that must be keyframes, and long ones again at a
//! fixed spacing. Each segment is encoded from its own keyframe by an encoder of its own, several
//! side by side, and the results are joined in order. The cuts depend on the film alone, so the
//! bytes are the same for any number of threads.
//!
//! Quality is constant, not a bitrate: a fixed quantiser while the picture moves, a finer one as
//! soon as it rests.

mod codec;
mod container;
mod queue;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use codec::{Codec, CodecError};
use container::Index;
use queue::{Change, Queue};

use super::boxes::read_headers;
use super::{EncodeError, EncoderIdentity, FrameSink, Metadata, Settings, VideoSpec};
use crate::picture::Yuv420;

/// Segments longer than this are cut in parts of nearly equal length.
const SPACING: u64 = 120;
/// Bytes of pictures that wait to be encoded.
const BUDGET: usize = 48 << 20;
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
            key: at(env_qp("PR_KEY", 2)),
            moving: at(env_qp("PR_MOVING", 5)),
            resting: at(env_qp("PR_REST", 2)),
        }
    }
}

fn env_qp(name: &str, default: i16) -> i16 {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// The version of the codec inside.
pub fn version() -> String {
    codec::version()
}

/// The frames at which segments begin.
fn cuts(spec: &VideoSpec) -> Vec<u64> {
    let mut cuts = Vec::new();
    let mut marks: Vec<u64> = vec![0];
    // Two keyframes in a row would look like one picture to a decoder.
    for &k in &spec.keyframes {
        if k >= marks[marks.len() - 1] + 2 && spec.frames - k >= 2 {
            marks.push(k);
        }
    }
    for (i, &mark) in marks.iter().enumerate() {
        let end = marks.get(i + 1).copied().unwrap_or(spec.frames);
        let parts = (end - mark).div_ceil(SPACING).max(1);
        cuts.extend((0..parts).map(|p| mark + (end - mark) * p / parts));
    }
    cuts
}

/// What a worker made of a segment.
#[derive(Debug, Default)]
struct CodedSegment {
    /// Pictures with 4-byte lengths before their units, one after the other.
    media: Vec<u8>,
    sizes: Vec<u32>,
    sps: Vec<u8>,
    pps: Vec<u8>,
}

/// A film in the making. Dropped before `finish`, the encoders are stopped and everything that was
/// written for the film is removed, save the file it was opened with.
pub struct BuiltinSink {
    path: PathBuf,
    spec: VideoSpec,
    cuts: Vec<u64>,
    quality: Quality,
    written: u64,
    last: Vec<u8>,
    queue: Arc<Queue>,
    done: Arc<Mutex<BTreeMap<usize, CodedSegment>>>,
    workers: Vec<JoinHandle<()>>,
    media: Media,
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
        let cuts = cuts(spec);
        let threads = settings
            .threads
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1)
            .clamp(1, cuts.len().min(64));
        let mut sink = BuiltinSink {
            path: path.to_path_buf(),
            spec: spec.clone(),
            cuts,
            quality,
            written: 0,
            last: Vec::new(),
            queue: Arc::new(Queue::new(BUDGET)),
            done: Arc::default(),
            workers: Vec::new(),
            media: Media {
                path: media_path,
                file: Some(BufWriter::with_capacity(1 << 20, file)),
                index: Index::default(),
                joined: 0,
            },
        };
        for i in 0..threads {
            let (queue, done, spec) = (
                Arc::clone(&sink.queue),
                Arc::clone(&sink.done),
                spec.clone(),
            );
            let worker = std::thread::Builder::new()
                .name(format!("encoder {i}"))
                .spawn(move || work(&queue, &done, &spec, quality))
                .map_err(|e| {
                    EncodeError(format!("no thread for encoding could be started: {e}"))
                })?;
            sink.workers.push(worker);
        }
        Ok(sink)
    }

    fn push(&mut self, change: Change) -> Result<(), EncodeError> {
        if self.written == self.spec.frames {
            return Err(EncodeError(format!(
                "more pictures came than the {} that were announced",
                self.spec.frames
            )));
        }
        let begins = self.cuts.binary_search(&self.written).is_ok();
        let change = match begins {
            true => Change::Whole(self.last.clone()),
            false => change,
        };
        self.queue.push(change, begins).map_err(failed)?;
        self.written += 1;
        if begins {
            self.join_done()?;
        }
        Ok(())
    }

    /// Writes out the segments that are ready and whose turn it is.
    fn join_done(&mut self) -> Result<(), EncodeError> {
        loop {
            let next = self
                .done
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .remove(&self.media.joined);
            match next {
                Some(segment) => self.media.join(segment)?,
                None => return Ok(()),
            }
        }
    }

    fn stop(&mut self) {
        for worker in self.workers.drain(..) {
            if worker.join().is_err() {
                self.queue.fail("an encoder thread panicked".to_string());
            }
        }
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
        EncoderIdentity {
            name: "builtin".to_string(),
            version: format!("OpenH264 {}", version()),
            settings: format!(
                "High, CABAC, qp {} moving, {} resting, {} key",
                self.quality.moving, self.quality.resting, self.quality.key
            ),
        }
    }

    fn write(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        self.spec.fits(picture)?;
        let change = if self.last.is_empty() {
            self.last = picture.bytes().to_vec();
            Change::Same
        } else {
            Change::between(&mut self.last, picture.bytes())
        };
        self.push(change)
    }

    fn repeat(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        if self.last.is_empty() {
            return self.write(picture);
        }
        self.push(Change::Same)
    }

    fn finish(mut self: Box<Self>, metadata: &Metadata) -> Result<EncoderIdentity, EncodeError> {
        metadata.check()?;
        if self.written != self.spec.frames {
            return Err(EncodeError(format!(
                "only {} of {} pictures came",
                self.written, self.spec.frames
            )));
        }
        self.queue.end();
        self.stop();
        if let Some(why) = self.queue.failure() {
            return Err(failed(why));
        }
        self.join_done()?;
        if self.media.joined != self.cuts.len() {
            return Err(failed("a segment is missing".to_string()));
        }
        if let Some(mut file) = self.media.file.take() {
            file.flush().map_err(|e| written(&self.media.path, &e))?;
        }
        container::write(
            &self.path,
            &self.media.path,
            &self.media.index,
            &self.spec,
            metadata,
        )
        .map_err(|e| written(&self.path, &e))?;
        let faults = read_headers(&self.path)?.faults(&self.spec);
        if !faults.is_empty() {
            return Err(failed(format!("the file has {}", faults.join(", "))));
        }
        Ok(self.identity())
    }
}

impl Drop for BuiltinSink {
    fn drop(&mut self) {
        self.queue.fail("the film was given up".to_string());
        self.stop();
    }
}

/// A worker: takes segments until there are none.
fn work(
    queue: &Queue,
    done: &Mutex<BTreeMap<usize, CodedSegment>>,
    spec: &VideoSpec,
    quality: Quality,
) {
    let mut picture = Vec::new();
    while let Some(segment) = queue.take_segment() {
        match encode_segment(queue, segment, &mut picture, spec, quality) {
            Ok(coded) => {
                done.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(segment, coded);
            }
            Err(error) => {
                queue.fail(error.to_string());
                return;
            }
        }
    }
}

fn encode_segment(
    queue: &Queue,
    segment: usize,
    picture: &mut Vec<u8>,
    spec: &VideoSpec,
    quality: Quality,
) -> Result<CodedSegment, CodecError> {
    let mut codec = Codec::new(spec.width, spec.height, spec.fps, quality.key)?;
    let mut coded = CodedSegment::default();
    while let Some(change) = queue.take(segment) {
        let rests = change == Change::Same;
        change.apply(picture);
        codec.set_qp(match (coded.sizes.is_empty(), rests) {
            (true, _) => quality.key,
            (false, true) => quality.resting,
            (false, false) => quality.moving,
        })?;
        let start = coded.media.len();
        for nal in codec.encode(picture)?.nals {
            match nal.first().map(|b| b & 0x1f) {
                Some(7) => coded.sps = nal,
                Some(8) => coded.pps = nal,
                Some(_) => {
                    coded
                        .media
                        .extend_from_slice(&(nal.len() as u32).to_be_bytes());
                    coded.media.extend_from_slice(&nal);
                }
                None => {}
            }
        }
        coded.sizes.push((coded.media.len() - start) as u32);
    }
    Ok(coded)
}

#[cfg(test)]
mod tests {
    use super::{SPACING, VideoSpec, cuts};

    #[test]
    fn cuts_stand_at_keyframes_and_are_never_far_apart() {
        let spec = VideoSpec {
            width: 640,
            height: 360,
            fps: 60,
            frames: 960,
            keyframes: vec![0, 90, 600, 630, 631, 810, 870, 959],
        };
        let cuts = cuts(&spec);
        for k in [0, 90, 600, 630, 810, 870] {
            assert!(cuts.contains(&k), "{k} is not in {cuts:?}");
        }
        let mut ends = cuts.clone();
        ends.push(960);
        for pair in ends.windows(2) {
            let length = pair[1] - pair[0];
            assert!((2..=SPACING).contains(&length), "{pair:?} in {cuts:?}");
        }
    }
}
