//! Sources of earlier years in a file.

use std::path::Path;

use ludus_plagiarism::{Collection, Corpus, CorpusError, Language, Match, Options, Source, templates};

use crate::disguise::{Trick, disguise, write};

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
