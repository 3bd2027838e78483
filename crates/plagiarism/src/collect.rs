//! Sources as they come from folders: who wrote each, and which are left out.

use std::collections::BTreeMap;

use crate::compare::{Analysed, Match, Options, Past, Source, Task, Templates, compare};
use crate::parallel;
use crate::syntax::Refused;

/// Sources whose units are known, and those that were refused.
#[derive(Default)]
pub struct Collection {
    pub sources: Vec<Source>,
    pub analysed: Vec<Analysed>,
    pub refused: Vec<(String, Refused)>,
}

impl Collection {
    /// Works on every core; the order of the sources stays.
    pub fn of(sources: Vec<Source>) -> Collection {
        let results = parallel::map(sources.len(), |at| Analysed::of(&sources[at].text, sources[at].language));
        let mut collection = Collection::default();
        for (source, result) in sources.into_iter().zip(results) {
            match result {
                Ok(analysed) => {
                    collection.sources.push(source);
                    collection.analysed.push(analysed);
                }
                Err(refused) => collection.refused.push((source.name, refused)),
            }
        }
        collection
    }

    /// A number for each source's author.
    pub fn authors(&self) -> Vec<usize> {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        self.sources
            .iter()
            .map(|source| {
                let next = numbers.len();
                *numbers.entry(&source.author).or_insert(next)
            })
            .collect()
    }

    /// What any two of the sources share.
    pub fn compare(&self, templates: &Templates, options: Options) -> Vec<Match> {
        self.compare_with_past(templates, options, self.sources.len(), &Past::default())
    }

    /// The same, where sources from `fresh` on are old.
    pub(crate) fn compare_with_past(
        &self,
        templates: &Templates,
        options: Options,
        fresh: usize,
        past: &Past,
    ) -> Vec<Match> {
        let authors = self.authors();
        let task = Task { sources: &self.analysed, authors: &authors, fresh, past, templates, options };
        let found = compare(&task);
        if options.same_author { found } else { one_for_each_two_authors(found, &authors) }
    }
}

/// Versions count once: of all versions of two authors the two most alike.
fn one_for_each_two_authors(mut found: Vec<Match>, authors: &[usize]) -> Vec<Match> {
    let mut seen = std::collections::HashSet::new();
    found.retain(|found| {
        let (a, b) = (authors[found.a], authors[found.b]);
        seen.insert((a.min(b), a.max(b)))
    });
    found
}

/// The author of a file by its path below the folder that was given: the first
/// folder of `AUTHOR/…/file`, or what stands before the first `-` of the name.
pub fn author_of(path: &str) -> &str {
    match path.split_once('/') {
        Some((author, _)) => author,
        None => {
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            stem.split_once('-').map_or(stem, |(author, _)| author)
        }
    }
}
