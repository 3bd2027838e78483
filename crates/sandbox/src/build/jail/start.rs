//! The command line that starts a program in a jail.
//!
//! A shell sets the limits and gives bubblewrap its pipes. Where we are root, a
//! first bubblewrap, still root, shows what the program may see in a place that
//! everybody can reach, and `setpriv` becomes another user for good; the
//! second one, which is the jail, has never been root.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::view::{self, Shown};
use super::{Bounds, which};
use crate::build::CommandLine;

/// What goes before a command that runs as the user and the group of programs
/// in a jail, where we are root.
const BECOME_NOBODY: [&str; 5] = ["setpriv", "--clear-groups", "--no-new-privs", "--reuid=65534", "--regid=65534"];

/// Sets the limits, and gives bubblewrap its pipes and its filter under numbers
/// that it is told: standard output becomes 3 and standard input 4, so that the
/// program has neither.
const START: &str = r#"ulimit -c 0 && ulimit -f "$1" && ulimit -v "$2" && ulimit -S -t "$3" && ulimit -H -t "$4" && filter=$5 && shift 5 && exec "$@" 3>&1 4<&0 5<"$filter" </dev/null >/dev/null"#;

/// The only variables there are, besides `PWD`, which bubblewrap sets. They are
/// the same everywhere. The last one lets the C library ask for memory in large pages, of
/// which a compiler's hundred megabytes are few: it changes nothing but the time they take.
const ENVIRONMENT: [(&str, &str); 3] =
    [("PATH", "/usr/bin:/bin"), ("SOURCE_DATE_EPOCH", "0"), ("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")];

/// Where the first bubblewrap puts what the second one shows.
const STAGE: &str = "/tmp/stage";

const JAIL: [&str; 20] = [
    "--json-status-fd",
    "3",
    "--block-fd",
    "4",
    "--seccomp",
    "5",
    "--unshare-all",
    "--unshare-user",
    "--disable-userns",
    "--uid",
    "65534",
    "--gid",
    "65534",
    "--cap-drop",
    "ALL",
    "--hostname",
    "jail",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
];

/// The program in its jail.
pub fn jailed(command: &CommandLine, folder: &Path, bounds: &Bounds) -> std::io::Result<Command> {
    check(folder)?;
    let mut process = limited(bounds, &filter_file()?);
    let bubblewrap = which("bwrap").unwrap_or_else(|| "bwrap".into());
    let mut shown = view::readable(command);
    let mut work = folder.to_owned();
    if is_root() {
        process.args(stage(&bubblewrap, &mut shown, &mut work));
    }
    process.arg(&bubblewrap).args(JAIL).args(view::arguments(&shown, &work));
    for (name, value) in ENVIRONMENT {
        process.args(["--setenv", name, value]);
    }
    for (name, value) in &command.env {
        process.arg("--setenv").arg(name).arg(value);
    }
    process.arg("--").arg(&command.program).args(&command.args);
    Ok(process)
}

/// The program with its limits, but not locked in.
pub fn free(command: &CommandLine, folder: &Path, bounds: &Bounds) -> Command {
    let mut process = limited(bounds, Path::new("/dev/null"));
    process.envs(ENVIRONMENT).envs(command.env.iter().map(|(name, value)| (name, value))).current_dir(folder);
    process.arg(&command.program).args(&command.args);
    process
}

/// A program outside the jail, as the user who is in it.
pub fn as_user_of_jail(program: &str) -> Command {
    let before = if is_root() { &BECOME_NOBODY[..] } else { &[] };
    let mut words = before.iter().copied().chain([program]);
    let mut command = Command::new(words.next().expect("the program is one of them"));
    command.args(words);
    command
}

/// Whether this process may do everything.
pub fn is_root() -> bool {
    user() == Some(0)
}

/// As whom this process acts, if the kernel tells.
pub fn user() -> Option<u32> {
    static USER: OnceLock<Option<u32>> = OnceLock::new();
    *USER.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let users = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
        users.split_whitespace().nth(1)?.parse().ok()
    })
}

fn limited(bounds: &Bounds, filter: &Path) -> Command {
    let mut process = Command::new("/bin/sh");
    process.env_clear().args(["-c", START, "sh"]);
    let [file, memory] = [bounds.file.div_ceil(512), bounds.memory.div_ceil(1024)];
    let limits = [file, memory, bounds.cpu_seconds, bounds.cpu_seconds + 2];
    process.args(limits.map(|limit| limit.to_string())).arg(filter);
    process
}

/// The first bubblewrap: sees everything as it is, and the stage besides.
/// Afterwards what is shown is to be found there.
fn stage(bubblewrap: &Path, shown: &mut [Shown], work: &mut PathBuf) -> Vec<OsString> {
    let mut args: Vec<OsString> = vec![bubblewrap.into()];
    args.extend(["--die-with-parent", "--dev-bind", "/", "/"].map(Into::into));
    args.extend(["--perms", "0755", "--tmpfs", "/tmp", "--perms", "0755", "--dir", STAGE].map(Into::into));
    for (number, one) in shown.iter_mut().enumerate() {
        let place = Path::new(STAGE).join(number.to_string());
        args.extend(["--ro-bind".into(), std::mem::replace(&mut one.source, place.clone()).into(), place.into()]);
    }
    let place = Path::new(STAGE).join("work");
    args.extend(["--bind".into(), std::mem::replace(work, place.clone()).into(), place.into()]);
    args.push("--".into());
    args.extend(BECOME_NOBODY.map(Into::into));
    args
}

/// Whether a folder is one to work in, which a program may be shown: others
/// cannot get to it, and the program's user can write to it. It is only looked
/// at: neither a mode nor an owner is ever changed here, because a folder that
/// others use, such as `/tmp`, would be taken from them.
fn check(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| {
        let found = std::fs::symlink_metadata(path)?;
        let mode = found.is_dir().then(|| found.permissions().mode() & 0o7777);
        mode.ok_or_else(|| std::io::Error::other(format!("{} is not a folder", path.display())))
    };
    let above = mode(folder.parent().unwrap_or(folder))?;
    if above & 0o077 != 0 || mode(folder)? != 0o777 {
        let why = format!("{} is not a folder to work in", folder.display());
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, why));
    }
    Ok(())
}

/// The filter of system calls as a file that has no name but in `/proc`.
fn filter_file() -> std::io::Result<PathBuf> {
    static FILE: OnceLock<File> = OnceLock::new();
    let file = match FILE.get() {
        Some(file) => file,
        None => {
            let mut file = File::from(rustix::fs::memfd_create("filter", rustix::fs::MemfdFlags::CLOEXEC)?);
            file.write_all(&super::filter::filter())?;
            FILE.get_or_init(|| file)
        }
    };
    Ok(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into())
}
