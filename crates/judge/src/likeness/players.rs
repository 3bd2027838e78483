//! How two players whose sources are alike play: a second witness, which an
//! instructor asks for. It is told beside the sources and says nothing alone.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sqlx::Row as _;

use super::{COMPARING, find};
use crate::database::{Columns as _, Reader, Tx};
use crate::ids::{AccountId, LikenessId, SeasonId};
use crate::jobs::{Environment, Observe};
use crate::local_machine::PlayerLikeness;
use crate::playroom::Overran;
use crate::queue::{Priority, Queue, Work};
use crate::seasons;

/// Players of other authors that the two are measured by, at most.
const OTHERS: i64 = 4;

/// What was seen; all shares in millionths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The share of equal orders on the same states.
    pub agreement: Option<i64>,
    /// That of each with others: on average, and at most.
    pub usual: Option<i64>,
    pub most: Option<i64>,
    /// The agreement beyond the usual.
    pub beyond: Option<i64>,
    pub orders: i64,
    /// The share of the smaller module that is in the other only.
    pub code: Option<i64>,
    pub others: i64,
}

impl Seen {
    fn of(found: &PlayerLikeness) -> Seen {
        let millionths = |share: f64| (share * 1e6).round() as i64;
        let of = |share: fn(&ludus_arena::Behaviour) -> Option<f64>| {
            found.behaviour.as_ref().and_then(share).map(millionths)
        };
        Seen {
            agreement: of(|one| Some(one.agreement)),
            usual: of(|one| one.usual),
            most: of(|one| one.most),
            beyond: of(ludus_arena::Behaviour::beyond),
            orders: found.behaviour.map_or(0, |one| one.orders as i64),
            code: found.code.map(millionths),
            others: found.others as i64,
        }
    }

    /// What was stored; nothing while somebody has asked and nobody has looked.
    pub fn read(stored: &str) -> Option<Seen> {
        serde_json::from_str(stored).ok()
    }
}

/// Has two players watched.
pub async fn ask(tx: &mut Tx, queue: &Queue, id: LikenessId) -> Result<()> {
    sqlx::query("UPDATE likenesses SET behaviour = '' WHERE id = $1").bind(id).execute(&mut **tx).await?;
    let job = Observe { likeness: id }.into();
    queue.offer_again(tx, &Work { job, account: COMPARING, priority: Priority::Comparison, batch: id.0 }).await
}

/// Asks both players, and some others of the season. Nothing if one of them is no
/// player of this course, or gone.
pub async fn look(environment: &Environment, id: LikenessId) -> Result<Option<Seen>> {
    let database = &environment.database;
    let Some(one) = find(database, id).await? else { return Ok(None) };
    let rows = sqlx::query(
        "SELECT s.module, c.mean FROM likenesses l JOIN sketches k ON k.id IN (l.sketch_a, l.sketch_b)
         JOIN submissions s ON s.id = k.submission_id LEFT JOIN contenders c ON c.submission_id = s.id
         WHERE l.id = $1 AND s.module IS NOT NULL ORDER BY k.author",
    );
    let rows = rows.bind(id).fetch_all(database.read()).await?;
    let modules: Vec<String> = rows.iter().map(|row| row.text("module")).collect::<sqlx::Result<_>>()?;
    let Ok(pair) = <[String; 2]>::try_from(modules) else { return Ok(None) };
    let ratings: Vec<i64> = rows.iter().filter_map(|row| row.maybe_int("mean").ok()?).collect();
    let rating = ratings.iter().sum::<i64>().checked_div(ratings.len() as i64);
    let others = others(database, one.season, one.sides.each_ref().map(|side| side.account), rating).await?;
    let season = seasons::by_id(database, one.season).await?;
    let machines = environment.machines.clone();
    let seen = tokio::task::spawn_blocking(move || machines.compare_players(&season, &pair, &others)).await?;
    match seen {
        Ok(found) => Ok(Some(Seen::of(&found))),
        // Whoever takes far too long tells nothing.
        Err(error) if error.is::<Overran>() => Ok(Some(Seen::default())),
        Err(error) => Err(error),
    }
}

/// The newest players of some other authors that share code with neither of the two,
/// those first whose ratings on the ladder are nearest: good players agree with good
/// ones whoever wrote them.
pub async fn others(
    mut from: impl Reader,
    season: SeasonId,
    pair: [Option<AccountId>; 2],
    rating: Option<i64>,
) -> Result<Vec<String>> {
    let [a, b] = pair.map(|account| account.unwrap_or(AccountId(0)));
    let rows = sqlx::query(
        "SELECT s.module FROM submissions s JOIN (SELECT MAX(id) AS id FROM submissions WHERE season_id = $1
         AND stage = 'accepted' AND example IS NULL AND retired_at IS NULL AND account_id NOT IN ($2, $3)
         GROUP BY account_id) newest ON newest.id = s.id LEFT JOIN contenders c ON c.submission_id = s.id
         WHERE s.module IS NOT NULL AND NOT EXISTS (SELECT 1 FROM likenesses l WHERE l.season_id = $1
         AND (l.account_a = s.account_id AND l.account_b IN ($2, $3)
         OR l.account_b = s.account_id AND l.account_a IN ($2, $3)))
         ORDER BY CASE WHEN c.mean IS NULL THEN 1 ELSE 0 END, ABS(c.mean - $4), s.id DESC LIMIT $5",
    );
    // Of a pair without a rating nobody knows who is near, so any order will do.
    let rows = rows.bind(season).bind(a).bind(b).bind(rating.unwrap_or(0)).bind(OTHERS);
    let rows = rows.fetch_all(from.executor()).await?;
    Ok(rows.iter().map(|row| row.try_get("module")).collect::<sqlx::Result<_>>()?)
}

pub async fn store(tx: &mut Tx, id: LikenessId, seen: &Seen) -> Result<()> {
    let stored = sqlx::query("UPDATE likenesses SET behaviour = $1 WHERE id = $2");
    stored.bind(serde_json::to_string(seen)?).bind(id).execute(&mut **tx).await?;
    Ok(())
}
