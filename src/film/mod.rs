//! From a trace to pictures: `timeline` says which state each frame shows, `layout` where things
//! stand, `scene` what is on the screen at frame n, `paint` which pixels that makes.

pub mod claims;
pub mod clues;
pub mod display;
pub mod easing;
pub mod geometry;
pub mod layout;
pub mod paint;
pub mod palette;
pub mod render;
pub mod scene;
pub mod timeline;

use std::sync::Arc;

use layout::{Layout, LayoutError};
use paint::Font;
use palette::Theme;
use scene::Scene;
use timeline::{Timeline, TimelineError};

use crate::puzzle::Puzzle;
use crate::trace::{ReplayError, Trace};

/// What coloured cells show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Colours alone until the digits are revealed at the end.
    Reveal,
    /// Digit, symbol and name.
    Tokens,
}

impl Style {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Style::Reveal => "reveal",
            Style::Tokens => "tokens",
        }
    }
}

/// The language of colour names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    /// English.
    En,
    /// Traditional Chinese.
    ZhHant,
}

impl Lang {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::ZhHant => "zh-Hant",
        }
    }
}

/// How a film looks, apart from its size and rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// What coloured cells show.
    pub style: Style,
    /// Dark or light.
    pub theme: Theme,
    /// The language of colour names.
    pub lang: Lang,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Frames a second.
    pub fps: u32,
    /// The longest search in seconds.
    pub search_seconds: f64,
    /// How it looks.
    pub look: Look,
}

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The size.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The rate, the length, or a conflict.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// The trace.
    #[error("the trace does not fit its puzzle; run `proofreel verify` on it")]
    Replay(#[from] ReplayError),
    /// The font.
    #[error(
        "the font has no glyph for {characters} in \"{text}\"; give one that has it with --font"
    )]
    Glyph {
        /// What it lacks.
        characters: String,
        /// Where it is needed.
        text: String,
    },
}

/// A film that can be drawn: any frame, in any order.
pub struct Film {
    scene: Scene,
    font: Arc<Font>,
    request: Request,
}

impl Film {
    /// Prepares the film of `trace`; nothing is drawn yet.
    ///
    /// # Errors
    /// Everything that could go wrong at frame 700 is found here.
    pub fn new(trace: &Trace, request: Request, font: Arc<Font>) -> Result<Self, FilmError> {
        let timeline = Timeline::new(trace, request.fps, request.search_seconds)?;
        let solution = trace
            .solution
            .as_deref()
            .filter(|_| timeline::regroups(trace));
        let layout = Layout::new(trace, request.size, solution)?;
        check_font(&font, request.look, &trace.puzzle)?;
        let scene = Scene::new(trace, layout, timeline, request.look, &font)?;
        Ok(Film {
            scene,
            font,
            request,
        })
    }

    /// What is on the screen, frame by frame.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What text is drawn with.
    pub fn font(&self) -> &Arc<Font> {
        &self.font
    }

    /// What was asked for.
    pub fn request(&self) -> &Request {
        &self.request
    }
}

/// A glyph that is missing is an error now rather than a box later.
fn check_font(font: &Font, look: Look, puzzle: &Puzzle) -> Result<(), FilmError> {
    let digits = puzzle.digits;
    let names = (1..=digits).map(|c| {
        let token = palette::color(c);
        match (look.style, look.lang) {
            (Style::Reveal, _) => String::new(),
            (Style::Tokens, Lang::En) => token.name.to_string(),
            (Style::Tokens, Lang::ZhHant) => token.name_zh.to_string(),
        }
    });
    let digits = (1..=digits).map(|c| c.to_string());
    for text in digits.chain(names).chain(clues::texts(puzzle)) {
        let missing = font.missing(&text);
        if !missing.is_empty() {
            return Err(FilmError::Glyph {
                characters: missing.iter().collect(),
                text,
            });
        }
    }
    Ok(())
}
