//! What tables a database has: asked of the database itself, so that whoever
//! adds a table need not tell anybody.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Row as _};

use super::{Columns as _, Dialect, Tx};

/// What a column holds. All that we use on both kinds of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Integer,
    Real,
    Text,
    Bytes,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub columns: Vec<Column>,
    /// Columns that refer to rows of other tables.
    pub refers: Vec<(String, String)>,
    /// The last number that was given, where the table numbers its rows.
    pub last: Option<i64>,
}

impl Table {
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|one| one.name == column)
    }
}

/// The table of migrations, which is the database's own affair.
const OWN: &str = "migrations";

/// Every table but that of the migrations; those that others refer to come first.
pub async fn tables(tx: &mut Tx, dialect: Dialect) -> Result<Vec<Table>> {
    let mut found = Vec::new();
    for name in names(tx, dialect).await?.into_iter().filter(|name| name != OWN) {
        found.push(table(tx, dialect, name).await?);
    }
    in_order(found)
}

/// The names of all tables.
pub async fn names(tx: &mut Tx, dialect: Dialect) -> Result<Vec<String>> {
    let rows = sqlx::query(match dialect {
        Dialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
        }
        Dialect::Postgres => {
            "SELECT CAST(table_name AS TEXT) AS name FROM information_schema.tables
             WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1"
        }
    });
    let rows = rows.fetch_all(&mut **tx).await?;
    Ok(rows.iter().map(|row| row.text("name")).collect::<sqlx::Result<_>>()?)
}

async fn table(tx: &mut Tx, dialect: Dialect, name: String) -> Result<Table> {
    ensure!(is_plain(&name), "the table '{name}' has a name that Ludus does not give");
    let rows = sqlx::query(match dialect {
        Dialect::Sqlite => "SELECT name, CAST(type AS TEXT) AS kind FROM pragma_table_info($1) ORDER BY cid",
        Dialect::Postgres => {
            "SELECT CAST(column_name AS TEXT) AS name, CAST(data_type AS TEXT) AS kind FROM information_schema.columns
             WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position"
        }
    });
    let mut columns = Vec::new();
    for row in rows.bind(&name).fetch_all(&mut **tx).await? {
        let column = row.text("name")?;
        ensure!(is_plain(&column), "the column '{column}' of {name} has a name that Ludus does not give");
        let kind = kind(&row.text("kind")?).with_context(|| format!("the column {column} of {name}"))?;
        columns.push(Column { name: column, kind });
    }
    let rows = sqlx::query(match dialect {
        Dialect::Sqlite => {
            "SELECT CAST(\"from\" AS TEXT) AS own, CAST(\"table\" AS TEXT) AS other FROM pragma_foreign_key_list($1)"
        }
        Dialect::Postgres => {
            "SELECT CAST(a.attname AS TEXT) AS own, CAST(r.relname AS TEXT) AS other FROM pg_constraint k
             JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
             WHERE k.contype = 'f' AND t.relname = $1 AND t.relnamespace = CAST(current_schema() AS regnamespace)"
        }
    });
    let rows = rows.bind(&name).fetch_all(&mut **tx).await?;
    let refers = rows.iter().map(|row| Ok((row.text("own")?, row.text("other")?))).collect::<sqlx::Result<_>>()?;
    let last = last_number(tx, dialect, &name, &columns).await?;
    Ok(Table { name, columns, refers, last })
}

async fn last_number(tx: &mut Tx, dialect: Dialect, table: &str, columns: &[Column]) -> Result<Option<i64>> {
    if !columns.iter().any(|column| column.name == "id") {
        return Ok(None);
    }
    if dialect == Dialect::Sqlite {
        // The table is there as soon as anything is numbered.
        let numbers = sqlx::query("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'");
        if numbers.fetch_optional(&mut **tx).await?.is_none() {
            return Ok(None);
        }
        let last = sqlx::query_scalar("SELECT seq FROM sqlite_sequence WHERE name = $1").bind(table);
        return Ok(last.fetch_optional(&mut **tx).await?);
    }
    let sequence = sqlx::query("SELECT pg_get_serial_sequence($1, 'id') AS name").bind(table);
    let Some(sequence) = sequence.fetch_one(&mut **tx).await?.maybe_text("name")? else { return Ok(None) };
    let last = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM {sequence}");
    Ok(Some(sqlx::query(AssertSqlSafe(last)).fetch_one(&mut **tx).await?.try_get("last")?))
}

/// Lets a table go on numbering where it was.
pub async fn set_last_number(tx: &mut Tx, dialect: Dialect, table: &str, last: i64) -> Result<()> {
    let statement = match dialect {
        Dialect::Sqlite => {
            // Rows that were put in have set it to the largest of their numbers.
            sqlx::query("DELETE FROM sqlite_sequence WHERE name = $1").bind(table).execute(&mut **tx).await?;
            "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)"
        }
        Dialect::Postgres => {
            "SELECT setval(CAST(pg_get_serial_sequence($1, 'id') AS regclass), GREATEST($2, 1), $2 > 0) AS set"
        }
    };
    sqlx::query(statement).bind(table).bind(last).fetch_optional(&mut **tx).await?;
    Ok(())
}

/// A name that needs no quotes: those of our tables and columns are such, and
/// none other is ever put into a statement.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 60
        && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_')
}

fn kind(declared: &str) -> Result<Kind> {
    Ok(match declared.to_lowercase().as_str() {
        "integer" | "bigint" | "smallint" => Kind::Integer,
        "real" | "double precision" | "double" => Kind::Real,
        "text" => Kind::Text,
        "blob" | "bytea" => Kind::Bytes,
        other => bail!("has the type {other}, which Ludus does not use"),
    })
}

/// Each table after those that it refers to.
fn in_order(mut left: Vec<Table>) -> Result<Vec<Table>> {
    let mut done: BTreeSet<String> = BTreeSet::new();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let ready = |table: &Table| table.refers.iter().all(|(_, to)| *to == table.name || done.contains(to));
        let at = left.iter().position(ready).context("tables refer to each other in a circle")?;
        let next = left.remove(at);
        done.insert(next.name.clone());
        ordered.push(next);
    }
    Ok(ordered)
}
