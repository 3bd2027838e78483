//! Jobs and crews as instructors see them, and what they can do about them.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use super::{Priority, Queue, State};
use crate::database::{Columns as _, NumberedPart, Page, Reader};
use crate::ids::JobId;
use crate::jobs::Job;
use crate::trouble::Trouble;

/// A job as instructors see it.
#[derive(Clone, Debug)]
pub struct Listing {
    pub id: JobId,
    /// None of a kind that only a newer Ludus knows.
    pub job: Option<Job>,
    pub account: String,
    pub priority: Priority,
    pub state: State,
    pub failures: i64,
    /// Whether it has killed whoever worked on it, again and again.
    pub is_deadly: bool,
    /// Whether it waits a while because it failed.
    pub is_delayed: bool,
    pub error: Option<String>,
    pub created_at: i64,
    pub finished_at: Option<i64>,
    /// The players or the season that it is about, for people.
    pub names: String,
}

impl FromRow<'_, AnyRow> for Listing {
    fn from_row(row: &AnyRow) -> sqlx::Result<Listing> {
        Ok(Listing {
            id: row.try_get("id")?,
            job: Job::of(&row.text("kind")?, row.int("subject")?),
            account: row.text("account")?,
            priority: row.try_get("priority")?,
            state: row.try_get("state")?,
            failures: row.int("failures")?,
            is_deadly: row.int("kills")? >= super::MOST_KILLS || row.int("deaths")? >= super::MOST_DEATHS,
            is_delayed: row.int("not_before")? > 0,
            error: row.maybe_text("error")?,
            created_at: row.int("created_at")?,
            finished_at: row.maybe_int("finished_at")?,
            names: row.maybe_text("names")?.unwrap_or_default(),
        })
    }
}

/// What every way of looking jobs `j` up selects.
macro_rules! select_jobs {
    () => {
        "SELECT j.id, j.kind, j.subject, j.priority, j.state, j.failures, j.kills, j.deaths, j.not_before, j.error,
         j.created_at, j.finished_at, COALESCE(a.name, '') AS account,
         CASE WHEN j.kind IN ('compile', 'compare') THEN (SELECT s.name FROM submissions s WHERE s.id = j.subject)
              WHEN j.kind IN ('match', 'proof') THEN COALESCE((SELECT x.name FROM seats x WHERE x.match_id = j.subject AND x.seat = 0), '')
                  || ', ' || COALESCE((SELECT x.name FROM seats x WHERE x.match_id = j.subject AND x.seat = 1), '')
                  || ', ' || COALESCE((SELECT x.name FROM seats x WHERE x.match_id = j.subject AND x.seat = 2), '')
                  || ', ' || COALESCE((SELECT x.name FROM seats x WHERE x.match_id = j.subject AND x.seat = 3), '')
              ELSE (SELECT e.title FROM seasons e WHERE e.id = j.subject) END AS names
         FROM jobs j LEFT JOIN accounts a ON a.id = j.account_id "
    };
}

/// The jobs that are not done, in a state or in any, those in trouble first.
pub async fn unfinished(mut from: impl Reader, state: Option<State>, page: Page) -> Result<NumberedPart<Listing>> {
    let state = state.map_or("", State::word);
    let total = sqlx::query_scalar("SELECT COUNT(*) FROM jobs WHERE state <> 'done' AND ($1 = '' OR state = $1)");
    let total = total.bind(state).fetch_one(from.executor()).await?;
    let items = sqlx::query_as(concat!(
        select_jobs!(),
        "WHERE j.state <> 'done' AND ($1 = '' OR j.state = $1)
         ORDER BY CASE j.state WHEN 'parked' THEN 0 WHEN 'running' THEN 1 ELSE 2 END, j.priority, j.turn, j.id
         LIMIT $2 OFFSET $3"
    ));
    let items = items.bind(state).bind(Page::SIZE).bind(page.offset()).fetch_all(from.executor()).await?;
    Ok(NumberedPart { items, total, page })
}

/// The jobs that were done last, the latest first.
pub async fn lately(mut from: impl Reader, most: i64) -> Result<Vec<Listing>> {
    let items = sqlx::query_as(concat!(
        select_jobs!(),
        "WHERE j.state = 'done' AND j.finished_at IS NOT NULL ORDER BY j.finished_at DESC LIMIT $1"
    ));
    Ok(items.bind(most).fetch_all(from.executor()).await?)
}

/// Workers that say that they are there: how many, how many jobs they have taken,
/// and why they take none.
#[derive(Clone, Debug)]
pub struct Workers {
    pub workers: i64,
    pub taken: i64,
    pub pause: Option<Trouble>,
}

/// The workers of every process.
pub async fn workers(mut from: impl Reader) -> Result<Vec<Workers>> {
    let rows = sqlx::query("SELECT workers, taken, pause FROM crews WHERE workers > 0 ORDER BY name");
    let rows = rows.fetch_all(from.executor()).await?;
    let workers = |row: &AnyRow| {
        let pause = row.maybe_text("pause")?.as_deref().and_then(Trouble::of_word);
        Ok(Workers { workers: row.int("workers")?, taken: row.int("taken")?, pause })
    };
    Ok(rows.iter().map(workers).collect::<sqlx::Result<_>>()?)
}

/// How much work of a kind there is.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub priority: Priority,
    pub waiting: i64,
    pub running: i64,
}

/// The work of every kind that everybody may know of: not that of a final which is
/// played in secret.
pub async fn load(mut from: impl Reader) -> Result<Vec<Load>> {
    let rows = sqlx::query(
        "SELECT j.priority, COUNT(CASE WHEN j.state = 'waiting' THEN 1 END) AS waiting,
         COUNT(CASE WHEN j.state = 'running' THEN 1 END) AS running FROM jobs j
         WHERE j.state <> 'done' AND NOT (j.kind = 'match' AND EXISTS (SELECT 1 FROM matches m
         WHERE m.id = j.subject AND m.veiled = 1)) GROUP BY j.priority",
    )
    .fetch_all(from.executor())
    .await?;
    // Comparing sources is the instructors' own affair.
    let shown = [Priority::Official, Priority::Verification, Priority::Training, Priority::Ladder];
    let mut loads = shown.map(|priority| Load { priority, waiting: 0, running: 0 });
    for row in &rows {
        let priority: Priority = row.try_get("priority")?;
        if let Some(load) = loads.get_mut(priority as usize) {
            (load.waiting, load.running) = (row.int("waiting")?, row.int("running")?);
        }
    }
    Ok(loads.to_vec())
}

/// How many jobs wait because they failed, for a while or for an instructor.
pub async fn failed(mut from: impl Reader) -> Result<i64> {
    let count = sqlx::query_scalar(
        "SELECT (SELECT COUNT(*) FROM jobs WHERE state <> 'done' AND state = 'parked')
         + (SELECT COUNT(*) FROM jobs WHERE state = 'waiting' AND not_before > 0)",
    );
    Ok(count.fetch_one(from.executor()).await?)
}

impl Queue {
    /// Lets a job that is parked or waits after a failure be tried at once;
    /// false if it is neither.
    pub async fn retry(&self, job: JobId) -> Result<bool> {
        let done = sqlx::query(
            "UPDATE jobs SET state = 'waiting', failures = 0, strikes = 0, takes = 0, deaths = 0, kills = 0, not_before = 0
             WHERE id = $1 AND (state = 'parked' OR (state = 'waiting' AND not_before > 0))",
        )
        .bind(job)
        .execute(self.database.write())
        .await?;
        self.announce();
        Ok(done.rows_affected() > 0)
    }

    /// The same for all of them, and an end to every pause of this process.
    /// Tells how many there were.
    pub async fn retry_all(&self) -> Result<u64> {
        let done = sqlx::query(
            "UPDATE jobs SET state = 'waiting', failures = 0, strikes = 0, takes = 0, deaths = 0, kills = 0, not_before = 0
             WHERE state = 'parked' OR (state = 'waiting' AND not_before > 0)",
        )
        .execute(self.database.write())
        .await?;
        self.breaker().hurry();
        self.announce();
        Ok(done.rows_affected())
    }

    /// What keeps the workers from working, if it keeps all of them.
    pub async fn trouble(&self) -> Result<Option<Trouble>> {
        let own = self.breaker().pause().map(|pause| pause.trouble);
        if own.is_none() && self.here.crew.workers() > 0 {
            return Ok(None);
        }
        let others = sqlx::query("SELECT pause FROM crews WHERE workers > 0 AND name <> $1")
            .bind(self.here.crew.name())
            .fetch_all(self.database.read())
            .await;
        // A database that does not answer has nobody working for it.
        let others = if own.is_some() { others.unwrap_or_default() } else { others? };
        let mut found = own;
        for row in &others {
            match row.maybe_text("pause")?.as_deref().and_then(Trouble::of_word) {
                Some(trouble) => found = Some(trouble),
                None => return Ok(None),
            }
        }
        Ok(found)
    }
}
