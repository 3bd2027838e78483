//! Tokens with which programs act for somebody: named, scoped, until a day.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::accounts::{self, Account};
use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::{AccountId, TokenId};
use crate::secrets;
use crate::words::words;

const DAY: i64 = 86_400_000;
/// How old the note of the last use may be.
const STALE: i64 = 60_000;
/// Tokens that one account may have.
pub const MOST: i64 = 20;
/// For how many days a token may be made.
pub const LIVES: [i64; 4] = [7, 30, 120, 365];
pub const LONGEST_NAME: usize = 60;

/// What every token begins with, so that people and programs that look for
/// secrets in files know one when they see it.
const PREFIX: &str = "ludus_";
const LENGTH: usize = PREFIX.len() + 64;

words! {
    /// What a token is good for.
    pub enum Scope {
        /// Looking at everything that its owner sees.
        Read = "read",
        /// Handing in players.
        Submit = "submit",
        /// Asking for training matches.
        Train = "train",
        /// Friends, public players, representatives, links to modules, settings.
        Manage = "manage",
    }
}

/// The scopes of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes([bool; Scope::ALL.len()]);

impl Scopes {
    pub fn of(scopes: impl IntoIterator<Item = Scope>) -> Scopes {
        let mut all = Scopes::default();
        for scope in scopes {
            all.0[scope as usize] = true;
        }
        all
    }

    fn stored(text: &str) -> Scopes {
        Scopes::of(text.split(' ').filter_map(Scope::of))
    }

    pub fn has(self, scope: Scope) -> bool {
        self.0[scope as usize]
    }

    pub fn list(self) -> Vec<Scope> {
        Scope::ALL.into_iter().filter(|scope| self.has(*scope)).collect()
    }

    fn words(self) -> String {
        let words: Vec<&str> = self.list().into_iter().map(Scope::word).collect();
        words.join(" ")
    }
}

/// A token as its owner sees it.
#[derive(Clone, Debug)]
pub struct Token {
    pub id: TokenId,
    pub name: String,
    pub scopes: Scopes,
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
}

impl FromRow<'_, AnyRow> for Token {
    fn from_row(row: &AnyRow) -> sqlx::Result<Token> {
        Ok(Token {
            id: row.try_get("id")?,
            name: row.text("name")?,
            scopes: Scopes::stored(&row.text("scopes")?),
            created_at: row.int("created_at")?,
            expires_at: row.int("expires_at")?,
            used_at: row.maybe_int("used_at")?,
        })
    }
}

/// A program that asks, and for whom.
#[derive(Clone, Debug)]
pub struct Caller {
    pub token: Token,
    pub account: Account,
}

/// What somebody asks for.
#[derive(Clone, Debug)]
pub struct NewToken<'a> {
    pub name: &'a str,
    pub scopes: Scopes,
    pub days: i64,
}

/// Why a token is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoName,
    NoScope,
    Days,
    TooMany,
}

/// Makes a token and gives it, which is nowhere else.
pub async fn make(tx: &mut Tx, account: AccountId, new: &NewToken<'_>) -> Result<Result<String, Refusal>> {
    let name: String = new.name.trim().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    if name.is_empty() {
        return Ok(Err(Refusal::NoName));
    }
    if new.scopes == Scopes::default() {
        return Ok(Err(Refusal::NoScope));
    }
    if !LIVES.contains(&new.days) {
        return Ok(Err(Refusal::Days));
    }
    accounts::hold(tx, account).await?;
    sqlx::query("DELETE FROM tokens WHERE account_id = $1 AND expires_at <= $2")
        .bind(account)
        .bind(now())
        .execute(&mut **tx)
        .await?;
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM tokens WHERE account_id = $1")
        .bind(account)
        .fetch_one(&mut **tx)
        .await?;
    if count >= MOST {
        return Ok(Err(Refusal::TooMany));
    }
    let token = format!("{PREFIX}{}", secrets::token());
    sqlx::query(
        "INSERT INTO tokens (account_id, hash, name, scopes, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(account)
    .bind(secrets::token_hash(&token))
    .bind(name)
    .bind(new.scopes.words())
    .bind(now())
    .bind(now() + new.days * DAY)
    .execute(&mut **tx)
    .await?;
    Ok(Ok(token))
}

/// Who calls with a token, unless it is wrong, over, or of a locked account.
pub async fn find(database: &Database, token: &str) -> Result<Option<Caller>> {
    if token.len() != LENGTH || !token.starts_with(PREFIX) {
        return Ok(None);
    }
    let row = sqlx::query(
        "SELECT id, account_id, name, scopes, created_at, expires_at, used_at FROM tokens
         WHERE hash = $1 AND expires_at > $2",
    )
    .bind(secrets::token_hash(token))
    .bind(now())
    .fetch_optional(database.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let Some(account) = accounts::find_open(database, row.try_get("account_id")?).await? else { return Ok(None) };
    let token = Token::from_row(&row)?;
    if token.used_at.is_none_or(|used_at| now() - used_at > STALE) {
        sqlx::query("UPDATE tokens SET used_at = $1 WHERE id = $2")
            .bind(now())
            .bind(token.id)
            .execute(database.write())
            .await?;
    }
    Ok(Some(Caller { token, account }))
}

/// The tokens of an account that are not over, the newest first.
pub async fn list(mut from: impl Reader, account: AccountId) -> Result<Vec<Token>> {
    let tokens = sqlx::query_as(
        "SELECT id, name, scopes, created_at, expires_at, used_at FROM tokens
         WHERE account_id = $1 AND expires_at > $2 ORDER BY id DESC LIMIT $3",
    );
    Ok(tokens.bind(account).bind(now()).bind(MOST).fetch_all(from.executor()).await?)
}

/// Ends a token of an account. False if it has no such token.
pub async fn revoke(database: &Database, account: AccountId, token: TokenId) -> Result<bool> {
    let done = sqlx::query("DELETE FROM tokens WHERE id = $1 AND account_id = $2");
    Ok(done.bind(token).bind(account).execute(database.write()).await?.rows_affected() == 1)
}

/// Ends all tokens of an account.
pub async fn revoke_all(tx: &mut Tx, account: AccountId) -> Result<()> {
    sqlx::query("DELETE FROM tokens WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    Ok(())
}
