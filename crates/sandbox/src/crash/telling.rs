//! The words in which an author is told of a death, with names and lines.
//!
//! What they are made of may be anything, because sources can write into what a
//! compiler tells of them: see [`super::explain`].

use std::fmt::Write as _;
use std::ops::Range;

use super::names::{Names, cut, may_name_a_type, readable_line, short, thrown};
use super::{INNERMOST, OUTERMOST, SOURCES, SourceNames, Why};
use crate::symbols::{Call, Lines, Symbols};

/// The most calls that are told.
const MOST_TOLD: usize = 12;

/// All that is to be known for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    pub(super) round: u32,
    pub(super) why: Why,
    /// Functions and places in their counted bodies, the innermost first, and how
    /// many calls there were in all.
    pub(super) places: Vec<(u32, usize)>,
    pub(super) depth: usize,
    /// The line of the output that says of what the player died, and where it is.
    pub(super) line: Vec<u8>,
    pub(super) marked: Range<usize>,
    pub(super) last_words: Vec<u8>,
    /// As they are kept.
    pub(super) symbols: Option<Vec<u8>>,
    pub(super) files: Option<SourceNames>,
}

/// What is told: the line of the output in words of its author, and the death.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub line: Vec<u8>,
    pub death: String,
}

impl Telling {
    /// Whether somebody has to read what strangers may have written to be read.
    pub(super) fn has_names(&self) -> bool {
        let has_calls = self.symbols.is_some() && !self.places.is_empty();
        has_calls || may_name_a_type(&self.line) || may_name_a_type(&self.last_words)
    }

    /// With no name at all.
    pub(super) fn plainly(&self) -> Told {
        let why = match &self.why {
            Why::Plain(why) | Why::Thrown(why) => why.clone(),
            Why::Recursion(_, times) => self.recursion("a function", *times),
        };
        Told { line: self.line.clone(), death: format!("died in round {}: {why}\n", self.round) }
    }

    pub(super) fn told(&self) -> Told {
        let files = self.files.as_ref();
        let symbols = self.symbols.as_deref().and_then(Symbols::unpacked);
        let lines = symbols.as_ref().and_then(Symbols::open);
        let mut death = format!("died in round {}: {}\n", self.round, self.what(lines.as_ref()));
        if let Some(lines) = &lines {
            add_calls(&mut death, &lines.calls(&self.places).concat(), self.depth, files);
        }
        Told { line: readable_line(&self.line, files).into_bytes(), death }
    }

    fn what(&self, lines: Option<&Lines<'_>>) -> String {
        match &self.why {
            Why::Plain(why) => why.clone(),
            Why::Thrown(why) => match thrown(&String::from_utf8_lossy(&self.last_words)) {
                Some(exception) => format!("uncaught exception {exception}"),
                None => why.clone(),
            },
            Why::Recursion(function, times) => {
                let mut names = Names::default();
                let name = lines.map(|lines| cut(names.readable(lines.name(*function))));
                self.recursion(name.as_deref().unwrap_or("a function"), *times)
            }
        }
    }

    fn recursion(&self, function: &str, times: usize) -> String {
        format!("the recursion is too deep, the stack is full: {function} is in {times} of {} calls", self.depth)
    }
}

/// The calls that are in the player's own file, each with what it calls of
/// others'.
fn add_calls(text: &mut String, calls: &[Call], depth: usize, files: Option<&SourceNames>) {
    let mut names = Names::default();
    let own = |name: &str| files.map_or_else(|| cut(&short(name)), |files| cut(&files.own(&short(name))));
    let mut told: Vec<String> = Vec::new();
    let mut foreign: Option<&str> = None;
    for call in calls {
        let Some((source, line)) = call.place.as_ref().filter(|(source, _)| SOURCES.contains(&&**source)) else {
            foreign = Some(&call.function);
            continue;
        };
        let source = files.map_or_else(|| source.clone(), |files| files.own(source));
        let other = foreign.take().and_then(|other| names.telling(other));
        let calling = other.map(|other| format!(", calling {}", own(other))).unwrap_or_default();
        told.push(format!("  {source}:{line} in {}{calling}", own(names.readable(&call.function))));
        told.dedup();
        if told.len() > MOST_TOLD {
            break;
        }
    }
    // Code that serves several places has a function, but no line.
    if told.is_empty() {
        for call in calls.iter().filter(|call| !call.function.is_empty()).take(2 * MOST_TOLD) {
            told.extend(names.telling(&call.function).map(|name| format!("  in {}", cut(&short(name)))));
        }
        told.dedup();
    }
    for line in told.iter().take(MOST_TOLD) {
        text.push_str(line);
        text.push('\n');
    }
    if told.len() > MOST_TOLD || depth > INNERMOST + OUTERMOST {
        let _ = writeln!(text, "  ... {depth} calls in all");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_calls_are_told() {
        let call = |k| Call { function: format!("f{k}"), place: Some(("player.cc".to_owned(), 7)) };
        let calls: Vec<Call> = (0..10_000).map(call).collect();
        let mut text = String::new();
        add_calls(&mut text, &calls, calls.len(), None);
        assert!(text.lines().count() <= MOST_TOLD + 1, "{text}");
    }
}
