//! What an audit found, as the report file and for a person to read.

use serde::Serialize;

use super::crops::Crop;

/// The version of the report format.
pub const VERSION: u32 = 1;

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The film shows the computation that the trace records.
    Match,
    /// It does not.
    Mismatch,
}

/// A whole report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Report {
    /// Always "proofreel-audit".
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// The answer.
    pub verdict: Verdict,
    /// States of the search that the film shows.
    pub states: u64,
    /// Pictures that were decoded (from `start` on).
    pub frames: u64,
    /// Pictures that were compared with a frame of the film.
    pub frames_checked: u64,
    /// How many places were looked at, and what they were doing.
    pub checks: Checks,
    /// The settled place whose colour lies farthest from what it should be.
    pub worst_delta: Option<Extreme>,
    /// The settled place that was nearest to being taken for another colour: how much farther
    /// that colour is.
    pub smallest_margin: Option<Extreme>,
    /// The stream's colour tags in one word: "bt709", "untagged", or what else it says.
    pub color_tags: String,
    /// The matrix and range that the pixels were made with, as far as they show it.
    pub pixels: String,
    /// The stream.
    pub stream: Stream,
    /// How frames were told apart.
    pub identity: Identity,
    /// The edges.
    pub edges: Coverage,
    /// The digits of the final picture.
    pub digits: Coverage,
    /// What differs from the manifest without making the film untrue.
    pub differences: Vec<String>,
    /// What else a reader should know.
    pub notes: Vec<String>,
    /// How many findings there are.
    pub findings_total: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
    /// What failed beside what should be there, where that was asked for.
    #[serde(skip)]
    pub crops: Vec<Crop>,
}

/// Checks by what the places were doing. Every check is one of settled, moving, occluded and not
/// yet drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Checks {
    /// Of cells.
    pub cell: u64,
    /// Of vertices.
    pub vertex: u64,
    /// Together.
    pub total: u64,
    /// Places at rest.
    pub settled: u64,
    /// Places between two colours.
    pub moving: u64,
    /// Vertices under others while they move.
    pub occluded: u64,
    /// Places that are not there yet.
    pub not_yet_drawn: u64,
    /// Of all these, how many failed.
    pub failed: u64,
    /// Places at rest in the frames in which a state of the search is at rest, each state once.
    pub settled_states: u64,
}

/// A place with a distance in YCbCr steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Extreme {
    /// The distance.
    pub distance: f32,
    /// The film's frame.
    pub frame: u64,
    /// Which cell.
    pub cell: String,
    /// "cell" or "vertex".
    pub what: What,
}

/// What was decoded.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Stream {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Frames a second, measured by timestamps.
    pub fps: f64,
    /// Codec name.
    pub codec: String,
    /// Pixel format.
    pub pixel_format: String,
    /// Container.
    pub container: String,
}

/// How frames were told apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Identity {
    /// Pictures counted by decoding.
    pub counted: u64,
    /// Pictures that there should be.
    pub expected: u64,
    /// Every how manieth frame of the film the copy shows.
    pub step: u64,
    /// Neighbouring pictures of the film that are alike in all that is checked, so that which of
    /// the two is which cannot be seen.
    pub alike_neighbours: u64,
}

/// Things that can be assessed or not.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// How many were looked at.
    pub checked: u64,
    /// How many could not be judged.
    pub not_assessable: u64,
    /// How many were wrong.
    pub failed: u64,
    /// Why things could not be judged, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A cell's colour.
    Cell,
    /// A vertex's colour or place.
    Vertex,
    /// A frame that is missing, doubled, out of order or foreign.
    Frame,
    /// The number of frames.
    FrameCount,
    /// The frame rate.
    FrameRate,
    /// The matrix or range that the pixels were made with.
    ColorMatrix,
    /// Missing or contradictory colour tags.
    ColorTags,
    /// An edge.
    Edge,
    /// A digit.
    Digit,
    /// The manifest contradicts itself, the trace or the film.
    Manifest,
    /// The trace is not truthful, or not the one that belongs here.
    Trace,
    /// A difference from the manifest that only a strict audit objects to.
    Strict,
}

/// One thing that does not agree.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The film's frame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u64>,
    /// Its time in seconds, "5.183".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The state of the search, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<u64>,
    /// The cell that a cell, vertex or digit stands for; the two ends of an edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// What it is about.
    pub what: What,
    /// What should be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenColor>,
    /// How many frames in a row show the same, from `frame` on.
    #[serde(skip_serializing_if = "is_one")]
    pub frames: u64,
    /// In words.
    pub message: String,
}

fn is_one(n: &u64) -> bool {
    *n == 1
}

impl Finding {
    /// A finding about the film as a whole.
    pub fn whole(what: What, message: impl Into<String>) -> Self {
        Finding {
            frame: None,
            time: None,
            state: None,
            cell: None,
            what,
            expected: None,
            seen: None,
            frames: 1,
            message: message.into(),
        }
    }
}

/// The colour that should be there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Expected {
    /// The trace's integer; absent where the place is uncoloured or not drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<u8>,
    /// Its name.
    pub name: String,
    /// "#rrggbb".
    pub rgb: String,
}

/// The colour that is there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SeenColor {
    /// "#rrggbb".
    pub rgb: String,
    /// The nearest colour of the palette; absent where that is no colour of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<u8>,
    /// Its name, or "uncoloured" or "background".
    pub name: String,
}

impl Report {
    /// The report as its file: indented JSON with a line end.
    pub fn to_json(&self) -> String {
        // Plain data with string keys cannot fail to serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// For a person: the verdict first, then the first findings, then what was checked.
    pub fn summary(&self, film: &str, limit: usize) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        let c = &self.checks;
        let _ = match self.verdict {
            Verdict::Match => writeln!(
                out,
                "match: {film} shows what its trace records ({} checks on {} frames, none failed)",
                thousands(c.total),
                thousands(self.frames_checked)
            ),
            Verdict::Mismatch => writeln!(
                out,
                "mismatch: {film} does not show what its trace records ({} finding{})",
                thousands(self.findings_total),
                if self.findings_total == 1 { "" } else { "s" }
            ),
        };
        for f in self.findings.iter().take(limit) {
            let place = match (f.frame, &f.time) {
                (Some(frame), Some(time)) => format!("frame {frame} ({time} s): "),
                _ => String::new(),
            };
            let _ = writeln!(out, "  {place}{}", f.message);
        }
        let shown = self.findings.len().min(limit) as u64;
        if self.findings_total > shown {
            let _ = writeln!(
                out,
                "  … and {} more",
                thousands(self.findings_total - shown)
            );
        }
        if c.total > 0 {
            let _ = writeln!(
                out,
                "checked: {} settled, {} moving, {} occluded, {} not yet drawn; {} failed",
                thousands(c.settled),
                thousands(c.moving),
                thousands(c.occluded),
                thousands(c.not_yet_drawn),
                thousands(c.failed)
            );
            let _ = writeln!(
                out,
                "states: {} of the search, {} checks while they are at rest, one frame each",
                thousands(self.states),
                thousands(c.settled_states)
            );
        }
        if let (Some(worst), Some(margin)) = (&self.worst_delta, &self.smallest_margin) {
            let _ = writeln!(
                out,
                "colours: worst difference {:.1} (frame {}, {}), smallest margin {:.1} (frame {}, {}); tags {}, pixels {}",
                worst.distance,
                worst.frame,
                worst.cell,
                margin.distance,
                margin.frame,
                margin.cell,
                self.color_tags,
                self.pixels
            );
        }
        for (name, part) in [("edges", &self.edges), ("digits", &self.digits)] {
            if part.checked + part.not_assessable > 0 || part.note.is_some() {
                let _ = write!(
                    out,
                    "{name}: {} checked, {} wrong",
                    thousands(part.checked),
                    part.failed
                );
                if part.not_assessable > 0 {
                    let _ = write!(out, ", {} not assessable", thousands(part.not_assessable));
                }
                if let Some(note) = &part.note {
                    let _ = write!(out, " ({note})");
                }
                let _ = writeln!(out);
            }
        }
        for d in &self.differences {
            let _ = writeln!(out, "differs from the manifest: {d}");
        }
        for n in &self.notes {
            let _ = writeln!(out, "note: {n}");
        }
        out
    }
}

/// 155520 as "155,520".
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn thousands_are_set_apart() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (155_520, "155,520"),
        ] {
            assert_eq!(thousands(n), text);
        }
    }
}
