//! The CPU time that compilers may spend on one source.
//!
//! A file is tried under several standards, and then again with what only the
//! GNU compiler accepts put right: up to a dozen calls. Each has a limit of its
//! own, and all of them together have this one, so that a source that fails
//! late under every standard costs no more than one that never ends.

use std::cell::Cell;
use std::time::Duration;

use super::{Bounds, BuildError};

/// What all calls of compilers on one source may use together. An honest file
/// takes a few seconds for each.
pub const ALL_CALLS: Duration = Duration::from_secs(90);

/// What a call counts for at least: of one that ends between two looks at its
/// time nobody can say how much it had.
const LEAST: Duration = Duration::from_millis(300);

/// What is left of it while a source is compiled.
pub(super) struct Time {
    allowed: Duration,
    used: Cell<Duration>,
}

impl Time {
    pub fn new(allowed: Duration) -> Time {
        Time { allowed, used: Cell::default() }
    }

    /// What the next call may use, unless nothing is left.
    pub fn bounds(&self) -> Result<Bounds, BuildError> {
        let left = self.allowed.saturating_sub(self.used.get());
        if left.is_zero() {
            return Err(self.over());
        }
        // The system counts whole seconds.
        let left = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        Ok(Bounds { cpu_seconds: left.min(Bounds::COMPILER.cpu_seconds), ..Bounds::COMPILER })
    }

    pub fn spend(&self, cpu: Duration) {
        self.used.set(self.used.get().saturating_add(cpu.max(LEAST)));
    }

    /// Why a call that used all its CPU time ends the attempts.
    pub fn out_of(&self, bounds: &Bounds) -> BuildError {
        if bounds.cpu_seconds < Bounds::COMPILER.cpu_seconds {
            return self.over();
        }
        BuildError::TooSlow(bounds.cpu_seconds)
    }

    fn over(&self) -> BuildError {
        BuildError::TooSlow(self.allowed.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_slow_calls_end_like_one_that_never_does() {
        let time = Time::new(ALL_CALLS);
        let mut calls = 0;
        let refused = loop {
            match time.bounds() {
                Ok(bounds) => time.spend(Duration::from_millis(bounds.cpu_seconds * 1000 - 100)),
                Err(refused) => break refused,
            }
            calls += 1;
            assert!(calls < 12, "all standards, and three times more of each, would be tried");
        };
        assert!(matches!(refused, BuildError::TooSlow(90)), "{refused}");
        assert_eq!(calls, 4, "three whole ones, and one with what is left");
    }

    #[test]
    fn the_limit_that_was_passed_is_named() {
        let time = Time::new(ALL_CALLS);
        assert!(matches!(time.out_of(&time.bounds().unwrap()), BuildError::TooSlow(30)));
        time.spend(Duration::from_secs(70));
        let last = time.bounds().unwrap();
        assert_eq!(last.cpu_seconds, 20);
        assert!(matches!(time.out_of(&last), BuildError::TooSlow(90)));
    }

    #[test]
    fn calls_that_nobody_saw_run_count_too() {
        let time = Time::new(LEAST);
        time.spend(Duration::ZERO);
        assert!(time.bounds().is_err());
    }

    #[test]
    fn quick_calls_never_feel_it() {
        let time = Time::new(ALL_CALLS);
        for _ in 0..12 {
            assert_eq!(time.bounds().unwrap().cpu_seconds, 30, "a call has its whole limit");
            time.spend(Duration::from_secs(5));
        }
    }
}
