//! The test set: independent players, copies that were disguised by hand, and
//! copies that are disguised here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ludus_plagiarism::{Collection, Language, Match, Options, Source};

use crate::disguise::{TRICKS, Trick, disguise, earlier};

/// How many copies there are in all.
pub const COPIES: usize = 150;

/// A source of the set and where it comes from: places of the sources that it
/// was copied from, none for an independent one.
pub struct Entry {
    pub source: Source,
    pub origins: Vec<usize>,
    pub trick: String,
}

fn folder() -> PathBuf {
    std::env::var_os("TESTSET").map_or(Path::new(env!("CARGO_MANIFEST_DIR")).join("testset"), PathBuf::from)
}

/// All of it: the independent ones first.
pub fn load() -> Vec<Entry> {
    let mut set = independent(&folder());
    let originals = set.len();
    set.extend(by_hand(&folder(), &set));
    let mut copied = vec![0; originals];
    set.iter().flat_map(|entry| &entry.origins).for_each(|&from| copied[from] += 1);
    for number in 0..COPIES.saturating_sub(set.len() - originals) {
        let copy = by_machine(&set[..originals], number, &copied);
        copy.origins.iter().for_each(|&from| copied[from] += 1);
        set.push(copy);
    }
    set
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn entry(name: String, text: Vec<u8>, origins: Vec<usize>, trick: String) -> Entry {
    let language = Language::of_file(&name).unwrap();
    Entry { source: Source { author: name.clone(), name, language, text, time: None }, origins, trick }
}

fn independent(folder: &Path) -> Vec<Entry> {
    let games = files(folder).into_iter().filter(|path| path.is_dir() && !path.ends_with("copies"));
    let sources = games.flat_map(|game| files(&game));
    sources
        .map(|path| {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            entry(name, std::fs::read(&path).unwrap(), Vec::new(), String::new())
        })
        .collect()
}

/// The copies of `copies.tsv`: file, originals, disguise.
fn by_hand(folder: &Path, originals: &[Entry]) -> Vec<Entry> {
    let table = std::fs::read_to_string(folder.join("copies.tsv")).unwrap_or_default();
    let stem = |name: &str| Path::new(name).file_stem().unwrap().to_str().unwrap().to_owned();
    let places: BTreeMap<String, usize> =
        originals.iter().enumerate().map(|(at, entry)| (stem(&entry.source.name), at)).collect();
    let rows = table.lines().filter(|line| !line.starts_with("copy\t") && !line.trim().is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [copy, from, kind, ..] = columns[..] else { panic!("copies.tsv: {line}") };
        let name = Path::new(copy).file_name().unwrap().to_str().unwrap();
        let text = std::fs::read(folder.join("copies").join(name)).unwrap();
        let origins = from.split(',').map(|from| places[&stem(from.trim())]).collect();
        entry(format!("copies/{name}"), text, origins, format!("by hand: {kind}"))
    })
    .collect()
}

/// One of the copies that are made here: all tricks in turn, each on one of the
/// originals that have been copied least.
fn by_machine(originals: &[Entry], number: usize, copied: &[usize]) -> Entry {
    let trick = TRICKS[number % TRICKS.len()];
    let may = |at: &usize| trick.may_be_in_rust() || originals[*at].source.language == Language::Cpp;
    let start = number * 7 + number / originals.len();
    let from = (0..originals.len())
        .map(|step| (start + step) % originals.len())
        .filter(may)
        .min_by_key(|&at| copied[at])
        .unwrap();
    let original = &originals[from].source;
    let game = |at: usize| originals[at].source.name.split('/').next().unwrap();
    let is_like =
        |at: &usize| *at != from && game(*at) == game(from) && originals[*at].source.language == original.language;
    let other = (0..originals.len()).map(|step| (from + 1 + step) % originals.len()).find(is_like).unwrap();
    let text = |at: usize| String::from_utf8(originals[at].source.text.clone()).unwrap();
    let copy = disguise(&text(from), &text(other), trick, number as u64);
    let origins = if trick == Trick::Merge { vec![from, other] } else { vec![from] };
    let ending = original.name.rsplit_once('.').unwrap().1;
    entry(format!("made/{number}-{trick:?}.{ending}"), copy.into_bytes(), origins, format!("{trick:?}"))
}

/// Three versions of each independent source, two of them with about half of its
/// functions.
pub fn versions() -> Vec<Source> {
    let mut sources = Vec::new();
    for (seed, entry) in independent(&folder()).into_iter().enumerate() {
        let text = String::from_utf8(entry.source.text.clone()).unwrap();
        for version in 1..=2 {
            let text = earlier(&text, (2 * seed + version) as u64).into_bytes();
            let name = format!("{}-{version}", entry.source.name);
            sources.push(Source { name, text, ..entry.source.clone() });
        }
        sources.push(entry.source);
    }
    sources
}

/// The area under the ROC curve: how often one of the first is above one of the others.
pub fn area(ones: &[f64], others: &[f64]) -> f64 {
    let mut others = others.to_vec();
    others.sort_by(f64::total_cmp);
    let below = |value: f64| {
        let (less, most) = (others.partition_point(|one| *one < value), others.partition_point(|one| *one <= value));
        (less + most) as f64 / 2.0
    };
    ones.iter().map(|value| below(*value)).sum::<f64>() / (ones.len() * others.len()).max(1) as f64
}

/// Whether two of the set share code: one was copied from the other, or both
/// from a third.
pub fn are_related(set: &[Entry], a: usize, b: usize) -> bool {
    let roots = |at: usize| if set[at].origins.is_empty() { vec![at] } else { set[at].origins.clone() };
    roots(a).iter().any(|root| roots(b).contains(root))
}

/// What the comparison of the whole set finds, however little alike.
pub fn compare(set: &[Entry]) -> Vec<Match> {
    let collection = Collection::of(set.iter().map(|entry| entry.source.clone()).collect());
    assert!(collection.refused.is_empty(), "{:?}", collection.refused);
    collection.compare(
        &ludus_plagiarism::templates(&Language::ALL, Vec::new()),
        Options { threshold: 0.0, same_author: false },
    )
}

/// The figures of a ranking.
pub struct Figures {
    /// The most alike of the pairs that share nothing.
    pub best_unrelated: (f64, String),
    /// Each copy's likeness with its original, or with the one of two that it is
    /// most like, the least first.
    pub copies: Vec<(f64, String)>,
}

pub fn figures(set: &[Entry], found: &[Match]) -> Figures {
    let alike: BTreeMap<(usize, usize), f64> =
        found.iter().map(|found| ((found.a.min(found.b), found.a.max(found.b)), found.similarity)).collect();
    let name = |at: usize| &set[at].source.name;
    let unrelated = found.iter().filter(|found| !are_related(set, found.a, found.b));
    let best = unrelated.max_by(|x, y| x.similarity.total_cmp(&y.similarity));
    let best_unrelated =
        best.map_or((0.0, String::new()), |found| (found.similarity, format!("{} {}", name(found.a), name(found.b))));
    let mut copies: Vec<(f64, String)> = Vec::new();
    for (at, entry) in set.iter().enumerate() {
        let alike = |origin: usize| alike.get(&(origin.min(at), origin.max(at))).copied().unwrap_or(0.0);
        let best = entry.origins.iter().map(|&origin| (alike(origin), origin)).max_by(|x, y| x.0.total_cmp(&y.0));
        if let Some((similarity, origin)) = best {
            copies.push((similarity, format!("{} from {} ({})", name(at), name(origin), entry.trick)));
        }
    }
    copies.sort_by(|x, y| x.0.total_cmp(&y.0));
    Figures { best_unrelated, copies }
}

/// The most alike of the independent pairs of each game, where the players of
/// that game are all that is compared: what is common elsewhere is not known.
pub fn games_alone(set: &[Entry]) -> Vec<(f64, String)> {
    let game = |entry: &Entry| entry.source.name.split('/').next().unwrap().to_owned();
    let mut games: Vec<String> = set.iter().filter(|entry| entry.origins.is_empty()).map(game).collect();
    games.dedup();
    let alone = |name: String| {
        let chosen = set.iter().filter(|entry| game(entry) == name).map(|entry| entry.source.clone());
        let collection = Collection::of(chosen.collect());
        let templates = ludus_plagiarism::templates(&Language::ALL, Vec::new());
        let found = collection.compare(&templates, Options { threshold: 0.0, same_author: false });
        let name = |at: usize| &collection.sources[at].name;
        found
            .first()
            .map_or((0.0, name(0).clone()), |found| (found.similarity, format!("{} {}", name(found.a), name(found.b))))
    };
    games.into_iter().map(alone).collect()
}
