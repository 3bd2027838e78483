//! Workers, brokers and the judge are killed, and links are cut, while submissions
//! wait for their verdicts and matches for their results. Nothing is lost, nothing
//! is done twice, and every replay is the one of an undisturbed run.
//!
//! The variables `LUDUS_FLEET_*` make it longer; `scripts/fleet-trial` does, with
//! eight workers in network namespaces, three brokers and PostgreSQL.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ludus_games::Generator;
use ludus_judge::accounts::Role;
use ludus_judge::ids::MatchId;
use ludus_judge::local_machine::{LocalMachine, Seated};
use ludus_judge::remote::broker::Token;
use sqlx::Row as _;

use crate::broker::cache;
use crate::harness::Kind;
use crate::remote::{Trial, plan};
use crate::server::share_cache;
use crate::verdicts::{GOOD, named};

fn setting(name: &str, default: usize) -> usize {
    std::env::var(format!("LUDUS_FLEET_{name}")).map_or(default, |value| value.parse().unwrap())
}

/// What the names of network namespaces begin with, one for each worker.
fn spaces() -> Option<String> {
    std::env::var("LUDUS_FLEET_SPACES").ok()
}

/// What plays: the program of the tests, or one that was built for speed.
fn program() -> PathBuf {
    std::env::var_os("LUDUS_FLEET_PROGRAM").unwrap_or(env!("CARGO_BIN_EXE_ludus-judge").into()).into()
}

/// The folder of a program of the trial. On one machine they share what all tests have
/// compiled; in namespaces each stands for a machine, and has its own.
fn data(trial: &Trial, name: &str) -> PathBuf {
    let folder = trial.court.folder().join(name);
    if !folder.exists() {
        std::fs::create_dir(&folder).unwrap();
        if spaces().is_none() {
            share_cache(&folder);
        }
    }
    folder
}

/// A worker as its own program.
pub fn start(trial: &Trial, k: usize, token: &Token) -> Child {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if let Some(space) = spaces() {
        command.args(["ip", "netns", "exec", &format!("{space}{k}")]);
    }
    command
        .arg(program())
        .args(["worker", "--as-root", "--compile", "--workers", "2", "--nats", &trial.broker.url(), "--data"])
        .arg(data(trial, &format!("worker{k}")))
        .env("LUDUS_AS_ROOT", "yes")
        .env("LUDUS_WORKER_TOKEN", token.text())
        .env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap()))
        .stdin(Stdio::null())
        .stderr(said(&format!("worker{k}")))
        .spawn()
        .unwrap()
}

/// The judge as its own program, on the database and the store of the court.
fn start_judge(trial: &Trial) -> Child {
    let data = data(trial, "judge");
    std::fs::write(data.join("nats.key"), &trial.broker.key.seed).unwrap();
    Command::new("setpriv")
        .args(["--pdeathsig", "KILL"])
        .arg(program())
        .args(["serve", "--as-root", "--listen", "127.0.0.1:0", "--nats", &trial.broker.url(), "--data"])
        .arg(data)
        .arg("--store")
        .arg(trial.court.folder().join("store"))
        .env("LUDUS_DATABASE", &trial.database)
        .env("LUDUS_AS_ROOT", "yes")
        .env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(said("judge"))
        .spawn()
        .unwrap()
}

/// Where a program of the trial says what it has to say.
fn said(name: &str) -> Stdio {
    match std::env::var("LUDUS_FLEET_LOGS") {
        Ok(folder) => {
            let file = File::options().append(true).create(true).open(format!("{folder}/{name}.log"));
            file.unwrap().into()
        }
        Err(_) => Stdio::null(),
    }
}

/// `kill -9`.
fn end(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What happens to a machine or its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Blow {
    Worker,
    Broker,
    Judge,
    Cut,
    Slow,
    Loss,
}

impl Blow {
    const ALL: [Blow; 6] = [Blow::Worker, Blow::Broker, Blow::Judge, Blow::Cut, Blow::Slow, Blow::Loss];

    /// Without namespaces there are no links.
    fn all() -> &'static [Blow] {
        if spaces().is_some() { &Blow::ALL } else { &Blow::ALL[..3] }
    }

    /// What begins and ends it in the namespace of a worker, where it is about a link.
    fn words(self) -> [&'static str; 2] {
        match self {
            Blow::Cut => ["ip link set eth0 down", "ip link set eth0 up"],
            // A megabit in a second, and what waits for its turn for longer is lost.
            Blow::Slow => [
                "tc qdisc replace dev DEVICE root tbf rate 1mbit burst 8kb latency 400ms",
                "tc qdisc del dev DEVICE root",
            ],
            // One packet of ten that come or go.
            _ => [
                "nft add table inet loss; \
                 add chain inet loss come { type filter hook input priority 0; }; \
                 add chain inet loss go { type filter hook output priority 0; }; \
                 add rule inet loss come meta iifname eth0 numgen random mod 10 0 drop; \
                 add rule inet loss go meta oifname eth0 numgen random mod 10 0 drop",
                "nft delete table inet loss",
            ],
        }
    }
}

/// Does something in the namespace of a worker, or at the other end of its link.
fn at_link(k: usize, words: &str, is_inside: bool) {
    let space = format!("{}{k}", spaces().unwrap());
    let words = words.replace("DEVICE", &if is_inside { "eth0".to_owned() } else { format!("lfw{k}") });
    let (program, rest) = words.split_once(' ').unwrap();
    let mut command = Command::new(if is_inside { "ip" } else { program });
    if is_inside {
        command.args(["netns", "exec", &space, program]);
    }
    // A script of `nft` is one word.
    if program == "nft" {
        command.arg(rest)
    } else {
        command.args(rest.split(' '))
    };
    let done = command.env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").unwrap())).output().unwrap();
    assert!(done.status.success(), "{words}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A link that is cut, slow or loses packets until this is dropped.
struct Spoilt(usize, Blow);

impl Spoilt {
    fn begin(k: usize, blow: Blow) -> Spoilt {
        let spoilt = Spoilt(k, blow);
        spoilt.at_its_ends(blow.words()[0]);
        spoilt
    }

    /// A link is slow in both directions; all else is done at one end of it.
    fn at_its_ends(&self, words: &str) {
        at_link(self.0, words, true);
        if self.1 == Blow::Slow {
            at_link(self.0, words, false);
        }
    }
}

impl Drop for Spoilt {
    fn drop(&mut self) {
        self.at_its_ends(self.1.words()[1]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_workers_brokers_and_the_judge_are_killed() {
    let host = if spaces().is_some() { "10.77.0.1" } else { "127.0.0.1" };
    let kind = if setting("POSTGRES", 0) == 1 { Kind::Postgres } else { Kind::Sqlite };
    let mut trial = Trial::with(kind, 0, setting("WORKERS", 2), setting("BROKERS", 1), host).await;
    let mut judge = start_judge(&trial);
    let mut workers: Vec<Child> = trial.honest.iter().enumerate().map(|(k, token)| start(&trial, k, token)).collect();
    let (matches, submissions, blows) = (setting("MATCHES", 12), setting("SUBMISSIONS", 3), setting("BLOWS", 3));
    let begun = Instant::now();
    let mut chance = Generator::new(setting("SEED", 1) as i32);
    let mut pages = Vec::new();
    let mut seeds: BTreeMap<i64, MatchId> = BTreeMap::new();
    let mut struck: BTreeMap<Blow, usize> = BTreeMap::new();
    let mut compared = 0;
    for k in 0..blows {
        // Work comes all the time, so that every blow hits somebody who has some.
        while pages.len() < submissions * (k + 1) / blows {
            let name = pages.len();
            let mut student = trial.court.visitor(&format!("s{name}"), Role::Student).await;
            let page = student.submit("open", &named(GOOD, &format!("Good{name}"))).await;
            pages.push((student, page));
        }
        while seeds.len() < matches * (k + 1) / blows {
            let seed = seeds.len() as i64 + 1;
            seeds.insert(seed, plan(&trial, PLAYER, seed).await);
        }
        let all = left(&trial).await.max(1) as i32;
        until(&trial, chance.random(0, all - 1).into()).await;
        let kinds = Blow::all();
        // All kinds of blows come, in the short form, too.
        let blow = kinds[if k < kinds.len() { k } else { chance.random(0, kinds.len() as i32 - 1) as usize }];
        let which = chance.random(0, workers.len() as i32 - 1) as usize;
        *struck.entry(blow).or_default() += 1;
        match blow {
            Blow::Worker => {
                end(&mut workers[which]);
                workers[which] = start(&trial, which, &trial.honest[which]);
            }
            Blow::Broker => trial.broker.restart(which).await,
            Blow::Judge => {
                end(&mut judge);
                judge = start_judge(&trial);
            }
            Blow::Cut | Blow::Slow | Blow::Loss => {
                let _spoilt = Spoilt::begin(which, blow);
                tokio::time::sleep(Duration::from_secs(chance.random(1, 12) as u64)).await;
            }
        }
        let after = format!("blow {k} of seed {}, {blow:?} of {which}", setting("SEED", 1));
        if spaces().is_some() {
            println!("{:>5} s: {after}, {} jobs left", begun.elapsed().as_secs(), left(&trial).await);
        }
        look(&trial, &after).await;
        compared += compare(&trial, compared, false, &after).await;
    }
    until(&trial, 0).await;
    end(&mut judge);
    workers.iter_mut().for_each(end);
    let wrong = count(&trial, "SELECT COUNT(*) FROM submissions WHERE verdicts <> 1").await;
    assert_eq!(wrong, 0, "every submission has one verdict");
    let mut accepted = 0;
    for (mut student, page) in pages {
        let page = student.get(&page).await;
        // Nobody beats three Dummies on every seed there is.
        let is_accepted = page.has("<h2>Accepted</h2>");
        assert!(is_accepted || page.has("did not win"), "{}", page.text);
        accepted += usize::from(is_accepted);
    }
    assert_eq!(count(&trial, "SELECT COUNT(*) FROM matches WHERE played = 0").await, 0);
    look(&trial, "the end").await;
    let verified = compare_verifications(&trial).await;
    compared += compare(&trial, compared, true, "the end").await;
    assert_eq!(compared, seeds.len(), "every match has been compared");
    let again = count(&trial, "SELECT COUNT(*) FROM jobs WHERE takes > 1").await;
    println!(
        "{submissions} submissions with one verdict each, {accepted} of them accepted, {verified} matches for them and \
         {} others as in an undisturbed run; {blows} blows in {} s: {struck:?}; {again} jobs were taken more than once",
        seeds.len(),
        begun.elapsed().as_secs(),
    );
}

/// Nothing waits for so long, whatever strikes it.
const LONGEST: Duration = Duration::from_secs(900);

/// Waits until no more than so many jobs are left.
async fn until(trial: &Trial, most: i64) {
    let (mut last, mut since) = (i64::MAX, Instant::now());
    loop {
        let now = left(trial).await;
        if now <= most {
            return;
        }
        if now != last {
            (last, since) = (now, Instant::now());
        }
        if since.elapsed() > LONGEST {
            let left = "SELECT kind || ' ' || subject || ' ' || state || ' ' || COALESCE(error, '') FROM jobs WHERE state <> 'done' LIMIT 20";
            let left: Vec<String> = sqlx::query_scalar(left).fetch_all(trial.court.site.database.read()).await.unwrap();
            panic!("{now} jobs are left, and nothing happens to them: {left:?}");
        }
        trial.fleet.wait().await;
    }
}

async fn left(trial: &Trial) -> i64 {
    count(trial, "SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await
}

async fn count(trial: &Trial, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(trial.court.site.database.read()).await.unwrap()
}

/// What must be so after every blow, and says after which it is not.
async fn look(trial: &Trial, after: &str) {
    let twice = count(trial, "SELECT COUNT(*) FROM submissions WHERE verdicts > 1").await;
    assert_eq!(twice, 0, "a submission has two verdicts, after {after}");
    for token in &trial.honest {
        assert_eq!(trial.suspended(token.worker).await, None, "to die is no lie, after {after}");
    }
    let parked = sqlx::query_scalar("SELECT COALESCE(error, '') FROM jobs WHERE state = 'parked'");
    let parked: Vec<String> = parked.fetch_all(trial.court.site.database.read()).await.unwrap();
    assert!(parked.is_empty(), "jobs have been given up after {after}: {parked:?}");
}

/// Every match has the replay that it has when nobody disturbs it: those from a number on
/// up to the first that has not been played. How many they are.
async fn compare(trial: &Trial, from: usize, all: bool, after: &str) -> usize {
    let rows = sqlx::query_as(
        "SELECT seed, replay FROM matches WHERE purpose = 'demonstration' AND seed > $1 AND played = 1 ORDER BY seed",
    );
    let told: Vec<(i64, String)> = rows.bind(from as i64).fetch_all(trial.court.site.database.read()).await.unwrap();
    let told: Vec<(i64, String)> =
        told.into_iter().zip(from as i64 + 1..).take_while(|((seed, _), k)| seed == k).map(|(one, _)| one).collect();
    if !all && told.len() < COMPARED {
        return 0;
    }
    let player = Seated { name: PLAYER.to_owned(), module: None, barred_from: None };
    let players = [(); 4].map(|()| player.clone());
    let (season, store) = (trial.season.clone(), trial.court.site.store.clone());
    let orders: Vec<_> = told.iter().map(|(seed, _)| (*seed, players.clone())).collect();
    let truth = tokio::task::spawn_blocking(move || {
        let local = LocalMachine::open_with(program(), &cache(), store).unwrap();
        orders
            .chunks(64)
            .flat_map(|some| local.play_all(&season, some))
            .map(|one| one.unwrap().replay)
            .collect::<Vec<_>>()
    });
    for ((seed, told), truth) in told.iter().zip(truth.await.unwrap()) {
        assert_eq!(*told, truth, "the match of seed {seed} went otherwise, found after {after}");
    }
    told.len()
}

/// Who plays but in verifications: a match of four of these takes a sixtieth of what it
/// takes others of the game, and 20,000 of them are to be blown about, not waited for.
const PLAYER: &str = "Demo";

/// Fewer matches are compared later, as a program has to be started for them.
const COMPARED: usize = 500;

/// The same for those that led to the verdicts; how many they are.
async fn compare_verifications(trial: &Trial) -> usize {
    let rows = sqlx::query(
        "SELECT m.seed, m.replay, s.name, p.module FROM matches m JOIN seats s ON s.match_id = m.id
         LEFT JOIN submissions p ON p.id = s.submission_id WHERE m.purpose = 'verification' ORDER BY m.id, s.seat",
    );
    let rows = rows.fetch_all(trial.court.site.database.read()).await.unwrap();
    let mut played = Vec::new();
    for seats in rows.chunks(4) {
        let players: Vec<Seated> = seats
            .iter()
            .map(|seat| Seated { name: seat.get("name"), module: seat.get("module"), barred_from: None })
            .collect();
        played.push((seats[0].get::<i64, _>("seed"), seats[0].get::<String, _>("replay"), players));
    }
    let (season, store, verified) = (trial.season.clone(), trial.court.site.store.clone(), played.len());
    let compared = tokio::task::spawn_blocking(move || {
        let local = LocalMachine::open_with(program(), &cache(), store).unwrap();
        for (seed, replay, players) in played {
            assert_eq!(local.play(&season, seed, &players.try_into().unwrap()).unwrap().replay, replay);
        }
    });
    compared.await.unwrap();
    verified
}
