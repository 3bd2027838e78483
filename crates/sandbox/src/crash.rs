//! Why a player died, in words for its author: what happened, in which function
//! and line, and the calls that led there.
//!
//! It goes where everything goes that a player writes, so that nobody sees it
//! but its author. Nothing of it is worked out unless somebody asks.

use std::collections::HashMap;
use std::fmt::Write as _;

use wasmtime::{Trap, WasmBacktrace};

use crate::imports::Ending;
use crate::null_page::GUARD;
use crate::player::Failure;
use crate::symbols::{Call, Lines, Symbols, demangled, type_name};

/// The most calls that are told, and the most that are looked at from either end.
const MOST_TOLD: usize = 12;
const INNERMOST: usize = 48;
const OUTERMOST: usize = 8;

/// So many calls of one function are a recursion that does not end.
const DEEP: usize = 500;

/// What is told of a name, and how many names are made readable.
const LONGEST_NAME: usize = 100;
const MOST_NAMES: usize = 64;

/// The longest line of output in which names are looked for.
const LONGEST_LINE: usize = 4096;

/// What files are called while they are compiled.
const SOURCES: [&str; 2] = ["player.cc", "player.rs"];

/// What their author calls them.
#[derive(Clone, Debug)]
pub struct SourceNames([String; 2]);

impl SourceNames {
    pub fn of_file(name: &str) -> SourceNames {
        SourceNames([name.to_owned(), name.to_owned()])
    }

    pub fn of_player(name: &str) -> SourceNames {
        SourceNames([format!("AI{name}.cc"), format!("{name}.rs")])
    }

    /// A line of text with the author's names in it.
    fn own(&self, line: &str) -> String {
        SOURCES.iter().zip(&self.0).fold(line.to_owned(), |line, (source, name)| line.replace(source, name))
    }
}

/// The death of a player.
pub struct Death {
    pub round: u32,
    pub cause: Failure,
}

/// Places of the code, the innermost first: a function and where in its counted
/// body.
type Trace = Vec<(u32, Option<usize>)>;

impl Death {
    /// What its author is told. `written` is the last that it wrote, `files` what
    /// its author calls the source.
    pub fn told(&self, symbols: Option<&Symbols>, written: &[u8], files: Option<&SourceNames>) -> String {
        let trace = self.trace();
        let lines = symbols.and_then(Symbols::open);
        let mut text = format!("died in round {}: ", self.round);
        text.push_str(&self.what(&trace, lines.as_ref(), &String::from_utf8_lossy(written)));
        text.push('\n');
        if let Some(lines) = &lines {
            add_calls(&mut text, &calls(&trace, lines), trace.len(), files);
        }
        text
    }

    fn trace(&self) -> Trace {
        let (Failure::Wasm(error) | Failure::OutOfFuel(error)) = &self.cause else { return Trace::new() };
        let backtrace = error.downcast_ref::<WasmBacktrace>();
        let frames = backtrace.map(WasmBacktrace::frames).unwrap_or_default();
        frames.iter().map(|frame| (frame.func_index(), frame.func_offset())).collect()
    }

    fn what(&self, trace: &Trace, lines: Option<&Lines<'_>>, written: &str) -> String {
        let error = match &self.cause {
            Failure::Malformed(what) => return format!("malformed orders: {what}"),
            Failure::OutOfFuel(_) => return "it ran out of CPU time".to_owned(),
            Failure::Wasm(error) => error,
        };
        if let Some(ending) = error.downcast_ref::<Ending>() {
            return ended(*ending, written);
        }
        let trap = error.downcast_ref::<Trap>();
        let runs_over = matches!(trap, Some(Trap::StackOverflow | Trap::MemoryOutOfBounds));
        match (recursion(trace).filter(|_| runs_over), trap) {
            (Some((function, times)), _) => {
                let name =
                    lines.map(|lines| cut(&demangled(lines.name(function)))).unwrap_or_else(|| "a function".to_owned());
                format!("the recursion is too deep, the stack is full: {name} is in {times} of {} calls", trace.len())
            }
            (None, Some(_)) if is_null(error) => "access through a null pointer".to_owned(),
            (None, Some(trap)) => trapped(*trap).to_owned(),
            (None, None) => crate::runtime::first_line(error),
        }
    }
}

/// Whether an access went to the first page of the memory, of which the runtime
/// tells in words only.
fn is_null(error: &wasmtime::Error) -> bool {
    let told = format!("{error:#}");
    let address = told.split_once("memory fault at wasm address 0x").map(|(_, rest)| rest);
    let digits = address.and_then(|rest| rest.split(' ').next());
    digits.and_then(|digits| usize::from_str_radix(digits, 16).ok()).is_some_and(|at| at < GUARD)
}

/// The function that is on the stack most often, if that is very often.
fn recursion(trace: &Trace) -> Option<(u32, usize)> {
    let mut times: HashMap<u32, usize> = HashMap::new();
    for (function, _) in trace {
        *times.entry(*function).or_default() += 1;
    }
    times.into_iter().max_by_key(|&(function, times)| (times, function)).filter(|&(_, times)| times >= DEEP)
}

fn trapped(trap: Trap) -> &'static str {
    match trap {
        Trap::StackOverflow => "the stack is full",
        Trap::MemoryOutOfBounds => "access outside of its memory: a pointer or an index is wrong",
        Trap::IntegerDivisionByZero => "division by zero",
        Trap::IntegerOverflow => "integer overflow in a division",
        Trap::BadConversionToInteger => "a number that no integer can be",
        Trap::UnreachableCodeReached => {
            "it came to code that cannot be reached: a null pointer or a missing return that the compiler saw"
        }
        Trap::IndirectCallToNull | Trap::BadSignature | Trap::TableOutOfBounds => {
            "call of a function that is none: a pointer or an object is wrong"
        }
        _ => "it crashed",
    }
}

fn ended(ending: Ending, written: &str) -> String {
    match ending {
        Ending::Aborted | Ending::Exception => {
            if let Some(exception) = thrown(written) {
                return format!("uncaught exception {exception}");
            }
            let last = |mark: &str| written.lines().rev().find(|line| line.contains(mark));
            if last("Assertion failed: ").is_some() {
                "an assertion does not hold".to_owned()
            } else if last("panicked at ").is_some() {
                "it panicked".to_owned()
            } else if ending == Ending::Exception {
                "uncaught exception".to_owned()
            } else {
                "it called abort()".to_owned()
            }
        }
        Ending::TooManyOrders => "too many orders in a round".to_owned(),
        Ending::OutOfMemory => "it needs more memory than it may have".to_owned(),
        Ending::Exited(status) => format!("it called exit({status})"),
        Ending::Unknown => "it ended itself".to_owned(),
    }
}

/// The last exception that was told: by `__cxa_throw` of the SDK, or by the C++
/// library, which does not throw but says what it would have thrown.
fn thrown(written: &str) -> Option<String> {
    for (k, line) in written.lines().collect::<Vec<_>>().iter().enumerate().rev() {
        if let Some((_, name)) = line.split_once("terminate called after throwing an instance of '") {
            let name = short(&type_name(name.trim_end_matches('\'')));
            let what = written.lines().nth(k + 1).and_then(|line| line.strip_prefix("  what():  "));
            return Some(cut(&what.map_or(name.clone(), |what| format!("{name}: {what}"))));
        }
        if let Some((before, after)) = line.split_once(" was thrown in -fno-exceptions mode") {
            let name = before.rsplit(' ').next().unwrap_or(before);
            let what = after.strip_prefix(" with message \"").map(|what| what.trim_end_matches('"'));
            return Some(cut(&what.map_or(format!("std::{name}"), |what| format!("std::{name}: {what}"))));
        }
    }
    None
}

/// What a player wrote, with its source under its own name, and the type that it
/// threw as its author wrote it, in the line that says of what it died: the last
/// of its kind, so that nothing swells.
pub fn readable(written: &[u8], files: Option<&SourceNames>) -> Vec<u8> {
    const MARKS: [&[u8]; 3] =
        [b"terminate called after throwing an instance of '", b"Assertion failed: ", b"panicked at "];
    let mut from = written.len();
    for line in written.split_inclusive(|&byte| byte == b'\n').rev() {
        from -= line.len();
        if MARKS.iter().any(|mark| line.windows(mark.len()).any(|part| part == *mark)) {
            let (before, after) = (&written[..from], &written[from + line.len()..]);
            return [before, cause(line, files).as_bytes(), after].concat();
        }
    }
    written.to_vec()
}

/// A line that says of what a player died, in words of its author.
fn cause(line: &[u8], files: Option<&SourceNames>) -> String {
    let text = String::from_utf8_lossy(line);
    if line.len() > LONGEST_LINE {
        return text.into_owned();
    }
    match text.split_once("terminate called after throwing an instance of '") {
        Some((before, name)) if name.ends_with("'\n") => {
            let name = cut(&short(&type_name(name.trim_end_matches("'\n"))));
            format!("{before}terminate called after throwing an instance of '{name}'\n")
        }
        _ => files.map_or_else(|| text.clone().into_owned(), |files| files.own(&text)),
    }
}

/// All calls, but for those in the middle of very many.
fn calls(trace: &Trace, lines: &Lines<'_>) -> Vec<Call> {
    let last = trace.len().saturating_sub(OUTERMOST).max(INNERMOST.min(trace.len()));
    let looked_at = trace.iter().take(INNERMOST).chain(&trace[last..]);
    let places: Vec<(u32, usize)> = looked_at.map(|&(function, at)| (function, at.unwrap_or_default())).collect();
    lines.calls(&places).concat()
}

/// Names as their author wrote them. A few letters can take long to read, so that
/// only so many are read; others are told as they are.
#[derive(Default)]
struct Names<'a>(HashMap<&'a str, String>);

impl<'a> Names<'a> {
    fn readable(&mut self, name: &'a str) -> &str {
        let room = self.0.len() < MOST_NAMES;
        self.0.entry(name).or_insert_with(|| if room { demangled(name).into_owned() } else { cut(name) })
    }

    /// The name of what was called, unless it says nothing about why.
    fn telling(&mut self, name: &'a str) -> Option<&str> {
        Some(self.readable(name)).filter(|name| !is_an_ending(name))
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
fn short(name: &str) -> String {
    name.replace("std::__2::", "std::").replace("std::__1::", "std::").replace("(anonymous namespace)::", "")
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}...", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let calls: Vec<Call> = (0..10_000)
            .map(|k| Call {
                function: format!("_Z4samePFvN{}1xEE{k}", "1a".repeat(40)),
                place: Some(("player.cc".to_owned(), 7)),
            })
            .collect();
        let mut names = Names::default();
        for call in &calls {
            names.readable(&call.function);
        }
        let read = names.0.iter().filter(|(name, readable)| *readable != *name).count();
        assert!(read <= MOST_NAMES, "{read} names");
        let mut text = String::new();
        add_calls(&mut text, &calls, calls.len(), None);
        assert!(text.lines().count() <= MOST_TOLD + 1, "{text}");
    }
}
