//! The SDK that is in the binary, laid out as files for the compilers.

use std::path::{Path, PathBuf};

use super::{BuildError, folder, hash};

include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// The files of the SDK that is in this binary: name and content.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// A folder with the SDK, and a name for its content.
pub struct Sdk {
    pub folder: PathBuf,
    pub key: String,
}

impl Sdk {
    /// The SDK of this very binary, or the one in the folder that `LUDUS_SDK`
    /// names, for those who work on it.
    pub fn find(cache: &Path) -> Result<Sdk, BuildError> {
        if let Some(folder) = std::env::var_os("LUDUS_SDK").filter(|folder| !folder.is_empty()) {
            let folder = std::fs::canonicalize(folder).map_err(BuildError::io("LUDUS_SDK"))?;
            let mut files = Vec::new();
            read_files(&folder, &mut files).map_err(BuildError::io("LUDUS_SDK"))?;
            files.sort();
            let parts: Vec<&[u8]> =
                files.iter().flat_map(|(path, text)| [path.as_os_str().as_encoded_bytes(), &**text]).collect();
            return Ok(Sdk { key: hash(&parts), folder });
        }
        let parts: Vec<&[u8]> =
            FILES.iter().flat_map(|(name, content)| [name.as_bytes(), content.as_bytes()]).collect();
        let key = hash(&parts);
        let folder = cache.join(format!("sdk-{}", &key[..16]));
        folder::once(&folder, |fresh, _| unpack(fresh))?;
        Ok(Sdk { folder, key })
    }
}

fn unpack(fresh: &Path) -> Result<(), BuildError> {
    for (name, content) in FILES {
        let path = fresh.join(name);
        let write = || {
            std::fs::create_dir_all(path.parent().expect("it is below the folder"))?;
            std::fs::write(&path, content)
        };
        write().map_err(BuildError::io(format!("cannot write {}", path.display())))?;
    }
    Ok(())
}

/// Every file below a folder, except what cargo leaves there.
fn read_files(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if !entry.file_type()?.is_dir() {
            let text = std::fs::read(&path)?;
            files.push((path, text));
        } else if entry.file_name() != "target" {
            read_files(&path, files)?;
        }
    }
    Ok(())
}
