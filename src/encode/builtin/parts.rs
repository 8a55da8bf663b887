//! Reading back what this encoder wrote, for films that were made in parts.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use mp4_atom::{Codec, Decode, Moov, StszSamples};

use super::super::boxes::read_index;
use super::super::segment::CodedSegment;
use crate::encode::EncodeError;

/// Hands the segments of a file to `take`, in order: each begins at a keyframe.
///
/// # Errors
/// If the file cannot be read or is none that this encoder wrote, and those of `take`.
pub fn read_segments(
    path: &Path,
    mut take: impl FnMut(CodedSegment) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let fail = |what: &str| EncodeError(format!("{}: {what}; make it again", path.display()));
    let unreadable = |e: std::io::Error| fail(&format!("cannot be read to its end ({e})"));
    let (body, _) = read_index(path)
        .map_err(unreadable)?
        .ok_or_else(|| fail("it is no whole MP4 file"))?;
    let mut index = Vec::with_capacity(body.len() + 8);
    index.extend_from_slice(&(body.len() as u32 + 8).to_be_bytes());
    index.extend_from_slice(b"moov");
    index.extend_from_slice(&body);
    let movie = Moov::decode(&mut index.as_slice()).map_err(|_| fail("its index is damaged"))?;

    let foreign = || fail("it is no part that the built-in encoder wrote");
    let [track] = movie.trak.as_slice() else {
        return Err(foreign());
    };
    let table = &track.mdia.minf.stbl;
    let ([Codec::Avc1(entry)], StszSamples::Different { sizes }, Some(keys)) = (
        table.stsd.codecs.as_slice(),
        &table.stsz.samples,
        &table.stss,
    ) else {
        return Err(foreign());
    };
    let config = &entry.avcc;
    let ([sps], [pps]) = (
        config.sequence_parameter_sets.as_slice(),
        config.picture_parameter_sets.as_slice(),
    ) else {
        return Err(foreign());
    };
    // The pictures lie one after the other, from the first chunk on.
    let start = match (&table.stco, &table.co64) {
        (Some(stco), _) => stco.entries.first().map(|&o| u64::from(o)),
        (_, Some(co64)) => co64.entries.first().copied(),
        _ => None,
    }
    .ok_or_else(foreign)?;

    let mut file = File::open(path).map_err(unreadable)?;
    file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
    let cuts = keys
        .entries
        .iter()
        .map(|&k| k as usize - usize::from(k > 0));
    let ends = cuts.clone().skip(1).chain([sizes.len()]);
    for (from, to) in cuts.zip(ends) {
        let sizes = sizes.get(from..to).ok_or_else(foreign)?.to_vec();
        let bytes = sizes.iter().map(|&s| u64::from(s)).sum::<u64>();
        let mut media = Vec::new();
        (&mut file)
            .take(bytes)
            .read_to_end(&mut media)
            .map_err(unreadable)?;
        if media.len() as u64 != bytes {
            return Err(fail("it is cut off"));
        }
        take(CodedSegment {
            media,
            sizes,
            sps: sps.clone(),
            pps: pps.clone(),
        })?;
    }
    Ok(())
}
