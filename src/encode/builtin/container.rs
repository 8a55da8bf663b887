//! The MP4 file around the coded pictures: index before media, exact durations, BT.709 tags.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use mp4_atom::{
    Any, Avc1, Avcc, Chpl, ChplEntry, Co64, Codec, Colr, Dinf, Dref, DrefEntry, Encode, FourCC,
    Ftyp, Hdlr, Matrix, Mdhd, Mdia, Meta, Minf, Moov, Mvhd, Stbl, Stco, Stsc, StscEntry, Stsd,
    Stss, Stsz, StszSamples, Stts, SttsEntry, Tkhd, Trak, Udta, Url, Visual, Vmhd,
};

use super::super::{Metadata, VideoSpec};

/// Ticks of the movie's clock in one frame: headers that count in milliseconds elsewhere are
/// exact here.
const TICKS: u32 = 1000;

/// Where the coded pictures lie in the media file, and what they need to be decoded.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Bytes of each picture, in order.
    pub sizes: Vec<u32>,
    /// Pictures that can be decoded without others, counted from 1.
    pub sync: Vec<u32>,
    /// Pictures of each chunk: a run without gap in the file.
    pub chunks: Vec<u32>,
    /// The sequence parameter set.
    pub sps: Vec<u8>,
    /// The picture parameter set.
    pub pps: Vec<u8>,
}

/// Writes the whole file: index, then the media copied from `media`.
pub(super) fn write(
    path: &Path,
    media: &Path,
    index: &Index,
    spec: &VideoSpec,
    metadata: &Metadata,
) -> io::Result<()> {
    let length = std::fs::metadata(media)?.len();
    let ftyp = bytes_of(&Ftyp {
        major_brand: FourCC::new(b"isom"),
        minor_version: 512,
        compatible_brands: [b"isom", b"iso2", b"avc1", b"mp41"]
            .map(FourCC::new)
            .to_vec(),
    })?;
    let wide = length > u64::from(u32::MAX) - (64 << 20);
    let mut moov = movie(index, spec, metadata, wide, 0);
    let head = ftyp.len() as u64 + bytes_of(&moov)?.len() as u64 + if wide { 16 } else { 8 };
    moov = movie(index, spec, metadata, wide, head);

    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    out.write_all(&ftyp)?;
    out.write_all(&bytes_of(&moov)?)?;
    if wide {
        out.write_all(&1u32.to_be_bytes())?;
        out.write_all(b"mdat")?;
        out.write_all(&(length + 16).to_be_bytes())?;
    } else {
        out.write_all(&(length as u32 + 8).to_be_bytes())?;
        out.write_all(b"mdat")?;
    }
    let mut media = File::open(media)?;
    let copied = io::copy(&mut media, &mut out)?;
    if copied != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    out.flush()
}

fn bytes_of(atom: &impl Encode) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    atom.encode(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

fn movie(index: &Index, spec: &VideoSpec, metadata: &Metadata, wide: bool, head: u64) -> Moov {
    let timescale = spec.fps * TICKS;
    let duration = index.sizes.len() as u64 * u64::from(TICKS);
    let (width, height) = (spec.width as u16, spec.height as u16);

    let mut offsets = Vec::with_capacity(index.chunks.len());
    let mut stsc: Vec<StscEntry> = Vec::new();
    let (mut at, mut sample) = (head, 0usize);
    for (i, &count) in index.chunks.iter().enumerate() {
        offsets.push(at);
        let end = sample + count as usize;
        at += index.sizes[sample..end]
            .iter()
            .map(|&s| u64::from(s))
            .sum::<u64>();
        sample = end;
        if stsc.last().is_none_or(|e| e.samples_per_chunk != count) {
            stsc.push(StscEntry {
                first_chunk: i as u32 + 1,
                samples_per_chunk: count,
                sample_description_index: 1,
            });
        }
    }
    let (stco, co64) = match wide {
        true => (None, Some(Co64 { entries: offsets })),
        false => {
            let entries = offsets.iter().map(|&o| o as u32).collect();
            (Some(Stco { entries }), None)
        }
    };
    let identity = Matrix {
        a: 0x0001_0000,
        b: 0,
        u: 0,
        c: 0,
        d: 0x0001_0000,
        v: 0,
        x: 0,
        y: 0,
        w: 0x4000_0000,
    };
    let avc1 = Avc1 {
        visual: Visual {
            data_reference_index: 1,
            width,
            height,
            horizresolution: 72.into(),
            vertresolution: 72.into(),
            frame_count: 1,
            compressor: "".into(),
            depth: 24,
        },
        avcc: Avcc {
            configuration_version: 1,
            avc_profile_indication: index.sps.get(1).copied().unwrap_or(100),
            profile_compatibility: index.sps.get(2).copied().unwrap_or(0),
            avc_level_indication: index.sps.get(3).copied().unwrap_or(51),
            length_size: 4,
            sequence_parameter_sets: vec![index.sps.clone()],
            picture_parameter_sets: vec![index.pps.clone()],
            ext: Some(mp4_atom::AvccExt {
                chroma_format: 1,
                bit_depth_luma: 8,
                bit_depth_chroma: 8,
                sequence_parameter_sets_ext: Vec::new(),
            }),
        },
        colr: Some(Colr::Nclx {
            colour_primaries: 1,
            transfer_characteristics: 1,
            matrix_coefficients: 1,
            full_range_flag: false,
        }),
        ..Avc1::default()
    };
    Moov {
        mvhd: Mvhd {
            creation_time: 0,
            modification_time: 0,
            timescale,
            duration,
            rate: 1.into(),
            volume: 1.into(),
            matrix: identity.clone(),
            next_track_id: 2,
        },
        trak: vec![Trak {
            tkhd: Tkhd {
                track_id: 1,
                duration,
                enabled: true,
                in_movie: true,
                matrix: identity,
                width: width.into(),
                height: height.into(),
                ..Tkhd::default()
            },
            mdia: Mdia {
                mdhd: Mdhd {
                    creation_time: 0,
                    modification_time: 0,
                    timescale,
                    duration,
                    language: "und".to_string(),
                },
                hdlr: Hdlr {
                    handler: FourCC::new(b"vide"),
                    name: "VideoHandler".to_string(),
                },
                minf: Minf {
                    vmhd: Some(Vmhd::default()),
                    dinf: Dinf {
                        dref: Dref {
                            entries: vec![DrefEntry::Url(Url::default())],
                        },
                    },
                    stbl: Stbl {
                        stsd: Stsd {
                            codecs: vec![Codec::Avc1(avc1)],
                        },
                        stts: Stts {
                            entries: vec![SttsEntry {
                                sample_count: index.sizes.len() as u32,
                                sample_delta: TICKS,
                            }],
                        },
                        stss: Some(Stss {
                            entries: index.sync.clone(),
                        }),
                        stsc: Stsc { entries: stsc },
                        stsz: Stsz {
                            samples: StszSamples::Different {
                                sizes: index.sizes.clone(),
                            },
                        },
                        stco,
                        co64,
                        ..Stbl::default()
                    },
                    ..Minf::default()
                },
            },
            ..Trak::default()
        }],
        udta: Some(user_data(spec, metadata)),
        ..Moov::default()
    }
}

/// Tags in iTunes' form and chapters in Nero's, which players and ffmpeg know.
fn user_data(spec: &VideoSpec, metadata: &Metadata) -> Udta {
    let mut list = Vec::new();
    for (key, value) in &metadata.tags {
        let mut data = Vec::with_capacity(value.len() + 16);
        data.extend_from_slice(&(value.len() as u32 + 16).to_be_bytes());
        data.extend_from_slice(b"data");
        // Type 1: UTF-8; no country or language.
        data.extend_from_slice(&[0, 0, 0, 1, 0, 0, 0, 0]);
        data.extend_from_slice(value.as_bytes());
        list.extend_from_slice(&(data.len() as u32 + 8).to_be_bytes());
        list.extend_from_slice(tag_name(key));
        list.extend_from_slice(&data);
    }
    let hundred_ns = |frame: u64| (u128::from(frame) * 10_000_000 / u128::from(spec.fps)) as u64;
    let entries: Vec<ChplEntry> = metadata
        .chapters
        .iter()
        .take(255)
        .map(|c| {
            let mut title = c.title.clone();
            while title.len() > 255 {
                title.pop();
            }
            ChplEntry {
                start: hundred_ns(c.first),
                title,
            }
        })
        .collect();
    Udta {
        chpl: (!entries.is_empty()).then_some(Chpl { entries }),
        meta: Some(Meta {
            hdlr: Hdlr {
                handler: FourCC::new(b"mdir"),
                name: String::new(),
            },
            items: vec![Any::Unknown(FourCC::new(b"ilst"), list)],
        }),
        ..Udta::default()
    }
}

/// The name of a tag of `TAG_KEYS` in an MP4 file.
fn tag_name(key: &str) -> &'static [u8; 4] {
    match key {
        "title" => b"\xa9nam",
        "artist" => b"\xa9ART",
        "album" => b"\xa9alb",
        "date" => b"\xa9day",
        "genre" => b"\xa9gen",
        "copyright" => b"cprt",
        "description" => b"desc",
        "synopsis" => b"ldes",
        "grouping" => b"\xa9grp",
        "keywords" => b"keyw",
        "lyrics" => b"\xa9lyr",
        _ => b"\xa9cmt",
    }
}
