//! Browsers in which somebody has signed in before: they stay welcome while
//! strangers guess at the account.
//!
//! A browser has one token for everybody who uses it, because computers of a
//! laboratory are shared; it opens nothing.

use anyhow::Result;

use crate::database::{Database, Tx, now};
use crate::ids::AccountId;
use crate::secrets;

/// Browsers that are remembered of one account.
const MOST: i64 = 20;
pub const LIFE_SECONDS: u32 = 400 * 86_400;

/// Whether somebody has signed in with this browser before.
pub async fn knows(database: &Database, account: AccountId, token: &str) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM devices WHERE token = $1 AND account_id = $2")
        .bind(secrets::token_hash(token))
        .bind(account)
        .fetch_optional(database.read())
        .await?;
    Ok(row.is_some())
}

/// Remembers a browser in which somebody has signed in, and gives its token. A
/// token that the browser brought is believed only if it is one of ours.
pub async fn remember(database: &Database, account: AccountId, brought: Option<&str>) -> Result<String> {
    let mut tx = database.begin().await?;
    let ours = match brought {
        Some(token) => sqlx::query("SELECT 1 FROM devices WHERE token = $1 LIMIT 1")
            .bind(secrets::token_hash(token))
            .fetch_optional(&mut *tx)
            .await?
            .map(|_| token.to_owned()),
        None => None,
    };
    let token = ours.unwrap_or_else(secrets::token);
    sqlx::query(
        "INSERT INTO devices (token, account_id, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (token, account_id) DO UPDATE SET seen_at = excluded.seen_at",
    )
    .bind(secrets::token_hash(&token))
    .bind(account)
    .bind(now())
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "DELETE FROM devices WHERE account_id = $1 AND token NOT IN
         (SELECT token FROM devices WHERE account_id = $1 ORDER BY seen_at DESC, token LIMIT $2)",
    )
    .bind(account)
    .bind(MOST)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(token)
}

/// Forgets every browser of an account: its password is a new one.
pub async fn forget(tx: &mut Tx, account: AccountId) -> Result<()> {
    sqlx::query("DELETE FROM devices WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    Ok(())
}
