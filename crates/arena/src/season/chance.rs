//! Everything that chance decides in a round, from its seed.
//!
//! `docs/season.md` gives these rules to the byte, so that anybody can draw the
//! groups again with a few lines in any language. They never change; another
//! rule would get another label.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{Field, Hash};

/// The secret of a round, drawn by the course.
///
/// Its [commitment](RoundSeed::commitment) is published before anybody's
/// representative is frozen, and the seed itself when the round is over.
#[derive(Clone, PartialEq, Eq)]
pub struct RoundSeed([u8; 32]);

/// A seed that has not been revealed must not come out by a log.
impl fmt::Debug for RoundSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RoundSeed of {}", self.commitment())
    }
}

impl RoundSeed {
    pub fn new(bytes: [u8; 32]) -> RoundSeed {
        RoundSeed(bytes)
    }

    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }

    /// What binds the course to this seed without telling it.
    pub fn commitment(&self) -> Hash {
        Hash::of_parts(&[b"ludus round commitment 1\0", &self.0])
    }

    /// The seed of one round of a final, whose rounds, counted from 1, are all
    /// played from one seed. To reveal it tells nothing about the others.
    pub fn of_round(&self, round: u32) -> RoundSeed {
        RoundSeed(Hash::of_parts(&[b"ludus final round 1\0", &self.0, &round.to_le_bytes()]).0)
    }

    /// The key of a round. Whoever draws the seed knows it before the field is
    /// known, and who chooses a representative does not know the seed: with
    /// both in the key neither can tell beforehand who will meet whom.
    pub(super) fn key(&self, field: &Field) -> Key {
        Key(Hash::of_parts(&[b"ludus round key 1\0", &self.0, &field.digest().0]).0)
    }
}

/// What the draws of a round come from.
#[derive(Clone)]
pub(super) struct Key([u8; 32]);

impl Key {
    #[cfg(test)]
    pub fn hash(&self) -> Hash {
        Hash(self.0)
    }

    /// The draws for one purpose, which its name tells apart from all others.
    pub fn draws(&self, purpose: &str) -> Draws {
        let mut begun = Sha256::new();
        begun.update(self.0);
        begun.update(purpose);
        begun.update([0]);
        Draws { begun, counter: 0, words: [0; 8], left: 0 }
    }
}

/// An endless list of numbers.
pub(super) struct Draws {
    /// Everything that is hashed before the counter.
    begun: Sha256,
    counter: u32,
    words: [u32; 8],
    left: usize,
}

impl Draws {
    /// The next 32 bits.
    fn word(&mut self) -> u32 {
        if self.left == 0 {
            let mut block = self.begun.clone();
            block.update(self.counter.to_le_bytes());
            let block: [u8; 32] = block.finalize().into();
            for (word, bytes) in self.words.iter_mut().zip(block.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            self.counter += 1;
            self.left = self.words.len();
        }
        let word = self.words[self.words.len() - self.left];
        self.left -= 1;
        word
    }

    /// A number from 0 to `count` - 1, all equally likely: words beyond the
    /// last whole multiple of `count` are passed over.
    pub fn below(&mut self, count: u32) -> u32 {
        let whole = (1 << 32) - (1 << 32) % u64::from(count);
        loop {
            let word = self.word();
            if u64::from(word) < whole {
                return word % count;
            }
        }
    }

    /// Every order equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// The seed of a match, from 1 to 2^31 - 1: every game takes these.
    pub fn match_seed(&mut self) -> i32 {
        1 + self.below(i32::MAX as u32) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(purpose: &str) -> Draws {
        Key([7; 32]).draws(purpose)
    }

    #[test]
    fn words_are_hashes_of_key_purpose_and_counter() {
        let mut draws = draws("stage 1");
        let block = |counter: u32| Hash::of_parts(&[&[7; 32], b"stage 1\0", &counter.to_le_bytes()]).0;
        for counter in 0..3 {
            for word in block(counter).as_chunks::<4>().0 {
                assert_eq!(draws.word(), u32::from_le_bytes(*word));
            }
        }
    }

    #[test]
    fn purposes_do_not_share_draws() {
        let first = |purpose| draws(purpose).word();
        assert_ne!(first("stage 1"), first("stage 2"));
        assert_ne!(first("stage 1"), first("stage 10"));
        assert_ne!(first("stage 1"), first("draw"));
    }

    /// Half of all words are passed over for this count, and none is folded.
    #[test]
    fn words_beyond_a_whole_multiple_are_passed_over() {
        let count = (1 << 31) + 1;
        let (mut drawn, mut plain) = (draws("few"), draws("few"));
        for _ in 0..200 {
            let expected = loop {
                let word = plain.word();
                if word < count {
                    break word;
                }
            };
            assert_eq!(drawn.below(count), expected);
        }
        assert!((0..100).all(|_| drawn.below(1) == 0));
    }

    #[test]
    fn every_order_is_equally_likely() {
        let mut draws = draws("orders");
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            draws.shuffle(&mut items);
            *counts.entry(items).or_insert(0_i64) += 1;
        }
        assert_eq!(counts.len(), 24);
        // 23 degrees of freedom: above 49.7 once in a thousand.
        let square: i64 = counts.values().map(|count| (count - 1000) * (count - 1000)).sum();
        assert!(square < 49_700, "{square}");
    }

    #[test]
    fn a_seed_does_not_come_out_by_its_debug_form() {
        let seed = RoundSeed::new([0xab; 32]);
        assert!(!format!("{seed:?}").contains("abab"));
        assert_ne!(seed.of_round(1), seed.of_round(2));
    }
}
