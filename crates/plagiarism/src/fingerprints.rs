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
