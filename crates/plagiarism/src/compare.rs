//! Which sources share code, and how much.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::fingerprints::{self, Pair};
use crate::language::Language;
use crate::lower::{self, Unit};
use crate::matching::{self, Region, Side};
use crate::naming::Naming;
use crate::parallel;
use crate::rings::{self, Rings};
use crate::syntax::Refused;
use crate::weights::{Frequencies, Hashes, Prior};

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
    /// Hashes of the names that it gives, in order; none if they are not known.
    pub(crate) names: Vec<u64>,
    exact: View,
}

/// A source as it is compared: within a language, or between two.
#[derive(Clone)]
pub(crate) struct View {
    hashes: Vec<u64>,
    /// Where each stands among all units of the source.
    places: Vec<u32>,
    pairs: Vec<Pair>,
    pub fingerprints: Vec<u64>,
}

impl View {
    fn of(hashes: Vec<u64>, places: Vec<u32>) -> View {
        let pairs = fingerprints::pairs(&hashes);
        let fingerprints = fingerprints::winnowed(&hashes);
        View { hashes, places, pairs, fingerprints }
    }

    pub fn distinct(&self) -> Vec<u64> {
        let mut hashes = self.hashes.clone();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }
}

impl Analysed {
    pub fn of(text: &[u8], language: Language) -> Result<Analysed, Refused> {
        let (units, names) = lower::units(text, language)?;
        Ok(Analysed { names, ..Analysed::of_units(units, language) })
    }

    pub(crate) fn of_units(units: Vec<Unit>, language: Language) -> Analysed {
        let exact = View::of(units.iter().map(|unit| unit.hash).collect(), (0..units.len() as u32).collect());
        Analysed { units, language, names: Vec::new(), exact }
    }

    /// Outlines are needed for few, so they are made when they are.
    pub(crate) fn view(&self, is_across: bool) -> Cow<'_, View> {
        if !is_across {
            return Cow::Borrowed(&self.exact);
        }
        let told = self.units.iter().zip(0..).filter(|(unit, _)| unit.outline != 0);
        let (hashes, places) = told.map(|(unit, at)| (unit.outline, at)).unzip();
        Cow::Owned(View::of(hashes, places))
    }
}

/// What comes with the course, and is nobody's.
#[derive(Default)]
pub struct Templates {
    exact: Common,
    outline: Common,
    pub(crate) names: Frequencies,
}

#[derive(Default)]
struct Common {
    pairs: Hashes,
    units: Frequencies,
}

impl Templates {
    pub fn add(&mut self, template: &Analysed) {
        for (common, is_across) in [(&mut self.exact, false), (&mut self.outline, true)] {
            let view = template.view(is_across);
            common.pairs.extend(view.pairs.iter().map(|pair| pair.hash));
            common.units.add(view.distinct());
        }
        self.names.add(template.names.iter().copied());
    }
}

/// How sources are compared.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Pairs less alike than this are left out.
    pub threshold: f64,
    /// Compares also what one author wrote. Names count then as much as code.
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
const RESERVE: f32 = 8.0;

/// How many authors of earlier seasons have each unit and each fingerprint.
#[derive(Default)]
pub(crate) struct Past {
    exact: Earlier,
    outline: Earlier,
    /// How many there are, about.
    pub authors: usize,
}

#[derive(Default)]
struct Earlier {
    units: Frequencies,
    pairs: Frequencies,
}

impl Past {
    pub fn count_unit(&mut self, is_across: bool, hash: u64, authors: u32) {
        self.of(is_across).units.set(hash, authors);
    }

    pub fn count_pair(&mut self, is_across: bool, hash: u64, authors: u32) {
        self.of(is_across).pairs.set(hash, authors);
    }

    fn of(&mut self, is_across: bool) -> &mut Earlier {
        if is_across { &mut self.outline } else { &mut self.exact }
    }
}

/// What is compared: the sources, of which those from `fresh` on are old and are
/// not compared with each other nor counted, since the past counts them.
pub(crate) struct Task<'a> {
    pub sources: &'a [Analysed],
    /// A number for each.
    pub authors: &'a [usize],
    pub fresh: usize,
    pub past: &'a Past,
    pub templates: &'a Templates,
    pub options: Options,
}

/// The fingerprints that several sources share.
struct Postings {
    /// For one fingerprint after the other the sources that have it.
    places: Vec<u32>,
    /// For each source and each of its fingerprints where those of the sources
    /// before it stand in `places`.
    earlier: Vec<Vec<(u32, u32)>>,
}

/// So many groups of fingerprints are looked at, several at the same time.
const GROUPS: usize = 16;

struct Field<'a> {
    task: &'a Task<'a>,
    views: Vec<Cow<'a, View>>,
    is_across: bool,
    templates: &'a Common,
    past: &'a Earlier,
    units: Frequencies,
    prior: Prior,
    weights: Vec<Vec<f32>>,
    /// The pairs of each source that may find something, and maybe others.
    pairs: Vec<Cow<'a, [Pair]>>,
    totals: Vec<f32>,
    /// Only where versions by one author are compared.
    naming: Option<Naming<'a>>,
    /// A pair that more authors have finds nothing.
    common: u32,
    /// The hashes of a source, sorted and each once, where a ring asks for them.
    distinct: Vec<OnceLock<Vec<u64>>>,
}

/// Compares all sources with all others.
pub(crate) fn compare(task: &Task) -> Vec<Match> {
    let mut rings = Rings::of(task);
    let mut found = compare_by(task, false, &mut rings);
    if task.sources.iter().any(|source| source.language != task.sources[0].language) {
        found.extend(compare_by(task, true, &mut rings));
    }
    found.sort_by(|x, y| y.similarity.total_cmp(&x.similarity).then((x.a, x.b).cmp(&(y.a, y.b))));
    found
}

/// Pairs within a language, or pairs of two.
fn compare_by(task: &Task, is_across: bool, rings: &mut Rings) -> Vec<Match> {
    let field = Field::new(task, is_across);
    let postings = field.postings();
    let is_shown = |found: &Match| found.similarity > 0.0 && found.similarity >= task.options.threshold;
    let rows = parallel::map(task.sources.len(), |a| {
        let candidates = field.candidates(a, &postings).into_iter();
        let found = candidates.map(|(b, fingerprints)| field.compare(b, a, fingerprints, &[]));
        // Rings are made of what is alike, whatever is shown.
        found.filter(|found| is_shown(found) || found.similarity >= rings::ALIKE).collect::<Vec<_>>()
    });
    let mut found: Vec<Match> = rows.into_iter().flatten().collect();
    rings.add(&found);
    if !is_across {
        rings.add(&field.among_old(&rings.old_pairs()));
    }
    let again = field.in_rings(rings, &postings);
    found.retain(|found| !again.contains_key(&(found.a, found.b)));
    found.extend(again.into_values());
    found.retain(is_shown);
    found
}

impl<'a> Field<'a> {
    fn new(task: &'a Task<'a>, is_across: bool) -> Field<'a> {
        let sources = task.sources;
        let views: Vec<Cow<View>> = parallel::map(sources.len(), |at| sources[at].view(is_across));
        let mut by_author: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (source, &author) in task.authors.iter().enumerate().take(task.fresh) {
            by_author.entry(author).or_default().push(source);
        }
        let by_author: Vec<Vec<usize>> = by_author.into_values().collect();
        let distinct = parallel::map(by_author.len(), |author| {
            let mut hashes: Vec<u64> =
                by_author[author].iter().flat_map(|&source| views[source].hashes.iter().copied()).collect();
            hashes.sort_unstable();
            hashes.dedup();
            hashes
        });
        let units = Frequencies::among(&distinct);
        drop(distinct);
        let mut field = Field {
            task,
            views,
            is_across,
            templates: if is_across { &task.templates.outline } else { &task.templates.exact },
            past: if is_across { &task.past.outline } else { &task.past.exact },
            units,
            prior: Prior::among(by_author.len() + task.past.authors),
            weights: Vec::new(),
            pairs: Vec::new(),
            totals: Vec::new(),
            naming: task.options.same_author.then(|| Naming::of(sources, &by_author, &task.templates.names)),
            common: 25.max(by_author.len() as u32 / 5),
            distinct: sources.iter().map(|_| OnceLock::new()).collect(),
        };
        field.weights = parallel::map(sources.len(), |source| field.weights_of(source, &[]));
        field.pairs = parallel::map(sources.len(), |source| field.telling(source));
        field.totals = field.weights.iter().map(|weights| weights.iter().sum()).collect();
        field
    }

    /// What the units of a source say where a ring of other sources counts for nothing.
    fn weights_of(&self, source: usize, ring: &[usize]) -> Vec<f32> {
        let (view, units) = (&self.views[source], &self.task.sources[source].units);
        let size = |place: u32| units[place as usize].size;
        let one = |(&hash, &place): (&u64, &u32)| self.weight(hash, size(place), self.authors_in(ring, hash));
        view.hashes.iter().zip(&view.places).map(one).collect()
    }

    /// How many of a ring have a unit. Each is of another author.
    fn authors_in(&self, ring: &[usize], hash: u64) -> u32 {
        let hashes = |source: usize| self.distinct[source].get_or_init(|| self.views[source].distinct());
        ring.iter().filter(|&&source| hashes(source).binary_search(&hash).is_ok()).count() as u32
    }

    /// Where most is common, most pairs find nothing: those are looked at once and
    /// not with every other source. Only then a list of its own is worth its memory.
    fn telling(&self, source: usize) -> Cow<'a, [Pair]> {
        let (view, weights) = (&self.views[source], &self.weights[source]);
        let may = |pair: &&Pair| matching::is_telling(weights, **pair) && !self.templates.pairs.contains(&pair.hash);
        if let Cow::Borrowed(view) = view
            && 2 * view.pairs.iter().filter(may).count() > view.pairs.len()
        {
            return Cow::Borrowed(&view.pairs);
        }
        Cow::Owned(view.pairs.iter().filter(may).copied().collect())
    }

    /// What comes with the course counts as if two authors more had it.
    fn weight(&self, hash: u64, size: u16, in_ring: u32) -> f32 {
        let templates = 2 * self.templates.units.of(hash);
        let authors = self.units.of(hash).saturating_add(self.past.units.of(hash)).saturating_sub(in_ring);
        self.prior.weight(size, authors.saturating_add(templates))
    }

    /// Who shares the fingerprints that may find something. Small hashes are kept by
    /// winnowing, so the work is divided by their other end.
    fn postings(&self) -> Postings {
        let kept = parallel::map(GROUPS, |group| {
            let mut all = Vec::new();
            for (place, view) in self.views.iter().enumerate() {
                let own = view.fingerprints.iter().filter(|hash| **hash as usize % GROUPS == group);
                all.extend(own.map(|&hash| (hash, place as u32)));
            }
            all.sort_unstable();
            let mut kept = Vec::new();
            // Nobody else has most of them.
            for same in all.chunk_by(|x, y| x.0 == y.0).filter(|same| same.len() > 1) {
                let hash = same[0].0;
                let may = || self.authors_of(same) + self.past.pairs.of(hash) <= self.common;
                if !self.templates.pairs.contains(&hash) && may() {
                    kept.push(same.iter().map(|posting| posting.1).collect::<Vec<u32>>());
                }
            }
            kept
        });
        let mut postings = Postings { places: Vec::new(), earlier: vec![Vec::new(); self.views.len()] };
        for same in kept.into_iter().flatten() {
            let start = postings.places.len() as u32;
            for (before, &place) in (0u32..).zip(&same).skip(1) {
                postings.earlier[place as usize].push((start, start + before));
            }
            postings.places.extend(same);
        }
        postings
    }

    /// How many authors have the sources of some postings.
    fn authors_of(&self, postings: &[(u64, u32)]) -> u32 {
        let mut authors: Vec<usize> = postings.iter().map(|posting| self.task.authors[posting.1 as usize]).collect();
        authors.sort_unstable();
        authors.dedup();
        authors.len() as u32
    }

    /// Earlier sources of the list that share fingerprints with one.
    fn candidates(&self, a: usize, postings: &Postings) -> Vec<(usize, f64)> {
        let Task { sources, authors, fresh, options, .. } = *self.task;
        let mut shared = vec![0u32; a];
        for &(start, end) in &postings.earlier[a] {
            for &place in &postings.places[start as usize..end as usize] {
                shared[place as usize] += 1;
            }
        }
        let share = |b: usize| {
            let smaller = self.views[a].fingerprints.len().min(self.views[b].fingerprints.len());
            f64::from(shared[b]) / smaller.max(1) as f64
        };
        let is_ours = |b: usize| (sources[a].language != sources[b].language) == self.is_across;
        let may_be_compared = |b: usize| b < fresh && (options.same_author || authors[b] != authors[a]);
        let found = (0..a).filter(|&b| is_ours(b) && may_be_compared(b)).map(|b| (b, share(b)));
        // Who shares a tenth of the fingerprints that the threshold would have
        // it share is far below it, but for names.
        found.filter(|(_, share)| options.same_author || *share > 0.0 && *share >= options.threshold / 10.0).collect()
    }

    /// Old sources of one language, to see whether they are like each other.
    fn among_old(&self, pairs: &[(usize, usize)]) -> Vec<Match> {
        let language = |source: usize| self.task.sources[source].language;
        let ours: Vec<_> = pairs.iter().filter(|(a, b)| language(*a) == language(*b)).collect();
        parallel::map(ours.len(), |at| self.compare(ours[at].0, ours[at].1, f64::MIN_POSITIVE, &[]))
    }

    /// The pairs that some others are like, compared as if those were not there.
    fn in_rings(&self, rings: &Rings, postings: &Postings) -> BTreeMap<(usize, usize), Match> {
        let rows = parallel::map(self.task.sources.len(), |a| {
            let candidates = if rings.is_in_one(a) { self.candidates(a, postings) } else { Vec::new() };
            let again = candidates.into_iter().filter_map(|(b, fingerprints)| {
                let ring = rings.around(b, a);
                (!ring.is_empty()).then(|| self.compare(b, a, fingerprints, &ring))
            });
            again.collect::<Vec<_>>()
        });
        rows.into_iter().flatten().map(|found| ((found.a, found.b), found)).collect()
    }

    /// A side, and what all of its units say together.
    fn side<'s>(&'s self, source: usize, weights: Option<&'s [f32]>) -> (Side<'s>, f32) {
        let units = &self.views[source].hashes;
        match weights {
            None => (Side { units, weights: &self.weights[source], pairs: &self.pairs[source] }, self.totals[source]),
            // More of its pairs may tell something now.
            Some(weights) => (Side { units, weights, pairs: &self.views[source].pairs }, weights.iter().sum()),
        }
    }

    /// Two sources as if those of a ring were not there.
    fn compare(&self, a: usize, b: usize, fingerprints: f64, ring: &[usize]) -> Match {
        let enough = if self.is_across { matching::ENOUGH_ACROSS } else { matching::ENOUGH };
        let counts = |pair: u64| !self.templates.pairs.contains(&pair);
        let weights = [a, b].map(|source| (!ring.is_empty()).then(|| self.weights_of(source, ring)));
        let [(side_a, total_a), (side_b, total_b)] =
            [(a, &weights[0]), (b, &weights[1])].map(|(source, weights)| self.side(source, weights.as_deref()));
        let mut regions = Vec::new();
        if fingerprints > 0.0 {
            regions = matching::regions(&side_a, &side_b, enough, counts);
        }
        let shared: f32 = regions.iter().map(|region| region.weight).sum();
        let share = |total: f32| f64::from(shared / total.max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        for (x, y) in regions.iter_mut().flat_map(|region| &mut region.matches) {
            (*x, *y) = (self.views[a].places[*x as usize], self.views[b].places[*y as usize]);
        }
        let smaller = total_a.min(total_b);
        // Fingerprints that are in no region tell apart what is hardly alike.
        let mut similarity = 0.99 * f64::from(shared / (smaller + RESERVE)) + 0.01 * fingerprints;
        if let Some(names) = self.naming.as_ref().and_then(|naming| naming.likeness(a, b)) {
            similarity = (similarity + names) / 2.0;
        }
        Match {
            a,
            b,
            similarity: similarity.clamp(0.0, 1.0),
            share_a: share(total_a),
            share_b: share(total_b),
            is_across: self.is_across,
            regions,
        }
    }
}
