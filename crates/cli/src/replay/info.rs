//! `ludus replay info`: who played what, and how it ended.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use ludus_arena::{Ending, MatchFile, Program, rank};
use ludus_games::Seat;
use ludus_sandbox::build::hex;

use super::json;
use crate::match_file;
use crate::output::{Format, plain};

/// Show who played what, and how it ended
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludus replay info match.ludus
  ludus replay info old.res --format json")]
pub struct Args {
    /// A replay or a record
    file: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let file = match_file::open(&args.file)?;
    let ending = file.play_out().with_context(|| args.file.display().to_string())?;
    let mut out = std::io::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{}", json::facts(&file, &ending))?,
        Format::Table => write_table(&file, &ending, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write_table(file: &MatchFile, ending: &Ending, out: &mut impl Write) -> Result<()> {
    let (header, about) = (file.header(), file.game().about());
    let kind = match file.replay() {
        Some(replay) => format!("replay made by Ludus {}", plain(&replay.setup.engine)),
        None => "record".to_owned(),
    };
    writeln!(out, "file    {kind}{}", if header.judged { ", of a judged match" } else { "" })?;
    writeln!(out, "game    {} ({})", about.id, about.version)?;
    writeln!(out, "seed    {}", header.seed)?;
    writeln!(out, "rounds  {} of {}", ending.rounds, ending.of)?;
    if let Some(damage) = &ending.damage {
        writeln!(out, "damage  {damage}")?;
    }
    writeln!(out)?;
    writeln!(out, "seat  player        score  rank  status       fuel            program")?;
    for seat in Seat::ALL {
        let program = file.replay().map_or("", |replay| match &replay.setup.programs[seat] {
            Program::Builtin(_) => "built-in",
            Program::Module { .. } => "module",
            Program::Unknown => "",
        });
        let line = format!(
            "{:>4}  {:<12} {:>6}  {:>4}  {:<11}  {:<14}  {program}{}",
            seat.ordinal(),
            plain(&header.names[seat]),
            ending.scores[seat],
            rank(&ending.scores, seat),
            ending.status[seat].to_string(),
            file.replay().map_or(String::new(), |replay| replay.ending.fuel[seat].to_string()),
            module_hash(file, seat),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    for seat in Seat::ALL {
        if let Some((round, fault)) = file.replay().and_then(|replay| replay.ending.faults[seat].as_ref()) {
            writeln!(out, "seat {} was frozen in round {round}: {}", seat.ordinal(), plain(&fault.to_string()))?;
        }
    }
    Ok(())
}

fn module_hash(file: &MatchFile, seat: Seat) -> String {
    match file.replay().map(|replay| &replay.setup.programs[seat]) {
        Some(Program::Module { hash, .. }) => format!(" {}", hex(hash)),
        Some(Program::Builtin(name)) => format!(" {}", plain(name)),
        _ => String::new(),
    }
}
