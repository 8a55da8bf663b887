//! What the film says about itself: the part of the manifest that follows from how it is drawn.

use super::display::Rgb;
use super::easing::fade;
use super::geometry::hundredths;
use super::scene::edge_alpha;
use super::timeline::Part;
use super::{Film, Style as LookStyle, palette};
use crate::manifest::{
    Bend, CellPlace, EdgeLook, Fade, Glyph, Layout, Pace, Palette, PaletteColor, RectPx, Regroup,
    Segment, StateSpan, Style, VertexPlace,
};
use crate::trace::Trace;

/// The drawn part of a manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Claims {
    /// How it looks.
    pub style: Style,
    /// Its colours.
    pub palette: Palette,
    /// Where everything stands.
    pub layout: Layout,
    /// Its parts.
    pub segments: Vec<Segment>,
    /// The movement.
    pub regroup: Option<Regroup>,
    /// The states.
    pub states: Vec<StateSpan>,
    /// What was left out.
    pub pace: Option<Pace>,
}

impl Film {
    /// States what every frame shows.
    pub fn claims(&self, trace: &Trace) -> Claims {
        let scene = self.scene();
        let timeline = scene.timeline();
        let look = self.request().look;
        Claims {
            style: Style {
                style: look.style.name().into(),
                theme: look.theme.name().into(),
                lang: look.lang.name().into(),
            },
            palette: self.palette(trace.puzzle.digits),
            layout: self.places(trace),
            segments: timeline
                .parts
                .iter()
                .map(|p| Segment {
                    name: p.part.name().into(),
                    first: p.first,
                    last: p.last,
                })
                .collect(),
            regroup: timeline.stretch(Part::Regroup).map(|r| Regroup {
                first: r.first,
                progress: (r.first..=r.last).map(|n| scene.progress(n)).collect(),
            }),
            states: timeline
                .states
                .iter()
                .enumerate()
                .map(|(s, state)| StateSpan {
                    event: state.event as u64,
                    starts: state.starts,
                    settled: state.settled,
                    last: state.last,
                    mix: (state.starts..state.settled)
                        .map(|n| scene.mix(s, n))
                        .collect(),
                })
                .collect(),
            pace: self.pace(trace),
        }
    }

    fn palette(&self, digits: u8) -> Palette {
        let theme = palette::theme(self.request().look.theme);
        Palette {
            background: theme.background.css(),
            empty_cell: theme.empty_cell.css(),
            empty_vertex: theme.empty_vertex.css(),
            colors: (1..=digits)
                .map(|c| {
                    let token = palette::color(c);
                    PaletteColor {
                        color: c,
                        name: token.name.into(),
                        rgb: token.rgb.css(),
                    }
                })
                .collect(),
        }
    }

    fn places(&self, trace: &Trace) -> Layout {
        let scene = self.scene();
        let layout = scene.layout();
        let names = trace.puzzle.cells();
        let float = |r: [i32; 4]| r.map(f64::from);
        // Digits stand on cells at the end of a film that reveals them, and all along in tokens
        // style; the audit recognises them in the final picture.
        let solution = layout
            .graph
            .regrouped
            .as_ref()
            .and(trace.solution.as_deref());
        let digit = |v: usize| solution.map(|s| s[v]);
        let cells = (0..names.len()).map(|v| CellPlace {
            cell: names[v].to_string(),
            rect: float(layout.board.rects[v]),
            sample: float(scene.clues().sample(v)),
            appears: scene.appears(v),
            given: scene.given(v),
            reveal: scene.reveal(v),
            glyph: digit(v).map(|c| self.cell_glyph(v, c)),
        });
        let regrouped = layout.graph.regrouped.as_ref();
        let revealed = self.request().look.style == LookStyle::Reveal && layout.vertex_glyphs();
        let vertices = (0..names.len()).map(|v| VertexPlace {
            cell: names[v].to_string(),
            radius: layout.graph.radius,
            sample: layout.vertex_sample(),
            mark: layout.vertex_glyphs().then(|| layout.vertex_mark()),
            before: layout.graph.before[v],
            control: regrouped.map(|r| r.control[v]),
            after: regrouped.map(|r| r.after[v]),
            appears: scene.appears(v),
            given: scene.given(v),
            reveal: if revealed { scene.reveal(v) } else { None },
            glyph: digit(v).filter(|_| revealed).map(|c| self.vertex_glyph(c)),
        });
        Layout {
            cells: cells.collect(),
            vertices: vertices.collect(),
            edges: self.edges(),
            glyphs: if solution.is_some() {
                self.glyphs(trace.puzzle.digits)
            } else {
                Vec::new()
            },
            fades: self.fades(names.len()),
        }
    }

    fn edges(&self) -> EdgeLook {
        let scene = self.scene();
        let layout = scene.layout();
        let theme = palette::theme(self.request().look.theme);
        let alpha = (edge_alpha(layout.edges.len()) * 255.0).round() as u8;
        EdgeLook {
            width: super::scene::edge_width(layout.graph.radius),
            rgba: format!("{}{alpha:02x}", theme.edge.css()),
            appears: scene.edges_appear(),
            bend: Some(Bend {
                kind: "quadratic".into(),
                before: layout.graph.bend_before.clone(),
                after: layout
                    .graph
                    .regrouped
                    .as_ref()
                    .map_or_else(Vec::new, |r| r.bend_after.clone()),
            }),
        }
    }

    /// The box of a digit's ink on cell `v`, as it is drawn.
    fn cell_glyph(&self, v: usize, color: u8) -> RectPx {
        let text = self.scene().cell_text();
        let [x, y, ..] = self.scene().layout().board.rects[v];
        let at = [x as f32 + text.digit[0], y as f32 + text.digit[1]];
        let mask = self
            .font()
            .place(&color.to_string(), self.scene().digit_size(color), at);
        [mask.left, mask.top, mask.width as i32, mask.height as i32].map(f64::from)
    }

    /// The box of a digit's ink relative to the centre of a vertex.
    fn vertex_glyph(&self, color: u8) -> RectPx {
        let size = self.scene().vertex_digit_size(color);
        let mask = self.font().place(&color.to_string(), size, [0.0, 0.0]);
        let drop = f64::from(self.scene().vertex_text_drop());
        let [x, y, w, h] =
            [mask.left, mask.top, mask.width as i32, mask.height as i32].map(f64::from);
        [x, hundredths(y + drop), w, h]
    }

    /// The digits' shapes at the size of a cell.
    fn glyphs(&self, digits: u8) -> Vec<Glyph> {
        (1..=digits)
            .map(|color| {
                let text = color.to_string();
                let mask = self.font().mask(&text, self.scene().digit_size(color));
                let ink = palette::color(color).ink;
                Glyph {
                    color,
                    text,
                    width: mask.width,
                    height: mask.height,
                    ink: if is_light(ink) { "light" } else { "dark" }.into(),
                    rgb: ink.css(),
                    coverage: mask.coverage.iter().map(|c| format!("{c:02x}")).collect(),
                }
            })
            .collect()
    }

    /// How fades run, one entry for each length that occurs.
    fn fades(&self, cells: usize) -> Vec<Fade> {
        let scene = self.scene();
        let mut lengths: Vec<u64> = (0..cells)
            .flat_map(|v| [Some(scene.appears(v)), scene.given(v), scene.reveal(v)])
            .flatten()
            .map(|[first, settled]| settled - first)
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
            .into_iter()
            .map(|frames| Fade {
                frames,
                mix: (0..frames).map(|i| fade([0, frames], i)).collect(),
            })
            .collect()
    }

    fn pace(&self, trace: &Trace) -> Option<Pace> {
        let timeline = self.scene().timeline();
        let shown = timeline.states.last().map_or(0, |s| s.event + 1);
        let cut = !trace.trace_complete;
        if !timeline.compressed && !cut {
            return None;
        }
        let states = timeline.states.len();
        let per_state = shown as f64 / states.max(1) as f64;
        let mut note = if per_state > 1.0 {
            format!(
                "{shown} events in {states} states, {per_state:.1} events a state; the states \
                 between are not shown"
            )
        } else if timeline.compressed {
            format!("all {shown} events are shown, each for less time than usual")
        } else {
            format!("all {shown} recorded events are shown")
        };
        if cut {
            note += "; the trace itself was cut at this many events, so the film ends there";
        }
        Some(Pace {
            events: shown as u64,
            states: states as u64,
            events_per_state: hundredths(per_state),
            note,
        })
    }
}

fn is_light(c: Rgb) -> bool {
    u32::from(c.r) + u32::from(c.g) + u32::from(c.b) > 382
}
