//! `proofreel verify`.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::args::VerifyArgs;
use super::{Exit, Tone, input, interrupt};
use crate::verify::{self, Options, Report, Verdict, Verified};

/// Runs the command.
pub fn run(args: &VerifyArgs, tone: Tone) -> anyhow::Result<Exit> {
    let from_stdin = args.trace.as_os_str() == "-";
    if from_stdin && args.puzzle.as_deref() == Some("-") {
        bail!("standard input cannot be both the trace and the puzzle; give one of them as a file");
    }
    let limit = match args.timeout {
        0.0 => None,
        s => Some(Duration::try_from_secs_f64(s).map_err(|_| {
            anyhow::anyhow!("--timeout {s} is no time; give seconds from 0 (0 for no limit)")
        })?),
    };
    let wanted = args
        .puzzle
        .as_deref()
        .map(|p| input::resolve_argument(p)?.pick(None))
        .transpose()?;
    let shown = if from_stdin {
        "standard input".to_string()
    } else {
        args.trace.display().to_string()
    };
    let bytes = read(&args.trace, from_stdin, &shown)?;
    let began = Instant::now();
    let late = || limit.is_some_and(|limit| began.elapsed() > limit);
    let options = Options {
        max_nodes: u64::MAX,
        stop: Some(&late),
        interrupt: Some(interrupt::flag()),
    };
    let Verified { trace, mut report } = verify::read_and_verify(&bytes, &shown, &options)?;
    if let (Some(trace), Some(puzzle)) = (&trace, &wanted) {
        match verify::differs_from(trace, puzzle) {
            Some(why) => report.add_fault(why),
            None => report
                .proved
                .insert(0, "it is of the given puzzle".to_string()),
        }
    }
    if report.verdict == Verdict::Interrupted || interrupt::requested() {
        return Ok(Exit::Nothing);
    }
    let status = trace.as_ref().map(|t| t.status.name());
    if tone.json {
        println!("{:#}", as_json(&report, status));
    } else {
        print!("{}", as_text(&report, status, &shown, tone));
    }
    Ok(if report.is_truthful() {
        Exit::Done
    } else {
        Exit::Disagrees
    })
}

/// The whole trace file.
fn read(path: &Path, from_stdin: bool, shown: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if from_stdin {
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("standard input cannot be read to its end; is what writes it still there?")?;
        return Ok(bytes);
    }
    if path.is_dir() {
        bail!("{shown} is a folder; name a trace file in it");
    }
    let mut file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow::anyhow!(
            "{shown} does not exist; `proofreel solve PUZZLE --out FILE` writes a trace"
        ),
        std::io::ErrorKind::PermissionDenied => {
            anyhow::anyhow!("{shown} may not be read; change its permissions")
        }
        _ => anyhow::anyhow!("{shown} cannot be opened ({error}); choose another file"),
    })?;
    file.read_to_end(&mut bytes)
        .with_context(|| format!("{shown} cannot be read to its end; is the medium sound?"))?;
    Ok(bytes)
}

/// The verdict first, then what is wrong, proved, not proved.
fn as_text(report: &Report, status: Option<&str>, shown: &str, tone: Tone) -> String {
    let mut text = String::new();
    let mut line = |s: String| {
        text.push_str(&s);
        text.push('\n');
    };
    let counts = &report.counts;
    match report.main_fault() {
        None => line(format!(
            "{}: {shown}, {} ({} events)",
            report.verdict.name(),
            status.unwrap_or("no status"),
            counts.events
        )),
        Some(fault) => line(format!("{}: {}", report.verdict.name(), fault.sentence)),
    }
    if tone.quiet {
        return text;
    }
    if let Some(main) = report.main_fault() {
        for fault in report.faults.iter().filter(|f| *f != main) {
            line(format!("  also wrong: {}", fault.sentence));
        }
        if main.event.is_some() {
            line(format!(
                "  {} of {} events are right before it",
                counts.events_checked, counts.events
            ));
        }
    }
    for proved in &report.proved {
        line(format!("  proved: {proved}"));
    }
    for open in &report.not_proved {
        line(format!("  not proved: {open}"));
    }
    if tone.verbose {
        line(format!(
            "  replayed: {} assignments, {} undos, {} dead ends, greatest depth {}",
            counts.assignments, counts.undos, counts.dead_ends, counts.max_depth
        ));
        line(format!(
            "  own search: {} branches",
            counts.multiplicity_nodes
        ));
    }
    text
}

fn as_json(report: &Report, status: Option<&str>) -> Value {
    let fault = |f: &verify::Fault| {
        json!({
            "event": f.event,
            "cell": f.cell.map(|c| c.to_string()),
            "sentence": f.sentence,
        })
    };
    let c = &report.counts;
    json!({
        "verdict": report.verdict.name(),
        "status": status,
        "first_wrong_event": report.first_wrong_event().map(fault),
        "faults": report.faults.iter().map(fault).collect::<Vec<_>>(),
        "proved": report.proved,
        "not_proved": report.not_proved,
        "counts": {
            "vertices": c.vertices,
            "edges": c.edges,
            "units": c.units,
            "events": c.events,
            "events_checked": c.events_checked,
            "assignments": c.assignments,
            "undos": c.undos,
            "dead_ends": c.dead_ends,
            "max_depth": c.max_depth,
            "multiplicity_nodes": c.multiplicity_nodes,
        },
    })
}
