//! What an official round costs beside its bare matches.
//!
//! `cargo run --release -p ludus-judge --example round_cost -- GAME PLAYERS`
//! compiles the strongest C++ example of a game, gives every player a module of
//! its own that plays the same, and compares the CPU of everything that the
//! judge does for one round, on SQLite, with the CPU of loading the modules once
//! and playing the same matches on the same seeds. The judge's program must be
//! built in the same profile.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::season::Contender;
use ludus_arena::{Entrant, Match, Player, builtin};
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::jobs::Environment;
use ludus_judge::official::director::Director;
use ludus_judge::official::rounds;
use ludus_judge::queue::Queue;
use ludus_judge::seasons::{self, Season};
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::workshop::Workshop;
use ludus_judge::{course, worker};
use ludus_sandbox::Sandbox;
use ludus_sandbox::build::{Builder, Language as SourceLanguage};

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let game = ludus_games::find(&words.next().context("say which game")?).context("there is no such game")?;
    let players: usize = words.next().context("say how many players")?.parse()?;
    let folder = std::env::temp_dir().join(format!("round-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cost = measure(game, players, folder.canonicalize()?).await;
    std::fs::remove_dir_all(&folder)?;
    cost
}

async fn measure(game: &'static dyn Game, players: usize, folder: PathBuf) -> Result<()> {
    let cache = folder.join("cache");
    std::fs::create_dir_all(&cache)?;
    let wasm = compile(game, cache.clone())?;
    let modules: Vec<Vec<u8>> = (0..players).map(|k| [&wasm[..], &custom_section(k)].concat()).collect();
    // Translating is done when a player is verified, long before a round.
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("{error}"))?;
    for module in &modules {
        sandbox.load_cached(module, &cache)?;
    }
    let (environment, director, season) = set_up(game, &modules, &folder).await?;
    director.turn(now()).await?;
    let round = rounds::under_way(environment.database.read(), season.id).await?.context("no round")?;
    let (begun, before) = (Instant::now(), cpu()?);
    director.start(&season, &round).await?;
    worker::until_idle(&environment).await;
    let (judge, wall) = (cpu()? - before, begun.elapsed());
    let round = rounds::by_id(environment.database.read(), round.id).await?;
    let whole = rounds::whole(&environment.database, round).await?.context("no field")?;
    whole.round.elimination.context("the round is not over")?;
    let before = cpu()?;
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("{error}"))?;
    for module in &modules {
        sandbox.load_cached(module, &cache)?;
    }
    let loading = cpu()? - before;
    let before = cpu()?;
    let matches = bare(game, &whole, &modules, &cache, &season)?;
    let bare = cpu()? - before;
    let ratio = judge.as_secs_f64() / bare.as_secs_f64();
    println!(
        "{}: {players} players, {matches} matches: the judge {:.2} s CPU ({:.2} s on one worker), bare {:.2} s, of which {:.2} s to load the modules, ratio {ratio:.2}",
        game.about().id,
        judge.as_secs_f64(),
        wall.as_secs_f64(),
        bare.as_secs_f64(),
        loading.as_secs_f64()
    );
    Ok(())
}

/// The strongest example of the game, which is in its content folder.
fn compile(game: &dyn Game, cache: PathBuf) -> Result<Vec<u8>> {
    let id = game.about().id;
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../content")).join(id).join("players");
    let known = ["AINull.cc", "AIDemo.cc"];
    for file in std::fs::read_dir(&folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".cc") && !known.contains(&name.as_str()) {
            println!("{id}: {name}");
            return Ok(Builder::jailed(cache)?.build(id, SourceLanguage::Cpp, &std::fs::read(path)?)?);
        }
    }
    Err(anyhow!("{} has no example", folder.display()))
}

/// A section that changes the hash of a module and nothing else.
fn custom_section(number: usize) -> Vec<u8> {
    let text = format!("player {number:06}");
    let mut section = vec![0, text.len() as u8 + 1, text.len() as u8];
    section.extend_from_slice(text.as_bytes());
    section
}

async fn set_up(
    game: &dyn Game,
    modules: &[Vec<u8>],
    folder: &std::path::Path,
) -> Result<(Environment, Director, Season)> {
    let database = Database::open(&Database::url_of_file(&folder.join("judge.sqlite"))).await?;
    let store = Store::open(&folder.join("store").display().to_string())?;
    course::ensure(&database, "Cost").await?;
    let season = Season { official_at: 0, ..Season::of_game(game.about(), "cost", 0, now() - 1000) };
    seasons::add(&database, &season).await?;
    let season = seasons::find(&database, "cost").await?.context("no season")?;
    let mut tx = database.begin().await?;
    for (k, module) in modules.iter().enumerate() {
        let (name, email) = (format!("Student {k}"), format!("s{k}@x.edu"));
        let new = NewAccount { email, name, team: String::new(), role: Role::Student };
        let id = accounts::add(&mut tx, &new, Language::English).await?;
        sqlx::query(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage,
             module, seed, created_at, decided_at) VALUES ($1, $2, $3, $4, 'x', 'cpp', $5, 'accepted', $6, 1, 1, 1)",
        )
        .bind(season.id)
        .bind(id)
        .bind(format!("Player{k}"))
        .bind(format!("player{k}"))
        .bind(Vec::<u8>::new())
        .bind(store.put(module)?)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    let queue = Queue::new(database.clone(), Queue::LEASE);
    let own = std::env::current_exe()?;
    let program = own.parent().and_then(|folder| folder.parent()).context("no folder")?.join("ludus-judge");
    let workshop = Workshop::open_with(program, &folder.join("cache"), store)?;
    let director = Director { database: database.clone(), queue: queue.clone(), zone: jiff::tz::TimeZone::UTC };
    let environment = Environment { database, queue, machines: Arc::new(workshop), quarantine: None };
    Ok((environment, director, season))
}

/// The same matches, with modules loaded once and nothing kept.
fn bare(
    game: &'static dyn Game,
    whole: &rounds::Whole,
    modules: &[Vec<u8>],
    cache: &std::path::Path,
    season: &Season,
) -> Result<usize> {
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("{error}"))?;
    let mut loaded = Vec::new();
    for module in modules {
        loaded.push(sandbox.load_cached(module, cache)?);
    }
    let config = season.read_config()?;
    let reserve = game.about().player(game.about().reserve).context("no reserve")?;
    let mut matches = 0;
    for official in whole.drawn.stages().iter().flat_map(|stage| stage.matches()) {
        let entrants: PerSeat<Entrant> = Seat::ALL.map(|seat| {
            let player: Box<dyn Player> = match official.seats()[seat] {
                Contender::Of(author) => {
                    Box::new(loaded[author.0 as usize - 1].player(season.limits(), official.seed(), seat))
                }
                Contender::Reserve => builtin(reserve, official.seed(), seat),
            };
            Entrant { name: "x".to_owned(), player }
        });
        let mut played = Match::new(&*config, official.seed(), entrants).map_err(|error| anyhow!("{error}"))?;
        while !played.is_over() {
            played.play_round().map_err(|stuck| anyhow!("{stuck}"))?;
        }
        let scores = Seat::ALL.map(|seat| played.outcome().seats[seat.index()].score);
        if Some(&scores) != official.scores() {
            return Err(anyhow!("{} went otherwise", official.id()));
        }
        matches += 1;
    }
    Ok(matches)
}

/// The CPU of this process and of those that it has waited for.
fn cpu() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields[11..15].iter().map(|field| field.parse().unwrap_or(0)).sum();
    Ok(Duration::from_millis(10 * ticks))
}
