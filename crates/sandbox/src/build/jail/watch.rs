//! Waiting for a process in a jail: what bubblewrap tells of it, what it
//! writes, and how much CPU time it has had.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What bubblewrap tells.
pub enum Event {
    /// The program's place is ready, and this process waits for a sign.
    Child(i32),
    /// The program was started, and has ended with this code; 128 and a signal's
    /// number if that ended it.
    Exit(i32),
    /// There is nobody left to tell anything.
    End,
    /// Nothing has happened for a while.
    Tick,
}

/// How often the CPU time of a program is looked at.
const TICK: Duration = Duration::from_millis(300);

pub struct Watch {
    events: Receiver<Event>,
    deadline: Instant,
    messages: JoinHandle<String>,
}

impl Watch {
    /// Takes the outputs of a process.
    pub fn new(child: &mut Child, most: Duration) -> Watch {
        let (sender, events) = channel();
        let status = child.stdout.take().expect("it was asked for");
        std::thread::spawn(move || read_status(status, &sender));
        let stderr = child.stderr.take().expect("it was asked for");
        let messages = std::thread::spawn(move || read_messages(stderr));
        Watch { events, deadline: Instant::now() + most, messages }
    }

    /// What happens next; none if nothing does in time.
    pub fn next(&self) -> Option<Event> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left.min(TICK)) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
            Err(RecvTimeoutError::Timeout) => (left > TICK).then_some(Event::Tick),
        }
    }

    /// What the process wrote, after its end.
    pub fn messages(self) -> String {
        self.messages.join().unwrap_or_default()
    }
}

fn read_status(from: impl Read, to: &Sender<Event>) {
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        let child = number_after(&line, "\"child-pid\": ").map(Event::Child);
        let exit = number_after(&line, "\"exit-code\": ").map(Event::Exit);
        for event in child.into_iter().chain(exit) {
            // Nobody listens any more when the time is over.
            let _ = to.send(event);
        }
    }
}

fn number_after(line: &str, key: &str) -> Option<i32> {
    let (_, rest) = line.split_once(key)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The first messages; the rest is read and dropped, so that the program never
/// waits for a reader.
fn read_messages(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    // A pipe that breaks has simply ended.
    let _ = from.by_ref().take(super::MESSAGES).read_to_end(&mut kept);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

/// The exit code of a program that a shell was replaced with; none if the shell
/// found that it cannot be started.
pub fn code_without_jail(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal))?;
    (code != 126).then_some(code)
}

/// A process and all that it started, each with its CPU time in ticks.
struct Family(Vec<(u32, u64)>);

impl Family {
    fn of(eldest: u32) -> Family {
        let mut all: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        for pid in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
            // Many end while one looks.
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            all.extend(parent_and_ticks(&stat).map(|found| (pid, found)));
        }
        let belongs = |mut pid: u32| {
            // No family is deeper than there are processes.
            for _ in 0..all.len() {
                if pid == eldest {
                    return true;
                }
                let Some((parent, _)) = all.get(&pid) else { return false };
                pid = *parent;
            }
            false
        };
        Family(all.iter().filter(|(pid, _)| belongs(**pid)).map(|(pid, (_, ticks))| (*pid, *ticks)).collect())
    }
}

/// The CPU time of a process and of all that it started, of which those that
/// have ended count if somebody waited for them.
pub fn cpu_time_of_family(eldest: u32) -> Duration {
    let ticks: u64 = Family::of(eldest).0.iter().map(|(_, ticks)| ticks).sum();
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1))
}

/// Ends a process and all that it started. Bubblewrap ends its own when it is
/// ended, but not those that have become another user.
pub fn end_family(child: &mut Child) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "kill -KILL \"$@\"", "sh"]);
    command.args(Family::of(child.id()).0.iter().map(|(pid, _)| pid.to_string()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // They may have ended by themselves in the meantime.
    let _ = command.status();
    let _ = child.kill();
}

/// From a line of `/proc/PID/stat`, in which the name may hold anything.
fn parent_and_ticks(stat: &str) -> Option<(u32, u64)> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Some((fields.get(1)?.parse().ok()?, ticks))
}

/// Whether a file of `most` bytes could not be written here now.
pub fn is_full(folder: &Path, most: u64) -> bool {
    // Whoever cannot even be asked has other troubles, which show elsewhere.
    rustix::fs::statvfs(folder).is_ok_and(|system| {
        let no_files = system.f_files > 0 && system.f_favail < 16;
        no_files || system.f_bavail.saturating_mul(system.f_frsize) < most
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_the_time_it_has_had() {
        let mut busy = Command::new("/bin/sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let started = Instant::now();
        while cpu_time_of_family(std::process::id()) < Duration::from_millis(100) {
            assert!(started.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
        busy.kill().unwrap();
        busy.wait().unwrap();
        assert_eq!(parent_and_ticks("12 (a) b) R 7 1 1 0 -1 4 1 1 1 1 20 30 4 5 20 0 1 0"), Some((7, 59)));
        assert_eq!(parent_and_ticks(""), None);
    }
}
