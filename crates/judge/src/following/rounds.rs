//! Official rounds of a season that are followed by everybody. What they see is
//! written once for all who read the same language and may see the same names.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sqlx::Row as _;

use super::followers::{Known, Topic};
use crate::database::Database;
use crate::ids::SeasonId;
use crate::official::board::{self, Board};
use crate::seasons;
use crate::texts::Language;

#[derive(Debug)]
pub struct Rounds;

impl Topic for Rounds {
    type Id = SeasonId;
    type News = Arc<Scene>;
    const NAME: &str = "rounds";
    const ASKED_EVERY: Duration = Duration::from_millis(500);
    const MOST_OF_PLACE: usize = 300;

    async fn look(database: &Database, known: Known<Self>) -> Result<Known<Self>> {
        let marks = marks(database).await?;
        let mut found = Known::<Self>::new();
        for (season, scene) in known {
            let mark = marks.get(&season).copied().unwrap_or(0);
            if scene.is_none_or(|scene| scene.mark != mark) {
                let board = board::find(database, seasons::by_id(database, season).await?).await?;
                found.insert(season, Some(Arc::new(Scene::new(board, mark))));
            }
        }
        Ok(found)
    }
}

/// What the listeners of a season see at a moment.
pub struct Scene {
    pub board: Board,
    /// What differs whenever the rounds do.
    mark: i64,
    /// The number of this moment.
    number: u64,
    written: Mutex<HashMap<Seen, Arc<str>>>,
    /// What has changed since the moments that listeners saw before.
    changes: Mutex<HashMap<(Seen, u64), Change>>,
}

/// What to replace, if that says everything.
type Change = Option<Arc<str>>;

/// What decides what a listener is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// A round by its number, or whichever is the newest.
    pub round: Option<i64>,
    pub language: Language,
    pub names: bool,
}

impl Scene {
    fn new(board: Board, mark: i64) -> Scene {
        static MOMENTS: AtomicU64 = AtomicU64::new(0);
        let number = MOMENTS.fetch_add(1, Ordering::Relaxed);
        Scene { board, mark, number, written: Mutex::default(), changes: Mutex::default() }
    }

    /// A piece of a page, written by whoever needs it first.
    pub fn written(&self, seen: Seen, write: impl FnOnce(&Board) -> String) -> Arc<str> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.entry(seen).or_insert_with(|| write(&self.board).into()).clone()
    }

    /// The same for what has changed since another moment; none if all of it has
    /// to be shown again.
    pub fn changes(&self, since: &Scene, seen: Seen, write: impl FnOnce(&Board, &Board) -> Option<String>) -> Change {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let write = || write(&since.board, &self.board).map(Into::into);
        changes.entry((seen, since.number)).or_insert_with(write).clone()
    }
}

impl PartialEq for Scene {
    fn eq(&self, other: &Scene) -> bool {
        self.number == other.number
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a scene of season {}", self.board.season.slug)
    }
}

/// By season, a number that changes whenever something about its rounds does.
async fn marks(database: &Database) -> Result<HashMap<SeasonId, i64>> {
    let rows = sqlx::query(
        "SELECT r.season_id, CAST(SUM(r.changes) + 1000003 * COUNT(*) AS BIGINT) + (
             SELECT COUNT(*) FROM jobs j JOIN round_matches o ON o.match_id = j.subject JOIN rounds p ON p.id = o.round_id
             WHERE j.state = 'parked' AND j.kind = 'match' AND p.season_id = r.season_id) AS mark
         FROM rounds r WHERE r.final_id IS NULL GROUP BY r.season_id",
    )
    .fetch_all(database.read())
    .await?;
    Ok(rows.iter().map(|row| Ok((row.try_get("season_id")?, row.try_get("mark")?))).collect::<sqlx::Result<_>>()?)
}
