//! The sandbox as its users meet it. One program, so that it is linked once and
//! its tests share what they compile.
#![allow(clippy::unwrap_used)]

mod crafted;
mod deaths;
mod door;
mod drawing;
mod echo;
mod fuzz;
mod habits;
mod hostile;
mod hostile_modules;
#[cfg(target_arch = "x86_64")]
mod jail;
mod meter;
mod null_page;
mod players;
mod rust_player;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use ludus_arena::{Entrant, Match, builtin};
use ludus_games::{Config, Game, Seat};
use ludus_sandbox::build::{Builder, MOST_KEPT};
use ludus_sandbox::{Limits, PlayerModule, Sandbox};

fn sandbox() -> &'static Sandbox {
    static SANDBOX: OnceLock<Sandbox> = OnceLock::new();
    SANDBOX.get_or_init(|| Sandbox::new(64).unwrap())
}

/// A folder of ours that is kept between runs, and never the user's own.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A file of a cache that was not used for decades, and alone is more than the
/// cache keeps. It is empty space, and takes none on the disk.
fn forgotten(folder: &Path) -> PathBuf {
    let path = folder.join("0".repeat(64));
    let file = File::create(&path).unwrap();
    file.set_len(MOST_KEPT + 1).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(86_400)).unwrap();
    path
}

/// What is compiled is compiled once for all tests.
fn builder() -> Builder {
    Builder::jailed(kept("players-cache")).unwrap()
}

/// A module of a good player, translated once for all tests.
fn load(wasm: &[u8]) -> PlayerModule {
    sandbox().load_cached(wasm, &kept("players-cache")).unwrap()
}

fn ants() -> &'static dyn Game {
    ludus_games::find("ants").unwrap()
}

/// The default config of Ants with so many rounds.
fn short_ants(rounds: i32) -> Box<dyn Config> {
    let text = ants().about().default_config.replace("NUM_ROUNDS          250", &format!("NUM_ROUNDS {rounds}"));
    ants().read_config(text.as_bytes()).unwrap()
}

/// A match of a module in one seat against the Demo of the game in the others.
fn against_demo(
    game: &dyn Game,
    config: &dyn Config,
    seed: i32,
    in_seat: usize,
    module: &PlayerModule,
    limits: &Limits,
) -> Match {
    let demo = game.about().players.iter().find(|player| player.name == "Demo").unwrap();
    let entrants = Seat::ALL.map(|seat| match seat.index() == in_seat {
        true => Entrant { name: "Tested".to_owned(), player: Box::new(module.player(limits.clone(), seed, seat)) },
        false => Entrant { name: "Demo".to_owned(), player: builtin(demo, seed, seat) },
    });
    Match::new(config, seed, entrants).unwrap()
}
