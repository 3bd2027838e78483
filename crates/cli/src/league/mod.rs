//! `ludus league`: a folder that keeps a running league.
//!
//! The folder holds `league.json` (what is played, and who takes part),
//! `config.cnf`, the modules of the players, and `matches`, the journal of every
//! match that was ever played in it. Everything else is worked out from these:
//! `table.txt` and `report.html` are written anew after every run.

mod folder;
mod play;
mod report;
mod standings;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Result, bail};

use crate::setup::SetupArgs;
use crate::{interrupt, names};
use folder::League;
use standings::Standings;

/// Keep a running league of players in a folder
#[derive(clap::Subcommand)]
#[command(
    about = "Keep a running league of players in a folder",
    after_help = "\
Players meet whom they can learn most from: those of whom little is known, and
those of about their strength. A version that is added tonight plays until its
place is known; the others play only as its rivals, and no match is played twice.

Examples:
  ludus league new evening ants Demo Dummy Veteran
  ludus league add evening Marta7=v7/AIMarta.cc Marta8=AIMarta.cc
  ludus league play evening
  ludus league show evening"
)]
pub enum Command {
    /// Begin a league in a new folder
    New(NewArgs),
    /// Add players, or new versions of them, under names of their own
    Add(AddArgs),
    /// Play matches until every player's place is known, or so many
    Play(PlayArgs),
    /// Show the table
    Show(ShowArgs),
}

#[derive(clap::Args)]
pub struct NewArgs {
    /// The folder, which must be new or empty
    folder: PathBuf,
    /// The game; `ludus list` shows them
    game: String,
    /// The first players, like those of `ludus arena`
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// The config file, instead of the game's default
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
}

#[derive(clap::Args)]
pub struct AddArgs {
    folder: PathBuf,
    /// Names of built-in players or of players in this folder, .cc, .rs and .wasm
    /// files, or NAME=PLAYER
    #[arg(required = true, value_name = "PLAYER")]
    players: Vec<String>,
}

#[derive(clap::Args)]
pub struct PlayArgs {
    folder: PathBuf,
    /// The most matches of this run [default: until all places are known]
    #[arg(short = 'n', long, value_name = "N")]
    matches: Option<u64>,
    #[command(flatten)]
    setup: SetupArgs,
}

#[derive(clap::Args)]
pub struct ShowArgs {
    folder: PathBuf,
}

pub fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::New(args) => {
            let game = names::game(&args.game)?;
            League::begin(&args.folder, game, args.input.as_deref(), &args.players)?;
            let (folder, id, count) = (args.folder.display(), game.about().id, args.players.len());
            eprintln!("{folder} is a league of {id} with {count} {}", if count == 1 { "player" } else { "players" });
        }
        Command::Add(args) => {
            let mut league = League::open(&args.folder)?;
            let added = league.add(&args.players)?;
            eprintln!("added {}; 'ludus league play {}' lets them play", added.join(", "), args.folder.display());
        }
        Command::Play(args) => return play(args),
        Command::Show(args) => {
            let league = League::open(&args.folder)?;
            let standings = Standings::read(&league)?;
            write!(std::io::stdout(), "{}", standings.table(&league))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn play(args: &PlayArgs) -> Result<ExitCode> {
    let league = League::open(&args.folder)?;
    if league.players.len() < 4 {
        bail!("a match has 4 players, and the league has {}; add more with 'ludus league add'", league.players.len());
    }
    let stop = interrupt::flag()?;
    let standings = play::run(&league, &args.setup, args.matches.unwrap_or(u64::MAX), &stop)?;
    let table = standings.table(&league);
    league.write("table.txt", table.as_bytes())?;
    league.write("report.html", report::page(&league, &standings).as_bytes())?;
    write!(std::io::stdout(), "{table}")?;
    Ok(if stop.load(Ordering::Relaxed) { ExitCode::from(interrupt::STOPPED) } else { ExitCode::SUCCESS })
}
