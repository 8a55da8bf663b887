//! `proofreel check`: evidence that was shipped, checked again: checksums, trace, film.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::args::CheckArgs;
use super::audit::{Request, digest_file, examine, parse_manifest};
use super::{Exit, Tone, input, interrupt};
use crate::audit::{Verdict, thousands};
use crate::encode::Choice;
use crate::trace;
use crate::verify;

/// The list of checksums, in the form that `sha256sum` writes and reads.
const LIST: &str = "MANIFEST.sha256";

/// What was checked, in order.
#[derive(Default)]
struct Outcome {
    right: Vec<String>,
    wrong: Vec<String>,
}

impl Outcome {
    fn say(&mut self, ok: bool, right: String, wrong: String) {
        if ok {
            self.right.push(right);
        } else {
            self.wrong.push(wrong);
        }
    }
}

/// Runs the command.
pub fn run(args: &CheckArgs, tone: Tone) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    let shown = dir.display();
    if !dir.is_dir() {
        bail!("{shown} is no folder; give the folder that holds {LIST}");
    }
    let files = listed(dir)?;
    let mut outcome = Outcome::default();
    for (path, sha) in &files {
        let name = path.display();
        if !path.is_file() {
            bail!("{name} is listed in {LIST}, and is not there; restore the file");
        }
        let is = digest_file(path)?;
        outcome.say(
            is.eq_ignore_ascii_case(sha),
            format!("{name}: checksum"),
            format!("{name} is not the file that {LIST} lists: SHA-256 {is}, not {sha}"),
        );
    }
    let films = files
        .iter()
        .filter(|(p, _)| ends(p, ".manifest.json"))
        .map(|(p, _)| p.clone())
        .collect::<Vec<_>>();
    if films.is_empty() {
        bail!(
            "{LIST} in {shown} lists no film's manifest (NAME.manifest.json); there is nothing to check a film by"
        );
    }
    for manifest in &films {
        film(manifest, &files, &mut outcome, tone)?;
        if interrupt::requested() {
            return Ok(Exit::Nothing);
        }
    }
    let agrees = outcome.wrong.is_empty();
    if tone.json {
        println!(
            "{:#}",
            json!({
                "verdict": if agrees { "match" } else { "mismatch" },
                "right": outcome.right,
                "wrong": outcome.wrong,
            })
        );
    } else {
        if agrees {
            println!("match: all {} checks of {shown} agree", outcome.right.len());
        } else {
            println!(
                "mismatch: {} of {} checks of {shown} do not agree",
                outcome.wrong.len(),
                outcome.wrong.len() + outcome.right.len()
            );
        }
        for w in &outcome.wrong {
            println!("  wrong: {w}");
        }
        if !tone.quiet {
            for r in &outcome.right {
                println!("  right: {r}");
            }
        }
    }
    Ok(if agrees { Exit::Done } else { Exit::Disagrees })
}

/// Trace, film, puzzle and report that belong to one manifest.
fn film(
    manifest_path: &Path,
    files: &[(PathBuf, String)],
    outcome: &mut Outcome,
    tone: Tone,
) -> anyhow::Result<()> {
    let from = manifest_path.display().to_string();
    let bytes = std::fs::read(manifest_path).with_context(|| format!("{from} cannot be read"))?;
    let manifest = parse_manifest(&bytes, &from)?;
    let part = |name: &str, what: &str| -> anyhow::Result<PathBuf> {
        let file = Path::new(name).file_name().with_context(|| {
            format!("{from} does not say what its {what} is called; make the evidence again")
        })?;
        let path = manifest_path.with_file_name(file);
        if !files.iter().any(|(p, _)| *p == path) {
            bail!(
                "{LIST} does not list {}, which {from} names as its {what}; make the evidence again",
                path.display()
            );
        }
        Ok(path)
    };
    let film_path = part(&manifest.film.file, "film")?;
    let trace_path = part(&manifest.trace.file, "trace")?;
    if let Some(sha) = &manifest.film.sha256 {
        let is = digest_file(&film_path)?;
        outcome.say(
            is.eq_ignore_ascii_case(sha),
            format!(
                "{}: is the film that its manifest names",
                film_path.display()
            ),
            format!(
                "{} is not the film that its manifest names: SHA-256 {is}, not {sha}",
                film_path.display()
            ),
        );
    }
    let shown = trace_path.display().to_string();
    let bytes = std::fs::read(&trace_path).with_context(|| format!("{shown} cannot be read"))?;
    let options = verify::Options {
        interrupt: Some(interrupt::flag()),
        ..verify::Options::default()
    };
    let verified = verify::read_and_verify(&bytes, &shown, &options)?;
    if interrupt::requested() {
        return Ok(());
    }
    let fault = verified
        .report
        .main_fault()
        .map_or(String::new(), |f| f.sentence.clone());
    outcome.say(
        verified.report.is_truthful(),
        format!(
            "{shown}: trace verified, {} events",
            verified.report.counts.events
        ),
        format!("{shown} is not true: {fault}"),
    );
    let trace = trace::read(&bytes, &shown).ok();
    for (path, _) in files.iter().filter(|(p, _)| is_puzzle(p)) {
        let puzzle = input::from_file(path)?.pick(None)?;
        if let Some(trace) = &trace {
            let differs = verify::differs_from(trace, &puzzle);
            // Several films may share a folder, each with its own puzzle.
            if differs.is_none() || stem(path) == stem(manifest_path) {
                outcome.say(
                    differs.is_none(),
                    format!("{}: is the puzzle of {shown}", path.display()),
                    format!("{}: {}", path.display(), differs.unwrap_or_default()),
                );
            }
        }
    }
    let report = examine(
        &Request {
            film: &film_path,
            manifest: Some(manifest_path),
            trace: Some(&trace_path),
            puzzle: None,
            start: None,
            strict: false,
            decoder: Choice::Auto,
            crops: false,
        },
        tone,
    )?;
    if interrupt::requested() {
        return Ok(());
    }
    let film = film_path.display();
    outcome.say(
        report.verdict == Verdict::Match,
        format!(
            "{film}: audited, {} checks on {} frames",
            thousands(report.checks.total),
            thousands(report.frames_checked)
        ),
        format!(
            "{film} does not show what its trace records: {}{}",
            report.findings.first().map_or("", |f| f.message.as_str()),
            match report.findings_total {
                0 | 1 => String::new(),
                n => format!(" (and {} more findings)", n - 1),
            }
        ),
    );
    for (path, _) in files {
        let Some(shipped) = shipped_report(path) else {
            continue;
        };
        if files
            .iter()
            .filter(|(p, _)| ends(p, ".manifest.json"))
            .count()
            > 1
            && stem(path) != stem(manifest_path)
        {
            continue;
        }
        let fresh: Value = serde_json::from_str(&report.to_json()).unwrap_or_default();
        let same = ["verdict", "states", "frames", "frames_checked", "checks"]
            .iter()
            .all(|key| shipped.get(key) == fresh.get(key));
        outcome.say(
            same,
            format!("{}: says what a fresh audit says", path.display()),
            format!(
                "{} does not say what a fresh audit says: its verdict or its counts are others",
                path.display()
            ),
        );
    }
    Ok(())
}

/// The lines of the list: path and checksum.
fn listed(dir: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let list = dir.join(LIST);
    let shown = list.display();
    let text = match std::fs::read_to_string(&list) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            bail!("{shown} does not exist; give the folder of the evidence")
        }
        Err(e) => bail!("{shown} cannot be read: {e}"),
    };
    let mut out = Vec::new();
    for (i, line) in text
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
    {
        let entry = line
            .split_once([' ', '\t'])
            .map(|(sha, name)| (sha, name.trim_start().trim_start_matches('*')))
            .filter(|(sha, name)| {
                sha.len() == 64 && sha.bytes().all(|b| b.is_ascii_hexdigit()) && !name.is_empty()
            });
        let Some((sha, name)) = entry else {
            bail!(
                "{shown}, line {}: not a line of `sha256sum`; make the list again",
                i + 1
            );
        };
        if Path::new(name).is_absolute() {
            bail!(
                "{shown}, line {}: {name} is an absolute path; evidence stays in its folder",
                i + 1
            );
        }
        out.push((dir.join(name), sha.to_string()));
    }
    if out.is_empty() {
        bail!("{shown} lists no file; make the list again");
    }
    Ok(out)
}

fn ends(path: &Path, end: &str) -> bool {
    path.file_name()
        .is_some_and(|n| n.to_string_lossy().ends_with(end))
}

/// The name up to its first dot.
fn stem(path: &Path) -> Option<String> {
    Some(
        path.file_name()?
            .to_string_lossy()
            .split('.')
            .next()?
            .to_string(),
    )
}

fn is_puzzle(path: &Path) -> bool {
    ends(path, ".txt") || ends(path, ".puzzle.json") || ends(path, ".sdk")
}

/// An audit report among the files, parsed.
fn shipped_report(path: &Path) -> Option<Value> {
    if !ends(path, ".json") || std::fs::metadata(path).ok()?.len() > 64 << 20 {
        return None;
    }
    let value: Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    (value.get("format")?.as_str()? == "proofreel-audit").then_some(value)
}
