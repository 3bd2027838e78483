//! How many bytes are kept on whose account. The sums are kept by whoever changes what
//! they are of, in the same transaction, so that no question goes through all submissions.

use anyhow::Result;
use ludus_games::Seat;
use ludus_sandbox::{LARGEST_MODULE, Limits};
use sqlx::Row as _;

use crate::database::{Columns as _, Database, Tx};
use crate::ids::{AccountId, SeasonId, SubmissionId};

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
        "SELECT CAST(COALESCE((SELECT SUM(bytes) FROM kept WHERE account_id = $1), 0) AS BIGINT),
         CAST(COALESCE((SELECT SUM(bytes) FROM kept WHERE season_id = $2), 0) AS BIGINT),
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

/// Counts a submission that has been taken in, with so many bytes.
pub async fn count_new(tx: &mut Tx, account: AccountId, season: SeasonId, bytes: i64) -> Result<()> {
    sqlx::query(
        "INSERT INTO kept (account_id, season_id, submissions, thinned, bytes) VALUES ($1, $2, 1, 0, $3)
         ON CONFLICT (account_id, season_id) DO UPDATE SET submissions = kept.submissions + 1, bytes = kept.bytes + excluded.bytes",
    )
    .bind(account)
    .bind(season)
    .bind(bytes)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Counts so many bytes more of a submission.
pub async fn count_more(tx: &mut Tx, submission: SubmissionId, bytes: i64) -> Result<()> {
    for statement in [
        "UPDATE submissions SET bytes = bytes + $1 WHERE id = $2",
        "UPDATE kept SET bytes = bytes + $1 WHERE (account_id, season_id) = (SELECT account_id, season_id FROM submissions WHERE id = $2)",
    ] {
        sqlx::query(statement).bind(bytes).bind(submission).execute(&mut **tx).await?;
    }
    Ok(())
}

/// Works out anew what somebody keeps, in one season or in all of them.
pub async fn recount(tx: &mut Tx, account: AccountId, season: Option<SeasonId>) -> Result<()> {
    for statement in [
        // What others add meanwhile is added before or after, never lost.
        "UPDATE kept SET bytes = bytes WHERE account_id = $1 AND ($2 = 0 OR season_id = $2)",
        "INSERT INTO kept (account_id, season_id, submissions, thinned, bytes)
         SELECT account_id, season_id, COUNT(*), COUNT(thinned_at), SUM(bytes) FROM submissions
         WHERE account_id = $1 AND ($2 = 0 OR season_id = $2) GROUP BY account_id, season_id
         ON CONFLICT (account_id, season_id) DO UPDATE SET submissions = excluded.submissions,
         thinned = excluded.thinned, bytes = excluded.bytes",
        "DELETE FROM kept WHERE account_id = $1 AND ($2 = 0 OR season_id = $2) AND NOT EXISTS (SELECT 1
         FROM submissions s WHERE s.account_id = kept.account_id AND s.season_id = kept.season_id)",
    ] {
        sqlx::query(statement).bind(account).bind(season.unwrap_or(SeasonId(0))).execute(&mut **tx).await?;
    }
    Ok(())
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
        "SELECT e.title AS name, CAST(COALESCE(SUM(k.submissions), 0) AS BIGINT) AS submissions,
         CAST(COALESCE(SUM(k.thinned), 0) AS BIGINT) AS thinned, CAST(COALESCE(SUM(k.bytes), 0) AS BIGINT) AS bytes
         FROM seasons e LEFT JOIN kept k ON k.season_id = e.id GROUP BY e.id, e.title ORDER BY e.id DESC LIMIT 100",
    )
    .await
}

/// Who keeps most.
pub async fn people(database: &Database) -> Result<Vec<Share>> {
    shares(
        database,
        "SELECT a.name, CAST(SUM(k.submissions) AS BIGINT) AS submissions, CAST(SUM(k.thinned) AS BIGINT) AS thinned,
         CAST(SUM(k.bytes) AS BIGINT) AS bytes FROM accounts a JOIN kept k ON k.account_id = a.id
         GROUP BY a.id, a.name ORDER BY SUM(k.bytes) DESC, a.id LIMIT 20",
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
