//! The two clocks: one for dates, which may be set, and one for waiting, which
//! nobody can set.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::faults;

/// Milliseconds since 1970, for whatever people read or compare with a date.
/// It jumps when somebody sets the clock.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as i64 + faults::skew()
}

fn start() -> &'static (Instant, i64) {
    static START: OnceLock<(Instant, i64)> = OnceLock::new();
    START.get_or_init(|| (Instant::now(), now()))
}

/// The time since the process began to look.
pub fn steady() -> Duration {
    start().0.elapsed() + faults::haste()
}

/// Milliseconds that begin near those of `now` and never jump: for pauses that
/// should outlive the process. Another process may be off by what the clock was
/// set between their starts.
pub fn paced() -> i64 {
    start().1 + steady().as_millis() as i64
}
