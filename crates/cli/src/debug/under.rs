//! What a player runs under while it is debugged.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ludus_arena::replay::Replay;
use ludus_arena::{Player, Program};
use ludus_games::{Game, Seat};
use ludus_sandbox::build::native::Purpose;
use ludus_sandbox::build::{Builder, Language};
use ludus_sandbox::{Limits, NativePlayer};

use crate::contestants;

/// What watches the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    Gdb,
    Valgrind,
    Sanitizers,
    Nothing,
    Sandbox,
}

impl Under {
    /// The player of a file, in a seat of a replay.
    pub fn player(
        self,
        game: &'static dyn Game,
        replay: &Replay,
        seat: Seat,
        file: &Path,
        round: Option<u32>,
    ) -> Result<Box<dyn Player>> {
        let seed = replay.setup.header.seed;
        if self == Under::Sandbox {
            let word = file.to_string_lossy().into_owned();
            let limits = limits(game, replay, seat);
            let found = contestants::load_many(game, &[word], 1)?;
            let contestant = found.first().context("no player was found")?;
            return Ok(contestant.enter(&limits, seed, seat).player);
        }
        let purpose = match self {
            Under::Gdb => Purpose::Debugger,
            Under::Valgrind => Purpose::Valgrind,
            Under::Sanitizers => Purpose::Sanitizers,
            Under::Nothing | Under::Sandbox => Purpose::Run,
        };
        let command = self.command(file, round)?;
        eprintln!("compiling {} for this machine ...", file.display());
        let program = Builder::local()
            .build_native(game.about().id, file, purpose)
            .with_context(|| file.display().to_string())?;
        Ok(Box::new(NativePlayer::new(program, command, seed, seat)))
    }

    /// What comes before the program on its command line.
    fn command(self, file: &Path, round: Option<u32>) -> Result<Vec<OsString>> {
        match self {
            Under::Gdb => {
                needs("gdb")?;
                Ok(gdb(file, round))
            }
            Under::Valgrind => {
                needs("valgrind")?;
                Ok(["valgrind", "--quiet"].map(OsString::from).into())
            }
            Under::Sanitizers | Under::Nothing | Under::Sandbox => Ok(Vec::new()),
        }
    }
}

fn needs(program: &str) -> Result<()> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&folders).any(|folder| folder.join(program).is_file()) {
        return Ok(());
    }
    bail!("{program} is missing; install it with: sudo apt-get install {program}")
}

/// The debugger, which runs at once to the round that matters, or to the first,
/// and there to where the player's own code begins.
fn gdb(file: &Path, round: Option<u32>) -> Vec<OsString> {
    let mut commands = vec!["set confirm off".to_owned(), "set breakpoint pending on".to_owned()];
    commands.push(format!("tbreak ludus_round if round == {}", round.unwrap_or(0)));
    commands.push("run".to_owned());
    if let Some(line) = entry(file) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        commands.push(format!("tbreak {name}:{line}"));
        commands.push("continue".to_owned());
    }
    let mut words = vec!["gdb".into(), "-q".into()];
    for command in commands {
        words.extend(["-ex".into(), command.into()]);
    }
    words.push("--args".into());
    words
}

/// The line at which a player's own turn begins.
fn entry(file: &Path) -> Option<usize> {
    let text = std::fs::read_to_string(file).ok()?;
    let begins = |line: &str| match Language::of(file) {
        Some(Language::Rust) => line.contains("fn play("),
        _ => {
            [" play(", " play (", " fes_torn(", " fes_torn ("].iter().any(|begin| line.contains(begin))
                && !line.contains(';')
        }
    };
    text.lines().position(begins).map(|line| line + 1)
}

/// What the player had in the match, or what the game gives.
fn limits(game: &dyn Game, replay: &Replay, seat: Seat) -> Limits {
    let usual = Limits::of(game.about().cpu);
    match &replay.setup.programs[seat] {
        Program::Module { allowance, .. } => Limits { output: usual.output << 6, ..Limits::from_allowance(allowance) },
        _ => Limits { output: usual.output << 6, ..usual },
    }
}
