//! The test set: every copy above every pair that shares nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ludus_plagiarism::{Collection, DEFAULT_THRESHOLD, Language, Match, Options, Report, Source, Templates};

use crate::disguise::{TRICKS, Trick, disguise};
use crate::testset::{COPIES, Entry, are_related, area, compare, figures, games_alone, load, versions};

/// The whole test set and what the comparison of all with all finds in it.
static SET: LazyLock<(Vec<Entry>, Vec<Match>)> = LazyLock::new(|| {
    let set = load();
    let found = compare(&set);
    (set, found)
});

/// One test for each disguise: all copies in it are shown, and rank above all pairs
/// that share nothing.
macro_rules! disguises {
    ($($name:ident: $kinds:expr;)*) => {$(
        #[test]
        fn $name() {
            check_disguise(&$kinds);
        }
    )*};
}

disguises! {
    renaming: ["Rename", "by hand: renaming"];
    translated_names: ["Translate", "by hand: names translated"];
    functions_reordered: ["ReorderFunctions", "by hand: functions reordered"];
    members_reordered: ["ReorderMembers"];
    independent_statements_reordered: ["ReorderStatements", "by hand: independent statements reordered"];
    lines_and_declarations_split: ["Declarations", "by hand: lines and declarations split and joined"];
    declarations_joined: ["JoinDeclarations", "by hand: lines and declarations split and joined"];
    types_changed: ["Types", "by hand: types changed"];
    for_written_as_while: ["ForToWhile", "by hand: for to while"];
    if_inverted: ["InvertIf", "by hand: if inverted"];
    dead_code_inserted: ["DeadCode", "by hand: dead code"];
    comments_and_formatting: ["Layout", "by hand: comments and formatting"];
    macros_for_keywords: ["Macros", "by hand: macros for keywords"];
    helpers_inlined: ["Inline", "by hand: helper inlined"];
    helpers_extracted: ["Extract", "by hand: helper extracted"];
    merged_from_two_sources: ["Merge", "by hand: merged from two sources"];
    rewritten_in_rust: ["by hand: rewritten in Rust"];
}

/// The copies in a disguise, all of them above all pairs that share nothing.
fn copies_in(kind: &str) -> Vec<(f64, String)> {
    let (set, found) = &*SET;
    let figures = figures(set, found);
    let is_so = |copy: &(f64, String)| copy.1.ends_with(&format!("({kind})"));
    let copies: Vec<(f64, String)> = figures.copies.into_iter().filter(is_so).collect();
    assert!(copies.len() >= 2, "{} copies are disguised by {kind}", copies.len());
    for (similarity, copy) in &copies {
        assert!(*similarity > figures.best_unrelated.0, "{copy} is {similarity:.3} alike");
    }
    copies
}

fn check_disguise(kinds: &[&str]) {
    for (similarity, copy) in kinds.iter().flat_map(|kind| copies_in(kind)) {
        assert!(similarity >= DEFAULT_THRESHOLD, "{copy} is {similarity:.3} alike");
    }
}

/// Nine disguises on top of each other hide at most one of all copies from the list.
#[test]
fn several_at_once() {
    let copies = copies_in("Everything");
    let shown = copies.iter().filter(|copy| copy.0 >= DEFAULT_THRESHOLD).count();
    assert!(copies.len() >= 6 && shown + 1 >= copies.len(), "{shown} of {}", copies.len());
}

/// The tricks do what they are called after, or their tests would say nothing.
#[test]
fn members_and_declarations_change_places() {
    let text = "struct P : Player { int first; int second; int third; void play() { int one = a + b; int two = c; f(one); } };";
    let members = (0..20).map(|seed| disguise(text, "", Trick::ReorderMembers, seed));
    assert!(members.map(|text| text.split('{').nth(1).unwrap().to_owned()).collect::<BTreeSet<_>>().len() > 3);
    let joined = disguise(text, "", Trick::JoinDeclarations, 1);
    assert_eq!(joined.matches("int").count(), 2, "{joined}");
}

#[test]
fn what_is_rewritten_in_rust_is_told_with_less_confidence() {
    let (set, found) = &*SET;
    let collection = Collection::of(set.iter().map(|entry| entry.source.clone()).collect());
    let shown: Vec<Match> = found.iter().filter(|found| found.similarity >= DEFAULT_THRESHOLD).cloned().collect();
    let report = Report::new(&collection, &shown, Options::default());
    let is_rewritten = |at: usize| set[at].trick == "by hand: rewritten in Rust";
    let mut rewritten = 0;
    for pair in &report.pairs {
        let is_across = collection.sources[pair.a].language != collection.sources[pair.b].language;
        assert_eq!(pair.confidence, if is_across { "lower" } else { "high" }, "{} {}", pair.name_a, pair.name_b);
        let is_of = |copy: usize, other: usize| is_rewritten(copy) && set[copy].origins.contains(&other);
        rewritten += usize::from(is_across && (is_of(pair.a, pair.b) || is_of(pair.b, pair.a)));
    }
    assert_eq!(rewritten, 2);
}

#[test]
fn every_copy_ranks_above_every_independent_pair() {
    let (set, found) = &*SET;
    let independent = set.iter().filter(|entry| entry.origins.is_empty()).count();
    assert!(independent >= 60, "{independent} independent players");
    assert_eq!(set.len() - independent, COPIES);
    let figures = figures(set, found);
    let (best, who) = &figures.best_unrelated;
    let (least, copy) = &figures.copies[0];
    assert!(least > best, "{copy} is {least:.3} alike, but {who} are {best:.3}");

    let shown = found.iter().filter(|found| found.similarity >= DEFAULT_THRESHOLD);
    let wrong: Vec<_> = shown.filter(|found| !are_related(set, found.a, found.b)).collect();
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

/// Six copies of one source beside it, each in another disguise and by another author,
/// among all that are independent.
fn ring(original: &str) -> (Vec<Source>, usize, BTreeSet<usize>) {
    let independent = load().into_iter().filter(|entry| entry.origins.is_empty());
    let mut sources: Vec<Source> = independent.map(|entry| entry.source).collect();
    let (count, from) = (sources.len(), sources.iter().position(|source| source.name == original).unwrap());
    let text = String::from_utf8(sources[from].text.clone()).unwrap();
    let may =
        |trick: &Trick| *trick != Trick::Merge && (trick.may_be_in_rust() || sources[from].language == Language::Cpp);
    let tricks: Vec<Trick> = TRICKS.into_iter().filter(may).collect();
    for number in 0..6 {
        let trick = tricks[(from + number) % tricks.len()];
        let name = format!("copied-{number}.cc");
        let text = disguise(&text, "", trick, (10 * from + number) as u64).into_bytes();
        sources.push(Source { author: name.clone(), name, text, ..sources[from].clone() });
    }
    let members = (count..sources.len()).chain([from]).collect();
    (sources, from, members)
}

#[test]
fn a_ring_of_copies_does_not_hide_itself() {
    for original in ["potter/Filch.cc", "potter/Snape.cc", "dominator/Segador.rs"] {
        let (sources, _, members) = ring(original);
        let collection = Collection::of(sources);
        let given = ludus_plagiarism::templates(&Language::ALL, Vec::new());
        let found = collection.compare(&given, Options { threshold: 0.0, same_author: false });
        let is_ring = |pair: &&Match| members.contains(&pair.a) && members.contains(&pair.b);
        let (ring, others): (Vec<&Match>, Vec<&Match>) = found.iter().partition(is_ring);
        assert_eq!(ring.len(), 21, "{original}");
        let best = others.iter().map(|pair| pair.similarity).fold(0.0, f64::max);
        for pair in ring {
            let names = [pair.a, pair.b].map(|at| &collection.sources[at].name);
            let similarity = pair.similarity;
            assert!(similarity > best && similarity >= DEFAULT_THRESHOLD, "{names:?}: {similarity:.3}, {best:.3}");
        }
    }
}

/// However many have copied from each other, two of them are as alike as if they were alone.
#[test]
fn copies_of_copies_make_two_no_less_alike() {
    let (sources, from, members) = ring("potter/Snape.cc");
    let alike = |sources: Vec<Source>| {
        let collection = Collection::of(sources);
        let given = ludus_plagiarism::templates(&Language::ALL, Vec::new());
        let found = collection.compare(&given, Options { threshold: 0.0, same_author: false });
        let place = |name: &str| collection.sources.iter().position(|source| source.name == name).unwrap();
        let two = BTreeSet::from([place("potter/Snape.cc"), place("copied-2.cc")]);
        let is_it = |pair: &&Match| BTreeSet::from([pair.a, pair.b]) == two;
        found.iter().find(is_it).map_or(0.0, |pair| pair.similarity)
    };
    let names: BTreeSet<String> =
        members.iter().filter(|&&at| at != from).map(|&at| sources[at].name.clone()).collect();
    let is_there = |source: &Source| !names.contains(&source.name) || source.name == "copied-2.cc";
    let alone = alike(sources.iter().filter(|source| is_there(source)).cloned().collect());
    let together = alike(sources);
    assert!(alone > 0.4 && (alone - together).abs() < 0.02, "{alone:.3} alone, {together:.3} in a ring");
}
