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

mod filter;
mod group;
mod handles;
mod start;
mod view;
mod watch;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{CommandLine, TemporaryFolder};
use group::Group;
pub use start::is_root;
use watch::{Event, Watch};

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

/// What the loader ends with if it cannot load a program, and a shell if it
/// cannot start one. No program that we run ends so by itself.
const NOT_LOADED: i32 = 127;

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
/// Signals with which people and other programs stop a process: SIGHUP,
/// SIGINT, SIGTERM, and SIGKILL, which is also the kernel's when the machine
/// has no memory left.
const SIGNALS_OF_OTHERS: [i32; 4] = [1, 2, 15, SIGKILL];

impl Jail {
    /// Bubblewrap, if this machine has one that works.
    pub fn find() -> Option<Jail> {
        static WORKS: AtomicBool = AtomicBool::new(false);
        if !WORKS.load(Ordering::Relaxed) {
            let trial = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
            let folder = TemporaryFolder::new(&std::env::temp_dir()).ok()?;
            let ran = Jail::Bubblewrap.run(&trial, folder.path(), &Bounds::COMPILER).ok()?;
            WORKS.store(ran.exit == Exit::Success, Ordering::Relaxed);
        }
        WORKS.load(Ordering::Relaxed).then_some(Jail::Bubblewrap)
    }

    /// Runs a program in `folder`, where it may write and nowhere else, and which
    /// is at another place for it: its arguments name files there without a
    /// folder. A jail takes only folders like those of [`TemporaryFolder`]. An
    /// error is trouble of the machine.
    pub fn run(&self, command: &CommandLine, folder: &Path, bounds: &Bounds) -> Result<Ran, JailError> {
        let program = command.program.display().to_string();
        let failed = |error| JailError::Start { program: program.clone(), error };
        let process = match self {
            Jail::Bubblewrap => start::jailed(command, folder, bounds),
            Jail::None => Ok(start::free(command, folder, bounds)),
        };
        let mut process = process.map_err(failed)?;
        let group = if *self == Jail::Bubblewrap { Group::new(bounds).map_err(failed)? } else { None };
        handles::close_others(&mut process);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = process.spawn().map_err(failed)?;
        let watch = Watch::new(&mut child, Duration::from_secs(bounds.wall_seconds));
        let (ended, cpu) = attend(&mut child, &watch, |pid| limit(pid, bounds, group.as_ref()));
        let status = child.wait().map_err(failed)?;
        let messages = watch.messages();
        let code = match ended {
            Ended::Unlimited => {
                let messages = "it cannot be limited".to_owned();
                return Err(JailError::NotStarted { program, messages });
            }
            Ended::TooLate if cpu.as_secs() * 4 >= bounds.wall_seconds => {
                return Ok(Ran { exit: Exit::OutOfTime, messages, cpu });
            }
            Ended::TooLate => {
                let (cpu_seconds, wall_seconds) = (cpu.as_secs(), bounds.wall_seconds);
                return Err(JailError::Busy { program, cpu_seconds, wall_seconds });
            }
            Ended::Told(code) if *self == Jail::Bubblewrap => code,
            Ended::Told(_) => watch::code_without_jail(status),
        };
        if code != Some(0) && group.as_ref().is_some_and(Group::ran_out_of_memory) {
            return Ok(Ran { exit: Exit::Signal(SIGKILL), messages, cpu });
        }
        let Some(code) = code.filter(|code| *code != NOT_LOADED) else {
            return Err(JailError::NotStarted { program, messages });
        };
        let exit = match code {
            0 => Exit::Success,
            code if code == 128 + SIGXCPU => Exit::OutOfTime,
            // There are 64 signals.
            code if code > 128 + 64 => Exit::Failed(code),
            code if code > 128 && SIGNALS_OF_OTHERS.contains(&(code - 128)) => {
                return Err(JailError::Killed { program, signal: code - 128 });
            }
            code if code > 128 => Exit::Signal(code - 128),
            code => Exit::Failed(code),
        };
        if exit != Exit::Success && watch::is_full(folder, bounds.file) {
            return Err(JailError::NoSpace(folder.to_owned()));
        }
        Ok(Ran { exit, messages, cpu })
    }

    /// Where the program finds what [`CommandLine::places`] shows it.
    pub fn place(&self, folder: &Path, inside: &'static str) -> PathBuf {
        match self {
            Jail::Bubblewrap => inside.into(),
            Jail::None => folder.to_owned(),
        }
    }
}

/// How waiting for a program ended.
enum Ended {
    /// With its exit code if it was started at all, as bubblewrap tells.
    Told(Option<i32>),
    /// It was not let begin.
    Unlimited,
    /// It was ended.
    TooLate,
}

/// Lets the program begin, once it has all its limits, and waits for its end.
/// Tells also how much CPU time it was seen to have.
fn attend(child: &mut Child, watch: &Watch, limit: impl Fn(i32) -> bool) -> (Ended, Duration) {
    let mut waiting = child.stdin.take();
    let mut exit = None;
    let mut cpu = Duration::ZERO;
    loop {
        let event = watch.next();
        if !matches!(event, Some(Event::Child(_))) {
            // Who has ended without being waited for is not in the sum.
            cpu = cpu.max(watch::cpu_time_of_family(child.id()));
        }
        match event {
            Some(Event::Child(pid)) => {
                let Some(mut begin) = waiting.take() else { continue };
                if !limit(pid) {
                    // While it waits: it also begins when nobody is left to tell it.
                    watch::end_family(child);
                    return (Ended::Unlimited, cpu);
                }
                // It is gone if it cannot be written to.
                let _ = begin.write_all(b"!");
            }
            Some(Event::Exit(code)) => exit = Some(code),
            Some(Event::End) => return (Ended::Told(exit), cpu),
            Some(Event::Tick) => {}
            None => {
                watch::end_family(child);
                return (Ended::TooLate, cpu);
            }
        }
    }
}

/// Processes are counted within the jail, so the limits are set from outside on
/// the first one that is there, by its own user: in a container root may not.
fn limit(first: i32, bounds: &Bounds, group: Option<&Group>) -> bool {
    let mut command = start::as_user_of_jail("prlimit");
    command.arg("--pid").arg(first.to_string()).arg(format!("--nproc={}", bounds.processes));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success()) && group.is_none_or(|group| group.add(first).is_ok())
}

/// Where a program is, if it is on the path.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests;
