//! What is stored about a person, or of a season, in one file that opens
//! anywhere: rows as lines of JSON, sources, modules, output and replays as files.
//!
//! Nothing is in it that is still a secret: tokens and passwords, the seeds of
//! rounds that are being played, a final that is not revealed.

use std::path::Path;

use anyhow::{Context as _, Result};
use futures_util::TryStreamExt as _;
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, Row as _};

use crate::archive::Writer;
use crate::backup::rows;
use crate::belongings::Belongings;
use crate::database::schema::{self, Column, Table};
use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::store::{Lost, Store};

/// Columns that nobody needs and that would let somebody in, or tell a secret.
const SECRET: [&str; 9] = ["password", "token", "hash", "csrf", "lease", "crew", "source", "seed", "share"];

/// What is a file of its own there.
const FILE: &str = "small_replay";

/// Not in what somebody gets about themselves: who was compared with whom. What
/// was confirmed about a person is in the log of actions, with its reason, and in
/// the corrections of grades; all else is about others too.
const LOOKED_INTO: [&str; 3] = ["sketches", "likenesses", "likeness_notes"];

/// A file of an export has at most about so many bytes of rows.
const PIECE: usize = 8 << 20;

/// What may not be told yet.
const VEILED: &str = "SELECT id FROM matches WHERE veiled = 1";
const SEALED: &str = "SELECT r.id FROM rounds r JOIN finals f ON f.id = r.final_id WHERE f.state <> 'revealed'";

/// Everything that is stored about a person.
pub async fn person(database: &Database, store: &Store, account: AccountId, path: &Path) -> Result<u64> {
    let mut tx = database.snapshot().await?;
    let tables = schema::tables(&mut tx, database.dialect()).await?;
    let players = format!("SELECT id FROM submissions WHERE account_id = {account}");
    let played = format!("SELECT match_id FROM seats WHERE submission_id IN ({players})");
    let condition = |table: &Table| {
        let mut ways: Vec<String> = Vec::new();
        if LOOKED_INTO.contains(&table.name.as_str()) {
            return None;
        }
        for column in &table.columns {
            let refers = |other: &str| table.refers.iter().any(|(own, to)| *own == column.name && to == other);
            // Some tables name an account without referring to it.
            if refers("accounts") || column.name == "account_id" {
                ways.push(format!("\"{}\" = {account}", column.name));
            } else if refers("submissions") {
                ways.push(format!("\"{}\" IN ({players})", column.name));
            }
        }
        match table.name.as_str() {
            "accounts" => ways.push(format!("id = {account}")),
            "matches" => ways.push(format!("id IN ({played})")),
            _ => {}
        }
        (!ways.is_empty()).then(|| ways.join(" OR "))
    };
    let chosen: Vec<(&Table, String)> = tables.iter().filter_map(|table| Some((table, condition(table)?))).collect();
    let files = Files {
        submissions: format!("account_id = {account}"),
        outputs: format!("s.submission_id IN ({players})"),
        matches: format!("id IN ({played})"),
    };
    write(tx, store, path, &chosen, &files).await
}

/// Everything that belongs to some seasons.
pub async fn seasons(database: &Database, store: &Store, seasons: &[SeasonId], path: &Path) -> Result<u64> {
    let mut tx = database.snapshot().await?;
    let tables = schema::tables(&mut tx, database.dialect()).await?;
    let list: Vec<String> = seasons.iter().map(ToString::to_string).collect();
    let list = list.join(", ");
    let belongings = Belongings::of(&tables, &[("seasons", format!("id IN ({list})"))], &[]);
    let mut chosen: Vec<(&Table, String)> =
        belongings.tables().map(|(table, condition)| (table, condition.to_owned())).collect();
    // Rows name people by number.
    let people = format!(
        "id IN (SELECT account_id FROM submissions WHERE season_id IN ({list}) UNION SELECT account_id FROM entrants WHERE season_id IN ({list}))"
    );
    chosen.extend(tables.iter().find(|table| table.name == "accounts").map(|table| (table, people)));
    let files = Files {
        submissions: format!("season_id IN ({list})"),
        outputs: format!("m.season_id IN ({list})"),
        matches: format!("season_id IN ({list})"),
    };
    write(tx, store, path, &chosen, &files).await
}

/// Whose files are wanted, as conditions.
struct Files {
    submissions: String,
    outputs: String,
    matches: String,
}

async fn write(mut tx: Tx, store: &Store, path: &Path, tables: &[(&Table, String)], files: &Files) -> Result<u64> {
    let mut writer = Writer::create(path, now())?;
    writer.add("README.txt", README.as_bytes())?;
    for (table, condition) in tables {
        add_rows(&mut tx, &mut writer, table, condition).await?;
    }
    add_sources(&mut tx, &mut writer, &files.submissions).await?;
    let named = [
        (
            "modules",
            "wasm",
            format!(
                "SELECT CAST(id AS TEXT) AS name, module AS hash FROM submissions
                 WHERE module IS NOT NULL AND thinned_at IS NULL AND ({})",
                files.submissions
            ),
        ),
        (
            "outputs",
            "txt",
            format!(
                "SELECT CAST(s.match_id AS TEXT) || '-' || CAST(s.seat AS TEXT) AS name, s.output AS hash FROM seats s
                 JOIN matches m ON m.id = s.match_id
                 WHERE s.output IS NOT NULL AND m.thinned_at IS NULL AND m.veiled = 0 AND ({})",
                files.outputs
            ),
        ),
        (
            "replays",
            "ludus",
            format!(
                "SELECT CAST(id AS TEXT) AS name, replay AS hash FROM matches
                 WHERE replay IS NOT NULL AND small_replay IS NULL AND thinned_at IS NULL AND veiled = 0 AND ({})",
                files.matches
            ),
        ),
    ];
    for (folder, ending, statement) in named {
        add_files(&mut tx, store, &mut writer, (folder, ending), statement).await?;
    }
    add_small_replays(&mut tx, &mut writer, &files.matches).await?;
    tx.rollback().await?;
    writer.finish()
}

const README: &str = "What Ludus stores, as it was when this file was made.\n\n\
    tables/    rows of the database, a line of JSON each; times are milliseconds since 1970 in UTC\n\
    sources/   the sources that were handed in, by the number of the submission\n\
    modules/   what they were compiled to, by the number of the submission\n\
    outputs/   what players wrote, by the number of the match and the seat\n\
    replays/   the matches, by their number; ludus view opens them\n\n\
    Left out are passwords and tokens, and what is still a secret: seeds, links, finals that are not revealed.\n";

/// The rows of a table, as objects.
async fn add_rows(tx: &mut Tx, writer: &mut Writer, table: &Table, condition: &str) -> Result<()> {
    let is_told = |column: &&Column| !SECRET.contains(&column.name.as_str()) && column.name != FILE;
    let columns: Vec<Column> = table.columns.iter().filter(is_told).cloned().collect();
    let mut shown = format!("({condition})");
    if table.name == "matches" {
        shown.push_str(" AND veiled = 0");
    }
    for (column, hidden) in [("match_id", VEILED), ("round_id", SEALED)] {
        if table.has(column) {
            shown.push_str(&format!(" AND (\"{column}\" IS NULL OR \"{column}\" NOT IN ({hidden}))"));
        }
    }
    if table.name == "rounds" {
        shown.push_str(&format!(" AND id NOT IN ({SEALED})"));
    }
    if table.name == "finals" {
        shown.push_str(" AND state = 'revealed'");
    }
    let statement = format!("{} WHERE {shown}", rows::select(&table.name, &columns));
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(&mut **tx);
    let (mut piece, mut pieces) = (Vec::new(), 0);
    while let Some(row) = found.try_next().await? {
        let mut object = Map::new();
        for (at, column) in columns.iter().enumerate() {
            object.insert(column.name.clone(), rows::value(&row, at, column.kind)?);
        }
        serde_json::to_writer(&mut piece, &Value::Object(object))?;
        piece.push(b'\n');
        if piece.len() >= PIECE {
            writer.add(&format!("tables/{}-{pieces}.ndjson", table.name), &piece)?;
            piece.clear();
            pieces += 1;
        }
    }
    if !piece.is_empty() {
        writer.add(&format!("tables/{}-{pieces}.ndjson", table.name), &piece)?;
    }
    Ok(())
}

async fn add_sources(tx: &mut Tx, writer: &mut Writer, condition: &str) -> Result<()> {
    let statement = format!("SELECT id, language, source FROM submissions WHERE {condition} ORDER BY id");
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(&mut **tx);
    while let Some(row) = found.try_next().await? {
        let ending = if row.text("language")? == "rust" { "rs" } else { "cc" };
        writer.add(&format!("sources/{}.{ending}", row.int("id")?), &row.bytes("source")?)?;
    }
    Ok(())
}

/// The replays that are kept beside the results.
async fn add_small_replays(tx: &mut Tx, writer: &mut Writer, condition: &str) -> Result<()> {
    let statement =
        format!("SELECT id, small_replay FROM matches WHERE small_replay IS NOT NULL AND veiled = 0 AND ({condition})");
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(&mut **tx);
    while let Some(row) = found.try_next().await? {
        writer.add(&format!("replays/{}.ludus", row.int("id")?), &row.bytes("small_replay")?)?;
    }
    Ok(())
}

async fn add_files(
    tx: &mut Tx,
    store: &Store,
    writer: &mut Writer,
    (folder, ending): (&str, &str),
    statement: String,
) -> Result<()> {
    let mut found = sqlx::query(AssertSqlSafe(statement)).fetch(&mut **tx);
    while let Some(row) = found.try_next().await? {
        let (name, hash, store) = (row.try_get::<String, _>("name")?, row.text("hash")?, store.clone());
        match tokio::task::spawn_blocking(move || store.get(&hash)).await? {
            Ok(bytes) => writer.add(&format!("{folder}/{name}.{ending}"), &bytes)?,
            // Pages say that it is gone, and so does its absence here.
            Err(error) if Lost::of(&error).is_some() => {}
            Err(error) => return Err(error).context("the store does not answer"),
        }
    }
    Ok(())
}
