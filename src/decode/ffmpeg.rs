//! Any video file through ffprobe and ffmpeg: raw pictures out of a pipe, each with its own time.
//!
//! The time of each picture comes from ffmpeg's `showinfo` filter in the very process that decodes
//! it, so that picture and time belong together whatever the container claims.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use super::pixels::{Delivery, delivery};
use super::{ColorTags, DecodeError, FrameSource, Picture, StreamInfo, sniff};
use crate::process::{self, Child, INSTALL_FFMPEG, Launch, ProcessError, Program, file_argument};

/// How long ffmpeg may do nothing while it is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest answer of ffprobe: a film may carry a trace of many megabytes.
const PROBE_LIMIT: usize = 256 << 20;
/// The container formats that are read. Others (play lists, scripts, devices) could make ffmpeg
/// open what the user did not name.
const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,nut,ogg,ivf,asf,\
     mxf,yuv4mpegpipe,h264,hevc,obu,m4v,rm,wtv,gxf,dv";

/// Messages at error level that do not touch the pictures.
const HARMLESS: [&str; 2] = [
    "Referenced QT chapter track not found",
    "Could not find codec parameters for stream",
];

/// The pictures of a film, decoded by ffmpeg. Dropped, ffmpeg is ended and reaped.
pub struct FfmpegSource {
    path: PathBuf,
    info: StreamInfo,
    child: Option<Child>,
    buffer: Vec<u8>,
    stamps: Receiver<Stamp>,
    /// The first thing that ffmpeg found wrong with the film.
    complaint: Arc<Mutex<Option<String>>>,
    /// Pictures before this time are passed over.
    from: Option<f64>,
    decoded: u64,
}

/// What `showinfo` says of one picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stamp {
    time: Option<f64>,
    size: (u32, u32),
}

impl FfmpegSource {
    /// Opens a film. With `start`, pictures before that many seconds (less half a frame) are left
    /// out.
    ///
    /// # Errors
    /// If ffmpeg or ffprobe is missing, or the file is no film that they can read.
    pub fn open(path: &Path, start: Option<f64>) -> Result<Self, DecodeError> {
        sniff(path)?;
        let (info, stream, delivery) = probe(path)?;
        let from = match start {
            Some(s) if s.is_finite() && s >= 0.0 => {
                let (num, den) = info.frame_rate;
                Some(s - 0.5 * f64::from(den) / f64::from(num.max(1)))
            }
            Some(_) => {
                return Err(DecodeError(
                    "the start must be a time of zero seconds or more".to_string(),
                ));
            }
            None => None,
        };
        let args = decoder_arguments(path, stream, &delivery, from);
        let (send, stamps) = sync_channel(4096);
        let complaint = Arc::new(Mutex::new(None));
        let mut listener = Listener {
            send,
            complaint: Arc::clone(&complaint),
            time_base: None,
            started: from.is_none(),
        };
        let mut child = Child::start(Launch {
            program: Program::Ffmpeg,
            args: args.iter().map(OsString::as_os_str).collect(),
            patience: PATIENCE,
            on_message: Some(Box::new(move |line| listener.hear(line))),
        })
        .map_err(|e| failed(path, &e))?;
        child.close_input();
        let bytes = info.layout.picture_bytes(info.width, info.height);
        Ok(FfmpegSource {
            path: path.to_path_buf(),
            info,
            child: Some(child),
            buffer: vec![0; bytes],
            stamps,
            complaint,
            from,
            decoded: 0,
        })
    }

    /// Reads the next picture into the buffer; `None` at a clean end.
    fn advance(&mut self) -> Result<Option<f64>, DecodeError> {
        let shown = self.path.display().to_string();
        let Some(child) = self.child.as_mut() else {
            return Ok(None);
        };
        let filled = match child.read_full(&mut self.buffer) {
            Ok(n) => n,
            Err(error) => {
                self.child = None;
                return Err(failed(&self.path, &error));
            }
        };
        if filled == 0 {
            if let Some(child) = self.child.take() {
                child.finish().map_err(|e| failed(&self.path, &e))?;
            }
            let complaint = self
                .complaint
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if let Some(first) = complaint.as_deref() {
                return Err(DecodeError(format!(
                    "{shown} is damaged or cut off ({} pictures came out of it; the decoder's \
                     first complaint is \"{}\"); make or fetch the film again",
                    self.decoded,
                    first.trim_end_matches('.')
                )));
            }
            if self.decoded == 0 {
                return Err(DecodeError(format!(
                    "{shown} holds no picture{}",
                    match self.from {
                        Some(_) => " after the start that was given",
                        None => "; make or fetch the film again",
                    }
                )));
            }
            return Ok(None);
        }
        let stamp = self.stamps.recv_timeout(PATIENCE).map_err(|_| {
            DecodeError(format!(
                "{shown}: ffmpeg said no time for picture {}; another version of ffmpeg may do better",
                self.decoded
            ))
        })?;
        if stamp.size != (self.info.width, self.info.height) {
            self.child = None;
            return Err(DecodeError(format!(
                "{shown} changes its picture size from {}x{} to {}x{} at picture {}; it is no \
                 single film",
                self.info.width, self.info.height, stamp.size.0, stamp.size.1, self.decoded
            )));
        }
        if filled < self.buffer.len() {
            self.child = None;
            return Err(DecodeError(format!(
                "{shown}: ffmpeg ended in the middle of picture {}",
                self.decoded
            )));
        }
        let Some(time) = stamp.time else {
            self.child = None;
            return Err(DecodeError(format!(
                "{shown} states no time for picture {}; put it into a container that does, such as MP4",
                self.decoded
            )));
        };
        self.decoded += 1;
        Ok(Some(time))
    }
}

impl FrameSource for FfmpegSource {
    fn info(&self) -> &StreamInfo {
        &self.info
    }

    fn next_picture(&mut self) -> Result<Option<Picture<'_>>, DecodeError> {
        loop {
            match self.advance()? {
                None => return Ok(None),
                Some(time) if self.from.is_some_and(|from| time < from) => {}
                Some(time) => {
                    return Ok(Some(Picture {
                        data: &self.buffer,
                        time,
                    }));
                }
            }
        }
    }
    fn take_picture(&mut self, buffer: &mut Vec<u8>) -> Result<Option<f64>, DecodeError> {
        let Some(time) = self.next_picture()?.map(|p| p.time) else {
            return Ok(None);
        };
        buffer.resize(self.buffer.len(), 0);
        std::mem::swap(buffer, &mut self.buffer);
        Ok(Some(time))
    }
}

/// Hears ffmpeg's messages on the draining thread.
struct Listener {
    send: SyncSender<Stamp>,
    complaint: Arc<Mutex<Option<String>>>,
    time_base: Option<(f64, f64)>,
    /// Until the first picture after a jump, missing references are no damage.
    started: bool,
}

impl Listener {
    /// Takes one message; true where it is not to be kept for quoting.
    fn hear(&mut self, line: &str) -> bool {
        if line.contains("[Parsed_showinfo_") {
            if let Some(base) = after(line, "config in time_base:") {
                self.time_base = base
                    .split(',')
                    .next()
                    .and_then(|b| b.trim().split_once('/'))
                    .and_then(|(n, d)| Some((n.parse().ok()?, d.parse().ok()?)));
            } else if let Some(stamp) = self.stamp(line) {
                self.started = true;
                // The reader is gone: nobody wants to know any more.
                let _ = self.send.send(stamp);
            }
            return true;
        }
        let grave = ["[error]", "[fatal]", "[panic]"]
            .iter()
            .any(|l| line.contains(l))
            || line.contains("corrupt decoded frame")
            || line.contains("partial file");
        if grave {
            let harmless = !self.started || HARMLESS.iter().any(|h| line.contains(h));
            if !harmless {
                self.complaint
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert_with(|| process::readable(line));
            }
            return false;
        }
        line.contains("[info]")
    }

    /// `[Parsed_showinfo_0 @ 0x5] [info] n: 3 pts: 3000 pts_time:0.05 … s:640x360 …`
    fn stamp(&self, line: &str) -> Option<Stamp> {
        let pts = after(line, " pts:")?.split_whitespace().next()?;
        let size = after(line, " s:")?.split_whitespace().next()?;
        let (w, h) = size.split_once('x')?;
        let (num, den) = self.time_base?;
        Some(Stamp {
            time: pts.parse::<f64>().ok().map(|pts| pts * num / den),
            size: (w.parse().ok()?, h.parse().ok()?),
        })
    }
}

/// What follows `mark` in `line`.
fn after<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    line.find(mark).map(|at| &line[at + mark.len()..])
}

fn arguments(words: &str) -> Vec<OsString> {
    words.split_whitespace().map(OsString::from).collect()
}

/// What keeps ffmpeg and ffprobe to the one file that was named.
fn confined(path: &Path) -> Vec<OsString> {
    let mut args = arguments("-protocol_whitelist file -format_whitelist");
    args.push(FORMATS.into());
    args.push("-i".into());
    args.push(file_argument(path));
    args
}

fn decoder_arguments(
    path: &Path,
    stream: u64,
    delivery: &Delivery,
    from: Option<f64>,
) -> Vec<OsString> {
    let mut args =
        arguments("-hide_banner -nostdin -nostats -loglevel level+info -copyts -noautorotate");
    if let Some(from) = from.filter(|&f| f > 0.0) {
        args.extend(arguments(&format!("-seek_timestamp 1 -ss {from:.6}")));
    }
    args.extend(confined(path));
    let filter = match delivery.from_rgb {
        true => "showinfo=checksum=0,scale=out_color_matrix=bt709:out_range=tv",
        false => "showinfo=checksum=0",
    };
    args.extend(arguments(&format!(
        "-map 0:{stream} -vf {filter} -fps_mode passthrough -f rawvideo -pix_fmt {} pipe:1",
        delivery.format
    )));
    args
}

/// A failed child as a sentence about the film.
fn failed(path: &Path, error: &ProcessError) -> DecodeError {
    let shown = path.display();
    DecodeError(match error {
        ProcessError::Missing { .. } | ProcessError::Start { .. } => {
            format!("{shown} cannot be decoded: {error}; {INSTALL_FFMPEG}")
        }
        ProcessError::Failed { words, .. }
            if words.contains("moov atom not found") && sniff(path).is_ok_and(|s| s.mp4) =>
        {
            format!(
                "{shown} has no index (moov): it was cut off or never finished; make or fetch the film again"
            )
        }
        ProcessError::Failed { words, .. }
            if words.contains("whitelist")
                || words.contains("moov atom")
                || words.contains("Invalid data found") =>
        {
            format!(
                "{shown} is no film that ffmpeg can read ({})",
                words.trim_end_matches('.')
            )
        }
        _ => format!("{shown} cannot be decoded: {error}"),
    })
}

/// Asks ffprobe about a file: what the stream is, its index in the file, how it is handed out.
fn probe(path: &Path) -> Result<(StreamInfo, u64, Delivery), DecodeError> {
    let mut args =
        arguments("-hide_banner -loglevel level+error -show_format -show_streams -of json");
    args.extend(confined(path));
    let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
    let output = process::capture(Program::Ffprobe, &args, PATIENCE, PROBE_LIMIT)
        .map_err(|e| failed(path, &e))?;
    let answer: Value = serde_json::from_slice(&output).map_err(|e| {
        DecodeError(format!(
            "{}: ffprobe's answer cannot be understood ({e}); {INSTALL_FFMPEG}",
            path.display()
        ))
    })?;
    describe(&answer).map_err(|what| DecodeError(format!("{} {what}", path.display())))
}

/// Reads ffprobe's answer; the error is the rest of a sentence that begins with the file's name.
fn describe(answer: &Value) -> Result<(StreamInfo, u64, Delivery), String> {
    let none = Vec::new();
    let streams = answer["streams"].as_array().unwrap_or(&none);
    let of_kind = |kind: &str| {
        let kind = kind.to_string();
        streams
            .iter()
            .filter(move |s| s["codec_type"] == kind.as_str())
            .filter(|s| s["disposition"]["attached_pic"] != 1)
    };
    let stream = of_kind("video")
        .next()
        .ok_or("holds no video stream; give the film's file")?;
    let text = |value: &Value| match value.as_str() {
        Some("unknown" | "N/A" | "") | None => None,
        Some(text) => Some(text.to_string()),
    };
    let size = |key: &str| {
        stream[key]
            .as_u64()
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(0)
    };
    let (width, height) = (size("width"), size("height"));
    let codec = text(&stream["codec_name"]).unwrap_or_default();
    let pixel_format = text(&stream["pix_fmt"]).unwrap_or_default();
    if width == 0 || height == 0 || width > 16384 || height > 16384 || pixel_format.is_empty() {
        return Err(format!(
            "holds a video stream without readable pictures ({}); it was cut off or is damaged",
            if codec.is_empty() {
                "unknown codec"
            } else {
                &codec
            }
        ));
    }
    let mut delivery = delivery(&pixel_format).ok_or_else(|| {
        format!(
            "has pictures in the pixel format {pixel_format}, which does not hold the colours of a \
             film; convert it to yuv420p"
        )
    })?;
    let color = ColorTags {
        matrix: text(&stream["color_space"]),
        primaries: text(&stream["color_primaries"]),
        transfer: text(&stream["color_transfer"]),
        range: text(&stream["color_range"]),
    };
    if color.range.as_deref() == Some("pc") && !delivery.from_rgb {
        delivery.layout.full_range = true;
    }
    let fraction = |key: &str| {
        let (n, d) = stream[key].as_str()?.split_once('/')?;
        let (n, d): (u32, u32) = (n.parse().ok()?, d.parse().ok()?);
        (n > 0 && d > 0 && n / d <= 1000).then_some((n, d))
    };
    let number = |value: &Value| -> Option<f64> { value.as_str()?.parse().ok() };
    let mut tags = Vec::new();
    for owner in [&answer["format"], stream] {
        for (key, value) in owner["tags"].as_object().into_iter().flatten() {
            if let Some(value) = value.as_str() {
                tags.push((key.to_lowercase(), value.to_string()));
            }
        }
    }
    let info = StreamInfo {
        width,
        height,
        codec,
        profile: text(&stream["profile"]),
        pixel_format,
        layout: delivery.layout,
        container: text(&answer["format"]["format_name"]).unwrap_or_default(),
        frame_rate: fraction("r_frame_rate")
            .or_else(|| fraction("avg_frame_rate"))
            .ok_or("states no frame rate; put it into a container that does, such as MP4")?,
        stated_frames: stream["nb_frames"].as_str().and_then(|n| n.parse().ok()),
        color,
        video_streams: of_kind("video").count() as u32,
        audio_streams: of_kind("audio").count() as u32,
        rotation: rotation(stream),
        square_pixels: matches!(
            stream["sample_aspect_ratio"].as_str(),
            None | Some("1:1" | "0:1" | "N/A")
        ),
        start_time: number(&stream["start_time"]).unwrap_or(0.0),
        tags,
    };
    let index = stream["index"].as_u64().unwrap_or(0);
    Ok((info, index, delivery))
}

/// Clockwise degrees, 0 to 359. ffprobe counts the other way round.
fn rotation(stream: &Value) -> i32 {
    let stated = stream["side_data_list"]
        .as_array()
        .into_iter()
        .flatten()
        .find_map(|side| side["rotation"].as_f64());
    match stated {
        Some(degrees) if degrees.is_finite() => (-degrees.round() as i32).rem_euclid(360),
        _ => 0,
    }
}
