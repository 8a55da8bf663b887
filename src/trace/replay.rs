//! The states of a colouring, event by event.

use super::{Event, Trace};
use crate::puzzle::Color;

/// An event that cannot be carried out on the state before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {event} cannot be replayed: {why}")]
pub struct ReplayError {
    /// The event's index, from 0.
    pub event: usize,
    /// What is wrong with it.
    pub why: String,
}

/// A colouring that events are applied to: who has which colour now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    colors: Vec<Color>,
    applied: usize,
}

impl Replay {
    /// The state before the first event: the givens alone.
    pub fn new(trace: &Trace) -> Self {
        Replay {
            colors: trace.puzzle.given_colors(),
            applied: 0,
        }
    }

    /// The colours by vertex index, 0 where uncoloured.
    pub fn colors(&self) -> &[Color] {
        &self.colors
    }

    /// Carries out the next event.
    ///
    /// # Errors
    /// If it colours a coloured vertex, or takes back a colour that the vertex does not have.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        let fail = |why: String| ReplayError {
            event: self.applied,
            why,
        };
        match *event {
            Event::Assign { vertex, color, .. } => match self.colors.get_mut(usize::from(vertex)) {
                Some(slot @ 0) => *slot = color,
                Some(_) => return Err(fail(format!("vertex {vertex} is coloured already"))),
                None => return Err(fail(format!("there is no vertex {vertex}"))),
            },
            Event::Undo { vertex, color } => match self.colors.get_mut(usize::from(vertex)) {
                Some(slot) if *slot == color && color != 0 => *slot = 0,
                Some(_) => {
                    return Err(fail(format!(
                        "vertex {vertex} does not have colour {color}"
                    )));
                }
                None => return Err(fail(format!("there is no vertex {vertex}"))),
            },
            Event::DeadEnd { .. } | Event::Solved => {}
        }
        self.applied += 1;
        Ok(())
    }
}
