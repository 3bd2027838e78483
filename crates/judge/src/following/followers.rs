//! The one way to follow something live. However many follow, the database is
//! asked once per moment for all of them, because what they follow may be changed
//! by another process. How many streams there may be is bounded, in all and for
//! each who asks.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::database::Database;
use crate::log;
use crate::web::Asker;

const AFTER_TROUBLE: Duration = Duration::from_secs(5);
/// Streams that one account may have open.
const MOST_OF_ACCOUNT: usize = 6;
/// One in so many streams is for people who are signed in: strangers have as many
/// places as they like.
const KEPT: usize = 4;
/// A stream ends after this time; the browser comes again by itself.
const LONGEST: Duration = Duration::from_secs(600);

/// A kind of thing that is followed.
pub trait Topic: Sized + Send + 'static {
    /// Which one is followed.
    type Id: Copy + Debug + Eq + Hash + Send + Sync;
    /// What differs whenever there is something new to show.
    type News: Clone + Debug + PartialEq + Send + Sync;

    /// What cannot be followed when the database is in trouble.
    const NAME: &str;
    const ASKED_EVERY: Duration;
    /// Streams from one place of people who are not signed in: a lecture hall may
    /// be behind one address.
    const MOST_OF_PLACE: usize;

    /// Asks how things are, for all who follow: whatever may differ from what is
    /// known is given.
    fn look(database: &Database, known: Known<Self>) -> impl Future<Output = Result<Known<Self>>> + Send;
}

/// What is known of things: none before somebody looked, or if it is gone.
pub type Known<T> = HashMap<<T as Topic>::Id, Option<<T as Topic>::News>>;

/// Those who follow things of a kind in this process.
#[derive(Debug)]
pub struct Followers<T: Topic> {
    most: usize,
    rooms: Arc<Mutex<Rooms<T>>>,
}

/// What tells all who follow a thing the news of it.
type Teller<T> = watch::Sender<Option<<T as Topic>::News>>;

#[derive(Debug)]
struct Rooms<T: Topic> {
    of: HashMap<Asker, usize>,
    all: usize,
    guests: usize,
    /// What is known of each thing, and how many follow it.
    followed: HashMap<T::Id, (Teller<T>, usize)>,
    is_watching: bool,
}

impl<T: Topic> Followers<T> {
    /// At most so many streams.
    pub fn new(most: usize) -> Followers<T> {
        let rooms = Rooms { of: HashMap::new(), all: 0, guests: 0, followed: HashMap::new(), is_watching: false };
        Followers { most, rooms: Arc::new(Mutex::new(rooms)) }
    }

    /// Begins to follow something, if there is room for whoever asks.
    pub fn follow(&self, database: &Database, asker: Asker, id: T::Id) -> Option<Follower<T>> {
        let mut rooms = lock(&self.rooms);
        let own = rooms.of.get(&asker).copied().unwrap_or(0);
        let is_guest = is_guest(asker);
        let most_of_one = if is_guest { T::MOST_OF_PLACE } else { MOST_OF_ACCOUNT };
        let is_full = rooms.all >= self.most || is_guest && rooms.guests >= self.most - self.most / KEPT;
        if is_full || own >= most_of_one {
            return None;
        }
        rooms.all += 1;
        rooms.guests += usize::from(is_guest);
        rooms.of.insert(asker, own + 1);
        let (sender, count) = rooms.followed.entry(id).or_insert_with(|| (watch::channel(None).0, 0));
        *count += 1;
        let news = sender.subscribe();
        if !std::mem::replace(&mut rooms.is_watching, true) {
            tokio::spawn(watch(self.rooms.clone(), database.clone()));
        }
        drop(rooms);
        Some(Follower { rooms: self.rooms.clone(), asker, id, news, ends: Instant::now() + LONGEST })
    }
}

fn is_guest(asker: Asker) -> bool {
    matches!(asker, Asker::Guest(_))
}

/// Asks for everybody until nobody follows anything.
async fn watch<T: Topic>(rooms: Arc<Mutex<Rooms<T>>>, database: Database) {
    loop {
        let begun = Instant::now();
        let looked = look(&rooms, &database).await;
        // A long look is followed by a long pause.
        let mut pause = T::ASKED_EVERY.max(begun.elapsed() * 5);
        if let Err(error) = looked {
            log::error(&format!("{} cannot be followed: {error:#}", T::NAME));
            pause = pause.max(AFTER_TROUBLE);
        }
        tokio::time::sleep(pause).await;
        let mut rooms = lock(&rooms);
        if rooms.followed.is_empty() {
            rooms.is_watching = false;
            return;
        }
    }
}

async fn look<T: Topic>(rooms: &Mutex<Rooms<T>>, database: &Database) -> Result<()> {
    let known = lock(rooms).followed.iter().map(|(id, (sender, _))| (*id, sender.borrow().clone())).collect();
    let found = T::look(database, known).await?;
    let rooms = lock(rooms);
    for (id, news) in found {
        if let Some((sender, _)) = rooms.followed.get(&id) {
            sender.send_if_modified(|known| {
                let is_news = *known != news;
                *known = news;
                is_news
            });
        }
    }
    Ok(())
}

fn lock<T: Topic>(rooms: &Mutex<Rooms<T>>) -> MutexGuard<'_, Rooms<T>> {
    rooms.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody who follows something, until dropped.
#[derive(Debug)]
pub struct Follower<T: Topic> {
    rooms: Arc<Mutex<Rooms<T>>>,
    asker: Asker,
    pub id: T::Id,
    news: watch::Receiver<Option<T::News>>,
    ends: Instant,
}

impl<T: Topic> Follower<T> {
    /// Waits until there may be something that was not seen before; none when it
    /// has been followed for long enough.
    pub async fn change(&mut self) -> Option<()> {
        timeout_at(self.ends, self.news.changed()).await.ok()?.ok()
    }

    /// What is known, which is waited for if nobody has looked yet.
    pub async fn latest(&mut self) -> Option<T::News> {
        loop {
            let known = self.news.borrow_and_update().clone();
            if known.is_some() {
                return known;
            }
            self.change().await?;
        }
    }
}

impl<T: Topic> Drop for Follower<T> {
    fn drop(&mut self) {
        let mut rooms = lock(&self.rooms);
        rooms.all -= 1;
        rooms.guests -= usize::from(is_guest(self.asker));
        if let Some(own) = rooms.of.get_mut(&self.asker) {
            *own -= 1;
            if *own == 0 {
                rooms.of.remove(&self.asker);
            }
        }
        if let Some((_, count)) = rooms.followed.get_mut(&self.id) {
            *count -= 1;
            if *count == 0 {
                rooms.followed.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::ids::AccountId;
    use crate::web::place::Place;

    /// Counts how often it is looked at.
    #[derive(Debug)]
    struct Clock;

    static LOOKS: AtomicU64 = AtomicU64::new(0);

    impl Topic for Clock {
        type Id = i64;
        type News = u64;
        const NAME: &str = "clocks";
        const ASKED_EVERY: Duration = Duration::from_millis(1);
        const MOST_OF_PLACE: usize = 30;

        async fn look(_: &Database, known: Known<Clock>) -> Result<Known<Clock>> {
            let now = LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
            Ok(known.into_keys().map(|id| (id, Some(now))).collect())
        }
    }

    async fn database() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let url = Database::url_of_file(&folder.path().join("judge.sqlite"));
        let database = Database::open(&url).await.unwrap();
        (folder, database)
    }

    #[tokio::test]
    async fn rooms_are_bounded_and_given_back() {
        let (_folder, database) = database().await;
        let clocks = Followers::<Clock>::new(40);
        let taken = |asker, id| {
            let asked: Vec<_> = (0..=30).map(|_| clocks.follow(&database, asker, id)).collect();
            asked.into_iter().flatten().collect::<Vec<_>>()
        };
        let own = taken(Asker::Account(AccountId(7)), 1);
        let hall = taken(Asker::Guest(Place::V4([10, 0, 0, 1])), 1);
        let others = taken(Asker::Account(AccountId(8)), 2);
        assert_eq!((own.len(), hall.len(), others.len()), (MOST_OF_ACCOUNT, 30, 4), "until it is full");
        drop((own, hall, others));
        let rooms = lock(&clocks.rooms);
        assert!(rooms.all == 0 && rooms.guests == 0 && rooms.of.is_empty() && rooms.followed.is_empty());
    }

    /// A stranger with many addresses takes no place from whoever is signed in.
    #[tokio::test]
    async fn a_quarter_is_kept_for_people_who_are_signed_in() {
        let (_folder, database) = database().await;
        let clocks = Followers::<Clock>::new(40);
        let strangers = (0..100).map(|k| Asker::Guest(Place::V4([10, 0, 0, k])));
        let taken: Vec<_> = strangers.filter_map(|asker| clocks.follow(&database, asker, 1)).collect();
        assert_eq!(taken.len(), 30);
        let own: Vec<_> =
            (0..20).filter_map(|account| clocks.follow(&database, Asker::Account(AccountId(account)), 1)).collect();
        assert_eq!(own.len(), 10);
        drop(taken);
        assert!(clocks.follow(&database, Asker::Guest(Place::Unknown), 1).is_some(), "places are given back");
    }

    #[tokio::test]
    async fn one_look_is_for_all_and_a_stream_ends() {
        let (_folder, database) = database().await;
        let clocks = Followers::<Clock>::new(9);
        let follow = |account| clocks.follow(&database, Asker::Account(AccountId(account)), 1).unwrap();
        let (mut one, mut other) = (follow(1), follow(2));
        let (first, second) = tokio::join!(one.latest(), other.latest());
        assert_eq!(first, second);
        assert!(one.change().await.is_some() && one.latest().await > first);
        one.ends = Instant::now();
        // What came meanwhile is told; then it is over.
        while one.change().await.is_some() {}
        assert!(other.change().await.is_some());
    }
}
