//! Jobs that nobody works on any more, and pauses that are over.

use std::collections::{HashMap, HashSet};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sqlx::Row as _;

use super::{MOST_DEATHS, MOURNING, Queue, State};
use crate::clock::{paced, steady};
use crate::database::Columns as _;
use crate::ids::JobId;

/// How often a process looks for them.
const EVERY: Duration = Duration::from_millis(200);

/// The silence after which a crew of another machine is struck off the list.
const GONE: Duration = Duration::from_secs(600);

pub const DUE: &str = "SELECT id FROM jobs WHERE state = 'waiting' AND not_before > 0
     AND (not_before <= $1 OR not_before - delay > $1) LIMIT 100";

pub const RUNNING: &str =
    "SELECT id, COALESCE(lease, '') AS lease, crew, beats, deaths FROM jobs WHERE state = 'running'";

/// What was seen of others: leases by their tokens, crews by their names.
#[derive(Debug, Default)]
pub struct Watched {
    next: Duration,
    seen: HashMap<String, Seen>,
}

#[derive(Debug)]
struct Seen {
    beats: i64,
    since: Duration,
}

struct Running {
    job: JobId,
    lease: String,
    crew: String,
    beats: i64,
    deaths: i64,
}

impl Queue {
    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.here.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives back the jobs whose lease is over, and wakes those that have waited
    /// long enough.
    pub(super) async fn sweep(&self) -> Result<()> {
        {
            let mut watched = self.watched();
            if steady() < watched.next {
                return Ok(());
            }
            watched.next = steady() + EVERY;
        }
        self.wake().await?;
        let mut running = Vec::new();
        for row in &sqlx::query(RUNNING).fetch_all(self.database.read()).await? {
            running.push(Running {
                job: row.try_get("id")?,
                lease: row.text("lease")?,
                crew: row.text("crew")?,
                beats: row.int("beats")?,
                deaths: row.int("deaths")?,
            });
        }
        let crews = self.crews().await?;
        let leases = running.iter().map(|one| &one.lease);
        let there: HashSet<&String> = leases.chain(crews.iter().map(|(crew, _)| crew)).collect();
        self.watched().seen.retain(|name, _| there.contains(name));
        for one in &running {
            if one.crew == self.here.crew.name() {
                // Taken without knowing it, or let go by a worker that was stopped.
                if !self.here.held().contains_key(&one.lease) {
                    self.free(one, 0).await?;
                }
            } else if self.here.crew.is_dead(&one.crew) || self.silence(&one.lease, one.beats) >= self.lease {
                self.free(one, 1).await?;
            }
        }
        self.bury(&crews).await
    }

    /// How long something has not counted up, by our clock.
    fn silence(&self, name: &str, beats: i64) -> Duration {
        let mut watched = self.watched();
        let seen = watched.seen.entry(name.to_owned()).or_insert_with(|| Seen { beats, since: steady() });
        if seen.beats != beats {
            *seen = Seen { beats, since: steady() };
        }
        steady().saturating_sub(seen.since)
    }

    async fn free(&self, one: &Running, deaths: i64) -> Result<()> {
        let total = one.deaths + deaths;
        let parked = deaths > 0 && total >= MOST_DEATHS;
        let delay = if deaths == 0 { 0 } else { MOURNING[(total as usize - 1).min(MOURNING.len() - 1)] };
        sqlx::query(
            "UPDATE jobs SET state = $1, lease = NULL, deaths = deaths + $2, not_before = $3, delay = $4
             WHERE id = $5 AND state = 'running' AND COALESCE(lease, '') = $6 AND beats = $7",
        )
        .bind(if parked { State::Parked } else { State::Waiting })
        .bind(deaths)
        .bind(if delay > 0 && !parked { paced() + delay } else { 0 })
        .bind(delay)
        .bind(one.job)
        .bind(&one.lease)
        .bind(one.beats)
        .execute(self.database.write())
        .await?;
        Ok(())
    }

    /// A job waits from the moment before which it may not be tried, less its
    /// delay, to that moment. A clock that shows an earlier time was set back,
    /// and nobody waits for that.
    async fn wake(&self) -> Result<()> {
        for row in &sqlx::query(DUE).bind(paced()).fetch_all(self.database.read()).await? {
            sqlx::query("UPDATE jobs SET not_before = 0 WHERE id = $1 AND state = 'waiting'")
                .bind(row.int("id")?)
                .execute(self.database.write())
                .await?;
        }
        Ok(())
    }

    async fn crews(&self) -> Result<Vec<(String, i64)>> {
        let rows = sqlx::query("SELECT name, beats FROM crews LIMIT 1000").fetch_all(self.database.read()).await?;
        rows.iter().map(|row| Ok((row.text("name")?, row.int("beats")?))).collect()
    }

    /// Strikes crews off the list that are dead.
    async fn bury(&self, crews: &[(String, i64)]) -> Result<()> {
        for (name, beats) in crews.iter().filter(|(name, _)| name != self.here.crew.name()) {
            if self.here.crew.is_dead(name) || self.silence(name, *beats) >= GONE {
                sqlx::query("DELETE FROM crews WHERE name = $1").bind(name).execute(self.database.write()).await?;
                self.here.crew.bury(name);
            }
        }
        Ok(())
    }

    /// Writes down that this process is here, and what keeps it from working:
    /// a small transaction that shows whether the database can be written to.
    pub async fn sign_in(&self) -> Result<()> {
        let mut tx = self.database.begin().await?;
        sqlx::query(
            "INSERT INTO crews (name, workers, beats, pause) VALUES ($1, $2, 1, $3)
             ON CONFLICT (name) DO UPDATE SET beats = crews.beats + 1, pause = excluded.pause",
        )
        .bind(self.here.crew.name())
        .bind(self.here.crew.workers() as i64)
        .bind(self.breaker().pause().map(|pause| pause.trouble.word()))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Gives back what this process has, when it is told to stop.
    pub async fn sign_off(&self) -> Result<()> {
        let mut tx = self.database.begin().await?;
        sqlx::query("UPDATE jobs SET state = 'waiting', lease = NULL WHERE state = 'running' AND crew = $1")
            .bind(self.here.crew.name())
            .execute(&mut *tx)
            .await?;
        sqlx::query("DELETE FROM crews WHERE name = $1").bind(self.here.crew.name()).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}
