//! The test set: every copy above every pair that shares nothing.

use ludus_plagiarism::{Collection, DEFAULT_THRESHOLD, Language, Options, Source, Templates};

use crate::testset::{COPIES, Entry, are_related, area, compare, figures, games_alone, load, versions};

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

#[test]
fn versions_by_one_author_rank_above_pairs_of_two() {
    let collection = Collection::of(versions());
    let found = collection.compare(&Templates::default(), Options { threshold: 0.0, same_author: true });
    let (mut same, mut others) = (Vec::new(), Vec::new());
    for pair in &found {
        let is_same = collection.sources[pair.a].author == collection.sources[pair.b].author;
        if is_same { &mut same } else { &mut others }.push(pair.similarity);
    }
    // Pairs that share nothing are not found.
    let (authors, all) = (collection.sources.len() / 3, collection.sources.len());
    same.resize(3 * authors, 0.0);
    others.resize(all * (all - 1) / 2 - 3 * authors, 0.0);
    let area = area(&same, &others);
    assert!(area > 0.999, "ROC area {area:.4}");
}

fn written_by(author: &str, body: &str) -> Source {
    let text = format!("struct P : Player {{ {body} }};").into_bytes();
    let name = format!("{author}-{}.cc", text.len());
    Source { name, author: author.to_owned(), language: Language::Cpp, text, time: None }
}

#[test]
fn names_count_among_versions_of_one_author_and_nowhere_else() {
    let loops = "void gather(int ant) { for (int step = 0; step < 9; ++step) if (far(ant) > step) move(ant, Up); }";
    let anew = "bool gather(int ant) { int step = 4 * bread(ant); return water(step, ant * step) == 3; }";
    let alike = |author: &str, other: &str, same_author: bool| {
        let collection = Collection::of(vec![written_by("marta", loops), written_by(author, other)]);
        let found = collection.compare(&Templates::default(), Options { threshold: 0.0, same_author });
        found.first().map_or(0.0, |found| found.similarity)
    };
    let renamed = anew.replace("gather", "harvest").replace("step", "size").replace("ant", "bug");
    assert!(alike("marta", anew, true) > 0.05);
    assert_eq!(alike("marta", &renamed, true), 0.0);
    assert_eq!(alike("pau", anew, false), 0.0);
}
