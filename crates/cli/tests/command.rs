//! The `ludus` command as its users meet it: results, errors, files, pipes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::ludus::{check_refused, command, folder, ludus, text};

/// Runs a command line in a folder, with standard input from a pipe if given.
fn ludus_reading(folder: &Path, words: &str, input: Option<&[u8]>) -> Output {
    let mut child = command(folder, words)
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(input) = input {
        // A command that refuses its arguments does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input);
    }
    child.wait_with_output().unwrap()
}

const DEFAULT: &str = include_str!("../../../content/ants/default.cnf");

/// Exit status 2, one line that contains `message`, and nothing left behind.
fn refuse(folder: &Path, words: &str, input: Option<&[u8]>, message: &str) {
    let before = std::fs::read_dir(folder).unwrap().count();
    check_refused(folder, words, before, &ludus_reading(folder, words, input), message);
}

#[test]
fn wrong_command_lines() {
    let folder = folder!("wrong_command_lines");
    for (words, message) in [
        ("play ant Demo Demo Demo Demo -s 1 -o f", "did you mean 'ants'?"),
        ("play chess Demo Demo Demo Demo -s 1 -o f", "there is no game 'chess'; there are ants"),
        ("play ants Dmo Demo Demo Demo -s 1 -o f", "no player 'Dmo' for ants; did you mean 'Demo'?"),
        ("play ants demo Demo Demo Demo -s 1 -o f", "did you mean 'Demo'?"),
        ("play ants Abcdefghijklm Demo Demo Demo -s 1 -o f", "at most 12 characters"),
        ("play ants Demo Demo Demo -s 1 -o f", "exactly 4 players, got 3"),
        ("play ants Demo Demo Demo Demo Demo -s 1 -o f", "exactly 4 players, got 5"),
        ("play ants -s 1 -o f", "exactly 4 players, got 0; try 'ludus play ants Demo Demo Demo Demo'"),
        ("play ants Dummy Null -o f", "exactly 4 players, got 2; try 'ludus play ants Dummy Null Demo Demo'"),
        ("play ants Demo Demo Demo Demo -s ten -o f", "seed must be an integer from 0 to 2147483647, found 'ten'"),
        ("play ants Demo Demo Demo Demo -s 12abc -o f", "found '12abc'"),
        ("play ants Demo Demo Demo Demo --seed=-1 -o f", "found '-1'"),
        ("play ants Demo Demo Demo Demo -s 2147483648 -o f", "found '2147483648'"),
        ("play ants Demo Demo Demo Demo -s 1 -i missing.cnf -o f", "cannot read the config missing.cnf"),
        ("play ants Demo Demo Demo Demo -s 1 -i . -o f", "cannot read the config ."),
        ("play ants Demo Demo Demo Demo -s 1 -o missing/f", "cannot write to missing/f"),
        ("play ants Demo Demo Demo Demo -s 1 -o .", "cannot write to ."),
        ("play ants Demo Demo Demo Demo -s 1 --case missing/case", "cannot make the folder missing/case"),
        ("play ants Demo Demo Demo Demo -s 1 --format xml", "possible values: table, json"),
        ("play ants Demo Demo Demo Demo --what", "unexpected argument '--what'"),
        ("play", "see 'ludus play --help'"),
        ("list nothing", "there is no game 'nothing'"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'; see 'ludus --help'"),
        ("nwe ants Marta", "unrecognized subcommand 'nwe'; a similar subcommand exists: 'new'; see 'ludus --help'"),
        ("arena ants Demo Dummy Null Demo -n many", "'many' for '--matches <N>': it must be a whole number"),
        ("arena ants Demo Dummy Null Demo -n -4", "'-4' for '--matches <N>': it must be a whole number"),
        ("conform", "see 'ludus conform --help'"),
        ("league add", "see 'ludus league add --help'"),
        ("doctor --nope", "unexpected argument '--nope' found; see 'ludus doctor --help'"),
        (
            "pley",
            "unrecognized subcommand 'pley'; some similar subcommands exist: 'replay', 'play'; see 'ludus --help'",
        ),
    ] {
        refuse(&folder, words, None, message);
    }
}

#[test]
fn wrong_configs() {
    let folder = folder!("wrong_configs");
    let replaced = |from: &str, to: &str| {
        assert!(DEFAULT.contains(from));
        DEFAULT.replace(from, to)
    };
    for (config, message) in [
        ("Bees 1.0".to_owned(), "standard input line 1, column 1: expected Ants, found 'Bees'"),
        (replaced("Ants 1.0", "Ants 2.0"), "line 1, column 6: expected 1.0, found '2.0'"),
        (replaced("NUM_ROUNDS ", "NUM_RUNDS "), "line 4, column 1: expected NUM_ROUNDS, found 'NUM_RUNDS'"),
        (
            replaced("BOARD_ROWS           25", "BOARD_ROWS 7"),
            "line 5, column 12: BOARD_ROWS must be from 20 to 500, found 7",
        ),
        (
            replaced("BOARD_ROWS           25", "BOARD_ROWS 2000000000"),
            "BOARD_ROWS must be from 20 to 500, found 2000000000",
        ),
        (
            replaced("BOARD_ROWS           25", "BOARD_ROWS 20000000000"),
            "BOARD_ROWS must fit in 32 bits, found '20000000000'",
        ),
        (replaced("QUEEN_PERIOD          2", "QUEEN_PERIOD two"), "expected QUEEN_PERIOD, an integer, found 'two'"),
        (replaced("GENERATOR1", "GENERATOR9"), "line 32, column 1: expected GENERATOR1 or FIXED, found 'GENERATOR9'"),
        (replaced("GENERATOR1", ""), "expected GENERATOR1 or FIXED, found the end of the text"),
        (replaced("NUM_INI_WORKERS      11", "NUM_INI_WORKERS 100000"), "do not fit on the board"),
        (" ".repeat(5 << 20), "larger than 4 MB"),
    ] {
        refuse(&folder, "play ants Demo Demo Demo Demo -s 1 -o f", Some(config.as_bytes()), message);
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_cannot_be_replaced() {
    let folder = folder!("an_output_that_cannot_be_replaced");
    let output = ludus(&folder, "play ants Demo Demo Demo Demo -s 1 -o /dev/full");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: cannot write to /dev/full: "), "{}", text(&output.stderr));
    assert!(ludus(&folder, "play ants Demo Demo Demo Demo -s 1 -o /dev/null").status.success());
}

#[test]
fn the_record_goes_where_it_is_sent() {
    let folder = folder!("the_record_goes_where_it_is_sent");
    let to_file = ludus(&folder, "play ants Demo Dummy Null Demo --seed=7 --output=f.res");
    assert!(to_file.status.success());
    let table = text(&to_file.stdout);
    assert!(table.starts_with("seat  player        score  rank  status\n   1  Demo "), "{table}");
    assert_eq!(table.lines().count(), 5);
    assert!(to_file.stderr.is_empty());

    let to_pipe = ludus(&folder, "play ants Demo Dummy Null Demo -s 7");
    let record = std::fs::read(folder.join("f.res")).unwrap();
    assert!(to_pipe.stdout == record);
    let summary = text(&to_pipe.stderr);
    assert!(summary.ends_with("info: game played\n"), "{summary}");
    assert!(summary.lines().nth(4).unwrap().ends_with(" got top score"), "{summary}");

    refuse(&folder, "play ants Demo Dummy Null Demo -o -", None, "'-' is not taken for standard output");
    let alias = ludus(&folder, "play ants Demo Dummy Null Demo -s 7 --out g.res");
    assert!(alias.status.success() && std::fs::read(folder.join("g.res")).unwrap() == record);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn the_config_comes_from_a_file_a_pipe_or_the_game() {
    let folder = folder!("the_config_comes_from_a_file_a_pipe_or_the_game");
    let short = DEFAULT.replace("NUM_ROUNDS          250", "NUM_ROUNDS 3");
    std::fs::write(folder.join("short.cnf"), &short).unwrap();
    let rounds = |words: &str, input: Option<&[u8]>| {
        let output =
            ludus_reading(&folder, &format!("play ants Demo Demo Demo Demo -s 1 --format json {words}"), input);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        json["rounds"].as_u64().unwrap()
    };
    assert_eq!(rounds("", None), 250);
    assert_eq!(rounds("", Some(b"")), 250);
    assert_eq!(rounds("", Some(short.as_bytes())), 3);
    assert_eq!(rounds("-i short.cnf", None), 3);
    assert_eq!(rounds("-i short.cnf", Some(b"not looked at")), 3);
}

#[test]
fn a_seed_is_picked_and_printed() {
    let folder = folder!("a_seed_is_picked_and_printed");
    let picked = ludus(&folder, "play ants Demo Demo Demo Demo -o a.res");
    let seed = text(&picked.stderr).strip_prefix("seed ").unwrap().trim();
    assert!(ludus(&folder, &format!("play ants Demo Demo Demo Demo -s {seed} -o b.res")).status.success());
    assert!(std::fs::read(folder.join("a.res")).unwrap() == std::fs::read(folder.join("b.res")).unwrap());
}

#[test]
fn lists_and_versions() {
    let folder = folder!("lists_and_versions");
    let out = |words: &str| {
        let output = ludus(&folder, words);
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    assert_eq!(out("play ants -l"), "Demo\nDummy\nNull\nVeteran\n");
    assert_eq!(out("list ants"), out("play ants --list"));
    assert_eq!(out("play ants --version"), out("play ants -v"));
    assert!(out("list").contains("ants"));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludus"))
        .args("play ants Demo Demo Demo Demo -s 1".split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");

    // As `2>&1 | head` does.
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludus"))
        .args("play ants Demo Demo Demo Demo -s 1".split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
#[cfg(unix)]
fn commands_of_the_readme_work_in_their_order() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/readme-commands");
    let mut command = Command::new(script);
    command.arg(env!("CARGO_BIN_EXE_ludus")).env("SHORT", "1").env("LUDUS_CACHE", crate::ludus::cache());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let typed: usize = printed.split(' ').nth(1).and_then(|count| count.parse().ok()).unwrap();
    assert!(typed >= 24, "{printed}");
}
