//! A job that plays matches of an official round.
//!
//! Its results are stored together with what follows from them for the round.
//! A match that the machine cannot play is never a result: the others are stored,
//! the job is tried again, each of its matches in a process of its own then, and
//! after a few times it waits for an instructor, and the round with it. Nobody is
//! eliminated for that. A player that runs past its time is no trouble of the
//! machine and stops nothing: see `overruns`.

use std::collections::{HashMap, HashSet};

use anyhow::{Error, Result, anyhow};
use ludus_games::{PerSeat, Seat};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::rounds::Round;
use super::{overruns, progress};
use crate::database::{Columns as _, Database, Tx};
use crate::ids::{MatchId, SubmissionId};
use crate::jobs::Environment;
use crate::local_machine::Seated;
use crate::matches::{self, Played};
use crate::overruns::SECOND_LOOK;
use crate::playroom::Overran;
use crate::queue::{Dispatch as _, Lease};
use crate::seasons::{self, Season};
use crate::store::Lost;
use crate::traces;

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
    let open = open_matches(&environment.database, &round, job).await?;
    // What has failed before is looked at one by one, so that it takes nothing with it.
    let alone = lease.failures > 0 || lease.is_suspect || overruns::are_known(&environment.database, job).await?;
    let together = if alone { 1 } else { open.len().max(1) };
    let (mut came, mut trouble) = (Came::default(), None);
    for some in open.chunks(together) {
        trouble = play_some(environment, &season, some, &mut came).await.err().or(trouble);
    }
    let mut tx = environment.database.begin().await?;
    if !came.store(&mut tx, environment, lease, &round, trouble.is_some()).await? {
        return Ok(());
    }
    progress::advance(&mut tx, &environment.queue, round.id).await?;
    tx.commit().await?;
    environment.queue.announce();
    trouble.map_or(Ok(()), Err)
}

/// What came of the matches of a job.
#[derive(Default)]
struct Came {
    played: Vec<(MatchId, Played)>,
    /// Matches that were given up because a player ran past its time.
    overran: Vec<(MatchId, Overran)>,
}

impl Came {
    /// Stores it, and ends the job unless there is more to play. False if the job
    /// is another's by now.
    async fn store(
        &self,
        tx: &mut Tx,
        environment: &Environment,
        lease: &Lease,
        round: &Round,
        in_trouble: bool,
    ) -> Result<bool> {
        let mut delay = 0;
        for (id, overran) in &self.overran {
            if overruns::count(tx, round, *id, *overran).await? {
                delay = SECOND_LOOK;
            }
        }
        let is_ours = match (in_trouble, self.overran.is_empty()) {
            // It is given back with its trouble.
            (true, _) => true,
            (false, true) => environment.queue.finish(tx, lease).await?,
            (false, false) => environment.queue.postpone(tx, lease, delay).await?,
        };
        if is_ours {
            matches::store_results(tx, self.played.iter().map(|(id, result)| (*id, result))).await?;
        }
        Ok(is_ours)
    }
}

/// The matches of a job that have no result yet.
async fn open_matches(database: &Database, round: &Round, job: MatchId) -> Result<Vec<Open>> {
    let players = sqlx::query(
        "SELECT submission_id, module FROM round_players WHERE round_id = $1 AND submission_id IN (
             SELECT s.submission_id FROM round_matches o JOIN seats s ON s.match_id = o.match_id WHERE o.job_match_id = $2)",
    );
    let mut modules: HashMap<SubmissionId, String> = HashMap::new();
    for row in players.bind(round.id).bind(job).fetch_all(database.read()).await? {
        modules.insert(row.try_get("submission_id")?, row.text("module")?);
    }
    let rows = sqlx::query(
        "SELECT m.id, m.seed, s.name, s.submission_id, COALESCE(v.round, 0) AS overran FROM round_matches o
         JOIN matches m ON m.id = o.match_id JOIN seats s ON s.match_id = o.match_id
         LEFT JOIN overruns v ON v.match_id = s.match_id AND v.seat = s.seat
         WHERE o.job_match_id = $1 AND m.played = 0 ORDER BY o.stage, o.place, s.seat",
    );
    let rows = rows.bind(job).fetch_all(database.read()).await?;
    let barred = overruns::barred(database, round).await?;
    rows.chunks(Seat::COUNT).map(|seats| open_match(seats, &modules, &barred)).collect()
}

fn open_match(
    rows: &[AnyRow],
    modules: &HashMap<SubmissionId, String>,
    barred: &HashSet<SubmissionId>,
) -> Result<Open> {
    let (id, seed): (MatchId, i64) = (rows[0].try_get("id")?, rows[0].int("seed")?);
    let mut seats = Vec::new();
    for row in rows {
        let player = row.try_get::<Option<SubmissionId>, _>("submission_id")?;
        let is_barred = player.is_some_and(|player| barred.contains(&player));
        let barred_from = if is_barred { Some(u32::try_from(row.int("overran")?)?) } else { None };
        let module = match player {
            Some(player) => {
                let module = modules.get(&player).cloned();
                Some(module.ok_or_else(|| anyhow!("match {id} has a player of another round"))?)
            }
            None => None,
        };
        seats.push(Seated { name: row.text("name")?, module, barred_from });
    }
    let seats = seats.try_into().map_err(|_| anyhow!("match {id} has not four seats"))?;
    Ok(Open { id, seed, seats })
}

/// Plays some matches in one process, and makes again what is lost of them.
async fn play_some(environment: &Environment, season: &Season, some: &[Open], came: &mut Came) -> Result<()> {
    let orders: Vec<_> = some.iter().map(|open| (open.seed, open.seats.clone())).collect();
    let mut at = 0;
    for _ in 0..MOST_LOST {
        let (machines, season, rest) = (environment.machines.clone(), season.clone(), orders[at..].to_vec());
        let mut trouble: Option<Error> = None;
        let traced = [("matches", rest.len().to_string())];
        let playing = tokio::task::spawn_blocking(move || machines.play_all(&season, &rest));
        for result in traces::span("play", &traced, playing).await? {
            match result {
                Ok(result) => {
                    came.played.push((some[at].id, result));
                    at += 1;
                }
                Err(error) => trouble = Some(error),
            }
        }
        let Some(error) = trouble else { return Ok(()) };
        if let Some(&overran) = error.downcast_ref::<Overran>() {
            came.overran.push((some[at].id, overran));
            return Ok(());
        }
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
