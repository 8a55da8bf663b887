//! Films that lie at full size, made from the shipped one by ffmpeg.
//!
//! `cargo test --release --test audit_full_size -- --ignored --nocapture` prints what was told and
//! what the audit said.

mod audit_files;
mod audit_film;

use std::path::Path;
use std::process::Command;

use audit_files::{ffmpeg, proofreel};
use audit_film::Dice;
use proofreel::manifest::{Manifest, RectPx};
use serde_json::Value;

/// Copies the shipped film with `filter` on it.
fn lie(evidence: &Path, filter: &str, to: &Path) {
    let out = Command::new("ffmpeg")
        .args(["-v", "error", "-y", "-nostdin", "-i"])
        .arg(evidence.join("demo.mp4"))
        .args(["-filter_complex", filter, "-map", "[out]"])
        .args(["-c:v", "libx264", "-preset", "ultrafast", "-crf", "18"])
        .args(["-colorspace", "bt709", "-color_range", "tv"])
        .arg(to)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{filter}: {said}");
}

fn drawbox([x, y, w, h]: RectPx, rgb: &str, first: u64, last: u64) -> String {
    format!(
        "[0:v]drawbox=x={x:.0}:y={y:.0}:w={w:.0}:h={h:.0}:color=0x{}:t=fill:\
         enable='between(n,{first},{last})'[out]",
        &rgb[1..]
    )
}

#[test]
#[ignore = "ten minutes: films at full size"]
fn a_dozen_lies_at_full_size_are_caught_and_named() {
    if !ffmpeg() {
        return;
    }
    let evidence = Path::new(env!("CARGO_MANIFEST_DIR")).join("evidence");
    let read = |name: &str| std::fs::read(evidence.join(name)).unwrap();
    let m: Manifest = serde_json::from_slice(&read("demo.manifest.json")).unwrap();
    let trace = proofreel::trace::read(&read("demo.trace.json"), "demo.trace.json").unwrap();
    let solution = trace.solution.clone().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice(12);
    let hold = m.segments.iter().find(|s| s.name == "hold").unwrap().first;
    let mut failures = Vec::new();
    for k in 0..12 {
        let v = dice.roll(81);
        let cell = m.layout.cells[v].cell.clone();
        let state = &m.states[dice.roll(m.states.len())];
        let other = usize::from(solution[v] % 9);
        let rgb = m.palette.colors[other].rgb.clone();
        let (what, filter, words) = match k % 6 {
            0 => (
                "a cell recoloured in one state",
                drawbox(m.layout.cells[v].rect, &rgb, state.settled, state.last),
                format!("cell {cell} "),
            ),
            1 => {
                let p = &m.layout.vertices[v];
                let r = p.radius * 0.7;
                let rect = [p.before[0] - r, p.before[1] - r, 2.0 * r, 2.0 * r];
                (
                    "a vertex recoloured for one frame",
                    drawbox(rect, &rgb, state.last, state.last),
                    format!("vertex {cell} "),
                )
            }
            2 => {
                let n = state.starts;
                (
                    "a frame left out",
                    format!("[0:v]select='not(eq(n,{n}))',setpts=N/60/TB[out]"),
                    format!("frame {n} is missing"),
                )
            }
            3 => {
                let n = state.starts + 1;
                (
                    "a frame doubled",
                    format!("[0:v]loop=loop=1:size=1:start={n},setpts=N/60/TB[out]"),
                    format!("frame {n} is doubled"),
                )
            }
            4 => {
                let from = (0..81)
                    .find(|j| solution[*j] == solution[v] % 9 + 1)
                    .unwrap();
                let [a, b] = [from, v].map(|i| m.layout.cells[i].glyph.unwrap());
                (
                    "a digit exchanged",
                    format!(
                        "[0:v]split[a][b];[b]crop={:.0}:{:.0}:{:.0}:{:.0}[c];[a][c]overlay=\
                         {:.0}:{:.0}:enable='gte(n,{hold})'[out]",
                        a[2], a[3], a[0], a[1], b[0], b[1]
                    ),
                    format!("the digit on cell {cell} should be {}", solution[v]),
                )
            }
            _ => {
                let p = m.layout.vertices[v].after.unwrap();
                let r = m.layout.vertices[v].radius * 0.7;
                let rect = [p[0] - r, p[1] - r, 2.0 * r, 2.0 * r];
                (
                    "a vertex recoloured in the last picture",
                    drawbox(rect, &rgb, hold + 60, m.film.frames),
                    format!("vertex {cell} "),
                )
            }
        };
        let film = folder.path().join("lie.mp4");
        lie(&evidence, &filter, &film);
        let paper = |name: &str| evidence.join(name).display().to_string();
        let (code, _, said) = proofreel(
            folder.path(),
            &[
                "audit",
                "lie.mp4",
                "--manifest",
                &paper("demo.manifest.json"),
                "--trace",
                &paper("demo.trace.json"),
                "--report",
                "report.json",
                "--force",
                "-q",
            ],
        );
        let report: Value = std::fs::read(folder.path().join("report.json"))
            .map_or(Value::Null, |b| serde_json::from_slice(&b).unwrap());
        let all = audit_files::findings(&report);
        let named = all.iter().any(|f| f.contains(&words));
        println!(
            "{what} ({words}): exit {code}, named {named}, {} findings",
            all.len()
        );
        if code != 1 || !named {
            failures.push(format!(
                "{what} ({words}): {code} {said} {:?}",
                all.iter().take(4)
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
