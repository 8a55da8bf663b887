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
    let help = run(folder.path(), &["--help"], b"");
    for name in ["demo", "backtracking", "reverse-prism"] {
        assert!(help.out.contains(name), "{}", help.out);
        assert!(run(folder.path(), &["boards"], b"").out.contains(name));
    }
}
