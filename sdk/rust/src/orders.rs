//! The orders of a round: at most a thousand calls, of which the first for
//! each unit counts.

/// The most calls in one round, repetitions included.
const MOST_CALLS: u32 = 1000;

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intake {
    Taken,
    /// The unit already has an order.
    Repeated,
    /// One call more than the game allows.
    TooMany,
}

/// The orders given so far, in the layout that the host reads: their number,
/// and for each its number of words and its words.
#[derive(Debug)]
pub(crate) struct Orders {
    words: Vec<i32>,
    calls: u32,
    has_order: Ids,
}

impl Orders {
    pub(crate) fn new() -> Orders {
        Orders { words: vec![0], calls: 0, has_order: Ids::new() }
    }

    /// Forgets the orders of the round before.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.words.push(0);
        self.calls = 0;
        self.has_order.clear();
    }

    /// An order, the unit's id first.
    #[inline]
    pub(crate) fn give(&mut self, order: impl AsRef<[i32]>) -> Intake {
        let order = order.as_ref();
        self.calls += 1;
        if self.calls > MOST_CALLS {
            return Intake::TooMany;
        }
        if self.add(order) { Intake::Taken } else { Intake::Repeated }
    }

    /// An order that does not count as a call; whether it is the first for its unit.
    #[inline]
    pub(crate) fn add(&mut self, order: &[i32]) -> bool {
        let is_first = self.has_order.insert(order[0]);
        if is_first {
            self.words[0] += 1;
            self.words.push(order.len() as i32);
            self.words.extend_from_slice(order);
        }
        is_first
    }

    /// Whether a unit has an order.
    pub(crate) fn has(&self, id: i32) -> bool {
        self.has_order.contains(id)
    }

    pub(crate) fn words(&self) -> &[i32] {
        &self.words
    }
}

/// A set of ids that is emptied every round. Ids of real units are small.
#[derive(Debug)]
struct Ids {
    round: u32,
    /// The round in which each small id was last put in.
    small: Box<[u32; Ids::SMALL]>,
    large: Vec<i32>,
}

impl Ids {
    const SMALL: usize = 1024;

    fn new() -> Ids {
        Ids { round: 1, small: Box::new([0; Ids::SMALL]), large: Vec::new() }
    }

    fn clear(&mut self) {
        self.round += 1;
        self.large.clear();
    }

    fn contains(&self, id: i32) -> bool {
        match self.small.get(id as u32 as usize) {
            Some(&seen) => seen == self.round,
            None => self.large.contains(&id),
        }
    }

    /// Whether the id is new.
    #[inline]
    fn insert(&mut self, id: i32) -> bool {
        if let Some(seen) = self.small.get_mut(id as u32 as usize) {
            let is_new = *seen != self.round;
            *seen = self.round;
            return is_new;
        }
        let is_new = !self.large.contains(&id);
        if is_new {
            self.large.push(id);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_order_of_each_unit_counts() {
        let mut orders = Orders::new();
        let ids = [3, 1, 3, -7, i32::MAX, -7, 1023, 1024, 1024, 1023, 0];
        let taken = ids.map(|id| orders.give([id, 9]) == Intake::Taken);
        assert_eq!(taken, [true, true, false, true, true, false, true, true, false, false, true]);
        assert_eq!(orders.words()[..7], [7, 2, 3, 9, 2, 1, 9]);
        assert_eq!(orders.words().len(), 1 + 3 * 7);
    }

    #[test]
    fn a_new_round_knows_nothing_of_the_last() {
        let mut orders = Orders::new();
        for _ in 0..3 {
            orders.clear();
            assert_eq!(orders.words(), [0]);
            assert_eq!(orders.give([5, 1, 2, 3]), Intake::Taken);
            assert_eq!(orders.give([5000, 1]), Intake::Taken);
            assert_eq!(orders.give([5, 1]), Intake::Repeated);
            assert_eq!(orders.words(), [2, 4, 5, 1, 2, 3, 2, 5000, 1]);
        }
    }

    #[test]
    fn repetitions_count_towards_the_thousand_calls() {
        let mut orders = Orders::new();
        for call in 0..1000 {
            let expected = if call == 0 { Intake::Taken } else { Intake::Repeated };
            assert_eq!(orders.give([8, 1]), expected);
        }
        assert_eq!(orders.give([9, 1]), Intake::TooMany);
        assert_eq!(orders.words()[0], 1);
        orders.clear();
        assert_eq!(orders.give([9, 1]), Intake::Taken);
    }

    #[test]
    fn not_every_game_counts_calls() {
        let mut orders = Orders::new();
        (0..3000).for_each(|call| assert_eq!(orders.add(&[call / 2, 1]), call % 2 == 0));
        assert_eq!(orders.words()[0], 1500);
        assert!(orders.has(0) && orders.has(1499) && !orders.has(1500) && !orders.has(-1));
        orders.clear();
        assert!(!orders.has(0) && !orders.has(1499));
    }
}
