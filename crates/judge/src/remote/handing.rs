//! Takes jobs while the fleet has room for them.
//!
//! One task takes them all: so the database is asked once for as many as there is
//! room for, however many workers there are.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::fleet::Fleet;
use super::trust;
use crate::clock::steady;
use crate::jobs::Environment;
use crate::log;
use crate::worker::{self, Stop, Turn};

/// Jobs that are taken together.
const TOGETHER: usize = 16;
/// Jobs at a time, whatever the size of the fleet: each has a thread that waits.
const MOST_JOBS: usize = 400;
/// How often results of suspended workers are looked for.
const SWEEP: Duration = Duration::from_secs(3);

/// Hands out jobs until it is told to stop; what is begun is ended.
pub async fn run(environment: Environment, fleet: Fleet, stop: Stop) {
    let mut jobs = JoinSet::new();
    let mut swept = Duration::ZERO;
    while !stop.is_asked() {
        while jobs.try_join_next().is_some() {}
        let capacity = fleet.capacity().min(MOST_JOBS);
        environment.queue.set_workers(capacity);
        if steady() > swept + SWEEP {
            swept = steady();
            if let Err(error) = trust::sweep(&environment.database, &environment.queue).await {
                log::error(&format!("results of suspended workers cannot be looked for: {error:#}"));
            }
        }
        let room = capacity.saturating_sub(jobs.len());
        if room == 0 {
            tokio::select! {
                () = fleet.wait() => {}
                Some(_) = jobs.join_next() => {}
            }
            continue;
        }
        match worker::take_some(&environment, room.min(TOGETHER)).await {
            Ok(leases) => {
                for some in leases {
                    let environment = environment.clone();
                    let (free, _) = oneshot::channel();
                    jobs.spawn(async move { worker::outlived(worker::done_together(&environment, some, free)).await });
                }
            }
            Err(Turn::Done | Turn::Idle | Turn::Paused) => environment.queue.wait().await,
        }
    }
    while jobs.join_next().await.is_some() {}
}
