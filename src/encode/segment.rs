//! A film in segments that can be encoded side by side, on one machine or on several.

use std::ops::Range;

use super::{EncodeError, VideoSpec};
use crate::picture::Yuv420;

/// Segments longer than this many frames are cut in parts of nearly equal length: two seconds at
/// 60 frames a second, as streaming services space keyframes.
const SPACING: u64 = 120;

/// What was made of a segment: H.264 pictures, and what a decoder must know before the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodedSegment {
    /// Pictures with 4-byte lengths before their units, one after the other.
    pub media: Vec<u8>,
    /// Bytes of each picture.
    pub sizes: Vec<u32>,
    /// The sequence parameter set.
    pub sps: Vec<u8>,
    /// The picture parameter set.
    pub pps: Vec<u8>,
}

/// The encoder of one segment, which begins with a keyframe.
pub trait SegmentEncoder: Send {
    /// Takes the segment's next picture. `new` is false where it is the one before, unchanged.
    ///
    /// # Errors
    /// If the encoder has failed, or the picture has another size.
    fn write(&mut self, picture: &Yuv420, new: bool) -> Result<(), EncodeError>;

    /// Ends the segment.
    ///
    /// # Errors
    /// If fewer pictures came than the segment has.
    fn finish(self: Box<Self>) -> Result<CodedSegment, EncodeError>;
}

/// An encoder that can make segments in any order, several at a time.
pub trait Segmented: Send + Sync {
    /// The segments in order: frame numbers, without gap or overlap.
    fn ranges(&self) -> &[Range<u64>];

    /// Starts on one of them.
    ///
    /// # Errors
    /// If the encoder cannot be opened.
    fn encoder(&self, segment: usize) -> Result<Box<dyn SegmentEncoder>, EncodeError>;
}

impl VideoSpec {
    /// The film in segments: cut at the frames that must be keyframes, and long ones again at a
    /// fixed spacing. The cuts depend on the film alone, not on who encodes it with how many
    /// threads.
    pub fn segments(&self) -> Vec<Range<u64>> {
        let mut marks: Vec<u64> = vec![0];
        // Two keyframes in a row would look like one picture to a decoder.
        for &k in &self.keyframes {
            if k >= marks[marks.len() - 1] + 2 && self.frames - k >= 2 {
                marks.push(k);
            }
        }
        let mut ranges = Vec::new();
        for (i, &mark) in marks.iter().enumerate() {
            let end = marks.get(i + 1).copied().unwrap_or(self.frames);
            let parts = (end - mark).div_ceil(SPACING).max(1);
            let cut = |p: u64| mark + (end - mark) * p / parts;
            ranges.extend((0..parts).map(|p| cut(p)..cut(p + 1)));
        }
        ranges
    }

    /// The `index`-th of `of` parts of the film (from 0), each some whole segments long and all
    /// nearly equal: which frames, and the specification of a film of them alone.
    ///
    /// # Errors
    /// If the film has fewer segments than there are to be parts.
    pub fn part(&self, index: usize, of: usize) -> Result<(Range<u64>, VideoSpec), EncodeError> {
        let segments = self.segments();
        if of == 0 || index >= of || of > segments.len() {
            return Err(EncodeError(format!(
                "part {} of {of} cannot be made: this film has {} segments, so take at most as \
                 many parts",
                index + 1,
                segments.len()
            )));
        }
        // Each border is the segment that begins nearest to its share of the film, with room left
        // for the parts before and after.
        let border = |p: usize| -> usize {
            let ideal = self.frames * p as u64 / of as u64;
            let nearest = (0..=segments.len())
                .min_by_key(|&s| {
                    segments
                        .get(s)
                        .map_or(self.frames, |r| r.start)
                        .abs_diff(ideal)
                })
                .unwrap_or(0);
            nearest.clamp(p, segments.len() - (of - p))
        };
        let mut borders: Vec<usize> = (0..=of).map(border).collect();
        for p in 1..=of {
            borders[p] = borders[p].max(borders[p - 1] + 1);
        }
        let mine = &segments[borders[index]..borders[index + 1]];
        let (first, end) = (mine[0].start, mine[mine.len() - 1].end);
        let spec = VideoSpec {
            frames: end - first,
            keyframes: mine.iter().map(|r| r.start - first).collect(),
            ..self.clone()
        };
        Ok((first..end, spec))
    }
}

#[cfg(test)]
mod tests {
    use super::{SPACING, VideoSpec};

    fn demo() -> VideoSpec {
        VideoSpec {
            width: 640,
            height: 360,
            fps: 60,
            frames: 960,
            keyframes: vec![0, 90, 600, 630, 631, 810, 870, 959],
        }
    }

    #[test]
    fn cuts_stand_at_keyframes_and_are_never_far_apart() {
        let segments = demo().segments();
        for k in [0, 90, 600, 630, 810, 870] {
            assert!(segments.iter().any(|r| r.start == k), "{k}: {segments:?}");
        }
        let mut at = 0;
        for r in &segments {
            assert_eq!(r.start, at);
            at = r.end;
            assert!((2..=SPACING).contains(&(r.end - r.start)), "{r:?}");
        }
        assert_eq!(at, 960);
    }

    #[test]
    fn parts_cover_the_film_and_keep_its_cuts() {
        let film = demo();
        let whole = film.segments();
        for of in 1..=whole.len() {
            let mut cuts = Vec::new();
            let mut at = 0;
            for index in 0..of {
                let (range, spec) = film.part(index, of).unwrap();
                assert_eq!(range.start, at, "part {index} of {of}");
                at = range.end;
                assert_eq!(spec.frames, range.end - range.start);
                cuts.extend(
                    spec.segments()
                        .iter()
                        .map(|r| (r.start + range.start)..(r.end + range.start)),
                );
            }
            assert_eq!(at, film.frames);
            assert_eq!(cuts, whole, "{of} parts");
        }
        assert!(film.part(0, whole.len() + 1).is_err());
    }
}
