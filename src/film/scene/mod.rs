//! What is on the screen at frame n: a pure function of the timeline and the frame number.

mod board;
mod chosen;
mod graph;
mod states;

use std::sync::Arc;

use super::display::{CurveBatch, DisplayList};
use super::layout::Layout;
use super::paint::Font;
use super::palette::{self, Theme, ThemeColors};
use super::timeline::{Part, Timeline};
use super::{Lang, Look, Style};
use crate::film::easing;
use crate::trace::{Event, Replay, ReplayError, Trace};
use states::States;

pub use board::CellText;
pub use graph::{edge_alpha, edge_width};

/// Everything needed to draw any frame of a film, in any order.
#[derive(Debug)]
pub struct Scene {
    pub(super) look: Look,
    pub(super) theme: ThemeColors,
    pub(super) layout: Layout,
    pub(super) timeline: Timeline,
    pub(super) digits: u8,
    givens: Vec<u8>,
    states: States,
    neighbours: Vec<Vec<(u16, u32)>>,
    clues: super::clues::Clues,
    resting: Arc<CurveBatch>,
    regrouped: Arc<CurveBatch>,
    nothing: Arc<CurveBatch>,
}

/// The colours of all vertices at one frame: from `old` to `new`, `mix` of the way.
struct Colors {
    old: Vec<u8>,
    new: Vec<u8>,
    mix: f64,
}

impl Scene {
    /// Prepares the film of `trace`.
    ///
    /// # Errors
    /// If an event of the trace cannot be replayed.
    pub fn new(
        trace: &Trace,
        layout: Layout,
        timeline: Timeline,
        look: Look,
        font: &Font,
    ) -> Result<Self, ReplayError> {
        let theme = palette::theme(look.theme);
        let mut neighbours = vec![Vec::new(); trace.puzzle.cells().len()];
        for (e, &(a, b)) in layout.edges.iter().enumerate() {
            neighbours[usize::from(a)].push((b, e as u32));
            neighbours[usize::from(b)].push((a, e as u32));
        }
        let states = States::new(trace, &timeline)?;
        let givens = Replay::new(trace).colors().to_vec();
        let resting = Arc::new(graph::batch(&layout, &theme, 0.0, |_| 1.0));
        let regrouped = Arc::new(graph::batch(&layout, &theme, 1.0, |_| 1.0));
        let nothing = Arc::new(CurveBatch {
            curves: Vec::new(),
            width: 1.0,
            color: theme.edge,
        });
        let clues = super::clues::Clues::new(&trace.puzzle, &layout, look, font);
        Ok(Scene {
            look,
            theme,
            layout,
            timeline,
            digits: trace.puzzle.digits,
            givens,
            states,
            neighbours,
            clues,
            resting,
            regrouped,
            nothing,
        })
    }

    /// Number of frames.
    pub fn frames(&self) -> u64 {
        self.timeline.frames
    }

    /// The composition.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The timing.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// The drawn clues.
    pub fn clues(&self) -> &super::clues::Clues {
        &self.clues
    }

    /// What frame `n` shows; frames beyond the last show the last.
    pub fn frame(&self, n: u64) -> DisplayList {
        let n = n.min(self.timeline.frames.saturating_sub(1));
        let colors = self.colors(n);
        let mut items = Vec::with_capacity(1024);
        self.draw_board(n, &colors, &mut items);
        self.draw_graph(n, &colors, &mut items);
        DisplayList {
            size: self.layout.size,
            background: self.theme.background,
            items,
        }
    }

    /// The colouring that frame `n` shows or moves towards.
    fn colors(&self, n: u64) -> Colors {
        match self.timeline.state(n) {
            None => Colors {
                old: self.givens.clone(),
                new: self.givens.clone(),
                mix: 1.0,
            },
            Some(s) => Colors {
                old: match s.checked_sub(1) {
                    Some(before) => self.states.colors(before),
                    None => self.givens.clone(),
                },
                new: self.states.colors(s),
                mix: self.mix(s, n),
            },
        }
    }

    /// How far the colours of state `s` are mixed at frame `n`.
    pub(super) fn mix(&self, s: usize, n: u64) -> f64 {
        let state = self.timeline.states[s];
        if n >= state.settled {
            return 1.0;
        }
        let (i, moving) = (n - state.starts, state.settled - state.starts);
        // An assignment first lights up the edges, and only then takes its colour.
        let lead = match self.states.last_event(s) {
            Event::Assign { .. } => moving * 2 / 7,
            _ => 0,
        };
        if i < lead {
            0.0
        } else {
            easing::out((i - lead + 1) as f64 / (moving - lead + 1) as f64)
        }
    }

    /// Progress of the vertices' movement at frame `n`.
    pub(super) fn progress(&self, n: u64) -> f64 {
        match self.timeline.stretch(Part::Regroup) {
            None => 0.0,
            Some(r) if n < r.first => 0.0,
            Some(r) if n >= r.last => 1.0,
            Some(r) => easing::in_out((n - r.first) as f64 / (r.last - r.first) as f64),
        }
    }

    /// When the empty tile and the empty vertex of cell `v` fade in.
    pub(super) fn appears(&self, v: usize) -> [u64; 2] {
        let start = 2 + self.wave(v, 20);
        self.timeline.intro_span(start, start + 9)
    }

    /// When the given colour of cell `v` fades in.
    pub(super) fn given(&self, v: usize) -> Option<[u64; 2]> {
        let start = 30 + self.wave(v, 16);
        (self.givens[v] != 0).then(|| self.timeline.intro_span(start, start + 8))
    }

    /// When the digit of cell `v` is revealed, where the film reveals any.
    pub(super) fn reveal(&self, v: usize) -> Option<[u64; 2]> {
        let r = self.timeline.stretch(Part::Reveal)?;
        if self.look.style != Style::Reveal {
            return None;
        }
        let length = r.last + 1 - r.first;
        // The wave takes six tenths of the segment, each digit a quarter.
        let first = r.first + self.wave(v, length * 6 / 10);
        Some([first, (first + length / 4).min(r.last).max(first + 1)])
    }

    /// A wave over the board from its top left corner: 0 to `longest`.
    fn wave(&self, v: usize, longest: u64) -> u64 {
        let [left, top, width, height] = self.layout.board.bounds;
        let [x, y, ..] = self.layout.board.rects[v];
        let span = (width + height - 2 * self.layout.board.cell).max(1) as u64;
        ((x - left + y - top) as u64 * longest + span / 2) / span
    }

    /// Whether coloured cells carry digit, symbol and name all the time.
    fn tokens(&self) -> bool {
        self.look.style == Style::Tokens
    }

    /// The name of a colour in the film's language.
    fn name(&self, color: u8) -> Arc<str> {
        let token = palette::color(color);
        match self.look.lang {
            Lang::En => token.name.into(),
            Lang::ZhHant => token.name_zh.into(),
        }
    }

    /// The theme that was asked for.
    pub fn theme_kind(&self) -> Theme {
        self.look.theme
    }
}
