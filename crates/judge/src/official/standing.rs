//! Who is still in a season, and who left when.

use anyhow::{Context as _, Result};
use ludus_arena::season::{Author, Decision, Elimination, Event, Season as Course};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor};

use super::rounds::author_of;
use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId};

/// Something that happened to an author of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Happening {
    pub event: Event,
    /// Whom it is about.
    pub author: Author,
    /// The number of the round of an elimination or its undoing.
    pub round: Option<i64>,
    pub created_at: i64,
}

/// Everything that happened to the authors of a season, in order.
pub async fn happenings<'e>(executor: impl Executor<'e, Database = Any>, season: SeasonId) -> Result<Vec<Happening>> {
    let rows = sqlx::query(
        "SELECT d.kind, d.author, d.reason, d.created_at, r.number, r.decided_by FROM departures d
         LEFT JOIN rounds r ON r.id = d.round_id WHERE d.season_id = $1 ORDER BY d.id",
    )
    .bind(season)
    .fetch_all(executor)
    .await?;
    rows.iter().map(happening).collect()
}

fn happening(row: &AnyRow) -> Result<Happening> {
    let (author, reason) = (author_of(row.int("author")?), row.text("reason")?);
    let round = row.maybe_int("number")?;
    let event = match row.text("kind")?.as_str() {
        "eliminated" => {
            let by = match row.maybe_text("decided_by")?.as_deref() {
                Some("alone") => Decision::Alone,
                Some("draw") => Decision::Draw,
                _ => Decision::Behind,
            };
            let round = u32::try_from(round.context("an elimination without a round")?)?;
            Event::Eliminated { round, elimination: Elimination { author, by } }
        }
        "withdrawn" => Event::Withdrawn { author, reason },
        _ => Event::Undone { reason },
    };
    Ok(Happening { event, author, round, created_at: row.int("created_at")? })
}

/// The course of a season: a fold over what happened.
pub fn course(authors: impl IntoIterator<Item = Author>, happenings: &[Happening]) -> Result<Course> {
    let events = happenings.iter().map(|one| one.event.clone());
    Course::of(authors, events).context("what happened in the season does not fit together")
}

/// The course of a season so far.
pub async fn find(database: &Database, season: SeasonId) -> Result<Course> {
    let authors = super::entrants::authors(database.read(), season).await?;
    course(authors, &happenings(database.read(), season).await?)
}

/// The same in a transaction.
pub async fn in_transaction(tx: &mut Tx, season: SeasonId) -> Result<Course> {
    let authors = super::entrants::authors(&mut **tx, season).await?;
    course(authors, &happenings(&mut **tx, season).await?)
}

/// What is added to what happened.
pub enum Kind {
    Eliminated,
    Withdrawn,
    Undone,
}

/// Adds something to what happened in a season.
pub async fn record(
    tx: &mut Tx,
    season: SeasonId,
    kind: Kind,
    author: Author,
    round: Option<i64>,
    (reason, actor): (&str, Option<AccountId>),
) -> Result<()> {
    let kind = match kind {
        Kind::Eliminated => "eliminated",
        Kind::Withdrawn => "withdrawn",
        Kind::Undone => "undone",
    };
    sqlx::query(
        "INSERT INTO departures (season_id, kind, round_id, author, reason, actor_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(season)
    .bind(kind)
    .bind(round)
    .bind(i64::from(author.0))
    .bind(reason)
    .bind(actor)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    Ok(())
}
