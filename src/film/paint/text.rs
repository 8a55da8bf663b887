//! Fonts, and text as coverage masks.

use super::mask::{FINE, Mask, to_fine};
use thiserror::Error;

/// Why a font cannot be used.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum FontError {
    /// The bytes are not a font that can be read.
    #[error(
        "this is not a TrueType or OpenType font that can be read ({0}); give a .ttf or .otf file"
    )]
    Unreadable(String),
}

/// A font.
pub struct Font {
    face: fontdue::Font,
}

impl std::fmt::Debug for Font {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Font({})", self.face.name().unwrap_or("unnamed"))
    }
}

impl Font {
    /// The font that comes with the program, so that text has the same pixels everywhere: DejaVu
    /// Sans Bold.
    pub fn builtin() -> Self {
        Font::from_bytes(dejavu::sans::bold()).expect("the bundled font is sound")
    }

    /// A TrueType or OpenType font file; of a collection, its first font.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FontError> {
        let settings = fontdue::FontSettings {
            scale: 96.0,
            ..Default::default()
        };
        match fontdue::Font::from_bytes(bytes, settings) {
            Ok(face) => Ok(Font { face }),
            Err(why) => Err(FontError::Unreadable(why.to_owned())),
        }
    }

    /// Whether the font can draw a character.
    pub fn has_glyph(&self, c: char) -> bool {
        c == ' ' || self.face.has_glyph(c)
    }

    /// The characters of `text` that the font cannot draw, each once.
    pub fn missing(&self, text: &str) -> Vec<char> {
        let mut missing: Vec<char> = text.chars().filter(|c| !self.has_glyph(*c)).collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// How far a line of text advances, in pixels.
    pub fn advance(&self, text: &str, size: f32) -> f32 {
        let mut pen = 0.0;
        let mut before = None;
        for c in text.chars() {
            pen += before.map_or(0.0, |b| self.kern(b, c, size));
            pen += self.face.metrics(c, size).advance_width;
            before = Some(c);
        }
        pen
    }

    /// The height of a digit, in pixels.
    pub fn digit_height(&self, size: f32) -> f32 {
        let one = self.face.metrics('1', size).bounds;
        let height = one.ymin + one.height;
        if self.face.has_glyph('1') && height > 0.0 {
            height
        } else {
            size * 0.7
        }
    }

    /// The shape of a text whose centre (as in `display::Item::Text`) is the origin.
    pub fn mask(&self, text: &str, size: f32) -> Mask {
        self.place(text, size, [0.0, 0.0])
    }

    /// The shape of a text around a centre, as it is drawn: `left` and `top` are pixels of the
    /// picture. Places are rounded to a quarter of a pixel.
    pub fn place(&self, text: &str, size: f32, at: [f32; 2]) -> Mask {
        if !(size.is_finite() && at[0].is_finite() && at[1].is_finite()) || size <= 0.0 {
            return Mask::empty();
        }
        let size = size.min(2000.0);
        let large = size * FINE as f32;
        let left = to_fine(at[0]) - (self.advance(text, large) / 2.0 + 0.5).floor() as i32;
        let baseline = to_fine(at[1]) + (self.digit_height(large) / 2.0 + 0.5).floor() as i32;
        let glyphs = self.glyphs(text, large, left, baseline);
        let Some(x0) = glyphs.iter().map(|g| g.x).min() else {
            return Mask::empty();
        };
        let y0 = glyphs.iter().map(|g| g.y).min().unwrap_or(0);
        let x1 = glyphs.iter().map(|g| g.x + g.width).max().unwrap_or(x0);
        let y1 = glyphs.iter().map(|g| g.y + g.height).max().unwrap_or(y0);
        let width = (x1 - x0) as usize;
        let mut samples = vec![0u8; width * (y1 - y0) as usize];
        for glyph in &glyphs {
            for (row, line) in glyph
                .coverage
                .chunks_exact(glyph.width as usize)
                .enumerate()
            {
                let start = (glyph.y - y0) as usize * width + row * width + (glyph.x - x0) as usize;
                for (sample, &value) in samples[start..].iter_mut().zip(line) {
                    *sample = (*sample).max(value);
                }
            }
        }
        Mask::from_fine(&samples, width, x0, y0)
    }

    fn glyphs(&self, text: &str, large: f32, left: i32, baseline: i32) -> Vec<Glyph> {
        let mut glyphs = Vec::new();
        let mut pen = 0.0;
        let mut before = None;
        for c in text.chars() {
            pen += before.map_or(0.0, |b| self.kern(b, c, large));
            let (metrics, coverage) = self.face.rasterize(c, large);
            if metrics.width > 0 && metrics.height > 0 {
                let (width, height) = (metrics.width as i32, metrics.height as i32);
                glyphs.push(Glyph {
                    x: left + (pen + 0.5f32).floor() as i32 + metrics.xmin,
                    y: baseline - metrics.ymin - height,
                    width,
                    height,
                    coverage,
                });
            }
            pen += metrics.advance_width;
            before = Some(c);
        }
        glyphs
    }

    fn kern(&self, left: char, right: char, size: f32) -> f32 {
        self.face.horizontal_kern(left, right, size).unwrap_or(0.0)
    }
}

struct Glyph {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
    coverage: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_one_size_share_baseline_and_height() {
        let font = Font::builtin();
        let bottoms: Vec<i32> = ["1", "2", "4", "7"]
            .iter()
            .map(|d| font.mask(d, 40.0))
            .map(|m| m.top + m.height as i32)
            .collect();
        assert!(bottoms.iter().all(|b| *b == bottoms[0]), "{bottoms:?}");
        let one = font.mask("1", 40.0);
        assert!((one.height as f32 - font.digit_height(40.0)).abs() < 2.0);
        // The centre of the height is the centre asked for.
        assert!((one.top as f32 + one.height as f32 / 2.0).abs() <= 1.0);
    }

    #[test]
    fn a_place_is_the_mask_moved() {
        let font = Font::builtin();
        let mask = font.mask("Teal 5", 23.0);
        let placed = font.place("Teal 5", 23.0, [100.0, 57.0]);
        assert_eq!((placed.left, placed.top), (mask.left + 100, mask.top + 57));
        assert_eq!(placed.coverage, mask.coverage);
        assert_ne!(
            font.place("Teal 5", 23.0, [100.25, 57.0]).coverage,
            mask.coverage
        );
    }

    #[test]
    fn a_glyph_the_font_lacks_is_named_not_drawn_as_a_box() {
        let font = Font::builtin();
        assert_eq!(font.missing("Rose 9"), []);
        assert_eq!(font.missing("9 紅色紅"), ['紅', '色']);
    }

    #[test]
    fn what_is_not_a_font_is_refused_with_a_remedy() {
        let error = Font::from_bytes(b"no font at all").unwrap_err().to_string();
        assert!(error.contains(".ttf"), "{error}");
    }

    #[test]
    fn odd_sizes_and_places_draw_nothing() {
        let font = Font::builtin();
        for (size, at) in [
            (0.0, [0.0; 2]),
            (f32::NAN, [0.0; 2]),
            (12.0, [f32::INFINITY, 0.0]),
        ] {
            assert_eq!(font.place("5", size, at), Mask::empty());
        }
        assert_eq!(font.mask("", 12.0), Mask::empty());
        assert_eq!(font.mask("  ", 12.0), Mask::empty());
    }
}
