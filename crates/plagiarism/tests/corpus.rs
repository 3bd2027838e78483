//! Sources of earlier years in a file.

use std::path::Path;

use ludus_plagiarism::{
    Analysed, Collection, Corpus, CorpusError, Language, Match, Options, Search, Sketch, Source, compare_new, templates,
};

use crate::disguise::{Trick, disguise, write};
use crate::testset::{Entry, load};

fn source(name: &str, author: &str, text: String) -> Source {
    let language = Language::of_file(name).unwrap();
    Source { name: name.to_owned(), author: author.to_owned(), language, text: text.into_bytes(), time: Some(7) }
}

fn year(seeds: std::ops::Range<u64>) -> Collection {
    Collection::of(
        seeds.map(|seed| source(&format!("{seed}.cc"), &format!("author {seed}"), write::program(seed, 80))).collect(),
    )
}

fn copy_of(seed: u64) -> Collection {
    let text = disguise(&write::program(seed, 80), "", Trick::Everything, seed);
    Collection::of(vec![source("copy.cc", "copyist", text)])
}

fn look(corpus: &Corpus, fresh: Collection) -> (Collection, Vec<Match>) {
    corpus.compare(fresh, &templates(&Language::ALL, Vec::new()), Options::default()).unwrap()
}

/// The names of what was found for a copy.
fn found(path: &Path, seed: u64) -> Vec<String> {
    let corpus = Corpus::open(path, false).unwrap();
    let (all, found) = look(&corpus, copy_of(seed));
    assert_eq!(all.sources[0].name, "copy.cc");
    found.iter().map(|found| all.sources[found.a.max(found.b)].name.clone()).collect()
}

#[test]
fn a_copy_of_an_earlier_year_is_found_with_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let mut corpus = Corpus::open(&path, false).unwrap();
    for start in [0, 40, 80] {
        corpus.add(&year(start..start + 40), 40).unwrap();
    }
    assert_eq!(corpus.len(), 120);
    drop(corpus);
    for seed in [0, 39, 40, 77, 119] {
        assert_eq!(found(&path, seed), [format!("{seed}.cc")]);
    }
    assert!(found(&path, 500).is_empty());
    let corpus = Corpus::open(&path, false).unwrap();
    let (all, _) = look(&corpus, copy_of(77));
    let old = all.sources.iter().find(|source| source.name == "77.cc").unwrap();
    assert_eq!(old.text, write::program(77, 80).into_bytes());
    assert_eq!((old.author.as_str(), old.time), ("author 77", Some(7)));
}

#[test]
fn one_by_one_is_as_good_as_all_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    for seed in 0..70 {
        let mut corpus = Corpus::open(&path, false).unwrap();
        corpus.add(&year(seed..seed + 1), 1).unwrap();
        assert_eq!(corpus.len() as u64, seed + 1);
    }
    for seed in [0, 1, 31, 64, 69] {
        assert_eq!(found(&path, seed), [format!("{seed}.cc")]);
    }
}

#[test]
fn old_ones_are_not_compared_with_old_ones_nor_an_author_with_herself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let mut corpus = Corpus::open(&path, false).unwrap();
    let copy = disguise(&write::program(3, 80), "", Trick::Rename, 1);
    let twins = vec![source("3.cc", "author 3", write::program(3, 80)), source("twin.cc", "twin", copy)];
    corpus.add(&Collection::of(twins), 2).unwrap();
    let (all, found) = look(&corpus, copy_of(3));
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|found| all.sources[found.a.min(found.b)].name == "copy.cc"));
    let again = Collection::of(vec![source("again.cc", "twin", write::program(3, 80))]);
    let (all, found) = look(&corpus, again);
    assert_eq!(found.len(), 1);
    assert_eq!(all.sources[found[0].b].name, "3.cc");
}

#[test]
fn a_corpus_without_names_holds_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let text = format!("// by Marta Puig\n{}", write::program(5, 80));
    let mut corpus = Corpus::open(&path, true).unwrap();
    corpus.add(&Collection::of(vec![source("Marta.cc", "Marta Puig", text)]), 1).unwrap();
    let (all, found) = look(&corpus, copy_of(5));
    assert_eq!(found.len(), 1);
    let old = &all.sources[1];
    assert!(!old.name.contains("Marta") && !old.author.contains("Marta") && old.time.is_none());
    assert!(!String::from_utf8_lossy(&old.text).contains("Marta"));
    drop(corpus);
    assert!(matches!(Corpus::open(&path, false), Err(CorpusError::Names(..))));
}

#[test]
fn spoilt_files_are_refused_or_read_but_never_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let mut corpus = Corpus::open(&path, false).unwrap();
    corpus.add(&year(0..3), 3).unwrap();
    corpus.add(&year(3..8), 5).unwrap();
    drop(corpus);
    let whole = std::fs::read(&path).unwrap();
    let mut refused = 0;
    for step in 0..400usize {
        let mut bytes = whole.clone();
        match step % 4 {
            0 => bytes.truncate(step * 7919 % whole.len()),
            1 => bytes[step * 104_729 % whole.len()] ^= 1 << (step % 8),
            2 => bytes[step / 4 % 200] = 255,
            _ => bytes[16 + step / 4 % 40..][..4].copy_from_slice(&(step as u32 * 99_991).to_le_bytes()),
        }
        std::fs::write(&path, &bytes).unwrap();
        let opened = Corpus::open(&path, false);
        let looked =
            opened.map(|corpus| corpus.compare(copy_of(4), &templates(&Language::ALL, Vec::new()), Options::default()));
        refused += usize::from(!matches!(looked, Ok(Ok(_))));
    }
    assert!(refused > 100, "{refused}");
    std::fs::write(&path, b"LUDUSPLG\x09\0\0\0\0\0\0\0").unwrap();
    assert!(matches!(Corpus::open(&path, false), Err(CorpusError::Version(9))));
    std::fs::write(&path, b"something else").unwrap();
    assert!(matches!(Corpus::open(&path, false), Err(CorpusError::NotACorpus)));
}

#[test]
fn an_addition_that_was_cut_off_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    Corpus::open(&path, false).unwrap().add(&year(0..3), 3).unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    Corpus::open(&path, false).unwrap().add(&year(3..6), 3).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length + 500).unwrap();
    let mut corpus = Corpus::open(&path, false).unwrap();
    assert_eq!(corpus.len(), 3);
    corpus.add(&year(6..9), 3).unwrap();
    drop(corpus);
    assert_eq!(found(&path, 1), ["1.cc"]);
    assert_eq!(found(&path, 8), ["8.cc"]);
}

/// A corpus of some sources, each added by itself.
fn corpus_of(folder: &Path, sources: impl Iterator<Item = Source>) -> Corpus {
    let mut corpus = Corpus::open(&folder.join("corpus"), false).unwrap();
    for source in sources {
        corpus.add(&Collection::of(vec![source]), 1).unwrap();
    }
    corpus
}

/// Whose sources were found for one, the most alike first.
fn authors_found(corpus: &Corpus, fresh: Source) -> Vec<String> {
    let (all, found) = look(corpus, Collection::of(vec![fresh]));
    found.iter().map(|found| all.sources[found.b].author.clone()).collect()
}

fn version(author: &str, seed: u64, number: u64) -> Source {
    let text = disguise(&write::program(seed, 80), "", Trick::Rename, number);
    source(&format!("{author}-{number}.cc"), author, text)
}

#[test]
fn many_versions_of_one_author_are_one_author() {
    let folder = tempfile::tempdir().unwrap();
    let others = (200..230).map(|seed| source(&format!("{seed}.cc"), &format!("{seed}"), write::program(seed, 80)));
    let corpus = corpus_of(folder.path(), (0..120).map(|number| version("marta", 3, number)).chain(others));
    assert_eq!(corpus.len(), 150);
    let copy = disguise(&write::program(3, 80), "", Trick::Everything, 9);
    let alone = {
        let folder = tempfile::tempdir().unwrap();
        let others = (200..230).map(|seed| source(&format!("{seed}.cc"), &format!("{seed}"), write::program(seed, 80)));
        let corpus = corpus_of(folder.path(), [version("marta", 3, 0)].into_iter().chain(others));
        look(&corpus, Collection::of(vec![source("copy.cc", "pau", copy.clone())])).1[0].similarity
    };
    let (all, found) = look(&corpus, Collection::of(vec![source("copy.cc", "pau", copy)]));
    let authors: Vec<&str> = found.iter().map(|found| all.sources[found.b].author.as_str()).collect();
    assert_eq!(authors, ["marta"]);
    // They weigh as much as if there were one of them.
    assert!((found[0].similarity - alone).abs() < 0.02, "{} and {alone}", found[0].similarity);
}

#[test]
fn versions_of_one_hide_no_other_author() {
    let folder = tempfile::tempdir().unwrap();
    let both =
        |number| format!("{}\n{}", write::program(3, 80), disguise(&write::program(4, 80), "", Trick::Rename, number));
    let versions = (0..10).map(|number| source(&format!("marta-{number}.cc"), "marta", both(number)));
    let corpus = corpus_of(folder.path(), versions.chain([version("berta", 4, 99)]));
    // All versions of Marta's have more of it than what Berta wrote.
    assert_eq!(authors_found(&corpus, source("copy.cc", "pau", both(50))), ["marta", "berta"]);
}

#[test]
fn what_is_added_twice_is_there_once() {
    for is_anonymous in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let mut corpus = Corpus::open(&path, is_anonymous).unwrap();
        corpus.add(&year(0..5), 5).unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        corpus.add(&year(0..5), 5).unwrap();
        drop(corpus);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
        let mut corpus = Corpus::open(&path, is_anonymous).unwrap();
        corpus.add(&year(2..7), 5).unwrap();
        assert_eq!(corpus.len(), 7);
        // Two authors with one text are two, if anybody knows who they are.
        let twin = Collection::of(vec![source("twin.cc", "twin", write::program(1, 80))]);
        corpus.add(&twin, 1).unwrap();
        assert_eq!(corpus.len(), if is_anonymous { 7 } else { 8 });
    }
}

/// How many of the copies of the test set are found by what looks for each of them
/// among the independent players, and what else is.
fn check_test_set(mut found_for: impl FnMut(&Entry) -> Vec<(String, f64)>) {
    let set = load();
    let (mut recalled, mut copies) = (0, 0);
    for entry in set.iter().filter(|entry| !entry.origins.is_empty()) {
        let origins: Vec<&str> = entry.origins.iter().map(|&at| set[at].source.name.as_str()).collect();
        let found = found_for(entry);
        let wrong = found.iter().find(|(name, _)| !origins.contains(&name.as_str()));
        assert_eq!(wrong, None, "{}", entry.source.name);
        recalled += usize::from(!found.is_empty());
        copies += 1;
    }
    assert!(recalled * 100 >= copies * 95, "{recalled} of {copies} copies are found");
}

#[test]
fn copies_of_the_test_set_are_found_among_earlier_years() {
    let folder = tempfile::tempdir().unwrap();
    let originals: Vec<Source> =
        load().into_iter().filter(|entry| entry.origins.is_empty()).map(|entry| entry.source).collect();
    let mut corpus = Corpus::open(&folder.path().join("corpus"), false).unwrap();
    let count = originals.len();
    corpus.add(&Collection::of(originals), count).unwrap();
    check_test_set(|entry| {
        let (all, found) = look(&corpus, Collection::of(vec![entry.source.clone()]));
        found.iter().map(|found| (all.sources[found.b].name.clone(), found.similarity)).collect()
    });
}

#[test]
fn copies_of_the_test_set_are_found_by_their_sketches() {
    let originals: Vec<Source> =
        load().into_iter().filter(|entry| entry.origins.is_empty()).map(|entry| entry.source).collect();
    let sketch = |source: &Source| Sketch::of(&Analysed::of(&source.text, source.language).unwrap());
    let sketches: Vec<Sketch> = originals.iter().map(sketch).collect();
    let templates = templates(&Language::ALL, Vec::new());
    check_test_set(|entry| {
        let mut search = Search::new(entry.source.author.clone(), sketch(&entry.source));
        for (at, old) in sketches.iter().enumerate() {
            search.look(at as i64, &originals[at].author, old);
        }
        let wanted = search.wanted(Options::default());
        let old: Vec<Source> = wanted.iter().map(|&at| originals[at as usize].clone()).collect();
        let (all, found) =
            compare_new(entry.source.clone(), &search.tallies(), old, &templates, Options::default()).unwrap();
        found.iter().map(|found| (all.sources[found.b].name.clone(), found.similarity)).collect()
    });
}

/// What a new copy of a player is like, where so many others have copied it before.
fn alike_among_copies(copies: u64) -> (f64, usize) {
    let folder = tempfile::tempdir().unwrap();
    let original = write::program(3, 80);
    let copy = |seed: u64, trick: Trick| {
        let name = format!("copy {seed}.cc");
        source(&name, &name, disguise(&original, "", trick, seed))
    };
    let others = (10..60u64).map(|seed| source(&format!("{seed}.cc"), &seed.to_string(), write::program(seed, 80)));
    let old = others.chain([source("original.cc", "anna", original.clone())]);
    let tricks = [Trick::Rename, Trick::ForToWhile, Trick::InvertIf, Trick::ReorderFunctions, Trick::DeadCode];
    let old = old.chain((0..copies).map(|seed| copy(seed, tricks[seed as usize % tricks.len()])));
    let corpus = corpus_of(folder.path(), old);
    let (all, found) = look(&corpus, Collection::of(vec![copy(99, Trick::Everything)]));
    let is_original = |found: &&Match| all.sources[found.a.max(found.b)].name == "original.cc";
    (found.iter().find(is_original).unwrap().similarity, found.len())
}

#[test]
fn a_ring_of_earlier_copies_does_not_hide_a_new_one() {
    let (alone, in_a_ring) = (alike_among_copies(0), alike_among_copies(8));
    assert_eq!((alone.1, in_a_ring.1), (1, 9));
    assert!((alone.0 - in_a_ring.0).abs() < 0.02, "{:.3} alone, {:.3} in a ring", alone.0, in_a_ring.0);
}
