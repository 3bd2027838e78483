//! The steps of a round, each part of one transaction: committed, frozen and
//! begun, one stage after the other, over; or cancelled, or undone.
//!
//! A step asks what is stored and does what follows from it, under a condition
//! that holds once. Whoever does it twice, or is killed in between, changes
//! nothing about what comes out.

use anyhow::{Context as _, Result};
use ludus_arena::season::{Author, Contender, Elimination, Hash, RoundSeed, Stage};
use ludus_games::Seat;
use sqlx::Row as _;

use super::rounds::{self, Round, RoundPlayer};
use super::standing::Kind as Departure;
use super::{NOBODY, entrants, representatives, standing};
use crate::course::{self, Names};
use crate::database::{Columns as _, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::jobs::Play;
use crate::matches::{self, Place, Planned, Purpose};
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::seasons::{self, Season};
use crate::secrets;

/// The most matches of a stage that one job plays, one after the other in one
/// process: to start a process costs as much as a quick match. Not more, because
/// a worker that has them does nothing else meanwhile.
const MOST_IN_JOB: usize = 16;
/// Jobs of a stage for each worker, if it has as many matches, so that all are
/// busy until it is nearly over.
const JOBS_PER_WORKER: usize = 2;
/// Workers where nobody has said how many there are.
const USUAL_WORKERS: usize = 2;

/// Draws the seed of the next round of a season and commits to it. Nothing
/// happens if a round is under way; the answer is that round then.
pub async fn commit(tx: &mut Tx, season: SeasonId, starts_at: Option<i64>) -> Result<Round> {
    if let Some(round) = rounds::under_way(&mut **tx, season).await? {
        return Ok(round);
    }
    let seed: Hash = secrets::token().parse().context("a token is no seed")?;
    let row = sqlx::query(
        "INSERT INTO rounds (season_id, number, state, commitment, seed, starts_at, committed_at)
         VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM rounds WHERE season_id = $1 AND final_id IS NULL),
         'committed', $2, $3, $4, $5) RETURNING id",
    )
    .bind(season)
    .bind(RoundSeed::new(seed.0).commitment().to_string())
    .bind(seed.to_string())
    .bind(starts_at)
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    rounds::by_id(&mut **tx, row.try_get(0)?).await
}

/// What came of starting a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Begun,
    /// It is not committed any more: begun already, or cancelled.
    TooLate,
    /// Fewer than two are left, and there is no round.
    NobodyLeft,
}

/// Freezes the field of a round and offers its first matches.
pub async fn start(tx: &mut Tx, queue: &Queue, season: &Season, round: i64) -> Result<Start> {
    if !freeze(tx, season, round).await? {
        return Ok(Start::TooLate);
    }
    let is_first = sqlx::query("SELECT COUNT(*) FROM rounds WHERE season_id = $1 AND frozen_at IS NOT NULL")
        .bind(season.id)
        .fetch_one(&mut **tx)
        .await?
        .try_get::<i64, _>(0)?
        == 1;
    if is_first {
        // Those who may hand in later than the others, and did so since.
        entrants::number(tx, season, entrants::last_entry(season)).await?;
    }
    let players = let_go(tx, season.id).await?;
    if players.len() < 2 {
        end(tx, round, "cancelled", "fewer than two players are left").await?;
        return Ok(Start::NobodyLeft);
    }
    freeze_players(tx, round, &players).await?;
    advance(tx, queue, round).await?;
    Ok(Start::Begun)
}

async fn freeze(tx: &mut Tx, season: &Season, round: i64) -> Result<bool> {
    let frozen = sqlx::query(
        "UPDATE rounds SET state = 'playing', frozen_at = $1, title = $2, config = $3, match_ms = $4, round_ms = $5,
         memory_mib = $6, changes = changes + 1 WHERE id = $7 AND state = 'committed'",
    )
    .bind(now())
    .bind(&season.title)
    .bind(&season.config)
    .bind(season.match_ms)
    .bind(season.round_ms)
    .bind(season.memory_mib)
    .bind(round)
    .execute(&mut **tx)
    .await?;
    Ok(frozen.rows_affected() == 1)
}

/// Writes the frozen field of a round down. A final uses this too.
pub async fn freeze_players(tx: &mut Tx, round: i64, players: &[RoundPlayer]) -> Result<()> {
    for player in players {
        sqlx::query(
            "INSERT INTO round_players (round_id, author, account_id, submission_id, name, label, module)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(round)
        .bind(i64::from(player.author.0))
        .bind(player.account)
        .bind(player.submission)
        .bind(&player.name)
        .bind(&player.label)
        .bind(player.module.to_string())
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Lets those go who are withdrawn or locked, or have no player any more, and
/// gives the representatives of all the others.
async fn let_go(tx: &mut Tx, season: SeasonId) -> Result<Vec<RoundPlayer>> {
    let left: Vec<Author> = standing::in_transaction(tx, season).await?.left().collect();
    let mut choices = representatives::in_transaction(tx, season).await?;
    let names = course::in_transaction(tx).await?.names;
    let mut players = Vec::new();
    for entrant in entrants::list(&mut **tx, season).await? {
        let Some(author) = entrant.author.filter(|author| left.binary_search(author).is_ok()) else { continue };
        let choice = choices.remove(&entrant.account).unwrap_or_default();
        let reason = match (&entrant.leaving, choice.representative()) {
            (Some(reason), _) => reason.as_str(),
            (None, _) if entrant.is_locked => "the account is locked",
            (None, None) => "no accepted player is left",
            (None, Some(player)) => {
                players.push(RoundPlayer {
                    author,
                    account: entrant.account,
                    submission: player.submission,
                    name: player.name.clone(),
                    label: if names == Names::Everybody { label(&entrant.student) } else { String::new() },
                    module: player.module.parse().with_context(|| format!("the module of {}", player.name))?,
                    student: entrant.student,
                });
                continue;
            }
        };
        standing::record(tx, season, Departure::Withdrawn, author, None, (reason, None)).await?;
    }
    Ok(players)
}

/// A name as a round file takes it, whose texts have 256 bytes at most.
pub(super) fn label(name: &str) -> String {
    let mut label = name.to_owned();
    while label.len() > 256 {
        label.pop();
    }
    label
}

/// Takes a round as far as its results go: offers the matches of the next
/// stage, or ends it. Called in every transaction that stores a result of it.
pub async fn advance(tx: &mut Tx, queue: &Queue, id: i64) -> Result<()> {
    // Two jobs that end together are counted one after the other.
    let held = sqlx::query("UPDATE rounds SET changes = changes + 1 WHERE id = $1 AND state = 'playing'")
        .bind(id)
        .execute(&mut **tx)
        .await?;
    if held.rows_affected() == 0 || are_open(tx, id).await? {
        return Ok(());
    }
    let round = rounds::by_id(&mut **tx, id).await?;
    let players = rounds::players(&mut **tx, id).await?;
    let known = rounds::matches(&mut **tx, id).await?;
    let drawn = rounds::put_together(&round, rounds::field(&players)?, &known)?;
    match (drawn.stage(), drawn.elimination()) {
        (Some(stage), _) => plan(tx, queue, &round, &players, stage).await,
        (None, Some(elimination)) => conclude(tx, &round, elimination).await,
        (None, None) => unreachable!("a round without a stage is over"),
    }
}

/// Whether matches of a round are still to be played.
async fn are_open(tx: &mut Tx, round: i64) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM round_matches o JOIN matches m ON m.id = o.match_id WHERE o.round_id = $1 AND m.played = 0",
    )
    .bind(round)
    .fetch_one(&mut **tx)
    .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}

/// Plans the matches of a stage, and offers jobs that play a few of them each.
async fn plan(tx: &mut Tx, queue: &Queue, round: &Round, players: &[RoundPlayer], stage: &Stage) -> Result<()> {
    let reserve = seasons::by_id(&mut *tx, round.season_id).await?.reserve()?;
    let jobs = JOBS_PER_WORKER * workers(tx).await?;
    let in_job = stage.matches().len().div_ceil(jobs).min(MOST_IN_JOB);
    for together in stage.matches().chunks(in_job) {
        let mut job = None;
        for official in together {
            let places = Seat::ALL.map(|seat| place(players, reserve, official.seats()[seat]));
            let planned = Planned {
                season: round.season_id,
                purpose: Purpose::Official,
                verifies: None,
                training: None,
                seed: i64::from(official.seed()),
                places,
            };
            let id = matches::plan(tx, &planned).await?;
            let job = *job.get_or_insert(id);
            sqlx::query(
                "INSERT INTO round_matches (round_id, stage, place, match_id, job_match_id) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(round.id)
            .bind(i64::from(official.id().stage()))
            .bind(i64::from(official.id().group()))
            .bind(id)
            .bind(job)
            .execute(&mut **tx)
            .await?;
        }
        let Some(id) = job else { continue };
        let work = Work { job: Play { id }.into(), account: NOBODY, priority: Priority::Official, batch: round.id };
        queue.offer(tx, &work).await?;
    }
    if round.final_id.is_some() {
        let veil = "UPDATE matches SET veiled = 1 WHERE id IN (SELECT match_id FROM round_matches WHERE round_id = $1)";
        sqlx::query(veil).bind(round.id).execute(&mut **tx).await?;
    }
    Ok(())
}

/// How many workers there are, in all processes.
async fn workers(tx: &mut Tx) -> Result<usize> {
    let row = sqlx::query("SELECT CAST(COALESCE(SUM(workers), 0) AS BIGINT) FROM crews").fetch_one(&mut **tx).await?;
    let workers = usize::try_from(row.try_get::<i64, _>(0)?)?;
    Ok(if workers == 0 { USUAL_WORKERS } else { workers.min(256) })
}

fn place(players: &[RoundPlayer], reserve: &str, contender: Contender) -> Place {
    let of_author = |author| players.iter().find(|one| one.author == author);
    match contender.author().and_then(of_author) {
        Some(player) => Place { name: player.name.clone(), submission: Some(player.submission) },
        None => Place { name: reserve.to_owned(), submission: None },
    }
}

/// The end of a round: somebody is out.
async fn conclude(tx: &mut Tx, round: &Round, elimination: Elimination) -> Result<()> {
    sqlx::query("UPDATE rounds SET eliminated = $1, decided_by = $2 WHERE id = $3")
        .bind(i64::from(elimination.author.0))
        .bind(elimination.by.word())
        .bind(round.id)
        .execute(&mut **tx)
        .await?;
    end(tx, round.id, "over", "").await?;
    // What a round of a final means is its final's business.
    if round.final_id.is_none() {
        let author = elimination.author;
        standing::record(tx, round.season_id, Departure::Eliminated, author, Some(round.id), ("", None)).await?;
    }
    Ok(())
}

async fn end(tx: &mut Tx, round: i64, state: &'static str, cancelled: &str) -> Result<()> {
    sqlx::query(
        "UPDATE rounds SET state = $1, ended_at = $2, cancelled_reason = $3, changes = changes + 1 WHERE id = $4",
    )
    .bind(state)
    .bind(now())
    .bind(Some(cancelled).filter(|reason| !reason.is_empty()))
    .bind(round)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Cancels a round: before it starts, or while it is stopped because the
/// machine cannot play a match. Nobody is out, and the next one has a new seed.
/// False if it is over, or under way and well.
pub async fn cancel(tx: &mut Tx, round: i64, reason: &str) -> Result<bool> {
    let found = sqlx::query(
        "UPDATE rounds SET changes = changes + 1 WHERE id = $1 AND (state = 'committed' OR (state = 'playing' AND EXISTS (
             SELECT 1 FROM jobs j JOIN round_matches m ON m.match_id = j.subject
             WHERE j.kind = 'match' AND j.state = 'parked' AND m.round_id = $1)))",
    )
    .bind(round)
    .execute(&mut **tx)
    .await?;
    if found.rows_affected() == 0 {
        return Ok(false);
    }
    abandon(tx, round, reason).await?;
    Ok(true)
}

/// Ends a round that nobody is eliminated by, whatever is being played of it.
pub(super) async fn abandon(tx: &mut Tx, round: i64, reason: &str) -> Result<()> {
    end(tx, round, "cancelled", reason).await?;
    // Whoever is playing one of its matches finishes for nothing.
    sqlx::query(
        "UPDATE jobs SET state = 'done', finished_at = $1, lease = NULL WHERE kind = 'match' AND state <> 'done'
         AND subject IN (SELECT match_id FROM round_matches WHERE round_id = $2)",
    )
    .bind(now())
    .bind(round)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Has the matches of a round played again that were given up.
pub async fn retry(tx: &mut Tx, round: i64) -> Result<()> {
    sqlx::query(
        "UPDATE jobs SET state = 'waiting', failures = 0, strikes = 0, takes = 0, deaths = 0, kills = 0, not_before = 0
         WHERE kind = 'match' AND (state = 'parked' OR (state = 'waiting' AND not_before > 0))
         AND subject IN (SELECT match_id FROM round_matches WHERE round_id = $1)",
    )
    .bind(round)
    .execute(&mut **tx)
    .await?;
    sqlx::query("UPDATE rounds SET changes = changes + 1 WHERE id = $1").bind(round).execute(&mut **tx).await?;
    Ok(())
}

/// Undoes the last elimination of a season: its author is in again. The round
/// if there was one; none while a round is being played, whose field has been
/// frozen without them.
pub async fn undo(tx: &mut Tx, season: SeasonId, reason: &str, actor: AccountId) -> Result<Option<Round>> {
    let row = sqlx::query(
        "SELECT id FROM rounds WHERE season_id = $1 AND final_id IS NULL AND state = 'over' AND undone_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM rounds p WHERE p.season_id = $1 AND p.final_id IS NULL AND p.state = 'playing')
         ORDER BY number DESC LIMIT 1",
    )
    .bind(season)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let id = row.int("id")?;
    let done = sqlx::query(
        "UPDATE rounds SET undone_at = $1, undone_reason = $2, changes = changes + 1 WHERE id = $3 AND undone_at IS NULL",
    )
    .bind(now())
    .bind(reason)
    .bind(id)
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(None);
    }
    let round = rounds::by_id(&mut **tx, id).await?;
    if let Some(elimination) = round.elimination {
        let why = (reason, Some(actor));
        standing::record(tx, season, Departure::Undone, elimination.author, Some(id), why).await?;
    }
    Ok(Some(round))
}
