//! The log of what people with power have done, and of what was allowed out of
//! turn: who, when, what, about whom, why. Entries are added and never changed.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, Part, Reader, Slice, Tx, now};
use crate::ids::{AccountId, SeasonId, SubmissionId};
use crate::words::words;

words! {
    pub enum Action {
        /// A student submitted late, within the grace.
        LateInGrace = "late-in-grace",
        /// A student submitted late, with an exception.
        LateByException = "late-by-exception",
        GrantException = "grant-exception",
        WithdrawException = "withdraw-exception",
        RetirePlayer = "retire-player",
        RestorePlayer = "restore-player",
        /// A player that the machines came to no verdict about.
        RejectPlayer = "reject-player",
        /// A player ran past its CPU time in an official match, twice, and is
        /// barred. Nobody did it: it stands under the name of its author.
        BarPlayer = "bar-player",
        MakeSeason = "make-season",
        ChangeSeason = "change-season",
        ChangeCourse = "change-course",
        Invite = "invite",
        ImportRoster = "import-roster",
        MakeLink = "make-link",
        /// Links for many people at once, as a file.
        ExportLinks = "export-links",
        SendLetters = "send-letters",
        ChangeLetter = "change-letter",
        MakeGroupLink = "make-group-link",
        RevokeGroupLink = "revoke-group-link",
        /// Somebody took an account by the link of a group. Nobody proved to be the
        /// one: it stands under the name of the account.
        ClaimAccount = "claim-account",
        MovePeople = "move-people",
        LockPeople = "lock-people",
        UnlockPeople = "unlock-people",
        ArchiveSeason = "archive-season",
        ReturnSeason = "return-season",
        ChangePerson = "change-person",
        ChangeRole = "change-role",
        Lock = "lock",
        Unlock = "unlock",
        ChangeSchedule = "change-schedule",
        PauseSeason = "pause-season",
        ResumeSeason = "resume-season",
        StartRound = "start-round",
        CancelRound = "cancel-round",
        UndoElimination = "undo-elimination",
        WithdrawAuthor = "withdraw-author",
        KeepAuthor = "keep-author",
        RetryRound = "retry-round",
        /// A job that had failed is tried again.
        TryAgain = "try-again",
        TryAllAgain = "try-all-again",
        SetGradeRule = "set-grade-rule",
        CorrectGrade = "correct-grade",
        WithdrawCorrection = "withdraw-correction",
        /// Two authors who share code were looked at. Under the names of both only
        /// when it was confirmed.
        ReviewLikeness = "review-likeness",
        /// All players of a season are compared again.
        CompareAgain = "compare-again",
        MakeFinal = "make-final",
        PlayFinal = "play-final",
        ShowFinal = "show-final",
        CancelFinal = "cancel-final",
        PublishNews = "publish-news",
        ChangeNews = "change-news",
        EndIncident = "end-incident",
        MakeWorker = "make-worker",
        RevokeWorker = "revoke-worker",
        /// A worker gave an answer that cannot be true. The judge did it: it stands
        /// under the name of whose machine it is.
        SuspendWorker = "suspend-worker",
        AdmitWorker = "admit-worker",
    }
}

/// What is to be logged. `detail` is short and needs no translation: a number
/// of seconds, a role, a date.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub actor: AccountId,
    pub action: Action,
    pub account: Option<AccountId>,
    pub season: Option<SeasonId>,
    pub submission: Option<SubmissionId>,
    pub detail: &'a str,
    pub reason: &'a str,
}

impl Entry<'_> {
    pub fn new(actor: AccountId, action: Action) -> Self {
        Entry { actor, action, account: None, season: None, submission: None, detail: "", reason: "" }
    }
}

/// Logs an action in the transaction that does it.
pub async fn record(tx: &mut Tx, entry: &Entry<'_>) -> Result<()> {
    sqlx::query(
        "INSERT INTO actions (created_at, actor_id, action, account_id, season_id, submission_id, detail, reason)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(now())
    .bind(entry.actor)
    .bind(entry.action)
    .bind(entry.account)
    .bind(entry.season)
    .bind(entry.submission)
    .bind(entry.detail)
    .bind(entry.reason)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Logs an action that a statement of its own has just done.
pub async fn note(database: &Database, entry: &Entry<'_>) -> Result<()> {
    let mut tx = database.begin().await?;
    record(&mut tx, entry).await?;
    tx.commit().await?;
    Ok(())
}

/// An action as instructors see it.
#[derive(Clone, Debug)]
pub struct Logged {
    pub id: i64,
    pub created_at: i64,
    pub actor: (AccountId, String),
    /// Nothing for a word of a newer Ludus.
    pub action: Option<Action>,
    pub account: Option<(AccountId, String)>,
    /// Slug and title.
    pub season: Option<(String, String)>,
    pub submission: Option<(SubmissionId, String)>,
    pub detail: String,
    pub reason: String,
}

impl FromRow<'_, AnyRow> for Logged {
    fn from_row(row: &AnyRow) -> sqlx::Result<Logged> {
        let season = row.maybe_text("slug")?.zip(row.maybe_text("title")?);
        Ok(Logged {
            id: row.int("id")?,
            created_at: row.int("created_at")?,
            actor: (row.try_get("actor_id")?, row.text("actor")?),
            action: Action::of(&row.text("action")?),
            account: row.try_get::<Option<_>, _>("account_id")?.zip(row.maybe_text("account")?),
            season,
            submission: row.try_get::<Option<_>, _>("submission_id")?.zip(row.maybe_text("player")?),
            detail: row.text("detail")?,
            reason: row.text("reason")?,
        })
    }
}

const STATEMENTS: [&str; 2] = {
    macro_rules! logged {
        ($condition:literal) => {
            concat!(
                "SELECT x.id, x.created_at, x.actor_id, x.action, x.account_id, x.submission_id, x.detail, x.reason,
                 w.name AS actor, a.name AS account, e.slug, e.title, s.name AS player
                 FROM actions x JOIN accounts w ON w.id = x.actor_id LEFT JOIN accounts a ON a.id = x.account_id
                 LEFT JOIN seasons e ON e.id = x.season_id LEFT JOIN submissions s ON s.id = x.submission_id
                 WHERE ",
                $condition,
                " AND x.id < $2 ORDER BY x.id DESC LIMIT $3"
            )
        };
    }
    [logged!("$1 = ''"), logged!("x.action = $1")]
};

/// The newest actions first, of one kind or of all.
pub async fn list(mut from: impl Reader, action: Option<Action>, slice: Slice) -> Result<Part<Logged>> {
    let items = sqlx::query_as(STATEMENTS[usize::from(action.is_some())]).bind(action.map_or("", Action::word));
    let items = items.bind(slice.before).bind(slice.most).fetch_all(from.executor()).await?;
    Ok(Part::of(items, slice, |one: &Logged| one.id))
}
