//! What a program in a jail sees: itself, what it loads, and what it is shown.
//!
//! Everything else is not there, so that a source can name whatever it likes.
//! There is no `/proc` and no `/etc`, and of `/dev` only `null`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::SystemTime;

use crate::build::CommandLine;

/// Where the folder to write to is, for the program.
pub const WORK: &str = "/ludus/work";

/// A file or folder, and where the program finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub source: PathBuf,
    pub place: PathBuf,
}

/// What a command may read.
pub fn readable(command: &CommandLine) -> Vec<Shown> {
    let mut shown = Vec::new();
    let tools = command.tools.iter().map(|(source, place)| (source, place));
    for (source, place) in std::iter::once((&command.program, &command.program)).chain(tools) {
        shown.push(Shown { source: source.clone(), place: place.clone() });
        shown.extend(libraries(source));
    }
    shown.extend(command.reads.iter().map(|path| Shown { source: path.clone(), place: path.clone() }));
    shown.extend(command.places.iter().map(|(path, place)| Shown { source: path.clone(), place: place.into() }));
    let mut taken = std::collections::BTreeSet::new();
    shown.retain(|one| taken.insert(one.place.clone()));
    shown
}

/// The arguments with which bubblewrap builds the program's world, from sources
/// that may have been put elsewhere.
pub fn arguments(shown: &[Shown], work: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    for one in shown {
        args.extend(["--ro-bind".into(), one.source.clone().into(), one.place.clone().into()]);
    }
    args.extend(["--dev-bind", "/dev/null", "/dev/null"].map(Into::into));
    args.extend(["--bind".into(), work.into(), WORK.into()]);
    // Where programs look for room, unless the machine keeps a part of what is
    // shown there.
    if !shown.iter().any(|one| one.place.starts_with("/tmp")) {
        args.extend(["--symlink", WORK, "/tmp"].map(Into::into));
    }
    args.extend(["--remount-ro", "/", "--chdir", WORK].map(Into::into));
    args
}

/// The shared libraries of a program, all in the one folder where the loader
/// certainly looks: without `/proc` it cannot know where the program itself is,
/// and would not find those that lie beside it.
fn libraries(program: &Path) -> Vec<Shown> {
    type Known = BTreeMap<PathBuf, (Option<SystemTime>, Vec<Shown>)>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let changed = std::fs::metadata(program).and_then(|file| file.modified()).ok();
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((when, libraries)) = known.get(program)
        && *when == changed
        && libraries.iter().all(|library| library.source.is_file())
    {
        return libraries.clone();
    }
    let mut ask = Command::new("ldd");
    ask.arg(program).env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C");
    // A program that needs none, or that is not there, is told of by its end.
    let answer = ask.stdin(Stdio::null()).output().map(|output| output.stdout).unwrap_or_default();
    let libraries = read_libraries(&String::from_utf8_lossy(&answer));
    known.insert(program.to_owned(), (changed, libraries.clone()));
    libraries
}

/// From what `ldd` prints: `name => path (address)`, and the loader as a path alone.
fn read_libraries(answer: &str) -> Vec<Shown> {
    let mut found: Vec<(Option<&str>, &Path)> = Vec::new();
    for line in answer.lines() {
        let line = line.trim().rsplit_once(" (").map_or(line.trim(), |(line, _)| line);
        match line.split_once(" => ") {
            Some((name, path)) if path.starts_with('/') => found.push((Some(name), Path::new(path))),
            None if line.starts_with('/') => found.push((None, Path::new(line))),
            _ => {}
        }
    }
    let standard = found.iter().find(|(name, _)| *name == Some("libc.so.6")).and_then(|(_, path)| path.parent());
    let place = |(name, path): &(Option<&str>, &Path)| match (name, standard) {
        (Some(name), Some(folder)) if !name.starts_with('/') => folder.join(name),
        _ => path.to_path_buf(),
    };
    found.iter().map(|one| Shown { source: one.1.to_owned(), place: place(one) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_put_where_the_loader_looks() {
        let answer = "\tlinux-vdso.so.1 (0x7f)\n\tlibclang-cpp.so.19.1 => /opt/llvm/bin/../lib/libclang-cpp.so.19.1 (0x7f)\n\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x7f)\n\tlibgone.so => not found\n\t/lib64/ld-linux-x86-64.so.2 (0x7f)\n";
        let shown = |source: &str, place: &str| Shown { source: source.into(), place: place.into() };
        assert_eq!(
            read_libraries(answer),
            [
                shown("/opt/llvm/bin/../lib/libclang-cpp.so.19.1", "/lib/x86_64-linux-gnu/libclang-cpp.so.19.1"),
                shown("/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6"),
                shown("/lib64/ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2"),
            ]
        );
        assert_eq!(read_libraries("\tnot a dynamic executable\n"), []);
    }
}
