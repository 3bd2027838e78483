//! Folders of the cache: those to work in, which go away, and those that are
//! made once and then only read.
//!
//! Several processes may share a cache, on one machine or in two containers
//! with the same process ids, so names are drawn and owners hold locks: a lock
//! that nobody holds belongs to somebody who is gone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{BuildError, hash, hex, owners};

/// What a folder to work in is called, and what while it has no lock yet. A
/// drawn name follows.
const WORK: &str = "work-";
const NEW: &str = ".new-";
/// The bytes of a drawn name, which has two digits for each.
const DRAWN: usize = 16;
const LOCK: &str = "lock";
/// The hash of everything else in a folder that was made once.
const SEAL: &str = "seal";

/// Nobody needs longer than this to lock a folder that it has made.
const LONGEST_WITHOUT_LOCK: Duration = Duration::from_secs(3600);

/// A folder that goes away: one that nobody but us can enter, and in it one to
/// which everybody may write. The user of a jail, who is not us where we are
/// root, is let in by being shown the inner one alone. So nothing is ever given
/// to another user, which would be the end of a machine if it were done to a
/// wrong folder.
pub(crate) struct TemporaryFolder {
    whole: PathBuf,
    inside: PathBuf,
    /// Held for as long as the folder is needed.
    _lock: File,
}

impl TemporaryFolder {
    pub fn new(cache: &Path) -> Result<TemporaryFolder, BuildError> {
        Self::make(cache).map_err(BuildError::io(format!("cannot make a folder in {}", cache.display())))
    }

    fn make(cache: &Path) -> io::Result<TemporaryFolder> {
        fs::create_dir_all(cache)?;
        let name = drawn_name()?;
        let (new, whole) = (cache.join(format!("{NEW}{name}")), cache.join(format!("{WORK}{name}")));
        owners::make_private(&new)?;
        let lock = File::create(new.join(LOCK))?;
        lock.lock()?;
        fs::rename(&new, &whole)?;
        let inside = whole.join("inside");
        fs::create_dir(&inside)?;
        owners::set_mode(&inside, 0o777)?;
        Ok(TemporaryFolder { whole, inside, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.inside
    }

    /// Puts a file here that the jail's user can read.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.inside.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        owners::set_mode(&path, 0o644)?;
        file.write_all(content)
    }

    /// What a compiler left here under a name: a file and nothing else, of a
    /// size that it may have.
    pub fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let file = owners::open_itself(&self.inside.join(name))?;
        let found = file.metadata()?;
        if !found.is_file() || found.len() > most {
            return Err(io::Error::other(format!("{name} is not a file of at most {most} bytes")));
        }
        let mut content = Vec::new();
        file.take(most).read_to_end(&mut content)?;
        Ok(content)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // A folder that stays is swept at the next start.
        let _ = fs::remove_dir_all(&self.whole);
    }
}

/// Removes the folders of those who are gone, and nothing else: what is not
/// called as we call ours is left alone, whatever the cache is.
pub(crate) fn sweep(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if is_abandoned(&entry) {
            // Whoever else sweeps may have been faster.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_str().unwrap_or_default();
    let is_old = || {
        let changed = entry.metadata().and_then(|found| found.modified()).ok();
        changed.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > LONGEST_WITHOUT_LOCK)
    };
    let is_drawn = |name: &str| name.len() == 2 * DRAWN && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if name.strip_prefix(WORK).is_some_and(is_drawn) {
        File::open(entry.path().join(LOCK)).map_or_else(|_| is_old(), |lock| lock.try_lock().is_ok())
    } else {
        name.strip_prefix(NEW).is_some_and(is_drawn) && is_old()
    }
}

/// Fills a folder unless it is there. It appears whole or not at all, and of
/// several that want it one makes it while the others wait.
pub(crate) fn once<E: From<BuildError>>(
    folder: &Path,
    fill: impl FnOnce(&Path, &TemporaryFolder) -> Result<(), E>,
) -> Result<(), E> {
    if folder.is_dir() {
        return Ok(());
    }
    let about = || BuildError::io(format!("cannot make {}", folder.display()));
    let cache = folder.parent().unwrap_or(folder);
    fs::create_dir_all(cache).map_err(about())?;
    let lock = File::create(folder.with_extension("lock")).map_err(about())?;
    lock.lock().map_err(about())?;
    if folder.is_dir() {
        return Ok(());
    }
    let work = TemporaryFolder::new(cache)?;
    let fresh = work.whole.join("fresh");
    fs::create_dir(&fresh).map_err(about())?;
    fill(&fresh, &work)?;
    let finish = || {
        fs::write(fresh.join(SEAL), seal(&fresh)?)?;
        make_readable(&fresh)?;
        fs::rename(&fresh, folder)
    };
    finish().map_err(about())?;
    Ok(())
}

/// Whether a folder that was made once is still what it was.
pub(crate) fn is_intact(folder: &Path) -> bool {
    let found = fs::read_to_string(folder.join(SEAL)).and_then(|kept| Ok(kept == seal(folder)?));
    found.unwrap_or(false)
}

/// Takes away a folder that was made once, so that it is made again.
pub(crate) fn discard(folder: &Path) -> Result<(), BuildError> {
    let cache = folder.parent().unwrap_or(folder);
    let work = TemporaryFolder::new(cache)?;
    match fs::rename(folder, work.whole.join("discarded")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(BuildError::io(format!("cannot remove {}", folder.display()))(error))
        }
        _ => Ok(()),
    }
}

fn seal(folder: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    files_below(folder, &mut files)?;
    let mut parts = Vec::new();
    for path in files.iter().filter(|path| !path.ends_with(SEAL)) {
        let name = path.strip_prefix(folder).unwrap_or(path);
        parts.push(hash(&[name.as_os_str().as_encoded_bytes(), &fs::read(path)?]));
    }
    let parts: Vec<&[u8]> = parts.iter().map(String::as_bytes).collect();
    Ok(hash(&parts))
}

/// The files below a folder, in order.
fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
    let mut entries = entries?;
    entries.sort();
    for path in entries {
        if path.is_dir() { files_below(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// A name for the state of files and of everything below folders: it changes
/// when one of them is replaced, and costs no reading.
pub(crate) fn state_of(paths: &[PathBuf]) -> String {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            // What cannot be read is missed by the compiler.
            let _ = files_below(path, &mut files);
        } else {
            files.push(path.clone());
        }
    }
    let state = |path: &PathBuf| {
        let found = fs::metadata(path).ok()?;
        Some(format!("{} {} {}", path.display(), found.len(), owners::changed(&found)))
    };
    let states: Vec<String> = files.iter().filter_map(state).collect();
    hash(&states.iter().map(String::as_bytes).collect::<Vec<_>>())
}

/// Lets the user of the jail read what we have just made, who is another one
/// where we are root.
fn make_readable(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Err(io::Error::other(format!("{} is a link, and we make none", path.display())));
    }
    owners::set_mode(path, if found.is_dir() { 0o755 } else { 0o644 })?;
    if found.is_dir() {
        fs::read_dir(path)?.try_for_each(|entry| make_readable(&entry?.path()))?;
    }
    Ok(())
}

/// A name that nobody else has.
pub(crate) fn drawn_name() -> io::Result<String> {
    let mut name = [0; DRAWN];
    getrandom::fill(&mut name).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(hex(&name))
}

/// Writes a file so that nobody ever sees a part of it.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let parent = path.parent().expect("files of the cache are in folders");
    fs::create_dir_all(parent)?;
    let temporary = path.with_extension(drawn_name()?);
    fs::write(&temporary, content)?;
    fs::rename(temporary, path)
}

/// Whether a folder is there, or can be made, and files in it too.
pub fn is_writable(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let trial = folder.join(format!("trial-{}", std::process::id()));
    fs::write(&trial, b"")?;
    fs::remove_file(&trial)
}

/// A folder among the temporary files that nobody else can have put anything in.
pub fn private_temporary() -> PathBuf {
    let all = std::env::temp_dir();
    let Some(user) = TemporaryFolder::new(&all).ok().and_then(|mine| owner(mine.path())) else {
        return all.join("ludus-cache");
    };
    let folder = all.join(format!("ludus-cache-{user}"));
    let made = owners::make_private(&folder);
    if made.is_ok() || owner(&folder) == Some(user) {
        return folder;
    }
    all.join(format!("ludus-cache-{user}-{}", std::process::id()))
}

/// Who owns a folder, if it is one.
fn owner(folder: &Path) -> Option<u32> {
    let found = fs::symlink_metadata(folder).ok()?;
    found.is_dir().then(|| owners::of(&found))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let cache = tempfile::tempdir().unwrap();
        let held = TemporaryFolder::new(cache.path()).unwrap();
        let name = |start: &str, digit: &str| cache.path().join(format!("{start}{}", digit.repeat(32)));
        let left = name(WORK, "1");
        fs::create_dir_all(left.join("inside")).unwrap();
        File::create(left.join(LOCK)).unwrap();
        // They may be locked in a moment, or are somebody else's.
        let others = [name(WORK, "2"), name(NEW, "3"), cache.path().join("work-in-progress"), name("work", "4")];
        for other in &others {
            fs::create_dir(other).unwrap();
        }
        File::create(others[2].join(LOCK)).unwrap();
        sweep(cache.path());
        assert!(held.path().is_dir());
        assert!(!left.exists());
        assert!(others.iter().all(|other| other.is_dir()));
        let whole = held.whole.clone();
        drop(held);
        assert!(!whole.exists());
    }

    #[test]
    fn folders_are_made_once_and_damage_shows() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("made");
        let make = |text: &'static str| {
            once(&folder, |fresh, _| fs::write(fresh.join("file"), text).map_err(BuildError::io("file"))).unwrap();
            fs::read_to_string(folder.join("file")).unwrap()
        };
        assert_eq!((make("first"), make("second")), ("first".to_owned(), "first".to_owned()));
        assert!(is_intact(&folder));
        fs::write(folder.join("file"), "fi\0st").unwrap();
        assert!(!is_intact(&folder));
        discard(&folder).unwrap();
        assert_eq!(make("third"), "third");
        fs::remove_file(folder.join("file")).unwrap();
        assert!(!is_intact(&folder));
    }

    /// What was compiled with a file that is another one now is looked for under
    /// another name, so that nothing stale is ever used.
    #[test]
    fn files_that_change_change_the_state() {
        let folder = tempfile::tempdir().unwrap();
        let (below, program) = (folder.path().join("include"), folder.path().join("clang"));
        fs::create_dir(&below).unwrap();
        let header = below.join("vector");
        fs::write(&header, "one").unwrap();
        fs::write(&program, "two").unwrap();
        let state = || state_of(&[below.clone(), program.clone()]);
        let touch = |path: &Path| {
            let later = std::time::SystemTime::now() + Duration::from_secs(7);
            File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
        };
        let changes: [&dyn Fn(); 4] =
            [&|| fs::write(&header, "three").unwrap(), &|| touch(&header), &|| touch(&program), &|| {
                fs::write(below.join("new"), "").unwrap();
            }];
        for (number, change) in changes.iter().enumerate() {
            let before = state();
            assert_eq!(before, state());
            change();
            assert_ne!(before, state(), "change {number}");
        }
    }

    #[test]
    fn the_way_in_is_closed_and_the_inside_is_open() {
        let cache = tempfile::tempdir().unwrap();
        let work = TemporaryFolder::new(cache.path()).unwrap();
        work.write("file", b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode(&work.whole), mode(work.path()), mode(&work.path().join("file"))), (0o700, 0o777, 0o644));
        // What a compiler has put there is not written through.
        std::os::unix::fs::symlink(cache.path().join("elsewhere"), work.path().join("link")).unwrap();
        assert!(work.write("link", b"").is_err() && !cache.path().join("elsewhere").exists());
    }

    #[test]
    fn only_files_are_read() {
        let cache = tempfile::tempdir().unwrap();
        let work = TemporaryFolder::new(cache.path()).unwrap();
        work.write("file", b"content").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", work.path().join("link")).unwrap();
        fs::create_dir(work.path().join("folder")).unwrap();
        assert_eq!(work.read("file", 7).unwrap(), b"content");
        for (name, most) in [("file", 6), ("link", 1 << 20), ("folder", 1 << 20), ("absent", 9)] {
            assert!(work.read(name, most).is_err(), "{name}");
        }
    }
}
