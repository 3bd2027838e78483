//! Running a program in a jail, or with its limits alone, to its end.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::group::Group;
use super::watch::{self, Event, Watch};
use super::{Bounds, Exit, Jail, JailError, Ran, handles, start};
use crate::build::{CommandLine, TemporaryFolder};

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
