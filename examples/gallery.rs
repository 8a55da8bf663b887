//! One sheet with a board of each rule family, as the README shows it:
//! `cargo run --release --example gallery -- docs/gallery.png`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use image::RgbaImage;
use image::imageops::replace;
use proofreel::film::display::{DisplayList, Item};
use proofreel::film::paint::{Font, Painter, write_png};
use proofreel::film::palette::{Theme, theme};
use proofreel::film::render::Stills;
use proofreel::film::{Film, Lang, Look, Request, Style};
use proofreel::solve::{Limits, solve};

/// Puzzle, and what is written under it.
const BOARDS: [(&str, &str); 10] = [
    ("nine-rings", "contains"),
    ("fourteen-arrows", "appears"),
    ("two-shadows", "clone"),
    ("masked-twins", "isomorphic"),
    ("counting-circles", "count"),
    ("slanted-glances", "distinct_count"),
    ("mixed-company", "global_entropy"),
    ("nine-balances", "equal_sum"),
    ("ten-vees", "vudoku"),
    ("four-windows", "house"),
];
/// Size of the films that the boards are taken from.
const FILM: (u32, u32) = (1280, 720);
/// Side of a board's square and height of the line below it, in pixels.
const SQUARE: (u32, u32) = (568, 60);
/// Where that square lies in a film: around the board and what stands outside of it.
const CORNER: [u32; 2] = [34, 76];
/// Boards in a row.
const COLUMNS: u32 = 5;
/// Around and between boards.
const GAP: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let target = std::env::args().nth(1).ok_or("which PNG file?")?;
    let font = Arc::new(Font::builtin());
    let look = Look {
        style: Style::Reveal,
        theme: Theme::Dark,
        lang: Lang::En,
    };
    let (side, line) = SQUARE;
    let rows = (BOARDS.len() as u32).div_ceil(COLUMNS);
    let (width, height) = (
        GAP + COLUMNS * (side + GAP),
        GAP + rows * (side + line + GAP),
    );
    let mut words = Vec::new();
    let mut boards = Vec::new();
    for (i, (name, family)) in BOARDS.into_iter().enumerate() {
        let (column, row) = (i as u32 % COLUMNS, i as u32 / COLUMNS);
        let (x, y) = (GAP + column * (side + GAP), GAP + row * (side + line + GAP));
        words.push(Item::Text {
            text: family.into(),
            at: [(x + side / 2) as f32, (y + side + line / 2) as f32],
            size: 34.0,
            color: theme(Theme::Dark).edge,
            alpha: 1.0,
        });
        boards.push((board(name, look, &font)?, i64::from(x), i64::from(y)));
    }
    let mut painter = Painter::new(width, height, font);
    painter.paint(&DisplayList {
        size: (width, height),
        background: theme(Theme::Dark).background,
        items: words,
    });
    let mut sheet = RgbaImage::from_raw(width, height, painter.rgba().to_vec())
        .ok_or("the sheet has an odd size")?;
    for (board, x, y) in boards {
        replace(&mut sheet, &board, x, y);
    }
    write_png(std::fs::File::create(target)?, &sheet, width, height)?;
    Ok(())
}

/// The board of a puzzle, two thirds through its search.
fn board(name: &str, look: Look, font: &Arc<Font>) -> Result<RgbaImage, Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("puzzles/{name}.json"));
    let puzzle = proofreel::puzzle::read(&std::fs::read(path)?, name)?.swap_remove(0);
    let trace = solve(&puzzle, &Limits::default()).trace;
    let request = Request {
        size: FILM,
        fps: 60,
        search_seconds: 90.0,
        look,
    };
    let film = Film::new(&trace, request, font.clone())?;
    let states = &film.scene().timeline().states;
    let n = states[states.len() * 2 / 3].last;
    let picture = RgbaImage::from_raw(FILM.0, FILM.1, Stills::new(&film).rgba(n).to_vec())
        .ok_or("a still has the size of its film")?;
    let (side, [x, y]) = (SQUARE.0, CORNER);
    Ok(image::imageops::crop_imm(&picture, x, y, side, side).to_image())
}
