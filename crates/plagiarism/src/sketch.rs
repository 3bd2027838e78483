//! What of a source is enough to find others like it, small enough to be kept by
//! the thousand in a database, where the sources themselves are too.
//!
//! Whoever compares a new source lets a [`Search`] look at the sketches of all
//! others, which reads no source, and has the few sources that it asks for read and
//! compared elsewhere.

use std::collections::HashMap;

use crate::chosen::{COMMON, best_of_each};
use crate::collect::Collection;
use crate::compare::{Analysed, Match, Options, Past, Source, Templates};
use crate::language::Language;
use crate::syntax::Refused;

/// The hashes by which a source is found, and those of its units: sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Traits {
    fingerprints: Vec<u64>,
    units: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    language: Language,
    /// Within a language, and between two.
    traits: [Traits; 2],
}

/// The form of a sketch in bytes.
const VERSION: u8 = 1;

impl Sketch {
    pub fn of(source: &Analysed) -> Sketch {
        let traits = [false, true].map(|is_across| {
            let view = source.view(is_across);
            Traits { fingerprints: view.fingerprints.clone(), units: view.distinct() }
        });
        Sketch { language: source.language, traits }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION, u8::from(self.language == Language::Rust)];
        for list in self.lists() {
            bytes.extend_from_slice(&(list.len() as u32).to_le_bytes());
            bytes.extend(list.iter().flat_map(|hash| hash.to_le_bytes()));
        }
        bytes
    }

    fn lists(&self) -> [&Vec<u64>; 4] {
        let [exact, outline] = &self.traits;
        [&exact.fingerprints, &exact.units, &outline.fingerprints, &outline.units]
    }

    /// A sketch that was written; none of a form that only another Ludus knows.
    pub fn read(bytes: &[u8]) -> Option<Sketch> {
        let (&[version, is_rust], mut rest) = bytes.split_first_chunk()?;
        if version != VERSION {
            return None;
        }
        let mut list = || {
            let (count, after) = rest.split_first_chunk::<4>()?;
            let (hashes, after) = after.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(8)?)?;
            rest = after;
            Some(hashes.as_chunks::<8>().0.iter().map(|hash| u64::from_le_bytes(*hash)).collect::<Vec<u64>>())
        };
        let exact = Traits { fingerprints: list()?, units: list()? };
        let outline = Traits { fingerprints: list()?, units: list()? };
        let language = if is_rust == 1 { Language::Rust } else { Language::Cpp };
        Some(Sketch { language, traits: [exact, outline] })
    }
}

/// How many authors have each of some hashes; authors come one after the other.
#[derive(Default)]
struct Tally(HashMap<u64, (u32, usize)>);

impl Tally {
    fn of(hashes: &[u64]) -> Tally {
        Tally(hashes.iter().map(|hash| (*hash, (0, 0))).collect())
    }

    /// Counts an author, by number; true if the hash is one of ours.
    fn count(&mut self, hash: u64, author: usize) -> bool {
        let Some((authors, last)) = self.0.get_mut(&hash) else { return false };
        if *last != author {
            (*authors, *last) = (*authors + 1, author);
        }
        true
    }

    fn of_hash(&self, hash: u64) -> u32 {
        self.0.get(&hash).map_or(0, |(authors, _)| *authors)
    }
}

/// An old source that shares fingerprints with the new one.
struct Like {
    key: i64,
    author: usize,
    shared: Vec<u64>,
    /// How many fingerprints the smaller of the two has.
    smaller: usize,
}

/// Looks for what is like a new source, by its sketch alone.
pub struct Search {
    author: String,
    sketch: Sketch,
    pairs: [Tally; 2],
    units: [Tally; 2],
    likes: Vec<Like>,
    /// Authors so far, and the last of them.
    authors: usize,
    last: String,
}

impl Search {
    pub fn new(author: String, sketch: Sketch) -> Search {
        Search {
            pairs: [0, 1].map(|at| Tally::of(&sketch.traits[at].fingerprints)),
            units: [0, 1].map(|at| Tally::of(&sketch.traits[at].units)),
            author,
            sketch,
            likes: Vec::new(),
            authors: 0,
            last: String::new(),
        }
    }

    /// Looks at an old source, which `key` stands for. All of one author come in
    /// a row; those of the new one's author count for nothing.
    pub fn look(&mut self, key: i64, author: &str, old: &Sketch) {
        if author == self.author {
            return;
        }
        if self.authors == 0 || self.last != author {
            self.authors += 1;
            author.clone_into(&mut self.last);
        }
        let ours = usize::from(old.language != self.sketch.language);
        for at in [0, 1] {
            for &unit in &old.traits[at].units {
                self.units[at].count(unit, self.authors);
            }
            let (pairs, author) = (&mut self.pairs[at], self.authors);
            let shared: Vec<u64> =
                old.traits[at].fingerprints.iter().copied().filter(|hash| pairs.count(*hash, author)).collect();
            if at == ours && !shared.is_empty() {
                let smaller = old.traits[at].fingerprints.len().min(self.sketch.traits[at].fingerprints.len());
                self.likes.push(Like { key, author, shared, smaller });
            }
        }
    }

    /// The old sources that may be like the new one, by their keys.
    pub fn wanted(&self, options: Options) -> Vec<i64> {
        let found = self.likes.iter().map(|like| {
            let is_rare = |hash: &&u64| self.pairs.iter().all(|pairs| pairs.of_hash(**hash) <= COMMON);
            let rare = like.shared.iter().filter(is_rare).count();
            (rare as f64 / like.smaller.max(1) as f64, like.author, like.key)
        });
        best_of_each(found, options)
    }

    /// How many authors have each hash of the new source.
    pub fn tallies(&self) -> Tallies {
        let [exact, outline] = [0, 1].map(|at| {
            let of = |tally: &Tally, hashes: &[u64]| hashes.iter().map(|hash| tally.of_hash(*hash)).collect();
            let traits = &self.sketch.traits[at];
            [of(&self.pairs[at], &traits.fingerprints), of(&self.units[at], &traits.units)]
        });
        let ([pairs, units], [outline_pairs, outline_units]) = (exact, outline);
        Tallies { authors: self.authors as u64, counts: [pairs, units, outline_pairs, outline_units] }
    }
}

/// How many authors have each hash of a sketch, in the order of its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    authors: u64,
    counts: [Vec<u32>; 4],
}

impl Tallies {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.authors.to_le_bytes().to_vec();
        for list in &self.counts {
            bytes.extend_from_slice(&(list.len() as u32).to_le_bytes());
            bytes.extend(list.iter().flat_map(|count| count.to_le_bytes()));
        }
        bytes
    }

    pub fn read(bytes: &[u8]) -> Option<Tallies> {
        let (authors, mut rest) = bytes.split_first_chunk::<8>()?;
        let mut tallies = Tallies { authors: u64::from_le_bytes(*authors), ..Tallies::default() };
        for list in &mut tallies.counts {
            let (count, after) = rest.split_first_chunk::<4>()?;
            let (counts, after) = after.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(4)?)?;
            rest = after;
            *list = counts.as_chunks::<4>().0.iter().map(|count| u32::from_le_bytes(*count)).collect();
        }
        Some(tallies)
    }

    fn past(&self, sketch: &Sketch) -> Past {
        let mut past = Past::default();
        past.authors = self.authors as usize;
        let lists = sketch.lists().into_iter().zip(&self.counts);
        for (at, (hashes, counts)) in lists.enumerate() {
            for (&hash, &authors) in hashes.iter().zip(counts) {
                match at % 2 {
                    0 => past.count_pair(at >= 2, hash, authors),
                    _ => past.count_unit(at >= 2, hash, authors),
                }
            }
        }
        past
    }
}

/// What a new source shares with old ones. It is the first of the collection, and
/// `a` of every match.
pub fn compare_new(
    new: Source,
    tallies: &Tallies,
    old: Vec<Source>,
    templates: &Templates,
    options: Options,
) -> Result<(Collection, Vec<Match>), Refused> {
    let analysed = Analysed::of(&new.text, new.language)?;
    let past = tallies.past(&Sketch::of(&analysed));
    let mut all = Collection::of(old);
    all.sources.insert(0, new);
    all.analysed.insert(0, analysed);
    let found = all.compare_with_past(templates, options, 1, &past);
    Ok((all, found))
}
