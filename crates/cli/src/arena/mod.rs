//! `ludus arena`: thousands of matches, and what they say.

mod details;
mod live;
mod plan;
mod report;
pub mod tables;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use ludus_arena::{Fixture, Tally, in_order};

use crate::freezes::Freezes;
use crate::journal::{Entry, Journal};
use crate::replay_folder::ReplayFolder;
use crate::scheduled::RunFiles;
use crate::setup::SetupArgs;
use crate::{interrupt, page};
use details::RunDetails;
use live::Live;
use plan::Plan;

/// Play thousands of matches and rate the players
#[derive(clap::Args)]
#[command(after_help = "\
The schedule is balanced: all players meet on the same seeds and take every seat
equally often. Results do not depend on --jobs or on the machine.

With --resume every match is written to FILE when it is over; the same command
after a crash or Ctrl-C goes on from there. NAME=PLAYER gives a player another
name, for instance to let two versions with the same name play.

Examples:
  ludus arena ants Marta --fill Dummy                   Marta against three Dummy
  ludus arena ants Marta Joan Pau Demo -n 2000 --head-to-head
  ludus arena ants new=Marta.wasm old=v7/Marta.wasm Demo Dummy --report report.html
  ludus arena purge Marta Joan --fill Dummy --seeds 1..500 --format json

Exit status: 0 done; 2 not done; 130 stopped by Ctrl-C, with the results so far.")]
pub struct Args {
    /// The game; `ludus list` shows them
    game: String,
    /// Four players or more: names of built-in players or of players in this
    /// folder, .cc, .rs and .wasm files, or NAME=PLAYER
    #[arg(value_name = "PLAYER")]
    players: Vec<String>,
    /// Matches to play, rounded up to whole seeds of the schedule [default: 400]
    #[arg(short = 'n', long, value_name = "N")]
    matches: Option<u64>,
    /// Play on the seeds from A to B [default: from 1 on]
    #[arg(long, value_name = "A..B", allow_hyphen_values = true)]
    seeds: Option<String>,
    /// Fill up to four players with this one
    #[arg(long, value_name = "PLAYER")]
    fill: Option<String>,
    /// On every seed, the four seatings of a Latin square, or all twenty-four
    #[arg(long, value_enum, default_value_t = SeatingsArg::Square)]
    seatings: SeatingsArg,
    /// The config file, instead of the game's default
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    setup: SetupArgs,
    /// How to show the results
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Show also who was ahead of whom
    #[arg(long)]
    head_to_head: bool,
    /// Write a page with plots to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Keep the replays of all matches in this folder
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Keep only the replays of matches that this player did not win
    #[arg(long, value_name = "PLAYER", requires = "save")]
    save_losses: Option<String>,
    /// Write every match to this file, and go on from what it holds already
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SeatingsArg {
    Square,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Json,
    Csv,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let (plan, replays) = Plan::resolve(args)?;
    let stop = interrupt::flag()?;
    let results = Results::of(&plan, replays, args, &stop)?;
    results.show(&plan, args)?;
    Ok(if results.is_complete(&plan) { ExitCode::SUCCESS } else { ExitCode::from(interrupt::STOPPED) })
}

/// What is known after the matches.
struct Results {
    tally: Tally,
    details: Option<RunDetails>,
    run_files: RunFiles,
    freezes: Freezes,
}

impl Results {
    /// Plays the matches of the plan, or as many as there are before somebody
    /// stops it.
    fn of(plan: &Plan, replays: Option<ReplayFolder>, args: &Args, stop: &AtomicBool) -> Result<Results> {
        let contestants = plan.contestants.len();
        let mut results = Results {
            tally: Tally::new(contestants),
            details: plan.wants_details().then(|| RunDetails::new(contestants)),
            run_files: RunFiles::default(),
            freezes: Freezes::default(),
        };
        let mut run_files = RunFiles { replays, courses: plan.wants_details(), ..RunFiles::default() };
        if let Some(path) = &plan.resume {
            let journal = Journal::open(path, &plan.identity(), |number, entry| results.add(plan, number, &entry))?;
            run_files.journal = Some(journal);
        }
        plan.say_what_was_rounded(args);
        let first = run_files.next().min(plan.schedule.len());
        let mut live = Live::new(first, plan.schedule.len());
        let done = in_order(
            plan.setup.jobs,
            first..plan.schedule.len(),
            stop,
            |number| {
                let enter = |contestant: usize, seed, seat| plan.setup.enter(&plan.contestants[contestant], seed, seat);
                let fixture = plan.schedule.fixture(number);
                let log = plan.setup.match_log(&fixture, &plan.contestants);
                run_files.played(&plan.setup, plan.setup.board(), &fixture, log, enter)
            },
            |number, entry| {
                results.add(plan, number, &entry);
                live.show(plan, &results.tally, stop.load(Ordering::Relaxed));
                ControlFlow::Continue(())
            },
        );
        live.clear();
        results.run_files = run_files;
        done.map(|()| results)
    }

    fn add(&mut self, plan: &Plan, number: u64, entry: &Entry) {
        if number < plan.schedule.len() {
            let fixture = plan.schedule.fixture(number);
            self.tally.add(&fixture, &entry.played);
            self.freezes.add(&fixture, &entry.played);
            if let Some(details) = &mut self.details {
                details.add(&fixture, entry);
            }
        }
    }

    fn is_complete(&self, plan: &Plan) -> bool {
        self.tally.matches() == plan.schedule.len()
    }

    /// Results to standard output, the report to its file.
    fn show(&self, plan: &Plan, args: &Args) -> Result<()> {
        let (done, all) = (self.tally.matches(), plan.schedule.len());
        if done < all {
            eprintln!("stopped after {done} of {all} matches{}", plan.how_to_go_on());
        }
        let kept = |fixture: &Fixture| self.run_files.replays.as_ref().and_then(|folder| folder.replay(fixture));
        self.freezes.tell(&plan.setup, &plan.contestants, kept)?;
        if !self.tally.is_complete() {
            eprintln!("too few matches for results");
            return Ok(());
        }
        let text = match args.format {
            Format::Table => tables::text(plan, &self.tally, args.head_to_head),
            Format::Json => tables::json(plan, &self.tally, args.head_to_head)?,
            Format::Csv => tables::csv(plan, &self.tally),
        };
        let reported = self.write_report(plan);
        std::io::stdout().write_all(text.as_bytes())?;
        // What goes wrong with the page must not take the table along.
        reported
    }

    fn write_report(&self, plan: &Plan) -> Result<()> {
        if let (Some(path), Some(details)) = (&plan.report, &self.details) {
            page::write(path, &report::page(plan, &self.tally, details, self.run_files.replays.as_ref()))?;
        }
        Ok(())
    }
}
