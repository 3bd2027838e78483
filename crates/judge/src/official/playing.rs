//! A job that plays matches of an official round.
//!
//! Its results are stored together with what follows from them for the round.
//! A match that cannot be played is never a result: the others are stored, the
//! job is tried again, each of its matches in a process of its own then, and
//! after a few times it waits for an instructor, and the round with it. Nobody is
//! eliminated for that, also if it is a player that takes far too long.

use anyhow::{Error, Result, anyhow};
use ludus_games::PerSeat;

use super::progress;
use super::rounds::{self, Round, RoundPlayer};
use crate::ids::MatchId;
use crate::jobs::Environment;
use crate::matches::{self, Match, Played};
use crate::queue::{Dispatch as _, Lease};
use crate::seasons::{self, Season};
use crate::store::Lost;
use crate::workshop::Seated;

/// Modules of one job that may turn out to be lost, one after the other.
const MOST_LOST: usize = 40;

/// Plays the matches that are still to be played of the job of a match.
pub async fn play(environment: &Environment, lease: &Lease, job: MatchId, round: Round) -> Result<()> {
    let frozen = round.frozen.as_ref().ok_or_else(|| anyhow!("round {} is not frozen", round.id))?;
    let season = frozen.season(seasons::by_id(&environment.database, round.season_id).await?);
    let players = rounds::players(environment.database.read(), round.id).await?;
    let open = open_matches(environment, job).await?;
    // What has failed before is looked at one by one, so that it takes nothing with it.
    let together = if lease.failures > 0 || lease.is_suspect { 1 } else { open.len().max(1) };
    let (mut played, mut trouble) = (Vec::new(), None);
    for some in open.chunks(together) {
        trouble = play_some(environment, &season, &players, some, &mut played).await.err().or(trouble);
    }
    let mut tx = environment.database.begin().await?;
    if trouble.is_none() && !environment.queue.finish(&mut tx, lease).await? {
        return Ok(());
    }
    for (id, result) in &played {
        matches::store_result(&mut tx, *id, result).await?;
    }
    progress::advance(&mut tx, &environment.queue, round.id).await?;
    tx.commit().await?;
    environment.queue.announce();
    trouble.map_or(Ok(()), Err)
}

/// The matches of a job that have no result yet.
async fn open_matches(environment: &Environment, job: MatchId) -> Result<Vec<Match>> {
    let mut open = Vec::new();
    for id in rounds::of_job(&environment.database, job).await? {
        open.extend(matches::find(&environment.database, id).await?.filter(|found| !found.played));
    }
    Ok(open)
}

/// Plays some matches in one process, and makes again what is lost of them.
async fn play_some(
    environment: &Environment,
    season: &Season,
    players: &[RoundPlayer],
    some: &[Match],
    played: &mut Vec<(MatchId, Played)>,
) -> Result<()> {
    let orders = some.iter().map(|found| Ok((found.seed, seated(players, found)?))).collect::<Result<Vec<_>>>()?;
    let mut at = 0;
    for _ in 0..MOST_LOST {
        let (machines, season, rest) = (environment.machines.clone(), season.clone(), orders[at..].to_vec());
        let mut trouble: Option<Error> = None;
        for result in tokio::task::spawn_blocking(move || machines.play_all(&season, &rest)).await? {
            match result {
                Ok(result) => {
                    played.push((some[at].id, result));
                    at += 1;
                }
                Err(error) => trouble = Some(error),
            }
        }
        let Some(error) = trouble else { return Ok(()) };
        match Lost::of(&error) {
            Some(lost) => make_again(environment, &some[at..], lost).await?,
            None => return Err(error.context(format!("match {}", some[at].id))),
        }
    }
    Err(anyhow!("too many modules of the matches of job {} are lost", some[0].id))
}

/// Makes a lost module of some matches again.
async fn make_again(environment: &Environment, some: &[Match], lost: &Lost) -> Result<()> {
    let mut made = Err(lost.clone().into());
    for found in some {
        made = environment.restorer().module_of(found, lost).await;
        if made.is_ok() {
            break;
        }
    }
    made
}

/// The players of a match, with the modules that were frozen with the round.
fn seated(players: &[RoundPlayer], found: &Match) -> Result<PerSeat<Seated>> {
    let seats = found.seats.iter().map(|seat| {
        let module = match seat.submission {
            Some(id) => {
                let player = players.iter().find(|player| player.submission == id);
                Some(player.ok_or_else(|| anyhow!("match {} has a player of another round", found.id))?.module)
            }
            None => None,
        };
        Ok(Seated { name: seat.name.clone(), module: module.map(|hash| hash.to_string()) })
    });
    let seats = seats.collect::<Result<Vec<_>>>()?;
    seats.try_into().map_err(|_| anyhow!("match {} has not four seats", found.id))
}
