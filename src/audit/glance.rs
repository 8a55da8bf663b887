//! One picture of a film, held against what several manifests say of it: which of them may be the
//! film's.

use crate::decode::{DecodeError, FrameSource, StreamInfo};
use crate::manifest::Manifest;
use crate::trace::Trace;

use super::color::Encoding;
use super::judge::Judge;
use super::plan::Plan;
use super::sample::View;
use super::{AuditError, claims, geometry};

/// One decoded picture.
pub struct Glance {
    data: Vec<u8>,
    time: f64,
    info: StreamInfo,
}

impl Glance {
    /// The picture on the screen at `seconds`.
    ///
    /// # Errors
    /// If the film cannot be decoded that far.
    pub fn at(source: &mut dyn FrameSource, seconds: f64) -> Result<Self, DecodeError> {
        let info = source.info().clone();
        let half = 0.5 * f64::from(info.frame_rate.1) / f64::from(info.frame_rate.0.max(1));
        while let Some(picture) = source.next_picture()? {
            if picture.time + half >= seconds {
                return Ok(Glance {
                    data: picture.data.to_vec(),
                    time: picture.time,
                    info,
                });
            }
        }
        Err(DecodeError(format!(
            "the film ends before {seconds:.1} s; audit a film that is whole"
        )))
    }

    /// Places at rest that do not show what `m` and the trace say, and places at rest.
    ///
    /// # Errors
    /// If the manifest or the trace cannot be used, or the picture has another shape.
    pub fn misses(&self, m: &Manifest, trace: &Trace) -> Result<(u32, u32), AuditError> {
        claims::usable(m, trace)?;
        let scale = geometry::scale(&self.info, m)?;
        let plan = Plan::new(m, trace)?;
        let mut judge = Judge::new(&plan, m, scale, Encoding::from_tags(&self.info));
        let (w, h, layout) = (self.info.width, self.info.height, self.info.layout);
        let view = View::new(&self.data, w, h, layout).ok_or_else(|| {
            DecodeError("a picture is shorter than its size says; use another decoder".into())
        })?;
        let frame = (self.time / plan.seconds(1)).round().max(0.0) as u64;
        judge.picture(&view, frame.min(plan.frames - 1), false);
        Ok(judge.settled_now)
    }
}
