//! What the store has lost: noted when somebody finds it, shown to instructors,
//! and ended by `restoring`.

use anyhow::Result;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, now};
use crate::log;
use crate::store::Lost;

/// What was lost: it says what can be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of a submission.
    Module,
    /// Of a match.
    Replay,
    Output,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Module => "module",
            Kind::Replay => "replay",
            Kind::Output => "output",
        }
    }

    fn of(word: &str) -> Kind {
        [Kind::Module, Kind::Output].into_iter().find(|kind| kind.word() == word).unwrap_or(Kind::Replay)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Somebody has found out, and nobody has done anything about it yet.
    Found,
    Restored,
    /// It could not be made again.
    Lost,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Found => "found",
            State::Restored => "restored",
            State::Lost => "lost",
        }
    }

    fn of(word: &str) -> State {
        [State::Found, State::Restored].into_iter().find(|state| state.word() == word).unwrap_or(State::Lost)
    }
}

#[derive(Clone, Debug)]
pub struct Loss {
    pub hash: String,
    pub kind: Kind,
    /// The submission of a module, the match of everything else.
    pub subject: i64,
    pub state: State,
    pub note: String,
    pub found_at: i64,
}

impl Loss {
    fn from_row(row: &AnyRow) -> sqlx::Result<Loss> {
        Ok(Loss {
            hash: row.text("hash")?,
            kind: Kind::of(&row.text("kind")?),
            subject: row.int("subject")?,
            state: State::of(&row.text("state")?),
            note: row.text("note")?,
            found_at: row.int("found_at")?,
        })
    }
}

/// Notes that something is lost, once. What was restored may get lost again.
pub async fn note(database: &Database, lost: &Lost, kind: Kind, subject: i64) -> Result<()> {
    log::error(&format!("{lost} ({} of {subject})", kind.word()));
    sqlx::query(
        "INSERT INTO losses (hash, kind, subject, state, note, found_at) VALUES ($1, $2, $3, 'found', $4, $5)
         ON CONFLICT (hash) DO UPDATE SET state = 'found', note = excluded.note, found_at = excluded.found_at,
         ended_at = NULL WHERE losses.state = 'restored'",
    )
    .bind(lost.hash())
    .bind(kind.word())
    .bind(subject)
    .bind(lost.to_string())
    .bind(now())
    .execute(database.write())
    .await?;
    Ok(())
}

/// How it stands with something that was found lost.
pub async fn find(database: &Database, hash: &str) -> Result<Option<Loss>> {
    let row = sqlx::query("SELECT hash, kind, subject, state, note, found_at FROM losses WHERE hash = $1")
        .bind(hash)
        .fetch_optional(database.read())
        .await?;
    Ok(row.as_ref().map(Loss::from_row).transpose()?)
}

/// Some losses that have not ended, in the order in which they were found:
/// those after another one, or the first.
pub async fn found(database: &Database, after: Option<&Loss>) -> Result<Vec<Loss>> {
    let rows = sqlx::query(
        "SELECT hash, kind, subject, state, note, found_at FROM losses WHERE state = 'found'
         AND (found_at > $1 OR (found_at = $1 AND hash > $2)) ORDER BY found_at, hash LIMIT 100",
    )
    .bind(after.map_or(i64::MIN, |loss| loss.found_at))
    .bind(after.map_or("", |loss| loss.hash.as_str()))
    .fetch_all(database.read())
    .await?;
    Ok(rows.iter().map(Loss::from_row).collect::<sqlx::Result<_>>()?)
}

/// Says why a loss has not ended yet.
pub async fn explain(database: &Database, hash: &str, note: &str) -> Result<()> {
    sqlx::query("UPDATE losses SET note = $1 WHERE hash = $2 AND state = 'found'")
        .bind(note)
        .bind(hash)
        .execute(database.write())
        .await?;
    Ok(())
}

/// The last losses, those that have not ended first.
pub async fn list(database: &Database) -> Result<Vec<Loss>> {
    let rows = sqlx::query(
        "SELECT hash, kind, subject, state, note, found_at FROM losses
         ORDER BY CASE state WHEN 'found' THEN 0 WHEN 'lost' THEN 1 ELSE 2 END, found_at DESC LIMIT 100",
    )
    .fetch_all(database.read())
    .await?;
    Ok(rows.iter().map(Loss::from_row).collect::<sqlx::Result<_>>()?)
}

/// Says what became of a loss.
pub async fn end(database: &Database, hash: &str, state: State, note: &str) -> Result<()> {
    log::note(&format!("{hash} is {}: {note}", state.word()));
    sqlx::query("UPDATE losses SET state = $1, note = $2, ended_at = $3 WHERE hash = $4")
        .bind(state.word())
        .bind(note)
        .bind(now())
        .bind(hash)
        .execute(database.write())
        .await?;
    Ok(())
}
