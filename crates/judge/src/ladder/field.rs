//! Who is on a ladder, and who joins and leaves it.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use ludus_arena::Rating;
use ludus_arena::ladder::{Contender, plan};
use ludus_games::{Game, Generator};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Reader, Tx, now};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::seasons::Season;
use crate::training::builtins;
use crate::words::words;

/// The newest public players of an author that are on the ladder.
pub const OF_AUTHOR: usize = 3;
/// The players of a season that may be on its ladder, at most.
const MOST: i64 = 3000;

words! {
    /// Why a player is not on the ladder any more.
    pub enum Out {
        Retired = "retired",
        /// Its author has newer ones.
        Newer = "newer",
        /// It took far too long, twice.
        Overran = "overran",
        /// Its module was lost and cannot be made again.
        Lost = "lost",
    }
}

impl Out {
    /// Whether it may come back by itself.
    fn is_for_now(self) -> bool {
        matches!(self, Out::Retired | Out::Newer)
    }
}

/// A player on a ladder.
#[derive(Clone, Debug)]
pub struct Climber {
    pub id: i64,
    /// None for one that comes with the game.
    pub submission: Option<SubmissionId>,
    pub name: String,
    pub module: Option<String>,
    pub wins: i64,
    pub contender: Contender,
}

/// Ratings are stored in millionths.
const UNIT: f64 = 1e6;

pub fn stored(value: f64) -> i64 {
    (value * UNIT).round() as i64
}

pub fn of_stored(value: i64) -> f64 {
    value as f64 / UNIT
}

/// What is sure of a rating, by which the ladder is ordered.
pub fn strength(rating: Rating) -> i64 {
    stored(rating.mean - 2.0 * rating.deviation)
}

impl FromRow<'_, AnyRow> for Climber {
    fn from_row(row: &AnyRow) -> sqlx::Result<Climber> {
        let seat = |column: &str| Ok::<u32, sqlx::Error>(row.int(column)?.clamp(0, i64::from(u32::MAX)) as u32);
        Ok(Climber {
            id: row.int("id")?,
            submission: row.try_get("submission_id")?,
            name: row.text("name")?,
            module: row.maybe_text("module")?,
            wins: row.int("wins")?,
            contender: Contender {
                rating: Rating { mean: of_stored(row.int("mean")?), deviation: of_stored(row.int("deviation")?) },
                author: row.maybe_int("account_id")?,
                seats: [seat("seat0")?, seat("seat1")?, seat("seat2")?, seat("seat3")?],
            },
        })
    }
}

/// Everybody on the ladder of a season.
pub async fn find(mut from: impl Reader, season: SeasonId) -> Result<Vec<Climber>> {
    let found = sqlx::query_as(
        "SELECT c.id, c.submission_id, c.account_id, c.name, s.module, c.mean, c.deviation, c.wins, c.seat0, c.seat1,
         c.seat2, c.seat3 FROM contenders c LEFT JOIN submissions s ON s.id = c.submission_id
         WHERE c.season_id = $1 AND c.out_reason IS NULL AND (c.submission_id IS NULL OR s.retired_at IS NULL)
         ORDER BY c.id",
    );
    Ok(found.bind(season).fetch_all(from.executor()).await?)
}

/// Whether there is a match that would tell something.
pub fn has_matches(field: &[Climber]) -> bool {
    let contenders: Vec<Contender> = field.iter().map(|one| one.contender.clone()).collect();
    !plan(&contenders, 1, &mut Generator::new(0)).is_empty()
}

/// What has to be done so that the right ones are on a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Join { player: SubmissionId, author: AccountId, name: String },
    Return { contender: i64 },
    Leave { contender: i64, why: Out },
}

pub async fn changes(mut from: impl Reader, season: SeasonId) -> Result<Vec<Change>> {
    let rows = sqlx::query("SELECT id, submission_id, out_reason FROM contenders WHERE season_id = $1");
    let mut known: HashMap<SubmissionId, (i64, Option<Out>)> = HashMap::new();
    for row in rows.bind(season).fetch_all(from.executor()).await? {
        if let Some(player) = row.try_get("submission_id")? {
            known.insert(player, (row.int("id")?, row.try_get("out_reason")?));
        }
    }
    let rows = sqlx::query(
        "SELECT id, account_id, name FROM submissions WHERE season_id = $1 AND public_at IS NOT NULL
         AND stage = 'accepted' AND retired_at IS NULL AND module IS NOT NULL ORDER BY id DESC LIMIT $2",
    );
    let (mut changes, mut of_author) = (Vec::new(), HashMap::<AccountId, usize>::new());
    for row in rows.bind(season).bind(MOST).fetch_all(from.executor()).await? {
        let (player, author) = (row.try_get("id")?, row.try_get("account_id")?);
        let known = known.remove(&player);
        if matches!(known, Some((_, Some(out))) if !out.is_for_now()) {
            continue;
        }
        let count = of_author.entry(author).or_default();
        *count += 1;
        match known {
            None if *count <= OF_AUTHOR => changes.push(Change::Join { player, author, name: row.text("name")? }),
            Some((contender, Some(_))) if *count <= OF_AUTHOR => changes.push(Change::Return { contender }),
            Some((contender, None)) if *count > OF_AUTHOR => {
                changes.push(Change::Leave { contender, why: Out::Newer });
            }
            _ => {}
        }
    }
    let gone = known.into_values().filter(|(_, out)| out.is_none());
    changes.extend(gone.map(|(contender, _)| Change::Leave { contender, why: Out::Retired }));
    Ok(changes)
}

/// Lets players join and leave.
pub async fn bring_up_to_date(tx: &mut Tx, season: &Season) -> Result<()> {
    sqlx::query("INSERT INTO ladders (season_id) VALUES ($1) ON CONFLICT (season_id) DO NOTHING")
        .bind(season.id)
        .execute(&mut **tx)
        .await?;
    hold(tx, season.id).await?;
    let game = ludus_games::find(&season.game).context("the season's game is not known")?;
    for name in of_game(game) {
        join(tx, season.id, None, name).await?;
    }
    for change in changes(&mut *tx, season.id).await? {
        match change {
            Change::Join { player, author, name } => join(tx, season.id, Some((player, author)), &name).await?,
            Change::Return { contender } => set_out(tx, contender, None).await?,
            Change::Leave { contender, why } => set_out(tx, contender, Some(why)).await?,
        }
    }
    Ok(())
}

/// The players that come with a game and show where others stand: the one that
/// plays by chance, and those on the way up.
fn of_game(game: &dyn Game) -> impl Iterator<Item = &'static str> {
    let ladder = game.about().ladder;
    builtins(game).filter(move |name| *name == "Demo" || ladder.iter().any(|rung| rung.name == *name))
}

/// Two who change a ladder do so one after the other.
pub async fn hold(tx: &mut Tx, season: SeasonId) -> Result<()> {
    sqlx::query("UPDATE ladders SET played = played WHERE season_id = $1").bind(season).execute(&mut **tx).await?;
    Ok(())
}

/// Adds a player that nobody has seen play, unless it is there.
async fn join(tx: &mut Tx, season: SeasonId, player: Option<(SubmissionId, AccountId)>, name: &str) -> Result<()> {
    let rating = Rating::UNKNOWN;
    sqlx::query(
        "INSERT INTO contenders (season_id, submission_id, account_id, name, mean, deviation, strength, joined_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(season)
    .bind(player.map(|(player, _)| player))
    .bind(player.map(|(_, author)| author))
    .bind(name)
    .bind(stored(rating.mean))
    .bind(stored(rating.deviation))
    .bind(strength(rating))
    .bind(now())
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub async fn set_out(tx: &mut Tx, contender: i64, why: Option<Out>) -> Result<()> {
    sqlx::query("UPDATE contenders SET out_reason = $1 WHERE id = $2")
        .bind(why)
        .bind(contender)
        .execute(&mut **tx)
        .await?;
    Ok(())
}
