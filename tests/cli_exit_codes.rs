//! Every exit code of `solve`, `verify`, `show` and `boards`, and what is said with it.
#![cfg(feature = "cli")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    let output = Command::cargo_bin("proofreel")
        .unwrap()
        .current_dir(folder)
        .args(arguments)
        .write_stdin("")
        .output()
        .unwrap();
    Ran {
        code: output
            .status
            .code()
            .expect("ended by itself, not by a signal"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Fails with exit code 2 and one sentence that has all these parts; nothing new is in the folder.
fn refused(folder: &Path, arguments: &[&str], parts: &[&str]) -> String {
    let before = names(folder);
    let ran = run(folder, arguments);
    let said = ran.err.trim_end().to_string();
    assert_eq!(ran.code, 2, "{arguments:?}: {said}");
    assert_eq!(ran.out, "", "{arguments:?}");
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    for part in parts {
        assert!(said.contains(part), "{said}\nlacks {part}");
    }
    assert_eq!(names(folder), before, "{arguments:?}");
    said
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn solve_exits_0_with_a_solution_and_2_without_and_writes_the_trace_either_way() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (puzzle, options, code, status) in [
        ("demo", &[][..], 0, "unique"),
        ("ambiguous", &[], 0, "ambiguous"),
        ("demo", &["--first-only"], 0, "solved"),
        ("impossible", &[], 2, "impossible"),
        ("conflict", &[], 2, "conflict"),
        ("demo", &["--max-nodes", "5"], 2, "incomplete"),
    ] {
        let out = format!("{puzzle}-{status}.json");
        let arguments = [&["solve", puzzle, "--out", &out], options].concat();
        let ran = run(at, &arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.starts_with(&format!("{status}: ")), "{}", ran.out);
        let trace = json(&at.join(&out));
        assert_eq!(trace["status"], status);
        assert_eq!(run(at, &["verify", &out]).code, 0, "{out}");
        assert_eq!(run(at, &["show", &out, "--step", "0"]).code, 0, "{out}");
    }
    let said = run(at, &["solve", "demo", "--max-nodes", "5"]);
    assert!(said.err.contains("give --max-nodes more"), "{}", said.err);
    assert!(!said.out.contains("impossible"), "{}", said.out);
    let quiet = run(at, &["solve", "demo", "--max-nodes", "5", "-q"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn options_of_solve_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    refused(at, &["solve", "demo", "--count", "0"], &["--count 0"]);
    refused(
        at,
        &["solve", "demo", "--count", "2", "--first-only"],
        &["--first-only and --count"],
    );
    refused(
        at,
        &["solve", "demo", "--timeout=-1"],
        &["--timeout -1", "seconds from 0"],
    );
    refused(at, &["solve", "demo", "--timeout=NaN"], &["--timeout NaN"]);
    // What the argument parser itself refuses has its usage after the sentence.
    for arguments in [
        &["solve"][..],
        &["solve", "demo", "--max-nodes", "many"],
        &["solve", "demo", "--zebra"],
        &["verify"],
        &["show"],
        &["zebra"],
    ] {
        let ran = run(at, arguments);
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_named_and_the_temporary_file_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("taken.json"), "mine").unwrap();
    std::fs::write(at.join("puzzle.txt"), "5".to_string() + &".".repeat(80)).unwrap();
    std::fs::create_dir(at.join("folder")).unwrap();
    let long = format!("{}.json", "x".repeat(300));
    for (out, parts) in [
        (
            "nowhere/x.json",
            &[
                "nowhere/x.json",
                "folder nowhere does not exist",
                "create it",
            ][..],
        ),
        ("taken.json/x.json", &["taken.json is not a folder"]),
        ("taken.json", &["taken.json exists already", "--force"]),
        ("folder", &["folder is a folder", "file name"]),
        (&long, &["too long", "shorter"]),
        ("..", &["give"]),
    ] {
        let said = refused(at, &["solve", "demo", "--out", out], parts);
        assert!(!said.contains(".part-"), "{said}");
        assert!(!said.contains("os error"), "{said}");
    }
    let input = ["solve", "puzzle.txt", "--out", "puzzle.txt"];
    refused(at, &input, &["is the input itself"]);
    let forced = [&input[..], &["--force"]].concat();
    refused(at, &forced, &["is the input itself"]);
    assert_eq!(std::fs::read(at.join("taken.json")).unwrap(), b"mine");
    let forced = ["solve", "demo", "--out", "taken.json", "--force", "-q"];
    assert_eq!(run(at, &forced).code, 0);
    assert_eq!(json(&at.join("taken.json"))["status"], "unique");
    std::fs::write(
        at.join("list.txt"),
        format!("{0}\n{0}\n", "5".to_string() + &".".repeat(80)),
    )
    .unwrap();
    refused(
        at,
        &["solve", "list.txt", "--out", "new.json"],
        &["2 puzzles", "--pick"],
    );
}

#[test]
fn verify_exits_0_for_the_truth_1_for_a_lie_and_2_for_what_is_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(
        run(at, &["solve", "backtracking", "--out", "t.json"]).code,
        0
    );
    let right = run(at, &["verify", "t.json"]);
    assert_eq!(right.code, 0, "{}", right.err);
    assert!(right.out.contains("truthful"), "{}", right.out);
    assert_eq!(
        run(at, &["verify", "t.json", "--puzzle", "backtracking"]).code,
        0
    );
    assert_eq!(run(at, &["verify", "t.json", "--puzzle", "demo"]).code, 1);

    // The last value of the search is another one: the event is named.
    let mut trace = json(&at.join("t.json"));
    let events = trace["events"].as_array_mut().unwrap();
    let last = events.iter().rposition(|e| e["kind"] == "assign").unwrap();
    let color = events[last]["color"].as_u64().unwrap();
    events[last]["color"] = (color % 9 + 1).into();
    std::fs::write(at.join("lie.json"), trace.to_string()).unwrap();
    let lie = run(at, &["verify", "lie.json"]);
    assert_eq!(lie.code, 1, "{}", lie.err);
    assert!(lie.out.starts_with("wrong: "), "{}", lie.out);
    assert!(lie.out.contains(&format!("event {last}")), "{}", lie.out);
    let as_json = run(at, &["verify", "lie.json", "--json"]);
    let said: Value = serde_json::from_str(&as_json.out).unwrap();
    assert_eq!(said["first_wrong_event"]["event"], last);

    let whole = std::fs::read_to_string(at.join("t.json")).unwrap();
    std::fs::write(at.join("cut.json"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(at.join("grid.txt"), "5".to_string() + &".".repeat(80)).unwrap();
    std::fs::write(
        at.join("later.json"),
        whole.replacen("\"version\": 1", "\"version\": 2", 1),
    )
    .unwrap();
    std::fs::create_dir(at.join("folder")).unwrap();
    refused(at, &["verify", "cut.json"], &["cut.json", "cut off"]);
    refused(at, &["verify", "grid.txt"], &["grid.txt is no trace"]);
    refused(
        at,
        &["verify", "nowhere.json"],
        &["nowhere.json does not exist"],
    );
    refused(at, &["verify", "folder"], &["folder is a folder"]);
    refused(
        at,
        &["verify", "later.json"],
        &["later.json is a trace of version 2", "version 1"],
    );
    refused(
        at,
        &["verify", "-", "--puzzle", "-"],
        &["standard input cannot be both"],
    );
    refused(at, &["verify", "-"], &["standard input"]);
    refused(at, &["verify", "t.json", "--timeout=-1"], &["--timeout -1"]);
    refused(
        at,
        &["verify", "t.json", "--puzzle", "zebra"],
        &["zebra is neither"],
    );
}

#[test]
fn show_prints_any_step_and_refuses_what_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(
        run(at, &["solve", "backtracking", "--out", "t.json"]).code,
        0
    );
    let events = json(&at.join("t.json"))["events"].as_array().unwrap().len();
    let dead_end = json(&at.join("t.json"))["events"]
        .as_array()
        .unwrap()
        .iter()
        .position(|e| e["kind"] == "dead_end")
        .unwrap();
    let start = run(at, &["show", "t.json", "--step", "0"]);
    assert!(
        start.out.contains("here: the givens alone"),
        "{}",
        start.out
    );
    let step = (dead_end + 1).to_string();
    let dead = run(at, &["show", "t.json", "--step", &step]);
    assert!(dead.out.contains("here: dead end: "), "{}", dead.out);
    assert!(dead.out.contains("next: undo: "), "{}", dead.out);
    let end = run(at, &["show", "t.json"]);
    assert!(end.out.contains("here: solved"), "{}", end.out);
    assert!(end.out.contains("status unique"), "{}", end.out);
    let beyond = (events + 1).to_string();
    refused(
        at,
        &["show", "t.json", "--step", &beyond],
        &[
            &format!("there is no step {beyond}"),
            &format!("0 to {events}"),
        ],
    );
    refused(
        at,
        &["show", "demo"],
        &["demo is a puzzle, not a trace", "solve"],
    );
    refused(
        at,
        &["show", "nowhere.json"],
        &["nowhere.json does not exist"],
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_on_solve_exits_130_with_no_result_line_and_no_file() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let wide = "5".to_string() + &".".repeat(80);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("proofreel"))
        .current_dir(at)
        .args(["solve", &wide, "--out", "t.json", "--timeout", "0"])
        .args(["--count", "1000000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The file on its way shows that the search is about to begin.
    let began = Instant::now();
    while names(at).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(30), "it never began");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("it does not end on Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "");
    assert_eq!(names(at), Vec::<String>::new());
}
