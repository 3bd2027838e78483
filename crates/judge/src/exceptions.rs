//! Who may submit to a season for longer than the others, and why.

use anyhow::Result;

use crate::database::{Columns as _, Database, Tx};

#[derive(Clone, Debug)]
pub struct Exception {
    pub season_id: i64,
    pub season_title: String,
    pub until_at: i64,
    pub reason: String,
}

/// Grants an exception, or changes the one that there is.
pub async fn grant(tx: &mut Tx, season: i64, account: i64, until_at: i64, reason: &str) -> Result<()> {
    sqlx::query(
        "INSERT INTO exceptions (season_id, account_id, until_at, reason) VALUES ($1, $2, $3, $4)
         ON CONFLICT (season_id, account_id) DO UPDATE SET until_at = excluded.until_at, reason = excluded.reason",
    )
    .bind(season)
    .bind(account)
    .bind(until_at)
    .bind(reason)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Takes an exception back. False if there was none.
pub async fn withdraw(tx: &mut Tx, season: i64, account: i64) -> Result<bool> {
    let done = sqlx::query("DELETE FROM exceptions WHERE season_id = $1 AND account_id = $2")
        .bind(season)
        .bind(account)
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

const UNTIL: &str = "SELECT until_at, reason FROM exceptions WHERE season_id = $1 AND account_id = $2";

/// Until when somebody may submit to a season out of turn.
pub async fn until(database: &Database, season: i64, account: i64) -> Result<Option<i64>> {
    let row = sqlx::query(UNTIL).bind(season).bind(account).fetch_optional(database.read()).await?;
    Ok(row.map(|row| row.int("until_at")).transpose()?)
}

/// The same, and the reason, as a transaction sees it.
pub async fn in_transaction(tx: &mut Tx, season: i64, account: i64) -> Result<Option<(i64, String)>> {
    let row = sqlx::query(UNTIL).bind(season).bind(account).fetch_optional(&mut **tx).await?;
    Ok(row.map(|row| Ok::<_, sqlx::Error>((row.int("until_at")?, row.text("reason")?))).transpose()?)
}

/// The exceptions of somebody; there is at most one per season.
pub async fn of_account(database: &Database, account: i64) -> Result<Vec<Exception>> {
    let rows = sqlx::query(
        "SELECT x.season_id, x.until_at, x.reason, e.title FROM exceptions x JOIN seasons e ON e.id = x.season_id
         WHERE x.account_id = $1 ORDER BY x.until_at DESC, x.season_id LIMIT 200",
    )
    .bind(account)
    .fetch_all(database.read())
    .await?;
    let exception = |row: &sqlx::any::AnyRow| {
        Ok(Exception {
            season_id: row.int("season_id")?,
            season_title: row.text("title")?,
            until_at: row.int("until_at")?,
            reason: row.text("reason")?,
        })
    };
    Ok(rows.iter().map(exception).collect::<sqlx::Result<_>>()?)
}
