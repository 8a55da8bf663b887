//! The graph side: edges, vertices, glyphs.

use std::sync::Arc;

use super::{Colors, Scene};
use crate::film::display::{Curve, CurveBatch, Item, Polyline, Rgb, Symbol};
use crate::film::easing::fade;
use crate::film::geometry::{Point, hundredths};
use crate::film::layout::Layout;
use crate::film::palette::{self, ThemeColors};
use crate::film::timeline::Part;

/// Opacity of one edge at rest, of as many as a classic graph has.
const EDGE_ALPHA: f64 = 0.3;
/// The edges of a classic graph.
const CLASSIC_EDGES: f64 = 810.0;
/// Ground around a disc that edges do not reach, in radii.
const HALO: f64 = 1.17;

/// Stroke width of an edge for a vertex radius: a fifteenth of it, but not thinner than what a
/// 4:2:0 picture can still show.
pub fn edge_width(radius: f64) -> f64 {
    hundredths((radius * 0.066).max(0.6))
}

/// Opacity of one edge at rest in a graph with `edges` of them: many more would make a fog.
pub fn edge_alpha(edges: usize) -> f64 {
    let share = (CLASSIC_EDGES / edges.max(1) as f64).min(1.0);
    hundredths(EDGE_ALPHA * share.sqrt()).max(0.12)
}

/// All edges at `progress` of the movement, each as opaque as `shown` says.
pub(super) fn batch(
    layout: &Layout,
    theme: &ThemeColors,
    progress: f64,
    shown: impl Fn(usize) -> f64,
) -> CurveBatch {
    let centres = layout.centres(progress);
    let alpha = edge_alpha(layout.edges.len());
    let curves = (0..layout.edges.len())
        .map(|e| curve(layout, &centres, progress, e, shown(e) * alpha))
        .collect();
    CurveBatch {
        curves,
        width: edge_width(layout.graph.radius) as f32,
        color: theme.edge,
    }
}

/// One edge as a curve to draw.
pub(super) fn curve(
    layout: &Layout,
    centres: &[Point],
    progress: f64,
    e: usize,
    alpha: f64,
) -> Curve {
    let [p, c, q] = layout.curve(e, centres, progress);
    let f = |p: Point| [p[0] as f32, p[1] as f32];
    Curve {
        from: f(p),
        control: f(c),
        to: f(q),
        alpha: alpha as f32,
    }
}

impl Scene {
    /// When edges appear: `(ticks of the first start, ticks of the last rest)` of the intro.
    pub fn edges_appear(&self) -> [u64; 2] {
        self.timeline.intro_span(48, 88)
    }

    /// When edge `e` fades in: rows first, then columns, then what is left of the boxes; each
    /// kind as a wave.
    fn edge_span(&self, e: usize) -> [u64; 2] {
        let (a, b) = self.layout.edges[e];
        let (p, q) = (
            self.layout.board.rects[usize::from(a)],
            self.layout.board.rects[usize::from(b)],
        );
        let [left, top, width, height] = self.layout.board.bounds;
        let (start, at, of) = if p[1] == q[1] {
            (48, p[1] - top, height)
        } else if p[0] == q[0] {
            (58, p[0] - left, width)
        } else {
            (68, p[0] - left + p[1] - top, width + height)
        };
        let start = start + (at as u64 * 10) / (of as u64).max(1);
        self.timeline.intro_span(start, start + 10)
    }

    /// The resting edges at frame `n`.
    fn edges(&self, n: u64) -> Arc<CurveBatch> {
        let [first, settled] = self.edges_appear();
        let progress = self.progress(n);
        if n < first {
            self.nothing.clone()
        } else if n < settled {
            let shown = |e| fade(self.edge_span(e), n);
            Arc::new(batch(&self.layout, &self.theme, 0.0, shown))
        } else if progress <= 0.0 {
            self.resting.clone()
        } else if progress >= 1.0 {
            self.regrouped.clone()
        } else {
            Arc::new(batch(&self.layout, &self.theme, progress, |_| 1.0))
        }
    }

    /// The colour of a vertex that is settled in colour `c`.
    fn disc(&self, c: u8) -> Rgb {
        if c == 0 {
            self.theme.empty_vertex
        } else {
            palette::color(c).rgb
        }
    }

    pub(super) fn draw_graph(&self, n: u64, colors: &Colors, items: &mut Vec<Item>) {
        let progress = self.progress(n);
        let centres = self.layout.centres(progress);
        self.draw_grounds(progress, items);
        items.push(Item::Curves(self.edges(n)));
        self.draw_lit_edges(n, items);
        let radius = self.layout.graph.radius;
        let at = |v: usize| [centres[v][0] as f32, centres[v][1] as f32];
        for v in 0..centres.len() {
            items.push(Item::Disc {
                at: at(v),
                radius: (radius * HALO) as f32,
                color: self.theme.background,
                alpha: fade(self.appears(v), n) as f32,
            });
        }
        let glyphs = self.layout.vertex_glyphs();
        for v in 0..centres.len() {
            let alpha = fade(self.appears(v), n) as f32;
            let color = match self.given(v) {
                Some(span) => self
                    .theme
                    .empty_vertex
                    .mix(self.disc(colors.new[v]), fade(span, n)),
                None if colors.old[v] != colors.new[v] => self
                    .disc(colors.old[v])
                    .mix(self.disc(colors.new[v]), colors.mix),
                None => self.disc(colors.new[v]),
            };
            items.push(Item::Disc {
                at: at(v),
                radius: radius as f32,
                color,
                alpha,
            });
            // Right on its disc, so that a disc above hides both alike.
            if glyphs {
                self.draw_vertex_glyph(v, at(v), n, colors, items);
            }
        }
        self.draw_vertex_marks(n, items);
    }

    /// Font size of a digit on a vertex; two figures stand closer together.
    pub fn vertex_digit_size(&self, color: u8) -> f32 {
        let size = self.layout.graph.radius * if color > 9 { 0.88 } else { 1.14 };
        hundredths(size) as f32
    }

    /// How far below the centre a vertex carries its glyph: the sample needs its top.
    pub fn vertex_text_drop(&self) -> f32 {
        hundredths(self.layout.graph.radius * 0.06) as f32
    }

    fn draw_vertex_glyph(
        &self,
        v: usize,
        at: [f32; 2],
        n: u64,
        colors: &Colors,
        items: &mut Vec<Item>,
    ) {
        let at = [at[0], at[1] + self.vertex_text_drop()];
        let radius = self.layout.graph.radius as f32;
        if self.tokens() {
            let (color, alpha) = self.token_of(v, n, colors);
            let alpha = if color == 0 { 0.0 } else { alpha as f32 };
            let token = palette::color(color.max(1));
            items.push(Item::Shape {
                symbol: if alpha > 0.0 {
                    token.symbol
                } else {
                    Symbol::Circle
                },
                at,
                size: radius * 0.84,
                color: token.ink,
                alpha,
            });
        } else {
            let alpha = self.reveal(v).map_or(0.0, |span| fade(span, n)) as f32;
            let color = colors.new[v];
            let text: Arc<str> = if alpha > 0.0 {
                color.to_string().into()
            } else {
                "".into()
            };
            items.push(Item::Text {
                text,
                at,
                size: self.vertex_digit_size(color),
                color: palette::color(color.max(1)).ink,
                alpha,
            });
        }
    }

    /// The ground of each colour's group: a quiet tint that says "nothing runs here".
    fn draw_grounds(&self, progress: f64, items: &mut Vec<Item>) {
        let Some(regrouped) = &self.layout.graph.regrouped else {
            return;
        };
        let alpha = ((progress - 0.8) / 0.2).clamp(0.0, 1.0) * 0.17;
        for (color, outline) in &regrouped.grounds {
            items.push(Item::Line(Arc::new(Polyline {
                points: outline.iter().map(|p| [p[0] as f32, p[1] as f32]).collect(),
                closed: true,
                width: 0.0,
                dash: [0.0, 0.0],
                color: palette::color(*color).rgb,
                alpha: alpha as f32,
            })));
        }
    }

    /// Whether frame `n` lies in the part of the film in which the search is shown.
    pub(super) fn searching(&self, n: u64) -> bool {
        self.timeline.part(n).part != Part::Intro && self.progress(n) <= 0.0
    }
}
