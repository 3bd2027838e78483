//! Clients that are slow, or do nothing, on real connections.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use ludus_judge::accounts::Role;
use ludus_judge::sessions;
use ludus_judge::web::patience::Patience;
use ludus_judge::web::serve::{self, Bounds};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::harness::Court;
use crate::on_sqlite;

on_sqlite!(
    heads_must_come_soon,
    heads_must_be_short,
    answers_must_be_read,
    idle_connections_make_room,
    slow_readers_share_a_bounded_memory,
    a_stop_ends_everything,
);

/// Long enough for the busiest machine; nothing waits for it unless it fails.
const DEADLINE: Duration = Duration::from_secs(60);

pub const BOUNDS: Bounds = Bounds {
    connections: 100,
    of_place: 100,
    head: Duration::from_millis(300),
    reading: Patience::new(Duration::from_millis(300), 1 << 20),
    unsent: 256 << 20,
    unsent_of_place: 256 << 20,
    behind_proxy: false,
};

/// Serves the site until the sender is dropped.
pub async fn listen(court: &Court, bounds: Bounds) -> (SocketAddr, tokio::sync::oneshot::Sender<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let router = court.router();
    let served = tokio::spawn(async move {
        let stopped = async { drop(stopped.await) };
        serve::serve(listener, router, bounds, stopped).await;
    });
    (address, stop, served)
}

pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.set_write_timeout(Some(DEADLINE)).unwrap();
    stream
}

/// Whether the other end has hung up, within the deadline.
fn is_cut(mut stream: &TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

fn get(mut stream: &TcpStream, path: &str) -> String {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// What blocks must not hold up the tasks of the server.
pub async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

async fn heads_must_be_short(court: Court) {
    let (address, _stop, _served) = listen(&court, Bounds { head: DEADLINE, ..BOUNDS }).await;
    for (bytes, is_answered) in [(60_000, true), (66_000, false), (100_000, false)] {
        let answer = tokio::task::spawn_blocking(move || {
            let mut stream = connect(address);
            let head =
                format!("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: {}\r\n\r\n", "x".repeat(bytes));
            // Whoever is refused may be cut off before all is said.
            let _ = stream.write_all(head.as_bytes());
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            String::from_utf8_lossy(&answer).into_owned()
        });
        let answer = answer.await.unwrap();
        let is_short = answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.1 303");
        assert_eq!(is_short, is_answered, "{bytes}: {}", answer.lines().next().unwrap_or_default());
    }
}

async fn heads_must_come_soon(court: Court) {
    let (address, _stop, _) = listen(&court, BOUNDS).await;
    aside(move || {
        for begun in ["", "GET / HTT", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let mut stream = connect(address);
            stream.write_all(begun.as_bytes()).unwrap();
            assert!(is_cut(&stream), "{begun:?}");
        }
        let mut kept = connect(address);
        write!(kept, "GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        assert!(is_cut(&kept), "and so must the next one");
        let huge = format!("GET / HTTP/1.1\r\nCookie: {}\r\n\r\n", "x".repeat(100 << 10));
        let mut stream = connect(address);
        // It may hang up before all of this is sent.
        let _ = stream.write_all(huge.as_bytes());
        assert!(is_cut(&stream));
        assert!(get(&connect(address), "/").starts_with("HTTP/1.1 200"));
    })
    .await;
}

async fn answers_must_be_read(court: Court) {
    let (address, _stop, _) = listen(&court, BOUNDS).await;
    aside(move || {
        let mut stream = connect(address);
        let begun = Instant::now();
        let cut = loop {
            let sent = write!(stream, "GET /viewer/viewer.js HTTP/1.1\r\nHost: x\r\n\r\n");
            match sent {
                Ok(()) => assert!(begun.elapsed() < DEADLINE),
                Err(error) => break error.kind(),
            }
        };
        assert!([ErrorKind::BrokenPipe, ErrorKind::ConnectionReset].contains(&cut), "it just waits: {cut:?}");
        assert!(get(&connect(address), "/").starts_with("HTTP/1.1 200"));
    })
    .await;
}

async fn idle_connections_make_room(court: Court) {
    let head = Duration::from_secs(3600);
    let (address, _stop, _) = listen(&court, Bounds { connections: 8, of_place: 4, head, ..BOUNDS }).await;
    aside(move || {
        let idle: Vec<TcpStream> = (0..4).map(|_| connect(address)).collect();
        for _ in 0..3 {
            assert!(get(&connect(address), "/").starts_with("HTTP/1.1 200"), "although four are there already");
        }
        assert!(is_cut(&idle[0]), "for the oldest had to go");
        let mut last = &idle[3];
        write!(last, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        assert!(is_cut(last));
    })
    .await;
}

/// Begins to ask for a page, and waits until the answer begins.
fn ask(address: SocketAddr, path: &str, cookie: &str) -> TcpStream {
    let mut stream = connect(address);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n").unwrap();
    let mut begun = [0; 12];
    stream.read_exact(&mut begun).unwrap();
    assert_eq!(&begun, b"HTTP/1.1 200");
    stream
}

async fn slow_readers_share_a_bounded_memory(court: Court) {
    let account = court.add_person("pau", Role::Student).await;
    let session = sessions::start(&court.site.database, account, "", "").await.unwrap();
    // A page is about twenty times as long as a source without anything in its lines.
    let source = vec![b'\n'; 400 << 10];
    sqlx::query(
        "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage, seed,
         created_at, decided_at) VALUES (1, $1, 'Long', 'long', '', 'cpp', $2, 'rejected', 1, 1, 1)",
    )
    .bind(account)
    .bind(source)
    .execute(court.site.database.write())
    .await
    .unwrap();
    let hour = Duration::from_secs(3600);
    let reading = Patience::new(hour, 1);
    let bounds = Bounds { head: hour, reading, unsent: 40 << 20, unsent_of_place: 20 << 20, ..BOUNDS };
    let (address, _stop, _) = listen(&court, bounds).await;
    aside(move || {
        let cookie = format!("ludus_session={session}");
        let readers: Vec<TcpStream> = (0..6).map(|_| ask(address, "/submissions/1/source", &cookie)).collect();
        for reader in &readers[..4] {
            assert!(is_cut(reader), "two of these answers are all that one place may hold");
        }
        assert!(get(&connect(address), "/").starts_with("HTTP/1.1 200"));
        for mut reader in &readers[4..] {
            let mut page = vec![0; 8 << 20];
            reader.read_exact(&mut page).expect("whoever came last reads on");
        }
    })
    .await;
}

async fn a_stop_ends_everything(court: Court) {
    let head = Duration::from_secs(3600);
    let (address, stop, served) = listen(&court, Bounds { head, ..BOUNDS }).await;
    let idle = aside(move || {
        let idle = connect(address);
        assert!(get(&connect(address), "/").starts_with("HTTP/1.1 200"));
        idle
    })
    .await;
    drop(stop);
    tokio::time::timeout(DEADLINE, served).await.unwrap().unwrap();
    aside(move || {
        assert!(is_cut(&idle));
        assert!(TcpStream::connect(address).is_err());
    })
    .await;
}
