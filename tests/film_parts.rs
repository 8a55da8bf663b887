//! Films made in parts, by any number of threads.

use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the program in `folder`; its standard error.
fn run(folder: &Path, code: i32, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{said}");
    said
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

fn digest(folder: &Path, name: &str) -> String {
    let manifest: serde_json::Value = serde_json::from_slice(&bytes(folder, name)).unwrap();
    let digest = manifest["rendered_frames"]["digest"].as_str().unwrap();
    digest.to_string()
}

const SMALL: [&str; 4] = ["--size", "640x360", "--fps", "24"];

fn film(folder: &Path, more: &[&str]) {
    let mut args = vec!["film", "double-step"];
    args.extend(SMALL);
    args.extend(more);
    run(folder, 0, &args);
}

#[test]
fn the_same_bytes_from_any_number_of_threads_and_from_parts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    film(here, &["--encoder", "builtin", "-o", "whole.mp4"]);
    for threads in ["1", "3"] {
        std::fs::create_dir(here.join(threads)).unwrap();
        let name = format!("{threads}/whole.mp4");
        film(
            here,
            &["--encoder", "builtin", "--threads", threads, "-o", &name],
        );
        assert!(
            bytes(here, "whole.mp4") == bytes(here, &name),
            "{threads} threads"
        );
    }
    for part in ["3/3", "1/3", "2/3"] {
        film(here, &["--encoder", "builtin", "--segment", part]);
    }
    let [a, b, c] = [1, 2, 3].map(|i| format!("work/double-step.part-{i}-of-3.mp4"));
    std::fs::create_dir(here.join("joined")).unwrap();
    run(here, 0, &["join", &b, &a, &c, "-o", "joined/whole.mp4"]);
    assert!(bytes(here, "whole.mp4") == bytes(here, "joined/whole.mp4"));
    assert_eq!(
        bytes(here, "whole.manifest.json"),
        bytes(here, "joined/whole.manifest.json")
    );

    // A part that was made here before is made again; what is no whole film is not joined.
    film(here, &["--encoder", "builtin", "--segment", "1/3"]);
    let said = run(here, 2, &["audit", &a]);
    assert!(said.contains("part 1 of 3"), "{said}");
    let said = run(here, 2, &["join", &a, &c, "-o", "n.mp4"]);
    assert!(said.contains("part 2 of 3 is missing"), "{said}");
    let said = run(here, 2, &["join", &a, &b, &b, "-o", "n.mp4"]);
    assert!(said.contains("both part 2 of 3"), "{said}");
    let said = run(here, 2, &["join", &a, "whole.mp4", &c, "-o", "n.mp4"]);
    assert!(said.contains("no part of a film"), "{said}");
    film(
        here,
        &[
            "--theme",
            "light",
            "--encoder",
            "builtin",
            "--segment",
            "2/3",
            "-o",
            "b.mp4",
        ],
    );
    let said = run(here, 2, &["join", &a, "b.mp4", &c, "-o", "n.mp4"]);
    assert!(said.contains("not parts of one film"), "{said}");
    assert!(!here.join("n.mp4").exists());
    let mut many = vec![
        "film",
        "double-step",
        "--encoder",
        "builtin",
        "--segment",
        "1/99",
    ];
    many.extend(SMALL);
    let said = run(here, 2, &many);
    assert!(said.contains("take at most as many parts"), "{said}");
}

#[test]
#[ignore = "takes a minute; `cargo test --release -- --ignored` runs it"]
fn parts_that_ffmpeg_made_join_to_the_same_frames() {
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "ffmpeg is needed in CI");
        println!("skipped: there is no ffmpeg");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    film(here, &["--encoder", "ffmpeg", "-o", "whole.mp4"]);
    for part in ["1/2", "2/2"] {
        film(here, &["--encoder", "ffmpeg", "--segment", part]);
    }
    let [a, b] = [1, 2].map(|i| format!("work/double-step.part-{i}-of-2.mp4"));
    run(here, 0, &["join", &a, &b, "-o", "joined.mp4"]);
    assert_eq!(
        digest(here, "whole.manifest.json"),
        digest(here, "joined.manifest.json")
    );
    run(here, 0, &["audit", "joined.mp4", "--strict"]);
}
