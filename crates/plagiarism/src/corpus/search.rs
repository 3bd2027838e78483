//! Looking for old sources that are like new ones, and for how many authors have
//! what the new ones have.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;

use super::pages::Pages;
use super::{Corpus, CorpusError, OUTLINE, frames, key};
use crate::chosen::{COMMON, best_of_each};
use crate::collect::Collection;
use crate::compare::{Analysed, Match, Options, Past, Source, Templates, View};
use crate::language::Language;
use crate::parallel;

/// New sources that are looked for one after the other, with the same pages.
const IN_A_ROW: usize = 32;

/// An old source: its frame and its place there.
type Place = (usize, usize);

/// What was found for some new sources.
#[derive(Default)]
struct Found {
    wanted: Vec<Place>,
    /// How many authors have each of their fingerprints, within a language or not.
    authors: Vec<(bool, u64, u32)>,
}

impl Corpus {
    /// Compares new sources with each other and with the old ones. The old ones
    /// that share something follow the new ones in the collection.
    pub fn compare(
        &self,
        fresh: Collection,
        templates: &Templates,
        options: Options,
    ) -> Result<(Collection, Vec<Match>), CorpusError> {
        let count = fresh.sources.len();
        let mut past = Past::default();
        past.authors = self.authors().len();
        let mut wanted: Vec<Place> = Vec::new();
        let found = parallel::map(count.div_ceil(IN_A_ROW), |row| {
            let all = row * IN_A_ROW..count.min((row + 1) * IN_A_ROW);
            let (mut pages, mut found) = (Pages::of(&self.file), Found::default());
            for at in all {
                self.alike(&fresh.sources[at], &fresh.analysed[at], &mut found, &mut pages, options)?;
            }
            io::Result::Ok(found)
        });
        for found in found {
            let found = found?;
            wanted.extend(found.wanted);
            found.authors.iter().for_each(|&(is_across, hash, authors)| past.count_pair(is_across, hash, authors));
        }
        wanted.sort_unstable();
        wanted.dedup();
        let mut all = fresh;
        for &(frame, record) in &wanted {
            let (source, units) = self.read(self.frames[frame].records[record], frame, record)?;
            all.analysed.push(Analysed::of_units(units, source.language));
            all.sources.push(source);
        }
        self.count_units(&all, count, &mut past)?;
        let found = all.compare_with_past(templates, options, count, &past);
        Ok((all, found))
    }

    fn authors(&self) -> HashSet<u64> {
        self.frames.iter().flat_map(|frame| &frame.records).map(|record| record.author).collect()
    }

    /// How many authors have the units of the new sources. What only an old one has
    /// says nothing about what both have.
    fn count_units(&self, all: &Collection, count: usize, past: &mut Past) -> io::Result<()> {
        let is_mixed = all.sources.iter().any(|source| source.language != all.sources[0].language);
        for (is_across, of) in [(false, 0), (true, OUTLINE)].into_iter().take(if is_mixed { 2 } else { 1 }) {
            let distinct = parallel::map(count, |at| all.analysed[at].view(is_across).distinct());
            // In the order of the pages, each of which is read once then.
            let mut units: Vec<(u64, u64)> = distinct.into_iter().flatten().map(|unit| (key(unit, of), unit)).collect();
            units.sort_unstable();
            units.dedup();
            let rows: Vec<&[(u64, u64)]> = units.chunks(units.len().div_ceil(parallel::threads()).max(1)).collect();
            let counted = parallel::map(rows.len(), |row| {
                let mut pages = Pages::of(&self.file);
                rows[row].iter().map(|&(key, _)| self.authors_of(key, &mut pages)).collect::<io::Result<Vec<u32>>>()
            });
            for (row, counted) in rows.iter().zip(counted) {
                row.iter().zip(counted?).for_each(|(&(_, unit), authors)| past.count_unit(is_across, unit, authors));
            }
        }
        Ok(())
    }

    /// How many authors have a unit.
    fn authors_of(&self, hash: u64, pages: &mut Pages) -> io::Result<u32> {
        let mut authors: Vec<u32> = Vec::new();
        for frame in &self.frames {
            frame.units.visit(pages, hash, |number| {
                authors.push(number);
                true
            })?;
        }
        Ok(frames::count_authors(&mut authors))
    }

    /// The old sources that share most fingerprints with a new one.
    fn alike(
        &self,
        source: &Source,
        analysed: &Analysed,
        all: &mut Found,
        pages: &mut Pages,
        options: Options,
    ) -> io::Result<()> {
        let author = self.author_hash(&source.author).filter(|_| !options.same_author);
        let is_rust = source.language == Language::Rust;
        let mut records = self.frames.iter().flat_map(|frame| &frame.records);
        let has_other = records.any(|record| record.is_rust() != is_rust);
        let ways = if has_other { &[false, true][..] } else { &[false] };
        let views: Vec<Cow<View>> = ways.iter().map(|&is_across| analysed.view(is_across)).collect();
        let mut shared: HashMap<Place, u32> = HashMap::new();
        for (&is_across, view) in ways.iter().zip(&views) {
            for &hash in &view.fingerprints {
                let of = if is_across { OUTLINE } else { 0 };
                let (places, authors) = self.who_has(key(hash, of), author, pages)?;
                all.authors.push((is_across, hash, authors));
                if authors > COMMON {
                    continue;
                }
                for (frame, place) in places {
                    let is_rust_too = self.frames[frame].records[place].is_rust();
                    if (is_rust != is_rust_too) == is_across {
                        *shared.entry((frame, place)).or_default() += 1;
                    }
                }
            }
        }
        let found = shared.into_iter().map(|((frame, place), count)| {
            let record = self.frames[frame].records[place];
            let is_across = is_rust != record.is_rust();
            let smaller = (views[usize::from(is_across)].fingerprints.len() as u32).min(record.fingerprints(is_across));
            (f64::from(count) / f64::from(smaller.max(1)), record.author, (frame, place))
        });
        all.wanted.extend(best_of_each(found, options));
        Ok(())
    }

    /// The sources with a fingerprint, and how many authors they have; a few more
    /// than are common stand for all. Those of one author, if any, are left out.
    fn who_has(&self, hash: u64, but: Option<u64>, pages: &mut Pages) -> io::Result<(Vec<Place>, u32)> {
        let (mut places, mut authors) = (Vec::new(), HashSet::new());
        for (number, frame) in self.frames.iter().enumerate() {
            frame.fingerprints.visit(pages, hash, |place| {
                let record = frame.records.get(place as usize).filter(|record| Some(record.author) != but);
                if let Some(record) = record {
                    authors.insert(record.author);
                    places.push((number, place as usize));
                }
                authors.len() <= COMMON as usize
            })?;
        }
        Ok((places, authors.len() as u32))
    }
}
