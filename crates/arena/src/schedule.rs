//! Who meets whom, on which seed and in which seats.
//!
//! A schedule is balanced by construction, one seed at a time. On every seed
//! the same thing happens, which is called a cycle:
//!
//! - Sets of four contestants meet: every set there is, or, when that would be
//!   more matches than asked for, the sets of four neighbours on a circle of
//!   all contestants that is drawn anew for every seed. Either way every
//!   contestant is in equally many sets of a cycle.
//! - Each set plays on the seed in four seatings that form a Latin square, so
//!   that everybody takes every seat once, or in all twenty-four. There are
//!   six such squares; the seeds take them in turn, and six seeds together
//!   play every seating.
//!
//! So after every whole cycle all contestants have played equally many
//! matches, on the same seeds, equally often in every seat. A schedule consists
//! of whole cycles only.
//!
//! Nothing is stored: a match is worked out from its number.

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

/// Which sets of four meet on a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    Every,
    /// Neighbours on a circle of all contestants, drawn for every seed.
    Circle,
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
    contestants: usize,
    sets: Sets,
    seatings: Seatings,
    first_seed: i32,
    seeds: u64,
}

impl Schedule {
    /// Every set of four on each of these seeds.
    pub fn on_seeds(
        contestants: usize,
        seatings: Seatings,
        first_seed: i32,
        seeds: u64,
    ) -> Result<Schedule, ScheduleError> {
        if !(Seat::COUNT..=MOST_CONTESTANTS).contains(&contestants) {
            return Err(ScheduleError::Contestants(contestants));
        }
        if seeds == 0 {
            return Err(ScheduleError::NoMatches);
        }
        let there_are = (i64::from(i32::MAX) - i64::from(first_seed)) as u64 + 1;
        if seeds > there_are {
            return Err(ScheduleError::Seeds(there_are, first_seed, seeds));
        }
        Ok(Schedule { contestants, sets: Sets::Every, seatings, first_seed, seeds })
    }

    /// As many whole cycles as `matches` begin, from the first seed on. Every
    /// set of four meets if there are enough matches for that, else the sets
    /// of the circles.
    pub fn with_matches(
        contestants: usize,
        matches: u64,
        seatings: Seatings,
        first_seed: i32,
    ) -> Result<Schedule, ScheduleError> {
        let mut schedule = Schedule::on_seeds(contestants, seatings, first_seed, 1)?;
        if matches == 0 {
            return Err(ScheduleError::NoMatches);
        }
        if schedule.cycle() > matches {
            schedule.sets = Sets::Circle;
        }
        let seeds = matches.div_ceil(schedule.cycle());
        Schedule { seeds, ..schedule }.checked()
    }

    fn checked(self) -> Result<Schedule, ScheduleError> {
        let sets = self.sets;
        let checked = Schedule::on_seeds(self.contestants, self.seatings, self.first_seed, self.seeds)?;
        Ok(Schedule { sets, ..checked })
    }

    /// Matches on one seed.
    pub fn cycle(&self) -> u64 {
        self.sets_on_a_seed() * self.seatings.count()
    }

    fn sets_on_a_seed(&self) -> u64 {
        match self.sets {
            Sets::Every => subsets(self.contestants, Seat::COUNT),
            // Four on a circle of four are one set, however they are turned.
            Sets::Circle if self.contestants == Seat::COUNT => 1,
            Sets::Circle => self.contestants as u64,
        }
    }

    /// Matches of the whole schedule.
    #[allow(clippy::len_without_is_empty, reason = "a schedule is never empty")]
    pub fn len(&self) -> u64 {
        self.seeds * self.cycle()
    }

    pub fn contestants(&self) -> usize {
        self.contestants
    }

    pub fn sets(&self) -> Sets {
        self.sets
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
        let (turn, in_cycle) = (number / self.cycle(), number % self.cycle());
        let (set, seating) = (in_cycle / self.seatings.count(), in_cycle % self.seatings.count());
        let members = match self.sets {
            Sets::Every => subset(set, self.contestants),
            Sets::Circle => self.neighbours(turn, set),
        };
        let square = match self.seatings {
            Seatings::Square => turn % 6,
            Seatings::All => seating / 4,
        };
        let seats = square_row(square, seating % 4).map(|member| members[member]);
        Fixture { number, seed: self.seed(turn), seats }
    }

    pub fn fixtures(&self, numbers: std::ops::Range<u64>) -> impl Iterator<Item = Fixture> + '_ {
        numbers.map(|number| self.fixture(number))
    }

    /// Four neighbours on the circle that belongs to a seed.
    fn neighbours(&self, turn: u64, first: u64) -> [usize; 4] {
        let mut circle = Vec::new();
        // The circle must not follow the draws of the board, which come from the same seed.
        Generator::new((turn as i32).wrapping_mul(0x5bd1_e995)).permutation(self.contestants, &mut circle);
        std::array::from_fn(|k| circle[(first as usize + k) % self.contestants] as usize)
    }
}

/// The seating in a row of a Latin square: which member of a set takes each
/// seat. In the four rows of any of the six squares every member takes every
/// seat once.
pub(crate) fn square_row(square: u64, row: u64) -> PerSeat<usize> {
    let order = SQUARES[square as usize % SQUARES.len()];
    std::array::from_fn(|seat| order[seat ^ row as usize])
}

/// How many ways there are to choose `size` of `count` things.
fn subsets(count: usize, size: usize) -> u64 {
    (0..size).fold(1, |ways, k| ways * (count as u64).saturating_sub(k as u64) / (k as u64 + 1))
}

/// The subset of four with this number, in the order of dictionaries.
fn subset(mut number: u64, count: usize) -> [usize; 4] {
    let mut next = 0;
    std::array::from_fn(|k| {
        loop {
            let with_next = subsets(count - next - 1, 3 - k);
            next += 1;
            if number < with_next {
                return next - 1;
            }
            number -= with_next;
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Appearances of contestants in a cycle, by contestant and seat.
    fn seats_taken(schedule: &Schedule, cycle: u64) -> Vec<PerSeat<u64>> {
        let mut taken = vec![[0; 4]; schedule.contestants()];
        for fixture in schedule.fixtures(cycle * schedule.cycle()..(cycle + 1) * schedule.cycle()) {
            for seat in Seat::ALL {
                taken[fixture.seats[seat]][seat] += 1;
            }
        }
        taken
    }

    #[test]
    fn everybody_takes_every_seat_equally_often_on_every_seed() {
        for contestants in 4..=12 {
            for seatings in [Seatings::Square, Seatings::All] {
                for matches in [1, 100, 3000] {
                    let schedule = Schedule::with_matches(contestants, matches, seatings, -3).unwrap();
                    assert!(schedule.len() >= matches);
                    for cycle in 0..schedule.len() / schedule.cycle() {
                        let taken = seats_taken(&schedule, cycle);
                        let each = schedule.cycle() / contestants as u64;
                        assert!(taken.iter().flatten().all(|&times| times == each), "{schedule:?}: {taken:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_set_meets_on_every_seed() {
        for contestants in 4..=9 {
            let schedule = Schedule::on_seeds(contestants, Seatings::Square, 7, 6).unwrap();
            let mut met: BTreeMap<i32, BTreeMap<BTreeSet<usize>, u64>> = BTreeMap::new();
            for fixture in schedule.fixtures(0..schedule.len()) {
                *met.entry(fixture.seed).or_default().entry(fixture.seats.into_iter().collect()).or_default() += 1;
            }
            assert_eq!(met.keys().copied().collect::<Vec<_>>(), (7..13).collect::<Vec<_>>());
            for sets in met.values() {
                assert_eq!(sets.len() as u64, subsets(contestants, 4));
                assert!(sets.iter().all(|(set, &times)| set.len() == 4 && times == 4));
            }
        }
    }

    #[test]
    fn circles_have_four_different_contestants_and_change_with_the_seed() {
        let schedule = Schedule::with_matches(20, 1000, Seatings::Square, 1).unwrap();
        assert_eq!((schedule.sets(), schedule.cycle(), schedule.len()), (Sets::Circle, 80, 1040));
        let mut sets = BTreeSet::new();
        for fixture in schedule.fixtures(0..schedule.len()) {
            let set: BTreeSet<usize> = fixture.seats.into_iter().collect();
            assert_eq!(set.len(), 4);
            sets.insert(set);
        }
        assert!(sets.len() > 200, "{} different sets", sets.len());
    }

    #[test]
    fn six_squares_are_the_24_seatings() {
        let all: BTreeSet<_> = (0..24).map(|k| square_row(k / 4, k % 4)).collect();
        assert_eq!(all.len(), 24);
        let schedule = Schedule::on_seeds(4, Seatings::Square, 0, 6).unwrap();
        let played: BTreeSet<_> = schedule.fixtures(0..24).map(|fixture| fixture.seats).collect();
        assert_eq!(played, all);
        let schedule = Schedule::on_seeds(4, Seatings::All, 0, 1).unwrap();
        assert_eq!(schedule.fixtures(0..24).map(|fixture| fixture.seats).collect::<BTreeSet<_>>(), all);
    }

    #[test]
    fn subsets_come_once_and_in_order() {
        for count in 4..=10 {
            let all: Vec<_> = (0..subsets(count, 4)).map(|number| subset(number, count)).collect();
            assert!(all.is_sorted() && all.windows(2).all(|pair| pair[0] != pair[1]));
            assert!(all.iter().all(|set| set.is_sorted() && set[3] < count));
        }
        assert_eq!(subset(subsets(256, 4) - 1, 256), [252, 253, 254, 255]);
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
    }
}
