//! Training: sets of matches that students ask for. They count for nothing, and
//! only the authors of the players in them see the results.

mod results;

use anyhow::{Context as _, Result};
use ludus_arena::{Fixture, Schedule, Seatings};
use ludus_games::{Game, PerSeat, Seat};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::accounts::{self, Account};
use crate::caretaker;
use crate::database::{Columns as _, Database, NumberedPart, Page, Reader, Slice, Tx, now};
use crate::friends::Circle;
use crate::ids::{AccountId, SeasonId, SubmissionId, TrainingId};
use crate::intake::Quota;
use crate::jobs::Play;
use crate::matches::{self, Place, Planned, Purpose};
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::seasons::Season;
use crate::visibility::{Viewer, player_may_be_met, training_is_visible};
use crate::words::words;

pub use results::{Loss, Results, results};

/// Matches in one set.
pub const MOST_MATCHES: i64 = 200;
/// Matches that have one turn in the queue: between those of a set others have theirs.
const IN_BATCH: u64 = 8;
/// Seeds are what the rules take: numbers of 31 bits.
pub const LARGEST_SEED: i64 = i32::MAX as i64 - MOST_MATCHES;

words! {
    pub enum Seating {
        /// On each seed four matches, in which everybody takes every seat once.
        Turning = "turning",
        /// One match on each seed, in the seats that were chosen.
        Fixed = "fixed",
    }
}

/// A set of matches.
#[derive(Clone, Debug)]
pub struct Training {
    pub id: TrainingId,
    pub season_id: SeasonId,
    pub season_slug: String,
    pub season_title: String,
    pub game: String,
    pub account: AccountId,
    pub asked_by: String,
    pub seating: Seating,
    pub seed: i64,
    pub matches: i64,
    pub played: i64,
    pub given_up: i64,
    pub created_at: i64,
    /// The names of the four, in the seats that they begin in.
    pub players: PerSeat<String>,
}

impl Training {
    pub fn is_over(&self) -> bool {
        self.played + self.given_up >= self.matches
    }
}

impl FromRow<'_, AnyRow> for Training {
    fn from_row(row: &AnyRow) -> sqlx::Result<Training> {
        Ok(Training {
            id: row.try_get("id")?,
            season_id: row.try_get("season_id")?,
            season_slug: row.text("slug")?,
            season_title: row.text("title")?,
            game: row.text("game")?,
            account: row.try_get("account_id")?,
            asked_by: row.text("name")?,
            seating: row.try_get("seating")?,
            seed: row.int("seed")?,
            matches: row.int("matches")?,
            played: row.int("played")?,
            given_up: row.int("given_up")?,
            created_at: row.int("created_at")?,
            players: [row.text("first")?, row.text("second")?, row.text("third")?, row.text("fourth")?],
        })
    }
}

/// Which of the four are somebody's own.
pub async fn own_places(database: &Database, id: TrainingId, account: AccountId) -> Result<PerSeat<bool>> {
    let places: Vec<i64> = sqlx::query_scalar(
        "SELECT p.place FROM training_players p JOIN submissions s ON s.id = p.submission_id
         WHERE p.training_id = $1 AND s.account_id = $2",
    )
    .bind(id)
    .bind(account)
    .fetch_all(database.read())
    .await?;
    Ok(std::array::from_fn(|place| places.contains(&(place as i64))))
}

/// A seed drawn by lot.
pub fn draw_seed() -> Result<i64> {
    let number = getrandom::u32().map_err(|error| anyhow::anyhow!("no random number: {error}"))?;
    Ok(i64::from(number) % LARGEST_SEED)
}

/// What somebody asks for. Players are named; those of the game too.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub account: &'a Account,
    pub season: &'a Season,
    pub players: PerSeat<&'a str>,
    pub seating: Seating,
    pub seed: i64,
    pub matches: i64,
    pub quota: Quota,
}

/// Why a set of matches is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No accepted player has this name.
    UnknownPlayer(String),
    /// This player is private, and its author is not a friend of all the others.
    Private(String),
    /// None of the players is one's own.
    NoneOwn,
    Matches,
    Seed,
    /// So many matches are left for today.
    Quota(i64),
    /// What the training of this person left behind, or may leave, is more than may be.
    Full,
}

/// A player in a request.
#[derive(Clone, Debug)]
struct Chosen {
    name: String,
    of: Option<Submitted>,
}

#[derive(Clone, Copy, Debug)]
struct Submitted {
    id: SubmissionId,
    author: AccountId,
    is_public: bool,
}

/// Takes a request, or says why not.
pub async fn ask(database: &Database, queue: &Queue, request: &Request<'_>) -> Result<Result<TrainingId, Refusal>> {
    let mut tx = database.begin().await?;
    let asked = take(&mut tx, queue, request).await?;
    match asked {
        Ok(_) => {
            tx.commit().await?;
            queue.announce();
        }
        Err(_) => tx.rollback().await?,
    }
    Ok(asked)
}

/// The same, as a part of what takes effect together.
async fn take(tx: &mut Tx, queue: &Queue, request: &Request<'_>) -> Result<Result<TrainingId, Refusal>> {
    accounts::hold(tx, request.account.id).await?;
    if !(1..=MOST_MATCHES).contains(&request.matches) {
        return Ok(Err(Refusal::Matches));
    }
    if !(0..=LARGEST_SEED).contains(&request.seed) {
        return Ok(Err(Refusal::Seed));
    }
    let fixtures = fixtures(request.seating, request.seed as i32, request.matches as u64);
    let left = left_today(&mut *tx, request.account.id, request.quota).await?;
    if fixtures.len() as i64 > left {
        return Ok(Err(Refusal::Quota(left)));
    }
    if !make_room(tx, request.account.id, request.quota).await? {
        return Ok(Err(Refusal::Full));
    }
    let mut players = Vec::new();
    for name in request.players {
        match choose(tx, request.season, name).await? {
            Some(chosen) => players.push(chosen),
            None => return Ok(Err(Refusal::UnknownPlayer(name.to_owned()))),
        }
    }
    if let Some(refusal) = objection(tx, request.account, &players).await? {
        return Ok(Err(refusal));
    }
    let id = add(tx, request, &players, fixtures.len()).await?;
    for fixture in fixtures {
        let places = fixture
            .seats
            .map(|place| Place { name: players[place].name.clone(), submission: players[place].of.map(|of| of.id) });
        let (season, seed) = (request.season.id, i64::from(fixture.seed));
        let planned = Planned { season, purpose: Purpose::Training, verifies: None, training: Some(id), seed, places };
        let job = Play { id: matches::plan(tx, &planned).await? }.into();
        let batch = id.0 * MOST_MATCHES + (fixture.number / IN_BATCH) as i64;
        let work = Work { job, account: request.account.id, priority: Priority::Training, batch };
        queue.offer(tx, &work).await?;
    }
    Ok(Ok(id))
}

/// The matches of a set, each worked out from its number.
fn fixtures(seating: Seating, seed: i32, matches: u64) -> Vec<Fixture> {
    match seating {
        Seating::Turning => {
            let schedule = Schedule::with_matches(Seat::COUNT, matches, Seatings::Square, seed);
            let schedule = schedule.expect("four players, some matches, and enough seeds");
            schedule.fixtures(0..schedule.len()).collect()
        }
        Seating::Fixed => {
            let seats = std::array::from_fn(|seat| seat);
            (0..matches).map(|number| Fixture { number, seed: seed + number as i32, seats }).collect()
        }
    }
}

/// The player of this name: one of the game, or an accepted one of the season.
async fn choose(tx: &mut Tx, season: &Season, name: &str) -> Result<Option<Chosen>> {
    let game = ludus_games::find(&season.game).context("the season's game is not known")?;
    if let Some(builtin) = builtins(game).find(|one| one.eq_ignore_ascii_case(name)) {
        return Ok(Some(Chosen { name: builtin.to_owned(), of: None }));
    }
    let row = sqlx::query(
        "SELECT id, account_id, name, CASE WHEN public_at IS NULL THEN 0 ELSE 1 END AS is_public FROM submissions
         WHERE season_id = $1 AND name_key = $2 AND stage = 'accepted' AND retired_at IS NULL",
    )
    .bind(season.id)
    .bind(name.to_lowercase())
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let of =
        Submitted { id: row.try_get("id")?, author: row.try_get("account_id")?, is_public: row.flag("is_public")? };
    Ok(Some(Chosen { name: row.text("name")?, of: Some(of) }))
}

/// The players that come with a game, which may always take part. Some games know
/// one under several names that differ in capitals only.
pub fn builtins(game: &dyn Game) -> impl Iterator<Item = &'static str> {
    let players = game.about().players;
    let is_first = move |k: usize| !players[..k].iter().any(|one| one.name.eq_ignore_ascii_case(players[k].name));
    players.iter().enumerate().filter(move |(k, _)| is_first(*k)).map(|(_, player)| player.name)
}

/// A private player takes part if its author asks, or is a friend of everybody
/// else whose players do and of whoever asks. Instructors may ask for any.
async fn objection(tx: &mut Tx, asking: &Account, players: &[Chosen]) -> Result<Option<Refusal>> {
    if asking.is_instructor() {
        return Ok(None);
    }
    let authors = players.iter().filter_map(|player| player.of.map(|of| of.author));
    let mut people: Vec<AccountId> = authors.chain([asking.id]).collect();
    people.sort_unstable();
    people.dedup();
    let circle = Circle::of(&mut *tx, &people).await?;
    for player in players {
        let Some(of) = player.of.filter(|of| !of.is_public && of.author != asking.id) else { continue };
        if people.iter().any(|&other| other != of.author && !circle.are_friends(of.author, other)) {
            return Ok(Some(Refusal::Private(player.name.clone())));
        }
    }
    let takes_part = players.iter().any(|player| player.of.is_some_and(|of| of.author == asking.id));
    Ok((!takes_part).then_some(Refusal::NoneOwn))
}

async fn add(tx: &mut Tx, request: &Request<'_>, players: &[Chosen], matches: usize) -> Result<TrainingId> {
    let row = sqlx::query(
        "INSERT INTO trainings (season_id, account_id, seating, seed, matches, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(request.season.id)
    .bind(request.account.id)
    .bind(request.seating)
    .bind(request.seed)
    .bind(matches as i64)
    .bind(now())
    .fetch_one(&mut **tx)
    .await?;
    let id: TrainingId = row.try_get(0)?;
    for (place, player) in players.iter().enumerate() {
        sqlx::query("INSERT INTO training_players (training_id, place, name, submission_id) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(place as i64)
            .bind(&player.name)
            .bind(player.of.map(|of| of.id))
            .execute(&mut **tx)
            .await?;
    }
    Ok(id)
}

/// How many matches somebody may still ask for; those of the last day count.
pub async fn left_today(mut from: impl Reader, account: AccountId, quota: Quota) -> Result<i64> {
    const DAY: i64 = 86_400_000;
    let asked: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(matches), 0) AS BIGINT) FROM trainings WHERE account_id = $1 AND created_at > $2",
    )
    .bind(account)
    .bind(now() - DAY)
    .fetch_one(from.executor())
    .await?;
    Ok((quota.training_per_day - asked).max(0))
}

/// What a match that is not played yet counts as.
const RESERVE: i64 = 64 << 10;

/// Gives up what the oldest sets of somebody left behind until there is room for
/// more. False if those that are not played yet need it all.
async fn make_room(tx: &mut Tx, account: AccountId, quota: Quota) -> Result<bool> {
    let rows = sqlx::query(
        "SELECT t.id, t.bytes, t.matches - t.given_up - (SELECT COUNT(*) FROM matches m WHERE m.training_id = t.id
         AND m.played = 1) AS waiting FROM trainings t WHERE t.account_id = $1 AND t.thinned_at IS NULL ORDER BY t.id",
    )
    .bind(account)
    .fetch_all(&mut **tx)
    .await?;
    let mut sets = Vec::new();
    for row in &rows {
        let (id, waiting): (TrainingId, _) = (row.try_get("id")?, row.int("waiting")?);
        sets.push((id, waiting, row.int("bytes")? + waiting * RESERVE));
    }
    let mut kept: i64 = sets.iter().map(|(.., bytes)| bytes).sum();
    for (id, _, bytes) in sets.into_iter().filter(|(_, waiting, _)| *waiting <= 0) {
        if kept < quota.training_bytes {
            break;
        }
        thin(tx, id).await?;
        kept -= bytes;
    }
    Ok(kept < quota.training_bytes)
}

/// Gives up what a set left behind. Its results stay.
pub async fn thin(tx: &mut Tx, id: TrainingId) -> Result<()> {
    let hashes = sqlx::query(
        "SELECT replay AS hash FROM matches WHERE training_id = $1 AND small_replay IS NULL
         UNION SELECT s.output FROM seats s JOIN matches m ON m.id = s.match_id WHERE m.training_id = $1",
    );
    let hashes = hashes.bind(id).fetch_all(&mut **tx).await?;
    caretaker::leave(tx, &hashes).await?;
    for statement in [
        "UPDATE matches SET thinned_at = $1, small_replay = NULL WHERE training_id = $2",
        "UPDATE trainings SET thinned_at = $1, bytes = 0 WHERE id = $2",
    ] {
        sqlx::query(statement).bind(now()).bind(id).execute(&mut **tx).await?;
    }
    Ok(())
}

macro_rules! select_trainings {
    ($($condition:expr),*) => {
        concat!(
            "SELECT t.id, t.season_id, t.account_id, t.seating, t.seed, t.matches, t.given_up, t.created_at, a.name,
             e.slug, e.title, e.game, p.name AS first, q.name AS second, r.name AS third, s.name AS fourth,
             (SELECT COUNT(*) FROM matches m WHERE m.training_id = t.id AND m.played = 1) AS played
             FROM trainings t JOIN accounts a ON a.id = t.account_id JOIN seasons e ON e.id = t.season_id
             JOIN training_players p ON p.training_id = t.id AND p.place = 0
             JOIN training_players q ON q.training_id = t.id AND q.place = 1
             JOIN training_players r ON r.training_id = t.id AND r.place = 2
             JOIN training_players s ON s.training_id = t.id AND s.place = 3 WHERE ",
            $($condition),*
        )
    };
}

/// A set, if somebody may see it.
pub async fn find_visible(mut from: impl Reader, viewer: Viewer, id: TrainingId) -> Result<Option<Training>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_trainings!(training_is_visible!(), " AND t.id = $3"));
    Ok(found.bind(sees_all).bind(account).bind(id).fetch_optional(from.executor()).await?)
}

/// The numbers of the sets that somebody asked for, or that their players took part in.
macro_rules! ones_own {
    () => {
        "(SELECT id FROM trainings WHERE account_id = $1 UNION SELECT tp.training_id FROM submissions s
          JOIN training_players tp ON tp.submission_id = s.id WHERE s.account_id = $1) own"
    };
}

/// A part of the list.
pub async fn slice(mut from: impl Reader, account: AccountId, slice: Slice) -> Result<Vec<Training>> {
    let items = sqlx::query_as(select_trainings!(
        "t.id IN (SELECT own.id FROM ",
        ones_own!(),
        " WHERE own.id < $2 ORDER BY own.id DESC LIMIT $3) ORDER BY t.id DESC"
    ));
    Ok(items.bind(account).bind(slice.before).bind(slice.most).fetch_all(from.executor()).await?)
}

/// All of the list, the newest first.
pub async fn list(mut from: impl Reader, account: AccountId, page: Page) -> Result<NumberedPart<Training>> {
    let total = sqlx::query_scalar(concat!("SELECT COUNT(*) FROM ", ones_own!()));
    let total = total.bind(account).fetch_one(from.executor()).await?;
    // PostgreSQL must know how few they are, to look each of them up.
    const { assert!(Page::SIZE == 25) };
    let items = sqlx::query_as(select_trainings!(
        "t.id IN (SELECT own.id FROM ",
        ones_own!(),
        " ORDER BY own.id DESC LIMIT 25 OFFSET $2) ORDER BY t.id DESC"
    ));
    let items = items.bind(account).bind(page.offset()).fetch_all(from.executor()).await?;
    Ok(NumberedPart { items, total, page })
}

/// Players that somebody may choose from in a form.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub name: String,
    pub is_own: bool,
    pub is_public: bool,
}

impl FromRow<'_, AnyRow> for Candidate {
    fn from_row(row: &AnyRow) -> sqlx::Result<Candidate> {
        Ok(Candidate { name: row.text("name")?, is_own: row.flag("is_own")?, is_public: row.flag("is_public")? })
    }
}

/// Candidates in a form; whoever is not among them can still be named.
const MOST_CANDIDATES: i64 = 500;

/// Those among whom a student's candidates are, so that nobody else is looked at
/// (SQLite keeps to the order of crossed tables); and everybody, for instructors, in
/// the order of an index.
const CANDIDATES: [&str; 2] = {
    macro_rules! candidates {
        ($among:literal, $order:literal) => {
            concat!(
                "SELECT s.name, CASE WHEN s.account_id = $2 THEN 1 ELSE 0 END AS is_own,
                 CASE WHEN s.public_at IS NULL THEN 0 ELSE 1 END AS is_public FROM submissions s WHERE ",
                $among,
                " AND ",
                player_may_be_met!(),
                " ORDER BY ",
                $order,
                " LIMIT $4"
            )
        };
    }
    [
        candidates!(
            "s.id IN (SELECT id FROM submissions WHERE account_id = $2 AND season_id = $3
             UNION SELECT id FROM submissions WHERE season_id = $3 AND public_at IS NOT NULL
             UNION SELECT o.id FROM friends f CROSS JOIN submissions o
                 WHERE f.account_id = $2 AND o.account_id = f.friend_id AND o.season_id = $3)",
            "is_own DESC, s.id DESC"
        ),
        candidates!("s.season_id = $3 AND s.stage BETWEEN 'accepted' AND 'accepted'", "s.stage DESC, s.id DESC"),
    ]
};

/// One's own players first.
pub async fn candidates(mut from: impl Reader, viewer: Viewer, season: SeasonId) -> Result<Vec<Candidate>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(CANDIDATES[usize::from(viewer.sees_all)]);
    let found = found.bind(sees_all).bind(account).bind(season).bind(MOST_CANDIDATES);
    Ok(found.fetch_all(from.executor()).await?)
}
