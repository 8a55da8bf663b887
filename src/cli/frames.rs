//! `proofreel frames`.

use super::args::FramesArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &FramesArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
