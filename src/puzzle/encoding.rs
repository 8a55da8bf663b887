//! From bytes to text: byte order marks, UTF-16 by name, and where text is none.

use super::PuzzleError;

/// The text in `bytes`, without a byte order mark.
///
/// # Errors
/// If the bytes are UTF-16 or UTF-32 (named as such), not UTF-8, or nothing but blanks.
pub fn decode<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, PuzzleError> {
    if let Some(encoding) = wide_encoding(bytes) {
        return Err(PuzzleError::Encoding {
            name: name.to_string(),
            encoding,
        });
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
        let (line, column) = position(good);
        PuzzleError::NotText {
            name: name.to_string(),
            line,
            column,
        }
    })?;
    if text.trim().is_empty() {
        return Err(PuzzleError::Empty {
            name: name.to_string(),
        });
    }
    Ok(text)
}

/// The 1-based line and column (in characters) of what follows `before`. Lines end with LF, CR
/// or both.
pub fn position(before: &str) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    let mut previous = ' ';
    for c in before.chars() {
        match c {
            '\n' if previous == '\r' => {}
            '\n' | '\r' => {
                line += 1;
                column = 1;
            }
            _ => column += 1,
        }
        previous = c;
    }
    (line, column)
}

/// The name of the two- or four-byte encoding that the bytes are in, if they are.
///
/// Without a byte order mark it shows by the zero bytes beside ASCII characters, which UTF-8
/// text never has.
fn wide_encoding(bytes: &[u8]) -> Option<&'static str> {
    const LE: &str = "UTF-16 (little endian)";
    const BE: &str = "UTF-16 (big endian)";
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] => return Some("UTF-32 (little endian)"),
        [0, 0, 0xFE, 0xFF, ..] => return Some("UTF-32 (big endian)"),
        [0xFF, 0xFE, ..] => return Some(LE),
        [0xFE, 0xFF, ..] => return Some(BE),
        _ => {}
    }
    let head = &bytes[..bytes.len().min(256)];
    let zeros = |parity: usize| {
        head.iter()
            .skip(parity)
            .step_by(2)
            .filter(|&&b| b == 0)
            .count()
    };
    let half = head.len() / 2;
    if half < 2 {
        return None;
    }
    let (even, odd) = (zeros(0), zeros(1));
    if odd * 4 >= half * 3 && even == 0 {
        Some(LE)
    } else if even * 4 >= half * 3 && odd == 0 {
        Some(BE)
    } else {
        None
    }
}
