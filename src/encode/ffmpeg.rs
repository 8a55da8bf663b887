//! H.264 through the ffmpeg program: raw pictures into a pipe, libx264 at the other end, then a
//! second pass over the finished stream that writes tags, chapters and the index.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::boxes::read_headers;
use super::{EncodeError, EncoderIdentity, FrameSink, Metadata, VideoSpec};
use crate::picture::Yuv420;
use crate::process::{Child, Ffmpeg, INSTALL_FFMPEG, Launch, ProcessError, Program, file_argument};

pub use super::Settings as FfmpegSettings;

/// libx264's preset unless another is asked for.
pub const DEFAULT_PRESET: &str = "veryfast";
/// libx264's constant rate factor unless another is asked for.
pub const DEFAULT_CRF: u8 = 18;
/// How long ffmpeg may do nothing while it is waited for.
const PATIENCE: Duration = Duration::from_secs(120);
/// libx264's presets, slowest last.
const PRESETS: [&str; 10] = [
    "ultrafast",
    "superfast",
    "veryfast",
    "faster",
    "fast",
    "medium",
    "slow",
    "slower",
    "veryslow",
    "placebo",
];

/// A film in the making. Dropped before `finish`, ffmpeg is ended and everything that was written
/// for the film is removed, save the file it was opened with.
pub struct FfmpegSink {
    path: PathBuf,
    container: Container,
    spec: VideoSpec,
    identity: EncoderIdentity,
    patience: Duration,
    written: u64,
    child: Option<Child>,
    /// The stream as libx264 made it, before tags and chapters.
    stream: Scratch,
}

/// A file beside the film that vanishes with this value.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // Where it was never made, there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

/// The container formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Mp4,
    Mov,
    Matroska,
}

impl Container {
    fn of(path: &Path) -> Result<Self, EncodeError> {
        let extension = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        match extension.as_str() {
            "mp4" | "m4v" | "" => Ok(Container::Mp4),
            "mov" => Ok(Container::Mov),
            "mkv" => Ok(Container::Matroska),
            other => Err(EncodeError(format!(
                "a film cannot be written as .{other}; give it a name that ends in .mp4, .mov or .mkv"
            ))),
        }
    }

    fn muxer(self) -> &'static str {
        match self {
            Container::Mp4 => "mp4",
            Container::Mov => "mov",
            Container::Matroska => "matroska",
        }
    }
}

impl FfmpegSink {
    /// Starts ffmpeg on a film that is to be written to `path`; files beside it (`path` with
    /// endings of their own) hold what is in the making.
    ///
    /// # Errors
    /// If ffmpeg is missing or cannot encode with libx264, or the specification or a setting makes
    /// no sense.
    pub fn open(
        path: &Path,
        spec: &VideoSpec,
        settings: &FfmpegSettings,
    ) -> Result<Self, EncodeError> {
        spec.check()?;
        let container = Container::of(path)?;
        let preset = settings.preset.as_deref().unwrap_or(DEFAULT_PRESET);
        if !PRESETS.contains(&preset) {
            return Err(EncodeError(format!(
                "{preset:?} is no preset of libx264; take one of {}",
                PRESETS.join(", ")
            )));
        }
        let crf = settings.crf.unwrap_or(DEFAULT_CRF);
        if crf > 51 {
            return Err(EncodeError(format!(
                "a constant rate factor of {crf} is out of range; take 0 to 51"
            )));
        }
        let found = Ffmpeg::probe().map_err(|e| EncodeError(format!("{e}; {INSTALL_FFMPEG}")))?;
        if !found.libx264 {
            return Err(EncodeError(format!(
                "ffmpeg {} was built without libx264; {INSTALL_FFMPEG} with libx264",
                found.version
            )));
        }

        let mut stream = path.as_os_str().to_owned();
        stream.push(".stream.mp4");
        let stream = Scratch(PathBuf::from(stream));
        let patience = settings.patience.unwrap_or(PATIENCE);
        let args = encoder_arguments(spec, settings, preset, crf, &stream.0);
        let child = Child::start(Launch {
            program: Program::Ffmpeg,
            args: args.iter().map(OsString::as_os_str).collect(),
            patience,
            on_message: None,
        })
        .map_err(failed)?;
        let quality = match settings.lossless {
            true => "lossless".to_string(),
            false => format!("crf {crf}"),
        };
        Ok(FfmpegSink {
            path: path.to_path_buf(),
            container,
            spec: spec.clone(),
            identity: EncoderIdentity {
                name: "ffmpeg".to_string(),
                version: found.version,
                settings: format!("libx264 {preset} {quality}"),
            },
            patience,
            written: 0,
            child: Some(child),
            stream,
        })
    }
}

/// Puts the parts of a film together without encoding anything again.
///
/// # Errors
/// If ffmpeg is missing or fails, or the result is not the film of `spec`.
pub fn join(
    parts: &[PathBuf],
    path: &Path,
    spec: &VideoSpec,
    metadata: &Metadata,
) -> Result<(), EncodeError> {
    metadata.check()?;
    let container = Container::of(path)?;
    let found = Ffmpeg::probe().map_err(|e| EncodeError(format!("{e}; {INSTALL_FFMPEG}")))?;
    let mut list = path.as_os_str().to_owned();
    list.push(".parts.txt");
    let list = Scratch(PathBuf::from(list));
    let mut text = String::from("ffconcat version 1.0\n");
    for part in parts {
        let part = std::path::absolute(part)
            .map_err(|e| EncodeError(format!("{} has no full name: {e}", part.display())))?;
        let part = part.to_str().ok_or_else(|| {
            EncodeError(format!(
                "{} has a name that is not Unicode; rename it",
                part.display()
            ))
        })?;
        let _ = writeln!(text, "file '{}'", part.replace('\'', "'\\''"));
    }
    fs::write(&list.0, text)
        .map_err(|e| EncodeError(format!("{} cannot be written: {e}", list.0.display())))?;
    let mut input = arguments("-f concat -safe 0 -i");
    input.push(file_argument(&list.0));
    remux(input, path, container, spec.fps, metadata, PATIENCE)?;
    check_headers(path, container, spec, &found.version)
}

/// Copies a stream into the finished file, with tags, chapters and the index in front.
fn remux(
    input: Vec<OsString>,
    path: &Path,
    container: Container,
    fps: u32,
    metadata: &Metadata,
    patience: Duration,
) -> Result<(), EncodeError> {
    let mut notes = path.as_os_str().to_owned();
    notes.push(".tags.txt");
    let notes = Scratch(PathBuf::from(notes));
    fs::write(&notes.0, ffmetadata(metadata, fps))
        .map_err(|e| EncodeError(format!("{} cannot be written: {e}", notes.0.display())))?;
    let scale = timescale(fps);
    let mut args = arguments("-hide_banner -nostdin -loglevel level+warning -y");
    args.extend(input);
    args.extend(arguments("-f ffmetadata -i"));
    args.push(file_argument(&notes.0));
    args.extend(arguments(
        "-map 0:v:0 -c copy -map_metadata 1 -map_chapters 1 -f",
    ));
    args.push(container.muxer().into());
    if container != Container::Matroska {
        args.extend(arguments(&format!(
            "-movflags +faststart+write_colr -video_track_timescale {scale} -movie_timescale {scale}"
        )));
    }
    args.push(file_argument(path));
    let mut child = Child::start(Launch {
        program: Program::Ffmpeg,
        args: args.iter().map(OsString::as_os_str).collect(),
        patience,
        on_message: None,
    })
    .map_err(failed)?;
    child.close_input();
    child.finish().map_err(failed)
}

/// Whether an MP4 file says of itself what it must.
fn check_headers(
    path: &Path,
    container: Container,
    spec: &VideoSpec,
    version: &str,
) -> Result<(), EncodeError> {
    if container != Container::Mp4 {
        return Ok(());
    }
    let faults = read_headers(path)?.faults(spec);
    if faults.is_empty() {
        return Ok(());
    }
    Err(EncodeError(format!(
        "ffmpeg {version} wrote a film with {}; another version may do better",
        faults.join(", ")
    )))
}

/// Ticks a second in the file's headers: a multiple of the frame rate, so that every frame and the
/// whole film last exactly as long as they should.
fn timescale(fps: u32) -> u32 {
    fps * 1000
}

fn arguments(words: &str) -> Vec<OsString> {
    words.split_whitespace().map(OsString::from).collect()
}

fn encoder_arguments(
    spec: &VideoSpec,
    settings: &FfmpegSettings,
    preset: &str,
    crf: u8,
    stream: &Path,
) -> Vec<OsString> {
    const TAGS: &str = "-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709";
    let (w, h, fps) = (spec.width, spec.height, spec.fps);
    // The tags stand on the input too: else a filter between may think that a conversion is due.
    let mut args = arguments(&format!(
        "-hide_banner -nostdin -loglevel level+warning -y \
         -f rawvideo -pixel_format yuv420p -video_size {w}x{h} -framerate {fps} {TAGS} -i pipe:0 \
         -map 0:v:0 -c:v libx264 -preset {preset} -pix_fmt yuv420p {TAGS}"
    ));
    // Lossless H.264 is a profile of its own, High 4:4:4 Predictive.
    args.extend(match settings.lossless {
        true => arguments("-qp 0"),
        false => arguments(&format!("-profile:v high -crf {crf}")),
    });
    if let Some(threads) = settings.threads {
        args.extend(arguments(&format!("-threads {threads}")));
    }
    if spec.keyframes.len() > 1 {
        let mut times = String::new();
        for &k in &spec.keyframes {
            let micros = (u128::from(k) * 1_000_000 + u128::from(fps) / 2) / u128::from(fps);
            if !times.is_empty() {
                times.push(',');
            }
            let _ = write!(times, "{}.{:06}", micros / 1_000_000, micros % 1_000_000);
        }
        args.extend(arguments("-forced-idr 1 -force_key_frames"));
        args.push(times.into());
    }
    args.extend(arguments(&format!(
        "-frames:v {} -video_track_timescale {} -f mp4",
        spec.frames,
        timescale(fps)
    )));
    args.push(file_argument(stream));
    args
}

/// Tags and chapters as ffmpeg's own text format for them.
fn ffmetadata(metadata: &Metadata, fps: u32) -> String {
    let mut text = String::from(";FFMETADATA1\n");
    let escape = |text: &mut String, value: &str| {
        for c in value.chars() {
            if matches!(c, '=' | ';' | '#' | '\\' | '\n') {
                text.push('\\');
            }
            // A NUL would end the value.
            if c != '\0' {
                text.push(c);
            }
        }
        text.push('\n');
    };
    for (key, value) in &metadata.tags {
        text.push_str(key);
        text.push('=');
        escape(&mut text, value);
    }
    for chapter in &metadata.chapters {
        let _ = write!(
            text,
            "[CHAPTER]\nTIMEBASE=1/{fps}\nSTART={}\nEND={}\ntitle=",
            chapter.first,
            chapter.last + 1
        );
        escape(&mut text, &chapter.title);
    }
    text
}

/// A failed child as an error that says what to do.
fn failed(error: ProcessError) -> EncodeError {
    let remedy = match &error {
        ProcessError::Missing { .. } => format!("; {INSTALL_FFMPEG}"),
        ProcessError::Failed { words, .. } if words.contains("No space left") => {
            "; free some space on the disk".to_string()
        }
        ProcessError::Stopped { .. } => String::new(),
        _ => "; try ffmpeg by hand, or choose another encoder".to_string(),
    };
    EncodeError(format!("the film could not be encoded: {error}{remedy}"))
}

impl FrameSink for FfmpegSink {
    fn identity(&self) -> EncoderIdentity {
        self.identity.clone()
    }

    fn write(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        self.spec.fits(picture)?;
        if self.written == self.spec.frames {
            return Err(EncodeError(format!(
                "more pictures came than the {} that were announced",
                self.spec.frames
            )));
        }
        let Some(child) = self.child.as_mut() else {
            return Err(EncodeError("the encoder has failed before".to_string()));
        };
        if let Err(error) = child.write_all(picture.bytes()) {
            self.child = None;
            let EncodeError(text) = failed(error);
            return Err(EncodeError(format!("{text} (at frame {})", self.written)));
        }
        self.written += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>, metadata: &Metadata) -> Result<EncoderIdentity, EncodeError> {
        metadata.check()?;
        let Some(mut child) = self.child.take() else {
            return Err(EncodeError("the encoder has failed before".to_string()));
        };
        if self.written != self.spec.frames {
            return Err(EncodeError(format!(
                "only {} of {} pictures came",
                self.written, self.spec.frames
            )));
        }
        child.close_input();
        child.finish().map_err(failed)?;
        let input = vec!["-i".into(), file_argument(&self.stream.0)];
        let (path, container, fps) = (&self.path, self.container, self.spec.fps);
        remux(input, path, container, fps, metadata, self.patience)?;
        check_headers(path, container, &self.spec, &self.identity.version)?;
        Ok(self.identity.clone())
    }
}
