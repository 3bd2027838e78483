//! The matches of a comparison between two versions of a player.

use crate::played::Played;
use crate::schedule::{Fixture, square_row};
use ludus_games::Seat;

/// On every seed and board both versions play the same four matches: in every
/// seat once, against the same three rivals in the same seats. Whatever the board and the
/// seating do to a player they do to both, so their difference tells more than
/// twice as many separate matches would.
///
/// Contestant 0 is the new version, 1 the old one, 2 to 4 are the rivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    first_seed: i32,
    boards: u16,
}

impl Pairing {
    /// Matches on one seed and board, those of the new version first.
    pub const MATCHES: u64 = 8;

    pub fn new(first_seed: i32) -> Pairing {
        Pairing::on_boards(first_seed, 1)
    }

    /// Every seed is played on so many boards.
    pub fn on_boards(first_seed: i32, boards: u16) -> Pairing {
        Pairing { first_seed, boards: boards.max(1) }
    }

    /// Matches on one seed.
    pub fn on_a_seed(&self) -> u64 {
        Pairing::MATCHES * u64::from(self.boards)
    }

    /// The board of a match.
    pub fn board(&self, number: u64) -> usize {
        (number % self.on_a_seed() / Pairing::MATCHES) as usize
    }

    /// Seeds that there are.
    pub fn seeds(&self) -> u64 {
        (i64::from(i32::MAX) - i64::from(self.first_seed)) as u64 + 1
    }

    /// The match with this number.
    ///
    /// # Panics
    /// If there is no seed for it any more.
    pub fn fixture(&self, number: u64) -> Fixture {
        let (turn, in_turn) = (number / self.on_a_seed(), number % Pairing::MATCHES);
        assert!(turn < self.seeds(), "there is no seed for match {number}");
        let (version, row) = ((in_turn / 4) as usize, in_turn % 4);
        let members = [version, 2, 3, 4];
        let seats = square_row(turn, row).map(|member| members[member]);
        Fixture { number, seed: (i64::from(self.first_seed) + turn as i64) as i32, seats }
    }

    /// What a match adds to the outcome of its seed, in the parts of a
    /// [`Comparison`](crate::Comparison): how many rivals the version has
    /// beaten, counted for the new version and against it for the old one.
    pub fn parts(fixture: &Fixture, played: &Played) -> i32 {
        let is_version = |seat: &Seat| fixture.seats[*seat] < 2;
        let seat = Seat::ALL.into_iter().find(is_version).expect("a version takes part in every match");
        let beaten = played.sixths_beaten(seat) as i32;
        if fixture.seats[seat] == 0 { beaten } else { -beaten }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PARTS;

    #[test]
    fn both_versions_play_the_same_matches() {
        let pairing = Pairing::new(10);
        for turn in 0..12 {
            let matches: Vec<Fixture> = (turn * 8..turn * 8 + 8).map(|number| pairing.fixture(number)).collect();
            let (new, old) = matches.split_at(4);
            for (new, old) in new.iter().zip(old) {
                assert_eq!((new.seed, old.seed), (10 + turn as i32, 10 + turn as i32));
                assert_eq!(new.seats.map(|contestant| if contestant == 0 { 1 } else { contestant }), old.seats);
            }
            for seat in Seat::ALL {
                assert_eq!(new.iter().filter(|fixture| fixture.seats[seat] == 0).count(), 1);
            }
        }
    }

    #[test]
    fn outcomes_reach_from_all_lost_to_all_won() {
        let pairing = Pairing::new(1);
        let outcome = |score_of: fn(usize) -> i64| -> i32 {
            let fixtures = (0..8).map(|number| pairing.fixture(number));
            fixtures
                .map(|fixture| {
                    let scores = fixture.seats.map(score_of);
                    Pairing::parts(&fixture, &Played { scores, cpu: [0; 4], faults: [const { None }; 4] })
                })
                .sum()
        };
        assert_eq!(outcome(|contestant| [9, 0, 5, 5, 5][contestant]), PARTS);
        assert_eq!(outcome(|contestant| [0, 9, 5, 5, 5][contestant]), -PARTS);
        assert_eq!(outcome(|contestant| [5, 0, 5, 5, 5][contestant]), PARTS / 2);
        assert_eq!(outcome(|contestant| [6, 6, 5, 7, 9][contestant]), 0);
    }

    #[test]
    fn boards_share_seeds_and_seats() {
        let (one, three) = (Pairing::new(5), Pairing::on_boards(5, 3));
        for number in 0..72 {
            let (turn, in_turn) = (number / 24, number % 8);
            let (here, there) = (three.fixture(number), one.fixture(turn * 8 + in_turn));
            assert_eq!((here.seed, here.seats), (there.seed, there.seats));
            assert_eq!(three.board(number) as u64, number % 24 / 8);
        }
    }

    #[test]
    fn seeds_end_where_integers_do() {
        assert_eq!(Pairing::new(i32::MAX).seeds(), 1);
        assert_eq!(Pairing::new(i32::MAX).fixture(7).seed, i32::MAX);
    }
}
