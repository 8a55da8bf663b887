//! Progress of a rendering: a bar on a terminal, a plain line every ten seconds elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Tone;

/// Seconds between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(10);

/// How far something with a known number of frames has come.
pub struct Progress {
    what: String,
    total: u64,
    begun: Instant,
    said: Instant,
    bar: Option<ProgressBar>,
    quiet: bool,
}

impl Progress {
    /// Of `total` frames.
    pub fn new(what: &str, total: u64, tone: Tone) -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        let bar = (!tone.quiet && !dumb && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(
                "{msg} {wide_bar:.cyan/black} {pos}/{len} frames, {per_sec}, {eta} left",
            ) {
                bar.set_style(style);
            }
            bar.set_message(what.to_string());
            bar
        });
        let now = Instant::now();
        let what = what.to_string();
        Progress {
            what,
            total,
            begun: now,
            said: now,
            bar,
            quiet: tone.quiet,
        }
    }

    /// `done` frames are done.
    pub fn at(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            return;
        }
        if self.quiet || self.said.elapsed() < EVERY || done == 0 {
            return;
        }
        self.said = Instant::now();
        let rate = done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let left = (self.total.saturating_sub(done)) as f64 / rate.max(1e-3);
        eprintln!(
            "{}: {done} of {} frames, {rate:.0} frames/s, {left:.0} s left",
            self.what, self.total
        );
    }

    /// Takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
