//! Captions: one cue a state, in plain words, as WebVTT.

use crate::film::palette;
use crate::film::timeline::Timeline;
use crate::puzzle::Rule;
use crate::trace::{Event, Trace};

/// The whole file.
pub fn vtt(trace: &Trace, timeline: &Timeline) -> String {
    let mut text = String::from("WEBVTT\n");
    let fps = u64::from(timeline.fps);
    let mut next = 0;
    for state in &timeline.states {
        let (from, to) = (stamp(state.starts, fps), stamp(state.last + 1, fps));
        let words = match trace.events.get(state.event) {
            Some(event) => words(trace, event),
            None => continue,
        };
        let steps = if state.event > next {
            format!("Steps {} to {}, the last: ", next + 1, state.event + 1)
        } else {
            format!("Step {}: ", state.event + 1)
        };
        text += &format!("\n{from} --> {to}\n{steps}{words}\n");
        next = state.event + 1;
    }
    text
}

/// What an event does.
fn words(trace: &Trace, event: &Event) -> String {
    let cell = |v: u16| {
        trace
            .graph
            .vertices
            .get(usize::from(v))
            .map_or_else(String::new, |c| c.to_string())
    };
    let token = |c: u8| format!("{c}, {}", palette::color(c).name);
    match *event {
        Event::Assign {
            vertex,
            color,
            legal,
            ..
        } => {
            let choice = match legal.len() {
                1 => "its only legal colour".to_string(),
                n => {
                    let tried = legal.iter().position(|c| c == color).unwrap_or(0) + 1;
                    format!("number {tried} of its {n} legal colours")
                }
            };
            format!("{} takes {}, {choice}", cell(vertex), token(color))
        }
        Event::DeadEnd { vertex, rule: None } => {
            format!(
                "{} is a dead end: its neighbours have every colour",
                cell(vertex)
            )
        }
        Event::DeadEnd {
            vertex,
            rule: Some(r),
        } => {
            let rule = trace.puzzle.rules.get(usize::from(r));
            format!(
                "{} is a dead end: rule {}{} leaves it no colour",
                cell(vertex),
                u32::from(r) + 1,
                rule.map_or(String::new(), |rule| format!(", {},", family(rule)))
            )
        }
        Event::Undo { vertex, color } => format!("{} loses {} again", cell(vertex), token(color)),
        Event::Solved => "every vertex has its colour".to_string(),
    }
}

/// What a rule is, in words.
fn family(rule: &Rule) -> &'static str {
    match rule {
        Rule::House { .. } => "an extra house",
        Rule::Contains { .. } => "digits that must appear",
        Rule::Appears { .. } => "an arrow",
        Rule::Clone { .. } => "equal regions",
        Rule::Isomorphic { .. } => "relabelled regions",
        Rule::Count { .. } => "a count",
        Rule::DistinctCount { .. } => "a number of different digits",
        Rule::GlobalEntropy => "global entropy",
        Rule::EqualSum { .. } => "equal sums",
        Rule::Vudoku { .. } => "a V",
    }
}

/// A frame's time as WebVTT writes it: hours, minutes, seconds, milliseconds.
fn stamp(frame: u64, fps: u64) -> String {
    let ms = frame * 1000 / fps;
    let (s, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02}.{ms:03}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Puzzle, bundled};
    use crate::solve::{Limits, solve};

    fn demo() -> Puzzle {
        bundled::find("demo").unwrap().read().unwrap()
    }

    #[test]
    fn the_demo_has_one_cue_an_assignment_in_plain_words() {
        let trace = solve(&demo(), &Limits::default()).trace;
        let timeline = Timeline::new(&trace, 60, 90.0).unwrap();
        let text = vtt(&trace, &timeline);
        assert_eq!(text.matches(" --> ").count(), 51);
        assert!(
            text.starts_with(
                "WEBVTT\n\n00:00:01.500 --> 00:00:01.666\n\
                 Step 1: r5c5 takes 5, Teal, its only legal colour\n"
            ),
            "{}",
            &text[..120]
        );
    }
}
