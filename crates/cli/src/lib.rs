//! The `ludus` command as a library: [`main`] is all of it.
//!
//! Results go to standard output, progress and errors to standard error.
//! Exit status: 0 done; 1 done, and the answer is no; 2 not done, with one
//! line that says why; 130 stopped by Ctrl-C.

mod arena;
mod build;
mod case;
mod compare;
mod config_text;
mod conform;
mod contestants;
mod doctor;
mod interrupt;
mod kept_files;
mod limits;
mod list;
mod match_file;
mod names;
mod new;
mod output;
mod play;
mod player_log;
mod replay;
mod result;
mod round;
mod setup;
mod shell;
mod verify;
mod view;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "ludus",
    version,
    about = "Play, check and study four-player programming games",
    after_help = "\
Examples:
  ludus list                                   the games and their players
  ludus play ants Demo Dummy Demo Null         a match, its result as a table
  ludus play ants Demo Demo Demo Demo -s 30 -o match.res
  ludus view match.ludus                       watch it in the browser
  ludus verify match.ludus                     play a replay again, as proof
  ludus arena ants Marta --fill Dummy          thousands of matches, with statistics
  ludus compare ants New Old --field Demo,Demo,Dummy
  ludus new ants Marta                         a folder with a player to edit
  ludus conform golden                         replay recorded matches, byte for byte

Exit status: 0 done; 1 done, and the answer is no; 2 not done."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    View(view::Args),
    #[command(subcommand)]
    Replay(replay::Command),
    Verify(verify::Args),
    Arena(arena::Args),
    Compare(compare::Args),
    List(list::Args),
    Conform(conform::Args),
    New(new::Args),
    Build(build::Args),
    Doctor(doctor::Args),
}

/// Reads the command line, does what it says, and gives the exit status.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let done = match cli.command {
        Command::Play(args) => play::run(args),
        Command::View(args) => view::run(&args),
        Command::Replay(command) => replay::run(&command),
        Command::Verify(args) => verify::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::List(args) => list::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::New(args) => new::run(&args),
        Command::Build(args) => build::run(&args),
        Command::Doctor(args) => doctor::run(&args),
    };
    done.unwrap_or_else(|error| {
        // Somebody closed the pipe: `| head` has seen enough.
        if output::is_closed_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

/// Help and version as clap gives them; errors in one line.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is the only thing that can go wrong, and is fine.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(2);
    }
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("error: wrong arguments");
    let details: Vec<&str> =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    eprintln!("{first} {}; see 'ludus --help'", details.join(" "));
    ExitCode::from(2)
}
