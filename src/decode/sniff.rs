//! What a file is by its first bytes, before any decoder is troubled with it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::DecodeError;

/// A file that may be a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniffed {
    /// Whether it begins like an MP4 or QuickTime file.
    pub mp4: bool,
}

/// Looks at the first bytes of a file.
///
/// # Errors
/// If it cannot be read, is empty or a folder, or is plainly something else than a film (a
/// picture, a text, an archive); the sentence says which.
pub fn sniff(path: &Path) -> Result<Sniffed, DecodeError> {
    let shown = path.display();
    let refuse = |what: &str| Err(DecodeError(format!("{shown} {what}")));
    let meta = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            DecodeError(format!("{shown} does not exist; give the film's file"))
        }
        _ => DecodeError(format!("{shown} cannot be read: {e}")),
    })?;
    if meta.is_dir() {
        return refuse("is a folder; give the film's file");
    }
    if !meta.is_file() {
        return refuse("is no ordinary file; give the film's file");
    }
    if meta.len() == 0 {
        return refuse("is empty; make or fetch the film again");
    }
    let mut head = Vec::new();
    File::open(path)
        .and_then(|f| f.take(512).read_to_end(&mut head))
        .map_err(|e| DecodeError(format!("{shown} cannot be read: {e}")))?;
    if let Some(kind) = foreign(&head) {
        return refuse(&format!("is {kind}, not a film; give the film's file"));
    }
    let mp4 = matches!(
        head.get(4..8),
        Some(b"ftyp" | b"moov" | b"mdat" | b"free" | b"wide" | b"skip")
    );
    Ok(Sniffed { mp4 })
}

/// What a file is that begins like this, where that is no film.
fn foreign(head: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 9] = [
        (b"\x89PNG", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"BM", "a BMP picture"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\x7fELF", "a program"),
        (b"ID3", "a sound file"),
    ];
    if let Some((_, kind)) = KINDS.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(kind);
    }
    if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        return Some("a WebP picture");
    }
    // A multi-byte character may be cut at the end of what was read.
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(e) if e.error_len().is_none() && e.valid_up_to() > 0 => {
            std::str::from_utf8(&head[..e.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let printable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    if !text.chars().all(printable) || text.starts_with("YUV4MPEG2") {
        return None;
    }
    Some(match text.trim_start().starts_with(['{', '[']) {
        true => "a JSON file",
        false => "a text file",
    })
}
