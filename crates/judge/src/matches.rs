//! Matches: planned, played, kept, listed.

use anyhow::Result;
use ludus_games::Seat;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Listed, Page, Tx, now};
use crate::secrets;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Official,
    Verification,
    Training,
    Demonstration,
}

impl Purpose {
    pub const ALL: [Purpose; 4] = [Purpose::Official, Purpose::Verification, Purpose::Training, Purpose::Demonstration];

    pub fn word(self) -> &'static str {
        match self {
            Purpose::Official => "official",
            Purpose::Verification => "verification",
            Purpose::Training => "training",
            Purpose::Demonstration => "demonstration",
        }
    }

    pub fn of(word: &str) -> Option<Purpose> {
        Purpose::ALL.into_iter().find(|purpose| purpose.word() == word)
    }
}

/// Who sits where, before a match is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    /// None for a player that comes with the game.
    pub submission: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct Planned {
    pub season: i64,
    pub purpose: Purpose,
    /// The submission it verifies and its place among the five matches.
    pub verifies: Option<(i64, i64)>,
    pub seed: i64,
    pub places: [Place; Seat::COUNT],
}

#[derive(Clone, Debug)]
pub struct Match {
    pub id: i64,
    pub season_id: i64,
    pub season_slug: String,
    pub season_title: String,
    pub game: String,
    pub purpose: Purpose,
    pub submission: Option<i64>,
    pub step: Option<i64>,
    pub seed: i64,
    pub played: bool,
    pub rounds: Option<i64>,
    pub replay: Option<String>,
    pub share: String,
    pub created_at: i64,
    /// When its replay and what its players wrote were given up.
    pub thinned_at: Option<i64>,
    /// Whether only instructors may know of it: a match of a final that is not revealed.
    pub is_veiled: bool,
    pub seats: Vec<SeatResult>,
}

#[derive(Clone, Debug)]
pub struct SeatResult {
    pub seat: i64,
    pub name: String,
    pub submission: Option<i64>,
    /// Who wrote the player.
    pub author: Option<i64>,
    pub score: Option<i64>,
    pub rank: Option<i64>,
    /// Millionths of the limit, -1 for a frozen seat.
    pub cpu: Option<i64>,
    pub fault: Option<(i64, String)>,
    pub output: Option<String>,
}

impl Match {
    /// The seats that have the best score.
    pub fn winners(&self) -> impl Iterator<Item = &SeatResult> {
        self.seats.iter().filter(|seat| seat.rank == Some(1))
    }

    /// Whether a seat has the best score, alone.
    pub fn is_won_by(&self, seat: i64) -> bool {
        let mut winners = self.winners();
        winners.next().is_some_and(|winner| winner.seat == seat) && winners.next().is_none()
    }

    /// Whether somebody must not know that this match exists. Lists of matches
    /// have the same rule in their statement.
    pub fn is_hidden_from(&self, is_instructor: bool) -> bool {
        self.is_veiled && !is_instructor
    }

    fn from_row(row: &AnyRow) -> sqlx::Result<Match> {
        Ok(Match {
            id: row.int("id")?,
            season_id: row.int("season_id")?,
            season_slug: row.text("slug")?,
            season_title: row.text("title")?,
            game: row.text("game")?,
            purpose: Purpose::of(&row.text("purpose")?).unwrap_or(Purpose::Training),
            submission: row.maybe_int("submission_id")?,
            step: row.maybe_int("step")?,
            seed: row.int("seed")?,
            played: row.flag("played")?,
            rounds: row.maybe_int("rounds")?,
            replay: row.maybe_text("replay")?,
            share: row.text("share")?,
            created_at: row.int("created_at")?,
            thinned_at: row.maybe_int("thinned_at")?,
            is_veiled: row.flag("veiled")?,
            seats: Vec::new(),
        })
    }
}

fn seat_from_row(row: &AnyRow) -> sqlx::Result<SeatResult> {
    let fault = row.maybe_text("fault")?;
    Ok(SeatResult {
        seat: row.int("seat")?,
        name: row.text("name")?,
        submission: row.maybe_int("submission_id")?,
        author: row.maybe_int("author")?,
        score: row.maybe_int("score")?,
        rank: row.maybe_int("rank")?,
        cpu: row.maybe_int("cpu")?,
        fault: row.maybe_int("fault_round")?.zip(fault),
        output: row.maybe_text("output")?,
    })
}

/// Adds a match to be played and gives its id. One that is planned already,
/// for the same step of the same submission, keeps its id.
pub async fn plan(tx: &mut Tx, planned: &Planned) -> Result<i64> {
    if let Some((submission, step)) = planned.verifies {
        let known = sqlx::query("SELECT id FROM matches WHERE submission_id = $1 AND step = $2")
            .bind(submission)
            .bind(step)
            .fetch_optional(&mut **tx)
            .await?;
        if let Some(row) = known {
            return Ok(row.try_get(0)?);
        }
    }
    let row = sqlx::query(
        "INSERT INTO matches (season_id, purpose, submission_id, step, seed, share, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(planned.season)
    .bind(planned.purpose.word())
    .bind(planned.verifies.map(|(submission, _)| submission))
    .bind(planned.verifies.map(|(_, step)| step))
    .bind(planned.seed)
    .bind(secrets::short_token())
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    let id: i64 = row.try_get(0)?;
    for (seat, place) in planned.places.iter().enumerate() {
        sqlx::query("INSERT INTO seats (match_id, seat, name, submission_id) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(seat as i64)
            .bind(&place.name)
            .bind(place.submission)
            .execute(&mut **tx)
            .await?;
    }
    Ok(id)
}

/// What a match came to.
#[derive(Clone, Debug)]
pub struct Played {
    pub rounds: u32,
    pub replay: String,
    pub seats: Vec<SeatResult>,
    /// The CPU of every round, as `film` packs it.
    pub cpu: Vec<u8>,
    /// Bytes of the replay and of what players wrote.
    pub bytes: usize,
}

/// Stores the result of a match. False if it has one. What it leaves in the
/// store is on account of the submission that it verifies.
pub async fn store_result(tx: &mut Tx, id: i64, result: &Played) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE matches SET played = 1, rounds = $1, replay = $2, cpu = $3, played_at = $4 WHERE id = $5 AND played = 0",
    )
    .bind(i64::from(result.rounds))
    .bind(&result.replay)
    .bind(&result.cpu)
    .bind(now())
    .bind(id)
    .execute(&mut **tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "UPDATE submissions SET bytes = bytes + $1 WHERE id = (SELECT submission_id FROM matches WHERE id = $2)",
    )
    .bind((result.bytes + result.cpu.len()) as i64)
    .bind(id)
    .execute(&mut **tx)
    .await?;
    for seat in &result.seats {
        sqlx::query(
            "UPDATE seats SET score = $1, rank = $2, cpu = $3, fault_round = $4, fault = $5, output = $6
             WHERE match_id = $7 AND seat = $8",
        )
        .bind(seat.score)
        .bind(seat.rank)
        .bind(seat.cpu)
        .bind(seat.fault.as_ref().map(|(round, _)| *round))
        .bind(seat.fault.as_ref().map(|(_, fault)| fault.clone()))
        .bind(&seat.output)
        .bind(id)
        .bind(seat.seat)
        .execute(&mut **tx)
        .await?;
    }
    Ok(true)
}

/// The CPU of every round of a match, as it was packed; none if nobody has
/// counted it yet.
pub async fn cpu(database: &Database, id: i64) -> Result<Option<Vec<u8>>> {
    let row = sqlx::query("SELECT cpu FROM matches WHERE id = $1").bind(id).fetch_one(database.read()).await?;
    Ok(row.try_get(0)?)
}

pub async fn set_cpu(database: &Database, id: i64, packed: &[u8]) -> Result<()> {
    sqlx::query("UPDATE matches SET cpu = $1 WHERE id = $2").bind(packed).bind(id).execute(database.write()).await?;
    Ok(())
}

/// What both ways of looking a match up select.
macro_rules! select_match {
    ($condition:literal) => {
        concat!(
            "SELECT m.id, m.season_id, m.purpose, m.submission_id, m.step, m.seed, m.played, m.rounds, m.replay, m.share,
             m.created_at, m.thinned_at, m.veiled, e.slug, e.title, e.game FROM matches m JOIN seasons e ON e.id = m.season_id ",
            $condition
        )
    };
}

const SELECT_SEATS: &str = "SELECT s.seat, s.name, s.submission_id, p.account_id AS author, s.score, s.rank, s.cpu, s.fault_round,
     s.fault, s.output FROM seats s LEFT JOIN submissions p ON p.id = s.submission_id WHERE s.match_id = $1 ORDER BY s.seat";

pub async fn find(database: &Database, id: i64) -> Result<Option<Match>> {
    let row = sqlx::query(select_match!("WHERE m.id = $1")).bind(id).fetch_optional(database.read()).await?;
    with_seats(database, row).await
}

pub async fn find_shared(database: &Database, share: &str) -> Result<Option<Match>> {
    let row = sqlx::query(select_match!("WHERE m.share = $1")).bind(share).fetch_optional(database.read()).await?;
    with_seats(database, row).await
}

async fn with_seats(database: &Database, row: Option<AnyRow>) -> Result<Option<Match>> {
    let Some(row) = row else { return Ok(None) };
    let mut found = Match::from_row(&row)?;
    let seats = sqlx::query(SELECT_SEATS).bind(found.id).fetch_all(database.read()).await?;
    found.seats = seats.iter().map(seat_from_row).collect::<sqlx::Result<_>>()?;
    Ok(Some(found))
}

/// The matches that verify a submission, in order.
pub async fn of_submission(database: &Database, submission: i64) -> Result<Vec<Match>> {
    let rows = sqlx::query(select_match!("WHERE m.submission_id = $1 ORDER BY m.step"))
        .bind(submission)
        .fetch_all(database.read())
        .await?;
    let mut found = Vec::new();
    for row in rows {
        found.extend(with_seats(database, Some(row)).await?);
    }
    Ok(found)
}

/// The same as part of a transaction.
pub async fn of_submission_in(tx: &mut Tx, submission: i64) -> Result<Vec<Match>> {
    let rows = sqlx::query(select_match!("WHERE m.submission_id = $1 ORDER BY m.step"))
        .bind(submission)
        .fetch_all(&mut **tx)
        .await?;
    let mut found = rows.iter().map(Match::from_row).collect::<sqlx::Result<Vec<_>>>()?;
    for one in &mut found {
        let seats = sqlx::query(SELECT_SEATS).bind(one.id).fetch_all(&mut **tx).await?;
        one.seats = seats.iter().map(seat_from_row).collect::<sqlx::Result<_>>()?;
    }
    Ok(found)
}

/// Which matches a list shows; zero and empty mean all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub season: i64,
    pub purpose: &'static str,
    pub player: String,
    /// Who looks, and whether they may see every match. Others see no matches
    /// of players that are not accepted, but their own.
    pub viewer: i64,
    pub sees_all: bool,
}

pub async fn list(database: &Database, filter: &Filter, page: Page) -> Result<Listed<Match>> {
    let player = filter.player.trim().to_lowercase();
    let rows = sqlx::query(select_match!(
        "LEFT JOIN submissions p ON p.id = m.submission_id
         WHERE m.played = 1 AND ($1 = 0 OR m.season_id = $1) AND ($2 = '' OR m.purpose = $2)
         AND ($3 = '' OR EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.id AND LOWER(s.name) = $3))
         AND ($4 = 1 OR m.veiled = 0) AND ($4 = 1 OR m.submission_id IS NULL OR (p.stage = 'accepted' AND p.retired_at IS NULL) OR p.account_id = $5)
         ORDER BY m.id DESC LIMIT $6 OFFSET $7"
    ))
    .bind(filter.season)
    .bind(filter.purpose)
    .bind(&player)
    .bind(i64::from(filter.sees_all))
    .bind(filter.viewer)
    .bind(Page::SIZE)
    .bind(page.offset())
    .fetch_all(database.read())
    .await?;
    let total = sqlx::query(
        "SELECT COUNT(*) FROM matches m LEFT JOIN submissions p ON p.id = m.submission_id
         WHERE m.played = 1 AND ($1 = 0 OR m.season_id = $1) AND ($2 = '' OR m.purpose = $2)
         AND ($3 = '' OR EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.id AND LOWER(s.name) = $3))
         AND ($4 = 1 OR m.veiled = 0) AND ($4 = 1 OR m.submission_id IS NULL OR (p.stage = 'accepted' AND p.retired_at IS NULL) OR p.account_id = $5)",
    )
    .bind(filter.season)
    .bind(filter.purpose)
    .bind(&player)
    .bind(i64::from(filter.sees_all))
    .bind(filter.viewer)
    .fetch_one(database.read())
    .await?;
    let mut items = Vec::new();
    for row in rows {
        items.extend(with_seats(database, Some(row)).await?);
    }
    Ok(Listed { items, total: total.try_get(0)?, page })
}
