//! How good and how fast the comparison is.
//!
//! ```text
//! cargo bench -p ludus-plagiarism --bench figures               # all of it
//! cargo bench -p ludus-plagiarism --bench figures -- ranking    # or: versions, crowd, corpus
//! ```
//!
//! `… -- given` writes the table of what comes with a course, `given.bin`.
//! `WRITE=DIR … -- write` writes the C++ sources of the test set and a list of
//! who was copied from whom, for `scripts/compare-with-dolos`; `WRITE_CROWD=DIR … -- crowd`
//! does so with the 1,000 sources that are made up. `PAIRS=DIR` does what
//! `ludus plagiarism DIR --threshold 0 --csv` does, for where that is not built.

#[path = "../tests/disguise/mod.rs"]
#[allow(clippy::unwrap_used)]
mod disguise;
#[path = "../tests/testset.rs"]
#[allow(clippy::unwrap_used)]
mod testset;

use std::time::Instant;

use disguise::{Trick, disguise as disguised, write};
use ludus_plagiarism::{
    Collection, Corpus, DEFAULT_THRESHOLD, Language, Match, Options, Report, Source, Templates, templates,
};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    if let Some(folder) = std::env::var_os("PAIRS") {
        return pairs(std::path::Path::new(&folder));
    }
    if is_wanted("ranking") {
        ranking();
    }
    if is_wanted("versions") {
        versions();
    }
    if let Some(folder) = std::env::var_os("WRITE") {
        write_set(std::path::Path::new(&folder));
    }
    if wanted.iter().any(|word| word == "given") {
        let table = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("given.bin");
        return std::fs::write(table, ludus_plagiarism::given()).expect("the folder is there");
    }
    if is_wanted("crowd") {
        crowd();
    }
    if is_wanted("corpus") {
        corpus();
    }
}

/// Versions by one author above pairs of different ones, as `--same-author` ranks
/// them: three made of each independent source, or the files `AUTHOR-….cc` of the
/// folder `VERSIONS`. `WITHOUT_TEMPLATES` is for versions of the examples.
fn versions() {
    let sources = match std::env::var_os("VERSIONS") {
        Some(folder) => files_of(std::path::Path::new(&folder)),
        None => testset::versions(),
    };
    let authors: Vec<String> = sources.iter().map(|source| source.author.clone()).collect();
    // As the program does, unless the examples themselves are what is compared.
    let has_none = std::env::var_os("WITHOUT_TEMPLATES").is_some();
    let templates = if has_none { Templates::default() } else { templates(&languages_of(&sources), Vec::new()) };
    let collection = Collection::of(sources);
    let options = Options { threshold: 0.0, same_author: true };
    let found = collection.compare(&templates, options);
    let (mut same, mut others) = (Vec::new(), Vec::new());
    let is_same = |pair: &&Match| collection.sources[pair.a].author == collection.sources[pair.b].author;
    for pair in &found {
        if is_same(&pair) { &mut same } else { &mut others }.push(pair.similarity);
    }
    let tell = |what: &str, pair: &Match| {
        let name = |at: usize| &collection.sources[at].name;
        println!("  {what}: {:.3}, {} {}", pair.similarity, name(pair.a), name(pair.b));
    };
    found.iter().rev().filter(is_same).take(5).for_each(|pair| tell("least alike of one author", pair));
    found.iter().filter(|pair| !is_same(pair)).take(5).for_each(|pair| tell("most alike of two       ", pair));
    // Pairs that share nothing are not found at all.
    let count = |is_same: bool| {
        let pairs = (0..authors.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| (authors[a] == authors[b]) == is_same).count()
    };
    same.resize(count(true), 0.0);
    others.resize(count(false), 0.0);
    let area = testset::area(&same, &others);
    println!(
        "versions: {} sources, {} pairs of one author, {} of two: ROC area {area:.4}, least alike of one author {:.3}, most of two {:.3}",
        authors.len(),
        same.len(),
        others.len(),
        same.iter().copied().fold(1.0, f64::min),
        others.iter().copied().fold(0.0, f64::max)
    );
}

fn files_of(folder: &std::path::Path) -> Vec<Source> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let sources = names.filter_map(|name| {
        let (language, text) = (Language::of_file(&name)?, std::fs::read(folder.join(&name)).ok()?);
        Some(Source { author: ludus_plagiarism::author_of(&name).to_owned(), name, language, text, time: None })
    });
    sources.collect()
}

/// What comes with the course is parsed in the languages that are there.
fn languages_of(sources: &[Source]) -> Vec<Language> {
    let is_used = |language: &Language| sources.iter().any(|source| source.language == *language);
    Language::ALL.into_iter().filter(is_used).collect()
}

fn pairs(folder: &std::path::Path) {
    let sources = files_of(folder);
    let templates = templates(&languages_of(&sources), Vec::new());
    let options = Options { threshold: 0.0, same_author: false };
    let collection = Collection::of(sources);
    let found = collection.compare(&templates, options);
    print!("{}", Report::new(&collection, &found, options).csv());
}

fn ranking() {
    let set = testset::load();
    let found = testset::compare(&set);
    let figures = testset::figures(&set, &found);
    let originals = set.iter().filter(|entry| entry.origins.is_empty()).count();
    println!("test set: {originals} independent sources, {} copies", set.len() - originals);
    println!("  most alike of independent pairs: {:.3}, {}", figures.best_unrelated.0, figures.best_unrelated.1);
    for (similarity, copy) in figures.copies.iter().take(5) {
        println!("  least alike of copies:           {similarity:.3}, {copy}");
    }
    for (similarity, who) in testset::games_alone(&set) {
        println!("  most alike of a game alone:      {similarity:.3}, {who}");
    }
    let few: Vec<testset::Entry> =
        testset::load().into_iter().filter(|entry| !entry.source.name.starts_with("made/")).collect();
    let by_hand = testset::figures(&few, &testset::compare(&few));
    println!("  without the copies made here:    {:.3}, {}", by_hand.best_unrelated.0, by_hand.best_unrelated.1);
    for (similarity, copy) in by_hand.copies.iter().take(3) {
        println!("    least alike of copies:         {similarity:.3}, {copy}");
    }
    let above = figures.copies.iter().filter(|copy| copy.0 > figures.best_unrelated.0).count();
    println!("  copies above every independent pair: {above} of {}", figures.copies.len());
    let shown: Vec<_> = found.iter().filter(|found| found.similarity >= DEFAULT_THRESHOLD).collect();
    let right = shown.iter().filter(|found| testset::are_related(&set, found.a, found.b)).count();
    let recalled = figures.copies.iter().filter(|copy| copy.0 >= DEFAULT_THRESHOLD).count();
    println!(
        "  at {DEFAULT_THRESHOLD}: precision {:.3} of {} pairs, recall {:.3}",
        right as f64 / shown.len().max(1) as f64,
        shown.len(),
        recalled as f64 / figures.copies.len().max(1) as f64
    );
}

/// The C++ sources as files, and pairs of those that share code.
fn write_set(folder: &std::path::Path) {
    let set = testset::load();
    let is_cpp = |at: &usize| set[*at].source.language == Language::Cpp;
    let name = |at: usize| set[at].source.name.replace(['/', '-'], "_");
    let places: Vec<usize> = (0..set.len()).filter(is_cpp).collect();
    let mut related = String::new();
    for (rank, &a) in places.iter().enumerate() {
        std::fs::write(folder.join(name(a)), &set[a].source.text).expect("the folder is there");
        for &b in places[..rank].iter().filter(|&&b| testset::are_related(&set, a, b)) {
            let is_copy = set[a].origins.contains(&b) || set[b].origins.contains(&a);
            related += &format!("{}\t{}\t{}\n", name(b), name(a), if is_copy { "copy" } else { "related" });
        }
    }
    std::fs::write(folder.join("related.tsv"), related).expect("the folder is there");
}

/// A source that nobody wrote.
fn source(number: u64, text: String) -> Source {
    let name = format!("{number}.cc");
    Source { author: name.clone(), name, language: Language::Cpp, text: text.into_bytes(), time: None }
}

/// 1,000 sources of 500 lines: once made up, one in twenty a copy of another, once
/// glued together from the players of the test set, so that each shares code with
/// hundreds. `CROWD` says how many for whoever counts instructions, `CROWD_OF` a
/// folder of sources to take instead.
fn crowd() {
    let all = std::env::var("CROWD").ok().and_then(|count| count.parse().ok()).unwrap_or(1000u64);
    if let Some(folder) = std::env::var_os("CROWD_OF") {
        return time_crowd(files_of(std::path::Path::new(&folder)));
    }
    let copies = all / 20;
    let mut sources: Vec<Source> = (copies..all).map(|seed| source(seed, write::program(seed, 500))).collect();
    for number in 0..copies {
        let original = write::program(copies + number * 3, 500);
        let copy = disguised(&original, &original, Trick::ReorderFunctions, number);
        sources.push(source(number, copy));
    }
    if let Some(folder) = std::env::var_os("WRITE_CROWD") {
        let planted = (0..copies).map(|number| (number, copies + number * 3));
        return write_crowd(std::path::Path::new(&folder), &sources, planted);
    }
    time_crowd(sources);
    time_crowd(glued(all));
}

/// A crowd as files, and the numbers of those that were copied.
fn write_crowd(folder: &std::path::Path, sources: &[Source], planted: impl Iterator<Item = (u64, u64)>) {
    for source in sources {
        std::fs::write(folder.join(&source.name), &source.text).expect("the folder is there");
    }
    let lines: String = planted.map(|(copy, original)| format!("{original}.cc\t{copy}.cc\tcopy\n")).collect();
    std::fs::write(folder.join("related.tsv"), lines).expect("the folder is there");
}

/// Sources of 500 lines, as people write them, made of three or four players each.
fn glued(count: u64) -> Vec<Source> {
    let players = players(Language::Cpp);
    (0..count).map(|number| source(number, glued_text(&players, number, 500))).collect()
}

/// The independent players of the test set in a language.
fn players(language: Language) -> Vec<String> {
    let is_player = |entry: &testset::Entry| entry.origins.is_empty() && entry.source.language == language;
    let texts = testset::load().into_iter().filter(is_player).map(|entry| entry.source.text);
    texts.map(|text| String::from_utf8(text).expect("sources are text")).collect()
}

fn glued_text(players: &[String], number: u64, most: usize) -> String {
    let mut chance = disguise::Chance::new(number);
    let mut lines: Vec<String> = Vec::new();
    while lines.len() < most {
        let word = if players[0].contains("#include") { "namespace" } else { "mod" };
        lines.push(format!("{word} part{} {{", lines.len()));
        lines.extend(players[chance.below(players.len())].lines().map(str::to_owned));
        lines.push("}".to_owned());
    }
    lines.truncate(most);
    lines.join("\n") + "\n"
}

fn time_crowd(sources: Vec<Source>) {
    let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
    let lines: usize = sources.iter().map(|source| source.text.iter().filter(|byte| **byte == b'\n').count()).sum();
    let languages = languages_of(&sources);
    let before = peak_memory();
    let (start, busy) = (Instant::now(), processor_seconds());
    let templates = templates(&languages, Vec::new());
    let prepared = start.elapsed();
    let collection = Collection::of(sources);
    let read = start.elapsed();
    let found = collection.compare(&templates, Options::default());
    let compared = start.elapsed();
    let report = Report::new(&collection, &found, Options::default()).csv();
    println!(
        "crowd: {} sources, {} lines, {} KB: {:.2} s ({:.0} ms for templates, {:.2} s to read, {:.0} ms to compare, \
         {:.0} ms to report {} KB), CPU {:.2} s, peak {} MB ({} before), {} pairs found",
        collection.sources.len(),
        lines,
        bytes / 1000,
        start.elapsed().as_secs_f64(),
        1000.0 * prepared.as_secs_f64(),
        (read - prepared).as_secs_f64(),
        1000.0 * (compared - read).as_secs_f64(),
        1000.0 * (start.elapsed() - compared).as_secs_f64(),
        report.len() / 1000,
        processor_seconds() - busy,
        peak_memory(),
        before,
        found.len()
    );
}

/// One source after the other to an index of 10,000, a tenth of them in Rust: ten
/// years, and then one that grew little by little and lies in many pieces.
fn corpus() {
    add_to_index(1000, 50);
    add_to_index(32, 550);
}

/// The sources of an index: C++ that is made up, Rust that is glued together.
fn indexed(number: u64, rust: &[String]) -> Source {
    if number % 10 != 3 {
        return source(number, write::program(number, 200));
    }
    let name = format!("{number}.rs");
    let text = glued_text(rust, number, 200).into_bytes();
    Source { author: name.clone(), name, language: Language::Rust, text, time: None }
}

fn add_to_index(at_a_time: u64, more: u64) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().join("corpus");
    let rust = players(Language::Rust);
    let mut index = Corpus::open(&path, false).expect("a new corpus");
    let start = Instant::now();
    for first in (0..10_000).step_by(at_a_time as usize) {
        let numbers = first..(first + at_a_time).min(10_000);
        let sources: Vec<Source> = numbers.map(|number| indexed(number, &rust)).collect();
        let count = sources.len();
        index.add(&Collection::of(sources), count).expect("the disk has room");
    }
    let size = std::fs::metadata(&path).map_or(0, |data| data.len() / 1_000_000);
    println!(
        "corpus: {} sources of 200 lines, {at_a_time} at a time, in {:.1} s, {size} MB",
        index.len(),
        start.elapsed().as_secs_f64()
    );
    drop(index);
    let (mut times, mut copies, mut found_copies) = (Vec::new(), 0, 0);
    let busy = processor_seconds();
    for number in 0..more {
        let of = number * 199 % 10_000;
        let original = write::program(of, 200);
        let is_copy = number % 2 == 0 && of % 10 != 3;
        copies += usize::from(is_copy);
        let text = if is_copy {
            disguised(&original, "", Trick::ReorderFunctions, number)
        } else {
            write::program(50_000 + number, 200)
        };
        let start = Instant::now();
        // All that one call of the program does.
        let mut index = Corpus::open(&path, false).expect("it is there");
        let templates = templates(&index.languages(), Vec::new());
        let fresh = Collection::of(vec![source(20_000 + number, text)]);
        let (all, found) = index.compare(fresh, &templates, Options::default()).expect("it can be read");
        index.add(&all, 1).expect("the disk has room");
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        found_copies +=
            usize::from(found.iter().any(|found| all.sources[found.b].name == format!("{of}.cc")) && is_copy);
    }
    let spent = processor_seconds() - busy;
    times.sort_by(f64::total_cmp);
    println!(
        "  opened, compared and added one by one: median {:.1} ms, 99 of 100 below {:.1} ms, slowest {:.1} ms, CPU {:.0} ms each; \
         {found_copies} of {copies} copies found",
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        times[times.len() - 1],
        1000.0 * spent / more as f64
    );
}

/// The time that this process has computed, all its threads together.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = |at: usize| rest.split_whitespace().nth(at).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory that this process has had, in MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
