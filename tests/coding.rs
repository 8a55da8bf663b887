//! Pictures into films and back, by every encoder and decoder that is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use proofreel::encode::ffmpeg::FfmpegSink;
use proofreel::encode::{Chapter, FrameSink, Metadata, Settings, VideoSpec};
use proofreel::picture::Yuv420;

/// Whether ffmpeg is there; where it is not, tests that need it say that they were skipped, and
/// fail in CI.
fn ffmpeg() -> bool {
    let there = Command::new("ffmpeg").arg("-version").output().is_ok();
    if !there {
        assert!(std::env::var_os("CI").is_none(), "ffmpeg is needed in CI");
        eprintln!("skipped: ffmpeg is not installed");
    }
    there
}

fn spec(frames: u64, keyframes: &[u64]) -> VideoSpec {
    VideoSpec {
        width: 640,
        height: 360,
        fps: 60,
        frames,
        keyframes: keyframes.to_vec(),
    }
}

/// A flat picture.
fn flat((y, u, v): (u8, u8, u8)) -> Yuv420 {
    let mut p = Yuv420::new(640, 360);
    let [py, pu, pv] = p.planes_mut();
    py.fill(y);
    pu.fill(u);
    pv.fill(v);
    p
}

/// The colour of frame `n`: every one differs from its neighbours.
fn tint(n: u64) -> (u8, u8, u8) {
    let n = n as u32;
    (
        (40 + n * 37 % 170) as u8,
        (60 + n * 53 % 130) as u8,
        (60 + n * 29 % 130) as u8,
    )
}

fn encode(path: &Path, spec: &VideoSpec, metadata: &Metadata) {
    let mut sink = FfmpegSink::open(path, spec, &Settings::default()).expect("ffmpeg starts");
    for n in 0..spec.frames {
        sink.write(&flat(tint(n))).expect("ffmpeg takes a picture");
    }
    Box::new(sink)
        .finish(metadata)
        .expect("the film is finished");
}

fn ffprobe(path: &Path, entries: &str) -> String {
    let out = Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", entries])
        .args(["-of", "default=nw=1"])
        .arg(path)
        .output()
        .expect("ffprobe runs");
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn tags_durations_and_index_are_right_after_the_last_step() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("film.mp4");
    // 61 frames do not last a whole number of milliseconds.
    let spec = spec(61, &[0, 20, 41]);
    let long: String = (0..300_000u32)
        .map(|i| char::from(b'A' + (i.wrapping_mul(2_654_435_761) >> 20) as u8 % 26))
        .collect();
    let chapter = |title: &str, first, last| Chapter {
        title: title.into(),
        first,
        last,
    };
    let metadata = Metadata {
        tags: vec![
            ("title".into(), "a = b; #c \\ d\nsecond line, é 紅".into()),
            ("synopsis".into(), long.clone()),
        ],
        chapters: vec![chapter("intro", 0, 19), chapter("search; = #", 20, 60)],
    };
    encode(&film, &spec, &metadata);

    let headers = proofreel::encode::read_headers(&film).unwrap();
    assert_eq!(headers.faults(&spec), Vec::<String>::new());
    assert_eq!(headers.profile, Some(100));
    let stream = ffprobe(
        &film,
        "stream=codec_name,profile,pix_fmt,color_range,color_space,color_transfer,\
         color_primaries,r_frame_rate,avg_frame_rate,nb_frames,start_time",
    );
    for line in [
        "codec_name=h264",
        "profile=High",
        "pix_fmt=yuv420p",
        "color_range=tv",
        "color_space=bt709",
        "color_transfer=bt709",
        "color_primaries=bt709",
        "r_frame_rate=60/1",
        "avg_frame_rate=60/1",
        "nb_frames=61",
        "start_time=0.000000",
    ] {
        assert!(
            stream.lines().any(|l| l == line),
            "{line} is not in {stream}"
        );
    }
    let packets = ffprobe(&film, "packet=pts_time,flags");
    let keys: Vec<&str> = packets
        .split("pts_time=")
        .filter(|p| p.contains("flags=K"))
        .filter_map(|p| p.lines().next())
        .collect();
    assert_eq!(keys[..3], ["0.000000", "0.333333", "0.683333"]);

    // A plain copy, and one through another container and back, keep the tags.
    let copy = |from: &PathBuf, name: &str| {
        let to = dir.path().join(name);
        let status = Command::new("ffmpeg")
            .args(["-v", "error", "-nostdin", "-y", "-i"])
            .arg(from)
            .args(["-c", "copy", "-map", "0:v"])
            .arg(&to)
            .status()
            .unwrap();
        assert!(status.success());
        to
    };
    let mp4 = copy(&film, "copy.mp4");
    let mkv = copy(&mp4, "copy.mkv");
    let back = copy(&mkv, "back.mp4");
    for file in [&film, &mp4, &mkv, &back] {
        let tags = ffprobe(file, "format_tags");
        let name = file.display();
        assert!(tags.contains(&long), "{name} lost its long tag");
        assert!(tags.contains("a = b; #c \\ d"), "{name}: {}", &tags[..200]);
    }
    let chapters = ffprobe(&film, "chapter=start_time,end_time:chapter_tags=title");
    assert!(chapters.contains("start_time=0.333333"), "{chapters}");
    assert!(chapters.contains("title=search; = #"), "{chapters}");
}

#[test]
fn pictures_beyond_or_short_of_the_announced_number_are_an_error() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("film.mp4");
    let spec = spec(3, &[0]);
    let mut sink = FfmpegSink::open(&film, &spec, &Settings::default()).unwrap();
    let picture = flat((80, 128, 128));
    sink.write(&picture).unwrap();
    let error = Box::new(sink).finish(&Metadata::default()).unwrap_err();
    assert!(error.to_string().contains("only 1 of 3"), "{error}");

    let mut sink = FfmpegSink::open(&film, &spec, &Settings::default()).unwrap();
    for _ in 0..3 {
        sink.write(&picture).unwrap();
    }
    let error = sink.write(&picture).unwrap_err();
    assert!(error.to_string().contains("more pictures"), "{error}");
    drop(sink);
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
