//! Workers: take a job, do it, take the next one.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Error, Result};
use futures_util::FutureExt as _;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::jobs::{Environment, Job};
use crate::queue::{Blame, Dispatch, Lease};
use crate::trouble::Trouble;
use crate::{clock, log, suspect, workshop};

/// Asks workers to stop after the job they have.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often a process says that it is there.
const PRESENCE: Duration = Duration::from_secs(5);

/// Starts some workers, which run until they are told to stop.
pub fn start(environment: &Environment, workers: usize, stop: &Stop) -> JoinSet<()> {
    let mut set = JoinSet::new();
    for _ in 0..workers {
        let (environment, stop) = (environment.clone(), stop.clone());
        set.spawn(async move {
            while !stop.is_asked() {
                if outlived(relieved(&environment, &stop)).await != Some(Turn::Done) {
                    environment.queue.wait().await;
                }
            }
        });
    }
    let (environment, stop) = (environment.clone(), stop.clone());
    set.spawn(async move {
        let mut due = Duration::ZERO;
        while !stop.is_asked() {
            if clock::steady() >= due {
                due = clock::steady() + PRESENCE;
                if let Err(error) = environment.queue.sign_in().await {
                    log::error(&format!("this process cannot say that it is there: {error:#}"));
                }
            }
            tokio::time::sleep(PRESENCE / 20).await;
        }
    });
    set
}

/// A job that takes longer gets a relief.
const LONG: Duration = Duration::from_secs(5);

/// A turn. While its job takes long a relief does the jobs of other people, so that
/// nobody waits for somebody's slow players; and while it plays for the ladder a
/// relief does whatever else comes, at once. What the relief has begun it ends.
async fn relieved(environment: &Environment, stop: &Stop) -> Turn {
    let lease = match taken(environment, environment.queue.take()).await {
        Ok(lease) => lease,
        Err(turn) => return turn,
    };
    let gives_way = matches!(lease.job, Job::Climb(_));
    let mut job = std::pin::pin!(done(environment, lease));
    if !gives_way && let Ok(done) = tokio::time::timeout(LONG, &mut job).await {
        return done;
    }
    let (is_over, ended) = (AtomicBool::new(false), Notify::new());
    let job = async {
        let done = job.await;
        is_over.store(true, Ordering::Relaxed);
        ended.notify_one();
        done
    };
    let relief = async {
        while !is_over.load(Ordering::Relaxed) && !stop.is_asked() {
            let done = match gives_way {
                true => outlived(take_turn(environment, environment.queue.take_better())).await,
                false => outlived(take_turn(environment, environment.queue.take_of_others())).await,
            };
            if done != Some(Turn::Done) {
                tokio::select! {
                    () = environment.queue.wait() => {}
                    () = ended.notified() => {}
                }
            }
        }
    };
    tokio::join!(job, relief).0
}

/// What came of a turn, unless it panicked: a worker outlives whatever a job
/// does, and the job's lease runs out.
async fn outlived(turn: impl Future<Output = Turn>) -> Option<Turn> {
    let turn = AssertUnwindSafe(turn).catch_unwind().await;
    if turn.is_err() {
        log::error("a worker panicked");
    }
    turn.ok()
}

/// Does every job there is, one after the other.
pub async fn until_idle(environment: &Environment) {
    while turn(environment).await == Turn::Done {}
}

/// What came of looking for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Done,
    Idle,
    /// The machine is in trouble, and nothing is taken.
    Paused,
}

/// Takes one job and does it.
pub async fn turn(environment: &Environment) -> Turn {
    take_turn(environment, environment.queue.take()).await
}

async fn take_turn(environment: &Environment, take: impl Future<Output = Result<Option<Lease>>>) -> Turn {
    match taken(environment, take).await {
        Ok(lease) => done(environment, lease).await,
        Err(turn) => turn,
    }
}

/// A job to be done, or what came of looking for one.
async fn taken(environment: &Environment, take: impl Future<Output = Result<Option<Lease>>>) -> Result<Lease, Turn> {
    if !is_well(environment).await {
        return Err(Turn::Paused);
    }
    match take.await {
        Ok(lease) => lease.ok_or(Turn::Idle),
        Err(error) => {
            log::error(&format!("a worker cannot take a job: {error:#}"));
            if let Some(trouble) = Trouble::of(&error) {
                environment.queue.breaker().open(trouble);
            }
            Err(Turn::Idle)
        }
    }
}

async fn done(environment: &Environment, lease: Lease) -> Turn {
    let done = match &environment.quarantine {
        Some(quarantine) if lease.is_suspect => suspect::run(environment, quarantine, &lease).await,
        _ => run(environment, &lease).await,
    };
    if let Err(error) = done {
        give_back(environment, &lease, &error).await;
    }
    Turn::Done
}

/// Whether work may be taken. After trouble the machine is looked at first.
async fn is_well(environment: &Environment) -> bool {
    let breaker = environment.queue.breaker();
    let Some(pause) = breaker.pause() else { return true };
    if !breaker.is_over() {
        return false;
    }
    match environment.probe().await {
        Ok(()) => {
            breaker.close();
            log::note(&format!("work goes on after trouble with: {}", pause.trouble));
            // For other processes; the next time it is said anyway.
            let _ = environment.queue.sign_in().await;
            true
        }
        Err(trouble) => {
            breaker.open(trouble);
            false
        }
    }
}

/// Gives a job back that failed. Whether it is to blame is found out by looking
/// at the machine, not by what the error says.
pub(crate) async fn give_back(environment: &Environment, lease: &Lease, error: &Error) {
    let message = workshop::printable(&format!("{error:#}"));
    log::error(&format!("job {} ({} {}): {message}", lease.id, lease.job.kind(), lease.job.subject()));
    let blame = match environment.probe().await {
        Err(trouble) => {
            environment.queue.breaker().open(trouble);
            log::error(&format!("no work is taken because of trouble with: {trouble}"));
            Blame::Machine
        }
        Ok(()) if Trouble::of(error).is_some() => Blame::Moment,
        Ok(()) => Blame::Job,
    };
    if let Err(error) = environment.queue.fail(lease, &message, blame).await {
        // It is found and given back when the database can be written to.
        log::error(&format!("job {} cannot be given back: {error:#}", lease.id));
    }
}

/// Runs a job while its lease is kept alive. Both go on together: the job may
/// hold the one connection that the lease waits for.
pub(crate) async fn run(environment: &Environment, lease: &Lease) -> Result<()> {
    tokio::select! {
        done = lease.job.run(environment, lease) => done,
        never = keep_alive(environment, lease) => match never {},
    }
}

async fn keep_alive(environment: &Environment, lease: &Lease) -> Infallible {
    let mut heartbeat = tokio::time::interval(environment.queue.heartbeat());
    heartbeat.tick().await;
    loop {
        heartbeat.tick().await;
        // Whoever has lost the lease finds out when it finishes.
        if let Err(error) = environment.queue.extend(lease).await {
            log::error(&format!("the lease of job {} cannot be extended: {error:#}", lease.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_worker_outlives_a_panic() {
        assert_eq!(outlived(async { panic!("whatever a job does") }).await, None);
        assert_eq!(outlived(async { Turn::Done }).await, Some(Turn::Done));
    }
}
