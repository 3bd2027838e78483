//! `ludus replay export`: a match as another kind of file.

use std::io::{IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ludus_arena::Film;
use ludus_view::picture::{GifWriter, PictureError, PngWriter};
use ludus_view::{document, opening, self_contained};

use super::json;
use crate::film;
use crate::output::Output;

/// Write a match as another kind of file
#[derive(clap::Args)]
#[command(after_help = "\
Kinds of file:
  res   the record of the reference engines, to the byte (.res, .out, .req)
  json  everything in the file, orders included; docs/replay.md describes it
  html  one page that plays the match, works from disk and can be mailed
  gif   rounds as an animation
  png   one round as a picture

A damaged file gives what is readable of it, and a line that says where it breaks.

Examples:
  ludus replay export match.ludus --to res > match.res
  ludus replay export match.ludus --to html -o match.html
  ludus replay export match.ludus --to gif --rounds 100..140 -o match.gif
  ludus replay export match.ludus --to png --round 120 --scale 20 -o match.png")]
pub struct Args {
    /// A replay or a record
    file: PathBuf,
    /// The kind of file to write
    #[arg(long, value_enum)]
    to: Kind,
    /// The file to write, instead of standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// For gif: the boards after these numbers of rounds
    #[arg(long, value_name = "A..B", value_parser = rounds)]
    rounds: Option<(u32, u32)>,
    /// For png: the board after so many rounds; without it the last one
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// For gif and png: pixels per cell
    #[arg(long, value_name = "PIXELS")]
    scale: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Res,
    Json,
    Html,
    Gif,
    Png,
}

fn rounds(text: &str) -> Result<(u32, u32), String> {
    let parse = || {
        let (from, to) = text.split_once("..")?;
        Some((from.parse().ok()?, to.trim_start_matches('=').parse().ok()?))
    };
    parse().ok_or_else(|| "expected two numbers, like 100..140".to_owned())
}

pub fn run(args: &Args) -> Result<ExitCode> {
    check_options(args)?;
    let film = film::open(&args.file)?;
    let is_picture = matches!(args.to, Kind::Gif | Kind::Png);
    if args.output.is_none() && is_picture && std::io::stdout().is_terminal() {
        bail!("a picture is nothing for a terminal: name a file with -o");
    }
    match &args.output {
        Some(path) => {
            let mut output = Output::create(path)?;
            write(args, &film, |part| output.write(part))?;
            output.finish()?;
        }
        None => {
            let mut out = std::io::stdout().lock();
            write(args, &film, |part| out.write_all(part).context("cannot write to standard output"))?;
        }
    }
    if let Some(damage) = film.damage() {
        eprintln!("{} is damaged: {damage}", args.file.display());
    }
    Ok(ExitCode::SUCCESS)
}

fn write(args: &Args, film: &Film, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let name = || args.file.display().to_string();
    match args.to {
        Kind::Res => film.write_record(take),
        Kind::Json => json::write_everything(film, take),
        Kind::Html => take(&self_contained(&document(film))),
        Kind::Gif => {
            let (from, to) = args.rounds.unwrap_or((0, film.rounds()));
            take(&animation(film, from..=to, args.scale).with_context(name)?)
        }
        Kind::Png => {
            let round = args.round.unwrap_or(film.rounds());
            take(&picture(film, round, args.scale).with_context(name)?)
        }
    }
}

/// An option that would do nothing is a mistake.
fn check_options(args: &Args) -> Result<()> {
    if args.rounds.is_some() && args.to != Kind::Gif {
        bail!("--rounds is for --to gif");
    }
    if args.round.is_some() && args.to != Kind::Png {
        bail!("--round is for --to png");
    }
    if args.scale.is_some() && !matches!(args.to, Kind::Gif | Kind::Png) {
        bail!("--scale is for --to gif and --to png");
    }
    Ok(())
}

fn animation(film: &Film, rounds: RangeInclusive<u32>, scale: Option<u32>) -> Result<Vec<u8>, PictureError> {
    let mut show = film.show();
    let mut writer = GifWriter::new(&opening(film), show.state(), rounds, scale)?;
    while let Some((state, past)) = show.next_round() {
        writer.frame(state, &past);
    }
    writer.finish()
}

fn picture(film: &Film, round: u32, scale: Option<u32>) -> Result<Vec<u8>, PictureError> {
    let mut show = film.show();
    let mut writer = PngWriter::new(&opening(film), show.state(), round, scale)?;
    while !writer.is_done() {
        let Some((state, past)) = show.next_round() else { break };
        writer.frame(state, &past);
    }
    writer.finish()
}
