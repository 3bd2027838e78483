//! The compilers that turn one source file into a player.

pub mod rust;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A program to run, with everything that it needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// Folders that must be visible where it runs, besides those of its input
    /// and its output.
    pub reads: Vec<PathBuf>,
}

impl CommandLine {
    /// The command, for whoever runs it without a sandbox.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }
}
