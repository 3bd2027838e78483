//! What students hand in, from the acknowledgement to the verdict.

use std::collections::HashMap;

use anyhow::Result;
use ludus_sandbox::build::Language;
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Listed, Page, Tx, now, pattern};
use crate::jobs::Compile;
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::seasons::Season;
use crate::{accounts, source};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Waiting,
    Compiling,
    Playing,
    Accepted,
    Rejected,
    /// Accepted once, and taken out by an instructor.
    Retired,
}

impl Stage {
    pub const ALL: [Stage; 6] =
        [Stage::Waiting, Stage::Compiling, Stage::Playing, Stage::Accepted, Stage::Rejected, Stage::Retired];

    pub fn word(self) -> &'static str {
        match self {
            Stage::Waiting => "waiting",
            Stage::Compiling => "compiling",
            Stage::Playing => "playing",
            Stage::Accepted => "accepted",
            Stage::Rejected => "rejected",
            Stage::Retired => "retired",
        }
    }

    pub fn of(word: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.word() == word)
    }

    pub fn is_verdict(self) -> bool {
        matches!(self, Stage::Accepted | Stage::Rejected | Stage::Retired)
    }
}

/// Why a player was rejected. What it is about is in the submission's detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The compiler's messages.
    Compiler,
    /// The compiler took too long.
    Slow,
    /// The module is no player.
    Module,
    /// The module calls itself otherwise than the source says.
    OtherName,
    /// Somebody was faster.
    NameTaken,
    /// Another copy of an example was accepted first.
    ExampleTwice,
    /// A copy failed in the match of four copies.
    Fault,
    /// It did not win against the Dummies.
    NotWon,
    /// It took far more CPU than its fuel stands for, twice in the same match.
    Overtime,
}

impl Reason {
    const ALL: [Reason; 9] = [
        Reason::Compiler,
        Reason::Slow,
        Reason::Module,
        Reason::OtherName,
        Reason::NameTaken,
        Reason::ExampleTwice,
        Reason::Fault,
        Reason::NotWon,
        Reason::Overtime,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Reason::Compiler => "compiler",
            Reason::Slow => "slow",
            Reason::Module => "module",
            Reason::OtherName => "other-name",
            Reason::NameTaken => "name-taken",
            Reason::ExampleTwice => "example-twice",
            Reason::Fault => "fault",
            Reason::NotWon => "not-won",
            Reason::Overtime => "overtime",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Submission {
    pub id: i64,
    pub season_id: i64,
    pub account_id: i64,
    pub author: String,
    pub season_slug: String,
    pub season_title: String,
    pub name: String,
    pub file_name: String,
    pub language: Language,
    pub stage: Stage,
    pub reason: Option<Reason>,
    pub detail: Option<String>,
    pub module: Option<String>,
    pub seed: i64,
    pub created_at: i64,
    pub decided_at: Option<i64>,
    /// Why it was retired, if it was.
    pub retired: Option<String>,
    /// The example of which it is a copy but for its name.
    pub example: Option<String>,
}

impl Submission {
    fn from_row(row: &AnyRow) -> sqlx::Result<Submission> {
        let reason = row.maybe_text("reason")?;
        Ok(Submission {
            id: row.int("id")?,
            season_id: row.int("season_id")?,
            account_id: row.int("account_id")?,
            author: row.text("author")?,
            season_slug: row.text("slug")?,
            season_title: row.text("title")?,
            name: row.text("name")?,
            file_name: row.text("file_name")?,
            language: language_of(&row.text("language")?),
            stage: Stage::of(&row.text("stage")?).unwrap_or(Stage::Waiting),
            reason: reason.and_then(|word| Reason::ALL.into_iter().find(|reason| reason.word() == word)),
            detail: row.maybe_text("detail")?,
            module: row.maybe_text("module")?,
            seed: row.int("seed")?,
            created_at: row.int("created_at")?,
            decided_at: row.maybe_int("decided_at")?,
            retired: row.maybe_text("retired_reason")?,
            example: row.maybe_text("example")?,
        })
    }
}

fn language_of(word: &str) -> Language {
    if word == "rust" { Language::Rust } else { Language::Cpp }
}

fn language_word(language: Language) -> &'static str {
    match language {
        Language::Cpp => "cpp",
        Language::Rust => "rust",
    }
}

/// A file that has passed every check that needs no compiler.
#[derive(Clone, Debug)]
pub struct NewSubmission<'a> {
    pub account: i64,
    pub name: &'a str,
    pub file_name: &'a str,
    pub language: Language,
    pub source: &'a [u8],
}

/// Takes a submission in without asking whether it may come: `intake` does.
/// Once the transaction is committed it is on the disk, and so is the job that
/// will verify it; the queue should then be told.
pub async fn add(tx: &mut Tx, queue: &Queue, season: &Season, new: &NewSubmission<'_>) -> Result<i64> {
    let row = sqlx::query(
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed,
         created_at, example, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $9, $10, $11) RETURNING id",
    )
    .bind(season.id)
    .bind(new.account)
    .bind(new.name)
    .bind(new.name.to_lowercase())
    .bind(new.file_name)
    .bind(language_word(new.language))
    .bind(new.source)
    .bind(seed_of(season, new.source))
    .bind(now())
    .bind(source::example_of(&season.game, new.source, new.language))
    .bind(new.source.len() as i64)
    .fetch_one(&mut **tx)
    .await?;
    let id: i64 = row.try_get(0)?;
    let job = Compile { submission: id }.into();
    let work = Work { job, account: new.account, priority: Priority::Verification, batch: id };
    queue.offer(tx, &work).await?;
    Ok(id)
}

/// The seed of the first match; the others follow it. It depends on the file
/// alone, so that the same file gets the same verdict.
fn seed_of(season: &Season, source: &[u8]) -> i64 {
    let hash = Sha256::new().chain_update(season.slug.as_bytes()).chain_update([0]).chain_update(source).finalize();
    let number = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
    i64::from(number % 900_000_000) + 1000
}

const SELECT_ONE: &str = "SELECT s.id, s.season_id, s.account_id, s.name, s.file_name, s.language, s.reason, s.detail,
     CASE WHEN s.retired_at IS NULL THEN s.stage ELSE 'retired' END AS stage, s.retired_reason, s.example,
     s.module, s.seed, s.created_at, s.decided_at, a.name AS author, e.slug, e.title
     FROM submissions s JOIN accounts a ON a.id = s.account_id JOIN seasons e ON e.id = s.season_id WHERE s.id = $1";

pub async fn find(database: &Database, id: i64) -> Result<Option<Submission>> {
    let row = sqlx::query(SELECT_ONE).bind(id).fetch_optional(database.read()).await?;
    Ok(row.as_ref().map(Submission::from_row).transpose()?)
}

/// How far a verification has come: this differs whenever its page does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub stage: Stage,
    planned: i64,
    played: i64,
}

pub async fn mark(database: &Database, id: i64) -> Result<Option<Mark>> {
    let row = sqlx::query(
        "SELECT stage, (SELECT COUNT(*) FROM matches WHERE submission_id = $1) AS planned,
         (SELECT COUNT(*) FROM matches WHERE submission_id = $1 AND played = 1) AS played
         FROM submissions WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(database.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let stage = Stage::of(&row.text("stage")?).unwrap_or(Stage::Waiting);
    Ok(Some(Mark { stage, planned: row.int("planned")?, played: row.int("played")? }))
}

/// The marks of all submissions without a verdict.
pub async fn marks_of_undecided(database: &Database) -> Result<HashMap<i64, Mark>> {
    let rows = sqlx::query(
        "SELECT s.id, s.stage, COUNT(m.id) AS planned, COUNT(CASE WHEN m.played = 1 THEN 1 END) AS played
         FROM submissions s LEFT JOIN matches m ON m.submission_id = s.id WHERE s.decided_at IS NULL
         GROUP BY s.id, s.stage",
    )
    .fetch_all(database.read())
    .await?;
    let mark = |row: &AnyRow| {
        let stage = Stage::of(&row.text("stage")?).unwrap_or(Stage::Waiting);
        Ok((row.int("id")?, Mark { stage, planned: row.int("planned")?, played: row.int("played")? }))
    };
    Ok(rows.iter().map(mark).collect::<sqlx::Result<_>>()?)
}

pub async fn in_transaction(tx: &mut Tx, id: i64) -> Result<Submission> {
    Ok(Submission::from_row(&sqlx::query(SELECT_ONE).bind(id).fetch_one(&mut **tx).await?)?)
}

pub async fn source(database: &Database, id: i64) -> Result<Vec<u8>> {
    Ok(sqlx::query("SELECT source FROM submissions WHERE id = $1")
        .bind(id)
        .fetch_one(database.read())
        .await?
        .try_get(0)?)
}

/// Which submissions a list shows; zero and empty mean all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub season: i64,
    pub account: i64,
    pub stage: &'static str,
    pub text: String,
}

pub async fn list(database: &Database, filter: &Filter, page: Page) -> Result<Listed<Submission>> {
    let pattern = pattern(&filter.text);
    let rows = sqlx::query(
        "SELECT s.id, s.season_id, s.account_id, s.name, s.file_name, s.language, s.reason, s.detail,
         CASE WHEN s.retired_at IS NULL THEN s.stage ELSE 'retired' END AS stage, s.retired_reason, s.example,
         s.module, s.seed, s.created_at, s.decided_at, a.name AS author, e.slug, e.title
         FROM submissions s JOIN accounts a ON a.id = s.account_id JOIN seasons e ON e.id = s.season_id
         WHERE ($1 = 0 OR s.season_id = $1) AND ($2 = 0 OR s.account_id = $2) AND ($3 = '' OR CASE WHEN s.retired_at IS NULL THEN s.stage ELSE 'retired' END = $3)
         AND (s.name_key LIKE $4 ESCAPE '!' OR LOWER(a.name) LIKE $4 ESCAPE '!') ORDER BY s.id DESC LIMIT $5 OFFSET $6",
    )
    .bind(filter.season)
    .bind(filter.account)
    .bind(filter.stage)
    .bind(&pattern)
    .bind(Page::SIZE)
    .bind(page.offset())
    .fetch_all(database.read())
    .await?;
    let total = sqlx::query(
        "SELECT COUNT(*) FROM submissions s JOIN accounts a ON a.id = s.account_id
         WHERE ($1 = 0 OR s.season_id = $1) AND ($2 = 0 OR s.account_id = $2) AND ($3 = '' OR CASE WHEN s.retired_at IS NULL THEN s.stage ELSE 'retired' END = $3)
         AND (s.name_key LIKE $4 ESCAPE '!' OR LOWER(a.name) LIKE $4 ESCAPE '!')",
    )
    .bind(filter.season)
    .bind(filter.account)
    .bind(filter.stage)
    .bind(&pattern)
    .fetch_one(database.read())
    .await?;
    let items = rows.iter().map(Submission::from_row).collect::<sqlx::Result<_>>()?;
    Ok(Listed { items, total: total.try_get(0)?, page })
}

/// Whether an accepted player of the season has this name already.
pub async fn name_is_taken(tx: &mut Tx, season: i64, name: &str) -> Result<bool> {
    let row = sqlx::query("SELECT 1 FROM submissions WHERE season_id = $1 AND name_key = $2 AND stage = 'accepted' AND retired_at IS NULL")
        .bind(season)
        .bind(name.to_lowercase())
        .fetch_optional(&mut **tx)
        .await?;
    Ok(row.is_some())
}

/// Whether somebody has an accepted copy of an example in a season, retired or not.
pub async fn has_copy(tx: &mut Tx, season: i64, account: i64) -> Result<bool> {
    let row = sqlx::query(
        "SELECT 1 FROM submissions WHERE account_id = $1 AND season_id = $2 AND stage = 'accepted'
         AND example IS NOT NULL LIMIT 1",
    )
    .bind(account)
    .bind(season)
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.is_some())
}

/// What keeps a player out that is good enough, if anything does.
pub async fn obstacle(tx: &mut Tx, submission: &Submission) -> Result<Option<Reason>> {
    if name_is_taken(tx, submission.season_id, &submission.name).await? {
        return Ok(Some(Reason::NameTaken));
    }
    if submission.example.is_none() {
        return Ok(None);
    }
    // Two copies that are decided at once must see each other.
    accounts::hold(tx, submission.account_id).await?;
    let twice = has_copy(tx, submission.season_id, submission.account_id).await?;
    Ok(twice.then_some(Reason::ExampleTwice))
}

/// Says that somebody has begun; only for whoever watches.
pub async fn begin(database: &Database, id: i64) -> Result<()> {
    sqlx::query("UPDATE submissions SET stage = 'compiling' WHERE id = $1 AND stage = 'waiting'")
        .bind(id)
        .execute(database.write())
        .await?;
    Ok(())
}

/// It compiles; the matches come next.
pub async fn set_module(tx: &mut Tx, id: i64, module: &str, bytes: usize) -> Result<()> {
    sqlx::query(
        "UPDATE submissions SET stage = 'playing', module = $1, bytes = bytes + $2 WHERE id = $3 AND decided_at IS NULL",
    )
    .bind(module)
    .bind(bytes as i64)
    .bind(id)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Holds the submission, so that two matches that end together are counted one
/// after the other.
pub async fn hold(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query("UPDATE submissions SET verdicts = verdicts WHERE id = $1").bind(id).execute(&mut **tx).await?;
    Ok(())
}

/// The verdict, given once: nothing happens to a submission that has one.
pub async fn decide(tx: &mut Tx, id: i64, verdict: Option<(Reason, &str)>) -> Result<()> {
    let stage = if verdict.is_some() { Stage::Rejected } else { Stage::Accepted };
    sqlx::query(
        "UPDATE submissions SET stage = $1, reason = $2, detail = $3, decided_at = $4, verdicts = verdicts + 1
         WHERE id = $5 AND decided_at IS NULL",
    )
    .bind(stage.word())
    .bind(verdict.map(|(reason, _)| reason.word()))
    .bind(verdict.map(|(_, detail)| detail.to_owned()))
    .bind(now())
    .bind(id)
    .execute(&mut **tx)
    .await?;
    Ok(())
}
