//! Whether work is being done, as a look from outside shows it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;

use super::Queue;
use crate::clock::steady;
use crate::database::Columns as _;
use crate::store::Store;
use crate::trouble::Trouble;

/// Whoever asks more often gets the last answer: looking writes to the disk, and
/// anybody may ask.
const FRESH: Duration = Duration::from_secs(1);
/// What a look at the disk may take.
const LONGEST_LOOK: Duration = Duration::from_secs(5);
/// Work that waits while nobody takes any for so long is not being done. The
/// longest job takes less.
const STALLED: Duration = Duration::from_secs(600);
/// Nobody should wait for so long, however many there are.
const OLDEST: Duration = Duration::from_secs(3600);
const MARK_EVERY: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug)]
pub struct Health {
    /// Whether a transaction could be committed.
    pub database: bool,
    /// Whether the store could be written to.
    pub store: bool,
    pub paused: Option<Trouble>,
    /// Workers of all processes that say that they are there.
    pub workers: i64,
    /// Jobs that could be taken and that somebody waits for: nobody does for the ladder.
    pub waiting: i64,
    /// How long the oldest of them has waited.
    pub oldest: Duration,
    /// Whether jobs wait and nobody takes any.
    pub stalled: bool,
}

impl Health {
    pub fn is_good(&self) -> bool {
        self.database && self.store && self.paused.is_none() && !self.stalled && self.oldest < OLDEST
    }
}

/// What earlier looks have shown, by the clock that nobody can set.
#[derive(Debug, Default)]
pub struct Looks {
    last: Option<(Duration, Health)>,
    /// When, and which job was the newest.
    marks: VecDeque<(Duration, i64)>,
    /// How many jobs have been taken, and since when no more than that.
    taken: (i64, Duration),
    /// Whether a look at the store is under way: one that hangs must not be
    /// followed by others that hang too.
    is_looking: Arc<AtomicBool>,
}

impl Looks {
    /// How long ago a job was there for certain.
    fn age(&self, job: i64) -> Duration {
        let mark = self.marks.iter().find(|(_, newest)| *newest >= job);
        mark.map_or(Duration::ZERO, |(time, _)| steady().saturating_sub(*time))
    }

    fn mark(&mut self, newest: i64) {
        if self.marks.back().is_none_or(|(time, _)| steady() >= *time + MARK_EVERY) {
            self.marks.push_back((steady(), newest));
        }
        while self.marks.len() as u64 > 2 * OLDEST.as_secs() / MARK_EVERY.as_secs() {
            self.marks.pop_front();
        }
    }
}

impl Queue {
    pub async fn health(&self, store: &Store) -> Health {
        // Whoever asks meanwhile waits here and gets the same answer.
        let mut looks = self.here.looks.lock().await;
        if let Some((time, health)) = looks.last
            && steady() < time + FRESH
        {
            return health;
        }
        let mut health = Health {
            database: matches!(tokio::time::timeout(LONGEST_LOOK, self.sign_in()).await, Ok(Ok(()))),
            store: is_writable(store, &looks.is_looking).await,
            paused: self.breaker().pause().map(|pause| pause.trouble),
            workers: 0,
            waiting: 0,
            oldest: Duration::ZERO,
            stalled: false,
        };
        let looked = tokio::time::timeout(LONGEST_LOOK, self.look(&mut looks, &mut health)).await;
        health.database = health.database && matches!(looked, Ok(Ok(())));
        looks.last = Some((steady(), health));
        health
    }

    async fn look(&self, looks: &mut Looks, health: &mut Health) -> Result<()> {
        let jobs = sqlx::query(
            "SELECT COUNT(*) AS waiting, COALESCE(MIN(id), 0) AS oldest,
             (SELECT COALESCE(MAX(id), 0) FROM jobs) AS newest FROM jobs
             WHERE state = 'waiting' AND not_before = 0 AND priority < 3",
        );
        let jobs = jobs.fetch_one(self.database.read()).await?;
        let crews = "SELECT CAST(COALESCE(SUM(workers), 0) AS BIGINT) AS workers,
             CAST(COALESCE(SUM(taken), 0) AS BIGINT) AS taken FROM crews";
        let crews = sqlx::query(crews).fetch_one(self.database.read()).await?;
        looks.mark(jobs.int("newest")?);
        health.workers = crews.int("workers")?;
        health.waiting = jobs.int("waiting")?;
        if health.waiting > 0 {
            health.oldest = looks.age(jobs.int("oldest")?);
        }
        let taken = crews.int("taken")?;
        if taken != looks.taken.0 || health.waiting == 0 || looks.taken.1 == Duration::ZERO {
            looks.taken = (taken, steady());
        }
        health.stalled = steady().saturating_sub(looks.taken.1) >= STALLED;
        if health.paused.is_none() {
            health.paused = self.trouble().await?;
        }
        Ok(())
    }
}

async fn is_writable(store: &Store, is_looking: &Arc<AtomicBool>) -> bool {
    if is_looking.swap(true, Ordering::SeqCst) {
        return false;
    }
    let (store, is_looking) = (store.clone(), is_looking.clone());
    let look = tokio::task::spawn_blocking(move || {
        let written = store.probe().is_ok();
        is_looking.store(false, Ordering::SeqCst);
        written
    });
    matches!(tokio::time::timeout(LONGEST_LOOK, look).await, Ok(Ok(true)))
}
