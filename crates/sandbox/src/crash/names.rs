//! What is found in the words that a player wrote before it died, and names as
//! their author wrote them.

use std::collections::HashMap;
use std::ops::Range;

use super::SourceNames;
use crate::symbols::{demangled, type_name};

/// What is told of a name, and how many names are made readable.
const LONGEST_NAME: usize = 100;
const MOST_NAMES: usize = 64;

/// The longest line of output in which names are looked for.
const LONGEST_LINE: usize = 4096;

/// What comes before the name of a type that was thrown.
const THROWN: &str = "terminate called after throwing an instance of '";
const NOT_THROWN: &str = " was thrown in -fno-exceptions mode";

/// Whether something may name a type, which somebody has to read.
pub fn may_name_a_type(text: &[u8]) -> bool {
    holds(text, THROWN.as_bytes())
}

fn holds(text: &[u8], mark: &[u8]) -> bool {
    text.windows(mark.len()).any(|part| part == mark)
}

pub fn last_line_with<'a>(written: &'a str, mark: &str) -> Option<&'a str> {
    written.lines().rev().find(|line| line.contains(mark))
}

/// The last exception that was told: by `__cxa_throw` of the SDK, or by the C++
/// library, which does not throw but says what it would have thrown.
pub fn thrown(written: &str) -> Option<String> {
    let lines: Vec<&str> = written.lines().collect();
    for (k, line) in lines.iter().enumerate().rev() {
        if let Some((_, name)) = line.split_once(THROWN) {
            let name = short(&type_name(name.trim_end_matches('\'')));
            let what = lines.get(k + 1).and_then(|line| line.strip_prefix("  what():  "));
            return Some(cut(&what.map_or(name.clone(), |what| format!("{name}: {what}"))));
        }
        if let Some((before, after)) = line.split_once(NOT_THROWN) {
            let name = before.rsplit(' ').next().unwrap_or(before);
            let what = after.strip_prefix(" with message \"").map(|what| what.trim_end_matches('"'));
            return Some(cut(&what.map_or(format!("std::{name}"), |what| format!("std::{name}: {what}"))));
        }
    }
    None
}

/// The line of what a player wrote that says of what it died: the last of its
/// kind, so that nothing swells; nothing at the end if there is none that can be
/// made more readable.
pub fn marked(written: &[u8]) -> Range<usize> {
    const MARKS: [&[u8]; 3] = [THROWN.as_bytes(), b"Assertion failed: ", b"panicked at "];
    let mut from = written.len();
    for line in written.split_inclusive(|&byte| byte == b'\n').rev() {
        from -= line.len();
        if MARKS.iter().any(|mark| holds(line, mark)) {
            let end = if line.len() > LONGEST_LINE { from } else { from + line.len() };
            return from..end;
        }
    }
    written.len()..written.len()
}

/// A line that says of what a player died, with its source under its own name, or
/// the type that it threw as its author wrote it.
pub fn readable_line(line: &[u8], files: Option<&SourceNames>) -> String {
    let text = String::from_utf8_lossy(line);
    match text.split_once(THROWN) {
        Some((before, name)) if name.ends_with("'\n") => {
            let name = cut(&short(&type_name(name.trim_end_matches("'\n"))));
            format!("{before}{THROWN}{name}'\n")
        }
        _ => files.map_or_else(|| text.clone().into_owned(), |files| files.own(&text)),
    }
}

/// Names as their author wrote them. A few letters can take long to read, so that
/// only so many are read; others are told as they are.
#[derive(Default)]
pub struct Names<'a>(HashMap<&'a str, String>);

impl<'a> Names<'a> {
    pub fn readable(&mut self, name: &'a str) -> &str {
        let room = self.0.len() < MOST_NAMES;
        self.0.entry(name).or_insert_with(|| if room { demangled(name).into_owned() } else { cut(name) })
    }

    /// The name of what was called, unless it says nothing about why.
    pub fn telling(&mut self, name: &'a str) -> Option<&str> {
        Some(self.readable(name)).filter(|name| !is_an_ending(name))
    }
}

/// What lets a player end, and says nothing about why.
fn is_an_ending(name: &str) -> bool {
    [
        "abort",
        "ludus::",
        "ludus_",
        "__",
        "std::panicking",
        "core::panicking",
        "rust_panic",
        "std::sys",
        "std::terminate",
    ]
    .iter()
    .any(|ending| name.starts_with(ending))
        || name.contains("__throw_")
        || name.contains("verbose_abort")
}

/// A name without what the libraries put between.
pub fn short(name: &str) -> String {
    name.replace("std::__2::", "std::").replace("std::__1::", "std::").replace("(anonymous namespace)::", "")
}

pub fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readable(written: &[u8], files: Option<&SourceNames>) -> Vec<u8> {
        let marked = marked(written);
        let line = readable_line(&written[marked.clone()], files);
        [&written[..marked.start], line.as_bytes(), &written[marked.end..]].concat()
    }

    /// Names of 52 letters that stand for thousands, line after line.
    #[test]
    fn what_was_written_does_not_swell() {
        let line = "terminate called after throwing an instance of 'NSt3__26vectorIiNS_9allocatorIiEEEE'\n";
        let many = line.repeat(1000);
        let shown = readable(many.as_bytes(), None);
        assert!(shown.len() < many.len() + 100, "{} of {}", shown.len(), many.len());
        let last = String::from_utf8(shown).unwrap().lines().last().unwrap().to_owned();
        assert!(last.contains("vector<int"), "{last}");
        let files = SourceNames::of_file(&"x".repeat(200));
        let asserted = "Assertion failed: player.cc ".repeat(100_000);
        assert_eq!(readable(asserted.as_bytes(), Some(&files)).len(), asserted.len());
        let own =
            readable(b"before\nAssertion failed: a (player.cc: f: 3)\nafter\n", Some(&SourceNames::of_player("Marta")));
        assert_eq!(own, b"before\nAssertion failed: a (AIMarta.cc: f: 3)\nafter\n");
        assert_eq!(readable(b"nothing\n", None), b"nothing\n");
    }

    #[test]
    fn only_so_many_names_are_read() {
        let names: Vec<String> = (0..10_000).map(|k| format!("_Z4samePFvN{}1xEE{k}", "1a".repeat(40))).collect();
        let mut all = Names::default();
        for name in &names {
            all.readable(name);
        }
        let read = all.0.iter().filter(|(name, readable)| *readable != *name).count();
        assert!(read <= MOST_NAMES, "{read} names");
    }
}
