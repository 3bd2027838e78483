//! Orders as plain numbers.
//!
//! An order is a few integers, the first of them the id of the unit it is for;
//! what the others mean is the game's business. Every game speaks of orders in
//! this one shape, so that files, replays and foreign players need no code per
//! game. Any integer may stand anywhere: the rules refuse what makes no sense.

/// A list of orders, in the order they were given.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Orders {
    words: Vec<i32>,
    ends: Vec<u32>,
}

impl Clone for Orders {
    fn clone(&self) -> Self {
        Orders { words: self.words.clone(), ends: self.ends.clone() }
    }

    /// Uses the room again that there is.
    fn clone_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
        self.ends.clone_from(&other.ends);
    }
}

impl Orders {
    pub fn new() -> Self {
        Orders::default()
    }

    #[inline]
    pub fn push(&mut self, order: &[i32]) {
        self.words.extend_from_slice(order);
        self.ends.push(self.words.len() as u32);
    }

    /// Orders of the same length, at less cost than one by one.
    #[inline]
    pub fn append<const N: usize>(&mut self, orders: impl ExactSizeIterator<Item = [i32; N]>) {
        let start = self.words.len();
        let end = start + N * orders.len();
        self.ends.extend((1..=orders.len()).map(|k| (start + N * k) as u32));
        self.words.resize(end, 0);
        let (places, _) = self.words[start..].as_chunks_mut::<N>();
        places.iter_mut().zip(orders).for_each(|(place, order)| *place = order);
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All orders, if each has `N` words, as nearly all lists of a game do.
    #[inline]
    pub fn of_length<const N: usize>(&self) -> Option<&[[i32; N]]> {
        let (orders, rest) = self.words.as_chunks::<N>();
        // No early exit: without one the ends are compared many at a time.
        let odd = self.ends.iter().zip(1..).fold(0, |odd, (&end, k)| odd | (end ^ (N as u32).wrapping_mul(k)));
        (odd == 0 && rest.is_empty() && orders.len() == self.ends.len()).then_some(orders)
    }

    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let order = &self.words[start..end as usize];
            start = end as usize;
            order
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

/// Drops every order for a unit that already has one, and counts the calls:
/// what the player's side does in most of the games.
pub fn first_per_unit(asked: &Orders, accepted: &mut Orders) -> Result<(), TooManyOrders> {
    accepted.clear();
    if asked.len() > MOST_CALLS {
        return Err(TooManyOrders);
    }
    let mut seen = Seen::default();
    // Nearly always no unit has two orders, and the list is taken as it is.
    let mut start = 0;
    let all_new = asked.ends.iter().all(|&end| {
        let is_new = start < end && seen.insert(asked.words[start as usize]);
        start = end;
        is_new
    });
    if all_new {
        accepted.clone_from(asked);
        return Ok(());
    }
    seen = Seen::default();
    for order in asked.iter() {
        if let Some(&id) = order.first()
            && seen.insert(id)
        {
            accepted.push(order);
        }
    }
    Ok(())
}

/// A set of at most [`MOST_CALLS`] ids: small ones in a bit each, the rest in
/// a sorted list. Ids of real units are small.
struct Seen {
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
    fn insert(&mut self, id: i32) -> bool {
        if (id as u32 as usize) < Seen::SMALL {
            let (word, bit) = (id as usize / 64, 1 << (id % 64));
            let new = self.small[word] & bit == 0;
            self.small[word] |= bit;
            return new;
        }
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
        assert_eq!(appended, orders(&[&[1], &[2, 3, 4], &[5, 6], &[7, 8], &[9]]));
    }

    #[test]
    fn lists_of_one_length() {
        assert_eq!(orders(&[]).of_length::<2>(), Some(&[][..]));
        assert_eq!(orders(&[&[1, 2], &[3, 4]]).of_length::<2>(), Some(&[[1, 2], [3, 4]][..]));
        assert_eq!(orders(&[&[1, 2], &[3, 4]]).of_length::<4>(), None);
        assert_eq!(orders(&[&[1], &[2, 3, 4]]).of_length::<2>(), None);
        assert_eq!(orders(&[&[1, 2], &[]]).of_length::<2>(), None);
    }

    #[test]
    fn the_first_order_for_a_unit_counts() {
        let asked = orders(&[&[3, 9], &[-1, 0], &[3, 1], &[5000, 1], &[-1, 1], &[5000, 2], &[], &[1, 1]]);
        let mut accepted = orders(&[&[8, 8]]);
        assert_eq!(first_per_unit(&asked, &mut accepted), Ok(()));
        assert_eq!(accepted, orders(&[&[3, 9], &[-1, 0], &[5000, 1], &[1, 1]]));
    }

    #[test]
    fn a_thousand_calls_and_no_more() {
        let mut asked = Orders::new();
        (0..1000).for_each(|_| asked.push(&[7, 0]));
        let mut accepted = Orders::new();
        assert_eq!(first_per_unit(&asked, &mut accepted), Ok(()));
        assert_eq!(accepted.len(), 1);
        asked.push(&[7, 0]);
        assert_eq!(first_per_unit(&asked, &mut accepted), Err(TooManyOrders));
        assert!(accepted.is_empty());
    }
}
