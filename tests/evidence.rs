//! The evidence that is shipped holds, and evidence that was tampered with does not.

use std::path::Path;
use std::process::{Command, Stdio};

const HERE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/evidence");

fn check(folder: &Path) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .arg("check")
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        out.status.code().unwrap_or(-1),
        text(&out.stdout),
        text(&out.stderr),
    )
}

#[test]
fn the_shipped_evidence_holds() {
    let (code, said, error) = check(Path::new(HERE));
    assert_eq!(code, 0, "{said}{error}");
    assert!(said.starts_with("match: all 10 checks"), "{said}");
    assert!(said.contains("155,520 checks on 960 frames"), "{said}");
    let film = std::fs::metadata(Path::new(HERE).join("demo.mp4")).unwrap();
    assert!(film.len() <= 8_000_000, "{} bytes", film.len());
}

#[test]
fn evidence_that_was_tampered_with_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for entry in std::fs::read_dir(HERE).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    // Another colour in one event: neither the checksum nor the trace holds, and no film is looked
    // at with such a trace.
    let trace = folder.join("demo.trace.json");
    let true_trace = std::fs::read_to_string(&trace).unwrap();
    let at = true_trace.find("\"color\":").unwrap() + 8;
    let digit = at + true_trace[at..].find(|c: char| c.is_ascii_digit()).unwrap();
    let other = if &true_trace[digit..=digit] == "1" {
        "2"
    } else {
        "1"
    };
    let mut lie = true_trace.clone();
    lie.replace_range(digit..=digit, other);
    std::fs::write(&trace, lie).unwrap();
    let (code, said, error) = check(folder);
    assert_eq!(code, 1, "{said}{error}");
    assert!(said.contains("demo.trace.json is not the file"), "{said}");
    assert!(said.contains("is not true"), "{said}");

    std::fs::remove_file(&trace).unwrap();
    let (code, _, error) = check(folder);
    assert_eq!(code, 2);
    assert!(error.contains("demo.trace.json"), "{error}");
    std::fs::write(folder.join("MANIFEST.sha256"), "nonsense\n").unwrap();
    let (code, _, error) = check(folder);
    assert_eq!(code, 2);
    assert!(error.contains("line 1"), "{error}");
}
