//! What plays finals in advance: one round after the other, and when there is a
//! champion it publishes the digest of all results. It reveals nothing.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::season::file::{CourseKey, RoundFile};
use ludus_arena::season::{Author, Hash, results_digest};

use tokio::sync::Semaphore;

use super::finals::{self, Final, Next, State};
use super::proof;
use super::rounds::{self, Whole};
use crate::database::Database;
use crate::queue::Queue;
use crate::seasons::{self, Season};
use crate::store::{Lost, Store};
use crate::{log, losses};

/// To write a file is to play its matches again, and anybody may ask.
static WRITERS: Semaphore = Semaphore::const_new(1);

#[derive(Clone, Debug)]
pub struct FinalDirector {
    pub database: Database,
    pub queue: Queue,
    pub store: Store,
    pub key: CourseKey,
}

impl FinalDirector {
    const PAUSE: Duration = Duration::from_secs(1);

    /// Takes its turns for ever.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.turn().await {
                log::error(&format!("finals cannot be looked after: {error:#}"));
            }
            tokio::time::sleep(FinalDirector::PAUSE).await;
        }
    }

    /// Does what is due in every final that is being played.
    pub async fn turn(&self) -> Result<()> {
        for found in finals::list(&self.database).await? {
            if found.state == State::Playing {
                self.look_after(&found).await.with_context(|| format!("final {}", found.slug))?;
            }
        }
        Ok(())
    }

    async fn look_after(&self, found: &Final) -> Result<()> {
        let mut tx = self.database.begin().await?;
        let next = finals::advance(&mut tx, &self.queue, found.id).await?;
        tx.commit().await?;
        match next {
            Next::Nothing => Ok(()),
            Next::Begun => {
                self.queue.announce();
                Ok(())
            }
            Next::Champion(champion) => self.conclude(found, champion).await,
        }
    }

    async fn conclude(&self, found: &Final, champion: Author) -> Result<()> {
        let digest = self.digest(found).await?;
        let mut tx = self.database.begin().await?;
        finals::conclude(&mut tx, found.id, champion, digest).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The digest of all results, from the files of all rounds.
    async fn digest(&self, found: &Final) -> Result<Hash> {
        let season = seasons::by_id(&self.database, found.season_id).await?;
        let mut digests = Vec::new();
        for whole in rounds::whole_final(&self.database, found.id).await? {
            let file = self.file(&season, whole).await?;
            digests.push(RoundFile::read(&file).map_err(|failure| anyhow!("{failure}"))?.digest);
        }
        Ok(results_digest(&digests))
    }

    /// The file of a round that is over. Whoever gives it out asks
    /// [`show::Show`] whether it is revealed.
    pub async fn file(&self, season: &Season, whole: Whole) -> Result<Vec<u8>> {
        let turn = WRITERS.acquire().await?;
        let (store, key, season) = (self.store.clone(), self.key.clone(), season.clone());
        let played: Vec<rounds::RoundMatch> = whole.matches.clone();
        let written = tokio::task::spawn_blocking(move || {
            // Whoever asked may leave meanwhile.
            let _turn = turn;
            proof::round_file(&store, &key, &season, &whole, false)
        });
        let written = written.await?;
        if let Some(lost) = written.as_ref().err().and_then(Lost::of) {
            let of = |one: &&rounds::RoundMatch| one.result.as_ref().is_some_and(|played| played.replay == lost.hash());
            if let Some(one) = played.iter().find(of) {
                losses::note(&self.database, lost, losses::Kind::Replay, one.id.0).await?;
            }
        }
        written?.context("the round is not over")
    }
}
