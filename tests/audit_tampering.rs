//! Films that lie, each in one way at a place chosen by dice, and what the audit says of them.
//!
//! `cargo test --release --test audit_tampering -- --nocapture` prints how many lies were told,
//! caught and named.

mod audit_film;

use std::sync::Arc;

use audit_film::*;
use proofreel::audit::{Options, Report, Verdict, What};
use proofreel::trace::Event;

/// How many lies were told, caught, and named by frame and place.
#[derive(Default)]
struct Score {
    told: usize,
    caught: usize,
    named: usize,
    failures: Vec<String>,
}

impl Score {
    /// Audits `film`; `named` says whether the report names the lie.
    fn judge(&mut self, lie: &str, film: &Film, named: impl Fn(&Report) -> bool) {
        self.told += 1;
        match film.audit() {
            Ok(report) => {
                let caught = report.verdict == Verdict::Mismatch;
                self.caught += usize::from(caught);
                if caught && named(&report) {
                    self.named += 1;
                } else {
                    let first: Vec<&str> = report
                        .findings
                        .iter()
                        .take(4)
                        .map(|f| f.message.as_str())
                        .collect();
                    self.failures
                        .push(format!("{lie}: caught {caught}, said {first:?}"));
                }
            }
            Err(error) => {
                // A manifest that cannot be used is caught too, if its error says so.
                self.caught += 1;
                if error.to_string().contains("manifest") {
                    self.named += 1;
                } else {
                    self.failures.push(format!("{lie}: {error}"));
                }
            }
        }
    }

    fn done(self, what: &str) {
        println!(
            "{what}: {} lies told, {} caught, {} named",
            self.told, self.caught, self.named
        );
        assert!(
            self.caught == self.told && self.named == self.told,
            "{}",
            self.failures.join("\n")
        );
    }
}

/// A finding of this kind about this cell at this frame, or in a run that includes it.
fn names(r: &Report, what: What, cell: &str, frame: u64) -> bool {
    r.findings.iter().any(|f| {
        f.what == what
            && f.cell.as_deref() == Some(cell)
            && f.frame
                .is_some_and(|first| first <= frame && frame < first + f.frames)
    })
}

fn says(r: &Report, words: &str) -> bool {
    r.findings.iter().any(|f| f.message.contains(words))
}

/// First and last frame of a segment.
fn segment(film: &Film, name: &str) -> (u64, u64) {
    let s = film
        .manifest
        .segments
        .iter()
        .find(|s| s.name == name)
        .unwrap();
    (s.first, s.last)
}

/// Another colour than `not`, as painted.
fn other_color(dice: &mut Dice, film: &Film, not: u8) -> Rgb {
    loop {
        let c = dice.roll(9) as u8 + 1;
        if c != not {
            return hex(&film.manifest.palette.colors[usize::from(c) - 1].rgb);
        }
    }
}

#[test]
fn an_honest_film_matches() {
    let film = Film::of(&short_puzzle());
    let report = film.audit().unwrap();
    println!("{}", report.summary("film", 20));
    assert_eq!(report.verdict, Verdict::Match);
    let frames = film.manifest.film.frames;
    assert_eq!(report.checks.total, frames * 162);
    assert_eq!(report.checks.settled_states, 9 * 162);
    let c = report.checks;
    assert_eq!(c.settled + c.moving + c.occluded + c.not_yet_drawn, c.total);
}

#[test]
fn one_place_recoloured_for_one_frame() {
    let film = Film::of(&short_puzzle());
    let solution = film.trace.solution.clone().unwrap();
    let mut dice = Dice(1);
    let mut score = Score::default();
    let last = film.manifest.film.frames as usize;
    for k in 0..60 {
        // Any frame after the first fades, in search, stillness, movement, reveal and hold.
        let frame = 24 + dice.roll(last - 24);
        let v = dice.roll(81);
        let name = film.manifest.layout.cells[v].cell.clone();
        let mut lie = film.clone();
        let color = other_color(&mut dice, &film, solution[v]);
        if k % 2 == 0 {
            lie.paint(frame, film.manifest.layout.cells[v].rect, color);
            score.judge(&format!("cell {name} at {frame}"), &lie, |r| {
                names(r, What::Cell, &name, frame as u64)
            });
        } else {
            // What lies under another vertex cannot be seen to be wrong.
            let at = film.vertex_at(v, frame as u64);
            let hidden = (0..81).any(|j| {
                let b = film.vertex_at(j, frame as u64);
                j != v && (at[0] - b[0]).hypot(at[1] - b[1]) < 22.0
            });
            if hidden {
                continue;
            }
            lie.paint(frame, [at[0] - 9.0, at[1] - 9.0, 18.0, 18.0], color);
            score.judge(&format!("vertex {name} at {frame}"), &lie, |r| {
                names(r, What::Vertex, &name, frame as u64)
            });
        }
    }
    score.done("places recoloured");
}

#[test]
fn frames_dropped_doubled_swapped_frozen_inserted() {
    let film = Film::of(&short_puzzle());
    let mut dice = Dice(2);
    let mut score = Score::default();
    // Frames that differ from both neighbours: fades of the search, the middle of the movement.
    let mut telling: Vec<usize> = film
        .manifest
        .states
        .iter()
        .map(|s| s.starts as usize)
        .collect();
    let (first, _) = segment(&film, "regroup");
    // Later on the vertices of this film stand too close for their movement to be measured.
    telling.extend(first as usize + 8..first as usize + 14);
    for k in 0..35 {
        let f = telling[dice.roll(telling.len())];
        let mut lie = film.clone();
        let (what, words) = match k % 5 {
            0 => {
                lie.frames.remove(f);
                ("dropped", format!("frame {f} is missing"))
            }
            1 => {
                lie.frames.insert(f, film.frames[f].clone());
                ("doubled", format!("frame {f} is doubled"))
            }
            2 => {
                lie.frames.swap(f, f + 1);
                ("swapped", format!("frames {f} and {} are swapped", f + 1))
            }
            3 => {
                for g in f + 1..f + 3 {
                    lie.frames[g] = film.frames[f].clone();
                }
                ("frozen", format!("they show frame {f}"))
            }
            _ => {
                lie.frames.insert(f, Arc::new(vec![90; W * H * 3 / 2]));
                ("inserted", format!("before frame {f}"))
            }
        };
        let lie = lie.retimed();
        score.judge(&format!("{what} {f}"), &lie, |r| says(r, &words));
    }
    score.done("frames out of order");
}

#[test]
fn a_dropped_frame_in_a_still_stretch_is_told_with_its_doubt() {
    let film = Film::of(&short_puzzle());
    let (first, last) = segment(&film, "hold");
    let mut lie = film.clone();
    lie.frames.remove(first as usize + 5);
    let report = lie.retimed().audit().unwrap();
    assert_eq!(report.verdict, Verdict::Mismatch);
    assert!(says(&report, "look alike"), "{}", report.summary("film", 9));
    // With its time left as a gap, the frame is known all the same.
    let mut lie = film.clone();
    lie.frames.remove(last as usize - 3);
    lie.times.remove(last as usize - 3);
    let report = lie.audit().unwrap();
    assert!(
        says(&report, "variable") && says(&report, "missing"),
        "{}",
        report.summary("film", 9)
    );
}

#[test]
fn digits_exchanged() {
    let p = short_puzzle();
    let film = Film::of(&p);
    let solution = film.trace.solution.clone().unwrap();
    let report = film.audit().unwrap();
    assert_eq!(
        (report.digits.checked, report.digits.failed),
        (162, 0),
        "{:?}",
        report.digits
    );
    let mut dice = Dice(4);
    let mut score = Score::default();
    for k in 0..14 {
        let place = dice.roll(81) + if k % 2 == 0 { 0 } else { 81 };
        let d = loop {
            let d = dice.roll(9) as u8 + 1;
            if d != solution[place % 81] {
                break d;
            }
        };
        let lie = Film::lying(
            &p,
            &Lie {
                digits: vec![(place, d)],
                ..Lie::default()
            },
        );
        let name = film.manifest.layout.cells[place % 81].cell.clone();
        score.judge(&format!("digit {d} at {place}"), &lie, |r| {
            r.findings.iter().any(|f| {
                f.what == What::Digit
                    && f.cell.as_deref() == Some(name.as_str())
                    && f.message.ends_with(&d.to_string())
            })
        });
    }
    score.done("digits exchanged");
}

#[test]
fn manifests_and_traces_that_do_not_belong() {
    let film = Film::of(&short_puzzle());
    let mut dice = Dice(5);
    let mut score = Score::default();
    for k in 0..60 {
        let mut lie = film.clone();
        let m = &mut lie.manifest;
        let i = dice.roll(81);
        let s = dice.roll(m.states.len());
        let what = match k % 15 {
            0 => {
                m.layout.cells[i].rect[0] += 9.0;
                "a tile moved"
            }
            1 => {
                m.layout.cells[i].sample[1] -= 40.0;
                "a sample moved off its tile"
            }
            2 => {
                let j = (i + 1 + dice.roll(80)) % 81;
                let (a, b) = (m.layout.cells[i].rect, m.layout.cells[j].rect);
                (m.layout.cells[i].rect, m.layout.cells[j].rect) = (b, a);
                "two tiles exchanged"
            }
            3 => {
                m.layout.vertices[i].before[0] += 60.0;
                "a vertex moved"
            }
            4 => {
                let a = m.layout.vertices[i].after.as_mut().unwrap();
                a[0] = 474.0 + (474.0 - a[0]) * 0.9 + 7.0;
                "a place after regroup moved"
            }
            5 => {
                m.states[s].last += 1;
                "a state made longer"
            }
            6 => {
                let j = s.max(1);
                m.states.remove(j);
                "a state left out"
            }
            7 => {
                m.states[s].event += 1;
                "a state's event changed"
            }
            8 => {
                m.film.frames += 1;
                "a frame added"
            }
            9 => {
                m.film.fps = "50/1".into();
                "the rate changed"
            }
            10 => {
                let c = dice.roll(8);
                let rgb = m.palette.colors[c].rgb.clone();
                m.palette.colors[c].rgb = m.palette.colors[c + 1].rgb.clone();
                m.palette.colors[c + 1].rgb = rgb;
                "two colours exchanged"
            }
            11 => {
                m.palette.empty_cell = "#5a5f6e".into();
                "another empty tile"
            }
            12 => {
                let g = &mut m.layout.glyphs;
                let c = dice.roll(8);
                let own = g[c].coverage.clone();
                g[c].coverage = g[c + 1].coverage.clone();
                g[c + 1].coverage = own;
                "two digits' shapes exchanged"
            }
            13 => {
                let r = m.regroup.as_mut().unwrap();
                for p in &mut r.progress[10..38] {
                    *p = (*p + 0.06).min(1.0);
                }
                "progress changed"
            }
            _ => {
                let c = &mut m.layout.cells[(i / 10) * 10];
                c.given = match c.given {
                    Some(_) => None,
                    None => Some([14, 18]),
                };
                "a given made open"
            }
        };
        score.judge(&format!("{what} ({i}, {s})"), &lie, |r| {
            !r.findings.is_empty()
        });
    }
    // A film of another puzzle, with papers of this one and with its own.
    let other = Film::of(&opened(&[8, 16, 24, 32, 40, 48, 56, 64, 72]));
    let mut lie = film.clone();
    lie.frames = other.frames.clone();
    score.judge("a film of another puzzle", &lie, |r| {
        r.findings.iter().any(|f| f.what == What::Cell)
    });
    let asked = short_puzzle();
    let report = other
        .audit_with(&Options {
            puzzle: Some(&asked),
            ..Options::default()
        })
        .unwrap();
    assert!(says(&report, "not of the puzzle asked for"));
    // A trace that says something else than happened.
    let mut lie = film.clone();
    lie.trace.events.swap(2, 3);
    score.judge("a changed trace", &lie, |r| {
        r.findings.iter().any(|f| f.what == What::Trace)
    });
    score.done("papers that do not belong");
}

#[test]
fn matrix_range_and_tags() {
    let film = Film::of(&short_puzzle());
    // BT.601 pixels under BT.709 tags, and full range pixels under limited tags.
    let convert = |f: &dyn Fn([f32; 3]) -> [f32; 3]| {
        let mut lie = film.clone();
        lie.frames = film
            .frames
            .iter()
            .map(|p| {
                let mut out = p.as_ref().clone();
                for y in 0..H {
                    for x in 0..W {
                        let c = y / 2 * (W / 2) + x / 2;
                        let (u, v) = (W * H + c, W * H * 5 / 4 + c);
                        let n = f([f32::from(p[y * W + x]), f32::from(p[u]), f32::from(p[v])]);
                        out[y * W + x] = (n[0] + 0.5).clamp(0.0, 255.0) as u8;
                        out[u] = (n[1] + 0.5).clamp(0.0, 255.0) as u8;
                        out[v] = (n[2] + 0.5).clamp(0.0, 255.0) as u8;
                    }
                }
                Arc::new(out)
            })
            .collect();
        lie
    };
    let sd = convert(&|c| {
        let y = (c[0] - 16.0) / 219.0;
        let b = y + (c[1] - 128.0) / 224.0 * 1.8556;
        let r = y + (c[2] - 128.0) / 224.0 * 1.5748;
        let g = (y - 0.2126 * r - 0.0722 * b) / 0.7152;
        let z = 0.299 * r + 0.587 * g + 0.114 * b;
        [
            16.0 + 219.0 * z,
            128.0 + 224.0 * (b - z) / 1.772,
            128.0 + 224.0 * (r - z) / 1.402,
        ]
    });
    let report = sd.audit().unwrap();
    assert!(
        says(&report, "BT.601") && report.findings.iter().all(|f| f.what == What::ColorMatrix),
        "{}",
        report.summary("sd", 9)
    );
    let full = convert(&|c| {
        [
            (c[0] - 16.0) * 255.0 / 219.0,
            (c[1] - 128.0) * 255.0 / 224.0 + 128.0,
            (c[2] - 128.0) * 255.0 / 224.0 + 128.0,
        ]
    });
    let report = full.audit().unwrap();
    assert!(
        says(&report, "full range") && report.findings.iter().all(|f| f.what == What::ColorMatrix),
        "{}",
        report.summary("full", 9)
    );
    let mut untagged = film.clone();
    untagged.info.color.matrix = None;
    untagged.info.color.primaries = None;
    untagged.info.color.transfer = None;
    let report = untagged.audit().unwrap();
    assert_eq!(report.color_tags, "untagged");
    assert!(report.findings.iter().any(|f| f.what == What::ColorTags));
}

#[test]
fn two_colours_exchanged_throughout() {
    let film = Film::of(&short_puzzle());
    let mut dice = Dice(6);
    let mut score = Score::default();
    for _ in 0..6 {
        let a = dice.roll(9);
        let b = (a + 1 + dice.roll(8)) % 9;
        let mut m = film.manifest.clone();
        let rgb = m.palette.colors[a].rgb.clone();
        m.palette.colors[a].rgb = m.palette.colors[b].rgb.clone();
        m.palette.colors[b].rgb = rgb;
        let mut lie = film.clone();
        lie.frames = draw(&m, &film.trace, &Lie::default());
        let (a, b) = (Some(a as u8 + 1), Some(b as u8 + 1));
        score.judge(&format!("colours {a:?} and {b:?}"), &lie, |r| {
            [(a, b), (b, a)].iter().all(|(is, shows)| {
                r.findings.iter().any(|f| {
                    f.expected.as_ref().is_some_and(|e| e.color == *is)
                        && f.seen.as_ref().is_some_and(|s| s.nearest == *shows)
                })
            })
        });
    }
    score.done("colours exchanged");
}

#[test]
fn two_cells_exchanged_in_one_state() {
    let film = Film::of(&short_puzzle());
    let solution = film.trace.solution.clone().unwrap();
    let given = film.trace.puzzle.given_colors();
    let mut dice = Dice(7);
    let mut score = Score::default();
    while score.told < 24 {
        let (a, b) = (dice.roll(81), dice.roll(81));
        if given[a] == 0 || given[b] == 0 || solution[a] == solution[b] {
            continue;
        }
        let s = film.manifest.states[dice.roll(film.manifest.states.len())].clone();
        let mut lie = film.clone();
        for (to, from) in [(a, b), (b, a)] {
            let color = hex(&film.manifest.palette.colors[usize::from(solution[from]) - 1].rgb);
            for f in s.settled..=s.last {
                lie.paint(f as usize, film.manifest.layout.cells[to].rect, color);
            }
        }
        let name = |v: usize| film.manifest.layout.cells[v].cell.clone();
        score.judge(&format!("cells {} and {}", name(a), name(b)), &lie, |r| {
            names(r, What::Cell, &name(a), s.settled) && names(r, What::Cell, &name(b), s.last)
        });
    }
    score.done("cells exchanged");
}

#[test]
fn a_part_of_a_sample_painted_over() {
    let film = Film::of(&short_puzzle());
    let solution = film.trace.solution.clone().unwrap();
    let mut dice = Dice(8);
    let mut score = Score::default();
    let (first, last) = segment(&film, "solved");
    for _ in 0..20 {
        let frame = first + dice.roll((last - first) as usize) as u64;
        let v = dice.roll(81);
        let s = film.manifest.layout.cells[v].sample;
        let mut lie = film.clone();
        let color = other_color(&mut dice, &film, solution[v]);
        // The left half and a little less.
        lie.paint(frame as usize, [s[0], s[1], s[2] * 0.45, s[3]], color);
        let name = film.manifest.layout.cells[v].cell.clone();
        score.judge(&format!("a part of {name} at {frame}"), &lie, |r| {
            names(r, What::Cell, &name, frame)
        });
    }
    score.done("parts painted over");
}

#[test]
fn events_changed_in_the_trace() {
    let film = Film::of(&short_puzzle());
    let mut dice = Dice(9);
    let mut score = Score::default();
    for _ in 0..12 {
        let mut lie = film.clone();
        let k = dice.roll(9);
        if let Event::Assign { color, .. } = &mut lie.trace.events[k] {
            *color = *color % 9 + 1;
        }
        score.judge(&format!("event {k} with another colour"), &lie, |r| {
            r.findings.iter().any(|f| f.what == What::Trace)
        });
        let mut lie = film.clone();
        let solution = lie.trace.solution.as_mut().unwrap();
        let (a, b) = (dice.roll(81), dice.roll(81));
        if solution[a] != solution[b] {
            solution.swap(a, b);
            score.judge("a changed solution", &lie, |r| {
                r.findings.iter().any(|f| f.what == What::Trace)
            });
        }
    }
    score.done("changed traces");
}
