//! Files that are no film, or one that is broken: a clear word, the right exit code, no hang.

mod audit_files;

use std::path::Path;
use std::time::{Duration, Instant};

use audit_files::*;

/// Audits a file that cannot be judged: exit 2, one sentence that names the file and says `word`.
fn refused(folder: &Path, name: &str, word: &str) {
    let begun = Instant::now();
    let (code, _, said) = audit(folder, name, &[]);
    assert_eq!(code, 2, "{name}: {said}");
    assert!(said.contains(name) && said.contains(word), "{name}: {said}");
    assert_eq!(said.trim().lines().count(), 1, "{name}: {said}");
    // Once: an error that quotes its cause is not followed by the cause again.
    assert_eq!(said.matches(name).count(), 1, "{name}: {said}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{name} hangs");
}

#[test]
fn broken_and_odd_files() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let size = [
        "--size",
        "640x360",
        "--fps",
        "24",
        "--style",
        "reveal",
        "--encoder",
        "ffmpeg",
    ];
    make(folder, "double-step", &size);
    let film = std::fs::read(folder.join("source.mp4")).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();

    // Cut off at twenty places, from inside the first box to just before the end.
    for k in 0..20 {
        let at = 20 + (film.len() - 40) * k / 19;
        write("cut.mp4", &film[..at]);
        refused(folder, "cut.mp4", "");
    }
    let mut headless = film.clone();
    let moov = headless.windows(4).position(|w| w == b"moov").unwrap();
    headless[moov..moov + 4].copy_from_slice(b"free");
    write("headless.mp4", &headless);
    refused(folder, "headless.mp4", "");
    write("empty.mp4", b"");
    refused(folder, "empty.mp4", "empty");
    write("text.mp4", b"Not a film at all.\n");
    refused(folder, "text.mp4", "");
    write(
        "picture.mp4",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0",
    );
    refused(folder, "picture.mp4", "PNG");
    refused(folder, "nowhere.mp4", "does not exist");

    assert!(copy(folder, "-map 0:v -map 0:v -c copy", "two.mp4"));
    refused(folder, "two.mp4", "2 video streams");
    assert!(copy(
        folder,
        "-c copy -metadata:s:v rotate=90",
        "turned.mp4"
    ));
    refused(folder, "turned.mp4", "rotated");

    // An edit list that leaves out the beginning is honoured: its frames are missing.
    assert!(copy(folder, "-ss 1 -c copy", "edited.mp4"));
    let (code, report, said) = audit(folder, "edited.mp4", &[]);
    let all = format!("{said}{}", findings(&report).join("\n"));
    assert!(
        code == 1 && all.contains("missing") || code == 2,
        "{code}: {all}"
    );
}

#[test]
fn a_film_carries_its_papers_and_a_copy_without_them_says_which_file_it_needs() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(
        folder,
        "double-step",
        &["--size", "640x360", "--fps", "24", "--encoder", "ffmpeg"],
    );
    let there = folder.join("alone");
    std::fs::create_dir(&there).unwrap();
    std::fs::copy(folder.join("source.mp4"), there.join("film.mp4")).unwrap();
    let (code, said, error) = proofreel(&there, &["audit", "film.mp4"]);
    assert_eq!(code, 0, "{said}{error}");
    assert!(said.starts_with("match"), "{said}");

    let (code, said, error) = proofreel(&there, &["extract", "film.mp4", "--out", "out"]);
    assert_eq!(code, 0, "{error}");
    assert!(
        said.contains("film.trace.json") && said.contains("film.manifest.json"),
        "{said}"
    );
    assert_eq!(
        std::fs::read(there.join("out/film.trace.json")).unwrap(),
        std::fs::read(folder.join("source.trace.json")).unwrap()
    );
    let (code, _, error) = proofreel(&there, &["extract", "film.mp4", "--out", "out"]);
    assert_eq!(code, 2);
    assert!(error.contains("--force"), "{error}");

    assert!(copy(folder, "-c copy -map_metadata -1", "alone/bare.mp4"));
    let (code, _, error) = proofreel(&there, &["audit", "bare.mp4"]);
    assert_eq!(code, 2);
    assert!(
        error.contains("bare.trace.json")
            && error.contains("--trace FILE")
            && error.contains("--manifest FILE"),
        "{error}"
    );
    let (code, _, error) = proofreel(&there, &["extract", "bare.mp4", "--out", "out"]);
    assert_eq!(code, 2);
    assert!(error.contains("carries no trace"), "{error}");
}
