//! How much a unit or a pair says. What many authors have, or what comes with
//! the course, says little; what is in one program only says all it holds.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A hasher for what is a hash already.
#[derive(Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only hashes are hashed")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

pub(crate) type Counts = HashMap<u64, u32, BuildHasherDefault<AsItIs>>;
pub(crate) type Hashes = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// In how many authors' programs each hash is.
#[derive(Default)]
pub(crate) struct Frequencies {
    counts: Counts,
}

impl Frequencies {
    /// Counts the hashes of one author, each once.
    pub fn add(&mut self, hashes: impl IntoIterator<Item = u64>) {
        for hash in hashes {
            *self.counts.entry(hash).or_default() += 1;
        }
    }

    pub fn set(&mut self, hash: u64, authors: u32) {
        self.counts.insert(hash, authors);
    }

    pub fn of(&self, hash: u64) -> u32 {
        self.counts.get(&hash).copied().unwrap_or(0)
    }
}

/// What is said by something that so many authors have.
pub(crate) fn rarity(authors: u32) -> f32 {
    // Two are the two that are compared.
    let others = authors.saturating_sub(2);
    4.0 / (4.0 + others as f32)
}

/// What a unit of a size says, if so many authors have it.
pub(crate) fn of_unit(size: u16, authors: u32) -> f32 {
    (1.0 + f32::from(size)).ln() * rarity(authors)
}
