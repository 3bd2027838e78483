//! The seeded generators of the games, from which players draw.

use std::cell::Cell;
use std::marker::PhantomData;

/// The widest interval that can be drawn from, and the longest permutation.
const WIDEST: i64 = 1_000_000;

/// The seeded generator of a game; what a player draws changes nobody else's
/// luck.
#[derive(Clone, Debug)]
pub struct Generator<A = CommonRandom> {
    pub(crate) state: Cell<u32>,
    algorithm: PhantomData<A>,
}

/// How a generator goes on, and what a draw is.
pub trait Algorithm {
    /// The state that a seed stands for.
    fn seeded(seed: i32) -> u32;

    /// The state after another.
    fn next(state: u32) -> u32;

    /// The part of `width` that a state stands for.
    fn share(state: u32, width: i64) -> i32;

    /// Puts the numbers into the order in which they are drawn.
    fn shuffle(generator: &Generator<Self>, numbers: &mut [usize])
    where
        Self: Sized;
}

impl Generator {
    /// A generator that always starts the same for the same seed.
    pub fn new(seed: i32) -> Generator {
        Generator::seeded(seed)
    }
}

impl<A: Algorithm> Generator<A> {
    pub(crate) fn seeded(seed: i32) -> Generator<A> {
        Generator { state: Cell::new(A::seeded(seed)), algorithm: PhantomData }
    }

    /// An integer from `low` to `high`; `low`, without a draw, if there is none
    /// or there are over a million.
    #[inline]
    pub fn random(&self, low: i32, high: i32) -> i32 {
        let width = i64::from(high) - i64::from(low) + 1;
        if width <= 0 || width > WIDEST {
            return low;
        }
        let state = A::next(self.state.get());
        self.state.set(state);
        low + A::share(state, width)
    }

    /// The numbers from 0 to `len - 1` in random order; none if there are over
    /// a million.
    pub fn random_permutation(&self, len: usize) -> Vec<usize> {
        if len as i64 > WIDEST {
            return Vec::new();
        }
        let mut shuffled: Vec<usize> = (0..len).collect();
        A::shuffle(self, &mut shuffled);
        shuffled
    }
}

/// The algorithm of all games that do not bring their own.
#[derive(Clone, Copy, Debug)]
pub enum CommonRandom {}

const MASK: u64 = (1 << 31) - 1;
const MULTIPLIER: u64 = 843_314_861;
const INCREMENT: u64 = 453_816_693;

/// Two advances in one: every draw makes two.
const MULTIPLIER_2: u64 = (MULTIPLIER * MULTIPLIER) & MASK;
const INCREMENT_2: u64 = ((MULTIPLIER + 1) * INCREMENT) & MASK;

impl Algorithm for CommonRandom {
    fn seeded(seed: i32) -> u32 {
        seed.unsigned_abs() & MASK as u32
    }

    #[inline]
    fn next(state: u32) -> u32 {
        ((MULTIPLIER_2 * u64::from(state) + INCREMENT_2) & MASK) as u32
    }

    #[inline]
    fn share(state: u32, width: i64) -> i32 {
        ((width as u64 * u64::from(state)) >> 31) as i32
    }

    fn shuffle(generator: &Generator, numbers: &mut [usize]) {
        let last = numbers.len() as i32 - 1;
        (0..numbers.len()).for_each(|i| numbers.swap(i, generator.random(i as i32, last) as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seed: i32, dice: [i32; 10], permutation: [usize; 8], states: [u32; 2]) {
        let generator = Generator::new(seed);
        assert_eq!(dice.map(|_| generator.random(1, 6)), dice, "seed {seed}");
        assert_eq!(Generator::new(seed).random_permutation(8), permutation, "seed {seed}");
        let generator = Generator::new(seed);
        let drawn = states.map(|_| {
            generator.random(0, 0);
            generator.state.get()
        });
        assert_eq!(drawn, states, "seed {seed}");
    }

    #[test]
    fn published_sequences() {
        check(0, [5, 2, 4, 5, 1, 4, 2, 2, 2, 4], [6, 3, 5, 0, 4, 1, 2, 7], [1_623_591_814, 709_372_028]);
        check(1, [1, 6, 3, 5, 4, 1, 5, 1, 1, 4], [0, 7, 4, 6, 3, 5, 1, 2], [17_103_983, 2_111_429_773]);
        check(30, [2, 6, 2, 4, 6, 1, 1, 4, 2, 4], [2, 7, 3, 6, 1, 5, 0, 4], [673_597_140, 1_968_915_066]);
        check(i32::MAX, [4, 5, 6, 5, 3, 2, 4, 3, 3, 4], [4, 5, 7, 6, 1, 0, 2, 3], [1_082_595_997, 1_454_797_931]);
    }

    #[test]
    fn seeds_are_taken_without_their_sign() {
        let states = [i32::MIN, -7, 7].map(|seed| Generator::new(seed).state.get());
        assert_eq!(states, [0, 7, 7]);
    }

    #[test]
    fn impossible_intervals_draw_nothing() {
        let generator = Generator::new(30);
        assert_eq!(generator.random(5, 4), 5);
        assert_eq!(generator.random(0, 1_000_000), 0);
        assert_eq!(generator.random(i32::MIN, i32::MAX), i32::MIN);
        assert!(generator.random_permutation(1_000_001).is_empty());
        assert!(generator.random_permutation(0).is_empty());
        assert_eq!(generator.state.get(), 30);
    }
}
