//! What a submitted file must be, found out by reading it.
//!
//! This finds the player's name, so that an answer comes at once and names a
//! line. What a file may include or use is the compiler's to say: in the jail
//! there is nothing else to be found, and a list of words here would only be
//! another opinion, that refuses good files and lets bad ones through.

mod copies;

use ludus_games::game::LONGEST_NAME;
use ludus_sandbox::build::Language;

use crate::texts::{self, Text};
pub use copies::example_of;
pub use ludus_sandbox::source::Named;
use ludus_sandbox::source::{cpp_names, how_to_name, rust_names, tokens::tokens};

/// A reason why a file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Counted from one.
    pub line: Option<usize>,
    pub text: Text,
    /// What the text is about: a header, a name.
    pub about: String,
}

/// The language of a file, by its name or, pasted, by what is in it.
pub fn language(file_name: &str, source: &[u8]) -> Language {
    let by_name = Language::of(std::path::Path::new(file_name));
    let mentions = |word: &[u8]| source.windows(word.len()).any(|window| window == word);
    by_name.unwrap_or_else(|| if mentions(b"ludus_player") { Language::Rust } else { Language::Cpp })
}

/// The name of the player in a file, or everything that is wrong with the file.
pub fn inspect(source: &[u8], language: Language, most_kib: i64) -> Result<Named, Vec<Problem>> {
    let text = readable(source, most_kib).map_err(|problem| vec![problem])?;
    let tokens = tokens(text, language);
    let mut problems = Vec::new();
    let names = match language {
        Language::Cpp => cpp_names(&tokens),
        Language::Rust => rust_names(&tokens),
    };
    match names.as_slice() {
        [] => problems.push(Problem { line: None, text: texts::NO_PLAYER, about: how_to_name(language).to_owned() }),
        [(name, line)] => problems.extend(check_name(name).map(|text| Problem {
            line: Some(*line),
            text,
            about: name.chars().take(40).collect(),
        })),
        [_, (name, line), ..] => {
            problems.push(Problem {
                line: Some(*line),
                text: texts::TWO_PLAYERS,
                about: name.chars().take(40).collect(),
            });
        }
    }
    match (problems.is_empty(), names.into_iter().next()) {
        (true, Some((name, line))) => Ok(Named { name, line }),
        _ => Err(problems),
    }
}

/// What is wrong with a name, if anything is.
pub fn check_name(name: &str) -> Option<Text> {
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Some(texts::NAME_LENGTH);
    }
    let plain = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    (!plain).then_some(texts::NAME_LETTERS)
}

fn readable(source: &[u8], most_kib: i64) -> Result<&str, Problem> {
    let whole = |text: Text, about: String| Problem { line: None, text, about };
    let line = |at: usize| 1 + source[..at].iter().filter(|byte| **byte == b'\n').count();
    if source.trim_ascii().is_empty() {
        return Err(whole(texts::FILE_EMPTY, String::new()));
    }
    if source.len() as i64 > most_kib << 10 {
        return Err(whole(texts::FILE_TOO_LARGE, most_kib.to_string()));
    }
    if source.starts_with(b"PK\x03\x04") || source.starts_with(b"\x1f\x8b") || source.starts_with(b"7z\xbc\xaf") {
        return Err(whole(texts::FILE_ARCHIVE, String::new()));
    }
    if let Some(at) = source.iter().position(|byte| *byte == 0) {
        return Err(Problem { line: (at > 4).then(|| line(at)), text: texts::FILE_BINARY, about: String::new() });
    }
    let text = std::str::from_utf8(source).map_err(|error| Problem {
        line: Some(line(error.valid_up_to())),
        text: texts::FILE_NOT_UTF8,
        about: String::new(),
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests;
