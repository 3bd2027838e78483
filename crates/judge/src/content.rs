//! What comes with the games: rules, API pages and example players.

include!(concat!(env!("OUT_DIR"), "/content.rs"));

fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, content)| *content)
}

/// The rules page of a game in a language.
pub fn rules(game: &str, language: &str) -> Option<&'static str> {
    file(&format!("{game}/rules.{language}.md"))
}

/// What a player written in `cpp` or `rust` can ask and order, in the language
/// of whoever reads it; in English where there is no translation.
pub fn api(game: &str, written_in: &str, language: &str) -> Option<&'static str> {
    if !["cpp", "rust"].contains(&written_in) {
        return None;
    }
    let translated = file(&format!("{game}/api.{written_in}.{language}.md"));
    translated.or_else(|| file(&format!("{game}/api.{written_in}.md")))
}

/// The source of an example player of a game.
pub fn player(game: &str, file_name: &str) -> Option<&'static str> {
    file(&format!("{game}/players/{file_name}"))
}

/// The example players of a game: file name and source.
pub fn players(game: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = format!("{game}/players/");
    FILES.iter().filter_map(move |(name, source)| Some((name.strip_prefix(&folder)?, *source)))
}

/// The name of the player in an example's file.
pub fn name_of(file_name: &str) -> &str {
    let stem = file_name.split('.').next().unwrap_or_default();
    stem.strip_prefix("AI").unwrap_or(stem)
}

/// The example that beats the Dummies.
pub fn strongest(game: &str) -> Option<&'static str> {
    players(game).map(|(file, _)| name_of(file)).find(|name| !is_built_in(game, name))
}

/// Whether a player that comes with a game has this name, in any letters.
pub fn comes_with(game: &str, name: &str) -> bool {
    is_built_in(game, name) || players(game).any(|(file, _)| name_of(file).eq_ignore_ascii_case(name))
}

fn is_built_in(game: &str, name: &str) -> bool {
    ludus_games::find(game)
        .is_some_and(|game| game.about().players.iter().any(|player| player.name.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source;
    use ludus_sandbox::build::Language;

    #[test]
    fn api_pages_speak_the_readers_language() {
        for (game, about) in ludus_games::GAMES.iter().map(|game| (game.about().id, game.about().title)) {
            for written_in in ["cpp", "rust"] {
                let english = api(game, written_in, "en").expect("every game has one");
                assert!(english.contains("a player in") && english.starts_with("# "), "{about}");
                assert!(api(game, written_in, "ca").is_some_and(|page| page.contains("Com funciona")), "{about}");
                assert!(api(game, written_in, "es").is_some_and(|page| page.contains("Cómo funciona")), "{about}");
                assert_eq!(api(game, written_in, "de"), Some(english));
            }
            assert_eq!(api(game, "cpp.ca", "en"), None, "no other name of a page is known");
        }
    }

    #[test]
    fn the_players_on_api_pages_can_be_submitted() {
        for game in ludus_games::GAMES {
            let allowed = source::Allowed { kib: 256, longest_name: game.about().longest_name };
            for (written_in, language) in [("cpp", Language::Cpp), ("rust", Language::Rust)] {
                for reader in ["en", "ca", "es"] {
                    let page = api(game.about().id, written_in, reader).expect("every game has one");
                    let code = page.split("```").nth(1).expect("it begins with a player");
                    let code = code.split_once('\n').expect("the language of the code is on its first line").1;
                    let named = source::inspect(code.as_bytes(), language, allowed).expect("nothing is refused");
                    assert_eq!(named.name, "Marta");
                }
            }
        }
    }

    /// What C++ headers have for files that were written for the original games, and
    /// what is the SDK's own; nobody needs it.
    const UNTOLD: [&str; 18] = [
        "_my_assert",
        "_unreachable",
        "char2Cell",
        "check_registrants",
        "clone",
        "color1",
        "color2",
        "delete",
        "escriu_ordres",
        "instantiate_robot",
        "name_registrants",
        "new",
        "ok",
        "read_grid",
        "register_class",
        "seen",
        "version",
        "operator",
    ];

    /// The functions that a line of a class declares: `  int round() const {`.
    fn declared(line: &str) -> Option<&str> {
        let inside = line.strip_prefix("  ").filter(|inside| inside.starts_with(|c: char| c.is_alphabetic()))?;
        let (before, _) = inside.split_once('(')?;
        let name = before.rsplit([' ', '&', '*']).next()?;
        let is_call = ["return", "else", "if", "for", "switch"].iter().any(|word| inside.starts_with(word));
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && name.len() < before.len();
        (!is_call && is_plain && !name.is_empty() && !name.contains("ludus")).then_some(name)
    }

    #[test]
    fn api_pages_tell_of_everything_in_the_sdk() {
        let mut told = 0;
        for game in ludus_games::GAMES.iter().map(|game| game.about().id) {
            for language in ["en", "ca", "es"] {
                let (cpp, rust) = (api(game, "cpp", language).unwrap(), api(game, "rust", language).unwrap());
                let has = |page: &str, name: &str| {
                    page.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
                };
                for (file, text) in ludus_sandbox::build::sdk_files() {
                    let in_rust = text.lines().filter_map(|line| {
                        let rest = line.strip_prefix("    pub ")?;
                        rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ")?.split(['(', '<']).next()
                    });
                    if file.ends_with(&format!("src/{game}.rs")) {
                        for name in in_rust {
                            assert!(has(rust, name), "{name} is not on the page of {game} in {language}");
                            told += 1;
                        }
                    } else if file.contains(&format!("cpp/{game}/")) && !file.ends_with(".cc") {
                        for name in text.lines().filter_map(declared).filter(|name| !UNTOLD.contains(name)) {
                            assert!(has(cpp, name), "{name} of {file} is not on the page of {game} in {language}");
                            told += 1;
                        }
                    }
                }
            }
        }
        assert!(told > 500, "{told} names");
    }
}
