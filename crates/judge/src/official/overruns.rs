//! Players that run far past their CPU time in official matches.
//!
//! Who does so twice in a match is barred (see `crate::overruns`): in this match it
//! is frozen from the round in which it did, in all later ones of the official round
//! from the start, and keeps whatever score it comes to frozen. So the round goes on with the same field, draw and seeds, nobody gets another draw
//! by running past the time, and the replay carries what no other machine could
//! find out.
//!
//! A barred player is retired as well, so that its author's next one stands in the
//! next round. Not so in a final, whose field is frozen once and whose matches
//! nobody may know of yet: there it stays frozen until the end.

use std::collections::HashSet;

use anyhow::Result;
use sqlx::Row as _;

use super::rounds::Round;
use crate::actions::{self, Action, Entry};
use crate::database::{Database, Tx};
use crate::ids::{MatchId, SubmissionId};
use crate::playroom::Overran;
use crate::submissions::{self, Reason};
use crate::{log, overruns, retirement};

/// The players that are barred in a round, also by an earlier round of its final.
pub async fn barred(database: &Database, round: &Round) -> Result<HashSet<SubmissionId>> {
    let rows = sqlx::query(
        "SELECT DISTINCT s.submission_id FROM overruns v JOIN seats s ON s.match_id = v.match_id AND s.seat = v.seat
         JOIN round_matches o ON o.match_id = v.match_id JOIN rounds r ON r.id = o.round_id
         WHERE v.times >= $1 AND (r.id = $2 OR r.final_id = $3)",
    );
    let rows = rows.bind(overruns::MOST).bind(round.id).bind(round.final_id).fetch_all(database.read()).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?)
}

/// Whether somebody ran past the time in matches of a job before.
pub async fn are_known(database: &Database, job: MatchId) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM overruns v JOIN round_matches o ON o.match_id = v.match_id WHERE o.job_match_id = $1",
    );
    Ok(row.bind(job).fetch_one(database.read()).await?.try_get::<i64, _>(0)? > 0)
}

/// Counts that a player ran past its time, and bars it the second time. True if
/// the match is to be played with it once more.
pub async fn count(tx: &mut Tx, round: &Round, id: MatchId, overran: Overran) -> Result<bool> {
    let times = overruns::count(tx, id, overran).await?;
    if times == overruns::MOST {
        bar(tx, round, id, overran).await?;
    }
    Ok(times < overruns::MOST)
}

async fn bar(tx: &mut Tx, round: &Round, id: MatchId, overran: Overran) -> Result<()> {
    let Overran { seat, allowed, .. } = overran;
    let row = sqlx::query("SELECT submission_id FROM seats WHERE match_id = $1 AND seat = $2");
    let row = row.bind(id).bind(seat.index() as i64).fetch_one(&mut **tx).await?;
    let Some(player) = row.try_get::<Option<SubmissionId>, _>(0)? else { return Ok(()) };
    let Some(player) = submissions::find(&mut *tx, player).await? else { return Ok(()) };
    let why = Reason::Overtime { in_match: id, seat, seconds: allowed.as_secs() };
    let reason = format!("{} {}", why.word(), why.detail());
    if round.final_id.is_none() {
        // An instructor may have been faster.
        retirement::retire(tx, player.id, &reason).await?;
    }
    log::note(&format!("player {} is barred: past its CPU time twice in match {id}", player.id));
    let entry = Entry {
        account: Some(player.account_id),
        season: Some(player.season_id),
        submission: Some(player.id),
        reason: &reason,
        ..Entry::new(player.account_id, Action::BarPlayer)
    };
    actions::record(tx, &entry).await
}
