//! Matches: planned, played, kept, listed.

mod fault;
mod lists;
pub mod output;
mod purpose;
mod replay;

use std::collections::BTreeMap;

use anyhow::Result;
use ludus_games::Seat;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow, Row as _};

use crate::database::{Columns as _, Database, Page, Reader, Tx, many, now};
use crate::ids::{AccountId, MatchId, SeasonId, SubmissionId, TrainingId};
use crate::visibility::{Viewer, match_is_visible};
use crate::{secrets, storage};

pub use fault::SeatFault;
pub use lists::{LISTS, list, slice};
pub use purpose::{Purpose, Step};
pub use replay::KeptReplay;

/// Who sits where, before a match is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    /// None for a player that comes with the game.
    pub submission: Option<SubmissionId>,
}

#[derive(Clone, Debug)]
pub struct Planned {
    pub season: SeasonId,
    pub purpose: Purpose,
    pub verifies: Option<(SubmissionId, Step)>,
    /// The set of training matches that it is one of.
    pub training: Option<TrainingId>,
    pub seed: i64,
    pub places: [Place; Seat::COUNT],
}

#[derive(Clone, Debug)]
pub struct Match {
    pub id: MatchId,
    pub season_id: SeasonId,
    pub season_slug: String,
    pub season_title: String,
    pub game: String,
    pub purpose: Purpose,
    /// The submission that it verifies, and which of its matches it is.
    pub verifies: Option<(SubmissionId, Step)>,
    pub training: Option<TrainingId>,
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
    pub seat: Seat,
    pub name: String,
    pub submission: Option<SubmissionId>,
    /// Who wrote the player.
    pub author: Option<AccountId>,
    pub score: Option<i64>,
    pub rank: Option<i64>,
    /// Millionths of the limit, -1 for a frozen seat.
    pub cpu: Option<i64>,
    /// In which round, and why.
    pub fault: Option<(i64, SeatFault)>,
    pub output: Option<String>,
}

impl Match {
    /// The seats that have the best score.
    pub fn winners(&self) -> impl Iterator<Item = &SeatResult> {
        self.seats.iter().filter(|seat| seat.rank == Some(1))
    }

    /// Whether a seat has the best score, alone.
    pub fn is_won_by(&self, seat: Seat) -> bool {
        let mut winners = self.winners();
        winners.next().is_some_and(|winner| winner.seat == seat) && winners.next().is_none()
    }

    /// Whether there is a link with which anybody may watch it. What training came
    /// to is for the authors of all four players, and none gives it away for another.
    pub fn is_shared(&self) -> bool {
        self.purpose != Purpose::Training
    }

    /// Whether somebody may know how much CPU the player in a seat used. On the
    /// ladder that is for its author, who has not asked to meet anybody.
    pub fn shows_cpu(&self, viewer: Viewer, seat: &SeatResult) -> bool {
        self.purpose != Purpose::Ladder || seat.submission.is_none() || viewer.may_read_output(seat)
    }

    /// Whether a player passes its verification with this as one of the matches.
    pub fn passes(&self, step: Step) -> bool {
        match step {
            Step::Copies => self.seats.iter().all(|seat| seat.fault.is_none()),
            Step::Seat(seat) => self.is_won_by(seat),
        }
    }
}

impl FromRow<'_, AnyRow> for Match {
    fn from_row(row: &AnyRow) -> sqlx::Result<Match> {
        let verified: Option<SubmissionId> = row.try_get("submission_id")?;
        Ok(Match {
            id: row.try_get("id")?,
            season_id: row.try_get("season_id")?,
            season_slug: row.text("slug")?,
            season_title: row.text("title")?,
            game: row.text("game")?,
            purpose: row.try_get("purpose")?,
            verifies: verified.zip(row.try_get("step")?),
            training: row.try_get("training_id")?,
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

/// The seat that a row tells of.
pub fn seat_of(row: &AnyRow) -> sqlx::Result<Seat> {
    let number = row.int("seat")?;
    let seat = usize::try_from(number).ok().and_then(|seat| Seat::ALL.get(seat).copied());
    seat.ok_or_else(|| sqlx::Error::Decode(format!("there is no seat {number}").into()))
}

impl FromRow<'_, AnyRow> for SeatResult {
    fn from_row(row: &AnyRow) -> sqlx::Result<SeatResult> {
        Ok(SeatResult {
            seat: seat_of(row)?,
            name: row.text("name")?,
            submission: row.try_get("submission_id")?,
            author: row.try_get("author")?,
            score: row.maybe_int("score")?,
            rank: row.maybe_int("rank")?,
            cpu: row.maybe_int("cpu")?,
            fault: row.maybe_int("fault_round")?.zip(row.try_get("fault")?),
            output: row.maybe_text("output")?,
        })
    }
}

/// Adds a match to be played and gives its id. One that is planned already,
/// for the same step of the same submission, keeps its id.
pub async fn plan(tx: &mut Tx, planned: &Planned) -> Result<MatchId> {
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
        "INSERT INTO matches (season_id, purpose, submission_id, step, seed, share, created_at, training_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
    )
    .bind(planned.season)
    .bind(planned.purpose)
    .bind(planned.verifies.map(|(submission, _)| submission))
    .bind(planned.verifies.map(|(_, step)| step))
    .bind(planned.seed)
    .bind(secrets::short_token())
    .bind(now())
    .bind(planned.training)
    .fetch_one(&mut **tx)
    .await?;
    let id: MatchId = row.try_get(0)?;
    let mut seats = sqlx::query(
        "INSERT INTO seats (match_id, seat, name, submission_id)
         VALUES ($1, 0, $2, $3), ($1, 1, $4, $5), ($1, 2, $6, $7), ($1, 3, $8, $9)",
    )
    .bind(id);
    for place in &planned.places {
        seats = seats.bind(&place.name).bind(place.submission);
    }
    seats.execute(&mut **tx).await?;
    Ok(id)
}

/// What a match came to.
#[derive(Clone, Debug)]
pub struct Played {
    pub rounds: u32,
    pub replay: String,
    /// The replay itself, where it is small enough to be kept beside the result.
    pub small_replay: Option<Vec<u8>>,
    pub seats: Vec<SeatResult>,
    /// The CPU of every round, as `downloads` packs it.
    pub cpu: Vec<u8>,
    /// Bytes of the replay and of what players wrote.
    pub bytes: usize,
}

/// Stores the result of a match. False if it has one. What it leaves in the
/// store is on account of the submission that it verifies, or of whoever asked for
/// the training.
pub async fn store_result(tx: &mut Tx, id: MatchId, result: &Played) -> Result<bool> {
    Ok(store_results(tx, std::iter::once((id, result))).await? == 1)
}

/// The same for several matches; how many had none.
pub async fn store_results<'a>(tx: &mut Tx, results: impl Iterator<Item = (MatchId, &'a Played)>) -> Result<usize> {
    let results: Vec<(MatchId, &Played)> = results.collect();
    let mut stored = 0;
    // What they are counted for is counted once.
    let mut bytes: BTreeMap<Owner, i64> = BTreeMap::new();
    for some in results.chunks(TOGETHER) {
        let owners = store_ends(tx, some).await?;
        let new: Vec<_> = some.iter().filter(|(id, _)| owners.contains_key(id)).copied().collect();
        if !new.is_empty() {
            store_seats(tx, &new).await?;
        }
        stored += new.len();
        for (id, result) in new {
            if let Some(Some(of)) = owners.get(&id) {
                *bytes.entry(*of).or_default() += (result.bytes + result.cpu.len()) as i64;
            }
        }
    }
    for (of, bytes) in bytes {
        match of {
            Owner::Submission(id) => storage::count_more(tx, id, bytes).await?,
            Owner::Training(id) => {
                let more = sqlx::query("UPDATE trainings SET bytes = bytes + $1 WHERE id = $2");
                more.bind(bytes).bind(id).execute(&mut **tx).await?;
            }
        }
    }
    Ok(stored)
}

/// Results that are stored by one statement. SQLite looks for each value among all
/// those of the statement, so that more would cost more and not less.
const TOGETHER: usize = 16;

/// What the bytes of a match are counted for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Submission(SubmissionId),
    Training(TrainingId),
}

/// Stores how matches went and says for what the bytes of those are counted that had
/// no result.
async fn store_ends(tx: &mut Tx, results: &[(MatchId, &Played)]) -> Result<BTreeMap<MatchId, Option<Owner>>> {
    let (rows, count) = many::rows(results.len(), 6);
    let statement = format!(
        "WITH ends (k, rounds, replay, cpu, played_at, small) AS (VALUES {rows})
         UPDATE matches SET played = 1, rounds = e.rounds, replay = e.replay, cpu = e.cpu, played_at = e.played_at,
         small_replay = e.small FROM ends e WHERE matches.id = e.k AND matches.played = 0 RETURNING id, submission_id, training_id"
    );
    let (mut ends, now) = (sqlx::query(AssertSqlSafe(statement)), now());
    for (id, result) in results {
        ends = ends.bind(*id).bind(i64::from(result.rounds)).bind(&result.replay).bind(&result.cpu).bind(now);
        ends = ends.bind(&result.small_replay);
    }
    for _ in results.len()..count {
        ends = ends.bind(-1_i64).bind(0_i64).bind(String::new()).bind(Vec::<u8>::new()).bind(now);
        ends = ends.bind(None::<Vec<u8>>);
    }
    let mut owners = BTreeMap::new();
    for row in ends.fetch_all(&mut **tx).await? {
        let verified = row.maybe_int("submission_id")?.map(|id| Owner::Submission(SubmissionId(id)));
        let trained = row.maybe_int("training_id")?.map(|id| Owner::Training(TrainingId(id)));
        owners.insert(row.try_get("id")?, verified.or(trained));
    }
    Ok(owners)
}

/// Stores what became of all seats of some matches.
async fn store_seats(tx: &mut Tx, results: &[(MatchId, &Played)]) -> Result<()> {
    let seats: Vec<_> = results.iter().flat_map(|(id, result)| result.seats.iter().map(|seat| (*id, seat))).collect();
    let (rows, count) = many::rows(seats.len(), 8);
    let statement = format!(
        "WITH ends (k, seat, score, rank, cpu, fault_round, fault, output) AS (VALUES {rows})
         UPDATE seats SET score = e.score, rank = e.rank, cpu = e.cpu, fault_round = e.fault_round, fault = e.fault,
         output = e.output FROM ends e WHERE seats.match_id = e.k AND seats.seat = e.seat"
    );
    let mut ends = sqlx::query(AssertSqlSafe(statement));
    for (id, seat) in &seats {
        let fault = seat.fault.as_ref();
        ends = ends.bind(*id).bind(seat.seat.index() as i64).bind(seat.score).bind(seat.rank).bind(seat.cpu);
        ends = ends.bind(fault.map(|(round, _)| *round)).bind(fault.map(|(_, fault)| fault.clone())).bind(&seat.output);
    }
    let none = None::<i64>;
    for _ in seats.len()..count {
        ends = ends.bind(-1_i64).bind(-1_i64).bind(none).bind(none).bind(none).bind(none);
        ends = ends.bind(None::<SeatFault>).bind(None::<String>);
    }
    ends.execute(&mut **tx).await?;
    Ok(())
}

/// Stores another result in place of one that was not true.
pub async fn replace_result(tx: &mut Tx, id: MatchId, result: &Played) -> Result<bool> {
    sqlx::query("UPDATE matches SET played = 0 WHERE id = $1").bind(id).execute(&mut **tx).await?;
    store_result(tx, id, result).await
}

/// The CPU of every round of a match, as it was packed; none if nobody has
/// counted it yet.
pub async fn cpu(database: &Database, id: MatchId) -> Result<Option<Vec<u8>>> {
    let row = sqlx::query("SELECT cpu FROM matches WHERE id = $1").bind(id).fetch_one(database.read()).await?;
    Ok(row.try_get(0)?)
}

pub async fn set_cpu(database: &Database, id: MatchId, packed: &[u8]) -> Result<()> {
    sqlx::query("UPDATE matches SET cpu = $1 WHERE id = $2").bind(packed).bind(id).execute(database.write()).await?;
    Ok(())
}

/// What every way of looking matches up selects.
macro_rules! select_matches {
    ($($condition:expr),*) => {
        concat!(
            "SELECT m.id, m.season_id, m.purpose, m.submission_id, m.step, m.training_id, m.seed, m.played, m.rounds, m.replay, m.share,
             m.created_at, m.thinned_at, m.veiled, e.slug, e.title, e.game FROM matches m JOIN seasons e ON e.id = m.season_id
             LEFT JOIN submissions p ON p.id = m.submission_id WHERE ",
            $($condition),*
        )
    };
}

use select_matches;

pub async fn find(mut from: impl Reader, id: MatchId) -> Result<Option<Match>> {
    let found = sqlx::query_as(select_matches!("m.id = $1")).bind(id).fetch_optional(from.executor()).await?;
    with_seats_of_one(from, found).await
}

pub async fn find_shared(mut from: impl Reader, share: &str) -> Result<Option<Match>> {
    let found = sqlx::query_as(select_matches!("m.share = $1")).bind(share).fetch_optional(from.executor()).await?;
    with_seats_of_one(from, found).await
}

/// A match, if somebody may see it.
pub async fn find_visible(mut from: impl Reader, viewer: Viewer, id: MatchId) -> Result<Option<Match>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_matches!(match_is_visible!(), " AND m.id = $3"))
        .bind(sees_all)
        .bind(account)
        .bind(id)
        .fetch_optional(from.executor())
        .await?;
    with_seats_of_one(from, found).await
}

/// The newest official match that everybody may see.
pub async fn latest_official(mut from: impl Reader) -> Result<Option<Match>> {
    // A range of one word: PostgreSQL would else go through matches of all purposes by their
    // numbers until it finds one.
    let found = sqlx::query_as(select_matches!(
        "m.purpose BETWEEN 'official' AND 'official' AND m.veiled = 0 AND m.played = 1 AND m.thinned_at IS NULL
         ORDER BY m.purpose DESC, m.id DESC LIMIT 1"
    ));
    let found = found.fetch_optional(from.executor()).await?;
    with_seats_of_one(from, found).await
}

/// The matches that verify a submission, in order.
pub async fn of_submission(mut from: impl Reader, submission: SubmissionId) -> Result<Vec<Match>> {
    let found = sqlx::query_as(select_matches!("m.submission_id = $1 ORDER BY m.step"))
        .bind(submission)
        .fetch_all(from.executor())
        .await?;
    with_seats(from, found).await
}

/// The newest matches in which a player took part, of those that the viewer may see.
pub async fn of_player(mut from: impl Reader, viewer: Viewer, player: SubmissionId, most: i64) -> Result<Vec<Match>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_matches!(
        match_is_visible!(),
        " AND m.played = 1 AND m.id IN (SELECT match_id FROM seats WHERE submission_id = $3 ORDER BY match_id DESC LIMIT $4)
         ORDER BY m.id DESC LIMIT $5"
    ));
    // Of those that the viewer may not see there may be some among them, but not
    // so many that all have to be looked at.
    let found = found.bind(sees_all).bind(account).bind(player).bind(most * 8).bind(most);
    let found = found.fetch_all(from.executor()).await?;
    with_seats(from, found).await
}

/// The newest matches of a season that are for everybody who sees the season.
pub async fn latest(mut from: impl Reader, season: SeasonId, purpose: Purpose, most: i64) -> Result<Vec<Match>> {
    // A range of one word, as above.
    let found = sqlx::query_as(select_matches!(
        "m.season_id = $1 AND m.purpose BETWEEN $2 AND $2 AND m.veiled = 0 AND m.played = 1
         ORDER BY m.purpose DESC, m.id DESC LIMIT $3"
    ));
    let found = found.bind(season).bind(purpose).bind(most).fetch_all(from.executor()).await?;
    with_seats(from, found).await
}

/// Which matches a list shows, of those that the viewer may see.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub season: Option<SeasonId>,
    pub purpose: Option<Purpose>,
    /// A player who takes part; empty for all.
    pub player: String,
}

/// The seats of as many matches as a page has.
const SELECT_SEATS: &str =
    "SELECT s.match_id, s.seat, s.name, s.submission_id, p.account_id AS author, s.score, s.rank,
     s.cpu, s.fault_round, s.fault, s.output FROM seats s LEFT JOIN submissions p ON p.id = s.submission_id
     WHERE s.match_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
     $21, $22, $23, $24, $25) ORDER BY s.match_id, s.seat";

async fn with_seats(mut from: impl Reader, mut matches: Vec<Match>) -> Result<Vec<Match>> {
    for some in matches.chunks_mut(Page::SIZE as usize) {
        let mut seats = sqlx::query(SELECT_SEATS);
        for k in 0..Page::SIZE as usize {
            // No match has the number zero.
            seats = seats.bind(some.get(k).map_or(MatchId(0), |one| one.id));
        }
        for row in &seats.fetch_all(from.executor()).await? {
            let id: MatchId = row.try_get("match_id")?;
            if let Some(one) = some.iter_mut().find(|one| one.id == id) {
                one.seats.push(SeatResult::from_row(row)?);
            }
        }
    }
    Ok(matches)
}

async fn with_seats_of_one(from: impl Reader, found: Option<Match>) -> Result<Option<Match>> {
    Ok(with_seats(from, found.into_iter().collect()).await?.pop())
}
