//! The test set: every copy above every pair that shares nothing.

use ludus_plagiarism::DEFAULT_THRESHOLD;

use crate::testset::{COPIES, are_related, compare, figures, load};

#[test]
fn every_copy_ranks_above_every_independent_pair() {
    let set = load();
    let independent = set.iter().filter(|entry| entry.origins.is_empty()).count();
    assert!(independent >= 60, "{independent} independent players");
    assert_eq!(set.len() - independent, COPIES);
    let found = compare(&set);
    let figures = figures(&set, &found);
    let (best, who) = &figures.best_unrelated;
    let (least, copy) = &figures.copies[0];
    assert!(least > best, "{copy} is {least:.3} alike, but {who} are {best:.3}");

    let shown = found.iter().filter(|found| found.similarity >= DEFAULT_THRESHOLD);
    let wrong: Vec<_> = shown.filter(|found| !are_related(&set, found.a, found.b)).collect();
    assert!(wrong.is_empty(), "{} pairs are shown that share nothing", wrong.len());
    let recalled = figures.copies.iter().filter(|copy| copy.0 >= DEFAULT_THRESHOLD).count();
    assert!(recalled * 100 >= COPIES * 95, "{recalled} of {COPIES} copies are shown");
}
