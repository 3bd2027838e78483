//! `ludus fetch`: a match of the judge in files.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::client::Client;
use crate::output::Output;

/// Download the replay of a match and what your player wrote in it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludus fetch 812              match-812.ludus, and match-812-seat-1.txt if your player wrote something
  ludus fetch 812 --dir lost && ludus view lost/match-812.ludus
  ludus fetch https://judge.example.edu/matches/812")]
pub struct Args {
    /// The number of the match, or the address of its page
    #[arg(value_name = "MATCH")]
    wanted: String,
    /// The folder for the files
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(rename = "match")]
    of: Match,
}

#[derive(Deserialize)]
struct Match {
    id: i64,
    seats: Vec<Seat>,
}

#[derive(Deserialize)]
struct Seat {
    seat: usize,
    has_output: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let number = args.wanted.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let number: i64 = number.parse().with_context(|| format!("{} is no number of a match", args.wanted))?;
    let client = Client::find()?;
    let found: Whole = client.get(&format!("/matches/{number}"))?;
    let id = found.of.id;
    let mut files = vec![(format!("match-{id}.ludus"), format!("/matches/{id}/replay.ludus"))];
    for seat in found.of.seats.iter().filter(|seat| seat.has_output) {
        files.push((format!("match-{id}-seat-{}.txt", seat.seat + 1), format!("/matches/{id}/output/{}", seat.seat)));
    }
    std::fs::create_dir_all(&args.dir).with_context(|| format!("cannot make the folder {}", args.dir.display()))?;
    for (name, path) in files {
        let bytes = client.get_file(&path)?;
        let path = args.dir.join(name);
        let mut file = Output::create(&path)?;
        file.write(&bytes)?;
        file.finish()?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}
