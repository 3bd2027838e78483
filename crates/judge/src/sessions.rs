//! Who is signed in: sessions on the server.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::accounts::{self, Account};
use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::{AccountId, SessionId};
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
    pub id: SessionId,
    pub csrf: String,
    pub account: Account,
}

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct OpenSession {
    pub id: SessionId,
    pub address: String,
    pub agent: String,
    pub created_at: i64,
    pub seen_at: i64,
}

impl FromRow<'_, AnyRow> for OpenSession {
    fn from_row(row: &AnyRow) -> sqlx::Result<OpenSession> {
        Ok(OpenSession {
            id: row.try_get("id")?,
            address: row.text("address")?,
            agent: row.text("agent")?,
            created_at: row.int("created_at")?,
            seen_at: row.int("seen_at")?,
        })
    }
}

/// Starts a session of somebody who has shown to know the password that is stored as
/// `known`, and gives its token, which is nowhere else. None if by now the account has
/// another password or is locked: who signs in while a password is taken away stays out.
pub async fn start_by_password(
    database: &Database,
    account: AccountId,
    known: &str,
    address: &str,
    agent: &str,
) -> Result<Option<String>> {
    let mut tx = database.begin().await?;
    accounts::hold(&mut tx, account).await?;
    let still = sqlx::query("SELECT 1 FROM accounts WHERE id = $1 AND password = $2 AND locked = 0");
    if still.bind(account).bind(known).fetch_optional(&mut *tx).await?.is_none() {
        tx.rollback().await?;
        return Ok(None);
    }
    let token = insert(&mut tx, account, address, agent).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// Starts a session of somebody of whom others have said who it is.
pub async fn start(database: &Database, account: AccountId, address: &str, agent: &str) -> Result<String> {
    let mut tx = database.begin().await?;
    let token = insert(&mut tx, account, address, agent).await?;
    tx.commit().await?;
    Ok(token)
}

async fn insert(tx: &mut Tx, account: AccountId, address: &str, agent: &str) -> Result<String> {
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
    .execute(&mut **tx)
    .await?;
    sqlx::query("UPDATE accounts SET signed_in_at = $1 WHERE id = $2 AND signed_in_at IS NULL")
        .bind(now())
        .bind(account)
        .execute(&mut **tx)
        .await?;
    sqlx::query(
        "DELETE FROM sessions WHERE expires_at < $1 OR (account_id = $2 AND id NOT IN
         (SELECT id FROM sessions WHERE account_id = $2 ORDER BY seen_at DESC, id DESC LIMIT $3))",
    )
    .bind(now())
    .bind(account)
    .bind(MOST)
    .execute(&mut **tx)
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
    let Some(account) = accounts::find_open(database, row.try_get("account_id")?).await? else { return Ok(None) };
    let id = row.try_get("id")?;
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

/// Whether a session still is one, of somebody who is not locked out.
pub async fn is_open(database: &Database, session: SessionId) -> Result<bool> {
    let found = sqlx::query(
        "SELECT 1 FROM sessions s JOIN accounts a ON a.id = s.account_id
         WHERE s.id = $1 AND s.expires_at > $2 AND a.locked = 0",
    );
    Ok(found.bind(session).bind(now()).fetch_optional(database.read()).await?.is_some())
}

/// The latest sessions of an account.
pub async fn list(mut from: impl Reader, account: AccountId) -> Result<Vec<OpenSession>> {
    let sessions = sqlx::query_as(
        "SELECT id, address, agent, created_at, seen_at FROM sessions
         WHERE account_id = $1 AND expires_at > $2 ORDER BY seen_at DESC, id DESC LIMIT 50",
    );
    Ok(sessions.bind(account).bind(now()).fetch_all(from.executor()).await?)
}

/// Ends a session of an account.
pub async fn end(database: &Database, account: AccountId, session: SessionId) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE id = $1 AND account_id = $2")
        .bind(session)
        .bind(account)
        .execute(database.write())
        .await?;
    Ok(())
}

/// Ends every session of an account.
pub async fn end_all(database: &Database, account: AccountId) -> Result<()> {
    let mut tx = database.begin().await?;
    end_every(&mut tx, account).await?;
    tx.commit().await?;
    Ok(())
}

/// The same as part of a transaction.
pub async fn end_every(tx: &mut Tx, account: AccountId) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    Ok(())
}

/// Ends every session of an account but one.
pub async fn end_others(tx: &mut Tx, account: AccountId, kept: SessionId) -> Result<()> {
    sqlx::query("DELETE FROM sessions WHERE account_id = $1 AND id <> $2")
        .bind(account)
        .bind(kept)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
