//! The manifest of a film that came without one: what this version's layout would say of it.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use crate::audit::{AuditError, Glance};
use crate::decode;
use crate::encode::Choice;
use crate::film::paint::Font;
use crate::film::palette::Theme;
use crate::film::{Film, Lang, Look, Request, Style};
use crate::manifest::{ColorTags, Encoder, FilmFile, FramesDigest, Manifest, TraceFile, VERSION};
use crate::trace::Trace;

/// The size that films have unless another is asked for.
const DEFAULT_SIZE: (u32, u32) = (2560, 1440);
/// The longest search in seconds, unless another is asked for.
const SEARCH_SECONDS: f64 = 90.0;
/// Rates that a film can have.
const RATES: [u32; 5] = [24, 25, 30, 50, 60];

/// A manifest and the words for what it assumes.
pub struct Assumed {
    /// As if written with the film.
    pub manifest: Manifest,
    /// Such as "a dark film in reveal style, 2560x1440 at 60 frames/s".
    pub words: String,
}

/// The manifests that may be those of `film`, the likeliest first: style and theme by one picture,
/// size and rate as the stream has them and as they may have been before it was copied.
///
/// # Errors
/// If the film cannot be decoded, or no film of this trace is like it.
pub fn manifests(
    film: &Path,
    decoder: Choice,
    trace: &Trace,
    trace_sha256: &str,
) -> anyhow::Result<Vec<Assumed>> {
    let shown = film.display();
    let (mut source, _) = decode::auto(decoder, film, None)?;
    let info = source.info().clone();
    let stream = (info.width, info.height);
    let mut sizes = vec![stream];
    let wide = u64::from(stream.0) * u64::from(DEFAULT_SIZE.1);
    let high = u64::from(stream.1) * u64::from(DEFAULT_SIZE.0);
    // Of the same shape, up to the rounding of a scaled copy to even sizes.
    if stream != DEFAULT_SIZE && wide.abs_diff(high) <= 2 * u64::from(DEFAULT_SIZE.0) {
        sizes.push(DEFAULT_SIZE);
    }
    let rate = f64::from(info.frame_rate.0) / f64::from(info.frame_rate.1.max(1));
    let rates: Vec<u32> = RATES
        .into_iter()
        .filter(|r| {
            (f64::from(*r) - rate).abs() < 0.01 || (f64::from(*r) - 2.0 * rate).abs() < 0.01
        })
        .collect();
    if rates.is_empty() {
        bail!(
            "{shown} came without a manifest and runs at {rate:.3} frames/s, at which no film is \
             made; give the film's manifest with --manifest FILE"
        );
    }
    let font = Arc::new(Font::builtin());
    let assume = |size, fps, style, theme| -> anyhow::Result<Assumed> {
        let request = Request {
            size,
            fps,
            search_seconds: SEARCH_SECONDS,
            look: Look {
                style,
                theme,
                lang: Lang::En,
            },
        };
        let film = Film::new(trace, request, font.clone())?;
        Ok(Assumed {
            manifest: manifest(&film, trace, trace_sha256),
            words: format!(
                "a {} film in {} style, {}x{} at {fps} frames/s",
                theme.name(),
                style.name(),
                size.0,
                size.1
            ),
        })
    };
    let mut glance = None;
    let mut fewest = u32::MAX;
    let mut looks: Vec<(Style, Theme)> = Vec::new();
    let mut failed = None;
    // A stream may be smaller than any film: then only the size before it was scaled is left.
    for size in &sizes {
        for look in [
            (Style::Reveal, Theme::Dark),
            (Style::Tokens, Theme::Dark),
            (Style::Reveal, Theme::Light),
            (Style::Tokens, Theme::Light),
        ] {
            let assumed = match assume(*size, rates[0], look.0, look.1) {
                Ok(assumed) => assumed,
                Err(error) => {
                    failed.get_or_insert(error);
                    break;
                }
            };
            if glance.is_none() {
                glance = Some(Glance::at(source.as_mut(), intro(&assumed.manifest))?);
            }
            let Some(glance) = &glance else { continue };
            match glance.misses(&assumed.manifest, trace) {
                Ok((wrong, _)) if wrong <= fewest => {
                    if wrong < fewest {
                        looks.clear();
                    }
                    fewest = wrong;
                    looks.push(look);
                }
                Ok(_) => {}
                Err(AuditError::Refused(why)) => bail!("{shown} is refused: {why}"),
                Err(other) => return Err(other.into()),
            }
        }
        if !looks.is_empty() {
            break;
        }
    }
    let mut all = Vec::new();
    for size in &sizes {
        for fps in &rates {
            for (style, theme) in &looks {
                all.extend(assume(*size, *fps, *style, *theme).ok());
            }
        }
    }
    if all.is_empty() {
        return Err(
            failed.unwrap_or_else(|| anyhow::anyhow!("no film of this trace is like {shown}"))
        );
    }
    Ok(all)
}

/// When the intro is nearly over, in seconds.
fn intro(m: &Manifest) -> f64 {
    let fps: f64 = m
        .film
        .fps
        .trim_end_matches("/1")
        .parse()
        .unwrap_or(f64::from(RATES[4]));
    let last = m.segments.first().map_or(0, |s| s.last);
    last as f64 / fps
}

fn manifest(film: &Film, trace: &Trace, trace_sha256: &str) -> Manifest {
    let claims = film.claims(trace);
    let bt709 = || "bt709".to_string();
    Manifest {
        format: "proofreel-manifest".into(),
        version: VERSION,
        film: FilmFile {
            file: String::new(),
            sha256: None,
            width: film.request().size.0,
            height: film.request().size.1,
            fps: format!("{}/1", film.request().fps),
            frames: film.scene().frames(),
            codec: "h264".into(),
            pixel_format: "yuv420p".into(),
            color: ColorTags {
                matrix: bt709(),
                primaries: bt709(),
                transfer: bt709(),
                range: "tv".into(),
            },
        },
        trace: TraceFile {
            file: String::new(),
            sha256: trace_sha256.into(),
        },
        rendered_frames: FramesDigest {
            hash: "blake3".into(),
            digest: String::new(),
        },
        encoder: Encoder {
            name: String::new(),
            version: String::new(),
            settings: String::new(),
        },
        style: claims.style,
        palette: claims.palette,
        layout: claims.layout,
        segments: claims.segments,
        regroup: claims.regroup,
        states: claims.states,
        pace: claims.pace,
        part: None,
    }
}
