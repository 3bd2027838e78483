//! Where results go: a file that appears whole or not at all, or a stream.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// How a command shows what it found.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Table,
    Json,
}

/// A file under a name of its own until it is complete.
///
/// Something that is there already and is no regular file (a device, a pipe)
/// is written to as it is: it cannot be replaced.
pub struct Output {
    file: File,
    temporary: Option<Temporary>,
    path: PathBuf,
}

/// A file that is removed unless it gets its final name.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing better can be done about a file that does not go away.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Output {
    pub fn create(path: &Path) -> Result<Output> {
        // Elsewhere that is standard output, and nobody wants such a file.
        if path.as_os_str() == "-" {
            bail!("'-' is not taken for standard output; write ./- for a file of that name");
        }
        Output::open(path).with_context(|| format!("cannot write to {}", path.display()))
    }

    fn open(path: &Path) -> io::Result<Output> {
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Output { file, temporary: None, path: path.to_owned() });
        }
        // A link keeps pointing to the file that is written.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or_else(|| io::Error::from(ErrorKind::InvalidFilename))?;
        if path.exists() {
            OpenOptions::new().append(true).open(&path)?;
        }
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}", std::process::id()));
        let temporary = path.with_file_name(temporary);
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        Ok(Output { file, temporary: Some(Temporary(temporary)), path })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| format!("cannot write to {}", self.path.display()))
    }

    /// Gives the complete file its name.
    pub fn finish(mut self) -> Result<()> {
        if let Some(temporary) = self.temporary.take() {
            std::fs::rename(&temporary.0, &self.path)
                .with_context(|| format!("cannot write to {}", self.path.display()))?;
            std::mem::forget(temporary);
        }
        Ok(())
    }
}

/// A text of a stranger without anything that a terminal would obey, be it a
/// command or the direction of writing.
pub fn plain(text: &str) -> String {
    let is_obeyed = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_obeyed(c) { '\u{fffd}' } else { c }).collect()
}

pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}
