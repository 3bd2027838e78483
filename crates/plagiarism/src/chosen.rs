//! Which of many old sources are read and compared with a new one, by the share of
//! fingerprints that they have in common.

use std::collections::HashMap;
use std::hash::Hash;

use crate::compare::Options;

/// Of one author so many versions are compared with a new source, at most.
const VERSIONS: usize = 2;
/// Of so many authors.
const AUTHORS: usize = 12;
/// A fingerprint that more authors have finds nothing.
pub const COMMON: u32 = 100;

/// Of shares, authors and keys the keys of those most alike: some of each author,
/// since somebody with many versions would hide everybody else.
pub fn best_of_each<A: Eq + Hash, K: Ord>(found: impl Iterator<Item = (f64, A, K)>, options: Options) -> Vec<K> {
    // The same tenth of the threshold as where all are compared with all.
    let mut found: Vec<(f64, A, K)> = found.filter(|found| found.0 >= options.threshold / 10.0).collect();
    found.sort_by(|x, y| y.0.total_cmp(&x.0).then_with(|| x.2.cmp(&y.2)));
    let mut taken: HashMap<A, usize> = HashMap::new();
    let mut keys = Vec::new();
    for (_, author, key) in found {
        if taken.len() == AUTHORS && !taken.contains_key(&author) {
            continue;
        }
        let versions = taken.entry(author).or_default();
        if *versions < VERSIONS {
            *versions += 1;
            keys.push(key);
        }
    }
    keys
}
