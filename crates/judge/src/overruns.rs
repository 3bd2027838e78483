//! Players that run far past their CPU time in a match: how often each seat did.
//!
//! The process that plays tells which seat it was, by the CPU time of that player
//! alone, so that a busy machine harms nobody. Once may be the machine all the
//! same: the match is played again. Twice is a fact about the player, which is
//! *barred* then: it is frozen from the start of the match, as for any other fault,
//! and so the match has a result that says so. Each seat is counted by itself, so
//! that a match is played nine times at most.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use ludus_games::Seat;
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Tx};
use crate::ids::{MatchId, SubmissionId, TrainingId};

/// After so many times in one match a player is barred.
pub const MOST: i64 = 2;

/// How long a match waits before it is played again in which somebody ran past
/// the time once, in milliseconds: whatever hurried the machine may be over.
pub const SECOND_LOOK: i64 = 5_000;

/// Counts that the player in a seat ran past its time. True if that was once too often.
pub async fn count(tx: &mut Tx, id: MatchId, seat: Seat) -> Result<bool> {
    let row = sqlx::query(
        "INSERT INTO overruns (match_id, seat, times) VALUES ($1, $2, 1)
         ON CONFLICT (match_id, seat) DO UPDATE SET times = overruns.times + 1 RETURNING times",
    );
    let row = row.bind(id).bind(seat.index() as i64).fetch_one(&mut **tx).await?;
    let times = row.int("times")?;
    // Whatever the reason, nothing is tried for ever.
    ensure!(times <= MOST, "the player in seat {} of match {id} ran past its time though it was barred", seat.index());
    Ok(times == MOST)
}

/// The players that are barred in a set of training matches. Here the tries of
/// all its matches count together: what one has shown in two of them it need not
/// show in four hundred.
pub async fn barred_in_training(database: &Database, training: TrainingId) -> Result<HashSet<SubmissionId>> {
    let rows = sqlx::query(
        "SELECT s.submission_id FROM matches m JOIN overruns v ON v.match_id = m.id
         JOIN seats s ON s.match_id = v.match_id AND s.seat = v.seat WHERE m.training_id = $1 AND s.submission_id IS NOT NULL
         GROUP BY s.submission_id HAVING SUM(v.times) >= $2",
    );
    let rows = rows.bind(training).bind(MOST).fetch_all(database.read()).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?)
}
