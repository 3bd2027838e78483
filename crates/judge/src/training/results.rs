//! What a set of training matches comes to: the table of `ludus arena`.

use anyhow::Result;
use ludus_arena::{Fixture, Played, Tally};
use ludus_games::{PerSeat, Seat};

use super::{Training, fixtures};
use crate::database::{Columns as _, Database};
use crate::ids::MatchId;

/// The worst losses that are told of each player.
const LOSSES: usize = 3;

/// The matches that were played so far.
#[derive(Clone, Debug)]
pub struct Results {
    /// Of the four by their places in the request.
    pub tally: Tally,
    /// Of each player, the worst first.
    pub losses: PerSeat<Vec<Loss>>,
    pub matches: Vec<Row>,
}

/// A match that a player lost, and by how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub id: MatchId,
    pub behind: i64,
    pub seat: Seat,
}

/// One match.
#[derive(Clone, Debug)]
pub struct Row {
    pub id: MatchId,
    pub seed: i32,
    /// The places of those who sit in the seats.
    pub seats: PerSeat<usize>,
    /// None before it is played.
    pub played: Option<Played>,
}

/// The matches of a set are stored in the order of its schedule.
pub async fn results(database: &Database, training: &Training) -> Result<Results> {
    let rows = sqlx::query(
        "SELECT m.id, m.played, s.seat, s.score, s.cpu, s.fault, s.fault_round FROM matches m
         JOIN seats s ON s.match_id = m.id WHERE m.training_id = $1 ORDER BY m.id, s.seat",
    )
    .bind(training.id)
    .fetch_all(database.read())
    .await?;
    let mut matches = Vec::new();
    for (fixture, seats) in
        fixtures(training.seating, training.seed as i32, training.matches as u64).iter().zip(rows.chunks(Seat::COUNT))
    {
        let Some(first) = seats.first() else { continue };
        let (id, is_played) = (MatchId(first.int("id")?), first.flag("played")?);
        let mut played =
            Played { scores: [0; Seat::COUNT], cpu: [0; Seat::COUNT], faults: [const { None }; Seat::COUNT] };
        for (seat, row) in Seat::ALL.into_iter().zip(seats) {
            played.scores[seat] = row.maybe_int("score")?.unwrap_or(0);
            // Stored are millionths.
            played.cpu[seat] = row.maybe_int("cpu")?.unwrap_or(0).clamp(0, 1_000_000) as u32 * 1000;
            played.faults[seat] = row.maybe_int("fault_round")?.map(|round| round as u32).zip(row.maybe_text("fault")?);
        }
        matches.push(Row { id, seed: fixture.seed, seats: fixture.seats, played: is_played.then_some(played) });
    }
    let mut results = Results { tally: Tally::new(Seat::COUNT), losses: std::array::from_fn(|_| Vec::new()), matches };
    results.sum_up();
    Ok(results)
}

impl Results {
    fn sum_up(&mut self) {
        for (number, row) in self.matches.iter().enumerate() {
            let Some(played) = &row.played else { continue };
            self.tally.add(&Fixture { number: number as u64, seed: row.seed, seats: row.seats }, played);
            let best = played.scores.iter().copied().max().unwrap_or_default();
            for seat in Seat::ALL {
                let behind = best.saturating_sub(played.scores[seat]);
                if behind > 0 {
                    self.losses[row.seats[seat]].push(Loss { id: row.id, behind, seat });
                }
            }
        }
        for losses in &mut self.losses {
            losses.sort_by_key(|loss| (-loss.behind, loss.id));
            losses.truncate(LOSSES);
        }
    }
}
