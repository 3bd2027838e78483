//! Deleting a person or whole seasons, for good.
//!
//! Of a person remains what official results are made of, without the name: the
//! players that took part in official rounds keep their own names, modules and
//! matches, which signed round files hold and others' results depend on. Sources,
//! output, verification, training, sessions, links and friends go. Entries of the
//! log stay, and say `deleted-NUMBER` where they said a name.

use anyhow::{Result, bail, ensure};

use crate::accounts::{Account, Role};
use crate::belongings::{Belongings, leave_files, run};
use crate::database::schema::{self, Table};
use crate::database::{Database, Tx, now};
use crate::ids::SeasonId;
use crate::storage;

/// What becomes of rows that name somebody who is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They go.
    Delete,
    /// They stay, and name an account that has no name any more.
    Keep,
}

/// What becomes of every column that refers to an account. One that is not here
/// takes its rows with it; a test asks for a line nevertheless, so that somebody
/// decides.
pub const FATES: &[(&str, &str, Fate)] = &[
    ("actions", "account_id", Fate::Keep),
    ("actions", "actor_id", Fate::Keep),
    ("claims", "account_id", Fate::Delete),
    ("contenders", "account_id", Fate::Delete),
    ("departures", "actor_id", Fate::Keep),
    ("devices", "account_id", Fate::Delete),
    ("entrants", "account_id", Fate::Keep),
    ("entrants", "leaving_by", Fate::Keep),
    ("exceptions", "account_id", Fate::Delete),
    ("finalists", "account_id", Fate::Keep),
    ("friends", "account_id", Fate::Delete),
    ("friends", "friend_id", Fate::Delete),
    ("grade_corrections", "account_id", Fate::Keep),
    ("grade_corrections", "actor_id", Fate::Keep),
    // Whoever made the link of a group.
    ("group_links", "account_id", Fate::Keep),
    // What is left is counted anew.
    ("kept", "account_id", Fate::Keep),
    ("letters", "account_id", Fate::Delete),
    // The evidence goes with the source; what was decided stays in the grades.
    ("likeness_notes", "actor_id", Fate::Keep),
    ("likenesses", "account_a", Fate::Delete),
    ("likenesses", "account_b", Fate::Delete),
    ("links", "account_id", Fate::Delete),
    ("news", "account_id", Fate::Keep),
    // Choices of players that never took part go with these.
    ("representatives", "account_id", Fate::Keep),
    ("round_players", "account_id", Fate::Keep),
    ("sessions", "account_id", Fate::Delete),
    ("sketches", "account_id", Fate::Delete),
    // Those that took part in official rounds stay, without their sources.
    ("submissions", "account_id", Fate::Keep),
    ("tokens", "account_id", Fate::Delete),
    ("trainings", "account_id", Fate::Delete),
    // Whose machines they were; what they played stays proved or doubted.
    ("workers", "account_id", Fate::Keep),
];

/// References to players that others' rows can do without.
const SOFT: &[(&str, &str)] = &[
    ("actions", "account_id"),
    ("actions", "season_id"),
    ("actions", "submission_id"),
    ("seats", "submission_id"),
    ("training_players", "submission_id"),
];

/// Deletes a person. The number of rows that went.
pub async fn person(database: &Database, account: &Account) -> Result<u64> {
    let mut tx = database.begin().await?;
    if account.role == Role::Instructor {
        let others =
            sqlx::query_scalar("SELECT COUNT(*) FROM accounts WHERE role = 'instructor' AND locked = 0 AND id <> $1");
        let others: i64 = others.bind(account.id).fetch_one(&mut *tx).await?;
        ensure!(others > 0, "{} is the only instructor", account.email);
    }
    let tables = schema::tables(&mut tx, database.dialect()).await?;
    let id = account.id;
    let all = format!("SELECT id FROM submissions WHERE account_id = {id}");
    give_up_traces(&mut tx, &all).await?;
    let unofficial = format!("account_id = {id} AND id NOT IN (SELECT submission_id FROM round_players)");
    let mut roots = vec![
        ("submissions", unofficial),
        ("matches", format!("purpose = 'verification' AND submission_id IN ({all})")),
    ];
    roots.extend(deleted_columns(&tables).map(|(table, column)| (table, format!("\"{column}\" = {id}"))));
    let count = Belongings::of(&tables, &roots, SOFT).delete(&mut tx).await?;
    strip_players(&mut tx, account).await?;
    storage::recount(&mut tx, account.id, None).await?;
    strip_texts(&mut tx, account).await?;
    strip_account(&mut tx, account).await?;
    tx.commit().await?;
    Ok(count)
}

/// The columns that take their rows with them.
fn deleted_columns(tables: &[Table]) -> impl Iterator<Item = (&str, &str)> {
    let references = tables.iter().flat_map(|table| table.refers.iter().map(move |(own, to)| (&*table.name, own, to)));
    let of_accounts = references.filter(|(.., to)| *to == "accounts").map(|(table, own, _)| (table, own.as_str()));
    of_accounts.filter(|(table, column)| {
        let fate = FATES.iter().find(|(one, other, _)| one == table && other == column);
        fate.is_none_or(|(.., fate)| *fate == Fate::Delete)
    })
}

/// What the person's players wrote goes everywhere; replays hold their names, and
/// go too, as old ones do, but for those of official matches.
async fn give_up_traces(tx: &mut Tx, players: &str) -> Result<()> {
    let seats = format!("submission_id IN ({players})");
    leave_files(tx, "seats", "output", &seats).await?;
    run(tx, format!("UPDATE seats SET output = NULL WHERE {seats}")).await?;
    let unofficial = format!("purpose <> 'official' AND id IN (SELECT match_id FROM seats WHERE {seats})");
    leave_files(tx, "matches", "replay", &unofficial).await?;
    leave_files(tx, "seats", "output", &format!("match_id IN (SELECT id FROM matches WHERE {unofficial})")).await?;
    let given_up = format!("thinned_at = {}, small_replay = NULL", now());
    run(tx, format!("UPDATE matches SET {given_up} WHERE thinned_at IS NULL AND {unofficial}")).await?;
    Ok(())
}

/// Players that took part in official rounds lose everything but what proves
/// their matches.
async fn strip_players(tx: &mut Tx, account: &Account) -> Result<()> {
    sqlx::query(
        "UPDATE submissions SET source = $1, file_name = '', reason = NULL, detail = NULL, module_link = NULL,
         module_for = NULL, bytes = 0, retired_reason = '', retired_at = COALESCE(retired_at, $2) WHERE account_id = $3",
    )
    .bind(Vec::new())
    .bind(now())
    .bind(account.id)
    .execute(&mut **tx)
    .await?;
    sqlx::query("UPDATE round_players SET label = '' WHERE account_id = $1")
        .bind(account.id)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// What others wrote about the person.
async fn strip_texts(tx: &mut Tx, account: &Account) -> Result<()> {
    for statement in [
        "UPDATE entrants SET leaving_reason = '' WHERE leaving_reason IS NOT NULL AND account_id = $1",
        "UPDATE grade_corrections SET reason = '' WHERE account_id = $1",
        "UPDATE departures SET reason = '' WHERE kind = 'withdrawn' AND EXISTS (SELECT 1 FROM entrants e
         WHERE e.season_id = departures.season_id AND e.number = departures.author AND e.account_id = $1)",
        "UPDATE actions SET reason = '' WHERE account_id = $1",
    ] {
        sqlx::query(statement).bind(account.id).execute(&mut **tx).await?;
    }
    for words in [&account.email, &account.name] {
        if words.is_empty() {
            continue;
        }
        sqlx::query("UPDATE actions SET detail = REPLACE(detail, $1, $2), reason = REPLACE(reason, $1, $2)")
            .bind(words)
            .bind(name_of(account))
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

fn name_of(account: &Account) -> String {
    format!("deleted-{}", account.id)
}

async fn strip_account(tx: &mut Tx, account: &Account) -> Result<()> {
    sqlx::query("UPDATE accounts SET email = $1, name = $2, team = '', password = NULL, locked = 1 WHERE id = $3")
        .bind(format!("{}@invalid", name_of(account)))
        .bind(name_of(account))
        .bind(account.id)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Deletes seasons and all that belongs to them. The number of rows that went.
pub async fn seasons(database: &Database, seasons: &[SeasonId]) -> Result<u64> {
    let mut tx = database.begin().await?;
    let tables = schema::tables(&mut tx, database.dialect()).await?;
    let list: Vec<String> = seasons.iter().map(ToString::to_string).collect();
    let list = list.join(", ");
    let shared = format!(
        "SELECT f.title FROM finals f WHERE EXISTS (SELECT 1 FROM final_seasons x WHERE x.final_id = f.id AND x.season_id IN ({list}))
         AND (f.season_id NOT IN ({list}) OR EXISTS (SELECT 1 FROM final_seasons x WHERE x.final_id = f.id AND x.season_id NOT IN ({list})))"
    );
    let shared: Option<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(shared)).fetch_optional(&mut *tx).await?;
    if let Some(title) = shared {
        bail!("the final '{title}' has finalists of other seasons too; delete all of its seasons together");
    }
    let soft = &SOFT[..3];
    let count = Belongings::of(&tables, &[("seasons", format!("id IN ({list})"))], soft).delete(&mut tx).await?;
    tx.commit().await?;
    Ok(count)
}
