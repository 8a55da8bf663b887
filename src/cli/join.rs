//! `proofreel join`.

use super::args::JoinArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &JoinArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
