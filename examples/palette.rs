//! For maintainers: how far apart the palette's colours are, and a search for better ones.
//!
//! `cargo run --release --example palette` prints the table of `film::palette`;
//! `… --example palette search [STEPS [SEED]]` anneals nine new ones, and
//! `… --example palette extend [STEPS [SEED]]` the seven that go on from the nine in use. The same
//! steps and seed give the same colours.

use proofreel::film::display::Rgb;
use proofreel::film::palette::vision::{Sight, ciede2000, contrast, rgb_of_lab};
use proofreel::film::palette::{COLORS, INK_DARK, INK_LIGHT, Theme, color, theme};

/// What a name may stand for: ranges of CIELAB lightness, chroma and hue in degrees.
struct Window {
    name: &'static str,
    lightness: [f64; 2],
    chroma: [f64; 2],
    hue: [f64; 2],
}

const fn window(name: &'static str, l: [f64; 2], c: [f64; 2], h: [f64; 2]) -> Window {
    Window {
        name,
        lightness: l,
        chroma: c,
        hue: h,
    }
}

const NINE: [Window; 9] = [
    window("Crimson", [34.0, 50.0], [55.0, 76.0], [14.0, 31.0]),
    window("Amber", [60.0, 74.0], [58.0, 84.0], [58.0, 73.0]),
    window("Gold", [80.0, 89.0], [52.0, 82.0], [85.0, 97.0]),
    window("Green", [46.0, 74.0], [40.0, 66.0], [134.0, 156.0]),
    window("Teal", [36.0, 60.0], [22.0, 42.0], [180.0, 206.0]),
    window("Blue", [46.0, 68.0], [36.0, 62.0], [260.0, 287.0]),
    window("Indigo", [26.0, 44.0], [46.0, 78.0], [298.0, 305.0]),
    window("Violet", [50.0, 74.0], [36.0, 66.0], [307.0, 322.0]),
    window("Rose", [60.0, 82.0], [34.0, 56.0], [345.0, 372.0]),
];

const SEVEN: [Window; 7] = [
    window("Brown", [30.0, 44.0], [22.0, 46.0], [48.0, 72.0]),
    window("Sky", [74.0, 86.0], [18.0, 42.0], [222.0, 258.0]),
    window("Lime", [82.0, 93.0], [55.0, 95.0], [104.0, 124.0]),
    window("Olive", [40.0, 58.0], [30.0, 58.0], [94.0, 112.0]),
    window("Silver", [64.0, 76.0], [0.0, 6.0], [0.0, 360.0]),
    window("Copper", [58.0, 76.0], [36.0, 60.0], [32.0, 48.0]),
    window("Plum", [26.0, 44.0], [22.0, 48.0], [322.0, 352.0]),
];

/// A colour as each sight sees it.
type Seen = [[f64; 3]; 4];

fn seen(color: Rgb) -> Seen {
    Sight::ALL.map(|sight| sight.lab(color))
}

/// Everything on the screen that is not a colour of a token.
fn empty_places() -> Vec<(&'static str, Rgb)> {
    let (dark, light) = (theme(Theme::Dark), theme(Theme::Light));
    vec![
        ("dark ground", dark.background),
        ("dark cell", dark.empty_cell),
        ("dark vertex", dark.empty_vertex),
        ("light ground", light.background),
        ("light cell", light.empty_cell),
        ("light vertex", light.empty_vertex),
    ]
}

fn best_ink(color: Rgb) -> f64 {
    contrast(INK_LIGHT, color).max(contrast(INK_DARK, color))
}

impl Window {
    fn holds(&self, color: Rgb) -> bool {
        let [l, a, b] = Sight::Normal.lab(color);
        let within = |v: f64, [low, high]: [f64; 2]| (low - 0.5..=high + 0.5).contains(&v);
        let hue = b.atan2(a).to_degrees();
        let turns = [hue, hue + 360.0];
        within(l, self.lightness)
            && within(a.hypot(b), self.chroma)
            && (self.chroma[0] == 0.0 || turns.iter().any(|h| within(*h, self.hue)))
            && best_ink(color) >= 5.05
    }

    fn any(&self, dice: &mut Dice) -> Rgb {
        loop {
            let pick = |[low, high]: [f64; 2], u: f64| low + (high - low) * u;
            let hue = pick(self.hue, dice.unit()).to_radians();
            let chroma = pick(self.chroma, dice.unit());
            let lightness = pick(self.lightness, dice.unit());
            let lab = [lightness, chroma * hue.cos(), chroma * hue.sin()];
            if let Some(color) = rgb_of_lab(lab).filter(|c| self.holds(*c)) {
                return color;
            }
        }
    }
}

struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal, with a deviation of 0.7.
    fn around(&mut self) -> f64 {
        (0..6).map(|_| self.unit()).sum::<f64>() - 3.0
    }
}

/// The smallest distance between two colours over all sights, in parts of what is aimed at.
fn apart(a: &Seen, b: &Seen, aims: &[f64; 4]) -> f64 {
    (0..4)
        .map(|k| ciede2000(a[k], b[k]) / aims[k])
        .fold(f64::INFINITY, f64::min)
}

/// Simulated annealing: the sum over pairs of a steep exponential, so that the closest pairs
/// count most and yet the others feel their way.
fn search(
    windows: &[Window],
    fixed: &[Rgb],
    aims: [f64; 4],
    steps: u32,
    dice: &mut Dice,
) -> Vec<Rgb> {
    let n = windows.len();
    let mut colors: Vec<Rgb> = windows.iter().map(|w| w.any(dice)).collect();
    let mut all: Vec<Seen> = colors.iter().chain(fixed).map(|c| seen(*c)).collect();
    let mut table: Vec<Vec<f64>> = (0..n)
        .map(|i| all.iter().map(|b| apart(&all[i], b, &aims)).collect())
        .collect();
    let pairs = |table: &[Vec<f64>]| -> Vec<f64> {
        (0..n).flat_map(|i| table[i][i + 1..].to_vec()).collect()
    };
    let energy = |pairs: &[f64]| {
        pairs
            .iter()
            .map(|d| (-30.0 * (d - 1.0)).exp())
            .sum::<f64>()
            .ln()
    };
    let mut now = energy(&pairs(&table));
    let (mut best, mut best_least) = (colors.clone(), 0.0);
    for step in 0..steps {
        let left = 1.0 - f64::from(step) / f64::from(steps);
        let (heat, reach) = (0.8 * left * left + 0.002, 4.0 * left + 0.7);
        let i = (dice.unit() * n as f64) as usize;
        let [l, a, b] = all[i][0];
        let lab = [
            l + dice.around() * reach,
            a + dice.around() * reach * 1.5,
            b + dice.around() * reach * 1.5,
        ];
        let Some(color) = rgb_of_lab(lab).filter(|c| windows[i].holds(*c)) else {
            continue;
        };
        let new = seen(color);
        let old_table = table.clone();
        for (j, other) in all.iter().enumerate().filter(|(j, _)| *j != i) {
            let d = apart(&new, other, &aims);
            table[i][j] = d;
            if j < n {
                table[j][i] = d;
            }
        }
        let there = pairs(&table);
        let then = energy(&there);
        if then < now || dice.unit() < ((now - then) / heat).exp() {
            (now, colors[i], all[i]) = (then, color, new);
            let least = there.iter().copied().fold(f64::INFINITY, f64::min);
            if least > best_least {
                (best, best_least) = (colors.clone(), least);
            }
        } else {
            table = old_table;
        }
    }
    best
}

/// Prints colours, and how close the closest of them are to each other and to empty places.
fn print_table(named: &[(&str, Rgb)], also: &[(&str, Rgb)]) {
    println!("| colour | sRGB | L* | C* | hue | ink | contrast | nearest, normal sight |");
    println!("|---|---|---|---|---|---|---|---|");
    let all: Vec<(&str, Rgb)> = named.iter().chain(also).copied().collect();
    for (i, (name, rgb)) in named.iter().enumerate() {
        let [l, a, b] = Sight::Normal.lab(*rgb);
        let ink = if contrast(INK_LIGHT, *rgb) > contrast(INK_DARK, *rgb) {
            "light"
        } else {
            "dark"
        };
        let nearest = all
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .map(|(_, (other, c))| (ciede2000([l, a, b], Sight::Normal.lab(*c)), *other))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let (distance, other) = nearest.unwrap_or((0.0, ""));
        println!(
            "| {name} | {} | {l:.0} | {:.0} | {:.0} | {ink} | {:.1} | {other} {distance:.1} |",
            rgb.css(),
            a.hypot(b),
            b.atan2(a).to_degrees().rem_euclid(360.0),
            best_ink(*rgb),
        );
    }
    println!("\n| sight | smallest CIEDE2000 | between |");
    println!("|---|---|---|");
    for sight in Sight::ALL {
        let mut least = (f64::INFINITY, "", "");
        for (i, (a, first)) in named.iter().enumerate() {
            for (b, second) in &all[i + 1..] {
                let d = ciede2000(sight.lab(*first), sight.lab(*second));
                if d < least.0 {
                    least = (d, a, b);
                }
            }
        }
        println!("| {sight:?} | {:.1} | {}, {} |", least.0, least.1, least.2);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default: u64| {
        arguments
            .get(i)
            .map_or(default, |s| s.parse().expect("a whole number"))
    };
    let (steps, seed) = (number(1, 100_000) as u32, number(2, 1));
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..20 {
        dice.unit();
    }
    let nine: Vec<(&str, Rgb)> = (1..=9).map(|c| (color(c).name, color(c).rgb)).collect();
    let empty = empty_places();
    let rgb = |named: &[(&str, Rgb)]| named.iter().map(|(_, c)| *c).collect::<Vec<_>>();
    let named = |windows: &[Window], found: Vec<Rgb>| -> Vec<(&str, Rgb)> {
        windows.iter().map(|w| w.name).zip(found).collect()
    };
    match arguments.first().map(String::as_str) {
        None => {
            println!("The first nine:\n");
            print_table(&nine, &empty);
            println!("\nAll sixteen:\n");
            let all: Vec<_> = (1..=COLORS)
                .map(|c| (color(c).name, color(c).rgb))
                .collect();
            print_table(&all, &empty);
        }
        Some("search") => {
            let aims = [25.0, 11.8, 11.8, 11.8];
            let found = search(&NINE, &rgb(&empty), aims, steps, &mut dice);
            print_table(&named(&NINE, found), &empty);
        }
        Some("extend") => {
            let fixed: Vec<_> = nine.iter().chain(&empty).copied().collect();
            let found = search(
                &SEVEN,
                &rgb(&fixed),
                [22.0, 11.0, 11.0, 11.0],
                steps,
                &mut dice,
            );
            print_table(&named(&SEVEN, found), &fixed);
        }
        Some(other) => {
            eprintln!("\"{other}\" is neither search nor extend; give one of them or nothing");
            std::process::exit(2);
        }
    }
}
