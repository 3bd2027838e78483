//! What needs an instructor's attention, as the database tells it.

use anyhow::Result;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database};
use crate::ids::SeasonId;

const DAY: i64 = 86_400_000;
/// How long before a deadline or a round it is on the desk.
pub const NEAR: i64 = 7 * DAY;
/// The most students that are named for one season.
const MOST_NAMED: i64 = 40;

/// Submissions without a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    pub count: i64,
    /// The oldest: its submission and when it came.
    pub oldest: Option<(i64, i64)>,
}

pub async fn waiting(database: &Database) -> Result<Waiting> {
    let oldest =
        sqlx::query("SELECT id, created_at FROM submissions WHERE decided_at IS NULL ORDER BY created_at, id LIMIT 1")
            .fetch_optional(database.read())
            .await?;
    let count = sqlx::query("SELECT COUNT(*) AS count FROM submissions WHERE decided_at IS NULL")
        .fetch_one(database.read())
        .await?;
    let oldest = oldest.map(|row| Ok::<_, sqlx::Error>((row.int("id")?, row.int("created_at")?))).transpose()?;
    Ok(Waiting { count: count.int("count")?, oldest })
}

/// A round that cannot go on because a match of it was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub season: (String, String),
    /// Slug and title of the final, if it is a round of one.
    pub of_final: Option<(String, String)>,
    pub round: i64,
    /// Why, as the machine said it.
    pub error: String,
}

pub async fn stopped_rounds(database: &Database) -> Result<Vec<Stopped>> {
    let rows = sqlx::query(
        "SELECT r.number, e.slug, e.title, f.slug AS final_slug, f.title AS final_title, MIN(j.error) AS error
         FROM rounds r JOIN seasons e ON e.id = r.season_id LEFT JOIN finals f ON f.id = r.final_id
         JOIN round_matches m ON m.round_id = r.id JOIN jobs j ON j.subject = m.match_id
         WHERE r.state = 'playing' AND j.kind = 'match' AND j.state <> 'done' AND j.state = 'parked'
         GROUP BY r.id, r.number, e.slug, e.title, f.slug, f.title ORDER BY r.id",
    )
    .fetch_all(database.read())
    .await?;
    let stopped = |row: &AnyRow| {
        Ok(Stopped {
            season: (row.text("slug")?, row.text("title")?),
            of_final: row.maybe_text("final_slug")?.zip(row.maybe_text("final_title")?),
            round: row.int("number")?,
            error: row.maybe_text("error")?.unwrap_or_default(),
        })
    };
    Ok(rows.iter().map(stopped).collect::<sqlx::Result<_>>()?)
}

/// Something that is going to happen in a season, or does not because somebody said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coming {
    pub season_id: SeasonId,
    pub season: (String, String),
    pub at: i64,
}

fn coming(rows: &[AnyRow]) -> Result<Vec<Coming>> {
    let coming = |row: &AnyRow| {
        let season = (row.text("slug")?, row.text("title")?);
        Ok(Coming { season_id: row.try_get("id")?, season, at: row.int("at")? })
    };
    Ok(rows.iter().map(coming).collect::<sqlx::Result<_>>()?)
}

/// Deadlines that are near, the next one first.
pub async fn deadlines(database: &Database, time: i64) -> Result<Vec<Coming>> {
    let rows = sqlx::query(
        "SELECT id, slug, title, deadline_at AS at FROM seasons WHERE deadline_at > $1 AND deadline_at <= $2 AND opens_at <= $1
         ORDER BY deadline_at, id",
    )
    .bind(time)
    .bind(time + NEAR)
    .fetch_all(database.read())
    .await?;
    coming(&rows)
}

/// Rounds that start soon, the next one first.
pub async fn coming_rounds(database: &Database, time: i64) -> Result<Vec<Coming>> {
    let rows = sqlx::query(
        "SELECT e.id, e.slug, e.title, r.starts_at AS at FROM rounds r JOIN seasons e ON e.id = r.season_id
         WHERE r.state = 'committed' AND r.final_id IS NULL AND r.starts_at IS NOT NULL AND r.starts_at <= $1
         AND NOT EXISTS (SELECT 1 FROM schedules s WHERE s.season_id = e.id AND s.paused_at IS NOT NULL)
         ORDER BY r.starts_at, r.id",
    )
    .bind(time + NEAR)
    .fetch_all(database.read())
    .await?;
    coming(&rows)
}

/// Seasons whose rounds are paused, and why.
pub async fn paused_seasons(database: &Database) -> Result<Vec<(Coming, String)>> {
    let rows = sqlx::query(
        "SELECT e.id, e.slug, e.title, s.paused_at AS at, s.paused_reason FROM schedules s
         JOIN seasons e ON e.id = s.season_id WHERE s.paused_at IS NOT NULL ORDER BY s.paused_at",
    )
    .fetch_all(database.read())
    .await?;
    let reasons = rows.iter().map(|row| row.text("paused_reason")).collect::<sqlx::Result<Vec<_>>>()?;
    Ok(coming(&rows)?.into_iter().zip(reasons).collect())
}

/// The students of a season's groups who have no accepted player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WithoutPlayer {
    pub count: i64,
    /// Some of them: account and name.
    pub some: Vec<(i64, String)>,
}

/// Who would not take part if the deadline of a season were now.
pub async fn without_player(database: &Database, season: SeasonId) -> Result<WithoutPlayer> {
    let rows = sqlx::query(
        "SELECT a.id, a.name, COUNT(*) OVER () AS count FROM accounts a
         WHERE a.role = 'student' AND a.locked = 0
         AND (NOT EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1)
              OR EXISTS (SELECT 1 FROM season_groups g WHERE g.season_id = $1 AND g.team = a.team))
         AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.season_id = $1 AND s.account_id = a.id
              AND s.stage = 'accepted' AND s.retired_at IS NULL)
         ORDER BY a.name, a.id LIMIT $2",
    )
    .bind(season)
    .bind(MOST_NAMED)
    .fetch_all(database.read())
    .await?;
    let count = rows.first().map_or(Ok(0), |row| row.int("count"))?;
    let some = rows.iter().map(|row| Ok((row.int("id")?, row.text("name")?))).collect::<sqlx::Result<_>>()?;
    Ok(WithoutPlayer { count, some })
}

/// Jobs that wait for an instructor.
pub async fn parked(database: &Database) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) AS count FROM jobs WHERE state <> 'done' AND state = 'parked'")
        .fetch_one(database.read())
        .await?;
    Ok(row.int("count")?)
}

/// Finals that are played and not shown to the end: slug, title.
pub async fn finals_to_show(database: &Database) -> Result<Vec<(String, String)>> {
    let rows = sqlx::query("SELECT slug, title FROM finals WHERE state IN ('played', 'showing') ORDER BY id")
        .fetch_all(database.read())
        .await?;
    Ok(rows.iter().map(|row| Ok((row.text("slug")?, row.text("title")?))).collect::<sqlx::Result<_>>()?)
}

/// Whether anybody is there to hand in something.
pub async fn has_students(database: &Database) -> Result<bool> {
    let one = sqlx::query("SELECT 1 FROM accounts WHERE role = 'student' LIMIT 1");
    Ok(one.fetch_optional(database.read()).await?.is_some())
}
