//! `proofreel audit`.

use super::args::AuditArgs;
use super::{Exit, Tone};

/// Runs the command.
pub fn run(_args: &AuditArgs, _tone: Tone) -> anyhow::Result<Exit> {
    anyhow::bail!("not built yet")
}
