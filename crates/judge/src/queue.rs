//! Where work is handed out.
//!
//! Work is offered inside the transaction that makes it necessary, taken under
//! a lease, and given back finished or failed. A worker that dies lets its
//! lease run out, and the work is taken again: a job may be *done* twice, so
//! whoever finishes one writes its result under a condition that holds once
//! (see `verification`). This is all that a queue on other machines must keep.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use sqlx::Row as _;
use tokio::sync::Notify;

use crate::database::{Columns as _, Database, Listed, Page, Tx, now};
use crate::secrets;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Compile a submission.
    Compile,
    /// Play a match.
    Match,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Compile => "compile",
            Kind::Match => "match",
        }
    }

    fn of(word: &str) -> Kind {
        if word == "compile" { Kind::Compile } else { Kind::Match }
    }
}

/// What goes first: a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    Official = 0,
    Verification = 1,
    Training = 2,
    Ladder = 3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub kind: Kind,
    /// The submission or the match.
    pub subject: i64,
    /// For whom it is done.
    pub account: i64,
    pub priority: Priority,
    /// What it is a part of; a batch begun goes before the next one.
    pub batch: i64,
}

/// A job that is somebody's for a while.
#[derive(Clone, Debug)]
pub struct Lease {
    pub job: i64,
    pub kind: Kind,
    pub subject: i64,
    /// How often it has failed before.
    pub failures: i64,
    token: String,
}

/// The interface between what needs work done and what does it.
pub trait Dispatch: Send + Sync {
    /// Adds work as part of a transaction. Work that is known already is left alone.
    fn offer(&self, tx: &mut Tx, work: &Work) -> impl Future<Output = Result<()>> + Send;
    /// The next job for a worker, if there is one.
    fn take(&self) -> impl Future<Output = Result<Option<Lease>>> + Send;
    /// Keeps a lease alive. False if somebody else has the job by now.
    fn extend(&self, lease: &Lease) -> impl Future<Output = Result<bool>> + Send;
    /// Marks a job as done, as part of the transaction that stores its result.
    /// False if somebody else has the job by now, and then nothing may be stored.
    fn finish(&self, tx: &mut Tx, lease: &Lease) -> impl Future<Output = Result<bool>> + Send;
    /// Gives a job back after a failure of the infrastructure.
    fn fail(&self, lease: &Lease, error: &str) -> impl Future<Output = Result<()>> + Send;
}

/// The queue in the database.
#[derive(Clone, Debug)]
pub struct Queue {
    database: Database,
    lease: Duration,
    news: Arc<Notify>,
}

/// Failures after which a job waits for an instructor.
const MOST_FAILURES: i64 = 5;
/// Takes after which a job is suspected of killing its workers.
const MOST_TAKES: i64 = 40;

impl Queue {
    pub const LEASE: Duration = Duration::from_secs(15);

    pub fn new(database: Database, lease: Duration) -> Queue {
        Queue { database, lease, news: Arc::default() }
    }

    /// How often a lease should be extended.
    pub fn heartbeat(&self) -> Duration {
        self.lease / 3
    }

    /// Wakes the workers of this process, after the commit of an offer.
    pub fn announce(&self) {
        self.news.notify_waiters();
        // For a worker that was about to wait.
        self.news.notify_one();
    }

    /// Waits until work may have come, from this process or another.
    pub async fn wait(&self) {
        // Time passing is news too: leases run out.
        let _ = tokio::time::timeout(Duration::from_millis(500), self.news.notified()).await;
    }

    /// Lets a parked job be tried again.
    pub async fn retry(&self, job: i64) -> Result<()> {
        sqlx::query(
            "UPDATE jobs SET state = 'waiting', failures = 0, takes = 0, not_before = 0 WHERE id = $1 AND state = 'parked'",
        )
        .bind(job)
        .execute(self.database.write())
        .await?;
        self.announce();
        Ok(())
    }

    async fn next(&self) -> Result<Option<Lease>> {
        let time = now();
        let row = sqlx::query(
            "SELECT j.id, j.kind, j.subject, j.failures, j.account_id FROM jobs j
             LEFT JOIN turns t ON t.account_id = j.account_id
             LEFT JOIN (SELECT account_id, COUNT(*) AS running FROM jobs WHERE state = 'running' AND lease_until >= $1
                        GROUP BY account_id) r ON r.account_id = j.account_id
             WHERE (j.state = 'waiting' AND j.not_before <= $2) OR (j.state = 'running' AND j.lease_until < $3)
             ORDER BY j.priority, COALESCE(r.running, 0), COALESCE(t.taken_at, 0), j.batch, j.id LIMIT 1",
        )
        .bind(time)
        .bind(time)
        .bind(time)
        .fetch_optional(self.database.read())
        .await?;
        let Some(row) = row else { return Ok(None) };
        let lease = Lease {
            job: row.int("id")?,
            kind: Kind::of(&row.text("kind")?),
            subject: row.int("subject")?,
            failures: row.int("failures")?,
            token: secrets::token(),
        };
        if self.claim(&lease, row.int("account_id")?, time).await? {
            Ok(Some(lease))
        } else {
            Box::pin(self.next()).await
        }
    }

    /// Takes the job unless another worker was faster.
    async fn claim(&self, lease: &Lease, account: i64, time: i64) -> Result<bool> {
        let mut tx = self.database.begin().await?;
        let claimed = sqlx::query(
            "UPDATE jobs SET state = CASE WHEN takes >= $1 THEN 'parked' ELSE 'running' END, takes = takes + 1,
             error = CASE WHEN takes >= $1 THEN 'its workers keep dying' ELSE error END, lease = $2, lease_until = $3
             WHERE id = $4 AND ((state = 'waiting' AND not_before <= $5) OR (state = 'running' AND lease_until < $5))
             RETURNING state",
        )
        .bind(MOST_TAKES)
        .bind(&lease.token)
        .bind(time + self.lease.as_millis() as i64)
        .bind(lease.job)
        .bind(time)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(state) = claimed else { return Ok(false) };
        sqlx::query(
            "INSERT INTO turns (account_id, taken_at) VALUES ($1, $2)
             ON CONFLICT (account_id) DO UPDATE SET taken_at = excluded.taken_at",
        )
        .bind(account)
        .bind(time)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(state.text("state")? == "running")
    }
}

impl Dispatch for Queue {
    async fn offer(&self, tx: &mut Tx, work: &Work) -> Result<()> {
        sqlx::query(
            "INSERT INTO jobs (kind, subject, account_id, priority, batch, state, created_at)
             VALUES ($1, $2, $3, $4, $5, 'waiting', $6) ON CONFLICT (kind, subject) DO NOTHING",
        )
        .bind(work.kind.word())
        .bind(work.subject)
        .bind(work.account)
        .bind(work.priority as i64)
        .bind(work.batch)
        .bind(now())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    async fn take(&self) -> Result<Option<Lease>> {
        self.next().await
    }

    async fn extend(&self, lease: &Lease) -> Result<bool> {
        let done = sqlx::query("UPDATE jobs SET lease_until = $1 WHERE id = $2 AND state = 'running' AND lease = $3")
            .bind(now() + self.lease.as_millis() as i64)
            .bind(lease.job)
            .bind(&lease.token)
            .execute(self.database.write())
            .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn finish(&self, tx: &mut Tx, lease: &Lease) -> Result<bool> {
        let done = sqlx::query(
            "UPDATE jobs SET state = 'done', finished_at = $1, error = NULL WHERE id = $2 AND state = 'running' AND lease = $3",
        )
        .bind(now())
        .bind(lease.job)
        .bind(&lease.token)
        .execute(&mut **tx)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    async fn fail(&self, lease: &Lease, error: &str) -> Result<()> {
        sqlx::query(
            "UPDATE jobs SET state = CASE WHEN failures + 1 >= $1 THEN 'parked' ELSE 'waiting' END,
             failures = failures + 1, error = $2, not_before = $3 + 1000 * failures
             WHERE id = $4 AND state = 'running' AND lease = $5",
        )
        .bind(MOST_FAILURES)
        .bind(error)
        .bind(now())
        .bind(lease.job)
        .bind(&lease.token)
        .execute(self.database.write())
        .await?;
        Ok(())
    }
}

/// A job as instructors see it.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: i64,
    pub kind: Kind,
    pub subject: i64,
    pub account: String,
    pub priority: i64,
    pub state: String,
    pub failures: i64,
    pub error: Option<String>,
    pub created_at: i64,
}

/// The jobs that are not done, in a state or in any, those in trouble first.
pub async fn unfinished(database: &Database, state: &str, page: Page) -> Result<Listed<Job>> {
    let rows = sqlx::query(
        "SELECT j.id, j.kind, j.subject, j.priority, j.state, j.failures, j.error, j.created_at, a.name AS account
         FROM jobs j JOIN accounts a ON a.id = j.account_id WHERE j.state <> 'done' AND ($1 = '' OR j.state = $1)
         ORDER BY CASE j.state WHEN 'parked' THEN 0 WHEN 'running' THEN 1 ELSE 2 END, j.priority, j.id LIMIT $2 OFFSET $3",
    )
    .bind(state)
    .bind(Page::SIZE)
    .bind(page.offset())
    .fetch_all(database.read())
    .await?;
    let total = sqlx::query("SELECT COUNT(*) FROM jobs WHERE state <> 'done' AND ($1 = '' OR state = $1)")
        .bind(state)
        .fetch_one(database.read())
        .await?;
    let items = rows.iter().map(|row| {
        Ok(Job {
            id: row.int("id")?,
            kind: Kind::of(&row.text("kind")?),
            subject: row.int("subject")?,
            account: row.text("account")?,
            priority: row.int("priority")?,
            state: row.text("state")?,
            failures: row.int("failures")?,
            error: row.maybe_text("error")?,
            created_at: row.int("created_at")?,
        })
    });
    Ok(Listed { items: items.collect::<sqlx::Result<_>>()?, total: total.try_get(0)?, page })
}
