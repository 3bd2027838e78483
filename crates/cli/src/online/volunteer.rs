//! `ludus volunteer`: lets this machine play matches for a course.
//!
//! The work is done by `ludus-judge worker`, which is beside this program or where
//! programs are; the token goes there by the environment, never by the command line.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Result, anyhow, ensure};

/// The variable that holds the token, there as here.
const TOKEN: &str = "LUDUS_WORKER_TOKEN";

/// Let this machine play matches of the ladder and of training for a course
#[derive(clap::Args)]
#[command(after_help = "\
An instructor makes the token and says where the course's NATS server is. Ctrl-C
finishes what is begun. Matches run in processes of their own that see nothing
of this machine; bubblewrap must be installed.

Example:
  LUDUS_WORKER_TOKEN=ludus_w7_SU… ludus volunteer nats://judge.example.edu:4222 --workers 2")]
pub struct Args {
    /// The NATS server of the course
    url: String,
    /// Matches at a time; as many as processors by default
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let token = std::env::var_os(TOKEN).filter(|token| !token.is_empty());
    ensure!(token.is_some(), "set {TOKEN} to the token that an instructor has made for you");
    let mut command = Command::new(program());
    command.arg("worker").arg("--nats").arg(&args.url);
    if let Some(workers) = args.workers {
        command.arg("--workers").arg(workers.to_string());
    }
    let error = become_it(&mut command);
    Err(anyhow!("ludus-judge cannot be started, which does the work: {error}"))
}

/// Comes back only if that fails.
#[cfg(unix)]
fn become_it(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt as _;
    command.exec()
}

#[cfg(not(unix))]
fn become_it(_: &mut Command) -> std::io::Error {
    std::io::Error::other("it is for Linux")
}

/// The judge's program beside this one, or wherever programs are.
fn program() -> PathBuf {
    let beside = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("ludus-judge")));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from("ludus-judge"))
}
