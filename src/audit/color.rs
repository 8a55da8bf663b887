//! Colours as a stream stores them: sRGB to YCbCr by a named matrix and range, and back.
//!
//! The conversion follows ITU-T H.273: `Y = Kr R + Kg G + Kb B`, `Cb = (B - Y) / (2 (1 - Kb))`,
//! `Cr = (R - Y) / (2 (1 - Kr))`, scaled to 219 and 224 steps (limited) or 255 (full). All values
//! here are in 8-bit steps, also for deeper streams, so that one set of tolerances serves all.

use crate::decode::StreamInfo;

/// Y, Cb, Cr in 8-bit steps of the stream's own encoding.
pub type Yuv = [f32; 3];

/// How RGB becomes YCbCr.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// ITU-R BT.709, the one for HD video.
    Bt709,
    /// ITU-R BT.601, of standard definition video.
    Bt601,
    /// ITU-R BT.2020 with constant coefficients.
    Bt2020,
}

impl Matrix {
    fn weights(self) -> (f32, f32) {
        match self {
            Matrix::Bt709 => (0.2126, 0.0722),
            Matrix::Bt601 => (0.299, 0.114),
            Matrix::Bt2020 => (0.2627, 0.0593),
        }
    }
}

/// A matrix with a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// The matrix.
    pub matrix: Matrix,
    /// Samples use 0 to 255 and not 16 to 235.
    pub full: bool,
}

impl Encoding {
    /// Everything that pixels are compared with when the tags are in doubt.
    pub const ALL: [Encoding; 5] = [
        Encoding::new(Matrix::Bt709, false),
        Encoding::new(Matrix::Bt709, true),
        Encoding::new(Matrix::Bt601, false),
        Encoding::new(Matrix::Bt601, true),
        Encoding::new(Matrix::Bt2020, false),
    ];

    /// From its parts.
    pub const fn new(matrix: Matrix, full: bool) -> Self {
        Encoding { matrix, full }
    }

    /// What the stream's tags say; BT.709 in limited range where they say nothing.
    pub fn from_tags(info: &StreamInfo) -> Self {
        let matrix = match info.color.matrix.as_deref() {
            Some("smpte170m" | "bt470bg" | "bt601" | "fcc") => Matrix::Bt601,
            Some("bt2020nc" | "bt2020_ncl" | "bt2020c") => Matrix::Bt2020,
            _ => Matrix::Bt709,
        };
        let full = info.layout.full_range
            || matches!(info.color.range.as_deref(), Some("pc" | "full" | "jpeg"));
        Encoding { matrix, full }
    }

    /// In words, such as "BT.601, limited range".
    pub fn name(self) -> &'static str {
        match (self.matrix, self.full) {
            (Matrix::Bt709, false) => "BT.709, limited range",
            (Matrix::Bt709, true) => "BT.709, full range",
            (Matrix::Bt601, false) => "BT.601, limited range",
            (Matrix::Bt601, true) => "BT.601, full range",
            (Matrix::Bt2020, false) => "BT.2020, limited range",
            (Matrix::Bt2020, true) => "BT.2020, full range",
        }
    }

    fn scale(self) -> (f32, f32, f32) {
        if self.full {
            (0.0, 255.0, 255.0)
        } else {
            (16.0, 219.0, 224.0)
        }
    }

    /// sRGB (0 to 255) into this encoding, unrounded.
    pub fn encode(self, rgb: [u8; 3]) -> Yuv {
        let (kr, kb) = self.matrix.weights();
        let (floor, luma, chroma) = self.scale();
        let [r, g, b] = rgb.map(|v| f32::from(v) / 255.0);
        let y = kr * r + (1.0 - kr - kb) * g + kb * b;
        [
            floor + luma * y,
            128.0 + chroma * (b - y) / (2.0 * (1.0 - kb)),
            128.0 + chroma * (r - y) / (2.0 * (1.0 - kr)),
        ]
    }

    /// This encoding into sRGB, clamped.
    pub fn decode(self, yuv: Yuv) -> [u8; 3] {
        let (kr, kb) = self.matrix.weights();
        let (floor, luma, chroma) = self.scale();
        let y = (yuv[0] - floor) / luma;
        let b = y + (yuv[1] - 128.0) / chroma * 2.0 * (1.0 - kb);
        let r = y + (yuv[2] - 128.0) / chroma * 2.0 * (1.0 - kr);
        let g = (y - kr * r - kb * b) / (1.0 - kr - kb);
        [r, g, b].map(|v| (v * 255.0 + 0.5).clamp(0.0, 255.0) as u8)
    }
}

/// Distance in YCbCr steps.
pub fn distance(a: Yuv, b: Yuv) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// `a` at 0, `b` at 1. Mixing in sRGB is mixing here too, since the conversion is affine.
pub fn mix(a: Yuv, b: Yuv, t: f32) -> Yuv {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

/// The place on the segment from `a` to `b` nearest to `p`, unclamped, and the distance to it.
pub fn project(p: Yuv, a: Yuv, b: Yuv) -> (f32, f32) {
    let d = [0, 1, 2].map(|i| b[i] - a[i]);
    let len2: f32 = d.iter().map(|v| v * v).sum();
    if len2 < 1e-6 {
        return (1.0, distance(p, a));
    }
    let t = (0..3).map(|i| (p[i] - a[i]) * d[i]).sum::<f32>() / len2;
    (t, distance(p, mix(a, b, t)))
}

/// Reads "#rrggbb"; opacity behind it is allowed and returned (255 without).
pub fn parse_hex(text: &str) -> Option<([u8; 3], u8)> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) || !matches!(digits.len(), 6 | 8) {
        return None;
    }
    let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).ok();
    let alpha = if digits.len() == 8 { byte(6)? } else { 255 };
    Some(([byte(0)?, byte(2)?, byte(4)?], alpha))
}

/// As "#rrggbb".
pub fn to_hex(rgb: [u8; 3]) -> String {
    format!("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points_of_bt709_and_bt601() {
        let hd = Encoding::new(Matrix::Bt709, false);
        assert_eq!(
            hd.encode([255, 255, 255]).map(f32::round),
            [235.0, 128.0, 128.0]
        );
        assert_eq!(hd.encode([0, 0, 0]), [16.0, 128.0, 128.0]);
        // SMPTE RP 219 colour bars, 100 % red.
        assert_eq!(hd.encode([255, 0, 0]).map(f32::round), [63.0, 102.0, 240.0]);
        let sd = Encoding::new(Matrix::Bt601, false);
        assert_eq!(sd.encode([255, 0, 0]).map(f32::round), [81.0, 90.0, 240.0]);
    }

    #[test]
    fn every_encoding_is_undone_by_its_inverse() {
        for e in Encoding::ALL {
            for rgb in [[0, 0, 0], [255, 255, 255], [12, 200, 77], [250, 3, 128]] {
                assert_eq!(e.decode(e.encode(rgb)), rgb, "{}", e.name());
            }
        }
    }

    #[test]
    fn hex_colours_with_and_without_opacity() {
        assert_eq!(parse_hex("#0a0B0c"), Some(([10, 11, 12], 255)));
        assert_eq!(parse_hex("#0a0b0c80"), Some(([10, 11, 12], 128)));
        for bad in ["0a0b0c", "#0a0b0", "#gg0000", "#é0000", ""] {
            assert_eq!(parse_hex(bad), None, "{bad}");
        }
    }
}
