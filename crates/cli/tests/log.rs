//! What players write, on the terminal and in files.

use crate::ludus::{ants_module, folder, ludus, text};

/// A player of Ants that writes this in every round, and orders nothing.
fn write_talker(folder: &std::path::Path, line: &str) {
    let bytes: String = line.bytes().map(|byte| format!("\\{byte:02x}")).collect();
    let parts = format!(
        r#"(import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (data (i32.const 128) "{bytes}")"#
    );
    let play = format!(
        "(i32.store (i32.const 96) (i32.const 128))
        (i32.store (i32.const 100) (i32.const {}))
        (drop (call $write (i32.const 2) (i32.const 96) (i32.const 1) (i32.const 104)))",
        line.len()
    );
    std::fs::write(folder.join("Talker.wasm"), ants_module("Talker", &parts, &play)).unwrap();
}

const MATCH: &str = "play ants Talker.wasm Null Null Null -s 1 --format json";

#[test]
fn a_terminal_obeys_nothing_that_players_write() {
    let folder = folder!("obeys");
    write_talker(&folder, "\u{202e}a\tb\u{1b}[2J\u{2066}\n");
    let output = ludus(&folder, MATCH);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr).lines().next(), Some("Talker[1]: \u{fffd}a\tb\u{fffd}[2J\u{fffd}"));
    // A file has every byte.
    let output = ludus(&folder, &format!("{MATCH} --log logs"));
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    let log = std::fs::read_to_string(folder.join("logs/1-Talker.log")).unwrap();
    assert!(log.starts_with("round 0\n\u{202e}a\tb\u{1b}[2J\u{2066}\nround 1\n"), "{log:.60}");
}

/// Little enough is written to stay in memory until the end.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_does_not_fit_is_an_error() {
    let folder = folder!("full");
    write_talker(&folder, "x\n");
    std::fs::create_dir(folder.join("logs")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.join("logs/1-Talker.log")).unwrap();
    let output = ludus(&folder, &format!("{MATCH} --log logs"));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: cannot write to logs/1-Talker.log: "), "{}", text(&output.stderr));
}
