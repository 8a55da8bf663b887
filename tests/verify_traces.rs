//! The verifier on what the solver writes, on damaged files, and as a command.

mod verify_support;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use proofreel::puzzle::{self, Puzzle, bundled};
use proofreel::solve::{Limits, solve};
use proofreel::trace::{self, Event, Status, Trace};
use proofreel::verify::{Options, Verdict, read_and_verify, verify};
use verify_support::Dice;

fn solved(name: &str) -> Trace {
    let found = bundled::find(name).expect("a bundled puzzle");
    solve(&found.read().expect("readable"), &Limits::default()).trace
}

fn as_bytes(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    trace::write(trace, &mut bytes).expect("written to memory");
    bytes
}

fn as_text(trace: &Trace) -> String {
    String::from_utf8(as_bytes(trace)).expect("UTF-8")
}

/// The shared cases, as (name, status expected, puzzle), where they are at hand.
fn cases() -> Option<Vec<(String, String, Puzzle)>> {
    let folder = std::env::var_os("PROOFREEL_CASES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cases"),
        PathBuf::from,
    );
    let Ok(bytes) = std::fs::read(folder.join("puzzles.json")) else {
        eprintln!("skipped: no puzzles.json in {}", folder.display());
        return None;
    };
    let list: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let word = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_string();
    let mut cases = Vec::new();
    for case in list.as_array().expect("a list") {
        let name = word(&case["name"]);
        let text = case["puzzle"].to_string();
        match puzzle::read(text.as_bytes(), &name) {
            Ok(mut puzzles) => {
                cases.push((name, word(&case["expect"]["status"]), puzzles.remove(0)));
            }
            Err(why) => assert_eq!(case["expect"]["or_refused"], true, "{name}: {why}"),
        }
    }
    Some(cases)
}

#[test]
fn every_bundled_puzzle_gets_a_truthful_trace_that_survives_its_file() {
    for board in bundled::ALL {
        let trace = solved(board.name);
        let verified = read_and_verify(&as_bytes(&trace), board.name, &Options::default())
            .expect("a readable trace");
        assert!(
            verified.report.is_truthful(),
            "{}: {:?}",
            board.name,
            verified.report.faults
        );
        let read = verified.trace.expect("readable");
        assert!(
            same_story(&read, &trace),
            "{} tells another story",
            board.name
        );
    }
}

#[test]
fn every_case_gets_a_truthful_trace_whose_multiplicity_is_proved_where_it_is_classic() {
    let Some(cases) = cases() else { return };
    let limits = Limits {
        max_nodes: Some(20_000_000),
        ..Limits::default()
    };
    let (mut proved, mut slowest) = (0, (Duration::ZERO, String::new()));
    for (name, status, puzzle) in &cases {
        if puzzle
            .rules
            .iter()
            .any(|r| !matches!(r, proofreel::puzzle::Rule::House { .. }))
        {
            continue;
        }
        let trace = solve(puzzle, &limits).trace;
        assert_eq!(trace.status.name(), status, "{name}");
        let began = Instant::now();
        let report = verify(&trace, &Options::default());
        let took = began.elapsed();
        if took > slowest.0 {
            slowest = (took, format!("{name}, {} events", trace.events.len()));
        }
        assert!(report.is_truthful(), "{name}: {:?}", report.faults);
        let unsettled = report
            .not_proved
            .iter()
            .any(|n| n.contains("did not settle"));
        assert!(!unsettled, "{name}: {:?}", report.not_proved);
        proved += 1;
    }
    println!("{proved} classic cases truthful and proved; slowest {slowest:?}");
    assert!(proved > 40);
}

#[test]
fn variant_cases_get_truthful_traces_as_far_as_they_are_solved() {
    let Some(cases) = cases() else { return };
    let limits = Limits {
        max_nodes: Some(20_000),
        ..Limits::default()
    };
    let options = Options {
        max_nodes: 300,
        ..Options::default()
    };
    for (name, _, puzzle) in &cases {
        if puzzle
            .rules
            .iter()
            .all(|r| matches!(r, proofreel::puzzle::Rule::House { .. }))
        {
            continue;
        }
        let began = Instant::now();
        let trace = solve(puzzle, &limits).trace;
        let solving = began.elapsed();
        let report = verify(&trace, &options);
        println!(
            "{name}: {} with {} events; solved in {solving:?}, verified in {:?}; not proved: {:?}",
            trace.status.name(),
            trace.events.len(),
            began.elapsed() - solving,
            report.not_proved
        );
        assert!(report.is_truthful(), "{name}: {:?}", report.faults);
    }
}

/// Classic puzzles whose searches are long; how long depends on how they are turned.
const LONG: [&str; 4] = [
    ".5.........8.5.1..4..9....2...7..23.....49..77........2..3....9..6.......1...6.8.",
    "...5...4.3...1...66...2...1....8.62....3.1..88.........9.........71.....1...3.8.2",
    "..5...4.8...9.6...........216.....7.....4...5.3...9...7....1.3...2.8.............",
    "....1........2.....9.....3...4...........6.5.8.1.....7.....9..4..2.....8.6.5.3...",
];

/// A true trace of 100,000 recorded events, the search itself longer.
fn long_trace() -> Trace {
    let limits = Limits {
        first_only: true,
        max_nodes: Some(3_000_000),
        ..Limits::default()
    };
    for text in LONG {
        for turn in 0..8 {
            let turned: String = (0..81)
                .map(|i| {
                    let (mut r, mut c) = (i / 9, i % 9);
                    if turn & 1 != 0 {
                        r = 8 - r;
                    }
                    if turn & 2 != 0 {
                        c = 8 - c;
                    }
                    if turn & 4 != 0 {
                        (r, c) = (c, r);
                    }
                    char::from(text.as_bytes()[r * 9 + c])
                })
                .collect();
            let trace = solve(&verify_support::classic(&turned), &limits).trace;
            if trace.events.len() == 100_000 {
                return trace;
            }
        }
    }
    panic!("none of the puzzles has so long a search");
}

#[test]
fn a_hundred_thousand_events_are_replayed_in_bounded_time() {
    let mut trace = long_trace();
    let began = Instant::now();
    let report = verify(&trace, &Options::default());
    let took = began.elapsed();
    assert!(report.is_truthful(), "{:?}", report.faults);
    println!("100000 events verified in {took:?}");
    assert!(
        took < Duration::from_secs(8),
        "{took:?}; in release it is far below 2 s"
    );
    // A truncated trace proves its own events and no total.
    assert!(!trace.trace_complete);
    assert!(report.not_proved.iter().any(|n| n.contains("totals")));
    let bytes = as_bytes(&trace);
    let began = Instant::now();
    let read = trace::read(&bytes, "long").expect("readable");
    println!("{} bytes read in {:?}", bytes.len(), began.elapsed());
    assert_eq!(read, trace);
    // The very last event altered is found, and named.
    let last = trace.events.len() - 1;
    trace.events[last] = match trace.events[last] {
        Event::Assign {
            vertex,
            color,
            saturation,
            legal,
        } => Event::Assign {
            vertex,
            color,
            saturation: saturation + 1,
            legal,
        },
        Event::Undo { vertex, color } => Event::Undo {
            vertex,
            color: color % 9 + 1,
        },
        Event::DeadEnd { vertex, .. } => Event::DeadEnd {
            vertex: (vertex + 1) % 81,
            rule: None,
        },
        Event::Solved => Event::DeadEnd {
            vertex: 0,
            rule: None,
        },
    };
    let report = verify(&trace, &Options::default());
    assert_eq!(report.first_wrong_event().and_then(|f| f.event), Some(last));
}

/// A vertex that was chosen but not coloured when the limit struck was counted in `max_depth`.
#[test]
fn a_search_that_a_limit_stops_anywhere_leaves_a_truthful_trace() {
    for name in ["demo", "backtracking", "impossible"] {
        let puzzle = bundled::find(name)
            .expect("there")
            .read()
            .expect("readable");
        for max_nodes in 0..90 {
            for max_events in [usize::MAX, 0, 1, 20] {
                let limits = Limits {
                    max_nodes: Some(max_nodes),
                    max_events,
                    ..Limits::default()
                };
                let trace = solve(&puzzle, &limits).trace;
                let report = verify(&trace, &Options::default());
                assert!(
                    report.is_truthful(),
                    "{name}, {max_nodes} nodes, {max_events} events: {:?}",
                    report.faults
                );
            }
        }
    }
}

/// Compares what is proved of two traces.
fn same_story(a: &Trace, b: &Trace) -> bool {
    let told = |t: &Trace| {
        let mut t = t.clone();
        t.stats.uniqueness_nodes = None;
        t.puzzle.meta = Default::default();
        t.puzzle.style = serde_json::Value::Null;
        t.puzzle.decorations = serde_json::Value::Null;
        t
    };
    told(a) == told(b)
}

/// A file in which a few bytes were changed either tells the same story or is found out.
#[test]
fn every_damaged_file_is_refused_or_found_wrong() {
    let mut dice = Dice(0xF11E);
    let alphabet = b"0123456789{}[]\",:rc. -tfnullegadeo\n\xff\xc3";
    let (mut made, mut caught, mut same) = (0, 0, 0);
    for name in [
        "demo",
        "backtracking",
        "ambiguous",
        "impossible",
        "conflict",
    ] {
        let original = solved(name);
        let bytes = as_bytes(&original);
        for _ in 0..400 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + dice.below(2) {
                let i = dice.below(damaged.len());
                match dice.below(6) {
                    0 => drop(damaged.remove(i)),
                    1 => damaged.insert(i, alphabet[dice.below(alphabet.len())]),
                    2 => {
                        // A whole line lost.
                        let end = damaged[i..].iter().position(|b| *b == b'\n');
                        damaged.drain(i..end.map_or(i + 1, |e| i + e));
                    }
                    3 => {
                        let j = dice.below(damaged.len());
                        damaged.swap(i, j);
                    }
                    _ => damaged[i] = alphabet[dice.below(alphabet.len())],
                }
            }
            let verified = read_and_verify(&damaged, name, &Options::default());
            if let Ok(v) = &verified
                && v.trace.as_ref().is_some_and(|t| same_story(t, &original))
            {
                same += 1;
                continue;
            }
            made += 1;
            match verified {
                Err(_) => caught += 1,
                Ok(v) if v.report.verdict == Verdict::Wrong => caught += 1,
                Ok(v) => {
                    let t = v.trace.expect("truthful, so there");
                    panic!("{name}: accepted as {:?} with {:?}", t.status, t.stats);
                }
            }
        }
    }
    println!("{made} damaged files made, {caught} caught ({same} more told the same story)");
    assert_eq!(made, caught);
    assert!(made > 1_000);
}

#[test]
fn a_puzzle_within_a_trace_is_not_taken_on_trust() {
    let trace = solved("demo");
    let own = bundled::find("demo")
        .expect("demo")
        .read()
        .expect("readable");
    assert_eq!(proofreel::verify::differs_from(&trace, &own), None);
    let other = bundled::find("backtracking")
        .expect("there")
        .read()
        .expect("readable");
    let why = proofreel::verify::differs_from(&trace, &other).expect("another puzzle");
    assert!(why.contains("another puzzle"), "{why}");
}

#[test]
fn an_interrupt_gives_no_verdict() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let options = Options {
        interrupt: Some(&stop),
        ..Options::default()
    };
    assert_eq!(
        verify(&solved("demo"), &options).verdict,
        Verdict::Interrupted
    );
}

/// Runs `proofreel verify`, gives exit code, standard output, standard error.
fn run(args: &[&str], stdin: &[u8]) -> (i32, String, String) {
    let out = Command::cargo_bin("proofreel")
        .expect("built")
        .arg("verify")
        .args(args)
        .write_stdin(stdin.to_vec())
        .output()
        .expect("ran");
    (
        out.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&out.stdout).into_owned(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    )
}

#[test]
fn the_command_says_truthful_wrong_or_unreadable() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("written");
        path.display().to_string()
    };
    let demo = as_text(&solved("demo"));
    let good = file("good.json", demo.as_bytes());

    let (code, out, err) = run(&[&good], b"");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("truthful: "), "{out}");
    assert!(out.contains("exactly one solution"), "{out}");
    assert!(out.contains("810 edges"), "{out}");

    let (code, out, _) = run(&["-"], demo.as_bytes());
    assert_eq!(code, 0, "{out}");
    let (code, out, _) = run(&[&good, "--puzzle", "demo"], b"");
    assert_eq!(code, 0, "{out}");
    let (code, out, _) = run(&[&good, "--puzzle", "backtracking"], b"");
    assert_eq!(code, 1, "{out}");
    assert!(
        out.starts_with("wrong: the trace is of another puzzle"),
        "{out}"
    );

    let (code, out, _) = run(&["--json", &good], b"");
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["verdict"], "truthful");
    assert_eq!(json["counts"]["assignments"], 51);
    assert!(json["first_wrong_event"].is_null());

    // The last digit tried is left wrong in the record.
    let at = demo.rfind("\"color\": ").expect("an assignment") + 9;
    let mut bad = demo.clone().into_bytes();
    bad[at] = if bad[at] == b'9' { b'1' } else { bad[at] + 1 };
    let bad = file("bad.json", &bad);
    let (code, out, err) = run(&[&bad], b"");
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.starts_with("wrong: event 50 (assign "), "{out}");
    assert!(out.contains(" already"), "{out}");
    let (code, out, _) = run(&["--json", &bad], b"");
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["first_wrong_event"]["event"], 50);

    // An event that is none is wrong, not unreadable.
    let odd = demo.replacen("\"kind\": \"assign\"", "\"kind\": \"paint\"", 1);
    let (code, out, _) = run(&[&file("odd.json", odd.as_bytes())], b"");
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("wrong: event 0: "), "{out}");

    let unreadable = [
        (file("empty.json", b""), "empty"),
        (
            file("cut.json", &demo.as_bytes()[..demo.len() / 2]),
            "cut off",
        ),
        (file("text.json", DEMO_TEXT.as_bytes()), "no trace"),
        (
            file(
                "later.json",
                demo.replacen("\"version\": 1", "\"version\": 2", 1)
                    .as_bytes(),
            ),
            "version 2",
        ),
        (
            folder.path().join("missing.json").display().to_string(),
            "does not exist",
        ),
        (folder.path().display().to_string(), "is a folder"),
    ];
    for (path, word) in &unreadable {
        let (code, out, err) = run(&[path], b"");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.starts_with("error: ") && err.contains(word), "{err}");
        assert_eq!(err.trim_end().lines().count(), 1, "one sentence: {err}");
    }
    let (code, _, err) = run(&[&good, "--timeout", "-1"], b"");
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = run(&["-", "--puzzle", "-"], b"");
    assert_eq!(code, 2, "{err}");
}

const DEMO_TEXT: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

#[test]
fn traces_of_every_verdict_are_accepted_by_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["backtracking", "ambiguous", "impossible", "conflict"] {
        let trace = solved(name);
        let path = folder.path().join(name);
        std::fs::write(&path, as_bytes(&trace)).expect("written");
        let (code, out, err) = run(&[&path.display().to_string()], b"");
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains(trace.status.name()), "{out}");
    }
    assert_eq!(solved("impossible").status, Status::Impossible);
}
