//! The CPU time of this process.
#![allow(unsafe_code)]

use std::time::Duration;

#[cfg(unix)]
pub fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every system with that name, and the time is
    // written where a time belongs.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    assert_eq!(done, 0, "there is no clock for the CPU time of a process");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where there is no such clock, the time since the first question: more than
/// the CPU time, if anything.
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}
