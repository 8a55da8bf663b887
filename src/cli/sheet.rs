//! The picture that `audit --sheet` writes: what failed, as the film shows it and as it should be.

use std::sync::Arc;

use anyhow::Context;
use image::RgbaImage;
use image::imageops::{FilterType, replace, resize};

use crate::audit::Crop;
use crate::film::display::{DisplayList, Item, Rgb};
use crate::film::paint::{Font, Painter, write_png};

/// Width and height of the box that one picture stands in, in pixels.
const BOX: (u32, u32) = (240, 180);
/// Between everything.
const GAP: u32 = 24;
/// Width of the words beside the pictures.
const WORDS: u32 = 720;
/// Font size in pixels, and from line to line.
const FONT: f32 = 20.0;
const LEADING: f32 = 30.0;
/// Lines of words for one finding at most.
const LINES: usize = 6;

const BACKGROUND: Rgb = Rgb::hex(0x0f1218);
const INK: Rgb = Rgb::hex(0xe8ecf2);
const QUIET: Rgb = Rgb::hex(0x8d97a8);

/// The sheet as a PNG file's bytes: a row a finding, "seen" beside "expected" beside the words.
///
/// # Errors
/// If the picture cannot be encoded.
pub fn png(crops: &[Crop]) -> anyhow::Result<Vec<u8>> {
    let font = Arc::new(Font::builtin());
    let head = GAP + LEADING as u32;
    let (width, row) = (4 * GAP + 2 * BOX.0 + WORDS, BOX.1 + GAP);
    let height = head + crops.len() as u32 * row + GAP;
    let mut items = Vec::new();
    for (text, x) in [("seen", GAP), ("expected", 2 * GAP + BOX.0)] {
        items.push(line(&font, text, x, GAP as f32, QUIET));
    }
    for (i, crop) in crops.iter().enumerate() {
        let top = (head + i as u32 * row) as f32;
        for (k, text) in wrap(&font, &crop.words).iter().enumerate() {
            let y = top + LEADING * (k as f32 + 0.6);
            items.push(line(&font, text, 3 * GAP + 2 * BOX.0, y, INK));
        }
    }
    let mut painter = Painter::new(width, height, font);
    painter.paint(&DisplayList {
        size: (width, height),
        background: BACKGROUND,
        items,
    });
    let mut sheet = RgbaImage::from_raw(width, height, painter.rgba().to_vec())
        .context("the sheet has another size than its pixels")?;
    for (i, crop) in crops.iter().enumerate() {
        let y = head + i as u32 * row;
        for (pixels, x) in [(&crop.seen, GAP), (&crop.expected, 2 * GAP + BOX.0)] {
            let small = fitted(crop.size, pixels)?;
            let (dx, dy) = ((BOX.0 - small.width()) / 2, (BOX.1 - small.height()) / 2);
            replace(&mut sheet, &small, i64::from(x + dx), i64::from(y + dy));
        }
    }
    let mut out = Vec::new();
    write_png(&mut out, sheet.as_raw(), width, height).context("the sheet cannot be encoded")?;
    Ok(out)
}

/// A crop as large as its box allows, its pixels kept visible where it is small.
fn fitted((w, h): (u32, u32), rgb: &[u8]) -> anyhow::Result<RgbaImage> {
    let rgba: Vec<u8> = rgb
        .chunks_exact(3)
        .flat_map(|p| [p[0], p[1], p[2], 255])
        .collect();
    let image = RgbaImage::from_raw(w, h, rgba).context("a crop has another size than it says")?;
    // The side that fills the box, with the other in proportion.
    let wide = w * BOX.1 >= h * BOX.0;
    let size = if wide {
        (BOX.0, (h * BOX.0 / w.max(1)).max(1))
    } else {
        ((w * BOX.1 / h.max(1)).max(1), BOX.1)
    };
    let filter = if size.0 >= w {
        FilterType::Nearest
    } else {
        FilterType::Triangle
    };
    Ok(resize(&image, size.0, size.1, filter))
}

/// One line of text that begins at `x`.
fn line(font: &Font, text: &str, x: u32, y: f32, color: Rgb) -> Item {
    Item::Text {
        text: text.into(),
        at: [x as f32 + font.advance(text, FONT) / 2.0, y],
        size: FONT,
        color,
        alpha: 1.0,
    }
}

/// Words in lines that are no wider than there is room for; what does not fit ends in "…".
fn wrap(font: &Font, words: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in words.split(' ') {
        let last = lines.len() - 1;
        let longer = if lines[last].is_empty() {
            word.to_string()
        } else {
            format!("{} {word}", lines[last])
        };
        if lines[last].is_empty() || font.advance(&longer, FONT) <= WORDS as f32 {
            lines[last] = longer;
        } else {
            lines.push(word.to_string());
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines[LINES - 1].push_str(" …");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_stay_beside_the_pictures() {
        let font = Font::builtin();
        let words = "vertex r1c1 shows another colour ".repeat(40);
        let lines = wrap(&font, words.trim());
        assert_eq!(lines.len(), LINES);
        assert!(lines.last().is_some_and(|l| l.ends_with(" …")));
        for l in &lines[..LINES - 1] {
            assert!(font.advance(l, FONT) <= WORDS as f32, "{l}");
        }
    }

    #[test]
    fn a_crop_of_any_shape_fits_its_box() {
        for (w, h) in [(1, 1), (320, 3), (3, 320), (64, 48), (300, 320)] {
            let image = fitted((w, h), &vec![7; (w * h * 3) as usize]).unwrap();
            assert!(image.width() <= BOX.0 && image.height() <= BOX.1, "{w}x{h}");
        }
    }
}
