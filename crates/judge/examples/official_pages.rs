//! What the pages of a long season cost.
//!
//! `cargo run --release -p ludus-judge --example official_pages -- STUDENTS FINALISTS`
//! plays a whole season on SQLite with results that are drawn, without any match,
//! and a final that is revealed to its end; then it asks for every page many times
//! and prints the CPU, the statements and the bytes of each.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use ludus_arena::season::file::CourseKey;
use ludus_games::{Game, PerSeat, Seat};
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, now};
use ludus_judge::ids::SeasonId;
use ludus_judge::intake::Quota;
use ludus_judge::jobs::{Environment, Machines};
use ludus_judge::local_machine::{Compiled, Seated};
use ludus_judge::matches::{Played, SeatResult};
use ludus_judge::official::finals::{self, Sent, State};
use ludus_judge::official::{rounds, show};
use ludus_judge::queue::Queue;
use ludus_judge::seasons::{self, Season};
use ludus_judge::secrets::Passwords;
use ludus_judge::store::Store;
use ludus_judge::texts::Language;
use ludus_judge::throttle::Throttle;
use ludus_judge::trouble::Trouble;
use ludus_judge::web::{Gates, Settings, Site};
use ludus_judge::{course, pages, worker};
use ludus_sandbox::build::Language as SourceLanguage;
use tower::ServiceExt as _;

/// Answers of each page that are counted.
const TIMES: u32 = 50;

/// Draws the scores of matches that nobody plays.
struct Lots {
    drawn: AtomicU64,
    replay: String,
}

impl Machines for Lots {
    fn warm_up(&self, _: &dyn Game, _: SourceLanguage) -> Result<()> {
        Ok(())
    }

    fn compile(&self, _: &Season, _: &str, _: SourceLanguage, _: &[u8]) -> Result<Compiled> {
        Err(anyhow!("nothing is compiled here"))
    }

    fn play(&self, _: &Season, seed: i64, players: &PerSeat<Seated>) -> Result<Played> {
        let mut seats = Vec::new();
        for (seat, player) in Seat::ALL.into_iter().zip(players) {
            let draw = self.drawn.fetch_add(1, Ordering::Relaxed).wrapping_add(seed as u64);
            let score = draw.wrapping_mul(6_364_136_223_846_793_005) >> 50;
            seats.push(SeatResult {
                seat,
                name: player.name.clone(),
                submission: None,
                author: None,
                score: Some(score as i64),
                rank: Some(1),
                cpu: Some(1000),
                fault: None,
                output: None,
            });
        }
        Ok(Played {
            rounds: 250,
            replay: self.replay.clone(),
            small_replay: None,
            seats,
            cpu: vec![7; 300],
            bytes: 4000,
        })
    }

    fn probe(&self) -> Result<(), Trouble> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let students: usize = words.next().context("say how many students")?.parse()?;
    let finalists: usize = words.next().context("say how many finalists")?.parse()?;
    let folder = std::env::temp_dir().join(format!("official-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let cost = measure(students, finalists, &folder).await;
    std::fs::remove_dir_all(&folder)?;
    cost
}

async fn measure(students: usize, finalists: usize, folder: &std::path::Path) -> Result<()> {
    let site = open(folder).await?;
    let season = set_up(&site, students).await?;
    let machines = Arc::new(Lots { drawn: AtomicU64::new(1), replay: site.store.put(b"no replay")? });
    let environment =
        Environment { database: site.database.clone(), queue: site.queue.clone(), machines, quarantine: None };
    let before = cpu()?;
    let mut played = 0;
    loop {
        site.director().turn(now()).await?;
        let Some(round) = rounds::under_way(site.database.read(), season.id).await? else { break };
        site.director().start(&season, &round).await?;
        worker::until_idle(&environment).await;
        played += 1;
    }
    println!("{students} students, {played} rounds, {:.1} s of CPU without matches", (cpu()? - before).as_secs_f64());
    show_final(&site, &environment, season, finalists).await?;
    let router = pages::router(site.clone());
    for page in [
        "/".to_owned(),
        "/seasons/long".to_owned(),
        "/seasons/long/rounds".to_owned(),
        "/seasons/long/rounds/1".to_owned(),
        format!("/seasons/long/rounds/{played}"),
        "/seasons/long/hall".to_owned(),
        format!("/seasons/long/authors/{students}"),
        "/finals/last".to_owned(),
        "/matches/1".to_owned(),
        "/official-rounds".to_owned(),
    ] {
        ask(&site, &router, &page).await?;
    }
    Ok(())
}

async fn ask(site: &Site, router: &Router, page: &str) -> Result<()> {
    let (before, asked) = (cpu()?, site.database.read().asked());
    let mut bytes = 0;
    for _ in 0..TIMES {
        let request = Request::get(page).header("host", "x").body(Body::empty())?;
        let answer = router.clone().oneshot(request).await?;
        ensure!(answer.status().is_success(), "{page}: {}", answer.status());
        bytes = to_bytes(answer.into_body(), usize::MAX).await?.len();
    }
    let each = (cpu()? - before).as_secs_f64() * 1000.0 / f64::from(TIMES);
    let asked = (site.database.read().asked() - asked) / u64::from(TIMES);
    println!("{each:8.1} ms {asked:4} statements {:6} KB  {page}", bytes / 1000);
    Ok(())
}

async fn open(folder: &std::path::Path) -> Result<Site> {
    let database = Database::open(&Database::url_of_file(&folder.join("judge.sqlite"))).await?;
    course::ensure(&database, "Pages").await?;
    let settings = Settings {
        public_url: None,
        behind_proxy: false,
        zone: jiff::tz::TimeZone::UTC,
        quota: Quota::default(),
        rust: true,
        program: None,
        mail: None,
        university: None,
    };
    Ok(Site {
        queue: Queue::new(database.clone(), Queue::LEASE),
        store: Store::open(&folder.join("store").display().to_string())?,
        passwords: Passwords::new()?,
        throttle: Arc::new(Throttle::with_stopped_clock()),
        following: Arc::default(),
        post: Arc::default(),
        gates: Gates::default(),
        frames: Arc::default(),
        key: CourseKey::new([7; 32]),
        settings: Arc::new(settings),
        database,
    })
}

async fn set_up(site: &Site, students: usize) -> Result<Season> {
    let about = ludus_games::find("ants").context("no ants")?.about();
    let season = Season {
        id: SeasonId(0),
        slug: "long".to_owned(),
        title: "A long season".to_owned(),
        game: about.id.to_owned(),
        config: about.default_config.to_owned(),
        match_ms: 1000,
        round_ms: None,
        memory_mib: 128,
        source_kib: 256,
        opens_at: 0,
        deadline_at: now() - 1000,
        closes_at: now(),
        grace_s: 0,
        official_at: 0,
        rules: String::new(),
        is_archived: false,
    };
    seasons::add(&site.database, &season).await?;
    let season = seasons::find(&site.database, "long").await?.context("no season")?;
    let mut tx = site.database.begin().await?;
    for k in 0..students {
        let (name, email) = (format!("Student {k}"), format!("s{k}@x.edu"));
        let new = NewAccount { email, name, team: String::new(), role: Role::Student };
        let id = accounts::add(&mut tx, &new, Language::English).await?;
        sqlx::query(
            "INSERT INTO submissions (season_id, account_id, name, name_key, file_name, language, source, stage,
             module, seed, created_at, decided_at) VALUES ($1, $2, $3, $4, 'x', 'cpp', $5, 'accepted', $6, 1, 1, 1)",
        )
        .bind(season.id)
        .bind(id)
        .bind(format!("Player{k}"))
        .bind(format!("player{k}"))
        .bind(Vec::<u8>::new())
        .bind(site.store.put(format!("module {k}").as_bytes())?)
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(season)
}

/// Plays a final and reveals all of it.
async fn show_final(site: &Site, environment: &Environment, season: Season, finalists: usize) -> Result<()> {
    let mut tx = site.database.begin().await?;
    let made = finals::make(&mut tx, "last", "The final", &[Sent { season, finalists }]).await?;
    let made = made.map_err(|refusal| anyhow!("{refusal:?}"))?;
    finals::start(&mut tx, &site.queue, made.id).await?;
    tx.commit().await?;
    loop {
        worker::until_idle(environment).await;
        let mut tx = site.database.begin().await?;
        let next = finals::advance(&mut tx, &site.queue, made.id).await?;
        if let finals::Next::Champion(champion) = next {
            finals::conclude(&mut tx, made.id, champion, made.commitment).await?;
        }
        tx.commit().await?;
        let found = finals::by_id(site.database.read(), made.id).await?;
        if found.state == State::Played {
            break;
        }
    }
    let steps = show::steps(&rounds::whole_final(&site.database, made.id).await?).len();
    // All steps but the last at once; the last one lifts the veil.
    sqlx::query("UPDATE finals SET revealed_steps = $1, state = 'showing' WHERE id = $2")
        .bind(steps as i64 - 1)
        .bind(made.id)
        .execute(site.database.write())
        .await?;
    let found = finals::by_id(site.database.read(), made.id).await?;
    show::reveal(&site.database, &found, steps as i64 - 1).await?;
    println!("a final of {finalists}, {steps} steps");
    Ok(())
}

/// The CPU of this process.
fn cpu() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse().unwrap_or(0)).sum();
    Ok(Duration::from_millis(10 * ticks))
}
