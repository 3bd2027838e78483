//! A source as words, and the tricks that need no more.

use std::collections::{BTreeMap, BTreeSet};

use super::Chance;

/// Words of a source: spaces and comments are words too.
pub type Words = Vec<String>;

pub const SHORT: &[&str] = &["aux", "tmp", "val", "foo", "kk", "cosa", "elem", "zz", "res", "obj", "fun", "cur"];
pub const CATALAN: &[&str] = &[
    "casella",
    "distancia",
    "millor",
    "seguent",
    "jugador",
    "cua",
    "visitat",
    "cerca",
    "meta",
    "pas",
    "desti",
    "mapa",
];

const KEYWORDS: &[&str] = &[
    "int",
    "long",
    "auto",
    "bool",
    "char",
    "double",
    "float",
    "void",
    "const",
    "for",
    "while",
    "if",
    "else",
    "return",
    "struct",
    "class",
    "public",
    "private",
    "static",
    "virtual",
    "using",
    "namespace",
    "new",
    "delete",
    "true",
    "false",
    "break",
    "continue",
    "switch",
    "case",
    "default",
    "do",
    "let",
    "mut",
    "fn",
    "impl",
    "pub",
    "use",
    "match",
    "loop",
    "in",
    "self",
    "Self",
    "as",
    "ref",
    "typedef",
    "enum",
    "template",
    "typename",
    "and",
    "or",
    "not",
    "unsigned",
    "short",
    "signed",
    "this",
    "nullptr",
    "override",
    "inline",
    "define",
    "include",
    "move",
    "where",
    "dyn",
    "type",
    "trait",
    "mod",
    "crate",
    "main",
    "play",
    "factory",
    "PLAYER_NAME",
    "Player",
    "operator",
    "sizeof",
];

pub fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

pub fn is_space(word: &str) -> bool {
    word.starts_with(char::is_whitespace) || word.starts_with("//") || word.starts_with("/*")
}

pub fn join(words: &Words) -> String {
    words.concat()
}

/// Cuts a source into words.
pub fn words(source: &str) -> Words {
    let bytes = source.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'#' if source[at..].starts_with("#define") || source[at..].starts_with("#include") => line_end(source, at),
            b'/' if source[at..].starts_with("//") => line_end(source, at),
            b'/' if source[at..].starts_with("/*") => source[at..].find("*/").map_or(bytes.len(), |end| at + end + 2),
            b'"' => quoted(bytes, at),
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at + 3,
            b'\'' if bytes.get(at + 1) == Some(&b'\\') => quoted(bytes, at),
            c if c.is_ascii_whitespace() => run(bytes, at, |c| c.is_ascii_whitespace()),
            c if c.is_ascii_alphanumeric() || c == b'_' => run(bytes, at, |c| c.is_ascii_alphanumeric() || c == b'_'),
            c if c >= 0x80 => run(bytes, at, |c| c >= 0x80),
            _ => {
                let two = source.get(at..at + 2).unwrap_or("");
                let pairs = ["->", "::", "+=", "-=", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "..", "=>", "*="];
                at + if pairs.contains(&two) { 2 } else { 1 }
            }
        };
        words.push(source[at..end].to_owned());
        at = end;
    }
    words
}

fn line_end(source: &str, at: usize) -> usize {
    source[at..].find('\n').map_or(source.len(), |end| at + end)
}

fn run(bytes: &[u8], at: usize, is_in: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|&c| !is_in(c)).map_or(bytes.len(), |length| at + length)
}

fn quoted(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != bytes[at] {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// The next and the last word that is no space.
pub fn next(words: &[String], at: usize) -> Option<usize> {
    (at + 1..words.len()).find(|&at| !is_space(&words[at]))
}

pub fn before(words: &[String], at: usize) -> Option<usize> {
    (0..at).rev().find(|&at| !is_space(&words[at]))
}

/// Names that are given here: a type or `let`, `fn`, `for` before, and a sign
/// after that ends a declaration.
fn given(words: &Words) -> BTreeSet<String> {
    let is_rust = words.iter().any(|word| word == "fn");
    let mut names = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        if !is_word(word) || KEYWORDS.contains(&word.as_str()) || word.starts_with(char::is_uppercase) {
            continue;
        }
        let (Some(before), Some(after)) = (before(words, at), next(words, at)) else { continue };
        let (head, after) = (words[before].as_str(), words[after].as_str());
        let is_given = if is_rust {
            ["let", "mut", "fn"].contains(&head) || (head == "for" && after == "in") || (head == "|" && after == "|")
        } else {
            let ends = ["=", ";", ",", "(", ")", "[", ":", "{"].contains(&after);
            ends && is_type(words, before)
        };
        if is_given {
            names.insert(word.clone());
        }
    }
    names
}

/// Whether a word ends a type, as far as one can see: `int`, `Pos`, `vector<int>`, `Pos&`.
fn is_type(words: &Words, at: usize) -> bool {
    let simple = ["int", "long", "bool", "char", "double", "float", "void", "auto", "string"];
    let word = words[at].as_str();
    match word {
        ">" => at > 0 && !is_space(&words[at - 1]),
        "&" | "*" => at > 0 && !is_space(&words[at - 1]) && is_type(words, at - 1),
        _ => simple.contains(&word) || (word.starts_with(char::is_uppercase) && word.len() > 1),
    }
}

/// All words of the SDK: what is called so behind a dot may be the game's.
fn words_of_the_sdk() -> &'static BTreeSet<String> {
    static WORDS: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| {
        let mut all = BTreeSet::new();
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    all.extend(words(&text).into_iter().filter(|word| is_word(word)));
                }
            }
        }
        all
    });
    &WORDS
}

/// Gives all names that the source gives itself others.
pub fn rename(words: &mut Words, chance: &mut Chance, from: &[&str]) {
    let is_rust = words.iter().any(|word| word == "fn");
    let mut names = BTreeMap::new();
    for name in given(words) {
        let number = names.len();
        names.insert(name, format!("{}{number}", from[chance.below(from.len())]));
    }
    for at in 0..words.len() {
        let Some(name) = names.get(&words[at]) else { continue };
        let is_member = before(words, at).is_some_and(|head| [".", "->", "::"].contains(&words[head].as_str()));
        let is_label = is_rust && next(words, at).is_some_and(|after| words[after] == ":");
        let is_call = next(words, at).is_some_and(|after| words[after] == "(");
        let may_be_theirs = (is_member && !is_call) || is_label;
        if !may_be_theirs || !words_of_the_sdk().contains(&words[at]) {
            words[at] = name.clone();
        }
    }
}

pub fn change_types(words: &mut Words) {
    for word in words.iter_mut() {
        let other = match word.as_str() {
            "int" => "long",
            "bool" => "int",
            "double" => "float",
            "i32" => "i64",
            "usize" => "u32",
            "u32" => "u64",
            "f64" => "f32",
            _ => continue,
        };
        *word = other.to_owned();
    }
}

pub fn add_macros(words: &mut Words) {
    if words.iter().any(|word| word == "fn") {
        return;
    }
    let table =
        [("for", "per"), ("while", "mentre"), ("if", "si"), ("return", "torna"), ("int", "enter"), ("else", "sino")];
    for word in words.iter_mut() {
        if let Some((_, other)) = table.iter().find(|(keyword, _)| keyword == word) {
            *word = (*other).to_owned();
        }
    }
    let first = words.iter().position(|word| word.starts_with("#include")).map_or(0, |at| at + 1);
    let lines: String = table.iter().map(|(keyword, other)| format!("\n#define {other} {keyword}")).collect();
    words.insert(first, format!("{lines}\n"));
}

/// Other spaces, no comments but new ones.
pub fn lay_out(words: &mut Words, chance: &mut Chance) {
    for at in 0..words.len() {
        if words[at].starts_with("//") || words[at].starts_with("/*") {
            words[at] = " ".to_owned();
        } else if words[at].starts_with(char::is_whitespace) {
            let after_line = at > 0 && words[at - 1].starts_with('#');
            words[at] = if after_line {
                "\n".to_owned()
            } else {
                ["\n", " ", "  ", "\n\n    ", "\t", "\n// pas seguent\n", " /* aqui */ "][chance.below(7)].to_owned()
            };
        }
    }
}
