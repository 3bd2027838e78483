//! What an official round costs beside its bare matches.
//!
//! `cargo run --release -p ludus-judge --example round_cost -- GAME PLAYERS`
//! compares the CPU of everything that the judge does for one round, on SQLite,
//! with the CPU of loading the modules once and playing the same matches on the
//! same seeds, as `ludus arena` does. The judge's program must be built in the
//! same profile. With `nats` as a third word the matches are carried by a NATS
//! server to a worker, and the CPU of all of them is counted.

mod shared;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use ludus_arena::season::Contender;
use ludus_arena::{Entrant, Match, Player, builtin};
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::database::{Database, now};
use ludus_judge::jobs::Environment;
use ludus_judge::local_machine::LocalMachine;
use ludus_judge::official::director::Director;
use ludus_judge::official::rounds;
use ludus_judge::queue::Queue;
use ludus_judge::seasons::Season;
use ludus_judge::store::Store;
use ludus_judge::worker;
use ludus_sandbox::Sandbox;
use shared::broker::Broker;
use shared::cpu;

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let game = ludus_games::find(&words.next().context("say which game")?).context("there is no such game")?;
    let players: usize = words.next().context("say how many players")?.parse()?;
    let folder = std::env::temp_dir().join(format!("round-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let carried = words.next().is_some_and(|word| word == "nats");
    let cost = measure(game, players, folder.canonicalize()?, carried).await;
    std::fs::remove_dir_all(&folder)?;
    cost
}

async fn measure(game: &'static dyn Game, players: usize, folder: PathBuf, carried: bool) -> Result<()> {
    let cache = folder.join("cache");
    let modules = shared::modules(game, players, &cache)?;
    let (mut environment, director, season) = set_up(game, &modules, &folder).await?;
    let store = Store::open(&folder.join("store").display().to_string())?;
    let broker = if carried { Some(Broker::start(&mut environment, &folder, &store, &cache, 2).await?) } else { None };
    let carrying = || broker.as_ref().map_or(Ok(Duration::ZERO), |broker| cpu(&broker.id(), false));
    director.turn(now()).await?;
    let round = rounds::under_way(environment.database.read(), season.id).await?.context("no round")?;
    let (begun, before) = (Instant::now(), cpu("self", true)? + carrying()?);
    director.start(&season, &round).await?;
    worker::until_idle(&environment).await;
    let (judge, wall) = (cpu("self", true)? + carrying()? - before, begun.elapsed());
    let round = rounds::by_id(environment.database.read(), round.id).await?;
    let whole = rounds::whole(&environment.database, round).await?.context("no field")?;
    whole.round.elimination.context("the round is not over")?;
    let before = cpu("self", true)?;
    load(&modules, &cache)?;
    let loading = cpu("self", true)? - before;
    let before = cpu("self", true)?;
    let matches = bare(game, &whole, &modules, &cache, &season)?;
    let bare = cpu("self", true)? - before;
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

async fn set_up(game: &dyn Game, modules: &[Vec<u8>], folder: &Path) -> Result<(Environment, Director, Season)> {
    let database = Database::open(&Database::url_of_file(&folder.join("judge.sqlite"))).await?;
    let store = Store::open(&folder.join("store").display().to_string())?;
    let season = shared::season(&database, game, "cost", None).await?;
    shared::students(&database, &store, &season, modules).await?;
    let queue = Queue::new(database.clone(), Queue::LEASE);
    let machine = LocalMachine::open_with(shared::program()?, &folder.join("cache"), store)?;
    let director = Director { database: database.clone(), queue: queue.clone(), zone: jiff::tz::TimeZone::UTC };
    let environment = Environment { database, queue, machines: Arc::new(machine), quarantine: None };
    Ok((environment, director, season))
}

fn load(modules: &[Vec<u8>], cache: &Path) -> Result<Vec<ludus_sandbox::PlayerModule>> {
    let sandbox = Sandbox::new(4).map_err(|error| anyhow!("{error}"))?;
    Ok(modules.iter().map(|module| sandbox.load_cached(module, cache)).collect::<Result<_, _>>()?)
}

/// The same matches, with modules loaded once and nothing kept.
fn bare(
    game: &'static dyn Game,
    whole: &rounds::Whole,
    modules: &[Vec<u8>],
    cache: &Path,
    season: &Season,
) -> Result<usize> {
    let loaded = load(modules, cache)?;
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
