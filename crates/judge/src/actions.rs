//! The log of what people with power have done, and of what was allowed out of
//! turn: who, when, what, about whom, why. Entries are added and never changed.

use anyhow::Result;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Listed, Page, Tx, now};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A student submitted late, within the grace.
    LateInGrace,
    /// A student submitted late, with an exception.
    LateByException,
    GrantException,
    WithdrawException,
    RetirePlayer,
    RestorePlayer,
    MakeSeason,
    ChangeSeason,
    ChangeCourse,
    Invite,
    ImportRoster,
    MakeLink,
    ChangePerson,
    ChangeRole,
    Lock,
    Unlock,
    ChangeSchedule,
    PauseSeason,
    ResumeSeason,
    StartRound,
    CancelRound,
    UndoElimination,
    WithdrawAuthor,
    KeepAuthor,
    RetryRound,
    /// A job that had failed is tried again.
    TryAgain,
    TryAllAgain,
    SetGradeRule,
    CorrectGrade,
    WithdrawCorrection,
    MakeFinal,
    PlayFinal,
    ShowFinal,
    CancelFinal,
}

impl Action {
    pub const ALL: [Action; 34] = [
        Action::LateInGrace,
        Action::LateByException,
        Action::GrantException,
        Action::WithdrawException,
        Action::RetirePlayer,
        Action::RestorePlayer,
        Action::MakeSeason,
        Action::ChangeSeason,
        Action::ChangeCourse,
        Action::Invite,
        Action::ImportRoster,
        Action::MakeLink,
        Action::ChangePerson,
        Action::ChangeRole,
        Action::Lock,
        Action::Unlock,
        Action::ChangeSchedule,
        Action::PauseSeason,
        Action::ResumeSeason,
        Action::StartRound,
        Action::CancelRound,
        Action::UndoElimination,
        Action::WithdrawAuthor,
        Action::KeepAuthor,
        Action::RetryRound,
        Action::TryAgain,
        Action::TryAllAgain,
        Action::SetGradeRule,
        Action::CorrectGrade,
        Action::WithdrawCorrection,
        Action::MakeFinal,
        Action::PlayFinal,
        Action::ShowFinal,
        Action::CancelFinal,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Action::LateInGrace => "late-in-grace",
            Action::LateByException => "late-by-exception",
            Action::GrantException => "grant-exception",
            Action::WithdrawException => "withdraw-exception",
            Action::RetirePlayer => "retire-player",
            Action::RestorePlayer => "restore-player",
            Action::MakeSeason => "make-season",
            Action::ChangeSeason => "change-season",
            Action::ChangeCourse => "change-course",
            Action::Invite => "invite",
            Action::ImportRoster => "import-roster",
            Action::MakeLink => "make-link",
            Action::ChangePerson => "change-person",
            Action::ChangeRole => "change-role",
            Action::Lock => "lock",
            Action::Unlock => "unlock",
            Action::ChangeSchedule => "change-schedule",
            Action::PauseSeason => "pause-season",
            Action::ResumeSeason => "resume-season",
            Action::StartRound => "start-round",
            Action::CancelRound => "cancel-round",
            Action::UndoElimination => "undo-elimination",
            Action::WithdrawAuthor => "withdraw-author",
            Action::KeepAuthor => "keep-author",
            Action::RetryRound => "retry-round",
            Action::TryAgain => "try-again",
            Action::TryAllAgain => "try-all-again",
            Action::SetGradeRule => "set-grade-rule",
            Action::CorrectGrade => "correct-grade",
            Action::WithdrawCorrection => "withdraw-correction",
            Action::MakeFinal => "make-final",
            Action::PlayFinal => "play-final",
            Action::ShowFinal => "show-final",
            Action::CancelFinal => "cancel-final",
        }
    }

    pub fn of(word: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.word() == word)
    }
}

/// What is to be logged. `detail` is short and needs no translation: a number
/// of seconds, a role, a date.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    pub actor: i64,
    pub action: Action,
    pub account: Option<i64>,
    pub season: Option<i64>,
    pub submission: Option<i64>,
    pub detail: &'a str,
    pub reason: &'a str,
}

impl Entry<'_> {
    pub fn new(actor: i64, action: Action) -> Self {
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
    .bind(entry.action.word())
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
    pub created_at: i64,
    pub actor: (i64, String),
    /// Nothing for a word of a newer Ludus.
    pub action: Option<Action>,
    pub account: Option<(i64, String)>,
    /// Slug and title.
    pub season: Option<(String, String)>,
    pub submission: Option<(i64, String)>,
    pub detail: String,
    pub reason: String,
}

impl Logged {
    fn from_row(row: &AnyRow) -> sqlx::Result<Logged> {
        let season = row.maybe_text("slug")?.zip(row.maybe_text("title")?);
        Ok(Logged {
            created_at: row.int("created_at")?,
            actor: (row.int("actor_id")?, row.text("actor")?),
            action: Action::of(&row.text("action")?),
            account: row.maybe_int("account_id")?.zip(row.maybe_text("account")?),
            season,
            submission: row.maybe_int("submission_id")?.zip(row.maybe_text("player")?),
            detail: row.text("detail")?,
            reason: row.text("reason")?,
        })
    }
}

/// The newest actions first, of one kind or of all.
pub async fn list(database: &Database, action: Option<Action>, page: Page) -> Result<Listed<Logged>> {
    let word = action.map_or("", Action::word);
    let rows = sqlx::query(
        "SELECT x.created_at, x.actor_id, x.action, x.account_id, x.submission_id, x.detail, x.reason,
         w.name AS actor, a.name AS account, e.slug, e.title, s.name AS player
         FROM actions x JOIN accounts w ON w.id = x.actor_id LEFT JOIN accounts a ON a.id = x.account_id
         LEFT JOIN seasons e ON e.id = x.season_id LEFT JOIN submissions s ON s.id = x.submission_id
         WHERE ($1 = '' OR x.action = $1) ORDER BY x.id DESC LIMIT $2 OFFSET $3",
    )
    .bind(word)
    .bind(Page::SIZE)
    .bind(page.offset())
    .fetch_all(database.read())
    .await?;
    let total = sqlx::query("SELECT COUNT(*) FROM actions WHERE ($1 = '' OR action = $1)")
        .bind(word)
        .fetch_one(database.read())
        .await?;
    let items = rows.iter().map(Logged::from_row).collect::<sqlx::Result<_>>()?;
    Ok(Listed { items, total: total.try_get(0)?, page })
}
