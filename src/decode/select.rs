//! Which decoder: what was asked for, or the best one that this machine has.

use std::path::Path;

use super::{DecodeError, FrameSource};
use crate::encode::{Choice, Chosen, Coder};

/// Decides on a decoder by looking at what is there.
///
/// # Errors
/// If the one asked for is not there, or there is none at all; the sentence says how to get one.
pub fn choose(choice: Choice) -> Result<Chosen, DecodeError> {
    let ffmpeg = |version: String, reason: &str| Chosen {
        coder: Coder::Ffmpeg,
        why: format!("decoder: ffmpeg {version}, {reason}"),
        version,
    };
    match choice {
        Choice::Ffmpeg => usable_ffmpeg()
            .map(|version| ffmpeg(version, "as asked"))
            .map_err(|why| {
                DecodeError(match BUILTIN {
                    true => format!(
                        "{why}; or choose the decoder that is built in with --decoder builtin"
                    ),
                    false => why,
                })
            }),
        Choice::Builtin if BUILTIN => Ok(builtin("as asked")),
        Choice::Builtin => Err(DecodeError(
            "this program was built without the built-in decoder; build it with the feature \
             \"builtin\", or choose --decoder ffmpeg"
                .to_string(),
        )),
        Choice::Auto => match usable_ffmpeg() {
            Ok(version) => Ok(ffmpeg(version, "found on PATH")),
            Err(why) if BUILTIN => Ok(builtin(&format!("since {why}"))),
            Err(why) => Err(DecodeError(why)),
        },
    }
}

/// Opens a film with the decoder that `choice` leads to. With `start`, pictures before that many
/// seconds (less half a frame) are left out.
///
/// # Errors
/// As [`choose`], or if the file is no film that this decoder reads.
pub fn auto(
    choice: Choice,
    path: &Path,
    start: Option<f64>,
) -> Result<(Box<dyn FrameSource + Send>, Chosen), DecodeError> {
    // A file that is no film is called that, whatever decoders there are.
    super::sniff(path)?;
    let chosen = choose(choice)?;
    let source: Box<dyn FrameSource + Send> = match chosen.coder {
        #[cfg(feature = "ffmpeg")]
        Coder::Ffmpeg => Box::new(super::ffmpeg::FfmpegSource::open(path, start)?),
        #[cfg(feature = "builtin")]
        Coder::Builtin => Box::new(super::builtin::BuiltinSource::open(path, start)?),
        // `choose` does not lead here.
        #[cfg(not(all(feature = "ffmpeg", feature = "builtin")))]
        _ => {
            let _ = start;
            return Err(DecodeError("this decoder was not built in".to_string()));
        }
    };
    Ok((source, chosen))
}

/// Whether the built-in decoder is part of this program.
const BUILTIN: bool = cfg!(feature = "builtin");

fn builtin(reason: &str) -> Chosen {
    Chosen {
        coder: Coder::Builtin,
        why: format!("decoder: built in (OpenH264), {reason}"),
        version: builtin_version(),
    }
}

/// The version of an ffmpeg that can read a film, or why there is none and what to do.
#[cfg(feature = "ffmpeg")]
fn usable_ffmpeg() -> Result<String, String> {
    use crate::process::{Ffmpeg, INSTALL_FFMPEG};
    match Ffmpeg::probe() {
        Ok(found) if found.ffprobe => Ok(found.version),
        Ok(found) => Err(format!(
            "ffprobe, which belongs to ffmpeg {}, was not found on PATH or does not run; \
             {INSTALL_FFMPEG}",
            found.version
        )),
        Err(error) => Err(format!("{error}; {INSTALL_FFMPEG}")),
    }
}

#[cfg(not(feature = "ffmpeg"))]
fn usable_ffmpeg() -> Result<String, String> {
    Err("this program was built without the feature \"ffmpeg\"".to_string())
}

fn builtin_version() -> String {
    #[cfg(feature = "builtin")]
    {
        crate::encode::builtin::version()
    }
    #[cfg(not(feature = "builtin"))]
    {
        String::new()
    }
}
