//! Which puzzle or trace an argument means.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::args::PuzzleSource;
use crate::puzzle::{self, Puzzle, bundled};

/// A puzzle file larger than this many bytes is refused: some 200,000 puzzles, one a line.
const MAX_PUZZLE_BYTES: u64 = 16 << 20;

/// What an argument stands for.
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
/// As [`resolve`].
pub fn resolve_argument(argument: &str) -> anyhow::Result<Puzzles> {
    if argument == "-" {
        return from_bytes(&standard_input()?, "standard input".to_string(), None);
    }
    let path = Path::new(argument);
    if path.exists() {
        return from_file(path);
    }
    if let Some(found) = bundled::find(argument) {
        return Ok(Puzzles {
            name: found.name.to_string(),
            shown: found.name.to_string(),
            puzzles: vec![found.read()?],
            path: None,
            bundled: Some(found),
        });
    }
    if looks_like_text(argument) {
        return from_text(argument);
    }
    bail!(unknown(argument))
}

/// A puzzle given literally.
fn from_text(text: &str) -> anyhow::Result<Puzzles> {
    let shown = "the puzzle text".to_string();
    from_bytes(text.as_bytes(), shown, None)
}

fn from_file(path: &Path) -> anyhow::Result<Puzzles> {
    let bytes = read_file(path, MAX_PUZZLE_BYTES)?;
    from_bytes(&bytes, path.display().to_string(), Some(path.to_path_buf()))
}

fn from_bytes(bytes: &[u8], shown: String, path: Option<PathBuf>) -> anyhow::Result<Puzzles> {
    let puzzles = puzzle::read(bytes, &shown)?;
    Ok(Puzzles {
        name: path.as_deref().map_or_else(|| "puzzle".to_string(), stem),
        shown,
        puzzles,
        path,
        bundled: None,
    })
}

/// A file's whole content, if it is a file and not too large.
fn read_file(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let shown = path.display();
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => anyhow::anyhow!(
            "{shown} does not exist; check the name (bundled puzzles are named without --puzzle-file)"
        ),
        std::io::ErrorKind::PermissionDenied => {
            anyhow::anyhow!("{shown} may not be read; change its permissions")
        }
        _ => anyhow::anyhow!("{shown} cannot be opened ({error}); choose another file"),
    })?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        bail!("{shown} is a folder; name a puzzle file in it");
    }
    read_most(file, most, &shown.to_string())
}

fn standard_input() -> anyhow::Result<Vec<u8>> {
    read_most(std::io::stdin().lock(), MAX_PUZZLE_BYTES, "standard input")
}

fn read_most(source: impl Read, most: u64, shown: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source
        .take(most + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("{shown} cannot be read to its end; is the medium sound?"))?;
    if bytes.len() as u64 > most {
        bail!(
            "{shown} is larger than {} MiB, more than any puzzle; split the list into smaller files",
            most >> 20
        );
    }
    Ok(bytes)
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
