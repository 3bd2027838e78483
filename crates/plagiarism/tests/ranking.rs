//! The test set: every copy above every pair that shares nothing.

use ludus_plagiarism::DEFAULT_THRESHOLD;

use crate::testset::{COPIES, Entry, are_related, compare, figures, games_alone, load};

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

#[test]
fn few_sources_are_as_good_as_many() {
    let few: Vec<Entry> = load().into_iter().filter(|entry| !entry.source.name.starts_with("made/")).collect();
    let figures = figures(&few, &compare(&few));
    assert!(figures.best_unrelated.0 < DEFAULT_THRESHOLD, "{:?}", figures.best_unrelated);
    assert!(figures.copies[0].0 >= DEFAULT_THRESHOLD, "{:?}", figures.copies[0]);
    for (similarity, who) in games_alone(&few) {
        assert!(similarity < DEFAULT_THRESHOLD, "{who} are {similarity:.3} alike");
    }
}
