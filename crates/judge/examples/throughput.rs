//! Matches per second, with results and replays stored, beside `ludus arena`.
//!
//! `cargo run --release -p ludus-judge --example throughput -- GAME PLAYER MATCHES`
//! plays training matches of four C++ players, made of one that comes with the
//! game: in `ludus arena`, on SQLite by `ludus-judge worker`, and, where
//! `LUDUS_DATABASE` names an empty PostgreSQL, carried by NATS from `ludus-judge
//! serve` to a worker of two cores. The programs are those in the folder that
//! `LUDUS_PROGRAMS` names. `scripts/throughput` does all of it.

mod shared;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use ludus_games::Game;
use ludus_judge::database::Database;
use shared::broker::Broker;
use shared::trainings::{self, Moment, NAMES, Pace, Site, Span};

/// Cores that play.
const CORES: &str = "2";

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let game = ludus_games::find(&words.next().context("say which game")?).context("there is no such game")?;
    let player = words.next().context("say which player, such as AINull")?;
    let matches: usize = words.next().context("say how many matches")?.parse()?;
    let folder = std::env::temp_dir().join(format!("throughput-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(game, &player, matches, &folder.canonicalize()?).await;
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn measure(game: &'static dyn Game, player: &str, matches: usize, folder: &Path) -> Result<()> {
    let modules = trainings::modules(game, player, folder)?;
    let id = game.about().id;
    let arena = arena(id, matches, folder)?;
    println!("{id}, four {player}: ludus arena {}", arena.told(&arena));
    let (sqlite, nats) = (folder.join("sqlite"), folder.join("nats"));
    std::fs::create_dir_all(&sqlite)?;
    std::fs::create_dir_all(&nats)?;
    let url = Database::url_of_file(&sqlite.join("judge.sqlite"));
    let site = Site::set_up(game, &modules, Database::open(&url).await?, &sqlite).await?;
    site.prepare(matches).await?;
    let mut workers = Program::start(&["worker", "--workers", CORES], &url, &sqlite, "")?;
    workers.settle()?;
    let pace = site.elsewhere(matches).await?;
    drop(workers);
    println!("{id}, four {player}: SQLite {}", pace.told(&arena));
    if let Ok(url) = std::env::var("LUDUS_DATABASE") {
        let mut site = Site::set_up(game, &modules, Database::open(&url).await?, &nats).await?;
        site.prepare(matches).await?;
        let token = trainings::token(&site).await?;
        let broker = Broker::open(&mut site.environment, &nats, &site.store).await?;
        let data = nats.join("worker");
        std::fs::create_dir_all(&data)?;
        // Players are translated when they are verified, long before.
        std::os::unix::fs::symlink(nats.join("cache"), data.join("cache"))?;
        let _judge = Program::start(&["serve", "--listen", "127.0.0.1:0", "--nats", &broker.url], &url, &nats, "")?;
        let _worker = Program::start(&["worker", "--workers", CORES, "--nats", &broker.url], "", &data, &token)?;
        let pace = site.elsewhere(matches).await?;
        println!("{id}, four {player}: PostgreSQL and NATS {}", pace.told(&arena));
    }
    Ok(())
}

/// The judge's program doing something; it ends with this.
struct Program(Child);

impl Program {
    fn start(words: &[&str], database: &str, data: &Path, token: &str) -> Result<Program> {
        let mut command = Command::new(shared::program()?);
        command.args(words).arg("--as-root").arg("--data").arg(data).env("LUDUS_AS_ROOT", "yes");
        command.env_remove("LUDUS_DATABASE").stdout(Stdio::null()).stderr(Stdio::null());
        if !database.is_empty() {
            command.env("LUDUS_DATABASE", database);
        }
        if !token.is_empty() {
            command.env("LUDUS_WORKER_TOKEN", token);
        }
        Ok(Program(command.spawn().context("ludus-judge is missing")?))
    }

    /// Waits until it has prepared its compilers, which it does in processes of its own
    /// when it is started, and which would be measured, too.
    fn settle(&mut self) -> Result<()> {
        let tasks = format!("/proc/{}/task", self.0.id());
        let mut quiet = 0;
        while quiet < QUIET {
            ensure!(self.0.try_wait()?.is_none(), "ludus-judge has ended");
            let mut tasks = std::fs::read_dir(&tasks)?.flatten();
            let is_busy = tasks.any(|task| {
                std::fs::read_to_string(task.path().join("children")).is_ok_and(|children| !children.is_empty())
            });
            quiet = if is_busy { 0 } else { quiet + 1 };
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

/// Looks at a program without children after which it has settled.
const QUIET: usize = 30;

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Matches per second of `ludus arena`, with modules that it has translated before.
fn arena(game: &str, matches: usize, folder: &Path) -> Result<Pace> {
    let program = shared::program()?.with_file_name("ludus");
    let run = |matches: usize| {
        let mut command = Command::new(&program);
        command.args(["arena", game]).args(NAMES.map(|name| format!("{name}.wasm")));
        command.args(["-n", &matches.to_string(), "-j", CORES]).current_dir(folder);
        let done = command.env("XDG_CACHE_HOME", folder.join("arena")).stdout(Stdio::null()).stderr(Stdio::null());
        ensure!(done.status().context("ludus is missing")?.success(), "ludus arena failed");
        Ok(())
    };
    run(4)?;
    // What it takes to start and to show results is not what is compared.
    let few = trainings::warm_up(matches);
    let begun = Moment::now()?;
    run(few)?;
    let started = Moment::now()?;
    run(few + matches)?;
    let (few, all) = (begun.until(&started), started.until(&Moment::now()?));
    Ok(Span { time: all.time - few.time, cpu: all.cpu.saturating_sub(few.cpu) }.of(matches))
}
