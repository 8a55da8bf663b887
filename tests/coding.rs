//! Pictures into films and back, by every encoder and decoder that is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use proofreel::decode::FrameSource;
use proofreel::decode::builtin::BuiltinSource;
use proofreel::decode::ffmpeg::FfmpegSource;
use proofreel::encode::builtin::BuiltinSink;
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

/// All of a film by ffmpeg.
fn decode(path: &Path, start: Option<f64>) -> Result<Vec<(f64, [f64; 3])>, String> {
    let mut source = FfmpegSource::open(path, start).map_err(|e| e.to_string())?;
    means(&mut source)
}

/// The mean of each plane of each picture, and its time.
fn means(source: &mut dyn FrameSource) -> Result<Vec<(f64, [f64; 3])>, String> {
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

/// The picture of frame `n`: two of three are the one before once more.
fn resting(n: u64) -> (Yuv420, bool) {
    (flat(tint(n / 3)), n.is_multiple_of(3))
}

fn encode_builtin(path: &Path, spec: &VideoSpec, metadata: &Metadata) {
    let mut sink = BuiltinSink::open(path, spec, &Settings::default()).expect("it starts");
    for n in 0..spec.frames {
        match resting(n) {
            (picture, true) => sink.write(&picture),
            (picture, false) => sink.repeat(&picture),
        }
        .expect("a picture is taken");
    }
    Box::new(sink)
        .finish(metadata)
        .expect("the film is finished");
}

/// The same, every segment by an encoder of its own, the last one first.
fn encode_in_segments(path: &Path, spec: &VideoSpec, metadata: &Metadata) {
    let mut sink = BuiltinSink::open(path, spec, &Settings::default()).expect("it starts");
    let segments = sink.segments().expect("it makes segments");
    let mut coded = Vec::new();
    for (i, range) in segments.ranges().iter().enumerate().rev() {
        let mut encoder = segments.encoder(i).expect("an encoder starts");
        for n in range.clone() {
            let (picture, new) = resting(n);
            encoder.write(&picture, new).expect("a picture is taken");
        }
        coded.push(encoder.finish().expect("the segment is finished"));
    }
    for segment in coded.into_iter().rev() {
        sink.join(segment).expect("the segment fits");
    }
    Box::new(sink)
        .finish(metadata)
        .expect("the film is finished");
}

fn decode_builtin(path: &Path, start: Option<f64>) -> Result<Vec<(f64, [f64; 3])>, String> {
    let mut source = BuiltinSource::open(path, start).map_err(|e| e.to_string())?;
    means(&mut source)
}

#[test]
fn the_built_in_pair_returns_colours_times_tags_and_needs_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("film.mp4");
    let spec = spec(301, &[0, 30, 200]);
    let long = "A".repeat(300_000);
    let metadata = Metadata {
        tags: vec![
            ("title".into(), "é = 紅".into()),
            ("synopsis".into(), long.clone()),
        ],
        chapters: vec![Chapter {
            title: "intro".into(),
            first: 0,
            last: 300,
        }],
    };
    encode_builtin(&film, &spec, &metadata);
    let headers = proofreel::encode::read_headers(&film).unwrap();
    assert_eq!(headers.faults(&spec), Vec::<String>::new());
    assert_eq!(headers.profile, Some(100));
    // The bytes do not depend on the order in which segments are made.
    let other = dir.path().join("other.mp4");
    encode_in_segments(&other, &spec, &metadata);
    let same = std::fs::read(&film).unwrap() == std::fs::read(&other).unwrap();
    assert!(same, "segments made another file");

    let source = BuiltinSource::open(&film, None).unwrap();
    let info = source.info().clone();
    drop(source);
    assert_eq!((info.width, info.height), (640, 360));
    assert_eq!(info.frame_rate, (60, 1));
    assert_eq!(info.stated_frames, Some(301));
    assert_eq!(info.color.matrix.as_deref(), Some("bt709"));
    assert_eq!(info.color.range.as_deref(), Some("tv"));
    assert!(info.tags.contains(&("synopsis".into(), long.clone())));
    assert!(info.tags.contains(&("title".into(), "é = 紅".into())));

    let whole = decode_builtin(&film, None).unwrap();
    assert_eq!(whole.len(), 301);
    for (n, (time, means)) in whole.iter().enumerate() {
        assert!((time - n as f64 / 60.0).abs() < 1e-9, "frame {n} at {time}");
        assert_tint(n as u64 / 3, *means, "built in");
    }
    let part = decode_builtin(&film, Some(100.0 / 60.0)).unwrap();
    assert_eq!(part.len(), 201);
    assert!((part[0].0 - 100.0 / 60.0).abs() < 1e-9, "{:?}", part[0]);

    let bytes = std::fs::read(&film).unwrap();
    for i in 1..=20 {
        let cut = dir.path().join("cut.mp4");
        std::fs::write(&cut, &bytes[..bytes.len() * i / 21]).unwrap();
        assert!(decode_builtin(&cut, None).is_err(), "cut {i}");
    }
    std::fs::remove_file(dir.path().join("other.mp4")).unwrap();
    std::fs::remove_file(dir.path().join("cut.mp4")).unwrap();
    let left = std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(left, 1, "files are left behind");
}

#[test]
fn each_decoder_reads_each_encoders_film() {
    if !ffmpeg() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.mp4"), dir.path().join("b.mp4"));
    let spec = spec(70, &[0, 20]);
    encode(&a, &spec, &Metadata::default());
    encode_builtin(&b, &spec, &Metadata::default());
    for (film, slow) in [(&a, 1), (&b, 3)] {
        for (decoder, pictures) in [
            ("ffmpeg", decode(film, None).unwrap()),
            ("builtin", decode_builtin(film, None).unwrap()),
        ] {
            assert_eq!(pictures.len(), 70, "{decoder} on {}", film.display());
            for (n, (time, means)) in pictures.iter().enumerate() {
                assert!((time - n as f64 / 60.0).abs() < 1e-6, "frame {n} at {time}");
                assert_tint(n as u64 / slow, *means, decoder);
            }
        }
    }
    let stream = ffprobe(
        &b,
        "stream=profile,pix_fmt,color_range,color_space,color_transfer,color_primaries,\
         avg_frame_rate,nb_frames,start_time",
    );
    for line in [
        "profile=High",
        "pix_fmt=yuv420p",
        "color_range=tv",
        "color_space=bt709",
        "color_transfer=bt709",
        "color_primaries=bt709",
        "avg_frame_rate=60/1",
        "nb_frames=70",
    ] {
        assert!(
            stream.lines().any(|l| l == line),
            "{line} is not in {stream}"
        );
    }
    // What it does not read, it says.
    let other = dir.path().join("other.mp4");
    run_ffmpeg(&[
        "-i",
        a.to_str().unwrap(),
        "-c:v",
        "libx265",
        "-x265-params",
        "log-level=none",
        other.to_str().unwrap(),
    ]);
    let error = decode_builtin(&other, None).unwrap_err();
    assert!(error.contains("needs ffmpeg"), "{error}");
}

/// A stand-in for ffmpeg, first on the PATH of a program that is started with it.
#[cfg(unix)]
fn stub(dir: &Path, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    let real = "/usr/bin:/bin";
    let path = dir.join("ffmpeg");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{real}", dir.display()).into()
}

/// Field reports 24, 25, 28 and 29.
#[cfg(unix)]
#[test]
fn an_ffmpeg_that_fails_is_quoted_and_leaves_nothing_behind() {
    const ANSWERS: &str = "case \"$*\" in *-version*) echo 'ffmpeg version 9.9-stub'; exit 0;; \
        *-encoders*) echo ' V..... libx264 stub'; exit 0;; esac";
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    for (script, words) in [
        ("echo 'broken library' >&2; exit 3".to_string(), "broken library"),
        ("exit 3".to_string(), "exit status 3"),
        (
            "case \"$*\" in *-version*) echo 'ffmpeg version 9.9-stub';; *) echo ' V..... mpeg4';; esac".to_string(),
            "without libx264",
        ),
        (
            format!("{ANSWERS}; head -c 3000000 >/dev/null; echo 'out of luck' >&2; exit 7"),
            "out of luck",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let films = tempfile::tempdir().unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_proofreel"))
            .args(["film", full, "--encoder", "ffmpeg", "--size", "640x360", "-o"])
            .arg(films.path().join("film.mp4"))
            .env("PATH", stub(dir.path(), &script))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{words:?} is not in {said}");
        assert!(!said.contains("panicked"), "{said}");
        let left: Vec<_> = std::fs::read_dir(films.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// Field report 28: many failing films in one process.
#[cfg(unix)]
#[test]
fn ten_films_given_up_leave_no_child() {
    if !ffmpeg() {
        return;
    }
    // Of this thread, since other tests run beside it.
    let children = || std::fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    let dir = tempfile::tempdir().unwrap();
    for i in 0..10 {
        let film = dir.path().join(format!("{i}.mp4"));
        let mut sink = FfmpegSink::open(&film, &spec(50, &[0]), &Settings::default()).unwrap();
        for n in 0..i {
            sink.write(&flat(tint(n))).unwrap();
        }
        drop(sink);
    }
    assert_eq!(children(), "");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// A SIGTERM while ffmpeg hangs ends both, with the exit code of an interrupted command.
#[cfg(unix)]
#[test]
fn a_hanging_ffmpeg_does_not_outlive_an_interrupt() {
    let dir = tempfile::tempdir().unwrap();
    let films = tempfile::tempdir().unwrap();
    let mark = dir.path().join("started");
    let script = format!(
        "case \"$*\" in *-version*) echo 'ffmpeg version 9.9-stub'; exit 0;; \
         *-encoders*) echo ' V..... libx264 stub'; exit 0;; esac; echo $$ > {}; sleep 600",
        mark.display()
    );
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofreel"))
        .args([
            "-q",
            "film",
            full,
            "--encoder",
            "ffmpeg",
            "--size",
            "640x360",
            "-o",
        ])
        .arg(films.path().join("film.mp4"))
        .env("PATH", stub(dir.path(), &script))
        .spawn()
        .unwrap();
    let wait = |what: &str, mut done: Box<dyn FnMut() -> bool + '_>| {
        for _ in 0..600 {
            if done() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("waited in vain for {what}");
    };
    let pid = || {
        std::fs::read_to_string(&mark)
            .unwrap_or_default()
            .trim()
            .to_string()
    };
    wait("the stub", Box::new(|| !pid().is_empty()));
    let status = Command::new("kill")
        .arg(child.id().to_string())
        .status()
        .unwrap();
    assert!(status.success());
    let mut code = None;
    wait(
        "the end",
        Box::new(|| {
            code = child.try_wait().unwrap().map(|s| s.code());
            code.is_some()
        }),
    );
    assert_eq!(code, Some(Some(130)));
    assert!(
        !Path::new("/proc").join(pid()).exists(),
        "the stub lives on"
    );
    assert_eq!(std::fs::read_dir(films.path()).unwrap().count(), 0);
}
