//! `proofreel solve`.

use super::args::SolveArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &SolveArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
