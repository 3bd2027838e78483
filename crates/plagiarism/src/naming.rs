//! How alike the names are that two sources give. Whoever copies changes names
//! first, so they count for nothing between authors; but an author who writes a
//! player anew still calls things the same. So they are asked for only where
//! versions by one author are looked for.

use crate::compare::Analysed;
use crate::weights::Frequencies;

/// Few names are alike by chance: so much is added to what a source's names say.
const RESERVE: f64 = 8.0;

pub(crate) struct Naming<'a> {
    sources: &'a [Analysed],
    authors: Frequencies,
    templates: &'a Frequencies,
    totals: Vec<f64>,
}

impl<'a> Naming<'a> {
    /// The sources, and the places of those of each author.
    pub fn of(sources: &'a [Analysed], by_author: &[Vec<usize>], templates: &'a Frequencies) -> Naming<'a> {
        let names_of = |places: &Vec<usize>| {
            let mut names: Vec<u64> = places.iter().flat_map(|&at| sources[at].names.iter().copied()).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        let authors = Frequencies::among(&by_author.iter().map(names_of).collect::<Vec<_>>());
        let mut naming = Naming { sources, authors, templates, totals: Vec::new() };
        let total = |source: &Analysed| source.names.iter().map(|&name| naming.weight(name)).sum();
        naming.totals = sources.iter().map(total).collect();
        naming
    }

    /// The more authors give a name, the less it says.
    fn weight(&self, name: u64) -> f64 {
        let others = self.authors.of(name).saturating_sub(2).saturating_add(2 * self.templates.of(name));
        4.0 / (4.0 + f64::from(others))
    }

    /// From 0 to 1; nothing if the names of one of the two are not known.
    pub fn likeness(&self, a: usize, b: usize) -> Option<f64> {
        let (ours, theirs) = (&self.sources[a].names, &self.sources[b].names);
        if ours.is_empty() || theirs.is_empty() {
            return None;
        }
        let both = ours.iter().filter(|name| theirs.binary_search(name).is_ok());
        let shared: f64 = both.map(|&name| self.weight(name)).sum();
        Some(shared / (self.totals[a].min(self.totals[b]) + RESERVE))
    }
}
