//! What a puzzle's rules draw on the board.
//!
//! Outlines, bands and lines lie on the tiles and beneath digits; rings, labels and marks stand on
//! corners and borders above everything but the marks of the search. All are drawn in two tones,
//! a line and a casing, so that they can be read on every colour. Each cell keeps a part of pure
//! colour, its sample, that no clue touches: an audit reads it.

mod arrow;
mod families;
mod label;
mod outline;
mod pen;
mod sample;

use super::display::Item;
use super::layout::Layout;
use super::paint::Font;
use super::palette::Theme;
use super::{Look, Style};
use crate::puzzle::Puzzle;
use pen::Pen;

/// The drawn clues of a puzzle.
#[derive(Debug, Default)]
pub struct Clues {
    under: Vec<Item>,
    over: Vec<Item>,
    through: Vec<bool>,
    samples: Vec<[i32; 4]>,
    cut: Vec<bool>,
}

impl Clues {
    /// Lays out the clues of `puzzle`.
    pub fn new(puzzle: &Puzzle, layout: &Layout, look: Look, font: &Font) -> Self {
        let board = &layout.board;
        let n = puzzle.cells().len();
        if puzzle.rules.is_empty() {
            return Clues {
                samples: board.rects.iter().map(|r| board.sample(*r)).collect(),
                through: vec![false; n],
                cut: vec![false; n],
                ..Clues::default()
            };
        }
        let mut pen = Pen::new(puzzle, board, look, font);
        families::draw(&mut pen, puzzle);
        let choice = sample::choose(board, look.style, &pen.under, &pen.over);
        Clues {
            through: pen.through,
            under: pen.under,
            over: pen.over,
            samples: choice.iter().map(|c| c.rect).collect(),
            cut: choice.iter().map(|c| c.cut).collect(),
        }
    }

    /// Whether there is anything to draw.
    pub fn is_empty(&self) -> bool {
        self.under.is_empty() && self.over.is_empty()
    }

    /// The part of cell `v` that shows its pure colour.
    pub fn sample(&self, v: usize) -> [i32; 4] {
        self.samples[v]
    }

    /// Whether a line runs through the sample of cell `v`, so that the cell's colour has to be
    /// laid over it there.
    pub fn cut(&self, v: usize) -> bool {
        self.cut[v]
    }

    /// Whether a line runs through the middle of cell `v`, where its digit will stand.
    pub fn through(&self, v: usize) -> bool {
        self.through[v]
    }

    /// Adds what lies beneath digits, `shown` of the way visible.
    pub fn draw_under(&self, shown: f64, items: &mut Vec<Item>) {
        items.extend(self.under.iter().map(|i| faded(i, shown)));
    }

    /// Adds what stands above them.
    pub fn draw_over(&self, shown: f64, items: &mut Vec<Item>) {
        items.extend(self.over.iter().map(|i| faded(i, shown)));
    }
}

/// The item with its opacity scaled.
fn faded(item: &Item, shown: f64) -> Item {
    let mut item = item.clone();
    if shown >= 1.0 {
        return item;
    }
    let shown = shown as f32;
    match &mut item {
        Item::Rect { alpha, .. }
        | Item::Frame { alpha, .. }
        | Item::Disc { alpha, .. }
        | Item::Ring { alpha, .. }
        | Item::Shape { alpha, .. }
        | Item::Text { alpha, .. } => *alpha *= shown,
        Item::Line(line) => {
            let mut faded = (**line).clone();
            faded.alpha *= shown;
            *line = faded.into();
        }
        Item::Curves(_) => {}
    }
    item
}

/// The texts that a puzzle's clues need glyphs for.
pub fn texts(puzzle: &Puzzle) -> Vec<String> {
    puzzle.rules.iter().filter_map(label::of).collect()
}

/// The two tones of clues in a theme: lines and letters, and what lies around and behind them.
fn tones(theme: Theme) -> [super::display::Rgb; 2] {
    use super::display::Rgb;
    match theme {
        Theme::Dark => [Rgb::hex(0xf4f1ea), Rgb::hex(0x0e1015)],
        Theme::Light => [Rgb::hex(0x14161c), Rgb::hex(0xfbfaf7)],
    }
}

/// Whether cells carry digit, symbol and name all along.
fn tokens(look: Look) -> bool {
    look.style == Style::Tokens
}
