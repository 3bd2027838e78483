//! A course in which somebody asks for many training matches of four players.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use ludus_games::Game;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::Database;
use ludus_judge::ids::AccountId;
use ludus_judge::intake::Quota;
use ludus_judge::jobs::Environment;
use ludus_judge::local_machine::LocalMachine;
use ludus_judge::queue::Queue;
use ludus_judge::remote::enrolment::{self, Scope};
use ludus_judge::remote::handing;
use ludus_judge::seasons::Season;
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::training::{self, Request, Seating};
use ludus_judge::worker::Stop;
use ludus_sandbox::build::{Builder, Language as SourceLanguage};
use ludus_sandbox::source::renamed;
use tokio::task::JoinSet;

use super::broker::Broker;

/// Matches before the clock is started: programs start, and find out how many small
/// matches are best played together.
pub fn warm_up(matches: usize) -> usize {
    (matches / 4).max(100)
}

pub const NAMES: [&str; 4] = ["Player0", "Player1", "Player2", "Player3"];

/// Four modules that differ in their names, also as files in a folder.
pub fn modules(game: &dyn Game, player: &str, folder: &Path) -> Result<Vec<Vec<u8>>> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../content"));
    let path = path.join(game.about().id).join("players").join(format!("{player}.cc"));
    let source = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    std::fs::create_dir_all(folder.join("cache"))?;
    let builder = Builder::jailed(folder.join("cache"))?;
    let mut modules = Vec::new();
    for name in NAMES {
        let source = renamed(&source, SourceLanguage::Cpp, name).context("the player has no name")?;
        let wasm = builder.build(game.about().id, SourceLanguage::Cpp, source.as_bytes())?;
        std::fs::write(folder.join(format!("{name}.wasm")), &wasm)?;
        modules.push(wasm);
    }
    Ok(modules)
}

/// A moment by the clock, and by the CPU of all programs that take part: those in the
/// control group whose file `LUDUS_CPU_USAGE` names.
pub struct Moment(Instant, Duration);

impl Moment {
    pub fn now() -> Result<Moment> {
        let used = match std::env::var_os("LUDUS_CPU_USAGE") {
            Some(file) => Duration::from_nanos(std::fs::read_to_string(file)?.trim().parse()?),
            None => Duration::ZERO,
        };
        Ok(Moment(Instant::now(), used))
    }

    pub fn until(&self, end: &Moment) -> Span {
        Span { time: end.0 - self.0, cpu: end.1 - self.1 }
    }
}

/// What something took.
pub struct Span {
    pub time: Duration,
    pub cpu: Duration,
}

impl Span {
    pub fn of(&self, matches: usize) -> Pace {
        let each = |time: Duration| time.as_secs_f64() / matches as f64;
        Pace { per_second: 1.0 / each(self.time), cpu: 1e6 * each(self.cpu) }
    }
}

/// Matches per second, and the CPU of each in microseconds, if it is known.
pub struct Pace {
    pub per_second: f64,
    pub cpu: f64,
}

impl Pace {
    /// Beside another one. On a busy machine the share by CPU says more.
    pub fn told(&self, other: &Pace) -> String {
        let share = 100.0 * self.per_second / other.per_second;
        let mut told = format!("{:.0} matches/s, {share:.0} %", self.per_second);
        if self.cpu > 0.0 {
            told += &format!("; {:.0} µs of CPU each, {:.0} %", self.cpu, 100.0 * other.cpu / self.cpu);
        }
        told
    }
}

pub struct Site {
    pub environment: Environment,
    pub store: Store,
    season: Season,
    asking: AccountId,
}

impl Site {
    pub async fn set_up(
        game: &'static dyn Game,
        modules: &[Vec<u8>],
        database: Database,
        folder: &Path,
    ) -> Result<Site> {
        let store = Store::open(&folder.join("store").display().to_string())?;
        let season = super::season(&database, game, game.about().id, Some(3_600_000)).await?;
        super::students(&database, &store, &season, modules).await?;
        let queue = Queue::new(database.clone(), Queue::LEASE);
        let machine = LocalMachine::open_with(super::program()?, &folder.join("cache"), store.clone())?;
        for module in modules {
            // Translated when they are verified.
            machine.playroom().introduce(module)?.map_err(|why| anyhow!("{why}"))?;
        }
        let mut tx = database.begin().await?;
        let (email, name) = ("i@x.edu".to_owned(), "Instructor".to_owned());
        let new = NewAccount { email, name, team: String::new(), role: Role::Instructor };
        let asking = accounts::add(&mut tx, &new, Language::English).await?;
        tx.commit().await?;
        let environment = Environment { database, queue, machines: Arc::new(machine), quarantine: None };
        Ok(Site { environment, store, season, asking })
    }

    /// Asks for matches that nobody may play yet: who asks takes much from those who play.
    pub async fn prepare(&self, matches: usize) -> Result<()> {
        self.ask(warm_up(matches) + matches).await?;
        self.put("UPDATE jobs SET state = 'parked' WHERE state = 'waiting' AND id > $1", 0).await
    }

    /// Matches per second of programs that have been started, after some for a start.
    pub async fn elsewhere(&self, matches: usize) -> Result<Pace> {
        let first = "UPDATE jobs SET state = 'waiting' WHERE id IN (SELECT id FROM jobs ORDER BY id LIMIT $1)";
        self.put(first, warm_up(matches) as i64).await?;
        self.until_idle().await?;
        self.put("UPDATE jobs SET state = 'waiting' WHERE state = 'parked' AND id > $1", 0).await?;
        let (done, begun) = (self.done().await?, Moment::now()?);
        self.until_idle().await?;
        let pace = begun.until(&Moment::now()?).of(warm_up(matches) + matches - done);
        self.check(warm_up(matches) + matches).await?;
        Ok(pace)
    }

    async fn put(&self, statement: &'static str, value: i64) -> Result<()> {
        sqlx::query(statement).bind(value).execute(self.environment.database.write()).await?;
        Ok(())
    }

    /// Waits until nothing is left to be played. Two looks into an index take nothing
    /// worth speaking of from those who play; to count what is done would.
    async fn until_idle(&self) -> Result<()> {
        let left = "SELECT COALESCE((SELECT MIN(priority) + 1 FROM jobs WHERE state = 'waiting' AND not_before = 0), 0)
             + COALESCE((SELECT MAX(id) FROM jobs WHERE state = 'running'), 0)";
        while sqlx::query_scalar::<_, i64>(left).fetch_one(self.environment.database.read()).await? > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Jobs that are done.
    async fn done(&self) -> Result<usize> {
        let done = "SELECT COUNT(*) FROM jobs WHERE state = 'done' AND kind = 'match'";
        Ok(sqlx::query_scalar::<_, i64>(done).fetch_one(self.environment.database.read()).await? as usize)
    }

    async fn check(&self, matches: usize) -> Result<()> {
        let kept = "SELECT COUNT(*) FROM matches WHERE played = 1 AND replay IS NOT NULL";
        let kept: i64 = sqlx::query_scalar(kept).fetch_one(self.environment.database.read()).await?;
        ensure!(kept >= matches as i64, "{kept} of {matches} matches have a result");
        Ok(())
    }

    /// Matches per second with the workers of a broker.
    pub async fn carried(&self, broker: &Broker, matches: usize) -> Result<f64> {
        self.ask(matches).await?;
        let (begun, stop) = (Instant::now(), Stop::default());
        let mut handing = JoinSet::new();
        handing.spawn(handing::run(self.environment.clone(), broker.fleet.clone(), stop.clone()));
        self.finished(matches, begun, &stop, handing).await
    }

    async fn finished(&self, matches: usize, begun: Instant, stop: &Stop, mut workers: JoinSet<()>) -> Result<f64> {
        let left = "SELECT COUNT(*) FROM jobs WHERE state <> 'done'";
        while sqlx::query_scalar::<_, i64>(left).fetch_one(self.environment.database.read()).await? > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let pace = matches as f64 / begun.elapsed().as_secs_f64();
        stop.now();
        while workers.join_next().await.is_some() {}
        self.check(matches).await?;
        Ok(pace)
    }

    /// Asks for so many matches, in sets as large as there may be.
    async fn ask(&self, matches: usize) -> Result<()> {
        let Environment { database, queue, .. } = &self.environment;
        let account = accounts::find(database, self.asking).await?.context("nobody asks")?;
        let quota = Quota { training_per_day: i64::MAX / 2, training_bytes: i64::MAX / 2, ..Quota::default() };
        let (season, seating) = (&self.season, Seating::Turning);
        let mut left = matches as i64;
        while left > 0 {
            let some = left.min(training::MOST_MATCHES);
            let request =
                Request { account: &account, season, players: NAMES, seating, seed: left, matches: some, quota };
            let asked = training::ask(database, queue, &request).await?;
            asked.map_err(|refusal| anyhow!("{refusal:?}"))?;
            left -= some;
        }
        Ok(())
    }
}

/// A token for a worker.
pub async fn token(site: &Site) -> Result<String> {
    let mut tx = site.environment.database.begin().await?;
    let made = enrolment::make(&mut tx, AccountId(1), "one", Some(Scope::Play)).await?;
    tx.commit().await?;
    Ok(made.map_err(|refusal| anyhow!("{refusal:?}"))?.text())
}
