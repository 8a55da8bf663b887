//! The index of an MP4 file for the built-in decoder: where each picture lies and when it shows.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use mp4_atom::{Avc1, Codec, Colr, Decode, Moov, StszSamples, Trak};

use super::builtin::needs_ffmpeg;
use super::{ColorTags, DecodeError, PixelLayout, StreamInfo};

/// An index larger than this is not read.
const INDEX_LIMIT: u64 = 512 << 20;
/// More pictures than this are no film.
const SAMPLES_LIMIT: usize = 1 << 24;

/// One coded picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    /// Where its bytes begin.
    pub offset: u64,
    /// How many there are.
    pub size: u32,
    /// Whether it can be decoded without others.
    pub sync: bool,
    /// Its place in presentation order, in ticks of the track.
    pub composed: i64,
    /// When it shows, in seconds; `None` where an edit list leaves it out.
    pub time: Option<f64>,
}

/// The video track of a film.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// What is known of it.
    pub info: StreamInfo,
    /// Bytes of the length before each unit.
    pub length_size: usize,
    /// Sequence and picture parameter sets.
    pub parameter_sets: Vec<Vec<u8>>,
    /// The pictures in decoding order.
    pub samples: Vec<Sample>,
}

/// Reads the index of a file and finds its one H.264 track.
pub(super) fn read_track(path: &Path) -> Result<Track, DecodeError> {
    let shown = path.display();
    let unreadable = |e: std::io::Error| DecodeError(format!("{shown} cannot be read: {e}"));
    let mut file = File::open(path).map_err(unreadable)?;
    let end = file.metadata().map_err(unreadable)?.len();
    let index = find_index(&mut file, end)
        .map_err(unreadable)?
        .ok_or_else(|| {
            DecodeError(format!(
                "{shown} has no index (moov): it was cut off or never finished; make or fetch the \
             film again"
            ))
        })?;
    let mut moov = Moov::decode_body_of(&index)
        .map_err(|e| needs_ffmpeg(path, &format!("has an index of an unknown kind ({e})")))?;
    if moov.mvex.is_some() {
        return Err(needs_ffmpeg(path, "is written in fragments"));
    }
    let of_kind = |kind: &[u8; 4]| {
        let kind = mp4_atom::FourCC::new(kind);
        moov.trak
            .iter()
            .filter(|t| t.mdia.hdlr.handler == kind)
            .count() as u32
    };
    let (video_streams, audio_streams) = (of_kind(b"vide"), of_kind(b"soun"));
    let at = moov
        .trak
        .iter()
        .position(|t| t.mdia.hdlr.handler == mp4_atom::FourCC::new(b"vide"))
        .ok_or_else(|| {
            DecodeError(format!(
                "{shown} holds no video stream; give the film's file"
            ))
        })?;
    let track = moov.trak.swap_remove(at);
    let avc1 = match track.mdia.minf.stbl.stsd.codecs.as_slice() {
        [Codec::Avc1(avc1)] => avc1.clone(),
        _ => return Err(needs_ffmpeg(path, "is not one stream of H.264")),
    };
    let bit8 =
        avc1.avcc.ext.as_ref().is_none_or(|e| {
            e.chroma_format == 1 && e.bit_depth_luma == 8 && e.bit_depth_chroma == 8
        });
    let profile = match avc1.avcc.avc_profile_indication {
        66 => "Baseline",
        77 => "Main",
        100 => "High",
        _ => {
            return Err(needs_ffmpeg(
                path,
                "is H.264 of another profile than Baseline, Main or High",
            ));
        }
    };
    if !bit8 {
        return Err(needs_ffmpeg(path, "has other than 8-bit 4:2:0 pictures"));
    }
    let samples = samples(&track, moov.mvhd.timescale).map_err(|what| match what {
        Fault::Foreign(what) => needs_ffmpeg(path, what),
        Fault::Damaged(what) => DecodeError(format!(
            "{shown} has a damaged index ({what}); make or fetch the film again"
        )),
    })?;
    if let Some((i, _)) = samples
        .iter()
        .enumerate()
        .find(|(_, s)| s.offset + u64::from(s.size) > end)
    {
        return Err(DecodeError(format!(
            "{shown} is cut off: the bytes of picture {i} of {} are missing; make or fetch the \
             film again",
            samples.len()
        )));
    }
    let (width, height) = (u32::from(avc1.visual.width), u32::from(avc1.visual.height));
    if width == 0 || height == 0 || width % 2 == 1 || height % 2 == 1 {
        return Err(needs_ffmpeg(path, "has pictures of odd size"));
    }
    let rotation = rotation(&track).ok_or_else(|| needs_ffmpeg(path, "is skewed by metadata"))?;
    let start_time = samples
        .iter()
        .filter_map(|s| s.time)
        .fold(f64::INFINITY, f64::min);
    Ok(Track {
        info: StreamInfo {
            width,
            height,
            codec: "h264".to_string(),
            profile: Some(profile.to_string()),
            pixel_format: "yuv420p".to_string(),
            layout: PixelLayout {
                depth: 8,
                chroma_shift_x: 1,
                chroma_shift_y: 1,
                full_range: full_range(&avc1),
            },
            container: "mov,mp4,m4a,3gp,3g2,mj2".to_string(),
            frame_rate: frame_rate(&track)
                .ok_or_else(|| needs_ffmpeg(path, "states no frame rate"))?,
            stated_frames: Some(samples.len() as u64),
            color: color(&avc1),
            video_streams,
            audio_streams,
            rotation,
            square_pixels: avc1
                .pasp
                .as_ref()
                .is_none_or(|p| p.h_spacing == p.v_spacing),
            start_time: if start_time.is_finite() {
                start_time
            } else {
                0.0
            },
            tags: tags(&index),
        },
        length_size: usize::from(avc1.avcc.length_size),
        parameter_sets: avc1
            .avcc
            .sequence_parameter_sets
            .iter()
            .chain(&avc1.avcc.picture_parameter_sets)
            .cloned()
            .collect(),
        samples,
    })
}

/// The contents of the `moov` box.
fn find_index(file: &mut File, end: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut at = 0u64;
    while end.saturating_sub(at) >= 8 {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0u8; 16];
        file.read_exact(&mut head[..8])?;
        let short = u64::from(be32(&head[..4]));
        let (size, header) = match short {
            0 => (end - at, 8),
            1 if end - at >= 16 => {
                file.read_exact(&mut head[8..])?;
                (
                    u64::from(be32(&head[8..12])) << 32 | u64::from(be32(&head[12..])),
                    16,
                )
            }
            n => (n, 8),
        };
        if size < header {
            return Ok(None);
        }
        if &head[4..8] == b"moov" {
            if size > end - at || size > INDEX_LIMIT {
                return Ok(None);
            }
            let mut bytes = vec![0; (size - header) as usize];
            file.read_exact(&mut bytes)?;
            return Ok(Some(bytes));
        }
        at = at.saturating_add(size);
    }
    Ok(None)
}

fn be32(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |n, &b| n << 8 | u32::from(b))
}

/// Decoding a box from its contents.
trait DecodeBody: Sized {
    fn decode_body_of(bytes: &[u8]) -> Result<Self, mp4_atom::Error>;
}

impl DecodeBody for Moov {
    fn decode_body_of(bytes: &[u8]) -> Result<Self, mp4_atom::Error> {
        let mut whole = Vec::with_capacity(bytes.len() + 8);
        whole.extend_from_slice(&(bytes.len() as u32 + 8).to_be_bytes());
        whole.extend_from_slice(b"moov");
        whole.extend_from_slice(bytes);
        Moov::decode(&mut whole.as_slice())
    }
}

/// Why the pictures cannot be found.
enum Fault {
    Foreign(&'static str),
    Damaged(&'static str),
}

/// All pictures of a track, with their places and times.
fn samples(track: &Trak, movie_scale: u32) -> Result<Vec<Sample>, Fault> {
    let table = &track.mdia.minf.stbl;
    let sizes: Vec<u32> = match &table.stsz.samples {
        StszSamples::Different { sizes } => sizes.clone(),
        StszSamples::Identical { count, size } => {
            if *count as usize > SAMPLES_LIMIT {
                return Err(Fault::Damaged("too many pictures"));
            }
            vec![*size; *count as usize]
        }
    };
    if sizes.is_empty() || sizes.len() > SAMPLES_LIMIT {
        return Err(Fault::Damaged("no pictures, or too many"));
    }
    let scale = track.mdia.mdhd.timescale;
    if scale == 0 || movie_scale == 0 {
        return Err(Fault::Damaged("a clock that stands still"));
    }
    let chunks: Vec<u64> = match (&table.stco, &table.co64) {
        (Some(short), _) => short.entries.iter().map(|&o| u64::from(o)).collect(),
        (None, Some(long)) => long.entries.clone(),
        (None, None) => return Err(Fault::Damaged("no places")),
    };
    let mut offsets = Vec::with_capacity(sizes.len());
    let mut runs = table.stsc.entries.iter().peekable();
    let mut in_chunk = 0u32;
    for (i, &chunk) in chunks.iter().enumerate() {
        while let Some(run) = runs.peek() {
            if run.first_chunk as usize > i + 1 {
                break;
            }
            in_chunk = run.samples_per_chunk;
            runs.next();
        }
        let mut at = chunk;
        for _ in 0..in_chunk {
            let Some(&size) = sizes.get(offsets.len()) else {
                break;
            };
            offsets.push(at);
            at = at
                .checked_add(u64::from(size))
                .ok_or(Fault::Damaged("impossible places"))?;
        }
    }
    if offsets.len() != sizes.len() {
        return Err(Fault::Damaged("places and sizes do not agree"));
    }

    let mut composed = Vec::with_capacity(sizes.len());
    let mut clock = 0i64;
    'times: for entry in &table.stts.entries {
        for _ in 0..entry.sample_count {
            if composed.len() == sizes.len() {
                break 'times;
            }
            composed.push(clock);
            clock += i64::from(entry.sample_delta);
        }
    }
    if composed.len() != sizes.len() {
        return Err(Fault::Damaged("times and sizes do not agree"));
    }
    if let Some(shifts) = &table.ctts {
        let mut i = 0;
        for entry in &shifts.entries {
            for _ in 0..entry.sample_count {
                let Some(time) = composed.get_mut(i) else {
                    break;
                };
                *time = time.saturating_add(entry.sample_offset);
                i += 1;
            }
        }
    }
    let edit = Edit::of(track, movie_scale)?;
    let sync = table.stss.as_ref().map(|s| &s.entries);
    let mut samples = Vec::with_capacity(sizes.len());
    for (i, ((&size, offset), composed)) in sizes.iter().zip(offsets).zip(composed).enumerate() {
        samples.push(Sample {
            offset,
            size,
            sync: sync.is_none_or(|s| s.binary_search(&(i as u32 + 1)).is_ok()),
            composed,
            time: edit.time(composed, scale),
        });
    }
    Ok(samples)
}

/// An edit list of at most one empty edit and one real one.
struct Edit {
    /// Seconds before the first picture.
    delay: f64,
    /// The first tick of the track that shows.
    from: i64,
    /// How many seconds of it show.
    length: Option<f64>,
}

impl Edit {
    fn of(track: &Trak, movie_scale: u32) -> Result<Edit, Fault> {
        let mut edit = Edit {
            delay: 0.0,
            from: 0,
            length: None,
        };
        let list = track.edts.as_ref().and_then(|e| e.elst.as_ref());
        let mut entries = list.map(|l| l.entries.as_slice()).unwrap_or_default();
        let seconds = |ticks: u64| ticks as f64 / f64::from(movie_scale);
        if let [first, rest @ ..] = entries
            && first.media_time.is_none()
        {
            edit.delay = seconds(first.segment_duration);
            entries = rest;
        }
        match entries {
            [] => {}
            [only] => {
                if only.media_rate != 1.into() {
                    return Err(Fault::Foreign("has an edit list that changes its speed"));
                }
                edit.from = only
                    .media_time
                    .and_then(|t| i64::try_from(t).ok())
                    .ok_or(Fault::Foreign("has an edit list of several parts"))?;
                if only.segment_duration > 0 {
                    edit.length = Some(seconds(only.segment_duration));
                }
            }
            _ => return Err(Fault::Foreign("has an edit list of several parts")),
        }
        Ok(edit)
    }

    fn time(&self, composed: i64, scale: u32) -> Option<f64> {
        let within = (composed - self.from) as f64 / f64::from(scale);
        // Durations in the movie's coarser clock are rounded.
        let shown = within >= 0.0 && self.length.is_none_or(|l| within < l + 0.0005);
        shown.then_some(self.delay + within)
    }
}

/// The nominal rate: by the duration that most pictures have.
fn frame_rate(track: &Trak) -> Option<(u32, u32)> {
    let most = track
        .mdia
        .minf
        .stbl
        .stts
        .entries
        .iter()
        .filter(|e| e.sample_delta > 0)
        .max_by_key(|e| e.sample_count)?;
    let (scale, delta) = (track.mdia.mdhd.timescale, most.sample_delta);
    let (mut a, mut b) = (scale, delta);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    (a > 0).then(|| (scale / a, delta / a))
}

/// Clockwise degrees that the track header asks for; `None` for anything but quarter turns.
fn rotation(track: &Trak) -> Option<i32> {
    let m = &track.tkhd.matrix;
    match (m.a.signum(), m.b.signum(), m.c.signum(), m.d.signum()) {
        (1, 0, 0, 1) | (0, 0, 0, 0) => Some(0),
        (0, 1, -1, 0) => Some(90),
        (-1, 0, 0, -1) => Some(180),
        (0, -1, 1, 0) => Some(270),
        _ => None,
    }
}

fn full_range(avc1: &Avc1) -> bool {
    matches!(
        &avc1.colr,
        Some(Colr::Nclx {
            full_range_flag: true,
            ..
        })
    )
}

/// Colour tags as the container states them.
fn color(avc1: &Avc1) -> ColorTags {
    let (primaries, transfer, matrix, full) = match &avc1.colr {
        Some(Colr::Nclx {
            colour_primaries,
            transfer_characteristics,
            matrix_coefficients,
            full_range_flag,
        }) => (
            *colour_primaries,
            *transfer_characteristics,
            *matrix_coefficients,
            *full_range_flag,
        ),
        _ => return ColorTags::default(),
    };
    let name = |code: u16, own: &str| match code {
        1 => Some("bt709".to_string()),
        2 => None,
        5 => Some("bt470bg".to_string()),
        6 => Some("smpte170m".to_string()),
        9 => Some(own.to_string()),
        other => Some(format!("{other}")),
    };
    ColorTags {
        matrix: name(matrix, "bt2020nc"),
        primaries: name(primaries, "bt2020"),
        transfer: name(transfer, "bt2020"),
        range: Some(if full { "pc" } else { "tv" }.to_string()),
    }
}

/// The boxes that lie one after the other in `bytes`.
fn children(bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let size = be32(rest.get(..4)?) as usize;
        let kind = rest.get(4..8)?.try_into().ok()?;
        let body = rest.get(8..size)?;
        rest = rest.get(size..)?;
        Some((kind, body))
    })
}

/// The iTunes tags of a `moov` box by ffmpeg's names; mp4-atom knows only a few of them.
fn tags(index: &[u8]) -> Vec<(String, String)> {
    let find = |bytes, name: &[u8; 4]| {
        children(bytes)
            .find(|(kind, _)| kind == name)
            .map(|(_, body)| body)
    };
    let list = find(index, b"udta")
        .and_then(|u| find(u, b"meta"))
        .and_then(|m| find(m.get(4..)?, b"ilst"));
    let mut tags = Vec::new();
    for (kind, body) in list.into_iter().flat_map(children) {
        let key = match &kind {
            b"\xa9nam" => "title",
            b"\xa9ART" => "artist",
            b"\xa9alb" => "album",
            b"\xa9day" => "date",
            b"\xa9gen" => "genre",
            b"\xa9cmt" => "comment",
            b"\xa9too" => "encoder",
            b"\xa9grp" => "grouping",
            b"\xa9lyr" => "lyrics",
            b"cprt" => "copyright",
            b"desc" => "description",
            b"ldes" => "synopsis",
            b"keyw" => "keywords",
            _ => continue,
        };
        let text = find(body, b"data").and_then(|d| d.get(8..));
        if let Some(text) = text {
            tags.push((key.to_string(), String::from_utf8_lossy(text).into_owned()));
        }
    }
    tags
}
