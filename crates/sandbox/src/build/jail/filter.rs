//! The system calls that a program in a jail may make.
//!
//! A list of what is allowed, and not of what is forbidden: the next kernel's
//! new calls are then refused too. What is not on the list does not exist
//! (ENOSYS), which is an answer that every C library knows how to take.

use libc::c_long;

/// What compilers, linkers and our own translator need: files, memory, threads,
/// children, time. No sockets, no tracing, no mounts, no keys, no namespaces.
const ALLOWED: &[c_long] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    libc::SYS_ftruncate,
    libc::SYS_truncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_fadvise64,
    libc::SYS_umask,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_msync,
    libc::SYS_mincore,
    libc::SYS_brk,
    libc::SYS_memfd_create,
    libc::SYS_membarrier,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_tgkill,
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_prctl,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_setaffinity,
    libc::SYS_getpriority,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getpgid,
    libc::SYS_setpgid,
    libc::SYS_getsid,
    libc::SYS_setsid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_prlimit64,
    libc::SYS_getrusage,
    libc::SYS_times,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
];

/// Calls that newer machines do not have any more.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OF_OLD: &[c_long] = &[
    libc::SYS_open,
    libc::SYS_creat,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_chmod,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_time,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OF_OLD: &[c_long] = &[];

/// What may be asked of an open file: whether it is a terminal and how wide, how
/// much there is to read, not to wait for it, and to close it when another
/// program starts.
const REQUESTS: [u32; 6] = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/// The flags with which `clone` makes namespaces.
const NEW_NAMESPACES: u32 = 0x7e02_0000;

#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("say which machine the filter of system calls is for");

/// On x86-64 the calls of another interface have this bit.
const OTHER_INTERFACE: u32 = 0x4000_0000;

// Instructions of the kernel's filter machine, and its answers.
const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_AT_LEAST: u16 = 0x35;
const JUMP_IF_ANY: u16 = 0x45;
const ANSWER: u16 = 0x06;
const ALLOW: u32 = 0x7fff_0000;
const KILL: u32 = 0x8000_0000;
const fn refuse(error: i32) -> u32 {
    0x0005_0000 | error as u32
}

/// Where the number, the machine and the low halves of the first two arguments are.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

#[derive(Default)]
struct Program(Vec<u8>);

impl Program {
    fn add(&mut self, code: u16, when_true: u8, when_false: u8, value: u32) {
        self.0.extend(code.to_ne_bytes());
        self.0.extend([when_true, when_false]);
        self.0.extend(value.to_ne_bytes());
    }

    /// The next `skipped` instructions are for this value only.
    fn only_for(&mut self, value: u32, skipped: u8) {
        self.add(JUMP_IF_EQUAL, 0, skipped, value);
    }

    fn answer(&mut self, answer: u32) {
        self.add(ANSWER, 0, 0, answer);
    }
}

/// The filter, as the kernel wants it.
pub fn filter() -> Vec<u8> {
    let mut program = Program::default();
    program.add(LOAD, 0, 0, ARCHITECTURE);
    program.add(JUMP_IF_EQUAL, 1, 0, MACHINE);
    program.answer(KILL);
    program.add(LOAD, 0, 0, NUMBER);
    program.add(JUMP_IF_AT_LEAST, 0, 1, OTHER_INTERFACE);
    program.answer(refuse(libc::ENOSYS));
    for call in ALLOWED.iter().chain(ALLOWED_OF_OLD) {
        program.only_for(*call as u32, 1);
        program.answer(ALLOW);
    }
    // Its newer form passes the flags where a filter cannot see them, and is
    // not allowed at all.
    program.only_for(libc::SYS_clone as u32, 4);
    program.add(LOAD, 0, 0, FIRST_ARGUMENT);
    program.add(JUMP_IF_ANY, 0, 1, NEW_NAMESPACES);
    program.answer(refuse(libc::EPERM));
    program.answer(ALLOW);
    program.only_for(libc::SYS_ioctl as u32, 2 + 2 * REQUESTS.len() as u8);
    program.add(LOAD, 0, 0, SECOND_ARGUMENT);
    for request in REQUESTS {
        program.only_for(request, 1);
        program.answer(ALLOW);
    }
    program.answer(refuse(libc::ENOTTY));
    program.answer(refuse(libc::ENOSYS));
    program.0
}
