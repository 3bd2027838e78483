//! The door through which submissions come: dates, quotas, names and copies,
//! asked in the transaction that stores the submission, so that many at once
//! are no way around any of them.

use anyhow::Result;
use sqlx::Row as _;

use crate::actions::{self, Action, Entry};
use crate::database::{Database, Tx, now};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::queue::Queue;
use crate::seasons::{self, Admission, Season};
use crate::submissions::{self, NewSubmission};
use crate::{accounts, exceptions, source, storage};

/// How much one person may submit, so that nobody's work drowns the others' and
/// nobody fills the disk. Far more than anybody needs who looks at the verdicts.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    /// Without a verdict.
    pub undecided: i64,
    pub per_hour: i64,
    pub per_day: i64,
    /// Bytes that are kept for one person in the whole course: sources, modules,
    /// and what the matches that verified them left behind. A submission without
    /// a verdict counts as `storage::RESERVE` more.
    pub account_bytes: i64,
    /// The same for everybody in one season.
    pub season_bytes: i64,
    /// Training matches that one person may ask for in a day.
    pub training_per_day: i64,
    /// Bytes that the training of one person may leave behind. The oldest makes
    /// room; submissions have their own.
    pub training_bytes: i64,
}

impl Default for Quota {
    fn default() -> Self {
        Quota {
            undecided: 60,
            per_hour: 240,
            per_day: 1000,
            account_bytes: 1 << 30,
            season_bytes: 32 << 30,
            training_per_day: 400,
            training_bytes: 512 << 20,
        }
    }
}

/// Why a submission is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    TooEarly,
    TooLate,
    TooManyUndecided,
    TooManyPerHour,
    TooManyPerDay,
    AccountFull,
    SeasonFull,
    NameTaken,
    ExampleTwice,
}

/// Takes a submission in, or says why not. When this returns an id, the
/// submission is on the disk, and so is the job that will verify it. What
/// counts is when its file was there (`received_at`), not how long it then had to
/// wait.
pub async fn hand_in(
    database: &Database,
    queue: &Queue,
    quota: Quota,
    season: SeasonId,
    new: &NewSubmission<'_>,
    received_at: i64,
) -> Result<Result<SubmissionId, Refusal>> {
    let mut tx = database.begin().await?;
    accounts::hold(&mut tx, new.account).await?;
    let season = seasons::by_id(&mut tx, season).await?;
    let exception = exceptions::find(&mut tx, season.id, new.account).await?;
    let admission = season.admission(received_at, exception.as_ref().map(|(until, _)| *until));
    if let Some(refusal) = refusal(&mut tx, quota, &season, new, admission).await? {
        tx.rollback().await?;
        return Ok(Err(refusal));
    }
    let id = submissions::add(&mut tx, queue, &season, new).await?;
    let action = match admission {
        Admission::InGrace => Some(Action::LateInGrace),
        Admission::Excepted => Some(Action::LateByException),
        _ => None,
    };
    if let Some(action) = action {
        let late = format!("+{} s", (received_at - season.closes_at) / 1000);
        let reason = exception.map_or(String::new(), |(_, reason)| reason);
        let entry = Entry { season: Some(season.id), submission: Some(id), ..Entry::new(new.account, action) };
        actions::record(&mut tx, &Entry { detail: &late, reason: &reason, ..entry }).await?;
    }
    tx.commit().await?;
    queue.announce();
    Ok(Ok(id))
}

async fn refusal(
    tx: &mut Tx,
    quota: Quota,
    season: &Season,
    new: &NewSubmission<'_>,
    admission: Admission,
) -> Result<Option<Refusal>> {
    match admission {
        Admission::TooEarly => return Ok(Some(Refusal::TooEarly)),
        Admission::TooLate => return Ok(Some(Refusal::TooLate)),
        Admission::OnTime | Admission::InGrace | Admission::Excepted => {}
    }
    let (hour, day) = counts(tx, new.account).await?;
    let kept = storage::kept(tx, new.account, season.id).await?;
    let more = new.source.len() as i64;
    // What is under way may leave much behind; but one at a time always may.
    let reserved = kept.undecided * storage::RESERVE;
    let in_season = kept.of_season + kept.undecided_in_season * storage::RESERVE_IN_SEASON;
    let full = [
        (kept.undecided, quota.undecided, Refusal::TooManyUndecided),
        (hour, quota.per_hour, Refusal::TooManyPerHour),
        (day, quota.per_day, Refusal::TooManyPerDay),
        (kept.of_account + more, quota.account_bytes, Refusal::AccountFull),
        (kept.of_account + more + reserved, quota.account_bytes, Refusal::TooManyUndecided),
        (in_season + more, quota.season_bytes, Refusal::SeasonFull),
    ];
    if let Some((.., refusal)) = full.into_iter().find(|(count, most, _)| count >= most) {
        return Ok(Some(refusal));
    }
    if submissions::name_is_taken(&mut *tx, season.id, new.name).await? {
        return Ok(Some(Refusal::NameTaken));
    }
    let is_copy = source::example_of(&season.game, new.source, new.language).is_some();
    let twice = is_copy && submissions::has_copy(&mut *tx, season.id, new.account).await?;
    Ok(twice.then_some(Refusal::ExampleTwice))
}

/// Submissions of somebody: of the last hour, of the last day.
async fn counts(tx: &mut Tx, account: AccountId) -> Result<(i64, i64)> {
    const HOUR: i64 = 3_600_000;
    let recent = sqlx::query(
        "SELECT COUNT(*), COALESCE(SUM(CASE WHEN created_at > $2 THEN 1 ELSE 0 END), 0) FROM submissions
         WHERE account_id = $1 AND created_at > $3",
    )
    .bind(account)
    .bind(now() - HOUR)
    .bind(now() - 24 * HOUR)
    .fetch_one(&mut **tx)
    .await?;
    Ok((recent.try_get(1)?, recent.try_get(0)?))
}
