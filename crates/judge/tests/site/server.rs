//! The program itself, running: it does not outlive its test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub struct Server(pub Child);

impl Server {
    pub fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that was free a moment ago.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What all tests have compiled and translated.
pub fn cache() -> PathBuf {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("players-cache");
    std::fs::create_dir_all(&cache).unwrap();
    cache.canonicalize().unwrap()
}

/// Gives a server with its data in a folder what all tests have compiled.
pub fn share_cache(folder: &Path) {
    std::os::unix::fs::symlink(cache(), folder.join("cache")).unwrap();
}

/// The judge, or the one that `LUDUS_JUDGE` names, at work: whoever it has taken
/// work from can be given it again soon after a kill.
pub fn working(folder: &Path, port: u16) -> Command {
    let program = std::env::var("LUDUS_JUDGE").unwrap_or(env!("CARGO_BIN_EXE_ludus-judge").to_owned());
    let mut command = Command::new(program);
    command
        .env("LUDUS_AS_ROOT", "yes")
        .args(["serve", "--as-root", "--lease", "2", "--workers", "2", "--data"])
        .arg(folder)
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .stdout(Stdio::null());
    command
}
