//! Who meets whom, on which seed and in which seats.
//!
//! A schedule is balanced by construction, one seed at a time, and has as many
//! seeds as its matches allow: seeds are what makes results sure.
//!
//! - The contestants sit around a circle. On a seed one pattern of four meets in
//!   all its rotations, so that every contestant is in equally many sets. The
//!   patterns take turns in a drawn order, and when all have had theirs, which is
//!   called a cycle, every set of four there is has met once.
//! - Each set plays on the seed in four seatings that form a Latin square, so
//!   that everybody takes every seat once, or in all twenty-four. There are
//!   six such squares; the cycles take them in turn, and six cycles together
//!   play every seating of every set.
//!
//! So after every seed all contestants have played equally many matches, on the
//! same seeds, equally often in every seat. A schedule consists of whole seeds
//! only, and a longer one begins with the shorter.
//!
//! Matches are not stored: each is worked out from its number.

use std::sync::Arc;

use ludus_games::{Generator, PerSeat, Seat};

/// The most contestants of a schedule: every pair of them is kept account of.
pub const MOST_CONTESTANTS: usize = 256;

/// The orders of the last three members of a set; with the first one in front
/// and the four ways to exchange seats in pairs they make all 24 seatings.
const SQUARES: [[usize; 4]; 6] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [0, 1, 3, 2], [0, 2, 1, 3], [0, 3, 2, 1]];

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule, from 0.
    pub number: u64,
    pub seed: i32,
    /// The contestants, by their number, in the seats they take.
    pub seats: PerSeat<usize>,
}

/// In how many seatings a set of four plays on a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seatings {
    /// Four that form a Latin square.
    Square,
    /// All twenty-four.
    All,
}

impl Seatings {
    pub fn count(self) -> u64 {
        match self {
            Seatings::Square => 4,
            Seatings::All => 24,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("a schedule needs 4 to {MOST_CONTESTANTS} players, got {0}")]
    Contestants(usize),
    #[error("a schedule needs at least one match")]
    NoMatches,
    #[error("there are only {0} seeds from {1} on, and {2} are needed")]
    Seeds(u64, i32, u64),
}

/// A list of matches, each worked out from its number.
///
/// ```
/// use ludus_arena::{Schedule, Seatings};
///
/// // Four contestants, at least 10 matches: three seeds, four seatings on each.
/// let schedule = Schedule::with_matches(4, 10, Seatings::Square, 1)?;
/// assert_eq!(schedule.len(), 12);
/// let first: Vec<_> = schedule.fixtures(0..4).map(|fixture| (fixture.seed, fixture.seats)).collect();
/// assert_eq!(first, [(1, [0, 1, 2, 3]), (1, [1, 0, 3, 2]), (1, [2, 3, 0, 1]), (1, [3, 2, 1, 0])]);
/// # Ok::<(), ludus_arena::ScheduleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    patterns: Patterns,
    seatings: Seatings,
    first_seed: i32,
    seeds: u64,
}

impl Schedule {
    /// As many whole seeds as `matches` begin, from the first seed on.
    pub fn with_matches(
        contestants: usize,
        matches: u64,
        seatings: Seatings,
        first_seed: i32,
    ) -> Result<Schedule, ScheduleError> {
        let schedule = Schedule::on_seeds(contestants, seatings, first_seed, 1)?;
        if matches == 0 {
            return Err(ScheduleError::NoMatches);
        }
        let (cycles, rest) = (matches / schedule.cycle(), matches % schedule.cycle());
        let seeds = cycles * schedule.patterns.seeds() + rest.div_ceil(schedule.on_a_seed());
        Schedule { seeds, ..schedule }.checked()
    }

    /// So many seeds, from the first on.
    pub fn on_seeds(
        contestants: usize,
        seatings: Seatings,
        first_seed: i32,
        seeds: u64,
    ) -> Result<Schedule, ScheduleError> {
        if !(Seat::COUNT..=MOST_CONTESTANTS).contains(&contestants) {
            return Err(ScheduleError::Contestants(contestants));
        }
        Schedule { patterns: Patterns::of(contestants), seatings, first_seed, seeds }.checked()
    }

    fn checked(self) -> Result<Schedule, ScheduleError> {
        if self.seeds == 0 {
            return Err(ScheduleError::NoMatches);
        }
        let there_are = (i64::from(i32::MAX) - i64::from(self.first_seed)) as u64 + 1;
        if self.seeds > there_are {
            return Err(ScheduleError::Seeds(there_are, self.first_seed, self.seeds));
        }
        Ok(self)
    }

    /// Matches on one seed. Where the rotations of a pattern come out alike, the
    /// last seed of a cycle has fewer.
    pub fn on_a_seed(&self) -> u64 {
        self.patterns.sets_on_a_seed() * self.seatings.count()
    }

    /// Matches until every set of four has met equally often.
    pub fn cycle(&self) -> u64 {
        self.patterns.sets() * self.seatings.count()
    }

    /// Whether every set of four meets equally often.
    pub fn is_whole(&self) -> bool {
        self.seeds.is_multiple_of(self.patterns.seeds())
    }

    /// Matches of the whole schedule.
    #[allow(clippy::len_without_is_empty, reason = "a schedule is never empty")]
    pub fn len(&self) -> u64 {
        let (cycles, rest) = (self.seeds / self.patterns.seeds(), self.seeds % self.patterns.seeds());
        cycles * self.cycle() + rest * self.on_a_seed()
    }

    pub fn contestants(&self) -> usize {
        self.patterns.contestants
    }

    pub fn seatings(&self) -> Seatings {
        self.seatings
    }

    /// The first and the last seed.
    pub fn seeds(&self) -> (i32, i32) {
        (self.first_seed, self.seed(self.seeds - 1))
    }

    fn seed(&self, turn: u64) -> i32 {
        (i64::from(self.first_seed) + turn as i64) as i32
    }

    /// The match with this number.
    ///
    /// # Panics
    /// If the schedule is shorter.
    pub fn fixture(&self, number: u64) -> Fixture {
        assert!(number < self.len(), "the schedule has no match {number}");
        let (cycle, in_cycle) = (number / self.cycle(), number % self.cycle());
        let (set, seating) = (in_cycle / self.seatings.count(), in_cycle % self.seatings.count());
        let in_turn = set / self.patterns.sets_on_a_seed();
        let square = match self.seatings {
            Seatings::Square => cycle + in_turn,
            Seatings::All => seating / 4,
        };
        let members = self.patterns.set(set);
        let seats = square_row(square, seating % 4).map(|member| members[member]);
        Fixture { number, seed: self.seed(cycle * self.patterns.seeds() + in_turn), seats }
    }

    pub fn fixtures(&self, numbers: std::ops::Range<u64>) -> impl Iterator<Item = Fixture> + '_ {
        numbers.map(|number| self.fixture(number))
    }
}

/// All sets of four on a circle, in an order in which each row of as many as
/// there are contestants, and the shorter last one, holds everybody equally often.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Patterns {
    contestants: usize,
    /// One set of each pattern. Those with as many different rotations as there
    /// are contestants come first, in a drawn order; then those with half as
    /// many, then the one with a quarter.
    patterns: Arc<[[u8; 4]]>,
    /// How many patterns there are of the first kind, and of the second.
    whole: u64,
    halves: u64,
}

impl Patterns {
    fn of(contestants: usize) -> Patterns {
        let mut kinds: [Vec<[u8; 4]>; 3] = Default::default();
        for steps in patterns_of_steps(contestants) {
            let kind = match steps {
                [a, b, c, d] if a == b && b == c && c == d => 2,
                [a, b, c, d] if a == c && b == d => 1,
                _ => 0,
            };
            let [a, b, c, _] = steps;
            kinds[kind].push([0, a, a + b, a + b + c].map(|place| place as u8));
        }
        let [whole, halves, quarters] = kinds;
        let mut order = Vec::new();
        // Neighbours first would be a tournament of neighbours, as long as it is short.
        Generator::new(4).permutation(whole.len(), &mut order);
        let drawn = order.iter().map(|&at| whole[at as usize]);
        Patterns {
            contestants,
            whole: whole.len() as u64,
            halves: halves.len() as u64,
            patterns: drawn.chain(halves.iter().copied()).chain(quarters).collect(),
        }
    }

    fn sets(&self) -> u64 {
        subsets(self.contestants, Seat::COUNT)
    }

    fn sets_on_a_seed(&self) -> u64 {
        self.sets().min(self.contestants as u64)
    }

    /// Seeds on which all sets meet.
    fn seeds(&self) -> u64 {
        self.sets().div_ceil(self.sets_on_a_seed())
    }

    fn set(&self, number: u64) -> [usize; 4] {
        let around = self.contestants as u64;
        let (pattern, turned) = match number.checked_sub(self.whole * around) {
            None => (number / around, number % around),
            Some(beyond) => {
                let half = around / 2;
                // The last pattern has fewer rotations, and none come after it.
                let at = (beyond / half.max(1)).min(self.halves);
                (self.whole + at, beyond - at * half)
            }
        };
        self.patterns[pattern as usize].map(|place| (usize::from(place) + turned as usize) % self.contestants)
    }
}

/// The steps from each of four to the next around the circle: of all rotations
/// the one that comes first in dictionaries.
fn patterns_of_steps(contestants: usize) -> impl Iterator<Item = [usize; 4]> {
    let steps = move |a: usize| {
        (a..contestants).flat_map(move |b| {
            (a..contestants).filter_map(move |c| {
                let d = contestants.checked_sub(a + b + c).filter(|&d| d >= a)?;
                Some([a, b, c, d])
            })
        })
    };
    (1..=contestants / 4).flat_map(steps).filter(|steps| {
        let mut turned = *steps;
        (0..3).all(|_| {
            turned.rotate_left(1);
            *steps <= turned
        })
    })
}

/// The seating in a row of a Latin square: which member of a set takes each
/// seat. In the four rows of any of the six squares every member takes every
/// seat once.
pub(crate) fn square_row(square: u64, row: u64) -> PerSeat<usize> {
    let order = SQUARES[(square % SQUARES.len() as u64) as usize];
    std::array::from_fn(|seat| order[seat ^ row as usize])
}

/// How many ways there are to choose `size` of `count` things.
fn subsets(count: usize, size: usize) -> u64 {
    (0..size).fold(1, |ways, k| ways * (count as u64).saturating_sub(k as u64) / (k as u64 + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn by_seed(schedule: &Schedule) -> BTreeMap<i32, Vec<Fixture>> {
        let mut seeds: BTreeMap<i32, Vec<Fixture>> = BTreeMap::new();
        for fixture in schedule.fixtures(0..schedule.len()) {
            seeds.entry(fixture.seed).or_default().push(fixture);
        }
        seeds
    }

    #[test]
    fn everybody_takes_every_seat_equally_often_on_every_seed() {
        for contestants in 4..=17 {
            for seatings in [Seatings::Square, Seatings::All] {
                for matches in [1, 100, 3000] {
                    let schedule = Schedule::with_matches(contestants, matches, seatings, -3).unwrap();
                    assert!(schedule.len() >= matches);
                    for (seed, fixtures) in by_seed(&schedule) {
                        let mut taken = vec![[0; 4]; contestants];
                        for fixture in &fixtures {
                            Seat::ALL.into_iter().for_each(|seat| taken[fixture.seats[seat]][seat] += 1);
                        }
                        let each = fixtures.len() / contestants;
                        assert!(taken.iter().flatten().all(|&times| times == each), "{contestants}, {seed}: {taken:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_set_meets_once_in_a_cycle() {
        for contestants in 4..=24 {
            let sets = subsets(contestants, 4);
            let schedule = Schedule::with_matches(contestants, 4 * sets, Seatings::Square, 7).unwrap();
            assert_eq!((schedule.len(), schedule.cycle(), schedule.is_whole()), (4 * sets, 4 * sets, true));
            let mut met: BTreeMap<BTreeSet<usize>, u64> = BTreeMap::new();
            for fixture in schedule.fixtures(0..schedule.len()) {
                *met.entry(fixture.seats.into_iter().collect()).or_default() += 1;
            }
            assert_eq!(met.len() as u64, sets);
            assert!(met.iter().all(|(set, &times)| set.len() == 4 && times == 4), "{contestants}: {met:?}");
        }
    }

    #[test]
    fn a_longer_schedule_begins_with_the_shorter() {
        for contestants in [4, 6, 9, 16, 40] {
            let of = |matches| Schedule::with_matches(contestants, matches, Seatings::Square, 1).unwrap();
            let long = of(5000);
            for matches in [1, 99, 500, 504, 1008] {
                let short = of(matches);
                assert!(short.fixtures(0..short.len()).eq(long.fixtures(0..short.len())), "{contestants}, {matches}");
            }
        }
    }

    /// A part of a cycle must not be a tournament of neighbours.
    #[test]
    fn rivals_are_many_from_the_beginning() {
        let schedule = Schedule::with_matches(20, 800, Seatings::Square, 1).unwrap();
        assert_eq!((schedule.on_a_seed(), schedule.len(), schedule.is_whole()), (80, 800, false));
        let mut met: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for fixture in schedule.fixtures(0..schedule.len()) {
            for one in fixture.seats {
                for other in fixture.seats.into_iter().filter(|&other| other > one) {
                    *met.entry((one, other)).or_default() += 1;
                }
            }
        }
        assert!(met.len() > 180, "only {} of 190 pairs have met", met.len());
    }

    #[test]
    fn six_squares_are_the_24_seatings() {
        let all: BTreeSet<_> = (0..24).map(|k| square_row(k / 4, k % 4)).collect();
        assert_eq!(all.len(), 24);
        let schedule = Schedule::on_seeds(4, Seatings::All, 0, 1).unwrap();
        assert_eq!(schedule.fixtures(0..24).map(|fixture| fixture.seats).collect::<BTreeSet<_>>(), all);
        for contestants in 4..=9 {
            let matches = 24 * subsets(contestants, 4);
            let schedule = Schedule::with_matches(contestants, matches, Seatings::Square, 0).unwrap();
            let played: BTreeSet<_> = schedule.fixtures(0..matches).map(|fixture| fixture.seats).collect();
            assert_eq!(
                (schedule.len(), played.len() as u64),
                (matches, matches),
                "six cycles seat {contestants} in all ways"
            );
        }
    }

    #[test]
    fn what_cannot_be_scheduled() {
        let check = |contestants, matches, first_seed, expected| {
            let schedule = Schedule::with_matches(contestants, matches, Seatings::Square, first_seed);
            assert_eq!(schedule.map(|schedule| schedule.len()), expected);
        };
        check(3, 10, 1, Err(ScheduleError::Contestants(3)));
        check(257, 10, 1, Err(ScheduleError::Contestants(257)));
        check(4, 0, 1, Err(ScheduleError::NoMatches));
        check(4, 8, i32::MAX, Err(ScheduleError::Seeds(1, i32::MAX, 2)));
        check(4, 8, i32::MAX - 1, Ok(8));
        check(4, u64::MAX, 1, Err(ScheduleError::Seeds(i32::MAX as u64, 1, u64::MAX / 4 + 1)));
        check(4, 9, i32::MIN, Ok(12));
        check(256, 1025, 1, Ok(2048));
    }
}
