//! The whole course in one file, made while the judge runs, and brought back.
//!
//! The file is a tar in gzip. `backup.json` comes first and says what it is; then
//! every table, as lines of JSON in pieces of about a mebibyte, as all of them
//! were at one moment; then what the store has of that moment, by hash; then
//! `manifest.json` with the counts and hashes of all that, without which nothing
//! is believed. Nothing in it depends on the kind of database or store.
//!
//! Memory is bounded: rows and files go through one by one.

mod restore;
pub(crate) mod rows;

use std::fs;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use futures_util::TryStreamExt as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::AssertSqlSafe;

use crate::archive::Writer;
use crate::clock;
use crate::database::schema::{self, Column, Table};
use crate::database::{self, Columns as _, Database, Tx, now};
use crate::secrets;
use crate::store::{Lost, Store};

pub use restore::{Target, check, restore};

/// The format of the file; another number is another format.
const FORMAT: u32 = 1;

const ABOUT: &str = "backup.json";
const KEY: &str = "course.key";
const MANIFEST: &str = "manifest.json";

/// A piece of a table is written when it has so many bytes.
const PIECE: usize = 1 << 20;

/// What a backup says about itself before all else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct About {
    ludus_backup: u32,
    /// The version of the program that made it.
    version: String,
    created_at: i64,
    /// The migrations of the database.
    migrations: Vec<i64>,
    /// In the order in which they follow, each after those that it refers to.
    tables: Vec<TableAbout>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TableAbout {
    name: String,
    columns: Vec<Column>,
    /// The last number that was given to a row.
    last: Option<i64>,
}

/// What a backup holds, as it says at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub tables: Vec<TableCount>,
    /// Files of the store, their bytes, and the hash of their hashes.
    pub files: u64,
    pub bytes: u64,
    pub sha256: String,
    /// Files that the database names and the store did not have.
    pub missing: u64,
    /// The hash of the course's key, if that is in it.
    pub key: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCount {
    pub name: String,
    pub rows: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }
}

/// Tells how far something has come, at most once a second.
pub struct Progress {
    told: Duration,
    tell: Box<dyn FnMut(&str) + Send>,
}

impl Progress {
    pub fn new(tell: impl FnMut(&str) + Send + 'static) -> Progress {
        Progress { told: clock::steady(), tell: Box::new(tell) }
    }

    pub fn silent() -> Progress {
        Progress::new(|_| {})
    }

    fn at(&mut self, message: impl FnOnce() -> String) {
        if clock::steady().saturating_sub(self.told) >= Duration::from_secs(1) {
            self.told = clock::steady();
            (self.tell)(&message());
        }
    }

    fn say(&mut self, message: &str) {
        (self.tell)(message);
    }
}

/// What is to be backed up.
pub struct Source<'a> {
    pub database: &'a Database,
    pub store: &'a Store,
    /// The folder with the course's key.
    pub folder: &'a Path,
}

/// Makes a backup. The judge may go on meanwhile; what happens after the
/// beginning is not in it.
pub async fn make(source: &Source<'_>, path: &Path, progress: &mut Progress) -> Result<Manifest> {
    let created_at = now();
    let mut tx = source.database.snapshot().await?;
    let names = schema::names(&mut tx, source.database.dialect()).await?;
    ensure!(names.iter().any(|name| name == "migrations"), "there is no course in this database");
    let migrations = database::applied(&mut tx).await?;
    if let Some(unknown) = migrations.iter().find(|number| !database::is_known(**number)) {
        anyhow::bail!("the database is of a newer Ludus: it has migration {unknown}; make the backup with that Ludus");
    }
    let tables = schema::tables(&mut tx, source.database.dialect()).await?;
    let mut writer = Writer::create(path, created_at)?;
    let about = About {
        ludus_backup: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at,
        migrations,
        tables: tables.iter().map(about_table).collect(),
    };
    writer.add(ABOUT, &serde_json::to_vec(&about)?)?;
    let mut manifest = Manifest::default();
    if let Ok(key) = fs::read(source.folder.join(KEY)) {
        writer.add(KEY, &key)?;
        manifest.key = Some(hash_of(&key));
    }
    for (at, table) in tables.iter().enumerate() {
        progress.at(|| format!("table {} of {}: {}", at + 1, tables.len(), table.name));
        manifest.tables.push(add_table(&mut tx, &mut writer, table, progress).await?);
    }
    // A database of an older Ludus keeps all replays in the store.
    let has_small = tables.iter().any(|table| table.name == "matches" && table.has("small_replay"));
    let list = HashList::of(&mut tx, path, has_small).await?;
    // What was read is all of one moment; the files of the store never change.
    tx.rollback().await?;
    add_files(source.store, &mut writer, list, &mut manifest, progress).await?;
    writer.add(MANIFEST, &serde_json::to_vec(&manifest)?)?;
    let length = writer.finish()?;
    progress.say(&format!(
        "{} rows and {} files, {length} bytes in all{}",
        manifest.rows(),
        manifest.files,
        match manifest.missing {
            0 => String::new(),
            count => format!("; the store does not have {count} files that the database names, which are left out"),
        }
    ));
    Ok(manifest)
}

fn about_table(table: &Table) -> TableAbout {
    TableAbout { name: table.name.clone(), columns: table.columns.clone(), last: table.last }
}

/// Writes the rows of a table, piece by piece.
async fn add_table(tx: &mut Tx, writer: &mut Writer, table: &Table, progress: &mut Progress) -> Result<TableCount> {
    let statement = rows::select(&table.name, &table.columns);
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(&mut **tx);
    let (mut piece, mut pieces, mut rows, mut sum) = (Vec::new(), 0_u32, 0_u64, Sha256::new());
    while let Some(row) = found.try_next().await? {
        rows::write(&row, &table.columns, &mut piece)?;
        rows += 1;
        if piece.len() >= PIECE {
            sum.update(&piece);
            writer.add(&piece_name(&table.name, pieces), &piece)?;
            pieces += 1;
            piece.clear();
            progress.at(|| format!("{}: {rows} rows", table.name));
        }
    }
    if !piece.is_empty() {
        sum.update(&piece);
        writer.add(&piece_name(&table.name, pieces), &piece)?;
    }
    Ok(TableCount { name: table.name.clone(), rows, sha256: secrets::hex(&sum.finalize()) })
}

fn piece_name(table: &str, number: u32) -> String {
    format!("tables/{table}/{number:08}.ndjson")
}

/// Everything of the store that has not been given up.
macro_rules! store_references {
    ($condition:literal) => {
        concat!(
            "SELECT replay AS hash FROM matches WHERE replay IS NOT NULL AND thinned_at IS NULL ",
            $condition,
            " UNION SELECT s.output FROM seats s JOIN matches m ON m.id = s.match_id
             WHERE s.output IS NOT NULL AND m.thinned_at IS NULL
             UNION SELECT module FROM submissions WHERE module IS NOT NULL AND thinned_at IS NULL
             UNION SELECT module FROM round_players ORDER BY hash"
        )
    };
}

/// The hashes that the database names, in a file without a name beside the
/// backup: there may be millions, and the snapshot does not wait for the store.
struct HashList {
    file: fs::File,
    count: u64,
}

impl HashList {
    async fn of(tx: &mut Tx, beside: &Path, has_small: bool) -> Result<HashList> {
        let path = beside.with_file_name(format!(".hashes-{}", secrets::short_token()));
        let mut options = fs::OpenOptions::new();
        let opened = options.create_new(true).read(true).write(true).mode(0o600).open(&path);
        let file = opened.with_context(|| format!("cannot write {}", path.display()))?;
        fs::remove_file(&path)?;
        let mut writer = std::io::BufWriter::new(file);
        let mut count = 0;
        let statement = if has_small { store_references!("AND small_replay IS NULL") } else { store_references!("") };
        let mut found = sqlx::query(statement).fetch(&mut **tx);
        while let Some(row) = found.try_next().await? {
            writeln!(writer, "{}", row.text("hash")?)?;
            count += 1;
        }
        let mut file = writer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(HashList { file, count })
    }
}

async fn add_files(
    store: &Store,
    writer: &mut Writer,
    list: HashList,
    manifest: &mut Manifest,
    progress: &mut Progress,
) -> Result<()> {
    let mut sum = Sha256::new();
    for (at, hash) in BufReader::new(list.file).lines().enumerate() {
        let hash = hash?;
        progress.at(|| format!("file {at} of {}, {} MiB", list.count, manifest.bytes >> 20));
        let (store, wanted) = (store.clone(), hash.clone());
        let bytes = match tokio::task::spawn_blocking(move || store.get(&wanted)).await? {
            Ok(bytes) => bytes,
            // Lost, or given up since: pages say so, and it is no reason to have no backup.
            Err(error) if Lost::of(&error).is_some() => {
                manifest.missing += 1;
                continue;
            }
            Err(error) => return Err(error),
        };
        sum.update(hash.as_bytes());
        writer.add(&format!("store/{hash}"), &bytes)?;
        manifest.files += 1;
        manifest.bytes += bytes.len() as u64;
    }
    manifest.sha256 = secrets::hex(&sum.finalize());
    Ok(())
}

fn hash_of(bytes: &[u8]) -> String {
    secrets::hex(&Sha256::digest(bytes))
}

/// Where the key of a course is.
fn key_file(folder: &Path) -> PathBuf {
    folder.join(KEY)
}
