//! The table of commands. What one takes is put together when it is the one that
//! was asked for, so that a match does not pay for the arguments of all others.

use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::{
    arena, build, compare, conform, debug, doctor, league, list, manual, new, online, plagiarism, play, replay, tune,
    verify, view,
};

/// A command: its name, what it does in a line, its arguments, its work.
pub struct Entry {
    pub name: &'static str,
    about: &'static str,
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode>,
}

/// An entry of the table.
macro_rules! entry {
    ($name:literal, $module:path, $about:literal) => {{
        use $module as module;
        Entry {
            name: $name,
            about: $about,
            arguments: module::Args::augment_args,
            run: |found| module::run(&read::<module::Args>(found)?),
        }
    }};
}

/// All commands, in the order of the help.
pub const ALL: &[Entry] = &[
    Entry {
        name: "play",
        about: "Play one match between four players",
        arguments: play::Args::augment_args,
        run: |found| play::run(read(found)?),
    },
    entry!("view", view, "Watch a match in the browser"),
    Entry {
        name: "replay",
        about: "Look into replays and records, and turn them into other files",
        arguments: |command| {
            let command = command.subcommand_required(true).arg_required_else_help(true);
            replay::Command::augment_subcommands(command)
        },
        run: |found| replay::run(&read(found)?),
    },
    entry!("verify", verify, "Play a replay or an official round again and say whether everything is as it tells"),
    entry!("debug", debug, "Play a seat of a replay again, in a debugger or with checks"),
    entry!("arena", arena, "Play thousands of matches and rate the players"),
    entry!("compare", compare, "Find out whether a new version of a player is better than the old one"),
    entry!("tune", tune, "Find better values for the parameters of a player"),
    Entry {
        name: "league",
        about: "Keep a running league of players in a folder",
        arguments: |command| {
            let command = command.subcommand_required(true).arg_required_else_help(true);
            league::Command::augment_subcommands(command)
        },
        run: |found| league::run(&read(found)?),
    },
    entry!("list", list, "List the games, the players that come with them and those in this folder"),
    entry!("conform", conform, "Play recorded cases again and compare every byte"),
    entry!("new", new, "Make a folder with a starter player, examples, a config and an API reference"),
    entry!("build", build, "Compile a player to a .wasm file that runs on every machine"),
    entry!("doctor", doctor, "Check the compilers of this machine and try them on a player"),
    entry!("plagiarism", plagiarism, "Find code that players of different authors share"),
    entry!("manual", manual, "Write man pages and completions for shells into a folder"),
    entry!("login", online::login, "Remember the judge of a course and a token for it"),
    entry!("logout", online::logout, "Revoke the token and forget it"),
    entry!("submit", online::submit, "Hand a player in to a season, and wait for the verdict"),
    entry!("status", online::status, "Show how submissions stand, or one of them"),
    entry!("train", online::train, "Let players meet on the judge, and show the table"),
    entry!("fetch", online::fetch, "Download the replay of a match and what your player wrote in it"),
    entry!("kit", online::kit, "Download all that is needed to work on a season at home"),
    entry!("volunteer", online::volunteer, "Let this machine play matches of the ladder and of training for a course"),
];

/// What was given on the command line, as a command takes it.
fn read<T: FromArgMatches>(found: &ArgMatches) -> Result<T> {
    T::from_arg_matches(found).map_err(|error| anyhow::anyhow!("{error}"))
}

impl Entry {
    pub fn command(&self) -> Command {
        // What begins like a negative number is one, and told to be wrong as a number.
        Command::new(self.name).about(self.about).allow_negative_numbers(true).defer(self.arguments)
    }

    pub fn run(&self, found: &ArgMatches) -> Result<ExitCode> {
        (self.run)(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_says_the_same_of_itself_everywhere() {
        for entry in ALL {
            let whole = (entry.arguments)(Command::new(entry.name));
            assert_eq!(whole.get_about().map(ToString::to_string).as_deref(), Some(entry.about), "{}", entry.name);
        }
    }
}
