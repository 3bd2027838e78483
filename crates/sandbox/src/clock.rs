//! The CPU time of this process, the ticks of the machine's clock, and the memory
//! that a process may have.
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

/// A number that changes every few milliseconds, at a tenth of the cost of asking
/// what time it is.
#[cfg(target_os = "linux")]
pub fn clock_ticks() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is written where a time belongs.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &raw mut time) };
    assert_eq!(done, 0, "there is no coarse clock");
    (time.tv_sec as u64) << 30 | time.tv_nsec as u64
}

#[cfg(not(target_os = "linux"))]
pub fn clock_ticks() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_millis() as u64 / 4
}

/// Gives this process and those that it starts so many bytes of memory of their
/// own, each: whoever asks for more gets none. Address space costs nothing. Tells
/// whether that was done; where there is no such limit nothing is.
#[cfg(unix)]
pub fn limit_memory(bytes: u64) -> bool {
    let limit = libc::rlimit { rlim_cur: bytes as libc::rlim_t, rlim_max: bytes as libc::rlim_t };
    // SAFETY: the limit is there for as long as the call takes.
    unsafe { libc::setrlimit(libc::RLIMIT_DATA, &raw const limit) == 0 }
}

#[cfg(not(unix))]
pub fn limit_memory(_bytes: u64) -> bool {
    false
}
