//! What a frame costs to draw and to convert, on one thread: `cargo bench --bench paint`.
//!
//! The graph is one like the demo's: 81 vertices and 810 bent edges in 2560×1440, half of the
//! way from one arrangement to the other.

use divan::Bencher;
use proofreel::film::display::{Curve, CurveBatch, DisplayList, Item, Rgb};
use proofreel::film::paint::{Damage, Font, Painter};
use proofreel::film::palette::Theme;
use proofreel::film::{Film, Lang, Look, Request, Style};
use proofreel::picture::Yuv420;
use proofreel::puzzle::bundled;
use proofreel::solve::{Limits, solve};
use std::sync::Arc;

const SIZE: (u32, u32) = (2560, 1440);

fn main() {
    #[cfg(feature = "parallel")]
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    divan::main();
}

/// Where vertex `i` stands at a moment of its way, 0 to 1.
fn place(i: usize, moment: f32) -> [f32; 2] {
    // Nine directions, written out so as not to need sine and cosine.
    const RING: [[f32; 2]; 9] = [
        [0.0, -1.0],
        [0.643, -0.766],
        [0.985, -0.174],
        [0.866, 0.5],
        [0.342, 0.94],
        [-0.342, 0.94],
        [-0.866, 0.5],
        [-0.985, -0.174],
        [-0.643, -0.766],
    ];
    let (row, column) = (i / 9, i % 9);
    let (down, right) = ((row / 3) as f32 - 1.0, (column / 3) as f32 - 1.0);
    let before = RING[row % 3 * 3 + column % 3];
    let color = RING[(row * 3 + row / 3 + column) % 9];
    let from = [
        1880.0 + right * 400.0 + before[0] * 130.0,
        720.0 + down * 400.0 + before[1] * 130.0,
    ];
    let to = [
        1880.0 + color[0] * 480.0 + RING[row][0] * 110.0,
        720.0 + color[1] * 480.0 + RING[row][1] * 110.0,
    ];
    [0, 1].map(|k| from[k] + (to[k] - from[k]) * moment)
}

fn frame(moment: f32) -> DisplayList {
    let at: Vec<[f32; 2]> = (0..81).map(|i| place(i, moment)).collect();
    let neighbours = |i: usize, j: usize| {
        let (r, c, s, d) = (i / 9, i % 9, j / 9, j % 9);
        r == s || c == d || (r / 3 == s / 3 && c / 3 == d / 3)
    };
    let mut curves = Vec::new();
    for i in 0..81 {
        for j in (i + 1..81).filter(|j| neighbours(i, *j)) {
            let (p, q) = (at[i], at[j]);
            let bend = if (i + j) % 2 == 0 { 0.12 } else { -0.12 };
            let control = [
                (p[0] + q[0]) / 2.0 - (q[1] - p[1]) * bend,
                (p[1] + q[1]) / 2.0 + (q[0] - p[0]) * bend,
            ];
            curves.push(Curve {
                from: p,
                control,
                to: q,
                alpha: 0.3,
            });
        }
    }
    assert_eq!(curves.len(), 810);
    let mut items: Vec<Item> = (0..81)
        .map(|i| Item::Rect {
            rect: [90 + i % 9 * 126, 140 + i / 9 * 126, 118, 118],
            color: Rgb::hex(0x3c88d4),
            alpha: 1.0,
        })
        .collect();
    items.push(Item::Curves(Arc::new(CurveBatch {
        curves,
        width: 1.5,
        color: Rgb::hex(0x96a0be),
    })));
    items.extend(at.iter().map(|at| Item::Disc {
        at: *at,
        radius: 27.0,
        color: Rgb::hex(0x55cc8c),
        alpha: 1.0,
    }));
    DisplayList {
        size: SIZE,
        background: Rgb::hex(0x0e1015),
        items,
    }
}

/// A frame in which all edges and vertices moved.
#[divan::bench]
fn all_edges_move(bencher: Bencher) {
    let frames: Vec<_> = (0..16).map(|i| frame(0.4 + i as f32 / 80.0)).collect();
    let mut painter = Painter::new(SIZE.0, SIZE.1, Arc::new(Font::builtin()));
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % frames.len();
        painter.paint(&frames[next])
    });
}

/// A frame in which one cell and twenty edges changed, as in the search.
#[divan::bench]
fn one_vertex_takes_its_colour(bencher: Bencher) {
    let rest = frame(0.0);
    let frames: Vec<_> = (0..16u32)
        .map(|i| {
            let mut list = rest.clone();
            let alpha = i as f32 / 16.0;
            list.items[40] = Item::Rect {
                rect: [594, 644, 118, 118],
                color: Rgb::hex(0xbb022b),
                alpha,
            };
            let at = place(40, 0.0);
            let curves = (0..81)
                .filter(|j| j % 9 == 4 || j / 9 == 4)
                .map(|j| (at, place(j, 0.0)))
                .map(|(p, q)| Curve {
                    from: p,
                    control: [(p[0] + q[0]) / 2.0, (p[1] + q[1]) / 2.0],
                    to: q,
                    alpha,
                })
                .collect();
            let lit = CurveBatch {
                curves,
                width: 2.5,
                color: Rgb::hex(0xbb022b),
            };
            list.items.insert(82, Item::Curves(Arc::new(lit)));
            list
        })
        .collect();
    let mut painter = Painter::new(SIZE.0, SIZE.1, Arc::new(Font::builtin()));
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % frames.len();
        painter.paint(&frames[next])
    });
}

/// A frame like the one before.
#[divan::bench]
fn nothing_changes(bencher: Bencher) {
    let list = frame(0.5);
    let mut painter = Painter::new(SIZE.0, SIZE.1, Arc::new(Font::builtin()));
    painter.paint(&list);
    bencher.bench_local(|| painter.paint(&list));
}

/// Everything from nothing.
#[divan::bench]
fn a_whole_frame(bencher: Bencher) {
    let list = frame(0.5);
    let font = Arc::new(Font::builtin());
    bencher
        .with_inputs(|| Painter::new(SIZE.0, SIZE.1, font.clone()))
        .bench_local_values(|mut painter| painter.paint(&list));
}

/// Converting all of a frame.
#[divan::bench]
fn convert_all(bencher: Bencher) {
    let mut painter = Painter::new(SIZE.0, SIZE.1, Arc::new(Font::builtin()));
    painter.paint(&frame(0.5));
    let mut picture = Yuv420::new(SIZE.0, SIZE.1);
    let all = Damage::full(SIZE.0, SIZE.1);
    bencher.bench_local(|| painter.convert(&all, &mut picture));
}

/// The demo's film at full size.
fn demo() -> Film {
    let demo = bundled::find("demo").expect("the demo is bundled");
    let trace = solve(&demo.read().expect("it reads"), &Limits::default()).trace;
    let request = Request {
        size: SIZE,
        fps: 60,
        search_seconds: 90.0,
        look: Look {
            style: Style::Reveal,
            theme: Theme::Dark,
            lang: Lang::En,
        },
    };
    Film::new(&trace, request, Arc::new(Font::builtin())).expect("the demo can be filmed")
}

/// Every frame of the demo, drawn and converted on one thread, to nowhere.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn the_whole_demo(bencher: Bencher) {
    let film = demo();
    bencher.bench_local(|| {
        let mut painter = Painter::new(SIZE.0, SIZE.1, film.font().clone());
        let mut picture = Yuv420::new(SIZE.0, SIZE.1);
        for n in 0..film.scene().frames() {
            let damage = painter.compare(&film.scene().frame(n));
            if !damage.is_empty() {
                painter.draw_into(&damage, &damage, &mut picture);
            }
        }
        picture
    });
}

/// The same without drawing: what is on the screen in every frame.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn the_whole_demo_described(bencher: Bencher) {
    let film = demo();
    bencher.bench_local(|| {
        for n in 0..film.scene().frames() {
            divan::black_box(film.scene().frame(n));
        }
    });
}
