//! The generator of Requiem, which no other game shares.
//!
//! Generator and order of draws are part of the rules: nothing here may change
//! once a match has been recorded.

const MODULUS: u64 = (1 << 31) - 1;
const MULTIPLIER: u64 = 62_089_911;
const INCREMENT: u64 = 453_816_693;

/// Up to this width the integer part of a draw is the same in integers and in
/// the reference's real numbers; rounding may tell them apart beyond it.
const WIDEST_EXACT: u32 = 2_000_000;

/// A linear congruential generator modulo 2³¹ − 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    state: i32,
}

impl Generator {
    pub fn new(seed: i32) -> Self {
        Generator { state: seed }
    }

    pub fn state(&self) -> i32 {
        self.state
    }

    /// A draw of one of `0..width`, for a width from 1 to two million.
    #[inline]
    pub fn below(&mut self, width: u32) -> u32 {
        debug_assert!((1..=WIDEST_EXACT).contains(&width));
        (u64::from(self.advance()) * u64::from(width) / MODULUS) as u32
    }

    /// A draw of one of `0..width`, for any width from 1 on.
    #[inline]
    pub fn pick(&mut self, width: u32) -> u32 {
        if width <= WIDEST_EXACT { self.below(width) } else { self.wide(width) }
    }

    /// Shuffles as the reference does: whoever holds `0..len` gets its permutation.
    #[inline]
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        // The draws near the end of a huge list, which come first, are wide.
        for i in (WIDEST_EXACT as usize..list.len()).rev() {
            list.swap(i, self.wide(i as u32 + 1) as usize);
        }
        for i in (1..list.len().min(WIDEST_EXACT as usize)).rev() {
            list.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// The only draw that needs real numbers, each operation rounded once.
    #[cold]
    #[allow(clippy::float_arithmetic)]
    fn wide(&mut self, width: u32) -> u32 {
        (f64::from(self.advance()) / MODULUS as f64 * f64::from(width)) as u32
    }

    #[inline]
    fn advance(&mut self) -> u32 {
        self.state = match u64::try_from(self.state) {
            Ok(state) => reduced(MULTIPLIER * state + INCREMENT) as i32,
            Err(_) => after_negative(self.state),
        };
        self.state as u32
    }
}

/// `value` modulo 2³¹ − 1, for less than 2⁶¹: there 2³¹ counts as 1, so the
/// high bits are added to the low ones.
#[inline]
fn reduced(value: u64) -> u64 {
    let folded = (value & MODULUS) + (value >> 31);
    if folded >= MODULUS { folded - MODULUS } else { folded }
}

/// The step from a negative state, which only a seed can be. The reference
/// multiplies in halves of 16 bits to stay within 32, and for negative numbers
/// the halves do not add up to the product.
#[cold]
fn after_negative(state: i32) -> i32 {
    const M: i32 = MODULUS as i32;
    let (x1, x0) = (state / 65_536, state & 0xffff);
    let z = 1894 * x0;
    let (z1, z0) = (z / 65_536, z & 0xffff);
    let w = 27_319 * x1;
    let (w1, w0) = (w / 32_768, w & 0x7fff);
    let wrapped = |t: i32| if t >= 0 { t - M } else { t };
    let t = INCREMENT as i32 + 1894 * x1 + z1 + w1 - M;
    let t = wrapped(t + 27_319 * x0);
    let t = wrapped(t + 32_768 * z0);
    let t = t + 65_536 * w0;
    if t < 0 { t + M } else { t }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step() {
        for (state, next) in [
            (0, 453_816_693),
            (1, 515_906_604),
            (i32::MAX, 453_816_693),
            (-1, 34_623_013),
            (-65_536, 810_920_463),
            (-1_000_000_007, 2_027_436_791),
            (i32::MIN, 391_726_782),
        ] {
            let mut generator = Generator::new(state);
            generator.advance();
            assert_eq!(generator.state(), next, "after {state}");
        }
    }

    #[test]
    fn no_negative_seed_overflows() {
        for seed in (i32::MIN..0).step_by(9_973) {
            assert!((0..MODULUS as i32).contains(&after_negative(seed)), "after {seed}");
        }
    }

    /// What players saw in recorded matches.
    #[test]
    fn draws() {
        let mut generator = Generator::new(20_856);
        let draws = [0; 8].map(|_| generator.pick(1000));
        assert_eq!(draws, [218, 573, 425, 597, 255, 224, 913, 235]);
        let mut generator = Generator::new(20_856);
        assert_eq!([generator.pick(1_000_000), generator.pick(2_147_483_647)], [218_097, 1_230_704_451]);
    }

    #[test]
    fn integers_and_real_numbers_agree_up_to_two_million() {
        for width in [1, 2, 141, 1000, 65_537, 1_999_999, WIDEST_EXACT] {
            let mut exact = Generator::new(width as i32);
            let mut real = exact.clone();
            (0..1000).for_each(|_| assert_eq!(exact.below(width), real.wide(width), "width {width}"));
        }
    }

    #[test]
    fn a_list_of_one_takes_no_draw() {
        let mut generator = Generator::new(7);
        generator.shuffle(&mut [1]);
        assert_eq!(generator.state(), 7);
    }
}
