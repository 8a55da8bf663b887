//! What the program says and returns for every kind of input that is no puzzle.
#![cfg(feature = "cli")]

use std::path::Path;

use assert_cmd::Command;

const DEMO: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let output = Command::cargo_bin("proofreel")
        .unwrap()
        .current_dir(folder)
        .args(arguments)
        .write_stdin(input)
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

/// `solve` of this argument fails with one sentence that has all these parts.
fn refused(folder: &Path, arguments: &[&str], input: &[u8], parts: &[&str]) {
    let ran = run(folder, arguments, input);
    let said = ran.err.trim_end();
    assert_eq!(ran.code, 2, "{arguments:?}: {said}");
    assert_eq!(ran.out, "", "{arguments:?}");
    assert!(said.starts_with("error: "), "{said}");
    assert_eq!(said.lines().count(), 1, "one line: {said}");
    assert!(!said.contains("panicked"), "{said}");
    for part in parts {
        assert!(said.contains(part), "{said}\nlacks {part}");
    }
}

#[test]
fn bad_files_are_refused_in_one_sentence_with_name_place_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(DEMO.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let files: &[(&str, &[u8], &[&str])] = &[
        ("empty.txt", b"", &["empty.txt is empty", "81 cells"]),
        (
            "short.txt",
            &DEMO.as_bytes()[..80],
            &["short.txt, line 1, column 81", "80 cells"],
        ),
        (
            "letter.txt",
            b"53007000x",
            &["letter.txt, line 1, column 9", "'x'"],
        ),
        (
            "utf16.txt",
            &utf16,
            &["utf16.txt is UTF-16", "save it as UTF-8"],
        ),
        (
            "wide.txt",
            "53\u{FF10}07".as_bytes(),
            &["line 1, column 3", "U+FF10", "ASCII"],
        ),
        (
            "binary.txt",
            b"53\xC3\x28",
            &["binary.txt, line 1, column 3", "UTF-8"],
        ),
        (
            "film.mp4",
            b"\0\0\0\x20ftypisom\0\0\0\0",
            &["film.mp4 is a film", "audit"],
        ),
        (
            "cut.json",
            b"{\"format_version\": 1,",
            &["cut.json, line 1", "ends too early"],
        ),
        (
            "new.json",
            b"{\"format_version\": 2}",
            &["new.json, format_version", "2"],
        ),
        (
            "regions.json",
            b"{\"format_version\": 1, \"regions\": []}",
            &["regions.json, regions", "not known", "refused"],
        ),
        (
            "rule.json",
            b"{\"format_version\": 1, \"rules\": [{\"type\": \"Windoku\"}]}",
            &["rule.json, rules[0].type", "variant", "meta.type"],
        ),
        (
            "m.json",
            b"{\"format\": \"proofreel-manifest\", \"version\": 1}",
            &["m.json is a manifest"],
        ),
    ];
    for (name, bytes, parts) in files {
        std::fs::write(at.join(name), bytes).unwrap();
        refused(at, &["solve", name], b"", parts);
        refused(at, &["solve", "--puzzle-file", name], b"", parts);
        let parts: Vec<String> = parts
            .iter()
            .map(|p| p.replace(name, "standard input"))
            .collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        refused(at, &["solve", "-"], bytes, &parts);
    }
}

#[test]
fn names_that_are_nothing_are_refused_with_what_was_probably_meant() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("box")).unwrap();
    refused(
        at,
        &["solve", "demmo"],
        b"",
        &["demmo is neither", "demo meant"],
    );
    refused(
        at,
        &["solve", "zebra"],
        b"",
        &["zebra is neither", "proofreel boards"],
    );
    refused(
        at,
        &["solve", "nowhere.txt"],
        b"",
        &["nowhere.txt does not exist"],
    );
    refused(
        at,
        &["solve", "no/where"],
        b"",
        &["no/where does not exist"],
    );
    refused(at, &["solve", "box"], b"", &["box is a folder"]);
    refused(at, &["solve", ""], b"", &["the puzzle text is empty"]);
    refused(
        at,
        &["solve", "--puzzle-file", "demo"],
        b"",
        &["demo does not exist"],
    );
    refused(
        at,
        &["solve", "--puzzle", "demo"],
        b"",
        &["the puzzle text, line 1, column 1"],
    );
    refused(
        at,
        &["solve", &DEMO[..80]],
        b"",
        &["the puzzle text, line 1", "80 cells"],
    );
    refused(at, &["solve", &DEMO.repeat(9)], b"", &["candidates"]);
}

#[test]
fn every_way_to_name_a_puzzle_reaches_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("mine"), DEMO).unwrap();
    let said = run(at, &["solve", "demo"], b"");
    assert_eq!(said.code, 0, "{}", said.err);
    for (arguments, input) in [
        (vec!["solve", "mine"], &b""[..]),
        (vec!["solve", "--puzzle-file", "mine"], b""),
        (vec!["solve", DEMO], b""),
        (vec!["solve", "--puzzle", DEMO], b""),
        (vec!["solve", "-"], DEMO.as_bytes()),
    ] {
        let ran = run(at, &arguments, input);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        assert!(ran.out.contains("unique"), "{arguments:?}: {}", ran.out);
    }
    // A file comes before the bundled puzzle of its name; a folder does not.
    std::fs::write(at.join("demo"), "x").unwrap();
    refused(at, &["solve", "demo"], b"", &["demo, line 1, column 1"]);
    std::fs::remove_file(at.join("demo")).unwrap();
    std::fs::create_dir(at.join("demo")).unwrap();
    assert_eq!(run(at, &["solve", "demo"], b"").code, 0);
}

#[test]
fn a_list_is_solved_whole_and_picked_from_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("list.txt"), format!("{DEMO}\n").repeat(3)).unwrap();
    let all = run(at, &["solve", "list.txt"], b"");
    assert_eq!(all.code, 0, "{}", all.err);
    assert_eq!(all.out.matches("unique").count(), 3, "{}", all.out);
    assert_eq!(run(at, &["solve", "list.txt", "--pick", "3"], b"").code, 0);
    refused(
        at,
        &["solve", "list.txt", "--pick", "4"],
        b"",
        &["3 puzzles", "pick 1 to 3"],
    );
    refused(
        at,
        &["solve", "list.txt", "--pick", "0"],
        b"",
        &["no puzzle 0"],
    );
}

#[test]
fn boards_proves_what_each_bundled_puzzle_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &["boards", "--json"], b"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(said["agrees"], true);
    let solutions = |name: &str| {
        said["boards"]
            .as_array()
            .unwrap()
            .iter()
            .find(|b| b["name"] == name)
            .unwrap()["solutions"]
            .clone()
    };
    assert_eq!(solutions("demo"), 1);
    assert_eq!(solutions("five-step-hue"), 1);
    assert_eq!(solutions("ambiguous"), 2);
    assert_eq!(solutions("impossible"), 0);
    let with_rules = said["boards"].as_array().unwrap().iter().skip(10);
    let unique = with_rules.filter(|b| b["solutions"] == 1 && b["title"] != "");
    assert_eq!(unique.count(), 10, "one for each family of rules");
    let help = run(folder.path(), &["--help"], b"");
    for name in ["demo", "backtracking", "reverse-prism", "masked-twins"] {
        assert!(help.out.contains(name), "{}", help.out);
        assert!(run(folder.path(), &["boards"], b"").out.contains(name));
    }
}

#[test]
fn an_output_that_cannot_be_written_is_named_itself_and_not_its_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("taken.json"), "mine").unwrap();
    for (out, parts) in [
        (
            "no/where/x.json",
            &["no/where/x.json", "the folder no/where does not exist"][..],
        ),
        (
            "taken.json/x.json",
            &["taken.json/x.json", "taken.json is not a folder"],
        ),
        ("taken.json", &["taken.json exists already", "--force"]),
        (".", &[". is a folder"]),
    ] {
        refused(at, &["solve", "demo", "--out", out], b"", parts);
        let ran = run(at, &["solve", "demo", "--out", out], b"");
        assert!(!ran.err.contains(".part-"), "{}", ran.err);
    }
    assert_eq!(std::fs::read(at.join("taken.json")).unwrap(), b"mine");
}

#[test]
fn an_input_is_never_overwritten_not_even_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("mine.txt"), DEMO).unwrap();
    refused(
        at,
        &["solve", "mine.txt", "--out", "./mine.txt", "--force"],
        b"",
        &["mine.txt is the input itself"],
    );
    assert_eq!(std::fs::read(at.join("mine.txt")).unwrap(), DEMO.as_bytes());
}

#[test]
fn solve_returns_0_with_a_solution_and_2_without_and_writes_the_trace_of_both() {
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
        let mut arguments = vec!["solve", puzzle, "--json", "--force", "--out", "t.json"];
        arguments.extend(options);
        let ran = run(at, &arguments, b"");
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        let said: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(said["status"], status);
        let checked = run(at, &["verify", "t.json"], b"");
        assert_eq!(
            checked.code, 0,
            "{arguments:?}: {}{}",
            checked.out, checked.err
        );
    }
}

#[test]
fn verify_and_show_return_0_1_and_2_and_name_the_event_or_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(run(at, &["solve", "demo", "--out", "t.json"], b"").code, 0);
    let text = std::fs::read_to_string(at.join("t.json")).unwrap();
    // A colour of the solution altered: the trace still reads, and is wrong.
    let cut = text.find("\"solution\"").unwrap();
    let altered = text[..cut].to_string() + &text[cut..].replacen("\"r1c3\":4", "\"r1c3\":1", 1);
    assert!(altered != text, "the solution has r1c3 in it");
    std::fs::write(at.join("altered.json"), &altered).unwrap();
    std::fs::write(at.join("cut.json"), &text[..text.len() / 2]).unwrap();
    std::fs::write(at.join("puzzle.txt"), DEMO).unwrap();

    assert_eq!(run(at, &["verify", "t.json"], b"").code, 0);
    let wrong = run(at, &["verify", "altered.json"], b"");
    assert_eq!(wrong.code, 1, "{}{}", wrong.out, wrong.err);
    assert!(format!("{}{}", wrong.out, wrong.err).contains("r1c3"));
    for command in ["verify", "show"] {
        for (file, parts) in [
            ("cut.json", &["cut.json", "line "][..]),
            ("puzzle.txt", &["puzzle.txt"]),
            ("missing.json", &["missing.json"]),
        ] {
            refused(at, &[command, file], b"", parts);
        }
    }
    let shown = run(at, &["show", "t.json", "--step", "3"], b"");
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("saturation"), "{}", shown.out);
    refused(at, &["show", "t.json", "--step", "99999"], b"", &["99999"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_during_a_search_ends_it_with_130_no_result_and_no_file() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("proofreel"))
        .current_dir(at)
        .args(["solve", &".".repeat(81), "--out", "t.json"])
        .args(["--count", "999999999999", "--timeout", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Its temporary file shows that it has begun.
    let began = std::time::Instant::now();
    while std::fs::read_dir(at).unwrap().next().is_none() {
        assert!(began.elapsed().as_secs() < 60, "it never began");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it is still searching");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(output.stdout.is_empty());
    let left: Vec<_> = std::fs::read_dir(at).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
