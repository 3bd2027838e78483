//! Why a player died, in words for its author: what happened, in which function
//! and line, and the calls that led there.
//!
//! It goes where everything goes that a player writes, so that nobody sees it
//! but its author. Nothing of it is worked out unless somebody asks.

mod explain;
mod letter;
mod names;
mod telling;

use std::collections::HashMap;

use wasmtime::{Trap, WasmBacktrace};

use crate::imports::Ending;
use crate::null_page::GUARD;
use crate::player::Failure;

pub use explain::{EXPLAIN, explain, tell};
use names::last_line_with;
use telling::Telling;

/// The most calls that are looked at from either end.
const INNERMOST: usize = 48;
const OUTERMOST: usize = 8;

/// So many calls of one function are a recursion that does not end.
const DEEP: usize = 500;

/// What files are called while they are compiled.
const SOURCES: [&str; 2] = ["player.cc", "player.rs"];

/// What their author calls them.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What happened, as far as it is known without a look at any name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Plain(String),
    /// What was written may name what was thrown; otherwise this.
    Thrown(String),
    /// A function is on the stack so many times.
    Recursion(u32, usize),
}

impl Death {
    /// What its author is to be told. `output` is what the player wrote in its
    /// last round, `last_words` the last of that, kept or not, `symbols` what is
    /// kept of the module, and `files` what its author calls the source.
    pub fn telling(
        &self,
        output: &[u8],
        last_words: &[u8],
        symbols: Option<Vec<u8>>,
        files: Option<SourceNames>,
    ) -> Telling {
        let trace = self.trace();
        let last = trace.len().saturating_sub(OUTERMOST).max(INNERMOST.min(trace.len()));
        let looked_at = trace.iter().take(INNERMOST).chain(&trace[last..]);
        let marked = names::marked(output);
        Telling {
            round: self.round,
            why: self.why(&trace, &String::from_utf8_lossy(last_words)),
            // All calls, but for those in the middle of very many.
            places: looked_at.map(|&(function, at)| (function, at.unwrap_or_default())).collect(),
            depth: trace.len(),
            line: output[marked.clone()].to_vec(),
            marked,
            last_words: last_words.to_vec(),
            symbols,
            files,
        }
    }

    fn trace(&self) -> Trace {
        let (Failure::Wasm(error) | Failure::OutOfFuel(error)) = &self.cause else { return Trace::new() };
        let backtrace = error.downcast_ref::<WasmBacktrace>();
        let frames = backtrace.map(WasmBacktrace::frames).unwrap_or_default();
        frames.iter().map(|frame| (frame.func_index(), frame.func_offset())).collect()
    }

    fn why(&self, trace: &Trace, written: &str) -> Why {
        let error = match &self.cause {
            Failure::Malformed(what) => return Why::Plain(format!("malformed orders: {what}")),
            Failure::OutOfFuel(_) => return Why::Plain("it ran out of CPU time".to_owned()),
            Failure::Wasm(error) => error,
        };
        if let Some(ending) = error.downcast_ref::<Ending>() {
            return ended(*ending, written);
        }
        let trap = error.downcast_ref::<Trap>();
        let runs_over = matches!(trap, Some(Trap::StackOverflow | Trap::MemoryOutOfBounds));
        match (recursion(trace).filter(|_| runs_over), trap) {
            (Some((function, times)), _) => Why::Recursion(function, times),
            (None, Some(_)) if is_null(error) => Why::Plain("access through a null pointer".to_owned()),
            (None, Some(trap)) => Why::Plain(trapped(*trap).to_owned()),
            (None, None) => Why::Plain(crate::runtime::root_cause(error)),
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

fn ended(ending: Ending, written: &str) -> Why {
    let plain = match ending {
        Ending::Aborted | Ending::Exception => {
            let aborted = if ending == Ending::Exception {
                "uncaught exception".to_owned()
            } else {
                "it called abort()".to_owned()
            };
            return Why::Thrown(if last_line_with(written, "Assertion failed: ").is_some() {
                "an assertion does not hold".to_owned()
            } else if last_line_with(written, "panicked at ").is_some() {
                "it panicked".to_owned()
            } else {
                aborted
            });
        }
        Ending::TooManyOrders => "too many orders in a round".to_owned(),
        Ending::OutOfMemory => "it needs more memory than it may have".to_owned(),
        Ending::Exited(status) => format!("it called exit({status})"),
        Ending::Unknown => "it ended itself".to_owned(),
    };
    Why::Plain(plain)
}
