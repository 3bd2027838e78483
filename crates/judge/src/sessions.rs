//! Who is signed in: sessions on the server.

use anyhow::Result;

use crate::accounts::{self, Account};
use crate::database::{Columns as _, Database, now};
use crate::secrets;

const DAY: i64 = 24 * 3_600_000;
/// A session that nobody uses ends after this time.
const LIFE: i64 = 30 * DAY;
/// How old the note of the last visit may be.
const STALE: i64 = 10 * 60_000;

/// Sessions that one account may have; whoever signs in again and again ends
/// the oldest of its own.
const MOST: i64 = 50;

/// A visitor who is signed in.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: i64,
    pub csrf: String,
    pub account: Account,
}

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub id: i64,
    pub address: String,
    pub agent: String,
    pub created_at: i64,
    pub seen_at: i64,
}

/// Starts a session and gives its token, which is nowhere else.
pub async fn start(database: &Database, account: i64, address: &str, agent: &str) -> Result<String> {
    let token = secrets::token();
    let agent: String = agent.chars().filter(|c| !c.is_control()).take(160).collect();
    sqlx::query(
        "INSERT INTO sessions (token, account_id, csrf, address, agent, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
    )
    .bind(secrets::token_hash(&token))
    .bind(account)
    .bind(secrets::token())
    .bind(address)
    .bind(agent)
    .bind(now())
    .bind(now() + LIFE)
    .execute(database.write())
    .await?;
    sqlx::query(
        "DELETE FROM sessions WHERE expires_at < $1 OR (account_id = $2 AND id NOT IN
         (SELECT id FROM sessions WHERE account_id = $2 ORDER BY seen_at DESC, id DESC LIMIT $3))",
    )
    .bind(now())
    .bind(account)
    .bind(MOST)
    .execute(database.write())
    .await?;
    Ok(token)
}

pub async fn find(database: &Database, token: &str) -> Result<Option<Session>> {
    let row = sqlx::query("SELECT id, account_id, csrf, seen_at FROM sessions WHERE token = $1 AND expires_at > $2")
        .bind(secrets::token_hash(token))
        .bind(now())
        .fetch_optional(database.read())
        .await?;
    let Some(row) = row else { return Ok(None) };
    let Some(account) = accounts::find(database, row.int("account_id")?).await? else { return Ok(None) };
    if account.locked {
        return Ok(None);
    }
    let id = row.int("id")?;
    if now() - row.int("seen_at")? > STALE {
        sqlx::query("UPDATE sessions SET seen_at = $1, expires_at = $2 WHERE id = $3")
            .bind(now())
            .bind(now() + LIFE)
            .bind(id)
            .execute(database.write())
            .await?;
    }
    Ok(Some(Session { id, csrf: row.text("csrf")?, account }))
}

/// The latest sessions of an account.
pub async fn list(database: &Database, account: i64) -> Result<Vec<Listed>> {
    let rows = sqlx::query(
        "SELECT id, address, agent, created_at, seen_at FROM sessions
         WHERE account_id = $1 AND expires_at > $2 ORDER BY seen_at DESC, id DESC LIMIT 50",
    )
    .bind(account)
    .bind(now())
    .fetch_all(database.read())
    .await?;
    let session = |row: &sqlx::any::AnyRow| {
        Ok(Listed {
            id: row.int("id")?,
            address: row.text("address")?,
            agent: row.text("agent")?,
            created_at: row.int("created_at")?,
            seen_at: row.int("seen_at")?,
        })
    };
    Ok(rows.iter().map(session).collect::<sqlx::Result<_>>()?)
}

/// Ends a session of an account.
pub async fn end(database: &Database, account: i64, session: i64) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE id = $1 AND account_id = $2")
        .bind(session)
        .bind(account)
        .execute(database.write())
        .await?;
    Ok(())
}

/// Ends every session of an account but one.
pub async fn end_others(database: &Database, account: i64, kept: i64) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE account_id = $1 AND id <> $2")
        .bind(account)
        .bind(kept)
        .execute(database.write())
        .await?;
    Ok(())
}
