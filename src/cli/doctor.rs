//! `proofreel doctor`: what this machine has, what `auto` takes, and whether it works.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;

use super::args::{CodecArg, LangArg, LimitArgs, LookArgs, ThemeArg};
use super::{Exit, Tone, audit, input, interrupt, shoot, shot};
use crate::audit::Verdict;
use crate::decode;
use crate::encode::{self, Choice, Coder, Settings};

/// A full grid: its film has every kind of segment and no search.
const FULL: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// One line of the answer.
struct Finding {
    name: &'static str,
    text: String,
    good: bool,
}

/// Runs the command.
pub fn run(tone: Tone) -> anyhow::Result<Exit> {
    let mut findings = found();
    let quiet = Tone {
        quiet: true,
        verbose: false,
        json: false,
    };
    let folder = tempfile::tempdir()
        .context("a temporary folder cannot be made; set TMPDIR to one that can be written")?;
    let encoders = available(|choice| encode::choose(choice).map(|c| c.coder).ok());
    let decoders = available(|choice| decode::choose(choice).map(|c| c.coder).ok());
    for &encoder in &encoders {
        let film = folder.path().join(format!("{}.mp4", name(encoder)));
        let begun = Instant::now();
        let made = make(&film, encoder, quiet);
        let seconds = begun.elapsed().as_secs_f64();
        findings.push(match &made {
            Ok(bytes) => Finding {
                name: "self-test",
                text: format!(
                    "a tiny film encoded by {} in {seconds:.1} s, {} kB",
                    name(encoder),
                    bytes / 1000
                ),
                good: true,
            },
            Err(error) => Finding {
                name: "self-test",
                text: format!("no film by {}: {error:#}", name(encoder)),
                good: false,
            },
        });
        if made.is_err() {
            continue;
        }
        for &decoder in &decoders {
            if interrupt::requested() {
                return Ok(Exit::Nothing);
            }
            findings.push(check(&film, encoder, decoder, quiet));
        }
    }
    let good = findings.iter().all(|f| f.good);
    print(&findings, good, tone);
    Ok(if good { Exit::Done } else { Exit::Disagrees })
}

fn print(findings: &[Finding], good: bool, tone: Tone) {
    if tone.json {
        let list: Vec<_> = findings
            .iter()
            .map(|f| serde_json::json!({"name": f.name, "text": f.text, "good": f.good}))
            .collect();
        println!("{}", serde_json::json!({"good": good, "findings": list}));
        return;
    }
    for f in findings {
        let mark = if f.good { "ok " } else { "BAD" };
        println!("{mark} {:<10} {}", f.name, f.text);
    }
}

/// What there is.
fn found() -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut say = |name, text: String| {
        findings.push(Finding {
            name,
            text,
            good: true,
        });
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    say("cores", cores.to_string());
    #[cfg(feature = "ffmpeg")]
    match crate::process::Ffmpeg::probe() {
        Ok(ffmpeg) => {
            let with = |has: bool| if has { "with" } else { "without" };
            say(
                "ffmpeg",
                format!(
                    "{}, {} libx264, {} ffprobe",
                    ffmpeg.version,
                    with(ffmpeg.libx264),
                    with(ffmpeg.ffprobe)
                ),
            );
        }
        Err(error) => say("ffmpeg", format!("none: {error}")),
    }
    #[cfg(feature = "builtin")]
    say(
        "built in",
        format!("OpenH264 {}", crate::encode::builtin::version()),
    );
    say(
        "font",
        "DejaVu Sans, built in; replaced by --font FILE or a file in fonts-optional/".to_string(),
    );
    for (name, outcome) in [
        ("encoder", encode::choose(Choice::Auto).map_err(|e| e.0)),
        ("decoder", decode::choose(Choice::Auto).map_err(|e| e.0)),
    ] {
        findings.push(match outcome {
            Ok(chosen) => Finding {
                name,
                text: format!("auto takes {}", chosen.why),
                good: true,
            },
            Err(why) => Finding {
                name,
                text: format!("none: {why}"),
                good: false,
            },
        });
    }
    findings
}

/// The coders that can be chosen, without what stands in the way of the others.
fn available(choose: impl Fn(Choice) -> Option<Coder>) -> Vec<Coder> {
    [Choice::Ffmpeg, Choice::Builtin]
        .into_iter()
        .filter_map(choose)
        .collect()
}

fn name(coder: Coder) -> &'static str {
    match coder {
        Coder::Ffmpeg => "ffmpeg",
        Coder::Builtin => "builtin",
    }
}

/// Makes the tiny film; its size in bytes.
fn make(film: &Path, encoder: Coder, tone: Tone) -> anyhow::Result<u64> {
    let source = input::Input::Puzzles(input::from_text(FULL)?);
    let limits = LimitArgs {
        first_only: true,
        timeout: 20.0,
        max_nodes: None,
        max_events: 1000,
        count: None,
    };
    let shot = shot::shot(source, None, &limits, tone)?;
    let look = LookArgs {
        font: None,
        size: (640, 360),
        fps: 24,
        style: None,
        theme: ThemeArg::Dark,
        lang: LangArg::En,
        search_seconds: 90.0,
        threads: None,
    };
    let order = shoot::Order {
        target: film,
        replace: false,
        settings: Settings::default(),
        encoder: match encoder {
            Coder::Ffmpeg => CodecArg::Ffmpeg,
            Coder::Builtin => CodecArg::Builtin,
        },
        part: None,
        label: "self-test".to_string(),
    };
    Ok(shoot::shoot(&shot, &shot::film(&shot, &look)?, &order, tone)?.bytes)
}

/// Audits the tiny film.
fn check(film: &Path, encoder: Coder, decoder: Coder, tone: Tone) -> Finding {
    let begun = Instant::now();
    let request = audit::Request {
        film,
        manifest: None,
        trace: None,
        puzzle: None,
        start: None,
        strict: true,
        decoder: match decoder {
            Coder::Ffmpeg => Choice::Ffmpeg,
            Coder::Builtin => Choice::Builtin,
        },
        crops: false,
    };
    let outcome = audit::examine(&request, tone);
    let seconds = begun.elapsed().as_secs_f64();
    let pair = format!("{}'s film decoded by {}", name(encoder), name(decoder));
    match outcome {
        Ok(report) => Finding {
            name: "self-test",
            text: match report.verdict {
                Verdict::Match => format!("{pair}: the audit matches, {seconds:.1} s"),
                Verdict::Mismatch => format!("{pair}: the audit does not match"),
            },
            good: report.verdict == Verdict::Match,
        },
        Err(error) => Finding {
            name: "self-test",
            text: format!("{pair}: {error:#}"),
            good: false,
        },
    }
}
