//! Workers: take a job, do it, take the next one.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Error, Result};
use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::jobs::{Environment, Job, together};
use crate::log::Subject;
use crate::patience::{Patience, TooSlow};
use crate::playroom::Unending;
use crate::queue::{Blame, Dispatch, Lease};
use crate::trouble::Trouble;
use crate::{clock, local_machine, log, metrics, suspect, traces};

/// Asks workers to stop after the job they have.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_asked(&self) -> bool {
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
        set.spawn(work(environment, stop));
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

/// A job that takes longer is left to itself, and its worker does others' jobs.
const LONG: Duration = Duration::from_secs(5);
/// Jobs that a worker leaves to themselves at a time.
const MOST_LEFT: usize = 3;

/// Jobs that go on beside the one that a worker does. While they do it takes jobs
/// of other people only, so that nobody waits for somebody's slow players; beside
/// the ladder it takes whatever else comes.
#[derive(Default)]
struct Left {
    jobs: JoinSet<bool>,
    /// How many of them are not the ladder's.
    slow: usize,
    /// The small matches that were played last, while their results are stored.
    storing: JoinSet<()>,
}

impl Left {
    /// Waits for one to end, if there is any.
    async fn ended(&mut self) {
        match self.jobs.join_next().await {
            Some(was_slow) => self.forget(was_slow.unwrap_or(true)),
            None => std::future::pending().await,
        }
    }

    fn forget(&mut self, was_slow: bool) {
        self.slow = self.slow.saturating_sub(usize::from(was_slow));
    }
}

/// Does one job after the other until it is told to stop; what is begun is ended.
async fn work(environment: Environment, stop: Stop) {
    let mut left = Left::default();
    while !stop.is_asked() {
        while let Some(was_slow) = left.jobs.try_join_next() {
            left.forget(was_slow.unwrap_or(true));
        }
        if left.jobs.len() >= MOST_LEFT {
            left.ended().await;
            continue;
        }
        if next(&environment, &mut left).await == Turn::Done {
            continue;
        }
        tokio::select! {
            () = environment.queue.wait() => {}
            () = left.ended() => {}
        }
    }
    while left.jobs.join_next().await.is_some() {}
    while left.storing.join_next().await.is_some() {}
}

/// Takes a job, and stays with it while that is not long.
async fn next(environment: &Environment, left: &mut Left) -> Turn {
    let queue = &environment.queue;
    let one = async |lease: Result<Option<Lease>>| Ok(lease?.map(|lease| vec![lease]));
    let leases = match (left.slow > 0, left.jobs.is_empty()) {
        (true, _) => taken(environment, async { one(queue.take_of_others().await).await }).await,
        (false, false) => taken(environment, async { one(queue.take_better().await).await }).await,
        (false, true) => taken(environment, async { Ok(queue.take_several(1).await?.pop()) }).await,
    };
    let leases = match leases {
        Ok(leases) => leases,
        Err(turn) => return turn,
    };
    let lease = &leases[0];
    let gives_way = matches!(lease.job, Job::Climb(_) | Job::Compare(_) | Job::Observe(_));
    let is_slow = matches!(lease.patience, Some(Patience::Usual | Patience::Endless));
    let environment = environment.clone();
    // A set of one, which ends its job when its worker is ended.
    let mut job = JoinSet::new();
    let (free, freed) = oneshot::channel();
    job.spawn(async move { outlived(done_together(&environment, leases, free)).await });
    if !gives_way && !is_slow {
        tokio::select! {
            _ = job.join_next() => return Turn::Done,
            Ok(()) = freed => {
                // One of them at a time: who plays faster than can be stored waits.
                while left.storing.join_next().await.is_some() {}
                left.storing.spawn(async move { while job.join_next().await.is_some() {} });
                return Turn::Done;
            }
            () = tokio::time::sleep(LONG) => {}
        }
    }
    left.slow += usize::from(!gives_way);
    left.jobs.spawn(async move {
        job.join_next().await;
        !gives_way
    });
    Turn::Done
}

/// What came of a turn, unless it panicked: a worker outlives whatever a job
/// does, and the job's lease runs out.
pub(crate) async fn outlived(turn: impl Future<Output = Turn>) -> Option<Turn> {
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

/// Some jobs to be done, at least one, or what came of looking for them.
pub(crate) async fn take_some(environment: &Environment, most: usize) -> Result<Vec<Vec<Lease>>, Turn> {
    let some = taken(environment, async {
        let leases = environment.queue.take_several(most).await?;
        Ok(if leases.is_empty() { None } else { Some(leases) })
    });
    some.await
}

/// A job to be done, or what came of looking for one.
async fn taken<T>(environment: &Environment, take: impl Future<Output = Result<Option<T>>>) -> Result<T, Turn> {
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

/// Does jobs that were taken together, and says when their worker is free before all
/// is done.
pub(crate) async fn done_together(
    environment: &Environment,
    mut leases: Vec<Lease>,
    free: oneshot::Sender<()>,
) -> Turn {
    if leases.len() == 1
        && let Some(lease) = leases.pop()
    {
        return done(environment, lease).await;
    }
    let (subject, traced) = (about(&leases[0], leases.len() - 1), leases[0].traced());
    log::within(subject, traces::span("job", &traced, do_many(environment, leases, free))).await
}

async fn do_many(environment: &Environment, leases: Vec<Lease>, free: oneshot::Sender<()>) -> Turn {
    let keep = async {
        let mut heartbeat = tokio::time::interval(environment.queue.heartbeat());
        heartbeat.tick().await;
        loop {
            heartbeat.tick().await;
            for lease in &leases {
                extend(environment, lease).await;
            }
        }
    };
    let played = tokio::select! {
        played = together::play(environment, &leases, free) => played,
        () = keep => Ok(()),
    };
    if let Err(error) = played {
        // Whoever lets go of a lease has lost the job: each is tried alone.
        log::error(&format!("{} jobs from {} on: {error:#}", leases.len(), leases[0].id));
        leases.iter().for_each(|lease| environment.queue.leave_alone(lease));
    }
    Turn::Done
}

/// What lines of the log about a job say of it.
fn about(lease: &Lease, others: usize) -> Subject {
    Subject::Job { id: lease.id, kind: lease.job.kind(), others }
}

/// Does a job that was taken.
pub(crate) async fn done(environment: &Environment, lease: Lease) -> Turn {
    let subject = about(&lease, 0);
    log::within(subject, traces::span("job", &lease.traced(), do_one(environment, lease))).await
}

async fn do_one(environment: &Environment, lease: Lease) -> Turn {
    let done = match &environment.quarantine {
        Some(quarantine) if lease.is_suspect => suspect::run(environment, quarantine, &lease).await,
        _ => match lease.patience {
            Some(patience) => run(&environment.with_patience(patience), &lease).await,
            None => run(environment, &lease).await,
        },
    };
    match done {
        Err(error) if error.is::<TooSlow>() => {
            if let Err(error) = environment.queue.put_behind(&lease).await {
                log::error(&format!("job {} cannot be put behind: {error:#}", lease.id));
            }
            return Turn::Done;
        }
        Err(error) => give_back(environment, &lease, &error).await,
        Ok(()) => {}
    }
    environment.queue.was_done(&lease);
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
    let message = local_machine::printable(&format!("{error:#}"));
    log::error(&format!("job {} ({} {}): {message}", lease.id, lease.job.kind(), lease.job.subject()));
    metrics::count_failure();
    let blame = match environment.probe().await {
        Err(trouble) => {
            environment.queue.breaker().open(trouble);
            log::error(&format!("no work is taken because of trouble with: {trouble}"));
            Blame::Machine
        }
        Ok(()) if Trouble::of(error).is_some() => Blame::Moment,
        Ok(()) if error.is::<Unending>() => Blame::Length,
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
        extend(environment, lease).await;
    }
}

/// Whoever has lost the lease finds out when it finishes.
async fn extend(environment: &Environment, lease: &Lease) {
    if let Err(error) = environment.queue.extend(lease).await {
        log::error(&format!("the lease of job {} cannot be extended: {error:#}", lease.id));
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
