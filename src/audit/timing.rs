//! Frame rate by timestamps: constant or not, and every how manieth frame a copy shows.

use crate::decode::StreamInfo;

use super::plan::Plan;
use super::report::{Finding, What};

/// What the timestamps say.
#[derive(Debug, Clone, Default)]
pub struct Timing {
    /// Every how manieth frame of the film is shown.
    pub step: u64,
    /// Pictures a second, measured.
    pub measured: f64,
    /// Pictures a second that there should be.
    pub rate: f64,
    /// Whether some picture lasts clearly longer or shorter than the others.
    pub uneven: bool,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What should be known.
    pub notes: Vec<String>,
}

/// The step that a stream's nominal rate suggests.
pub fn step(info: &StreamInfo, fps: (u32, u32)) -> u64 {
    let nominal = f64::from(info.frame_rate.0) / f64::from(info.frame_rate.1.max(1));
    nearest_step(nominal, fps).unwrap_or(1)
}

/// The whole number of the film's frames to one picture at this rate, if it is one.
fn nearest_step(rate: f64, fps: (u32, u32)) -> Option<u64> {
    let film = f64::from(fps.0) / f64::from(fps.1);
    if !rate.is_finite() || rate <= 0.0 {
        return None;
    }
    let ratio = film / rate;
    let step = ratio.round();
    ((1.0..=8.0).contains(&step) && (ratio / step - 1.0).abs() < 0.004).then_some(step as u64)
}

impl Timing {
    /// Reads the times of all pictures; `assumed` is the step that they were judged with.
    pub fn new(times: &[f64], plan: &Plan, assumed: u64, counted: u64, info: &StreamInfo) -> Self {
        let film = f64::from(plan.fps.0) / f64::from(plan.fps.1);
        let mut t = Timing {
            step: assumed.max(1),
            rate: film / assumed.max(1) as f64,
            ..Timing::default()
        };
        if times.len() < 3 {
            t.measured = f64::from(info.frame_rate.0) / f64::from(info.frame_rate.1.max(1));
            return t;
        }
        let mut gaps: Vec<f64> = times.windows(2).map(|w| w[1] - w[0]).collect();
        let total = times[times.len() - 1] - times[0];
        gaps.sort_by(f64::total_cmp);
        // The usual gap, by the middle half: containers round to milliseconds.
        let middle = &gaps[gaps.len() / 4..(gaps.len() * 3 / 4).max(gaps.len() / 4 + 1)];
        let usual = middle.iter().sum::<f64>() / middle.len() as f64;
        let mean = total / (times.len() - 1) as f64;
        let odd = |gap: f64| (gap - usual).abs() > 0.35 * usual + 0.0011;
        t.uneven = gaps.iter().any(|g| odd(*g));
        t.measured = if t.uneven { 1.0 / usual } else { 1.0 / mean };
        if !t.measured.is_finite() || t.measured <= 0.0 {
            t.measured = 0.0;
            t.findings.push(Finding::whole(
                What::FrameRate,
                "the timestamps do not rise; the film has no frame rate",
            ));
            return t;
        }
        t.measured = (t.measured * 1000.0).round() / 1000.0;
        match nearest_step(t.measured, plan.fps) {
            Some(step) => {
                t.step = step;
                t.rate = film / step as f64;
            }
            None => t.findings.push(Finding::whole(
                What::FrameRate,
                format!(
                    "the film runs at {} frames a second, and the manifest says {}",
                    t.measured, film
                ),
            )),
        }
        if t.uneven {
            let odd_ones: Vec<usize> = times
                .windows(2)
                .enumerate()
                .filter(|(_, w)| odd(w[1] - w[0]))
                .map(|(j, _)| j)
                .collect();
            let first = odd_ones.first().copied().unwrap_or(0);
            let gap = times[first + 1] - times[first];
            t.findings.push(Finding {
                frame: Some(first as u64 * t.step),
                time: Some(format!("{:.3}", times[first] - times[0])),
                ..Finding::whole(
                    What::FrameRate,
                    format!(
                        "the frame rate is variable: picture {first} lasts {:.1} ms instead of {:.1} ms{}",
                        gap * 1000.0,
                        usual * 1000.0,
                        if odd_ones.len() > 1 { format!(", and {} more are uneven", odd_ones.len() - 1) } else { String::new() }
                    ),
                )
            });
        }
        if let Some(stated) = info.stated_frames
            && stated != counted
            && stated != 0
        {
            t.notes.push(format!(
                "the container states {stated} frames; {counted} were counted by decoding"
            ));
        }
        t
    }
}
