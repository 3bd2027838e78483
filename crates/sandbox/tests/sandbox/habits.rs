//! Player files with the habits of those that are around: none of them was
//! written for this compiler, and all of them must compile as they are and
//! play whole matches.

use std::path::{Path, PathBuf};
use std::process::Command;

use ludus_arena::Outcome;
use ludus_games::{Game, Seat};
use ludus_sandbox::Limits;
use ludus_sandbox::build::{BuildError, Language};

use crate::{against_demo, builder, kept, load};

/// A match of the source in seat 2 against the game's own players.
fn play(game: &dyn Game, source: &[u8]) -> (Outcome, String) {
    let wasm = builder().build(game.about().id, Language::Cpp, source).unwrap_or_else(|error| panic!("{error}"));
    let module = load(&wasm);
    assert_eq!(module.introduce().unwrap().game, game.about().id);
    let config = game.read_config(game.about().default_config.as_bytes()).unwrap();
    let mut played = against_demo(game, &*config, 7, 2, &module, &Limits::of(game.about().cpu));
    let outcome = played.play_out().unwrap();
    let mut output = Vec::new();
    played.take_output(Seat::ALL[2], &mut output);
    (outcome, String::from_utf8_lossy(&output).into_owned())
}

fn check(game: &str, name: &str, source: &[u8]) -> String {
    let (outcome, output) = play(ludus_games::find(game).unwrap(), source);
    assert_eq!(outcome.seats[2].fault, None, "{name}: {output}");
    output
}

/// The files check themselves with assertions where that is possible.
#[test]
fn files_of_all_kinds_play_whole_matches() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/habits");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        check(name.split_once('-').unwrap().0, name, &std::fs::read(file).unwrap());
    }
    assert!(files.len() >= 6);
}

/// A player that writes once what it finds.
fn small(body: &str) -> String {
    format!(
        "#include \"Player.hh\"\n#define PLAYER_NAME Small\nstruct PLAYER_NAME : public Player {{\n  static Player* factory () {{ return new PLAYER_NAME; }}\n  virtual void play () {{ if (round() > 0) return;\n{body} }}\n}};\nRegisterPlayer(PLAYER_NAME);"
    )
}

#[test]
fn encodings_and_line_ends() {
    let text = small("\tcerr << \"??! \" << __LINE__ << endl; // ??/\n");
    let with = |before: &[u8], after: &str| [before, after.as_bytes()].concat();
    let latin: Vec<u8> = small("cerr << \"ni\u{80}o\" << endl; // a\u{80}o\n")
        .replace('\u{80}', "\x01")
        .bytes()
        .map(|c| if c == 1 { 0xf1 } else { c })
        .collect();
    for (name, source, written) in [
        ("a byte order mark", with(b"\xef\xbb\xbf", &text), "??! 6\n"),
        ("line ends of Windows", text.replace('\n', "\r\n").into_bytes(), "??! 6\n"),
        ("both", with(b"\xef\xbb\xbf", &text.replace('\n', "\r\n")), "??! 6\n"),
        ("Latin-1", latin, "ni\u{fffd}o\n"),
    ] {
        assert_eq!(check("ants", name, &source), written, "{name}");
    }
}

/// Searches choose among equals by it, so the GNU library must be the judge.
#[test]
fn equal_elements_are_left_in_the_order_of_the_gnu_library() {
    let code = include_str!("../order.hh");
    let folder = kept("");
    let (source, program) = (folder.join("order.cc"), folder.join("order"));
    let main = "int main() { cout << order_of_equals() << endl; }";
    std::fs::write(&source, format!("#include <bits/stdc++.h>\nusing namespace std;\n{code}\n{main}\n")).unwrap();
    let compiled = Command::new("g++").arg("-O1").arg(&source).arg("-o").arg(&program).status();
    assert!(compiled.unwrap().success());
    let expected = String::from_utf8(Command::new(&program).output().unwrap().stdout).unwrap();
    assert!(expected.len() > 1000);
    let player = small("cerr << order_of_equals() << endl;").replace("#define", &format!("{code}\n#define"));
    assert_eq!(check("ants", "order", player.as_bytes()), expected);
}

#[test]
fn errors_are_the_compilers_own_with_the_name_of_the_file() {
    let source = small("int x = undeclared_thing;\n");
    for (language, name, source, expected) in [
        (Language::Cpp, "AIMarta.cc", source.as_str(), "AIMarta.cc:6:9: error: use of undeclared identifier"),
        (Language::Rust, "Marta.rs", "use ludus_player::ants::*;\nfn f() { g() }\n", "--> Marta.rs:2:10"),
    ] {
        match builder().build_file("ants", language, name, source.as_bytes()) {
            Err(BuildError::Compiler(messages)) => {
                assert!(messages.contains(expected), "{messages}");
                assert!(!messages.contains("work-") && !messages.contains("player.cc"), "{messages}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn warnings_point_at_mistakes_every_time() {
    let source = small("int unused; int x = 3; x == 4; if (x = 5) move(0, Up);\n");
    for _ in 0..2 {
        let built = builder().build_file("ants", Language::Cpp, "AIMarta.cc", source.as_bytes()).unwrap();
        let warnings: Vec<&str> = built.warnings.lines().filter(|line| line.contains(": warning: ")).collect();
        assert_eq!(warnings.len(), 2, "{}", built.warnings);
        assert!(warnings.iter().all(|line| line.starts_with("AIMarta.cc:6:")), "{warnings:?}");
    }
}
