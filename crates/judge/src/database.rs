//! The database: SQLite in a file, or PostgreSQL, behind the same statements.
//!
//! Statements are literals with `$1` placeholders and use only what both
//! understand; times are milliseconds in UTC, truth values 0 and 1. SQLite has
//! one connection for writing, so that writers queue here and not in its locks.

pub mod many;
pub mod schema;
mod transaction;
mod values;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sqlx::any::AnyPoolOptions;
use sqlx::{Any, AnyPool, Executor, Row as _};

pub use crate::clock::now;
use crate::faults::Seam;
pub use transaction::{Gate, Tx};
pub use values::Columns;
pub(crate) use values::stored_as;

#[derive(Clone, Debug)]
pub struct Database {
    reading: Gate,
    writing: Gate,
    dialect: Dialect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

type Migration = (i64, &'static str, &'static str);

/// Every change of the tables, in order: its number, then its statements for
/// each kind of database. What has been released is never edited.
const MIGRATIONS: &[Migration] = &[
    (1, include_str!("../migrations/sqlite/0001_first.sql"), include_str!("../migrations/postgres/0001_first.sql")),
    (2, include_str!("../migrations/sqlite/0002_storage.sql"), include_str!("../migrations/postgres/0002_storage.sql")),
    (3, include_str!("../migrations/sqlite/0003_queue.sql"), include_str!("../migrations/postgres/0003_queue.sql")),
    (4, include_str!("../migrations/sqlite/0004_dates.sql"), include_str!("../migrations/postgres/0004_dates.sql")),
    (
        5,
        include_str!("../migrations/sqlite/0005_overtime.sql"),
        include_str!("../migrations/postgres/0005_overtime.sql"),
    ),
    (
        6,
        include_str!("../migrations/sqlite/0006_official.sql"),
        include_str!("../migrations/postgres/0006_official.sql"),
    ),
    (7, include_str!("../migrations/sqlite/0007_faults.sql"), include_str!("../migrations/postgres/0007_faults.sql")),
    (8, include_str!("../migrations/sqlite/0008_kinds.sql"), include_str!("../migrations/postgres/0008_kinds.sql")),
    (
        9,
        include_str!("../migrations/sqlite/0009_training.sql"),
        include_str!("../migrations/postgres/0009_training.sql"),
    ),
    (10, include_str!("../migrations/sqlite/0010_news.sql"), include_str!("../migrations/postgres/0010_news.sql")),
    (
        11,
        include_str!("../migrations/sqlite/0011_overruns.sql"),
        include_str!("../migrations/postgres/0011_overruns.sql"),
    ),
    (12, include_str!("../migrations/sqlite/0012_ladder.sql"), include_str!("../migrations/postgres/0012_ladder.sql")),
    (13, include_str!("../migrations/sqlite/0013_tokens.sql"), include_str!("../migrations/postgres/0013_tokens.sql")),
    (
        14,
        include_str!("../migrations/sqlite/0014_overrun_rounds.sql"),
        include_str!("../migrations/postgres/0014_overrun_rounds.sql"),
    ),
    (
        15,
        include_str!("../migrations/sqlite/0015_letters.sql"),
        include_str!("../migrations/postgres/0015_letters.sql"),
    ),
    (
        16,
        include_str!("../migrations/sqlite/0016_archive.sql"),
        include_str!("../migrations/postgres/0016_archive.sql"),
    ),
    (
        17,
        include_str!("../migrations/sqlite/0017_likeness.sql"),
        include_str!("../migrations/postgres/0017_likeness.sql"),
    ),
    (
        18,
        include_str!("../migrations/sqlite/0018_participants.sql"),
        include_str!("../migrations/postgres/0018_participants.sql"),
    ),
    (
        20,
        include_str!("../migrations/sqlite/0020_workers.sql"),
        include_str!("../migrations/postgres/0020_workers.sql"),
    ),
    (21, include_str!("../migrations/sqlite/0021_claims.sql"), include_str!("../migrations/postgres/0021_claims.sql")),
    (26, include_str!("../migrations/sqlite/0026_orders.sql"), include_str!("../migrations/postgres/0026_orders.sql")),
    (27, include_str!("../migrations/sqlite/0027_kept.sql"), include_str!("../migrations/postgres/0027_kept.sql")),
    (28, include_str!("../migrations/sqlite/0028_room.sql"), include_str!("../migrations/postgres/0028_room.sql")),
    (
        29,
        include_str!("../migrations/sqlite/0029_small_replays.sql"),
        include_str!("../migrations/postgres/0029_small_replays.sql"),
    ),
];

/// How a connection to SQLite is set up. A submission that was acknowledged
/// must survive a power cut, hence `FULL`.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
     PRAGMA busy_timeout = 20000; PRAGMA cache_size = -8000;";

const READERS: u32 = 8;

impl Database {
    /// Opens the database of a URL: `sqlite:FILE`, `postgres://…`, and brings
    /// its tables up to date.
    pub async fn open(url: &str) -> Result<Database> {
        let database = Database::connect(url).await?;
        database.migrate(MIGRATIONS).await?;
        Ok(database)
    }

    /// The SQLite database in a file, which is made if it is not there.
    pub fn url_of_file(file: &Path) -> String {
        format!("sqlite:{}?mode=rwc", file.display())
    }

    /// Opens the database of a URL as it is.
    pub async fn connect(url: &str) -> Result<Database> {
        sqlx::any::install_default_drivers();
        let dialect = match url.split(':').next() {
            Some("sqlite") => Dialect::Sqlite,
            Some("postgres" | "postgresql") => Dialect::Postgres,
            // Whatever it is may hold a password, so it is not repeated.
            _ => bail!("--database must be sqlite:FILE or postgres://USER@HOST/NAME"),
        };
        let failed = || format!("cannot open the {dialect:?} database");
        let options = || AnyPoolOptions::new().acquire_timeout(Duration::from_secs(30));
        if dialect == Dialect::Postgres {
            // One that is gone is asked again until this has passed.
            let options = options().acquire_timeout(Duration::from_secs(8));
            let pool = options.max_connections(READERS).connect(url).await.with_context(failed)?;
            return Ok(Database::of(pool.clone(), pool, dialect));
        }
        let sqlite = || {
            options().after_connect(|connection, _| {
                Box::pin(async move { sqlx::raw_sql(SQLITE_SETTINGS).execute(connection).await.map(drop) })
            })
        };
        let writing = sqlite().max_connections(1).connect(url).await.with_context(failed)?;
        let reading = sqlite().max_connections(READERS).connect(url).await.with_context(failed)?;
        Ok(Database::of(reading, writing, dialect))
    }

    fn of(reading: AnyPool, writing: AnyPool, dialect: Dialect) -> Database {
        Database { reading: Gate::new(reading, Seam::Read), writing: Gate::new(writing, Seam::Write), dialect }
    }

    /// For statements that change nothing.
    pub fn read(&self) -> &Gate {
        &self.reading
    }

    /// For a single statement that changes something.
    pub fn write(&self) -> &Gate {
        &self.writing
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// For statements that all see the same moment, however long they take and
    /// whatever happens meanwhile. They hold nobody up.
    pub async fn snapshot(&self) -> sqlx::Result<Tx> {
        match self.dialect {
            Dialect::Sqlite => Tx::begin(&self.reading.pool, "BEGIN", false).await,
            Dialect::Postgres => {
                Tx::begin(&self.reading.pool, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", false).await
            }
        }
    }

    /// For several statements that take effect together.
    pub async fn begin(&self) -> sqlx::Result<Tx> {
        match self.dialect {
            // A transaction that reads first and writes later could not get the
            // lock any more if another process had written in between.
            Dialect::Sqlite => Tx::begin(&self.writing.pool, "BEGIN IMMEDIATE", true).await,
            Dialect::Postgres => Tx::begin(&self.writing.pool, "BEGIN", false).await,
        }
    }

    /// Runs the migrations that are missing, whatever their numbers. Processes
    /// that start together wait for each other.
    async fn migrate(&self, migrations: &[Migration]) -> Result<()> {
        let mut tx = self.begin().await?;
        if self.dialect == Dialect::Postgres {
            sqlx::query("SELECT 1 FROM pg_advisory_xact_lock(7106853)").fetch_all(&mut *tx).await?;
        }
        self.apply(&mut tx, migrations).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Runs those of our migrations that are missing and that somebody wants.
    pub async fn migrate_in(&self, tx: &mut Tx, wanted: impl Fn(i64) -> bool) -> Result<()> {
        let migrations: Vec<Migration> = MIGRATIONS.iter().filter(|(number, ..)| wanted(*number)).copied().collect();
        self.apply(tx, &migrations).await
    }

    async fn apply(&self, tx: &mut Tx, migrations: &[Migration]) -> Result<()> {
        let table = "CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)";
        sqlx::raw_sql(table).execute(&mut **tx).await?;
        let applied = applied(tx).await?;
        if let Some(unknown) = applied.iter().find(|number| migrations.iter().all(|(known, ..)| known != *number)) {
            bail!("the database is of a newer Ludus: it has migration {unknown}, which this program does not know");
        }
        for (number, sqlite, postgres) in migrations.iter().filter(|(number, ..)| !applied.contains(number)) {
            let statements = if self.dialect == Dialect::Sqlite { *sqlite } else { *postgres };
            sqlx::raw_sql(statements).execute(&mut **tx).await.with_context(|| format!("migration {number} failed"))?;
            sqlx::query("INSERT INTO migrations (number, applied_at) VALUES ($1, $2)")
                .bind(number)
                .bind(now())
                .execute(&mut **tx)
                .await?;
        }
        Ok(())
    }

    pub async fn close(&self) {
        self.reading.pool.close().await;
        self.writing.pool.close().await;
    }
}

/// The numbers of the migrations that a database has had.
pub async fn applied(tx: &mut Tx) -> Result<Vec<i64>> {
    let rows = sqlx::query("SELECT number FROM migrations ORDER BY number").fetch_all(&mut **tx).await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<_>>()?)
}

/// Whether this program knows a migration.
pub fn is_known(number: i64) -> bool {
    MIGRATIONS.iter().any(|(known, ..)| *known == number)
}

/// Where statements are sent that change nothing: the database, or a transaction
/// that has begun.
pub trait Reader: Send {
    fn executor(&mut self) -> impl Executor<'_, Database = Any>;
}

impl Reader for &Database {
    fn executor(&mut self) -> impl Executor<'_, Database = Any> {
        &self.reading
    }
}

impl Reader for &mut Tx {
    fn executor(&mut self) -> impl Executor<'_, Database = Any> {
        &mut ***self
    }
}

/// SQLite takes no pattern of any length, and nobody looks for longer texts.
const LONGEST_PATTERN: usize = 200;

/// A pattern for `LIKE $n ESCAPE '!'` that finds a text anywhere, in capital or
/// small letters. SQLite knows the capitals of ASCII only, so that any letter
/// passes for one with an accent.
pub fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.trim().to_lowercase().chars().take(LONGEST_PATTERN) {
        match c {
            '%' | '_' | '!' => pattern.extend(['!', c]),
            c if c.is_ascii() => pattern.push(c),
            _ => pattern.push('_'),
        }
    }
    pattern + "%"
}

/// One page of a list: what a request may ask of any of them.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    pub number: i64,
}

impl Page {
    pub const SIZE: i64 = 25;
    const LAST: i64 = 100_000;

    pub fn new(number: Option<i64>) -> Page {
        Page { number: number.unwrap_or(1).clamp(1, Page::LAST) }
    }

    pub fn offset(self) -> i64 {
        (self.number - 1) * Page::SIZE
    }
}

/// Some rows of a list from one of them on, for whoever reads all of it while it
/// grows: lists have the newest first, so that older ones have smaller numbers.
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Only what has a smaller number than this.
    pub before: i64,
    pub most: i64,
}

impl Slice {
    /// What a page shows, and one more, to know whether there is more.
    pub fn page(before: Option<i64>) -> Slice {
        Slice { before: before.filter(|&before| before > 0).unwrap_or(i64::MAX), most: Page::SIZE + 1 }
    }

    /// The first few.
    pub fn first(most: i64) -> Slice {
        Slice { before: i64::MAX, most }
    }
}

/// A page of a list that has no end to speak of: how long it is nobody counts.
#[derive(Clone, Debug)]
pub struct Part<T> {
    pub items: Vec<T>,
    /// Whether there are newer ones.
    pub has_newer: bool,
    /// Where the next page begins, if there may be one.
    pub older: Option<i64>,
}

impl<T> Part<T> {
    /// What was found of a slice, each with its number.
    pub fn of(mut items: Vec<T>, slice: Slice, number: impl Fn(&T) -> i64) -> Part<T> {
        let size = usize::try_from(slice.most - 1).unwrap_or(0);
        let has_more = items.len() > size;
        items.truncate(size);
        let older = items.last().filter(|_| has_more).map(number);
        Part { items, has_newer: slice.before < i64::MAX, older }
    }

    /// How many there are, if all of them are here.
    pub fn count(&self) -> Option<usize> {
        (!self.has_newer && self.older.is_none()).then_some(self.items.len())
    }
}

/// Some rows of a list, and how many the whole list has.
#[derive(Clone, Debug)]
pub struct NumberedPart<T> {
    pub items: Vec<T>,
    pub total: i64,
    pub page: Page,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_migration_that_is_missing_is_made_up_for() {
        const TABLE: [Migration; 3] = [
            (1, "CREATE TABLE one (x BIGINT)", ""),
            (2, "CREATE TABLE two (x BIGINT)", ""),
            (3, "CREATE TABLE three (x BIGINT)", ""),
        ];
        let folder = tempfile::tempdir().unwrap();
        let database = Database::connect(&Database::url_of_file(&folder.path().join("x.sqlite"))).await.unwrap();
        database.migrate(&[TABLE[0], TABLE[2]]).await.unwrap();
        database.migrate(&TABLE).await.unwrap();
        sqlx::query("SELECT * FROM one, two, three").fetch_all(database.read()).await.unwrap();
        let newer = database.migrate(&TABLE[..2]).await.unwrap_err();
        assert!(newer.to_string().contains("migration 3"), "{newer}");
    }
}
