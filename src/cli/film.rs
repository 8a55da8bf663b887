//! `proofreel film`.

use super::args::FilmArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &FilmArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
