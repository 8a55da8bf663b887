//! `proofreel check`.

use super::args::CheckArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &CheckArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
