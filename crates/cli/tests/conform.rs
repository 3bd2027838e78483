//! Recorded matches played again: our own, and the shared ones where they are.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::ludus::{command, folder, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn conform(folders: &[&Path]) -> Output {
    command(&root(), "conform").args(folders).output().unwrap()
}

fn last_line(output: &Output) -> String {
    text(&output.stdout).lines().last().unwrap_or_default().to_owned()
}

/// Plays the cases below a folder again, of which there must be this many at least.
fn check_all(folder: &Path, least: usize) {
    let games: Vec<PathBuf> = ludus_games::GAMES.iter().map(|game| folder.join(game.about().id)).collect();
    let output = conform(&games.iter().map(PathBuf::as_path).collect::<Vec<_>>());
    println!("{}: {}", folder.display(), last_line(&output));
    assert!(output.status.success(), "{}", text(&output.stdout));
    let all: usize = last_line(&output).split(['/', ' ']).nth(1).unwrap().parse().unwrap();
    assert!(all >= least, "{all} cases instead of {least}");
}

#[test]
fn golden_matches() {
    check_all(&root().join("golden"), 2 * ludus_games::GAMES.len());
}

/// Where there are none, our own are all there is, and they must be there.
#[test]
fn shared_matches() {
    let shared = root().join("../shared/conformance");
    match shared.exists() {
        true => check_all(&shared, 10 * ludus_games::GAMES.len()),
        false => {
            println!("no shared matches beside this checkout: 0 cases checked here");
            check_all(&root().join("golden"), 2 * ludus_games::GAMES.len());
        }
    }
}

/// A copy of a golden case in which `file` has been replaced.
fn spoilt(name: &str, file: &str, content: Option<&[u8]>) -> Output {
    let golden =
        std::fs::read_dir(root().join("golden/ants")).unwrap().map(|entry| entry.unwrap().path()).min().unwrap();
    let copy = folder!(name);
    for entry in std::fs::read_dir(golden).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
    }
    match content {
        Some(content) => std::fs::write(copy.join(file), content).unwrap(),
        None => std::fs::remove_file(copy.join(file)).unwrap(),
    }
    conform(&[&copy])
}

fn gz(text: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_case_that_differs_or_cannot_be_read_fails() {
    for (name, file, content, message) in [
        (
            "record",
            "expected.res.gz",
            Some(gz(b"Game\n\nSeed 99\n")),
            "expected.res.gz line 3: expected 'Seed 99', found 'Seed ",
        ),
        (
            "empty",
            "expected.res.gz",
            Some(gz(b"")),
            "expected.res.gz line 1: expected the end of the file, found 'Game'",
        ),
        ("no-record", "expected.res.gz", None, "cannot read expected.res.gz"),
        ("rubbish", "expected.res.gz", Some(b"not packed".to_vec()), "cannot read expected.res.gz"),
        ("no-orders", "orders.txt.gz", Some(gz(b"")), "orders.txt.gz"),
        (
            "short-orders",
            "orders.txt.gz",
            Some(gz(b"round 0 player 0 3\n1 0 0 0\n")),
            "orders.txt.gz: round 0 player 0: there are fewer orders than announced",
        ),
        ("facts", "case.json", Some(b"{}".to_vec()), "cannot read case.json"),
        ("no-facts", "case.json", None, "cannot read case.json"),
        (
            "game",
            "case.json",
            Some(br#"{"game":"go","seed":1,"names":["a","b","c","d"]}"#.to_vec()),
            "there is no game 'go'",
        ),
        (
            "config",
            "input.cnf",
            Some(b"Ants 1.0 NUM_PLAYERS 3".to_vec()),
            "input.cnf: line 1, column 22: NUM_PLAYERS must be 4, found 3",
        ),
        ("extra", "extra.txt.gz", Some(gz(b"?")), "extra.txt.gz is no file that ants knows how to check"),
    ] {
        let output = spoilt(name, file, content.as_deref());
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{name}: {found}");
        assert_eq!(last_line(&output), "0/1 identical", "{name}: {found}");
        assert!(found.contains(message), "{name}: {found}");
        assert_eq!(found.lines().count(), 2, "{name}: {found}");
    }
}

#[test]
fn a_folder_without_cases_fails() {
    let output = conform(&[&root().join("crates/cli/src"), &root().join("crates/cli/tests")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(last_line(&output), "0/2 identical");
}

#[test]
fn a_folder_that_is_not_there_is_a_wrong_command() {
    let output = conform(&[&root().join("crates/cli/src"), Path::new("nowhere")]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: there is no folder nowhere\n");
    assert!(output.stdout.is_empty());
}
