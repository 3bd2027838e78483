//! Workers on other machines, as instructors know them: made, named, scoped,
//! suspended, revoked. Of a token only the public half of its key is kept.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use super::broker::{Key, Token};
use crate::accounts;
use crate::actions::{self, Action, Entry};
use crate::database::{Columns as _, Database, Part, Reader, Slice, Tx, now};
use crate::ids::{AccountId, WorkerId};
use crate::words::words;

pub const LONGEST_NAME: usize = 60;
/// Workers that are not revoked: the broker knows each of them.
pub const MOST: i64 = 500;

words! {
    /// What a worker may be given.
    pub enum Scope {
        /// Matches of every kind.
        Play = "play",
        /// Matches of every kind, and sources to be compiled.
        Compile = "compile",
        /// Matches of the ladder and of training only.
        Volunteer = "volunteer",
    }
}

impl Scope {
    pub fn is_trusted(self) -> bool {
        self != Scope::Volunteer
    }
}

/// A worker.
#[derive(Clone, Debug)]
pub struct Enrolled {
    pub id: WorkerId,
    pub name: String,
    pub scope: Scope,
    /// Whose machine it is.
    pub account: AccountId,
    pub owner: String,
    pub public_key: String,
    pub created_at: i64,
    pub suspended_at: Option<i64>,
    pub suspended_why: String,
    pub version: String,
    pub cores: i64,
    pub seen_at: Option<i64>,
    pub matches: i64,
    /// Matches in a minute, lately.
    pub pace: i64,
    /// Answers that somebody else was asked for, too.
    pub checked: i64,
    /// Those of them that were wrong.
    pub disagreed: i64,
}

impl FromRow<'_, AnyRow> for Enrolled {
    fn from_row(row: &AnyRow) -> sqlx::Result<Enrolled> {
        Ok(Enrolled {
            id: row.try_get("id")?,
            name: row.text("name")?,
            scope: row.try_get("scope")?,
            account: row.try_get("account_id")?,
            owner: row.text("owner")?,
            public_key: row.text("public_key")?,
            created_at: row.int("created_at")?,
            suspended_at: row.maybe_int("suspended_at")?,
            suspended_why: row.text("suspended_why")?,
            version: row.text("version")?,
            cores: row.int("cores")?,
            seen_at: row.maybe_int("seen_at")?,
            matches: row.int("matches")?,
            pace: row.int("pace")?,
            checked: row.int("checked")?,
            disagreed: row.int("disagreed")?,
        })
    }
}

/// Why a worker is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoName,
    NoScope,
    TooMany,
}

/// Makes a worker and gives its token, which is nowhere else.
pub async fn make(tx: &mut Tx, account: AccountId, name: &str, scope: Option<Scope>) -> Result<Result<Token, Refusal>> {
    let name: String = name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    if name.is_empty() {
        return Ok(Err(Refusal::NoName));
    }
    let Some(scope) = scope else { return Ok(Err(Refusal::NoScope)) };
    accounts::hold(tx, account).await?;
    let count: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM workers WHERE revoked_at IS NULL").fetch_one(&mut **tx).await?;
    if count >= MOST {
        return Ok(Err(Refusal::TooMany));
    }
    let key = Key::make()?;
    let row = sqlx::query(
        "INSERT INTO workers (name, scope, account_id, public_key, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
    )
    .bind(name)
    .bind(scope)
    .bind(account)
    .bind(&key.public)
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    Ok(Ok(Token { worker: row.try_get("id")?, key }))
}

macro_rules! select_workers {
    ($rest:literal) => {
        concat!(
            "SELECT w.id, w.name, w.scope, w.account_id, a.name AS owner, w.public_key, w.created_at, w.suspended_at,
             w.suspended_why, w.version, w.cores, w.seen_at, w.matches, w.pace, w.checked, w.disagreed
             FROM workers w JOIN accounts a ON a.id = w.account_id WHERE w.revoked_at IS NULL ",
            $rest
        )
    };
}

/// Those that the broker must know: neither revoked nor suspended.
pub async fn admitted(mut from: impl Reader) -> Result<Vec<Enrolled>> {
    let workers = sqlx::query_as(select_workers!("AND w.suspended_at IS NULL ORDER BY w.id LIMIT $1"));
    Ok(workers.bind(MOST).fetch_all(from.executor()).await?)
}

/// A page of all that are not revoked, the newest first.
pub async fn list(mut from: impl Reader, slice: Slice) -> Result<Part<Enrolled>> {
    let items = sqlx::query_as(select_workers!("AND w.id < $1 ORDER BY w.id DESC LIMIT $2"));
    let items = items.bind(slice.before).bind(slice.most).fetch_all(from.executor()).await?;
    Ok(Part::of(items, slice, |one: &Enrolled| one.id.0))
}

pub async fn find(mut from: impl Reader, worker: WorkerId) -> Result<Option<Enrolled>> {
    let found = sqlx::query_as(select_workers!("AND w.id = $1")).bind(worker);
    Ok(found.fetch_optional(from.executor()).await?)
}

/// Ends a token for good. False if it was not there.
pub async fn revoke(tx: &mut Tx, worker: WorkerId) -> Result<bool> {
    let done = sqlx::query("UPDATE workers SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL");
    Ok(done.bind(now()).bind(worker).execute(&mut **tx).await?.rows_affected() == 1)
}

/// Takes a worker out of service, and says so in the log. False if it was already.
pub async fn suspend(database: &Database, worker: WorkerId, why: &str) -> Result<bool> {
    let mut tx = database.begin().await?;
    let done = sqlx::query(
        "UPDATE workers SET suspended_at = $1, suspended_why = $2 WHERE id = $3 AND suspended_at IS NULL
         RETURNING account_id, name",
    );
    let done = done.bind(now()).bind(why).bind(worker).fetch_optional(&mut *tx).await?;
    if let Some(row) = &done {
        let (owner, name): (AccountId, String) = (row.try_get("account_id")?, row.text("name")?);
        let entry = Entry { detail: &name, reason: why, ..Entry::new(owner, Action::SuspendWorker) };
        actions::record(&mut tx, &entry).await?;
    }
    tx.commit().await?;
    Ok(done.is_some())
}

/// Lets a worker in again.
pub async fn admit(tx: &mut Tx, worker: WorkerId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE workers SET suspended_at = NULL, suspended_why = '' WHERE id = $1 AND suspended_at IS NOT NULL",
    );
    Ok(done.bind(worker).execute(&mut **tx).await?.rows_affected() == 1)
}

/// What has been seen of a worker since it was last noted.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub version: String,
    pub cores: i64,
    pub matches: i64,
    pub pace: i64,
    pub checked: i64,
    pub disagreed: i64,
}

pub async fn note(tx: &mut Tx, worker: WorkerId, seen: &Seen) -> Result<()> {
    sqlx::query(
        "UPDATE workers SET version = $1, cores = $2, seen_at = $3, matches = matches + $4, pace = $5,
         checked = checked + $6, disagreed = disagreed + $7 WHERE id = $8",
    )
    .bind(&seen.version)
    .bind(seen.cores)
    .bind(now())
    .bind(seen.matches)
    .bind(seen.pace)
    .bind(seen.checked)
    .bind(seen.disagreed)
    .bind(worker)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
