//! Who is signed in: sessions on the server, and the brake on guessing.

use std::collections::HashMap;
use std::sync::Mutex;

use anyhow::Result;

use crate::accounts::{self, Account};
use crate::database::{Columns as _, Database, now};
use crate::secrets;

const DAY: i64 = 24 * 3_600_000;
/// A session that nobody uses ends after this time.
const LIFE: i64 = 30 * DAY;
/// How old the note of the last visit may be.
const STALE: i64 = 10 * 60_000;

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
    sqlx::query("DELETE FROM sessions WHERE expires_at < $1").bind(now()).execute(database.write()).await?;
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

/// Counts failed attempts to sign in, per account and per address, and makes
/// both wait. In memory: a restart forgives, which no attacker can cause.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<HashMap<String, (u32, i64)>>);

impl Throttle {
    const WINDOW: i64 = 15 * 60_000;
    const PER_ACCOUNT: u32 = 8;
    /// A whole laboratory may share one address.
    const PER_ADDRESS: u32 = 60;
    const MOST_KEYS: usize = 50_000;

    /// Counts an attempt and says whether it is let through. It is counted before
    /// its password is checked, because many may be under way at once.
    pub fn admits(&self, email: &str, address: &str, time: i64) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if counts.len() >= Throttle::MOST_KEYS {
            counts.retain(|_, (_, since)| time - *since <= Throttle::WINDOW);
        }
        if counts.len() >= Throttle::MOST_KEYS {
            counts.clear();
        }
        let limits = [(account(email), Throttle::PER_ACCOUNT), (place(address), Throttle::PER_ADDRESS)];
        let full = |(key, most): &(String, u32)| {
            counts.get(key).is_some_and(|(count, since)| count >= most && time - since <= Throttle::WINDOW)
        };
        if limits.iter().any(full) {
            return false;
        }
        for (key, _) in limits {
            let (count, since) = counts.entry(key).or_insert((0, time));
            if time - *since > Throttle::WINDOW {
                (*count, *since) = (0, time);
            }
            *count += 1;
        }
        true
    }

    /// A success clears the account, and takes back its own attempt only from
    /// the address.
    pub fn succeeded(&self, email: &str, address: &str) {
        let mut counts = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        counts.remove(&account(email));
        if let Some((count, _)) = counts.get_mut(&place(address)) {
            *count = count.saturating_sub(1);
        }
    }
}

fn account(email: &str) -> String {
    format!("account {email}")
}

fn place(address: &str) -> String {
    format!("address {address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessing_is_slowed_per_account_and_per_address() {
        let throttle = Throttle::default();
        for _ in 0..Throttle::PER_ACCOUNT {
            assert!(throttle.admits("marta@upc.edu", "10.0.0.1", 1000));
        }
        assert!(!throttle.admits("marta@upc.edu", "10.0.0.9", 1000), "from anywhere");
        assert!(throttle.admits("pau@upc.edu", "10.0.0.1", 1000), "others can still sign in");
        assert!(throttle.admits("marta@upc.edu", "10.0.0.1", 1001 + Throttle::WINDOW), "and so can she, later");
        for guess in 0..Throttle::PER_ADDRESS {
            throttle.admits(&format!("guess{guess}@upc.edu"), "10.0.0.2", 1000);
        }
        assert!(!throttle.admits("pau@upc.edu", "10.0.0.2", 1000));
        assert!(throttle.admits("pau@upc.edu", "10.0.0.3", 1000));
    }

    #[test]
    fn who_signs_in_is_not_counted() {
        let throttle = Throttle::default();
        for _ in 0..200 {
            assert!(throttle.admits("marta@upc.edu", "10.0.0.1", 1000));
            throttle.succeeded("marta@upc.edu", "10.0.0.1");
        }
    }
}
