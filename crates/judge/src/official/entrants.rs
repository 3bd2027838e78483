//! Who takes part in a season: the groups of the roster that play it, and the
//! list that is made of them at the deadline.

use anyhow::Result;
use ludus_arena::season::Author;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row as _};

use super::rounds::author_of;
use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::seasons::Season;

/// The groups that play a season; none means every student.
pub async fn groups(database: &Database, season: SeasonId) -> Result<Vec<String>> {
    let rows = sqlx::query("SELECT team FROM season_groups WHERE season_id = $1 ORDER BY team")
        .bind(season)
        .fetch_all(database.read())
        .await?;
    Ok(rows.iter().map(|row| row.text("team")).collect::<sqlx::Result<_>>()?)
}

pub async fn set_groups(tx: &mut Tx, season: SeasonId, groups: &[String]) -> Result<()> {
    sqlx::query("DELETE FROM season_groups WHERE season_id = $1").bind(season).execute(&mut **tx).await?;
    for team in groups {
        sqlx::query("INSERT INTO season_groups (season_id, team) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(season)
            .bind(team)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// The groups of the roster, with how many students each has.
pub async fn roster_groups(database: &Database) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query(
        "SELECT team, COUNT(*) AS students FROM accounts WHERE role = 'student' AND team <> '' GROUP BY team ORDER BY team",
    )
    .fetch_all(database.read())
    .await?;
    Ok(rows.iter().map(|row| Ok((row.text("team")?, row.int("students")?))).collect::<sqlx::Result<_>>()?)
}

/// Whether somebody's group plays a season.
pub async fn is_of_season(database: &Database, season: SeasonId, account: AccountId) -> Result<bool> {
    let row = sqlx::query(
        "SELECT COUNT(*) FROM accounts a WHERE a.id = $2 AND a.role = 'student'
         AND (NOT EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1)
              OR EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1 AND g.team = a.team))",
    )
    .bind(season)
    .bind(account)
    .fetch_one(database.read())
    .await?;
    Ok(row.try_get::<i64, _>(0)? > 0)
}

/// Somebody of the season's groups, as they were at the deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub account: AccountId,
    /// None for those who had no accepted player.
    pub author: Option<Author>,
    pub student: String,
    pub team: String,
    pub is_locked: bool,
    /// Why an instructor has withdrawn them, if so; they leave with the next round.
    pub leaving: Option<String>,
}

/// Everybody on the list, those who take part first, by their numbers. Empty
/// before the deadline.
pub async fn list<'e>(executor: impl Executor<'e, Database = Any>, season: SeasonId) -> Result<Vec<Entrant>> {
    let rows = sqlx::query(
        "SELECT e.account_id, e.number, e.leaving_reason, a.name, a.team, a.locked FROM entrants e
         JOIN accounts a ON a.id = e.account_id WHERE e.season_id = $1
         ORDER BY CASE WHEN e.number IS NULL THEN 1 ELSE 0 END, e.number, a.name, a.id",
    )
    .bind(season)
    .fetch_all(executor)
    .await?;
    let entrant = |row: &AnyRow| {
        Ok(Entrant {
            account: row.try_get("account_id")?,
            author: row.maybe_int("number")?.map(author_of),
            student: row.text("name")?,
            team: row.text("team")?,
            is_locked: row.flag("locked")?,
            leaving: row.maybe_text("leaving_reason")?,
        })
    };
    Ok(rows.iter().map(entrant).collect::<sqlx::Result<_>>()?)
}

/// The numbers of all authors of a season, in order.
pub async fn authors<'e>(executor: impl Executor<'e, Database = Any>, season: SeasonId) -> Result<Vec<Author>> {
    let rows = sqlx::query("SELECT number FROM entrants WHERE season_id = $1 AND number IS NOT NULL ORDER BY number")
        .bind(season)
        .fetch_all(executor)
        .await?;
    Ok(rows.iter().map(|row| row.int("number").map(author_of)).collect::<sqlx::Result<_>>()?)
}

/// Until when a player had to be handed in for its author to take part: the
/// grace that is for slow networks counts here too.
pub fn last_entry(season: &Season) -> i64 {
    season.deadline_at + 1000 * season.grace_s
}

/// Makes the list of those who take part, if it is time and every player that
/// was handed in by then has its verdict. False if not, or if there is one.
pub async fn enter(tx: &mut Tx, season: &Season, time: i64) -> Result<bool> {
    let last = last_entry(season);
    if time < last {
        return Ok(false);
    }
    let undecided =
        sqlx::query("SELECT COUNT(*) FROM submissions WHERE season_id = $1 AND created_at < $2 AND decided_at IS NULL")
            .bind(season.id)
            .bind(last)
            .fetch_one(&mut **tx)
            .await?;
    if undecided.try_get::<i64, _>(0)? > 0 {
        return Ok(false);
    }
    let made = sqlx::query("UPDATE schedules SET entered_at = $1 WHERE season_id = $2 AND entered_at IS NULL")
        .bind(now())
        .bind(season.id)
        .execute(&mut **tx)
        .await?;
    if made.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO entrants (season_id, account_id, entered_at)
         SELECT $1, a.id, $2 FROM accounts a WHERE a.role = 'student' AND a.locked = 0
         AND (NOT EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1)
              OR EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1 AND g.team = a.team))",
    )
    .bind(season.id)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    number(tx, season, last).await?;
    Ok(true)
}

/// Gives numbers to those on the list who have none, and an accepted player
/// that was handed in before some time, or before the end of their exception.
/// Numbers follow the accounts, so that nobody chooses them.
pub async fn number(tx: &mut Tx, season: &Season, last: i64) -> Result<()> {
    let rows = sqlx::query(
        "SELECT e.account_id FROM entrants e WHERE e.season_id = $1 AND e.number IS NULL AND EXISTS (
             SELECT 1 FROM submissions s WHERE s.season_id = $1 AND s.account_id = e.account_id
             AND s.stage = 'accepted' AND s.retired_at IS NULL AND (s.created_at < $2 OR s.created_at < (
                 SELECT x.until_at FROM exceptions x WHERE x.season_id = $1 AND x.account_id = e.account_id)))
         ORDER BY e.account_id",
    )
    .bind(season.id)
    .bind(last)
    .fetch_all(&mut **tx)
    .await?;
    let mut number = authors(&mut **tx, season.id).await?.last().map_or(0, |author| i64::from(author.0));
    for row in &rows {
        number += 1;
        sqlx::query("UPDATE entrants SET number = $1 WHERE season_id = $2 AND account_id = $3")
            .bind(number)
            .bind(season.id)
            .bind(row.try_get::<AccountId, _>("account_id")?)
            .execute(&mut **tx)
            .await?;
    }
    Ok(())
}

/// Withdraws an author, who leaves with the next round. False for somebody who
/// takes no part or is withdrawn already.
pub async fn withdraw(
    tx: &mut Tx,
    season: SeasonId,
    account: AccountId,
    reason: &str,
    actor: AccountId,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE entrants SET leaving_reason = $1, leaving_by = $2, leaving_at = $3
         WHERE season_id = $4 AND account_id = $5 AND number IS NOT NULL AND leaving_reason IS NULL",
    )
    .bind(reason)
    .bind(actor)
    .bind(now())
    .bind(season)
    .bind(account)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Takes a withdrawal back. Whoever has left stays out.
pub async fn keep(tx: &mut Tx, season: SeasonId, account: AccountId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE entrants SET leaving_reason = NULL, leaving_by = NULL, leaving_at = NULL
         WHERE season_id = $1 AND account_id = $2 AND leaving_reason IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM departures d WHERE d.season_id = $1 AND d.kind = 'withdrawn' AND d.author = entrants.number)",
    )
    .bind(season)
    .bind(account)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}
