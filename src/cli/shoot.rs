//! One film from the first picture to its final name, with its trace and manifest.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sha2::{Digest as _, Sha256};

use super::args::CodecArg;
use super::output::Pending;
use super::progress::Progress;
use super::shot::Shot;
use super::{Tone, interrupt, note};
use crate::encode::{
    Chapter, Choice, EncodeError, EncoderIdentity, FrameSink, Metadata, Settings, VideoSpec,
};
use crate::film::Film;
use crate::film::render::{self, Digest, Take};
use crate::manifest::{self, ColorTags, Encoder, FilmFile, FramesDigest, Manifest, TraceFile};
use crate::picture::Yuv420;

/// What is to be made.
pub struct Order<'a> {
    /// The film's final name.
    pub target: &'a Path,
    /// Whether what is there may be replaced.
    pub replace: bool,
    /// For the encoder.
    pub settings: Settings,
    /// Which encoder.
    pub encoder: CodecArg,
    /// "I/N" for a part of the film.
    pub part: Option<&'a str>,
}

/// What was made.
pub struct Made {
    /// The film's manifest.
    pub manifest: Manifest,
    /// The film's size.
    pub bytes: u64,
}

/// `NAME.ending` beside `NAME.mp4`.
pub fn beside(film: &Path, ending: &str) -> PathBuf {
    film.with_extension(ending)
}

/// Hands pictures to the encoder, hashes them, moves the bar, listens for Ctrl-C.
struct Taker<'a> {
    sink: &'a mut dyn FrameSink,
    digest: Digest,
    progress: Progress,
    first: u64,
}

impl Take for Taker<'_> {
    type Error = anyhow::Error;

    fn take(&mut self, n: u64, picture: &Yuv420, new: bool) -> anyhow::Result<()> {
        if interrupt::requested() {
            bail!("stopped");
        }
        if new {
            self.sink.write(picture)?;
        } else {
            self.sink.repeat(picture)?;
        }
        self.digest.add(picture, new);
        self.progress.at(n + 1 - self.first);
        Ok(())
    }
}

/// Renders a film, or a part of one.
///
/// # Errors
/// If a file is in the way, the encoder fails, or the user stops it. Nothing is left under a
/// final name then.
pub fn shoot(shot: &Shot, film: &Film, order: &Order<'_>, tone: Tone) -> anyhow::Result<Made> {
    let inputs: Vec<&Path> = shot.path.as_deref().into_iter().collect();
    let (trace_path, manifest_path) = (
        beside(order.target, "trace.json"),
        beside(order.target, "manifest.json"),
    );
    let pending = Pending::new(order.target, order.replace, &inputs)?;
    let trace_pending = Pending::new(&trace_path, order.replace, &inputs)?;
    let manifest_pending = Pending::new(&manifest_path, order.replace, &inputs)?;

    let trace_bytes = trace_bytes(shot)?;
    let claims = film.claims(&shot.trace);
    let frames = film.scene().frames();
    let range = match order.part {
        Some(text) => part(text, frames, &film.scene().timeline().keyframes())?,
        None => 0..frames,
    };
    let (width, height) = film.request().size;
    let mut keyframes: Vec<u64> = film
        .scene()
        .timeline()
        .keyframes()
        .into_iter()
        .filter(|k| range.contains(k))
        .map(|k| k - range.start)
        .collect();
    if keyframes.first() != Some(&0) {
        keyframes.insert(0, 0);
    }
    let spec = VideoSpec {
        width,
        height,
        fps: film.request().fps,
        frames: range.end - range.start,
        keyframes,
    };
    let choice = match order.encoder {
        CodecArg::Auto => Choice::Auto,
        CodecArg::Ffmpeg => Choice::Ffmpeg,
        CodecArg::Builtin => Choice::Builtin,
    };
    let (mut sink, chosen) =
        crate::encode::auto(choice, pending.path(), &spec, &order.settings).map_err(cause)?;
    note(tone, &chosen.why);

    let mut taker = Taker {
        sink: &mut *sink,
        digest: Digest::default(),
        progress: Progress::new(&shot.name, spec.frames, tone),
        first: range.start,
    };
    let drawn = render::render(film, range.clone(), &mut taker);
    let digest = taker.digest.finish();
    taker.progress.end();
    drawn?;

    let file_name = |p: &Path| {
        p.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_string()
    };
    let tags = ColorTags {
        matrix: "bt709".into(),
        primaries: "bt709".into(),
        transfer: "bt709".into(),
        range: "tv".into(),
    };
    let mut manifest = Manifest {
        format: "proofreel-manifest".into(),
        version: manifest::VERSION,
        film: FilmFile {
            file: file_name(order.target),
            sha256: None,
            width,
            height,
            fps: format!("{}/1", spec.fps),
            frames: spec.frames,
            codec: "h264".into(),
            pixel_format: "yuv420p".into(),
            color: tags,
        },
        trace: TraceFile {
            file: file_name(&trace_path),
            sha256: hex(&Sha256::digest(&trace_bytes)),
        },
        rendered_frames: FramesDigest {
            hash: "blake3".into(),
            digest,
        },
        encoder: Encoder {
            name: String::new(),
            version: String::new(),
            settings: String::new(),
        },
        style: claims.style,
        palette: claims.palette,
        layout: claims.layout,
        segments: claims.segments,
        regroup: claims.regroup,
        states: claims.states,
        pace: claims.pace,
    };
    let identity = sink.identity();
    set_encoder(&mut manifest, &identity);
    let inside = json(&manifest)?;
    let metadata = metadata(shot, &manifest, &trace_bytes, &inside, range.start)?;
    sink.finish(&metadata).map_err(cause)?;
    if interrupt::requested() {
        bail!("stopped");
    }

    manifest.film.sha256 = Some(file_hash(pending.path())?);
    let bytes = std::fs::metadata(pending.path())
        .map(|m| m.len())
        .unwrap_or(0);
    std::fs::write(trace_pending.path(), &trace_bytes).with_context(|| {
        format!(
            "{} cannot be written; is the disk full?",
            trace_path.display()
        )
    })?;
    std::fs::write(manifest_pending.path(), json(&manifest)?).with_context(|| {
        format!(
            "{} cannot be written; is the disk full?",
            manifest_path.display()
        )
    })?;
    trace_pending.commit()?;
    manifest_pending.commit()?;
    pending.commit()?;
    Ok(Made { manifest, bytes })
}

/// The encoder's error as it is: it names its own cause.
fn cause(error: EncodeError) -> anyhow::Error {
    anyhow::Error::new(error)
}

fn set_encoder(manifest: &mut Manifest, identity: &EncoderIdentity) {
    manifest.encoder = Encoder {
        name: identity.name.clone(),
        version: identity.version.clone(),
        settings: identity.settings.clone(),
    };
}

/// The trace as it is written to its file.
fn trace_bytes(shot: &Shot) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    crate::trace::write(&shot.trace, &mut bytes).context("the trace could not be written")?;
    Ok(bytes)
}

/// A manifest as it is written: one line an object would be unreadable, all on one line too.
fn json(manifest: &Manifest) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(manifest).context("the manifest has no JSON")?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn metadata(
    shot: &Shot,
    manifest: &Manifest,
    trace: &[u8],
    inside: &[u8],
    first: u64,
) -> anyhow::Result<Metadata> {
    let mut tags = vec![
        ("title".to_string(), shot.title.clone()),
        (
            "description".to_string(),
            format!(
                "Rendered by proofreel {} from the trace with SHA-256 {}",
                env!("CARGO_PKG_VERSION"),
                manifest.trace.sha256
            ),
        ),
    ];
    tags.push(crate::carried::pack(trace, inside));
    let chapters = manifest
        .segments
        .iter()
        .filter(|s| s.last >= first && s.first < first + manifest.film.frames)
        .map(|s| Chapter {
            title: s.name.clone(),
            first: s.first.saturating_sub(first),
            last: (s.last - first).min(manifest.film.frames - 1),
        })
        .collect();
    Ok(Metadata { tags, chapters })
}

/// The frames of part "I/N": cut where the film has keyframes anyway, or evenly.
fn part(text: &str, frames: u64, _keyframes: &[u64]) -> anyhow::Result<std::ops::Range<u64>> {
    let parsed = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
    let Some((i, n)) = parsed else {
        bail!("--segment {text} is not of the form I/N, such as 2/4");
    };
    if i == 0 || n == 0 || i > n || n > frames {
        bail!("--segment {text} does not exist; parts go from 1/N to N/N, N at most {frames}");
    }
    let cut = |k: u64| (u128::from(frames) * u128::from(k) / u128::from(n)) as u64;
    Ok(cut(i - 1)..cut(i))
}

/// SHA-256 of a file in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub fn file_hash(path: &Path) -> anyhow::Result<String> {
    let mut file =
        std::fs::File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = std::io::Read::read(&mut file, &mut buffer)
            .with_context(|| format!("{} cannot be read to its end", path.display()))?;
        if n == 0 {
            return Ok(hex(&hasher.finalize()));
        }
        hasher.update(&buffer[..n]);
    }
}

/// Bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Says what would be made.
pub fn dry_run(shot: &Shot, film: &Film, crf: Option<u8>, tone: Tone) {
    let timeline = film.scene().timeline();
    let (w, h) = film.request().size;
    let seconds = timeline.frames as f64 / f64::from(timeline.fps);
    // Measured on films of both bundled searches with the default preset: a frame in which
    // something moves takes about 0.0092 bytes a pixel at crf 18 (regroup: 0.024), half of that
    // with every 6 steps of crf.
    let part = |name| {
        timeline
            .stretch(name)
            .map_or(0, |s: crate::film::timeline::Stretch| s.last + 1 - s.first)
    };
    let regroup = part(crate::film::timeline::Part::Regroup) as f64;
    let moving = part(crate::film::timeline::Part::Search) as f64;
    let scale = 2f64.powf((18.0 - f64::from(crf.unwrap_or(18))) / 6.0);
    let bytes = f64::from(w) * f64::from(h) * (regroup * 0.018 + moving * 0.0022) * scale;
    if tone.json {
        println!(
            "{}",
            serde_json::json!({
                "name": shot.name, "frames": timeline.frames, "seconds": seconds,
                "width": w, "height": h, "states": timeline.states.len(),
                "expected_bytes": bytes.round() as u64,
            })
        );
        return;
    }
    println!(
        "{}: {} frames, {seconds:.3} s at {} frames/s, {w}x{h}, {} states, about {:.1} MB",
        shot.name,
        timeline.frames,
        timeline.fps,
        timeline.states.len(),
        bytes / 1e6
    );
    for p in &timeline.parts {
        println!("  {:8} frames {} to {}", p.part.name(), p.first, p.last);
    }
}
