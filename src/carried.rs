//! What a film carries inside itself: its trace and its manifest, in one metadata tag.
//!
//! The tag is `synopsis`, since its name is one that MP4, QuickTime and Matroska all know: a plain
//! copy from one to another keeps it (tags of invented names are dropped). Its value is
//! `proofreel-carried-1`, the trace and the manifest, separated by spaces; each of the two is
//! compressed (zlib, RFC 1950) and written in Base64 (RFC 4648, no line breaks).

use std::io::{Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// The metadata tag.
pub const TAG: &str = "synopsis";
/// The first word of its value.
const MARK: &str = "proofreel-carried-1";
/// A carried file larger than this is not unpacked: a small film could else fill the memory.
const LIMIT: u64 = 512 << 20;

/// What a film carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// The bytes of the trace file.
    pub trace: Vec<u8>,
    /// The bytes of the manifest file.
    pub manifest: Vec<u8>,
}

/// Why what a film carries cannot be read: the rest of a sentence that begins with its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CarriedError {
    /// The tag is there and its contents are damaged.
    #[error("carries a damaged {part} inside ({what}); give the file with --{part}")]
    Damaged {
        /// "trace" or "manifest".
        part: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// The tag was written by a later version of this program.
    #[error(
        "carries its trace in a form that this version does not know ({mark}); take a newer version"
    )]
    Version {
        /// The form's name.
        mark: String,
    },
}

/// Packs a trace and a manifest into a tag: its key and its value. The same bytes give the same
/// value everywhere.
pub fn pack(trace: &[u8], manifest: &[u8]) -> (String, String) {
    let value = format!("{MARK} {} {}", pack_one(trace), pack_one(manifest));
    (TAG.to_string(), value)
}

fn pack_one(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let packed: Vec<u8> = encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .unwrap_or_default();
    STANDARD.encode(packed)
}

/// Finds and unpacks what a film carries among its tags (keys in any case); `None` where it
/// carries nothing.
///
/// # Errors
/// If it carries something damaged or from a later version.
pub fn unpack(tags: &[(String, String)]) -> Result<Option<Carried>, CarriedError> {
    let carried = tags
        .iter()
        .filter(|(key, _)| key.eq_ignore_ascii_case(TAG))
        .map(|(_, value)| value.trim())
        .find(|value| value.starts_with("proofreel-carried-"));
    let Some(value) = carried else {
        return Ok(None);
    };
    let mut words = value.split_ascii_whitespace();
    let mark = words.next().unwrap_or_default();
    if mark != MARK {
        return Err(CarriedError::Version {
            mark: mark.chars().take(40).collect(),
        });
    }
    let trace = unpack_one("trace", words.next())?;
    let manifest = unpack_one("manifest", words.next())?;
    if words.next().is_some() {
        return Err(CarriedError::Damaged {
            part: "manifest",
            what: "something follows it".to_string(),
        });
    }
    Ok(Some(Carried { trace, manifest }))
}

fn unpack_one(part: &'static str, word: Option<&str>) -> Result<Vec<u8>, CarriedError> {
    let damaged = |what: String| CarriedError::Damaged { part, what };
    let word = word.ok_or_else(|| damaged("it is missing".to_string()))?;
    let packed = STANDARD.decode(word).map_err(|e| damaged(e.to_string()))?;
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed.as_slice())
        .take(LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| damaged(e.to_string()))?;
    if bytes.len() as u64 > LIMIT {
        return Err(damaged(format!("it is larger than {LIMIT} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Carried, CarriedError, TAG, pack, unpack};

    fn tag(value: &str) -> Vec<(String, String)> {
        vec![
            ("title".into(), "x".into()),
            ("SYNOPSIS".into(), value.into()),
        ]
    }

    #[test]
    fn what_is_packed_comes_back() {
        let trace: Vec<u8> = (0..100_000u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        let (key, value) = pack(&trace, b"{}");
        assert_eq!(key, TAG);
        assert!(value.is_ascii());
        let carried = unpack(&tag(&value)).unwrap().unwrap();
        assert_eq!(
            carried,
            Carried {
                trace,
                manifest: b"{}".to_vec()
            }
        );
        assert_eq!(pack(b"a", b"b"), pack(b"a", b"b"));
    }

    #[test]
    fn another_synopsis_is_nothing_carried() {
        assert_eq!(unpack(&tag("A film about graphs")), Ok(None));
        assert_eq!(unpack(&[]), Ok(None));
    }

    #[test]
    fn damage_is_named() {
        let (_, value) = pack(b"the trace", b"the manifest");
        let cut = &value[..value.len() - 6];
        assert!(matches!(
            unpack(&tag(cut)),
            Err(CarriedError::Damaged {
                part: "manifest",
                ..
            })
        ));
        let mut words: Vec<&str> = value.split(' ').collect();
        words[1] = "AAAA";
        assert!(matches!(
            unpack(&tag(&words.join(" "))),
            Err(CarriedError::Damaged { part: "trace", .. })
        ));
        assert!(matches!(
            unpack(&tag("proofreel-carried-9 x")),
            Err(CarriedError::Version { .. })
        ));
        for cut in 0..value.len() {
            // Never a panic, never a success.
            assert_ne!(
                unpack(&tag(&value[..cut]))
                    .ok()
                    .flatten()
                    .map(|c| c.manifest),
                Some(b"the manifest".to_vec()),
                "cut at {cut}"
            );
        }
    }
}
