//! PNG bytes of a picture.

use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use std::io::Write;
use thiserror::Error;

/// Why a picture could not be written as PNG.
#[derive(Debug, Error)]
#[error("the PNG could not be written")]
pub struct PngError(#[from] image::ImageError);

/// Writes an opaque RGBA picture as an RGB PNG.
pub fn write_png(to: impl Write, rgba: &[u8], width: u32, height: u32) -> Result<(), PngError> {
    let rgb: Vec<u8> = rgba
        .as_chunks::<4>()
        .0
        .iter()
        .flat_map(|[r, g, b, _]| [*r, *g, *b])
        .collect();
    let encoder = PngEncoder::new(to);
    Ok(encoder.write_image(&rgb, width, height, ExtendedColorType::Rgb8)?)
}
