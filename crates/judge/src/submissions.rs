//! What students hand in, from the acknowledgement to the verdict.

mod lists;
mod verdict;

use std::collections::HashMap;

use anyhow::Result;
use ludus_sandbox::build::Language;
use sha2::{Digest as _, Sha256};
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, Page, Reader, Tx, now};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::jobs::Compile;
use crate::queue::{Dispatch as _, Priority, Queue, Work};
use crate::seasons::Season;
use crate::visibility::{Viewer, player_is_visible, submission_is_visible};
use crate::{accounts, source, storage};

pub use lists::{MOST_COUNTED, count_authors, count_players, list, players, slice};
pub use verdict::{Reason, Stage, Verdict};

#[derive(Clone, Debug)]
pub struct Submission {
    pub id: SubmissionId,
    pub season_id: SeasonId,
    pub account_id: AccountId,
    pub author: String,
    pub season_slug: String,
    pub season_title: String,
    pub name: String,
    pub file_name: String,
    pub language: Language,
    pub stage: Stage,
    pub verdict: Option<Verdict>,
    pub module: Option<String>,
    pub seed: i64,
    pub created_at: i64,
    pub decided_at: Option<i64>,
    /// Why it was retired, if it was.
    pub retired: Option<String>,
    /// The example of which it is a copy but for its name.
    pub example: Option<String>,
    /// Whether anybody may let their players meet it in training.
    pub is_public: bool,
}

impl FromRow<'_, AnyRow> for Submission {
    fn from_row(row: &AnyRow) -> sqlx::Result<Submission> {
        let stage = row.try_get("stage")?;
        let (reason, detail) = (row.maybe_text("reason")?, row.maybe_text("detail")?);
        let reason = || Reason::stored(&reason.unwrap_or_default(), &detail.unwrap_or_default());
        Ok(Submission {
            id: row.try_get("id")?,
            season_id: row.try_get("season_id")?,
            account_id: row.try_get("account_id")?,
            author: row.text("author")?,
            season_slug: row.text("slug")?,
            season_title: row.text("title")?,
            name: row.text("name")?,
            file_name: row.text("file_name")?,
            language: language_of(&row.text("language")?),
            stage,
            verdict: match stage {
                Stage::Accepted | Stage::Retired => Some(Verdict::Accepted),
                Stage::Rejected => Some(Verdict::Rejected(reason())),
                Stage::Waiting | Stage::Compiling | Stage::Playing => None,
            },
            module: row.maybe_text("module")?,
            seed: row.int("seed")?,
            created_at: row.int("created_at")?,
            decided_at: row.maybe_int("decided_at")?,
            retired: row.maybe_text("retired_reason")?,
            example: row.maybe_text("example")?,
            is_public: row.maybe_int("public_at")?.is_some(),
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
    pub account: AccountId,
    pub name: &'a str,
    pub file_name: &'a str,
    pub language: Language,
    pub source: &'a [u8],
}

/// Takes a submission in without asking whether it may come: `intake` does.
/// Once the transaction is committed it is on the disk, and so is the job that
/// will verify it; the queue should then be told.
pub async fn add(tx: &mut Tx, queue: &Queue, season: &Season, new: &NewSubmission<'_>) -> Result<SubmissionId> {
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
    let id: SubmissionId = row.try_get(0)?;
    storage::count_new(tx, new.account, season.id, new.source.len() as i64).await?;
    let job = Compile { submission: id }.into();
    let work = Work { job, account: new.account, priority: Priority::Verification, batch: id.0 };
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

/// What every way of looking submissions up selects.
macro_rules! select_submissions {
    ($($condition:expr),*) => {
        concat!(
            "SELECT s.id, s.season_id, s.account_id, s.name, s.file_name, s.language, s.reason, s.detail,
             CASE WHEN s.retired_at IS NULL THEN s.stage ELSE 'retired' END AS stage, s.retired_reason, s.example,
             s.module, s.seed, s.created_at, s.decided_at, s.public_at, a.name AS author, e.slug, e.title
             FROM submissions s JOIN accounts a ON a.id = s.account_id JOIN seasons e ON e.id = s.season_id WHERE ",
            $($condition),*
        )
    };
}

use select_submissions;

pub async fn find(mut from: impl Reader, id: SubmissionId) -> Result<Option<Submission>> {
    Ok(sqlx::query_as(select_submissions!("s.id = $1")).bind(id).fetch_optional(from.executor()).await?)
}

/// A submission, if somebody may see it.
pub async fn find_visible(mut from: impl Reader, viewer: Viewer, id: SubmissionId) -> Result<Option<Submission>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_submissions!(submission_is_visible!(), " AND s.id = $3"));
    Ok(found.bind(sees_all).bind(account).bind(id).fetch_optional(from.executor()).await?)
}

/// A player, if somebody may know of it.
pub async fn find_player(mut from: impl Reader, viewer: Viewer, id: SubmissionId) -> Result<Option<Submission>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_submissions!(player_is_visible!(), " AND s.id = $3"));
    Ok(found.bind(sees_all).bind(account).bind(id).fetch_optional(from.executor()).await?)
}

/// The players that somebody has in a season, of those that the viewer may know
/// of; the newest first.
pub async fn versions(
    mut from: impl Reader,
    viewer: Viewer,
    author: AccountId,
    season: SeasonId,
) -> Result<Vec<Submission>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(select_submissions!(
        player_is_visible!(),
        " AND s.account_id = $3 AND s.season_id = $4 AND s.stage = 'accepted' ORDER BY s.id DESC LIMIT $5"
    ));
    let found = found.bind(sees_all).bind(account).bind(author).bind(season).bind(Page::SIZE);
    Ok(found.fetch_all(from.executor()).await?)
}

/// How far a verification has come: this differs whenever its page does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub stage: Stage,
    planned: i64,
    played: i64,
    /// How many submissions have waited for their verdict for longer.
    pub ahead: i64,
}

impl Mark {
    pub fn differs_only_in_place(&self, other: &Mark) -> bool {
        Mark { ahead: other.ahead, ..self.clone() } == *other
    }
}

impl FromRow<'_, AnyRow> for Mark {
    fn from_row(row: &AnyRow) -> sqlx::Result<Mark> {
        let (planned, played) = (row.int("planned")?, row.int("played")?);
        Ok(Mark { stage: row.try_get("stage")?, planned, played, ahead: row.int("ahead")? })
    }
}

pub async fn mark(mut from: impl Reader, id: SubmissionId) -> Result<Option<Mark>> {
    let mark = sqlx::query_as(
        "SELECT stage, (SELECT COUNT(*) FROM matches WHERE submission_id = $1) AS planned,
         (SELECT COUNT(*) FROM matches WHERE submission_id = $1 AND played = 1) AS played,
         CASE WHEN decided_at IS NOT NULL THEN 0 ELSE
         (SELECT COUNT(*) FROM submissions o WHERE o.decided_at IS NULL AND o.id < $1) END AS ahead
         FROM submissions WHERE id = $1",
    );
    Ok(mark.bind(id).fetch_optional(from.executor()).await?)
}

/// How fast verdicts are given, as the latest ones have shown, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// From a submission to its verdict.
    took: i64,
    /// From one verdict to the next.
    gap: i64,
    waiting: i64,
}

impl Pace {
    /// How long the verdict takes of one that is so far down the queue.
    pub fn wait(&self, place: i64) -> i64 {
        self.took.max(place * self.gap)
    }
}

/// How fast verdicts are given; none if there was no verdict yet.
pub async fn pace(mut from: impl Reader) -> Result<Option<Pace>> {
    let rows = sqlx::query(
        "SELECT decided_at, decided_at - created_at AS took,
         (SELECT COUNT(*) FROM submissions WHERE decided_at IS NULL) AS waiting
         FROM submissions WHERE decided_at IS NOT NULL ORDER BY decided_at DESC LIMIT 20",
    )
    .fetch_all(from.executor())
    .await?;
    let mut took = rows.iter().map(|row| row.int("took")).collect::<sqlx::Result<Vec<_>>>()?;
    let times = rows.iter().map(|row| row.int("decided_at")).collect::<sqlx::Result<Vec<_>>>()?;
    took.sort_unstable();
    let Some(&median) = took.get(took.len() / 2) else { return Ok(None) };
    // A pause longer than a verdict takes was a pause for want of submissions.
    let gaps = times.windows(2).map(|pair| (pair[0] - pair[1]).min(median));
    let gap = gaps.clone().sum::<i64>() / gaps.count().max(1) as i64;
    Ok(Some(Pace { took: median, gap, waiting: rows[0].int("waiting")? }))
}

/// How long a verdict takes, in milliseconds, if nobody comes before those who wait;
/// none if there was no verdict yet.
pub async fn expected_wait(from: impl Reader) -> Result<Option<i64>> {
    Ok(pace(from).await?.map(|pace| pace.wait(pace.waiting)))
}

/// The marks of all submissions without a verdict.
pub async fn marks_of_undecided(mut from: impl Reader) -> Result<HashMap<SubmissionId, Mark>> {
    let rows = sqlx::query(
        "SELECT s.id, s.stage, COUNT(m.id) AS planned, COUNT(CASE WHEN m.played = 1 THEN 1 END) AS played, 0 AS ahead
         FROM submissions s LEFT JOIN matches m ON m.submission_id = s.id WHERE s.decided_at IS NULL
         GROUP BY s.id, s.stage ORDER BY s.id",
    )
    .fetch_all(from.executor())
    .await?;
    let marks = rows.iter().zip(0..);
    Ok(marks
        .map(|(row, ahead)| Ok((row.try_get("id")?, Mark { ahead, ..Mark::from_row(row)? })))
        .collect::<sqlx::Result<_>>()?)
}

pub async fn source(mut from: impl Reader, id: SubmissionId) -> Result<Vec<u8>> {
    let source = sqlx::query_scalar("SELECT source FROM submissions WHERE id = $1").bind(id);
    Ok(source.fetch_one(from.executor()).await?)
}

/// Which submissions a list shows, of those that the viewer may see.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub season: Option<SeasonId>,
    pub author: Option<AccountId>,
    pub stage: Option<Stage>,
    /// A part of the player's or the author's name.
    pub text: String,
}

/// Whether an accepted player of the season has this name already.
pub async fn name_is_taken(mut from: impl Reader, season: SeasonId, name: &str) -> Result<bool> {
    let row = sqlx::query(
        "SELECT 1 FROM submissions WHERE season_id = $1 AND name_key = $2 AND stage = 'accepted' AND retired_at IS NULL",
    )
    .bind(season)
    .bind(name.to_lowercase())
    .fetch_optional(from.executor())
    .await?;
    Ok(row.is_some())
}

/// Whether somebody has an accepted copy of an example in a season, retired or not.
pub async fn has_copy(mut from: impl Reader, season: SeasonId, account: AccountId) -> Result<bool> {
    let row = sqlx::query(
        "SELECT 1 FROM submissions WHERE account_id = $1 AND season_id = $2 AND stage = 'accepted'
         AND example IS NOT NULL LIMIT 1",
    )
    .bind(account)
    .bind(season)
    .fetch_optional(from.executor())
    .await?;
    Ok(row.is_some())
}

/// What keeps a player out that is good enough, if anything does.
pub async fn obstacle(tx: &mut Tx, submission: &Submission) -> Result<Option<Reason>> {
    if name_is_taken(&mut *tx, submission.season_id, &submission.name).await? {
        return Ok(Some(Reason::NameTaken));
    }
    if submission.example.is_none() {
        return Ok(None);
    }
    // Two copies that are decided at once must see each other.
    accounts::hold(tx, submission.account_id).await?;
    let twice = has_copy(&mut *tx, submission.season_id, submission.account_id).await?;
    Ok(twice.then_some(Reason::ExampleTwice))
}

/// Makes an accepted player public, for ever. False if it is none.
pub async fn publish(database: &Database, id: SubmissionId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE submissions SET public_at = COALESCE(public_at, $1) WHERE id = $2 AND stage = 'accepted' AND retired_at IS NULL",
    );
    Ok(done.bind(now()).bind(id).execute(database.write()).await?.rows_affected() == 1)
}

/// Says that somebody has begun; only for whoever watches.
pub async fn begin(database: &Database, id: SubmissionId) -> Result<()> {
    sqlx::query("UPDATE submissions SET stage = 'compiling' WHERE id = $1 AND stage = 'waiting'")
        .bind(id)
        .execute(database.write())
        .await?;
    Ok(())
}

/// It compiles; the matches come next.
pub async fn set_module(tx: &mut Tx, id: SubmissionId, module: &str, bytes: usize) -> Result<()> {
    let set = sqlx::query("UPDATE submissions SET stage = 'playing', module = $1 WHERE id = $2 AND decided_at IS NULL");
    if set.bind(module).bind(id).execute(&mut **tx).await?.rows_affected() == 1 {
        storage::count_more(tx, id, bytes as i64).await?;
    }
    Ok(())
}

/// Holds the submission, so that two matches that end together are counted one
/// after the other.
pub async fn hold(tx: &mut Tx, id: SubmissionId) -> Result<()> {
    sqlx::query("UPDATE submissions SET verdicts = verdicts WHERE id = $1").bind(id).execute(&mut **tx).await?;
    Ok(())
}

/// The verdict, given once: nothing happens to a submission that has one.
pub async fn decide(tx: &mut Tx, id: SubmissionId, verdict: &Verdict) -> Result<()> {
    sqlx::query(
        "UPDATE submissions SET stage = $1, reason = $2, detail = $3, decided_at = $4, verdicts = verdicts + 1
         WHERE id = $5 AND decided_at IS NULL",
    )
    .bind(verdict.stage())
    .bind(verdict.reason().map(Reason::word))
    .bind(verdict.reason().map(Reason::detail))
    .bind(now())
    .bind(id)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Takes a verdict back that was given for matches that went otherwise. False if
/// there is none, or the player has been frozen with a round since.
pub async fn reopen(tx: &mut Tx, id: SubmissionId) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE submissions SET stage = 'playing', reason = NULL, detail = NULL, decided_at = NULL, verdicts = verdicts - 1
         WHERE id = $1 AND decided_at IS NOT NULL AND stage <> 'retired'
         AND NOT EXISTS (SELECT 1 FROM round_players p WHERE p.submission_id = submissions.id)",
    );
    Ok(done.bind(id).execute(&mut **tx).await?.rows_affected() == 1)
}
