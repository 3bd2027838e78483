//! Running a program on input that nobody trusts.
//!
//! In a jail the program is a user of its own without any rights, sees nothing
//! but itself and what it is shown ([`view`]), can write only to the folder in
//! which it runs, and can make few system calls ([`filter`]). Inside and
//! outside a jail it has limits of time, memory, files and output.
//!
//! What became of the program is told by facts alone: bubblewrap reports over a
//! pipe of its own, which the program does not have, whether the program was
//! started and how it ended. What the program writes decides nothing.
//!
//! All this is Linux; elsewhere there is no jail, and a limit of time alone.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod handles;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod watch;

use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::is_root;
#[cfg(target_os = "linux")]
pub use start::is_root;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jail {
    Bubblewrap,
    None,
}

/// What a program may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// CPU time of each process.
    pub cpu_seconds: u64,
    /// How long to wait for the end. It is there for machines that are stuck,
    /// and should be several times the CPU time.
    pub wall_seconds: u64,
    /// Bytes of address space of each process.
    pub memory: u64,
    /// Bytes of the largest file.
    pub file: u64,
    pub processes: u64,
}

impl Bounds {
    /// One call of a compiler.
    pub const COMPILER: Bounds =
        Bounds { cpu_seconds: 30, wall_seconds: 150, memory: 3 << 30, file: 64 << 20, processes: 64 };
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Success,
    /// It ended with this status.
    Failed(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// It used up its CPU time.
    OutOfTime,
}

/// A program that was started, and has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub exit: Exit,
    /// What it wrote to standard error, up to a limit.
    pub messages: String,
    /// The CPU time it had, all but the last moment: nobody tells of those who
    /// have ended, so that it is looked at while it runs.
    pub cpu: Duration,
}

/// Why a program could not be run to its end: trouble of the machine, never of
/// the program's input.
#[derive(Debug, thiserror::Error)]
pub enum JailError {
    #[error("cannot start {program}: {error}")]
    Start { program: String, error: std::io::Error },
    #[error("{program} was not started: {messages}")]
    NotStarted { program: String, messages: String },
    #[error("{program} was killed by somebody else with signal {signal}")]
    Killed { program: String, signal: i32 },
    #[error("the machine is too busy: {program} had {cpu_seconds} s of CPU in {wall_seconds} s")]
    Busy { program: String, cpu_seconds: u64, wall_seconds: u64 },
    #[error("no space is left in {}", .0.display())]
    NoSpace(PathBuf),
}

/// How much of a program's messages is kept.
const MESSAGES: u64 = 64 << 10;

impl Jail {
    /// Where the program finds what [`CommandLine::places`] shows it.
    pub fn place(&self, folder: &Path, inside: &'static str) -> PathBuf {
        match self {
            Jail::Bubblewrap => inside.into(),
            Jail::None => folder.to_owned(),
        }
    }
}

/// Where a program is, if it is on the path.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
