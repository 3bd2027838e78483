//! Friends: two people each of whom has listed the other.

use std::collections::HashSet;

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::accounts::{self, clean_email};
use crate::database::{Columns as _, Reader, Tx, now};
use crate::ids::AccountId;
use crate::throttle::Throttle;

/// How many people somebody may list.
pub const MOST: i64 = 100;

/// Somebody who is listed, or who has listed the one that asks.
#[derive(Clone, Debug)]
pub struct Friend {
    pub account: AccountId,
    /// The name; the e-mail address, which is known already, of whoever has not
    /// listed the one that asks.
    pub name: String,
    /// Whether the one that asks has listed this one.
    pub is_listed: bool,
    /// Whether this one has listed the one that asks.
    pub lists: bool,
}

impl FromRow<'_, AnyRow> for Friend {
    fn from_row(row: &AnyRow) -> sqlx::Result<Friend> {
        Ok(Friend {
            account: row.try_get("id")?,
            name: row.text("name")?,
            is_listed: row.flag("is_listed")?,
            lists: row.flag("lists")?,
        })
    }
}

/// Everybody who is listed by somebody, and the newest of those who list them.
pub async fn list(mut from: impl Reader, account: AccountId) -> Result<Vec<Friend>> {
    let friends = sqlx::query_as(
        "SELECT a.id, CASE WHEN theirs.account_id IS NULL THEN a.email ELSE a.name END AS name, CASE WHEN mine.friend_id IS NULL THEN 0 ELSE 1 END AS is_listed,
         CASE WHEN theirs.account_id IS NULL THEN 0 ELSE 1 END AS lists FROM accounts a
         LEFT JOIN friends mine ON mine.account_id = $1 AND mine.friend_id = a.id
         LEFT JOIN friends theirs ON theirs.account_id = a.id AND theirs.friend_id = $1
         WHERE a.id IN (SELECT friend_id FROM friends WHERE account_id = $1)
         OR a.id IN (SELECT account_id FROM friends WHERE friend_id = $1 ORDER BY created_at DESC LIMIT 200)
         ORDER BY is_listed DESC, lists DESC, a.name, a.id",
    );
    Ok(friends.bind(account).fetch_all(from.executor()).await?)
}

/// Why somebody is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Unknown,
    /// Too many addresses that nobody has.
    Guessing,
    Oneself,
    TooMany,
}

/// Lists the person with an e-mail address.
pub async fn add(
    tx: &mut Tx,
    throttle: &Throttle,
    account: AccountId,
    email: &str,
) -> Result<Result<AccountId, Refusal>> {
    // One at a time, so that none is counted too late.
    accounts::hold(tx, account).await?;
    if !throttle.may_ask(account, throttle.now()) {
        return Ok(Err(Refusal::Guessing));
    }
    let email = clean_email(email).unwrap_or_default();
    let found = sqlx::query("SELECT id FROM accounts WHERE email = $1").bind(email).fetch_optional(&mut **tx).await?;
    let Some(row) = found else {
        throttle.asked_in_vain(account, throttle.now());
        return Ok(Err(Refusal::Unknown));
    };
    put(tx, account, row.try_get(0)?).await
}

/// Lists somebody by whom one is listed.
pub async fn add_back(tx: &mut Tx, account: AccountId, friend: AccountId) -> Result<Result<AccountId, Refusal>> {
    let listed = sqlx::query("SELECT 1 FROM friends WHERE account_id = $1 AND friend_id = $2");
    if listed.bind(friend).bind(account).fetch_optional(&mut **tx).await?.is_none() {
        return Ok(Err(Refusal::Unknown));
    }
    put(tx, account, friend).await
}

async fn put(tx: &mut Tx, account: AccountId, friend: AccountId) -> Result<Result<AccountId, Refusal>> {
    if friend == account {
        return Ok(Err(Refusal::Oneself));
    }
    let listed: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM friends WHERE account_id = $1")
        .bind(account)
        .fetch_one(&mut **tx)
        .await?;
    if listed >= MOST {
        return Ok(Err(Refusal::TooMany));
    }
    sqlx::query("INSERT INTO friends (account_id, friend_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(account)
        .bind(friend)
        .bind(now())
        .execute(&mut **tx)
        .await?;
    Ok(Ok(friend))
}

/// Takes somebody off the list. What was played stays visible to whoever played it.
pub async fn remove(tx: &mut Tx, account: AccountId, friend: AccountId) -> Result<()> {
    sqlx::query("DELETE FROM friends WHERE account_id = $1 AND friend_id = $2")
        .bind(account)
        .bind(friend)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Who is whose friend among a few people.
#[derive(Clone, Debug, Default)]
pub struct Circle(HashSet<(AccountId, AccountId)>);

impl Circle {
    /// How many people a circle may be asked about.
    pub const SIZE: usize = 5;

    pub async fn of(mut from: impl Reader, people: &[AccountId]) -> Result<Circle> {
        let mut rows = sqlx::query(
            "SELECT account_id, friend_id FROM friends
             WHERE account_id IN ($1, $2, $3, $4, $5) AND friend_id IN ($1, $2, $3, $4, $5)",
        );
        for k in 0..Circle::SIZE {
            // No account has the number zero.
            rows = rows.bind(people.get(k).copied().unwrap_or(AccountId(0)));
        }
        let rows = rows.fetch_all(from.executor()).await?;
        let pairs = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        Ok(Circle(pairs.collect::<sqlx::Result<_>>()?))
    }

    pub fn are_friends(&self, one: AccountId, other: AccountId) -> bool {
        self.0.contains(&(one, other)) && self.0.contains(&(other, one))
    }
}
