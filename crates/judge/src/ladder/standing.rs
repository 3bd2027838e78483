//! A ladder as pages show it.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use super::field::{Out, of_stored};
use crate::database::{Columns as _, Reader};
use crate::ids::{SeasonId, SubmissionId};

/// How far a ladder has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub played: i64,
    /// Since when nothing is left to learn.
    pub rests_since: Option<i64>,
    /// Players of authors on it.
    pub players: i64,
}

/// A player on a ladder.
#[derive(Clone, Debug)]
pub struct Row {
    /// None for one that comes with the game.
    pub submission: Option<SubmissionId>,
    pub name: String,
    pub author: Option<String>,
    pub rating: f64,
    /// So much more or less, with 95 of 100 chances.
    pub margin: f64,
    pub played: i64,
    pub wins: i64,
}

impl FromRow<'_, AnyRow> for Row {
    fn from_row(row: &AnyRow) -> sqlx::Result<Row> {
        Ok(Row {
            submission: row.try_get("submission_id")?,
            name: row.text("name")?,
            author: row.maybe_text("author")?,
            rating: of_stored(row.int("mean")?),
            margin: 2.0 * of_stored(row.int("deviation")?),
            played: row.int("played")?,
            wins: row.int("wins")?,
        })
    }
}

/// Players on one page of a ladder.
pub const PAGE: i64 = 100;

pub async fn progress(mut from: impl Reader, season: SeasonId) -> Result<Progress> {
    let row = sqlx::query(
        "SELECT l.played, l.rests_since, (SELECT COUNT(*) FROM contenders c WHERE c.season_id = l.season_id
         AND c.out_reason IS NULL AND c.submission_id IS NOT NULL) AS players FROM ladders l WHERE l.season_id = $1",
    );
    let Some(row) = row.bind(season).fetch_optional(from.executor()).await? else { return Ok(Progress::default()) };
    Ok(Progress {
        played: row.int("played")?,
        rests_since: row.maybe_int("rests_since")?,
        players: row.int("players")?,
    })
}

/// The best first, as far as one can be sure of it. Whoever has just been retired
/// is left out at once.
pub async fn rows(mut from: impl Reader, season: SeasonId, page: i64) -> Result<Vec<Row>> {
    let rows = sqlx::query_as(ROWS).bind(season).bind(PAGE).bind((page.clamp(1, 1000) - 1) * PAGE);
    Ok(rows.fetch_all(from.executor()).await?)
}

pub const ROWS: &str = "SELECT c.submission_id, c.name, a.name AS author, c.mean, c.deviation, c.wins,
     c.seat0 + c.seat1 + c.seat2 + c.seat3 AS played FROM contenders c
     LEFT JOIN submissions s ON s.id = c.submission_id LEFT JOIN accounts a ON a.id = c.account_id
     WHERE c.season_id = $1 AND c.out_reason IS NULL AND s.retired_at IS NULL
     ORDER BY c.strength DESC, c.id LIMIT $2 OFFSET $3";

/// Where one player stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// None for one that has left the ladder.
    pub rank: Option<i64>,
    /// Of how many.
    pub of: i64,
    pub out: Option<Out>,
    pub row: Row,
    pub points: Vec<Point>,
}

/// A rating at some time.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub played: i64,
    pub rating: f64,
    pub margin: f64,
    pub at: i64,
}

/// Where a player stands, if it ever was on the ladder.
pub async fn of_player(mut from: impl Reader, player: SubmissionId) -> Result<Option<Place>> {
    let found = sqlx::query(
        "SELECT c.id, c.season_id, c.strength, c.out_reason, c.submission_id, c.name, a.name AS author, c.mean, c.deviation, c.wins,
         c.seat0 + c.seat1 + c.seat2 + c.seat3 AS played FROM contenders c LEFT JOIN accounts a ON a.id = c.account_id
         WHERE c.submission_id = $1",
    );
    let Some(found) = found.bind(player).fetch_optional(from.executor()).await? else { return Ok(None) };
    let (id, season, strength) = (found.int("id")?, found.int("season_id")?, found.int("strength")?);
    let count = sqlx::query(
        "SELECT COUNT(*) AS all_of_them, COUNT(CASE WHEN strength > $2 OR (strength = $2 AND id < $3) THEN 1 END) AS ahead
         FROM contenders WHERE season_id = $1 AND out_reason IS NULL",
    );
    let count = count.bind(season).bind(strength).bind(id).fetch_one(from.executor()).await?;
    let points = sqlx::query(
        "SELECT played, mean, deviation, created_at FROM rating_points WHERE contender_id = $1 ORDER BY played",
    );
    let mut curve = Vec::new();
    for row in points.bind(id).fetch_all(from.executor()).await? {
        curve.push(Point {
            played: row.int("played")?,
            rating: of_stored(row.int("mean")?),
            margin: 2.0 * of_stored(row.int("deviation")?),
            at: row.int("created_at")?,
        });
    }
    let out: Option<Out> = found.try_get("out_reason")?;
    let rank = out.is_none().then_some(count.int("ahead")? + 1);
    Ok(Some(Place { rank, of: count.int("all_of_them")?, out, row: Row::from_row(&found)?, points: curve }))
}
