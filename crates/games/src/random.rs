//! The seeded generator that four of the games share.
//!
//! The generator and the order of its draws are part of the rules: a match is
//! the same on every machine because every draw is. Nothing here may change
//! once a match has been recorded. (Requiem has a generator of its own.)

const MASK: u64 = (1 << 31) - 1;
const MULTIPLIER: u64 = 843_314_861;
const INCREMENT: u64 = 453_816_693;

/// Two advances in one: every draw makes two.
const MULTIPLIER_2: u64 = (MULTIPLIER * MULTIPLIER) & MASK;
const INCREMENT_2: u64 = ((MULTIPLIER + 1) * INCREMENT) & MASK;

/// The widest interval that can be drawn from, and the longest permutation.
const WIDEST: i64 = 1_000_000;

/// A linear congruential generator with a state of 31 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    state: u32,
}

impl Generator {
    /// A negative seed counts as its absolute value; the smallest one as 0.
    pub fn new(seed: i32) -> Self {
        Generator { state: seed.unsigned_abs() & MASK as u32 }
    }

    /// The generator of the player in `seat`, which shares nothing with the board's.
    pub fn for_player(seed: i32, seat: crate::Seat) -> Self {
        Generator::new(seed.wrapping_add(seat.index() as i32 + 1))
    }

    pub fn state(&self) -> u32 {
        self.state
    }

    /// An integer in `[low, high]`; `low`, without a draw, when the interval is
    /// empty or wider than a million.
    #[inline]
    pub fn random(&mut self, low: i32, high: i32) -> i32 {
        let width = i64::from(high) - i64::from(low) + 1;
        if width <= 0 || width > WIDEST {
            return low;
        }
        low + self.below(width as u32) as i32
    }

    /// A draw of one of `0..width`, for a width known to be in `1..=1_000_000`.
    #[inline]
    pub fn below(&mut self, width: u32) -> u32 {
        debug_assert!(width >= 1 && i64::from(width) <= WIDEST);
        let state = (MULTIPLIER_2 * u64::from(self.state) + INCREMENT_2) & MASK;
        self.state = state as u32;
        ((u64::from(width) * state) >> 31) as u32
    }

    /// A shuffled `0..len`, in `out`, whose room is used again. More than a
    /// million elements give none.
    #[inline]
    pub fn permutation(&mut self, len: usize, out: &mut Vec<u32>) {
        out.clear();
        if len as i64 > WIDEST {
            return;
        }
        out.extend(0..len as u32);
        self.shuffle(out);
    }

    /// Puts at most a million things in the order of a permutation, with the
    /// same draws.
    #[inline]
    pub fn shuffle<T>(&mut self, mut things: &mut [T]) {
        while !things.is_empty() {
            let k = self.below(things.len() as u32) as usize;
            things.swap(0, k);
            things = things.split_at_mut(1).1;
        }
    }

    /// Goes on as if `draws` draws had been made, in logarithmic time: for rules
    /// that shuffle a list and then use little or nothing of it.
    pub fn skip(&mut self, mut draws: u64) {
        let (mut multiplier, mut increment) = (MULTIPLIER_2, INCREMENT_2);
        let mut state = u64::from(self.state);
        while draws > 0 {
            if draws & 1 == 1 {
                state = (multiplier * state + increment) & MASK;
            }
            increment = ((multiplier + 1) * increment) & MASK;
            multiplier = (multiplier * multiplier) & MASK;
            draws >>= 1;
        }
        self.state = state as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the fresh generator of `seed`: eight draws of `random(0, 99)`, a
    /// permutation of eight, the state, two draws that must not happen, two
    /// more that must, the state.
    fn check(seed: i32, draws: [i32; 8], permutation: [u32; 8], state: u32, last: (i32, i32, u32)) {
        let mut generator = Generator::new(seed);
        assert_eq!(draws.map(|_| generator.random(0, 99)), draws);
        let mut shuffled = Vec::new();
        generator.permutation(8, &mut shuffled);
        assert_eq!(shuffled, permutation);
        assert_eq!(generator.state(), state);
        assert_eq!(generator.random(5, 4), 5);
        assert_eq!(generator.random(0, 1_000_000), 0);
        let wide = generator.random(0, 999_999);
        assert_eq!((wide, generator.random(-5, 5), generator.state()), last, "seed {seed}");
    }

    #[test]
    fn published_sequences() {
        check(0, [75, 33, 62, 68, 6, 66, 19, 23], [1, 5, 7, 4, 0, 6, 2, 3], 938_147_040, (632_574, 5, 1_972_400_988));
        check(1, [0, 98, 41, 68, 66, 7, 82, 10], [0, 5, 6, 4, 2, 7, 3, 1], 504_904_033, (830, -2, 623_717_357));
        check(30, [31, 91, 19, 66, 98, 11, 6, 56], [2, 5, 3, 0, 6, 1, 7, 4], 825_758_718, (680_247, -5, 166_597_722));
        check(31, [56, 56, 97, 66, 58, 53, 69, 44], [1, 5, 2, 3, 7, 6, 0, 4], 392_515_711, (48_503, -1, 965_397_739));
        check(
            i32::MAX,
            [50, 67, 84, 68, 47, 24, 56, 35],
            [2, 5, 3, 4, 7, 1, 6, 0],
            1_371_390_047,
            (264_318, 1, 1_173_600_971),
        );
    }

    #[test]
    fn published_dice_and_first_permutations() {
        for (seed, dice, first) in [
            (0, [5, 2, 4, 5, 1, 4, 2, 2, 2, 4], [6, 3, 5, 0, 4, 1, 2, 7]),
            (1, [1, 6, 3, 5, 4, 1, 5, 1, 1, 4], [0, 7, 4, 6, 3, 5, 1, 2]),
            (30, [2, 6, 2, 4, 6, 1, 1, 4, 2, 4], [2, 7, 3, 6, 1, 5, 0, 4]),
            (i32::MAX, [4, 5, 6, 5, 3, 2, 4, 3, 3, 4], [4, 5, 7, 6, 1, 0, 2, 3]),
        ] {
            let mut generator = Generator::new(seed);
            assert_eq!(dice.map(|_| generator.random(1, 6)), dice);
            let mut shuffled = Vec::new();
            Generator::new(seed).permutation(8, &mut shuffled);
            assert_eq!(shuffled, first);
        }
    }

    #[test]
    fn seeds_wrap_around() {
        let states = crate::Seat::ALL.map(|seat| Generator::for_player(i32::MAX, seat).state());
        assert_eq!(states, [0, 2_147_483_647, 2_147_483_646, 2_147_483_645]);
        assert_eq!(Generator::new(i32::MIN).state(), 0);
        assert_eq!(Generator::new(-7).state(), 7);
    }

    #[test]
    fn an_interval_of_one_still_draws() {
        let mut generator = Generator::new(1);
        assert_eq!(generator.random(9, 9), 9);
        assert_eq!(generator.state(), 17_103_983);
    }

    #[test]
    fn a_permutation_is_a_permutation() {
        let mut generator = Generator::new(99);
        let mut shuffled = Vec::new();
        for len in (0..200).chain([10_000]) {
            generator.permutation(len, &mut shuffled);
            let mut sorted = shuffled.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().copied().eq(0..len as u32));
        }
        generator.permutation(1_000_001, &mut shuffled);
        assert!(shuffled.is_empty());
    }

    #[test]
    fn skipping_is_drawing() {
        for draws in [0u64, 1, 2, 3, 17, 1000] {
            let mut walked = Generator::new(12345);
            let mut skipped = walked.clone();
            for _ in 0..draws {
                walked.below(6);
            }
            skipped.skip(draws);
            assert_eq!(walked, skipped);
        }
    }
}
