//! `proofreel frames`: the film's pictures as PNG files.

use std::path::Path;

use anyhow::{Context, bail};

use super::args::FramesArgs;
use super::input::{self, Input};
use super::{Exit, Tone, interrupt, note, output, progress, shot};
use crate::film::Film;
use crate::film::paint::write_png;
use crate::film::render::Stills;

/// Runs the command.
pub fn run(args: &FramesArgs, tone: Tone) -> anyhow::Result<Exit> {
    shot::set_threads(&args.look)?;
    let source = match &args.source.puzzle {
        Some(argument) => input::resolve_puzzle_or_trace(argument)?,
        None => Input::Puzzles(input::resolve(&args.source)?),
    };
    let shot = shot::shot(source, args.pick, &args.limits, tone)?;
    let film = shot::film(&shot, &args.look)?;
    let wanted = wanted(args, &film)?;
    std::fs::create_dir_all(&args.out).with_context(|| {
        format!(
            "the folder {} cannot be made; choose another with --out",
            args.out.display()
        )
    })?;
    let paths: Vec<_> = wanted
        .iter()
        .map(|n| args.out.join(format!("{}-{n:06}.png", shot.name)))
        .collect();
    if !args.force
        && let Some(taken) = paths.iter().find(|p| p.exists())
    {
        bail!(
            "{} exists already; add --force to replace it",
            taken.display()
        );
    }
    let mut stills = Stills::new(&film);
    let mut progress = progress::Progress::new(&shot.name, wanted.len() as u64, tone);
    for (done, (&n, path)) in wanted.iter().zip(&paths).enumerate() {
        if interrupt::requested() {
            return Ok(Exit::Nothing);
        }
        write_still(stills.rgba(n), film.request().size, path, args.force)?;
        progress.at(done as u64 + 1);
    }
    progress.end();
    if tone.json {
        let list: Vec<_> = wanted
            .iter()
            .zip(&paths)
            .map(|(n, p)| serde_json::json!({"frame": n, "file": p.display().to_string()}))
            .collect();
        println!(
            "{}",
            serde_json::json!({ "frames": film.scene().frames(), "stills": list })
        );
    } else {
        println!(
            "{} stills of {} frames in {}",
            wanted.len(),
            film.scene().frames(),
            args.out.display()
        );
        if tone.verbose {
            paths
                .iter()
                .for_each(|p| note(tone, &p.display().to_string()));
        }
    }
    Ok(Exit::Done)
}

/// One still as a PNG file.
pub fn write_still(
    rgba: &[u8],
    (width, height): (u32, u32),
    path: &Path,
    replace: bool,
) -> anyhow::Result<()> {
    output::write_file(path, replace, &[], |out| {
        write_png(out, rgba, width, height)
            .with_context(|| format!("{} cannot be written", path.display()))
    })
}

/// The frames asked for, ascending, each once.
fn wanted(args: &FramesArgs, film: &Film) -> anyhow::Result<Vec<u64>> {
    let frames = film.scene().frames();
    if let Some(&n) = args.at.iter().find(|&&n| n >= frames) {
        bail!(
            "--at {n} is beyond the film, whose frames are 0 to {}",
            frames - 1
        );
    }
    let mut wanted = args.at.clone();
    if args.states {
        wanted.extend(film.scene().timeline().states.iter().map(|s| s.last));
    }
    match args.every {
        Some(0) => bail!("--every 0 makes no sense; give 1 or more"),
        Some(step) => {
            wanted.extend((0..frames).step_by(usize::try_from(step).unwrap_or(usize::MAX)))
        }
        None => {}
    }
    if args.at.is_empty() && !args.states && args.every.is_none() {
        bail!("which frames? Give --at N,N,…, --states or --every N");
    }
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}
