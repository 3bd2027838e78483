//! Running a program on input that nobody trusts.
//!
//! In a jail the program has no network, sees the system read-only, and can
//! write only to its own temporary folder. Inside and outside a jail it has
//! limits of time, memory, files and output.
//!
//! What became of the program is told by facts alone: bubblewrap reports over a
//! pipe of its own, which the program does not have, whether the program was
//! started and how it ended. What the program writes decides nothing.

mod watch;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::CommandLine;
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

/// Sets the limits, and gives bubblewrap its two pipes under numbers that it is
/// told: standard output becomes 3 and standard input 4, so that the program
/// has neither.
const START: &str = r#"ulimit -c 0 && ulimit -f "$1" && ulimit -v "$2" && ulimit -S -t "$3" && ulimit -H -t "$4" && shift 4 && exec "$@" 3>&1 4<&0 </dev/null >/dev/null"#;

const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
/// Signals with which people and other programs stop a process: SIGHUP,
/// SIGINT, SIGTERM, and SIGKILL, which is also the kernel's when the machine
/// has no memory left.
const SIGNALS_OF_OTHERS: [i32; 4] = [1, 2, 15, SIGKILL];

impl Jail {
    /// Bubblewrap, if this machine has one that works.
    pub fn find() -> Option<Jail> {
        use std::sync::OnceLock;
        static WORKS: OnceLock<bool> = OnceLock::new();
        let works = || {
            let trial = CommandLine { program: "/usr/bin/true".into(), ..CommandLine::default() };
            let ran = Jail::Bubblewrap.run(&trial, &std::env::temp_dir(), &Bounds::COMPILER);
            ran.is_ok_and(|ran| ran.exit == Exit::Success)
        };
        WORKS.get_or_init(works).then_some(Jail::Bubblewrap)
    }

    /// Runs a program that may write to `folder` and nowhere else. An error is
    /// trouble of the machine.
    pub fn run(&self, command: &CommandLine, folder: &Path, bounds: &Bounds) -> Result<Ran, JailError> {
        let program = command.program.display().to_string();
        let failed = |error| JailError::Start { program: program.clone(), error };
        let mut process = self.command(command, folder, bounds);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = process.spawn().map_err(failed)?;
        let watch = Watch::new(&mut child, Duration::from_secs(bounds.wall_seconds));
        let ended = self.attend(&mut child, &watch, bounds);
        if ended.is_err() {
            // It may have ended by itself in the meantime.
            let _ = child.kill();
        }
        let status = child.wait().map_err(failed)?;
        let messages = watch.messages().replace(&format!("{}/", folder.display()), "");
        let code = match ended {
            Err(used) if used.as_secs() * 4 >= bounds.wall_seconds => {
                return Ok(Ran { exit: Exit::OutOfTime, messages });
            }
            Err(used) => {
                let (cpu_seconds, wall_seconds) = (used.as_secs(), bounds.wall_seconds);
                return Err(JailError::Busy { program, cpu_seconds, wall_seconds });
            }
            Ok(code) if *self == Jail::Bubblewrap => code,
            Ok(_) => watch::code_without_jail(status),
        };
        let Some(code) = code else { return Err(JailError::NotStarted { program, messages }) };
        let exit = match code {
            0 => Exit::Success,
            code if code == 128 + SIGXCPU => Exit::OutOfTime,
            code if code > 128 && SIGNALS_OF_OTHERS.contains(&(code - 128)) => {
                return Err(JailError::Killed { program, signal: code - 128 });
            }
            code if code > 128 => Exit::Signal(code - 128),
            code => Exit::Failed(code),
        };
        if exit != Exit::Success && watch::is_full(folder, bounds.file) {
            return Err(JailError::NoSpace(folder.to_owned()));
        }
        Ok(Ran { exit, messages })
    }

    /// Lets the program begin, once it has all its limits, and waits for its
    /// end: its exit code if it was started at all, as bubblewrap tells. If it
    /// does not end in time, the CPU time that it has used so far.
    fn attend(&self, child: &mut Child, watch: &Watch, bounds: &Bounds) -> Result<Option<i32>, Duration> {
        let mut begin = child.stdin.take();
        let mut exit = None;
        loop {
            match watch.next() {
                Some(Event::Child(pid)) => {
                    // Whoever cannot be limited is not told to begin, and ends
                    // without having been started.
                    if let Some(mut begin) = begin.take()
                        && limit_processes(pid, bounds.processes)
                    {
                        // It is gone if it cannot be written to.
                        let _ = begin.write_all(b"!");
                    }
                }
                Some(Event::Exit(code)) => exit = Some(code),
                Some(Event::End) => return Ok(exit),
                None => return Err(watch::cpu_time_of_family(child.id())),
            }
        }
    }

    fn command(self, command: &CommandLine, folder: &Path, bounds: &Bounds) -> Command {
        let mut process = Command::new("/bin/sh");
        process.env_clear().args(["-c", START, "sh"]);
        let [file, memory] = [bounds.file.div_ceil(512), bounds.memory.div_ceil(1024)];
        let limits = [file, memory, bounds.cpu_seconds, bounds.cpu_seconds + 2];
        process.args(limits.map(|limit| limit.to_string()));
        let own = [("PATH", "/usr/bin:/bin"), ("SOURCE_DATE_EPOCH", "0"), ("LC_ALL", "C.UTF-8")];
        if self == Jail::Bubblewrap {
            let bubblewrap = which("bwrap").unwrap_or_else(|| "bwrap".into());
            process.arg(bubblewrap).args(["--json-status-fd", "3", "--block-fd", "4"]);
            process.args(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
            for system in ["/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache"] {
                process.args(["--ro-bind-try", system, system]);
            }
            process.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
            for path in &command.reads {
                process.arg("--ro-bind").arg(path).arg(path);
            }
            process.arg("--bind").arg(folder).arg(folder).arg("--chdir").arg(folder);
            for (name, value) in own {
                process.args(["--setenv", name, value]);
            }
            for (name, value) in &command.env {
                process.arg("--setenv").arg(name).arg(value);
            }
        } else {
            process.envs(own).envs(command.env.iter().map(|(name, value)| (name, value))).current_dir(folder);
        }
        process.arg(&command.program).args(&command.args);
        process
    }
}

/// Processes are counted within the jail, so the limit is set from outside on
/// the first one that is there.
fn limit_processes(first: i32, most: u64) -> bool {
    let mut command = Command::new("prlimit");
    command.arg("--pid").arg(first.to_string()).arg(format!("--nproc={most}"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Where a program is, if it is on the path.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests;
