//! temp
use proofreel::film::*;
use proofreel::puzzle::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = if a[1] == "demo" {
        "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
            .to_string()
    } else {
        a[1].clone()
    };
    let mut p = Puzzle::classic();
    for (i, b) in text.bytes().enumerate() {
        if b.is_ascii_digit() && b != b'0' {
            p.givens.insert(p.cells()[i], b - b'0');
        }
    }
    let t = proofreel::solve::solve(&p, &Default::default()).trace;
    let size: Vec<u32> = a[2].split('x').map(|v| v.parse().unwrap()).collect();
    let style = if a[3] == "tokens" {
        Style::Tokens
    } else {
        Style::Reveal
    };
    let theme = if a[4] == "light" {
        palette::Theme::Light
    } else {
        palette::Theme::Dark
    };
    let t0 = std::time::Instant::now();
    let f = Film::new(
        &t,
        Request {
            size: (size[0], size[1]),
            fps: 60,
            search_seconds: 90.0,
            look: Look {
                style,
                theme,
                lang: Lang::En,
            },
        },
        std::sync::Arc::new(paint::Font::builtin()),
    )
    .unwrap();
    eprintln!("new {:?} frames {}", t0.elapsed(), f.scene().frames());
    let mut s = render::Stills::new(&f);
    for n in a[5].split(',') {
        let n: u64 = n.parse().unwrap();
        let t0 = std::time::Instant::now();
        let px = s.rgba(n).to_vec();
        eprintln!("{n} {:?}", t0.elapsed());
        paint::write_png(
            std::fs::File::create(format!("/tmp/still/{n}.png")).unwrap(),
            &px,
            size[0],
            size[1],
        )
        .unwrap();
    }
}
