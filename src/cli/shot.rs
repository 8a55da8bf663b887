//! What `film` and `frames` share: from the arguments to a film that can be drawn.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::args::{LangArg, LimitArgs, LookArgs, StyleArg, ThemeArg};
use super::input::{Input, TraceInput};
use super::{Tone, interrupt, note};
use crate::film::paint::Font;
use crate::film::palette::Theme;
use crate::film::{Film, Lang, Look, Request, Style};
use crate::solve::{Limits, solve_watched};
use crate::trace::{Status, Trace};
use crate::verify;

/// A trace to film, and what its files are called.
pub struct Shot {
    /// The trace.
    pub trace: Trace,
    /// A stem for file names.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// The file that it was read from; never to be overwritten.
    pub path: Option<PathBuf>,
    /// Whether coloured cells show tokens unless asked otherwise.
    pub tokens: bool,
}

/// The trace that a source means: read and verified, or made by solving the puzzle.
///
/// # Errors
/// If there is no such puzzle or trace, the trace is false, or the puzzle has no search to film.
pub fn shot(
    source: Input,
    pick: Option<usize>,
    limits: &LimitArgs,
    tone: Tone,
) -> anyhow::Result<Shot> {
    match source {
        Input::Trace(input) => {
            let TraceInput {
                name,
                shown,
                trace,
                path,
            } = *input;
            let quick = verify::Options {
                max_nodes: 0,
                interrupt: Some(interrupt::flag()),
                ..verify::Options::default()
            };
            let report = verify::verify(&trace, &quick);
            if let Some(fault) = report.main_fault() {
                bail!(
                    "{shown} is not a true trace ({}), so there is no film of it; \
                     `proofreel verify` says more",
                    fault.sentence
                );
            }
            let title = title(&trace, &name);
            Ok(Shot {
                trace,
                name,
                title,
                path,
                tokens: false,
            })
        }
        Input::Puzzles(puzzles) => {
            let (name, path) = (puzzles.name.clone(), puzzles.path.clone());
            let tokens = puzzles.bundled.is_some_and(|b| b.tokens);
            let name = match pick {
                Some(n) if puzzles.puzzles.len() > 1 => format!("{name}-{n}"),
                _ => name,
            };
            let puzzle = puzzles.pick(pick)?;
            let trace = solve(&puzzle, limits, tone);
            let title = title(&trace, &name);
            Ok(Shot {
                trace,
                name,
                title,
                path,
                tokens,
            })
        }
    }
}

fn title(trace: &Trace, name: &str) -> String {
    match trace.puzzle.meta.title.trim() {
        "" => name.to_string(),
        title => title.to_string(),
    }
}

fn solve(puzzle: &crate::puzzle::Puzzle, limits: &LimitArgs, tone: Tone) -> Trace {
    let begun = Instant::now();
    let allowed = (limits.timeout > 0.0 && limits.timeout.is_finite())
        .then(|| Duration::try_from_secs_f64(limits.timeout).unwrap_or(Duration::MAX));
    let rules = Limits {
        max_nodes: limits.max_nodes,
        max_events: limits.max_events,
        first_only: limits.first_only,
        count: None,
    };
    let outcome = solve_watched(puzzle, &rules, &mut |_| {
        if interrupt::requested() || allowed.is_some_and(|a| begun.elapsed() > a) {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    });
    let trace = outcome.trace;
    if trace.status == Status::Incomplete {
        note(
            tone,
            "the search hit its limit before a first solution; the film shows it so far",
        );
    }
    trace
}

/// Sets how many threads draw, before anything is drawn.
///
/// # Errors
/// If it is none, or they cannot be started.
pub fn set_threads(look: &LookArgs) -> anyhow::Result<()> {
    let Some(threads) = look.threads else {
        return Ok(());
    };
    if !(1..=256).contains(&threads) {
        bail!("--threads {threads} is out of range; take 1 to 256");
    }
    #[cfg(feature = "parallel")]
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("the threads for drawing could not be started")?;
    Ok(())
}

/// The film of a shot, with everything checked that could fail later.
///
/// # Errors
/// If the size, the rate, the font or the search cannot be filmed.
pub fn film(shot: &Shot, look: &LookArgs) -> anyhow::Result<Film> {
    let style = match look.style {
        Some(StyleArg::Tokens) => Style::Tokens,
        Some(StyleArg::Reveal) => Style::Reveal,
        None if shot.tokens => Style::Tokens,
        None => Style::Reveal,
    };
    let request = Request {
        size: look.size,
        fps: look.fps,
        search_seconds: look.search_seconds,
        look: Look {
            style,
            theme: match look.theme {
                ThemeArg::Dark => Theme::Dark,
                ThemeArg::Light => Theme::Light,
            },
            lang: match look.lang {
                LangArg::En => Lang::En,
                LangArg::ZhHant => Lang::ZhHant,
            },
        },
    };
    let font = Arc::new(font(look.font.as_deref())?);
    Ok(Film::new(&shot.trace, request, font)?)
}

/// The font that was asked for, else one from `fonts-optional/`, else the built-in one.
fn font(asked: Option<&Path>) -> anyhow::Result<Font> {
    let found = match asked {
        Some(path) => Some(path.to_path_buf()),
        None => optional_font(Path::new("fonts-optional")),
    };
    let Some(path) = found else {
        return Ok(Font::builtin());
    };
    let shown = path.display();
    let bytes = std::fs::read(&path)
        .with_context(|| format!("the font {shown} cannot be read; name a .ttf or .otf file"))?;
    Font::from_bytes(&bytes).with_context(|| {
        format!("{shown} is not a font that can be used; name a .ttf or .otf file")
    })
}

/// The first font file by name in a folder.
fn optional_font(folder: &Path) -> Option<PathBuf> {
    let mut fonts: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| {
            let extension = p
                .extension()
                .unwrap_or_default()
                .to_string_lossy()
                .to_lowercase();
            extension == "ttf" || extension == "otf"
        })
        .collect();
    fonts.sort();
    fonts.into_iter().next()
}
