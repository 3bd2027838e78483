//! The `ludus` program that a kit carries: that of the server's platform, packed
//! once, when somebody wants it first.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::sync::OnceCell;

/// The largest program that is packed, and the most that it may take packed: it
/// stays in memory.
const LARGEST: u64 = 256 << 20;
const LARGEST_PACKED: usize = 48 << 20;

#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    packed: OnceCell<Option<Packed>>,
}

/// A file as a part of an archive: its size, and its content packed by gzip. Such
/// parts may follow each other.
#[derive(Clone, Debug)]
pub struct Packed {
    pub size: usize,
    pub bytes: Bytes,
}

impl Program {
    pub fn at(path: &Path) -> Result<Program> {
        ensure!(path.is_file(), "{} is no program: give the path of ludus with --ludus", path.display());
        Ok(Program { path: path.to_owned(), packed: OnceCell::new() })
    }

    /// The one beside this program, where both were installed together.
    pub fn beside() -> Option<Program> {
        let path = std::env::current_exe().ok()?.with_file_name("ludus");
        Program::at(&path).ok()
    }

    /// What the platform of this server is called.
    pub fn platform() -> String {
        format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
    }

    /// The program, packed. None if that cannot be done, which is noted once: a
    /// kit without it is better than none.
    pub async fn packed(self: &Arc<Program>) -> Option<Packed> {
        let program = self.clone();
        let pack = || async {
            let packed = tokio::task::spawn_blocking(move || pack(&program.path, LARGEST_PACKED)).await;
            match packed.map_err(anyhow::Error::from).flatten() {
                Ok(packed) => Some(packed),
                Err(error) => {
                    crate::log::error(&format!("kits go without the program: {error:#}"));
                    None
                }
            }
        };
        self.packed.get_or_init(pack).await.clone()
    }
}

fn pack(path: &Path, most: usize) -> Result<Packed> {
    let name = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(name)?.take(LARGEST + 1);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let size = std::io::copy(&mut file, &mut encoder).with_context(name)?;
    ensure!(size <= LARGEST, "{} is larger than {} MiB", path.display(), LARGEST >> 20);
    let bytes = encoder.finish()?;
    ensure!(bytes.len() <= most, "{} takes more than {} MiB", path.display(), most >> 20);
    Ok(Packed { size: usize::try_from(size)?, bytes: bytes.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_is_packed_once_or_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ludus");
        assert!(Program::at(&path).is_err());
        std::fs::write(&path, "program").unwrap();
        let program = Arc::new(Program::at(&path).unwrap());
        let first = program.packed().await.unwrap();
        std::fs::remove_file(&path).unwrap();
        let second = program.packed().await.unwrap();
        assert_eq!((first.size, first.bytes.as_ptr()), (7, second.bytes.as_ptr()));
        std::fs::write(&path, [7; 1000]).unwrap();
        assert!(pack(&path, 5).is_err(), "what would take too much memory is left out");
        let gone = Arc::new(Program::at(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(gone.packed().await.is_none());
    }
}
