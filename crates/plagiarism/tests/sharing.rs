//! What counts as shared, on sources that are small enough to count by hand.

use ludus_plagiarism::{Collection, Language, Match, Options, Report, Source, templates};

use crate::disguise::write;

fn source(author: &str, text: String) -> Source {
    let name = format!("{author}.cc");
    Source { name, author: author.to_owned(), language: Language::Cpp, text: text.into_bytes(), time: None }
}

fn compared(sources: Vec<Source>, threshold: f64) -> (Collection, Vec<Match>) {
    let collection = Collection::of(sources);
    assert!(collection.refused.is_empty());
    let given = templates(&Language::ALL, Vec::new());
    let found = collection.compare(&given, Options { threshold, same_author: false });
    (collection, found)
}

/// One class with some functions.
fn player(functions: &[String]) -> String {
    format!("struct PLAYER_NAME : public Player {{\n{}}};\n", functions.concat())
}

/// Steps of one line each that no other step is like.
fn steps(names: &str, count: usize) -> Vec<String> {
    (0..count).map(|at| format!("    {names}{at}(a{at} + {names}{names}(b * c), d[{names}x{at}(e - f)]);\n")).collect()
}

fn function(lines: &[String]) -> String {
    format!("  void play() {{\n{}  }}\n", lines.concat())
}

#[test]
fn what_comes_with_the_course_makes_nobody_alike() {
    let given = include_str!("../../../content/ants/players/AIForager.cc");
    let sdk = include_str!("../../../sdk/cpp/ants/Structs.hh");
    let demo = include_str!("../../../content/ants/players/AIDemo.cc");
    for text in [given.to_owned(), sdk.to_owned(), format!("{given}\n{demo}")] {
        let sources = ["anna", "bernat"].map(|author| source(author, text.clone()));
        let (_, found) = compared(sources.to_vec(), 0.01);
        assert!(found.is_empty(), "{:.3}", found[0].similarity);
    }
}

#[test]
fn what_nearly_all_have_counts_for_little() {
    let shared = write::program(1_000_000, 40);
    let inside = |text: &str| text.lines().skip(3).take(35).fold(String::new(), |all, line| all + line + "\n");
    let with = inside(&shared);
    let text = |seed: u64| {
        let own = write::program(seed, 80);
        if seed == 0 { own } else { own.replacen("Player {", &format!("Player {{\n{with}"), 1) }
    };
    let many: Vec<Source> = (0..301).map(|seed| source(&seed.to_string(), text(seed))).collect();
    let (_, found) = compared(many.clone(), 0.0);
    let most = found.first().map_or(0.0, |found| found.similarity);
    assert!(most < 0.03, "{most:.3}");
    // The same function in two of them only is seen.
    let few: Vec<Source> = (0..301)
        .map(|seed| {
            if seed == 7 || seed == 8 {
                many[seed as usize].clone()
            } else {
                source(&seed.to_string(), write::program(seed, 80))
            }
        })
        .collect();
    let (_, found) = compared(few, 0.0);
    assert!(found[0].similarity > 0.15 && (found[0].a, found[0].b) == (7, 8), "{:.3}", found[0].similarity);
}

/// So many common runs are there if some steps are put in the middle of one.
fn runs_with(inserted: usize) -> usize {
    let common = steps("common", 16);
    let strange: Vec<String> = (0..inserted).map(|at| format!("    own{at}(z{at} - 1, w * {at});\n")).collect();
    let other = [&common[..8], &strange, &common[8..]].concat();
    let (_, found) = compared(
        vec![source("anna", player(&[function(&common)])), source("bernat", player(&[function(&other)]))],
        0.0,
    );
    found[0].regions.len()
}

#[test]
fn four_steps_between_are_bridged_and_more_are_not() {
    let counts: Vec<usize> = (0..=8).map(runs_with).collect();
    assert_eq!(counts, [1, 1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn the_longest_run_and_the_shares_are_what_one_counts() {
    let common = steps("common", 12);
    let anna = player(&[function(&common)]);
    let bernat = player(&[function(&common), function(&steps("own", 12))]);
    let (collection, found) = compared(vec![source("anna", anna), source("bernat", bernat)], 0.0);
    let report = Report::new(&collection, &found, Options::default());
    let pair = &report.pairs[0];
    // Twelve lines, from the third on; all of the one, and half of the other.
    assert_eq!((pair.longest, pair.runs.len()), (12, 1));
    assert_eq!((pair.runs[0].a, pair.runs[0].b), ((3, 14), (3, 14)));
    assert!((pair.share_a - 1.0).abs() < 1e-6, "{}", pair.share_a);
    assert!((pair.share_b - 0.5).abs() < 0.01, "{}", pair.share_b);
}
