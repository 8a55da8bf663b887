//! Pictures into films and back, by every encoder and decoder that is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use proofreel::decode::FrameSource;
use proofreel::decode::ffmpeg::FfmpegSource;
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

/// The colour of frame `n`: every one differs from its neighbours, and is one that RGB can hold.
fn tint(n: u64) -> (u8, u8, u8) {
    let n = n as u32;
    (
        (90 + n * 37 % 80) as u8,
        (110 + n * 53 % 36) as u8,
        (110 + n * 29 % 36) as u8,
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

/// The mean of each plane of each picture, and its time.
fn decode(path: &Path, start: Option<f64>) -> Result<Vec<(f64, [f64; 3])>, String> {
    let mut source = FfmpegSource::open(path, start).map_err(|e| e.to_string())?;
    let info = source.info().clone();
    let mut pictures = Vec::new();
    loop {
        let picture = match source.next_picture() {
            Ok(Some(picture)) => picture,
            Ok(None) => return Ok(pictures),
            Err(e) => return Err(e.to_string()),
        };
        let mut at = 0;
        let means = [0, 1, 2].map(|plane| {
            let (w, h) = info.layout.plane_size(plane, info.width, info.height);
            let step = info.layout.sample_bytes();
            let samples = &picture.data[at..at + w * h * step];
            at += w * h * step;
            let sum: u64 = samples
                .chunks_exact(step)
                .map(|s| {
                    s.iter()
                        .rev()
                        .fold(0u64, |value, &byte| value << 8 | u64::from(byte))
                })
                .sum();
            sum as f64 / (w * h) as f64 / f64::from(1 << (info.layout.depth - 8))
        });
        assert_eq!(at, picture.data.len());
        pictures.push((picture.time, means));
    }
}

fn assert_tint(n: u64, means: [f64; 3], context: &str) {
    let (y, u, v) = tint(n);
    for (got, want) in means.iter().zip([y, u, v]) {
        assert!(
            (got - f64::from(want)).abs() <= 2.0,
            "{context}, frame {n}: {means:?} instead of {y} {u} {v}"
        );
    }
}

fn run_ffmpeg(args: &[&str]) {
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-nostdin", "-y"])
        .args(args)
        .status()
        .unwrap();
    assert!(status.success(), "ffmpeg {args:?}");
}

#[test]
fn flat_colours_come_back_within_two_levels_each_with_its_time() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("film.mp4");
    let spec = spec(61, &[0, 20]);
    encode(&film, &spec, &Metadata::default());
    let source = FfmpegSource::open(&film, None).unwrap();
    let info = source.info();
    assert_eq!((info.width, info.height), (640, 360));
    assert_eq!(info.frame_rate, (60, 1));
    assert_eq!(info.stated_frames, Some(61));
    assert_eq!(info.color.matrix.as_deref(), Some("bt709"));
    assert_eq!(info.color.range.as_deref(), Some("tv"));
    assert_eq!((info.video_streams, info.audio_streams), (1, 0));
    drop(source);

    let whole = decode(&film, None).unwrap();
    assert_eq!(whole.len(), 61);
    for (n, (time, means)) in whole.iter().enumerate() {
        assert!((time - n as f64 / 60.0).abs() < 1e-9, "frame {n} at {time}");
        assert_tint(n as u64, *means, "whole");
    }
    // A start in the middle of a group of pictures begins with the frame of that time.
    let part = decode(&film, Some(33.0 / 60.0)).unwrap();
    assert_eq!(part.len(), 61 - 33);
    for (i, (time, means)) in part.iter().enumerate() {
        let n = 33 + i;
        assert!((time - n as f64 / 60.0).abs() < 1e-9, "frame {n} at {time}");
        assert_tint(n as u64, *means, "from 33");
    }
    assert!(decode(&film, Some(5.0)).unwrap_err().contains("no picture"));

    // Copies in other codecs and pixel formats are read at their own depth.
    for (name, args) in [
        (
            "ten.mkv",
            "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -crf 12",
        ),
        ("full.mp4", "-c:v libx264 -pix_fmt yuv444p -crf 12"),
        (
            "rgb.mkv",
            "-c:v ffv1 -vf scale=in_color_matrix=bt709 -pix_fmt gbrp",
        ),
        ("semi.avi", "-c:v rawvideo -pix_fmt nv12"),
        (
            "vp9.webm",
            "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 12 -b:v 0",
        ),
    ] {
        let copy = dir.path().join(name);
        let mut all = vec!["-i", film.to_str().unwrap(), "-an"];
        all.extend(args.split_whitespace());
        all.push(copy.to_str().unwrap());
        run_ffmpeg(&all);
        let pictures = decode(&copy, None).unwrap();
        assert_eq!(pictures.len(), 61, "{name}");
        for (n, (_, means)) in pictures.iter().enumerate() {
            assert_tint(n as u64, *means, name);
        }
    }
}

#[test]
fn variable_rates_edit_lists_and_rotation_are_reported_not_repaired() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let film = path("film.mp4");
    encode(Path::new(&film), &spec(40, &[0]), &Metadata::default());

    // Frame 20 stands twice as long.
    let varying = path("varying.mp4");
    run_ffmpeg(&[
        "-i",
        &film,
        "-vf",
        "setpts=PTS+if(gt(N\\,20)\\,1/60/TB\\,0)",
        "-fps_mode",
        "vfr",
        "-c:v",
        "libx264",
        "-video_track_timescale",
        "60000",
        &varying,
    ]);
    let pictures = decode(Path::new(&varying), None).unwrap();
    assert_eq!(pictures.len(), 40);
    let steps: Vec<i64> = pictures
        .windows(2)
        .map(|p| ((p[1].0 - p[0].0) * 60.0).round() as i64)
        .collect();
    assert_eq!(steps[20], 2);
    assert_eq!(steps.iter().sum::<i64>(), 40);

    // A late start.
    let late = path("late.mp4");
    run_ffmpeg(&[
        "-itsoffset",
        "0.5",
        "-i",
        &film,
        "-c",
        "copy",
        "-map",
        "0:v",
        &late,
    ]);
    let source = FfmpegSource::open(Path::new(&late), None).unwrap();
    assert!(
        (source.info().start_time - 0.5).abs() < 0.01,
        "{:?}",
        source.info()
    );
    drop(source);
    let pictures = decode(Path::new(&late), None).unwrap();
    assert!((pictures[0].0 - 0.5).abs() < 0.01, "{:?}", pictures[0]);
    assert_eq!(pictures.len(), 40);

    // A quarter turn asked for by metadata, not carried out.
    let turned = path("turned.mp4");
    run_ffmpeg(&[
        "-i",
        &film,
        "-c",
        "copy",
        "-map",
        "0:v",
        "-metadata:s:v",
        "rotate=90",
        &turned,
    ]);
    let source = FfmpegSource::open(Path::new(&turned), None).unwrap();
    // ffmpeg takes this tag counter-clockwise.
    assert_eq!(source.info().rotation, 270);
    assert_eq!((source.info().width, source.info().height), (640, 360));
}

#[test]
fn what_is_no_film_is_called_what_it_is() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let film = dir.path().join("film.mp4");
    encode(&film, &spec(30, &[0]), &Metadata::default());
    let bytes = std::fs::read(&film).unwrap();
    let sound = dir.path().join("sound.mp4");
    run_ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "sine=duration=1",
        "-c:a",
        "aac",
        sound.to_str().unwrap(),
    ]);
    let mut headless = bytes.clone();
    let at = headless.windows(4).position(|w| w == b"moov").unwrap();
    headless[at..at + 4].copy_from_slice(b"none");
    let play_list = "ffconcat version 1.0\nfile film.mp4\n";
    for (path, word) in [
        (file("empty.mp4", b""), "is empty"),
        (file("text.mp4", b"53..7....\n"), "a text file"),
        (file("trace.json", b"{\"format\": 1}"), "a JSON file"),
        (
            file("picture.mp4", b"\x89PNG\r\n\x1a\nrest"),
            "a PNG picture",
        ),
        (file("list.mp4", play_list.as_bytes()), "a text file"),
        (
            file(
                "noise.mp4",
                &(0..5000u32)
                    .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80)
                    .collect::<Vec<_>>(),
            ),
            "no film that ffmpeg can read",
        ),
        (file("headless.mp4", &headless), "no index (moov)"),
        (dir.path().to_path_buf(), "is a folder"),
        (dir.path().join("absent.mp4"), "does not exist"),
        (sound, "no video stream"),
    ] {
        let error = decode(&path, None).unwrap_err();
        assert!(error.contains(word), "{word:?} is not in {error:?}");
        assert!(error.contains(path.to_str().unwrap()), "{error:?}");
    }
    // Cut anywhere, it never looks like a whole film.
    for i in 1..=20 {
        let cut = bytes.len() * i / 21;
        let path = file("cut.mp4", &bytes[..cut]);
        let outcome = decode(&path, None);
        assert!(
            outcome.is_err(),
            "cut at {cut} of {}: {outcome:?}",
            bytes.len()
        );
    }
    let mut cut_short = bytes.clone();
    cut_short.pop();
    assert!(decode(&file("cut.mp4", &cut_short), None).is_err());
}
