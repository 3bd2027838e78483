//! Sources and the names in them, as students write them and as nobody should.

use ludus_arena::spoil::{any, inputs, spoil};
use ludus_games::Generator;

use super::*;

const ALLOWED: Allowed = Allowed { kib: 4, longest_name: 12 };

/// What is said about a file: the name, or the problem with its line.
fn check(file: &str, source: &[u8]) -> String {
    match inspect(source, language(file, source), ALLOWED) {
        Ok(named) => named.name,
        Err(problem) => {
            let (text, about) = crate::texts::bad_source(&problem.what);
            let fill = |text: String, (hole, value): &(&str, &str)| text.replace(&format!("{{{hole}}}"), value);
            let text = about.iter().fold(text.0[0].to_owned(), fill);
            problem.line.map_or(text.clone(), |line| format!("{line}: {text}"))
        }
    }
}

fn cpp(lines: &str) -> String {
    check("AIx.cc", format!("#include \"Player.hh\"\n{lines}\n").as_bytes())
}

#[test]
fn names_are_found_where_they_count() {
    for (source, name) in [
        ("#define PLAYER_NAME Marta", "Marta"),
        ("#define\tPLAYER_NAME   Marta // the best", "Marta"),
        ("  #  define PLAYER_NAME /* x */ Marta_8", "Marta_8"),
        ("// #define PLAYER_NAME Other\n#define PLAYER_NAME Marta", "Marta"),
        ("/* \n#define PLAYER_NAME Other\n*/\n#define PLAYER_NAME Marta", "Marta"),
        ("const char* s = \"\\\"\\\n#define PLAYER_NAME Other\";\n#define PLAYER_NAME Marta", "Marta"),
        ("auto s = R\"(\n#define PLAYER_NAME Other\n)\";\n#define PLAYER_NAME Marta", "Marta"),
        ("int n = 1'000; char c = '\"';\n#define PLAYER_NAME Marta\nRegisterPlayer(PLAYER_NAME);", "Marta"),
        ("#define NAMEPLAYER Marta", "Marta"),
        ("struct Marta : Player {};\nRegisterPlayer(Marta);", "Marta"),
    ] {
        assert_eq!(cpp(source), name, "{source}");
    }
    let rust = "use ludus_player::chess::*;\nstruct X<'a>(&'a str);\n// player!(A, \"Other\");\nplayer!(X, \"Marta\");";
    assert_eq!(check("", rust.as_bytes()), "Marta");
    assert_eq!(check("x.rs", b"\xef\xbb\xbfplayer!(Marta, \"Marta\");"), "Marta");
}

#[test]
fn every_wrong_file_is_explained() {
    let said = |source: &[u8], words: &str| {
        let said = check("AIx.cc", source);
        assert!(said.contains(words), "{said:?} should say {words:?}");
    };
    said(b"", "empty");
    said(b" \n\t\n", "empty");
    said(&b"x".repeat(5000), "larger than 4 KiB");
    said(b"PK\x03\x04\x14\0\0", "archive");
    said(b"\x7fELF\x02\x01\x01\0\0\0", "binary");
    said(b"\0asm\x01\0\0\0", "binary");
    said(b"int a;\nint b; // \xe9\n", "2: ");
    said(b"int a;\nint b; // \xe9\n", "UTF-8");
    said(b"int main() {}", "no player");
    said(b"#define PLAYER_NAME A\n#define PLAYER_NAME B", "2: ");
    said(b"#define PLAYER_NAME A\n#define PLAYER_NAME B", "two players");
    said(b"#define PLAYER_NAME Thirteen_char\n", "1: ");
    said(b"#define PLAYER_NAME Thirteen_char\n", "1 to 12");
    said("#define PLAYER_NAME Núria\n".as_bytes(), "letters, digits");
    said(b"#define PLAYER_NAME\n", "1 to 12");
}

/// Not the judge but the game says how long a name may be.
#[test]
fn names_are_as_long_as_the_game_allows() {
    for about in ludus_games::GAMES.iter().map(|game| game.about()) {
        let allowed = Allowed { longest_name: about.longest_name, ..ALLOWED };
        let named = |length: usize| {
            let source = format!("#define PLAYER_NAME {}\n", "x".repeat(length));
            inspect(source.as_bytes(), Language::Cpp, allowed)
        };
        assert_eq!(named(about.longest_name).unwrap().name.len(), about.longest_name, "{}", about.id);
        let problem = named(about.longest_name + 1).unwrap_err();
        let BadSource::NameLength { longest, .. } = problem.what else { panic!("{problem:?}") };
        assert_eq!(longest, about.longest_name.to_string(), "{}", about.id);
    }
}

/// What is there for a player is what the compiler finds, whatever a file says.
#[test]
fn no_word_is_refused() {
    for line in [
        "#include <thread>",
        "#include \"helper.hh\"",
        "#define X <vector>\n#include X",
        "%:include </etc/passwd>",
        "#embed \"/etc/passwd\"",
        "#if __has_include(<filesystem>)\n#endif",
    ] {
        assert_eq!(cpp(&format!("#define PLAYER_NAME A\n{line}")), "A", "{line}");
    }
    for line in
        ["mod other;", "extern crate libc;", "use std::thread;", "use core::include as h; h!(\"/proc/1/environ\");"]
    {
        assert_eq!(check("x.rs", format!("player!(A, \"A\");\n{line}").as_bytes()), "A", "{line}");
    }
}

#[test]
fn every_example_can_be_renamed() {
    for (game, file, source) in ludus_games::GAMES
        .iter()
        .map(|game| game.about().id)
        .flat_map(|game| crate::content::players(game).map(move |(file, source)| (game, file, source)))
    {
        let language = language(file, source.as_bytes());
        let named = inspect(source.as_bytes(), language, Allowed { kib: 256, ..ALLOWED }).unwrap();
        assert!(crate::content::comes_with(game, &named.name), "{game}: {file}");
        let renamed = named.renamed(source, "Marta_8");
        let again = inspect(renamed.as_bytes(), language, Allowed { kib: 256, ..ALLOWED }).unwrap();
        assert_eq!((again.name.as_str(), again.line), ("Marta_8", named.line), "{game}: {file}");
    }
}

/// Whatever comes, there is an answer.
#[test]
fn rubbish_is_read_to_its_end() {
    let alphabet = [
        "\"", "'", "/*", "*/", "//", "\\", "\n", "R\"x(", ")x\"", "r#\"", "#", "include", "é", "player", "!", "(", "0'",
    ];
    let mut generator = Generator::new(1);
    for _ in 0..inputs(2_000) {
        let mut text = String::new();
        for _ in 0..12 {
            text.push_str(alphabet[any(&mut generator, alphabet.len())]);
        }
        for file in ["x.cc", "x.rs"] {
            assert!(!check(file, text.as_bytes()).is_empty());
        }
    }
}

/// What students hand in, spoilt: an answer, and the same when it is asked again.
#[test]
fn spoilt_sources_are_read_to_their_end() {
    let examples: Vec<(&str, &str)> =
        ludus_games::GAMES.iter().flat_map(|game| crate::content::players(game.about().id)).collect();
    let mut generator = Generator::new(2);
    for k in 0..inputs(2_000) {
        let (file, source) = examples[k % examples.len()];
        let spoilt = spoil(source.as_bytes(), &mut generator);
        let language = language(file, &spoilt);
        let found = inspect(&spoilt, language, Allowed { kib: 256, ..ALLOWED });
        if let (Ok(named), Ok(text)) = (&found, std::str::from_utf8(&spoilt)) {
            let renamed = named.renamed(text, "Marta_8");
            let again = inspect(renamed.as_bytes(), language, Allowed { kib: 256, ..ALLOWED }).unwrap();
            assert_eq!((again.name.as_str(), again.line), ("Marta_8", named.line), "{file}");
        }
    }
}
