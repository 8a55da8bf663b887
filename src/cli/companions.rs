//! What can go with a film: poster, contact sheet, captions, GIF.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use image::codecs::gif::{GifEncoder, Repeat};
use image::imageops::{FilterType, resize};
use image::{Delay, Frame, RgbaImage};

use super::args::FilmArgs;
use super::frames::write_still;
use super::output::write_file;
use super::shot::Shot;
use super::{Tone, captions, interrupt, note};
use crate::film::layout::{LayoutError, SIZES};
use crate::film::render::Stills;
use crate::film::timeline::Part;
use crate::film::{Film, FilmError, Request};

/// Width of one picture of a contact sheet, in pixels.
const THUMB: u32 = 480;
/// Pictures in a row of a contact sheet.
const COLUMNS: u32 = 6;
/// Pictures of a contact sheet at most; of more states an even choice is shown.
const MOST: usize = 240;
/// Long side of a GIF, in pixels.
const GIF_SIDE: u32 = 640;
/// States of the search that a GIF shows at most.
const GIF_STATES: usize = 26;

/// Refuses a companion whose file is in the way, before anything is drawn.
///
/// # Errors
/// If one exists and `--force` was not given.
pub fn check(args: &FilmArgs) -> anyhow::Result<()> {
    let all = [&args.poster, &args.contact_sheet, &args.captions, &args.gif];
    for path in all.into_iter().flatten() {
        if path.exists() && !args.force {
            anyhow::bail!(
                "{} exists already; add --force to replace it, or give another name",
                path.display()
            );
        }
    }
    Ok(())
}

/// Writes those that were asked for.
///
/// # Errors
/// If one cannot be written.
pub fn write(args: &FilmArgs, shot: &Shot, film: &Film, tone: Tone) -> anyhow::Result<()> {
    let inputs: Vec<&Path> = shot.path.as_deref().into_iter().collect();
    if let Some(path) = &args.poster {
        let mut stills = Stills::new(film);
        let last = film.scene().frames() - 1;
        write_still(stills.rgba(last), film.request().size, path, args.force)?;
    }
    if let Some(path) = &args.contact_sheet {
        let (sheet, left_out) = contact_sheet(film)?;
        write_still(sheet.as_raw(), sheet.dimensions(), path, args.force)?;
        if left_out > 0 {
            note(
                tone,
                &format!("contact sheet: {left_out} states between those shown are left out"),
            );
        }
    }
    if let Some(path) = &args.captions {
        let text = captions::vtt(&shot.trace, film.scene().timeline());
        write_file(path, args.force, &inputs, |out| {
            out.write_all(text.as_bytes())
                .with_context(|| format!("{} cannot be written", path.display()))
        })?;
    }
    if let Some(path) = &args.gif {
        write_file(path, args.force, &inputs, |out| gif(shot, film, path, out))?;
    }
    Ok(())
}

/// Every `n`-th of `all`, evenly, at most `most` of them, the last always among them.
fn even<T: Copy>(all: &[T], most: usize) -> Vec<T> {
    let n = all.len().min(most);
    (1..=n).map(|i| all[i * all.len() / n - 1]).collect()
}

/// One still a state, row by row, and how many states were left out.
fn contact_sheet(film: &Film) -> anyhow::Result<(RgbaImage, usize)> {
    let all: Vec<u64> = film
        .scene()
        .timeline()
        .states
        .iter()
        .map(|s| s.last)
        .collect();
    let mut shown = even(&all, MOST);
    let left_out = all.len() - shown.len();
    if shown.is_empty() {
        shown.push(film.scene().frames() - 1);
    }
    let (w, h) = film.request().size;
    let (tw, th) = (THUMB.min(w), (THUMB.min(w) * h / w).max(1));
    let gap = tw / 30;
    let columns = COLUMNS.min(shown.len() as u32);
    let rows = (shown.len() as u32).div_ceil(columns);
    let background = film.scene().frame(0).background;
    let mut sheet = RgbaImage::from_pixel(
        gap + columns * (tw + gap),
        gap + rows * (th + gap),
        image::Rgba([background.r, background.g, background.b, 255]),
    );
    let mut stills = Stills::new(film);
    for (i, &n) in shown.iter().enumerate() {
        if interrupt::requested() {
            anyhow::bail!("stopped");
        }
        let still = RgbaImage::from_raw(w, h, stills.rgba(n).to_vec())
            .context("a still has another size than its film")?;
        let small = resize(&still, tw, th, FilterType::Triangle);
        let (x, y) = (i as u32 % columns, i as u32 / columns);
        image::imageops::replace(
            &mut sheet,
            &small,
            i64::from(gap + x * (tw + gap)),
            i64::from(gap + y * (th + gap)),
        );
    }
    Ok((sheet, left_out))
}

/// Size of a GIF of a film of this size: its shape, as small as the layout can be drawn.
fn gif_size((w, h): (u32, u32)) -> (u32, u32) {
    let (least, _) = SIZES;
    let (long, short) = (w.max(h), w.min(h));
    let even = |v: f64| (v / 2.0).round() as u32 * 2;
    let shape = f64::from(long) / f64::from(short);
    let by_long = f64::from(GIF_SIDE) / shape;
    let (long, short) = if by_long >= f64::from(least.1) {
        (GIF_SIDE.min(long), even(by_long).min(short))
    } else {
        let by_short = even(f64::from(least.1) * shape);
        (by_short.max(GIF_SIDE).min(long), least.1)
    };
    if w >= h { (long, short) } else { (short, long) }
}

/// A small film in a loop: some states of the search, the movement, the final picture.
fn gif(shot: &Shot, film: &Film, path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let size = gif_size(film.request().size);
    // Drawn small rather than drawn large and scaled: lines and digits stay sharp.
    let drawn = |size| {
        let request = Request {
            size,
            ..*film.request()
        };
        Film::new(&shot.trace, request, film.font().clone())
    };
    let small = match drawn(size) {
        // As small as this puzzle can be drawn.
        Err(FilmError::Layout(LayoutError::Small {
            works: Some(larger),
            ..
        })) => drawn(larger),
        other => other,
    }
    .with_context(|| format!("{} would be too small for this puzzle", path.display()))?;
    let size = small.request().size;
    let timeline = small.scene().timeline();
    let mut shown: Vec<(u64, u32)> = Vec::new();
    let states: Vec<u64> = timeline.states.iter().map(|s| s.last).collect();
    shown.extend(even(&states, GIF_STATES).into_iter().map(|n| (n, 120)));
    for (part, pictures, each) in [(Part::Regroup, 24, 70), (Part::Reveal, 5, 100)] {
        if let Some(s) = timeline.stretch(part) {
            let length = s.last - s.first;
            shown.extend((1..=pictures).map(|i| (s.first + length * i / pictures, each)));
        }
    }
    shown.push((timeline.frames - 1, 2500));
    let failed = || format!("{} cannot be written", path.display());
    let mut encoder = GifEncoder::new_with_speed(out, 10);
    encoder.set_repeat(Repeat::Infinite).with_context(failed)?;
    let mut stills = Stills::new(&small);
    for (n, milliseconds) in shown {
        if interrupt::requested() {
            anyhow::bail!("stopped");
        }
        let pixels = RgbaImage::from_raw(size.0, size.1, stills.rgba(n).to_vec())
            .context("a still has another size than its film")?;
        let delay = Delay::from_numer_denom_ms(milliseconds, 1);
        encoder
            .encode_frame(Frame::from_parts(pixels, 0, 0, delay))
            .with_context(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{even, gif_size};

    #[test]
    fn a_gif_of_any_shape_of_film_has_a_size_that_can_be_drawn() {
        let sizes = [
            (2560, 1440),
            (854, 480),
            (3840, 1080),
            (1080, 1920),
            (640, 360),
            (700, 690),
        ];
        let gifs = [
            (640, 360),
            (640, 360),
            (1280, 360),
            (360, 640),
            (640, 360),
            (640, 630),
        ];
        for (size, gif) in sizes.into_iter().zip(gifs) {
            assert_eq!(gif_size(size), gif);
        }
    }

    #[test]
    fn an_even_choice_keeps_the_last_and_never_repeats() {
        let all: Vec<u32> = (0..1000).collect();
        let some = even(&all, 7);
        assert_eq!(some.len(), 7);
        assert_eq!(some.last(), Some(&999));
        assert!(some.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(even(&all[..3], 7), [0, 1, 2]);
        assert!(even(&all[..0], 7).is_empty());
    }
}
