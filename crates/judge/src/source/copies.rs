//! Sources that differ from an example in nothing but the player's name.

use ludus_sandbox::build::Language;

use super::tokens::{Kind, Token, tokens};
use super::{NAME_MACROS, language};
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
        let mut tokens = tokens(text, language);
        let mut names = Vec::new();
        match language {
            Language::Cpp => {
                names.extend(NAME_MACROS);
                let registered = tokens.windows(3).find(|at| at[0].text == "RegisterPlayer" && at[1].text == "(");
                names.extend(registered.map(|at| at[2].text));
                let is_naming = |at: usize| {
                    let [hash, define, name] = &tokens[at..at + 3] else { return false };
                    hash.first && hash.text == "#" && define.text == "define" && NAME_MACROS.contains(&name.text)
                };
                let naming = (0..tokens.len().saturating_sub(2)).find(|at| is_naming(*at));
                if let Some(at) = naming {
                    let line = tokens[at + 2].line;
                    let value = tokens.get(at + 3).filter(|value| value.line == line).map(|value| value.text);
                    names.extend(value);
                    tokens.drain(at..at + 3 + usize::from(value.is_some()));
                }
            }
            Language::Rust => {
                let at = tokens.windows(2).position(|pair| pair[0].text == "player" && pair[1].text == "!");
                let inside = &tokens[at.map_or(tokens.len(), |at| at + 2)..];
                names.extend(inside.iter().find(|token| token.kind == Kind::Word).map(|token| token.text));
                names.extend(inside.iter().find(|token| token.kind == Kind::Literal).map(|token| token.text));
            }
        }
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
    use super::super::inspect;
    use super::*;

    #[test]
    fn every_example_is_known_under_any_name() {
        for game in ludus_games::GAMES {
            let game = game.about().id;
            for (file, source) in content::players(game) {
                let written_in = language(file, source.as_bytes());
                let named = inspect(source.as_bytes(), written_in, 1024).unwrap();
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
