//! `proofreel show`.

use super::args::ShowArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &ShowArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
