//! Running a compiler on code that nobody trusts.
//!
//! In a jail the compiler has no network, sees the system read-only, and can
//! write only to its own temporary folder. Inside and outside a jail it has
//! limits of time, memory, files and output.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{BuildError, CommandLine};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jail {
    Bubblewrap,
    None,
}

/// Limits of one compiler call.
const SECONDS: u64 = 30;
const MEMORY: u64 = 3 << 30;
const FILE: u64 = 64 << 20;
const PROCESSES: u64 = 64;
/// How much of the compiler's messages is kept.
const MESSAGES: u64 = 64 << 10;

impl Jail {
    /// Bubblewrap, if this machine has one that works.
    pub fn find() -> Option<Jail> {
        use std::sync::OnceLock;
        static WORKS: OnceLock<bool> = OnceLock::new();
        let works = || {
            let mut trial = Command::new("bwrap");
            trial.args([
                "--unshare-all",
                "--ro-bind",
                "/usr",
                "/usr",
                "--symlink",
                "usr/lib",
                "/lib",
                "--symlink",
                "usr/lib64",
                "/lib64",
                "/usr/bin/true",
            ]);
            trial.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            trial.status().is_ok_and(|status| status.success())
        };
        WORKS.get_or_init(works).then_some(Jail::Bubblewrap)
    }

    /// Runs a command that may write to `folder` and nowhere else, and gives
    /// what it had to say.
    pub fn run(self, command: &CommandLine, folder: &Path) -> Result<String, BuildError> {
        let mut process = self.command(command, folder);
        process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            process.spawn().map_err(BuildError::io(format!("cannot start {}", command.program.display())))?;
        let stderr = child.stderr.take().expect("it was asked for");
        let reader = std::thread::spawn(move || read_messages(stderr));
        let Some(status) =
            wait(&mut child, Duration::from_secs(SECONDS)).map_err(BuildError::io("cannot wait for the compiler"))?
        else {
            return Err(BuildError::TooSlow(SECONDS));
        };
        let messages = reader.join().unwrap_or_default().replace(&format!("{}/", folder.display()), "");
        if status.success() {
            return Ok(messages);
        }
        // A compiler that passed a limit was killed and had no chance to explain.
        let silent = messages.trim().is_empty();
        Err(BuildError::Compiler(if silent { format!("the compiler gave up: {status}") } else { messages }))
    }

    fn command(self, command: &CommandLine, folder: &Path) -> Command {
        let mut process = Command::new("prlimit");
        process
            .arg(format!("--cpu={SECONDS}"))
            .arg(format!("--as={MEMORY}"))
            .arg(format!("--fsize={FILE}"))
            .arg("--core=0");
        if self == Jail::Bubblewrap {
            process.arg("bwrap").args(["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]);
            for system in ["/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache"] {
                process.args(["--ro-bind-try", system, system]);
            }
            process.args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
            for path in &command.reads {
                process.arg("--ro-bind").arg(path).arg(path);
            }
            process.arg("--bind").arg(folder).arg(folder).arg("--chdir").arg(folder);
            process.args(["prlimit", &format!("--nproc={PROCESSES}")]);
        } else {
            process.current_dir(folder);
        }
        process.arg("env").arg("-i").args(["PATH=/usr/bin:/bin", "SOURCE_DATE_EPOCH=0", "LC_ALL=C.UTF-8"]);
        for (name, value) in &command.env {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            process.arg(pair);
        }
        process.arg(&command.program).args(&command.args);
        process
    }
}

/// The end of the process, or none if it had to be killed.
fn wait(child: &mut Child, most: Duration) -> std::io::Result<Option<std::process::ExitStatus>> {
    let deadline = Instant::now() + most;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The first messages; the rest is read and dropped, so that the compiler never
/// waits for a reader.
fn read_messages(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    // A pipe that breaks has simply ended.
    let _ = from.by_ref().take(MESSAGES).read_to_end(&mut kept);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

/// Where a program is, if it is on the path.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
