//! Which sources share code, and how much.

use std::collections::BTreeMap;

use crate::fingerprints::{self, Pair};
use crate::language::Language;
use crate::lower::{self, Unit};
use crate::matching::{self, Region, Side};
use crate::parallel;
use crate::syntax::Refused;
use crate::weights::{self, Frequencies, Hashes};

/// A source to compare.
#[derive(Clone, Debug)]
pub struct Source {
    /// What reports call it.
    pub name: String,
    pub author: String,
    pub language: Language,
    pub text: Vec<u8>,
    /// When it was written, in seconds since 1970, if anybody knows.
    pub time: Option<i64>,
}

/// A source whose units are known.
pub struct Analysed {
    pub units: Vec<Unit>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) fingerprints: Vec<u64>,
    pub language: Language,
}

impl Analysed {
    pub fn of(text: &[u8], language: Language) -> Result<Analysed, Refused> {
        Ok(Analysed::of_units(lower::units(text, language)?, language))
    }

    pub(crate) fn of_units(units: Vec<Unit>, language: Language) -> Analysed {
        let pairs = fingerprints::pairs(&units);
        let fingerprints = fingerprints::winnowed(&units);
        Analysed { units, pairs, fingerprints, language }
    }
}

/// What comes with the course, and is nobody's.
#[derive(Default)]
pub struct Templates {
    pairs: Hashes,
    units: Frequencies,
}

impl Templates {
    pub fn add(&mut self, template: &Analysed) {
        self.pairs.extend(template.pairs.iter().map(|pair| pair.hash));
        self.units.add(distinct(template));
    }
}

/// How sources are compared.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Pairs less alike than this are left out.
    pub threshold: f64,
    /// Compares also what one author wrote.
    pub same_author: bool,
}

/// At this similarity independent programs are not found.
pub const DEFAULT_THRESHOLD: f64 = 0.15;

impl Default for Options {
    fn default() -> Options {
        Options { threshold: DEFAULT_THRESHOLD, same_author: false }
    }
}

/// Two sources that share code.
#[derive(Clone, Debug)]
pub struct Match {
    /// Places in the list of sources.
    pub a: usize,
    pub b: usize,
    /// From 0 to 1: how much of what the smaller one says is in both.
    pub similarity: f64,
    /// The share of each that is in the other.
    pub share_a: f64,
    pub share_b: f64,
    /// One is C++ and the other Rust: such a similarity is less certain.
    pub is_across: bool,
    pub regions: Vec<Region>,
}

/// Small programs are alike by chance: so much is added to what a source says.
const RESERVE: f32 = 20.0;

struct Field<'a> {
    sources: &'a [Analysed],
    authors: &'a [usize],
    templates: &'a Templates,
    units: Frequencies,
    pairs: Frequencies,
    weights: Vec<Vec<f32>>,
    totals: Vec<f32>,
    /// A pair that more authors have finds nothing.
    common: u32,
}

/// Compares all sources with all others, by `authors` (a number for each).
pub fn compare(sources: &[Analysed], authors: &[usize], templates: &Templates, options: Options) -> Vec<Match> {
    let field = Field::new(sources, authors, templates);
    let postings = field.postings();
    let rows = parallel::map(sources.len(), |a| {
        let candidates = field.candidates(a, &postings, options).into_iter();
        let found = candidates.map(|(b, fingerprints)| field.compare(b, a, fingerprints));
        found.filter(|found| found.similarity >= options.threshold).collect::<Vec<_>>()
    });
    let mut found: Vec<Match> = rows.into_iter().flatten().collect();
    found.sort_by(|x, y| y.similarity.total_cmp(&x.similarity).then((x.a, x.b).cmp(&(y.a, y.b))));
    found
}

fn distinct(source: &Analysed) -> Vec<u64> {
    let mut hashes: Vec<u64> = source.units.iter().map(|unit| unit.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

impl<'a> Field<'a> {
    fn new(sources: &'a [Analysed], authors: &'a [usize], templates: &'a Templates) -> Field<'a> {
        let (mut units, mut pairs) = (Frequencies::default(), Frequencies::default());
        let mut by_author: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (source, &author) in authors.iter().enumerate() {
            by_author.entry(author).or_default().push(source);
        }
        for versions in by_author.values() {
            let all = |of: fn(&Analysed) -> Vec<u64>| {
                let mut hashes: Vec<u64> = versions.iter().flat_map(|&source| of(&sources[source])).collect();
                hashes.sort_unstable();
                hashes.dedup();
                hashes
            };
            units.add(all(distinct));
            pairs.add(all(|source| source.pairs.iter().map(|pair| pair.hash).collect()));
        }
        let common = 25.max(by_author.len() as u32 / 5);
        let mut field =
            Field { sources, authors, templates, units, pairs, weights: Vec::new(), totals: Vec::new(), common };
        field.weights =
            sources.iter().map(|source| source.units.iter().map(|unit| field.weight(unit)).collect()).collect();
        field.totals = field.weights.iter().map(|weights| weights.iter().sum()).collect();
        field
    }

    /// What comes with the course counts as if two authors more had it.
    fn weight(&self, unit: &Unit) -> f32 {
        let templates = 2 * self.templates.units.of(unit.hash);
        weights::of_unit(unit, self.units.of(unit.hash) + templates)
    }

    /// Which sources have each fingerprint that may find something.
    fn postings(&self) -> Vec<(u64, u32)> {
        let mut postings = Vec::new();
        for (place, source) in self.sources.iter().enumerate() {
            let finds = source.fingerprints.iter().filter(|&&hash| self.finds(hash));
            postings.extend(finds.map(|&hash| (hash, place as u32)));
        }
        postings.sort_unstable();
        postings
    }

    fn finds(&self, pair: u64) -> bool {
        self.pairs.of(pair) <= self.common && !self.templates.pairs.contains(&pair)
    }

    /// Earlier sources that share fingerprints with one.
    fn candidates(&self, a: usize, postings: &[(u64, u32)], options: Options) -> Vec<(usize, f64)> {
        let mut shared = vec![0u32; a];
        for &hash in self.sources[a].fingerprints.iter().filter(|&&hash| self.finds(hash)) {
            let start = postings.partition_point(|posting| posting.0 < hash);
            let same = postings[start..].iter().take_while(|posting| posting.0 == hash && (posting.1 as usize) < a);
            for posting in same {
                shared[posting.1 as usize] += 1;
            }
        }
        let share = |b: usize| {
            let smaller = self.sources[a].fingerprints.len().min(self.sources[b].fingerprints.len());
            f64::from(shared[b]) / smaller.max(1) as f64
        };
        let may = |b: &usize| shared[*b] > 0 && (options.same_author || self.authors[*b] != self.authors[a]);
        // Who shares a tenth of the fingerprints that the threshold would have
        // it share is far below it.
        let found = (0..a).filter(may).map(|b| (b, share(b)));
        found.filter(|(_, share)| *share >= options.threshold / 10.0).collect()
    }

    fn side(&self, source: usize) -> Side<'_> {
        let Analysed { units, pairs, .. } = &self.sources[source];
        Side { units, weights: &self.weights[source], pairs }
    }

    fn compare(&self, a: usize, b: usize, fingerprints: f64) -> Match {
        let regions = matching::regions(&self.side(a), &self.side(b), |pair| self.finds(pair));
        let shared: f32 = regions.iter().map(|region| region.weight).sum();
        let share = |source: usize| f64::from(shared / self.totals[source].max(f32::MIN_POSITIVE)).min(1.0);
        let smaller = self.totals[a].min(self.totals[b]);
        Match {
            a,
            b,
            // Fingerprints that are in no region tell apart what is hardly alike.
            similarity: (0.99 * f64::from(shared / (smaller + RESERVE)) + 0.01 * fingerprints).min(1.0),
            share_a: share(a),
            share_b: share(b),
            is_across: self.sources[a].language != self.sources[b].language,
            regions,
        }
    }
}
