//! From a film's pictures to an encoder: one after the other, or segment by segment side by side
//! where the encoder can do that.

use std::ops::Range;

use anyhow::bail;

use super::interrupt;
use super::progress::Progress;
use crate::encode::FrameSink;
use crate::film::Film;
use crate::film::render::{self, Digests, Take};
use crate::picture::Yuv420;

/// Draws the frames `range` of `film` into `sink`.
///
/// # Errors
/// The encoder's, or that the user asked to stop.
pub fn draw(
    film: &Film,
    range: Range<u64>,
    sink: &mut dyn FrameSink,
    progress: Progress,
) -> anyhow::Result<Digests> {
    #[cfg(feature = "parallel")]
    if let Some(segments) = sink.segments() {
        return apart::draw(film, range, sink, &*segments, progress);
    }
    let mut taker = Taker {
        sink,
        digests: Digests::default(),
        progress,
        done: 0,
    };
    let drawn = render::render(film, range, &mut taker);
    let Taker {
        digests, progress, ..
    } = taker;
    progress.end();
    drawn.map(|()| digests)
}

/// Hands pictures to the encoder, hashes them, moves the bar, listens for Ctrl-C.
struct Taker<'a> {
    sink: &'a mut dyn FrameSink,
    digests: Digests,
    progress: Progress,
    done: u64,
}

impl Take for Taker<'_> {
    type Error = anyhow::Error;

    fn take(&mut self, _: u64, picture: &Yuv420, new: bool) -> anyhow::Result<()> {
        heed_interrupt()?;
        if new {
            self.sink.write(picture)?;
        } else {
            self.sink.repeat(picture)?;
        }
        self.digests.add(picture, new);
        self.done += 1;
        self.progress.at(self.done);
        Ok(())
    }
}

fn heed_interrupt() -> anyhow::Result<()> {
    if interrupt::requested() {
        bail!("stopped");
    }
    Ok(())
}

#[cfg(feature = "parallel")]
mod apart {
    use std::ops::Range;
    use std::sync::{Mutex, PoisonError};

    use super::{Digests, Film, FrameSink, Progress, Take, Yuv420, heed_interrupt, render};
    use crate::encode::{SegmentEncoder, Segmented};
    use crate::film::render::TakeApart;

    /// Every segment on a thread of its own.
    struct Apart<'a> {
        segments: &'a dyn Segmented,
        progress: Mutex<(u64, Progress)>,
    }

    /// One segment on its way.
    struct Stretch<'a> {
        encoder: Box<dyn SegmentEncoder>,
        digests: Digests,
        progress: &'a Mutex<(u64, Progress)>,
    }

    impl<'a> TakeApart for &'a Apart<'_> {
        type Error = anyhow::Error;
        type Stretch = Stretch<'a>;

        fn begin(&self, index: usize) -> anyhow::Result<Stretch<'a>> {
            Ok(Stretch {
                encoder: self.segments.encoder(index)?,
                digests: Digests::default(),
                progress: &self.progress,
            })
        }
    }

    impl Take for Stretch<'_> {
        type Error = anyhow::Error;

        fn take(&mut self, _: u64, picture: &Yuv420, new: bool) -> anyhow::Result<()> {
            heed_interrupt()?;
            self.encoder.write(picture, new)?;
            self.digests.add(picture, new);
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.0 += 1;
            let done = progress.0;
            progress.1.at(done);
            Ok(())
        }
    }

    pub fn draw(
        film: &Film,
        range: Range<u64>,
        sink: &mut dyn FrameSink,
        segments: &dyn Segmented,
        progress: Progress,
    ) -> anyhow::Result<Digests> {
        let ranges: Vec<Range<u64>> = segments
            .ranges()
            .iter()
            .map(|r| r.start + range.start..r.end + range.start)
            .collect();
        let apart = Apart {
            segments,
            progress: Mutex::new((0, progress)),
        };
        let mut digests = Digests::default();
        let threads = rayon::current_num_threads();
        let drawn = render::render_apart(film, &ranges, threads, &&apart, |stretch| {
            digests.append(&stretch.digests);
            Ok(sink.join(stretch.encoder.finish()?)?)
        });
        let (_, progress) = apart
            .progress
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        progress.end();
        drawn.map(|()| digests)
    }
}
