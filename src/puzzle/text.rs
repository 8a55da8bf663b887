//! Classic puzzles as text: 81 cells, nine rows, or a list of 81-character lines.

use super::encoding::position;
use super::{Cell, Color, Puzzle, PuzzleError};

/// What is wrong at one place of a puzzle's text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// A character that is neither a cell nor decoration.
    #[error(
        "the character {0} is neither a digit 1-9, a blank (0 . * _) nor a ruler (| - + =); \
         take it out or correct it"
    )]
    Character(Shown),
    /// A numeral of another script.
    #[error("the character {0} is a numeral but not an ASCII digit; type a plain 1-9")]
    Numeral(Shown),
    /// A character that cannot be seen.
    #[error("there is an invisible character here ({0}); delete it")]
    Invisible(Shown),
    /// A row that is not nine cells long.
    #[error("this row has {cells} cells, a row has nine; {remedy}")]
    RowLength {
        /// What it has.
        cells: usize,
        /// What to do.
        remedy: RowRemedy,
    },
    /// Another number of rows than nine.
    #[error("there {}, a puzzle has nine; {}", rows_found(.rows), rows_remedy(.rows))]
    RowCount {
        /// How many were found.
        rows: usize,
    },
    /// A single line that is not 81 cells long.
    #[error(
        "this line has {cells} cells, a puzzle has 81; write 81 cells in one line or nine lines \
         of nine, with 0 or . for blanks"
    )]
    LineLength {
        /// What it has.
        cells: usize,
    },
    /// A line of a list that is not 81 cells long.
    #[error(
        "this line has {cells} cells, but every line of a list of puzzles has 81; correct the \
         line or put # before it"
    )]
    ListLength {
        /// What it has.
        cells: usize,
    },
    /// Nine rows joined by something into one line.
    #[error(
        "this line is 89 characters long, as nine rows of nine are when a character stands for \
         each line end; put each row on a line of its own, or leave exactly 81 characters"
    )]
    JoinedRows,
    /// A candidate list.
    #[error(
        "these 729 characters are a list of candidates, nine for each cell, not a puzzle; give \
         the 81 cells themselves, with 0 or . for blanks"
    )]
    Candidates,
    /// A section that .sdk files are not known to have.
    #[error("the section [{0}] is not known; only [Puzzle] (and [State], which is skipped) is")]
    Section(String),
    /// A second puzzle in one .sdk file.
    #[error("there is a second [Puzzle] section; put each puzzle into a file of its own")]
    SecondSection,
    /// Comments, rulers and blanks, but not one cell.
    #[error("there is no cell before this point; give 81 cells, with 0 or . for blanks")]
    NoCells,
}

/// What to do about a row's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowRemedy {
    /// Cells are missing at its end.
    TooShort,
    /// Spaces may have been meant as blanks.
    Spaces,
    /// Hyphens may have been meant as blanks.
    Hyphens,
    /// Cells are left over.
    TooLong,
}

impl std::fmt::Display for RowRemedy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RowRemedy::TooShort => "write 0 or . for each blank cell",
            RowRemedy::Spaces => {
                "a space is a blank only in a line of exactly nine characters: write 0 or . for \
                 each blank cell"
            }
            RowRemedy::Hyphens => "a hyphen is a ruler: write 0 or . for each blank cell",
            RowRemedy::TooLong => "take out what is too many",
        })
    }
}

fn rows_found(rows: &usize) -> String {
    match rows {
        1 => "is 1 row".to_string(),
        n => format!("are {n} rows"),
    }
}

fn rows_remedy(rows: &usize) -> &'static str {
    if *rows > 9 && rows.is_multiple_of(9) {
        "several puzzles in one file are written one a line, 81 characters each"
    } else if *rows > 9 {
        "take out what is too many"
    } else {
        "add the missing rows"
    }
}

/// A character as messages show it: itself, where it can be seen, and its code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown(pub char);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = u32::from(self.0);
        if self.0.is_ascii_graphic() {
            write!(f, "'{}'", self.0)
        } else if invisible(self.0) {
            write!(f, "U+{code:04X}")
        } else {
            write!(f, "'{}' (U+{code:04X})", self.0)
        }
    }
}

/// Whether a character shows nothing, or changes how its neighbours show.
fn invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(u32::from(c),
            0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF)
}

/// One line that holds cells.
struct Row {
    line: usize,
    /// Colours, 0 for blanks.
    cells: Vec<Color>,
    /// The 1-based column of each cell.
    columns: Vec<usize>,
    /// The column behind its last character.
    end: usize,
    /// Characters between its first and its last.
    width: usize,
    spaces: bool,
    hyphens: bool,
}

/// Where and what is wrong.
struct Fault {
    line: usize,
    column: usize,
    fault: TextFault,
}

/// Reads one puzzle or a list of them from text without a byte order mark.
///
/// # Errors
/// With line and column for anything that is not as the format says.
pub(super) fn read(text: &str, name: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    rows(text)
        .and_then(|rows| puzzles(&rows, text))
        .map_err(|fault| PuzzleError::Text {
            name: name.to_string(),
            line: fault.line,
            column: fault.column,
            fault: fault.fault,
        })
}

/// The lines of `text`, whichever way they end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\r', '\n']) else {
            rest = None;
            return Some(text);
        };
        let after = &text[end..];
        let ending = if after.starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&after[ending..]);
        Some(&text[..end])
    })
}

/// What a section's header switches to.
#[derive(PartialEq)]
enum Section {
    None,
    Puzzle,
    Skipped,
}

/// The lines that hold cells.
fn rows(text: &str) -> Result<Vec<Row>, Fault> {
    let mut rows: Vec<Row> = Vec::new();
    // Lines of nothing but nine spaces: rows of blanks or blank lines, decided at the end.
    let mut all_blank = Vec::new();
    let mut section = Section::None;
    for (index, raw) in lines(text).enumerate() {
        let line = index + 1;
        let trimmed = raw.trim_matches([' ', '\t']);
        if let Some(title) = header(trimmed) {
            let at = |fault| Fault {
                line,
                column: 1 + raw.chars().take_while(|c| *c != '[').count(),
                fault,
            };
            section = match title.to_ascii_lowercase().as_str() {
                "puzzle" if section == Section::None && rows.is_empty() => Section::Puzzle,
                "puzzle" => return Err(at(TextFault::SecondSection)),
                "state" => Section::Skipped,
                _ => return Err(at(TextFault::Section(title.chars().take(40).collect()))),
            };
            continue;
        }
        if section == Section::Skipped || trimmed.is_empty() && raw != "         " {
            continue;
        }
        if trimmed.is_empty() {
            all_blank.push((rows.len(), line));
            continue;
        }
        let code = raw.split('#').next().unwrap_or("");
        if code.trim_matches([' ', '\t']).is_empty() || is_ruler(code) {
            continue;
        }
        rows.push(row(code, line)?);
    }
    if rows.len() + all_blank.len() == 9 && rows.iter().all(|r| r.cells.len() == 9) {
        for (before, line) in all_blank.into_iter().rev() {
            rows.insert(
                before,
                Row {
                    line,
                    cells: vec![0; 9],
                    columns: (1..=9).collect(),
                    end: 10,
                    width: 9,
                    spaces: true,
                    hyphens: false,
                },
            );
        }
    }
    Ok(rows)
}

/// The name in a section header such as `[Puzzle]`.
fn header(trimmed: &str) -> Option<&str> {
    let name = trimmed.strip_prefix('[')?.strip_suffix(']')?;
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(name)
}

/// Whether a line is nothing but decoration. Borders such as `*-----------*` and
/// `.-------.-------.` have corners that elsewhere are blanks.
fn is_ruler(line: &str) -> bool {
    let corners = line.chars().filter(|c| matches!(c, '*' | '.')).count();
    let border = corners <= 4 && (line.contains("---") || line.contains("==="));
    line.chars().all(|c| match c {
        '|' | '-' | '+' | '=' | ' ' | '\t' => true,
        '*' | '.' => border,
        _ => false,
    })
}

/// One line's cells.
fn row(code: &str, line: usize) -> Result<Row, Fault> {
    let trimmed = code.trim_matches([' ', '\t']);
    // (colour, column, whether it is a space)
    let mut places = Vec::new();
    for (index, c) in code.chars().enumerate() {
        let color = match c {
            '1'..='9' => c as u8 - b'0',
            '0' | '.' | '*' | '_' | ' ' => 0,
            '\t' | '|' | '-' | '+' | '=' => continue,
            _ => {
                let fault = if trimmed.chars().count() == 89 {
                    TextFault::JoinedRows
                } else if c.is_numeric() {
                    TextFault::Numeral(Shown(c))
                } else if invisible(c) {
                    TextFault::Invisible(Shown(c))
                } else {
                    TextFault::Character(Shown(c))
                };
                return Err(Fault {
                    line,
                    column: index + 1,
                    fault,
                });
            }
        };
        places.push((color, index + 1, c == ' '));
    }
    let written = || places.iter().filter(|p| !p.2);
    let first = places.iter().position(|p| !p.2).unwrap_or(0);
    let last = places.iter().rposition(|p| !p.2).unwrap_or(0);
    // Spaces are blanks in a line of nine characters, as it stands or without what is around it.
    let chosen: Vec<_> = if written().count() == 9 {
        written().collect()
    } else if places.len() == 9 {
        places.iter().collect()
    } else if last - first == 8 {
        places[first..=last].iter().collect()
    } else {
        written().collect()
    };
    Ok(Row {
        line,
        cells: chosen.iter().map(|p| p.0).collect(),
        columns: chosen.iter().map(|p| p.1).collect(),
        end: code.trim_end_matches([' ', '\t']).chars().count() + 1,
        width: trimmed.chars().count(),
        spaces: trimmed.contains([' ', '\t']),
        hyphens: code.contains('-'),
    })
}

/// Puzzles from rows, or what is wrong with their number or lengths.
fn puzzles(rows: &[Row], text: &str) -> Result<Vec<Puzzle>, Fault> {
    let Some(first) = rows.first() else {
        let (line, column) = position(text);
        return Err(Fault {
            line,
            column,
            fault: TextFault::NoCells,
        });
    };
    let at = |line, column, fault| Fault {
        line,
        column,
        fault,
    };
    let total: usize = rows.iter().map(|r| r.cells.len()).sum();
    let list = rows.iter().all(|r| r.cells.len() == 81 && r.width != 89);
    if total == 729 && (!list || looks_like_candidates(rows)) {
        return Err(at(first.line, first.columns[0], TextFault::Candidates));
    }
    if list {
        return Ok(rows.iter().map(|r| puzzle(r.cells.iter())).collect());
    }
    if let Some(row) = rows.iter().find(|r| r.width == 89 && r.cells.len() != 9) {
        let column = row.columns.first().copied().unwrap_or(1) + 81;
        return Err(at(row.line, column, TextFault::JoinedRows));
    }
    if rows.len() == 1 && first.cells.len() != 9 {
        let fault = TextFault::LineLength {
            cells: first.cells.len(),
        };
        return Err(at(first.line, beyond(first, 81), fault));
    }
    if first.cells.len() == 81 {
        for row in rows {
            if row.cells.len() != 81 {
                let cells = row.cells.len();
                return Err(at(
                    row.line,
                    beyond(row, 81),
                    TextFault::ListLength { cells },
                ));
            }
        }
    }
    for row in rows {
        let cells = row.cells.len();
        if cells != 9 {
            let remedy = match () {
                () if cells > 9 => RowRemedy::TooLong,
                () if row.hyphens => RowRemedy::Hyphens,
                () if row.spaces => RowRemedy::Spaces,
                () => RowRemedy::TooShort,
            };
            let fault = TextFault::RowLength { cells, remedy };
            return Err(at(row.line, beyond(row, 9), fault));
        }
    }
    if rows.len() != 9 {
        let fault = TextFault::RowCount { rows: rows.len() };
        let (line, column) = match rows.get(9) {
            Some(row) => (row.line, row.columns[0]),
            None => (rows[rows.len() - 1].line, rows[rows.len() - 1].end),
        };
        return Err(at(line, column, fault));
    }
    Ok(vec![puzzle(rows.iter().flat_map(|r| r.cells.iter()))])
}

/// The column of the first cell too many, or behind the line where cells are missing.
fn beyond(row: &Row, wanted: usize) -> usize {
    row.columns.get(wanted).copied().unwrap_or(row.end)
}

/// Whether every filled place of a list of nine lines holds the digit that its place in a group
/// of nine stands for: no list of puzzles looks like that.
fn looks_like_candidates(rows: &[Row]) -> bool {
    let filled = rows
        .iter()
        .flat_map(|r| r.cells.iter().enumerate())
        .filter(|(_, c)| **c != 0);
    let mut any = false;
    for (index, cell) in filled {
        if usize::from(*cell) != index % 9 + 1 {
            return false;
        }
        any = true;
    }
    any
}

/// The classic puzzle with these 81 cells.
fn puzzle<'a>(cells: impl Iterator<Item = &'a Color>) -> Puzzle {
    let mut puzzle = Puzzle::classic();
    for (index, &color) in cells.enumerate() {
        if color != 0 {
            let cell = Cell {
                row: index as u16 / 9 + 1,
                col: index as u16 % 9 + 1,
            };
            puzzle.givens.insert(cell, color);
        }
    }
    puzzle
}

#[cfg(test)]
mod tests;
