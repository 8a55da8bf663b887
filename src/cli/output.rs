//! Writing files: beside the final name first, then renamed; nothing is overwritten unasked.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tempfile::TempPath;

/// A file on its way to its final name. Dropped before [`Pending::commit`], it vanishes.
pub struct Pending {
    temporary: TempPath,
    target: PathBuf,
    replace: bool,
}

impl Pending {
    /// Reserves a temporary name in the folder of `target`, which must not exist unless
    /// `replace` is set, and must not be one of `inputs` in any case.
    ///
    /// # Errors
    /// If the target is taken, or its folder cannot be written.
    pub fn new(target: &Path, replace: bool, inputs: &[&Path]) -> anyhow::Result<Self> {
        let shown = target.display();
        for input in inputs {
            if same_file(input, target) {
                bail!("{shown} is the input itself; give the output another name");
            }
        }
        if target.is_dir() {
            bail!("{shown} is a folder; give a file name");
        }
        if target.exists() && !replace {
            bail!("{shown} exists already; add --force to replace it, or give another name");
        }
        let folder = match target.parent() {
            Some(p) if !p.as_os_str().is_empty() => p,
            _ => Path::new("."),
        };
        let name = target
            .file_name()
            .with_context(|| format!("{shown} is not a file name; give one"))?
            .to_string_lossy();
        // The extension stays, since encoders choose the container by it.
        let suffix = match target.extension() {
            Some(e) => format!(".{}", e.to_string_lossy()),
            None => String::new(),
        };
        let temporary = tempfile::Builder::new()
            .prefix(&format!(".{name}.part-"))
            .suffix(&suffix)
            .tempfile_in(folder)
            .map_err(|error| unwritable(target, folder, error.kind()))?
            .into_temp_path();
        Ok(Pending {
            temporary,
            target: target.to_path_buf(),
            replace,
        })
    }

    /// Where to write until then.
    pub fn path(&self) -> &Path {
        &self.temporary
    }

    /// Moves the finished file to its final name.
    ///
    /// # Errors
    /// If it cannot be renamed, or something took the name meanwhile.
    pub fn commit(self) -> anyhow::Result<()> {
        let shown = self.target.display().to_string();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private; what the user asked for is an ordinary file.
            let _ =
                std::fs::set_permissions(&self.temporary, std::fs::Permissions::from_mode(0o644));
        }
        if self.replace {
            self.temporary.persist(&self.target).map_err(|e| e.error)
        } else {
            self.temporary
                .persist_noclobber(&self.target)
                .map_err(|e| e.error)
        }
        .with_context(|| format!("{shown} could not be put in place"))
    }
}

/// Writes a whole file through [`Pending`].
///
/// # Errors
/// As [`Pending::new`], or if the disk is full.
pub fn write_file(
    target: &Path,
    replace: bool,
    inputs: &[&Path],
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let pending = Pending::new(target, replace, inputs)?;
    let file = std::fs::File::create(pending.path())
        .with_context(|| format!("{} cannot be written", target.display()))?;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, file);
    fill(&mut out)?;
    out.flush().with_context(|| {
        format!(
            "{} could not be written to its end; is the disk full?",
            target.display()
        )
    })?;
    drop(out);
    pending.commit()
}

/// Why nothing can be written beside a target. The error itself would name the temporary file,
/// which nobody asked for.
fn unwritable(target: &Path, folder: &Path, why: ErrorKind) -> anyhow::Error {
    let (shown, folder) = (target.display(), folder.display());
    match why {
        ErrorKind::NotFound => anyhow!(
            "{shown} cannot be written, since the folder {folder} does not exist; create it, or \
             choose another"
        ),
        ErrorKind::NotADirectory => {
            anyhow!(
                "{shown} cannot be written, since {folder} is not a folder; choose another name"
            )
        }
        ErrorKind::PermissionDenied => anyhow!(
            "{shown} cannot be written, since the folder {folder} may not be written to; change \
             its permissions, or choose another"
        ),
        ErrorKind::InvalidFilename => {
            anyhow!("{shown} cannot be written, since its name is too long; choose a shorter one")
        }
        why => anyhow!(
            "{shown} cannot be written in the folder {folder} ({why}); choose another folder"
        ),
    }
}

/// Whether two paths name one existing file.
fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
