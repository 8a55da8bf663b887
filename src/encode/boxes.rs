//! What an MP4 file's own boxes say (ISO/IEC 14496-12), read after the last step of encoding: the
//! check that nothing was lost on the way to the finished file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::{EncodeError, VideoSpec};

/// An index larger than this is not read.
const INDEX_LIMIT: u64 = 256 << 20;

/// The headers of a film file that must be right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilmHeaders {
    /// Whether the index (`moov`) stands before the pictures (`mdat`).
    pub index_first: bool,
    /// Pixels, from the sample description.
    pub size: (u16, u16),
    /// Number of samples of the video track.
    pub samples: u64,
    /// Duration of the video track's media and its timescale.
    pub media: (u64, u32),
    /// Duration of the whole presentation and its timescale.
    pub movie: (u64, u32),
    /// The `colr` box of type nclx: primaries, transfer, matrix (1, 1, 1 is BT.709), full range.
    pub color: Option<(u16, u16, u16, bool)>,
    /// AVC profile from `avcC`; 100 is High.
    pub profile: Option<u8>,
    /// Whether every sample has the same duration.
    pub constant_rate: bool,
}

/// Reads the headers of the first video track of an MP4 file.
///
/// # Errors
/// If the file cannot be read, or is no whole MP4 file.
pub fn read_headers(path: &Path) -> Result<FilmHeaders, EncodeError> {
    let fail = |what: String| EncodeError(format!("{}: {what}", path.display()));
    let (index, index_first) = read_index(path)
        .map_err(|e| fail(format!("cannot be read: {e}")))?
        .ok_or_else(|| fail("it has no index (moov), or no pictures (mdat)".to_string()))?;
    let mut headers =
        parse_index(&index).ok_or_else(|| fail("its index is damaged".to_string()))?;
    headers.index_first = index_first;
    Ok(headers)
}

impl FilmHeaders {
    /// What is wrong with a film of `spec`; nothing where it is empty.
    pub fn faults(&self, spec: &VideoSpec) -> Vec<String> {
        let mut faults = Vec::new();
        let mut expect = |right: bool, what: &str| {
            if !right {
                faults.push(what.to_string());
            }
        };
        let exact = |(duration, scale): (u64, u32)| {
            scale > 0
                && u128::from(duration) * u128::from(spec.fps)
                    == u128::from(spec.frames) * u128::from(scale)
        };
        expect(self.index_first, "the index stands after the pictures");
        expect(
            (u32::from(self.size.0), u32::from(self.size.1)) == (spec.width, spec.height),
            "another picture size",
        );
        expect(self.samples == spec.frames, "another number of frames");
        expect(exact(self.media), "another duration in the track");
        expect(exact(self.movie), "another duration in the movie header");
        expect(self.constant_rate, "frames of different duration");
        expect(
            self.color == Some((1, 1, 1, false)),
            "colour tags other than BT.709, limited range",
        );
        faults
    }
}

/// The `moov` box's contents, and whether it stands before `mdat`; `None` where one of the two is
/// missing.
pub(super) fn read_index(path: &Path) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut file = File::open(path)?;
    let end = file.metadata()?.len();
    let (mut index, mut media) = (None, None);
    let mut at = 0;
    while end.saturating_sub(at) >= 8 {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0u8; 16];
        file.read_exact(&mut head[..8])?;
        let short = u64::from(be32(&head, 0).unwrap_or(0));
        let (size, header) = match short {
            0 => (end - at, 8),
            1 if end - at >= 16 => {
                file.read_exact(&mut head[8..])?;
                let high = u64::from(be32(&head, 8).unwrap_or(0));
                (high << 32 | u64::from(be32(&head, 12).unwrap_or(0)), 16)
            }
            n => (n, 8),
        };
        if size < header || size > end - at {
            return Ok(None);
        }
        match &head[4..8] {
            b"moov" if size <= INDEX_LIMIT => {
                let mut bytes = vec![0; (size - header) as usize];
                file.read_exact(&mut bytes)?;
                index = Some((bytes, at));
            }
            b"mdat" => {
                media.get_or_insert(at);
            }
            _ => {}
        }
        at += size;
    }
    Ok(match (index, media) {
        (Some((bytes, index_at)), Some(media_at)) => Some((bytes, index_at < media_at)),
        _ => None,
    })
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    let b = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes([b[0], b[1]]))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    let b = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
}

fn be64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(be32(bytes, at)?) << 32 | u64::from(be32(bytes, at.checked_add(4)?)?))
}

/// The boxes that lie one after the other in `bytes`.
fn children(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let size = be32(rest, 0)? as usize;
        let kind = rest.get(4..8)?;
        let body = rest.get(8..size)?;
        rest = rest.get(size..)?;
        Some((kind, body))
    })
}

/// The contents of the first box of each name in turn, each inside the one before.
fn inside<'a>(bytes: &'a [u8], names: &[&[u8; 4]]) -> Option<&'a [u8]> {
    names.iter().try_fold(bytes, |bytes, name| {
        children(bytes)
            .find(|(kind, _)| kind == name)
            .map(|(_, body)| body)
    })
}

/// Duration and timescale of an `mvhd` or `mdhd` box.
fn duration(header: &[u8]) -> Option<(u64, u32)> {
    match header.first()? {
        0 => Some((u64::from(be32(header, 16)?), be32(header, 12)?)),
        1 => Some((be64(header, 24)?, be32(header, 20)?)),
        _ => None,
    }
}

fn parse_index(index: &[u8]) -> Option<FilmHeaders> {
    let track = children(index)
        .filter(|(kind, _)| *kind == b"trak")
        .map(|(_, body)| body)
        .find(|body| {
            inside(body, &[b"mdia", b"hdlr"]).and_then(|h| h.get(8..12)) == Some(b"vide")
        })?;
    let table = inside(track, &[b"mdia", b"minf", b"stbl"])?;
    let entry = children(inside(table, &[b"stsd"])?.get(8..)?).next()?.1;
    // A visual sample entry: 78 bytes, then boxes of its own.
    let details = entry.get(78..)?;
    let color = inside(details, &[b"colr"]).and_then(|c| {
        (c.get(..4)? == b"nclx").then_some(())?;
        Some((
            be16(c, 4)?,
            be16(c, 6)?,
            be16(c, 8)?,
            c.get(10)? & 0x80 != 0,
        ))
    });
    let times = inside(table, &[b"stts"])?;
    Some(FilmHeaders {
        index_first: false,
        size: (be16(entry, 24)?, be16(entry, 26)?),
        samples: u64::from(be32(inside(table, &[b"stsz"])?, 8)?),
        media: duration(inside(track, &[b"mdia", b"mdhd"])?)?,
        movie: duration(inside(index, &[b"mvhd"])?)?,
        color,
        profile: inside(details, &[b"avcC"]).and_then(|c| c.get(1).copied()),
        constant_rate: be32(times, 4)? == 1,
    })
}
