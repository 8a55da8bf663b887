//! What can go with a film: poster, contact sheet, captions, GIF.

use super::args::FilmArgs;
use super::frames::write_still;
use super::shot::Shot;
use crate::film::Film;
use crate::film::render::Stills;

/// Writes those that were asked for.
///
/// # Errors
/// If one cannot be written.
pub fn write(args: &FilmArgs, _shot: &Shot, film: &Film) -> anyhow::Result<()> {
    if let Some(path) = &args.poster {
        let mut stills = Stills::new(film);
        let last = film.scene().frames() - 1;
        write_still(stills.rgba(last), film.request().size, path, args.force)?;
    }
    Ok(())
}
