//! Verifications that somebody follows. However many follow, the database is
//! asked once per moment for all of them, because the work may be done by
//! another process.

mod pieces;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::watch;

use crate::database::Database;
use crate::ids::{AccountId, SubmissionId};
use crate::log;
use crate::official::spectators::Spectators;
use crate::submissions::{self, Mark};

pub use pieces::{Pieces, Seen, UnderWay};

const ASKED_EVERY: Duration = Duration::from_millis(300);
const AFTER_TROUBLE: Duration = Duration::from_secs(5);
/// Streams that one person may have open.
pub const MOST_OF_ONE: usize = 6;

/// Who follows what in this process.
#[derive(Debug)]
pub struct Following {
    /// Those who follow finals, who are counted apart.
    pub spectators: Arc<Spectators>,
    /// What was written of ladders.
    pub ladders: Pieces,
    /// Lists that are being written.
    pub lists: UnderWay,
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    of_account: HashMap<AccountId, usize>,
    all: usize,
    /// By submission: its last mark, and how many follow it.
    followed: HashMap<SubmissionId, (watch::Sender<Option<Mark>>, usize)>,
    is_watching: bool,
}

impl Default for Following {
    fn default() -> Self {
        Following::new(1000)
    }
}

impl Following {
    /// At most so many streams.
    pub fn new(most: usize) -> Following {
        let spectators = Arc::new(Spectators::new(most));
        Following { spectators, ladders: Pieces::default(), lists: UnderWay::default(), most, state: Mutex::default() }
    }

    /// Begins to follow a submission, if there is room for this person.
    pub fn follow(
        self: &Arc<Self>,
        database: &Database,
        account: AccountId,
        submission: SubmissionId,
    ) -> Option<Follower> {
        let mut state = self.lock();
        let own = state.of_account.get(&account).copied().unwrap_or(0);
        if state.all >= self.most || own >= MOST_OF_ONE {
            return None;
        }
        state.all += 1;
        state.of_account.insert(account, own + 1);
        let (sender, count) = state.followed.entry(submission).or_insert_with(|| (watch::channel(None).0, 0));
        *count += 1;
        let marks = sender.subscribe();
        if !std::mem::replace(&mut state.is_watching, true) {
            tokio::spawn(self.clone().watch(database.clone()));
        }
        drop(state);
        Some(Follower { following: self.clone(), account, submission, marks })
    }

    /// Asks for everybody until nobody follows anything.
    async fn watch(self: Arc<Self>, database: Database) {
        loop {
            let begun = Instant::now();
            let looked = self.look(&database).await;
            // A long look, because of a long queue, is followed by a long pause.
            let mut pause = ASKED_EVERY.max(begun.elapsed() * 5);
            if let Err(error) = looked {
                log::error(&format!("verifications cannot be followed: {error:#}"));
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
        let mut marks = submissions::marks_of_undecided(database).await?;
        let followed: HashSet<SubmissionId> = self.lock().followed.keys().copied().collect();
        for id in followed {
            let mark = match marks.remove(&id) {
                Some(mark) => Some(mark),
                None => submissions::mark(database, id).await?,
            };
            if let Some((sender, _)) = self.lock().followed.get(&id) {
                sender.send_if_modified(|known| {
                    let is_news = *known != mark;
                    *known = mark;
                    is_news
                });
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who follows a submission, until dropped.
#[derive(Debug)]
pub struct Follower {
    following: Arc<Following>,
    account: AccountId,
    pub submission: SubmissionId,
    marks: watch::Receiver<Option<Mark>>,
}

impl Follower {
    /// Waits until the submission may have come further.
    pub async fn news(&mut self) {
        // The sender lives as long as anybody follows.
        let _ = self.marks.changed().await;
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut state = self.following.lock();
        state.all -= 1;
        if let Some(own) = state.of_account.get_mut(&self.account) {
            *own -= 1;
            if *own == 0 {
                state.of_account.remove(&self.account);
            }
        }
        if let Some((_, count)) = state.followed.get_mut(&self.submission) {
            *count -= 1;
            if *count == 0 {
                state.followed.remove(&self.submission);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_person_takes_few_rooms_and_gives_them_back() {
        let folder = tempfile::tempdir().unwrap();
        let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
        let database = Database::open(&url).await.unwrap();
        let following = Arc::new(Following::new(MOST_OF_ONE + 2));
        let own: Vec<_> =
            (0..=MOST_OF_ONE).map(|_| following.follow(&database, AccountId(7), SubmissionId(1))).collect();
        assert_eq!(own.iter().flatten().count(), MOST_OF_ONE);
        let others: Vec<_> = (0..3).map(|_| following.follow(&database, AccountId(8), SubmissionId(2))).collect();
        assert_eq!(others.iter().flatten().count(), 2, "others are not kept out, until it is full");
        drop((own, others));
        assert!(following.follow(&database, AccountId(7), SubmissionId(1)).is_some());
        let state = following.lock();
        assert!(state.all == 0 && state.of_account.is_empty() && state.followed.is_empty());
    }
}
