//! Sources that differ from an example in nothing but the player's name.

use ludus_sandbox::build::Language;
use ludus_sandbox::source::{self, tokens::Token};

use super::language;
use crate::content;

/// The example of a game of which a source is a copy but for its name. Comments
/// and blanks do not count.
pub fn example_of(game: &str, source: &[u8], written_in: Language) -> Option<&'static str> {
    let text = std::str::from_utf8(source).ok()?;
    let own = Essence::of(text.strip_prefix('\u{feff}').unwrap_or(text), written_in);
    content::players(game)
        .filter(|(file, example)| language(file, example.as_bytes()) == written_in)
        .find(|(_, example)| own.equals(&Essence::of(example, written_in)))
        .map(|(file, _)| file)
}

/// The tokens of a source, and which of them stand for its player.
struct Essence<'a> {
    tokens: Vec<Token<'a>>,
    names: Vec<&'a str>,
}

impl<'a> Essence<'a> {
    fn of(text: &'a str, language: Language) -> Essence<'a> {
        let (tokens, names) = source::without_name(text, language);
        Essence { tokens, names }
    }

    /// Compared place by place, because a name may be a word that the source
    /// uses for something else too.
    fn equals(&self, other: &Essence) -> bool {
        let same = |(a, b): (&Token, &Token)| {
            a.text == b.text || (self.names.contains(&a.text) && other.names.contains(&b.text))
        };
        self.tokens.len() == other.tokens.len() && self.tokens.iter().zip(&other.tokens).all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Allowed, inspect};
    use super::*;

    #[test]
    fn every_example_is_known_under_any_name() {
        for game in ludus_games::GAMES {
            let game = game.about().id;
            for (file, source) in content::players(game) {
                let written_in = language(file, source.as_bytes());
                let named = inspect(source.as_bytes(), written_in, Allowed { kib: 1024, longest_name: 12 }).unwrap();
                for name in ["Pau_1", "me", "x"] {
                    let copy = named.renamed(source, name).replace('\n', "  // mine\r\n\r\n");
                    assert_eq!(example_of(game, copy.as_bytes(), written_in), Some(file), "{game} {file} {name}");
                }
                let more = format!("{source}\nstatic const int MINE = 1;\n");
                assert_eq!(example_of(game, more.as_bytes(), written_in), None, "{game} {file}");
            }
        }
    }

    #[test]
    fn names_may_be_written_out_or_be_the_types_too() {
        let cpp = content::player("ants", "AINull.cc").unwrap();
        let lines: Vec<&str> = cpp.lines().filter(|line| !line.starts_with("#define PLAYER_NAME")).collect();
        let written = lines.join("\n").replace("PLAYER_NAME", "Marta");
        assert_eq!(example_of("ants", written.as_bytes(), Language::Cpp), Some("AINull.cc"));
        let rust = content::player("ants", "Null.rs").unwrap().replace("Null", "Marta");
        assert_eq!(example_of("ants", rust.as_bytes(), Language::Rust), Some("Null.rs"));
        assert_eq!(example_of("ants", b"\xff", Language::Cpp), None);
    }
}
