//! What a film claims about itself: enough for a stranger to check every picture of it.
//!
//! All positions are in pixels of the film's own size, from the top left corner; a span is
//! `[first, settled]`: the first frame that differs, and the first frame at rest afterwards.

use serde::{Deserialize, Serialize};

/// The version of the manifest format.
pub const VERSION: u32 = 1;

/// `[first frame that differs, first frame at rest]`.
pub type Span = [u64; 2];
/// `[x, y, width, height]`.
pub type RectPx = [f64; 4];
/// `[x, y]`.
pub type PointPx = [f64; 2];

/// A whole manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Manifest {
    /// Always "proofreel-manifest".
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The film file.
    pub film: FilmFile,
    /// The trace file.
    pub trace: TraceFile,
    /// A digest of the drawn frames.
    pub rendered_frames: FramesDigest,
    /// What encoded them.
    pub encoder: Encoder,
    /// How it was asked to look.
    pub style: Style,
    /// Its colours.
    pub palette: Palette,
    /// Where everything stands.
    pub layout: Layout,
    /// The film's parts in order, without gap or overlap.
    pub segments: Vec<Segment>,
    /// The movement of the vertices, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub regroup: Option<Regroup>,
    /// The states of the search in order.
    pub states: Vec<StateSpan>,
    /// What the pace left out, where the search was compressed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pace: Option<Pace>,
    /// Which part of the film the file holds, where it does not hold all of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<PartOf>,
}

/// A part of a film, to be joined with the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PartOf {
    /// Which part, from 1.
    pub index: u32,
    /// Of how many.
    pub of: u32,
    /// The film's frame that is the part's first.
    pub first: u64,
    /// The BLAKE3 digest of each of its drawn frames, in hexadecimal.
    pub frames: Vec<String>,
}

/// The film file and its stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FilmFile {
    /// File name, no path.
    pub file: String,
    /// SHA-256 in hexadecimal; null in the copy that the film itself carries.
    pub sha256: Option<String>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// As a fraction, "60/1".
    pub fps: String,
    /// Number of frames.
    pub frames: u64,
    /// "h264", …
    pub codec: String,
    /// "yuv420p", …
    pub pixel_format: String,
    /// Colour tags.
    pub color: ColorTags,
}

/// Colour tags of the stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ColorTags {
    /// "bt709".
    pub matrix: String,
    /// "bt709".
    pub primaries: String,
    /// "bt709".
    pub transfer: String,
    /// "tv".
    pub range: String,
}

/// The trace file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct TraceFile {
    /// File name, no path.
    pub file: String,
    /// SHA-256 of the file's bytes in hexadecimal.
    pub sha256: String,
}

/// BLAKE3 over the per-frame BLAKE3 digests of the drawn yuv420p frames, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FramesDigest {
    /// "blake3".
    pub hash: String,
    /// Hexadecimal.
    pub digest: String,
}

/// What encoded the film.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Encoder {
    /// "ffmpeg" or "builtin".
    pub name: String,
    /// Its version.
    pub version: String,
    /// Codec and settings.
    pub settings: String,
}

/// How the film was asked to look.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Style {
    /// "reveal" or "tokens".
    pub style: String,
    /// "dark" or "light".
    pub theme: String,
    /// "en" or "zh-Hant".
    pub lang: String,
}

/// The film's colours, each "#rrggbb".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Palette {
    /// Behind everything.
    pub background: String,
    /// A cell without a colour.
    pub empty_cell: String,
    /// A vertex without a colour.
    pub empty_vertex: String,
    /// The colours 1..=D.
    pub colors: Vec<PaletteColor>,
}

/// One colour of the palette.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct PaletteColor {
    /// The integer that the trace uses.
    pub color: u8,
    /// Its English name.
    pub name: String,
    /// "#rrggbb".
    pub rgb: String,
}

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Layout {
    /// The board's cells, in the order of the trace's vertices.
    pub cells: Vec<CellPlace>,
    /// The graph's vertices, in the same order.
    pub vertices: Vec<VertexPlace>,
    /// The graph's edges.
    pub edges: EdgeLook,
    /// The digits' shapes, for recognising them in the final picture.
    #[serde(default)]
    pub glyphs: Vec<Glyph>,
    /// How the `appears`, `given` and `reveal` spans of cells and vertices run, one entry for each
    /// length that occurs. Where a length is missing any rising mixture is accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fades: Vec<Fade>,
}

/// One cell of the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CellPlace {
    /// Its name.
    pub cell: String,
    /// The whole tile, on whole pixels.
    pub rect: RectPx,
    /// A part that shows the pure colour whenever the cell is settled, in every style.
    pub sample: RectPx,
    /// When the empty tile fades in from the background.
    pub appears: Span,
    /// When a given's colour fades in over the empty tile; absent on open cells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub given: Option<Span>,
    /// When its digit fades in; absent where the film reveals none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reveal: Option<Span>,
    /// The box of the digit glyph once it is revealed (see `Glyph`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub glyph: Option<RectPx>,
}

/// One vertex of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct VertexPlace {
    /// The cell that it stands for.
    pub cell: String,
    /// Radius of its disc.
    pub radius: f64,
    /// Like a cell's `sample`, relative to the disc's centre.
    pub sample: RectPx,
    /// What the disc ever carries (digit, symbol, the cross of a dead end) stays inside this box,
    /// relative to its centre; outside of it the disc shows its pure colour whenever the vertex is
    /// settled. Absent where it carries nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mark: Option<RectPx>,
    /// Centre until regroup begins.
    pub before: PointPx,
    /// Control point of the quadratic curve on which it moves; absent without regroup.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub control: Option<PointPx>,
    /// Centre after regroup; absent without regroup.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<PointPx>,
    /// When the empty disc fades in from what is behind it.
    pub appears: Span,
    /// When a given's colour fades in; absent on open cells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub given: Option<Span>,
    /// When its digit fades in; absent where the film reveals none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reveal: Option<Span>,
    /// The box of the digit glyph once it is revealed, relative to the disc's centre; absent
    /// where vertices are too small to carry one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub glyph: Option<RectPx>,
}

/// How the graph's edges look at rest. They come in the order of the trace's `graph.edges`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct EdgeLook {
    /// Stroke width.
    pub width: f64,
    /// "#rrggbbaa": colour and opacity of one edge.
    pub rgba: String,
    /// When the first edge appears and when the last one is at rest.
    pub appears: Span,
    /// How curved edges are drawn; null where all are straight.
    pub bend: Option<Bend>,
}

/// An edge from P to Q (lower vertex index first) is a quadratic Bézier curve whose control point
/// is `(P + Q) / 2 + d`, with a displacement `d` in pixels of its own. While vertices move, `d` is
/// `before + (after - before) * progress`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Bend {
    /// Always "quadratic".
    pub kind: String,
    /// One displacement an edge, until regroup begins.
    pub before: Vec<PointPx>,
    /// One displacement an edge, after regroup; empty without regroup.
    #[serde(default)]
    pub after: Vec<PointPx>,
}

/// The shape of a digit: coverage values for a box that `glyph` of a cell or vertex places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Glyph {
    /// The colour whose digit it is.
    pub color: u8,
    /// What is written.
    pub text: String,
    /// Columns of the coverage grid.
    pub width: u32,
    /// Rows of the coverage grid.
    pub height: u32,
    /// "light" or "dark": the ink on this colour.
    pub ink: String,
    /// The ink as "#rrggbb".
    pub rgb: String,
    /// Row by row, two hexadecimal digits a value, 00 none to ff full.
    pub coverage: String,
}

/// A part of the film.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Segment {
    /// "intro", "search", "solved", "regroup", "reveal" or "hold".
    pub name: String,
    /// First frame.
    pub first: u64,
    /// Last frame.
    pub last: u64,
}

/// The movement of the vertices: at frame `first + i` they stand at `progress[i]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Regroup {
    /// First frame of the segment.
    pub first: u64,
    /// 0 to 1, one value a frame.
    pub progress: Vec<f64>,
}

/// The frames that show one state of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StateSpan {
    /// The last event that the state contains.
    pub event: u64,
    /// First frame that differs from the state before.
    pub starts: u64,
    /// First frame at rest.
    pub settled: u64,
    /// Last frame at rest.
    pub last: u64,
    /// How far the changing colours are mixed at frames `starts`, `starts + 1`, … up to the one
    /// before `settled`, for cells and vertices alike: 0 the old colour, 1 the new one. With it
    /// each moving frame can be told from its neighbours; where it is empty any rising mixture is
    /// accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<f64>,
}

/// How a fade of one length runs: at frame `first + i` of a span the mixture stands at `mix[i]`,
/// 0 what was there, 1 what comes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fade {
    /// Frames of the span: `settled - first`.
    pub frames: u64,
    /// One value a frame.
    pub mix: Vec<f64>,
}

/// How a long search was fitted into its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Pace {
    /// Events of the trace.
    pub events: u64,
    /// States that have frames of their own.
    pub states: u64,
    /// Events a state on average, such as 9.3.
    pub events_per_state: f64,
    /// What was left out, in words.
    pub note: String,
}
