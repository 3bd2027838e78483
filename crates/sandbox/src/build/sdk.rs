//! The SDK that is in the binary, laid out as files for the compilers.

use std::path::{Path, PathBuf};

use super::{BuildError, TemporaryFolder, hash};

include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// The folder with the SDK of this very binary, or the one that `LUDUS_SDK`
/// names, for those who work on it.
pub fn unpack(cache: &Path) -> Result<PathBuf, BuildError> {
    if let Some(folder) = std::env::var_os("LUDUS_SDK").filter(|folder| !folder.is_empty()) {
        return std::fs::canonicalize(folder).map_err(BuildError::io("LUDUS_SDK"));
    }
    let folder = cache.join(format!("sdk-{}", &key()[..16]));
    if folder.is_dir() {
        return Ok(folder);
    }
    let temporary = TemporaryFolder::new(cache)?;
    let fresh = temporary.path().join("sdk");
    for (name, content) in FILES {
        let path = fresh.join(name);
        let write = || {
            std::fs::create_dir_all(path.parent().expect("it is below the folder"))?;
            std::fs::write(&path, content)
        };
        write().map_err(BuildError::io(format!("cannot write {}", path.display())))?;
    }
    match std::fs::rename(&fresh, &folder) {
        Ok(()) => Ok(folder),
        // Somebody else was faster.
        Err(_) if folder.is_dir() => Ok(folder),
        Err(error) => Err(BuildError::io(format!("cannot make {}", folder.display()))(error)),
    }
}

/// A name for the content of the SDK.
pub fn key() -> String {
    let parts: Vec<&[u8]> = FILES.iter().flat_map(|(name, content)| [name.as_bytes(), content]).collect();
    hash(&parts)
}
