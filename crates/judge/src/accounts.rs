//! People: who they are, how they get their password, what they may do.

use anyhow::{Result, ensure};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, NumberedPart, Page, Reader, Tx, now, pattern};
use crate::ids::{AccountId, SessionId};
use crate::texts::Language;
use crate::words::words;
use crate::{devices, groups, secrets, sessions, tokens};

words! {
    pub enum Role {
        Student = "student",
        Instructor = "instructor",
        Spectator = "spectator",
    }
}

#[derive(Clone, Debug)]
pub struct Account {
    pub id: AccountId,
    pub email: String,
    pub name: String,
    pub team: String,
    pub role: Role,
    pub language: Language,
    pub locked: bool,
    pub has_password: bool,
}

impl Account {
    pub fn is_instructor(&self) -> bool {
        self.role == Role::Instructor
    }

    pub fn may_submit(&self) -> bool {
        self.role != Role::Spectator
    }
}

impl FromRow<'_, AnyRow> for Account {
    fn from_row(row: &AnyRow) -> sqlx::Result<Account> {
        Ok(Account {
            id: row.try_get("id")?,
            email: row.text("email")?,
            name: row.text("name")?,
            team: row.text("team")?,
            role: row.try_get("role")?,
            language: Language::of(&row.text("language")?).unwrap_or_default(),
            locked: row.flag("locked")?,
            has_password: row.flag("has_password")?,
        })
    }
}

/// Somebody who has no account yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    pub email: String,
    pub name: String,
    pub team: String,
    pub role: Role,
}

pub const LONGEST_FIELD: usize = 120;

/// The e-mail address in the form in which it is compared, if it looks like one.
pub fn clean_email(text: &str) -> Option<String> {
    // Some letters of other scripts become plain ones, and would make an address another's.
    if text.chars().any(|c| !c.is_ascii() && c.to_lowercase().any(|lower| lower.is_ascii())) {
        return None;
    }
    let email = text.trim().to_lowercase();
    let (user, host) = email.split_once('@')?;
    let plain = email.len() <= LONGEST_FIELD && !email.chars().any(|c| c.is_whitespace() || c.is_control() || c == ',');
    (plain && !user.is_empty() && !host.is_empty() && !host.contains('@')).then_some(email)
}

/// Whether letters can be sent to an address: nothing in it means anything else to
/// a mail server, and its host is a name.
pub fn takes_letters(email: &str) -> bool {
    let Some((user, host)) = email.split_once('@') else { return false };
    let plain = |c: char| c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~-.".contains(c);
    let label = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    let user_is_plain = user.len() <= 64 && user.chars().all(plain) && user.split('.').all(|part| !part.is_empty());
    user_is_plain && host.split('.').all(label)
}

pub async fn add(tx: &mut Tx, new: &NewAccount, language: Language) -> Result<AccountId> {
    let row = sqlx::query(
        "INSERT INTO accounts (email, name, team, role, language, created_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(&new.email)
    .bind(&new.name)
    .bind(&new.team)
    .bind(new.role)
    .bind(language.code())
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    Ok(row.try_get(0)?)
}

/// What every way of looking accounts `a` up selects.
macro_rules! select_accounts {
    ($more:literal, $from:expr) => {
        concat!(
            "SELECT a.id, a.email, a.name, a.team, a.role, a.language, a.locked,
             CASE WHEN a.password IS NULL THEN 0 ELSE 1 END AS has_password",
            $more,
            " FROM ",
            $from
        )
    };
}

pub async fn find(mut from: impl Reader, id: AccountId) -> Result<Option<Account>> {
    let found = sqlx::query_as(select_accounts!("", "accounts a WHERE a.id = $1")).bind(id);
    Ok(found.fetch_optional(from.executor()).await?)
}

/// The same, unless it is locked.
pub async fn find_open(from: impl Reader, id: AccountId) -> Result<Option<Account>> {
    Ok(find(from, id).await?.filter(|account| !account.locked))
}

/// The account of an e-mail address with the hash of its password, for signing in.
pub async fn credentials(mut from: impl Reader, email: &str) -> Result<Option<(Account, Option<String>)>> {
    let row = sqlx::query(select_accounts!(", a.password", "accounts a WHERE a.email = $1"))
        .bind(email)
        .fetch_optional(from.executor())
        .await?;
    Ok(row.map(|row| Ok::<_, sqlx::Error>((Account::from_row(&row)?, row.maybe_text("password")?))).transpose()?)
}

macro_rules! is_listed {
    () => {
        "accounts a WHERE (LOWER(a.name) LIKE $1 ESCAPE '!' OR a.email LIKE $1 ESCAPE '!' OR LOWER(a.team) LIKE $1 ESCAPE '!')
         AND ($2 = '' OR a.role = $2)"
    };
}

/// People whose name, address or group contains some text, in a role or in all.
pub async fn list(mut from: impl Reader, text: &str, role: Option<Role>, page: Page) -> Result<NumberedPart<Account>> {
    let (text, role) = (pattern(text), role.map_or("", Role::word));
    let total = sqlx::query_scalar(concat!("SELECT COUNT(*) FROM ", is_listed!())).bind(&text).bind(role);
    let total = total.fetch_one(from.executor()).await?;
    let items = select_accounts!("", concat!(is_listed!(), " ORDER BY LOWER(a.name), a.id LIMIT $3 OFFSET $4"));
    let items = sqlx::query_as(items).bind(&text).bind(role);
    let items = items.bind(Page::SIZE).bind(page.offset()).fetch_all(from.executor()).await?;
    Ok(NumberedPart { items, total, page })
}

pub async fn count(mut from: impl Reader) -> Result<i64> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM accounts").fetch_one(from.executor()).await?)
}

/// Holds an account, so that what is counted about it is counted by one
/// transaction at a time.
pub async fn hold(tx: &mut Tx, account: AccountId) -> Result<()> {
    sqlx::query("UPDATE accounts SET locked = locked WHERE id = $1").bind(account).execute(&mut **tx).await?;
    Ok(())
}

/// Changes the password of somebody who has shown to know the one that is stored as
/// `known`, in a session that goes on while all others end. False if meanwhile the
/// account has got another password or the session has ended: whoever is thrown out
/// is out, whatever they had begun before.
pub async fn change_password(
    database: &Database,
    account: AccountId,
    session: SessionId,
    known: &str,
    hash: &str,
) -> Result<bool> {
    let mut tx = database.begin().await?;
    hold(&mut tx, account).await?;
    let still = sqlx::query(
        "SELECT 1 FROM accounts a JOIN sessions s ON s.account_id = a.id WHERE a.id = $1 AND a.password = $2 AND s.id = $3",
    );
    if still.bind(account).bind(known).bind(session).fetch_optional(&mut *tx).await?.is_none() {
        tx.rollback().await?;
        return Ok(false);
    }
    set_password(&mut tx, account, hash).await?;
    devices::forget(&mut tx, account).await?;
    sessions::end_others(&mut tx, account, session).await?;
    tx.commit().await?;
    Ok(true)
}

/// Ends all by which anybody gets into an account: password, sessions, browsers,
/// tokens, links. Whoever gets it next begins with a new link.
pub async fn end_access(tx: &mut Tx, account: AccountId) -> Result<()> {
    hold(tx, account).await?;
    sqlx::query("UPDATE accounts SET password = NULL WHERE id = $1").bind(account).execute(&mut **tx).await?;
    sqlx::query("DELETE FROM links WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    sessions::end_every(tx, account).await?;
    devices::forget(tx, account).await?;
    tokens::revoke_all(tx, account).await
}

/// Links that were made before set no password after this, and tokens are over:
/// whoever knew the old password may have made some.
pub async fn set_password(tx: &mut Tx, account: AccountId, hash: &str) -> Result<()> {
    sqlx::query("UPDATE accounts SET password = $1 WHERE id = $2").bind(hash).bind(account).execute(&mut **tx).await?;
    sqlx::query("DELETE FROM links WHERE account_id = $1 AND used_at IS NULL").bind(account).execute(&mut **tx).await?;
    tokens::revoke_all(tx, account).await
}

pub async fn set_language(database: &Database, account: AccountId, language: Language) -> Result<()> {
    sqlx::query("UPDATE accounts SET language = $1 WHERE id = $2")
        .bind(language.code())
        .bind(account)
        .execute(database.write())
        .await?;
    Ok(())
}

/// Locks or unlocks an account; a locked one has no sessions.
pub async fn set_locked(database: &Database, account: AccountId, locked: bool) -> Result<()> {
    let mut tx = database.begin().await?;
    lock(&mut tx, account, locked).await?;
    tx.commit().await?;
    Ok(())
}

/// The same as part of a transaction. False if it was so already.
pub async fn lock(tx: &mut Tx, account: AccountId, locked: bool) -> Result<bool> {
    let done = sqlx::query("UPDATE accounts SET locked = $1 WHERE id = $2 AND locked <> $1")
        .bind(i64::from(locked))
        .bind(account)
        .execute(&mut **tx)
        .await?;
    if locked {
        sessions::end_every(tx, account).await?;
    }
    Ok(done.rows_affected() == 1)
}

/// Moves somebody to a group. False if there is nobody, or already there.
pub async fn move_to(tx: &mut Tx, account: AccountId, team: &str) -> Result<bool> {
    let done = sqlx::query("UPDATE accounts SET team = $1 WHERE id = $2 AND team <> $1").bind(team).bind(account);
    Ok(done.execute(&mut **tx).await?.rows_affected() == 1)
}

/// Changes who somebody is, but not the role. Links that went to another address stop
/// working. False if another account has the e-mail address.
pub async fn set_details(tx: &mut Tx, account: AccountId, new: &NewAccount) -> Result<bool> {
    let moved = sqlx::query(
        "DELETE FROM links WHERE account_id = $1 AND used_at IS NULL
         AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = $1 AND a.email <> $2)",
    );
    moved.bind(account).bind(&new.email).execute(&mut **tx).await?;
    let done = sqlx::query(
        "UPDATE accounts SET name = $1, email = $2, team = $3 WHERE id = $4
         AND NOT EXISTS (SELECT 1 FROM accounts other WHERE other.email = $2 AND other.id <> $4)",
    )
    .bind(&new.name)
    .bind(&new.email)
    .bind(&new.team)
    .bind(account)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Gives somebody a role. Nobody becomes an instructor by a link that was made for
/// somebody else, or in an account that somebody has claimed.
pub async fn set_role(tx: &mut Tx, account: AccountId, role: Role) -> Result<()> {
    let done = sqlx::query("UPDATE accounts SET role = $1 WHERE id = $2 AND role <> $1");
    let is_new = done.bind(role).bind(account).execute(&mut **tx).await?.rows_affected() == 1;
    if is_new && role == Role::Instructor {
        groups::end_claim(tx, account).await?;
        sqlx::query("DELETE FROM links WHERE account_id = $1 AND used_at IS NULL")
            .bind(account)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

words! {
    /// Why somebody gets a link to choose a password.
    pub enum Purpose {
        Setup = "setup",
        Invite = "invite",
        Reset = "reset",
    }
}

impl Purpose {
    fn life(self) -> i64 {
        const HOUR: i64 = 3_600_000;
        match self {
            Purpose::Setup | Purpose::Reset => 48 * HOUR,
            Purpose::Invite => 30 * 24 * HOUR,
        }
    }
}

/// Makes a link that works once; earlier ones of the same account stop working.
pub async fn make_link(tx: &mut Tx, account: AccountId, purpose: Purpose) -> Result<String> {
    sqlx::query("DELETE FROM links WHERE account_id = $1").bind(account).execute(&mut **tx).await?;
    insert_link(tx, account, purpose).await
}

/// Links of letters that one account may have at a time.
const MOST_LINKS: i64 = 4;

/// Makes a link for a letter. Links of earlier letters work too, so that nobody who
/// opens an older letter finds it dead; the first that is used ends all of them.
pub async fn add_link(tx: &mut Tx, account: AccountId, purpose: Purpose) -> Result<String> {
    sqlx::query(
        "DELETE FROM links WHERE account_id = $1 AND (used_at IS NOT NULL OR token NOT IN
         (SELECT token FROM links WHERE account_id = $1 AND used_at IS NULL ORDER BY created_at DESC, token LIMIT $2))",
    )
    .bind(account)
    .bind(MOST_LINKS - 1)
    .execute(&mut **tx)
    .await?;
    insert_link(tx, account, purpose).await
}

/// Makes a link beside those that there are.
pub async fn insert_link(tx: &mut Tx, account: AccountId, purpose: Purpose) -> Result<String> {
    let token = secrets::token();
    sqlx::query("INSERT INTO links (token, account_id, purpose, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(secrets::token_hash(&token))
        .bind(account)
        .bind(purpose)
        .bind(now())
        .bind(now() + purpose.life())
        .execute(&mut **tx)
        .await?;
    Ok(token)
}

/// The account of a link that can still be used, and whether it is the one that
/// sets the site up.
pub async fn find_link(mut from: impl Reader, token: &str) -> Result<Option<(Account, bool)>> {
    let row = sqlx::query(select_accounts!(
        ", l.purpose",
        "links l JOIN accounts a ON a.id = l.account_id
         WHERE l.token = $1 AND l.used_at IS NULL AND l.expires_at > $2 AND a.locked = 0"
    ))
    .bind(secrets::token_hash(token))
    .bind(now())
    .fetch_optional(from.executor())
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some((Account::from_row(&row)?, row.try_get::<Purpose, _>("purpose")? == Purpose::Setup)))
}

/// What came of using a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    Done,
    /// It has been used or has run out.
    Gone,
    /// Another account has the address.
    AddressTaken,
}

/// Uses a link: sets the password and ends every session of before. Who sets the site
/// up says who they are as well.
pub async fn use_link(database: &Database, token: &str, password: &str, new: Option<&NewAccount>) -> Result<Used> {
    ensure!(password.starts_with("$argon2id$"), "a password must be hashed before it is stored");
    let mut tx = database.begin().await?;
    let used = sqlx::query(
        "UPDATE links SET used_at = $1 WHERE token = $2 AND used_at IS NULL AND expires_at > $1 RETURNING account_id",
    )
    .bind(now())
    .bind(secrets::token_hash(token))
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = used else {
        tx.rollback().await?;
        return Ok(Used::Gone);
    };
    let account: AccountId = row.try_get(0)?;
    if let Some(new) = new
        && !set_details(&mut tx, account, new).await?
    {
        tx.rollback().await?;
        return Ok(Used::AddressTaken);
    }
    set_password(&mut tx, account, password).await?;
    sessions::end_every(&mut tx, account).await?;
    devices::forget(&mut tx, account).await?;
    tx.commit().await?;
    Ok(Used::Done)
}

#[cfg(test)]
mod tests {
    use super::{clean_email, takes_letters};

    #[test]
    fn addresses_of_other_letters_are_nobody_elses() {
        assert_eq!(clean_email(" Marta@UPC.edu ").as_deref(), Some("marta@upc.edu"));
        assert_eq!(clean_email("núria@upc.edu").as_deref(), Some("núria@upc.edu"));
        for odd in ["mar\u{212a}@upc.edu", "\u{130}vet@upc.edu"] {
            assert_eq!(clean_email(odd), None, "{odd}");
        }
    }

    #[test]
    fn letters_go_to_plain_addresses_only() {
        for good in ["a@b", "marta.soler@est.fib.upc.edu", "o'brien+x@upc.edu", "instructor@localhost"] {
            assert!(takes_letters(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            "a b@c",
            "a;b@c",
            "a,b@c",
            "<a@b>",
            "a@b>",
            "\"a\"@b",
            "a@[127.0.0.1]",
            "a..b@c",
            ".a@b",
            "a@b..c",
            "a@-b",
            "a@b\r\nBcc: x@y",
            "a\nb@c",
            "a@b\0",
        ] {
            assert!(!takes_letters(bad), "{bad}");
        }
    }
}
