//! `ludus tune`: better values for the parameters of a player.

mod confirm;
mod parameters;
mod plan;
mod report;
mod search;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Result;
use ludus_arena::Answer;
use ludus_arena::tune::Method;
use serde_json::json;

use crate::compare::{self, Findings};
use crate::output::Format;
use crate::setup::SetupArgs;
use crate::{interrupt, page};
use plan::Plan;
use search::Search;

/// Find better values for the parameters of a player
#[derive(clap::Args)]
#[command(
    override_usage = "ludus tune [OPTIONS] --field <P,Q,R> [GAME] <PLAYER>",
    after_help = "\
Parameters are declared in the player's source, and are constants everywhere else:

  LUDUS_PARAM(patience, 12, 0, 40);            C++: name, value, least, most
  ludus_param!(patience: i32 = 12, 0, 40);     Rust: read as patience()

Points are played on the same seeds in every seat against the field, where the
last results promise most; what was found is then compared with the present
values on seeds that nobody has seen, as `ludus compare` does.

With --resume every match is written to FILE; the same command goes on from there.

Examples:
  ludus tune ants Marta --field Demo,Dummy,Dummy
  ludus tune AIMarta.cc --field Dummy,Joan.wasm,Pau.wasm -n 20000 --report tune.html

Exit status: 0 better values were found and confirmed; 1 they were worse; 3 no
difference; 4 undecided; 2 not done; 130 stopped by Ctrl-C."
)]
pub struct Args {
    /// The game, unless the file tells it, and the player: a .cc or .rs file, or the
    /// name of a player in this folder that has one
    #[arg(required = true, num_args = 1..=2, value_name = "[GAME] PLAYER")]
    words: Vec<String>,
    /// The three rivals
    #[arg(long, value_name = "P,Q,R", value_delimiter = ',', required = true)]
    field: Vec<String>,
    /// Matches of the search
    #[arg(short = 'n', long, value_name = "N", default_value_t = 8000)]
    matches: u64,
    /// The most matches with which what was found is confirmed; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    confirm: u64,
    /// The least difference that matters when it is confirmed, in the share of rivals beaten
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    margin: f64,
    /// How the next points are chosen
    #[arg(long, value_enum, default_value_t = MethodArg::Bayes)]
    method: MethodArg,
    /// The first seed
    #[arg(short, long, value_name = "SEED", default_value_t = 1)]
    seed: i32,
    /// The config file, instead of the game's default
    #[arg(short, long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    setup: SetupArgs,
    /// How to show what was found
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write a page with the landscape to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write every match to this file, and go on from what it holds already
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MethodArg {
    /// Gaussian process and Thompson's rule
    Bayes,
    /// Simultaneous perturbation
    Spsa,
    /// Points by chance, to compare with
    Chance,
}

impl MethodArg {
    fn method(self) -> Method {
        match self {
            MethodArg::Bayes => Method::Bayes,
            MethodArg::Spsa => Method::Spsa,
            MethodArg::Chance => Method::Chance,
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = Plan::resolve(args)?;
    let stop = interrupt::flag()?;
    let mut search = Search::open(&plan, args.resume.as_deref())?;
    search.run(&plan, &stop)?;
    let stopped = stop.load(Ordering::Relaxed);
    if stopped {
        eprintln!("stopped after {} of {} steps", search.steps(), plan.steps);
    }
    let found = search.proposal(&plan);
    let is_new = found != plan.space.standard_values();
    let report = |confirmed: Option<&Findings>| {
        let page = || report::page(&plan, &search, &found, confirmed);
        args.report.as_ref().map_or(Ok(()), |path| page::write(path, &page()))
    };
    let mut confirmed = None;
    if is_new && !stopped && args.confirm > 0 {
        // It may take longer than the search did, and who stops it knows what was found.
        plan.declarations(&found).iter().for_each(|line| eprintln!("found {line}"));
        eprintln!("whether that is better than the present values is tried on other seeds");
        report(None)?;
        confirmed = Some(confirm::run(&plan, &search, &found, &stop)?);
    }
    let reported = report(confirmed.as_ref());
    match args.format {
        Format::Table => write_text(&plan, &search, &found, confirmed.as_ref())?,
        Format::Json => writeln!(std::io::stdout(), "{:#}", as_json(&plan, &search, &found, confirmed.as_ref()))?,
    }
    reported?;
    let answer = confirmed.as_ref().and_then(|findings| findings.comparison.answer());
    let answer = if is_new { answer } else { Some(Answer::NoDifference) };
    Ok(if stopped { ExitCode::from(interrupt::STOPPED) } else { compare::status(answer, stop.load(Ordering::Relaxed)) })
}

/// What the search and its confirmation say, in a sentence.
fn verdict(is_new: bool, confirmed: Option<&Findings>) -> String {
    let Some(findings) = confirmed else {
        return if is_new { "not confirmed yet" } else { "nothing better than the present values was found" }
            .to_owned();
    };
    let (low, high) = findings.comparison.interval();
    let answer = match findings.comparison.answer() {
        Some(Answer::Better) => "confirmed: the proposed values are better",
        Some(Answer::Worse) => "not confirmed: the proposed values are worse",
        Some(Answer::NoDifference) => "not confirmed: no difference that matters",
        None => "not confirmed: no answer",
    };
    let (difference, matches) = (findings.comparison.difference(), findings.played());
    format!("{answer} ({difference:+.3}, {low:+.3} to {high:+.3}, in {matches} matches on other seeds)")
}

fn write_text(plan: &Plan, search: &Search, found: &[f64], confirmed: Option<&Findings>) -> Result<()> {
    let now = plan.space.standard_values();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n", verdict(found != now, confirmed))?;
    let mut rows = vec![["parameter", "now", "proposed", "least", "most"].map(str::to_owned).to_vec()];
    for ((parameter, now), found) in plan.space.parameters.iter().zip(&now).zip(found) {
        let numbers = [*now, *found, parameter.low, parameter.high].map(|number| number.to_string());
        rows.push(std::iter::once(parameter.name.clone()).chain(numbers).collect());
    }
    write!(out, "{}", crate::arena::tables::aligned(&rows))?;
    if let Some((before, after)) = search.believed(plan, found) {
        writeln!(out, "\nshare of rivals beaten, as the search believes: {before:.3} now, {after:.3} proposed")?;
    }
    writeln!(out, "searched with {} matches in {} steps\n", search.matches(), search.steps())?;
    for line in plan.declarations(found) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn as_json(plan: &Plan, search: &Search, found: &[f64], confirmed: Option<&Findings>) -> serde_json::Value {
    let now = plan.space.standard_values();
    let parameters = plan.space.parameters.iter().zip(&now).zip(found).map(|((parameter, now), found)| {
        json!({"name": parameter.name, "now": now, "proposed": found, "low": parameter.low, "high": parameter.high})
    });
    let confirmation = confirmed.map(|findings| {
        let (low, high) = findings.comparison.interval();
        json!({
            "answer": findings.comparison.answer().map_or("undecided", compare::name),
            "difference": findings.comparison.difference(), "low": low, "high": high,
            "matches": findings.played(),
        })
    });
    json!({
        "game": plan.setup.game.about().id,
        "config": plan.setup.board().hash,
        "player": plan.name,
        "parameters": parameters.collect::<Vec<_>>(),
        "matches": search.matches(),
        "steps": search.steps(),
        "confirmation": confirmation,
    })
}
