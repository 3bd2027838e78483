//! The program on the other machines: it says that it is there, fetches orders,
//! does them as the judge itself would, and answers.
//!
//! It knows a token and the broker's address, and nothing else of the judge.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use async_nats::Client;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, AckKind, Context, Message};
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::broker::{self, Token};
use super::letters::{Card, Compile, Errand, Notice, PART, Said, Task, engine, write_built, write_played};
use super::{modules, names};
use crate::ids::WorkerId;
use crate::local_machine::LocalMachine;
use crate::log::{self, Subject};
use crate::metrics::{self, working};
use crate::playroom::{Finished, Order};
use crate::secrets;
use crate::store::Store;
use crate::traces;

/// How often it says that it is there.
const PRESENCE: Duration = Duration::from_secs(2);
/// How long it waits for an order before it asks again.
const POLL: Duration = Duration::from_secs(2);
/// How often it tells the broker that it still works on an order.
const PROGRESS: Duration = Duration::from_secs(10);
/// How long it tries to send an answer.
const ANSWERING: u32 = 60;
/// Bytes of one answer about several matches; the others are asked for again.
const MOST_ANSWER: usize = 32 << 20;

/// What the worker is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub nats: String,
    pub token: String,
    pub cores: usize,
    pub compile: bool,
    pub cache: PathBuf,
    /// The program that plays matches: this one.
    pub program: PathBuf,
}

struct Worker {
    id: WorkerId,
    client: Client,
    broker: Context,
    machine: LocalMachine,
    cores: usize,
    compile: bool,
    engine: String,
    boot: String,
    busy: Mutex<BTreeSet<String>>,
    drains: AtomicBool,
    news: Notify,
}

/// Works until `stop` comes to its end, and finishes what it has begun then.
pub async fn run(settings: &Settings, stop: impl Future<Output = ()>) -> Result<()> {
    let token = Token::read(&settings.token)?;
    let machine = open_machine(&settings.program, &settings.cache)?;
    let client = broker::connect(&settings.nats, &token.key, "ludus-worker", &names::inbox(token.worker)).await?;
    let worker = Arc::new(Worker {
        id: token.worker,
        broker: jetstream::new(client.clone()),
        client,
        machine,
        cores: settings.cores,
        compile: settings.compile,
        engine: tokio::task::spawn_blocking(engine).await??,
        boot: secrets::short_token(),
        busy: Mutex::default(),
        drains: AtomicBool::new(false),
        news: Notify::default(),
    });
    log::note(&format!("worker {} is ready with {} cores", worker.id, worker.cores));
    // They end with this.
    let mut beside = JoinSet::new();
    beside.spawn(announce(worker.clone()));
    beside.spawn(listen(worker.clone()));
    let mut slots = JoinSet::new();
    for _ in 0..settings.cores {
        slots.spawn(serve(worker.clone()));
    }
    stop.await;
    worker.drains.store(true, Ordering::Relaxed);
    worker.news.notify_waiters();
    log::note("what is begun is finished, and nothing more is taken");
    while slots.join_next().await.is_some() {}
    beside.abort_all();
    // The last answers are on their way to the broker.
    let _ = tokio::time::timeout(POLL, worker.client.flush()).await;
    Ok(())
}

fn count_trouble<T>(said: Option<&Said<T>>) {
    if matches!(said, Some(Said::Trouble(_))) {
        working::count_trouble();
    }
}

/// This machine, with a store that nothing is ever asked of.
fn open_machine(program: &Path, cache: &Path) -> Result<LocalMachine> {
    std::fs::create_dir_all(cache).with_context(|| format!("cannot make the folder {}", cache.display()))?;
    let store = Store::open(&cache.join("unused").display().to_string())?;
    LocalMachine::open_with(program.to_owned(), cache, store).context("players cannot be played on this machine")
}

/// Says again and again that it is there.
async fn announce(worker: Arc<Worker>) {
    loop {
        let card = Card {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: worker.engine.clone(),
            cores: worker.cores as u32,
            compiles: worker.compile,
            boot: worker.boot.clone(),
            drains: worker.drains.load(Ordering::Relaxed),
            busy: worker.busy().iter().cloned().collect(),
        };
        if let Ok(card) = serde_json::to_vec(&card) {
            // It is said again in a moment.
            let _ = worker.client.publish(names::here(worker.id), card.into()).await;
        }
        let _ = tokio::time::timeout(PRESENCE, worker.news.notified()).await;
    }
}

/// Tells whoever runs it what the judge says of it.
async fn listen(worker: Arc<Worker>) {
    let mut last = None;
    loop {
        let Ok(mut notices) = worker.client.subscribe(names::notice(worker.id)).await else {
            tokio::time::sleep(PRESENCE).await;
            continue;
        };
        while let Some(message) = notices.next().await {
            let Ok(notice) = serde_json::from_slice::<Notice>(&message.payload) else { continue };
            if last.as_ref() != Some(&notice) {
                working::let_in(notice == Notice::Welcome);
                match &notice {
                    Notice::Welcome => log::note("the judge has let this worker in"),
                    Notice::Refused(why) => log::error(&format!("the judge gives this worker nothing: {why}")),
                }
                last = Some(notice);
            }
        }
    }
}

/// Does one order after the other.
async fn serve(worker: Arc<Worker>) {
    while !worker.drains.load(Ordering::Relaxed) {
        if attend_all(&worker).await.is_err() {
            // It is not let in yet, or the broker is gone: both may change.
            tokio::time::sleep(POLL / 4).await;
        }
    }
}

/// Does what comes until the broker has nothing for it any more.
async fn attend_all(worker: &Arc<Worker>) -> Result<()> {
    let consumer: Consumer<pull::Config> = worker
        .broker
        .get_consumer_from_stream(names::consumer_of(worker.id), names::WORK)
        .await
        .map_err(|error| anyhow!("{error}"))?;
    while !worker.drains.load(Ordering::Relaxed) {
        let mut batch = consumer.fetch().max_messages(1).expires(POLL).messages().await?;
        while let Some(message) = batch.next().await {
            worker.receive(message.map_err(|error| anyhow!("{error}"))?).await;
        }
    }
    Ok(())
}

impl Worker {
    fn busy(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn receive(self: &Arc<Worker>, message: Message) {
        let Some(errand) = Errand::read(&message.payload) else {
            log::error("an order cannot be read");
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let subject = Subject::Order(errand.order.clone());
        log::within(subject, traces::span("order", &[], self.attend(errand, message))).await;
    }

    /// Does an order and answers it.
    async fn attend(self: &Arc<Worker>, errand: Errand, message: Message) {
        self.busy().insert(errand.order.clone());
        self.news.notify_one();
        let _begun = working::begin_order();
        let worker = self.clone();
        let handle = Handle::current();
        let task = errand.task.clone();
        let mut work = tokio::task::spawn_blocking(move || worker.answer(&task, &handle));
        let answer = loop {
            tokio::select! {
                answer = &mut work => break answer,
                () = tokio::time::sleep(PROGRESS) => {
                    // Without it somebody may be given the order again, who is told that it is done.
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        match answer {
            Ok(answer) => self.send(&errand, &answer).await,
            Err(error) => log::error(&format!("an order ended badly: {error}")),
        }
        let _ = message.ack().await;
        self.busy().remove(&errand.order);
        self.news.notify_one();
    }

    fn answer(&self, task: &Task, handle: &Handle) -> Vec<u8> {
        match task {
            Task::Play(orders) => {
                let said = self.play(orders, handle);
                count_trouble(said.last());
                write_played(&said)
            }
            Task::Compile(compile) => {
                let said = self.build(compile);
                count_trouble(Some(&said));
                write_built(&said)
            }
        }
    }

    fn play(&self, orders: &[Order], handle: &Handle) -> Vec<Said<Finished>> {
        let fetch = |hash: &_| handle.block_on(modules::fetch(&self.client, self.id, *hash));
        let mut said: Vec<Said<Finished>> = Vec::new();
        let mut bytes = 0;
        for result in self.machine.playroom().play_all(orders, fetch) {
            if let Ok(finished) = &result {
                metrics::count_match(finished.seats.iter().map(|seat| seat.cpu));
                bytes += finished.replay.len() + finished.seats.iter().map(|seat| seat.output.len()).sum::<usize>();
            }
            if bytes > MOST_ANSWER && !said.is_empty() {
                break;
            }
            said.push(Said::of(result));
        }
        said
    }

    fn build(&self, compile: &Compile) -> Said<crate::local_machine::Built> {
        let Compile { game, name, language, source, little_patience } = compile;
        let machine = self.machine.within(*little_patience);
        Said::of(machine.build(game, name, *language, source))
    }

    /// Sends an answer in parts, until the broker has all of them.
    async fn send(&self, errand: &Errand, answer: &[u8]) {
        let subject = names::result(&errand.judge, self.id, &errand.order);
        let parts = answer.chunks(PART).count().max(1);
        for part in 0..parts {
            let from = part * PART;
            let mut bytes = (part as u32).to_le_bytes().to_vec();
            bytes.extend_from_slice(&(parts as u32).to_le_bytes());
            bytes.extend_from_slice(&answer[from..answer.len().min(from + PART)]);
            for _ in 0..ANSWERING {
                let kept = match self.broker.publish(subject.clone(), bytes.clone().into()).await {
                    Ok(kept) => kept.await.is_ok(),
                    Err(_) => false,
                };
                if kept {
                    break;
                }
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
}
