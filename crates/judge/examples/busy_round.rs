//! What everybody else notices of an official round.
//!
//! `cargo run --release -p ludus-judge --example busy_round -- GAME PLAYERS`
//! starts the judge with two workers and lets it play one round of so many C++
//! players. Meanwhile 300 spectators follow the round live, somebody asks for a
//! page 20 times a second, and a student hands a player in every five seconds, in
//! another season. It prints how long everything took.

mod shared;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use ludus_games::Game;
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::Database;
use ludus_judge::official::rounds::{self, State};
use ludus_judge::seasons::Season;
use ludus_judge::sessions;
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_sandbox::build::Language as SourceLanguage;
use ludus_sandbox::source::renamed;
use shared::cpu;
use sqlx::Row as _;

const LISTENERS: usize = 300;
const BETWEEN_PAGES: Duration = Duration::from_millis(50);
const BETWEEN_PLAYERS: Duration = Duration::from_secs(5);
const HOUR: i64 = 3_600_000;

/// The judge, which does not outlive this program.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let game = ludus_games::find(&words.next().context("say which game")?).context("there is no such game")?;
    let players: usize = words.next().context("say how many players")?.parse()?;
    let folder = std::env::temp_dir().join(format!("busy-round-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(game, players, &folder.canonicalize()?).await;
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn measure(game: &'static dyn Game, players: usize, folder: &Path) -> Result<()> {
    let modules = shared::modules(game, players, &folder.join("cache"))?;
    let database = Database::open(&Database::url_of_file(&folder.join("judge.sqlite"))).await?;
    let store = Store::open(&folder.join("store").display().to_string())?;
    let season = shared::season(&database, game, "cost", None).await?;
    let open = shared::season(&database, game, "open", Some(HOUR)).await?;
    shared::students(&database, &store, &season, &modules).await?;
    let cookie = latecomer(&database).await?;
    let (server, address) = start(folder)?;
    let round = loop {
        if let Some(round) = rounds::under_way(database.read(), season.id).await? {
            break round;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let over = Arc::new(AtomicBool::new(false));
    let heard = Arc::new(AtomicU64::new(0));
    let listeners: Vec<_> = (0..LISTENERS).map(|_| listen(address, &heard)).collect::<Result<_>>()?;
    let asker = ask(address, over.clone());
    let author = hand_in(address, cookie, game, over.clone());
    let (begun, before) = (Instant::now(), cpu(&server.0.id().to_string(), true)?);
    sqlx::query("UPDATE rounds SET starts_at = 1, committed_at = 1 WHERE id = $1")
        .bind(round.id)
        .execute(database.write())
        .await?;
    while rounds::by_id(database.read(), round.id).await?.state != State::Over {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let wall = begun.elapsed();
    over.store(true, Ordering::Relaxed);
    println!("a round of {players}: {:.1} s", wall.as_secs_f64());
    asker.join().map_err(|_| anyhow::anyhow!("the pages failed"))??.print();
    author.join().map_err(|_| anyhow::anyhow!("the submissions failed"))??;
    verdicts(&database, &open).await?;
    let used = cpu(&server.0.id().to_string(), true)? - before;
    println!("the judge, with its matches and compilers: {:.1} s of CPU", used.as_secs_f64());
    println!("{LISTENERS} listeners heard {:.1} MB", heard.load(Ordering::Relaxed) as f64 / 1e6);
    drop(server);
    listeners.into_iter().for_each(|listener| drop(listener.join()));
    Ok(())
}

/// A student who comes when rounds are played already.
async fn latecomer(database: &Database) -> Result<String> {
    let new = NewAccount {
        email: "late@x.edu".to_owned(),
        name: "Late".to_owned(),
        team: String::new(),
        role: Role::Student,
    };
    let mut tx = database.begin().await?;
    let account = accounts::add(&mut tx, &new, Language::English).await?;
    tx.commit().await?;
    Ok(format!("ludus_session={}", sessions::start(database, account, "", "").await?))
}

fn start(folder: &Path) -> Result<(Server, SocketAddr)> {
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let child = Command::new(shared::program()?)
        .env("LUDUS_AS_ROOT", "yes")
        .args(["serve", "--as-root", "--workers", "2", "--listen", &address.to_string(), "--data"])
        .arg(folder)
        .stdout(Stdio::null())
        .spawn()?;
    let server = Server(child);
    let begun = Instant::now();
    while TcpStream::connect(address).is_err() {
        ensure!(begun.elapsed() < Duration::from_secs(60), "the judge does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok((server, address))
}

fn send(address: SocketAddr, text: &[u8]) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    stream.write_all(text)?;
    Ok(stream)
}

/// Follows the round until the server ends, and counts what it hears.
fn listen(address: SocketAddr, heard: &Arc<AtomicU64>) -> Result<std::thread::JoinHandle<()>> {
    let head = b"GET /seasons/cost/live?round=1 HTTP/1.1\r\nHost: x\r\n\r\n";
    let (mut stream, heard) = (BufReader::new(send(address, head)?), heard.clone());
    let mut line = String::new();
    stream.read_line(&mut line)?;
    ensure!(line.starts_with("HTTP/1.1 200"), "{line}");
    Ok(std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = stream.read(&mut bytes) {
            heard.fetch_add(read as u64, Ordering::Relaxed);
        }
    }))
}

/// How long answers took.
struct Waits(Vec<Duration>);

impl Waits {
    fn print(mut self) {
        self.0.sort_unstable();
        let at = |of: usize| self.0[(self.0.len() * of / 100).min(self.0.len() - 1)].as_millis();
        println!("{} pages: median {} ms, 99 % {} ms, longest {} ms", self.0.len(), at(50), at(99), at(100));
    }
}

/// Asks for pages until the round is over.
fn ask(address: SocketAddr, over: Arc<AtomicBool>) -> std::thread::JoinHandle<Result<Waits>> {
    const PAGES: [&str; 5] =
        ["/seasons/cost/rounds", "/seasons/cost/rounds/1", "/seasons/cost/hall", "/seasons/cost/authors/7", "/"];
    std::thread::spawn(move || {
        let mut waits = Vec::new();
        while !over.load(Ordering::Relaxed) || waits.is_empty() {
            let page = PAGES[waits.len() % PAGES.len()];
            let begun = Instant::now();
            let head = format!("GET {page} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            let mut answer = Vec::new();
            send(address, head.as_bytes())?.read_to_end(&mut answer)?;
            ensure!(answer.starts_with(b"HTTP/1.1 200"), "{page}");
            waits.push(begun.elapsed());
            std::thread::sleep(BETWEEN_PAGES.saturating_sub(begun.elapsed()));
        }
        Ok(Waits(waits))
    })
}

/// Hands in the example under other names until the round is over.
fn hand_in(
    address: SocketAddr,
    cookie: String,
    game: &'static dyn Game,
    over: Arc<AtomicBool>,
) -> std::thread::JoinHandle<Result<()>> {
    std::thread::spawn(move || {
        let (_, source) = shared::example(game)?;
        let source = String::from_utf8(source)?;
        let mut page = String::new();
        let head = format!("GET /account HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
        send(address, head.as_bytes())?.read_to_string(&mut page)?;
        let token = page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let token = token.context("no token on the page")?;
        for k in 0.. {
            let begun = Instant::now();
            // Not the example as it is: that is taken once from everybody.
            let own = renamed(&source, SourceLanguage::Cpp, &format!("Late{k}")).unwrap_or_default();
            let own = format!("{own}\nint number_of_this_version = {k};\n");
            let part = |name: &str, text: &str| {
                format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
            };
            let body = part("csrf", token) + &part("text", &own) + "--B--\r\n";
            let head = format!(
                "POST /seasons/open/submit HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nConnection: close\r\n\
                 Content-Type: multipart/form-data; boundary=B\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let mut answer = String::new();
            send(address, (head + &body).as_bytes())?.read_to_string(&mut answer)?;
            ensure!(answer.starts_with("HTTP/1.1 303"), "{answer}");
            std::thread::sleep(BETWEEN_PLAYERS.saturating_sub(begun.elapsed()));
            if over.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(())
    })
}

/// Waits for all verdicts of a season and prints how long they took.
async fn verdicts(database: &Database, season: &Season) -> Result<()> {
    loop {
        let rows = sqlx::query("SELECT stage, created_at, decided_at FROM submissions WHERE season_id = $1");
        let rows = rows.bind(season.id).fetch_all(database.read()).await?;
        let mut waits = Vec::new();
        for row in &rows {
            let (from, to): (i64, Option<i64>) = (row.try_get("created_at")?, row.try_get("decided_at")?);
            waits.extend(to.map(|to| to - from));
        }
        if waits.len() == rows.len() {
            waits.sort_unstable();
            let stages: Vec<String> = rows.iter().map(|row| row.try_get("stage")).collect::<sqlx::Result<_>>()?;
            let accepted = stages.iter().filter(|stage| *stage == "accepted").count();
            let seconds = |at: usize| waits[at] as f64 / 1000.0;
            println!(
                "{} verdicts, {accepted} accepted: fastest {:.1} s, median {:.1} s, slowest {:.1} s",
                waits.len(),
                seconds(0),
                seconds(waits.len() / 2),
                seconds(waits.len() - 1)
            );
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
