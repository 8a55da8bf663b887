//! The painter's pixels: the same however one comes to them, and close to the exact ones.

use proofreel::film::display::{Curve, CurveBatch, DisplayList, Item, Polyline, Rgb, Symbol};
use proofreel::film::paint::{Damage, Font, Painter};
use proofreel::picture::Yuv420;
use std::sync::Arc;

/// A small generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    fn color(&mut self) -> Rgb {
        Rgb::hex(self.below(1 << 24) as u32)
    }

    fn alpha(&mut self) -> f32 {
        if self.below(2) == 0 { 1.0 } else { self.unit() }
    }

    fn point(&mut self, (w, h): (u32, u32)) -> [f32; 2] {
        [
            self.range(-40.0, w as f32 + 40.0),
            self.range(-40.0, h as f32 + 40.0),
        ]
    }

    fn curve(&mut self, size: (u32, u32)) -> Curve {
        let (from, to) = (self.point(size), self.point(size));
        let mut control = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
        if self.below(3) > 0 {
            control = [
                control[0] + self.range(-90.0, 90.0),
                control[1] + self.range(-90.0, 90.0),
            ];
        }
        Curve {
            from,
            control,
            to,
            alpha: self.range(0.05, 0.6),
        }
    }

    fn item(&mut self, size: (u32, u32)) -> Item {
        let (color, alpha, at) = (self.color(), self.alpha(), self.point(size));
        let (w, h) = (self.below(90) as i32, self.below(90) as i32);
        let rect = [at[0] as i32, at[1] as i32, w, h];
        match self.below(9) {
            0 => Item::Rect { rect, color, alpha },
            1 => Item::Frame {
                rect,
                width: self.below(7) as i32,
                color,
                alpha,
            },
            2 => Item::Disc {
                at,
                radius: self.range(0.2, 40.0),
                color,
                alpha,
            },
            3 => {
                let (radius, width) = (self.range(0.2, 40.0), self.range(0.5, 9.0));
                Item::Ring {
                    at,
                    radius,
                    width,
                    color,
                    alpha,
                }
            }
            4 => {
                let all = [
                    Symbol::Star,
                    Symbol::Ring,
                    Symbol::Saltire,
                    Symbol::Pentagon,
                ];
                let symbol = all[self.below(4) as usize];
                Item::Shape {
                    symbol,
                    at,
                    size: self.range(3.0, 50.0),
                    color,
                    alpha,
                }
            }
            5 => {
                let text = ["7", "Teal", "12", "Àg."][self.below(4) as usize].into();
                Item::Text {
                    text,
                    at,
                    size: self.range(6.0, 50.0),
                    color,
                    alpha,
                }
            }
            6 => Item::Line(Arc::new(Polyline {
                points: (0..2 + self.below(4)).map(|_| self.point(size)).collect(),
                closed: self.below(2) == 0,
                width: [0.0, 1.5, 4.0][self.below(3) as usize],
                dash: [[0.0, 0.0], [6.0, 4.0]][self.below(2) as usize],
                color,
                alpha,
            })),
            _ => {
                let curves = (0..1 + self.below(25)).map(|_| self.curve(size)).collect();
                let width = [0.5, 1.5, 3.0, 7.5][self.below(4) as usize];
                Item::Curves(Arc::new(CurveBatch {
                    curves,
                    width,
                    color,
                }))
            }
        }
    }

    /// A batch that differs in one curve, or in its colour.
    fn changed_batch(&mut self, batch: &CurveBatch, size: (u32, u32)) -> CurveBatch {
        let mut batch = batch.clone();
        let which = self.below(batch.curves.len() as u64 + 1) as usize;
        let curve = self.curve(size);
        match self.below(4) {
            0 => batch.curves.insert(which, curve),
            1 if which < batch.curves.len() => drop(batch.curves.remove(which)),
            2 if which < batch.curves.len() => batch.curves[which].alpha *= 0.7,
            _ => batch.color = self.color(),
        }
        batch
    }

    /// A list that differs a little from the one before.
    fn changed(&mut self, list: &DisplayList) -> DisplayList {
        let mut list = list.clone();
        for _ in 0..self.below(4) {
            let len = list.items.len();
            let item = self.item(list.size);
            let place = self.below(len as u64 + 1) as usize;
            match self.below(5) {
                0 => list.items.insert(place, item),
                1 if place < len => drop(list.items.remove(place)),
                2 if place < len => list.items[place] = item,
                3 if len > 1 => {
                    let other = self.below(len as u64) as usize;
                    list.items.swap(place.min(len - 1), other);
                }
                _ => {
                    for item in &mut list.items {
                        if let Item::Curves(batch) = item {
                            *batch = Arc::new(self.changed_batch(batch, list.size));
                        }
                    }
                }
            }
        }
        if self.below(30) == 0 {
            list.background = self.color();
        }
        list
    }
}

fn alone(list: &DisplayList, font: &Arc<Font>) -> (Vec<u8>, Yuv420) {
    let mut painter = Painter::new(list.size.0, list.size.1, font.clone());
    let damage = painter.paint(list);
    let mut picture = Yuv420::new(list.size.0, list.size.1);
    painter.convert(&damage, &mut picture);
    (painter.rgba().to_vec(), picture)
}

fn one_batch(size: (u32, u32), batch: CurveBatch) -> DisplayList {
    DisplayList {
        size,
        background: Rgb::hex(0),
        items: vec![Item::Curves(Arc::new(batch))],
    }
}

fn white(curves: Vec<Curve>, width: f32) -> CurveBatch {
    CurveBatch {
        curves,
        width,
        color: Rgb::hex(0xffffff),
    }
}

#[test]
fn a_frame_in_any_sequence_is_the_frame_alone() {
    let font = Arc::new(Font::builtin());
    for seed in 1..=24 {
        let mut dice = Dice(seed * 0x9e37_79b9);
        let size = [(160, 130), (256, 96), (98, 200)][seed as usize % 3];
        let items = (0..12).map(|_| dice.item(size)).collect();
        let mut list = DisplayList {
            size,
            background: dice.color(),
            items,
        };
        let mut painter = Painter::new(size.0, size.1, font.clone());
        let mut picture = Yuv420::new(size.0, size.1);
        for step in 0..25 {
            let before = (painter.rgba().to_vec(), picture.clone());
            let damage = painter.paint(&list);
            painter.convert(&damage, &mut picture);
            let (rgba, ycbcr) = alone(&list, &font);
            assert!(
                painter.rgba() == rgba,
                "seed {seed}, step {step}: pixels differ"
            );
            assert!(
                picture == ycbcr,
                "seed {seed}, step {step}: converted pixels differ"
            );
            if damage.is_empty() {
                assert!(before.0 == rgba && before.1 == ycbcr);
            }
            list = dice.changed(&list);
        }
    }
}

#[test]
fn an_equal_list_damages_nothing() {
    let mut dice = Dice(77);
    let size = (256, 256);
    let items: Vec<Item> = (0..60).map(|_| dice.item(size)).collect();
    let list = DisplayList {
        size,
        background: Rgb::hex(0x101010),
        items,
    };
    let mut painter = Painter::new(256, 256, Arc::new(Font::builtin()));
    assert_eq!(painter.paint(&list), Damage::full(256, 256));
    assert!(painter.paint(&list).is_empty());
    // Also where nothing is shared.
    let mut copy = list.clone();
    for item in &mut copy.items {
        if let Item::Curves(batch) = item {
            *batch = Arc::new((**batch).clone());
        }
    }
    assert!(painter.paint(&copy).is_empty());
}

#[test]
fn one_changed_curve_damages_its_own_path_only() {
    let curve = |y: f32, alpha| Curve {
        from: [10.0, y],
        control: [500.0, y],
        to: [990.0, y],
        alpha,
    };
    let list = |alpha| {
        let curves = vec![curve(16.0, 0.3), curve(500.0, alpha), curve(900.0, 0.3)];
        one_batch((1000, 1000), white(curves, 1.5))
    };
    let mut painter = Painter::new(1000, 1000, Arc::new(Font::builtin()));
    painter.paint(&list(0.2));
    let damage = painter.paint(&list(0.25));
    assert_eq!(damage.rects().collect::<Vec<_>>(), [[0, 480, 992, 32]]);
}

#[test]
fn a_diagonal_damages_the_tiles_along_it_not_its_box() {
    let list = |alpha| {
        let curve = Curve {
            from: [5.0, 5.0],
            control: [500.0, 500.0],
            to: [995.0, 995.0],
            alpha,
        };
        one_batch((1000, 1000), white(vec![curve], 1.5))
    };
    let mut painter = Painter::new(1000, 1000, Arc::new(Font::builtin()));
    painter.paint(&list(0.2));
    let tiles = painter.paint(&list(0.25)).tiles();
    assert!((32..140).contains(&tiles), "{tiles} of 1024 tiles");
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_makes_the_same_pixels() {
    let font = Arc::new(Font::builtin());
    let mut dice = Dice(4242);
    let size = (1280, 720);
    let items = (0..120).map(|_| dice.item(size)).collect();
    let first = DisplayList {
        size,
        background: Rgb::hex(0x0e1015),
        items,
    };
    let second = dice.changed(&first);
    let second = dice.changed(&second);
    let draw = || {
        let mut painter = Painter::new(size.0, size.1, font.clone());
        let mut picture = Yuv420::new(size.0, size.1);
        let damage = painter.paint(&first);
        painter.convert(&damage, &mut picture);
        let one = (painter.rgba().to_vec(), picture.clone());
        let damage = painter.paint(&second);
        painter.convert(&damage, &mut picture);
        (one, painter.rgba().to_vec(), picture)
    };
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(draw)
    };
    let one = with(1);
    assert!(one == with(2));
    assert!(one == with(8));
}

#[test]
fn rectangles_are_exact_and_unblurred() {
    let mut painter = Painter::new(64, 64, Arc::new(Font::builtin()));
    let (ink, ground) = (Rgb::hex(0xc04080), Rgb::hex(0x0e1015));
    painter.paint(&DisplayList {
        size: (64, 64),
        background: ground,
        items: vec![
            Item::Rect {
                rect: [5, 7, 30, 29],
                color: ink,
                alpha: 1.0,
            },
            Item::Frame {
                rect: [40, 40, 20, 10],
                width: 2,
                color: ink,
                alpha: 0.5,
            },
        ],
    });
    let half = ground.mix(ink, 0.5);
    for y in 0..64 {
        for x in 0..64 {
            let inside = (5..35).contains(&x) && (7..36).contains(&y);
            let outer = (40..60).contains(&x) && (40..50).contains(&y);
            let inner = (42..58).contains(&x) && (42..48).contains(&y);
            let want = match (inside, outer && !inner) {
                (true, _) => ink,
                (_, true) => half,
                _ => ground,
            };
            let at = (y * 64 + x) * 4;
            let got = &painter.rgba()[at..at + 4];
            assert_eq!(got, [want.r, want.g, want.b, 255], "at {x}, {y}");
        }
    }
}

#[test]
fn flat_colours_convert_as_the_standard_says() {
    let mut painter = Painter::new(32, 32, Arc::new(Font::builtin()));
    let mut picture = Yuv420::new(32, 32);
    let mut dice = Dice(9);
    let mut colors: Vec<u32> = (0..400).map(|_| dice.below(1 << 24) as u32).collect();
    colors.extend([0, 0xffffff, 0xff0000, 0x00ff00, 0x0000ff, 0x3cb371]);
    for color in colors {
        let background = Rgb::hex(color);
        let damage = painter.paint(&DisplayList {
            size: (32, 32),
            background,
            items: vec![],
        });
        painter.convert(&damage, &mut picture);
        let [r, g, b] = [background.r, background.g, background.b].map(|v| f64::from(v) / 255.0);
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let exact = [
            16.0 + 219.0 * y,
            128.0 + 224.0 * (b - y) / 1.8556,
            128.0 + 224.0 * (r - y) / 1.5748,
        ];
        for (plane, exact) in picture.planes().iter().zip(exact) {
            for value in *plane {
                let off = (f64::from(*value) - exact).abs();
                assert!(off < 0.55, "{color:06x}: {value} is not {exact}");
            }
        }
    }
}

fn on_curve(curve: &Curve, t: f64) -> [f64; 2] {
    [0, 1].map(|k| {
        let [p, q, r] = [curve.from, curve.control, curve.to].map(|p| f64::from(p[k]));
        p * (1.0 - t) * (1.0 - t) + 2.0 * q * t * (1.0 - t) + r * t * t
    })
}

/// The coverage of a band around a curve by 16 by 16 samples a pixel.
fn sampled(curve: &Curve, width: f32, size: (u32, u32)) -> Vec<f64> {
    let points: Vec<[f64; 2]> = (0..=600)
        .map(|i| on_curve(curve, f64::from(i) / 600.0))
        .collect();
    let half = f64::from(width) / 2.0;
    let (w, h) = (size.0 as usize, size.1 as usize);
    let mut hit = vec![false; w * 16 * h * 16];
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let d = [b[0] - a[0], b[1] - a[1]];
        let range = |k: usize, limit: usize| {
            let low = (a[k].min(b[k]) - half) * 16.0;
            let high = (a[k].max(b[k]) + half) * 16.0;
            low.max(0.0) as usize..(high.ceil().max(0.0) as usize + 1).min(limit * 16)
        };
        for y in range(1, h) {
            for x in range(0, w) {
                let p = [
                    (x as f64 + 0.5) / 16.0 - a[0],
                    (y as f64 + 0.5) / 16.0 - a[1],
                ];
                let t = ((p[0] * d[0] + p[1] * d[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
                let off = [p[0] - d[0] * t, p[1] - d[1] * t];
                if off[0] * off[0] + off[1] * off[1] <= half * half {
                    hit[y * w * 16 + x] = true;
                }
            }
        }
    }
    let mut cover = vec![0.0; w * h];
    for y in 0..h * 16 {
        for x in 0..w * 16 {
            if hit[y * w * 16 + x] {
                cover[y / 16 * w + x / 16] += 1.0 / 256.0;
            }
        }
    }
    cover
}

#[test]
fn a_curve_covers_what_sampling_finds() {
    let font = Arc::new(Font::builtin());
    let size = (96, 96);
    let mut dice = Dice(2024);
    let (mut sum, mut count, mut worst) = (0.0, 0usize, 0.0f64);
    for round in 0..32 {
        // Ends outside of the picture, since they are hidden under discs in a film.
        let (from, to) = match round % 2 {
            0 => (
                [-20.0, dice.range(-10.0, 106.0)],
                [116.0, dice.range(-10.0, 106.0)],
            ),
            _ => (
                [dice.range(-10.0, 106.0), -20.0],
                [dice.range(-10.0, 106.0), 116.0],
            ),
        };
        let bend = if round % 4 < 2 { 0.0 } else { 50.0 };
        let control = [
            (from[0] + to[0]) / 2.0 + dice.range(-bend, bend),
            (from[1] + to[1]) / 2.0 + dice.range(-bend, bend),
        ];
        let curve = Curve {
            from,
            control,
            to,
            alpha: 1.0,
        };
        let width = [1.0, 1.5, 2.5, 6.0][round / 4 % 4];
        let exact = sampled(&curve, width, size);
        let mut painter = Painter::new(size.0, size.1, font.clone());
        painter.paint(&one_batch(size, white(vec![curve], width)));
        for (pixel, exact) in painter.rgba().chunks_exact(4).zip(&exact) {
            let off = (f64::from(pixel[0]) / 255.0 - exact).abs();
            worst = worst.max(off);
            if *exact > 0.0 || pixel[0] > 0 {
                sum += off;
                count += 1;
            }
        }
    }
    let mean = sum / count as f64;
    println!("mean error {mean:.5}, worst {worst:.5}");
    assert!(mean < 0.01, "mean error {mean}");
    assert!(worst < 0.06, "worst error {worst}");
}

#[test]
fn a_stroke_is_even_along_the_whole_of_a_turning_curve() {
    // A quarter turn passes through a diagonal, where the kernel changes its axis: the ink in
    // each stretch of the curve must stay the same, without a bead or a gap.
    let size = (400, 400);
    let mut painter = Painter::new(400, 400, Arc::new(Font::builtin()));
    let curve = Curve {
        from: [20.0, 380.0],
        control: [30.0, 30.0],
        to: [380.0, 20.0],
        alpha: 1.0,
    };
    painter.paint(&one_batch(size, white(vec![curve], 2.0)));
    for i in 10..90 {
        let t = f64::from(i) / 100.0;
        let (middle, ahead) = (on_curve(&curve, t), on_curve(&curve, t + 0.001));
        let d = [ahead[0] - middle[0], ahead[1] - middle[1]];
        let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
        let unit = [d[0] / length, d[1] / length];
        // Ink within a soft window along the curve.
        let mut ink = 0.0;
        for y in 0..400 {
            for x in 0..400 {
                let d = [
                    f64::from(x) + 0.5 - middle[0],
                    f64::from(y) + 0.5 - middle[1],
                ];
                let along = (d[0] * unit[0] + d[1] * unit[1]).abs();
                let across = (d[1] * unit[0] - d[0] * unit[1]).abs();
                if along < 6.0 && across < 12.0 {
                    let pixel = painter.rgba()[(y * 400 + x) as usize * 4];
                    ink += f64::from(pixel) / 255.0 * (1.0 - along / 6.0) / 6.0;
                }
            }
        }
        assert!(
            (ink - 2.0).abs() < 0.05,
            "at {t} the stroke has a width of {ink}"
        );
    }
}

#[test]
fn numbers_that_are_no_places_do_no_harm() {
    let mut painter = Painter::new(64, 64, Arc::new(Font::builtin()));
    let color = Rgb::hex(0xff0000);
    let mut items = Vec::new();
    for v in [f32::NAN, f32::INFINITY, -1e30, 1e9, -0.0] {
        let at = [v, 20.0];
        let alpha = v;
        items.push(Item::Disc {
            at,
            radius: 5.0,
            color,
            alpha: 1.0,
        });
        items.push(Item::Disc {
            at: [20.0, 20.0],
            radius: v,
            color,
            alpha,
        });
        items.push(Item::Ring {
            at,
            radius: v,
            width: v,
            color,
            alpha,
        });
        items.push(Item::Shape {
            symbol: Symbol::Star,
            at,
            size: v.min(500.0),
            color,
            alpha,
        });
        items.push(Item::Text {
            text: "8".into(),
            at,
            size: 12.0,
            color,
            alpha,
        });
        items.push(Item::Line(Arc::new(Polyline {
            points: vec![at, [5.0, v]],
            closed: true,
            width: v,
            dash: [v, v],
            color,
            alpha,
        })));
        let curve = |p: [f32; 2], q| Curve {
            from: p,
            control: q,
            to: [60.0, 60.0],
            alpha: 0.5,
        };
        items.push(Item::Curves(Arc::new(CurveBatch {
            curves: vec![
                curve(at, [3.0, 3.0]),
                curve([1.0, 1.0], at),
                curve([60.0; 2], [60.0; 2]),
            ],
            width: v,
            color,
        })));
    }
    for rect in [
        [i32::MIN, 0, i32::MAX, 9],
        [i32::MAX, i32::MAX, i32::MAX, 4],
        [0, 0, -5, -5],
    ] {
        items.push(Item::Rect {
            rect,
            color,
            alpha: 0.5,
        });
        items.push(Item::Frame {
            rect,
            width: i32::MAX,
            color,
            alpha: 0.5,
        });
    }
    let list = DisplayList {
        size: (64, 64),
        background: Rgb::hex(0),
        items,
    };
    painter.paint(&list);
    painter.paint(&list);
    assert!(painter.rgba().chunks_exact(4).all(|p| p[3] == 255));
}
