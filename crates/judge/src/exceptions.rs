//! Who may submit to a season for longer than the others, and why.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Reader, Tx};
use crate::ids::{AccountId, SeasonId};

#[derive(Clone, Debug)]
pub struct Exception {
    pub season_id: SeasonId,
    pub season_title: String,
    pub until_at: i64,
    pub reason: String,
}

impl FromRow<'_, AnyRow> for Exception {
    fn from_row(row: &AnyRow) -> sqlx::Result<Exception> {
        Ok(Exception {
            season_id: row.try_get("season_id")?,
            season_title: row.text("title")?,
            until_at: row.int("until_at")?,
            reason: row.text("reason")?,
        })
    }
}

/// Grants an exception, or changes the one that there is.
pub async fn grant(tx: &mut Tx, season: SeasonId, account: AccountId, until_at: i64, reason: &str) -> Result<()> {
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
pub async fn withdraw(tx: &mut Tx, season: SeasonId, account: AccountId) -> Result<bool> {
    let done = sqlx::query("DELETE FROM exceptions WHERE season_id = $1 AND account_id = $2")
        .bind(season)
        .bind(account)
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Until when somebody may submit to a season out of turn, and why.
pub async fn find(mut from: impl Reader, season: SeasonId, account: AccountId) -> Result<Option<(i64, String)>> {
    let found = sqlx::query_as("SELECT until_at, reason FROM exceptions WHERE season_id = $1 AND account_id = $2");
    Ok(found.bind(season).bind(account).fetch_optional(from.executor()).await?)
}

pub async fn until(from: impl Reader, season: SeasonId, account: AccountId) -> Result<Option<i64>> {
    Ok(find(from, season, account).await?.map(|(until, _)| until))
}

/// The exceptions of somebody; there is at most one per season.
pub async fn of_account(mut from: impl Reader, account: AccountId) -> Result<Vec<Exception>> {
    let exceptions = sqlx::query_as(
        "SELECT x.season_id, x.until_at, x.reason, e.title FROM exceptions x JOIN seasons e ON e.id = x.season_id
         WHERE x.account_id = $1 ORDER BY x.until_at DESC, x.season_id LIMIT 200",
    );
    Ok(exceptions.bind(account).fetch_all(from.executor()).await?)
}
