//! A job that plays matches of an official round.
//!
//! Its results are stored together with what follows from them for the round.
//! A match that cannot be played is never a result: the others are stored, the
//! job is tried again, each of its matches in a process of its own then, and
//! after a few times it waits for an instructor, and the round with it. Nobody is
//! eliminated for that, also if it is a player that takes far too long.

use std::collections::HashMap;

use anyhow::{Error, Result, anyhow};
use ludus_games::{PerSeat, Seat};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::progress;
use super::rounds::Round;
use crate::database::{Columns as _, Database};
use crate::ids::{MatchId, SubmissionId};
use crate::jobs::Environment;
use crate::matches::{self, Played};
use crate::queue::{Dispatch as _, Lease};
use crate::seasons::{self, Season};
use crate::store::Lost;
use crate::workshop::Seated;

/// Modules of one job that may turn out to be lost, one after the other.
const MOST_LOST: usize = 40;

/// A match that has no result yet.
struct Open {
    id: MatchId,
    seed: i64,
    /// With the modules that were frozen with the round.
    seats: PerSeat<Seated>,
}

/// Plays the matches that are still to be played of the job of a match.
pub async fn play(environment: &Environment, lease: &Lease, job: MatchId, round: Round) -> Result<()> {
    let frozen = round.frozen.as_ref().ok_or_else(|| anyhow!("round {} is not frozen", round.id))?;
    let season = frozen.season(seasons::by_id(&environment.database, round.season_id).await?);
    let open = open_matches(&environment.database, round.id, job).await?;
    // What has failed before is looked at one by one, so that it takes nothing with it.
    let together = if lease.failures > 0 || lease.is_suspect { 1 } else { open.len().max(1) };
    let (mut played, mut trouble) = (Vec::new(), None);
    for some in open.chunks(together) {
        trouble = play_some(environment, &season, some, &mut played).await.err().or(trouble);
    }
    let mut tx = environment.database.begin().await?;
    if trouble.is_none() && !environment.queue.finish(&mut tx, lease).await? {
        return Ok(());
    }
    for (id, result) in &played {
        matches::store_result(&mut tx, *id, result).await?;
    }
    progress::advance(&mut tx, &environment.queue, round.id).await?;
    tx.commit().await?;
    environment.queue.announce();
    trouble.map_or(Ok(()), Err)
}

/// The matches of a job that have no result yet.
async fn open_matches(database: &Database, round: i64, job: MatchId) -> Result<Vec<Open>> {
    let players = sqlx::query(
        "SELECT submission_id, module FROM round_players WHERE round_id = $1 AND submission_id IN (
             SELECT s.submission_id FROM round_matches o JOIN seats s ON s.match_id = o.match_id WHERE o.job_match_id = $2)",
    );
    let mut modules: HashMap<SubmissionId, String> = HashMap::new();
    for row in players.bind(round).bind(job).fetch_all(database.read()).await? {
        modules.insert(row.try_get("submission_id")?, row.text("module")?);
    }
    let rows = sqlx::query(
        "SELECT m.id, m.seed, s.name, s.submission_id FROM round_matches o
         JOIN matches m ON m.id = o.match_id JOIN seats s ON s.match_id = o.match_id
         WHERE o.job_match_id = $1 AND m.played = 0 ORDER BY o.stage, o.place, s.seat",
    );
    let rows = rows.bind(job).fetch_all(database.read()).await?;
    rows.chunks(Seat::COUNT).map(|seats| open_match(seats, &modules)).collect()
}

fn open_match(rows: &[AnyRow], modules: &HashMap<SubmissionId, String>) -> Result<Open> {
    let (id, seed): (MatchId, i64) = (rows[0].try_get("id")?, rows[0].int("seed")?);
    let mut seats = Vec::new();
    for row in rows {
        let module = match row.try_get::<Option<SubmissionId>, _>("submission_id")? {
            Some(player) => {
                let module = modules.get(&player).cloned();
                Some(module.ok_or_else(|| anyhow!("match {id} has a player of another round"))?)
            }
            None => None,
        };
        seats.push(Seated { name: row.text("name")?, module });
    }
    let seats = seats.try_into().map_err(|_| anyhow!("match {id} has not four seats"))?;
    Ok(Open { id, seed, seats })
}

/// Plays some matches in one process, and makes again what is lost of them.
async fn play_some(
    environment: &Environment,
    season: &Season,
    some: &[Open],
    played: &mut Vec<(MatchId, Played)>,
) -> Result<()> {
    let orders: Vec<_> = some.iter().map(|open| (open.seed, open.seats.clone())).collect();
    let mut at = 0;
    for _ in 0..MOST_LOST {
        let (machines, season, rest) = (environment.machines.clone(), season.clone(), orders[at..].to_vec());
        let mut trouble: Option<Error> = None;
        for result in tokio::task::spawn_blocking(move || machines.play_all(&season, &rest)).await? {
            match result {
                Ok(result) => {
                    played.push((some[at].id, result));
                    at += 1;
                }
                Err(error) => trouble = Some(error),
            }
        }
        let Some(error) = trouble else { return Ok(()) };
        match Lost::of(&error) {
            Some(lost) => make_again(environment, &some[at..], lost).await?,
            None => return Err(error.context(format!("match {}", some[at].id))),
        }
    }
    Err(anyhow!("too many modules of the matches of job {} are lost", some[0].id))
}

/// Makes a lost module of some matches again.
async fn make_again(environment: &Environment, some: &[Open], lost: &Lost) -> Result<()> {
    let has_it = |open: &&Open| open.seats.iter().any(|seat| seat.module.as_deref() == Some(lost.hash()));
    let Some(open) = some.iter().find(has_it) else { return Err(lost.clone().into()) };
    let found = matches::find(&environment.database, open.id).await?;
    let found = found.ok_or_else(|| anyhow!("there is no match {}", open.id))?;
    environment.restorer().module_of(&found, lost).await
}
