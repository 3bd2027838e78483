//! Matches per second with 1, 2, 4 and 8 workers of a fixed share of a processor.
//!
//! `cargo run --release -p ludus-judge --example scaling -- GAME PLAYER MATCHES PERCENT`
//! starts workers as programs of their own, each in a control group with so many
//! percent of a processor, beside a NATS server, and lets them play training
//! matches of four players. Needs root and cgroups of version 1; `scripts/scaling`
//! makes them.

mod shared;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, anyhow};
use ludus_games::Game;
use ludus_judge::database::Database;
use ludus_judge::ids::AccountId;
use ludus_judge::remote::enrolment::{self, Scope};
use shared::broker::Broker;
use shared::trainings::{self, Site};

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let game = ludus_games::find(&words.next().context("say which game")?).context("there is no such game")?;
    let player = words.next().context("say which player, such as AIDemo")?;
    let matches: usize = words.next().context("say how many matches for each worker")?.parse()?;
    for workers in [1, 2, 4, 8] {
        let folder = std::env::temp_dir().join(format!("scaling-{}-{workers}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let measured = measure(game, &player, matches * workers, workers, &folder.canonicalize()?).await;
        std::fs::remove_dir_all(&folder)?;
        println!("{}, four {player}: {workers} workers {:.1} matches/s", game.about().id, measured?);
    }
    Ok(())
}

/// Workers as programs, which end with this.
struct Crew(Vec<Child>);

impl Drop for Crew {
    fn drop(&mut self) {
        for worker in &mut self.0 {
            // It may have ended by itself.
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

async fn measure(game: &'static dyn Game, player: &str, matches: usize, workers: usize, folder: &Path) -> Result<f64> {
    let modules = trainings::modules(game, player, folder)?;
    let database = Database::open(&Database::url_of_file(&folder.join("judge.sqlite"))).await?;
    let mut site = Site::set_up(game, &modules, database, folder).await?;
    let mut tokens = Vec::new();
    let mut tx = site.environment.database.begin().await?;
    for _ in 0..workers {
        let made = enrolment::make(&mut tx, AccountId(1), "one", Some(Scope::Play)).await?;
        tokens.push(made.map_err(|refusal| anyhow!("{refusal:?}"))?.text());
    }
    tx.commit().await?;
    let broker = Broker::open(&mut site.environment, folder, &site.store).await?;
    let mut crew = Crew(Vec::new());
    for (k, token) in tokens.iter().enumerate() {
        crew.0.push(start(k, token, &broker.url, &folder.join("cache"), &folder.join(format!("worker{k}")))?);
    }
    while broker.fleet.workers() < workers {
        broker.fleet.wait().await;
    }
    site.carried(&broker, matches).await
}

/// In the control group `ludus-K` of the processor.
fn start(k: usize, token: &str, nats: &str, cache: &Path, data: &Path) -> Result<Child> {
    std::fs::create_dir_all(data)?;
    // Players are translated when they are verified, long before.
    std::os::unix::fs::symlink(cache, data.join("cache"))?;
    let group = format!("/sys/fs/cgroup/cpu/ludus-{k}/tasks");
    let mut command = Command::new("sh");
    command.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(group).arg(shared::program()?);
    command.args(["worker", "--as-root", "--workers", "1", "--nats", nats, "--data"]).arg(data);
    command.env("LUDUS_AS_ROOT", "yes").env("LUDUS_WORKER_TOKEN", token).stderr(Stdio::null());
    command.spawn().context("a worker cannot be started")
}
