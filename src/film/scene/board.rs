//! The board side: tiles, tokens, digits.

use std::sync::Arc;

use super::{Colors, Scene};
use crate::film::display::{Item, Rgb, Symbol};
use crate::film::easing::fade;
use crate::film::palette;

/// Where a cell's digit, symbol and name stand, in pixels from the cell's corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellText {
    /// Centre of the digit.
    pub digit: [f32; 2],
    /// Font size of the digit.
    pub digit_size: f32,
    /// Centre and size of the symbol, in tokens style.
    pub symbol: ([f32; 2], f32),
    /// Centre and font size of the name, in tokens style.
    pub name: ([f32; 2], f32),
}

impl Scene {
    /// The places of text in every cell.
    pub fn cell_text(&self) -> CellText {
        let s = self.layout.board.cell as f32;
        let at = |x: f32, y: f32| [(x * s).round(), (y * s).round()];
        if self.tokens() {
            let wide = self.look.lang == crate::film::Lang::ZhHant;
            if !self.clues.is_empty() {
                // Clues stand on borders and corners: the token keeps to the middle.
                return CellText {
                    digit: at(0.67, 0.45),
                    digit_size: (s * 0.42).round(),
                    symbol: (at(0.33, 0.45), (s * 0.29).round()),
                    name: (at(0.5, 0.72), (s * if wide { 0.17 } else { 0.14 }).round()),
                };
            }
            CellText {
                digit: at(0.7, 0.47),
                digit_size: (s * 0.5).round(),
                symbol: (at(0.29, 0.47), (s * 0.35).round()),
                name: (at(0.5, 0.81), (s * if wide { 0.2 } else { 0.175 }).round()),
            }
        } else {
            CellText {
                digit: at(0.5, 0.54),
                digit_size: (s * 0.66).round(),
                symbol: (at(0.5, 0.5), 0.0),
                name: (at(0.5, 0.5), 0.0),
            }
        }
    }

    /// Font size of a digit on a cell; two figures stand closer together.
    pub fn digit_size(&self, color: u8) -> f32 {
        let size = self.cell_text().digit_size;
        if color > 9 {
            (size * 0.82).round()
        } else {
            size
        }
    }

    /// The colour of a tile that is settled in colour `c`.
    fn tile(&self, c: u8) -> Rgb {
        if c == 0 {
            self.theme.empty_cell
        } else {
            palette::color(c).rgb
        }
    }

    /// The colour of the tile of cell `v` at frame `n`.
    fn tile_now(&self, v: usize, n: u64, colors: &Colors) -> Rgb {
        let settled = self.tile(colors.new[v]);
        let color = match self.given(v) {
            Some(span) => self.theme.empty_cell.mix(settled, fade(span, n)),
            None if colors.old[v] != colors.new[v] => {
                self.tile(colors.old[v]).mix(settled, colors.mix)
            }
            None => settled,
        };
        // Mixed here rather than drawn translucent: the manifest promises exact mixtures.
        let alpha = fade(self.appears(v), n);
        self.theme.background.mix(color, alpha)
    }

    /// Lays the cell's colour over a line through its middle, as its digit comes.
    fn make_way(
        &self,
        v: usize,
        tile: Rgb,
        text: &CellText,
        n: u64,
        colors: &Colors,
        items: &mut Vec<Item>,
    ) {
        let [x, y, w, h] = self.layout.board.rects[v];
        if self.tokens() {
            let part = |side: i32, of: i32| side * of / 100;
            items.push(Item::Rect {
                rect: [x + part(w, 12), y + part(h, 27), part(w, 76), part(h, 53)],
                color: tile,
                alpha: match self.token_of(v, n, colors) {
                    (0, _) => 0.0,
                    (_, shown) => shown as f32,
                },
            });
        } else {
            let shown = self.reveal(v).map_or(0.0, |span| fade(span, n));
            items.push(Item::Disc {
                at: [x as f32 + text.digit[0], y as f32 + text.digit[1]],
                radius: w as f32 * 0.33,
                color: tile,
                alpha: if colors.new[v] == 0 {
                    0.0
                } else {
                    shown as f32
                },
            });
        }
    }

    pub(super) fn draw_board(&self, n: u64, colors: &Colors, items: &mut Vec<Item>) {
        let rects = &self.layout.board.rects;
        let tiles: Vec<Rgb> = (0..rects.len())
            .map(|v| self.tile_now(v, n, colors))
            .collect();
        let plain = |rect, color| Item::Rect {
            rect,
            color,
            alpha: 1.0,
        };
        for (&rect, &tile) in rects.iter().zip(&tiles) {
            items.push(plain(rect, tile));
        }
        let shown = fade(self.timeline.intro_span(22, 40), n);
        self.clues.draw_under(shown, items);
        let text = self.cell_text();
        for (v, &tile) in tiles.iter().enumerate() {
            if self.clues.cut(v) {
                items.push(plain(self.clues.sample(v), tile));
            }
            if self.clues.through(v) {
                self.make_way(v, tile, &text, n, colors, items);
            }
        }
        for (v, rect) in rects.iter().enumerate() {
            self.draw_text(v, *rect, &text, n, colors, items);
        }
        self.clues.draw_over(shown, items);
        self.draw_cell_marks(n, items);
    }

    /// How visible the token of cell `v` is, and which it is.
    pub(super) fn token_of(&self, v: usize, n: u64, colors: &Colors) -> (u8, f64) {
        let (old, new) = (colors.old[v], colors.new[v]);
        let appeared = self.given(v).map_or(1.0, |span| fade(span, n));
        if old == new {
            (new, appeared)
        } else if new != 0 {
            (new, colors.mix)
        } else {
            (old, 1.0 - colors.mix)
        }
    }

    fn draw_text(
        &self,
        v: usize,
        [x, y, ..]: [i32; 4],
        text: &CellText,
        n: u64,
        colors: &Colors,
        items: &mut Vec<Item>,
    ) {
        let (x, y) = (x as f32, y as f32);
        let (color, alpha) = if self.tokens() {
            self.token_of(v, n, colors)
        } else {
            (
                colors.new[v],
                self.reveal(v).map_or(0.0, |span| fade(span, n)),
            )
        };
        let alpha = if color == 0 { 0.0 } else { alpha as f32 };
        let token = palette::color(color.max(1));
        let ink = token.ink;
        // Invisible text still takes its place in the list (see `DisplayList::items`).
        let digit: Arc<str> = if alpha > 0.0 {
            color.to_string().into()
        } else {
            "".into()
        };
        items.push(Item::Text {
            text: digit,
            at: [x + text.digit[0], y + text.digit[1]],
            size: self.digit_size(color),
            color: ink,
            alpha,
        });
        if self.tokens() {
            items.push(Item::Shape {
                symbol: if alpha > 0.0 {
                    token.symbol
                } else {
                    Symbol::Circle
                },
                at: [x + text.symbol.0[0], y + text.symbol.0[1]],
                size: text.symbol.1,
                color: ink,
                alpha,
            });
            items.push(Item::Text {
                text: if alpha > 0.0 {
                    self.name(color)
                } else {
                    "".into()
                },
                at: [x + text.name.0[0], y + text.name.0[1]],
                size: text.name.1,
                color: ink,
                alpha,
            });
        }
    }
}
