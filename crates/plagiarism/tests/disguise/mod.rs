//! Disguises a source as somebody would who has copied it: one function for
//! each trick, on the words of the source, by a seed.

mod blocks;
mod words;
pub mod write;

use blocks::Body;
use words::{Words, join, words};

/// Numbers that depend on a seed only.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit.max(1) as u64) as usize
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// A way to disguise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trick {
    Rename,
    Translate,
    ReorderFunctions,
    ReorderMembers,
    ReorderStatements,
    Declarations,
    JoinDeclarations,
    Types,
    ForToWhile,
    InvertIf,
    DeadCode,
    Layout,
    Macros,
    Inline,
    Extract,
    Merge,
    /// Several at once.
    Everything,
}

pub const TRICKS: [Trick; 17] = [
    Trick::Rename,
    Trick::Translate,
    Trick::ReorderFunctions,
    Trick::ReorderStatements,
    Trick::Declarations,
    Trick::Types,
    Trick::ForToWhile,
    Trick::InvertIf,
    Trick::DeadCode,
    Trick::Layout,
    Trick::Macros,
    Trick::Inline,
    Trick::Extract,
    Trick::Merge,
    Trick::Everything,
    Trick::ReorderMembers,
    Trick::JoinDeclarations,
];

impl Trick {
    /// Some are for C++ only.
    pub fn may_be_in_rust(self) -> bool {
        !matches!(self, Trick::Macros | Trick::ReorderMembers | Trick::JoinDeclarations)
    }
}

/// A copy of a source; `other` is the second one of a merged copy.
pub fn disguise(source: &str, other: &str, trick: Trick, seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let mut text = words(source);
    // Nobody copies without changing at least the names.
    if trick != Trick::Translate && trick != Trick::Inline {
        words::rename(&mut text, &mut chance, words::SHORT);
    }
    apply(&mut text, other, trick, &mut chance);
    join(&text)
}

fn apply(text: &mut Words, other: &str, trick: Trick, chance: &mut Chance) {
    match trick {
        Trick::Rename => {}
        Trick::Translate => words::rename(text, chance, words::CATALAN),
        Trick::ReorderFunctions => blocks::shuffle_functions(text, chance),
        Trick::ReorderMembers => blocks::shuffle_members(text, chance),
        Trick::ReorderStatements => blocks::swap_statements(text, chance),
        Trick::Declarations => blocks::split_declarations(text, chance),
        Trick::JoinDeclarations => blocks::join_declarations(text),
        Trick::Types => words::change_types(text),
        Trick::ForToWhile => blocks::for_to_while(text),
        Trick::InvertIf => blocks::invert_ifs(text),
        Trick::DeadCode => blocks::add_dead_code(text, chance),
        Trick::Layout => words::lay_out(text, chance),
        Trick::Macros => words::add_macros(text),
        Trick::Inline => blocks::inline_helpers(text),
        Trick::Extract => blocks::extract_helpers(text, chance),
        Trick::Merge => merge(text, other, chance),
        Trick::Everything => {
            for trick in [
                Trick::ReorderFunctions,
                Trick::Declarations,
                Trick::ForToWhile,
                Trick::InvertIf,
                Trick::ReorderStatements,
                Trick::DeadCode,
                Trick::Types,
                Trick::Layout,
                Trick::Macros,
            ] {
                apply(text, other, trick, chance);
            }
        }
    }
}

/// Half of the functions of one source, and half of those of another.
fn merge(text: &mut Words, other: &str, chance: &mut Chance) {
    let second = words(other);
    let (Some(a), Some(b)) = (Body::largest(text), Body::largest(&second)) else { return };
    let kept = half(&b, &second, chance);
    let mine = half(&a, text, chance);
    *text = a.around(text, &[mine, kept].concat());
}

/// About half of the functions.
fn half(body: &Body, text: &Words, chance: &mut Chance) -> Words {
    let mut functions: Vec<usize> = (0..body.members.len()).filter(|&at| body.members[at].is_function).collect();
    chance.shuffle(&mut functions);
    let mut left: usize = functions.iter().map(|&at| body.members[at].length()).sum::<usize>() / 2;
    let mut gone = Vec::new();
    for at in functions {
        if body.members[at].length() <= left {
            left -= body.members[at].length();
            gone.push(at);
        }
    }
    body.without(text, &gone)
}

/// The source as its author may have had it before: half of its functions, with
/// some steps that are gone since.
pub fn earlier(source: &str, seed: u64) -> String {
    let (mut text, mut chance) = (words(source), Chance::new(seed));
    if let Some(body) = Body::largest(&text) {
        text = body.around(&text, &half(&body, &text, &mut chance));
    }
    blocks::add_dead_code(&mut text, &mut chance);
    join(&text)
}
