//! Work on strangers' bytes that may take long or much, done by this program once
//! more: in the jail, where it sees what it is given and nothing else, with limits
//! of memory and time. What goes beyond them is told, and nothing else notices.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use crate::build::{Bounds, BuildError, CommandLine, Exit, Jail, JailError, TemporaryFolder};

/// The files in the folder where that happens.
const INPUT: &str = "input";
const OUTPUT: &str = "output";

/// The status of a program of Rust that panicked.
const PANICKED: i32 = 101;

/// This program, or one that was built with it, to be started in the jail.
#[derive(Clone, Debug)]
pub struct OwnProgram {
    pub program: PathBuf,
    pub jail: Jail,
    /// Where there is room for what is passed to it.
    pub cache: PathBuf,
}

/// What became of it.
pub enum Outcome {
    Output(Vec<u8>),
    /// It would have taken more than this.
    TooMuch(String),
    /// It ended with a status and these words.
    Failed(i32, String),
}

/// Trouble of the machine.
#[derive(Debug, thiserror::Error)]
pub enum OwnProgramError {
    #[error(transparent)]
    Folder(#[from] BuildError),
    #[error("what is passed to a program in the jail cannot be kept: {0}")]
    Files(#[from] io::Error),
    #[error(transparent)]
    Jail(#[from] JailError),
}

impl OwnProgram {
    /// Starts the program with one word, which says what to do with the input.
    pub fn run(&self, word: &str, input: &[u8], bounds: &Bounds) -> Result<Outcome, OwnProgramError> {
        let folder = TemporaryFolder::new(&self.cache)?;
        folder.write(INPUT, input)?;
        let command = CommandLine {
            program: self.program.clone(),
            args: vec![OsStr::new(word).to_owned()],
            reads: vec![self.program.clone()],
            ..CommandLine::default()
        };
        let ran = self.jail.run(&command, folder.path(), bounds)?;
        Ok(match ran.exit {
            Exit::Success => Outcome::Output(folder.read(OUTPUT, bounds.file)?),
            Exit::OutOfTime => Outcome::TooMuch(format!("{} s of CPU", bounds.cpu_seconds)),
            // It gave up, or was ended when it had no memory left.
            Exit::Failed(PANICKED) | Exit::Signal(_) => {
                Outcome::TooMuch(format!("{} MiB of memory", bounds.memory >> 20))
            }
            Exit::Failed(status) => Outcome::Failed(status, ran.messages.trim().to_owned()),
        })
    }
}

/// What a program that was started so is to work on.
pub fn input() -> io::Result<Vec<u8>> {
    std::fs::read(INPUT)
}

/// What it made of it.
pub fn give(output: &[u8]) -> io::Result<()> {
    std::fs::write(OUTPUT, output)
}
