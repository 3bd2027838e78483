//! The workers that are there, what each of them has, and what comes back.
//!
//! An order goes to one worker, which is chosen when it has room: so priorities
//! and turns are those of the queue, and whoever checks a result is somebody
//! else for certain. A worker that falls silent, starts anew or does not know of
//! its order loses it to another; what it says of it later is nobody's business.

mod loops;
mod state;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow};
use async_nats::Client;
use async_nats::jetstream::{self, Context};
use ludus_arena::season::Hash;
use tokio::sync::{Notify, oneshot};

use super::broker::{self, Key};
use super::check::Lie;
use super::enrolment::{self, Enrolled};
use super::letters::{Errand, Notice, Task, engine};
use super::modules::Shelf;
use super::names;
use crate::clock::steady;
use crate::database::Database;
use crate::ids::{AccountId, WorkerId};
use crate::store::Store;
use crate::{log, secrets};
use loops::Loop;
use state::{State, UnderWay};

/// How long a worker may be silent before its orders are given to others.
pub const SILENCE: Duration = Duration::from_secs(8);
/// How long a worker that is there may not know of an order that it was sent.
const UNKNOWN: Duration = Duration::from_secs(10);
/// How long to wait for a worker that could do something, when there is none.
const NOBODY_THERE: Duration = Duration::from_secs(5);
/// What a worker gets nothing for after trouble of its machine.
const REST: Duration = Duration::from_secs(10);
/// Workers that may lose an order before it counts as failed.
const MOST_TRIES: usize = 6;
/// Orders that were taken away, of which answers may still come.
const MOST_STALE: usize = 20_000;
/// Modules are at the broker for so long; who still needs one then gets it again.
const MODULES_KEPT: Duration = Duration::from_secs(3600);
/// What is kept of work and results that nobody fetches.
const LONGEST_KEPT: Duration = Duration::from_secs(900);

/// What an order needs of a worker.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    pub compiles: bool,
    pub trusted: bool,
    /// Who has answered it already.
    pub not: Vec<WorkerId>,
    /// Volunteers of these people are not asked: they may know each other.
    pub not_of: Vec<AccountId>,
}

/// Nobody is there who could do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no worker is there that could do it")]
pub struct NobodyThere;

/// One worker is there, and what it says of official matches must be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("official matches wait for a second worker: the judge's own machine cannot check the only one")]
pub struct NoSecond;

/// An answer, and whose it is.
pub struct Answered {
    pub worker: WorkerId,
    pub is_trusted: bool,
    pub account: AccountId,
    pub answer: Vec<u8>,
}

/// A worker with room for an order, the order, and where its answer comes; nothing
/// comes if it is taken away.
type Reserved = (Enrolled, String, oneshot::Receiver<Option<Vec<u8>>>);

/// What has happened since the start.
#[derive(Debug, Default)]
pub struct Counts {
    pub orders: AtomicU64,
    pub answers: AtomicU64,
    pub matches: AtomicU64,
    pub taken_away: AtomicU64,
    pub troubles: AtomicU64,
    pub lies: AtomicU64,
    pub disagreements: AtomicU64,
    pub checked: AtomicU64,
}

#[derive(Clone)]
pub struct Fleet(Arc<Inner>);

struct Inner {
    client: Client,
    broker: Context,
    /// This judge's name, another one each time that it starts.
    name: String,
    database: Database,
    /// Where the modules are that workers need.
    store: Store,
    engine: String,
    /// Brokers that keep what is on its way.
    replicas: usize,
    state: Mutex<State>,
    news: Notify,
    shelf: Shelf,
    counts: Counts,
}

impl Fleet {
    /// Connects to the broker and begins to listen.
    pub async fn open(url: &str, key: &Key, database: Database, store: Store) -> Result<Fleet> {
        let name = secrets::short_token().chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let client = broker::connect(url, key, "ludus-judge", "_INBOX.judge").await?;
        let fleet = Fleet(Arc::new(Inner {
            broker: jetstream::new(client.clone()),
            client,
            name,
            database,
            store,
            engine: tokio::task::spawn_blocking(engine).await??,
            // A cluster of three goes on when one of them is lost.
            replicas: if url.split(',').count() >= 3 { 3 } else { 1 },
            state: Mutex::default(),
            news: Notify::default(),
            shelf: Shelf::default(),
            counts: Counts::default(),
        }));
        fleet.refresh().await?;
        for task in [Loop::Presence, Loop::Results, Loop::Care] {
            let fleet = fleet.clone();
            tokio::spawn(async move { fleet.run(task).await });
        }
        Ok(fleet)
    }

    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    pub fn shelf(&self) -> &Shelf {
        &self.0.shelf
    }

    pub fn database(&self) -> &Database {
        &self.0.database
    }

    /// Jobs that can be under way at a time.
    pub fn capacity(&self) -> usize {
        let state = self.state();
        state.serving().map(|(_, present)| (present.card.cores + present.card.cores.div_ceil(2)) as usize).sum()
    }

    /// Cores that are there.
    pub fn cores(&self) -> usize {
        self.state().serving().map(|(_, present)| present.card.cores as usize).sum()
    }

    /// Workers that get work.
    pub fn workers(&self) -> usize {
        self.state().serving().count()
    }

    /// Who is there: cores, and orders under way.
    pub fn paces(&self) -> Vec<(WorkerId, u32, u32)> {
        self.state().serving().map(|(id, present)| (id, present.card.cores, present.orders)).collect()
    }

    pub fn has_worker(&self, worker: WorkerId) -> bool {
        self.state().serving().any(|(id, _)| id == worker)
    }

    /// Whether somebody is there who could do it, busy or not.
    pub fn has(&self, needs: &Needs) -> bool {
        self.able(needs) > 0
    }

    /// How many are there who could do it, busy or not.
    pub fn able(&self, needs: &Needs) -> usize {
        let state = self.state();
        state.serving().filter(|(id, present)| state.fits(*id, present, needs)).count()
    }

    /// Waits until something may have changed.
    pub async fn wait(&self) {
        let _ = tokio::time::timeout(Duration::from_millis(500), self.0.news.notified()).await;
    }

    fn changed(&self) {
        self.0.news.notify_waiters();
        self.0.news.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a worker do something, and another if that one is lost.
    pub async fn carry(&self, task: &Task, needs: &Needs, most: usize) -> Result<Answered> {
        for _ in 0..MOST_TRIES {
            let (worker, order, answer) = self.reserve(needs, most).await?;
            let errand = Errand { judge: self.0.name.clone(), order: order.clone(), task: task.clone() };
            self.0.counts.orders.fetch_add(1, Ordering::Relaxed);
            // Whatever ends this before the answer takes the order away.
            let order = Abandoned { fleet: self, order };
            self.put_modules(worker.id, task).await?;
            let sequence = broker::keep(&self.0.broker, names::work_for(worker.id), errand.written()).await?;
            self.sent(&order.order, sequence);
            if let Ok(Some(answer)) = answer.await {
                self.0.counts.answers.fetch_add(1, Ordering::Relaxed);
                return Ok(Answered {
                    worker: worker.id,
                    is_trusted: worker.scope.is_trusted(),
                    account: worker.account,
                    answer,
                });
            }
        }
        Err(anyhow!("{MOST_TRIES} workers were lost one after the other"))
    }

    /// Puts the modules of an order where the worker that gets it may read them.
    async fn put_modules(&self, worker: WorkerId, task: &Task) -> Result<()> {
        let Task::Play(orders) = task else { return Ok(()) };
        let seats = orders.iter().flat_map(|order| &order.seats);
        let hashes: BTreeSet<Hash> = seats.filter_map(|seat| seat.module).collect();
        for hash in hashes {
            self.0.shelf.put(&self.0.broker, &self.0.store, worker, hash).await?;
        }
        Ok(())
    }

    fn sent(&self, order: &str, sequence: u64) {
        if let Some(one) = self.state().under_way.get_mut(order) {
            (one.sequence, one.known) = (Some(sequence), steady());
        }
    }

    /// Waits for a worker with room.
    async fn reserve(&self, needs: &Needs, most: usize) -> Result<Reserved> {
        let begun = steady();
        loop {
            if let Some(reserved) = self.try_to_reserve(needs, most) {
                return Ok(reserved);
            }
            if !self.has(needs) && steady() > begun + NOBODY_THERE {
                return Err(NobodyThere.into());
            }
            self.wait().await;
        }
    }

    fn try_to_reserve(&self, needs: &Needs, most: usize) -> Option<Reserved> {
        let mut state = self.state();
        let id = state.freest(needs)?;
        let enrolled = state.enrolled.get(&id)?.clone();
        let present = state.present.get_mut(&id)?;
        present.orders += 1;
        let (boot, order) = (present.card.boot.clone(), secrets::token());
        let (done, answer) = oneshot::channel();
        let under_way = UnderWay { worker: id, boot, known: steady(), sequence: None, most, parts: Vec::new(), done };
        state.under_way.insert(order.clone(), under_way);
        Some((enrolled, order, answer))
    }

    /// Takes an order away from its worker.
    fn take_away(&self, order: &str) {
        let taken = {
            let mut state = self.state();
            let taken = state.end(order);
            if let Some(one) = &taken {
                state.remember(order, one.worker);
            }
            taken
        };
        let Some(one) = taken else { return };
        self.0.counts.taken_away.fetch_add(1, Ordering::Relaxed);
        if let Some(sequence) = one.sequence {
            let broker = self.0.broker.clone();
            tokio::spawn(async move {
                if let Ok(stream) = broker.get_stream_no_info(names::WORK).await {
                    // One that stays is done for nobody, and forgotten.
                    let _ = stream.delete_message(sequence).await;
                }
            });
        }
        // Whoever does not wait any more has no use for it.
        let _ = one.done.send(None);
        self.changed();
    }

    /// What a worker did not do as it should have: it is taken out of service.
    pub async fn lied(&self, worker: WorkerId, lie: &Lie) {
        self.0.counts.lies.fetch_add(1, Ordering::Relaxed);
        log::error(&format!("worker {worker} is suspended: {lie}"));
        match enrolment::suspend(&self.0.database, worker, &lie.to_string()).await {
            Ok(_) => {}
            Err(error) => log::error(&format!("worker {worker} cannot be suspended: {error:#}")),
        }
        self.dismiss(worker);
        self.tell(worker, &Notice::Refused(format!("it is suspended: {lie}"))).await;
    }

    /// Gives a worker nothing more, and takes away what it has.
    fn dismiss(&self, worker: WorkerId) {
        let orders = {
            let mut state = self.state();
            state.enrolled.remove(&worker);
            state.orders_of(worker, |_| true)
        };
        orders.iter().for_each(|order| self.take_away(order));
        self.changed();
    }

    /// A worker's machine could not do what it was asked for.
    pub fn had_trouble(&self, worker: WorkerId, trouble: &str) {
        self.0.counts.troubles.fetch_add(1, Ordering::Relaxed);
        log::error(&format!("worker {worker}: {trouble}"));
        if let Some(present) = self.state().present.get_mut(&worker) {
            present.rests_until = steady() + REST;
        }
    }

    /// Counts what a worker has done.
    pub fn credit(&self, worker: WorkerId, matches: usize) {
        self.0.counts.matches.fetch_add(matches as u64, Ordering::Relaxed);
        if let Some(present) = self.state().present.get_mut(&worker) {
            present.matches += matches as i64;
        }
    }

    /// Counts that others were asked for what workers had answered.
    pub fn compared(&self, agreed: &[WorkerId], odd: Option<WorkerId>) {
        self.0.counts.checked.fetch_add(1, Ordering::Relaxed);
        self.0.counts.disagreements.fetch_add(u64::from(odd.is_some()), Ordering::Relaxed);
        let mut state = self.state();
        for worker in agreed.iter().chain(&odd) {
            if let Some(present) = state.present.get_mut(worker) {
                present.checked += 1;
                present.disagreed += i64::from(odd == Some(*worker));
            }
        }
    }

    async fn tell(&self, worker: WorkerId, notice: &Notice) {
        if let Ok(text) = serde_json::to_vec(notice) {
            // Who does not hear it asks again in a moment.
            let _ = self.0.client.publish(names::notice(worker), text.into()).await;
        }
    }
}

/// Takes an order away when nobody waits for its answer any more.
struct Abandoned<'a> {
    fleet: &'a Fleet,
    order: String,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        self.fleet.take_away(&self.order);
    }
}
