//! A course of many years, and what its pages cost.
//!
//! `scripts/fill-course FOLDER [MATCHES [SUBMISSIONS]]` fills the database of a
//! data folder, or of the address in LUDUS_DATABASE, with students, submissions and
//! matches that nobody ever played, asks for every list many times and prints the
//! time of each. A folder that is filled already is only asked. The course can be
//! served afterwards; the instructor is `laia@x.edu`, the students are `s1@x.edu` and
//! so on, and all have the password `correct horse battery`.
//!
//! `scripts/fill-course FOLDER waiting 60000` has so many matches wait to be played in
//! such a course, and asks for nothing.

mod lists;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use ludus_arena::season::file::CourseKey;
use ludus_judge::database::{Database, Dialect};
use ludus_judge::ids::AccountId;
use ludus_judge::intake::Quota;
use ludus_judge::queue::Queue;
use ludus_judge::secrets::Passwords;
use ludus_judge::store::Store;
use ludus_judge::throttle::Throttle;
use ludus_judge::web::{Gates, Settings, Site};
use ludus_judge::{course, pages, sessions};
use tower::ServiceExt as _;

/// Answers of each page that are timed.
const TIMES: usize = 11;
/// What a page may take.
const MOST: Duration = Duration::from_millis(50);

#[tokio::main]
async fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().context("say in which folder")?);
    let first = words.next();
    let is_to_wait = first.as_deref() == Some("waiting");
    let matches = if is_to_wait { Ok(0) } else { first.map_or(Ok(1_000_000), |word| word.parse()) }?;
    let submissions = words.next().map_or(Ok(100_000), |word| word.parse())?;
    std::fs::create_dir_all(&folder)?;
    let url = std::env::var("LUDUS_DATABASE").unwrap_or_else(|_| Database::url_of_file(&folder.join("judge.sqlite")));
    let database = Database::open(&url).await?;
    if is_to_wait {
        return lists::add_waiting(&database, submissions).await;
    }
    course::ensure(&database, "A long course").await?;
    let passwords = Passwords::new()?;
    let begun = Instant::now();
    if lists::is_empty(&database).await? {
        lists::fill(&database, &passwords, matches, submissions).await?;
        println!("filled in {:.1} s", begun.elapsed().as_secs_f64());
    }
    let site = site(&folder, database, passwords)?;
    site.database.read().listen();
    let all_quick = measure(&site).await?;
    let all_along_indexes = are_along_indexes(&site.database).await?;
    ensure!(all_quick, "some pages take more than {MOST:?}");
    ensure!(all_along_indexes, "some statements go through long tables");
    Ok(())
}

fn site(folder: &std::path::Path, database: Database, passwords: Passwords) -> Result<Site> {
    let zone = jiff::tz::TimeZone::UTC;
    let settings = Settings {
        public_url: None,
        behind_proxy: false,
        zone,
        quota: Quota::default(),
        rust: true,
        program: None,
        mail: None,
        university: None,
    };
    Ok(Site {
        queue: Queue::new(database.clone(), Queue::LEASE),
        store: Store::open(&folder.join("store").display().to_string())?,
        passwords,
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

/// Asks for all lists as a student and as an instructor. False if one was slow.
async fn measure(site: &Site) -> Result<bool> {
    let router = pages::router(site.clone());
    let mut all_quick = true;
    for (who, account) in [("guest", None), ("student", Some(2)), ("instructor", Some(1))] {
        let token = match account {
            Some(account) => Some(sessions::start(&site.database, AccountId(account), "", "").await?),
            None => None,
        };
        for page in lists::PAGES {
            let is_for = match who {
                "guest" => page.starts_with("/seasons") || *page == "/",
                "student" => !lists::FOR_INSTRUCTORS.contains(page),
                _ => true,
            };
            if is_for {
                all_quick &= ask(site, &router, who, token.as_deref(), page).await?;
            }
        }
    }
    Ok(all_quick)
}

/// Whether PostgreSQL does all statements of all pages along indexes; the tests ask
/// SQLite.
async fn are_along_indexes(database: &Database) -> Result<bool> {
    let statements = database.read().heard();
    if database.dialect() == Dialect::Sqlite {
        return Ok(true);
    }
    let mut wrong = 0;
    for statement in &statements {
        for scan in lists::plans::whole_scans(database, statement).await? {
            println!("{scan}: {}", statement.split_whitespace().collect::<Vec<_>>().join(" "));
            wrong += 1;
        }
    }
    println!("{} statements, {wrong} of them through a whole table", statements.len());
    Ok(wrong == 0)
}

async fn ask(site: &Site, router: &Router, who: &str, token: Option<&str>, page: &str) -> Result<bool> {
    let mut times = Vec::new();
    let (mut bytes, asked) = (0, site.database.read().asked());
    for _ in 0..TIMES {
        // What is kept for a moment is written anew, so that it is timed too.
        site.following.ladders.forget().await;
        let request = Request::get(page).header(header::HOST, "x");
        let cookie = token.map(|token| format!("ludus_session={token}")).unwrap_or_default();
        let begun = Instant::now();
        let answer = router.clone().oneshot(request.header(header::COOKIE, cookie).body(Body::empty())?).await?;
        if !answer.status().is_success() {
            println!("{:>8}  {who:10} {page}", answer.status().as_u16());
            return Ok(!answer.status().is_server_error());
        }
        bytes = to_bytes(answer.into_body(), usize::MAX).await?.len();
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let asked = (site.database.read().asked() - asked) / TIMES as u64;
    let (median, worst) = (times[TIMES / 2], times[TIMES - 1]);
    let (told, mark) = (|time: Duration| time.as_secs_f64() * 1000.0, if median > MOST { "SLOW" } else { "" });
    println!(
        "{:8.1} ms (worst {:7.1}) {asked:3} statements {:5} KB  {who:10} {page} {mark}",
        told(median),
        told(worst),
        bytes / 1000
    );
    Ok(median <= MOST)
}
