//! Films as files for the tests of the audit: made by this program, copied and spoiled by ffmpeg.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Whether ffmpeg is there. In CI it must be.
pub fn ffmpeg() -> bool {
    let found = Command::new("ffmpeg")
        .arg("-version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    assert!(
        found || std::env::var_os("CI").is_none(),
        "CI has no ffmpeg"
    );
    if !found {
        println!("skipped: there is no ffmpeg");
    }
    found
}

/// Runs this program; exit code, standard output, standard error.
pub fn proofreel(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&out.stderr);
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    (out.status.code().unwrap_or(-1), text(&out.stdout), said)
}

/// Makes `source.mp4` with its papers.
pub fn make(folder: &Path, puzzle: &str, more: &[&str]) {
    let mut args = vec!["film", puzzle, "-o", "source.mp4", "-q"];
    args.extend(more);
    let (code, _, said) = proofreel(folder, &args);
    assert_eq!(code, 0, "{said}");
}

/// Copies `source.mp4` with ffmpeg; `how` are its arguments between input and output. False where
/// this ffmpeg lacks the encoder.
pub fn copy(folder: &Path, how: &str, to: &str) -> bool {
    let out = Command::new("ffmpeg")
        .args(["-v", "error", "-y", "-nostdin", "-i", "source.mp4"])
        .args(how.split_whitespace())
        .arg(to)
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    let lacking = said.contains("Unknown encoder");
    assert!(out.status.success() || lacking, "{how}: {said}");
    !lacking
}

/// Audits a file against the papers of `source.mp4`: exit code, report where there is one, and
/// what was said on standard error.
pub fn audit(folder: &Path, film: &str, more: &[&str]) -> (i32, Value, String) {
    let report = folder.join("report.json");
    let _ = std::fs::remove_file(&report);
    let mut args = vec!["audit", film, "-q"];
    if !more.contains(&"--manifest") {
        args.extend(["--manifest", "source.manifest.json"]);
        args.extend(["--trace", "source.trace.json"]);
    }
    args.extend(["--report", "report.json"]);
    args.extend(more);
    let (code, _, said) = proofreel(folder, &args);
    let report = std::fs::read(report).map_or(Value::Null, |b| serde_json::from_slice(&b).unwrap());
    (code, report, said)
}

/// The messages of a report's findings.
pub fn findings(report: &Value) -> Vec<String> {
    report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|f| f["message"].as_str().map(String::from))
        .collect()
}

/// All notes and differences of a report, as one text.
pub fn remarks(report: &Value) -> String {
    ["notes", "differences"]
        .iter()
        .flat_map(|k| report[*k].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect::<Vec<_>>()
        .join("\n")
}
