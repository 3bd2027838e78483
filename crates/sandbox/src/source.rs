//! How a source says who its player is, in both languages. Whoever looks for a
//! name, changes it or tells how to write it asks here.

pub mod tokens;

use crate::build::Language;
use tokens::{Kind, Token, tokens};

/// The name of a player, and the line that gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub line: usize,
}

impl Named {
    /// The same source under another name: the last word of the line.
    pub fn renamed(&self, source: &str, name: &str) -> String {
        let mut lines: Vec<String> = source.split_inclusive('\n').map(ToOwned::to_owned).collect();
        if let Some(line) = lines.get_mut(self.line - 1)
            && let Some(at) = line.rfind(&self.name)
        {
            line.replace_range(at..at + self.name.len(), name);
        }
        lines.concat()
    }
}

/// Macros that hold a player's name in C++.
const NAME_MACROS: [&str; 2] = ["PLAYER_NAME", "NAMEPLAYER"];

/// What stands in the line of a C++ file that makes its player known, and of a
/// Rust file.
const CPP_REGISTERS: [&str; 2] = ["RegisterPlayer(", "Static_Initializer"];
const RUST_REGISTERS: [&str; 1] = ["player!("];

/// A line that names a player.
pub fn how_to_name(language: Language) -> &'static str {
    match language {
        Language::Cpp => "#define PLAYER_NAME Marta",
        Language::Rust => "player!(Marta, \"Marta\");",
    }
}

/// The line of a source that makes its player known.
pub fn registering_line(source: &str, language: Language) -> Option<&str> {
    let marks = match language {
        Language::Cpp => &CPP_REGISTERS[..],
        Language::Rust => &RUST_REGISTERS[..],
    };
    source.lines().rfind(|line| marks.iter().any(|mark| line.contains(mark)))
}

/// A source under another name, if it has one.
pub fn renamed(source: &str, language: Language, name: &str) -> Option<String> {
    let tokens = tokens(source, language);
    let names = match language {
        Language::Cpp => cpp_names(&tokens),
        Language::Rust => rust_names(&tokens),
    };
    let (own, line) = names.into_iter().next()?;
    Some(Named { name: own, line }.renamed(source, name))
}

/// Names of the players that a C++ file registers.
pub fn cpp_names(tokens: &[Token]) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    for (at, window) in tokens.windows(3).enumerate() {
        let [a, b, c] = window else { continue };
        if a.first && a.text == "#" && b.text == "define" && NAME_MACROS.contains(&c.text) {
            // The value is the rest of the line; a macro without one names nobody.
            let value = tokens.get(at + 3).filter(|value| value.line == c.line).map_or("", |value| value.text);
            names.push((value.to_owned(), c.line));
        }
        if a.text == "RegisterPlayer" && b.text == "(" && !NAME_MACROS.contains(&c.text) {
            names.push((c.text.to_owned(), c.line));
        }
    }
    names
}

/// Names in `player!(Type, "Name")`.
pub fn rust_names(tokens: &[Token]) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    for (at, window) in tokens.windows(2).enumerate() {
        let [word, mark] = window else { continue };
        if word.text == "player" && mark.text == "!" {
            let literal = tokens[at + 2..].iter().take(12).find(|token| token.kind == Kind::Literal);
            names.push((literal.map_or("", |token| token.text.trim_matches('"')).to_owned(), word.line));
        }
    }
    names
}

/// The tokens of a source without those that only name its player, and the
/// words and literals that stand for the player in the others.
pub fn without_name(text: &str, language: Language) -> (Vec<Token<'_>>, Vec<&str>) {
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
    (tokens, names)
}
