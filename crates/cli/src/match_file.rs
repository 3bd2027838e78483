//! From a path to a match that can be watched.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use ludus_arena::MatchFile;
use ludus_view::LARGEST_FILE;

/// What packed files begin with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

pub fn open(path: &Path) -> Result<MatchFile> {
    MatchFile::open(&read(path)?).with_context(|| path.display().to_string())
}

/// The content of a match file, unpacked if it is packed.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut bytes = capped(file).with_context(|| format!("cannot read {name}"))?;
    if bytes.starts_with(&GZIP) {
        bytes = capped(GzDecoder::new(&bytes[..])).with_context(|| format!("cannot unpack {name}"))?;
    }
    if bytes.len() as u64 > LARGEST_FILE {
        bail!("{name} is too large to be a match: it has more than {} MB", LARGEST_FILE >> 20);
    }
    Ok(bytes)
}

/// At most a byte more than is allowed.
fn capped(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
