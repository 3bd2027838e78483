//! Playing a match again that a worker played which is not believed any more.

use anyhow::{Result, anyhow};
use ludus_games::PerSeat;

use super::{Environment, Task, consequences};
use crate::ids::MatchId;
use crate::matches::{self, Match, Played, Purpose, SeatFault};
use crate::queue::{Dispatch as _, Lease};
use crate::remote::trust;
use crate::{log, seasons};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prove {
    pub id: MatchId,
}

impl Task for Prove {
    const KIND: &'static str = "proof";
    const RANK: i64 = 0;

    fn about(subject: i64) -> Prove {
        Prove { id: MatchId(subject) }
    }

    fn subject(self) -> i64 {
        self.id.0
    }

    async fn run(self, environment: &Environment, lease: &Lease) -> Result<()> {
        let Environment { database, queue, .. } = environment;
        let found = matches::find(database, self.id).await?.ok_or_else(|| anyhow!("there is no match {}", self.id))?;
        let told = found.replay.clone().ok_or_else(|| anyhow!("match {} has no replay", self.id))?;
        let season = seasons::by_id(database, found.season_id).await?;
        // Who was barred is again.
        let mut barred = PerSeat::default();
        for (from, seat) in barred.iter_mut().zip(&found.seats) {
            if let Some((round, SeatFault::Overtime)) = seat.fault {
                *from = Some(u32::try_from(round)?);
            }
        }
        // By those who are trusted, whoever played it before.
        let restorer = environment.meant_for(Purpose::Verification).restorer();
        let mut players = restorer.seated(&found, &barred).await?;
        // With what it was ordered with, whatever the season is now.
        let season = match trust::facts(database, &told).await? {
            Some(facts) => {
                for (player, module) in players.iter_mut().zip(&facts.modules) {
                    player.module.clone_from(module);
                }
                facts.season(season)
            }
            None => season,
        };
        let played = restorer.play_with(&season, &found, &players).await?;
        let cpu = matches::cpu(database, found.id).await?.unwrap_or_default();
        let mut tx = database.begin().await?;
        if !queue.finish(&mut tx, lease).await? {
            return Ok(());
        }
        if !is_same(&found, &cpu, &played) {
            log::error(&format!("match {} went otherwise than a suspended worker had told", self.id));
            consequences::hold(&mut tx, &found).await?;
            matches::replace_result(&mut tx, found.id, &played).await?;
            consequences::of_correction(&mut tx, queue, &found, &played).await?;
        }
        trust::settle(&mut tx, &told).await?;
        tx.commit().await?;
        queue.announce();
        Ok(())
    }
}

/// Whether all that was told of a match is so.
fn is_same(found: &Match, cpu: &[u8], played: &Played) -> bool {
    let seats = found.seats.iter().zip(&played.seats).all(|(told, seat)| {
        (told.score, told.rank, told.cpu, &told.fault) == (seat.score, seat.rank, seat.cpu, &seat.fault)
            // Not every machine knows the names and lines of a player at fault.
            && (told.fault.is_some() || told.output == seat.output)
    });
    seats && found.replay.as_ref() == Some(&played.replay) && cpu == played.cpu
}
