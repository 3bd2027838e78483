//! Playing a match.

use anyhow::{Error, Result, anyhow};
use ludus_games::PerSeat;

use super::{Environment, Task, consequences};
use crate::ids::MatchId;
use crate::matches::{self, Match, Purpose};
use crate::official::{playing, rounds};
use crate::overruns::{self, SECOND_LOOK};
use crate::playroom::Overran;
use crate::queue::{Dispatch as _, Lease};
use crate::seasons;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    pub id: MatchId,
}

impl Task for Play {
    const KIND: &'static str = "match";
    const RANK: i64 = 0;

    fn about(subject: i64) -> Play {
        Play { id: MatchId(subject) }
    }

    fn subject(self) -> i64 {
        self.id.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        let Environment { database, queue, .. } = environment;
        let found = matches::find(database, self.id).await?.ok_or_else(|| anyhow!("there is no match {}", self.id))?;
        let environment = &environment.meant_for(found.purpose);
        if let Some(round) = rounds::of_match(database, found.id).await? {
            return playing::play(environment, lease, found.id, round).await;
        }
        let season = seasons::by_id(database, found.season_id).await?;
        let barred = match found.training {
            Some(training) => overruns::barred_in_training(database, training, found.id).await?,
            None => PerSeat::default(),
        };
        let played = match environment.restorer().play(&season, &found, &barred).await {
            Ok(played) => played,
            Err(error) => return given_up(environment, lease, &found, error).await,
        };
        let mut tx = database.begin().await?;
        if !queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        consequences::hold(&mut tx, &found).await?;
        if matches::store_result(&mut tx, found.id, &played).await? {
            consequences::of_result(&mut tx, queue, &found, &played).await?;
        }
        tx.commit().await?;
        queue.announce();
        Ok(())
    }
}

/// A match that was not played to its end. When a player overruns its time for
/// the second time there may be something to follow from that; the first time the
/// machine may have been slow. Training goes on without it. All else is the
/// judge's own trouble.
async fn given_up(environment: &Environment, lease: &Lease, found: &Match, error: Error) -> Result<()> {
    let Environment { database, queue, .. } = environment;
    let Some(&overran) = error.downcast_ref::<Overran>() else { return Err(error) };
    let mut tx = database.begin().await?;
    if found.purpose == Purpose::Training {
        let times = overruns::count(&mut tx, found.id, overran).await?;
        if queue.postpone(&mut tx, lease, if times < overruns::MOST { SECOND_LOOK } else { 0 }).await? {
            tx.commit().await?;
            queue.announce();
        }
        return Ok(());
    }
    let twice = queue.overran(&mut tx, lease).await? >= Some(2);
    let settled = twice && consequences::of_overrun(&mut tx, found, overran).await?;
    if settled && !queue.finish(&mut tx, lease).await? {
        return Ok(());
    }
    tx.commit().await?;
    if !settled {
        return Err(error);
    }
    queue.announce();
    Ok(())
}
