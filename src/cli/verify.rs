//! `proofreel verify`.

use super::args::VerifyArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &VerifyArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
