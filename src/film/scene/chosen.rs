//! What points at the chosen vertex: its rings, its edges lit in the neighbours' colours, and
//! at a dead end the cross and the marks on the neighbours that block it.

use std::sync::Arc;

use super::Scene;
use super::graph::{curve, edge_width};
use crate::film::display::{CurveBatch, Item, Rgb, Symbol};
use crate::film::palette;
use crate::film::timeline::Part;
use crate::trace::Event;

/// Opacity of a lit edge, towards a coloured neighbour and towards an open one.
const LIT: [f64; 2] = [0.95, 0.5];
/// A lit edge is this much wider than one at rest.
const LIT_WIDTH: f64 = 1.75;

/// A vertex that is pointed at, and how strongly.
#[derive(Debug, Clone, Copy)]
struct Pointed {
    state: usize,
    vertex: u16,
    dead: bool,
    undo: bool,
    strength: f64,
}

impl Scene {
    /// Who is pointed at in frame `n`: the current choice, and the one before it, fading.
    fn pointed(&self, n: u64) -> [Option<Pointed>; 2] {
        if !self.searching(n) {
            return [None, None];
        }
        let Some(s) = self.timeline.state(n) else {
            return [None, None];
        };
        let state = self.timeline.states[s];
        let since = n - state.starts;
        if self.timeline.part(n).part != Part::Search {
            // After the search the last choice fades; a search that failed keeps it.
            if self.timeline.stretch(Part::Solved).is_none() {
                return [self.point(s, 1.0), None];
            }
            let left = 1.0 - (n - state.last) as f64 / 8.0;
            return [self.point(s, left), None];
        }
        let moving = state.settled - state.starts;
        if moving < 4 {
            return [self.point(s, 1.0), None];
        }
        let rise = [0.45, 0.8];
        let strength = rise.get(since as usize).copied().unwrap_or(1.0);
        let fall = [0.5, 0.2];
        let before = s.checked_sub(1).zip(fall.get(since as usize));
        [
            self.point(s, strength),
            before.and_then(|(b, &f)| self.point(b, f)),
        ]
    }

    fn point(&self, state: usize, strength: f64) -> Option<Pointed> {
        let (vertex, dead, undo) = match *self.states.last_event(state) {
            Event::Assign { vertex, .. } => (vertex, false, false),
            Event::DeadEnd { vertex, .. } => (vertex, true, false),
            Event::Undo { vertex, .. } => (vertex, false, true),
            Event::Solved => return None,
        };
        (strength > 0.0).then_some(Pointed {
            state,
            vertex,
            dead,
            undo,
            strength,
        })
    }

    /// The colour that lit edges towards a neighbour have.
    fn tint(&self, color: u8) -> Rgb {
        if color == 0 {
            self.theme.edge
        } else {
            palette::color(color).rgb
        }
    }

    /// The incident edges of the pointed vertices, one batch a colour.
    pub(super) fn draw_lit_edges(&self, n: u64, items: &mut Vec<Item>) {
        let centres = &self.layout.graph.before;
        let width = (edge_width(self.layout.graph.radius) * LIT_WIDTH) as f32;
        for pointed in self.pointed(n) {
            let mut batches = vec![Vec::new(); usize::from(self.digits) + 1];
            if let Some(p) = pointed {
                let colors = self.states.colors(p.state);
                // An undo points back at where it was; its edges stay at rest.
                let strength = if p.undo {
                    p.strength * 0.35
                } else {
                    p.strength
                };
                for &(neighbour, e) in &self.neighbours[usize::from(p.vertex)] {
                    let color = colors[usize::from(neighbour)];
                    let alpha = LIT[usize::from(color == 0)] * strength;
                    let lit = curve(&self.layout, centres, 0.0, e as usize, alpha);
                    batches[usize::from(color)].push(lit);
                }
            }
            for (color, curves) in batches.into_iter().enumerate() {
                items.push(Item::Curves(if curves.is_empty() {
                    self.nothing.clone()
                } else {
                    Arc::new(CurveBatch {
                        curves,
                        width,
                        color: self.tint(color as u8),
                    })
                }));
            }
        }
    }

    /// The neighbours of a dead end that have a colour.
    fn blockers(&self, p: Pointed) -> Vec<usize> {
        let colors = self.states.colors(p.state);
        self.neighbours[usize::from(p.vertex)]
            .iter()
            .map(|&(v, _)| usize::from(v))
            .filter(|&v| colors[v] != 0)
            .collect()
    }

    /// Frames around cells, and the cross of a dead end.
    pub(super) fn draw_cell_marks(&self, n: u64, items: &mut Vec<Item>) {
        let board = &self.layout.board;
        let around = |v: usize, by: i32| {
            let [x, y, w, h] = board.rects[v];
            [x - by, y - by, w + 2 * by, h + 2 * by]
        };
        for p in self.pointed(n).into_iter().flatten() {
            let alpha = p.strength as f32;
            if p.dead {
                let thin = (board.gap / 2).max(1);
                for v in self.blockers(p) {
                    items.push(Item::Frame {
                        rect: around(v, board.gap),
                        width: thin,
                        color: self.theme.cross,
                        alpha,
                    });
                }
                let [x, y, w, h] = board.rects[usize::from(p.vertex)].map(|k| k as f32);
                items.push(Item::Shape {
                    symbol: Symbol::Saltire,
                    at: [x + w / 2.0, y + (h * 0.54).round()],
                    size: (w * 0.58).round(),
                    color: self.theme.cross,
                    alpha,
                });
            }
            items.push(Item::Frame {
                rect: around(usize::from(p.vertex), board.gap),
                width: board.gap,
                color: if p.dead {
                    self.theme.cross
                } else {
                    self.theme.ring
                },
                alpha: if p.undo { alpha * 0.6 } else { alpha },
            });
        }
    }

    /// Rings around vertices, and the cross of a dead end.
    pub(super) fn draw_vertex_marks(&self, n: u64, items: &mut Vec<Item>) {
        let radius = self.layout.graph.radius;
        let centre = |v: usize| {
            let [x, y] = self.layout.graph.before[v];
            [x as f32, y as f32]
        };
        let stroke = (radius * 0.13).max(1.0) as f32;
        for p in self.pointed(n).into_iter().flatten() {
            let alpha = p.strength as f32;
            if p.dead {
                for v in self.blockers(p) {
                    items.push(Item::Ring {
                        at: centre(v),
                        radius: (radius * 1.24) as f32,
                        width: stroke * 0.75,
                        color: self.theme.cross,
                        alpha,
                    });
                }
                let [x, y] = centre(usize::from(p.vertex));
                items.push(Item::Shape {
                    symbol: Symbol::Saltire,
                    at: [x, y + self.vertex_text_drop()],
                    size: (radius * 0.84) as f32,
                    color: self.theme.cross,
                    alpha,
                });
            }
            items.push(Item::Ring {
                at: centre(usize::from(p.vertex)),
                radius: (radius * 1.36) as f32,
                width: stroke,
                color: if p.dead {
                    self.theme.cross
                } else {
                    self.theme.ring
                },
                alpha: if p.undo { alpha * 0.6 } else { alpha },
            });
        }
    }
}
