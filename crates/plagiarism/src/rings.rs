//! Rings: several authors who have the same code from each other. What many have says
//! little, so every copy would hide the others. Two sources are compared as if those
//! were not there that are like both of them.

use std::collections::BTreeSet;

use crate::compare::{Match, Task};

/// So many others are left out, at most: what more have is no secret of theirs.
const MOST: usize = 12;
/// What is less alike is in no ring. A ring hides itself, so this is below the
/// threshold from which pairs are shown.
pub(crate) const ALIKE: f64 = 0.1;

/// Of the old sources that one is like so many are laid against each other, at most: a
/// source that is made of all that others ever handed in is like all of them.
const MOST_OLD: usize = 4 * MOST;

pub(crate) struct Rings<'a> {
    task: &'a Task<'a>,
    /// For each source those that are like it, in order.
    like: Vec<Vec<usize>>,
}

impl<'a> Rings<'a> {
    pub fn of(task: &'a Task<'a>) -> Rings<'a> {
        Rings { task, like: vec![Vec::new(); task.sources.len()] }
    }

    /// Remembers pairs that are alike. Versions of one author make no ring.
    pub fn add(&mut self, found: &[Match]) {
        if self.task.options.same_author {
            return;
        }
        for pair in found.iter().filter(|pair| pair.similarity >= ALIKE) {
            self.like[pair.a].push(pair.b);
            self.like[pair.b].push(pair.a);
        }
        self.like.iter_mut().for_each(|like| like.sort_unstable());
    }

    /// Pairs of old sources that are like the same new one: they are not compared
    /// otherwise, and may be a ring with it.
    pub fn old_pairs(&self) -> Vec<(usize, usize)> {
        let Task { authors, fresh, .. } = *self.task;
        let mut pairs = BTreeSet::new();
        for like in &self.like[..fresh] {
            let old = &like[like.partition_point(|&source| source < fresh)..];
            let old = &old[..old.len().min(MOST_OLD)];
            for (rank, &b) in old.iter().enumerate() {
                pairs.extend(old[..rank].iter().filter(|&&a| authors[a] != authors[b]).map(|&a| (a, b)));
            }
        }
        pairs.into_iter().collect()
    }

    pub fn is_in_one(&self, source: usize) -> bool {
        !self.like[source].is_empty()
    }

    /// Sources of other authors that are like both of two, one of each author.
    pub fn around(&self, a: usize, b: usize) -> Vec<usize> {
        let authors = self.task.authors;
        let mut ring: Vec<usize> = Vec::new();
        // Something that is like everything has a long list.
        let (few, many) = if self.like[a].len() < self.like[b].len() { (a, b) } else { (b, a) };
        for &other in self.like[few].iter().filter(|other| self.like[many].binary_search(other).is_ok()) {
            let is_another = |source: usize| authors[source] != authors[other];
            if ring.len() < MOST && is_another(a) && is_another(b) && ring.iter().all(|&one| is_another(one)) {
                ring.push(other);
            }
        }
        ring
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Options, Past, Templates};

    /// A new source made of what a thousand old ones have does not lay all of them
    /// against each other.
    #[test]
    fn what_is_like_everything_costs_no_more_than_some() {
        let authors = Vec::from_iter(0..=1000);
        let (past, templates) = (Past::default(), Templates::default());
        let options = Options { threshold: 0.15, same_author: false };
        let task = Task { sources: &[], authors: &authors, fresh: 1, past: &past, templates: &templates, options };
        let mut like = vec![vec![0]; 1001];
        like[0] = Vec::from_iter(1..=1000);
        let pairs = Rings { task: &task, like }.old_pairs();
        assert_eq!(pairs.len(), MOST_OLD * (MOST_OLD - 1) / 2);
    }
}
