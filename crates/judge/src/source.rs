//! What a submitted file must be, found out by reading it.
//!
//! This finds the player's name, so that an answer comes at once and names a
//! line. What a file may include or use is the compiler's to say: in the jail
//! there is nothing else to be found, and a list of words here would only be
//! another opinion, that refuses good files and lets bad ones through.

mod copies;
mod marks;

use ludus_sandbox::build::Language;

pub use copies::example_of;
pub use ludus_sandbox::source::Named;
use ludus_sandbox::source::{cpp_names, how_to_name, rust_names, tokens::tokens};
pub use marks::{Kind, Mark, marks};

/// A reason why a file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Counted from one.
    pub line: Option<usize>,
    pub what: BadSource,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadSource {
    Empty,
    TooLarge {
        most_kib: String,
    },
    Archive,
    Binary,
    NotUtf8,
    /// It should have a line like this.
    NoPlayer {
        example: &'static str,
    },
    TwoPlayers {
        second: String,
    },
    NameLength {
        name: String,
        longest: String,
    },
    NameLetters {
        name: String,
    },
}

/// How large a source may be, and how long the name of its player.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    pub kib: i64,
    pub longest_name: usize,
}

/// The language of a file, by its name or, pasted, by what is in it.
pub fn language(file_name: &str, source: &[u8]) -> Language {
    let by_name = Language::of(std::path::Path::new(file_name));
    let mentions = |word: &[u8]| source.windows(word.len()).any(|window| window == word);
    by_name.unwrap_or_else(|| if mentions(b"ludus_player") { Language::Rust } else { Language::Cpp })
}

/// The name of the player in a file, or what is wrong with the file.
pub fn inspect(source: &[u8], language: Language, allowed: Allowed) -> Result<Named, Problem> {
    let text = readable(source, allowed.kib)?;
    let tokens = tokens(text, language);
    let names = match language {
        Language::Cpp => cpp_names(&tokens),
        Language::Rust => rust_names(&tokens),
    };
    let problem = match names.as_slice() {
        [] => Problem { line: None, what: BadSource::NoPlayer { example: how_to_name(language) } },
        [(name, line)] => match check_name(name, allowed.longest_name) {
            None => return Ok(Named { name: name.clone(), line: *line }),
            Some(what) => Problem { line: Some(*line), what },
        },
        [_, (name, line), ..] => Problem { line: Some(*line), what: BadSource::TwoPlayers { second: shown(name) } },
    };
    Err(problem)
}

/// What is wrong with a name, if anything is.
pub fn check_name(name: &str, longest: usize) -> Option<BadSource> {
    if name.is_empty() || name.chars().count() > longest {
        return Some(BadSource::NameLength { name: shown(name), longest: longest.to_string() });
    }
    let plain = name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    (!plain).then(|| BadSource::NameLetters { name: shown(name) })
}

/// As much of a name as a message shows: enough to see where it is too long.
fn shown(name: &str) -> String {
    name.chars().take(60).collect()
}

fn readable(source: &[u8], most_kib: i64) -> Result<&str, Problem> {
    let whole = |what| Problem { line: None, what };
    let line = |at: usize| 1 + source[..at].iter().filter(|byte| **byte == b'\n').count();
    if source.trim_ascii().is_empty() {
        return Err(whole(BadSource::Empty));
    }
    if source.len() as i64 > most_kib << 10 {
        return Err(whole(BadSource::TooLarge { most_kib: most_kib.to_string() }));
    }
    if source.starts_with(b"PK\x03\x04") || source.starts_with(b"\x1f\x8b") || source.starts_with(b"7z\xbc\xaf") {
        return Err(whole(BadSource::Archive));
    }
    if let Some(at) = source.iter().position(|byte| *byte == 0) {
        return Err(Problem { line: (at > 4).then(|| line(at)), what: BadSource::Binary });
    }
    let text = std::str::from_utf8(source)
        .map_err(|error| Problem { line: Some(line(error.valid_up_to())), what: BadSource::NotUtf8 })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests;
