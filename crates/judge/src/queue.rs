//! Where work is handed out.
//!
//! Work is offered inside the transaction that makes it necessary, taken under
//! a lease, and given back finished or failed. A worker that dies lets its
//! lease run out, and the work is taken again: a job may be *done* twice, so
//! whoever finishes one writes its result under a condition that holds once
//! (see `jobs`). This is all that a queue on other machines must keep.
//!
//! Nothing here compares times of two clocks. Who has a job counts up; who waits
//! for it watches the count by a clock of its own that nobody can set.

mod breaker;
mod crew;
mod health;
mod listing;
mod order;
mod sweep;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sqlx::Row as _;
use tokio::sync::Notify;

use crate::clock::{paced, steady};
use crate::database::{Columns as _, Database, Dialect, Tx, many, now, stored_as};
use crate::ids::{AccountId, JobId};
use crate::jobs::Job;
use crate::ladder::LADDER;
use crate::likeness::COMPARING;
use crate::patience::Patience;
use crate::words::words;

pub use breaker::{Breaker, Pause};
pub use crew::Crew;
pub use health::Health;
use order::Whose;

pub use listing::{Listing, Load, Workers, failed, lately, load, unfinished, workers};

/// What goes first: a smaller number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    Official = 0,
    Verification = 1,
    Training = 2,
    Ladder = 3,
    /// Whatever nobody waits for and that can always wait.
    Comparison = 4,
}

impl Priority {
    /// Whether it is done only while nobody waits for anything.
    pub fn is_idle(self) -> bool {
        matches!(self, Priority::Ladder | Priority::Comparison)
    }

    const ALL: [Priority; 5] =
        [Priority::Official, Priority::Verification, Priority::Training, Priority::Ladder, Priority::Comparison];

    fn of(number: i64) -> Option<Priority> {
        Priority::ALL.into_iter().find(|priority| *priority as i64 == number)
    }
}

stored_as!(Priority, i64, |priority| *priority as i64, Priority::of);

words! {
    pub enum State {
        Waiting = "waiting",
        Running = "running",
        Done = "done",
        /// It waits for an instructor.
        Parked = "parked",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub job: Job,
    /// For whom it is done.
    pub account: AccountId,
    pub priority: Priority,
    /// What it is a part of; a batch begun goes before the next one.
    pub batch: i64,
}

/// A job that is somebody's for a while.
#[derive(Debug)]
pub struct Lease {
    pub id: JobId,
    pub job: Job,
    /// How often it has failed before.
    pub failures: i64,
    /// Whether a process has died that had it. It may have been the cause.
    pub is_suspect: bool,
    /// How long it may take before others go first; none for what nobody waits
    /// behind, official matches and the ladder.
    pub patience: Option<Patience>,
    pub(crate) token: String,
    /// Gone when this is dropped: whoever lets go of a lease has lost the job.
    _held: Option<Held>,
}

impl Lease {
    /// What a trace says of a job.
    pub(crate) fn traced(&self) -> [(&'static str, String); 3] {
        let (kind, subject) = (self.job.kind().to_owned(), self.job.subject().to_string());
        [("job", self.id.to_string()), ("kind", kind), ("subject", subject)]
    }

    /// A lease that another process has taken for this one.
    pub(crate) fn handed_on(id: JobId, job: Job, failures: i64, token: String) -> Lease {
        Lease { id, job, failures, is_suspect: true, patience: None, token, _held: None }
    }
}

/// Who is to blame for a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// The job: it fails on a machine that is well.
    Job,
    /// The job: it held a worker for as long as any job may, and did not end.
    Length,
    /// The machine, though it is well by now. The job waits, and loses nothing.
    Moment,
    /// The machine, and it still is in trouble. The job waits for the machine.
    Machine,
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
    fn fail(&self, lease: &Lease, error: &str, blame: Blame) -> impl Future<Output = Result<()>> + Send;
    /// Gives a job back of which the process died that did nothing else.
    fn fail_deadly(&self, lease: &Lease, error: &str) -> impl Future<Output = Result<()>> + Send;
}

/// The queue in the database.
#[derive(Clone, Debug)]
pub struct Queue {
    database: Database,
    lease: Duration,
    here: Arc<Here>,
}

/// What this process knows of the queue.
#[derive(Debug)]
struct Here {
    news: Notify,
    crew: Crew,
    breaker: Breaker,
    /// The leases that are alive in this process.
    held: Mutex<HashMap<String, Holder>>,
    /// Jobs that took longer than there was patience for, and what they have now.
    slow: Mutex<HashMap<JobId, Patience>>,
    /// Jobs that did not go well together with others.
    alone: Mutex<HashSet<JobId>>,
    /// Small jobs that are taken with another.
    company: AtomicI64,
    /// Whether the job that was taken last was official.
    took_official: AtomicBool,
    /// Whether the last job that was taken while nobody waited was a ladder's.
    took_ladder: AtomicBool,
    /// How long idle work keeps away after somebody's verdict, and since when.
    rest: Duration,
    verified: Mutex<Option<Duration>>,
    /// The leases of others, as they were when they last changed.
    watched: Mutex<sweep::Watched>,
    looks: tokio::sync::Mutex<health::Looks>,
}

/// For whom a job is done, and with how much patience.
#[derive(Clone, Copy, Debug)]
struct Holder {
    account: AccountId,
    priority: Priority,
    patience: Option<Patience>,
}

impl Here {
    fn held(&self) -> MutexGuard<'_, HashMap<String, Holder>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slow(&self) -> MutexGuard<'_, HashMap<JobId, Patience>> {
        self.slow.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Here {
    /// Whether idle work would take its time from somebody who waits for a verdict,
    /// or from the next one who comes: they come close together on the last night,
    /// and what is begun in between is there when they have come. Of many workers
    /// some are left over all the same, and a fleet is never without verdicts.
    fn is_for_verdicts(&self) -> bool {
        let verified = *self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        self.holds_back(&self.held()) || verified.is_some_and(|since| steady() < since.saturating_add(self.rest))
    }

    /// Whether those who wait for a verdict have a good part of the workers.
    fn holds_back(&self, held: &HashMap<String, Holder>) -> bool {
        let awaited = held.values().filter(|holder| holder.priority == Priority::Verification).count();
        awaited > 0 && awaited * LEFT_OVER >= self.crew.workers()
    }

    fn alone(&self) -> MutexGuard<'_, HashSet<JobId>> {
        self.alone.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The presence of a lease among those of this process.
#[derive(Debug)]
struct Held(Arc<Here>, String);

impl Drop for Held {
    fn drop(&mut self) {
        let mut held = self.0.held();
        let held_back = self.0.holds_back(&held);
        let was = held.remove(&self.1);
        if held_back && was.is_some_and(|was| was.priority == Priority::Verification) {
            *self.0.verified.lock().unwrap_or_else(PoisonError::into_inner) = Some(steady());
        }
    }
}

/// What a job waits for after each failure of its own, in milliseconds. After
/// one more it waits for an instructor.
const BACKOFF: [i64; 6] = [5_000, 30_000, 180_000, 900_000, 3_600_000, 10_800_000];
/// The same for official matches: a whole round waits for each of them, so an
/// instructor is asked soon.
const OFFICIAL_BACKOFF: [i64; 2] = [BACKOFF[0], BACKOFF[1]];
/// The same for what has held a worker for a quarter of an hour and did not end:
/// whoever waits for that worker goes first, and it is tried three times in all.
const LONG_BACKOFF: [i64; 2] = [900_000, 3_600_000];
/// The turns that go before a job for each time that it has failed.
const GIVES_WAY: i64 = 20;
/// Small jobs that are taken with another at first.
const FIRST_COMPANY: i64 = 7;
/// Idle work is done while the verdicts under way have less than one of so many workers.
const LEFT_OVER: usize = 4;
/// What a job waits for at most that failed because of the machine.
const LONGEST_STRIKE: i64 = 600_000;
/// A suspect is done by a process of its own, and parked when it has killed this
/// many: with the first death that makes three tries.
const MOST_KILLS: i64 = 2;
/// Deaths in whatever company after which a job is parked all the same: it may
/// take the whole machine with it, so that nobody is left to see it.
const MOST_DEATHS: i64 = 12;
/// What a job waits for after the deaths of those who had it, in milliseconds.
const MOURNING: [i64; 7] = [0, 0, 2_000, 10_000, 60_000, 600_000, 3_600_000];

impl Queue {
    pub const LEASE: Duration = Duration::from_secs(15);
    /// How long a judge leaves its workers free after a verdict for the next one.
    pub const REST: Duration = Duration::from_secs(3);

    pub fn new(database: Database, lease: Duration) -> Queue {
        Queue::of_crew(database, lease, Crew::unknown(1))
    }

    pub fn of_crew(database: Database, lease: Duration, crew: Crew) -> Queue {
        Queue::resting(database, lease, crew, Duration::ZERO)
    }

    /// A queue that hands out no idle work for so long after a verdict.
    pub fn resting(database: Database, lease: Duration, crew: Crew, rest: Duration) -> Queue {
        let here = Here {
            news: Notify::default(),
            crew,
            breaker: Breaker::default(),
            held: Mutex::default(),
            slow: Mutex::default(),
            alone: Mutex::default(),
            company: AtomicI64::new(FIRST_COMPANY),
            took_official: AtomicBool::default(),
            took_ladder: AtomicBool::default(),
            rest,
            verified: Mutex::default(),
            watched: Mutex::default(),
            looks: tokio::sync::Mutex::default(),
        };
        Queue { database, lease, here: Arc::new(here) }
    }

    /// How often a lease should be extended.
    pub fn heartbeat(&self) -> Duration {
        self.lease / 3
    }

    /// Why this process takes no work, when it does not.
    pub fn breaker(&self) -> &Breaker {
        &self.here.breaker
    }

    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Says how many jobs this process can do at a time.
    pub fn set_workers(&self, workers: usize) {
        self.here.crew.set_workers(workers);
    }

    /// Wakes the workers of this process, after the commit of an offer.
    pub fn announce(&self) {
        self.here.news.notify_waiters();
        // For a worker that was about to wait.
        self.here.news.notify_one();
    }

    /// Waits until work may have come, from this process or another.
    pub async fn wait(&self) {
        // Time passing is news too: leases run out.
        let _ = tokio::time::timeout(Duration::from_millis(500), self.here.news.notified()).await;
    }
}

const OFFER: &str = "INSERT INTO jobs (kind, subject, account_id, priority, batch, turn, rank, state, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8) ON CONFLICT (kind, subject) DO NOTHING";
const EXTEND: &str = "UPDATE jobs SET beats = beats + 1 WHERE id = $1 AND state = 'running' AND lease = $2";
const FINISH: &str =
    "UPDATE jobs SET state = 'done', finished_at = $1, error = NULL WHERE id = $2 AND state = 'running' AND lease = $3";

/// Ending jobs that were taken together, if they are still theirs.
fn finish_of(jobs: &str) -> String {
    format!(
        "UPDATE jobs SET state = 'done', finished_at = $1, error = NULL
         WHERE id IN ({jobs}) AND state = 'running' AND lease = CAST($2 AS TEXT) || '-' || id RETURNING id"
    )
}

/// All that the life of a job asks of the database, from being offered to being
/// done, for tests of how it is answered: none of it may cost more when more wait.
pub fn statements(dialect: Dialect) -> Vec<String> {
    let of_some = [order::claim_of("$3, $4", dialect), finish_of("$3, $4")];
    let of_one =
        [OFFER, EXTEND, FINISH, order::TURN_OF, order::NEXT_TURN, order::BETTER_WORK, sweep::DUE, sweep::RUNNING];
    of_one.into_iter().chain(order::FRONT).map(str::to_owned).chain(of_some).collect()
}

impl Dispatch for Queue {
    async fn offer(&self, tx: &mut Tx, work: &Work) -> Result<()> {
        let turn = order::turn_of(tx, work).await?;
        let offer = sqlx::query(OFFER).bind(work.job.kind()).bind(work.job.subject()).bind(work.account);
        let offer = offer.bind(work.priority).bind(work.batch).bind(turn).bind(work.job.rank()).bind(now());
        offer.execute(&mut **tx).await?;
        Ok(())
    }

    async fn take(&self) -> Result<Option<Lease>> {
        self.sweep().await?;
        self.next(Whose::Anybodys).await
    }

    async fn extend(&self, lease: &Lease) -> Result<bool> {
        let done = sqlx::query(EXTEND).bind(lease.id).bind(&lease.token).execute(self.database.write()).await?;
        Ok(done.rows_affected() == 1)
    }

    async fn finish(&self, tx: &mut Tx, lease: &Lease) -> Result<bool> {
        let done = sqlx::query(FINISH).bind(now()).bind(lease.id).bind(&lease.token).execute(&mut **tx).await?;
        Ok(done.rows_affected() == 1)
    }

    /// What failed gives way to what has not.
    async fn fail(&self, lease: &Lease, error: &str, blame: Blame) -> Result<()> {
        let is_of_the_job = matches!(blame, Blame::Job | Blame::Length);
        let (failure, strike) = (i64::from(is_of_the_job), i64::from(blame == Blame::Moment));
        let mut tx = self.database.begin().await?;
        let row = sqlx::query(
            "UPDATE jobs SET failures = failures + $1, strikes = strikes + $2, error = $3, lease = NULL,
             turn = CASE WHEN $1 = 0 THEN turn
                    ELSE (SELECT t.turn FROM turns t WHERE t.account_id = 0) + $4 * (failures + 1) END
             WHERE id = $5 AND state = 'running' AND lease = $6 RETURNING failures, strikes, priority",
        )
        .bind(failure)
        .bind(strike)
        .bind(error)
        .bind(GIVES_WAY)
        .bind(lease.id)
        .bind(&lease.token)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(()) };
        let delay = match blame {
            Blame::Job => backoff(row.int("priority")?).get(row.int("failures")? as usize - 1).copied(),
            Blame::Length => LONG_BACKOFF.get(row.int("failures")? as usize - 1).copied(),
            Blame::Moment => Some((1000 << row.int("strikes")?.min(12)).min(LONGEST_STRIKE)),
            Blame::Machine => Some(0),
        };
        self.put_back(&mut tx, lease.id, delay).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn fail_deadly(&self, lease: &Lease, error: &str) -> Result<()> {
        let mut tx = self.database.begin().await?;
        let row = sqlx::query(
            "UPDATE jobs SET kills = kills + 1, error = $1, lease = NULL
             WHERE id = $2 AND state = 'running' AND lease = $3 RETURNING kills",
        )
        .bind(error)
        .bind(lease.id)
        .bind(&lease.token)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(()) };
        let kills = row.int("kills")?;
        self.put_back(&mut tx, lease.id, (kills < MOST_KILLS).then_some(BACKOFF[0])).await?;
        tx.commit().await?;
        Ok(())
    }
}

fn backoff(priority: i64) -> &'static [i64] {
    if priority == Priority::Official as i64 { &OFFICIAL_BACKOFF } else { &BACKOFF }
}

impl Queue {
    /// Offers work that is done again and again. What is not done yet is left alone.
    pub async fn offer_again(&self, tx: &mut Tx, work: &Work) -> Result<()> {
        self.offer(tx, work).await?;
        let turn = order::next_turn(tx, work.account).await?;
        sqlx::query(
            "UPDATE jobs SET state = 'waiting', turn = $1, lease = NULL, not_before = 0, takes = 0, failures = 0,
             strikes = 0, deaths = 0, kills = 0, overruns = 0, created_at = $2, finished_at = NULL
             WHERE kind = $3 AND subject = $4 AND state = 'done'",
        )
        .bind(turn)
        .bind(now())
        .bind(work.job.kind())
        .bind(work.job.subject())
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Whether whoever plays for the ladder should stop: somebody waits, for a
    /// verdict that is under way too, or there is work for all the workers of this
    /// process.
    pub async fn has_better_work(&self) -> Result<bool> {
        if self.here.is_for_verdicts() || self.held_for_people() >= self.here.crew.workers().max(1) {
            return Ok(true);
        }
        let waits = sqlx::query(order::BETTER_WORK).fetch_optional(self.database.read()).await?;
        Ok(waits.is_some())
    }

    fn held_for_people(&self) -> usize {
        self.here.held().values().filter(|holder| ![LADDER, COMPARING].contains(&holder.account)).count()
    }

    /// The next jobs, taken together: as many as there are, up to `most`. Each may
    /// have some small ones with it that are done best together.
    pub async fn take_several(&self, most: usize) -> Result<Vec<Vec<Lease>>> {
        self.sweep().await?;
        self.several(Whose::Anybodys, most, self.company()).await
    }

    /// Marks jobs that were taken together as done, as [`Dispatch::finish`] does,
    /// and says which were still theirs.
    pub async fn finish_several(&self, tx: &mut Tx, leases: &[&Lease]) -> Result<HashSet<JobId>> {
        let mut ours = HashSet::new();
        let Some((name, _)) = leases.first().and_then(|lease| lease.token.rsplit_once('-')) else { return Ok(ours) };
        let (jobs, count) = many::placeholders(3, leases.len());
        let mut done = sqlx::query(sqlx::AssertSqlSafe(finish_of(&jobs))).bind(now()).bind(name);
        for job in many::filled(leases.iter().map(|lease| lease.id.0), count) {
            done = done.bind(job);
        }
        for row in done.fetch_all(&mut **tx).await? {
            ours.insert(row.try_get("id")?);
        }
        Ok(ours)
    }

    /// Lets a job be done alone the next time, which did not go well with others.
    pub fn leave_alone(&self, lease: &Lease) {
        self.here.alone().insert(lease.id);
    }

    /// The next job that is better than one of the ladder, to be done beside it.
    pub async fn take_better(&self) -> Result<Option<Lease>> {
        self.next(Whose::NotTheLadders).await
    }

    /// The next job of somebody for whom this process is doing nothing.
    pub async fn take_of_others(&self) -> Result<Option<Lease>> {
        self.next(Whose::Others).await
    }

    /// Counts that a player ran past its time in the match of a job: how often
    /// that has happened, if the job is still this lease's.
    pub async fn overran(&self, tx: &mut Tx, lease: &Lease) -> Result<Option<i64>> {
        let row = sqlx::query(
            "UPDATE jobs SET overruns = overruns + 1 WHERE id = $1 AND state = 'running' AND lease = $2 RETURNING overruns",
        )
        .bind(lease.id)
        .bind(&lease.token)
        .fetch_optional(&mut **tx)
        .await?;
        Ok(row.map(|row| row.int("overruns")).transpose()?)
    }

    /// Gives a job back that is to go on after a while, though nothing has failed.
    /// False if it is not this lease's any more.
    pub async fn postpone(&self, tx: &mut Tx, lease: &Lease, delay: i64) -> Result<bool> {
        let given = sqlx::query("UPDATE jobs SET lease = NULL WHERE id = $1 AND state = 'running' AND lease = $2");
        let given = given.bind(lease.id).bind(&lease.token).execute(&mut **tx).await?;
        if given.rows_affected() == 1 {
            self.put_back(tx, lease.id, Some(delay)).await?;
        }
        Ok(given.rows_affected() == 1)
    }

    /// Puts a job behind that took longer than there was patience for.
    pub async fn put_behind(&self, lease: &Lease) -> Result<()> {
        self.here.slow().insert(lease.id, lease.patience.unwrap_or_default().more());
        let mut tx = self.database.begin().await?;
        self.postpone(&mut tx, lease, 0).await?;
        tx.commit().await?;
        self.announce();
        Ok(())
    }

    /// A job has come to its end, however long it took.
    pub fn was_done(&self, lease: &Lease) {
        self.here.slow().remove(&lease.id);
        self.here.alone().remove(&lease.id);
    }

    /// Lets a job wait, or leaves it to an instructor.
    async fn put_back(&self, tx: &mut Tx, job: JobId, delay: Option<i64>) -> Result<()> {
        let (state, delay) = delay.map_or((State::Parked, 0), |delay| (State::Waiting, delay));
        sqlx::query("UPDATE jobs SET state = $1, not_before = $2, delay = $3 WHERE id = $4")
            .bind(state)
            .bind(if delay > 0 { paced() + delay } else { 0 })
            .bind(delay)
            .bind(job)
            .execute(&mut **tx)
            .await?;
        Ok(())
    }
}
