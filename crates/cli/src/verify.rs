//! `ludus verify`: plays a replay, or all those of an official round, again as
//! proof.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::replay::{Proof, Replay, is_replay, verify};
use ludus_arena::{Player, Program};
use ludus_games::{PerSeat, Seat};
use ludus_sandbox::build::{Builder, hex};
use ludus_sandbox::{LIMITS_VERSION, Limits, PlayerModule, Sandbox};

use crate::match_file;
use crate::output::plain;
use crate::round::{self, RoundArgs};

/// Play a replay or an official round again and say whether everything is as it tells
#[derive(clap::Args)]
#[command(after_help = "\
The rules play again from the recorded orders, and every state, score and digest
must come out the same. Built-in players are asked again too, if the same version
of Ludus played the match, and so are the modules given with --player: they must
give the same orders, use the same fuel and fail in the same way.

It says 'identical', or else the first round and seat that differ, with exit
status 1. A file that is no whole replay gives exit status 2.

Of a round file it checks the signature, the commitment of the seed, the draw of
groups, seats and seeds, who was saved and who is eliminated, and every replay;
with --modules, or if the modules came with the file, every player is asked again.
What does not hold is named with its match.

Examples:
  ludus verify match.ludus
  ludus verify round-3.round --key course.pub
  ludus verify round-3.round --key course.pub --modules players/
  ludus verify match.ludus --player Marta.wasm
  ludus verify match.ludus --player 5f3a=Marta.wasm --player 91bc=Joan.wasm")]
pub struct Args {
    /// A replay (.ludus) or a round file (.round)
    file: PathBuf,
    /// A module that played, if wanted with the beginning of its SHA-256, which
    /// must then be right
    #[arg(long = "player", value_name = "[HASH=]FILE.wasm")]
    players: Vec<String>,
    #[command(flatten)]
    round: RoundArgs,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    if round::is_round(&args.file) {
        if !args.players.is_empty() {
            bail!("--player is for a replay; the modules of a round are taken from the folder of --modules");
        }
        return round::run(&args.file, &args.round);
    }
    if let Some(option) = args.round.given() {
        bail!("{option} is for a round file, and {} is none", args.file.display());
    }
    let bytes = match_file::read(&args.file)?;
    let name = args.file.display();
    if !is_replay(&bytes) {
        match_file::open(&args.file)?;
        bail!("{name} is a record, which does not hold the orders that players gave: only a replay can be verified");
    }
    let replay = Replay::read(&bytes).with_context(|| name.to_string())?;
    let players = load(&replay, &args.players)?;
    let mut out = std::io::stdout().lock();
    match verify(&replay, players).with_context(|| name.to_string())? {
        Proof::Identical { asked } => {
            writeln!(out, "identical")?;
            for seat in Seat::ALL {
                writeln!(out, "{}", describe(&replay, seat, asked[seat]))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Proof::Differs(difference) => {
            writeln!(out, "{}", plain(&difference.to_string()))?;
            Ok(ExitCode::from(1))
        }
    }
}

/// How far a seat has been proved.
fn describe(replay: &Replay, seat: Seat, asked: bool) -> String {
    let name = plain(&replay.setup.header.names[seat]);
    let program = match &replay.setup.programs[seat] {
        Program::Builtin(builtin) => format!("the built-in player {}", plain(builtin)),
        Program::Module { hash, .. } => format!("the module {}", &hex(hash)[..12]),
        Program::Unknown => "a player that nobody else can run".to_owned(),
    };
    let proof = match (&replay.setup.programs[seat], asked) {
        (_, true) => "asked again, with the same answers".to_owned(),
        _ if let Some(round) = replay.barred_from(seat) => {
            format!(
                "frozen from round {round} on: whoever played the match says that it had run past its CPU time there"
            )
        }
        (Program::Builtin(_), _) => {
            format!("of Ludus {}: its orders were taken as recorded", plain(&replay.setup.engine))
        }
        (Program::Module { .. }, _) => "not given: its orders were taken as recorded".to_owned(),
        (Program::Unknown, _) => "its orders were taken as recorded".to_owned(),
    };
    format!("seat {}  {name:<12}  {program}, {proof}", seat.ordinal())
}

/// Puts the given modules into the seats in which they played.
fn load(replay: &Replay, given: &[String]) -> Result<PerSeat<Option<Box<dyn Player>>>> {
    let mut players = [const { None }; Seat::COUNT];
    if given.is_empty() {
        return Ok(players);
    }
    let sandbox = Sandbox::new(16).map_err(|error| anyhow!("the sandbox cannot start: {error}"))?;
    for word in given {
        let (expected, path) = split(word);
        if let Some(expected) = expected {
            check_prefix(replay, expected)?;
        }
        let module = load_module(&sandbox, path).with_context(|| path.display().to_string())?;
        let hash = hex(&module.hash());
        if let Some(expected) = expected
            && !hash.starts_with(&expected.to_lowercase())
        {
            bail!("{} is not the module {expected}: its SHA-256 is {hash}", path.display());
        }
        let mut seats = 0;
        for seat in Seat::ALL {
            let Program::Module { hash, allowance } = &replay.setup.programs[seat] else { continue };
            if *hash != module.hash() {
                continue;
            }
            if allowance.version != LIMITS_VERSION {
                bail!(
                    "the match was played under version {} of the limits, and this is version {LIMITS_VERSION}: \
                     players cannot be asked again",
                    allowance.version
                );
            }
            let player = module.player(Limits::from_allowance(allowance), replay.setup.header.seed, seat);
            players[seat] = Some(Box::new(player) as Box<dyn Player>);
            seats += 1;
        }
        if seats == 0 {
            bail!("{} played in no seat: its SHA-256 is {hash}{}", path.display(), known_modules(replay));
        }
    }
    Ok(players)
}

/// The beginning of a hash must tell which module of the match is meant.
fn check_prefix(replay: &Replay, prefix: &str) -> Result<()> {
    let mut hashes: Vec<String> = modules(replay).map(|(_, hash)| hash).collect();
    hashes.sort();
    hashes.dedup();
    match hashes.iter().filter(|hash| hash.starts_with(&prefix.to_lowercase())).count() {
        0 => bail!("no module {prefix} played{}", known_modules(replay)),
        1 => Ok(()),
        _ => bail!("{prefix} is the beginning of more than one module{}", known_modules(replay)),
    }
}

/// The seats that modules played in, and their hashes.
fn modules(replay: &Replay) -> impl Iterator<Item = (Seat, String)> {
    Seat::ALL.into_iter().filter_map(|seat| match &replay.setup.programs[seat] {
        Program::Module { hash, .. } => Some((seat, hex(hash))),
        _ => None,
    })
}

/// A hash, if the word has one, and a path.
fn split(word: &str) -> (Option<&str>, &Path) {
    match word.split_once('=') {
        Some((hash, path)) if !hash.is_empty() && hash.bytes().all(|c| c.is_ascii_hexdigit()) => {
            (Some(hash), Path::new(path))
        }
        _ => (None, Path::new(word)),
    }
}

fn load_module(sandbox: &Sandbox, path: &Path) -> Result<PlayerModule> {
    let wasm = std::fs::read(path)?;
    Ok(sandbox.load_cached(&wasm, Builder::local().cache())?)
}

/// The modules that played, for a message.
fn known_modules(replay: &Replay) -> String {
    let known: Vec<String> =
        modules(replay).map(|(seat, hash)| format!("seat {} {}", seat.ordinal(), &hash[..12])).collect();
    if known.is_empty() { "; no module played".to_owned() } else { format!("; there are {}", known.join(", ")) }
}
