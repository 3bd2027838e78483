//! What starts rounds: makes the list at the deadline, commits to the seed of
//! the next round as soon as there can be one, and freezes it when it is time.
//! Everything after that follows from results, and needs nobody.

use std::time::Duration;

use anyhow::{Context as _, Result};
use jiff::tz::TimeZone;

use super::progress::{self, Start};
use super::rounds::{self, Round, State};
use super::schedule::Schedule;
use super::{entrants, schedule, standing};
use crate::database::{Database, Tx, now};
use crate::log;
use crate::queue::Queue;
use crate::seasons::{self, Season};

/// How long a commitment is public at least before the field is frozen, in
/// milliseconds, where nobody starts the round by hand.
pub const NOTICE: i64 = 10_000;

#[derive(Clone, Debug)]
pub struct Director {
    pub database: Database,
    pub queue: Queue,
    pub zone: TimeZone,
}

impl Director {
    const PAUSE: Duration = Duration::from_secs(1);

    /// Takes its turns for ever.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.turn(now()).await {
                log::error(&format!("rounds cannot be looked after: {error:#}"));
            }
            tokio::time::sleep(Director::PAUSE).await;
        }
    }

    /// Does what is due in every season.
    pub async fn turn(&self, time: i64) -> Result<()> {
        for season in seasons::list(&self.database).await? {
            if time >= season.deadline_at && !season.is_archived {
                let done = self.look_after(&season, time).await;
                done.with_context(|| format!("season {}", season.slug))?;
            }
        }
        Ok(())
    }

    async fn look_after(&self, season: &Season, time: i64) -> Result<()> {
        let known = schedule::find(self.database.read(), season.id).await?;
        if known.entered_at.is_none() {
            let mut tx = self.database.begin().await?;
            schedule::ensure(&mut tx, season.id).await?;
            let entered = entrants::enter(&mut tx, season, time).await?;
            tx.commit().await?;
            if !entered {
                return Ok(());
            }
        }
        match rounds::under_way(self.database.read(), season.id).await? {
            Some(round) if round.state == State::Committed => self.start_if_due(season, &known, &round, time).await,
            Some(_) => Ok(()),
            None => self.prepare(season, time).await,
        }
    }

    /// Commits to the next round, if there is to be one.
    async fn prepare(&self, season: &Season, time: i64) -> Result<()> {
        let known = schedule::find(self.database.read(), season.id).await?;
        let rounds = rounds::of_season(self.database.read(), season.id).await?;
        let left = standing::find(&self.database, season.id).await?.left().len();
        if !known.goes_on(&rounds, left) {
            return Ok(());
        }
        let mut tx = self.database.begin().await?;
        let starts_at = known.next_start(&rounds, time.max(season.official_at - 1), &self.zone);
        progress::commit(&mut tx, season.id, starts_at).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn start_if_due(&self, season: &Season, known: &Schedule, round: &Round, time: i64) -> Result<()> {
        let due = round.starts_at.is_some_and(|start| time >= start.max(round.committed_at + NOTICE));
        if !due || known.paused.is_some() {
            return Ok(());
        }
        self.start(season, round).await?;
        Ok(())
    }

    /// Starts a round now.
    pub async fn start(&self, season: &Season, round: &Round) -> Result<Start> {
        let mut tx = self.database.begin().await?;
        let start = progress::start(&mut tx, &self.queue, season, round.id).await?;
        tx.commit().await?;
        self.queue.announce();
        Ok(start)
    }

    /// Gives the round that is prepared the start that the schedule says now.
    pub async fn reschedule(&self, tx: &mut Tx, season: &Season, time: i64) -> Result<()> {
        let known = schedule::find(&mut **tx, season.id).await?;
        let rounds = rounds::of_season(&mut **tx, season.id).await?;
        let Some((prepared, earlier)) = rounds.split_last().filter(|(last, _)| last.state == State::Committed) else {
            return Ok(());
        };
        let starts_at = known.next_start(earlier, time.max(season.official_at - 1), &self.zone);
        schedule::move_start(tx, prepared.id, starts_at).await
    }
}
