//! The colours of tokens and themes, chosen by calculation.

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
#[derive(Debug, Clone, Copy)]
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
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// The colour.
    pub rgb: Rgb,
    /// English name.
    pub name: &'static str,
    /// Name in Traditional Chinese.
    pub name_zh: &'static str,
    /// Symbol.
    pub symbol: Symbol,
    /// The ink of a digit on it.
    pub ink: Rgb,
}

/// The colours of a theme.
pub fn theme(theme: Theme) -> ThemeColors {
    let h = Rgb::hex;
    match theme {
        Theme::Dark => ThemeColors {
            background: h(0x0e1015),
            empty_cell: h(0x21252d),
            empty_vertex: h(0x3a404c),
            edge: h(0x96a0be),
            ring: h(0xffffff),
            cross: h(0xf4f1ea),
        },
        Theme::Light => ThemeColors {
            background: h(0xf6f4ef),
            empty_cell: h(0xdedbd3),
            empty_vertex: h(0xc2beb4),
            edge: h(0x4d5468),
            ring: h(0x14161c),
            cross: h(0x14161c),
        },
    }
}

/// The token of colour `c`, 1 to 16.
pub fn color(c: u8) -> Token {
    let i = usize::from(c.clamp(1, 9)) - 1;
    let rgb = [
        0xa81f2b, 0xec7a00, 0xeedf6a, 0x54ab6c, 0x226155, 0x1767b8, 0x4b00cc, 0xbd74f2, 0xf2aec0,
    ][i];
    let dark = [false, true, true, true, false, false, false, true, true][i];
    let names = [
        "Crimson", "Amber", "Gold", "Green", "Teal", "Blue", "Indigo", "Violet", "Rose",
    ];
    let zh = [
        "深紅色",
        "琥珀色",
        "金色",
        "綠色",
        "藍綠色",
        "藍色",
        "靛藍色",
        "紫羅蘭色",
        "玫瑰色",
    ];
    let symbols = [
        Symbol::Circle,
        Symbol::Triangle,
        Symbol::Square,
        Symbol::Diamond,
        Symbol::Pentagon,
        Symbol::Hexagon,
        Symbol::Star,
        Symbol::Cross,
        Symbol::Ring,
    ];
    Token {
        rgb: Rgb::hex(rgb),
        name: names[i],
        name_zh: zh[i],
        symbol: symbols[i],
        ink: Rgb::hex(if dark { 0x0b0c10 } else { 0xffffff }),
    }
}
