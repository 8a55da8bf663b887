//! Films in which one edge is missing or one too many, drawn by the film's own painter.
//!
//! `cargo test --release --test audit_edges -- --nocapture` prints how many lies were told, caught
//! and named.

mod audit_film;

use std::sync::Arc;

use audit_film::{Dice, Film as Reel, short_puzzle, trace_of};
use proofreel::audit::{Report, Verdict, What};
use proofreel::film::display::{Curve, DisplayList, Item};
use proofreel::film::paint::{Font, Painter};
use proofreel::film::palette::Theme;
use proofreel::film::{Film, Lang, Look, Request, Style};
use proofreel::manifest::Manifest;
use proofreel::picture::Yuv420;
use proofreel::trace::Trace;

/// Above this size vertices carry digits and edges are more than a pixel wide.
const SIZE: (u32, u32) = (1280, 720);

fn film(trace: &Trace) -> Film {
    let look = Look {
        style: Style::Reveal,
        theme: Theme::Dark,
        lang: Lang::En,
    };
    let request = Request {
        size: SIZE,
        fps: 24,
        search_seconds: 90.0,
        look,
    };
    Film::new(trace, request, Arc::new(Font::builtin())).unwrap()
}

/// The manifest that goes with the film: what the small painter's says, with this film's claims.
fn manifest(film: &Film, trace: &Trace) -> Manifest {
    let claims = film.claims(trace);
    let mut m = audit_film::manifest(trace);
    (m.film.width, m.film.height) = SIZE;
    m.film.fps = "24/1".into();
    m.film.frames = film.scene().frames();
    m.style = claims.style;
    m.palette = claims.palette;
    m.layout = claims.layout;
    m.segments = claims.segments;
    m.regroup = claims.regroup;
    m.states = claims.states;
    m
}

fn draw(painter: &mut Painter, list: &DisplayList) -> Arc<Vec<u8>> {
    painter.paint(list);
    let mut picture = Yuv420::new(SIZE.0, SIZE.1);
    let all = proofreel::film::paint::Damage::full(SIZE.0, SIZE.1);
    painter.convert(&all, &mut picture);
    Arc::new(picture.bytes().to_vec())
}

/// The whole film in memory.
fn reel(film: &Film, trace: &Trace) -> Reel {
    let mut painter = Painter::new(SIZE.0, SIZE.1, film.font().clone());
    let mut last: Option<(DisplayList, Arc<Vec<u8>>)> = None;
    let frames = (0..film.scene().frames())
        .map(|n| {
            let list = film.scene().frame(n);
            match &last {
                Some((before, picture)) if *before == list => picture.clone(),
                _ => {
                    let picture = draw(&mut painter, &list);
                    last = Some((list, picture.clone()));
                    picture
                }
            }
        })
        .collect();
    let mut reel = Reel::with(manifest(film, trace), trace.clone(), frames);
    (reel.info.width, reel.info.height) = SIZE;
    reel.info.frame_rate = (24, 1);
    for (i, t) in reel.times.iter_mut().enumerate() {
        *t = i as f64 / 24.0;
    }
    reel
}

/// All edges at rest are one batch of curves.
fn edges(list: &mut DisplayList) -> &mut Vec<Curve> {
    let batch = list.items.iter_mut().find_map(|item| match item {
        Item::Curves(batch) if batch.curves.len() > 500 => Some(Arc::make_mut(batch)),
        _ => None,
    });
    &mut batch.unwrap().curves
}

/// Pixels of a curve that lie clear of all vertices and their rings. Of an edge between discs that
/// nearly touch, or past a third one, nothing can be seen; the report counts it as not assessable.
fn clear_pixels(m: &Manifest, after: bool, c: &Curve) -> usize {
    (0..=400)
        .map(|k| {
            let (t, u) = (k as f32 / 400.0, 1.0 - k as f32 / 400.0);
            [0, 1].map(|i| u * u * c.from[i] + 2.0 * u * t * c.control[i] + t * t * c.to[i])
        })
        .filter(|p| {
            m.layout.vertices.iter().all(|v| {
                let at = if after { v.after.unwrap() } else { v.before };
                f64::hypot(at[0] - f64::from(p[0]), at[1] - f64::from(p[1])) > v.radius + 6.0
            })
        })
        .map(|p| p.map(|x| x as i32))
        .collect::<std::collections::BTreeSet<_>>()
        .len()
}

fn names(r: &Report, a: &str, b: &str) -> bool {
    let pair = format!("{a} {b}");
    (r.findings.iter()).any(|f| f.what == What::Edge && f.cell.as_deref() == Some(&pair))
}

#[test]
fn an_edge_left_out_or_added_is_named() {
    let trace = trace_of(&short_puzzle());
    let film = film(&trace);
    let honest = reel(&film, &trace);
    let report = honest.audit().unwrap();
    println!("{}", report.summary("film", 10));
    assert_eq!(report.verdict, Verdict::Match);
    // Nearly every edge can be judged; before, vertices of a box stand close, and some edges
    // between neighbours are hidden by discs and their rims.
    let e = &report.edges;
    assert!(
        e.not_assessable * 50 <= e.checked,
        "{} checked, {} not assessable",
        e.checked,
        e.not_assessable
    );
    let cell = |v: usize| honest.manifest.layout.cells[v].cell.clone();
    let mut painter = Painter::new(SIZE.0, SIZE.1, film.font().clone());
    let mut dice = Dice(11);
    let (mut told, mut failures) = (0, Vec::new());
    while told < 24 {
        // The still picture before the movement and the one after it.
        let part = ["solved", "hold"][told % 2];
        let s = (honest.manifest.segments.iter())
            .find(|s| s.name == part)
            .unwrap()
            .clone();
        // Edges of the last choice are lit at first.
        let first = s.first + 1;
        let mut list = film.scene().frame(s.last);
        let (what, a, b);
        if told % 4 < 2 {
            let k = dice.roll(trace.graph.edges.len());
            let curve = edges(&mut list)[k];
            if clear_pixels(&honest.manifest, part == "hold", &curve) < 8 {
                continue;
            }
            let edge = trace.graph.edges[k];
            (a, b) = (usize::from(edge.0), usize::from(edge.1));
            what = "left out";
            edges(&mut list).remove(k);
        } else {
            (a, b) = {
                let (a, b) = (dice.roll(81), dice.roll(81));
                (a.min(b), a.max(b))
            };
            let joined = trace
                .graph
                .edges
                .iter()
                .any(|e| (usize::from(e.0), usize::from(e.1)) == (a, b));
            if a == b || joined {
                continue;
            }
            what = "added";
            let at = |v: usize| {
                let p = &honest.manifest.layout.vertices[v];
                let p = if part == "solved" {
                    p.before
                } else {
                    p.after.unwrap()
                };
                p.map(|v| v as f32)
            };
            let (from, to) = (at(a), at(b));
            let list = edges(&mut list);
            let alpha = list[0].alpha;
            list.push(Curve {
                from,
                control: [0, 1].map(|k| (from[k] + to[k]) / 2.0),
                to,
                alpha,
            });
        }
        told += 1;
        let picture = draw(&mut painter, &list);
        let mut lie = honest.clone();
        for f in first..=s.last {
            lie.frames[f as usize] = picture.clone();
        }
        let report = lie.audit().unwrap();
        if report.verdict != Verdict::Mismatch || !names(&report, &cell(a), &cell(b)) {
            let said: Vec<_> = report.findings.iter().map(|f| &f.message).take(3).collect();
            failures.push(format!(
                "{what} in {part}: {} {}: {said:?}",
                cell(a),
                cell(b)
            ));
        }
    }
    println!(
        "{told} edges left out or added, {} not named",
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
