//! What a submitted file must be, found out by reading it.
//!
//! The compiler decides what the file means; this only finds the player's name
//! and what may not be in a file, so that the answer comes at once and names a
//! line. What slips through here meets the jail and the sandbox.

mod copies;
mod tokens;

use ludus_games::game::LONGEST_NAME;
use ludus_sandbox::build::Language;

use crate::texts::{self, Text};
pub use copies::example_of;
use tokens::{Kind, Token, tokens};

/// A reason why a file is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Counted from one.
    pub line: Option<usize>,
    pub text: Text,
    /// What the text is about: a header, a name.
    pub about: String,
}

const MOST_PROBLEMS: usize = 20;

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

/// Standard headers that players may include. Those for threads are told
/// apart, because wanting them is common and the reason is worth saying.
const HEADERS: &str = "algorithm any array bitset cassert cctype cerrno cfloat chrono cinttypes climits clocale cmath \
    complex csignal cstddef cstdint cstdio cstdlib cstring ctime cwchar cwctype deque exception fstream functional \
    initializer_list iomanip ios iosfwd iostream istream iterator limits list locale map memory new numeric optional \
    ostream queue random ratio set sstream stack stdexcept streambuf string string_view system_error tuple type_traits \
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector bits/stdc++.h \
    assert.h ctype.h errno.h float.h inttypes.h limits.h locale.h math.h signal.h stdbool.h stddef.h stdint.h stdio.h \
    stdlib.h string.h time.h wchar.h wctype.h unistd.h sys/time.h sys/types.h bit compare concepts numbers ranges span \
    cfenv fenv.h charconv memory_resource execution cstdbool cstdalign ciso646 iso646.h";
const THREADS: &str =
    "thread mutex shared_mutex condition_variable future atomic pthread.h semaphore barrier latch stop_token";
const FILES: &str = "filesystem sys/stat.h fcntl.h dirent.h sys/mman.h sys/socket.h netinet/in.h netdb.h arpa/inet.h";

/// Headers of the SDK, of any game: those of another game do not compile anyway.
const SDK: &str = "Player.hh Action.hh Defs.hh Info.hh Settings.hh State.hh Structs.hh Random.hh Registry.hh Utils.hh \
    PosDir.hh aibase.h atzar.h common.h initializer.h robots.h";

/// Macros that hold a player's name in C++.
const NAME_MACROS: [&str; 2] = ["PLAYER_NAME", "NAMEPLAYER"];

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
    let mut problems = match language {
        Language::Cpp => check_includes(text, &tokens),
        Language::Rust => check_rust(&tokens),
    };
    problems.truncate(MOST_PROBLEMS);
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

fn how_to_name(language: Language) -> &'static str {
    match language {
        Language::Cpp => "#define PLAYER_NAME Marta",
        Language::Rust => "player!(Marta, \"Marta\");",
    }
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

fn check_includes(text: &str, tokens: &[Token]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for pair in tokens.windows(2) {
        let [hash, directive] = pair else { continue };
        if !(hash.first && hash.text == "#") {
            continue;
        }
        let rest = text[directive.end..].lines().next().unwrap_or_default().trim();
        let problem = match directive.text {
            "include" => check_header(rest),
            "include_next" | "import" | "embed" => Some((texts::DIRECTIVE_REFUSED, format!("#{}", directive.text))),
            _ => None,
        };
        problems.extend(problem.map(|(text, about)| Problem { line: Some(directive.line), text, about }));
    }
    problems
}

/// What is wrong with including `rest`, the end of the line.
fn check_header(rest: &str) -> Option<(Text, String)> {
    let closing = match rest.chars().next() {
        Some('<') => '>',
        Some('"') => '"',
        _ => return Some((texts::HEADER_UNCLEAR, rest.chars().take(60).collect())),
    };
    let name = rest[1..].split(closing).next().unwrap_or_default();
    let is_in = |list: &str| list.split_whitespace().any(|header| header == name);
    if is_in(HEADERS) || is_in(SDK) {
        return None;
    }
    let text = match name {
        _ if is_in(THREADS) => texts::HEADER_THREADS,
        _ if is_in(FILES) => texts::HEADER_FILES,
        _ => texts::HEADER_UNKNOWN,
    };
    Some((text, name.chars().take(60).collect()))
}

/// Names of the players that a C++ file registers.
fn cpp_names(tokens: &[Token]) -> Vec<(String, usize)> {
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
fn rust_names(tokens: &[Token]) -> Vec<(String, usize)> {
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

/// Rust has its own ways to reach for other files.
fn check_rust(tokens: &[Token]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let problem = |token: &Token, about: String| Problem { line: Some(token.line), text: texts::RUST_REFUSED, about };
    for (at, window) in tokens.windows(3).enumerate() {
        let mut refuse = |token: &Token, about: String| problems.push(problem(token, about));
        let [a, b, c] = window else { continue };
        let other_file = ["include", "include_str", "include_bytes", "env", "option_env"].contains(&a.text);
        if other_file && b.text == "!" {
            refuse(a, format!("{}!", a.text));
        } else if a.text == "mod" && b.kind == Kind::Word && c.text == ";" {
            refuse(a, format!("mod {};", b.text));
        } else if a.text == "std" && b.text == ":" && c.text == ":" {
            problems_of_std(&tokens[at + 3..], &mut problems);
        } else if a.text == "extern" && b.text == "crate" && !["std", "core", "alloc", "ludus_player"].contains(&c.text)
        {
            refuse(a, format!("extern crate {};", c.text));
        }
    }
    problems
}

/// Modules of the standard library that compile for players but fail when used.
/// `after` begins behind `std::`, with a module or with several in braces.
fn problems_of_std(after: &[Token], problems: &mut Vec<Problem>) {
    let mut depth = 0;
    for (at, token) in after.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        let first = at == 0 || ["{", ","].contains(&after[at - 1].text);
        let text = match token.text {
            "thread" => Some(texts::HEADER_THREADS),
            "fs" | "net" | "process" | "os" => Some(texts::HEADER_FILES),
            _ => None,
        };
        if let Some(text) = text.filter(|_| first && depth <= 1) {
            problems.push(Problem { line: Some(token.line), text, about: format!("std::{}", token.text) });
        }
        if depth == 0 {
            break;
        }
    }
}

#[cfg(test)]
mod tests;
