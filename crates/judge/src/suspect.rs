//! Jobs under suspicion, each in a process of its own.
//!
//! When a process dies, every job that it had may be the cause, and none may be:
//! somebody may have pulled the plug. So a job that was there when a process
//! died is done next by a process that does nothing else, started by one that
//! watches. If that one dies it was the job; if its watcher dies with it, nobody
//! knows, and nobody is blamed.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::database::Database;
use crate::ids::JobId;
use crate::jobs::{Environment, Job};
use crate::local_machine::LocalMachine;
use crate::queue::{Crew, Dispatch as _, Lease, Queue};
use crate::start;
use crate::store::Store;
use crate::worker;

/// How to start a process for one job. What it must know goes through a pipe: the
/// addresses may hold passwords, and others can read command lines.
#[derive(Clone)]
pub struct Quarantine {
    pub program: PathBuf,
    pub database: String,
    pub store: String,
    pub cache: PathBuf,
}

/// The subcommand that such a process is started with.
pub const SUBCOMMAND: &str = "suspect";

/// Lets another process do a job.
pub async fn run(environment: &Environment, quarantine: &Quarantine, lease: &Lease) -> Result<()> {
    let mut child = Command::new(&quarantine.program)
        .arg(SUBCOMMAND)
        // One that finds more would start itself again, without this pipe.
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| start::is_kept(name)))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .context("cannot start a process for a job under suspicion")?;
    let mut pipe = child.stdin.take().ok_or_else(|| anyhow!("the process for one job has no pipe"))?;
    let lines = format!(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n",
        quarantine.database,
        quarantine.store,
        quarantine.cache.display(),
        environment.queue.lease().as_secs(),
        lease.id,
        lease.job.kind(),
        lease.job.subject(),
        lease.failures,
        lease.token
    );
    // They fit into the pipe, so that nobody has to read them now. It stays open
    // as long as this process wants the result, and the other ends when it closes.
    // A process that does not read them has ended, which is noticed below.
    let _ = pipe.write_all(lines.as_bytes());
    let status = tokio::task::spawn_blocking(move || child.wait()).await?;
    let status = status.context("cannot wait for the process for one job")?;
    drop(pipe);
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let message = format!("the process that did only this died by signal {signal}");
        return environment.queue.fail_deadly(lease, &message).await;
    }
    if !status.success() {
        bail!("the process for one job ended with {status}");
    }
    Ok(())
}

/// What such a process does.
pub async fn main() -> Result<()> {
    // If memory runs out, this is the process to end.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let mut input = Vec::new();
    for _ in 0..9 {
        input.push(line()?);
    }
    std::thread::spawn(|| {
        // Whatever ends this, nobody waits for the result any more.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let [database, store, cache, seconds, id, kind, subject, failures, token] = &input[..] else {
        bail!("nine lines were expected");
    };
    let database = Database::open(database).await?;
    let queue = Queue::of_crew(database.clone(), Duration::from_secs(seconds.parse()?), Crew::unknown(0));
    let machine = LocalMachine::open(cache.as_ref(), Store::open(store)?)?;
    let environment = Environment { database, queue, machines: std::sync::Arc::new(machine), quarantine: None };
    let job = Job::of(kind, subject.parse()?).ok_or_else(|| anyhow!("there is no kind of work {kind}"))?;
    let lease = Lease::handed_on(JobId(id.parse()?), job, failures.parse()?, token.clone());
    if let Err(error) = worker::run(&environment, &lease).await {
        worker::give_back(&environment, &lease, &error).await;
    }
    Ok(())
}

/// A line of standard input, and not a byte more: the rest is waited for by
/// another thread.
fn line() -> Result<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while std::io::stdin().read(&mut byte)? == 1 && byte != *b"\n" {
        bytes.push(byte[0]);
    }
    Ok(String::from_utf8(bytes)?)
}
