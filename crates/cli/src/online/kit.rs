//! `ludus kit`: a season to take home.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::client::{Client, encoded};
use crate::output::Output;

/// Download all that is needed to work on a season at home
#[derive(clap::Args)]
#[command(after_help = "\
The archive holds the season's config and rules, example players, what players
can ask and order, the headers of the SDK for editors, and the judge's API;
README.txt in it has three lines that say how to begin.

Example:
  ludus kit spring && tar xzf ludus-spring.tar.gz && cat ludus-spring/README.txt")]
pub struct Args {
    /// The season, by its name in addresses
    season: String,
    /// The file to write, instead of ludus-SEASON.tar.gz
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let client = Client::find()?;
    let bytes = client.get_file(&format!("/seasons/{}/kit", encoded(&args.season)))?;
    // The judge knows it, so its name is plain.
    let folder = format!("ludus-{}", args.season);
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{folder}.tar.gz")));
    let mut file = Output::create(&path)?;
    file.write(&bytes)?;
    file.finish()?;
    println!("{}", path.display());
    eprintln!("unpack it and read how to begin: tar xzf {} && cat {folder}/README.txt", path.display());
    Ok(ExitCode::SUCCESS)
}
