//! Results that one worker told and nobody else was asked for.
//!
//! They are believed until the worker turns out to have lied. Then each of them
//! is played again by others: see `jobs::Prove`.

use anyhow::{Result, anyhow};
use ludus_arena::season::Hash;
use ludus_games::PerSeat;
use ludus_sandbox::FUEL_PER_SECOND;
use sqlx::{AssertSqlSafe, Row as _};

use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, MatchId, WorkerId};
use crate::jobs::Prove;
use crate::official::NOBODY;
use crate::playroom::{Order, Seated};
use crate::queue::{Priority, Queue, Work};
use crate::seasons::Season;

/// Results are forgotten after this, in milliseconds: who lies is found sooner.
const LONGEST: i64 = 30 * 86_400_000;
/// How old a result must be to be without a match: it was never stored.
const NEVER_STORED: i64 = 3_600_000;
/// Results that are noted in one statement.
const TOGETHER: usize = 64;
/// Matches that are offered to be played again at a time.
const AT_A_TIME: i64 = 200;

/// What a match was ordered with, besides its seed and its names, which stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    pub config: String,
    pub match_ms: i64,
    pub round_ms: Option<i64>,
    pub memory_mib: i64,
    /// The hashes of the modules.
    pub modules: PerSeat<Option<String>>,
}

impl Facts {
    pub fn of(order: &Order) -> Facts {
        let ms = |fuel: u64| (fuel / (FUEL_PER_SECOND / 1000)) as i64;
        Facts {
            config: order.config.clone(),
            match_ms: ms(order.limits.fuel),
            round_ms: order.limits.fuel_per_round.map(ms),
            memory_mib: (order.limits.memory >> 20) as i64,
            modules: order.seats.each_ref().map(|seat| seat.module.map(|hash| hash.to_string())),
        }
    }

    /// A season as it was then.
    pub fn season(&self, now: Season) -> Season {
        let Facts { config, match_ms, round_ms, memory_mib, .. } = self.clone();
        Season { config, match_ms, round_ms, memory_mib, ..now }
    }

    /// The same for all matches with one config and one set of limits.
    fn hash(&self) -> String {
        let Facts { config, match_ms, round_ms, memory_mib, .. } = self;
        Hash::of(format!("{match_ms} {round_ms:?} {memory_mib} {config}").as_bytes()).to_string()
    }
}

/// Notes results of a worker: the hashes of their replays, and what was ordered.
pub async fn note(database: &Database, worker: WorkerId, results: &[(String, &Order)]) -> Result<()> {
    if results.is_empty() {
        return Ok(());
    }
    let mut tx = database.begin().await?;
    let mut rows = Vec::new();
    // Most orders follow others on the same ground.
    let mut last: Option<(&Order, i64)> = None;
    for (replay, order) in results {
        let id = match last {
            Some((other, id)) if other.config == order.config && other.limits == order.limits => id,
            _ => order_of(&mut tx, &Facts::of(order)).await?,
        };
        last = Some((order, id));
        let hash = |seat: &Seated| seat.module.map(|hash| hash.to_string()).unwrap_or_default();
        rows.push((replay, id, order.seats.each_ref().map(hash).join(",")));
    }
    for some in rows.chunks(TOGETHER) {
        let values: Vec<String> =
            (0..some.len()).map(|k| format!("($1, $2, ${}, ${}, ${})", 3 * k + 3, 3 * k + 4, 3 * k + 5)).collect();
        let statement = format!(
            "INSERT INTO worker_results (worker_id, created_at, replay, order_id, modules) VALUES {}",
            values.join(", ")
        );
        let mut insert = sqlx::query(AssertSqlSafe(statement)).bind(worker).bind(now());
        for (replay, id, modules) in some {
            insert = insert.bind(*replay).bind(id).bind(modules);
        }
        insert.execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn order_of(tx: &mut Tx, facts: &Facts) -> Result<i64> {
    let hash = facts.hash();
    sqlx::query(
        "INSERT INTO worker_orders (hash, config, match_ms, round_ms, memory_mib, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING",
    )
    .bind(&hash)
    .bind(&facts.config)
    .bind(facts.match_ms)
    .bind(facts.round_ms)
    .bind(facts.memory_mib)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    let found = sqlx::query("SELECT id FROM worker_orders WHERE hash = $1").bind(hash);
    Ok(found.fetch_one(&mut **tx).await?.int("id")?)
}

/// What the match with a replay was ordered with, if that is known.
pub async fn facts(database: &Database, replay: &str) -> Result<Option<Facts>> {
    let found = sqlx::query(
        "SELECT o.config, o.match_ms, o.round_ms, o.memory_mib, r.modules FROM worker_results r
         JOIN worker_orders o ON o.id = r.order_id WHERE r.replay = $1 ORDER BY r.id LIMIT 1",
    );
    let Some(row) = found.bind(replay).fetch_optional(database.read()).await? else { return Ok(None) };
    let modules = row.text("modules")?;
    let modules: Vec<_> = modules.split(',').map(|hash| (!hash.is_empty()).then(|| hash.to_owned())).collect();
    Ok(Some(Facts {
        config: row.text("config")?,
        match_ms: row.int("match_ms")?,
        round_ms: row.maybe_int("round_ms")?,
        memory_mib: row.int("memory_mib")?,
        modules: modules.try_into().map_err(|_| anyhow!("the order of the replay {replay} has not four seats"))?,
    }))
}

/// Somebody else has come to the same result, or it does not stand any more.
pub async fn settle(tx: &mut Tx, replay: &str) -> Result<()> {
    sqlx::query("DELETE FROM worker_results WHERE replay = $1").bind(replay).execute(&mut **tx).await?;
    Ok(())
}

/// Results of suspended workers that are to be played again.
pub const DOUBTED: &str = "SELECT m.id FROM worker_results r JOIN workers w ON w.id = r.worker_id
     JOIN matches m ON m.replay = r.replay WHERE w.suspended_at IS NOT NULL AND r.offered_at IS NULL ORDER BY r.id LIMIT $1";

/// Offers to play again what suspended workers have told, and forgets what is old.
pub async fn sweep(database: &Database, queue: &Queue) -> Result<usize> {
    let mut tx = database.begin().await?;
    let rows = sqlx::query(DOUBTED).bind(AT_A_TIME).fetch_all(&mut *tx).await?;
    for row in &rows {
        let id: MatchId = row.try_get("id")?;
        let account: AccountId = NOBODY;
        let work = Work { job: Prove { id }.into(), account, priority: Priority::Verification, batch: id.0 };
        queue.offer_again(&mut tx, &work).await?;
        sqlx::query(
            "UPDATE worker_results SET offered_at = $1 WHERE replay = (SELECT replay FROM matches WHERE id = $2)",
        )
        .bind(now())
        .bind(id)
        .execute(&mut *tx)
        .await?;
    }
    sqlx::query("DELETE FROM worker_results WHERE created_at < $1").bind(now() - LONGEST).execute(&mut *tx).await?;
    sqlx::query(
        "DELETE FROM worker_results WHERE created_at < $1 AND offered_at IS NULL
         AND worker_id IN (SELECT id FROM workers WHERE suspended_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM matches m WHERE m.replay = worker_results.replay)",
    )
    .bind(now() - NEVER_STORED)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "DELETE FROM worker_orders WHERE created_at < $1
         AND NOT EXISTS (SELECT 1 FROM worker_results r WHERE r.order_id = worker_orders.id)",
    )
    .bind(now() - LONGEST)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    if !rows.is_empty() {
        queue.announce();
    }
    Ok(rows.len())
}

/// How many results nobody has confirmed.
pub async fn unconfirmed(database: &Database) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM worker_results").fetch_one(database.read()).await?)
}
