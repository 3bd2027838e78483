//! `ludus replay info`: who played what, and how it ended.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use ludus_arena::{Film, Program};
use ludus_games::Seat;
use ludus_sandbox::build::hex;

use super::json;
use crate::film;
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
    let film = film::open(&args.file)?;
    let mut out = std::io::stdout().lock();
    match args.format {
        Format::Json => writeln!(out, "{}", json::facts(&film))?,
        Format::Table => write_table(&film, &mut out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write_table(film: &Film, out: &mut impl Write) -> Result<()> {
    let (header, about) = (film.header(), film.game().about());
    let rounds = film.show().state().rounds();
    let kind = match film.replay() {
        Some(replay) => format!("replay made by Ludus {}", plain(&replay.setup.engine)),
        None => "record".to_owned(),
    };
    writeln!(out, "file    {kind}{}", if header.judged { ", of a judged match" } else { "" })?;
    writeln!(out, "game    {} ({})", about.id, about.version)?;
    writeln!(out, "seed    {}", header.seed)?;
    writeln!(out, "rounds  {} of {rounds}", film.rounds())?;
    if let Some(damage) = film.damage() {
        writeln!(out, "damage  {damage}")?;
    }
    writeln!(out)?;
    writeln!(out, "seat  player        score  rank  status       fuel            program")?;
    let ending = json::Ending::of(film);
    for seat in Seat::ALL {
        let program = film.replay().map_or("", |replay| match &replay.setup.programs[seat] {
            Program::Builtin(_) => "built-in",
            Program::Module { .. } => "module",
            Program::Unknown => "",
        });
        let line = format!(
            "{seat:>4}  {:<12} {:>6}  {:>4}  {:<11}  {:<14}  {program}{}",
            plain(&header.names[seat]),
            ending.scores[seat],
            ending.ranks[seat],
            ending.status[seat].to_string(),
            ending.fuel.map_or(String::new(), |fuel| fuel[seat].to_string()),
            module_hash(film, seat),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    for seat in Seat::ALL {
        if let Some((round, fault)) = film.replay().and_then(|replay| replay.ending.faults[seat].as_ref()) {
            writeln!(out, "seat {seat} was frozen in round {round}: {}", plain(&fault.to_string()))?;
        }
    }
    Ok(())
}

fn module_hash(film: &Film, seat: Seat) -> String {
    match film.replay().map(|replay| &replay.setup.programs[seat]) {
        Some(Program::Module { hash, .. }) => format!(" {}", hex(hash)),
        Some(Program::Builtin(name)) => format!(" {}", plain(name)),
        _ => String::new(),
    }
}
