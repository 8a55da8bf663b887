//! `proofreel extract`.

use super::args::ExtractArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &ExtractArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
