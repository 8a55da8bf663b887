//! H.264 in MP4 without any other program: mp4-atom reads the container, OpenH264 decodes.
//!
//! It reads 8-bit 4:2:0 pictures in the profiles that OpenH264 knows. For everything else the
//! answer is "needs ffmpeg", never a guess.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use openh264::OpenH264API;
use openh264::decoder::{DecodeOptions, DecodedYUV, Decoder, DecoderConfig, Flush};
use openh264::formats::YUVSource;

use super::mp4::{Sample, Track, read_track};
use super::{DecodeError, FrameSource, Picture, StreamInfo, sniff};

/// A coded picture larger than this is damage.
const SAMPLE_LIMIT: u32 = 64 << 20;

/// The pictures of a film, decoded in process.
pub struct BuiltinSource {
    path: PathBuf,
    file: File,
    info: StreamInfo,
    decoder: Decoder,
    /// Bytes of the length before each unit.
    length_size: usize,
    /// Parameter sets, before the first picture.
    headers: Vec<u8>,
    samples: std::vec::IntoIter<Sample>,
    /// Presentation times of what will come out, ascending; `None` for pictures that are decoded
    /// but not shown.
    times: std::vec::IntoIter<Option<f64>>,
    /// Pictures that came out at the end, all at once.
    rest: VecDeque<Vec<u8>>,
    flushed: bool,
    /// Pictures before this time are passed over.
    from: Option<f64>,
    coded: Vec<u8>,
    unit: Vec<u8>,
    buffer: Vec<u8>,
    decoded: u64,
}

impl BuiltinSource {
    /// Opens a film. With `start`, pictures before that many seconds (less half a frame) are left
    /// out.
    ///
    /// # Errors
    /// If the file is no film, is cut off, or needs ffmpeg.
    pub fn open(path: &Path, start: Option<f64>) -> Result<Self, DecodeError> {
        if !sniff(path)?.mp4 {
            return Err(needs_ffmpeg(path, "is no MP4 file"));
        }
        let mut track = read_track(path)?;
        let info = track.info.clone();
        let from = match start {
            Some(s) if s.is_finite() && s >= 0.0 => {
                let (num, den) = info.frame_rate;
                Some(s - 0.5 * f64::from(den) / f64::from(num))
            }
            Some(_) => {
                return Err(DecodeError(
                    "the start must be a time of zero seconds or more".to_string(),
                ));
            }
            None => None,
        };
        if let Some(from) = from {
            skip_to(&mut track, from);
        }
        let mut order: Vec<(i64, Option<f64>)> =
            track.samples.iter().map(|s| (s.composed, s.time)).collect();
        order.sort_by_key(|&(composed, _)| composed);
        let times: Vec<Option<f64>> = order.into_iter().map(|(_, time)| time).collect();

        let config = DecoderConfig::new().flush_after_decode(Flush::NoFlush);
        let decoder = Decoder::with_api_config(OpenH264API::from_source(), config)
            .map_err(|e| failed(path, 0, &e))?;
        let mut headers = Vec::new();
        for set in &track.parameter_sets {
            headers.extend_from_slice(&[0, 0, 0, 1]);
            headers.extend_from_slice(set);
        }
        let file = File::open(path)
            .map_err(|e| DecodeError(format!("{} cannot be read: {e}", path.display())))?;
        let bytes = info.layout.picture_bytes(info.width, info.height);
        Ok(BuiltinSource {
            path: path.to_path_buf(),
            file,
            info,
            decoder,
            length_size: track.length_size,
            headers,
            samples: track.samples.into_iter(),
            times: times.into_iter(),
            rest: VecDeque::new(),
            flushed: false,
            from,
            coded: Vec::new(),
            unit: Vec::new(),
            buffer: vec![0; bytes],
            decoded: 0,
        })
    }

    fn damaged(&self, what: &str) -> DecodeError {
        DecodeError(format!(
            "{} is damaged at picture {}: {what}; make or fetch the film again",
            self.path.display(),
            self.decoded
        ))
    }

    /// Brings the next coded picture into `unit`, with start codes instead of lengths.
    fn read_sample(&mut self, sample: &Sample) -> Result<(), DecodeError> {
        if sample.size > SAMPLE_LIMIT {
            return Err(self.damaged("it is too large"));
        }
        self.coded.resize(sample.size as usize, 0);
        let read = self
            .file
            .seek(SeekFrom::Start(sample.offset))
            .and_then(|_| self.file.read_exact(&mut self.coded));
        if let Err(e) = read {
            return Err(self.damaged(&format!("it cannot be read ({e})")));
        }
        self.unit.clear();
        self.unit.append(&mut self.headers);
        let mut rest = self.coded.as_slice();
        while !rest.is_empty() {
            let length = rest
                .get(..self.length_size)
                .map(|l| l.iter().fold(0usize, |n, &b| n << 8 | usize::from(b)));
            let unit = length.and_then(|n| rest.get(self.length_size..)?.get(..n));
            let Some(unit) = unit else {
                return Err(self.damaged("a unit is longer than its picture"));
            };
            self.unit.extend_from_slice(&[0, 0, 0, 1]);
            self.unit.extend_from_slice(unit);
            rest = &rest[self.length_size + unit.len()..];
        }
        Ok(())
    }

    /// Decodes until a picture is in the buffer; false after the last.
    fn fill(&mut self) -> Result<bool, DecodeError> {
        let (width, height) = (self.info.width, self.info.height);
        while let Some(sample) = self.samples.next() {
            self.read_sample(&sample)?;
            let options = DecodeOptions::new().flush_after_decode(Flush::NoFlush);
            match self.decoder.decode_with_options(&self.unit, options) {
                Ok(None) => {}
                Ok(Some(picture)) => {
                    return copy(&picture, width, height, &mut self.buffer)
                        .map(|()| true)
                        .map_err(|what| needs_ffmpeg(&self.path, &what));
                }
                Err(e) => return Err(failed(&self.path, self.decoded, &e)),
            }
        }
        if !self.flushed {
            self.flushed = true;
            let left = self
                .decoder
                .flush_remaining()
                .map_err(|e| failed(&self.path, self.decoded, &e))?;
            for picture in &left {
                let mut bytes = vec![0; self.buffer.len()];
                copy(picture, width, height, &mut bytes)
                    .map_err(|what| needs_ffmpeg(&self.path, &what))?;
                self.rest.push_back(bytes);
            }
        }
        match self.rest.pop_front() {
            Some(bytes) => {
                self.buffer = bytes;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// Leaves out the groups of pictures that end before `from`.
fn skip_to(track: &mut Track, from: f64) {
    let begin = track
        .samples
        .iter()
        .rposition(|s| s.sync && s.time.is_some_and(|t| t <= from))
        .unwrap_or(0);
    track.samples.drain(..begin);
}

impl FrameSource for BuiltinSource {
    fn info(&self) -> &StreamInfo {
        &self.info
    }

    fn next_picture(&mut self) -> Result<Option<Picture<'_>>, DecodeError> {
        loop {
            if !self.fill()? {
                if self.times.next().is_some() {
                    return Err(self.damaged("the decoder gave fewer pictures than the file has"));
                }
                if self.decoded == 0 {
                    return Err(DecodeError(format!(
                        "{} holds no picture{}",
                        self.path.display(),
                        match self.from {
                            Some(_) => " after the start that was given",
                            None => "; make or fetch the film again",
                        }
                    )));
                }
                return Ok(None);
            }
            let Some(time) = self.times.next() else {
                return Err(self.damaged("the decoder gave more pictures than the file has"));
            };
            match time {
                Some(time) if self.from.is_none_or(|from| time >= from) => {
                    self.decoded += 1;
                    return Ok(Some(Picture {
                        data: &self.buffer,
                        time,
                    }));
                }
                _ => {}
            }
        }
    }
}

/// Copies a decoded picture without the decoder's padding.
fn copy(picture: &DecodedYUV<'_>, width: u32, height: u32, into: &mut [u8]) -> Result<(), String> {
    let (w, h) = picture.dimensions();
    if (w, h) != (width as usize, height as usize) {
        return Err(format!(
            "has pictures of {w}x{h} pixels where its header says {width}x{height}"
        ));
    }
    let (ys, us, vs) = picture.strides();
    let mut at = 0;
    for (plane, stride, w, h) in [
        (picture.y(), ys, w, h),
        (picture.u(), us, w / 2, h / 2),
        (picture.v(), vs, w / 2, h / 2),
    ] {
        for row in plane.chunks(stride.max(1)).take(h) {
            let row = row.get(..w).ok_or("has pictures that are cut off")?;
            into[at..at + w].copy_from_slice(row);
            at += w;
        }
    }
    match at == into.len() {
        true => Ok(()),
        false => Err("has pictures that are cut off".to_string()),
    }
}

fn failed(path: &Path, at: u64, error: &openh264::Error) -> DecodeError {
    DecodeError(format!(
        "{} cannot be decoded beyond picture {at} ({error}); it is damaged, or it needs ffmpeg: \
         choose --decoder ffmpeg",
        path.display()
    ))
}

/// The answer to everything that this decoder does not read.
pub(super) fn needs_ffmpeg(path: &Path, what: &str) -> DecodeError {
    DecodeError(format!(
        "{} {what}, which the built-in decoder does not read: this needs ffmpeg; install it and \
         choose --decoder ffmpeg",
        path.display()
    ))
}
