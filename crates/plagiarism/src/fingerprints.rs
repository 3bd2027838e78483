//! What a source is found by: pairs of units that stand near each other, and a
//! choice of them by winnowing.
//!
//! A pair is the same whichever of its units comes first, and up to two units
//! may stand between them. So steps that change places, or that something was
//! put between, keep most of their pairs. Winnowing keeps the smallest of every
//! few pairs in a row: where two sources agree for long enough, both keep the
//! same ones (Schleimer, Wilkerson and Aiken, 2003).

use crate::lower::mix;

/// How far apart the units of a pair may be.
const REACH: usize = 3;
/// Of so many pairs in a row, one is kept at least.
const WINDOW: usize = 6;

/// Two units near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub hash: u64,
    /// The unit with the smaller hash, then the other.
    pub low: u32,
    pub high: u32,
}

/// All pairs of a source, in the order of its units.
fn in_order(units: &[u64]) -> impl Iterator<Item = Pair> + '_ {
    (0..units.len()).flat_map(move |first| {
        let last = (first + REACH).min(units.len().saturating_sub(1));
        (first + 1..=last).map(move |second| {
            let (a, b) = (units[first], units[second]);
            let hash = mix(a.wrapping_add(b), a ^ b);
            let place = |at: usize| u32::try_from(at).expect("sources are short");
            let (low, high) = if a <= b { (first, second) } else { (second, first) };
            Pair { hash, low: place(low), high: place(high) }
        })
    })
}

/// All pairs of a source by their hash.
pub(crate) fn pairs(units: &[u64]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = in_order(units).collect();
    let key = |pair: &Pair| (u128::from(pair.hash) << 64) | (u128::from(pair.low) << 32) | u128::from(pair.high);
    pairs.sort_unstable_by_key(key);
    pairs
}

/// The pairs by which a source is found, by their hash, each once.
pub(crate) fn winnowed(units: &[u64]) -> Vec<u64> {
    let all: Vec<u64> = in_order(units).map(|pair| pair.hash).collect();
    let mut kept: Vec<u64> =
        all.windows(WINDOW.min(all.len().max(1))).filter_map(|row| row.iter().min().copied()).collect();
    // The smallest of a row is that of the next, most often.
    kept.dedup();
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps by number, those of one source and those of another.
    fn units(from: u64, count: u64) -> Vec<u64> {
        (from..from + count).map(|number| mix(number, 7)).collect()
    }

    /// Each unit begins as many pairs as it reaches units, so a run of so many units
    /// has a whole window of pairs that are all inside it.
    const GUARANTEED: u64 = (WINDOW.div_ceil(REACH) + REACH) as u64;

    #[test]
    fn whoever_shares_enough_steps_in_a_row_shares_a_fingerprint() {
        for start in 0..200 {
            let run = units(1000 * start, GUARANTEED);
            let a = [units(1_000_000 + start, 30), run.clone(), units(2_000_000, 30)].concat();
            let b = [units(3_000_000, 9), run, units(4_000_000 + start, 50)].concat();
            let (a, b) = (winnowed(&a), winnowed(&b));
            assert!(a.iter().any(|hash| b.contains(hash)), "{start}");
        }
    }

    #[test]
    fn of_every_few_pairs_in_a_row_one_is_kept() {
        let units = units(0, 500);
        let kept = winnowed(&units);
        let all: Vec<u64> = in_order(&units).map(|pair| pair.hash).collect();
        assert!(all.windows(WINDOW).all(|row| row.iter().any(|hash| kept.contains(hash))));
        assert!(kept.len() < all.len() / 2);
    }
}
