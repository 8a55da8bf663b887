//! `proofreel audit`: finds what belongs to a film, has it audited, prints the verdict.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};

use super::args::{AuditArgs, CodecArg};
use super::assumed::{self, Assumed};
use super::{Exit, Tone, input, interrupt, output, sheet};
use crate::audit::{self, AuditError, Finding, Options, Report, Verdict, What};
use crate::carried::{self, Carried};
use crate::decode;
use crate::encode::Choice;
use crate::manifest::Manifest;
use crate::puzzle::Puzzle;
use crate::trace::{self, Trace};
use crate::verify;

/// Findings printed on a terminal.
const PRINTED: usize = 12;

/// What is to be audited.
pub struct Request<'a> {
    /// The film.
    pub film: &'a Path,
    /// The manifest, where not beside or inside the film.
    pub manifest: Option<&'a Path>,
    /// The trace, where not beside or inside the film.
    pub trace: Option<&'a Path>,
    /// The puzzle that it must be of.
    pub puzzle: Option<&'a Puzzle>,
    /// The film begins here.
    pub start: Option<f64>,
    /// Any difference from the manifest is a mismatch.
    pub strict: bool,
    /// Which decoder.
    pub decoder: Choice,
    /// Whether crops of what failed are kept for a sheet.
    pub crops: bool,
}

/// Runs the command.
pub fn run(args: &AuditArgs, tone: Tone) -> anyhow::Result<Exit> {
    let puzzle = args
        .puzzle
        .as_deref()
        .map(|p| input::resolve_argument(p)?.pick(None))
        .transpose()?;
    let start = args.start.as_deref().map(parse_time).transpose()?;
    let mut inputs: Vec<&Path> = vec![&args.film];
    inputs.extend(args.manifest.as_deref());
    inputs.extend(args.trace.as_deref());
    let report_file = args
        .report
        .as_deref()
        .map(|p| output::Pending::new(p, args.force, &inputs))
        .transpose()?;
    let sheet_file = args
        .sheet
        .as_deref()
        .map(|p| output::Pending::new(p, args.force, &inputs))
        .transpose()?;
    let report = examine(
        &Request {
            film: &args.film,
            manifest: args.manifest.as_deref(),
            trace: args.trace.as_deref(),
            puzzle: puzzle.as_ref(),
            start,
            strict: args.strict,
            decoder: choice(args.decoder),
            crops: args.sheet.is_some(),
        },
        tone,
    )?;
    if interrupt::requested() {
        return Ok(Exit::Nothing);
    }
    if let Some(pending) = report_file {
        write(pending, report.to_json().as_bytes())?;
    }
    match sheet_file {
        Some(pending) if !report.crops.is_empty() => {
            write(pending, &sheet::png(&report.crops)?)?;
        }
        Some(_) if !tone.quiet => {
            eprintln!("nothing failed that could be shown, so no sheet was written");
        }
        _ => {}
    }
    Ok(print(&report, &args.film, tone))
}

/// Prints a report as the tone asks for; the exit that it means.
pub fn print(report: &Report, film: &Path, tone: Tone) -> Exit {
    if tone.json {
        print!("{}", report.to_json());
    } else if tone.quiet {
        let word = match report.verdict {
            Verdict::Match => "match",
            Verdict::Mismatch => "mismatch",
        };
        println!("{word}: {}", film.display());
    } else {
        let limit = if tone.verbose { usize::MAX } else { PRINTED };
        print!("{}", report.summary(&film.display().to_string(), limit));
    }
    match report.verdict {
        Verdict::Match => Exit::Done,
        Verdict::Mismatch => Exit::Disagrees,
    }
}

fn write(pending: output::Pending, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(pending.path(), bytes).with_context(
        || "what the audit found could not be written to its end; is the disk full?",
    )?;
    pending.commit()
}

/// The library's choice for an argument.
pub fn choice(arg: CodecArg) -> Choice {
    match arg {
        CodecArg::Auto => Choice::Auto,
        CodecArg::Ffmpeg => Choice::Ffmpeg,
        CodecArg::Builtin => Choice::Builtin,
    }
}

/// Audits a film with what is given, stands beside it, or is carried inside it.
pub fn examine(request: &Request<'_>, tone: Tone) -> anyhow::Result<Report> {
    let film = request.film;
    let shown = film.display();
    let (source, chosen) = decode::auto(request.decoder, film, request.start)?;
    let info = source.info().clone();
    drop(source);
    if tone.verbose {
        eprintln!("{}", chosen.why);
    }
    let carried = match carried::unpack(&info.tags) {
        Ok(carried) => carried,
        // What is given or lies beside the film may do without what is inside.
        Err(error) if request.manifest.is_some() && request.trace.is_some() => {
            eprintln!("{shown} {error}");
            None
        }
        Err(error) => bail!("{shown} {error}"),
    };
    let papers = Papers::find(request, carried.as_ref())?;
    if tone.verbose {
        eprintln!(
            "manifest: {}; trace: {}",
            papers.manifest_from, papers.trace_from
        );
    }
    let mut options = Options {
        strict: request.strict,
        start: request.start,
        puzzle: request.puzzle,
        trace_sha256: Some(hex(&Sha256::digest(&papers.trace_bytes))),
        film_sha256: Some(digest_file(film)?),
        interrupt: Some(interrupt::flag()),
        crops: request.crops,
        ..Options::default()
    };
    compare_with_carried(&papers, carried.as_ref(), &mut options);
    let bar = indicatif::ProgressBar::new(papers.manifest.film.frames);
    bar.set_style(
        indicatif::ProgressStyle::with_template(
            "audit {bar:40} {pos}/{len} frames, {per_sec}, {eta} left",
        )
        .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()),
    );
    if tone.quiet {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let progress = |done: u64, all: u64| {
        bar.set_length(all);
        bar.set_position(done);
    };
    options.progress = Some(&progress);
    let outcome = match &papers.trace {
        Err(faults) => Ok(audit::unseen(
            &info,
            &papers.manifest,
            faults.clone(),
            &options,
        )),
        Ok(trace) => {
            let mut open =
                || decode::auto(request.decoder, film, request.start).map(|(source, _)| source);
            match &papers.assumed[..] {
                [] => audit::audit(&mut open, &papers.manifest, trace, &options),
                all => any(all, trace, &mut options, &mut open),
            }
        }
    };
    bar.finish_and_clear();
    match outcome {
        Ok(report) => Ok(report),
        Err(AuditError::Manifest(why)) => {
            bail!(
                "{}: the manifest cannot be used: {why}",
                papers.manifest_from
            )
        }
        Err(AuditError::Trace(why)) => bail!("{}: {why}", papers.trace_from),
        Err(AuditError::Refused(why)) => bail!("{shown} is refused: {why}"),
        Err(other) => Err(other.into()),
    }
}

/// Audits a film by each of the manifests that may be its own, until it matches one; else the
/// report with the fewest findings.
fn any(
    all: &[Assumed],
    trace: &Trace,
    options: &mut Options<'_>,
    open: &mut audit::Opener<'_>,
) -> Result<Report, AuditError> {
    let mut best: Option<Report> = None;
    let mut failed = None;
    let given = options.notes.len();
    for assumed in all {
        options.notes.truncate(given);
        options.notes.push(format!(
            "no manifest came with the film; places and times are those that the layout of \
             proofreel {} gives {}",
            env!("CARGO_PKG_VERSION"),
            assumed.words
        ));
        match audit::audit(open, &assumed.manifest, trace, options) {
            Ok(report) => {
                let matches = report.verdict == Verdict::Match;
                if (best.as_ref()).is_none_or(|b| report.findings_total < b.findings_total) {
                    best = Some(report);
                }
                if matches {
                    break;
                }
            }
            Err(error) => failed = Some(error),
        }
    }
    match (best, failed) {
        (Some(report), _) => Ok(report),
        (None, Some(error)) => Err(error),
        (None, None) => Err(AuditError::Manifest("there is none".into())),
    }
}

/// The manifest and the trace, and where they are from.
struct Papers {
    manifest: Manifest,
    /// Where there is no manifest: those that it might have been, the first of them in its place.
    assumed: Vec<Assumed>,
    manifest_from: String,
    trace_bytes: Vec<u8>,
    trace: Result<Trace, Vec<Finding>>,
    trace_from: String,
}

impl Papers {
    fn find(request: &Request<'_>, carried: Option<&Carried>) -> anyhow::Result<Papers> {
        let film = request.film;
        let shown = film.display();
        let beside = |end: &str| {
            let path = film.with_extension(end);
            path.is_file().then_some(path)
        };
        let manifest_path = request
            .manifest
            .map(Path::to_path_buf)
            .or_else(|| beside("manifest.json"));
        let given = match (&manifest_path, carried) {
            (Some(path), _) => Some((read(path, "manifest")?, path.display().to_string())),
            (None, Some(c)) => Some((c.manifest.clone(), format!("the manifest inside {shown}"))),
            (None, None) => None,
        };
        let given = given
            .map(|(bytes, from)| parse_manifest(&bytes, &from).map(|m| (m, from)))
            .transpose()?;
        let named = given
            .as_ref()
            .zip(manifest_path.as_ref())
            .and_then(|((m, _), path)| {
                // A file name only: a manifest must not send its reader anywhere else.
                let name = Path::new(&m.trace.file).file_name()?;
                let path = path.with_file_name(name);
                path.is_file().then_some(path)
            });
        let trace_path: Option<PathBuf> = request
            .trace
            .map(Path::to_path_buf)
            .or(named)
            .or_else(|| beside("trace.json"));
        let (trace_bytes, trace_from) = match (&trace_path, carried) {
            (Some(path), _) => (read(path, "trace")?, path.display().to_string()),
            (None, Some(c)) => (c.trace.clone(), format!("the trace inside {shown}")),
            (None, None) => bail!(
                "{shown} carries neither trace nor manifest, and {} is not there; give the film's \
                 trace with --trace FILE, and its manifest with --manifest FILE if you have it",
                film.with_extension("trace.json").display()
            ),
        };
        let trace = match trace::read(&trace_bytes, &trace_from) {
            Ok(trace) => Ok(trace),
            Err(_) => {
                let options = verify::Options {
                    interrupt: Some(interrupt::flag()),
                    ..verify::Options::default()
                };
                let verified = verify::read_and_verify(&trace_bytes, &trace_from, &options)?;
                Err(verified
                    .report
                    .faults
                    .iter()
                    .map(|f| {
                        Finding::whole(
                            What::Trace,
                            format!("the trace is not true: {}", f.sentence),
                        )
                    })
                    .collect())
            }
        };
        let (manifest, manifest_from, assumed) = match (given, &trace) {
            (Some((manifest, from)), _) => (manifest, from, Vec::new()),
            (None, Ok(trace)) => {
                let sha256 = hex(&Sha256::digest(&trace_bytes));
                let all = assumed::manifests(film, request.decoder, trace, &sha256)?;
                let first = all.first().context("no film of this trace is like it")?;
                (first.manifest.clone(), "the layout's rules".into(), all)
            }
            (None, Err(_)) => bail!(
                "{shown} came without a manifest, and {trace_from} is not true; run `proofreel \
                 verify` on it, or give the film's manifest with --manifest FILE"
            ),
        };
        Ok(Papers {
            manifest,
            assumed,
            manifest_from,
            trace_bytes,
            trace,
            trace_from,
        })
    }
}

/// Reads a manifest; `from` is what messages call it.
pub fn parse_manifest(bytes: &[u8], from: &str) -> anyhow::Result<Manifest> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|e| {
        anyhow::anyhow!(
            "{from} is no usable manifest: {e}; give the manifest that was written with the film"
        )
    })
}

/// Where given files and carried ones differ, that is said; where they contradict each other in
/// what the audit goes by, one of them must be a lie.
fn compare_with_carried(papers: &Papers, carried: Option<&Carried>, options: &mut Options<'_>) {
    let Some(carried) = carried else { return };
    if carried.trace != papers.trace_bytes {
        options.notes.push(format!(
            "{} is not the trace that the film carries inside; the audit goes by the former",
            papers.trace_from
        ));
    }
    let Ok(inside) = parse_manifest(&carried.manifest, "inside") else {
        options
            .notes
            .push("the manifest that the film carries inside cannot be read".into());
        return;
    };
    let outside = &papers.manifest;
    let mut differ = Vec::new();
    let mut part = |name: &str, same: bool| {
        if !same {
            differ.push(name.to_string());
        }
    };
    part("layout", inside.layout == outside.layout);
    part("palette", inside.palette == outside.palette);
    part("segments", inside.segments == outside.segments);
    part("regroup", inside.regroup == outside.regroup);
    part("states", inside.states == outside.states);
    part(
        "film",
        (
            inside.film.width,
            inside.film.height,
            &inside.film.fps,
            inside.film.frames,
        ) == (
            outside.film.width,
            outside.film.height,
            &outside.film.fps,
            outside.film.frames,
        ),
    );
    if !differ.is_empty() {
        options.findings.push(Finding::whole(
            What::Manifest,
            format!(
                "{} contradicts the manifest that the film carries inside, in its {}",
                papers.manifest_from,
                differ.join(", ")
            ),
        ));
    } else if inside.trace != outside.trace
        || inside.rendered_frames != outside.rendered_frames
        || inside.style != outside.style
    {
        options.notes.push(format!(
            "{} differs from the manifest that the film carries inside; the audit goes by the former",
            papers.manifest_from
        ));
    }
}

fn read(path: &Path, what: &str) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    if path.is_dir() {
        bail!("{shown} is a folder; give the {what}'s file");
    }
    std::fs::read(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            anyhow::anyhow!(
                "{shown} does not exist; give the {what} that was written with the film"
            )
        }
        _ => anyhow::anyhow!("{shown} cannot be read ({e}); give another file"),
    })
}

/// SHA-256 of a file in hexadecimal, read in pieces.
pub fn digest_file(path: &Path) -> anyhow::Result<String> {
    use std::io::Read;
    let shown = path.display();
    let mut file =
        std::fs::File::open(path).with_context(|| format!("{shown} cannot be opened"))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n = file
            .read(&mut buffer)
            .with_context(|| format!("{shown} cannot be read to its end"))?;
        if n == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(&buffer[..n]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Seconds, or HH:MM:SS, or MM:SS, each with a fraction.
fn parse_time(text: &str) -> anyhow::Result<f64> {
    let parts: Vec<&str> = text.trim().split(':').collect();
    let mut seconds = 0.0;
    for (i, part) in parts.iter().enumerate() {
        let value: f64 = part
            .parse()
            .ok()
            .filter(|v: &f64| v.is_finite() && *v >= 0.0)
            .filter(|v| parts.len() <= 3 && (i + 1 == parts.len() || v.fract() == 0.0))
            .with_context(|| {
                format!("--start {text} is no time; write seconds, such as 12.5, or HH:MM:SS")
            })?;
        seconds = seconds * 60.0 + value;
    }
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::parse_time;

    #[test]
    fn times_as_people_write_them() {
        for (text, seconds) in [
            ("12.5", 12.5),
            ("0", 0.0),
            ("1:02", 62.0),
            ("01:00:00.25", 3600.25),
        ] {
            assert_eq!(parse_time(text).ok(), Some(seconds), "{text}");
        }
        for bad in ["", "x", "-3", "1:2:3:4", "1.5:00", "nan"] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
