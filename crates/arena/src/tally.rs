//! The table of a schedule: what every contestant has done so far.
//!
//! Matches must be added in the order of the schedule. Sums would not mind
//! another order, ratings would: they move with every match.

use std::collections::BTreeMap;

use ludus_games::{PerSeat, Seat};

use crate::estimate::{Estimate, Sums};
use crate::played::Played;
use crate::rating::{Rating, rate};
use crate::schedule::Fixture;

/// Shares of wins are counted in twelfths: a win may be shared by two, three or four.
const WIN: i64 = 12;
/// Ranks are counted in halves: two on the first place have rank 1.5 each.
const RANK: i64 = 2;
/// Shares of beaten rivals are counted in halves of a rival.
const DUEL: i64 = 2;
/// CPU is counted in billionths of what a player may use.
const CPU: f64 = 1e9;

/// Accounts of any number of matches, in room that does not grow with them.
///
/// ```
/// use ludus_arena::{Fixture, Played, Tally};
///
/// let mut tally = Tally::new(4);
/// let scores = [30, 20, 20, 10];
/// let played = Played { scores, cpu: [0; 4], faults: [const { None }; 4] };
/// tally.add(&Fixture { number: 0, seed: 1, seats: [2, 0, 1, 3] }, &played);
/// assert_eq!(tally.standing(2).wins.value, 1.0);
/// assert_eq!(tally.standing(0).rank.value, 2.5);
/// assert_eq!(tally.ranking(), [2, 0, 1, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Tally {
    accounts: Vec<Account>,
    /// By pairs of contestants, the smaller number first.
    duels: BTreeMap<(usize, usize), Sums>,
    seed: Option<i32>,
    matches: u64,
}

#[derive(Clone, Debug)]
struct Account {
    wins: Sums,
    rank: Sums,
    score: Sums,
    frozen: Sums,
    cpu: Sums,
    worst_cpu: u32,
    rank_by_seat: PerSeat<Sums>,
    rating: Rating,
    faults: BTreeMap<String, u64>,
}

/// What is known of one contestant.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub matches: u64,
    /// The share of matches won; a win that several share counts for its part.
    pub wins: Estimate,
    /// The mean rank, from 1 to 4; those on the same score share the mean of their ranks.
    pub rank: Estimate,
    pub score: Estimate,
    pub rating: Rating,
    /// The share of matches in which the player was frozen.
    pub frozen: Estimate,
    /// The mean of the CPU used, as a part of what may be used; of matches in
    /// which the player was not frozen.
    pub cpu: Option<Estimate>,
    /// The largest part of its CPU that the player has used in a match.
    pub worst_cpu: f64,
}

impl Tally {
    pub fn new(contestants: usize) -> Tally {
        let account = Account {
            wins: Sums::default(),
            rank: Sums::default(),
            score: Sums::default(),
            frozen: Sums::default(),
            cpu: Sums::default(),
            worst_cpu: 0,
            rank_by_seat: PerSeat::default(),
            rating: Rating::UNKNOWN,
            faults: BTreeMap::new(),
        };
        Tally { accounts: vec![account; contestants], duels: BTreeMap::new(), seed: None, matches: 0 }
    }

    /// One more match, the next of the schedule.
    pub fn add(&mut self, fixture: &Fixture, played: &Played) {
        if self.seed.replace(fixture.seed).is_some_and(|seed| seed != fixture.seed) {
            self.close_seed();
        }
        self.matches += 1;
        for seat in Seat::ALL {
            self.accounts[fixture.seats[seat]].add(seat, played);
        }
        let ratings = fixture.seats.map(|contestant| self.accounts[contestant].rating);
        for (contestant, rating) in fixture.seats.into_iter().zip(rate(ratings, played.scores)) {
            self.accounts[contestant].rating = rating;
        }
        for one in Seat::ALL {
            for other in Seat::ALL {
                let pair = (fixture.seats[one], fixture.seats[other]);
                if pair.0 < pair.1 {
                    let result = played.scores[one].cmp(&played.scores[other]) as i64;
                    self.duels.entry(pair).or_default().add(result + 1);
                }
            }
        }
    }

    fn close_seed(&mut self) {
        for account in &mut self.accounts {
            account.sums().for_each(Sums::close_seed);
        }
        self.duels.values_mut().for_each(Sums::close_seed);
    }

    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// # Panics
    /// If the contestant has played no match.
    pub fn standing(&self, contestant: usize) -> Standing {
        let account = &self.accounts[contestant];
        let played = "the contestant has played";
        Standing {
            matches: account.score.count(),
            wins: account.wins.share(WIN as f64).expect(played),
            rank: account.rank.mean(RANK as f64).expect(played),
            score: account.score.mean(1.0).expect(played),
            rating: account.rating,
            frozen: account.frozen.share(1.0).expect(played),
            cpu: account.cpu.mean(CPU),
            worst_cpu: f64::from(account.worst_cpu) / CPU,
        }
    }

    /// Whether every contestant has played, so that each has a standing.
    pub fn is_complete(&self) -> bool {
        self.accounts.iter().all(|account| account.score.count() > 0)
    }

    /// The contestants from the best rating to the worst.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.accounts.len()).collect();
        let mean = |contestant: usize| self.accounts[contestant].rating.mean;
        order.sort_by(|&one, &other| mean(other).total_cmp(&mean(one)));
        order
    }

    /// In which share of their matches together one was ahead of the other,
    /// level scores counting half; none if they have not met.
    pub fn head_to_head(&self, one: usize, other: usize) -> Option<Estimate> {
        let share = self.duels.get(&(one.min(other), one.max(other)))?.share(DUEL as f64)?;
        let turned = |share: Estimate| Estimate {
            value: 1.0 - share.value,
            interval: share.interval.map(|(low, high)| (1.0 - high, 1.0 - low)),
        };
        Some(if one < other { share } else { turned(share) })
    }

    /// The mean rank of a contestant in each seat.
    pub fn rank_by_seat(&self, contestant: usize) -> PerSeat<Option<Estimate>> {
        Seat::ALL.map(|seat| self.accounts[contestant].rank_by_seat[seat].mean(RANK as f64))
    }

    /// Why a contestant was frozen, and how often.
    pub fn faults(&self, contestant: usize) -> &BTreeMap<String, u64> {
        &self.accounts[contestant].faults
    }
}

impl Account {
    /// Different reasons of faults that are kept; a player can make up any number.
    const MOST_REASONS: usize = 20;

    fn add(&mut self, seat: Seat, played: &Played) {
        let (ahead, level) = played.ahead_and_level(seat);
        self.wins.add(if ahead == 0 { WIN / (1 + level as i64) } else { 0 });
        let rank = RANK * (1 + ahead as i64) + level as i64;
        self.rank.add(rank);
        self.rank_by_seat[seat].add(rank);
        self.score.add(played.scores[seat]);
        self.frozen.add(i64::from(played.faults[seat].is_some()));
        if let Some((_, reason)) = &played.faults[seat] {
            if self.faults.len() < Account::MOST_REASONS || self.faults.contains_key(reason) {
                *self.faults.entry(reason.clone()).or_default() += 1;
            }
        } else {
            self.cpu.add(i64::from(played.cpu[seat]));
            self.worst_cpu = self.worst_cpu.max(played.cpu[seat]);
        }
    }

    fn sums(&mut self) -> impl Iterator<Item = &mut Sums> {
        [&mut self.wins, &mut self.rank, &mut self.score, &mut self.frozen, &mut self.cpu]
            .into_iter()
            .chain(&mut self.rank_by_seat)
    }
}

#[cfg(test)]
mod tests {
    use ludus_games::Generator;

    use super::*;
    use crate::schedule::{Schedule, Seatings};

    fn played(scores: PerSeat<i64>) -> Played {
        Played { scores, cpu: [250_000_000; 4], faults: [const { None }; 4] }
    }

    /// Matches in which a higher number plays better, mostly.
    fn tally(schedule: &Schedule) -> Tally {
        let mut generator = Generator::new(3);
        let mut tally = Tally::new(schedule.contestants());
        for fixture in schedule.fixtures(0..schedule.len()) {
            let scores = fixture.seats.map(|contestant| contestant as i64 + i64::from(generator.random(0, 9)));
            tally.add(&fixture, &played(scores));
        }
        tally
    }

    #[test]
    fn shares_and_ranks_add_up() {
        for contestants in [4, 6] {
            let schedule = Schedule::with_matches(contestants, 1800, Seatings::Square, 1).unwrap();
            let tally = tally(&schedule);
            let standings: Vec<Standing> = (0..contestants).map(|k| tally.standing(k)).collect();
            let sum = |of: fn(&Standing) -> f64| standings.iter().map(of).sum::<f64>() / contestants as f64;
            assert!((sum(|standing| standing.wins.value) - 0.25).abs() < 1e-9);
            assert!((sum(|standing| standing.rank.value) - 2.5).abs() < 1e-9);
            let matches: u64 = standings.iter().map(|standing| standing.matches).sum();
            assert_eq!(matches, 4 * schedule.len());
            assert_eq!(tally.ranking(), (0..contestants).rev().collect::<Vec<_>>());
            assert!(standings.iter().all(|standing| standing.cpu.unwrap().value == 0.25));
        }
    }

    #[test]
    fn heads_are_counted_from_both_sides() {
        let tally = tally(&Schedule::with_matches(5, 500, Seatings::Square, 1).unwrap());
        for one in 0..5 {
            assert_eq!(tally.head_to_head(one, one), None);
            for other in (0..5).filter(|&other| other != one) {
                let (there, back) = (tally.head_to_head(one, other).unwrap(), tally.head_to_head(other, one).unwrap());
                assert!((there.value + back.value - 1.0).abs() < 1e-12);
                assert!((there.interval.unwrap().0 + back.interval.unwrap().1 - 1.0).abs() < 1e-12);
                assert_eq!(one > other, there.value > 0.5);
            }
        }
    }

    #[test]
    fn ties_are_shared_and_the_frozen_are_counted() {
        let mut tally = Tally::new(4);
        let mut match_with_fault = played([5, 5, 5, 1]);
        match_with_fault.faults[0] = Some((7, "out of CPU time".to_owned()));
        match_with_fault.cpu[0] = 0;
        tally.add(&Fixture { number: 0, seed: 1, seats: [0, 1, 2, 3] }, &match_with_fault);
        tally.add(&Fixture { number: 1, seed: 1, seats: [1, 0, 3, 2] }, &played([1, 9, 2, 3]));
        let first = tally.standing(0);
        assert!((first.wins.value - (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        assert_eq!((first.rank.value, first.score.value, first.frozen.value), (1.5, 7.0, 0.5));
        assert_eq!((first.cpu.unwrap().value, first.worst_cpu), (0.25, 0.25));
        assert_eq!(tally.faults(0).iter().next(), Some((&"out of CPU time".to_owned(), &1)));
        assert_eq!(tally.rank_by_seat(0).map(|rank| rank.map(|rank| rank.value)), [Some(2.0), Some(1.0), None, None]);
    }
}
