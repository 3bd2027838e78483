//! Players whose verdict the list of a season waits for.
//!
//! Nobody is left out because a machine was in trouble, so the list waits for
//! everybody who handed in something in time. Work that was given up would make it
//! wait for ever: instructors see whom it waits for and why, have it tried again,
//! or decide themselves.

use anyhow::Result;
use sqlx::Row as _;

use super::entrants::last_entry;
use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::{AccountId, JobId, SeasonId, SubmissionId};
use crate::queue::State;
use crate::seasons::{self, Season};
use crate::submissions::{self, Reason, Verdict};

/// Players that are named, at most.
const MOST: i64 = 100;

/// A player without a verdict that was handed in before the deadline.
#[derive(Clone, Debug)]
pub struct Awaited {
    pub submission: SubmissionId,
    pub name: String,
    pub account: AccountId,
    pub student: String,
    /// The work that it waits for; none if nobody has anything to do for it.
    pub job: Option<Unfinished>,
}

#[derive(Clone, Debug)]
pub struct Unfinished {
    pub id: JobId,
    pub state: State,
    /// Whether it has failed, by whomever's fault.
    pub has_failed: bool,
    pub error: Option<String>,
}

impl Awaited {
    /// Whether somebody should look at it: the work has failed, or there is none.
    pub fn is_in_trouble(&self) -> bool {
        self.job.as_ref().is_none_or(|job| job.state == State::Parked || job.has_failed)
    }

    pub fn is_given_up(&self) -> bool {
        self.job.as_ref().is_none_or(|job| job.state == State::Parked)
    }
}

/// All that the list of a season waits for; nothing before the last entry.
pub async fn of_season(mut from: impl Reader, season: &Season, time: i64) -> Result<Vec<Awaited>> {
    let last = last_entry(season);
    if time < last {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(
        "SELECT s.id, s.name, s.account_id, a.name AS student FROM submissions s JOIN accounts a ON a.id = s.account_id
         WHERE s.season_id = $1 AND s.created_at < $2 AND s.decided_at IS NULL ORDER BY s.id LIMIT $3",
    );
    let rows = rows.bind(season.id).bind(last).bind(MOST).fetch_all(from.executor()).await?;
    let mut awaited = Vec::new();
    for row in &rows {
        let submission = row.try_get("id")?;
        awaited.push(Awaited {
            submission,
            name: row.text("name")?,
            account: row.try_get("account_id")?,
            student: row.text("student")?,
            job: unfinished(&mut from, submission).await?,
        });
    }
    Ok(awaited)
}

/// The work for a submission that is not done, what is in trouble first.
async fn unfinished(from: &mut impl Reader, submission: SubmissionId) -> Result<Option<Unfinished>> {
    let row = sqlx::query(
        "SELECT id, state, failures + strikes + deaths + kills AS troubles, error FROM jobs
         WHERE state <> 'done' AND ((kind = 'compile' AND subject = $1)
         OR (kind = 'match' AND subject IN (SELECT m.id FROM matches m WHERE m.submission_id = $1)))
         ORDER BY CASE WHEN state = 'parked' THEN 0 ELSE 1 END, failures + strikes + deaths + kills DESC, id LIMIT 1",
    );
    let Some(row) = row.bind(submission).fetch_optional(from.executor()).await? else { return Ok(None) };
    Ok(Some(Unfinished {
        id: row.try_get("id")?,
        state: row.try_get("state")?,
        has_failed: row.int("troubles")? > 0,
        error: row.maybe_text("error")?,
    }))
}

/// Has all failed work for a submission tried again at once. False if there is none.
pub async fn try_again(tx: &mut Tx, submission: SubmissionId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE jobs SET state = 'waiting', failures = 0, strikes = 0, takes = 0, deaths = 0, kills = 0, not_before = 0
         WHERE (state = 'parked' OR (state = 'waiting' AND not_before > 0)) AND ((kind = 'compile' AND subject = $1)
         OR (kind = 'match' AND subject IN (SELECT m.id FROM matches m WHERE m.submission_id = $1)))",
    );
    Ok(done.bind(submission).execute(&mut **tx).await?.rows_affected() > 0)
}

/// Rejects a player that the machines came to no verdict about; nobody works for
/// it any more. False if there is a verdict, or nothing has gone wrong.
pub async fn reject(tx: &mut Tx, submission: SubmissionId, reason: &str) -> Result<bool> {
    submissions::hold(tx, submission).await?;
    let found = submissions::find(&mut *tx, submission).await?;
    let is_stuck = match found.filter(|found| !found.stage.is_verdict()) {
        Some(_) => {
            unfinished(&mut &mut *tx, submission).await?.is_none_or(|job| job.state == State::Parked || job.has_failed)
        }
        None => false,
    };
    if !is_stuck {
        return Ok(false);
    }
    let done = sqlx::query(
        "UPDATE jobs SET state = 'done', lease = NULL, finished_at = $1
         WHERE state <> 'done' AND ((kind = 'compile' AND subject = $2)
         OR (kind = 'match' AND subject IN (SELECT m.id FROM matches m WHERE m.submission_id = $2)))",
    );
    done.bind(now()).bind(submission).execute(&mut **tx).await?;
    submissions::decide(tx, submission, &Verdict::Rejected(Reason::Instructor(reason.to_owned()))).await?;
    Ok(true)
}

/// The seasons whose list is due and not made, each with what it waits for.
pub async fn overdue(database: &Database, time: i64) -> Result<Vec<(Season, Vec<Awaited>)>> {
    let ids: Vec<SeasonId> = sqlx::query_scalar(
        "SELECT e.id FROM seasons e JOIN schedules c ON c.season_id = e.id
         WHERE c.entered_at IS NULL AND e.deadline_at <= $1 AND EXISTS (
             SELECT 1 FROM submissions s WHERE s.season_id = e.id AND s.decided_at IS NULL) ORDER BY e.id",
    )
    .bind(time)
    .fetch_all(database.read())
    .await?;
    let mut overdue = Vec::new();
    for id in ids {
        let season = seasons::by_id(database, id).await?;
        let awaited = of_season(database, &season, time).await?;
        if !awaited.is_empty() {
            overdue.push((season, awaited));
        }
    }
    Ok(overdue)
}
