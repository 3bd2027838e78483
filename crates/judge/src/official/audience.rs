//! Everybody who follows a season. However many they are, the database is asked
//! once per moment, and what they see is written once for all who read the same
//! language and may see the same names.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use sqlx::Row as _;
use tokio::sync::watch;

use super::board::{self, Board};
use crate::database::Database;
use crate::ids::SeasonId;
use crate::texts::Language;
use crate::web::Asker;
use crate::{log, seasons};

const ASKED_EVERY: Duration = Duration::from_millis(500);
const AFTER_TROUBLE: Duration = Duration::from_secs(5);
/// Streams that one person may have open.
const MOST_OF_ONE: usize = 6;
/// Streams from one place of people who are not signed in: a lecture hall may
/// be behind one address.
const MOST_OF_PLACE: usize = 300;

/// What the listeners of a season see at a moment.
pub struct Scene {
    pub board: Board,
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
    fn new(board: Board) -> Scene {
        static MOMENTS: AtomicU64 = AtomicU64::new(0);
        let number = MOMENTS.fetch_add(1, Ordering::Relaxed);
        Scene { board, number, written: Mutex::default(), changes: Mutex::default() }
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

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a scene of season {}", self.board.season.slug)
    }
}

type News = watch::Sender<Option<Arc<Scene>>>;

#[derive(Debug)]
pub struct Audience {
    most: usize,
    state: Mutex<Seats>,
}

#[derive(Debug, Default)]
struct Seats {
    of: HashMap<Asker, usize>,
    all: usize,
    /// By season: what is shown, how many follow, and the mark of what is shown.
    followed: HashMap<SeasonId, (News, usize, i64)>,
    is_watching: bool,
}

impl Default for Audience {
    fn default() -> Self {
        Audience::new(1000)
    }
}

impl Audience {
    /// At most so many streams.
    pub fn new(most: usize) -> Audience {
        Audience { most, state: Mutex::default() }
    }

    /// Begins to follow a season, if there is room for whoever asks.
    pub fn follow(self: &Arc<Self>, database: &Database, asker: Asker, season: SeasonId) -> Option<Listener> {
        let mut state = self.lock();
        let own = state.of.get(&asker).copied().unwrap_or(0);
        let most = if matches!(asker, Asker::Account(_)) { MOST_OF_ONE } else { MOST_OF_PLACE };
        if state.all >= self.most || own >= most {
            return None;
        }
        state.all += 1;
        state.of.insert(asker, own + 1);
        let (sender, count, _) = state.followed.entry(season).or_insert_with(|| (watch::channel(None).0, 0, -1));
        *count += 1;
        let news = sender.subscribe();
        if !std::mem::replace(&mut state.is_watching, true) {
            tokio::spawn(self.clone().watch(database.clone()));
        }
        drop(state);
        Some(Listener { audience: self.clone(), asker, season, news })
    }

    /// Asks for everybody until nobody follows anything.
    async fn watch(self: Arc<Self>, database: Database) {
        loop {
            let begun = Instant::now();
            let looked = self.look(&database).await;
            // A long look is followed by a long pause.
            let mut pause = ASKED_EVERY.max(begun.elapsed() * 4);
            if let Err(error) = looked {
                log::error(&format!("rounds cannot be followed: {error:#}"));
                pause = pause.max(AFTER_TROUBLE);
            }
            tokio::time::sleep(pause).await;
            let mut state = self.lock();
            if state.followed.is_empty() {
                state.is_watching = false;
                return;
            }
        }
    }

    async fn look(&self, database: &Database) -> Result<()> {
        let marks = marks(database).await?;
        let stale: Vec<(SeasonId, i64)> = {
            let state = self.lock();
            let mark = |season: &SeasonId| marks.get(season).copied().unwrap_or(0);
            let stale = state.followed.iter().filter(|(season, (_, _, known))| mark(season) != *known);
            stale.map(|(season, _)| (*season, mark(season))).collect()
        };
        for (season, mark) in stale {
            let board = board::find(database, seasons::by_id(database, season).await?).await?;
            if let Some((sender, _, known)) = self.lock().followed.get_mut(&season) {
                *known = mark;
                sender.send_replace(Some(Arc::new(Scene::new(board))));
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Seats> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Somebody who follows a season, until dropped.
#[derive(Debug)]
pub struct Listener {
    audience: Arc<Audience>,
    asker: Asker,
    season: SeasonId,
    news: watch::Receiver<Option<Arc<Scene>>>,
}

impl Listener {
    /// Waits until there is something to see that was not seen before.
    pub async fn next(&mut self) -> Arc<Scene> {
        loop {
            let seen = self.news.borrow_and_update().clone();
            if let Some(scene) = seen {
                return scene;
            }
            // The sender lives as long as anybody follows.
            let _ = self.news.changed().await;
        }
    }

    /// Waits for a change after what was seen last.
    pub async fn change(&mut self) -> Arc<Scene> {
        let _ = self.news.changed().await;
        self.next().await
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut state = self.audience.lock();
        state.all -= 1;
        if let Some(own) = state.of.get_mut(&self.asker) {
            *own -= 1;
            if *own == 0 {
                state.of.remove(&self.asker);
            }
        }
        if let Some((_, count, _)) = state.followed.get_mut(&self.season) {
            *count -= 1;
            if *count == 0 {
                state.followed.remove(&self.season);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::place::Place;

    #[tokio::test]
    async fn a_hall_behind_one_address_finds_room_and_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
        let database = Database::open(&url).await.unwrap();
        let audience = Arc::new(Audience::new(MOST_OF_PLACE + 10));
        let hall = Asker::Guest(Place::V4([10, 0, 0, 1]));
        let guests: Vec<_> = (0..=MOST_OF_PLACE).map(|_| audience.follow(&database, hall, SeasonId(1))).collect();
        assert_eq!(guests.iter().flatten().count(), MOST_OF_PLACE);
        let own: Vec<_> = (0..20)
            .map(|_| audience.follow(&database, Asker::Account(crate::ids::AccountId(7)), SeasonId(1)))
            .collect();
        assert_eq!(own.iter().flatten().count(), MOST_OF_ONE);
        drop((guests, own));
        let state = audience.lock();
        assert!(state.all == 0 && state.of.is_empty() && state.followed.is_empty());
    }
}
