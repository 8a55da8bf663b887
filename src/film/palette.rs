//! The colours of tokens and themes, chosen by calculation.
//!
//! `cargo run --release --example palette` prints the distances between them and, with `search`,
//! looks for better ones. Within limits of hue, chroma and lightness that keep each name honest,
//! the first nine maximise the smallest CIEDE2000 distance between any two, and to everything
//! that is not a colour (backgrounds, empty cells and vertices of both themes), for normal sight
//! and for simulated protanopia, deuteranopia and tritanopia; each carries dark or light ink at a
//! WCAG contrast of 5 or more. The others extend them by the same rule as well as they can.

pub mod vision;

use super::display::{Rgb, Symbol};

/// Dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// On a dark background.
    Dark,
    /// On a light background.
    Light,
}

impl Theme {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
        }
    }
}

/// What a theme colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThemeColors {
    /// Behind everything.
    pub background: Rgb,
    /// A cell without a colour.
    pub empty_cell: Rgb,
    /// A vertex without a colour.
    pub empty_vertex: Rgb,
    /// Edges at rest.
    pub edge: Rgb,
    /// Around what is chosen.
    pub ring: Rgb,
    /// Dead ends.
    pub cross: Rgb,
}

/// One colour and what goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The colour.
    pub rgb: Rgb,
    /// English name.
    pub name: &'static str,
    /// Name in Traditional Chinese.
    pub name_zh: &'static str,
    /// Symbol.
    pub symbol: Symbol,
    /// The ink of a digit on it: [`INK_LIGHT`] or [`INK_DARK`], whichever stands out more.
    pub ink: Rgb,
}

/// Ink on dark colours.
pub const INK_LIGHT: Rgb = Rgb::hex(0xffffff);
/// Ink on light colours.
pub const INK_DARK: Rgb = Rgb::hex(0x0b0d12);

/// The number of colours there are.
pub const COLORS: u8 = 16;

/// The colours of a theme.
pub fn theme(theme: Theme) -> ThemeColors {
    let h = Rgb::hex;
    match theme {
        Theme::Dark => ThemeColors {
            background: h(0x0e1015),
            empty_cell: h(0x21252d),
            empty_vertex: h(0x2f343f),
            edge: h(0x96a0be),
            ring: h(0xffffff),
            cross: h(0xf4f1ea),
        },
        Theme::Light => ThemeColors {
            background: h(0xf6f4ef),
            empty_cell: h(0xe2dfd8),
            empty_vertex: h(0xd3d0c8),
            edge: h(0x4d5468),
            ring: h(0x14161c),
            cross: h(0x14161c),
        },
    }
}

const fn token(
    rgb: u32,
    name: &'static str,
    name_zh: &'static str,
    symbol: Symbol,
    ink: Rgb,
) -> Token {
    Token {
        rgb: Rgb::hex(rgb),
        name,
        name_zh,
        symbol,
        ink,
    }
}

#[rustfmt::skip]
const TOKENS: [Token; COLORS as usize] = [
    token(0xbb022b, "Crimson", "深紅色", Symbol::Circle, INK_LIGHT),
    token(0xed9f44, "Amber", "琥珀色", Symbol::Triangle, INK_DARK),
    token(0xf6e22f, "Gold", "金色", Symbol::Square, INK_DARK),
    token(0x55cc8c, "Green", "綠色", Symbol::Diamond, INK_DARK),
    token(0x2d716a, "Teal", "藍綠色", Symbol::Pentagon, INK_LIGHT),
    token(0x3c88d4, "Blue", "藍色", Symbol::Hexagon, INK_DARK),
    token(0x694acb, "Indigo", "靛藍色", Symbol::Star, INK_LIGHT),
    token(0xc9a4ff, "Violet", "紫羅蘭色", Symbol::Cross, INK_DARK),
    token(0xe76295, "Rose", "玫瑰色", Symbol::Ring, INK_DARK),
    token(0x773e08, "Brown", "褐色", Symbol::Wedge, INK_LIGHT),
    token(0x95e3f8, "Sky", "天藍色", Symbol::Crescent, INK_DARK),
    token(0xcef88d, "Lime", "萊姆綠色", Symbol::Hourglass, INK_DARK),
    token(0x8c8f30, "Olive", "橄欖色", Symbol::Drop, INK_DARK),
    token(0x969ba6, "Silver", "銀色", Symbol::Heart, INK_DARK),
    token(0xcb8568, "Copper", "赤銅色", Symbol::Arrow, INK_DARK),
    token(0x623761, "Plum", "梅紅色", Symbol::Dome, INK_LIGHT),
];

/// The token of colour `c`, 1 to 16; what lies outside counts as the nearest.
pub fn color(c: u8) -> Token {
    TOKENS[usize::from(c.clamp(1, COLORS)) - 1]
}

#[cfg(test)]
mod tests {
    use super::vision::{Sight, contrast, distance};
    use super::*;

    fn others() -> Vec<Rgb> {
        [Theme::Dark, Theme::Light]
            .map(theme)
            .iter()
            .flat_map(|t| [t.background, t.empty_cell, t.empty_vertex])
            .collect()
    }

    /// The smallest distance of any of the first `n` colours to another or to an empty place.
    fn closest(sight: Sight, n: u8) -> f64 {
        let colors: Vec<Rgb> = (1..=n).map(|c| color(c).rgb).collect();
        let mut least = f64::INFINITY;
        for (i, a) in colors.iter().enumerate() {
            for b in colors[i + 1..].iter().chain(&others()) {
                least = least.min(distance(sight, *a, *b));
            }
        }
        least
    }

    #[test]
    fn nine_colours_can_be_told_apart_by_every_sight() {
        assert!(closest(Sight::Normal, 9) >= 24.0);
        for sight in Sight::ALL {
            assert!(
                closest(sight, 9) >= 11.0,
                "{sight:?}: {}",
                closest(sight, 9)
            );
        }
    }

    #[test]
    fn sixteen_colours_can_be_told_apart() {
        assert!(closest(Sight::Normal, COLORS) >= 15.0);
        for sight in Sight::ALL {
            assert!(
                closest(sight, COLORS) >= 7.5,
                "{sight:?}: {}",
                closest(sight, COLORS)
            );
        }
    }

    #[test]
    fn digits_stand_out_in_the_better_ink() {
        for c in 1..=COLORS {
            let token = color(c);
            let [light, dark] = [INK_LIGHT, INK_DARK].map(|ink| contrast(ink, token.rgb));
            let chosen = contrast(token.ink, token.rgb);
            assert!(
                chosen >= 5.0 && chosen == light.max(dark),
                "{}: {chosen}",
                token.name
            );
        }
    }

    #[test]
    fn names_and_symbols_are_each_used_once() {
        for a in 1..=COLORS {
            for b in 1..a {
                let (a, b) = (color(a), color(b));
                assert!(a.name != b.name && a.name_zh != b.name_zh && a.symbol != b.symbol);
            }
        }
    }
}
