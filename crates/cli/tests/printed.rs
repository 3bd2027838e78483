//! What commands print, word for word, in `snapshots/`. `INSTA_UPDATE=always
//! ./test cli` writes them anew; read what has changed.

use crate::ludus::{folder, ludus, text};

/// What a command prints on both channels, and how it ends.
fn check(name: &str, words: &[&str]) {
    let folder = folder!(name);
    let mut printed = String::new();
    for words in words {
        let output = ludus(&folder, words);
        printed += &format!("$ ludus {words}\n{}", text(&output.stdout));
        printed += &text(&output.stderr).lines().map(|line| format!("2> {line}\n")).collect::<String>();
        printed += &output.status.code().filter(|code| *code != 0).map_or(String::new(), |code| format!("= {code}\n"));
    }
    insta::assert_snapshot!(name, printed);
}

#[test]
fn help() {
    let commands = [
        "play",
        "list",
        "conform",
        "new",
        "build",
        "doctor",
        "plagiarism",
        "arena",
        "compare",
        "tune",
        "league",
        "manual",
        "view",
        "replay",
        "verify",
        "login",
        "logout",
        "submit",
        "status",
        "train",
        "fetch",
        "kit",
    ];
    let mut all = vec!["--help".to_owned(), "replay info --help".to_owned(), "replay export --help".to_owned()];
    all.extend(commands.iter().map(|command| format!("{command} --help")));
    check("help", &all.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn matches() {
    check(
        "matches",
        &[
            "play ants Demo Veteran Null Demo -s 7 -o f.res --replay f.ludus",
            "play ants Null Null Null Null -s 5 --format json",
            "play dominator Demo Null Demo Null -s 2 -o d.res",
            "play ants --version",
            "replay info f.ludus",
            "replay info f.res",
            "verify f.ludus",
            "verify f.res",
            "play chess Demo Demo Demo Demo",
        ],
    );
}

#[test]
fn tables() {
    check(
        "tables",
        &[
            "arena ants Demo Veteran Null Two=Null -n 24 -j 2",
            "arena ants Demo --fill Null -n 8 --head-to-head",
            "arena ants Demo --fill Null -n 9 --format csv",
            "arena ants Demo --fill Null -n 8 --format json",
        ],
    );
}
