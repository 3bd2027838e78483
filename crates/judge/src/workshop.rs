//! The machines of the judge: compiling a file and playing a match.
//!
//! Nothing here knows the database. What a player does wrong is a result; an
//! error is the judge's own trouble, and the work is tried again.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::replay::Recorder;
use ludus_arena::{Entrant, Match, Player, builtin};
use ludus_games::{Game, PerSeat, Seat};
use ludus_sandbox::build::{BuildError, Builder, Language};
use ludus_sandbox::{Limits, PlayerModule, Sandbox};

use crate::faults::{self, Seam};
use crate::film::CpuMeter;
use crate::matches::{Played, SeatResult};
use crate::seasons::Season;
use crate::store::Store;
use crate::submissions::Reason;
use crate::trouble::Trouble;

/// The time that four players may take for a match, whatever they do: this and
/// their fuel, burnt as slowly as on the slowest host. It protects the host when
/// counting fuel does not. A match that reaches it is played again: the host was
/// too busy, or has a fault of its own.
const LONGEST_MATCH: Duration = Duration::from_secs(120);
const SLOWEST_FUEL_PER_SECOND: u64 = 400_000_000;

fn longest_match(limits: &Limits) -> Duration {
    LONGEST_MATCH + Duration::from_secs(Seat::COUNT as u64 * limits.fuel / SLOWEST_FUEL_PER_SECOND)
}

#[derive(Clone)]
pub struct Workshop {
    builder: Builder,
    sandbox: Sandbox,
    store: Store,
}

/// What compiling came to.
pub enum Compiled {
    /// The hash of the module in the store, and its size.
    Module {
        hash: String,
        bytes: usize,
    },
    Rejected(Reason, String),
}

/// A player in a seat of a match to be played.
#[derive(Clone, Debug)]
pub struct Seated {
    pub name: String,
    /// The hash of its module, or none for a player that comes with the game.
    pub module: Option<String>,
}

impl Workshop {
    /// Refuses to be made where strangers' code could not be locked in.
    pub fn open(cache: &Path, store: Store, workers: usize) -> Result<Workshop> {
        // What is compiled beforehand remembers where it was, and the jail shows
        // nothing of the ways that lead there over links.
        std::fs::create_dir_all(cache).with_context(|| format!("cannot make the folder {}", cache.display()))?;
        let builder = Builder::jailed(cache.canonicalize()?)?;
        let instances = u32::try_from(workers * Seat::COUNT + Seat::COUNT)?;
        let sandbox = Sandbox::new(instances).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
        Ok(Workshop { builder, sandbox, store })
    }

    /// Compiles what the players of a game share, so that the first student
    /// does not wait for it.
    pub fn warm_up(&self, game: &dyn Game) -> Result<()> {
        let nothing = b"int ludus_warm_up;";
        match self.builder.build(game.about().id, Language::Cpp, nothing) {
            // It has no player in it, so that it need not link.
            Ok(_) | Err(BuildError::Compiler(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the store can be written to and the jail works.
    pub fn probe(&self) -> Result<(), Trouble> {
        self.store.probe().map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Store))?;
        let looked = faults::at(Seam::Jail).map_err(anyhow::Error::from);
        let looked = looked.and_then(|()| Ok(self.builder.check()?));
        looked.map_err(|error| Trouble::of(&error).unwrap_or(Trouble::Jail))
    }

    /// From a source to a module that is ready to play.
    pub fn compile(&self, season: &Season, name: &str, language: Language, source: &[u8]) -> Result<Compiled> {
        let rejected = |reason, detail: String| Ok(Compiled::Rejected(reason, detail));
        let wasm = match self.builder.build(&season.game, language, source) {
            Ok(wasm) => wasm,
            Err(BuildError::Compiler(messages)) => return rejected(Reason::Compiler, printable(&messages)),
            Err(BuildError::TooSlow(seconds)) => return rejected(Reason::Slow, seconds.to_string()),
            Err(error) if error.is_of_the_source() => return rejected(Reason::Compiler, error.to_string()),
            // A machine without this one compiler is not in trouble with the others' work.
            Err(error @ (BuildError::Missing { .. } | BuildError::RustSdk(_))) if language == Language::Rust => {
                bail!("players in Rust cannot be compiled: {error}")
            }
            Err(error) => return Err(error.into()),
        };
        let introduction = self.sandbox.load_cached(&wasm, self.builder.cache()).and_then(|module| module.introduce());
        match introduction {
            Err(refused) => rejected(Reason::Module, printable(&refused.to_string())),
            Ok(introduction) if introduction.game != season.game => {
                let game = printable(&introduction.game);
                rejected(Reason::Module, format!("it is a player of {game}, not of {}", season.game))
            }
            Ok(introduction) if introduction.name.is_empty() => {
                rejected(Reason::Module, "it registers no player".to_owned())
            }
            Ok(introduction) if introduction.name != name => {
                rejected(Reason::OtherName, printable(&introduction.name).chars().take(40).collect())
            }
            Ok(_) => Ok(Compiled::Module { hash: self.store.put(&wasm)?, bytes: wasm.len() }),
        }
    }

    /// Plays a match and keeps its replay.
    pub fn play(&self, season: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let game = season.rules_of_game()?;
        let seed = i32::try_from(seed)?.max(game.about().smallest_seed);
        let modules = self.modules(players)?;
        let limits = season.limits();
        let entrants = Seat::ALL.map(|seat| {
            let player: Result<Box<dyn Player>> = match &modules[seat] {
                Some(module) => Ok(Box::new(module.player(limits.clone(), seed, seat))),
                None => find_builtin(game, &players[seat].name).map(|player| builtin(player, seed, seat)),
            };
            player.map(|player| Entrant { name: players[seat].name.clone(), player })
        });
        let [a, b, c, d] = entrants;
        let config = season.read_config()?;
        let played = Match::new(&*config, seed, [a?, b?, c?, d?]).map_err(|error| anyhow!("the config: {error}"))?;
        let played = played.judged();
        let recorder = Recorder::new(game, season.config.as_bytes(), &played);
        self.play_out(played, recorder, longest_match(&limits))
    }

    fn play_out(&self, mut game: Match, mut recorder: Recorder, longest: Duration) -> Result<Played> {
        let started = Instant::now();
        let mut outputs: PerSeat<Vec<u8>> = PerSeat::default();
        let mut cpu = CpuMeter::new(&game);
        while !game.is_over() {
            game.play_round().map_err(|stuck| anyhow!("{stuck}"))?;
            recorder.round(&game);
            cpu.round(&game);
            Seat::ALL.iter().for_each(|&seat| game.take_output(seat, &mut outputs[seat]));
            if started.elapsed() > longest {
                bail!("a match took longer than {} s", longest.as_secs());
            }
        }
        let outcome = game.outcome();
        let replay = recorder.finish(&game);
        let bytes = replay.len() + outputs.iter().map(Vec::len).sum::<usize>();
        let replay = self.store.put(&replay)?;
        let mut seats = Vec::new();
        for (seat, result) in Seat::ALL.into_iter().zip(outcome.seats) {
            let output = &outputs[seat];
            seats.push(SeatResult {
                seat: seat.index() as i64,
                name: result.name,
                submission: None,
                author: None,
                score: Some(result.score),
                rank: Some(result.rank as i64),
                cpu: Some(if result.status.is_frozen() { -1 } else { (result.status.fraction() * 1e6).round() as i64 }),
                fault: result.fault.map(|(round, fault)| (i64::from(round), printable(&fault.to_string()))),
                output: if output.is_empty() { None } else { Some(self.store.put(output)?) },
            });
        }
        Ok(Played { rounds: outcome.rounds, replay, seats, cpu: cpu.finish().pack(), bytes })
    }

    /// The modules of the players, each loaded once.
    fn modules(&self, players: &PerSeat<Seated>) -> Result<PerSeat<Option<Arc<PlayerModule>>>> {
        let mut modules: PerSeat<Option<Arc<PlayerModule>>> = PerSeat::default();
        for seat in Seat::ALL {
            let Some(hash) = &players[seat].module else { continue };
            let same =
                Seat::ALL.into_iter().find(|&other| other < seat && players[other].module.as_ref() == Some(hash));
            modules[seat] = match same {
                Some(other) => modules[other].clone(),
                None => {
                    let wasm = self.store.get(hash)?;
                    let module = self.sandbox.load_cached(&wasm, self.builder.cache());
                    Some(Arc::new(module.with_context(|| format!("the module {hash}"))?))
                }
            };
        }
        Ok(modules)
    }
}

/// What strangers' code made somebody say, as text that every database keeps.
pub fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn find_builtin(game: &'static dyn Game, name: &str) -> Result<&'static ludus_games::game::Builtin> {
    let players = game.about().players;
    players.iter().find(|player| player.name == name).ok_or_else(|| anyhow!("{} has no player {name}", game.about().id))
}
