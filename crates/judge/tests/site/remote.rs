//! Workers on other machines: what they can reach, what becomes of those who lie,
//! and that nothing is lost when they or the broker are killed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt as _;
use ludus_arena::season::Hash;
use ludus_games::PerSeat;
use ludus_judge::accounts::Role;
use ludus_judge::ids::{AccountId, MatchId, WorkerId};
use ludus_judge::jobs::{Machines, Play};
use ludus_judge::local_machine::{Built, LocalMachine, Seated};
use ludus_judge::matches::{self, Place, Planned, Played, Purpose};
use ludus_judge::playroom::{Finished, Order};
use ludus_judge::queue::{Dispatch as _, Priority, Work};
use ludus_judge::remote::broker::Token;
use ludus_judge::remote::enrolment::{self, Scope};
use ludus_judge::remote::fleet::Fleet;
use ludus_judge::remote::letters::{Card, Errand, Said, Task, engine, write_played};
use ludus_judge::remote::machines::{RemoteMachines, Shares, WHOLE};
use ludus_judge::remote::{modules, names};
use ludus_judge::seasons::{self, Season};
use ludus_sandbox::build::Language;
use tokio::task::JoinHandle;

use crate::broker::{Broker, Hand, cache, enrol, gone, hire, present};
use crate::harness::{Court, Kind, until};
use crate::verdicts::{GOOD, named};

pub const NEVER: Shares = Shares { usual: 0, official: 0 };
pub const ALWAYS: Shares = Shares { usual: WHOLE, official: WHOLE };

/// A worker that says what a test wants it to say.
pub struct Liar {
    pub id: WorkerId,
    client: Client,
    broker: Context,
    card: JoinHandle<()>,
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.card.abort();
    }
}

impl Liar {
    pub async fn join(broker: &Broker, token: &Token) -> Liar {
        let client = ConnectOptions::with_nkey(token.key.seed.clone())
            .custom_inbox_prefix(names::inbox(token.worker))
            .connect(broker.url())
            .await
            .unwrap();
        let card = Card {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            engine: engine().unwrap(),
            cores: 1,
            boot: token.worker.to_string(),
            ..Card::default()
        };
        let text = serde_json::to_vec(&card).unwrap();
        let (saying, subject) = (client.clone(), names::here(token.worker));
        let card = tokio::spawn(async move {
            loop {
                saying.publish(subject.clone(), text.clone().into()).await.unwrap();
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        Liar { id: token.worker, broker: jetstream::new(client.clone()), client, card }
    }

    /// The next order, and the matches in it.
    pub async fn next(&self) -> (Errand, Vec<Order>) {
        loop {
            let found = self.broker.get_consumer_from_stream(names::consumer_of(self.id), names::WORK).await;
            let Ok(consumer): Result<Consumer<pull::Config>, _> = found else { continue };
            let mut batch = consumer.fetch().max_messages(1).expires(Duration::from_secs(2)).messages().await.unwrap();
            if let Some(message) = batch.next().await {
                let message = message.unwrap();
                message.ack().await.unwrap();
                let errand = Errand::read(&message.payload).unwrap();
                let Task::Play(orders) = errand.task.clone() else { panic!("it does not compile") };
                return (errand, orders);
            }
        }
    }

    pub async fn answer(&self, errand: &Errand, head: [u32; 2], answer: &[u8]) {
        let mut bytes: Vec<u8> = head.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend_from_slice(answer);
        let subject = names::result(&errand.judge, self.id, &errand.order);
        self.broker.publish(subject, bytes.into()).await.unwrap().await.unwrap();
    }

    /// Says anything, where its token lets it.
    pub async fn publish(&self, subject: String, bytes: &[u8]) {
        self.client.publish(subject, bytes.to_vec().into()).await.unwrap();
        self.client.flush().await.unwrap();
    }

    /// What came of matches in truth.
    pub async fn played(&self, orders: &[Order]) -> Vec<Finished> {
        let (orders, client, id) = (orders.to_vec(), self.client.clone(), self.id);
        let handle = tokio::runtime::Handle::current();
        let done = tokio::task::spawn_blocking(move || {
            let fetch = |hash: &Hash| handle.block_on(modules::fetch(&client, id, *hash));
            local_machine().playroom().play_all(&orders, fetch)
        });
        done.await.unwrap().into_iter().map(Result::unwrap).collect()
    }
}

pub fn local_machine() -> LocalMachine {
    let store = ludus_judge::store::Store::open(cache().join("unused").to_str().unwrap()).unwrap();
    LocalMachine::open_with(PathBuf::from(env!("CARGO_BIN_EXE_ludus-judge")), &cache(), store).unwrap()
}

pub fn said(finished: Vec<Finished>) -> Vec<u8> {
    write_played(&finished.into_iter().map(Said::Done).collect::<Vec<_>>())
}

/// Those who will lie, those who will not, and whose machines these are.
struct Workers {
    liars: Vec<Token>,
    honest: Vec<Token>,
    people: Vec<AccountId>,
}

/// A court with a broker, some who will lie, and some who will not.
pub struct Trial {
    pub court: Court,
    /// The address of its database.
    pub database: String,
    pub broker: Broker,
    pub fleet: Fleet,
    pub liars: Vec<Token>,
    pub honest: Vec<Token>,
    /// Whose machines those who are honest are.
    pub people: Vec<AccountId>,
    pub season: Season,
    /// Modules of two players.
    modules: [String; 2],
}

impl Trial {
    /// Who will lie comes first, and is asked first.
    pub async fn new(liars: usize, honest: usize) -> Trial {
        Trial::with(Kind::Sqlite, liars, honest, 1, "127.0.0.1").await
    }

    /// The same, with some brokers at an address.
    pub async fn with(kind: Kind, liars: usize, honest: usize, brokers: usize, host: &str) -> Trial {
        let folder = crate::harness::folder();
        let database = match kind {
            Kind::Sqlite => Court::sqlite(&folder),
            Kind::Postgres => crate::postgres::migrated_database().await,
        };
        let court = Court::at(&database, folder).await;
        court.add_season("open", -1).await;
        let owner = court.add_person("owner", Role::Instructor).await;
        let mut all = Vec::new();
        for _ in 0..liars + honest {
            all.push(enrol(&court, owner, Scope::Compile).await);
        }
        let people = vec![owner; honest];
        let honest = all.split_off(liars);
        let workers = Workers { liars: all, honest, people };
        Trial::of(court, database, workers, brokers, host).await
    }

    /// With volunteers only, each of the person with a number.
    pub async fn volunteers(of: &[usize]) -> Trial {
        let folder = crate::harness::folder();
        let database = Court::sqlite(&folder);
        let court = Court::at(&database, folder).await;
        court.add_season("open", -1).await;
        let mut owners = Vec::new();
        for k in 0..=of.iter().copied().max().unwrap_or(0) {
            owners.push(court.add_person(&format!("v{k}"), Role::Student).await);
        }
        let mut workers = Workers { liars: Vec::new(), honest: Vec::new(), people: Vec::new() };
        for &k in of {
            workers.honest.push(enrol(&court, owners[k], Scope::Volunteer).await);
            workers.people.push(owners[k]);
        }
        Trial::of(court, database, workers, 1, "127.0.0.1").await
    }

    async fn of(court: Court, database: String, workers: Workers, brokers: usize, host: &str) -> Trial {
        let broker = Broker::start_some(&court, brokers, host).await;
        let (data, store) = (court.site.database.clone(), court.site.store.clone());
        let fleet = Fleet::open(&broker.url(), &broker.key, data, store).await.unwrap();
        let season = seasons::find(&court.site.database, "open").await.unwrap().unwrap();
        let modules = ["Ana", "Pau"].map(|name| {
            match local_machine().build("dominator", name, Language::Cpp, named(GOOD, name).as_bytes()).unwrap() {
                Built::Module(wasm) => court.site.store.put(&wasm).unwrap(),
                Built::Rejected(reason) => panic!("{reason:?}"),
            }
        });
        let Workers { liars, honest, people } = workers;
        Trial { court, database, broker, fleet, liars, honest, people, season, modules }
    }

    pub fn machines(&self, shares: Shares) -> Arc<RemoteMachines> {
        Arc::new(RemoteMachines::new(self.fleet.clone(), self.court.site.store.clone(), shares))
    }

    fn players(&self) -> PerSeat<Seated> {
        let dummy = Seated { name: "Dummy".to_owned(), module: None, barred_from: None };
        let ana = Seated { name: "Ana".to_owned(), module: Some(self.modules[0].clone()), barred_from: None };
        [ana, dummy.clone(), dummy.clone(), dummy]
    }

    /// Plays the match of a seed, on others' machines.
    pub fn play(&self, machines: Arc<dyn Machines>, seed: i64) -> JoinHandle<anyhow::Result<Played>> {
        let (season, players) = (self.season.clone(), self.players());
        tokio::task::spawn_blocking(move || machines.play(&season, seed, &players))
    }

    /// What the match of a seed comes to in truth.
    pub fn truth(&self, seed: i64) -> Played {
        let store = self.court.site.store.clone();
        let local = LocalMachine::open_with(PathBuf::from(env!("CARGO_BIN_EXE_ludus-judge")), &cache(), store).unwrap();
        local.play(&self.season, seed, &self.players()).unwrap()
    }

    pub async fn suspended(&self, worker: WorkerId) -> Option<String> {
        let found = enrolment::find(&self.court.site.database, worker).await.unwrap().unwrap();
        found.suspended_at.map(|_| found.suspended_why)
    }
}

/// Replay, CPU, and the score and output of each seat.
pub type Essence = (String, Vec<u8>, Vec<(Option<i64>, Option<String>)>);

pub fn essence(played: &Played) -> Essence {
    let seats = played.seats.iter().map(|seat| (seat.score, seat.output.clone()));
    (played.replay.clone(), played.cpu.clone(), seats.collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_lie_is_found_and_leaves_no_trace() {
    const LIES: [&str; 7] = [
        "differ: the scores",
        "another match: the seed",
        "another match: the players",
        "an order that it never had",
        "larger than any can be",
        "cannot be read",
        "two others came to another result",
    ];
    let trial = Trial::new(LIES.len(), 2).await;
    let _honest: Vec<Hand> = trial.honest.iter().map(|token| hire(&trial.broker, token)).collect();
    present(&trial.fleet, 2).await;
    for (k, (lie, token)) in LIES.iter().zip(&trial.liars).enumerate() {
        let liar = Liar::join(&trial.broker, token).await;
        present(&trial.fleet, 3).await;
        let seed = 100 + k as i64;
        let shares = if k == 6 { ALWAYS } else { NEVER };
        let playing = trial.play(trial.machines(shares), seed);
        let (errand, mut orders) = liar.next().await;
        match k {
            0 => {
                let mut played = liar.played(&orders).await;
                played[0].seats[0].score += 1;
                liar.answer(&errand, [0, 1], &said(played)).await;
            }
            1 => {
                orders[0].seed += 1;
                liar.answer(&errand, [0, 1], &said(liar.played(&orders).await)).await;
            }
            2 => {
                orders[0].seats[0].module = Some(trial.modules[1].parse().unwrap());
                let wasm = trial.court.site.store.get(&trial.modules[1]).unwrap();
                let played = tokio::task::spawn_blocking(move || {
                    local_machine().playroom().play_all(&orders, |_| Ok(wasm.clone()))
                });
                let played = played.await.unwrap().into_iter().map(Result::unwrap).collect();
                liar.answer(&errand, [0, 1], &said(played)).await;
            }
            3 => {
                let mut other = errand.clone();
                other.order = "0".repeat(64);
                liar.answer(&other, [0, 1], b"won").await;
            }
            4 => liar.answer(&errand, [0, 2048], &[0; 1000]).await,
            5 => liar.answer(&errand, [0, 1], b"rubbish").await,
            _ => {
                let mut played = liar.played(&orders).await;
                played[0].seats[0].output.extend_from_slice(b"believe me");
                liar.answer(&errand, [0, 1], &said(played)).await;
            }
        }
        let played = playing.await.unwrap().unwrap();
        assert_eq!(essence(&played), essence(&trial.truth(seed)), "{lie}");
        gone(&trial.fleet, liar.id).await;
        let why = trial.suspended(liar.id).await.expect(lie);
        assert!(why.contains(lie), "{why}");
        drop(liar);
    }
    for token in &trial.honest {
        assert_eq!(trial.suspended(token.worker).await, None, "who is honest stays");
    }
}

/// A match of Dummies and a player, with its job.
pub async fn plan(trial: &Trial, player: &str, seed: i64) -> MatchId {
    let mut tx = trial.court.site.database.begin().await.unwrap();
    let places = [(); 4].map(|()| Place { name: player.to_owned(), submission: None });
    let (season, purpose) = (trial.season.id, Purpose::Demonstration);
    let id = matches::plan(&mut tx, &Planned { season, purpose, verifies: None, training: None, seed, places })
        .await
        .unwrap();
    let account = AccountId(1);
    let work = Work { job: Play { id }.into(), account, priority: Priority::Training, batch: id.0 };
    trial.court.site.queue.offer(&mut tx, &work).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// Whoever has a worker's token can do what is listed here, and nothing else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_opens_only_what_its_worker_needs() {
    let trial = Trial::new(0, 2).await;
    let honest = hire(&trial.broker, &trial.honest[1]);
    present(&trial.fleet, 1).await;
    // Somebody's match has been played, so that there is something to find.
    trial.play(trial.machines(NEVER), 5).await.unwrap().unwrap();
    let me = trial.honest[0].worker;
    assert_eq!(me, WorkerId(1));
    assert_eq!(
        (names::may_publish(me), names::may_subscribe(me)),
        (
            [
                "ludus.here.1",
                "ludus.result.*.1.*",
                "$JS.API.CONSUMER.INFO.LUDUS_WORK.w1",
                "$JS.API.CONSUMER.MSG.NEXT.LUDUS_WORK.w1",
                "$JS.ACK.LUDUS_WORK.w1.>",
                "$JS.API.DIRECT.GET.LUDUS_MODULES.ludus.module.1.*.*",
            ]
            .map(str::to_owned)
            .to_vec(),
            ["_INBOX.w1.>", "ludus.notice.1"].map(str::to_owned).to_vec(),
        )
    );
    let (heard, mut said) = tokio::sync::mpsc::unbounded_channel();
    let client = ConnectOptions::with_nkey(trial.honest[0].key.seed.clone())
        .custom_inbox_prefix(names::inbox(me))
        .skip_subject_validation(true)
        .event_callback(move |event| {
            let heard = heard.clone();
            async move {
                if let Event::ServerError(error) = event {
                    heard.send(error.to_string()).unwrap();
                }
            }
        })
        .connect(trial.broker.url())
        .await
        .unwrap();
    for subject in [
        ">",
        "ludus.>",
        "ludus.work.*",
        "ludus.work.1",
        "ludus.result.>",
        "ludus.here.*",
        "ludus.module.>",
        "_INBOX.>",
        "_INBOX.judge.>",
        "_INBOX.w2.>",
        "ludus.notice.2",
        "$JS.>",
        "$SYS.>",
    ] {
        let _listening = client.subscribe(subject).await.unwrap();
        client.flush().await.unwrap();
        let refused = said.recv().await.unwrap().to_lowercase();
        assert!(
            refused.contains("permissions violation") && refused.contains(&subject.to_lowercase()),
            "{subject}: {refused}"
        );
    }
    for subject in [
        "ludus.work.1",
        "ludus.work.2",
        "ludus.here.2",
        "ludus.result.j.2.x",
        "ludus.module.x.0",
        "ludus.notice.2",
        "$JS.API.INFO",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.LIST",
        "$JS.API.STREAM.INFO.LUDUS_WORK",
        "$JS.API.STREAM.CREATE.MINE",
        "$JS.API.STREAM.DELETE.LUDUS_WORK",
        "$JS.API.STREAM.PURGE.LUDUS_RESULTS",
        "$JS.API.STREAM.MSG.GET.LUDUS_WORK",
        "$JS.API.STREAM.MSG.GET.LUDUS_RESULTS",
        "$JS.API.STREAM.MSG.GET.LUDUS_MODULES",
        "$JS.API.DIRECT.GET.LUDUS_MODULES",
        "$JS.API.DIRECT.GET.LUDUS_MODULES.ludus.module.2.*.0",
        "$JS.API.DIRECT.GET.LUDUS_MODULES.ludus.module.*.*.*",
        "$JS.API.DIRECT.GET.LUDUS_MODULES.ludus.module.>",
        "$JS.API.DIRECT.GET.LUDUS_WORK.ludus.work.2",
        "$JS.API.CONSUMER.NAMES.LUDUS_WORK",
        "$JS.API.CONSUMER.CREATE.LUDUS_WORK",
        "$JS.API.CONSUMER.DURABLE.CREATE.LUDUS_RESULTS.mine",
        "$JS.API.CONSUMER.MSG.NEXT.LUDUS_WORK.w2",
        "$JS.API.CONSUMER.INFO.LUDUS_WORK.w2",
        "$JS.API.CONSUMER.DELETE.LUDUS_WORK.w1",
        "$JS.ACK.LUDUS_WORK.w2.1.1.1.1.0",
        "$SYS.REQ.SERVER.PING",
    ] {
        client.publish(subject, "x".into()).await.unwrap();
        client.flush().await.unwrap();
        let refused = said.recv().await.unwrap().to_lowercase();
        assert!(
            refused.contains("permissions violation") && refused.contains(&subject.to_lowercase()),
            "{subject}: {refused}"
        );
    }
    // The match that the other worker has played left nothing for this one.
    let known: Hash = trial.modules[0].parse().unwrap();
    let any = format!("$JS.API.DIRECT.GET.{}.ludus.module.1.*.0", names::MODULES);
    let found = client.request(any.clone(), "".into()).await.unwrap();
    assert_eq!(found.status, Some(async_nats::StatusCode::NOT_FOUND));
    assert!(modules::fetch(&client, me, known).await.is_err());
    // What it has an order with it finds, and nothing else.
    drop(honest);
    gone(&trial.fleet, trial.honest[1].worker).await;
    let _honest = hire(&trial.broker, &trial.honest[0]);
    present(&trial.fleet, 1).await;
    trial.play(trial.machines(NEVER), 6).await.unwrap().unwrap();
    assert_eq!(Hash::of(&modules::fetch(&client, me, known).await.unwrap()), known);
    let other: Hash = trial.modules[1].parse().unwrap();
    assert!(modules::fetch(&client, me, other).await.is_err());
    let found = client.request(any, "".into()).await.unwrap();
    assert!(found.payload[4..].starts_with(b"\0asm"), "nothing but a module");
}

/// A token that is revoked opens nothing any more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_revoked_or_of_another_version_gets_nothing() {
    let trial = Trial::new(1, 1).await;
    let database = &trial.court.site.database;
    let liar = Liar::join(&trial.broker, &trial.liars[0]).await;
    present(&trial.fleet, 1).await;
    let mut tx = database.begin().await.unwrap();
    assert!(enrolment::revoke(&mut tx, liar.id).await.unwrap());
    tx.commit().await.unwrap();
    gone(&trial.fleet, liar.id).await;
    trial.broker.reload(&trial.court).await;
    until("the broker knows it no more", async || {
        ConnectOptions::with_nkey(trial.liars[0].key.seed.clone()).connect(trial.broker.url()).await.is_err()
    })
    .await;

    let client = ConnectOptions::with_nkey(trial.honest[0].key.seed.clone())
        .custom_inbox_prefix(names::inbox(trial.honest[0].worker))
        .connect(trial.broker.url())
        .await
        .unwrap();
    let mut notices = client.subscribe(names::notice(trial.honest[0].worker)).await.unwrap();
    let card = Card { version: "0.0.1".to_owned(), cores: 1, ..Card::default() };
    let card = serde_json::to_vec(&card).unwrap();
    client.publish(names::here(trial.honest[0].worker), card.into()).await.unwrap();
    let told = String::from_utf8(notices.next().await.unwrap().payload.to_vec()).unwrap();
    assert!(told.contains("Refused") && told.contains("0.0.1"), "{told}");
    assert_eq!(trial.fleet.workers(), 0);
}
