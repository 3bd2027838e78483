//! One link for everybody of a group, with which students come in by themselves.
//!
//! Where letters can be sent, whoever opens the link says an address, and if it is one
//! of the group's a letter goes there: only who reads it gets in. Where none can be
//! sent, the first who says an address gets the account, if nobody has it yet. A
//! classmate who has the link and knows the address could be that one. We let that
//! happen because without letters nothing can prove who somebody is, and because it
//! is seen and mended: the page of people shows every account that was claimed so
//! until an instructor has made a new link for it, which ends all that the claimant has;
//! so does the owner who signs in by the university. The owner notices at the door, since
//! an account with a password cannot be claimed again.
//! Whoever does not want that sends letters, or links one by one (as CSV).

use anyhow::Result;
use sqlx::Row as _;

use crate::accounts::{self, Purpose};
use crate::actions::{self, Action, Entry};
use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::AccountId;
use crate::secrets;

const DAY: i64 = 86_400_000;
/// For how long the link of a group works.
const LIFE: i64 = 60 * DAY;

/// The link of a group, without its token, which nobody knows any more.
#[derive(Clone, Debug)]
pub struct GroupLink {
    pub team: String,
    pub created_at: i64,
    pub expires_at: i64,
}

/// Makes the link of a group; the one before stops working.
pub async fn make_link(tx: &mut Tx, team: &str, actor: AccountId) -> Result<String> {
    revoke(tx, team).await?;
    let token = secrets::token();
    sqlx::query(
        "INSERT INTO group_links (team, token, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(team)
    .bind(secrets::token_hash(&token))
    .bind(actor)
    .bind(now())
    .bind(now() + LIFE)
    .execute(&mut **tx)
    .await?;
    Ok(token)
}

pub async fn revoke(tx: &mut Tx, team: &str) -> Result<bool> {
    let done = sqlx::query("DELETE FROM group_links WHERE team = $1").bind(team).execute(&mut **tx).await?;
    Ok(done.rows_affected() > 0)
}

pub async fn links(mut from: impl Reader) -> Result<Vec<GroupLink>> {
    let rows = sqlx::query("SELECT team, created_at, expires_at FROM group_links WHERE expires_at > $1 ORDER BY team")
        .bind(now())
        .fetch_all(from.executor())
        .await?;
    let link = |row: &sqlx::any::AnyRow| {
        Ok(GroupLink {
            team: row.text("team")?,
            created_at: row.int("created_at")?,
            expires_at: row.int("expires_at")?,
        })
    };
    Ok(rows.iter().map(link).collect::<sqlx::Result<_>>()?)
}

/// The group of a link that works.
pub async fn of_token(mut from: impl Reader, token: &str) -> Result<Option<String>> {
    let team = sqlx::query_scalar("SELECT team FROM group_links WHERE token = $1 AND expires_at > $2");
    Ok(team.bind(secrets::token_hash(token)).bind(now()).fetch_optional(from.executor()).await?)
}

/// Gives the account of an address in a group to whoever says it, if nobody has it
/// yet: the token of a link that sets its password.
pub async fn claim(database: &Database, team: &str, email: &str, address: &str) -> Result<Option<String>> {
    let mut tx = database.begin().await?;
    let row = sqlx::query(
        "SELECT id FROM accounts WHERE email = $1 AND team = $2 AND role = 'student' AND locked = 0
         AND password IS NULL AND signed_in_at IS NULL",
    );
    let Some(row) = row.bind(email).bind(team).fetch_optional(&mut *tx).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    let account: AccountId = row.try_get("id")?;
    accounts::hold(&mut tx, account).await?;
    // Only the link of an earlier claim stops working, so that nobody can end those of
    // letters by claiming; and claiming again says nothing new in the log.
    let earlier = sqlx::query("DELETE FROM links WHERE token IN (SELECT token FROM claims WHERE account_id = $1)");
    earlier.bind(account).execute(&mut *tx).await?;
    let is_first = !take_claim(&mut tx, account).await?;
    let token = accounts::insert_link(&mut tx, account, Purpose::Invite).await?;
    sqlx::query("INSERT INTO claims (account_id, team, address, created_at, token) VALUES ($1, $2, $3, $4, $5)")
        .bind(account)
        .bind(team)
        .bind(address)
        .bind(now())
        .bind(secrets::token_hash(&token))
        .execute(&mut *tx)
        .await?;
    if is_first {
        let entry = Entry { account: Some(account), detail: team, ..Entry::new(account, Action::ClaimAccount) };
        actions::record(&mut tx, &entry).await?;
    }
    tx.commit().await?;
    Ok(Some(token))
}

/// When and from where an account was claimed.
pub async fn claim_of(mut from: impl Reader, account: AccountId) -> Result<Option<(i64, String)>> {
    let row = sqlx::query("SELECT created_at, address FROM claims WHERE account_id = $1").bind(account);
    let row = row.fetch_optional(from.executor()).await?;
    Ok(row.map(|row| Ok::<_, sqlx::Error>((row.int("created_at")?, row.text("address")?))).transpose()?)
}

/// Takes an account from whoever has claimed it, with all by which they could get in.
/// False if nobody has.
pub async fn end_claim(tx: &mut Tx, account: AccountId) -> Result<bool> {
    accounts::hold(tx, account).await?;
    let was_claimed = take_claim(tx, account).await?;
    if was_claimed {
        accounts::end_access(tx, account).await?;
    }
    Ok(was_claimed)
}

async fn take_claim(tx: &mut Tx, account: AccountId) -> Result<bool> {
    let done = sqlx::query("DELETE FROM claims WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    Ok(done.rows_affected() > 0)
}
