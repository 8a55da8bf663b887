//! `proofreel film`: puzzles and traces in, films with their traces and manifests out.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::args::{AuditArgs, CodecArg, FilmArgs};
use super::input::{self, Input};
use super::join::PartFile;
use super::shot::Shot;
use super::{Exit, Tone, companions, dry_run, interrupt, note, shoot, shot};
use crate::film::Film;

/// Where films go by default.
const WORK: &str = "work";

/// Runs the command.
pub fn run(args: &FilmArgs, tone: Tone) -> anyhow::Result<Exit> {
    shot::set_threads(&args.look)?;
    let sources = sources(args)?;
    let several = sources.len() > 1;
    if several && args.output.is_some() {
        bail!(
            "--output names one film, but {} were asked for; use --out-dir",
            sources.len()
        );
    }
    if several && has_companions(args) {
        bail!("--poster, --contact-sheet, --captions and --gif go with one film at a time");
    }
    let mut failed = Vec::new();
    let mut mismatched = 0;
    for (i, source) in sources.iter().enumerate() {
        if interrupt::requested() {
            return Ok(Exit::Nothing);
        }
        let place = several.then_some((i + 1, sources.len()));
        match one(args, source, place, tone) {
            Ok(true) => {}
            Ok(false) => mismatched += 1,
            Err(error) if several && !interrupt::requested() => {
                eprintln!("error: {source}: {error:#}");
                failed.push(source.to_string());
            }
            Err(error) => return Err(error),
        }
    }
    if several {
        let done = sources.len() - failed.len();
        println!("{done} of {} films made", sources.len());
        if !failed.is_empty() {
            bail!("no film of {}; the rest is done", failed.join(", "));
        }
    }
    Ok(if mismatched > 0 {
        Exit::Disagrees
    } else {
        Exit::Done
    })
}

/// One source on the command line.
enum Named {
    Argument(String),
    Text(String),
    File(PathBuf),
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Named::Argument(a) => write!(f, "{}", a.chars().take(60).collect::<String>()),
            Named::Text(_) => write!(f, "the puzzle text"),
            Named::File(path) => write!(f, "{}", path.display()),
        }
    }
}

fn sources(args: &FilmArgs) -> anyhow::Result<Vec<Named>> {
    if let Some(text) = &args.puzzle_text {
        return Ok(vec![Named::Text(text.clone())]);
    }
    if let Some(file) = &args.puzzle_file {
        return Ok(vec![Named::File(file.clone())]);
    }
    let Some(list) = &args.list else {
        return Ok(args.sources.iter().cloned().map(Named::Argument).collect());
    };
    let text = std::fs::read_to_string(list).with_context(|| {
        format!(
            "the list {} cannot be read; name a text file",
            list.display()
        )
    })?;
    let lines: Vec<Named> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|l| Named::Argument(l.to_string()))
        .collect();
    if lines.is_empty() {
        bail!(
            "the list {} names nothing; write one puzzle or trace a line",
            list.display()
        );
    }
    Ok(lines)
}

fn has_companions(args: &FilmArgs) -> bool {
    args.poster.is_some()
        || args.contact_sheet.is_some()
        || args.captions.is_some()
        || args.gif.is_some()
}

/// One film, `place` being which of how many. False if its audit found a mismatch.
fn one(
    args: &FilmArgs,
    named: &Named,
    place: Option<(usize, usize)>,
    tone: Tone,
) -> anyhow::Result<bool> {
    let source = match named {
        Named::Argument(a) => input::resolve_puzzle_or_trace(a)?,
        Named::Text(t) => Input::Puzzles(input::from_text(t)?),
        Named::File(p) => Input::Puzzles(input::from_file(p)?),
    };
    let shot = shot::shot(source, args.pick, &args.limits, tone)?;
    let film = shot::film(&shot, &args.look)?;
    if args.dry_run {
        dry_run::say(&shot, &film, args.crf, tone);
        return Ok(true);
    }
    companions::check(args)?;
    let target = match args.segment {
        None => target(args, &shot.name)?,
        Some((i, n)) => target(args, &format!("{}.part-{}-of-{n}", shot.name, i + 1))?,
    };
    // What this tool made under the default name may be made again.
    let replace = args.force || (args.output.is_none() && made_here(&target));
    let order = shoot::Order {
        target: &target,
        replace,
        settings: crate::encode::Settings {
            preset: args.preset.clone(),
            crf: args.crf,
            lossless: args.lossless,
            ..Default::default()
        },
        encoder: args.encoder,
        part: args.segment,
        label: match place {
            Some((i, n)) => format!("{i} of {n}: {}", shot.name),
            None => shot.name.clone(),
        },
    };
    if let Some(of) = args.segment {
        return part(&shot, &film, &order, of, tone).map(|()| true);
    }
    let made = shoot::shoot(&shot, &film, &order, tone)?;
    companions::write(args, &shot, &film, tone)?;
    if let Some(pace) = &made.manifest.pace {
        note(tone, &format!("pace: {}", pace.note));
    }
    let seconds = made.manifest.film.frames as f64 / f64::from(film.request().fps);
    if tone.json && !args.audit {
        println!(
            "{}",
            serde_json::json!({
                "film": target.display().to_string(),
                "frames": made.manifest.film.frames,
                "seconds": seconds,
                "bytes": made.bytes,
                "status": shot.trace.status.name(),
                "rendered_frames": made.manifest.rendered_frames.digest,
            })
        );
    } else if !tone.json {
        println!(
            "{}: {} frames, {seconds:.3} s, {}x{}, {:.1} MB",
            target.display(),
            made.manifest.film.frames,
            film.request().size.0,
            film.request().size.1,
            made.bytes as f64 / 1e6,
        );
    }
    if args.audit {
        return super::audit::run(&audit_args(&target), tone).map(|exit| exit == Exit::Done);
    }
    Ok(true)
}

/// A part of a film.
fn part(
    shot: &Shot,
    film: &Film,
    order: &shoot::Order<'_>,
    (index, of): (usize, usize),
    tone: Tone,
) -> anyhow::Result<()> {
    let made = shoot::shoot_part(shot, film, order, tone)?;
    let part = made.manifest.part.context("a part was asked for")?;
    let (first, frames) = (part.first, part.frames.len() as u64);
    let last = first + frames - 1;
    if tone.json {
        println!(
            "{}",
            serde_json::json!({
                "part": order.target.display().to_string(), "index": index + 1, "of": of,
                "first": first, "last": last, "bytes": made.bytes,
            })
        );
    } else {
        println!(
            "{}: part {} of {of}, frames {first} to {last}, {:.1} MB",
            order.target.display(),
            index + 1,
            made.bytes as f64 / 1e6
        );
    }
    Ok(())
}

/// The audit of a film that was just made, with everything that lies beside it.
fn audit_args(film: &Path) -> AuditArgs {
    AuditArgs {
        film: film.to_path_buf(),
        puzzle: None,
        start: None,
        manifest: None,
        trace: None,
        report: None,
        sheet: None,
        strict: true,
        decoder: CodecArg::Auto,
        force: false,
    }
}

/// Where the film goes.
fn target(args: &FilmArgs, name: &str) -> anyhow::Result<PathBuf> {
    if let Some(output) = &args.output {
        return Ok(output.clone());
    }
    let folder = args.out_dir.as_deref().unwrap_or(Path::new(WORK));
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "the folder {} cannot be made; choose another with --out-dir",
            folder.display()
        )
    })?;
    Ok(folder.join(format!("{name}.mp4")))
}

/// Whether a film of this name was made by this tool: its manifest says so, or what a part
/// carries inside.
fn made_here(target: &Path) -> bool {
    if target.is_file() && PartFile::read(target).is_ok() {
        return true;
    }
    std::fs::read(shoot::beside(target, "manifest.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok())
        .is_some_and(|m| m["format"] == "proofreel-manifest")
}
