//! Ladders of public players.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, Json, Question};
use super::lists::Moment;
use crate::ids::SubmissionId;
use crate::ladder::standing::{self, PAGE};
use crate::pages::ladder::why_out;
use crate::pages::rounds::sees_names;
use crate::pages::seasons::season;
use crate::texts;
use crate::web::{AppError, Problem, Site, Visitor};

/// A ladder.
#[derive(Serialize, JsonSchema)]
pub struct Ladder {
    /// Matches that were played on it.
    played: i64,
    /// Since when nothing is left to learn; null while it is climbed.
    rests_since: Option<Moment>,
    /// Players of authors on it.
    players: i64,
    /// The best first, beside those that come with the game.
    items: Vec<Climber>,
    /// What to send as `cursor` to get the next part; null at the end.
    next: Option<String>,
}

/// A player on a ladder.
#[derive(Serialize, JsonSchema)]
pub struct Climber {
    rank: Option<i64>,
    /// Its number, unless it comes with the game.
    player: Option<SubmissionId>,
    name: String,
    /// The name of its author, for those who may see it.
    author: Option<String>,
    rating: f64,
    /// So much more or less, with 95 of 100 chances.
    margin: f64,
    played: i64,
    wins: i64,
}

impl Climber {
    fn of(row: standing::Row, rank: Option<i64>, names: bool) -> Climber {
        Climber {
            rank,
            player: row.submission,
            name: row.name,
            author: row.author.filter(|_| names),
            rating: row.rating,
            margin: row.margin,
            played: row.played,
            wins: row.wins,
        }
    }
}

/// Which part of a ladder: a hundred at a time.
#[derive(Deserialize, JsonSchema)]
pub struct Which {
    /// Where the last part ended: its `next`.
    cursor: Option<String>,
}

impl Question for Which {}

pub async fn show(ask: Ask<String, Which>) -> Done<Json<Ladder>> {
    let page = match ask.query.cursor.as_deref().map(str::parse) {
        None => 1,
        Some(Ok(page)) if (1..=1000).contains(&page) => page,
        Some(_) => return Err(Problem::in_field("cursor", texts::BAD_CURSOR)),
    };
    let (database, season) = (&ask.site.database, season(&ask.site, &ask.path).await?);
    let progress = standing::progress(database, season.id).await?;
    let names = sees_names(&ask.site, &ask.visitor).await?;
    // Nobody but players of the game is no ladder yet, as on the page.
    let rows = if progress.players == 0 { Vec::new() } else { standing::rows(database, season.id, page).await? };
    let is_full = rows.len() as i64 == PAGE;
    let ranks = (page - 1) * PAGE + 1..;
    Ok(Json(Ladder {
        played: progress.played,
        rests_since: progress.rests_since.map(Moment),
        players: progress.players,
        items: rows.into_iter().zip(ranks).map(|(row, rank)| Climber::of(row, Some(rank), names)).collect(),
        next: (is_full && page < 1000).then(|| (page + 1).to_string()),
    }))
}

/// Where a player stands on its ladder.
#[derive(Serialize, JsonSchema)]
pub struct Place {
    climber: Climber,
    /// Of how many.
    of: i64,
    /// Why it is not on the ladder any more.
    left_because: Option<String>,
    /// Its rating over time.
    points: Vec<Point>,
}

/// A rating at some time.
#[derive(Serialize, JsonSchema)]
pub struct Point {
    played: i64,
    rating: f64,
    margin: f64,
    at: Moment,
}

/// Where a player stands, if it ever was on a ladder.
pub async fn place(site: &Site, visitor: &Visitor, id: SubmissionId, is_own: bool) -> Result<Option<Place>, AppError> {
    let Some(found) = standing::of_player(&site.database, id).await? else { return Ok(None) };
    let names = is_own || sees_names(site, visitor).await?;
    let is_told = is_own || visitor.is_instructor();
    let points = found.points.iter().map(|one| Point {
        played: one.played,
        rating: one.rating,
        margin: one.margin,
        at: Moment(one.at),
    });
    Ok(Some(Place {
        of: found.of,
        left_because: found.out.map(|out| visitor.t(why_out(out, is_told)).to_owned()),
        points: points.collect(),
        climber: Climber::of(found.row, found.rank, names),
    }))
}
