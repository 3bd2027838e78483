//! What remains of a match when thousands are played: a few numbers.

use ludus_games::game::Stuck;
use ludus_games::tokens::TextError;
use ludus_games::{Config, PerSeat, Seat, Status};

use crate::play::{Entrant, Match};
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
    #[error("seed {seed}, round {round}: {error}")]
    Stuck { seed: i32, round: u32, error: Stuck },
}

/// Plays one match of a schedule.
///
/// `enter` makes the player of a contestant for a seat; `watch` sees the match
/// before the first round and after every round.
pub fn play(
    config: &dyn Config,
    fixture: &Fixture,
    enter: impl Fn(usize, i32, Seat) -> Entrant,
    mut watch: impl FnMut(&Match),
) -> Result<Played, NotPlayed> {
    let seed = fixture.seed;
    let entrants = Seat::ALL.map(|seat| enter(fixture.seats[seat], seed, seat));
    let mut game = Match::new(config, seed, entrants).map_err(|error| NotPlayed::Config { seed, error })?;
    watch(&game);
    while !game.is_over() {
        let round = game.state().round();
        game.play_round().map_err(|error| NotPlayed::Stuck { seed, round, error })?;
        watch(&game);
    }
    Ok(Played::of(&game))
}

impl Played {
    pub fn of(game: &Match) -> Played {
        let seats = game.outcome().seats;
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
    pub fn watch(&mut self, game: &Match) {
        let state = game.state();
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
