//! The process that works, under a name of its own, and how others know that it
//! is dead.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::secrets;

/// A process that takes jobs. While it lives it holds the lock of a file with
/// its name; the system lets go of the lock when the process dies, however it
/// does. Numbers of processes would not do: two containers have the same.
#[derive(Debug)]
pub struct Crew {
    name: String,
    /// As many as the machines have room for, which may change.
    workers: AtomicUsize,
    folder: Option<PathBuf>,
    /// Held for the lock on it.
    _lock: Option<File>,
}

impl Crew {
    /// Workers that leave no trace in a folder: others have to wait until their
    /// leases are over.
    pub fn unknown(workers: usize) -> Crew {
        Crew { name: secrets::short_token(), workers: AtomicUsize::new(workers), folder: None, _lock: None }
    }

    /// Workers that others on this machine can know to be dead, by a file in the
    /// folder that they share.
    pub fn enlist(folder: &Path, workers: usize) -> io::Result<Crew> {
        fs::create_dir_all(folder)?;
        let name = secrets::short_token();
        let lock = File::create_new(path(folder, &name))?;
        lock.lock()?;
        Ok(Crew { name, workers: AtomicUsize::new(workers), folder: Some(folder.to_owned()), _lock: Some(lock) })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn workers(&self) -> usize {
        self.workers.load(Ordering::Relaxed)
    }

    pub fn set_workers(&self, workers: usize) {
        self.workers.store(workers, Ordering::Relaxed);
    }

    /// Whether another crew is known to be dead. One of another machine has no
    /// file here, and nothing is known of it.
    pub fn is_dead(&self, other: &str) -> bool {
        let Some(folder) = &self.folder else { return false };
        let known = !other.is_empty() && other.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_');
        known && File::open(path(folder, other)).is_ok_and(|file| file.try_lock().is_ok())
    }

    /// Forgets a crew whose jobs have been given back.
    pub fn bury(&self, other: &str) {
        if let Some(folder) = self.folder.as_ref().filter(|_| self.is_dead(other)) {
            // One that stays is looked at again, and does no harm.
            let _ = fs::remove_file(path(folder, other));
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // One that stays counts as dead, and it is.
            let _ = fs::remove_file(path(folder, &self.name));
        }
    }
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.crew"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_told_from_the_living_and_from_strangers() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Crew::enlist(folder.path(), 1).unwrap(), Crew::enlist(folder.path(), 1).unwrap());
        assert!(!one.is_dead(two.name()) && !one.is_dead("elsewhere") && !one.is_dead("../x"));
        // What a process leaves behind that was killed: the file without the lock.
        File::create_new(path(folder.path(), "killed")).unwrap();
        assert!(one.is_dead("killed"));
        one.bury("killed");
        assert!(!one.is_dead("killed"));
    }
}
