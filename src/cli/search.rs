//! A search with the limits of the command line: its deadline, Ctrl-C, and word of its progress.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::bail;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::LimitArgs;
use super::{Tone, interrupt};
use crate::puzzle::Puzzle;
use crate::solve::{Limits, Outcome, Progress, solve_watched};

/// A search that ends sooner says nothing.
const QUIET_FOR: Duration = Duration::from_secs(2);
/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Time between two changes of the line on a terminal.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// Solves within the limits of the command line.
///
/// # Errors
/// If the limits make no sense.
pub fn search(puzzle: &Puzzle, args: &LimitArgs, tone: Tone) -> anyhow::Result<Outcome> {
    if args.first_only && args.count.is_some() {
        bail!("--first-only and --count ask for opposite things; give one of them");
    }
    if args.count == Some(0) {
        bail!("--count 0 counts nothing; give the number to count up to, from 1");
    }
    let limit = match args.timeout {
        s if s == 0.0 => None,
        s => Some(Duration::try_from_secs_f64(s).map_err(|_| {
            anyhow::anyhow!("--timeout {s} is no time; give seconds from 0 (0 for no limit)")
        })?),
    };
    let limits = Limits {
        max_nodes: args.max_nodes,
        max_events: args.max_events,
        first_only: args.first_only,
        count: args.count,
    };
    let began = Instant::now();
    let mut reporter = Reporter::new(tone);
    let outcome = solve_watched(puzzle, &limits, &mut |progress| {
        let spent = began.elapsed();
        if interrupt::requested() || limit.is_some_and(|l| spent > l) {
            return ControlFlow::Break(());
        }
        reporter.see(progress, spent);
        ControlFlow::Continue(())
    });
    reporter.done();
    Ok(outcome)
}

/// Says how a long search stands: one line that changes on a terminal, a plain line now and then
/// elsewhere.
struct Reporter {
    quiet: bool,
    terminal: bool,
    bar: Option<ProgressBar>,
    next: Duration,
    last: (Duration, u64),
}

impl Reporter {
    fn new(tone: Tone) -> Self {
        let terminal =
            std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        Reporter {
            quiet: tone.quiet,
            terminal,
            bar: None,
            next: if terminal { QUIET_FOR } else { LINE_EVERY },
            last: (Duration::ZERO, 0),
        }
    }

    fn see(&mut self, progress: Progress, spent: Duration) {
        if self.quiet || spent < self.next {
            return;
        }
        let (then, before) = self.last;
        let seconds = (spent - then).as_secs_f64();
        let rate = (progress.nodes - before.min(progress.nodes)) as f64 / seconds.max(1e-9);
        self.last = (spent, progress.nodes);
        let text = format!(
            "searching: {} nodes, {:.0} nodes/s, depth {}, {} found, {:.0} s",
            progress.nodes,
            rate,
            progress.depth,
            match progress.solutions {
                0 => "no solution".to_string(),
                1 => "1 solution".to_string(),
                n => format!("{n} solutions"),
            },
            spent.as_secs_f64()
        );
        if self.terminal {
            self.next = spent + REDRAW_EVERY;
            let bar = self.bar.get_or_insert_with(|| {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                    bar.set_style(style);
                }
                bar
            });
            bar.set_message(text);
            bar.tick();
        } else {
            self.next = spent + LINE_EVERY;
            eprintln!("{text}");
        }
    }

    fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
