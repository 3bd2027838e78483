//! Results that one worker told and nobody else was asked for.
//!
//! They are believed until the worker turns out to have lied. Then each of them
//! is played again by others: see `jobs::Prove`.

use anyhow::Result;
use sqlx::Row as _;

use crate::database::{Database, Tx, now};
use crate::ids::{AccountId, MatchId, WorkerId};
use crate::jobs::Prove;
use crate::official::NOBODY;
use crate::queue::{Priority, Queue, Work};

/// Results are forgotten after this, in milliseconds: who lies is found sooner.
const LONGEST: i64 = 30 * 86_400_000;
/// How old a result must be to be without a match: it was never stored.
const NEVER_STORED: i64 = 3_600_000;
/// Matches that are offered to be played again at a time.
const AT_A_TIME: i64 = 200;

/// Notes results of a worker, by the hashes of their replays.
pub async fn note(database: &Database, worker: WorkerId, replays: &[String]) -> Result<()> {
    if replays.is_empty() {
        return Ok(());
    }
    let mut tx = database.begin().await?;
    for replay in replays {
        sqlx::query("INSERT INTO worker_results (worker_id, replay, created_at) VALUES ($1, $2, $3)")
            .bind(worker)
            .bind(replay)
            .bind(now())
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    Ok(())
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
