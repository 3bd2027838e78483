//! Rounds as they are stored, and put together again from what is stored.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::season::{
    Author, Decision, Elimination, Field, Hash, MatchId as Place, Representative, Round as Drawn, RoundSeed,
};
use ludus_games::{PerSeat, Seat};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row as _};

use crate::database::{Columns as _, Database};
use crate::ids::{AccountId, MatchId, SeasonId, SubmissionId};
use crate::seasons::Season;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its commitment is public; the field is not frozen yet.
    Committed,
    /// Its field is frozen and its matches are played.
    Playing,
    /// Somebody is eliminated.
    Over,
    Cancelled,
}

impl State {
    const ALL: [State; 4] = [State::Committed, State::Playing, State::Over, State::Cancelled];

    pub fn word(self) -> &'static str {
        match self {
            State::Committed => "committed",
            State::Playing => "playing",
            State::Over => "over",
            State::Cancelled => "cancelled",
        }
    }

    fn of(word: &str) -> State {
        State::ALL.into_iter().find(|state| state.word() == word).unwrap_or(State::Cancelled)
    }
}

/// What a round is played with, frozen together with its field: the season may
/// be edited meanwhile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    pub title: String,
    pub config: String,
    pub match_ms: i64,
    pub round_ms: Option<i64>,
    pub memory_mib: i64,
}

impl Frozen {
    pub fn of(season: &Season) -> Frozen {
        Frozen {
            title: season.title.clone(),
            config: season.config.clone(),
            match_ms: season.match_ms,
            round_ms: season.round_ms,
            memory_mib: season.memory_mib,
        }
    }

    /// The season as it was when the round was frozen.
    pub fn season(&self, now: Season) -> Season {
        let Frozen { title, config, match_ms, round_ms, memory_mib } = self.clone();
        Season { title, config, match_ms, round_ms, memory_mib, ..now }
    }
}

#[derive(Clone, Debug)]
pub struct Round {
    pub id: i64,
    pub season_id: SeasonId,
    /// The final that it is a round of, if it is not the season's own.
    pub final_id: Option<i64>,
    pub number: i64,
    pub state: State,
    pub commitment: Hash,
    seed: RoundSeed,
    /// When it is to start, unless it is started by hand.
    pub starts_at: Option<i64>,
    pub frozen: Option<Frozen>,
    pub elimination: Option<Elimination>,
    pub cancelled_reason: Option<String>,
    /// Why its elimination does not count, if it does not.
    pub undone_reason: Option<String>,
    pub committed_at: i64,
    pub frozen_at: Option<i64>,
    pub ended_at: Option<i64>,
    /// Differs whenever something about the round has changed.
    pub changes: i64,
}

impl Round {
    /// The seed, for whoever plays the round. Nothing that comes of it may be
    /// shown unless [`Round::revealed_seed`] gives it.
    pub fn secret_seed(&self) -> &RoundSeed {
        &self.seed
    }

    /// The seed, once anybody may know it. A round that was cancelled reveals
    /// it too, so that nobody can cancel what they do not like in secret. Rounds
    /// of a final are revealed with it, and not here.
    pub fn revealed_seed(&self) -> Option<Hash> {
        let is_over = matches!(self.state, State::Over | State::Cancelled);
        (is_over && self.final_id.is_none()).then(|| Hash(self.seed.bytes()))
    }

    /// Whether somebody is out because of it.
    pub fn counts(&self) -> bool {
        self.state == State::Over && self.undone_reason.is_none()
    }

    fn from_row(row: &AnyRow) -> Result<Round> {
        let frozen = match row.maybe_text("config")? {
            Some(config) => Some(Frozen {
                title: row.maybe_text("title")?.unwrap_or_default(),
                config,
                match_ms: row.maybe_int("match_ms")?.unwrap_or_default(),
                round_ms: row.maybe_int("round_ms")?,
                memory_mib: row.maybe_int("memory_mib")?.unwrap_or_default(),
            }),
            None => None,
        };
        let id = row.int("id")?;
        let hash = |text: String| text.parse::<Hash>().map_err(|error| anyhow!("round {id}: {error}"));
        let decided = row.maybe_text("decided_by")?.and_then(|word| decision(&word));
        let elimination = row.maybe_int("eliminated")?.zip(decided);
        Ok(Round {
            id,
            season_id: row.try_get("season_id")?,
            final_id: row.maybe_int("final_id")?,
            number: row.int("number")?,
            state: State::of(&row.text("state")?),
            commitment: hash(row.text("commitment")?)?,
            seed: RoundSeed::new(hash(row.text("seed")?)?.0),
            starts_at: row.maybe_int("starts_at")?,
            frozen,
            elimination: elimination.map(|(author, by)| Elimination { author: author_of(author), by }),
            cancelled_reason: row.maybe_text("cancelled_reason")?,
            undone_reason: row.maybe_text("undone_reason")?,
            committed_at: row.int("committed_at")?,
            frozen_at: row.maybe_int("frozen_at")?,
            ended_at: row.maybe_int("ended_at")?,
            changes: row.int("changes")?,
        })
    }
}

fn decision(word: &str) -> Option<Decision> {
    [Decision::Behind, Decision::Alone, Decision::Draw].into_iter().find(|decision| decision.word() == word)
}

/// The number of an author, as the database has it.
pub fn author_of(number: i64) -> Author {
    Author(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The rounds of a season, without those of finals, the first one first.
pub async fn of_season<'e>(executor: impl Executor<'e, Database = Any>, season: SeasonId) -> Result<Vec<Round>> {
    let rows = sqlx::query("SELECT * FROM rounds WHERE season_id = $1 AND final_id IS NULL ORDER BY number")
        .bind(season)
        .fetch_all(executor)
        .await?;
    rows.iter().map(Round::from_row).collect()
}

/// The rounds of a final, the first one first.
pub async fn of_final<'e>(executor: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<Round>> {
    let rows =
        sqlx::query("SELECT * FROM rounds WHERE final_id = $1 ORDER BY number").bind(id).fetch_all(executor).await?;
    rows.iter().map(Round::from_row).collect()
}

/// A round of a season by its number.
pub async fn find(database: &Database, season: SeasonId, number: i64) -> Result<Option<Round>> {
    let row = sqlx::query("SELECT * FROM rounds WHERE season_id = $1 AND number = $2 AND final_id IS NULL")
        .bind(season)
        .bind(number)
        .fetch_optional(database.read())
        .await?;
    row.as_ref().map(Round::from_row).transpose()
}

pub async fn by_id<'e>(executor: impl Executor<'e, Database = Any>, id: i64) -> Result<Round> {
    let row = sqlx::query("SELECT * FROM rounds WHERE id = $1").bind(id).fetch_one(executor).await?;
    Round::from_row(&row)
}

/// The round of a season that is prepared or being played.
pub async fn under_way<'e>(executor: impl Executor<'e, Database = Any>, season: SeasonId) -> Result<Option<Round>> {
    let row = sqlx::query(
        "SELECT * FROM rounds WHERE season_id = $1 AND final_id IS NULL AND state IN ('committed', 'playing')",
    )
    .bind(season)
    .fetch_optional(executor)
    .await?;
    row.as_ref().map(Round::from_row).transpose()
}

/// The round that a match belongs to.
pub async fn of_match(database: &Database, id: MatchId) -> Result<Option<Round>> {
    let row = sqlx::query("SELECT r.* FROM rounds r JOIN round_matches m ON m.round_id = r.id WHERE m.match_id = $1")
        .bind(id)
        .fetch_optional(database.read())
        .await?;
    row.as_ref().map(Round::from_row).transpose()
}

/// A representative in the frozen field of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPlayer {
    pub author: Author,
    pub account: AccountId,
    pub submission: SubmissionId,
    /// The player's name.
    pub name: String,
    /// What the public may call the author, as it was then.
    pub label: String,
    pub module: Hash,
    /// The author's name.
    pub student: String,
}

macro_rules! select_players {
    ($condition:literal) => {
        concat!(
            "SELECT p.round_id, p.author, p.account_id, p.submission_id, p.name, p.label, p.module, a.name AS student
             FROM round_players p JOIN accounts a ON a.id = p.account_id WHERE ",
            $condition,
            " ORDER BY p.round_id, p.author"
        )
    };
}

/// The frozen field of a round, by the numbers of the authors.
pub async fn players<'e>(executor: impl Executor<'e, Database = Any>, round: i64) -> Result<Vec<RoundPlayer>> {
    let rows = sqlx::query(select_players!("p.round_id = $1")).bind(round).fetch_all(executor).await?;
    rows.iter().map(player_of).collect()
}

fn player_of(row: &AnyRow) -> Result<RoundPlayer> {
    let module = row.text("module")?.parse();
    Ok(RoundPlayer {
        author: author_of(row.int("author")?),
        account: row.try_get("account_id")?,
        submission: row.try_get("submission_id")?,
        name: row.text("name")?,
        label: row.text("label")?,
        module: module.with_context(|| format!("a module of round {}", row.int("round_id").unwrap_or(0)))?,
        student: row.text("student")?,
    })
}

/// The field of a round, for the draw.
pub fn field(players: &[RoundPlayer]) -> Result<Field> {
    Ok(Field::new(players.iter().map(|one| Representative { author: one.author, module: one.module }))?)
}

/// A match of a round that is planned or played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundMatch {
    /// Its stage and its group in it.
    pub place: Place,
    pub id: MatchId,
    /// The match whose job plays this one as well.
    pub job: MatchId,
    pub result: Option<Played>,
}

/// What the pages of a round show of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    pub scores: PerSeat<i64>,
    pub frozen: PerSeat<bool>,
    /// The hash of its replay.
    pub replay: String,
}

macro_rules! select_matches {
    ($condition:literal) => {
        concat!(
            "SELECT o.round_id, o.stage, o.place, o.match_id, o.job_match_id, m.played, m.replay, s.seat, s.score, s.fault
             FROM round_matches o JOIN matches m ON m.id = o.match_id JOIN seats s ON s.match_id = o.match_id WHERE ",
            $condition,
            " ORDER BY o.round_id, o.stage, o.place, s.seat"
        )
    };
}

/// The matches of a round that are planned so far, in order.
pub async fn matches<'e>(executor: impl Executor<'e, Database = Any>, round: i64) -> Result<Vec<RoundMatch>> {
    let rows = sqlx::query(select_matches!("o.round_id = $1")).bind(round).fetch_all(executor).await?;
    rows.chunks(Seat::COUNT).map(match_of).collect()
}

fn match_of(seats: &[AnyRow]) -> Result<RoundMatch> {
    let row = &seats[0];
    let (id, round): (MatchId, i64) = (row.try_get("match_id")?, row.int("round_id")?);
    let place = |column| -> Result<u32> { Ok(u32::try_from(row.int(column)?)?) };
    let result = match row.maybe_text("replay")?.filter(|_| row.flag("played").unwrap_or(false)) {
        Some(replay) => {
            let mut played = Played { scores: PerSeat::default(), frozen: PerSeat::default(), replay };
            for (at, row) in Seat::ALL.into_iter().zip(seats) {
                let score = row.maybe_int("score")?;
                played.scores[at] = score.ok_or_else(|| anyhow!("match {id} of round {round} has no scores"))?;
                played.frozen[at] = row.maybe_text("fault")?.is_some();
            }
            Some(played)
        }
        None => None,
    };
    let at = Place::new(place("stage")?, place("place")?);
    let at = at.ok_or_else(|| anyhow!("match {id} of round {round} has no place"))?;
    Ok(RoundMatch { place: at, id, job: row.try_get("job_match_id")?, result })
}

/// The round as the draw and its results so far make it.
pub fn put_together(round: &Round, field: Field, matches: &[RoundMatch]) -> Result<Drawn> {
    let results = matches.iter().filter_map(|one| Some((one.place, one.result.as_ref()?.scores)));
    let drawn = Drawn::resume(field, round.secret_seed(), results);
    drawn.with_context(|| format!("round {} cannot be put together from its results", round.id))
}

/// A round with its field and its matches.
#[derive(Clone)]
pub struct Whole {
    pub round: Round,
    pub players: Vec<RoundPlayer>,
    pub matches: Vec<RoundMatch>,
    pub drawn: Drawn,
}

impl Whole {
    pub fn player(&self, author: Author) -> Option<&RoundPlayer> {
        let at = self.players.binary_search_by_key(&author, |one| one.author).ok()?;
        Some(&self.players[at])
    }

    pub fn match_at(&self, place: Place) -> Option<&RoundMatch> {
        let at = self.matches.binary_search_by_key(&place, |one| one.place).ok()?;
        Some(&self.matches[at])
    }
}

/// Everything about a round whose field is frozen; none for one that was not.
pub async fn whole(database: &Database, round: Round) -> Result<Option<Whole>> {
    let players = players(database.read(), round.id).await?;
    if players.len() < 2 {
        return Ok(None);
    }
    let matches = matches(database.read(), round.id).await?;
    let drawn = put_together(&round, field(&players)?, &matches)?;
    Ok(Some(Whole { round, players, matches, drawn }))
}

/// The rounds of a final that have a field, the first one first, by as many
/// statements as for a single round.
pub async fn whole_final(database: &Database, id: i64) -> Result<Vec<Whole>> {
    const PLAYERS: &str = select_players!("p.round_id IN (SELECT r.id FROM rounds r WHERE r.final_id = $1)");
    const MATCHES: &str = select_matches!("o.round_id IN (SELECT r.id FROM rounds r WHERE r.final_id = $1)");
    let (mut players, mut matches) = (BTreeMap::<i64, Vec<_>>::new(), BTreeMap::<i64, Vec<_>>::new());
    for row in &sqlx::query(PLAYERS).bind(id).fetch_all(database.read()).await? {
        players.entry(row.int("round_id")?).or_default().push(player_of(row)?);
    }
    for seats in sqlx::query(MATCHES).bind(id).fetch_all(database.read()).await?.chunks(Seat::COUNT) {
        matches.entry(seats[0].int("round_id")?).or_default().push(match_of(seats)?);
    }
    let mut all = Vec::new();
    for round in of_final(database.read(), id).await? {
        let Some(players) = players.remove(&round.id).filter(|players| players.len() >= 2) else { continue };
        let matches = matches.remove(&round.id).unwrap_or_default();
        let drawn = put_together(&round, field(&players)?, &matches)?;
        all.push(Whole { round, players, matches, drawn });
    }
    Ok(all)
}

/// What keeps a round from going on, if an instructor must look at it: the
/// match whose job was given up, and why.
pub async fn stopped_by(database: &Database, round: i64) -> Result<Option<(MatchId, String)>> {
    let row = sqlx::query(
        "SELECT j.subject, j.error FROM jobs j JOIN round_matches m ON m.match_id = j.subject
         WHERE j.kind = 'match' AND j.state = 'parked' AND m.round_id = $1 ORDER BY j.id LIMIT 1",
    )
    .bind(round)
    .fetch_optional(database.read())
    .await?;
    row.map(|row| Ok((row.try_get("subject")?, row.maybe_text("error")?.unwrap_or_default()))).transpose()
}
