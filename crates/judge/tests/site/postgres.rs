//! A PostgreSQL server for the tests, alive as long as their process.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use ludus_judge::database::Database;
use tokio::sync::OnceCell;

/// The URL of an empty database of its own.
pub fn fresh_database() -> String {
    next_database("template1")
}

/// The URL of a database of its own with all its tables, which are made once.
pub async fn migrated_database() -> String {
    static MADE: OnceCell<()> = OnceCell::const_new();
    let make = || async {
        let database = Database::open(&database_of(server(), "migrated", "template1")).await.unwrap();
        database.close().await;
    };
    MADE.get_or_init(make).await;
    next_database("migrated")
}

fn next_database(template: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    database_of(server(), &format!("judge{}", NEXT.fetch_add(1, Ordering::Relaxed)), template)
}

fn server() -> u16 {
    static SERVER: OnceLock<u16> = OnceLock::new();
    *SERVER.get_or_init(start)
}

/// The URL of a new database of a server, which begins like another one.
pub fn database_of(port: u16, name: &str, template: &str) -> String {
    let made = as_nobody(&program("createdb"))
        .args(["--host=127.0.0.1", &format!("--port={port}"), "--username=judge", "--template", template, name])
        .status()
        .unwrap();
    assert!(made.success(), "createdb {name}");
    format!("postgres://judge@127.0.0.1:{port}/{name}")
}

/// The newest PostgreSQL of Debian.
fn program(name: &str) -> PathBuf {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .expect("PostgreSQL is missing: scripts/install tests")
        .map(|entry| entry.unwrap().path().join("bin").join(name))
        .filter(|path| path.is_file())
        .collect();
    versions.sort();
    versions.pop().expect("PostgreSQL is missing: scripts/install tests")
}

/// PostgreSQL refuses to run as root.
fn as_nobody(program: &Path) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = Command::new("setpriv");
    // The server ends with the thread that started it.
    command.args(["--pdeathsig", "KILL"]);
    if is_root {
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
    }
    command.arg(program).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A process that is killed leaves its folder; the next one tidies up.
fn remove_dead() {
    for entry in std::fs::read_dir(std::env::temp_dir()).unwrap().flatten() {
        if !entry.file_name().to_string_lossy().starts_with("judge-postgres-") {
            continue;
        }
        let lock = std::fs::read_to_string(entry.path().join("data/postmaster.pid")).unwrap_or_default();
        let alive = lock.lines().next().is_some_and(|pid| Path::new("/proc").join(pid).is_dir());
        if !lock.is_empty() && !alive {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A folder for a server, the data in it, and a port that is free.
pub fn prepare() -> (PathBuf, PathBuf, u16) {
    let folder = tempfile::Builder::new().prefix("judge-postgres-").tempdir().unwrap().keep();
    let data = folder.join("data");
    std::fs::create_dir(&data).unwrap();
    for path in [&folder, &data] {
        let owner = Command::new("chown").arg("nobody:nogroup").arg(path).stderr(Stdio::null()).status();
        // Whoever is not root owns it already.
        let _ = owner;
    }
    let made = as_nobody(&program("initdb"))
        .arg(format!("--pgdata={}", data.display()))
        .args(["--username=judge", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"])
        .status()
        .unwrap();
    assert!(made.success(), "initdb");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    (folder, data, port)
}

/// A server, which ends with the thread that calls this.
pub fn serve(data: &Path, port: u16) -> Child {
    as_nobody(&program("postgres"))
        .arg("-D")
        .arg(data)
        .args(["-c", "listen_addresses=127.0.0.1", "-c", &format!("port={port}"), "-c", "unix_socket_directories="])
        .args(["-c", "fsync=off", "-c", "max_connections=400", "-c", "shared_buffers=32MB"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

pub fn wait_for(port: u16) {
    let answers = || {
        as_nobody(&program("pg_isready"))
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            .status()
            .unwrap()
            .success()
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !answers() {
        assert!(std::time::Instant::now() < deadline, "PostgreSQL does not start");
        std::thread::yield_now();
    }
}

fn start() -> u16 {
    remove_dead();
    let (folder, data, port) = prepare();
    let (ready, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut server = serve(&data, port);
        ready.send(()).unwrap();
        // This thread stays for the server's sake; the folder goes when the server does.
        let _ = server.wait();
        let _ = std::fs::remove_dir_all(&folder);
    });
    wait.recv().unwrap();
    wait_for(port);
    port
}
