//! `ludus replay export`: a match as another kind of file.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ludus_arena::MatchFile;
use ludus_games::Seat;
use ludus_view::picture::{GifWriter, PngWriter};
use ludus_view::{document, opening, self_contained};

use super::json;
use crate::match_file;
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
    /// For json: add the board of every round as the player in this seat saw it,
    /// from 0 to 3
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u8).range(0..4))]
    seen: Option<u8>,
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
    let file = match_file::open(&args.file)?;
    let is_picture = matches!(args.to, Kind::Gif | Kind::Png);
    if args.output.is_none() && is_picture && std::io::stdout().is_terminal() {
        bail!("a picture is nothing for a terminal: name a file with -o");
    }
    let damage = match &args.output {
        Some(path) => {
            let mut output = Output::create(path)?;
            let damage = write(args, &file, |part| output.write(part))?;
            output.finish()?;
            damage
        }
        None => {
            let mut out = std::io::stdout().lock();
            write(args, &file, |part| out.write_all(part).context("cannot write to standard output"))?
        }
    };
    if let Some(damage) = damage {
        eprintln!("{} is damaged: {damage}", args.file.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the file, and says where and why the match breaks, if it does.
fn write(args: &Args, file: &MatchFile, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<Option<String>> {
    let name = || args.file.display().to_string();
    let (content, damage) = match args.to {
        Kind::Res => return file.write_record(take),
        Kind::Json => return json::write_everything(file, args.seen.map(|seat| Seat::ALL[usize::from(seat)]), take),
        Kind::Html => {
            let document = document(file).with_context(name)?;
            (self_contained(&document.json), document.damage)
        }
        Kind::Gif => animation(file, args).with_context(name)?,
        Kind::Png => picture(file, args).with_context(name)?,
    };
    take(&content)?;
    Ok(damage)
}

/// An option that would do nothing is a mistake.
fn check_options(args: &Args) -> Result<()> {
    if args.rounds.is_some() && args.to != Kind::Gif {
        bail!("--rounds is for --to gif");
    }
    if args.round.is_some() && args.to != Kind::Png {
        bail!("--round is for --to png");
    }
    if args.seen.is_some() && args.to != Kind::Json {
        bail!("--seen is for --to json");
    }
    if args.scale.is_some() && !matches!(args.to, Kind::Gif | Kind::Png) {
        bail!("--scale is for --to gif and --to png");
    }
    Ok(())
}

fn animation(file: &MatchFile, args: &Args) -> Result<(Vec<u8>, Option<String>)> {
    let (from, to) = match args.rounds {
        Some(rounds) => rounds,
        // How many frames there are is told at the head of an animation.
        None => (0, file.play_out()?.rounds),
    };
    let mut playback = file.play()?;
    let mut writer = GifWriter::new(&opening(file), playback.state(), from..=to, args.scale)?;
    while let Some((state, past)) = playback.next_round() {
        writer.frame(state, &past);
    }
    Ok((writer.finish()?, playback.damage().map(str::to_owned)))
}

fn picture(file: &MatchFile, args: &Args) -> Result<(Vec<u8>, Option<String>)> {
    let mut playback = file.play()?;
    let mut writer = PngWriter::new(&opening(file), playback.state(), args.round, args.scale)?;
    while let Some((state, past)) = playback.next_round() {
        writer.frame(state, &past);
    }
    Ok((writer.finish()?, playback.damage().map(str::to_owned)))
}
