//! How much a unit or a pair says. What many authors have, or what comes with
//! the course, says little; what is in one program only says all it holds.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::parallel;

/// A hasher for what is a hash already.
#[derive(Default)]
pub(crate) struct AsItIs(u64);

impl Hasher for AsItIs {
    // Tables look at both ends of a hash, and those of a part have one end in common.
    fn finish(&self) -> u64 {
        self.0.rotate_left(24)
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

/// So many parts of a table are filled at the same time, at most.
const PARTS: usize = 16;

/// The part that a hash is in.
fn part(hash: u64) -> usize {
    (hash >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

/// In how many authors' programs each hash is.
#[derive(Default)]
pub(crate) struct Frequencies {
    counts: [Counts; PARTS],
}

impl Frequencies {
    /// Of the hashes of each author, sorted and each once.
    pub fn among(authors: &[Vec<u64>]) -> Frequencies {
        let counts = parallel::map(PARTS, |number| {
            let mut counts = Counts::default();
            for hashes in authors {
                let start = hashes.partition_point(|&hash| part(hash) < number);
                for &hash in hashes[start..].iter().take_while(|hash| part(**hash) == number) {
                    *counts.entry(hash).or_default() += 1;
                }
            }
            counts
        });
        Frequencies { counts: counts.try_into().expect("there are as many parts") }
    }

    /// Counts the hashes of one author, each once.
    pub fn add(&mut self, hashes: impl IntoIterator<Item = u64>) {
        for hash in hashes {
            *self.counts[part(hash)].entry(hash).or_default() += 1;
        }
    }

    pub fn set(&mut self, hash: u64, authors: u32) {
        self.counts[part(hash)].insert(hash, authors);
    }

    pub fn of(&self, hash: u64) -> u32 {
        self.counts[part(hash)].get(&hash).copied().unwrap_or(0)
    }
}

/// Among so many authors it is seen what is common everywhere.
const ENOUGH_AUTHORS: f32 = 150.0;

/// So many others are taken to have a unit of size 1 where nobody is known.
const ELSEWHERE: f32 = 45.0;

/// What is known about how common units are.
#[derive(Clone, Copy)]
pub(crate) struct Prior(f32);

impl Prior {
    /// Where few are compared, what many others have may be in two of them only.
    pub fn among(authors: usize) -> Prior {
        Prior(ELSEWHERE * (1.0 - authors as f32 / ENOUGH_AUTHORS).max(0.0))
    }

    /// What a unit of a size says, if so many authors have it. The shorter it is,
    /// the more others are taken to have it.
    pub fn weight(self, size: u16, authors: u32) -> f32 {
        let size = f32::from(size.max(1));
        // Two are the two that are compared.
        let others = authors.saturating_sub(2) as f32 + self.0 / size;
        (1.0 + size).ln() * 4.0 / (4.0 + others)
    }
}
