//! A store in a folder: a file for every hash.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use super::{Faults, Lost, StoreOp, is_hash};
use crate::secrets;

#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// What the names of unfinished files begin with.
const NEW: &str = "new-";

impl Folder {
    pub fn open(path: &str) -> Result<Folder> {
        let folder = PathBuf::from(path);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the store {}", folder.display()))?;
        Ok(Folder(folder))
    }

    /// Two letters of the hash keep the folders small.
    fn path(&self, hash: &str) -> PathBuf {
        self.0.join(&hash[..2]).join(&hash[2..])
    }

    pub fn put(&self, hash: &str, bytes: &[u8], faults: &Faults, waits: bool) -> Result<()> {
        let path = self.path(hash);
        if is_there(&path, bytes) {
            return Ok(());
        }
        write(&path, bytes, faults, waits).context("cannot write to the store")
    }

    /// Several files, all of which are on the disk when this returns if that is to be
    /// waited for. Until then nobody knows of them; one that a power cut leaves damaged
    /// is found out when it is put again, and is nobody's else.
    pub fn put_all(&self, all: &[(String, &[u8])], faults: &Faults, waits: bool) -> Result<()> {
        let mut is_new = false;
        for (hash, bytes) in all {
            let path = self.path(hash);
            if !is_there(&path, bytes) {
                is_new = true;
                write_new(&path, bytes, faults).context("cannot write to the store")?;
            }
        }
        if is_new && waits {
            faults.check(StoreOp::Sync).context("cannot write to the store")?;
            self.sync().context("cannot write to the store")?;
        }
        Ok(())
    }

    /// Waits until all that was written is on the disk.
    fn sync(&self) -> io::Result<()> {
        Ok(rustix::fs::syncfs(File::open(&self.0)?)?)
    }

    pub fn probe(&self, bytes: &[u8]) -> io::Result<()> {
        let path = self.0.join(format!("probe-{}", secrets::short_token()));
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        // One that stays is small, and the next look says why it stays.
        let _ = fs::remove_file(&path);
        written
    }

    pub fn get(&self, hash: &str) -> Result<Vec<u8>> {
        fs::read(self.path(hash)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Lost::Missing(hash.to_owned()).into(),
            _ => anyhow::Error::new(error).context(format!("cannot read {hash}")),
        })
    }

    pub fn remove(&self, hash: &str, unused: Duration) -> Result<bool> {
        let path = self.path(hash);
        let Ok(about) = fs::metadata(&path) else { return Ok(true) };
        if !is_older(&about, unused) {
            return Ok(false);
        }
        fs::remove_file(&path).with_context(|| format!("cannot remove {hash}"))?;
        Ok(true)
    }

    pub fn unused(&self, start: u8, unused: Duration) -> Result<Vec<String>> {
        let start = format!("{start:02x}");
        let mut found = Vec::new();
        for (name, about) in files(&self.0.join(&start))? {
            let hash = format!("{start}{name}");
            if is_hash(&hash) && is_older(&about, unused) {
                found.push(hash);
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes files that somebody began to write so long ago.
    pub fn sweep(&self, age: Duration) -> Result<()> {
        for start in 0..=u8::MAX {
            let folder = self.0.join(format!("{start:02x}"));
            for (name, about) in files(&folder)? {
                if name.starts_with(NEW) && is_older(&about, age) {
                    // Another process may sweep at the same time.
                    let _ = fs::remove_file(folder.join(name));
                }
            }
        }
        Ok(())
    }
}

/// The files in a folder, none if there is no such folder.
fn files(folder: &Path) -> Result<Vec<(String, Metadata)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot list {}", folder.display())),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        // A file that goes away meanwhile is none.
        if let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) {
            files.push((name, about));
        }
    }
    Ok(files)
}

/// A clock that was set back makes files young, never old.
fn is_older(about: &Metadata, age: Duration) -> bool {
    let modified = about.modified().unwrap_or(SystemTime::now());
    SystemTime::now().duration_since(modified).is_ok_and(|passed| passed >= age)
}

fn touch(path: &Path) -> io::Result<()> {
    File::options().append(true).open(path)?.set_modified(SystemTime::now())
}

/// Whether a file has these bytes. One that does may be about to be removed.
fn is_there(path: &Path, bytes: &[u8]) -> bool {
    // Most are not there at all, and need not be read.
    fs::metadata(path).is_ok_and(|about| about.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes)
        && touch(path).is_ok()
        && path.is_file()
}

/// A file of which nobody knows yet is written in its place. Where there is one it may
/// be damaged, or another's who writes the same, and is replaced.
fn write_new(path: &Path, bytes: &[u8], faults: &Faults) -> io::Result<()> {
    faults.check(StoreOp::Create)?;
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        // There is a file, or no folder.
        Err(_) => return write(path, bytes, faults, false),
    };
    let written = faults.check(StoreOp::Write).and_then(|()| file.write_all(bytes));
    if written.is_err() {
        // What stays is found out when it is put again.
        let _ = fs::remove_file(path);
    }
    written
}

/// The file appears whole, and is on the disk when this returns if that is to be
/// waited for. If that does not work, nothing of it is left.
fn write(path: &Path, bytes: &[u8], faults: &Faults, waits: bool) -> io::Result<()> {
    let folder = path.parent().expect("the hash has two parts");
    faults.check(StoreOp::Create)?;
    if !folder.is_dir() {
        fs::create_dir_all(folder)?;
    }
    let temporary = folder.join(format!("{NEW}{}", secrets::short_token()));
    let written = write_through(&temporary, path, bytes, faults, waits);
    if written.is_err() {
        // The trouble is told; where even this fails, the next start sweeps.
        let _ = fs::remove_file(&temporary);
    }
    written?;
    if waits { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn write_through(temporary: &Path, path: &Path, bytes: &[u8], faults: &Faults, waits: bool) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    faults.check(StoreOp::Write)?;
    file.write_all(second)?;
    if waits {
        faults.check(StoreOp::Sync)?;
        file.sync_all()?;
    }
    faults.check(StoreOp::Rename)?;
    fs::rename(temporary, path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap()).unwrap();
        (folder, store)
    }

    #[test]
    fn what_is_put_together_is_whole_or_not_there() {
        let things: Vec<Vec<u8>> = (0..6).map(|k| format!("replay {k}").into_bytes()).collect();
        let things: Vec<&[u8]> = things.iter().map(Vec::as_slice).collect();
        for failing in [StoreOp::Create, StoreOp::Write, StoreOp::Sync] {
            let (folder, store) = store();
            let full = store.clone().with_faults(move |op| match op == failing {
                true => Err(io::Error::from(io::ErrorKind::StorageFull)),
                false => Ok(()),
            });
            assert!(full.put_all(&things).is_err());
            for start in fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
                for file in fs::read_dir(start).unwrap() {
                    assert!(things.contains(&&fs::read(file.unwrap().path()).unwrap()[..]), "{failing:?}");
                }
            }
            let hashes = store.put_all(&things).unwrap();
            // One that a power cut left damaged is whole when it is put again.
            fs::write(path(&folder, &hashes[2]), b"rep").unwrap();
            assert_eq!(store.put_all(&things).unwrap(), hashes);
            for (hash, bytes) in hashes.iter().zip(&things) {
                assert_eq!(store.get(hash).unwrap(), *bytes);
            }
        }
    }

    fn path(folder: &tempfile::TempDir, hash: &str) -> PathBuf {
        folder.path().join(&hash[..2]).join(&hash[2..])
    }

    #[test]
    fn what_is_put_can_be_got_and_damage_is_found_and_mended() {
        let (folder, store) = store();
        let hash = store.put(b"a replay").unwrap();
        assert_eq!(store.put(b"a replay").unwrap(), hash);
        assert_eq!(store.get(&hash).unwrap(), b"a replay");
        for damage in ["another", ""] {
            fs::write(path(&folder, &hash), damage).unwrap();
            let error = store.get(&hash).unwrap_err();
            assert_eq!(Lost::of(&error), Some(&Lost::Damaged(hash.clone())));
            store.put(b"a replay").unwrap();
            assert_eq!(store.get(&hash).unwrap(), b"a replay");
        }
        fs::remove_file(path(&folder, &hash)).unwrap();
        assert_eq!(Lost::of(&store.get(&hash).unwrap_err()), Some(&Lost::Missing(hash.clone())));
        for wrong in ["", "../../etc/passwd", &"g".repeat(64), &"A".repeat(64)] {
            assert!(store.get(wrong).is_err_and(|error| Lost::of(&error).is_none()));
            assert!(store.remove(wrong, Duration::ZERO).is_err());
        }
    }

    #[test]
    fn a_write_that_fails_anywhere_leaves_nothing() {
        for failing in [StoreOp::Create, StoreOp::Write, StoreOp::Sync, StoreOp::Rename] {
            let (folder, store) = store();
            let full = store.clone().with_faults(move |op| match op == failing {
                true => Err(io::Error::from(io::ErrorKind::StorageFull)),
                false => Ok(()),
            });
            let error = full.put(b"a replay of some length").unwrap_err();
            let cause = error.root_cause().downcast_ref::<io::Error>().unwrap();
            assert_eq!(cause.kind(), io::ErrorKind::StorageFull, "{failing:?}");
            let left: Vec<_> =
                (0..=255).flat_map(|start| files(&folder.path().join(format!("{start:02x}"))).unwrap()).collect();
            assert!(left.is_empty(), "{failing:?}: {left:?}");
            let hash = store.put(b"a replay of some length").unwrap();
            assert_eq!(store.get(&hash).unwrap(), b"a replay of some length");
        }
    }

    #[test]
    fn many_are_put_as_one_is() {
        let (folder, store) = store();
        let all: Vec<Vec<u8>> = (0..6).map(|k| vec![k; 100]).collect();
        let all: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let hashes = store.put_all(&all).unwrap();
        fs::write(path(&folder, &hashes[0]), [9; 100]).unwrap();
        fs::remove_file(path(&folder, &hashes[1])).unwrap();
        assert_eq!(store.put_all(&all).unwrap(), hashes);
        for (hash, bytes) in hashes.iter().zip(all) {
            assert_eq!((store.put(bytes).unwrap(), store.get(hash).unwrap()), (hash.clone(), bytes.to_vec()));
        }
    }

    #[test]
    fn who_does_not_wait_for_the_disk_does_not_ask_for_it() {
        let (_folder, store) = store();
        let slow = store.with_faults(|op| match op {
            StoreOp::Sync => Err(io::Error::from(io::ErrorKind::TimedOut)),
            _ => Ok(()),
        });
        let things: [&[u8]; 4] = [b"one", b"two", b"three", b"four"];
        assert!(slow.put(things[0]).is_err() && slow.put_all(&things).is_err());
        let quick = slow.without_waiting();
        for hash in quick.put_all(&things).unwrap().into_iter().chain([quick.put(b"five").unwrap()]) {
            assert!(quick.get(&hash).is_ok());
        }
    }

    #[test]
    fn unfinished_files_are_swept_at_the_start_and_no_others() {
        let (folder, store) = store();
        let hash = store.put(b"whole").unwrap();
        let beside = path(&folder, &hash).parent().unwrap().to_owned();
        let (old, young) = (beside.join("new-old"), beside.join("new-young"));
        fs::write(&old, b"hal").unwrap();
        fs::write(&young, b"hal").unwrap();
        let yesterday = SystemTime::now() - Duration::from_secs(86_400);
        for path in [&old, &path(&folder, &hash)] {
            File::options().append(true).open(path).unwrap().set_modified(yesterday).unwrap();
        }
        let again = Store::open(folder.path().to_str().unwrap()).unwrap();
        assert!(!old.exists() && young.exists());
        assert_eq!(again.get(&hash).unwrap(), b"whole");
    }

    #[test]
    fn only_what_has_not_been_put_for_long_is_removed() {
        let (folder, store) = store();
        let hash = store.put(b"old").unwrap();
        let (hour, start) = (Duration::from_secs(3600), u8::from_str_radix(&hash[..2], 16).unwrap());
        assert!(!store.remove(&hash, hour).unwrap());
        assert!(store.unused(start, hour).unwrap().is_empty());
        let file = File::options().append(true).open(path(&folder, &hash)).unwrap();
        file.set_modified(SystemTime::now() - 2 * hour).unwrap();
        assert_eq!(store.unused(start, hour).unwrap(), std::slice::from_ref(&hash));
        // Whoever needs it again keeps it.
        store.put(b"old").unwrap();
        assert!(!store.remove(&hash, hour).unwrap());
        assert!(store.remove(&hash, Duration::ZERO).unwrap());
        assert_eq!(Lost::of(&store.get(&hash).unwrap_err()), Some(&Lost::Missing(hash.clone())));
        assert!(store.remove(&hash, hour).unwrap(), "what is gone is gone");
    }
}
