//! `proofreel join`: the parts that `film --segment` made, put together to the film.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::args::JoinArgs;
use super::shoot::{self, Names};
use super::{Exit, Tone};
use crate::encode::VideoSpec;
use crate::film::render::Digests;
use crate::manifest::{Manifest, PartOf};
use crate::{carried, decode, encode};

/// A part as its file tells it.
pub struct PartFile {
    path: PathBuf,
    title: String,
    trace: Vec<u8>,
    manifest: Manifest,
    part: PartOf,
}

impl PartFile {
    /// Reads what a file carries inside; the pictures stay where they are.
    ///
    /// # Errors
    /// If it is no part of a film.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let shown = path.display();
        let no_part =
            || format!("{shown} is no part of a film; name the files that `film --segment` made");
        let (source, _) = decode::auto(encode::Choice::Auto, path, None)?;
        let tags = source.info().tags.clone();
        drop(source);
        let carried = match carried::unpack(&tags) {
            Ok(Some(carried)) => carried,
            Ok(None) => bail!(no_part()),
            Err(error) => bail!("{shown} {error}"),
        };
        let manifest: Manifest = serde_json::from_slice(&carried.manifest).with_context(no_part)?;
        let part = manifest.part.clone().with_context(no_part)?;
        let title = tags
            .into_iter()
            .find(|(key, _)| key == "title")
            .map_or_else(String::new, |(_, title)| title);
        Ok(PartFile {
            path: path.to_path_buf(),
            title,
            trace: carried.trace,
            manifest,
            part,
        })
    }

    /// The manifest without what is a part's own.
    fn common(&self) -> Manifest {
        let mut manifest = self.manifest.clone();
        manifest.part = None;
        manifest.film.file.clear();
        manifest.trace.file.clear();
        manifest.rendered_frames.digest.clear();
        manifest
    }
}

/// Runs the command.
pub fn run(args: &JoinArgs, tone: Tone) -> anyhow::Result<Exit> {
    let mut parts = Vec::new();
    for path in &args.parts {
        parts.push(PartFile::read(path)?);
    }
    parts.sort_by_key(|p| p.part.index);
    let (manifest, spec) = whole(&parts)?;
    let inputs: Vec<&Path> = args.parts.iter().map(PathBuf::as_path).collect();
    let names = Names::take(&args.output, args.force, &inputs)?;
    let mut digests = Digests::default();
    for part in &parts {
        let theirs = Digests::read(&part.part.frames).with_context(|| {
            format!("{} has damaged digests; make it again", part.path.display())
        })?;
        digests.append(&theirs);
    }
    let mut manifest = manifest;
    manifest.film.file = shoot::file_name(&args.output);
    manifest.trace.file = names.trace_name();
    manifest.rendered_frames.digest = digests.of_all();
    let metadata = shoot::metadata(&parts[0].title, &manifest, &parts[0].trace)?;
    match manifest.encoder.name.as_str() {
        #[cfg(feature = "builtin")]
        "builtin" => {
            let settings = encode::Settings::default();
            let choice = encode::Choice::Builtin;
            let (mut sink, _) = encode::auto(choice, names.film(), &spec, &settings)?;
            for part in &parts {
                encode::builtin::read_segments(&part.path, |segment| sink.join(segment))?;
            }
            sink.finish(&metadata)?;
        }
        #[cfg(feature = "ffmpeg")]
        "ffmpeg" => {
            let files: Vec<PathBuf> = parts.iter().map(|p| p.path.clone()).collect();
            encode::ffmpeg::join(&files, names.film(), &spec, &metadata)?;
        }
        other => bail!("the parts were made by the encoder {other:?}, which this program has not"),
    }
    let made = names.keep(manifest, &parts[0].trace)?;
    let frames = made.manifest.film.frames;
    if tone.json {
        println!(
            "{}",
            serde_json::json!({
                "film": args.output.display().to_string(), "frames": frames,
                "bytes": made.bytes,
                "rendered_frames": made.manifest.rendered_frames.digest,
            })
        );
    } else {
        println!(
            "{}: {} parts joined, {frames} frames, {:.1} MB",
            args.output.display(),
            parts.len(),
            made.bytes as f64 / 1e6
        );
    }
    Ok(Exit::Done)
}

/// What the parts, in order, are parts of.
///
/// # Errors
/// If one is missing, comes twice, or belongs to another film.
fn whole(parts: &[PartFile]) -> anyhow::Result<(Manifest, VideoSpec)> {
    let first = parts.first().context("there are no parts to join")?;
    let common = first.common();
    let fps = common
        .film
        .fps
        .strip_suffix("/1")
        .and_then(|f| f.parse().ok());
    let spec = VideoSpec {
        width: common.film.width,
        height: common.film.height,
        fps: fps.with_context(|| format!("{} has a damaged rate", first.path.display()))?,
        frames: common.film.frames,
        keyframes: common.segments.iter().map(|s| s.first).collect(),
    };
    spec.check()?;
    let of = first.part.of as usize;
    for part in parts {
        if part.part.of as usize != of || part.common() != common || part.trace != first.trace {
            bail!(
                "{} and {} are not parts of one film; take parts that were made of the same \
                 puzzle with the same options",
                first.path.display(),
                part.path.display()
            );
        }
    }
    for index in 1..=of {
        let found: Vec<&PartFile> = parts
            .iter()
            .filter(|p| p.part.index as usize == index)
            .collect();
        match found.as_slice() {
            [] => {
                bail!("part {index} of {of} is missing; make it with `film --segment {index}/{of}`")
            }
            [one] => {
                let (range, _) = spec.part(index - 1, of)?;
                if range != (one.part.first..one.part.first + one.part.frames.len() as u64) {
                    bail!(
                        "{} holds other frames than part {index} of {of} has; make it again",
                        one.path.display()
                    );
                }
            }
            [one, another, ..] => bail!(
                "{} and {} are both part {index} of {of}; name it once",
                one.path.display(),
                another.path.display()
            ),
        }
    }
    if parts.len() != of {
        bail!("{} files were named for {of} parts", parts.len());
    }
    Ok((common, spec))
}
