//! The whole job on the command line: film, audit, forgery, interruption.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Whether ffmpeg is there. In CI it must be.
fn ffmpeg() -> bool {
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

fn proofreel(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs and demands an exit code; returns standard output and standard error.
fn expect(folder: &Path, code: i32, args: &[&str]) -> (String, String) {
    let out = proofreel(folder, args);
    let (o, e) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{o}\n{e}");
    assert!(!e.contains("panicked"), "{e}");
    (o, e)
}

/// All files in a folder, by name.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

const SIZE: &str = "854x480";

fn make(folder: &Path, name: &str, puzzle: &str, more: &[&str]) -> PathBuf {
    let film = folder.join(name);
    let mut args = vec!["film", puzzle, "--size", SIZE, "-o", name];
    args.extend(more);
    expect(folder, 0, &args);
    film
}

#[test]
fn every_encoder_with_every_decoder_gives_a_match() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for encoder in ["ffmpeg", "builtin"] {
        let name = format!("{encoder}.mp4");
        make(
            folder.path(),
            &name,
            "spectrum-diagonal",
            &["--encoder", encoder],
        );
        for decoder in ["ffmpeg", "builtin"] {
            let (said, _) = expect(folder.path(), 0, &["audit", &name, "--decoder", decoder]);
            assert!(said.starts_with("match:"), "{encoder}, {decoder}: {said}");
            assert!(said.contains("none failed"), "{said}");
        }
    }
    // Equal pictures, whoever encodes them.
    let digest = |name: &str| {
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        manifest["rendered_frames"]["digest"]
            .as_str()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        digest("ffmpeg.manifest.json"),
        digest("builtin.manifest.json")
    );
}

#[test]
fn one_cell_painted_over_in_one_state_is_named() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    make(
        folder.path(),
        "true.mp4",
        "spectrum-diagonal",
        &["--encoder", "ffmpeg"],
    );
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("true.manifest.json")).unwrap())
            .unwrap();
    let state = &manifest["states"][4];
    let cell = &manifest["layout"]["cells"][39];
    let r = |i: usize| cell["rect"][i].as_f64().unwrap();
    let draw = format!(
        "drawbox=x={}:y={}:w={}:h={}:color=white:t=fill:enable='between(n,{},{})'",
        r(0),
        r(1),
        r(2),
        r(3),
        state["settled"],
        state["last"]
    );
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-i", "true.mp4", "-vf", &draw])
        .args(["-c:v", "libx264", "-preset", "ultrafast", "-crf", "18"])
        .args(["-color_range", "tv", "-colorspace", "bt709"])
        .args([
            "-color_primaries",
            "bt709",
            "-color_trc",
            "bt709",
            "false.mp4",
        ])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(made.success());
    let args = [
        "audit",
        "false.mp4",
        "--manifest",
        "true.manifest.json",
        "--trace",
        "true.trace.json",
        "--report",
        "report.json",
    ];
    let (said, _) = expect(folder.path(), 1, &args);
    assert!(said.starts_with("mismatch"), "{said}");
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    let named = report["findings"].as_array().unwrap().iter().any(|f| {
        f["cell"] == cell["cell"] && f["what"] == "cell" && f["frame"] == state["settled"]
    });
    assert!(named, "{said}");
}

#[test]
#[ignore = "takes minutes; `cargo test --release -- --ignored` runs it"]
fn dead_ends_and_undos_a_search_without_a_solution_and_a_full_grid_match() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    for (name, puzzle) in [
        ("b.mp4", "backtracking"),
        ("i.mp4", "impossible"),
        ("a.mp4", "ambiguous"),
        ("f.mp4", full),
    ] {
        let seconds = ["--search-seconds", "6", "--audit"];
        make(folder.path(), name, puzzle, &seconds);
    }
    let (_, said) = expect(folder.path(), 2, &["film", "conflict"]);
    assert!(said.contains("contradict"), "{said}");
}

#[test]
#[ignore = "takes minutes; `cargo test --release -- --ignored` runs it"]
fn other_shapes_rates_and_themes_match() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases: [&[&str]; 4] = [
        &["--size", "1080x1920", "--fps", "30"],
        &["--size", "1080x1080", "--fps", "24", "--theme", "light"],
        &[
            "--size", "1280x720", "--fps", "25", "--style", "reveal", "--theme", "light",
        ],
        &["--size", "640x360", "--fps", "50"],
    ];
    for (i, more) in cases.iter().enumerate() {
        let name = format!("{i}.mp4");
        let mut args = vec!["film", "five-step-hue", "-o", &name, "--audit"];
        args.extend(*more);
        expect(folder.path(), 0, &args);
    }
}

#[test]
fn what_exists_is_not_overwritten_and_the_input_never() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.mp4"), "mine").unwrap();
    let (_, said) = expect(folder.path(), 2, &["film", "demo", "-o", "mine.mp4"]);
    assert!(said.contains("--force"), "{said}");
    assert_eq!(
        std::fs::read(folder.path().join("mine.mp4")).unwrap(),
        b"mine"
    );
    expect(
        folder.path(),
        0,
        &["solve", "demo", "--out", "d.trace.json"],
    );
    let before = std::fs::read(folder.path().join("d.trace.json")).unwrap();
    let args = [
        "film",
        "d.trace.json",
        "-o",
        "d.mp4",
        "--force",
        "--size",
        "640x360",
    ];
    let (_, said) = expect(folder.path(), 2, &args);
    assert!(said.contains("input itself"), "{said}");
    assert_eq!(
        std::fs::read(folder.path().join("d.trace.json")).unwrap(),
        before
    );
    assert_eq!(files(folder.path()), ["d.trace.json", "mine.mp4"]);
}

#[test]
fn requests_that_make_no_sense_get_one_sentence_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for (args, word) in [
        (vec!["film", "demo", "--size", "1281x720"], "1282x720"),
        (vec!["film", "demo", "--fps", "61"], "24, 25, 30, 50 or 60"),
        (vec!["film", "demo", "--search-seconds", "0"], "1 to 3600"),
        (vec!["film", "demo", "--font", "none.ttf"], "none.ttf"),
        (vec!["frames", "demo", "--out", "x"], "--states"),
        (
            vec!["frames", "demo", "--out", "x", "--at", "960"],
            "0 to 959",
        ),
        (
            vec!["film", "demo", "--style", "tokens", "--lang", "zh-Hant"],
            "--font",
        ),
        (vec!["film", "nothing.json"], "does not exist"),
    ] {
        let (_, said) = expect(folder.path(), 2, &args);
        assert!(said.contains(word), "{args:?}: {said}");
        assert_eq!(said.trim().lines().count(), 1, "{args:?}: {said}");
    }
    let left: Vec<String> = files(folder.path());
    assert!(left.iter().all(|f| f == "work" || f == "x"), "{left:?}");
}

#[test]
fn ffmpeg_that_is_missing_is_said_before_the_first_frame() {
    let folder = tempfile::tempdir().unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args(["film", "demo", "--encoder", "ffmpeg", "-o", "x.mp4"])
        .current_dir(folder.path())
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("install ffmpeg"), "{said}");
    assert!(files(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_film_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args(["film", "demo", "-o", "x.mp4"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Until it has begun to write: its temporary files are there.
    for _ in 0..600 {
        if !files(folder.path()).is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        files(folder.path()).is_empty(),
        "{:?}",
        files(folder.path())
    );
}

#[test]
fn companions_are_written_where_they_are_asked_for() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let more = [
        "--poster",
        "p.png",
        "--contact-sheet",
        "c.png",
        "--captions",
        "c.vtt",
        "--gif",
        "g.gif",
    ];
    make(folder.path(), "x.mp4", "double-step", &more);
    let captions = std::fs::read_to_string(folder.path().join("c.vtt")).unwrap();
    assert_eq!(captions.matches(" --> ").count(), 9);
    let poster = image::open(folder.path().join("p.png")).unwrap();
    assert_eq!((poster.width(), poster.height()), (854, 480));
    assert!(image::open(folder.path().join("c.png")).is_ok());
    let gif = image::open(folder.path().join("g.gif")).unwrap();
    assert_eq!((gif.width(), gif.height()), (640, 360));
}
