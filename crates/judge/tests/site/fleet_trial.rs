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
use std::time::Duration;

use ludus_games::Generator;
use ludus_judge::accounts::Role;
use ludus_judge::ids::MatchId;
use ludus_judge::remote::broker::Token;
use ludus_judge::workshop::{Seated, Workshop};

use crate::broker::cache;
use crate::harness::Kind;
use crate::remote::{Trial, plan};
use crate::verdicts::{GOOD, named};

fn setting(name: &str, default: usize) -> usize {
    std::env::var(format!("LUDUS_FLEET_{name}")).map_or(default, |value| value.parse().unwrap())
}

/// What the names of network namespaces begin with, one for each worker.
fn spaces() -> Option<String> {
    std::env::var("LUDUS_FLEET_SPACES").ok()
}

/// A worker as its own program.
pub fn start(trial: &Trial, k: usize, token: &Token) -> Child {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if let Some(space) = spaces() {
        command.args(["ip", "netns", "exec", &format!("{space}{k}")]);
    }
    command
        .arg(env!("CARGO_BIN_EXE_ludus-judge"))
        .args(["worker", "--as-root", "--compile", "--workers", "2", "--nats", &trial.broker.url(), "--data"])
        .arg(trial.court.folder().join(format!("worker{k}")))
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
    let data = trial.court.folder().join("judge");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("nats.key"), &trial.broker.key.seed).unwrap();
    Command::new("setpriv")
        .args(["--pdeathsig", "KILL"])
        .arg(env!("CARGO_BIN_EXE_ludus-judge"))
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

/// Does something to the link of a worker.
fn link(k: usize, words: &str) {
    let space = format!("{}{k}", spaces().unwrap());
    let done = Command::new("ip").args(["netns", "exec", &space]).args(words.split(' ')).stderr(Stdio::null()).status();
    assert!(done.unwrap().success() || words.contains("del"), "{words}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_when_workers_brokers_and_the_judge_are_killed() {
    let host = if spaces().is_some() { "10.77.0.1" } else { "127.0.0.1" };
    let kind = if setting("POSTGRES", 0) == 1 { Kind::Postgres } else { Kind::Sqlite };
    let mut trial = Trial::with(kind, 0, setting("WORKERS", 2), setting("BROKERS", 1), host).await;
    let mut pages = Vec::new();
    for k in 0..setting("SUBMISSIONS", 3) {
        let mut student = trial.court.visitor(&format!("s{k}"), Role::Student).await;
        let page = student.submit("open", &named(GOOD, &format!("Good{k}"))).await;
        pages.push((student, page));
    }
    let mut seeds: BTreeMap<i64, MatchId> = BTreeMap::new();
    for seed in 1..=setting("MATCHES", 20) as i64 {
        seeds.insert(seed, plan(&trial, seed).await);
    }
    let mut judge = start_judge(&trial);
    let mut workers: Vec<Child> = trial.honest.iter().enumerate().map(|(k, token)| start(&trial, k, token)).collect();
    let blows = setting("BLOWS", 6);
    let step = (left(&trial).await / (blows as i64 + 1)).max(1);
    let mut chance = Generator::new(setting("SEED", 1) as i32);
    for blow in 0..blows {
        let aim = left(&trial).await - step;
        while left(&trial).await > aim.max(0) {
            trial.fleet.wait().await;
        }
        let kinds = if spaces().is_some() { 5 } else { 3 };
        // All kinds of blows come, in the short form, too.
        let kind = if blow < kinds as usize { blow as i32 } else { chance.random(0, kinds - 1) };
        let which = chance.random(0, workers.len() as i32 - 1) as usize;
        match kind {
            0 => {
                end(&mut workers[which]);
                workers[which] = start(&trial, which, &trial.honest[which]);
            }
            1 => trial.broker.restart(which).await,
            2 => {
                end(&mut judge);
                judge = start_judge(&trial);
            }
            3 => {
                link(which, "ip link set eth0 down");
                tokio::time::sleep(Duration::from_secs(chance.random(1, 12) as u64)).await;
                link(which, "ip link set eth0 up");
            }
            _ => {
                link(which, "tc qdisc replace dev eth0 root netem delay 100ms 50ms loss 10%");
                tokio::time::sleep(Duration::from_secs(chance.random(1, 12) as u64)).await;
                link(which, "tc qdisc del dev eth0 root");
            }
        }
    }
    while left(&trial).await > 0 {
        trial.fleet.wait().await;
    }
    end(&mut judge);
    workers.iter_mut().for_each(end);
    for (mut student, page) in pages {
        assert!(student.get(&page).await.has("<h2>Accepted</h2>"));
    }
    let wrong = count(&trial, "SELECT COUNT(*) FROM submissions WHERE verdicts <> 1").await;
    assert_eq!(wrong, 0, "every submission has one verdict");
    assert_eq!(count(&trial, "SELECT COUNT(*) FROM matches WHERE played = 0").await, 0);
    for token in &trial.honest {
        assert_eq!(trial.suspended(token.worker).await, None, "to die is no lie");
    }
    compare(&trial, &seeds).await;
    println!("{blows} blows, {} matches as in an undisturbed run", seeds.len());
}

async fn left(trial: &Trial) -> i64 {
    count(trial, "SELECT COUNT(*) FROM jobs WHERE state <> 'done'").await
}

async fn count(trial: &Trial, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement).fetch_one(trial.court.site.database.read()).await.unwrap()
}

/// Every match has the replay that it has when nobody disturbs it.
async fn compare(trial: &Trial, seeds: &BTreeMap<i64, MatchId>) {
    let dummy = Seated { name: "Dummy".to_owned(), module: None, barred_from: None };
    let players = [(); 4].map(|()| dummy.clone());
    let (season, store) = (trial.season.clone(), trial.court.site.store.clone());
    let orders: Vec<_> = seeds.keys().map(|seed| (*seed, players.clone())).collect();
    let truth = tokio::task::spawn_blocking(move || {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_ludus-judge"));
        let local = Workshop::open_with(program, &cache(), store).unwrap();
        orders
            .chunks(64)
            .flat_map(|some| local.play_all(&season, some))
            .map(|one| one.unwrap().replay)
            .collect::<Vec<_>>()
    });
    let rows = sqlx::query_scalar("SELECT replay FROM matches WHERE purpose = 'demonstration' ORDER BY id");
    let told: Vec<String> = rows.fetch_all(trial.court.site.database.read()).await.unwrap();
    assert_eq!(told, truth.await.unwrap());
}
