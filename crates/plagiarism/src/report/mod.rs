//! What was found, as people read it: lines instead of units, names instead of
//! places in lists. Written as a table, CSV, JSON or a page.

mod clusters;
mod graph;
mod page;
mod side_by_side;

use std::fmt::Write as _;

use serde::Serialize;

use crate::collect::Collection;
use crate::compare::{Match, Options};
use crate::language::Language;
use crate::matching::Region;
use crate::parallel;

pub use side_by_side::{COLOURS, SCRIPT, side};

/// All that a comparison found.
#[derive(Serialize)]
pub struct Report {
    pub threshold: f64,
    pub same_author: bool,
    pub sources: Vec<ReportSource>,
    pub pairs: Vec<ReportPair>,
    /// Sources that hang together by pairs, as places in `sources`.
    pub clusters: Vec<Vec<usize>>,
    pub refused: Vec<RefusedSource>,
}

#[derive(Serialize)]
pub struct ReportSource {
    pub name: String,
    pub author: String,
    pub language: &'static str,
    pub lines: u32,
    /// Seconds since 1970.
    pub time: Option<i64>,
    /// Only of the sources that are in a pair.
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
pub struct RefusedSource {
    pub name: String,
    pub reason: String,
}

#[derive(Serialize)]
pub struct ReportPair {
    /// Places in the list of sources.
    pub a: usize,
    pub b: usize,
    pub name_a: String,
    pub name_b: String,
    pub similarity: f64,
    pub share_a: f64,
    pub share_b: f64,
    /// `high` within a language, `lower` between C++ and Rust.
    pub confidence: &'static str,
    /// Which of the two is older, `a` or `b`, if that is known.
    pub first: Option<char>,
    pub longest: u32,
    /// How the two players decide, if they were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behaviour: Option<Behaviour>,
    pub runs: Vec<Run>,
}

/// How two players decide on the same states, and what they are compiled to: shares
/// from 0 to 1, none where nothing could be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Behaviour {
    /// The share of equal orders.
    pub equal: Option<f64>,
    /// That of each with others: on average, and at most.
    pub usual: Option<f64>,
    pub most: Option<f64>,
    /// What is equal beyond the usual.
    pub beyond: Option<f64>,
    /// The share of the smaller module that is in the other only.
    pub code: Option<f64>,
}

impl Behaviour {
    pub const NAMES: [&str; 5] = ["equal", "usual", "most", "beyond", "code"];

    /// In the order of the names.
    pub fn shares(&self) -> [Option<f64>; 5] {
        [self.equal, self.usual, self.most, self.beyond, self.code]
    }
}

/// A common run: lines of one source that are lines of the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// First and last line on each side, from 1.
    pub a: (u32, u32),
    pub b: (u32, u32),
    /// How many steps of the two programs match in it.
    pub steps: u32,
    /// The lines with steps that match, each with one that it matches.
    #[serde(skip)]
    lines_a: Vec<(u32, u32)>,
    #[serde(skip)]
    lines_b: Vec<(u32, u32)>,
}

impl Run {
    fn new(steps: u32, lines_a: Vec<(u32, u32)>, lines_b: Vec<(u32, u32)>) -> Run {
        let ends =
            |lines: &[(u32, u32)]| (lines.first().map_or(1, |line| line.0), lines.last().map_or(1, |line| line.0));
        Run { a: ends(&lines_a), b: ends(&lines_b), steps, lines_a, lines_b }
    }

    /// The same run where the other source is the first.
    pub fn turned(&self) -> Run {
        Run::new(self.steps, self.lines_b.clone(), self.lines_a.clone())
    }

    /// Runs as a text to be kept with the two sources.
    pub fn evidence(runs: &[Run]) -> String {
        let all: Vec<Kept> = runs.iter().map(|run| (run.steps, run.lines_a.clone(), run.lines_b.clone())).collect();
        serde_json::to_string(&all).expect("plain data can be written")
    }

    /// The runs of such a text; none if it is none.
    pub fn of_evidence(text: &str) -> Vec<Run> {
        let all: Vec<Kept> = serde_json::from_str(text).unwrap_or_default();
        all.into_iter().map(|(steps, a, b)| Run::new(steps, a, b)).collect()
    }
}

/// A run as it is kept: how many steps, and the lines of both sides.
type Kept = (u32, Vec<(u32, u32)>, Vec<(u32, u32)>);

impl Report {
    pub fn new(collection: &Collection, found: &[Match], options: Options) -> Report {
        let all = &collection.sources;
        let lines = parallel::map(all.len(), |at| line_starts(&all[at].text));
        let mut is_shown = vec![false; all.len()];
        found.iter().for_each(|found| (is_shown[found.a], is_shown[found.b]) = (true, true));
        let sources = all.iter().zip(&lines).zip(is_shown).map(|((source, starts), is_shown)| ReportSource {
            name: source.name.clone(),
            author: source.author.clone(),
            language: match source.language {
                Language::Cpp => "C++",
                Language::Rust => "Rust",
            },
            lines: u32::try_from(starts.len()).unwrap_or(u32::MAX),
            time: source.time,
            text: if is_shown { String::from_utf8_lossy(&source.text).into_owned() } else { String::new() },
        });
        Report {
            threshold: options.threshold,
            same_author: options.same_author,
            sources: sources.collect(),
            pairs: parallel::map(found.len(), |at| pair(collection, &lines, &found[at])),
            clusters: clusters::of(found.iter().map(|found| (found.a, found.b)), collection.sources.len()),
            refused: collection
                .refused
                .iter()
                .map(|(name, reason)| RefusedSource { name: name.clone(), reason: reason.to_string() })
                .collect(),
        }
    }

    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data can be written");
        text.push('\n');
        text
    }

    /// One line for each pair.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = [
            "rank",
            "similarity",
            "confidence",
            "a",
            "author_a",
            "share_a",
            "b",
            "author_b",
            "share_b",
            "longest",
            "first",
            "first_author",
        ];
        let mut write = |row: &[String]| writer.write_record(row).expect("writing to memory");
        write(&head.iter().chain(&Behaviour::NAMES).map(|name| (*name).to_owned()).collect::<Vec<_>>());
        for (rank, pair) in self.pairs.iter().enumerate() {
            let number = |share: f64| format!("{share:.4}");
            let first = self.first(pair);
            let mut row = vec![
                (rank + 1).to_string(),
                number(pair.similarity),
                pair.confidence.to_owned(),
                inert(&pair.name_a),
                inert(&self.sources[pair.a].author),
                number(pair.share_a),
                inert(&pair.name_b),
                inert(&self.sources[pair.b].author),
                number(pair.share_b),
                pair.longest.to_string(),
                first.map_or(String::new(), |first| inert(&first.name)),
                first.map_or(String::new(), |first| inert(&first.author)),
            ];
            let shares = pair.behaviour.unwrap_or_default().shares();
            row.extend(shares.map(|share| share.map_or(String::new(), number)));
            write(&row);
        }
        let bytes = writer.into_inner().expect("writing to memory");
        String::from_utf8(bytes).expect("names are text")
    }

    /// The source of a pair that is older.
    pub fn first(&self, pair: &ReportPair) -> Option<&ReportSource> {
        pair.first.map(|first| &self.sources[if first == 'a' { pair.a } else { pair.b }])
    }

    /// A page in one file.
    pub fn html(&self) -> String {
        page::write(self)
    }

    /// A table for a terminal, of so many pairs.
    pub fn table(&self, pairs: usize) -> String {
        let mut text = String::new();
        let width = |of: fn(&ReportPair) -> &str| {
            self.pairs.iter().take(pairs).map(|pair| of(pair).chars().count()).max().unwrap_or(0).clamp(6, 40)
        };
        let (a, b) = (width(|pair| &pair.name_a), width(|pair| &pair.name_b));
        if !self.pairs.is_empty() {
            let _ = writeln!(text, "alike   {:a$}  share   {:b$}  share  longest run", "source", "source");
        }
        for pair in self.pairs.iter().take(pairs) {
            let mark = if pair.confidence == "lower" { "  C++ and Rust: less certain" } else { "" };
            let first =
                self.first(pair).map_or(String::new(), |first| format!("  first: {} by {}", first.name, first.author));
            let _ = writeln!(
                text,
                "{:4.0} %  {:a$}  {:3.0} %   {:b$}  {:3.0} %  {:4} lines{first}{mark}",
                100.0 * pair.similarity,
                pair.name_a,
                100.0 * pair.share_a,
                pair.name_b,
                100.0 * pair.share_b,
                pair.longest,
            );
        }
        if self.pairs.len() > pairs {
            let _ = writeln!(text, "… and {} pairs more", self.pairs.len() - pairs);
        }
        text
    }
}

/// A name that no spreadsheet takes for a formula.
fn inert(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{name}") } else { name.to_owned() }
}

fn line_starts(text: &[u8]) -> Vec<u32> {
    let breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1);
    let mut starts: Vec<u32> = std::iter::once(0).chain(breaks).collect();
    if starts.len() > 1 && starts.last() == Some(&(text.len() as u32)) {
        starts.pop();
    }
    starts
}

fn pair(collection: &Collection, lines: &[Vec<u32>], found: &Match) -> ReportPair {
    let runs: Vec<Run> = found.regions.iter().map(|region| run(collection, lines, found, region)).collect();
    let (a, b) = (&collection.sources[found.a], &collection.sources[found.b]);
    let first = match (a.time, b.time) {
        (Some(x), Some(y)) if x != y => Some(if x < y { 'a' } else { 'b' }),
        _ => None,
    };
    ReportPair {
        a: found.a,
        b: found.b,
        name_a: a.name.clone(),
        name_b: b.name.clone(),
        similarity: rounded(found.similarity),
        share_a: rounded(found.share_a),
        share_b: rounded(found.share_b),
        confidence: if found.is_across { "lower" } else { "high" },
        first,
        longest: runs.iter().map(|run| run.lines_a.len().min(run.lines_b.len()) as u32).max().unwrap_or(0),
        behaviour: None,
        runs,
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn run(collection: &Collection, lines: &[Vec<u32>], found: &Match, region: &Region) -> Run {
    let span = |source: usize, place: u32| {
        let unit = collection.analysed[source].units[place as usize];
        let line = |at: u32| lines[source].partition_point(|start| *start <= at) as u32;
        let (first, last) = (line(unit.start), line(unit.end.max(unit.start + 1) - 1));
        // The head of a long statement says where it is.
        (first, last.min(first + 3))
    };
    let spans: Vec<_> = region.matches.iter().map(|&(x, y)| (span(found.a, x), span(found.b, y))).collect();
    let side = |pairs: Vec<((u32, u32), (u32, u32))>| {
        let mut touched: Vec<(u32, u32)> = pairs
            .into_iter()
            .flat_map(|((first, last), there)| {
                (first..=last).map(move |line| (line, (there.0 + line - first).min(there.1)))
            })
            .collect();
        touched.sort_unstable();
        touched.dedup_by_key(|(line, _)| *line);
        touched
    };
    let lines_b = side(spans.iter().map(|&(a, b)| (b, a)).collect());
    let lines_a = side(spans);
    Run::new(region.matches.len() as u32, lines_a, lines_b)
}
