//! How many bytes are kept on whose account.

use anyhow::Result;
use ludus_games::Seat;
use ludus_sandbox::{LARGEST_MODULE, Limits};
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Tx};
use crate::ids::{AccountId, SeasonId};

/// What a submission without a verdict counts as, besides what is there of it:
/// the largest module, and all the output of its players. Its replays could
/// take more, with orders that no player has a reason for.
pub const RESERVE: i64 = (LARGEST_MODULE + 2 * Seat::COUNT * Limits::OUTPUT) as i64;

/// The same for its season. There are many of them there, of whom hardly one
/// leaves so much; its author's own limit holds the others.
pub const RESERVE_IN_SEASON: i64 = 1 << 20;

/// What is kept of a person in the whole course, and of everybody in a season,
/// and how many submissions of both are under way.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    pub of_account: i64,
    pub of_season: i64,
    pub undecided: i64,
    pub undecided_in_season: i64,
}

pub async fn kept(tx: &mut Tx, account: AccountId, season: SeasonId) -> Result<Kept> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE((SELECT SUM(bytes) FROM submissions WHERE account_id = $1), 0) AS BIGINT),
         CAST(COALESCE((SELECT SUM(bytes) FROM submissions WHERE season_id = $2), 0) AS BIGINT),
         (SELECT COUNT(*) FROM submissions WHERE account_id = $1 AND decided_at IS NULL),
         (SELECT COUNT(*) FROM submissions WHERE season_id = $2 AND decided_at IS NULL)",
    )
    .bind(account)
    .bind(season)
    .fetch_one(&mut **tx)
    .await?;
    Ok(Kept {
        of_account: row.try_get(0)?,
        of_season: row.try_get(1)?,
        undecided: row.try_get(2)?,
        undecided_in_season: row.try_get(3)?,
    })
}

/// What somebody, or everybody in a season, keeps.
#[derive(Clone, Debug)]
pub struct Share {
    pub name: String,
    pub submissions: i64,
    /// Those that have given up everything but source and results.
    pub thinned: i64,
    pub bytes: i64,
}

/// What every season keeps, the newest first.
pub async fn seasons(database: &Database) -> Result<Vec<Share>> {
    shares(
        database,
        "SELECT e.title AS name, COUNT(s.id) AS submissions,
         CAST(COALESCE(SUM(CASE WHEN s.thinned_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT) AS thinned,
         CAST(COALESCE(SUM(s.bytes), 0) AS BIGINT) AS bytes
         FROM seasons e LEFT JOIN submissions s ON s.season_id = e.id GROUP BY e.id, e.title ORDER BY e.id DESC LIMIT 100",
    )
    .await
}

/// Who keeps most.
pub async fn people(database: &Database) -> Result<Vec<Share>> {
    shares(
        database,
        "SELECT a.name, COUNT(s.id) AS submissions,
         CAST(COALESCE(SUM(CASE WHEN s.thinned_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT) AS thinned,
         CAST(SUM(s.bytes) AS BIGINT) AS bytes
         FROM accounts a JOIN submissions s ON s.account_id = a.id GROUP BY a.id, a.name
         ORDER BY SUM(s.bytes) DESC, a.id LIMIT 20",
    )
    .await
}

async fn shares(database: &Database, statement: &'static str) -> Result<Vec<Share>> {
    let rows = sqlx::query(statement).fetch_all(database.read()).await?;
    let shares = rows.iter().map(|row| {
        Ok(Share {
            name: row.text("name")?,
            submissions: row.int("submissions")?,
            thinned: row.int("thinned")?,
            bytes: row.int("bytes")?,
        })
    });
    Ok(shares.collect::<sqlx::Result<_>>()?)
}
