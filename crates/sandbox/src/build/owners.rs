//! Who owns files and may read them, where systems have such notions.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

#[cfg(unix)]
pub use unix::{changed, make_private, of, open_itself, set_mode};

#[cfg(unix)]
mod unix {
    use std::fs::{DirBuilder, OpenOptions, Permissions};
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};

    use super::{File, Metadata, Path, io};

    /// A folder that nobody else can enter.
    pub fn make_private(folder: &Path) -> io::Result<()> {
        DirBuilder::new().mode(0o700).create(folder)
    }

    pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
        std::fs::set_permissions(path, Permissions::from_mode(mode))
    }

    /// Opens what has this name and not what a link of this name leads to, and
    /// waits for nobody.
    pub fn open_itself(path: &Path) -> io::Result<File> {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC;
        OpenOptions::new().read(true).custom_flags(flags).open(path)
    }

    /// When it was changed, in words.
    pub fn changed(found: &Metadata) -> String {
        format!("{} {}", found.mtime(), found.mtime_nsec())
    }

    pub fn of(found: &Metadata) -> u32 {
        found.uid()
    }
}

/// Elsewhere folders of users are private by themselves, and there is no jail
/// whose user would have to be let in.
#[cfg(not(unix))]
mod elsewhere {
    use super::{File, Metadata, Path, io};

    pub fn make_private(folder: &Path) -> io::Result<()> {
        std::fs::create_dir(folder)
    }

    pub fn set_mode(_: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub fn open_itself(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    pub fn changed(found: &Metadata) -> String {
        format!("{:?}", found.modified().ok())
    }

    pub fn of(_: &Metadata) -> u32 {
        0
    }
}

#[cfg(not(unix))]
pub use elsewhere::{changed, make_private, of, open_itself, set_mode};
