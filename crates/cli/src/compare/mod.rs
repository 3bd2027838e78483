//! `ludus compare`: is the new version better than the old one?

mod answer;
mod findings;
mod live;
mod plan;
mod report;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use ludus_arena::{Answer, in_order};

use crate::journal::Journal;
use crate::output::Format;
use crate::replay_folder::ReplayFolder;
use crate::scheduled::RunFiles;
use crate::setup::SetupArgs;
use crate::{interrupt, page};
pub use findings::Findings;
pub use live::{Live, name};
use plan::Plan;
pub use plan::check_field;

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
folder made by `ludus new`. With several configs every seed is played on each,
and the answer is about their mean.

Examples:
  ludus compare ants Marta.wasm v7/Marta.wasm --field Demo,Dummy,Joan.wasm
  ludus compare Marta old=Marta7.wasm --field Dummy,Dummy,Dummy --margin 0.02
  ludus compare ants Marta old=Marta7.wasm --field Demo,Demo,Dummy \\
      -i default.cnf -i small.cnf --report compare.html --save replays

Exit status: 0 NEW is better; 1 it is worse; 3 no difference; 4 undecided after
all matches; 2 not done; 130 stopped by Ctrl-C."
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
    /// The config file, instead of the game's default; several times: on each of them
    #[arg(short, long, value_name = "FILE")]
    input: Vec<PathBuf>,
    #[command(flatten)]
    setup: SetupArgs,
    /// How to show the answer
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write a page with plots to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Keep the replays of all matches in this folder
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Write every match to this file, and go on from what it holds already
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// The exit status of an answer.
pub fn status(answer: Option<Answer>, stopped: bool) -> ExitCode {
    match answer {
        Some(Answer::Better) => ExitCode::SUCCESS,
        Some(Answer::Worse) => ExitCode::from(1),
        Some(Answer::NoDifference) => ExitCode::from(3),
        None if stopped => ExitCode::from(interrupt::STOPPED),
        None => ExitCode::from(4),
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = Plan::resolve(args)?;
    let replays = args.save.as_deref().map(|folder| ReplayFolder::open(folder, None)).transpose()?;
    let mut run_files = RunFiles { replays, ..RunFiles::default() };
    let stop = interrupt::flag()?;
    let mut findings = Findings::new(&plan.comparison, &plan.pairing, plan.setup.boards.len());
    if let Some(path) = &args.resume {
        let journal = Journal::open(path, &plan.identity(), |number, entry| findings.add(number, &entry.played))?;
        run_files.journal = Some(journal);
    }
    plan.play(&mut findings, &run_files, &stop)?;
    let reported = args
        .report
        .as_ref()
        .map_or(Ok(()), |path| page::write(path, &report::page(&plan, &findings, path, run_files.replays.as_ref())));
    let stopped = stop.load(Ordering::Relaxed);
    if let (None, true, Some(path)) = (findings.comparison.answer(), stopped, &args.resume) {
        eprintln!("stopped; the same command goes on from {}", path.display());
    }
    match args.format {
        Format::Table => answer::write_text(&plan, &findings)?,
        Format::Json => {
            writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&answer::json(&plan, &findings))?)?;
        }
    }
    // What goes wrong with the page must not take the answer along.
    reported?;
    Ok(status(findings.comparison.answer(), stopped))
}

impl Plan {
    /// Plays until the answer is known, or there are no more matches.
    fn play(&self, findings: &mut Findings, run_files: &RunFiles, stop: &AtomicBool) -> Result<()> {
        let first = run_files.next().min(self.most_matches);
        let mut live = Live::new(first, self.most_matches);
        if findings.comparison.answer().is_some() {
            return Ok(());
        }
        let done = in_order(
            self.setup.jobs,
            first..self.most_matches,
            stop,
            |number| {
                let enter = |contestant: usize, seed, seat| self.setup.enter(&self.contestants[contestant], seed, seat);
                let board = &self.setup.boards[self.pairing.board(number)];
                let fixture = self.pairing.fixture(number);
                let log = self.setup.match_log(&fixture, &self.contestants);
                run_files.played(&self.setup, board, &fixture, log, enter)
            },
            |number, entry| {
                findings.add(number, &entry.played);
                live.show(findings);
                match findings.comparison.answer() {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        );
        live.clear();
        done
    }
}
