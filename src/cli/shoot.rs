//! One film from the first picture to its final name, with its trace and manifest.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sha2::{Digest as _, Sha256};

use super::args::CodecArg;
use super::output::Pending;
use super::progress::Progress;
use super::shot::Shot;
use super::{Tone, drawing, interrupt, note};
use crate::encode::{Chapter, Choice, EncodeError, Metadata, Settings, VideoSpec};
use crate::film::Film;
use crate::manifest::{
    self, ColorTags, Encoder, FilmFile, FramesDigest, Manifest, PartOf, TraceFile,
};

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
    /// Which part (from 0) of how many, where it is not the whole film.
    pub part: Option<(usize, usize)>,
    /// What the progress bar calls it.
    pub label: String,
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

/// The names that a film, its trace and its manifest will have, taken before work begins.
pub struct Names {
    film: Pending,
    trace: Pending,
    manifest: Pending,
    trace_path: PathBuf,
    manifest_path: PathBuf,
}

impl Names {
    /// Takes them.
    ///
    /// # Errors
    /// If a file is in the way.
    pub fn take(target: &Path, replace: bool, inputs: &[&Path]) -> anyhow::Result<Self> {
        let trace_path = beside(target, "trace.json");
        let manifest_path = beside(target, "manifest.json");
        Ok(Names {
            film: Pending::new(target, replace, inputs)?,
            trace: Pending::new(&trace_path, replace, inputs)?,
            manifest: Pending::new(&manifest_path, replace, inputs)?,
            trace_path,
            manifest_path,
        })
    }

    /// Where the film is to be made.
    pub fn film(&self) -> &Path {
        self.film.path()
    }

    /// The trace's file name, no path.
    pub fn trace_name(&self) -> String {
        file_name(&self.trace_path)
    }

    /// Puts a finished film in place, with its trace and manifest.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn keep(self, mut manifest: Manifest, trace: &[u8]) -> anyhow::Result<Made> {
        manifest.film.sha256 = Some(file_hash(self.film.path())?);
        let bytes = std::fs::metadata(self.film.path()).map_or(0, |m| m.len());
        fill(&self.trace, &self.trace_path, trace)?;
        fill(&self.manifest, &self.manifest_path, &json(&manifest)?)?;
        self.trace.commit()?;
        self.manifest.commit()?;
        self.film.commit()?;
        Ok(Made { manifest, bytes })
    }
}

fn fill(pending: &Pending, shown: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(pending.path(), bytes)
        .with_context(|| format!("{} cannot be written; is the disk full?", shown.display()))
}

/// A path's last name.
pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_string()
}

/// Renders a film.
///
/// # Errors
/// If a file is in the way, the encoder fails, or the user stops it. Nothing is left under a
/// final name then.
pub fn shoot(shot: &Shot, film: &Film, order: &Order<'_>, tone: Tone) -> anyhow::Result<Made> {
    let inputs: Vec<&Path> = shot.path.as_deref().into_iter().collect();
    let names = Names::take(order.target, order.replace, &inputs)?;
    let (made, trace) = make(shot, film, order, names.film(), &names.trace_name(), tone)?;
    names.keep(made, &trace)
}

/// Renders a part of a film: one file, which carries what joining needs.
///
/// # Errors
/// As [`shoot`].
pub fn shoot_part(shot: &Shot, film: &Film, order: &Order<'_>, tone: Tone) -> anyhow::Result<Made> {
    let inputs: Vec<&Path> = shot.path.as_deref().into_iter().collect();
    let pending = Pending::new(order.target, order.replace, &inputs)?;
    let trace_name = file_name(&beside(order.target, "trace.json"));
    let (manifest, _) = make(shot, film, order, pending.path(), &trace_name, tone)?;
    let bytes = std::fs::metadata(pending.path()).map_or(0, |m| m.len());
    pending.commit()?;
    Ok(Made { manifest, bytes })
}

/// Draws and encodes into `path`; the manifest, and the trace as it is written.
fn make(
    shot: &Shot,
    film: &Film,
    order: &Order<'_>,
    path: &Path,
    trace_name: &str,
    tone: Tone,
) -> anyhow::Result<(Manifest, Vec<u8>)> {
    let trace_bytes = trace_bytes(shot)?;
    let claims = film.claims(&shot.trace);
    let whole = VideoSpec {
        width: film.request().size.0,
        height: film.request().size.1,
        fps: film.request().fps,
        frames: film.scene().frames(),
        keyframes: film.scene().timeline().keyframes(),
    };
    let (range, spec) = match order.part {
        Some((index, of)) => whole.part(index, of).map_err(cause)?,
        None => (0..whole.frames, whole.clone()),
    };
    let choice = match order.encoder {
        CodecArg::Auto => Choice::Auto,
        CodecArg::Ffmpeg => Choice::Ffmpeg,
        CodecArg::Builtin => Choice::Builtin,
    };
    let (mut sink, chosen) =
        crate::encode::auto(choice, path, &spec, &order.settings).map_err(cause)?;
    note(tone, &chosen.why);

    let first = range.start;
    let progress = Progress::new(&order.label, spec.frames, tone);
    let digests = drawing::draw(film, range, &mut *sink, progress)?;
    let identity = sink.identity();
    let manifest = Manifest {
        format: "proofreel-manifest".into(),
        version: manifest::VERSION,
        film: FilmFile {
            file: file_name(order.target),
            sha256: None,
            width: whole.width,
            height: whole.height,
            fps: format!("{}/1", whole.fps),
            frames: whole.frames,
            codec: "h264".into(),
            pixel_format: "yuv420p".into(),
            color: ColorTags {
                matrix: "bt709".into(),
                primaries: "bt709".into(),
                transfer: "bt709".into(),
                range: "tv".into(),
            },
        },
        trace: TraceFile {
            file: trace_name.to_string(),
            sha256: hex(&Sha256::digest(&trace_bytes)),
        },
        rendered_frames: FramesDigest {
            hash: "blake3".into(),
            digest: digests.of_all(),
        },
        encoder: Encoder {
            name: identity.name,
            version: identity.version,
            settings: identity.settings,
        },
        style: claims.style,
        palette: claims.palette,
        layout: claims.layout,
        segments: claims.segments,
        regroup: claims.regroup,
        states: claims.states,
        pace: claims.pace,
        part: order.part.map(|(index, of)| PartOf {
            index: index as u32 + 1,
            of: of as u32,
            first,
            frames: digests.each(),
        }),
    };
    let metadata = metadata(&shot.title, &manifest, &trace_bytes)?;
    sink.finish(&metadata).map_err(cause)?;
    if interrupt::requested() {
        bail!("stopped");
    }
    Ok((manifest, trace_bytes))
}

/// The encoder's error as it is: it names its own cause.
fn cause(error: EncodeError) -> anyhow::Error {
    anyhow::Error::new(error)
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

/// Tags and chapters of a film; the carried copies are in there.
///
/// # Errors
/// If the manifest has no JSON.
pub fn metadata(title: &str, manifest: &Manifest, trace: &[u8]) -> anyhow::Result<Metadata> {
    let inside = json(manifest)?;
    let mut tags = vec![
        ("title".to_string(), title.to_string()),
        (
            "description".to_string(),
            format!(
                "Rendered by proofreel {} from the trace with SHA-256 {}",
                env!("CARGO_PKG_VERSION"),
                manifest.trace.sha256
            ),
        ),
    ];
    tags.push(crate::carried::pack(trace, &inside));
    // A part's frames are counted from its own beginning: chapters would stand wrong.
    let segments = match manifest.part {
        Some(_) => &[][..],
        None => &manifest.segments[..],
    };
    let chapters = segments
        .iter()
        .map(|s| Chapter {
            title: s.name.clone(),
            first: s.first,
            last: s.last,
        })
        .collect();
    Ok(Metadata { tags, chapters })
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
