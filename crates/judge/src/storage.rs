//! How many bytes are kept on whose account.

use anyhow::Result;
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Tx};

/// The bytes of a person in the whole course, and of everybody in a season.
pub async fn bytes(tx: &mut Tx, account: i64, season: i64) -> Result<(i64, i64)> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE((SELECT SUM(bytes) FROM submissions WHERE account_id = $1), 0) AS BIGINT),
         CAST(COALESCE((SELECT SUM(bytes) FROM submissions WHERE season_id = $2), 0) AS BIGINT)",
    )
    .bind(account)
    .bind(season)
    .fetch_one(&mut **tx)
    .await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// What somebody, or everybody in a season, keeps.
#[derive(Clone, Debug)]
pub struct Share {
    pub name: String,
    pub submissions: i64,
    /// Those that have given up everything but source and results.
    pub thinned: i64,
    pub bytes: i64,
}

/// What every season keeps, the newest first.
pub async fn seasons(database: &Database) -> Result<Vec<Share>> {
    shares(
        database,
        "SELECT e.title AS name, COUNT(s.id) AS submissions,
         CAST(COALESCE(SUM(CASE WHEN s.thinned_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT) AS thinned,
         CAST(COALESCE(SUM(s.bytes), 0) AS BIGINT) AS bytes
         FROM seasons e LEFT JOIN submissions s ON s.season_id = e.id GROUP BY e.id, e.title ORDER BY e.id DESC LIMIT 100",
    )
    .await
}

/// Who keeps most.
pub async fn people(database: &Database) -> Result<Vec<Share>> {
    shares(
        database,
        "SELECT a.name, COUNT(s.id) AS submissions,
         CAST(COALESCE(SUM(CASE WHEN s.thinned_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT) AS thinned,
         CAST(SUM(s.bytes) AS BIGINT) AS bytes
         FROM accounts a JOIN submissions s ON s.account_id = a.id GROUP BY a.id, a.name
         ORDER BY SUM(s.bytes) DESC, a.id LIMIT 20",
    )
    .await
}

async fn shares(database: &Database, statement: &'static str) -> Result<Vec<Share>> {
    let rows = sqlx::query(statement).fetch_all(database.read()).await?;
    let shares = rows.iter().map(|row| {
        Ok(Share {
            name: row.text("name")?,
            submissions: row.int("submissions")?,
            thinned: row.int("thinned")?,
            bytes: row.int("bytes")?,
        })
    });
    Ok(shares.collect::<sqlx::Result<_>>()?)
}
