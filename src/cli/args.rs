//! The command line as clap sees it: names, defaults and help texts, no behaviour.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Turn the search that solves a Sudoku into a film, and prove that the film tells the truth.
#[derive(Debug, Parser)]
#[command(
    name = "proofreel",
    version,
    propagate_version = true,
    max_term_width = 100,
    after_help = bundled_names()
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print results and errors only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more about what is done.
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print the result as JSON.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve a puzzle exactly; print the verdict and the answer.
    #[command(after_help = bundled_names())]
    Solve(SolveArgs),
    /// Replay a trace against the rules, sharing no code with the solver.
    Verify(VerifyArgs),
    /// Print the grid at any step of a trace, with what was chosen and why.
    Show(ShowArgs),
    /// Render the film of a search, with its trace and manifest.
    #[command(after_help = bundled_names())]
    Film(FilmArgs),
    /// Put the parts of a film together that `film --segment` made.
    Join(JoinArgs),
    /// Draw the film's pictures as PNG files.
    #[command(after_help = bundled_names())]
    Frames(FramesArgs),
    /// Decode a film and check every cell and vertex against the trace.
    Audit(AuditArgs),
    /// Write out the trace and manifest that a film carries inside.
    Extract(ExtractArgs),
    /// List the bundled puzzles and prove each one's number of solutions.
    Boards,
    /// Re-check shipped evidence: checksums, trace, film.
    Check(CheckArgs),
    /// Say what this machine has and test it: ffmpeg, encoders, fonts, cores.
    Doctor,
    /// Print the JSON Schema of a file format.
    Schema(SchemaArgs),
}

/// The list of bundled puzzles below each help text that takes one.
fn bundled_names() -> String {
    let names: Vec<&str> = crate::puzzle::bundled::ALL.iter().map(|b| b.name).collect();
    format!("Bundled puzzles: {}.", names.join(", "))
}

/// Which puzzle.
#[derive(Debug, Args, Clone)]
pub struct PuzzleSource {
    /// `-` for standard input, a file, the name of a bundled puzzle, or a puzzle's text.
    #[arg(value_name = "PUZZLE", required_unless_present_any = ["puzzle_text", "puzzle_file"])]
    pub puzzle: Option<String>,
    /// The text of a puzzle, taken literally.
    #[arg(long = "puzzle", value_name = "TEXT", conflicts_with = "puzzle")]
    pub puzzle_text: Option<String>,
    /// A puzzle file, never a bundled name.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["puzzle", "puzzle_text"])]
    pub puzzle_file: Option<PathBuf>,
}

/// `solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Which puzzle.
    #[command(flatten)]
    pub source: PuzzleSource,
    /// Write the trace here.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Of a list of puzzles, take the N-th only.
    #[arg(long, value_name = "N")]
    pub pick: Option<usize>,
    /// The search's limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,
}

/// Limits of a search.
#[derive(Debug, Args, Clone)]
pub struct LimitArgs {
    /// Stop at the first solution; do not ask whether there is another.
    #[arg(long)]
    pub first_only: bool,
    /// Seconds after which the search stops; 0 for none. Default: 20.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        hide_default_value = true
    )]
    pub timeout: f64,
    /// Stop after this many nodes: the same verdict on every machine.
    #[arg(long, value_name = "N")]
    pub max_nodes: Option<u64>,
    /// Record at most this many events; the search itself goes on. Default: 100000.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100_000,
        hide_default_value = true
    )]
    pub max_events: usize,
    /// Count solutions, up to N.
    #[arg(long, value_name = "N")]
    pub count: Option<u64>,
}

/// `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The trace file, or `-`.
    pub trace: PathBuf,
    /// The trace must be of this puzzle.
    #[arg(long, value_name = "PUZZLE")]
    pub puzzle: Option<String>,
    /// Seconds that the multiplicity search may take; 0 for none. Default: 20.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "20",
        hide_default_value = true
    )]
    pub timeout: f64,
}

/// `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The trace file, or `-`.
    pub trace: PathBuf,
    /// The step to show: the state after this many events. Default: the last.
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
}

/// A picture size such as 2560x1440.
pub type Size = (u32, u32);

/// Reads `2560x1440`.
fn size(text: &str) -> Result<Size, String> {
    text.split_once(['x', 'X', '×'])
        .and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)))
        .ok_or_else(|| "a size is written WIDTHxHEIGHT, such as 2560x1440".to_string())
}

/// Reads `2/4`: part 2 of 4, as an index from 0 and the number of parts.
fn part(text: &str) -> Result<(usize, usize), String> {
    text.split_once('/')
        .and_then(|(i, n)| Some((i.trim().parse::<usize>().ok()?, n.trim().parse().ok()?)))
        .filter(|&(i, n)| 1 <= i && i <= n)
        .map(|(i, n)| (i - 1, n))
        .ok_or_else(|| "a part is written I/N, such as 2/4, with I from 1 to N".to_string())
}

/// Whether digits are shown from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StyleArg {
    /// Colours alone until the digits are revealed at the end.
    Reveal,
    /// Digit, symbol and name on every coloured cell.
    Tokens,
}

/// Dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ThemeArg {
    /// On a dark background.
    Dark,
    /// On a light background.
    Light,
}

/// The language of colour names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LangArg {
    /// English.
    #[value(name = "en")]
    En,
    /// Traditional Chinese; needs a font that has the characters.
    #[value(name = "zh-Hant")]
    ZhHant,
}

/// Which encoder or decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CodecArg {
    /// ffmpeg where there is a usable one, else the built-in codec.
    Auto,
    /// The ffmpeg program on PATH.
    Ffmpeg,
    /// The codec inside this program.
    Builtin,
}

/// How pictures look.
#[derive(Debug, Args, Clone)]
pub struct LookArgs {
    /// A TrueType or OpenType font for digits and names.
    #[arg(long, value_name = "FILE")]
    pub font: Option<PathBuf>,
    /// Width and height in pixels, both even, 640x360 to 3840x2160. Default: 2560x1440.
    #[arg(long, value_name = "WxH", default_value = "2560x1440", hide_default_value = true, value_parser = size)]
    pub size: Size,
    /// Frames a second: 24, 25, 30, 50 or 60. Default: 60.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 60,
        hide_default_value = true
    )]
    pub fps: u32,
    /// What coloured cells show. Default: reveal; tokens for the Color Sudoku boards.
    #[arg(long, value_enum)]
    pub style: Option<StyleArg>,
    /// Background. Default: dark.
    #[arg(long, value_enum, default_value = "dark", hide_default_value = true)]
    pub theme: ThemeArg,
    /// Language of colour names. Default: en.
    #[arg(long, value_enum, default_value = "en", hide_default_value = true)]
    pub lang: LangArg,
    /// Longest search segment in seconds; longer searches are compressed. Default: 90.
    #[arg(
        long,
        value_name = "S",
        default_value_t = 90.0,
        hide_default_value = true
    )]
    pub search_seconds: f64,
    /// Threads for drawing. Default: one a core.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// `film`.
#[derive(Debug, Args)]
pub struct FilmArgs {
    /// Puzzles or traces: each `-`, a file, a bundled name, or a puzzle's text.
    #[arg(value_name = "PUZZLE_OR_TRACE", required_unless_present_any = ["puzzle_text", "puzzle_file", "list"])]
    pub sources: Vec<String>,
    /// The text of a puzzle, taken literally.
    #[arg(long = "puzzle", value_name = "TEXT", conflicts_with = "sources")]
    pub puzzle_text: Option<String>,
    /// A puzzle file, never a bundled name.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sources", "puzzle_text"])]
    pub puzzle_file: Option<PathBuf>,
    /// A file that names one puzzle or trace a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sources", "puzzle_text", "puzzle_file"])]
    pub list: Option<PathBuf>,
    /// Of a list of puzzles in one file, take the N-th.
    #[arg(long, value_name = "N")]
    pub pick: Option<usize>,
    /// The film's file. Default: work/NAME.mp4.
    #[arg(short, long, value_name = "FILE", conflicts_with = "out_dir")]
    pub output: Option<PathBuf>,
    /// Folder for films of several puzzles. Default: work.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
    /// How it looks.
    #[command(flatten)]
    pub look: LookArgs,
    /// The search's limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Encoder preset, passed on.
    #[arg(long, value_name = "P")]
    pub preset: Option<String>,
    /// Constant rate factor: lower is better and larger.
    #[arg(long, value_name = "N")]
    pub crf: Option<u8>,
    /// Write a lossless master.
    #[arg(long, conflicts_with = "crf")]
    pub lossless: bool,
    /// Which encoder. Default: auto.
    #[arg(long, value_enum, default_value = "auto", hide_default_value = true)]
    pub encoder: CodecArg,
    /// Replace existing files.
    #[arg(long)]
    pub force: bool,
    /// Audit what was written.
    #[arg(long)]
    pub audit: bool,
    /// Say frames, seconds and expected size; draw nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Render part I of N only, for `join`: on this machine or on another.
    #[arg(long, value_name = "I/N", value_parser = part, conflicts_with_all = ["audit", "lossless", "poster", "contact_sheet", "captions", "gif"])]
    pub segment: Option<(usize, usize)>,
    /// Also write the final picture as PNG.
    #[arg(long, value_name = "FILE.png")]
    pub poster: Option<PathBuf>,
    /// Also write a sheet with one still a state as PNG.
    #[arg(long, value_name = "FILE.png")]
    pub contact_sheet: Option<PathBuf>,
    /// Also write captions, one cue an event, as WebVTT.
    #[arg(long, value_name = "FILE.vtt")]
    pub captions: Option<PathBuf>,
    /// Also write a small looping GIF.
    #[arg(long, value_name = "FILE.gif")]
    pub gif: Option<PathBuf>,
}

/// `join`.
#[derive(Debug, Args)]
pub struct JoinArgs {
    /// All parts of one film, in any order.
    #[arg(value_name = "PART", required = true)]
    pub parts: Vec<PathBuf>,
    /// The film's file.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace existing files.
    #[arg(long)]
    pub force: bool,
}

/// `frames`.
#[derive(Debug, Args)]
pub struct FramesArgs {
    /// A puzzle or a trace.
    #[command(flatten)]
    pub source: PuzzleSource,
    /// Of a list of puzzles in one file, take the N-th.
    #[arg(long, value_name = "N")]
    pub pick: Option<usize>,
    /// Folder for the PNG files.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// These frame numbers, from 0, separated by commas.
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    pub at: Vec<u64>,
    /// One still for each settled state.
    #[arg(long)]
    pub states: bool,
    /// Every N-th frame, from 0.
    #[arg(long, value_name = "N")]
    pub every: Option<u64>,
    /// How they look.
    #[command(flatten)]
    pub look: LookArgs,
    /// The search's limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Replace existing files.
    #[arg(long)]
    pub force: bool,
}

/// `audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The film.
    pub film: PathBuf,
    /// The film must be of this puzzle.
    #[arg(long, value_name = "PUZZLE")]
    pub puzzle: Option<String>,
    /// The film begins here, inside a longer video: seconds or HH:MM:SS.
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
    /// The manifest. Default: beside the film, else inside it.
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// The trace. Default: as the manifest names it, else inside the film.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the report as JSON.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write a picture of what failed.
    #[arg(long, value_name = "FILE")]
    pub sheet: Option<PathBuf>,
    /// Any difference from the manifest is a mismatch.
    #[arg(long)]
    pub strict: bool,
    /// Which decoder. Default: auto.
    #[arg(long, value_enum, default_value = "auto", hide_default_value = true)]
    pub decoder: CodecArg,
    /// Replace existing files.
    #[arg(long)]
    pub force: bool,
}

/// `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// The film.
    pub film: PathBuf,
    /// Folder for the trace and the manifest.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace existing files.
    #[arg(long)]
    pub force: bool,
}

/// `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The folder with the evidence.
    #[arg(default_value = "evidence")]
    pub dir: PathBuf,
}

/// `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which format.
    #[arg(value_enum)]
    pub format: SchemaFormat,
}

/// The file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// A puzzle.
    Puzzle,
    /// A trace.
    Trace,
    /// A manifest.
    Manifest,
    /// An audit report.
    Report,
}
