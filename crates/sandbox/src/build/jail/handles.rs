//! What a program in a jail inherits: nothing.
//!
//! Rust opens files so that children do not get them, but what this process
//! was itself started with, by a supervisor or a shell, it would pass on.

// The standard library can do something between fork and exec only in unsafe
// code, and there is no program that closes files and starts another.
#![allow(unsafe_code)]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Lets a command inherit its standard streams and nothing else.
pub fn close_others(command: &mut Command) {
    let close = || {
        let (first, last, flags) = (3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        // SAFETY: the call gets three numbers, and only marks files of this
        // process to be closed when it becomes another program.
        let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) };
        if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: what runs after the fork makes one system call, and neither
    // allocates nor locks.
    unsafe { command.pre_exec(close) };
}
