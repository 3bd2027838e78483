//! Workers: take a job, do it, take the next one.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use tokio::task::JoinSet;

use crate::queue::{Dispatch, Lease};
use crate::verification::Verifier;
use crate::{log, workshop};

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

/// Starts some workers, which run until they are told to stop.
pub fn start(verifier: &Verifier, workers: usize, stop: &Stop) -> JoinSet<()> {
    let mut set = JoinSet::new();
    for _ in 0..workers {
        let (verifier, stop) = (verifier.clone(), stop.clone());
        set.spawn(async move {
            while !stop.is_asked() {
                if !turn(&verifier).await {
                    verifier.queue.wait().await;
                }
            }
        });
    }
    set
}

/// Does every job there is, one after the other.
pub async fn until_idle(verifier: &Verifier) {
    while turn(verifier).await {}
}

/// Takes one job and does it. False if there was none.
async fn turn(verifier: &Verifier) -> bool {
    let lease = match verifier.queue.take().await {
        Ok(Some(lease)) => lease,
        Ok(None) => return false,
        Err(error) => {
            log::error(&format!("a worker cannot take a job: {error:#}"));
            return false;
        }
    };
    if let Err(error) = run(verifier, &lease).await {
        let message = workshop::printable(&format!("{error:#}"));
        log::error(&format!("job {} ({:?} {}): {message}", lease.job, lease.kind, lease.subject));
        if let Err(error) = verifier.queue.fail(&lease, &message).await {
            // The lease runs out by itself.
            log::error(&format!("job {} cannot be given back: {error:#}", lease.job));
        }
    }
    true
}

/// Runs a job while its lease is kept alive. Both go on together: the job may
/// hold the one connection that the lease waits for.
async fn run(verifier: &Verifier, lease: &Lease) -> Result<()> {
    tokio::select! {
        done = verifier.run(lease) => done,
        never = keep_alive(verifier, lease) => match never {},
    }
}

async fn keep_alive(verifier: &Verifier, lease: &Lease) -> Infallible {
    let mut heartbeat = tokio::time::interval(verifier.queue.heartbeat());
    heartbeat.tick().await;
    loop {
        heartbeat.tick().await;
        // Whoever has lost the lease finds out when it finishes.
        if let Err(error) = verifier.queue.extend(lease).await {
            log::error(&format!("the lease of job {} cannot be extended: {error:#}", lease.job));
        }
    }
}
