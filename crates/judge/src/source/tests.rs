use super::*;

/// What is said about a file: the name, or the problem with its line.
fn check(file: &str, source: &[u8]) -> String {
    match inspect(source, language(file, source), 4) {
        Ok(named) => named.name,
        Err(problem) => {
            let (text, about) = crate::texts::bad_source(&problem.what);
            let text = text.0[0].replace("{about}", about);
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
        let named = inspect(source.as_bytes(), language, 256).unwrap();
        assert!(crate::content::comes_with(game, &named.name), "{game}: {file}");
        let renamed = named.renamed(source, "Marta_8");
        let again = inspect(renamed.as_bytes(), language, 256).unwrap();
        assert_eq!((again.name.as_str(), again.line), ("Marta_8", named.line), "{game}: {file}");
    }
}

/// Whatever comes, there is an answer.
#[test]
fn rubbish_is_read_to_its_end() {
    let alphabet = [
        "\"", "'", "/*", "*/", "//", "\\", "\n", "R\"x(", ")x\"", "r#\"", "#", "include", "é", "player", "!", "(", "0'",
    ];
    let mut state = 12345_u64;
    for _ in 0..2000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push_str(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        for file in ["x.cc", "x.rs"] {
            assert!(!check(file, text.as_bytes()).is_empty());
        }
    }
}
