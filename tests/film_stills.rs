//! The drawn film: the same pixels in any order, the promised timing, and stills as they were.

use std::sync::Arc;

use proofreel::film::paint::Font;
use proofreel::film::palette::Theme;
use proofreel::film::render::{self, Stills, Take};
use proofreel::film::{Film, FilmError, Lang, Look, Request, Style};
use proofreel::picture::Yuv420;
use proofreel::puzzle::bundled;
use proofreel::solve::{Limits, solve};
use proofreel::trace::Trace;

fn trace(name: &str) -> Trace {
    let puzzle = match bundled::find(name) {
        Some(bundled) => bundled.read().unwrap(),
        None => {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles");
            let bytes = std::fs::read(format!("{folder}/{name}.json")).unwrap();
            proofreel::puzzle::read(&bytes, name)
                .unwrap()
                .swap_remove(0)
        }
    };
    solve(&puzzle, &Limits::default()).trace
}

fn request(size: (u32, u32), style: Style, theme: Theme) -> Request {
    Request {
        size,
        fps: 60,
        search_seconds: 90.0,
        look: Look {
            style,
            theme,
            lang: Lang::En,
        },
    }
}

fn film(name: &str, size: (u32, u32), style: Style, theme: Theme) -> Film {
    Film::new(
        &trace(name),
        request(size, style, theme),
        Arc::new(Font::builtin()),
    )
    .unwrap()
}

/// Collects the digest of each frame.
struct Hashes(Vec<[u8; 32]>);

impl Take for Hashes {
    type Error = std::convert::Infallible;

    fn take(&mut self, _: u64, picture: &Yuv420, new: bool) -> Result<(), Self::Error> {
        let hash = *blake3::hash(picture.bytes()).as_bytes();
        assert!(
            new || self.0.last() == Some(&hash),
            "a frame said to be unchanged differs"
        );
        self.0.push(hash);
        Ok(())
    }
}

fn hashes(film: &Film, range: std::ops::Range<u64>) -> Vec<[u8; 32]> {
    let mut all = Hashes(Vec::new());
    match render::render(film, range, &mut all) {
        Ok(()) => all.0,
    }
}

#[test]
fn a_frame_drawn_alone_equals_the_frame_in_its_sequence() {
    let film = film("backtracking", (640, 360), Style::Reveal, Theme::Dark);
    let frames = film.scene().frames();
    let all = hashes(&film, 0..frames);
    assert_eq!(all.len() as u64, frames);
    for n in (0..frames).step_by(37).chain([frames - 1]) {
        assert_eq!(hashes(&film, n..n + 1)[0], all[n as usize], "frame {n}");
    }
}

#[test]
fn the_demo_differs_from_frame_to_frame_only_where_something_moves() {
    let film = film("demo", (640, 360), Style::Reveal, Theme::Dark);
    let all = hashes(&film, 0..film.scene().frames());
    assert_eq!(all.len(), 960);
    let timeline = film.scene().timeline();
    for state in &timeline.states {
        let first = all[state.settled as usize];
        for n in state.settled..=state.last {
            assert_eq!(all[n as usize], first, "frame {n} of a state at rest");
        }
    }
    assert!(
        all[870..960].windows(2).all(|w| w[0] == w[1]),
        "the hold moves"
    );
    assert!(
        all[631..809].windows(2).all(|w| w[0] != w[1]),
        "the movement stands still"
    );
}

#[test]
fn sizes_that_cannot_be_drawn_are_refused_with_one_that_works() {
    let font = Arc::new(Font::builtin());
    let trace = trace("demo");
    let ask = |size| match Film::new(
        &trace,
        request(size, Style::Reveal, Theme::Dark),
        font.clone(),
    ) {
        Ok(_) => String::new(),
        Err(e @ FilmError::Layout(_)) => e.to_string(),
        Err(e) => panic!("{e}"),
    };
    assert!(
        ask((1281, 720)).contains("1282x720 works"),
        "{}",
        ask((1281, 720))
    );
    assert!(ask((320, 180)).contains("out of range"));
    assert!(ask((4096, 2160)).contains("out of range"));
    for fits in [
        (2560, 1440),
        (3840, 2160),
        (1920, 1080),
        (1280, 720),
        (1080, 1920),
        (1080, 1080),
        (640, 360),
    ] {
        assert_eq!(ask(fits), "", "{fits:?}");
    }
}

#[test]
fn few_edges_run_under_foreign_vertices_or_along_one_another() {
    use proofreel::film::layout::Field;
    let film = film("demo", (2560, 1440), Style::Reveal, Theme::Dark);
    let layout = film.scene().layout();
    let graph = &layout.graph;
    let ground = [0.0, 0.0, 2560.0, 1440.0];
    let before = Field {
        at: &graph.before,
        radius: graph.radius,
        edges: &layout.edges,
        ground,
        quiet: Vec::new(),
        circle: None,
    };
    let left = before.clutter(&graph.bend_before);
    let straight = before.clutter(&vec![[0.0, 0.0]; layout.edges.len()]);
    println!("before regroup: {left:?}, with straight edges {straight:?}");
    assert!(left.under_vertices <= 8, "{left:?}");
    assert!(
        left.shared_stretches * 3 < straight.shared_stretches,
        "{left:?}"
    );
    let regrouped = graph.regrouped.as_ref().unwrap();
    let after = Field {
        at: &regrouped.after,
        radius: graph.radius,
        edges: &layout.edges,
        ground,
        quiet: Vec::new(),
        circle: None,
    };
    let left = after.clutter(&regrouped.bend_after);
    println!("after regroup: {left:?}");
    assert!(left.under_vertices <= 8, "{left:?}");
    assert!(left.shared_stretches <= 160, "{left:?}");
}

#[test]
fn a_search_of_100_000_events_is_a_film_of_two_minutes_at_most() {
    let mut trace = trace("demo");
    // There and back again, nearly fifty thousand times, before the search of the demo.
    let first = trace.events[0];
    let proofreel::trace::Event::Assign { vertex, color, .. } = first else {
        panic!("{first:?}");
    };
    let back = proofreel::trace::Event::Undo { vertex, color };
    let mut events = [first, back].repeat((100_000 - trace.events.len()) / 2);
    events.append(&mut trace.events);
    trace.events = events;
    for (fps, look) in [(60, Theme::Dark), (24, Theme::Light)] {
        let request = Request {
            fps,
            ..request((640, 360), Style::Reveal, look)
        };
        let film = Film::new(&trace, request, Arc::new(Font::builtin())).unwrap();
        let frames = film.scene().frames();
        assert!(frames <= 120 * u64::from(fps), "{frames}");
        let pace = film.claims(&trace).pace.unwrap();
        assert!(pace.events_per_state > 1.0 && pace.note.contains("events a state"));
        // Any frame is drawn without the ones before it.
        let mut stills = Stills::new(&film);
        let end = stills.rgba(frames - 1).to_vec();
        stills.rgba(frames / 2);
        assert!(stills.rgba(frames - 1) == end);
    }
}

/// Puzzle, size, style, theme, frames.
type Case = (&'static str, (u32, u32), Style, Theme, &'static [u64]);

/// A puzzle of each rule family.
const FAMILIES: [&str; 10] = [
    "nine-rings",
    "fourteen-arrows",
    "two-shadows",
    "masked-twins",
    "counting-circles",
    "slanted-glances",
    "mixed-company",
    "nine-balances",
    "ten-vees",
    "four-windows",
];

/// The hashes of stills, one a line: `name hash`. `PROOFREEL_ACCEPT=1 cargo test --release --test
/// film_stills` writes them anew after the pictures were looked at.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/film_stills.txt");

#[test]
fn stills_look_as_they_did_when_they_were_accepted() {
    let mut cases: Vec<Case> = vec![
        (
            "demo",
            (2560, 1440),
            Style::Reveal,
            Theme::Dark,
            &[20, 45, 75, 125, 720, 840, 959],
        ),
        (
            "demo",
            (2560, 1440),
            Style::Reveal,
            Theme::Light,
            &[125, 720, 959],
        ),
        (
            "backtracking",
            (1920, 1080),
            Style::Reveal,
            Theme::Dark,
            &[300, 700],
        ),
        (
            "spectrum-diagonal",
            (2560, 1440),
            Style::Tokens,
            Theme::Dark,
            &[130, 500],
        ),
        (
            "spectrum-diagonal",
            (1080, 1920),
            Style::Tokens,
            Theme::Light,
            &[130, 500],
        ),
        (
            "impossible",
            (1080, 1080),
            Style::Reveal,
            Theme::Dark,
            &[200, 400],
        ),
        ("demo", (640, 360), Style::Reveal, Theme::Dark, &[125, 959]),
    ];
    for name in FAMILIES {
        cases.push((name, (1280, 720), Style::Reveal, Theme::Dark, &[85, 400]));
        cases.push((name, (1280, 720), Style::Tokens, Theme::Light, &[85, 400]));
    }
    let mut lines = Vec::new();
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, size, style, theme, at) in cases {
        let film = film(name, size, style, theme);
        let mut stills = Stills::new(&film);
        for &n in at {
            let label = format!(
                "{name}-{}x{}-{}-{}-{n}",
                size.0,
                size.1,
                style.name(),
                theme.name()
            );
            let rgba = stills.rgba(n);
            lines.push((
                format!("{label} {}", blake3::hash(rgba).to_hex()),
                label.clone(),
            ));
            let file = std::fs::File::create(out.join(format!("{label}.png"))).unwrap();
            proofreel::film::paint::write_png(file, rgba, size.0, size.1).unwrap();
        }
    }
    let now: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    if std::env::var_os("PROOFREEL_ACCEPT").is_some() {
        std::fs::write(GOLDEN, now).unwrap();
        return;
    }
    let accepted = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let changed: Vec<&str> = lines
        .iter()
        .filter(|(line, _)| !accepted.lines().any(|a| a == line))
        .map(|(_, label)| label.as_str())
        .collect();
    assert!(
        changed.is_empty(),
        "these stills changed: {changed:?}; look at them in {}, then accept them with \
         PROOFREEL_ACCEPT=1",
        out.display()
    );
}

/// Small pictures kept as they were accepted, where `PROOFREEL_ACCEPT=1` puts them.
const REFERENCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/film_stills");

#[test]
fn small_stills_equal_their_reference_pictures() {
    use image::RgbaImage;
    let cases: [(&str, Style, Theme, u64); 6] = [
        ("demo", Style::Reveal, Theme::Dark, 125),
        ("demo", Style::Reveal, Theme::Dark, 959),
        ("demo", Style::Reveal, Theme::Light, 45),
        ("impossible", Style::Reveal, Theme::Light, 200),
        ("five-step-hue", Style::Tokens, Theme::Dark, 130),
        ("nine-balances", Style::Reveal, Theme::Dark, 400),
    ];
    let (w, h) = (640, 360);
    let accept = std::env::var_os("PROOFREEL_ACCEPT").is_some();
    let mut changed = Vec::new();
    for (name, style, theme, n) in cases {
        let film = film(name, (w, h), style, theme);
        let now = Stills::new(&film).rgba(n).to_vec();
        let label = format!("{name}-{}-{}-{n}.png", style.name(), theme.name());
        let path = std::path::Path::new(REFERENCES).join(&label);
        if accept {
            std::fs::create_dir_all(REFERENCES).unwrap();
            let file = std::fs::File::create(&path).unwrap();
            proofreel::film::paint::write_png(file, &now, w, h).unwrap();
            continue;
        }
        let now = RgbaImage::from_raw(w, h, now).unwrap();
        let then = image::open(&path).map_or_else(|_| RgbaImage::new(w, h), |i| i.to_rgba8());
        let differing = now.pixels().zip(then.pixels()).filter(|(a, b)| a != b);
        let pixels = differing.count();
        if pixels == 0 && then.dimensions() == (w, h) {
            continue;
        }
        // Expected, actual, and their difference times four, side by side.
        let sheet = RgbaImage::from_fn(3 * w, h, |x, y| {
            let at = |image: &RgbaImage| {
                let black = image::Rgba([0, 0, 0, 255]);
                image.get_pixel_checked(x % w, y).copied().unwrap_or(black)
            };
            let (a, b) = (at(&then), at(&now));
            match x / w {
                0 => a,
                1 => b,
                _ => {
                    let d = |i: usize| a[i].abs_diff(b[i]).saturating_mul(4);
                    image::Rgba([d(0), d(1), d(2), 255])
                }
            }
        });
        let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(&label);
        sheet.save(&out).unwrap();
        changed.push(format!("{label}: {pixels} pixels, see {}", out.display()));
    }
    assert!(
        changed.is_empty(),
        "{changed:#?}; expected, actual and difference stand side by side; accept with \
         PROOFREEL_ACCEPT=1"
    );
}
