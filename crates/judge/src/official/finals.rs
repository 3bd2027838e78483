//! Finals: the last ones of one or several seasons of a game play rounds down to
//! one champion, in advance, and are shown to everybody later.
//!
//! A final is made of the machinery of official rounds: a round of it is a row
//! of `rounds` with its final's id. What differs is that its seed comes from the
//! final's, that nobody leaves a season because of it, and that its matches are
//! veiled until [`show`](super::show) reveals them.

use anyhow::{Context as _, Result};
use ludus_arena::season::{Author, Departure, Hash, RoundSeed};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row as _};

use super::entrants::{self, Entrant};
use super::rounds::{self, Frozen, Round, RoundPlayer, author_of};
use super::{progress, representatives, standing};
use crate::course::{self, Names};
use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::queue::Queue;
use crate::seasons::{self, Season};
use crate::secrets;

/// The most that may be in one final: it is shown match by match.
pub const MOST_FINALISTS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its commitment is public, and who is in it; nothing is played.
    Planned,
    Playing,
    /// There is a champion, and nobody but instructors may know.
    Played,
    /// Some steps are revealed.
    Showing,
    /// Everybody may know everything.
    Revealed,
    Cancelled,
}

impl State {
    const ALL: [State; 6] =
        [State::Planned, State::Playing, State::Played, State::Showing, State::Revealed, State::Cancelled];

    pub fn word(self) -> &'static str {
        match self {
            State::Planned => "planned",
            State::Playing => "playing",
            State::Played => "played",
            State::Showing => "showing",
            State::Revealed => "revealed",
            State::Cancelled => "cancelled",
        }
    }

    fn of(word: &str) -> State {
        State::ALL.into_iter().find(|state| state.word() == word).unwrap_or(State::Cancelled)
    }

    /// Whether there is something to show, or to go on showing.
    pub fn can_be_shown(self) -> bool {
        matches!(self, State::Played | State::Showing)
    }

    /// Whether nothing of it is a secret any more.
    pub fn is_open(self) -> bool {
        matches!(self, State::Revealed | State::Cancelled)
    }
}

#[derive(Clone, Debug)]
pub struct Final {
    pub id: i64,
    pub slug: String,
    pub title: String,
    /// The season whose game, config and limits are played with.
    pub season_id: SeasonId,
    pub state: State,
    pub commitment: Hash,
    seed: RoundSeed,
    /// The digest of all results, once it has been played.
    pub digest: Option<Hash>,
    /// How many steps of the show everybody has seen.
    pub revealed_steps: i64,
    pub created_at: i64,
    pub played_at: Option<i64>,
    pub revealed_at: Option<i64>,
}

impl Final {
    /// The seed of the whole final, once anybody may know it. Who cancels a final
    /// reveals it too: nobody plays until they like what comes out.
    pub fn revealed_seed(&self) -> Option<Hash> {
        self.state.is_open().then(|| Hash(self.seed.bytes()))
    }

    fn from_row(row: &AnyRow) -> Result<Final> {
        let id = row.int("id")?;
        let hash = |text: String| text.parse::<Hash>().with_context(|| format!("final {id}"));
        Ok(Final {
            id,
            slug: row.text("slug")?,
            title: row.text("title")?,
            season_id: row.try_get("season_id")?,
            state: State::of(&row.text("state")?),
            commitment: hash(row.text("commitment")?)?,
            seed: RoundSeed::new(hash(row.text("seed")?)?.0),
            digest: row.maybe_text("digest")?.map(hash).transpose()?,
            revealed_steps: row.int("revealed_steps")?,
            created_at: row.int("created_at")?,
            played_at: row.maybe_int("played_at")?,
            revealed_at: row.maybe_int("revealed_at")?,
        })
    }
}

pub async fn list(database: &Database) -> Result<Vec<Final>> {
    let rows = sqlx::query("SELECT * FROM finals ORDER BY id DESC").fetch_all(database.read()).await?;
    rows.iter().map(Final::from_row).collect()
}

/// The finals that a season sends somebody to, the newest one first.
pub async fn of_season(database: &Database, season: SeasonId) -> Result<Vec<Final>> {
    let rows = sqlx::query(
        "SELECT f.* FROM finals f JOIN final_seasons s ON s.final_id = f.id WHERE s.season_id = $1 ORDER BY f.id DESC",
    )
    .bind(season)
    .fetch_all(database.read())
    .await?;
    rows.iter().map(Final::from_row).collect()
}

pub async fn find<'e>(executor: impl Executor<'e, Database = Any>, slug: &str) -> Result<Option<Final>> {
    let row = sqlx::query("SELECT * FROM finals WHERE slug = $1").bind(slug).fetch_optional(executor).await?;
    row.as_ref().map(Final::from_row).transpose()
}

pub async fn by_id<'e>(executor: impl Executor<'e, Database = Any>, id: i64) -> Result<Final> {
    Final::from_row(&sqlx::query("SELECT * FROM finals WHERE id = $1").bind(id).fetch_one(executor).await?)
}

/// Somebody who is in a final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finalist {
    /// Its number in the final.
    pub author: Author,
    pub account: AccountId,
    pub student: String,
    /// The season that sent them, and its title.
    pub season: (SeasonId, String),
}

/// Those who are in a final, by their numbers.
pub async fn finalists<'e>(executor: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<Finalist>> {
    let rows = sqlx::query(
        "SELECT f.number, f.account_id, f.season_id, a.name, e.title FROM finalists f
         JOIN accounts a ON a.id = f.account_id JOIN seasons e ON e.id = f.season_id
         WHERE f.final_id = $1 ORDER BY f.number",
    )
    .bind(id)
    .fetch_all(executor)
    .await?;
    let finalist = |row: &AnyRow| {
        Ok(Finalist {
            author: author_of(row.int("number")?),
            account: row.try_get("account_id")?,
            student: row.text("name")?,
            season: (row.try_get("season_id")?, row.text("title")?),
        })
    };
    Ok(rows.iter().map(finalist).collect::<sqlx::Result<_>>()?)
}

/// Why there can be no such final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The seasons are of different games.
    Games,
    /// So many are still in a season, more than are to come from it.
    StillIn(String, usize),
    /// A season has only so many who can come.
    TooFew(String, usize),
    /// Fewer than two, or more than [`MOST_FINALISTS`].
    Count(usize),
    /// The address is that of another final.
    Slug,
}

/// How many of the last of a season come to a final.
pub struct Sent {
    pub season: Season,
    pub finalists: usize,
}

/// Makes a final and commits to its seed. The first season is the one whose
/// config and limits are played with.
pub async fn make(tx: &mut Tx, slug: &str, title: &str, sent: &[Sent]) -> Result<Result<Final, Refusal>> {
    let Some(first) = sent.first() else { return Ok(Err(Refusal::Count(0))) };
    if sent.iter().any(|one| one.season.game != first.season.game) {
        return Ok(Err(Refusal::Games));
    }
    if find(&mut **tx, slug).await?.is_some() {
        return Ok(Err(Refusal::Slug));
    }
    let mut chosen = Vec::new();
    for one in sent {
        match last_of(tx, &one.season, one.finalists).await? {
            Ok(last) => chosen.extend(last.into_iter().map(|account| (one.season.id, account))),
            Err(refusal) => return Ok(Err(refusal)),
        }
    }
    if !(2..=MOST_FINALISTS).contains(&chosen.len()) {
        return Ok(Err(Refusal::Count(chosen.len())));
    }
    let id = add(tx, slug, title, first.season.id).await?;
    for one in sent {
        sqlx::query("INSERT INTO final_seasons (final_id, season_id, finalists) VALUES ($1, $2, $3)")
            .bind(id)
            .bind(one.season.id)
            .bind(i64::try_from(one.finalists)?)
            .execute(&mut **tx)
            .await?;
    }
    for (number, (season, account)) in (1_i64..).zip(chosen) {
        sqlx::query("INSERT INTO finalists (final_id, number, account_id, season_id) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(number)
            .bind(account)
            .bind(season)
            .execute(&mut **tx)
            .await?;
    }
    Ok(Ok(by_id(&mut **tx, id).await?))
}

async fn add(tx: &mut Tx, slug: &str, title: &str, season: SeasonId) -> Result<i64> {
    let seed: Hash = secrets::token().parse().context("a token is no seed")?;
    let row = sqlx::query(
        "INSERT INTO finals (slug, title, season_id, seed, commitment, state, created_at)
         VALUES ($1, $2, $3, $4, $5, 'planned', $6) RETURNING id",
    )
    .bind(slug)
    .bind(title)
    .bind(season)
    .bind(seed.to_string())
    .bind(RoundSeed::new(seed.0).commitment().to_string())
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    Ok(row.try_get(0)?)
}

/// The accounts of the last so many of a season, in the order of their numbers,
/// which tells nothing about their strength: those who are still in, and the last
/// ones who were eliminated. Who was withdrawn or locked never comes.
async fn last_of(tx: &mut Tx, season: &Season, count: usize) -> Result<Result<Vec<AccountId>, Refusal>> {
    let course = standing::in_transaction(tx, season.id).await?;
    let choices = representatives::in_transaction(tx, season.id).await?;
    let listed = entrants::list(&mut **tx, season.id).await?;
    let can_come = |one: &&Entrant| !one.is_locked && one.leaving.is_none() && choices.contains_key(&one.account);
    let of = |author: Author| listed.iter().find(|one| one.author == Some(author)).filter(can_come);
    let mut last: Vec<&Entrant> = course.left().filter_map(of).collect();
    if last.len() > count {
        return Ok(Err(Refusal::StillIn(season.title.clone(), last.len())));
    }
    let eliminated = course.gone().iter().rev().filter(|gone| matches!(gone, Departure::Eliminated { .. }));
    let missing = count - last.len();
    last.extend(eliminated.filter_map(|gone| of(gone.author())).take(missing));
    if last.len() < count {
        return Ok(Err(Refusal::TooFew(season.title.clone(), last.len())));
    }
    last.sort_unstable_by_key(|one| one.author);
    Ok(Ok(last.iter().map(|one| one.account).collect()))
}

/// What came of starting a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Begun,
    /// It is under way, or over, or cancelled.
    TooLate,
    /// Fewer than two can still play.
    NobodyLeft,
}

/// Freezes the field of a final and offers its first matches.
pub async fn start(tx: &mut Tx, queue: &Queue, id: i64) -> Result<Start> {
    let begun = sqlx::query("UPDATE finals SET state = 'playing' WHERE id = $1 AND state = 'planned'")
        .bind(id)
        .execute(&mut **tx)
        .await?;
    if begun.rows_affected() == 0 {
        return Ok(Start::TooLate);
    }
    let found = by_id(&mut **tx, id).await?;
    let players = field(tx, id).await?;
    if players.len() < 2 {
        return Ok(Start::NobodyLeft);
    }
    let season = seasons::by_id(&mut *tx, found.season_id).await?;
    let frozen = Frozen { title: found.title.clone(), ..Frozen::of(&season) };
    begin_round(tx, queue, &found, 1, &frozen, &players).await?;
    Ok(Start::Begun)
}

/// The representatives of the finalists as they are now.
async fn field(tx: &mut Tx, id: i64) -> Result<Vec<RoundPlayer>> {
    let names = course::in_transaction(tx).await?.names;
    let mut players = Vec::new();
    for finalist in finalists(&mut **tx, id).await? {
        let season = finalist.season.0;
        let listed = entrants::list(&mut **tx, season).await?;
        let entrant = listed.into_iter().find(|one| one.account == finalist.account);
        let choices = representatives::in_transaction(tx, season).await?;
        let player = choices.get(&finalist.account).and_then(|choice| choice.representative());
        let can_come = entrant.is_some_and(|one| !one.is_locked && one.leaving.is_none());
        let Some(player) = player.filter(|_| can_come) else { continue };
        players.push(RoundPlayer {
            author: finalist.author,
            account: finalist.account,
            submission: player.submission,
            name: player.name.clone(),
            label: if names == Names::Everybody { progress::label(&finalist.student) } else { String::new() },
            module: player.module.parse().with_context(|| format!("the module of {}", player.name))?,
            student: finalist.student,
        });
    }
    Ok(players)
}

/// Adds a round of a final, frozen from the start: its seed follows from the
/// final's, to which the course has committed before.
async fn begin_round(
    tx: &mut Tx,
    queue: &Queue,
    found: &Final,
    number: u32,
    frozen: &Frozen,
    players: &[RoundPlayer],
) -> Result<()> {
    let seed = found.seed.of_round(number);
    let row = sqlx::query(
        "INSERT INTO rounds (season_id, final_id, number, state, commitment, seed, title, config, match_ms, round_ms,
         memory_mib, committed_at, frozen_at) VALUES ($1, $2, $3, 'playing', $4, $5, $6, $7, $8, $9, $10, $11, $11)
         RETURNING id",
    )
    .bind(found.season_id)
    .bind(found.id)
    .bind(i64::from(number))
    .bind(seed.commitment().to_string())
    .bind(Hash(seed.bytes()).to_string())
    .bind(&frozen.title)
    .bind(&frozen.config)
    .bind(frozen.match_ms)
    .bind(frozen.round_ms)
    .bind(frozen.memory_mib)
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    let id = row.try_get(0)?;
    progress::freeze_players(tx, id, players).await?;
    progress::advance(tx, queue, id).await
}

/// What a final needs next.
#[derive(Debug)]
pub enum Next {
    /// Matches are being played, or nothing is to be done at all.
    Nothing,
    /// The next round has begun.
    Begun,
    /// There is a champion, and the digest is to be published.
    Champion(Author),
}

/// Takes a final that is being played as far as its results go.
pub async fn advance(tx: &mut Tx, queue: &Queue, id: i64) -> Result<Next> {
    // Two who look at once do so one after the other.
    let held = sqlx::query("UPDATE finals SET state = 'playing' WHERE id = $1 AND state = 'playing'")
        .bind(id)
        .execute(&mut **tx)
        .await?;
    if held.rows_affected() == 0 {
        return Ok(Next::Nothing);
    }
    let found = by_id(&mut **tx, id).await?;
    let played = rounds::of_final(&mut **tx, id).await?;
    let Some((last, out)) = played.last().and_then(|last| Some((last, last.elimination?))) else {
        return Ok(Next::Nothing);
    };
    let mut left = rounds::players(&mut **tx, last.id).await?;
    left.retain(|player| player.author != out.author);
    if let [champion] = &left[..] {
        return Ok(Next::Champion(champion.author));
    }
    let frozen = last.frozen.as_ref().with_context(|| format!("round {} of final {id} is not frozen", last.number))?;
    begin_round(tx, queue, &found, u32::try_from(last.number)? + 1, frozen, &left).await?;
    Ok(Next::Begun)
}

/// Publishes the digest of a final that has been played. False if it is there.
pub async fn conclude(tx: &mut Tx, id: i64, champion: Author, digest: Hash) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE finals SET state = 'played', champion = $1, digest = $2, played_at = $3 WHERE id = $4 AND state = 'playing'",
    )
    .bind(i64::from(champion.0))
    .bind(digest.to_string())
    .bind(now())
    .bind(id)
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Cancels a final that is not shown yet. What was played of it is lost for the
/// show and open to everybody, its seed included. False if it is too late.
pub async fn cancel(tx: &mut Tx, id: i64) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE finals SET state = 'cancelled', revealed_at = $1 WHERE id = $2 AND state IN ('planned', 'playing', 'played')",
    )
    .bind(now())
    .bind(id)
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    let under_way: Vec<Round> = rounds::of_final(&mut **tx, id).await?;
    for round in under_way.iter().filter(|round| round.state == rounds::State::Playing) {
        progress::abandon(tx, round.id, "the final was cancelled").await?;
    }
    unveil(tx, id).await?;
    Ok(true)
}

/// Lets everybody see all matches of a final that were played.
pub async fn unveil(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query(
        "UPDATE matches SET veiled = 0 WHERE id IN (
             SELECT m.match_id FROM round_matches m JOIN rounds r ON r.id = m.round_id WHERE r.final_id = $1)",
    )
    .bind(id)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
