//! `ludus replay`: what is in a replay, and what can be made of it.

mod export;
mod info;
mod json;

use std::process::ExitCode;

use anyhow::Result;

/// Look into replays and records, and turn them into other files
#[derive(clap::Subcommand)]
#[command(after_help = "\
A record (.res, .out, .req) can be given wherever a replay (.ludus) can; what it
does not hold is left out.

Examples:
  ludus replay info match.ludus
  ludus replay export match.ludus --to res -o match.res")]
pub enum Command {
    Info(info::Args),
    Export(export::Args),
}

pub fn run(command: &Command) -> Result<ExitCode> {
    match command {
        Command::Info(args) => info::run(args),
        Command::Export(args) => export::run(args),
    }
}
