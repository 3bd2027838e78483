//! Which names a source gives itself. Those can be changed at will and count
//! for nothing; all others come from the game or the standard library.

use super::hash_bytes;
use crate::language::{Field, Kind};
use crate::syntax::Tree;
use crate::weights::Hashes;

/// Names that a source gives, as hashes of their bytes.
///
/// Members are told apart from the rest: `i` may be a name of the source's own
/// where it counts, and the game's in `pos.i`.
pub(super) struct Given {
    all: Hashes,
    members: Hashes,
    /// Those of one letter, which everybody gives.
    letters: Hashes,
}

impl Given {
    /// The names that may tell who gave them, in order.
    pub fn telling(&self) -> Vec<u64> {
        let mut names: Vec<u64> = self.all.difference(&self.letters).copied().collect();
        names.sort_unstable();
        names
    }

    pub fn contains(&self, name: &[u8]) -> bool {
        self.all.contains(&hash_bytes(name))
    }

    pub fn has_member(&self, name: &[u8]) -> bool {
        self.members.contains(&hash_bytes(name))
    }
}

pub(super) fn given(tree: &Tree, text: &[u8]) -> Given {
    let mut given = Given { all: Hashes::default(), members: Hashes::default(), letters: Hashes::default() };
    for node in &tree.nodes {
        let is_name = matches!(node.kind, Kind::Name | Kind::MemberName);
        if !is_name || !is_given(tree, node.parent as usize, node.field) {
            continue;
        }
        let hash = hash_bytes(&text[node.start as usize..node.end as usize]);
        given.all.insert(hash);
        if node.end - node.start == 1 {
            given.letters.insert(hash);
        }
        if node.kind == Kind::MemberName || is_function(tree, node.parent as usize) {
            given.members.insert(hash);
        }
    }
    given
}

/// Whether a name that is given in a node is a function's, maybe a method.
fn is_function(tree: &Tree, parent: usize) -> bool {
    match tree.kind(parent) {
        Kind::Function => true,
        Kind::Declarator => tree.child(parent, Field::Parameters).is_some(),
        Kind::Qualified => tree.kind(tree.nodes[parent].parent as usize) == Kind::Declarator,
        _ => false,
    }
}

/// Whether a name in this part of a node is one that is given there.
fn is_given(tree: &Tree, parent: usize, field: Field) -> bool {
    match tree.kind(parent) {
        Kind::Declarator | Kind::Parameter => field != Field::Type && field != Field::Other,
        Kind::Declaration => matches!(field, Field::Declarator | Field::Name),
        Kind::InitDeclarator => field == Field::Declarator,
        Kind::ForEach => matches!(field, Field::Declarator | Field::Pattern),
        Kind::Let => matches!(field, Field::Pattern | Field::Name),
        Kind::Function | Kind::Named | Kind::Enumerator => matches!(field, Field::Name | Field::Declarator),
        Kind::LetCondition => field == Field::Pattern,
        Kind::Pattern => field != Field::Type,
        // `void Player::play()` outside its class.
        Kind::Qualified => field == Field::Name && tree.kind(tree.nodes[parent].parent as usize) == Kind::Declarator,
        _ => false,
    }
}

/// A name from outside as both languages write it: `move_ant` and `moveAnt` are
/// one, and so are the words of the two standard libraries for the same thing.
pub(super) fn from_outside(name: &[u8]) -> u64 {
    let mut plain = [0u8; 40];
    let mut length = 0;
    let letters = name.iter().filter(|byte| **byte != b'_');
    for (place, byte) in plain.iter_mut().zip(letters) {
        *place = byte.to_ascii_lowercase();
        length += 1;
    }
    let plain = &plain[..length];
    let common: &[u8] = match plain {
        b"pushback" | b"emplaceback" | b"emplace" | b"push" | b"insert" | b"pushfront" => b"push",
        b"size" | b"length" | b"len" | b"count" => b"len",
        b"empty" | b"isempty" => b"empty",
        b"pop" | b"popback" | b"popfront" => b"pop",
        b"front" | b"back" | b"top" | b"peek" | b"first" | b"last" => b"front",
        b"intmax" | b"i32max" | b"max" => b"max",
        b"sort" | b"sortby" | b"sortbykey" | b"stablesort" | b"sortunstable" => b"sort",
        b"abs" | b"fabs" | b"labs" => b"abs",
        b"dir" | b"todir" => b"dir",
        b"makepair" | b"pair" | b"maketuple" => b"pair",
        other => other,
    };
    hash_bytes(common)
}

/// Calls that change nothing about the value they are made of.
pub(super) fn is_transparent(name: &[u8]) -> bool {
    matches!(
        name,
        b"iter"
            | b"iter_mut"
            | b"into_iter"
            | b"copied"
            | b"cloned"
            | b"clone"
            | b"unwrap"
            | b"expect"
            | b"as_ref"
            | b"as_mut"
            | b"to_owned"
            | b"into"
            | b"collect"
            | b"as_slice"
            | b"to_vec"
            | b"begin"
            | b"end"
            | b"Some"
            | b"Ok"
            | b"unwrap_or_default"
            | b"try_into"
    )
}
