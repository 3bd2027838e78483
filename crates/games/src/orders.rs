//! Orders as plain numbers.
//!
//! An order is a few integers, the first of them the id of the unit it is for;
//! what the others mean is the game's business. Every game speaks of orders in
//! this one shape, so that files, replays and foreign players need no code per
//! game. Any integer may stand anywhere: the rules refuse what makes no sense.

use std::borrow::Cow;

use crate::Digest;

/// A list of orders, in the order they were given.
///
/// Nearly always all orders have the same length, so that lengths are kept for
/// runs of orders, and the words of all in one list.
#[derive(Debug, Default)]
pub struct Orders {
    words: Vec<i32>,
    last: Run,
    /// The runs before the last one.
    earlier: Vec<Run>,
}

/// So many orders with so many words each.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    count: usize,
    length: usize,
}

impl PartialEq for Orders {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Orders {}

impl Clone for Orders {
    fn clone(&self) -> Self {
        Orders { words: self.words.clone(), last: self.last, earlier: self.earlier.clone() }
    }

    /// Uses the room again that there is.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.last = other.last;
        self.earlier.clear();
        self.earlier.extend_from_slice(&other.earlier);
    }
}

impl Orders {
    pub fn new() -> Self {
        Orders::default()
    }

    #[inline]
    pub fn push(&mut self, order: &[i32]) {
        if order.len() != self.last.length {
            self.begin_run(order.len());
        }
        self.words.extend_from_slice(order);
        self.last.count += 1;
    }

    /// Like [`Orders::push`], with the words made on the way.
    #[inline]
    pub fn push_words(&mut self, order: impl ExactSizeIterator<Item = i32>) {
        if order.len() != self.last.length {
            self.begin_run(order.len());
        }
        self.words.extend(order);
        self.last.count += 1;
    }

    /// Orders of the same length, at less cost than one by one.
    #[inline]
    pub fn append<const N: usize>(&mut self, orders: impl ExactSizeIterator<Item = [i32; N]>) {
        if orders.len() == 0 {
            return;
        }
        if N != self.last.length {
            self.begin_run(N);
        }
        let (start, count) = (self.words.len(), orders.len());
        self.words.resize(start + N * count, 0);
        let (places, _) = self.words[start..].as_chunks_mut::<N>();
        places.iter_mut().zip(orders).for_each(|(place, order)| *place = order);
        self.last.count += count;
    }

    #[cold]
    fn begin_run(&mut self, length: usize) {
        if self.last.count > 0 {
            self.earlier.push(self.last);
        }
        self.last = Run { count: 0, length };
    }

    /// The length of the last run stays, as the next orders most likely have it too.
    pub fn clear(&mut self) {
        self.words.clear();
        self.last.count = 0;
        self.earlier.clear();
    }

    pub fn len(&self) -> usize {
        self.earlier.iter().map(|run| run.count).sum::<usize>() + self.last.count
    }

    /// How many words all orders have together.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Every word of every order, and their lengths. Equal lists have equal digests.
    pub fn digest(&self, digest: &mut Digest) {
        if self.earlier.is_empty() {
            // One run tells its length by the number of its words.
            digest.words(self.words.len() as u64, self.last.count as u64);
            return digest.ints(&self.words);
        }
        digest.words(u64::MAX, self.earlier.len() as u64);
        for run in self.runs() {
            digest.words(run.count as u64, run.length as u64);
        }
        digest.ints(&self.words);
    }

    pub fn is_empty(&self) -> bool {
        self.last.count == 0 && self.earlier.is_empty()
    }

    #[inline]
    fn runs(&self) -> impl Iterator<Item = &Run> + Clone {
        self.earlier.iter().chain(std::iter::once(&self.last))
    }

    /// Gives each run of orders of the same length: how many they are, how many
    /// words each has, and all these words.
    #[inline]
    pub fn for_each_length(&self, mut take: impl FnMut(usize, usize, &[i32])) {
        let mut words = &self.words[..];
        for run in &self.earlier {
            let (run_words, rest) = words.split_at(run.count * run.length);
            words = rest;
            take(run.count, run.length, run_words);
        }
        if self.last.count > 0 {
            take(self.last.count, self.last.length, words);
        }
    }

    /// All orders, if each has `N` words, as nearly all lists of a game do.
    #[inline]
    pub fn of_length<const N: usize>(&self) -> Option<&[[i32; N]]> {
        let is_uniform = self.earlier.is_empty() && (self.last.length == N || self.last.count == 0);
        is_uniform.then(|| self.words.as_chunks().0)
    }

    /// The orders of `N` words, for rules in which no others mean anything.
    #[inline]
    pub fn filter_length<const N: usize>(&self) -> Cow<'_, [[i32; N]]> {
        match self.of_length() {
            Some(orders) => Cow::Borrowed(orders),
            None => self.iter().filter_map(|order| order.try_into().ok()).collect(),
        }
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> + Clone {
        let (mut runs, mut words) = (self.runs(), &self.words[..]);
        let mut run = Run::default();
        std::iter::from_fn(move || {
            while run.count == 0 {
                run = *runs.next()?;
            }
            run.count -= 1;
            words.split_off(..run.length)
        })
    }
}

impl<'a> FromIterator<&'a [i32]> for Orders {
    fn from_iter<I: IntoIterator<Item = &'a [i32]>>(orders: I) -> Self {
        let mut all = Orders::new();
        orders.into_iter().for_each(|order| all.push(order));
        all
    }
}

/// The most calls that a player may make in one round, refused ones included.
pub const MOST_CALLS: usize = 1000;

/// A player asked for more than [`MOST_CALLS`] orders in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {MOST_CALLS} orders in one round")]
pub struct TooManyOrders;

/// What stands for every word that is no value of the game: the rules refuse
/// all of them alike, and no record tells them apart.
pub const NO_VALUE: i32 = -1;

/// Gives the orders that the player's side of most games hands on: the first
/// one for each unit, whether it makes sense or not. Counts the calls too.
pub fn first_per_unit(asked: &Orders, take: impl FnMut(&[i32])) -> Result<(), TooManyOrders> {
    check_calls(asked)?;
    let mut seen = Seen::default();
    let is_first = |order: &&[i32]| order.first().is_some_and(|&id| seen.insert(id));
    asked.iter().filter(is_first).for_each(take);
    Ok(())
}

pub fn check_calls(asked: &Orders) -> Result<(), TooManyOrders> {
    if asked.len() > MOST_CALLS { Err(TooManyOrders) } else { Ok(()) }
}

/// The intake of a game whose orders have `N` words, those behind the unit from
/// 0 to `largest`.
///
/// Of the first orders per unit it drops what no rule looks at: orders of
/// another length, and those for units that the seat does not have at the
/// beginning of the round. Words that are no value become [`NO_VALUE`]. So
/// nobody can have more recorded than a few small numbers per unit.
pub fn accept<const N: usize>(
    asked: &Orders,
    accepted: &mut Orders,
    largest: i32,
    mut is_own: impl FnMut(i32) -> bool,
) -> Result<(), TooManyOrders> {
    accepted.clear();
    check_calls(asked)?;
    if asked.is_empty() {
        return Ok(());
    }
    // Nearly always all orders are as they should be, and the list is taken as it is.
    if let Some(orders) = asked.of_length::<N>()
        && are_plain(orders, largest, &mut is_own)
    {
        accepted.clone_from(asked);
        return Ok(());
    }
    first_per_unit(asked, |order| {
        if let Ok(mut order) = <[i32; N]>::try_from(order)
            && is_own(order[0])
        {
            order[1..].iter_mut().filter(|word| !is_value(**word, largest)).for_each(|word| *word = NO_VALUE);
            accepted.push(&order);
        }
    })
}

/// Whether orders are for different units that the seat has, with small ids,
/// and all their words are values.
#[inline]
fn are_plain<const N: usize>(orders: &[[i32; N]], largest: i32, is_own: &mut impl FnMut(i32) -> bool) -> bool {
    let mut seen = [0u64; Seen::SMALL / 64];
    orders.iter().all(|order| {
        let place = order[0] as u32 as usize;
        let Some(word) = seen.get_mut(place / 64) else { return false };
        let new = *word >> (place % 64) & 1 == 0;
        *word |= 1 << (place % 64);
        new && order[1..].iter().all(|&word| is_value(word, largest)) && is_own(order[0])
    })
}

/// Whether a word is from 0 to `largest`, or stands for none that is.
#[inline]
pub fn is_value(word: i32, largest: i32) -> bool {
    word.wrapping_sub(NO_VALUE) as u32 <= largest.wrapping_sub(NO_VALUE) as u32
}

/// A set of at most [`MOST_CALLS`] ids: small ones in a bit each, the rest in
/// a sorted list. Ids of real units are small.
pub struct Seen {
    small: [u64; Seen::SMALL / 64],
    large: Vec<i32>,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { small: [0; Seen::SMALL / 64], large: Vec::new() }
    }
}

impl Seen {
    const SMALL: usize = 1024;

    /// Whether the id is new.
    #[inline]
    pub fn insert(&mut self, id: i32) -> bool {
        let place = id as u32 as usize;
        if place < Seen::SMALL {
            let (word, bit) = (&mut self.small[place / 64], 1 << (place % 64));
            let new = *word & bit == 0;
            *word |= bit;
            return new;
        }
        self.insert_large(id)
    }

    #[cold]
    fn insert_large(&mut self, id: i32) -> bool {
        match self.large.binary_search(&id) {
            Ok(_) => false,
            Err(at) => {
                self.large.insert(at, id);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(list: &[&[i32]]) -> Orders {
        list.iter().copied().collect()
    }

    #[test]
    fn appended_as_pushed() {
        let mut appended = orders(&[&[1], &[2, 3, 4]]);
        appended.append([[5, 6], [7, 8]].into_iter());
        appended.append([[9]].into_iter());
        appended.append([[0; 7]; 0].into_iter());
        appended.append([[10]].into_iter());
        assert_eq!(appended, orders(&[&[1], &[2, 3, 4], &[5, 6], &[7, 8], &[9], &[10]]));
        assert_eq!(appended.len(), 6);
    }

    #[test]
    fn lists_of_one_length() {
        assert_eq!(orders(&[]).of_length::<2>(), Some(&[][..]));
        assert_eq!(orders(&[&[1, 2], &[3, 4]]).of_length::<2>(), Some(&[[1, 2], [3, 4]][..]));
        assert_eq!(orders(&[&[1, 2], &[3, 4]]).of_length::<4>(), None);
        assert_eq!(orders(&[&[1], &[2, 3, 4]]).of_length::<2>(), None);
        assert_eq!(orders(&[&[1, 2], &[]]).of_length::<2>(), None);
        assert_eq!(orders(&[&[1], &[2, 3], &[4, 5, 6], &[7, 8]]).filter_length::<2>()[..], [[2, 3], [7, 8]]);
    }

    #[test]
    fn a_list_is_cleared_and_copied_with_its_lengths() {
        let mut list = orders(&[&[1, 2], &[3], &[], &[4]]);
        let copy = list.clone();
        list.clear();
        assert!(list.is_empty() && list.iter().next().is_none());
        assert_eq!(list.of_length::<2>(), Some(&[][..]));
        list.push(&[5, 6]);
        assert_eq!(list, orders(&[&[5, 6]]));
        assert_ne!(list, orders(&[&[5], &[6]]));
        list.clone_from(&copy);
        assert_eq!(list, orders(&[&[1, 2], &[3], &[], &[4]]));
    }

    #[test]
    fn the_first_order_for_a_unit_counts() {
        let asked = orders(&[&[3, 9], &[-1, 0], &[3, 1], &[5000, 1], &[-1, 1], &[5000, 2], &[], &[1, 1]]);
        let mut first = Orders::new();
        assert_eq!(first_per_unit(&asked, |order| first.push(order)), Ok(()));
        assert_eq!(first, orders(&[&[3, 9], &[-1, 0], &[5000, 1], &[1, 1]]));
    }

    #[test]
    fn a_thousand_calls_and_no_more() {
        let mut asked = Orders::new();
        (0..1000).for_each(|_| asked.push(&[7, 0]));
        let mut accepted = Orders::new();
        assert_eq!(accept::<2>(&asked, &mut accepted, 3, |_| true), Ok(()));
        assert_eq!(accepted.len(), 1);
        asked.push(&[7, 0]);
        assert_eq!(accept::<2>(&asked, &mut accepted, 3, |_| true), Err(TooManyOrders));
        assert!(accepted.is_empty());
    }

    /// What is left of some orders of a seat with the units 0 to 9.
    fn check(asked: &[&[i32]], expected: &[&[i32]]) {
        let mut accepted = orders(&[&[8, 8]]);
        assert_eq!(accept::<3>(&orders(asked), &mut accepted, 3, |id| (0..10).contains(&id)), Ok(()));
        assert_eq!(accepted, orders(expected), "{asked:?}");
    }

    #[test]
    fn what_no_rule_looks_at_is_dropped() {
        check(&[], &[]);
        check(&[&[1, 0, 3], &[2, -1, -1]], &[&[1, 0, 3], &[2, -1, -1]]);
        check(&[&[1, 0, 3], &[10, 0, 0], &[-1, 0, 0], &[0, 0, 0]], &[&[1, 0, 3], &[0, 0, 0]]);
        check(&[&[1, 0], &[2, 0, 0, 0], &[], &[3], &[4, 1, 1]], &[&[4, 1, 1]]);
        check(&[&[1, 4, i32::MIN], &[2, i32::MAX, 2]], &[&[1, -1, -1], &[2, -1, 2]]);
    }

    #[test]
    fn a_dropped_order_is_the_first_of_its_unit_all_the_same() {
        check(&[&[1, 0], &[1, 0, 0]], &[]);
        check(&[&[1, 9, 9], &[1, 0, 0]], &[&[1, -1, -1]]);
    }
}
