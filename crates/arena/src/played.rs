//! What remains of a match when thousands are played: a few numbers.

use ludus_games::tokens::TextError;
use ludus_games::{Config, PerSeat, Seat, State, Status};

use crate::driver::{Halt, Match, Observer};
use crate::players::{Entrant, Players};
use crate::schedule::Fixture;

/// The result of one match of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    pub scores: PerSeat<i64>,
    /// The CPU that each seat has used, in billionths of what it may use; 0 for
    /// seats that were frozen, of which it is not known.
    pub cpu: PerSeat<u32>,
    /// The round and the reason, for seats that were frozen.
    pub faults: PerSeat<Option<(u32, String)>>,
}

/// A match that has no result. It is never a player's doing.
#[derive(Debug, thiserror::Error)]
pub enum NotPlayed {
    #[error("seed {seed}: the board cannot be set up: {error}")]
    Config { seed: i32, error: TextError },
    #[error("seed {seed}, {halt}")]
    Stuck { seed: i32, halt: Halt },
}

/// Sets up a match of a schedule. `enter` makes the player of a contestant for
/// a seat.
pub fn start(
    config: &dyn Config,
    fixture: &Fixture,
    enter: impl Fn(usize, i32, Seat) -> Entrant,
) -> Result<Match, NotPlayed> {
    let seed = fixture.seed;
    let entrants = Seat::ALL.map(|seat| enter(fixture.seats[seat], seed, seat));
    Match::new(config, seed, entrants).map_err(|error| NotPlayed::Config { seed, error })
}

/// Plays a match of a schedule to its end.
pub fn play(scheduled: &mut Match, observers: &mut [&mut dyn Observer<Players, Halt>]) -> Result<Played, NotPlayed> {
    let seed = scheduled.header().seed;
    scheduled.run(observers).map_err(|halt| NotPlayed::Stuck { seed, halt })?;
    Ok(Played::of(scheduled))
}

impl Played {
    pub fn of(played: &Match) -> Played {
        let seats = played.outcome().seats;
        Played {
            scores: std::array::from_fn(|seat| seats[seat].score),
            cpu: std::array::from_fn(|seat| billionths(seats[seat].status)),
            faults: seats.map(|seat| seat.fault.map(|(round, fault)| (round, fault.to_string()))),
        }
    }

    /// How many of the other seats have a better, and how many the same score.
    pub fn ahead_and_level(&self, seat: Seat) -> (usize, usize) {
        let own = self.scores[seat];
        let ahead = self.scores.iter().filter(|&&score| score > own).count();
        let level = self.scores.iter().filter(|&&score| score == own).count() - 1;
        (ahead, level)
    }

    /// The share of the three rivals that the seat has beaten, those on the
    /// same score counting half, in sixths.
    pub fn sixths_beaten(&self, seat: Seat) -> i64 {
        let (ahead, level) = self.ahead_and_level(seat);
        2 * (Seat::COUNT - 1 - ahead - level) as i64 + level as i64
    }
}

/// Integers, so that sums are exact and a result can be written down and read again.
fn billionths(status: Status) -> u32 {
    (status.fraction().clamp(0.0, 1.0) * 1e9) as u32
}

/// The course of a match at evenly spaced moments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    pub scores: Vec<PerSeat<i64>>,
    /// As in [`Played`]; the CPU of a frozen seat stays where it was.
    pub cpu: Vec<PerSeat<u32>>,
}

impl Course {
    /// Moments after the beginning; one that lies between rounds is the round before.
    pub const MOMENTS: u32 = 32;

    /// The round of a moment, from 0 to [`Course::MOMENTS`].
    pub fn round_of(moment: u32, rounds: u32) -> u32 {
        (u64::from(moment) * u64::from(rounds) / u64::from(Course::MOMENTS)) as u32
    }

    /// Notes where the match stands, if it is one of the moments.
    fn note(&mut self, state: &dyn State) {
        // In a match with few rounds several moments share a round.
        while self.scores.len() <= Course::MOMENTS as usize
            && state.round() == Course::round_of(self.scores.len() as u32, state.rounds())
        {
            self.scores.push(state.scores());
            let before = self.cpu.last().copied().unwrap_or_default();
            let status = state.status();
            self.cpu.push(Seat::ALL.map(|seat| billionths(status[seat]).max(before[seat])));
        }
    }
}

impl<S, E> Observer<S, E> for Course {
    fn begin(&mut self, played: &Match<S>) -> Result<(), E> {
        self.note(played.state());
        Ok(())
    }

    fn round(&mut self, played: &mut Match<S>) -> Result<(), E> {
        self.note(played.state());
        Ok(())
    }
}
