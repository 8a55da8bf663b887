//! `proofreel doctor`.

use super::{Exit, Tone};

/// Runs the command.
pub fn run(_tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
