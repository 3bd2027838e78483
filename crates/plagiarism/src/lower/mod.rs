//! A source as units: the simple steps that are left of a program when the ways
//! of writing it are taken away.
//!
//! A unit is a condition, a call, an assignment, a result. Names that the source
//! gives itself, literals and types are nothing but places; names that come from
//! outside (the game's, the standard library's) stay, since nobody can change
//! them. `for`, `while` and `loop` are conditions and steps; `a && b` is two
//! conditions, as are nested `if`s; a condition and its opposite are the same;
//! a call inside an expression is a unit of its own, whether its result was given
//! a name or not; a declaration without a value is nothing.
//!
//! A unit has an outline too, for comparing C++ with Rust, whose libraries differ:
//! no names at all, and whatever leads to a place is the place, but with the
//! numbers that a source holds, which a rewriting keeps.
//!
//! Trees are walked by functions that call themselves, as deep as `syntax` lets
//! a tree be.

mod expressions;
mod names;
mod statements;

use crate::language::Language;
use crate::macros;
use crate::syntax::{self, Refused};

/// One step of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Equal for equal steps.
    pub hash: u64,
    /// The same without names and with numbers; 0 for one that says nothing then.
    pub outline: u64,
    /// How much there is to it: operators, calls, places.
    pub size: u16,
    /// The function that it stands in, by number.
    pub function: u16,
    /// Its bytes in the source.
    pub start: u32,
    pub end: u32,
}

/// The units of a source in their order, and hashes of the names that it gives.
pub fn units(source: &[u8], language: Language) -> Result<(Vec<Unit>, Vec<u64>), Refused> {
    if source.len() > syntax::MAX_BYTES {
        return Err(Refused::TooLong(source.len()));
    }
    let bytes = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let skipped = source.len() - bytes.len();
    let expanded = match language {
        Language::Cpp => macros::expand(bytes),
        Language::Rust => macros::as_it_is(bytes),
    };
    let tree = syntax::parse(&expanded.text, language)?;
    let names = names::given(&tree, &expanded.text);
    let mut lower = Lower { tree: &tree, text: &expanded.text, names, units: Vec::new(), function: 0, language };
    lower.statement(0);
    let names = lower.names.telling();
    let mut units = lower.units;
    for unit in &mut units {
        let (start, end) = expanded.origin(unit.start as usize, unit.end as usize);
        let place = |at: usize| u32::try_from(at + skipped).expect("sources are short");
        (unit.start, unit.end) = (place(start), place(end));
    }
    Ok((units, names))
}

struct Lower<'a> {
    tree: &'a syntax::Tree,
    text: &'a [u8],
    names: names::Given,
    units: Vec<Unit>,
    function: u16,
    language: Language,
}

/// What is left of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Value {
    hash: u64,
    size: u16,
    /// With all names and literals: equal only for the same words.
    words: u64,
    /// For the outline, if there is anything in it.
    outline: Option<u64>,
    /// A name, a literal, the result of a call: nothing that a unit would hold.
    is_plain: bool,
}

/// What a unit or a part of one does.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Does {
    Condition = 1,
    Assign,
    Return,
    Call,
    Each,
    Member,
    Index,
    List,
    Negate,
    Range,
    Relation,
    Equality,
    Logic,
    Operator,
    Choice,
}

/// Mixes two numbers so that every bit of both counts.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(29) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 29;
    x = x.wrapping_mul(0xa24b_aed4_963e_e407);
    x ^ (x >> 32)
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}

impl<'a> Lower<'a> {
    /// Adds a unit for what stands at a node.
    fn emit(&mut self, node: usize, does: Does, what: Value) {
        // Steps that every program is full of tell nothing, and come and go
        // with the way of writing.
        if what.is_plain || what.size < 2 {
            return;
        }
        let node = self.tree.nodes[node];
        self.units.push(Unit {
            hash: mix(does as u64, what.hash),
            outline: what.outline.unwrap_or(0),
            size: what.size,
            function: self.function,
            start: node.start,
            end: node.end,
        });
    }

    fn bytes(&self, node: usize) -> &'a [u8] {
        let node = self.tree.nodes[node];
        &self.text[node.start as usize..node.end as usize]
    }
}
