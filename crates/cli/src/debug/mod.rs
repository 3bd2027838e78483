//! `ludus debug`: a seat of a recorded match, played again where one can look.

mod seat_rerun;
mod under;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ludus_arena::Match;
use ludus_arena::replay::{Replay, is_replay};
use ludus_games::{Game, Seat};
use ludus_sandbox::build::Language;

use crate::{contestants, match_file};
use seat_rerun::{Report, SeatRerun};
use under::Under;

/// Play a seat of a replay again, in a debugger or with checks
#[derive(clap::Args)]
#[command(after_help = "\
The rivals give the orders that the replay tells, and the player is asked again
in every round. As long as it answers as it did, the match is the recorded one;
the first answer that differs is told with its round. From then on the player's
new orders are played, unless --as-recorded keeps to the recorded board.

Without another option the player is compiled for this machine with nothing
optimised away and started in gdb, where every function of the SDK can be called:
  (gdb) break ludus_round if round == 80      stops at the beginning of a round
  (gdb) break AIMarta.cc:57                   stops at a line
  (gdb) print cell(3, 4)                      asks the game, inside a method of the player
  (gdb) continue

Examples:
  ludus debug match.ludus --player AIMarta.cc
  ludus debug match.ludus --seat 0 --player AIMarta.cc --round 40
  ludus debug match.ludus --seat 2 --player Marta.rs --valgrind
  ludus debug match.ludus --seat 0 --player AIMarta.cc --sanitize
  ludus debug match.ludus --seat 0 --player AIMarta.cc --sandbox --round 40

Exit status: 0 every answer is as recorded; 1 some differ, or the player died;
2 not done.")]
pub struct Args {
    /// The replay of a match: a .ludus file, from here or from a judge
    file: PathBuf,
    /// The seat to play again, from 0 to 3; if it is not given, that of the player's name
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// The player: a .cc or .rs file, with --sandbox a .wasm file as well, or the name of a
    /// player in this folder
    #[arg(long, value_name = "FILE")]
    player: PathBuf,
    /// Stop in this round; with --sandbox, tell of rounds from this one on
    #[arg(long, value_name = "ROUND")]
    round: Option<u32>,
    /// Run it under valgrind, which sees what was never set
    #[arg(long, group = "under")]
    valgrind: bool,
    /// Compile it with checks of addresses, undefined behaviour and the library
    #[arg(long, group = "under")]
    sanitize: bool,
    /// Run it in the sandbox, as a judge does, and tell of every round
    #[arg(long, group = "under")]
    sandbox: bool,
    /// Run it natively, without a debugger
    #[arg(long, group = "under")]
    native: bool,
    /// Keep to the recorded board even if the player answers otherwise
    #[arg(long)]
    as_recorded: bool,
    /// Keep what the player writes, round by round, in this folder
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(seat) = args.seat.filter(|seat| *seat > 3) {
        bail!("--seat must be from 0 to 3, found {seat}");
    }
    let replay = read(&args.file)?;
    let game = replay.game().with_context(|| args.file.display().to_string())?;
    let round = args.round.filter(|_| !args.sandbox);
    check_round(&replay, args.round)?;
    let player_file = contestants::file_of(&args.player)?;
    check_player(&player_file, args.sandbox)?;
    let seat = seat_of(&replay, &player_file, args.seat)?;
    let under = if args.valgrind {
        Under::Valgrind
    } else if args.sanitize {
        Under::Sanitizers
    } else if args.sandbox {
        Under::Sandbox
    } else if args.native {
        Under::Nothing
    } else {
        Under::Gdb
    };
    let player = under.player(game, &replay, seat, &player_file, round)?;
    let from = args.round.unwrap_or(0);
    let report = Report::new(&replay, seat, under == Under::Sandbox, from, args.log.as_deref())?;
    play(game, &replay, SeatRerun::new(&replay, seat, player, args.as_recorded, report), &args.file)
}

fn read(path: &Path) -> Result<Replay> {
    let bytes = match_file::read(path)?;
    let name = path.display();
    if !is_replay(&bytes) {
        match_file::open(path)?;
        bail!(
            "{name} is a record, which does not hold the orders that players gave: only a replay can be played again"
        );
    }
    Replay::read(&bytes).with_context(|| name.to_string())
}

/// The seat that was asked for, or the one in which the player sat by its name.
/// Tables count seats from 1, so that a wrong number is easily given.
fn seat_of(replay: &Replay, player: &Path, asked: Option<usize>) -> Result<Seat> {
    let own = contestants::registered_names(player);
    let names = &replay.setup.header.names;
    let theirs: Vec<Seat> = Seat::ALL.into_iter().filter(|seat| own.contains(&names[*seat])).collect();
    let all: Vec<String> = Seat::ALL.iter().map(|seat| format!("{} {}", seat.index(), names[*seat])).collect();
    let Some(asked) = asked else {
        return match theirs[..] {
            [only] => Ok(only),
            _ => bail!("say which seat to play again with --seat: {}", all.join(", ")),
        };
    };
    let seat = Seat::ALL[asked];
    if !theirs.is_empty() && !theirs.contains(&seat) {
        eprintln!("note: seat {asked} of the match is {}, another player; seats are {}", names[seat], all.join(", "));
    }
    Ok(seat)
}

fn check_round(replay: &Replay, round: Option<u32>) -> Result<()> {
    match round {
        Some(round) if round >= replay.ending.rounds => {
            bail!("the match has rounds 0 to {}, found --round {round}", replay.ending.rounds.saturating_sub(1))
        }
        _ => Ok(()),
    }
}

fn check_player(path: &Path, sandbox: bool) -> Result<()> {
    if !path.is_file() {
        bail!("there is no player file {}", path.display());
    }
    if Language::of(path).is_none() && !sandbox {
        bail!(
            "{} is no source file: only a .cc or .rs file can be debugged natively, others with --sandbox",
            path.display()
        );
    }
    Ok(())
}

fn play(game: &dyn Game, replay: &Replay, again: SeatRerun<'_>, file: &Path) -> Result<ExitCode> {
    let about = || file.display().to_string();
    let config =
        game.read_config(&replay.setup.config).map_err(|error| anyhow::anyhow!("{error}")).with_context(about)?;
    let engine =
        config.start(replay.setup.header.seed).map_err(|error| anyhow::anyhow!("{error}")).with_context(about)?;
    let mut played = Match::from_source(engine, replay.setup.header.clone(), again);
    let ended = played.run::<seat_rerun::Ended>(&mut []);
    played.into_source().finish(ended)
}
