//! `ludus compare`: is the new version better than the old one?

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use ludus_arena::{
    Answer, Comparison, Demands, Fixture, Halt, Observer, Pairing, Played, Players, in_order, play, start,
};
use ludus_games::{Game, Seat};
use serde::Serialize;

use crate::contestants::{self, Contestant};
use crate::output::Format;
use crate::player_log::MatchLog;
use crate::setup::{Setup, SetupArgs, parse_seeds};
use crate::{interrupt, names};

/// Find out whether a new version of a player is better than the old one
#[derive(clap::Args)]
#[command(
    override_usage = "ludus compare [OPTIONS] --field <P,Q,R> [GAME] <NEW> <OLD>",
    after_help = "\
Both versions play the same seeds in the same seats against the same rivals. The
outcome is the share of rivals beaten, from 0 to 1; level scores count half. The
matches stop as soon as the answer is known:

  NEW is better, NEW is worse, or no difference of at least the margin

If both are equally strong, 'better' or 'worse' comes with a chance of at most
alpha; if they differ by the margin or more, 'no difference' with at most beta.

The game can be left out when a file tells it: a .wasm file, or a source in a
folder made by `ludus new`.

Examples:
  ludus compare ants Marta.wasm v7/Marta.wasm --field Demo,Dummy,Joan.wasm
  ludus compare Marta old=Marta7.wasm --field Dummy,Dummy,Dummy --margin 0.02

Exit status: 0 NEW is better; 1 it is not; 2 not done; 130 stopped by Ctrl-C."
)]
pub struct Args {
    /// The game, unless a file tells it, and the two versions: players like those
    /// of `ludus arena`
    #[arg(required = true, num_args = 2..=3, value_name = "[GAME] NEW OLD")]
    words: Vec<String>,
    /// The three rivals
    #[arg(long, value_name = "P,Q,R", value_delimiter = ',', required = true)]
    field: Vec<String>,
    /// How often equally strong versions may be told apart
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,
    /// How often a difference of at least the margin may be missed
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,
    /// The least difference that matters, in the share of rivals beaten
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    margin: f64,
    /// Give up after so many matches
    #[arg(short = 'n', long, value_name = "N", default_value_t = 40_000)]
    max_matches: u64,
    /// Play on the seeds from A to B [default: from 1 on]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    seeds: Option<String>,
    #[command(flatten)]
    setup: SetupArgs,
    /// How to show the answer
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = Plan::resolve(args)?;
    let stop = interrupt::flag()?;
    let findings = plan.play(&stop)?;
    match args.format {
        Format::Table => plan.write_text(&findings)?,
        Format::Json => writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&plan.json(&findings))?)?,
    }
    Ok(match findings.comparison.answer() {
        Some(Answer::Better) => ExitCode::SUCCESS,
        None if stop.load(Ordering::Relaxed) => ExitCode::from(interrupt::STOPPED),
        _ => ExitCode::from(1),
    })
}

struct Plan {
    setup: Setup,
    /// The new version, the old one and the rivals.
    contestants: Vec<Contestant>,
    /// What the two versions are called in the answer.
    names: [String; 2],
    comparison: Comparison,
    pairing: Pairing,
    most_matches: u64,
}

impl Plan {
    fn resolve(args: &Args) -> Result<Plan> {
        let (game, versions) = game_and_versions(&args.words)?;
        if args.field.len() != Seat::COUNT - 1 {
            bail!("--field takes three rivals like Demo,Demo,Dummy, got {}", args.field.len());
        }
        let comparison = Comparison::new(Demands { alpha: args.alpha, beta: args.beta, margin: args.margin })?;
        let setup = Setup::resolve(game, &args.setup)?;
        let seeds = args.seeds.as_deref().map(|text| parse_seeds(game, text)).transpose()?;
        let (first, last) = seeds.unwrap_or((1, i32::MAX));
        let seeds = ((i64::from(last) - i64::from(first)) as u64 + 1).min(args.max_matches / Pairing::MATCHES);
        if seeds == 0 {
            let least = Pairing::MATCHES;
            bail!(
                "--max-matches {}: on one seed {least} matches are played, so take at least {least}",
                args.max_matches
            );
        }
        setup.check_board(first)?;
        let words: Vec<String> = versions.iter().chain(&args.field).cloned().collect();
        let contestants = contestants::load_many(game, &words, setup.jobs)?;
        if contestants[0].program == contestants[1].program {
            eprintln!("note: {} and {} are the same program", versions[0], versions[1]);
        }
        let named = |k: usize| match contestants[0].name == contestants[1].name {
            true => versions[k].clone(),
            false => contestants[k].name.clone(),
        };
        let names = [named(0), named(1)];
        let most_matches = seeds * Pairing::MATCHES;
        Ok(Plan { setup, contestants, names, comparison, pairing: Pairing::new(first), most_matches })
    }

    fn play(&self, stop: &AtomicBool) -> Result<Findings> {
        let mut findings = Findings::new(self.comparison.clone());
        let mut progress = Progress::new();
        let done = in_order(
            self.setup.jobs,
            0..self.most_matches,
            stop,
            |number| {
                let enter = |contestant: usize, seed, seat| self.setup.enter(&self.contestants[contestant], seed, seat);
                let fixture = self.pairing.fixture(number);
                let mut log = self.setup.match_log(&fixture, &self.contestants);
                let mut observers: Vec<&mut dyn Observer<Players, Halt>> = Vec::new();
                observers.extend(log.as_mut().map(|log| log as _));
                let played = play(&mut start(&*self.setup.config, &fixture, enter)?, &mut observers)?;
                log.map(MatchLog::finish).transpose()?;
                Ok::<_, anyhow::Error>(played)
            },
            |number, played| {
                findings.add(&self.pairing.fixture(number), &played);
                progress.show(&findings);
                match findings.comparison.answer() {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        );
        progress.clear();
        done.map(|()| findings)
    }

    fn write_text(&self, findings: &Findings) -> Result<()> {
        let [new, old] = &self.names;
        let Demands { alpha, beta, margin } = findings.comparison.demands();
        let matches = findings.comparison.seeds() * Pairing::MATCHES;
        let answer = match findings.comparison.answer() {
            Some(Answer::Better) => format!("{new} is better than {old}"),
            Some(Answer::Worse) => format!("{new} is worse than {old}"),
            Some(Answer::NoDifference) => format!("no difference of at least {margin} found after {matches} matches"),
            None => format!("no answer after {matches} matches"),
        };
        let (low, high) = findings.comparison.interval();
        let confidence = 100.0 * (1.0 - alpha);
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}\n")?;
        writeln!(
            out,
            "difference  {:+.3}, {confidence} % interval {low:+.3} to {high:+.3}, in the share of rivals beaten",
            findings.comparison.difference()
        )?;
        let [share_new, share_old] = findings.shares();
        writeln!(out, "shares      {new} {share_new:.3}, {old} {share_old:.3}")?;
        writeln!(out, "played      {matches} matches on {} seeds", findings.comparison.seeds())?;
        writeln!(out, "asked for   alpha {alpha}, beta {beta}, margin {margin}")?;
        for (name, frozen) in self.names.iter().zip(findings.frozen) {
            if frozen > 0 {
                writeln!(out, "frozen      {name} in {frozen} of {} matches", matches / 2)?;
            }
        }
        Ok(())
    }

    fn json(&self, findings: &Findings) -> AnswerJson<'_> {
        let Demands { alpha, beta, margin } = findings.comparison.demands();
        let (low, high) = findings.comparison.interval();
        let shares = findings.shares();
        let version = |k: usize| VersionJson {
            player: &self.names[k],
            program: &self.contestants[k].program,
            share_of_rivals_beaten: shares[k],
            frozen: findings.frozen[k],
        };
        AnswerJson {
            game: self.setup.game.about().id,
            config: &self.setup.config_hash,
            answer: match findings.comparison.answer() {
                Some(Answer::Better) => "better",
                Some(Answer::Worse) => "worse",
                Some(Answer::NoDifference) => "no difference",
                None => "none",
            },
            difference: findings.comparison.difference(),
            low,
            high,
            alpha,
            beta,
            margin,
            seeds: findings.comparison.seeds(),
            matches: findings.comparison.seeds() * Pairing::MATCHES,
            new: version(0),
            old: version(1),
            field: self.contestants[2..].iter().map(|rival| (rival.name.as_str(), rival.program.as_str())).collect(),
        }
    }
}

/// The game, if it is the first of three words or can be told from the players.
fn game_and_versions(words: &[String]) -> Result<(&'static dyn Game, &[String])> {
    if let [game, versions @ ..] = words
        && versions.len() == 2
    {
        return Ok((names::game(game)?, versions));
    }
    if ludus_games::find(&words[0]).is_some() {
        bail!("'ludus compare {}' needs a new and an old version", words[0]);
    }
    match words.iter().find_map(|word| contestants::game_of(word)) {
        Some(game) => Ok((game, words)),
        None => bail!("which game do {} and {} play? Say it first: ludus compare GAME NEW OLD", words[0], words[1]),
    }
}

/// What is known after some matches.
struct Findings {
    comparison: Comparison,
    /// Of the seed under way: matches and parts.
    open: (u64, i32),
    /// Rivals beaten by each version, in sixths of a match's, and its matches.
    beaten: [i64; 2],
    matches: [u64; 2],
    frozen: [u64; 2],
}

impl Findings {
    fn new(comparison: Comparison) -> Findings {
        Findings { comparison, open: (0, 0), beaten: [0; 2], matches: [0; 2], frozen: [0; 2] }
    }

    fn add(&mut self, fixture: &Fixture, played: &Played) {
        for seat in Seat::ALL {
            if let version @ 0..2 = fixture.seats[seat] {
                self.beaten[version] += played.sixths_beaten(seat);
                self.matches[version] += 1;
                self.frozen[version] += u64::from(played.faults[seat].is_some());
            }
        }
        self.open.0 += 1;
        self.open.1 += Pairing::parts(fixture, played);
        if self.open.0 == Pairing::MATCHES {
            self.comparison.add(self.open.1);
            self.open = (0, 0);
        }
    }

    fn shares(&self) -> [f64; 2] {
        std::array::from_fn(|k| self.beaten[k] as f64 / 6.0 / self.matches[k].max(1) as f64)
    }
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    game: &'static str,
    config: &'a str,
    answer: &'static str,
    difference: f64,
    low: f64,
    high: f64,
    alpha: f64,
    beta: f64,
    margin: f64,
    seeds: u64,
    matches: u64,
    new: VersionJson<'a>,
    old: VersionJson<'a>,
    field: Vec<(&'a str, &'a str)>,
}

#[derive(Serialize)]
struct VersionJson<'a> {
    player: &'a str,
    program: &'a str,
    share_of_rivals_beaten: f64,
    frozen: u64,
}

/// A line on the terminal with what is known so far.
struct Progress {
    begun: Instant,
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    const PERIOD: Duration = Duration::from_millis(200);

    fn new() -> Progress {
        let begun = Instant::now();
        Progress { begun, next: std::io::stderr().is_terminal().then(|| begun + Progress::PERIOD), shown: false }
    }

    fn show(&mut self, findings: &Findings) {
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + Progress::PERIOD);
        self.shown = true;
        let (low, high) = findings.comparison.interval();
        let matches = findings.matches[0] + findings.matches[1];
        let rate = matches as f64 / (now - self.begun).as_secs_f64().max(0.001);
        let difference = findings.comparison.difference();
        eprint!("\r\x1b[K{matches} matches, {rate:.0}/s, difference {difference:+.3} ({low:+.3} to {high:+.3})");
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
