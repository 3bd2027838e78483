//! Waiting for something on the judge, with patience, until Ctrl-C.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::client::Failed;
use crate::interrupt;

/// How often it is asked: soon after something has happened, then less and less.
const SOONEST: Duration = Duration::from_millis(400);
const LATEST: Duration = Duration::from_secs(5);
/// Failures in a row after which nobody waits any more.
const MOST_FAILURES: u32 = 20;

/// What a look has shown.
pub enum Look<T> {
    Over(T),
    /// Whether something is otherwise than before.
    NotYet {
        changed: bool,
    },
}

/// Looks again and again. None if Ctrl-C came first.
pub fn follow<T>(mut look: impl FnMut() -> Result<Look<T>>) -> Result<Option<T>> {
    let stop = interrupt::flag()?;
    let (mut pause, mut failures) = (SOONEST, 0);
    loop {
        let wait = match look() {
            Ok(Look::Over(found)) => return Ok(Some(found)),
            Ok(Look::NotYet { changed }) => {
                failures = 0;
                pause = if changed { SOONEST } else { pause.mul_f64(1.4).min(LATEST) };
                pause
            }
            // A judge that starts anew, or has too much to do, is asked later.
            Err(error) => match error.downcast_ref::<Failed>().and_then(|failed| failed.later) {
                Some(later) if failures < MOST_FAILURES => {
                    failures += 1;
                    if failures == 1 {
                        eprintln!("{error:#}; trying again");
                    }
                    later.clamp(SOONEST, Duration::from_secs(60))
                }
                _ => return Err(error),
            },
        };
        let until = Instant::now() + wait;
        while Instant::now() < until {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(50).min(until.saturating_duration_since(Instant::now())));
        }
    }
}
