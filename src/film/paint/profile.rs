//! How strongly a thin line covers the pixels of one column (or row) that it crosses.
//!
//! A line of slope m, at most 45 degrees from the axis along which one steps, covers in each
//! column a run of pixels. The share of a pixel's area inside an endless strip is exact: seen
//! along the column, a pixel is the trapezoid that a box of height 1 makes when smeared by m, and
//! its share of the strip is a difference of that trapezoid's integral. Shares are tabulated by
//! slope and by the line's place within a pixel.

/// Slopes from 0 to 1 in steps of 1 / 32.
const SLOPES: usize = 33;
/// Places within a pixel.
const PHASES: usize = 64;

/// The table for one stroke width.
#[derive(Debug)]
pub(super) struct Profile {
    width: f32,
    /// Pixels in a run: 8 or 16.
    pub taps: usize,
    /// Half the run that the steepest line needs, rounded up: the farthest pixel covered.
    pub reach: i32,
    coverage: Vec<u16>,
}

impl Profile {
    /// For a stroke width in pixels, clamped to 0.1 to 8.
    pub fn new(width: f32) -> Self {
        let width = clamp_width(width);
        let half = f64::from(width) / 2.0;
        let farthest = half * 2f64.sqrt() + 1.0;
        let reach = farthest.ceil() as i32;
        // A run begins `taps / 2 - 1` pixels before the pixel that the line's middle is in.
        let taps = if reach <= 3 { 8 } else { 16 };
        let before = taps as i32 / 2 - 1;
        let mut coverage = Vec::with_capacity(SLOPES * PHASES * taps);
        for slope in 0..SLOPES {
            let m = slope as f64 / (SLOPES - 1) as f64;
            let half = half * (1.0 + m * m).sqrt();
            for phase in 0..PHASES {
                let middle = (phase as f64 + 0.5) / PHASES as f64;
                for tap in 0..taps as i32 {
                    let offset = f64::from(tap - before) + 0.5 - middle;
                    let share = below(offset + half, m) - below(offset - half, m);
                    coverage.push((share.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16);
                }
            }
        }
        Profile {
            width,
            taps,
            reach,
            coverage,
        }
    }

    /// Whether this is the table for a width.
    pub fn is_for(&self, width: f32) -> bool {
        self.width == clamp_width(width)
    }

    /// The row of the table for a slope, whatever its sign.
    pub fn slope(&self, m: f64) -> u8 {
        (m.abs().min(1.0) * (SLOPES - 1) as f64 + 0.5) as u8
    }

    /// The runs of one slope, one after the other by phase.
    #[inline(always)]
    pub fn runs<const TAPS: usize>(&self, slope: u8) -> &[[u16; TAPS]; PHASES] {
        let len = PHASES * TAPS;
        let start = usize::from(slope) * len;
        let (runs, _) = self.coverage[start..start + len].as_chunks::<TAPS>();
        runs.try_into().expect("one run for each phase")
    }
}

/// The phase of a place in 1 / 65536 pixels.
#[inline(always)]
pub(super) fn phase(place: i32) -> usize {
    ((place >> 10) & (PHASES as i32 - 1)) as usize
}

fn clamp_width(width: f32) -> f32 {
    if width.is_nan() {
        0.1
    } else {
        width.clamp(0.1, 8.0)
    }
}

/// The share of a pixel, smeared by slope m around 0, that lies below `u`.
fn below(u: f64, m: f64) -> f64 {
    let (inner, outer) = ((1.0 - m) / 2.0, (1.0 + m) / 2.0);
    if u <= -outer {
        0.0
    } else if u < -inner {
        (u + outer) * (u + outer) / (2.0 * m)
    } else if u <= inner {
        0.5 + u
    } else if u < outer {
        1.0 - (outer - u) * (outer - u) / (2.0 * m)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_covers_as_much_as_the_line_is_thick() {
        for width in [0.5f32, 1.5, 2.5, 8.0] {
            let profile = Profile::new(width);
            for slope in [0u8, 7, 32] {
                let m = f64::from(slope) / 32.0;
                let thick = f64::from(width) * (1.0 + m * m).sqrt();
                let sums: Vec<f64> = match profile.taps {
                    8 => profile.runs::<8>(slope).iter().map(|r| sum(r)).collect(),
                    _ => profile.runs::<16>(slope).iter().map(|r| sum(r)).collect(),
                };
                for s in sums {
                    assert!((s - thick).abs() < 0.001, "{width} at {m}: {s} not {thick}");
                }
            }
        }
    }

    fn sum(run: &[u16]) -> f64 {
        run.iter().map(|v| f64::from(*v) / 65535.0).sum()
    }
}
