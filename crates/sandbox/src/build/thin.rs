//! Folders of the cache that grow with every source: they are thinned, whatever
//! was not used for longest first.
//!
//! Everything in them can be made again, and whoever reads a file reads it
//! whole, so that nothing breaks when one goes. What was used lately stays even
//! where there is too much: it is in use, or being written.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What each folder of compiled players keeps, in bytes.
pub const MOST_KEPT: u64 = 1 << 30;

/// What was used so lately is never removed.
const LATELY: Duration = Duration::from_secs(600);

/// What files of one thing have in common: the hash that their names begin with.
const HASH: usize = 64;

/// Says that a file is used, so that others go first. The time at which files
/// were read is of no use: many systems do not keep it.
pub(crate) fn use_now(path: &Path) {
    // Where nothing can be written, nothing is thinned either.
    let _ = File::open(path).and_then(|file| file.set_modified(SystemTime::now()));
}

/// Removes from a folder what was not used for longest, as far as there is too much.
pub(crate) fn thin(folder: &Path) {
    // Whoever else thins may be faster, and the next one tries again.
    let _ = thin_to(folder, MOST_KEPT, SystemTime::now() - LATELY);
}

/// What belongs together: a module and its warnings, or what a crash left.
struct Thing {
    files: Vec<PathBuf>,
    bytes: u64,
    used: SystemTime,
}

fn thin_to(folder: &Path, most: u64, lately: SystemTime) -> io::Result<()> {
    let mut things: HashMap<String, Thing> = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // The key, and whatever is not ours, has no such name.
        let Some(hash) = name.to_str().and_then(|name| name.get(..HASH)) else { continue };
        let Ok(found) = entry.metadata() else { continue };
        if !found.is_file() || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            continue;
        }
        let new = || Thing { files: Vec::new(), bytes: 0, used: SystemTime::UNIX_EPOCH };
        let thing = things.entry(hash.to_owned()).or_insert_with(new);
        thing.files.push(entry.path());
        thing.bytes += found.len();
        thing.used = thing.used.max(found.modified()?);
    }
    let mut bytes: u64 = things.values().map(|thing| thing.bytes).sum();
    let mut things: Vec<(String, Thing)> = things.into_iter().collect();
    things.sort_unstable_by(|(a, one), (b, other)| (one.used, a).cmp(&(other.used, b)));
    for (_, thing) in things {
        if bytes <= most || thing.used >= lately {
            break;
        }
        for file in thing.files {
            fs::remove_file(file)?;
        }
        bytes -= thing.bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(folder: &Path, digit: &str, ending: &str, size: usize, minutes_ago: u64) {
        let path = folder.join(format!("{}{ending}", digit.repeat(HASH)));
        fs::write(&path, vec![0; size]).unwrap();
        let used = SystemTime::now() - Duration::from_secs(60 * minutes_ago);
        File::options().append(true).open(path).unwrap().set_modified(used).unwrap();
    }

    /// The first digits of what is left.
    fn left(folder: &Path) -> String {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut digits: Vec<char> = names.filter_map(|name| name.chars().next()).collect();
        digits.sort_unstable();
        digits.into_iter().collect()
    }

    fn lately() -> SystemTime {
        SystemTime::now() - LATELY
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for (digit, minutes) in [("a", 50), ("b", 40), ("c", 30), ("d", 20)] {
            put(folder, digit, ".wasm", 1000, minutes);
        }
        // Its module was used long ago, and its warnings were read just now.
        put(folder, "a", ".warnings", 10, 1);
        thin_to(folder, 5000, lately()).unwrap();
        assert_eq!(left(folder), "aabcd", "there is room for all of them");
        thin_to(folder, 2500, lately()).unwrap();
        assert_eq!(left(folder), "aad");
        use_now(&folder.join(format!("{}.wasm", "d".repeat(HASH))));
        put(folder, "e", ".wasm", 1000, 15);
        thin_to(folder, 0, lately()).unwrap();
        assert_eq!(left(folder), "aad", "what was used lately stays, although there is too much");
    }

    #[test]
    fn what_is_not_ours_stays() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let soon = SystemTime::now() + Duration::from_secs(60);
        for name in ["key", "notes.wasm", &format!("{}.wasm", "x".repeat(HASH))] {
            fs::write(folder.join(name), "mine").unwrap();
        }
        fs::create_dir(folder.join("f".repeat(HASH))).unwrap();
        put(folder, "0", "-0123.17.ThreadId(1)", 10, 60);
        thin_to(folder, 0, soon).unwrap();
        assert_eq!(left(folder), "fknx");
        assert!(thin_to(&folder.join("absent"), 0, soon).is_err());
    }
}
