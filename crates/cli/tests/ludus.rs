//! Running the command in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A new empty folder for one test of one module.
pub fn new_folder(module: &str, name: &str) -> PathBuf {
    let module = module.rsplit("::").next().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{module}-{name}"));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir(&folder).unwrap();
    folder
}

/// A new empty folder for one test.
macro_rules! folder {
    ($name:expr) => {
        crate::ludus::new_folder(module_path!(), $name)
    };
}
pub(crate) use folder;

/// What has been compiled is kept between runs and shared by all tests, away
/// from what the user keeps.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("players-cache")
}

/// A command line of `ludus` in a folder, with nothing to read.
pub fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludus"));
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null()).env("LUDUS_CACHE", cache());
    command
}

pub fn ludus(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Exit status 2, one line that contains `message`, and nothing left behind.
pub fn refuse(folder: &Path, words: &str, message: &str) {
    let before = std::fs::read_dir(folder).unwrap().count();
    check_refused(folder, words, before, &ludus(folder, words), message);
}

/// The same for a command that has run in a folder with so many files.
pub fn check_refused(folder: &Path, words: &str, before: usize, output: &Output, message: &str) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words}: {error}");
    assert!(error.starts_with("error: ") && error.contains(message), "{words}: {error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{words}: {error}");
    assert!(output.stdout.is_empty(), "{words}: {}", text(&output.stdout));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), before, "{words} left a file behind");
}

/// A player of Ants as a module. `parts` are further parts of it, and `play` is
/// what it does in a round before it hands over the orders at address 64.
pub fn ants_module(name: &str, parts: &str, play: &str) -> Vec<u8> {
    let module = format!(
        r#"(module
            {parts}
            (memory (export "memory") 8)
            (data (i32.const 16) "ants\00")
            (data (i32.const 32) "{name}\00")
            (func (export "ludus_abi") (result i32) i32.const 1)
            (func (export "ludus_game") (result i32) i32.const 16)
            (func (export "ludus_name") (result i32) i32.const 32)
            (func (export "ludus_room") (param i32) (result i32) i32.const 1024)
            (func (export "ludus_start") (param i32 i32 i32))
            (func (export "ludus_play") (param i32) (result i32) {play} i32.const 64))"#
    );
    wat::parse_str(module).unwrap()
}

/// A player of Ants: one order a round, each for a unit `step` further on, until
/// it fails.
pub fn walker(name: &str, step: u32, fails_at: u32) -> Vec<u8> {
    let play = format!(
        "(if (i32.ge_u (global.get $round) (i32.const {fails_at})) (then unreachable))
        (i32.store (i32.const 64) (i32.const 1))
        (i32.store (i32.const 68) (i32.const 4))
        (i32.store (i32.const 72) (i32.rem_u (global.get $round) (i32.const 60)))
        (i32.store (i32.const 76) (i32.const 0))
        (i32.store (i32.const 80) (i32.and (global.get $round) (i32.const 3)))
        (i32.store (i32.const 84) (i32.const -1))
        (global.set $round (i32.add (global.get $round) (i32.const {step})))"
    );
    ants_module(name, "(global $round (mut i32) (i32.const 0))", &play)
}
