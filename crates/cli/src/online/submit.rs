//! `ludus submit`: a player is handed in, and its verdict waited for.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use ludus_sandbox::build::{self, Language};
use serde::Deserialize;

use super::client::{Client, encoded};
use super::status;

/// Hand a player in to a season, and wait for the verdict
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludus submit AIMarta.cc --wait               to the season that takes players
  ludus submit Joan.rs --season spring --wait
  ludus submit AIMarta.cc --wait --json > verdict.json

Exit status: 0 accepted (or handed in, without --wait); 1 rejected; 2 not done;
130 stopped by Ctrl-C, while the judge goes on.")]
pub struct Args {
    /// The source of the player
    file: PathBuf,
    /// The season, by its name in addresses; needed if several take players
    #[arg(long, value_name = "SEASON")]
    season: Option<String>,
    /// Wait for the verdict and show how far it is
    #[arg(long)]
    wait: bool,
    /// Print what the judge says as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Taken {
    id: i64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let source = std::fs::read(&args.file).with_context(|| format!("cannot read {}", args.file.display()))?;
    let client = Client::find()?;
    let season = client.season(args.season.as_deref())?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let path = format!("/seasons/{}/submissions?file_name={}", encoded(&season), encoded(&name));
    if let Some(language) = Language::of(&args.file) {
        eprint!("{}", build::warnings(language, &args.file.to_string_lossy(), &source));
    }
    let Taken { id } = client.post(&path, "application/octet-stream", &source)?;
    eprintln!("submission {id}: {}", client.page(&format!("/submissions/{id}")));
    if args.wait {
        return status::wait(&client, id, args.json);
    }
    if args.json {
        println!("{{\"id\":{id}}}");
    } else {
        println!("handed in; ludus status {id} --wait shows its verdict");
    }
    Ok(ExitCode::SUCCESS)
}
