//! What the queue itself takes for a match, with ever more jobs waiting.
//!
//! `cargo run --release -p ludus-judge --example queue_cost -- [MOST]`
//! fills a queue with a thousand to a million jobs of three hundred people and
//! takes and finishes some of them one by one, which is the most that a match can
//! cost: small ones are taken together. On SQLite in a file, or on the empty
//! PostgreSQL that `LUDUS_DATABASE` names.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use ludus_judge::accounts::{self, NewAccount, Role};
use ludus_judge::database::{Database, Dialect};
use ludus_judge::queue::{Dispatch as _, Queue};
use ludus_judge::texts::Language;

/// Jobs that are taken and finished each time.
const TAKEN: u32 = 500;
const PEOPLE: i64 = 300;

#[tokio::main]
async fn main() -> Result<()> {
    let most: i64 = std::env::args().nth(1).map_or(Ok(1_000_000), |word| word.parse())?;
    let file = std::env::temp_dir().join(format!("queue-cost-{}.sqlite", std::process::id()));
    let url = std::env::var("LUDUS_DATABASE").unwrap_or_else(|_| Database::url_of_file(&file));
    let database = Database::open(&url).await?;
    let measured = measure(&database, most).await;
    database.close().await;
    for end in ["", "-wal", "-shm"] {
        // Where it is PostgreSQL there is no file.
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
    measured
}

async fn measure(database: &Database, most: i64) -> Result<()> {
    let queue = Queue::new(database.clone(), Duration::from_secs(600));
    let mut tx = database.begin().await?;
    for k in 0..PEOPLE {
        let (email, name) = (format!("s{k}@x.edu"), format!("Student {k}"));
        let new = NewAccount { email, name, team: String::new(), role: Role::Student };
        accounts::add(&mut tx, &new, Language::English).await?;
    }
    tx.commit().await?;
    let (mut there, mut wanted) = (0, 1000);
    while wanted <= most {
        let fill = "WITH RECURSIVE n (k) AS (SELECT CAST($1 AS BIGINT) UNION ALL SELECT k + 1 FROM n WHERE k < $2)
             INSERT INTO jobs (kind, subject, account_id, priority, batch, state, turn, rank, created_at)
             SELECT 'match', k, 1 + k % 300, 2, k / 8, 'waiting', k / 8, 0, 0 FROM n";
        sqlx::query(fill).bind(there + 1).bind(wanted).execute(database.write()).await?;
        there = wanted;
        sqlx::raw_sql("ANALYZE").execute(database.write()).await?;
        if database.dialect() == Dialect::Sqlite {
            // What was filled in goes to its place now and not while the clock runs.
            sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetch_all(database.write()).await?;
        }
        let begun = Instant::now();
        let mut taking = Duration::ZERO;
        for _ in 0..TAKEN {
            let begun = Instant::now();
            let lease = queue.take().await?.context("nothing waits")?;
            taking += begun.elapsed();
            let mut tx = database.begin().await?;
            ensure!(queue.finish(&mut tx, &lease).await?, "the job is somebody else's");
            tx.commit().await?;
        }
        let (each, taking) = (begun.elapsed() / TAKEN, taking / TAKEN);
        println!(
            "{wanted:>9} jobs wait: {:>6} µs for each, {:>6} of them to take it",
            each.as_micros(),
            taking.as_micros()
        );
        wanted *= 10;
    }
    Ok(())
}
