//! The program as it is started: nothing secret stays where others can read it
//! or is in a message, and root is sent away.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ludus_judge::database::Database;

use crate::server::Server;

const MARK: &str = "correct-horse-secret";

fn judge() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludus-judge"));
    command.stdin(Stdio::null());
    command
}

/// What the kernel shows of a process.
fn shown(process: u32) -> String {
    ["environ", "cmdline"]
        .map(|file| std::fs::read(format!("/proc/{process}/{file}")).unwrap_or_default())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat()
}

/// A process and everything that it has started.
fn family(process: u32) -> Vec<u32> {
    let mut all = vec![process];
    let mut next = 0;
    while let Some(&parent) = all.get(next) {
        for task in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        next += 1;
    }
    all
}

/// Starts a server until it says where it is, and looks at it and at whatever
/// it starts in its first moments, while it prepares the compilers.
fn check(folder: &Path, set_up: impl FnOnce(&mut Command)) {
    let mut command = judge();
    command.args(["serve", "--as-root", "--demo", "--listen", "127.0.0.1:0", "--data"]).arg(folder);
    command.env("LUDUS_AS_ROOT", "yes").stdout(Stdio::piped());
    set_up(&mut command);
    let mut server = Server(command.spawn().unwrap());
    // It is kept open, because a server that cannot say where it is ends.
    let mut out = BufReader::new(server.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(out.any(|line| line.starts_with("Ludus is at ")), "the server does not start");
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut seen = 0;
    while seen < 2 {
        let family = family(server.0.id());
        seen = seen.max(family.len());
        for process in family {
            assert!(!shown(process).contains(MARK), "process {process} shows the secret");
        }
        assert!(Instant::now() < deadline, "the server prepares no compiler");
        std::thread::yield_now();
    }
    assert!(shown(server.0.id()).contains("--demo"), "this looks at the right process");
    let database = folder.join(MARK).join("judge.sqlite");
    assert!(database.is_file(), "what is secret arrives nevertheless");
}

#[test]
fn secrets_of_the_command_line_and_of_the_environment_are_not_to_be_seen() {
    for variable in [true, false] {
        let folder = crate::harness::folder();
        std::fs::create_dir(folder.path().join(MARK)).unwrap();
        let url = format!("sqlite:{}/{MARK}/judge.sqlite?mode=rwc", folder.path().display());
        check(folder.path(), |command| {
            if variable {
                command.env("LUDUS_DATABASE", url).env("AWS_SECRET_ACCESS_KEY", MARK).env("PGPASSWORD", MARK);
            } else {
                command.arg(format!("--database={url}"));
            }
        });
    }
}

#[test]
fn root_is_let_in_only_when_told_twice() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = crate::harness::folder();
    let migrate = |flag: bool, variable: bool| {
        let mut command = judge();
        command
            .arg("migrate")
            .args(flag.then_some("--as-root"))
            .arg("--data")
            .arg(folder.path())
            .env_remove("LUDUS_AS_ROOT");
        if variable {
            command.env("LUDUS_AS_ROOT", "yes");
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    for (flag, variable) in [(false, false), (true, false), (false, true)] {
        let (code, said) = migrate(flag, variable);
        assert_eq!(code, Some(if is_root { 2 } else { 0 }), "{said}");
        assert!(!is_root || said.contains("--as-root and set LUDUS_AS_ROOT=yes"), "{said}");
    }
    assert_eq!(migrate(true, true).0, Some(0));
}

#[test]
fn no_message_holds_a_password() {
    let folder = crate::harness::folder();
    let data = folder.path().to_str().unwrap();
    let cases: &[&[&str]] = &[
        &["migrate", "--database", "mysql://judge:hunter2@db/ludus"],
        &["migrate", "--database", "Postgres://judge:hunter2@db/ludus"],
        &["migrate", "--database", "postgres://judge:hunter2@db:port/ludus"],
        &["migrate", "--database", "postgres://judge:hunter2@[::/ludus"],
        &["migrate", "--database", "hunter2"],
        &["migrate", "--databse=postgres://judge:hunter2@db/ludus"],
        &["migrate", "postgres://judge:hunter2@db/ludus"],
        &["serve", "--listen", "postgres://judge:hunter2@db/ludus"],
        &["serve", "--workers", "s3://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "S3://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "https://KEY:hunter2@host/bucket"],
        &["serve", "--data", data, "--store", "s3://KEY:hunter2@host"],
    ];
    for case in cases {
        let output =
            judge().args(*case).arg("--as-root").env("LUDUS_AS_ROOT", "yes").current_dir(data).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && said.contains("error"), "{case:?}: {said}");
        assert!(!said.contains("hunter2"), "{case:?}: {said}");
    }
    let help = judge()
        .args(["serve", "--help"])
        .env("LUDUS_DATABASE", "postgres://judge:hunter2@db/ludus")
        .env("LUDUS_STORE", "s3://KEY:hunter2@host/bucket")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&help.stdout);
    assert!(said.contains("LUDUS_DATABASE") && !said.contains("hunter2"), "{said}");
    let left: Vec<_> = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("hunter2")), "{left:?}");
}

/// What a site answers to somebody with a cookie.
fn get(address: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_cannot_be_written_stops_nothing() {
    let folder = crate::harness::folder();
    let mut command = judge();
    command.args(["serve", "--as-root", "--workers", "0", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path());
    command.env("LUDUS_AS_ROOT", "yes").stdout(Stdio::piped());
    command.stderr(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let mut server = Server(command.spawn().unwrap());
    let mut out = BufReader::new(server.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let line = out.find(|line| line.starts_with("Ludus is at ")).expect("the server does not start");
    let address = line.split("http://").nth(1).unwrap().split(['/', ' ']).next().unwrap().to_owned();
    let database = Database::open(&Database::url_of_file(&folder.path().join("judge.sqlite"))).await.unwrap();
    sqlx::query("ALTER TABLE sessions RENAME TO gone").execute(database.write()).await.unwrap();
    for _ in 0..20 {
        let answer = get(&address, &format!("ludus_session={}", "0".repeat(64)));
        assert!(answer.starts_with("HTTP/1.1 500"), "which is logged: {answer}");
    }
    assert!(get(&address, "").starts_with("HTTP/1.1 200"));
}
