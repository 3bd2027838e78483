//! The `ludus` command as a library: [`main`] is all of it.
//!
//! Results go to standard output, progress and errors to standard error.
//! Exit status: 0 done; 1 done, and the answer is no; 2 not done, with one
//! line that says why; 3 and 4 as `compare` says; 130 stopped by Ctrl-C.

mod arena;
mod behaviour;
mod build;
mod case;
mod commands;
mod compare;
mod config_text;
mod conform;
mod contestants;
mod debug;
mod doctor;
mod explainer;
mod freezes;
mod interrupt;
mod journal;
mod kept_files;
mod league;
mod limits;
mod list;
mod manual;
mod match_file;
mod names;
mod new;
mod online;
mod output;
mod page;
mod plagiarism;
mod play;
mod player_log;
mod replay;
mod replay_folder;
mod result;
mod round;
mod scheduled;
mod setup;
mod shell;
mod terminal;
mod tune;
mod verify;
mod view;

use std::process::ExitCode;

use clap::Command;
use clap::error::{ContextKind, ContextValue};

use commands::Entry;

const EXAMPLES: &str = "\
Examples:
  ludus list                                   the games and their players
  ludus play ants Demo Dummy Demo Null         a match, its result as a table
  ludus play ants Demo Demo Demo Demo -s 30 -o match.res
  ludus view match.ludus                       watch it in the browser
  ludus verify match.ludus                     play a replay again, as proof
  ludus debug match.ludus --seat 0 --player AIMarta.cc --round 40
  ludus arena ants Marta --fill Dummy          thousands of matches, with statistics
  ludus compare ants New Old --field Demo,Demo,Dummy
  ludus tune ants Marta --field Demo,Demo,Dummy
  ludus league add evening Marta8=AIMarta.cc   a league that goes on
  ludus new ants Marta                         a folder with a player to edit
  ludus conform golden                         replay recorded matches, byte for byte
  ludus plagiarism sources/                    who shares code with whom
  ludus login https://judge.example.edu        for submit, status, train, fetch and kit

Exit status: 0 done; 1 done, and the answer is no; 2 not done.";

fn command() -> Command {
    Command::new("ludus")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Play, check and study four-player programming games")
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands::ALL.iter().map(Entry::command))
}

/// Reads the command line, does what it says, and gives the exit status.
pub fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == ludus_sandbox::EXPLAIN) {
        return ludus_sandbox::explain();
    }
    explainer::set_program();
    say_nothing_of_closed_pipes();
    // Players want more room for their calls than the first thread has.
    let thread = std::thread::Builder::new().stack_size(ludus_arena::PLAYING_STACK).spawn(do_as_told);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        Ok(Err(panic)) if panic.downcast_ref::<String>().is_some_and(|text| is_closed_pipe(text)) => ExitCode::SUCCESS,
        // What a panic has to say has been said.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: no thread can be started: {error}");
            ExitCode::from(2)
        }
    }
}

/// What is printed to nobody, as when `2>&1 | head` has seen enough, ends the program
/// as an error would, but it is none.
fn say_nothing_of_closed_pipes() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.payload_as_str().is_some_and(is_closed_pipe) {
            usual(panic);
        }
    }));
}

fn is_closed_pipe(panic: &str) -> bool {
    panic.starts_with("failed printing to std") && panic.contains("Broken pipe")
}

fn do_as_told() -> ExitCode {
    let found = match command().try_get_matches() {
        Ok(found) => found,
        Err(error) => return usage(&error),
    };
    let Some((name, found)) = found.subcommand() else { return ExitCode::from(2) };
    let entry = commands::ALL.iter().find(|entry| entry.name == name).expect("clap knows these only");
    let done = entry.run(found);
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
    let command = asked_for(&text);
    eprintln!("{}{}; see '{command} --help'", in_one_line(&text), instead(error, &command));
    ExitCode::from(2)
}

/// What may have been meant by a word that is no command, where clap knows nothing
/// like it: to clap two letters in the wrong order are two wrong letters.
fn instead(error: &clap::Error, command: &str) -> String {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return String::new() };
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return String::new();
    }
    if std::path::Path::new(word).is_file() {
        return format!(
            "; what to do with a file is said before it, as in 'ludus replay info {}'",
            word.escape_debug()
        );
    }
    let is_near = |entry: &&Entry| command == "ludus" && strsim::damerau_levenshtein(word, entry.name) == 1;
    let near = commands::ALL.iter().find(is_near);
    near.map_or_else(String::new, |entry| format!("; a similar subcommand exists: '{}'", entry.name))
}

/// What clap says of wrong arguments, without the lines of its usage.
fn in_one_line(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut told = lines.next().unwrap_or("error: wrong arguments").to_owned();
    for line in lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")) {
        told += &line.strip_prefix("tip:").map_or_else(|| format!(" {line}"), |tip| format!(";{tip}"));
    }
    told.replace("invalid digit found in string", "it must be a whole number")
        .replace("invalid float literal", "it must be a number")
}

/// The command that was asked for, as far as there is one: clap knows it where
/// it tells its usage.
fn asked_for(text: &str) -> String {
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    if let Some(usage) = text.lines().find_map(|line| line.trim().strip_prefix("Usage: ")) {
        return usage.split(' ').take_while(is_name).collect::<Vec<_>>().join(" ");
    }
    let word = std::env::args().nth(1).unwrap_or_default();
    let known = commands::ALL.iter().any(|entry| entry.name == word);
    if known { format!("ludus {word}") } else { "ludus".to_owned() }
}
