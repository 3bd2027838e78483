//! A crowd before the running site: 1,100 connections that do nothing, 200 that
//! are slow, 630 that follow a verification. The others are served meanwhile.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::seasons::{self, Season};
use ludus_judge::texts::Language;
use ludus_judge::{course, sessions};
use tempfile::TempDir;

use crate::server::{Server, free_port, share_cache};

const IDLE: usize = 1100;
const SLOW: usize = 200;
const LISTENERS: usize = 630;
/// Streams that one person may have.
const OF_ONE: usize = 6;
/// Long enough for the busiest machine; nothing waits for it unless it fails.
const DEADLINE: Duration = Duration::from_secs(60);

/// The site with a student for every six listeners, each with a submission that waits.
async fn set_up(folder: &TempDir) -> (Database, Vec<(String, i64)>) {
    let database = Database::open(&Database::url_of_file(&folder.path().join("judge.sqlite"))).await.unwrap();
    course::ensure(&database, "Crowded").await.unwrap();
    seasons::add(&database, &season()).await.unwrap();
    let season = seasons::find(&database, "crowded").await.unwrap().unwrap();
    let mut students = Vec::new();
    for k in 0..LISTENERS.div_ceil(OF_ONE) {
        let mut tx = database.begin().await.unwrap();
        let (email, name) = (format!("s{k}@x.edu"), format!("s{k}"));
        let new = NewAccount { email, name, team: String::new(), role: Role::Student };
        let account = accounts::add(&mut tx, &new, Language::English).await.unwrap();
        let submission = sqlx::query_scalar(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed, created_at)
             VALUES ($1, $2, $3, $3, '', 'cpp', 'x', 'playing', 1, 1) RETURNING id",
        );
        let submission = submission.bind(season.id).bind(account).bind(&new.name).fetch_one(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        let token = sessions::start(&database, account, "", "").await.unwrap();
        students.push((format!("ludus_session={token}"), submission));
    }
    (database, students)
}

fn season() -> Season {
    const DAY: i64 = 86_400_000;
    let about = ludus_games::find("dominator").unwrap().about();
    Season::of_game(about, "crowded", now() - DAY, now() + DAY)
}

/// Starts the site as most systems start programs: with few files, of which it
/// may ask for more.
fn start(folder: &TempDir) -> (Server, SocketAddr) {
    share_cache(folder.path());
    let address: SocketAddr = ([127, 0, 0, 1], free_port()).into();
    let child = Command::new("sh")
        .args(["-c", "ulimit -Sn 1024; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_ludus-judge")])
        .env("LUDUS_AS_ROOT", "yes")
        .args(["serve", "--as-root", "--workers", "0", "--listen", &address.to_string(), "--data"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .spawn();
    let server = Server(child.unwrap());
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begun.elapsed() < DEADLINE, "the site does not start");
        std::thread::yield_now();
    }
    (server, address)
}

fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

fn get(address: SocketAddr, path: &str, cookie: &str) -> String {
    let mut stream =
        send(address, &format!("GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"));
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap_or_else(|error| panic!("{path}: {error}"));
    text
}

/// Opens a stream and reads its first event.
fn listen(address: SocketAddr, cookie: &str, submission: i64) -> BufReader<TcpStream> {
    let head = format!("GET /submissions/{submission}/events HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n");
    let mut stream = BufReader::new(send(address, &head));
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    wait_for(&mut stream, "event: progress");
    stream
}

fn wait_for(stream: &mut BufReader<TcpStream>, words: &str) {
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the stream ended before '{words}'");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_keeps_nobody_out() {
    // This process holds the other ends.
    rlimit::increase_nofile_limit(u64::MAX).unwrap();
    let folder = crate::harness::folder();
    let (database, students) = set_up(&folder).await;
    let (_server, address) = start(&folder);
    let cookie = students[0].0.clone();
    let others = move |moment: &str| {
        for path in ["/", "/account", "/seasons/crowded", "/submissions"] {
            let answer = get(address, path, &cookie);
            assert!(answer.starts_with("HTTP/1.1 200"), "{moment}: {path}: {answer}");
        }
    };
    others("at first");
    let mut listeners: Vec<_> =
        (0..LISTENERS).map(|k| &students[k / OF_ONE]).map(|(cookie, id)| listen(address, cookie, *id)).collect();
    others("with listeners");
    let slow: Vec<_> = (0..SLOW)
        .map(|k| match k % 2 {
            0 => send(address, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow:"),
            _ => send(address, "POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\ncsrf="),
        })
        .collect();
    others("with slow ones");
    let idle: Vec<_> = (0..IDLE).map(|_| send(address, "")).collect();
    others("with idle ones");
    sqlx::query("UPDATE submissions SET stage = 'rejected', decided_at = 1").execute(database.write()).await.unwrap();
    for listener in &mut listeners {
        wait_for(listener, "event: over");
    }
    others("after the verdicts");
    drop((slow, idle));
}
