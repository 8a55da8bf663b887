//! Honest copies of a film match, whatever codec, size and container they are in; copies that
//! differ in more than that are told so.
//!
//! `cargo test --release --test audit_copies -- --nocapture` prints the smallest margin of each;
//! with `--include-ignored` copies of a film at full size are made too (about ten minutes).

mod audit_files;

use audit_files::*;

const TAGS: &str = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";

/// What stands between ffmpeg's input and output, and the copy's name.
fn copies(sizes: &[&str]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut add = |how: String, name: String| out.push((how, name));
    for crf in [18, 23, 28, 32, 35] {
        add(
            format!("-c:v libx264 -preset veryfast -crf {crf}"),
            format!("h264-{crf}.mp4"),
        );
    }
    for crf in [20, 28, 35] {
        add(
            format!("-c:v libx265 -preset ultrafast -x265-params log-level=none -crf {crf}"),
            format!("h265-{crf}.mp4"),
        );
    }
    for crf in [24, 34] {
        add(
            format!("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 0 -crf {crf}"),
            format!("vp9-{crf}.webm"),
        );
    }
    for crf in [28, 40] {
        add(
            format!("-c:v libsvtav1 -preset 10 -crf {crf}"),
            format!("av1-{crf}.mkv"),
        );
    }
    add(
        "-c:v libx264 -preset veryfast -crf 22 -pix_fmt yuv444p".into(),
        "444.mp4".into(),
    );
    add(
        "-c:v libx264 -preset veryfast -crf 22 -pix_fmt yuv422p".into(),
        "422.mkv".into(),
    );
    add(
        "-c:v libx264 -preset veryfast -crf 22 -pix_fmt yuv420p10le".into(),
        "10bit.mp4".into(),
    );
    add(
        "-c:v libx265 -preset ultrafast -x265-params log-level=none -crf 24 -pix_fmt yuv420p10le"
            .into(),
        "h265-10bit.mkv".into(),
    );
    add("-c copy".into(), "remux.mkv".into());
    add("-c copy".into(), "remux.mov".into());
    add(
        "-c:v libx264 -preset ultrafast -qp 0".into(),
        "lossless.mkv".into(),
    );
    for size in sizes {
        let scale = format!("-vf scale={size}:flags=bicubic");
        for crf in [20, 30] {
            add(
                format!("{scale} -c:v libx264 -preset veryfast -crf {crf}"),
                format!("h264-{size}-{crf}.mp4"),
            );
        }
        add(
            format!("{scale} -c:v libx265 -preset ultrafast -x265-params log-level=none -crf 26"),
            format!("h265-{size}.mp4"),
        );
        add(
            format!("{scale} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 0 -crf 28"),
            format!("vp9-{size}.webm"),
        );
        add(
            format!("{scale} -c:v libsvtav1 -preset 10 -crf 30"),
            format!("av1-{size}.mp4"),
        );
    }
    // Half the frames: 0, 2, 4, …
    for crf in [20, 30] {
        add(
            format!("-vf fps={{half}} -c:v libx264 -preset veryfast -crf {crf}"),
            format!("half-{crf}.mp4"),
        );
    }
    add(
        "-vf fps={half} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 0 -crf 28".into(),
        "half.webm".into(),
    );
    out
}

/// Every copy of the film matches; the last number is the fewest that must have been made.
fn all_match(
    puzzle: &str,
    film: &[&str],
    half: &str,
    sizes: &[&str],
    only: &[&str],
    fewest: usize,
) {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(folder, puzzle, film);
    let (mut made, mut wrong) = (0, Vec::new());
    for (how, name) in copies(sizes) {
        if !only.is_empty() && !only.iter().any(|o| name.starts_with(o)) {
            continue;
        }
        let how = format!(
            "{} {TAGS} -map_metadata -1 -threads 2",
            how.replace("{half}", half)
        );
        if !copy(folder, &how, &name) {
            println!("{name}: this ffmpeg has no such encoder");
            continue;
        }
        made += 1;
        let (code, report, said) = audit(folder, &name, &[]);
        println!(
            "{name}: worst difference {:.1}, smallest margin {:.1}, edges {} ({} not assessable)",
            report["worst_delta"]["distance"].as_f64().unwrap_or(-1.0),
            report["smallest_margin"]["distance"]
                .as_f64()
                .unwrap_or(-1.0),
            report["edges"]["checked"],
            report["edges"]["not_assessable"],
        );
        if code != 0 {
            wrong.push(format!("{name}: {code} {said} {:?}", findings(&report)));
        } else if !remarks(&report).contains("its SHA-256 is not the manifest's") {
            wrong.push(format!("{name}: not called a copy"));
        }
        std::fs::remove_file(folder.join(&name)).unwrap();
    }
    println!("{made} copies, {} false alarms", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(made >= fewest, "only {made} copies could be made");
}

const SMALL: [&str; 8] = [
    "--size",
    "854x480",
    "--fps",
    "24",
    "--style",
    "reveal",
    "--encoder",
    "ffmpeg",
];
const TINY: [&str; 8] = [
    "--size",
    "640x360",
    "--fps",
    "24",
    "--style",
    "reveal",
    "--encoder",
    "ffmpeg",
];
const MIDDLE: [&str; 8] = [
    "--size",
    "1280x720",
    "--fps",
    "30",
    "--style",
    "reveal",
    "--encoder",
    "ffmpeg",
];

#[test]
fn honest_copies_match() {
    // One of each codec and container, and some of the rest.
    let few = [
        "h264-18",
        "h264-28",
        "h264-35",
        "h265-20",
        "vp9-34",
        "av1-40",
        "444",
        "10bit",
        "remux.mkv",
        "h264-640x360-20",
        "half-20",
    ];
    all_match("double-step", &SMALL, "12", &["640x360"], &few, 11);
}

#[test]
#[ignore = "four minutes: copies of a film of middle size"]
fn honest_copies_of_a_film_of_middle_size_match() {
    all_match(
        "double-step",
        &MIDDLE,
        "15",
        &["960x540", "854x480"],
        &[],
        30,
    );
}

#[test]
#[ignore = "ten minutes: copies of a film at full size"]
fn honest_copies_of_a_film_at_full_size_match() {
    all_match(
        "demo",
        &["--encoder", "ffmpeg"],
        "30",
        &["1920x1080", "1280x720", "854x480"],
        &[],
        30,
    );
}

#[test]
fn copies_that_differ_in_more_than_their_coding_are_told_so() {
    if !ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    make(folder, "double-step", &TINY);
    let x264 = "-c:v libx264 -preset veryfast -crf 20 -threads 2";
    // What is done, the exit code, and a word that must be said in findings or on standard error.
    let cases = [
        ("letterboxed", "-vf scale=560:316,pad=640:360:40:22".to_string(), TAGS, 2, "letterboxed"),
        ("cropped", "-vf crop=600:338,scale=640:360".into(), TAGS, 2, "cropped"),
        ("other shape", "-vf crop=640:320".into(), TAGS, 2, "cropped"),
        ("601 pixels", "-vf scale=out_color_matrix=bt601,setparams=colorspace=bt709".into(), TAGS, 1, "BT.601"),
        ("full range pixels", "-vf scale=out_range=full,setparams=range=tv".into(), TAGS, 1, "full range"),
        (
            "untagged",
            "-bsf:v h264_metadata=matrix_coefficients=2:colour_primaries=2:transfer_characteristics=2 -vf setparams=colorspace=unknown:color_primaries=unknown:color_trc=unknown".into(),
            "",
            1,
            "untagged",
        ),
        ("variable", "-vf select='not(between(n,80,82))' -vsync vfr".into(), TAGS, 1, "variable"),
    ];
    for (name, how, tags, code, word) in cases {
        assert!(copy(
            folder,
            &format!("{how} {x264} {tags} -map_metadata -1"),
            "copy.mp4"
        ));
        let (is, report, said) = audit(folder, "copy.mp4", &[]);
        let all = format!("{said}{}", findings(&report).join("\n"));
        assert_eq!(is, code, "{name}: {all}");
        assert!(all.contains(word), "{name}: {all}");
    }
    // Sound is a note, and only a strict audit minds a copy.
    assert!(copy(
        folder,
        &format!("-f lavfi -i sine=duration=9 -map 0:v -map 1:a {x264} {TAGS} -c:a aac"),
        "copy.mp4"
    ));
    let (code, report, said) = audit(folder, "copy.mp4", &[]);
    assert_eq!(code, 0, "{said} {:?}", findings(&report));
    assert!(remarks(&report).contains("sound"), "{}", remarks(&report));
    let (code, report, _) = audit(folder, "copy.mp4", &["--strict"]);
    assert_eq!(code, 1);
    assert!(findings(&report).iter().all(|f| f.starts_with("strict: ")));
}
