//! `ludus play`: from the command line to a match, its record and its result.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use ludus_arena::replay::Recorder;
use ludus_arena::{Match, Outcome};
use ludus_games::tokens::TextError;
use ludus_games::{Config, Game, PerSeat, Seat};
use ludus_sandbox::Limits;

use crate::case::CaseWriter;
use crate::contestants::{self, Contestant, Debugging};
use crate::diary::Diary;
use crate::keeping::{Keeping, Sink};
use crate::limits::LimitArgs;
use crate::names;
use crate::output::{Format, Output};

/// Play one match between four players
#[derive(clap::Args)]
#[command(
    disable_version_flag = true,
    after_help = "\
The config is the file of -i, or standard input when something is piped into it,
or the game's default. The record goes to the file of -o, or to standard output
when that is not a terminal and none of --replay, --case and --format json is given.

Examples:
  ludus play ants Demo Dummy Demo Null
  ludus play ants Demo Demo Demo Demo -s 30 -o match.res
  ludus play ants Demo Demo Demo Demo -s 30 --replay match.ludus
  ludus play ants Demo Demo Demo Demo -s 30 < my.cnf > match.res
  ludus play ants Dummy Demo Demo Demo --format json"
)]
pub struct Args {
    /// The game; `ludus list` shows them
    game: String,
    /// Four players, for seats 0 to 3: names of built-in players or of players in
    /// this folder (AI<NAME>.cc, <NAME>.rs), or .cc, .rs and .wasm files
    players: Vec<String>,
    /// The seed of the match; without it one is picked and printed
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// The config file
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where to write the record of the match
    #[arg(short, long, visible_alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    /// List the game's players, one per line
    #[arg(short, long)]
    list: bool,
    /// Print the game's name and version
    #[arg(short, long)]
    version: bool,
    /// How to show the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Where to write the replay of the match, for `ludus view` and `ludus verify`
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Keep config, orders and record in this new folder, as a case for `ludus conform`
    #[arg(long, value_name = "DIR")]
    case: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Run this player as a native process with debug information, without limits
    #[arg(long, value_name = "NAME")]
    native: Vec<String>,
    /// Start the native player under this command, for instance 'gdb --args'
    #[arg(long, value_name = "CMD", requires = "native")]
    debugger: Option<String>,
    /// Keep what players write, round by round, in this folder
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    /// Nothing: scripts written for the original Requiem say this
    #[arg(long, hide = true)]
    nogui: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let game = names::game(&args.game)?;
    if args.list {
        crate::list::all_player_names(game).iter().try_for_each(|name| writeln!(std::io::stdout(), "{name}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.version {
        writeln!(std::io::stdout(), "{}\nludus {}", game.about().version, env!("CARGO_PKG_VERSION"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let plan = Plan::resolve(game, args)?;
    let outcome = plan.play()?;
    Ok(outcome)
}

/// A command line that makes sense.
struct Plan {
    game: &'static dyn Game,
    players: PerSeat<Contestant>,
    limits: Limits,
    log: Option<PathBuf>,
    seed: i32,
    seed_was_given: bool,
    config_text: Vec<u8>,
    config_name: String,
    config: Box<dyn Config>,
    output: Option<PathBuf>,
    case: Option<PathBuf>,
    replay: Option<PathBuf>,
    format: Format,
}

impl Plan {
    fn resolve(game: &'static dyn Game, mut args: Args) -> Result<Plan> {
        let limits = args.limits.resolve(game)?;
        // The original Requiem takes a number after the players as the seed.
        if args.seed.is_none() && args.players.len() > Seat::COUNT {
            args.seed = args.players.pop_if(|word| word.parse::<i32>().is_ok());
        }
        let seed = args.seed.as_deref().map(|text| parse_seed(game, text)).transpose()?;
        let (config_text, config_name) = read_config_text(game, args.input.as_deref())?;
        let config = game.read_config(&config_text).map_err(|error| config_error(&config_name, &error))?;
        let debugger = args.debugger.as_deref().unwrap_or_default().split_whitespace().map(Into::into).collect();
        let players = contestants::resolve(game, &args.players, &Debugging { native: args.native, debugger })?;
        Ok(Plan {
            game,
            players,
            limits,
            log: args.log,
            seed: seed.unwrap_or_else(any_seed),
            seed_was_given: seed.is_some(),
            config_text,
            config_name,
            config,
            output: args.output,
            case: args.case,
            replay: args.replay,
            format: args.format,
        })
    }

    fn play(&self) -> Result<ExitCode> {
        let entrants = Seat::ALL.map(|seat| self.players[seat].enter(&self.limits, self.seed, seat));
        let mut game =
            Match::new(&*self.config, self.seed, entrants).map_err(|error| config_error(&self.config_name, &error))?;
        let mut keeping = self.keeping(&game)?;
        let to_person = std::io::stderr().is_terminal();
        if !self.seed_was_given {
            eprintln!("seed {}", self.seed);
        }
        let mut progress = Progress::new(to_person);
        let mut diary = Diary::new(&self.players, self.log.as_deref())?;
        keeping.begin(&game);
        while !game.is_over() {
            game.play_round().with_context(|| format!("round {} with seed {}", game.state().round(), self.seed))?;
            keeping.round(&game)?;
            diary.round(&mut game)?;
            progress.show(&game);
        }
        progress.clear();
        let record_on_stdout = keeping.finish(&game)?;
        self.report(&game.outcome(), record_on_stdout, to_person)?;
        Ok(ExitCode::SUCCESS)
    }

    /// What the user wants to keep of the match.
    fn keeping(&self, game: &Match) -> Result<Keeping> {
        let record = match &self.output {
            Some(path) => Sink::File(Output::create(path)?),
            None if self.wants_record_on_stdout() => Sink::Stdout,
            None => Sink::Nowhere,
        };
        let case = self
            .case
            .as_deref()
            .map(|folder| CaseWriter::create(folder, self.game, &self.config_text, game.header()))
            .transpose()?;
        let mut keeping = Keeping::new(record, case);
        if let Some(path) = &self.replay {
            keeping.keep_replay(path, Recorder::new(self.game, &self.config_text, game))?;
        }
        Ok(keeping)
    }

    /// Somebody else reads standard output, and has asked for nothing but the record.
    fn wants_record_on_stdout(&self) -> bool {
        self.format == Format::Table && self.case.is_none() && self.replay.is_none() && !std::io::stdout().is_terminal()
    }

    /// The result: on standard output, unless the record went there.
    fn report(&self, outcome: &Outcome, record_on_stdout: bool, to_person: bool) -> Result<()> {
        if self.format == Format::Json {
            let json = serde_json::to_string(&result_json(self.game, outcome))?;
            writeln!(std::io::stdout(), "{json}")?;
        } else if !record_on_stdout {
            write_table(outcome, &mut std::io::stdout().lock())?;
        } else if to_person {
            write_table(outcome, &mut std::io::stderr().lock())?;
        } else {
            write_reference_summary(outcome, &mut std::io::stderr().lock())?;
        }
        Ok(())
    }
}

fn parse_seed(game: &dyn Game, text: &str) -> Result<i32> {
    let smallest = game.about().smallest_seed;
    match text.parse::<i32>() {
        Ok(seed) if seed >= smallest => Ok(seed),
        _ => bail!("the seed must be an integer from {smallest} to {}, found '{}'", i32::MAX, text.escape_debug()),
    }
}

/// A seed nobody chose. The standard library keys its hashes at random, which
/// is all the chance that is needed here.
fn any_seed() -> i32 {
    use std::hash::{BuildHasher, RandomState};
    (RandomState::new().hash_one(0) & 0x7fff_ffff) as i32
}

const LONGEST_CONFIG: u64 = 4 << 20;

/// The text of the config, and what to call it in messages.
fn read_config_text(game: &dyn Game, input: Option<&Path>) -> Result<(Vec<u8>, String)> {
    if input.is_none() && is_piped(&std::io::stdin()) {
        let text = say_if_waiting(|| read_capped(std::io::stdin().lock()))
            .context("cannot read the config from standard input")?;
        if !text.is_empty() {
            return Ok((text, "standard input".to_owned()));
        }
    }
    read_config_file(game, input)
}

/// The same for commands that leave standard input alone.
pub fn read_config_file(game: &dyn Game, input: Option<&Path>) -> Result<(Vec<u8>, String)> {
    let Some(path) = input else {
        let name = format!("the default config of {}", game.about().id);
        return Ok((game.about().default_config.as_bytes().to_vec(), name));
    };
    let name = path.display().to_string();
    let text = File::open(path).and_then(read_capped).with_context(|| format!("cannot read the config {name}"))?;
    Ok((text, name))
}

/// Tells somebody whose pipe stays open and empty what the match is waiting for.
fn say_if_waiting<T>(read: impl FnOnce() -> T) -> T {
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        if waiting.recv_timeout(Duration::from_secs(2)) == Err(RecvTimeoutError::Timeout) {
            eprintln!("waiting for a config on standard input; for the default config add </dev/null");
        }
    });
    let result = read();
    drop(done);
    result
}

fn read_capped(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(LONGEST_CONFIG + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LONGEST_CONFIG {
        return Err(std::io::Error::new(
            ErrorKind::FileTooLarge,
            format!("it is larger than {} MB", LONGEST_CONFIG >> 20),
        ));
    }
    Ok(text)
}

/// Whether somebody has put something on standard input. A terminal or
/// `/dev/null` is nobody.
#[cfg(unix)]
fn is_piped(stdin: &std::io::Stdin) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let kind = stdin
        .as_fd()
        .try_clone_to_owned()
        .and_then(|fd| File::from(fd).metadata())
        .map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket() || kind.is_file())
}

#[cfg(not(unix))]
fn is_piped(stdin: &std::io::Stdin) -> bool {
    !stdin.is_terminal()
}

pub fn config_error(name: &str, error: &TextError) -> anyhow::Error {
    match error.place {
        Some(_) => anyhow!("{name} {error}"),
        None => anyhow!("{name}: {error}"),
    }
}

/// A line on the terminal that counts the rounds of a match that takes a while.
struct Progress {
    shown: bool,
    next: Option<Instant>,
}

impl Progress {
    const PERIOD: Duration = Duration::from_millis(100);

    fn new(to_person: bool) -> Self {
        Progress { shown: false, next: to_person.then(|| Instant::now() + Progress::PERIOD) }
    }

    fn show(&mut self, game: &Match) {
        let Some(next) = &mut self.next else { return };
        let now = Instant::now();
        if now >= *next {
            *next = now + Progress::PERIOD;
            self.shown = true;
            eprint!("\rround {} of {}", game.state().round(), game.state().rounds());
        }
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

fn write_table(outcome: &Outcome, out: &mut impl Write) -> Result<()> {
    writeln!(out, "seat  player        score  rank  status")?;
    for (seat, result) in Seat::ALL.into_iter().zip(&outcome.seats) {
        let status = match &result.fault {
            Some((round, fault)) => format!("frozen in round {round}: {fault}"),
            None => result.status.to_string(),
        };
        writeln!(out, "{seat:>4}  {:<12} {:>6}  {:>4}  {status}", result.name, result.score, result.rank)?;
    }
    Ok(())
}

/// The closing lines of the reference executables, which scripts take the
/// winner from.
fn write_reference_summary(outcome: &Outcome, out: &mut impl Write) -> Result<()> {
    for seat in &outcome.seats {
        writeln!(out, "info: player {} got score {}", seat.name, seat.score)?;
    }
    let winners: Vec<&str> =
        outcome.seats.iter().filter(|seat| seat.rank == 1).map(|seat| seat.name.as_str()).collect();
    writeln!(out, "info: player(s) {} got top score", winners.join(" "))?;
    writeln!(out, "info: game played")?;
    Ok(())
}

#[derive(serde::Serialize)]
struct ResultJson<'a> {
    game: &'static str,
    seed: i32,
    rounds: u32,
    seats: Vec<SeatJson<'a>>,
}

#[derive(serde::Serialize)]
struct SeatJson<'a> {
    seat: usize,
    player: &'a str,
    score: i64,
    rank: usize,
    status: f64,
    fault: Option<FaultJson>,
}

#[derive(serde::Serialize)]
struct FaultJson {
    round: u32,
    reason: String,
}

fn result_json<'a>(game: &dyn Game, outcome: &'a Outcome) -> ResultJson<'a> {
    let seats = Seat::ALL.into_iter().zip(&outcome.seats).map(|(seat, result)| SeatJson {
        seat: seat.index(),
        player: &result.name,
        score: result.score,
        rank: result.rank,
        status: result.status.fraction(),
        fault: result.fault.as_ref().map(|(round, fault)| FaultJson { round: *round, reason: fault.to_string() }),
    });
    ResultJson { game: game.about().id, seed: outcome.seed, rounds: outcome.rounds, seats: seats.collect() }
}
