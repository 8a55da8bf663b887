//! `proofreel extract`: what a film carries inside, as files.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::args::ExtractArgs;
use super::output::Pending;
use super::{Exit, Tone};
use crate::carried;
use crate::decode;
use crate::encode::Choice;

/// Runs the command.
pub fn run(args: &ExtractArgs, tone: Tone) -> anyhow::Result<Exit> {
    let shown = args.film.display();
    let (source, _) = decode::auto(Choice::Auto, &args.film, None)?;
    let tags = source.info().tags.clone();
    drop(source);
    let carried = match carried::unpack(&tags) {
        Ok(Some(carried)) => carried,
        Ok(None) => bail!(
            "{shown} carries no trace and manifest inside; a copy may have lost them, so look for \
             the files beside the original film"
        ),
        Err(error) => bail!("{shown} {error}"),
    };
    std::fs::create_dir_all(&args.out).with_context(|| {
        format!(
            "the folder {} cannot be made; choose another with --out",
            args.out.display()
        )
    })?;
    let stem = args.film.file_stem().unwrap_or_default().to_os_string();
    let target = |ending: &str| -> PathBuf {
        let mut name = stem.clone();
        name.push(ending);
        args.out.join(name)
    };
    let files = [
        (target(".trace.json"), &carried.trace),
        (target(".manifest.json"), &carried.manifest),
    ];
    // Both names are reserved before either file appears.
    let mut pending = Vec::new();
    for (path, bytes) in &files {
        let place = Pending::new(path, args.force, &[&args.film])?;
        std::fs::write(place.path(), bytes)
            .with_context(|| format!("{} cannot be written; is the disk full?", path.display()))?;
        pending.push(place);
    }
    for place in pending {
        place.commit()?;
    }
    if tone.json {
        println!(
            "{}",
            serde_json::json!({
                "trace": files[0].0.display().to_string(),
                "manifest": files[1].0.display().to_string(),
            })
        );
    } else {
        for (path, _) in &files {
            println!("{}", path.display());
        }
    }
    Ok(Exit::Done)
}
