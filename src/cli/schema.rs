//! `proofreel schema`.

use super::args::SchemaArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &SchemaArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
