//! Playing many small matches of training in one go: in one process, with one
//! transaction for all their results.
//!
//! They come in the order of the queue, so that it changes nothing for anybody but
//! how soon they are over. One that does not go well is left to be done alone, as
//! every job is, and those after it are taken again.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, anyhow};
use ludus_games::{PerSeat, Seat};
use sqlx::AssertSqlSafe;
use sqlx::Row as _;
use sqlx::any::AnyRow;
use tokio::sync::oneshot;

use super::Environment;
use crate::database::{Columns as _, Database, many};
use crate::ids::{MatchId, SeasonId};
use crate::local_machine::Seated;
use crate::matches::{self, Played, Purpose};
use crate::patience::Patience;
use crate::queue::Lease;
use crate::trouble::Trouble;
use crate::{clock, seasons, traces};

/// A match to be played.
struct Open<'a> {
    lease: &'a Lease,
    id: MatchId,
    seed: i64,
    seats: PerSeat<Seated>,
}

/// Matches by season and purpose.
type Opened<'a> = BTreeMap<(SeasonId, String), Vec<Open<'a>>>;

/// Plays the matches of some jobs and stores what came of them. Says so when all are
/// played and only the storing is left, if the machines tell.
pub async fn play(environment: &Environment, leases: &[Lease], free: oneshot::Sender<()>) -> Result<()> {
    let begun = clock::steady();
    let environment = &environment.with_patience(Patience::Little);
    let mut played: Vec<(&Lease, MatchId, Played)> = Vec::new();
    let mut left: Vec<&Lease> = Vec::new();
    let open = open(&environment.database, leases).await?;
    for lease in leases {
        if !open.values().flatten().any(|one| one.lease.id == lease.id) {
            environment.queue.leave_alone(lease);
            left.push(lease);
        }
    }
    let (mut free, kinds, mut delay) = (Some(free), open.len(), 0);
    for (kind, ((season, purpose), some)) in open.into_iter().enumerate() {
        let purpose = Purpose::of(&purpose).ok_or_else(|| anyhow!("'{purpose}' is no purpose"))?;
        let machines = environment.meant_for(purpose).machines;
        let season = seasons::by_id(&environment.database, season).await?;
        let orders: Vec<_> = some.iter().map(|one| (one.seed, one.seats.clone())).collect();
        let traced = [("matches", orders.len().to_string())];
        let mut free = free.take_if(|_| kind + 1 == kinds);
        let playing = tokio::task::spawn_blocking(move || {
            let mut played = || {
                // Who did not wait for it has no use for it.
                let _ = free.take().map(|free| free.send(()));
            };
            machines.play_many(&season, &orders, &mut played)
        });
        let results = traces::span("play", &traced, playing).await?;
        // Where nothing was told at all nobody knows which of them it was, if it was one.
        let nothing = results.first().and_then(|first| first.as_ref().err());
        let (nothing, is_trouble) = (nothing.is_some(), nothing.is_some_and(|error| Trouble::of(error).is_some()));
        if is_trouble {
            delay = AFTER_TROUBLE;
            if let Err(trouble) = environment.probe().await {
                environment.queue.breaker().open(trouble);
            }
        }
        let mut results = results.into_iter();
        for one in some {
            match results.next() {
                Some(Ok(result)) => played.push((one.lease, one.id, result)),
                failed => {
                    if !is_trouble && (nothing || failed.is_some()) {
                        environment.queue.leave_alone(one.lease);
                    }
                    left.push(one.lease);
                }
            }
        }
    }
    environment.queue.took(leases.len(), clock::steady() - begun);
    store(environment, &played, &left, delay).await
}

/// What jobs wait for that were given back because of the machine, in milliseconds.
const AFTER_TROUBLE: i64 = 1000;

/// Stores results, and lets what is left wait for so long.
async fn store(
    environment: &Environment,
    played: &[(&Lease, MatchId, Played)],
    left: &[&Lease],
    delay: i64,
) -> Result<()> {
    let Environment { database, queue, .. } = environment;
    let leases: Vec<&Lease> = played.iter().map(|(lease, ..)| *lease).collect();
    let mut tx = database.begin().await?;
    let ours = queue.finish_several(&mut tx, &leases).await?;
    let results = played.iter().filter(|(lease, ..)| ours.contains(&lease.id)).map(|(_, id, result)| (*id, result));
    matches::store_results(&mut tx, results).await?;
    for lease in left {
        queue.postpone(&mut tx, lease, delay).await?;
    }
    tx.commit().await?;
    leases.iter().for_each(|lease| queue.was_done(lease));
    queue.announce();
    Ok(())
}

/// The matches of some jobs that have no result yet, by season; without those of
/// sets in which a player ran past its time, which are looked at one by one.
async fn open<'a>(database: &Database, leases: &'a [Lease]) -> Result<Opened<'a>> {
    let (ids, count) = many::placeholders(1, leases.len());
    let statement = format!(
        "SELECT m.id, m.season_id, m.purpose, m.seed, s.name, p.module FROM matches m JOIN seats s ON s.match_id = m.id
         LEFT JOIN submissions p ON p.id = s.submission_id
         WHERE m.id IN ({ids}) AND m.played = 0 AND NOT EXISTS (SELECT 1 FROM overruns v JOIN matches o ON o.id = v.match_id
             WHERE o.training_id = m.training_id)
         ORDER BY m.id, s.seat"
    );
    let mut found = sqlx::query(AssertSqlSafe(statement));
    for id in many::filled(leases.iter().map(|lease| lease.job.subject()), count) {
        found = found.bind(id);
    }
    let leases: HashMap<i64, &Lease> = leases.iter().map(|lease| (lease.job.subject(), lease)).collect();
    let mut open = Opened::new();
    for seats in found.fetch_all(database.read()).await?.chunks(Seat::COUNT) {
        let id: MatchId = seats[0].try_get("id")?;
        let Some(lease) = leases.get(&id.0) else { continue };
        let one = Open { lease, id, seed: seats[0].int("seed")?, seats: seated(id, seats)? };
        let of = (seats[0].try_get("season_id")?, seats[0].text("purpose")?);
        open.entry(of).or_default().push(one);
    }
    Ok(open)
}

fn seated(id: MatchId, rows: &[AnyRow]) -> Result<PerSeat<Seated>> {
    let mut seats = Vec::new();
    for row in rows {
        seats.push(Seated { name: row.text("name")?, module: row.maybe_text("module")?, barred_from: None });
    }
    seats.try_into().map_err(|_| anyhow!("match {id} has not four seats"))
}
