//! Which encoder: what was asked for, or the best one that this machine has.

use std::path::Path;

use super::{EncodeError, FrameSink, Settings, VideoSpec};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// ffmpeg where there is a usable one, else the built-in codec.
    Auto,
    /// The ffmpeg program.
    Ffmpeg,
    /// The codec inside this program.
    Builtin,
}

/// What is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coder {
    /// The ffmpeg program.
    Ffmpeg,
    /// The codec inside this program.
    Builtin,
}

/// The outcome of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// What is taken.
    pub coder: Coder,
    /// In one line, what it is and why: for the terminal.
    pub why: String,
    /// The version of what is taken.
    pub version: String,
}

/// Decides on an encoder by looking at what is there, before anything is drawn.
///
/// # Errors
/// If the one asked for is not there or cannot encode H.264, or if there is none at all; the
/// sentence says how to get one.
pub fn choose(choice: Choice) -> Result<Chosen, EncodeError> {
    match choice {
        Choice::Ffmpeg => usable_ffmpeg()
            .map(|version| Chosen {
                coder: Coder::Ffmpeg,
                why: format!("encoder: ffmpeg {version} (libx264), as asked"),
                version,
            })
            .map_err(|why| {
                EncodeError(match BUILTIN {
                    true => format!(
                        "{why}; or choose the encoder that is built in with --encoder builtin"
                    ),
                    false => why,
                })
            }),
        Choice::Builtin if BUILTIN => Ok(builtin("as asked")),
        Choice::Builtin => Err(EncodeError(
            "this program was built without the built-in encoder; build it with the feature \
             \"builtin\", or choose --encoder ffmpeg"
                .to_string(),
        )),
        Choice::Auto => match usable_ffmpeg() {
            Ok(version) => Ok(Chosen {
                coder: Coder::Ffmpeg,
                why: format!("encoder: ffmpeg {version} (libx264), found on PATH"),
                version,
            }),
            Err(why) if BUILTIN => Ok(builtin(&format!("since {why}"))),
            Err(why) => Err(EncodeError(why)),
        },
    }
}

/// Opens the encoder that `choice` leads to, with the line that says which it is and why.
///
/// # Errors
/// As [`choose`], or if the encoder cannot be started.
pub fn auto(
    choice: Choice,
    path: &Path,
    spec: &VideoSpec,
    settings: &Settings,
) -> Result<(Box<dyn FrameSink + Send>, Chosen), EncodeError> {
    let chosen = choose(choice)?;
    let sink: Box<dyn FrameSink + Send> = match chosen.coder {
        #[cfg(feature = "ffmpeg")]
        Coder::Ffmpeg => Box::new(super::ffmpeg::FfmpegSink::open(path, spec, settings)?),
        #[cfg(feature = "builtin")]
        Coder::Builtin => Box::new(super::builtin::BuiltinSink::open(path, spec, settings)?),
        // `choose` does not lead here.
        #[cfg(not(all(feature = "ffmpeg", feature = "builtin")))]
        _ => {
            let _ = (path, spec, settings);
            return Err(EncodeError("this encoder was not built in".to_string()));
        }
    };
    Ok((sink, chosen))
}

/// Whether the built-in encoder is part of this program.
const BUILTIN: bool = cfg!(feature = "builtin");

fn builtin(reason: &str) -> Chosen {
    Chosen {
        coder: Coder::Builtin,
        why: format!("encoder: built in (OpenH264), {reason}"),
        version: builtin_version(),
    }
}

/// The version of an ffmpeg that can make a film, or why there is none and what to do.
#[cfg(feature = "ffmpeg")]
fn usable_ffmpeg() -> Result<String, String> {
    use crate::process::{Ffmpeg, INSTALL_FFMPEG};
    match Ffmpeg::probe() {
        Ok(found) if found.libx264 => Ok(found.version),
        Ok(found) => Err(format!(
            "ffmpeg {} was built without libx264; {INSTALL_FFMPEG} with libx264",
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
        super::builtin::version()
    }
    #[cfg(not(feature = "builtin"))]
    {
        String::new()
    }
}
