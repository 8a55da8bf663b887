//! Which puzzle or trace an argument means.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::args::PuzzleSource;
use crate::puzzle::{self, Puzzle, bundled};
use crate::trace::{self, Trace};

/// A puzzle file larger than this many bytes is refused: some 200,000 puzzles, one a line.
const MAX_PUZZLE_BYTES: u64 = 16 << 20;

/// What an argument stands for.
#[derive(Debug)]
pub enum Input {
    /// One puzzle, or a list.
    Puzzles(Puzzles),
    /// A trace.
    Trace(Box<TraceInput>),
}

/// A trace that was read, not verified.
#[derive(Debug)]
pub struct TraceInput {
    /// As [`Puzzles::name`].
    pub name: String,
    /// What stands for it in messages.
    pub shown: String,
    /// The trace.
    pub trace: Trace,
    /// The file it was read from.
    pub path: Option<PathBuf>,
}

/// The puzzles of one source.
#[derive(Debug)]
pub struct Puzzles {
    /// A stem for the names of files made from it: letters, digits, `-`, `_` and `.` only.
    pub name: String,
    /// What stands for it in messages: a path, or "standard input".
    pub shown: String,
    /// One puzzle, or the puzzles of a list in order; never empty.
    pub puzzles: Vec<Puzzle>,
    /// The file it was read from.
    pub path: Option<PathBuf>,
    /// The bundled puzzle, if it is one.
    pub bundled: Option<&'static bundled::Bundled>,
}

impl Puzzles {
    /// The one puzzle that is meant: the only one, or the `pick`-th (from 1).
    ///
    /// # Errors
    /// If a list needs `--pick`, or has no such puzzle.
    pub fn pick(self, pick: Option<usize>) -> anyhow::Result<Puzzle> {
        let (count, shown) = (self.puzzles.len(), self.shown);
        let index = match pick {
            None if count == 1 => 1,
            None => bail!("{shown} holds {count} puzzles; choose one with --pick N, 1 to {count}"),
            Some(n) => n,
        };
        let found = index
            .checked_sub(1)
            .and_then(|i| self.puzzles.into_iter().nth(i));
        match (found, count) {
            (Some(puzzle), _) => Ok(puzzle),
            (None, 1) => {
                bail!("{shown} holds one puzzle, so there is no puzzle {index}; leave --pick out")
            }
            (None, _) => {
                bail!(
                    "{shown} holds {count} puzzles, so there is no puzzle {index}; pick 1 to {count}"
                )
            }
        }
    }
}

/// Reads the puzzles that the arguments mean.
///
/// # Errors
/// In one sentence that names the source, what is wrong and what to do.
pub fn resolve(source: &PuzzleSource) -> anyhow::Result<Puzzles> {
    match (&source.puzzle, &source.puzzle_text, &source.puzzle_file) {
        (_, Some(text), _) => from_text(text),
        (_, _, Some(path)) => from_file(path),
        (Some(argument), _, _) => resolve_argument(argument),
        _ => bail!("no puzzle was given; give a file, a bundled name, or 81 cells"),
    }
}

/// Reads what one argument means: `-`, an existing file, a bundled name, or a puzzle's text, in
/// this order.
///
/// # Errors
/// As [`resolve`]; also for a trace, which is no puzzle.
pub fn resolve_argument(argument: &str) -> anyhow::Result<Puzzles> {
    only_puzzles(resolve_puzzle_or_trace(argument)?)
}

/// A puzzle given literally.
///
/// # Errors
/// As [`resolve`].
pub fn from_text(text: &str) -> anyhow::Result<Puzzles> {
    let shown = "the puzzle text".to_string();
    only_puzzles(from_bytes(text.as_bytes().to_vec(), shown, None)?)
}

/// The puzzles of a file.
///
/// # Errors
/// As [`resolve`].
pub fn from_file(path: &Path) -> anyhow::Result<Puzzles> {
    only_puzzles(file(path)?)
}

/// What one argument of `film` and `frames` means: as [`resolve_argument`], and a file or
/// standard input may hold a trace.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_puzzle_or_trace(argument: &str) -> anyhow::Result<Input> {
    if argument == "-" {
        let shown = "standard input".to_string();
        let bytes = read_most(std::io::stdin().lock(), &shown)?;
        return from_bytes(bytes, shown, None);
    }
    let path = Path::new(argument);
    if path.exists() && !path.is_dir() {
        return file(path);
    }
    if let Some(found) = bundled::find(argument) {
        return Ok(Input::Puzzles(Puzzles {
            name: found.name.to_string(),
            shown: found.name.to_string(),
            puzzles: vec![found.read()?],
            path: None,
            bundled: Some(found),
        }));
    }
    if path.is_dir() {
        return file(path);
    }
    if looks_like_text(argument) {
        return from_text(argument).map(Input::Puzzles);
    }
    bail!(unknown(argument))
}

fn only_puzzles(input: Input) -> anyhow::Result<Puzzles> {
    match input {
        Input::Puzzles(puzzles) => Ok(puzzles),
        Input::Trace(trace) => bail!(
            "{} is a trace, not a puzzle; give the puzzle that it was made from (a trace is for \
             verify, show, film and frames)",
            trace.shown
        ),
    }
}

fn file(path: &Path) -> anyhow::Result<Input> {
    let shown = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!(
            "{shown} does not exist; check the name, and give a bundled puzzle without \
             --puzzle-file"
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("{shown} may not be read; change its permissions")
        }
        _ => anyhow!("{shown} cannot be opened ({error}); choose another file"),
    })?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        bail!("{shown} is a folder; name a puzzle file in it");
    }
    let bytes = read_most(file, &shown)?;
    from_bytes(bytes, shown, Some(path.to_path_buf()))
}

/// Tells a trace from puzzles, and says what other known files are.
fn from_bytes(bytes: Vec<u8>, shown: String, path: Option<PathBuf>) -> anyhow::Result<Input> {
    if bytes.get(4..8) == Some(b"ftyp") {
        bail!("{shown} is a film, not a puzzle; `proofreel audit` reads films");
    }
    let name = path.as_deref().map_or_else(|| "puzzle".to_string(), stem);
    match format_of(&bytes).as_deref() {
        Some("proofreel-trace") => {
            let trace = trace::read(&bytes, &shown)?;
            Ok(Input::Trace(Box::new(TraceInput {
                name,
                shown,
                trace,
                path,
            })))
        }
        Some(format @ ("proofreel-manifest" | "proofreel-audit")) => bail!(
            "{shown} is a {} file, not a puzzle or a trace; give the puzzle or trace itself",
            format.trim_start_matches("proofreel-")
        ),
        _ => Ok(Input::Puzzles(Puzzles {
            puzzles: puzzle::read(&bytes, &shown)?,
            name,
            shown,
            path,
            bundled: None,
        })),
    }
}

/// The whole of a source: a puzzle up to [`MAX_PUZZLE_BYTES`], a trace of any length.
fn read_most(mut source: impl Read, shown: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let broken = || format!("{shown} cannot be read to its end; copy it again");
    source
        .by_ref()
        .take(MAX_PUZZLE_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(broken)?;
    if bytes.len() as u64 > MAX_PUZZLE_BYTES {
        if format_of(&bytes).as_deref() != Some("proofreel-trace") {
            bail!(
                "{shown} is larger than {} MiB, more than any puzzle; split a list into smaller \
                 files",
                MAX_PUZZLE_BYTES >> 20
            );
        }
        source.read_to_end(&mut bytes).with_context(broken)?;
    }
    Ok(bytes)
}

/// The top-level "format" of a JSON object, looked for no further than needed, so that a file
/// that is cut off or faulty further on still says what it is.
fn format_of(bytes: &[u8]) -> Option<String> {
    struct Find<'a>(&'a mut Option<String>);

    impl<'de> Visitor<'de> for Find<'_> {
        type Value = ();

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(key) = map.next_key::<String>()? {
                if key == "format" {
                    *self.0 = Some(map.next_value()?);
                    return Ok(());
                }
                map.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }

    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut found = None;
    // What is left unread makes an error that says nothing about the format.
    let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(Find(&mut found));
    found
}

/// Whether an argument that is no file and no bundled name is meant as a puzzle's text: several
/// lines, JSON, or mostly what grids are made of.
fn looks_like_text(argument: &str) -> bool {
    let trimmed = argument.trim();
    let cells = trimmed
        .chars()
        .filter(|c| c.is_numeric() || matches!(c, '.' | '*' | '_' | '|' | ' ' | '+' | '='))
        .count();
    trimmed.contains(['\n', '\r'])
        || trimmed.starts_with('{')
        || trimmed.is_empty()
        || cells >= 9 && cells * 2 > trimmed.chars().count()
}

/// What to say about an argument that is none of these.
fn unknown(argument: &str) -> String {
    let shown: String = argument.chars().take(80).collect();
    if argument.contains(['/', '\\']) || Path::new(argument).extension().is_some() {
        return format!("{shown} does not exist; check the path");
    }
    match bundled::nearest(argument) {
        Some(near) => format!(
            "{shown} is neither a file, nor a bundled puzzle, nor a puzzle of 81 cells; is the \
             bundled puzzle {near} meant?"
        ),
        None => format!(
            "{shown} is neither a file, nor a bundled puzzle, nor a puzzle of 81 cells; \
             `proofreel boards` lists the bundled ones"
        ),
    }
}

/// A file's name without its extension, fit for any file system.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix(".trace").unwrap_or(&stem);
    let clean: String = stem
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '-'
            }
        })
        .take(80)
        .collect();
    if clean.trim_matches(['-', '.']).is_empty() {
        "puzzle".to_string()
    } else {
        clean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(count: usize) -> Puzzles {
        Puzzles {
            name: "list".to_string(),
            shown: "list.txt".to_string(),
            puzzles: vec![Puzzle::classic(); count],
            path: None,
            bundled: None,
        }
    }

    #[test]
    fn a_list_is_never_cut_to_its_first_puzzle_in_silence() {
        assert!(list(1).pick(None).is_ok());
        assert!(list(1).pick(Some(1)).is_ok());
        assert!(list(3).pick(Some(3)).is_ok());
        let said = |puzzles: Puzzles, pick| puzzles.pick(pick).unwrap_err().to_string();
        assert!(said(list(3), None).contains("holds 3 puzzles; choose one with --pick N"));
        assert!(said(list(3), Some(4)).contains("no puzzle 4"));
        assert!(said(list(3), Some(0)).contains("no puzzle 0"));
        assert!(said(list(1), Some(2)).contains("holds one puzzle"));
    }

    #[test]
    fn a_trace_is_known_by_its_format_even_when_cut_off() {
        let format = |text: &str| format_of(text.as_bytes());
        assert_eq!(
            format("{\"format\": \"proofreel-trace\", \"ver"),
            Some("proofreel-trace".into())
        );
        assert_eq!(
            format("\u{FEFF}{\"a\": [1, {}], \"format\": \"x\"}"),
            Some("x".into())
        );
        assert_eq!(
            format("{\"puzzle\": {\"format\": \"proofreel-trace\"}}"),
            None
        );
        assert_eq!(format("{\"format\": 3}"), None);
        assert_eq!(format("530070000"), None);
    }

    #[test]
    fn output_names_come_from_any_path_without_separators_or_suffixes() {
        let stem = |path: &str| stem(Path::new(path));
        assert_eq!(stem("a/b/demo.trace.json"), "demo");
        assert_eq!(stem("x y:z.txt"), "x-y-z");
        assert_eq!(stem("...."), "puzzle");
        assert_eq!(stem("题.sdk"), "题");
    }
}
