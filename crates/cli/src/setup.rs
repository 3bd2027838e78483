//! What all matches of a command have in common: config, limits, threads.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::replay::PackedConfig;
use ludus_arena::{Entrant, Fixture};
use ludus_games::{Config, Game, PerSeat, Seat};
use ludus_sandbox::{LIMITS_VERSION, Limits, build::hash};

use crate::config_text::{config_error, read_config_file};
use crate::contestants::Contestant;
use crate::limits::LimitArgs;
use crate::player_log::MatchLog;
use crate::shell;

/// Threads beyond this many only get in each other's way.
const MOST_JOBS: usize = 256;

#[derive(clap::Args)]
pub struct SetupArgs {
    /// Matches played at the same time [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Keep what players write in every match, round by round, in this folder
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

pub struct Setup {
    pub game: &'static dyn Game,
    /// At least one.
    pub boards: Vec<Board>,
    pub limits: Limits,
    pub jobs: usize,
    log: Option<PathBuf>,
}

/// A config to play on.
pub struct Board {
    pub config: Box<dyn Config>,
    pub text: PackedConfig,
    /// What it is called in messages.
    pub name: String,
    /// The file of the config, unless it is the default one.
    pub file: Option<String>,
    /// The SHA-256 of the config's text.
    pub hash: String,
}

impl Board {
    fn read(game: &dyn Game, file: Option<&Path>) -> Result<Board> {
        let (text, name) = read_config_file(game, file)?;
        let config = game.read_config(&text).map_err(|error| config_error(&name, &error))?;
        let (hash, text) = (hash(&[&text]), PackedConfig::new(&text));
        Ok(Board { config, text, name, file: file.map(|path| path.display().to_string()), hash })
    }
}

impl Setup {
    /// The configs of these files, or the game's default one.
    pub fn resolve(game: &'static dyn Game, configs: &[PathBuf], args: &SetupArgs) -> Result<Setup> {
        // Nobody reads what players write in thousands of matches, unless it is kept.
        let output = if args.log.is_some() { Limits::OUTPUT } else { 0 };
        let limits = Limits { output, ..args.limits.resolve(game)? };
        if let Some(folder) = &args.log {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let jobs = match args.jobs {
            None => std::thread::available_parallelism().map_or(1, NonZero::get),
            Some(jobs) if (1..=MOST_JOBS).contains(&jobs) => jobs,
            Some(jobs) => bail!("--jobs must be from 1 to {MOST_JOBS}, found {jobs}"),
        };
        let boards = match configs {
            [] => vec![Board::read(game, None)?],
            files => files.iter().map(|file| Board::read(game, Some(file))).collect::<Result<_>>()?,
        };
        Ok(Setup { game, boards, limits, jobs, log: args.log.clone() })
    }

    /// The first config, where there is only one.
    pub fn board(&self) -> &Board {
        &self.boards[0]
    }

    /// The rounds of a match, or an error if the board cannot be made; said
    /// before anybody waits for results.
    pub fn check_boards(&self, seed: i32) -> Result<u32> {
        let rounds = self.boards.iter().map(|board| {
            let engine = board.config.start(seed).map_err(|error| config_error(&board.name, &error))?;
            Ok(engine.state().rounds())
        });
        rounds.collect::<Result<Vec<u32>>>().map(|rounds| rounds[0])
    }

    /// The command that plays a match alone, its players given by words.
    pub fn command_for(&self, board: &Board, words: PerSeat<&str>, seed: i32) -> String {
        let mut command = vec!["ludus".to_owned(), "play".to_owned(), self.game.about().id.to_owned()];
        command.extend(words.map(shell::quoted));
        command.push(format!("-s {seed}"));
        command.extend(board.file.as_ref().map(|file| format!("-i {}", shell::quoted(file))));
        command.join(" ")
    }

    pub fn enter(&self, contestant: &Contestant, seed: i32, seat: Seat) -> Entrant {
        contestant.enter(&self.limits, seed, seat)
    }

    /// What takes down what players write in a match, if that is wanted.
    pub fn match_log(&self, fixture: &Fixture, contestants: &[Contestant]) -> Option<MatchLog> {
        let folder = self.log.as_ref()?;
        let files = Seat::ALL.map(|seat| {
            let player = &contestants[fixture.seats[seat]];
            let name = format!("{:06}-seed{}-{}-{}.log", fixture.number, fixture.seed, seat.ordinal(), player.name);
            (!player.is_builtin()).then(|| folder.join(name))
        });
        Some(MatchLog::new(files))
    }

    /// The limits as they are written down.
    pub fn limits_json(&self) -> serde_json::Value {
        let Limits { fuel, fuel_per_round, memory, metered, .. } = self.limits;
        serde_json::json!({
            "version": LIMITS_VERSION, "fuel": fuel, "fuel_per_round": fuel_per_round, "memory": memory, "metered": metered,
        })
    }

    /// The limits in words.
    pub fn limits_text(&self) -> String {
        let Limits { fuel, fuel_per_round, memory, metered, .. } = self.limits;
        if !metered {
            return "none".to_owned();
        }
        let per_round = fuel_per_round.map_or(String::new(), |fuel| format!(" and {fuel} a round"));
        format!("{fuel} units of fuel a match{per_round}, {} MiB of memory", memory >> 20)
    }
}

/// The seeds of `A..B`, both of them included.
pub fn parse_seeds(game: &dyn Game, text: &str) -> Result<(i32, i32)> {
    let shown = text.escape_debug();
    let (first, last) = text
        .split_once("..")
        .and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)))
        .ok_or_else(|| anyhow!("--seeds must be two integers like 1..100, found '{shown}'"))?;
    let smallest = game.about().smallest_seed;
    if first < smallest {
        bail!("--seeds {shown}: seeds of {} start at {smallest}", game.about().id);
    }
    if first > last {
        bail!("--seeds {shown}: the first seed is larger than the last");
    }
    Ok((first, last))
}
