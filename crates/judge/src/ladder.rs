//! The ladder: rated matches of public players, played while workers are idle.
//!
//! Public players that are accepted and not retired are on the ladder of their
//! season, the newest three of each author, beside those that come with the game.
//! `ludus_arena::ladder` says who meets whom, and when a rating is known: the
//! ladder rests when all are, until somebody joins. It counts for nothing else.
//!
//! A ladder is one job, which plays some matches, stores them and offers itself
//! again, below all other work. `standing` is what pages show, `replays` what is
//! kept of the matches: results stay, replays of the newest only.
//!
//! A player that takes far too long twice is barred, and its author is told.

pub mod field;
pub mod playing;
pub mod recount;
mod replays;
pub mod standing;

use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::database::{Database, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::jobs::Climb;
use crate::log;
use crate::queue::{Priority, Queue, Work};
use crate::seasons::{self, Season};

pub use field::Out;

/// The account that work for the ladder is done for in the queue: nobody's own.
pub const LADDER: AccountId = AccountId(-2);

/// Lets players on the ladders and takes them off.
#[derive(Clone, Debug)]
pub struct Steward {
    pub database: Database,
    pub queue: Queue,
}

impl Steward {
    const PAUSE: Duration = Duration::from_secs(2);

    /// Takes its turns for ever.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.turn().await {
                log::error(&format!("the ladders cannot be looked after: {error:#}"));
            }
            tokio::time::sleep(Steward::PAUSE).await;
        }
    }

    /// Looks after the ladder of every season.
    pub async fn turn(&self) -> Result<()> {
        for season in seasons::list(&self.database).await?.into_iter().filter(|season| !season.is_archived) {
            self.look_after(&season).await.with_context(|| format!("season {}", season.slug))?;
        }
        Ok(())
    }

    async fn look_after(&self, season: &Season) -> Result<()> {
        if field::changes(&self.database, season.id).await?.is_empty() {
            return Ok(());
        }
        let mut tx = self.database.begin().await?;
        field::bring_up_to_date(&mut tx, season).await?;
        go_on(&mut tx, &self.queue, season.id).await?;
        tx.commit().await?;
        self.queue.announce();
        Ok(())
    }
}

/// Offers the ladder's job if there is something left to learn; else it rests.
async fn go_on(tx: &mut Tx, queue: &Queue, season: SeasonId) -> Result<()> {
    let field = field::find(&mut *tx, season).await?;
    let goes_on = field::has_matches(&field);
    if goes_on {
        let work = Work { job: Climb { season }.into(), account: LADDER, priority: Priority::Ladder, batch: season.0 };
        queue.offer_again(tx, &work).await?;
    }
    sqlx::query("UPDATE ladders SET rests_since = $1 WHERE season_id = $2")
        .bind((!goes_on).then(now))
        .bind(season)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
