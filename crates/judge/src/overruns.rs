//! Players that run far past their CPU time in a match: how often each seat did,
//! and in which round.
//!
//! The process that plays tells which seat it was, by the CPU time of that player
//! alone, so that a busy machine harms nobody. Once may be the machine all the
//! same: the match is played again. Twice is a fact about the player, which is
//! *barred* then: it is frozen from that round on, as for any other fault, and so
//! the match has a result that says so, and what came before stands. Should it run
//! past its time even before that round, it is not asked at all. Each seat is
//! counted by itself, so that a match is played thirteen times at most.

use anyhow::{Result, ensure};
use ludus_games::PerSeat;

use crate::database::{Columns as _, Database, Tx};
use crate::ids::{MatchId, TrainingId};
use crate::playroom::Overran;

/// After so many times in one match a player is barred.
pub const MOST: i64 = 2;

/// How long a match waits before it is played again in which somebody ran past
/// the time once, in milliseconds: whatever hurried the machine may be over.
pub const SECOND_LOOK: i64 = 5_000;

/// Counts that the player in a seat ran past its time, and says how often it has.
/// The earliest round is kept, so that the next try comes that far.
pub async fn count(tx: &mut Tx, id: MatchId, overran: Overran) -> Result<i64> {
    let seat = overran.seat.index() as i64;
    let row = sqlx::query(
        "INSERT INTO overruns (match_id, seat, times, round) VALUES ($1, $2, 1, $3)
         ON CONFLICT (match_id, seat) DO UPDATE SET times = overruns.times + 1, round = CASE
             WHEN overruns.times >= $4 THEN 0
             WHEN excluded.round < overruns.round THEN excluded.round ELSE overruns.round END RETURNING times",
    );
    let row = row.bind(id).bind(seat).bind(i64::from(overran.round)).bind(MOST).fetch_one(&mut **tx).await?;
    let times = row.int("times")?;
    // Whatever the reason, nothing is tried for ever.
    ensure!(
        times <= MOST + 1,
        "the player in seat {} of match {id} ran past its time though it was not asked",
        overran.seat.ordinal()
    );
    Ok(times)
}

/// The seats of a training match whose players are barred, and from which round
/// on. The tries of all matches of a set count together: what a player has shown
/// in two of them it need not show in four hundred.
pub async fn barred_in_training(
    database: &Database,
    training: TrainingId,
    id: MatchId,
) -> Result<PerSeat<Option<u32>>> {
    let rows = sqlx::query(
        "SELECT s.seat, COALESCE(o.round, 0) AS round FROM seats s
         LEFT JOIN overruns o ON o.match_id = s.match_id AND o.seat = s.seat
         WHERE s.match_id = $1 AND s.submission_id IN (
             SELECT t.submission_id FROM matches m JOIN overruns v ON v.match_id = m.id
             JOIN seats t ON t.match_id = v.match_id AND t.seat = v.seat WHERE m.training_id = $2
             GROUP BY t.submission_id HAVING SUM(v.times) >= $3)",
    );
    let mut barred = PerSeat::default();
    for row in rows.bind(id).bind(training).bind(MOST).fetch_all(database.read()).await? {
        barred[usize::try_from(row.int("seat")?)?] = Some(u32::try_from(row.int("round")?)?);
    }
    Ok(barred)
}
