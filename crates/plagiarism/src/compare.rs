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
    pub language: Language,
    pub(crate) exact: View,
    pub(crate) outline: View,
}

/// A source as it is compared: within a language, or between two.
pub(crate) struct View {
    pub units: Vec<Unit>,
    /// Where each stands among all units of the source.
    pub places: Vec<u32>,
    pub pairs: Vec<Pair>,
    pub fingerprints: Vec<u64>,
}

impl View {
    fn of(units: Vec<Unit>, places: Vec<u32>) -> View {
        let pairs = fingerprints::pairs(&units);
        let fingerprints = fingerprints::winnowed(&units);
        View { units, places, pairs, fingerprints }
    }

    fn distinct(&self) -> Vec<u64> {
        let mut hashes: Vec<u64> = self.units.iter().map(|unit| unit.hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }
}

impl Analysed {
    pub fn of(text: &[u8], language: Language) -> Result<Analysed, Refused> {
        Ok(Analysed::of_units(lower::units(text, language)?, language))
    }

    pub(crate) fn of_units(units: Vec<Unit>, language: Language) -> Analysed {
        let exact = View::of(units.clone(), (0..units.len() as u32).collect());
        let told = units.iter().zip(0..).filter(|(unit, _)| unit.outline != 0);
        let (outlines, places) = told.map(|(unit, at)| (Unit { hash: unit.outline, ..*unit }, at)).unzip();
        Analysed { units, language, exact, outline: View::of(outlines, places) }
    }

    fn view(&self, is_across: bool) -> &View {
        if is_across { &self.outline } else { &self.exact }
    }
}

/// What comes with the course, and is nobody's.
#[derive(Default)]
pub struct Templates {
    exact: Common,
    outline: Common,
}

#[derive(Default)]
struct Common {
    pairs: Hashes,
    units: Frequencies,
}

impl Templates {
    pub fn add(&mut self, template: &Analysed) {
        for (common, view) in [(&mut self.exact, &template.exact), (&mut self.outline, &template.outline)] {
            common.pairs.extend(view.pairs.iter().map(|pair| pair.hash));
            common.units.add(view.distinct());
        }
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
pub const DEFAULT_THRESHOLD: f64 = 0.12;

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
    views: Vec<&'a View>,
    authors: &'a [usize],
    is_across: bool,
    templates: &'a Common,
    units: Frequencies,
    pairs: Frequencies,
    weights: Vec<Vec<f32>>,
    totals: Vec<f32>,
    /// A pair that more authors have finds nothing.
    common: u32,
}

/// Compares all sources with all others, by `authors` (a number for each).
pub fn compare(sources: &[Analysed], authors: &[usize], templates: &Templates, options: Options) -> Vec<Match> {
    let mut found = compare_by(sources, authors, templates, options, false);
    if sources.iter().any(|source| source.language != sources[0].language) {
        found.extend(compare_by(sources, authors, templates, options, true));
    }
    found.sort_by(|x, y| y.similarity.total_cmp(&x.similarity).then((x.a, x.b).cmp(&(y.a, y.b))));
    found
}

/// Pairs within a language, or pairs of two.
fn compare_by(
    sources: &[Analysed],
    authors: &[usize],
    templates: &Templates,
    options: Options,
    is_across: bool,
) -> Vec<Match> {
    let field = Field::new(sources, authors, templates, is_across);
    let postings = field.postings();
    let rows = parallel::map(sources.len(), |a| {
        let candidates = field.candidates(a, &postings, options).into_iter();
        let found = candidates.map(|(b, fingerprints)| field.compare(b, a, fingerprints));
        found.filter(|found| found.similarity >= options.threshold).collect::<Vec<_>>()
    });
    rows.into_iter().flatten().collect()
}

impl<'a> Field<'a> {
    fn new(sources: &'a [Analysed], authors: &'a [usize], templates: &'a Templates, is_across: bool) -> Field<'a> {
        let views: Vec<&View> = sources.iter().map(|source| source.view(is_across)).collect();
        let templates = if is_across { &templates.outline } else { &templates.exact };
        let (mut units, mut pairs) = (Frequencies::default(), Frequencies::default());
        let mut by_author: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (source, &author) in authors.iter().enumerate() {
            by_author.entry(author).or_default().push(source);
        }
        for versions in by_author.values() {
            let all = |of: fn(&View) -> Vec<u64>| {
                let mut hashes: Vec<u64> = versions.iter().flat_map(|&source| of(views[source])).collect();
                hashes.sort_unstable();
                hashes.dedup();
                hashes
            };
            units.add(all(View::distinct));
            pairs.add(all(|view| view.pairs.iter().map(|pair| pair.hash).collect()));
        }
        let common = 25.max(by_author.len() as u32 / 5);
        let (weights, totals) = (Vec::new(), Vec::new());
        let mut field = Field { sources, views, authors, is_across, templates, units, pairs, weights, totals, common };
        field.weights =
            field.views.iter().map(|view| view.units.iter().map(|unit| field.weight(unit)).collect()).collect();
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
        for (place, view) in self.views.iter().enumerate() {
            let finds = view.fingerprints.iter().filter(|&&hash| self.finds(hash));
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
        for &hash in self.views[a].fingerprints.iter().filter(|&&hash| self.finds(hash)) {
            let start = postings.partition_point(|posting| posting.0 < hash);
            let same = postings[start..].iter().take_while(|posting| posting.0 == hash && (posting.1 as usize) < a);
            for posting in same {
                shared[posting.1 as usize] += 1;
            }
        }
        let share = |b: usize| {
            let smaller = self.views[a].fingerprints.len().min(self.views[b].fingerprints.len());
            f64::from(shared[b]) / smaller.max(1) as f64
        };
        let is_ours = |b: usize| (self.sources[a].language != self.sources[b].language) == self.is_across;
        let may =
            |b: &usize| shared[*b] > 0 && is_ours(*b) && (options.same_author || self.authors[*b] != self.authors[a]);
        // Who shares a tenth of the fingerprints that the threshold would have
        // it share is far below it.
        let found = (0..a).filter(may).map(|b| (b, share(b)));
        found.filter(|(_, share)| *share >= options.threshold / 10.0).collect()
    }

    fn side(&self, source: usize) -> Side<'_> {
        let View { units, pairs, .. } = self.views[source];
        Side { units, weights: &self.weights[source], pairs }
    }

    fn compare(&self, a: usize, b: usize, fingerprints: f64) -> Match {
        let mut regions = matching::regions(&self.side(a), &self.side(b), |pair| self.finds(pair));
        let shared: f32 = regions.iter().map(|region| region.weight).sum();
        let share = |source: usize| f64::from(shared / self.totals[source].max(f32::MIN_POSITIVE)).min(1.0);
        for (x, y) in regions.iter_mut().flat_map(|region| &mut region.matches) {
            (*x, *y) = (self.views[a].places[*x as usize], self.views[b].places[*y as usize]);
        }
        let smaller = self.totals[a].min(self.totals[b]);
        Match {
            a,
            b,
            // Fingerprints that are in no region tell apart what is hardly alike.
            similarity: (0.99 * f64::from(shared / (smaller + RESERVE)) + 0.01 * fingerprints).min(1.0),
            share_a: share(a),
            share_b: share(b),
            is_across: self.is_across,
            regions,
        }
    }
}
