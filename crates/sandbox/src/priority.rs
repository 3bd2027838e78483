//! Work that has all the time in the world.
#![allow(unsafe_code)]

/// Does something in a thread that the system serves after all others, and so are
/// the processes that it starts. A priority that was given away does not come back,
/// so that the thread ends with the work.
pub fn giving_way<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, || {
            give_way();
            work()
        });
        let ended = thread.expect("a machine that starts processes can start a thread").join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(target_os = "linux")]
fn give_way() {
    // SAFETY: three numbers are passed, and none of them is an address. On Linux
    // 0 is this thread, and its children begin with its priority.
    let done = unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 19) };
    debug_assert_eq!(done, 0, "whoever may run may run later");
}

/// Elsewhere the whole program has one priority, which others need.
#[cfg(not(target_os = "linux"))]
fn give_way() {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn niceness() -> String {
        // The first process that is started reads how it is served itself.
        let told = std::process::Command::new("cat").arg("/proc/self/stat").output().unwrap();
        let told = String::from_utf8(told.stdout).unwrap();
        told.rsplit_once(") ").unwrap().1.split(' ').nth(16).unwrap().to_owned()
    }

    #[test]
    fn what_is_started_gives_way_and_nothing_else_does() {
        let before = niceness();
        assert_eq!(giving_way(niceness), "19");
        assert_eq!(niceness(), before);
    }
}
