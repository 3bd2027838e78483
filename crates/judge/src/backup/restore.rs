//! Bringing a backup back, into an empty place: the whole file is checked before
//! anything is written, and the database gets all of it or nothing.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use sha2::{Digest as _, Sha256};
use sqlx::AssertSqlSafe;

use super::{ABOUT, About, FORMAT, KEY, MANIFEST, Manifest, Progress, TableAbout, TableCount, hash_of, key_file, rows};
use crate::archive::{Entry, Reader};
use crate::database::schema::{self, Column};
use crate::database::{self, Database, Tx};
use crate::secrets;
use crate::store::Store;

/// Values in one statement at most; SQLite takes 32,766.
const VALUES: usize = 8000;

/// Where a backup is brought back to.
pub struct Target<'a> {
    pub database: &'a Database,
    /// The store, made when it is needed.
    pub store: &'a str,
    /// The folder for the course's key.
    pub folder: &'a Path,
}

/// Reads a backup to its end and compares every hash and count.
pub fn check(path: &Path, progress: &mut Progress) -> Result<Manifest> {
    let mut reading = Reading::open(path)?;
    while let Some(part) = reading.next()? {
        progress.at(|| format!("checking: {}", part.name()));
    }
    reading.end()
}

/// Brings a backup back. The place must be empty.
pub async fn restore(path: &Path, target: &Target<'_>, progress: &mut Progress) -> Result<Manifest> {
    refuse_full_places(target).await?;
    check(path, progress)?;
    let store = Store::open(target.store)?;
    let mut reading = Reading::open(path)?;
    let about = reading.about.clone();
    let mut tx = target.database.begin().await?;
    prepare(&mut tx, target.database, &about).await?;
    let mut key = None;
    while let Some(part) = reading.next()? {
        progress.at(|| format!("bringing back: {}", part.name()));
        match part {
            Part::Key(bytes) => key = Some(bytes),
            Part::Rows(table, bytes) => put_rows(&mut tx, table, &bytes).await?,
            Part::File(hash, bytes) => {
                let store = store.clone();
                let put = tokio::task::spawn_blocking(move || store.put(&bytes)).await??;
                ensure!(put == hash, "{hash} became {put}");
            }
        }
    }
    let manifest = reading.end()?;
    for table in &about.tables {
        if let Some(last) = table.last {
            schema::set_last_number(&mut tx, target.database.dialect(), &table.name, last).await?;
        }
    }
    give_back_work(&mut tx).await?;
    target.database.migrate_in(&mut tx, |_| true).await?;
    if let Some(key) = key {
        write_key(&key_file(target.folder), &key)?;
    }
    tx.commit().await?;
    progress.say(&format!("{} rows and {} files are back", manifest.rows(), manifest.files));
    Ok(manifest)
}

async fn refuse_full_places(target: &Target<'_>) -> Result<()> {
    let mut tx = target.database.snapshot().await?;
    let names = schema::names(&mut tx, target.database.dialect()).await?;
    tx.rollback().await?;
    if let Some(name) = names.first() {
        bail!("the database is not empty: it has the table {name}; a backup is brought back into an empty one only");
    }
    // What is in a bucket is named by its hash: other files do no harm, and are not listed.
    let folder = Path::new(target.store.strip_prefix("file://").unwrap_or(target.store));
    let is_full = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    ensure!(!is_full, "the store {} is not empty; a backup is brought back into an empty one only", folder.display());
    let key = key_file(target.folder);
    ensure!(!key.exists(), "{} is there already: this is the place of another course", key.display());
    Ok(())
}

/// Makes the tables as they were, and compares them with what the backup says.
async fn prepare(tx: &mut Tx, database: &Database, about: &About) -> Result<()> {
    database.migrate_in(tx, |number| about.migrations.contains(&number)).await?;
    let made = schema::tables(tx, database.dialect()).await?;
    let sorted = |columns: &[Column]| {
        let mut names: Vec<(String, String)> =
            columns.iter().map(|one| (one.name.clone(), format!("{:?}", one.kind))).collect();
        names.sort();
        names
    };
    let expected: BTreeMap<&str, _> = made.iter().map(|table| (table.name.as_str(), sorted(&table.columns))).collect();
    let found: BTreeMap<&str, _> =
        about.tables.iter().map(|table| (table.name.as_str(), sorted(&table.columns))).collect();
    ensure!(expected == found, "the backup has other tables than this version of Ludus made");
    // Some tables are born with rows, which come back with the others.
    for table in made.iter().rev() {
        sqlx::query(AssertSqlSafe(format!("DELETE FROM \"{}\"", table.name))).execute(&mut **tx).await?;
    }
    Ok(())
}

async fn put_rows(tx: &mut Tx, table: &TableAbout, bytes: &[u8]) -> Result<()> {
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    let most = (VALUES / table.columns.len().max(1)).clamp(1, 200);
    for lines in lines.chunks(most) {
        let text = rows::insert(&table.name, &table.columns, lines.len());
        // Only whole statements come again.
        let mut statement = sqlx::query(AssertSqlSafe(text)).persistent(lines.len() == most);
        for line in lines {
            let values = rows::read(line, &table.columns).with_context(|| format!("the table {}", table.name))?;
            for (value, column) in values.iter().zip(&table.columns) {
                statement =
                    rows::bind(statement, value, column).with_context(|| format!("the table {}", table.name))?;
            }
        }
        let put = statement.execute(&mut **tx).await;
        put.with_context(|| format!("rows of the table {} cannot be put back", table.name))?;
    }
    Ok(())
}

/// Work that was under way is offered again; the processes that did it are
/// another machine's, and nobody suspects anything.
async fn give_back_work(tx: &mut Tx) -> Result<()> {
    for statement in ["UPDATE jobs SET state = 'waiting', lease = NULL WHERE state = 'running'", "DELETE FROM crews"] {
        sqlx::query(statement).execute(&mut **tx).await?;
    }
    Ok(())
}

fn write_key(path: &Path, key: &[u8]) -> Result<()> {
    let written = OpenOptions::new().create_new(true).write(true).mode(0o600).open(path).and_then(|mut file| {
        file.write_all(key)?;
        file.sync_all()
    });
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// A part of a backup.
enum Part<'a> {
    Key(Vec<u8>),
    Rows(&'a TableAbout, Vec<u8>),
    File(String, Vec<u8>),
}

impl Part<'_> {
    fn name(&self) -> &str {
        match self {
            Part::Key(_) => KEY,
            Part::Rows(table, _) => &table.name,
            Part::File(..) => "files of the store",
        }
    }
}

/// A backup that is being read, with what it was found to hold so far.
struct Reading {
    reader: Reader,
    path: String,
    about: About,
    counts: Vec<(u64, Sha256)>,
    found: Manifest,
    files: Sha256,
    claimed: Option<Manifest>,
}

impl Reading {
    fn open(path: &Path) -> Result<Reading> {
        let mut reader = Reader::open(path)?;
        let shown = path.display().to_string();
        let first = reader.next_entry()?.filter(|entry| entry.name == ABOUT);
        let first = first.ok_or_else(|| anyhow!("{shown} is no backup of Ludus"))?;
        let about = understand(&shown, &first)?;
        let counts = about.tables.iter().map(|_| (0, Sha256::new())).collect();
        let found = Manifest::default();
        Ok(Reading { reader, path: shown, about, counts, found, files: Sha256::new(), claimed: None })
    }

    /// The next part; none at the end.
    fn next(&mut self) -> Result<Option<Part<'_>>> {
        let Some(Entry { name, bytes }) = self.reader.next_entry()? else { return Ok(None) };
        let path = &self.path;
        ensure!(self.claimed.is_none(), "{path}: {name} comes after the manifest");
        let folders: Vec<&str> = name.split('/').collect();
        match folders.as_slice() {
            [MANIFEST] => {
                let read = serde_json::from_slice(&bytes).with_context(|| format!("{path}: {MANIFEST} is damaged"));
                self.claimed = Some(read?);
                self.next()
            }
            [KEY] => {
                self.found.key = Some(hash_of(&bytes));
                Ok(Some(Part::Key(bytes)))
            }
            ["store", hash] => {
                ensure!(hash_of(&bytes) == *hash, "{path}: the file {hash} of the store is damaged");
                self.files.update(hash.as_bytes());
                self.found.files += 1;
                self.found.bytes += bytes.len() as u64;
                Ok(Some(Part::File((*hash).to_owned(), bytes)))
            }
            ["tables", table, _] => {
                let at = self.about.tables.iter().position(|one| one.name == *table);
                let at = at.ok_or_else(|| anyhow!("{path}: there is no table {table}"))?;
                let (rows, sum) = &mut self.counts[at];
                *rows += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
                sum.update(&bytes);
                Ok(Some(Part::Rows(&self.about.tables[at], bytes)))
            }
            _ => bail!("{path}: nobody knows what {name} is"),
        }
    }

    /// What was found, if it is what the manifest says.
    fn end(self) -> Result<Manifest> {
        let path = &self.path;
        let claimed = self.claimed.ok_or_else(|| anyhow!("{path} is not whole: it has no {MANIFEST}"))?;
        let counted = self.about.tables.iter().zip(self.counts).map(|(table, (rows, sum))| TableCount {
            name: table.name.clone(),
            rows,
            sha256: secrets::hex(&sum.finalize()),
        });
        let found = Manifest {
            tables: counted.collect(),
            sha256: secrets::hex(&self.files.finalize()),
            missing: claimed.missing,
            ..self.found
        };
        for (one, other) in claimed.tables.iter().zip(&found.tables) {
            ensure!(one == other, "{path}: the table {} is not what the manifest says", one.name);
        }
        ensure!(claimed.key == found.key, "{path}: the course's key is not what the manifest says");
        ensure!(claimed == found, "{path}: the files of the store are not what the manifest says");
        Ok(claimed)
    }
}

fn understand(path: &str, first: &Entry) -> Result<About> {
    let format: serde_json::Value = serde_json::from_slice(&first.bytes).with_context(|| format!("{path}: {ABOUT}"))?;
    let format = format.get("ludus_backup").and_then(serde_json::Value::as_u64);
    ensure!(
        format == Some(u64::from(FORMAT)),
        "{path} has the format {}, and this Ludus reads format {FORMAT}",
        format.map_or("of no backup".to_owned(), |number| number.to_string())
    );
    let about: About = serde_json::from_slice(&first.bytes).with_context(|| format!("{path}: {ABOUT}"))?;
    if let Some(unknown) = about.migrations.iter().find(|number| !database::is_known(**number)) {
        bail!(
            "{path} is of a newer Ludus ({}): it has migration {unknown}, which this program does not know",
            about.version
        );
    }
    let names = about
        .tables
        .iter()
        .flat_map(|table| std::iter::once(&table.name).chain(table.columns.iter().map(|column| &column.name)));
    for name in names {
        ensure!(schema::is_plain(name), "{path}: '{name}' is no name of a table or a column");
    }
    Ok(about)
}
