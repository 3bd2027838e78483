use std::cell::Cell;

const MASK: u64 = (1 << 31) - 1;
const MULTIPLIER: u64 = 843_314_861;
const INCREMENT: u64 = 453_816_693;

/// Two advances in one: every draw makes two.
const MULTIPLIER_2: u64 = (MULTIPLIER * MULTIPLIER) & MASK;
const INCREMENT_2: u64 = ((MULTIPLIER + 1) * INCREMENT) & MASK;

/// The widest interval that can be drawn from, and the longest permutation.
const WIDEST: i64 = 1_000_000;

/// The seeded generator of the games; what a player draws changes nobody
/// else's luck.
#[derive(Clone, Debug)]
pub struct Generator {
    state: Cell<u32>,
    law: Law,
}

/// How a generator goes on, and what a draw is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    Common,
    Requiem,
}

impl Generator {
    /// A generator that always starts the same for the same seed.
    pub fn new(seed: i32) -> Generator {
        Generator { state: Cell::new(seed.unsigned_abs() & MASK as u32), law: Law::Common }
    }

    /// The generator of Requiem, which no other game shares.
    pub(crate) fn of_requiem(seed: i32) -> Generator {
        Generator { state: Cell::new(seed as u32), law: Law::Requiem }
    }

    /// An integer from `low` to `high`; `low`, without a draw, if there is none
    /// or there are over a million.
    #[inline]
    pub fn random(&self, low: i32, high: i32) -> i32 {
        let width = i64::from(high) - i64::from(low) + 1;
        if width <= 0 || width > WIDEST {
            return low;
        }
        if self.law == Law::Requiem {
            let state = requiem::next(self.state.get() as i32);
            self.state.set(state as u32);
            return low + requiem::share(state, width);
        }
        let state = (MULTIPLIER_2 * u64::from(self.state.get()) + INCREMENT_2) & MASK;
        self.state.set(state as u32);
        low + ((width as u64 * state) >> 31) as i32
    }

    /// The numbers from 0 to `len - 1` in random order; none if there are over
    /// a million.
    pub fn random_permutation(&self, len: usize) -> Vec<usize> {
        if len as i64 > WIDEST {
            return Vec::new();
        }
        let mut shuffled: Vec<usize> = (0..len).collect();
        match self.law {
            Law::Common => (0..len).for_each(|i| shuffled.swap(i, self.random(i as i32, len as i32 - 1) as usize)),
            Law::Requiem => (1..len).rev().for_each(|i| shuffled.swap(i, self.random(0, i as i32) as usize)),
        }
        shuffled
    }
}

mod requiem {
    const MODULUS: i64 = (1 << 31) - 1;
    const INCREMENT: i32 = 453_816_693;

    /// The state after `state`, which is negative only as a seed.
    #[inline]
    pub fn next(state: i32) -> i32 {
        if state < 0 {
            return after_negative(state);
        }
        ((62_089_911 * i64::from(state) + i64::from(INCREMENT)) % MODULUS) as i32
    }

    /// The part of `width` that a state stands for.
    #[inline]
    pub fn share(state: i32, width: i64) -> i32 {
        (f64::from(state) / MODULUS as f64 * width as f64) as i32
    }

    /// The original multiplies in halves of 16 bits, which do not add up to
    /// the product when the number is negative.
    #[cold]
    fn after_negative(state: i32) -> i32 {
        const M: i32 = MODULUS as i32;
        let (x1, x0) = (state / 65_536, state & 0xffff);
        let (z, w) = (1894 * x0, 27_319 * x1);
        let (z1, z0, w1, w0) = (z / 65_536, z & 0xffff, w / 32_768, w & 0x7fff);
        let lowered = |t: i32| if t >= 0 { t - M } else { t };
        let t = lowered(INCREMENT + 1894 * x1 + z1 + w1 - M + 27_319 * x0);
        let t = lowered(t + 32_768 * z0) + 65_536 * w0;
        if t < 0 { t + M } else { t }
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
    fn requiem_has_a_law_of_its_own() {
        for (seed, next) in [(0, 453_816_693), (1, 515_906_604), (i32::MAX, 453_816_693), (-1, 34_623_013)]
            .into_iter()
            .chain([(-65_536, 810_920_463), (-1_000_000_007, 2_027_436_791), (i32::MIN, 391_726_782)])
        {
            let generator = Generator::of_requiem(seed);
            generator.random(0, 0);
            assert_eq!(generator.state.get(), next, "after {seed}");
        }
        let generator = Generator::of_requiem(20_856);
        assert_eq!([0; 8].map(|_| generator.random(0, 999)), [218, 573, 425, 597, 255, 224, 913, 235]);
        let mut shuffled = Generator::of_requiem(3).random_permutation(40);
        assert_ne!(shuffled, (0..40).collect::<Vec<_>>());
        shuffled.sort_unstable();
        assert_eq!(shuffled, (0..40).collect::<Vec<_>>());
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
