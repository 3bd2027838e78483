//! Who follows the show of a final in this process. However many follow, the
//! database is asked once per moment for all of them, because the presenter may
//! be served by another process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::watch;

use crate::database::{Columns as _, Database};
use crate::log;
use crate::web::Asker;

const ASKED_EVERY: Duration = Duration::from_millis(300);
const AFTER_TROUBLE: Duration = Duration::from_secs(5);
/// How long what was written stands: somebody may have got another name.
const KEPT: Duration = Duration::from_secs(60);
/// Streams that one account may have open.
const MOST_OF_ACCOUNT: usize = 6;

/// Differs whenever a final has something new to show: its steps and its state.
type Mark = Option<(i64, String)>;

/// What is written of a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// What changes from step to step.
    Stage,
    /// The same on its page, and all that stands below it.
    Page,
}

/// What decides what somebody sees of a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub piece: Piece,
    pub id: i64,
    pub steps: i64,
    pub state: &'static str,
    pub language: &'static str,
    pub sees_names: bool,
}

#[derive(Debug)]
pub struct Spectators {
    /// What was written last, and when, for all who see the same.
    written: tokio::sync::Mutex<HashMap<Seen, (Instant, Arc<str>)>>,
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    of_asker: HashMap<Asker, usize>,
    all: usize,
    followed: HashMap<i64, (watch::Sender<Mark>, usize)>,
    is_watching: bool,
}

impl Spectators {
    /// At most so many streams.
    pub fn new(most: usize) -> Spectators {
        Spectators { written: Default::default(), most, state: Mutex::default() }
    }

    /// Begins to follow a final, if there is room. A lecture hall may be one
    /// address, so that guests are bounded loosely.
    pub fn follow(self: &Arc<Self>, database: &Database, asker: Asker, id: i64) -> Option<Follower> {
        let mut state = self.lock();
        let own = state.of_asker.get(&asker).copied().unwrap_or(0);
        let most_of_one = if matches!(asker, Asker::Account(_)) { MOST_OF_ACCOUNT } else { self.most.div_ceil(2) };
        if state.all >= self.most || own >= most_of_one {
            return None;
        }
        state.all += 1;
        state.of_asker.insert(asker, own + 1);
        let (sender, count) = state.followed.entry(id).or_insert_with(|| (watch::channel(None).0, 0));
        *count += 1;
        let marks = sender.subscribe();
        if !std::mem::replace(&mut state.is_watching, true) {
            tokio::spawn(self.clone().watch(database.clone()));
        }
        drop(state);
        Some(Follower { spectators: self.clone(), asker, id, marks })
    }

    /// A piece of a page, written by whoever needs it first; the others wait for it.
    pub async fn written<E>(&self, seen: Seen, write: impl Future<Output = Result<String, E>>) -> Result<Arc<str>, E> {
        let mut written = self.written.lock().await;
        if let Some((_, known)) = written.get(&seen).filter(|(since, _)| since.elapsed() < KEPT) {
            return Ok(known.clone());
        }
        let text: Arc<str> = write.await?.into();
        written.retain(|old, _| old.id != seen.id || (old.steps, old.state) == (seen.steps, seen.state));
        written.insert(seen, (Instant::now(), text.clone()));
        Ok(text)
    }

    /// Asks for everybody until nobody follows anything.
    async fn watch(self: Arc<Self>, database: Database) {
        loop {
            let begun = Instant::now();
            let looked = self.look(&database).await;
            let mut pause = ASKED_EVERY.max(begun.elapsed() * 5);
            if let Err(error) = looked {
                log::error(&format!("finals cannot be followed: {error:#}"));
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
        let rows = sqlx::query("SELECT id, revealed_steps, state FROM finals").fetch_all(database.read()).await?;
        let state = self.lock();
        for row in &rows {
            let mark = Some((row.int("revealed_steps")?, row.text("state")?));
            if let Some((sender, _)) = state.followed.get(&row.int("id")?) {
                sender.send_if_modified(|known| std::mem::replace(known, mark.clone()) != mark);
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who follows a final, until dropped.
#[derive(Debug)]
pub struct Follower {
    spectators: Arc<Spectators>,
    asker: Asker,
    pub id: i64,
    marks: watch::Receiver<Mark>,
}

impl Follower {
    /// Waits until the final may have come further.
    pub async fn news(&mut self) {
        // The sender lives as long as anybody follows.
        let _ = self.marks.changed().await;
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut state = self.spectators.lock();
        state.all -= 1;
        if let Some(own) = state.of_asker.get_mut(&self.asker) {
            *own -= 1;
            if *own == 0 {
                state.of_asker.remove(&self.asker);
            }
        }
        if let Some((_, count)) = state.followed.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                state.followed.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rooms_are_bounded_and_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
        let database = Database::open(&url).await.unwrap();
        let spectators = Arc::new(Spectators::new(MOST_OF_ACCOUNT + 2));
        let own: Vec<_> =
            (0..9).map(|_| spectators.follow(&database, Asker::Account(crate::ids::AccountId(7)), 1)).collect();
        assert_eq!(own.iter().flatten().count(), MOST_OF_ACCOUNT);
        let others: Vec<_> =
            (0..3).map(|_| spectators.follow(&database, Asker::Account(crate::ids::AccountId(8)), 2)).collect();
        assert_eq!(others.iter().flatten().count(), 2);
        drop((own, others));
        let state = spectators.lock();
        assert!(state.all == 0 && state.of_asker.is_empty() && state.followed.is_empty());
    }
}
