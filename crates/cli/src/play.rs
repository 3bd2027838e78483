//! `ludus play`: from the command line to a match, its record and its result.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ludus_arena::replay::Recorder;
use ludus_arena::{Halt, Match, Observer, Outcome, Players};
use ludus_games::{Config, Game, PerSeat, Seat};
use ludus_sandbox::Limits;

use crate::case::CaseWriter;
use crate::config_text::{config_error, read_config_text};
use crate::contestants::{self, Contestant, Debugging};
use crate::kept_files::{RecordFile, ReplayFile};
use crate::limits::LimitArgs;
use crate::names;
use crate::output::Format;
use crate::player_log::PlayerLog;
use crate::result::{result_json, write_reference_summary, write_table};

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
  ludus play ants Marta Old=AIMarta2.cc Demo Demo
  ludus play ants Demo Demo Demo Demo -s 30 -o match.res
  ludus play ants Demo Demo Demo Demo -s 30 --replay match.ludus
  ludus play ants Demo Demo Demo Demo -s 30 < my.cnf > match.res
  ludus play ants Marta Demo Demo Dummy --view
  ludus play ants Dummy Demo Demo Demo --format json"
)]
pub struct Args {
    /// The game; `ludus list` shows them
    game: String,
    /// Four players, for seats 1 to 4: names of built-in players or of players in
    /// this folder (AI<NAME>.cc, <NAME>.rs, or what a file registers), .cc, .rs and
    /// .wasm files, or NAME=PLAYER to give one another name
    players: Vec<String>,
    /// The seed of the match; without it one is picked and printed
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// The config file
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Where to write the record of the match, or its replay if the name ends in .ludus
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
    /// Watch the match in the browser as soon as it is over
    #[arg(long)]
    view: bool,
    /// Nothing: scripts written for a reference engine with a window say this
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
    Plan::resolve(game, args)?.play()
}

/// A command line that makes sense.
struct Plan {
    game: &'static dyn Game,
    players: PerSeat<Contestant>,
    limits: Limits,
    log: Option<PathBuf>,
    view: bool,
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
        // Scripts written for a reference engine may give the seed after the players.
        if args.seed.is_none() && args.players.len() > Seat::COUNT {
            args.seed = args.players.pop_if(|word| word.parse::<i32>().is_ok());
        }
        // Whoever names a replay wants one: under that name a record would only puzzle.
        if args.replay.is_none() {
            args.replay = args.output.take_if(|path| path.extension().is_some_and(|ending| ending == "ludus"));
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
            view: args.view,
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
        let entrants = Seat::ALL.map(|seat| self.players[seat].enter_watched(&self.limits, self.seed, seat));
        let mut played =
            Match::new(&*self.config, self.seed, entrants).map_err(|error| config_error(&self.config_name, &error))?;
        let mut record = match &self.output {
            Some(path) => Some(RecordFile::create(path)?),
            None => self.wants_record_on_stdout().then(RecordFile::on_stdout),
        };
        let header = played.header();
        let case = |folder: &PathBuf| CaseWriter::create(folder, self.game, &self.config_text, header);
        let mut case = self.case.as_ref().map(case).transpose()?;
        let replay = |path: &PathBuf| ReplayFile::create(path, Recorder::new(self.game, &self.config_text, &played));
        let watched = self.view.then(|| std::env::temp_dir().join(format!("ludus-{}.ludus", std::process::id())));
        let watched = self.replay.as_ref().or(watched.as_ref());
        let mut replay = watched.map(replay).transpose()?;
        let to_person = std::io::stderr().is_terminal();
        if !self.seed_was_given {
            eprintln!("seed {}", self.seed);
        }
        let mut log = PlayerLog::new(&self.players, self.log.as_deref())?;
        let mut progress = Progress::new(to_person);
        let mut observers: Vec<&mut dyn Observer<Players, anyhow::Error>> = vec![&mut progress, &mut log];
        observers.extend(record.as_mut().map(|record| record as _));
        observers.extend(case.as_mut().map(|case| case as _));
        observers.extend(replay.as_mut().map(|replay| replay as _));
        played.run(&mut observers).map_err(|error| self.with_seed(error))?;
        replay.map(|replay| replay.finish(&played)).transpose()?;
        self.report(&played.outcome(), record.is_some() && self.output.is_none(), to_person)?;
        match watched {
            Some(path) if self.view => crate::view::show(path, self.replay.is_none()),
            _ => Ok(ExitCode::SUCCESS),
        }
    }

    /// Where the rules find no way to go on, the seed is part of the reason.
    fn with_seed(&self, error: anyhow::Error) -> anyhow::Error {
        match error.downcast::<Halt>() {
            Ok(Halt::Stuck { round, error }) => {
                anyhow::Error::new(error).context(format!("round {round} with seed {}", self.seed))
            }
            Ok(Halt::NoOrders(never)) => match never {},
            Err(error) => error,
        }
    }

    /// Somebody else reads standard output, and has asked for nothing but the record.
    fn wants_record_on_stdout(&self) -> bool {
        let other = self.case.is_some() || self.replay.is_some() || self.view;
        self.format == Format::Table && !other && !std::io::stdout().is_terminal()
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
}

impl<S> Observer<S, anyhow::Error> for Progress {
    fn round(&mut self, played: &mut Match<S>) -> Result<()> {
        let Some(next) = &mut self.next else { return Ok(()) };
        let now = Instant::now();
        if now >= *next {
            *next = now + Progress::PERIOD;
            self.shown = true;
            eprint!("\rround {} of {}", played.state().round(), played.state().rounds());
        }
        Ok(())
    }

    fn end(&mut self, _: &Match<S>) -> Result<()> {
        if self.shown {
            eprint!("\r\x1b[K");
        }
        Ok(())
    }
}
