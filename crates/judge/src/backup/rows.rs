//! Rows as lines of JSON: the values of the columns in their order.

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::query::Query;
use sqlx::{Any, Row as _};

use crate::database::schema::{Column, Kind};

/// Names of tables and columns are plain, which whoever made the lists has
/// checked; quotes are for those that mean something in SQL.
pub fn select(table: &str, columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    format!("SELECT {} FROM \"{table}\"", names.join(", "))
}

/// Puts in so many rows at once.
pub fn insert(table: &str, columns: &[Column], rows: usize) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
    let row = |at: usize| {
        let values: Vec<String> = (1..=columns.len()).map(|k| format!("${}", at * columns.len() + k)).collect();
        format!("({})", values.join(", "))
    };
    let values: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO \"{table}\" ({}) VALUES {}", names.join(", "), values.join(", "))
}

/// The value of a column; bytes are base64, real numbers are words, so that
/// every bit of them comes back.
pub fn value(row: &AnyRow, at: usize, kind: Kind) -> sqlx::Result<Value> {
    Ok(match kind {
        Kind::Integer => row.try_get::<Option<i64>, _>(at)?.into(),
        Kind::Real => row.try_get::<Option<f64>, _>(at)?.map(|number| format!("{number:?}")).into(),
        Kind::Text => row.try_get::<Option<String>, _>(at)?.into(),
        Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(at)?.map(|bytes| STANDARD.encode(bytes)).into(),
    })
}

pub fn write(row: &AnyRow, columns: &[Column], into: &mut Vec<u8>) -> Result<()> {
    let values = columns.iter().enumerate().map(|(at, column)| value(row, at, column.kind));
    serde_json::to_writer(&mut *into, &values.collect::<sqlx::Result<Vec<Value>>>()?)?;
    into.push(b'\n');
    Ok(())
}

/// A row that was written.
pub fn read(line: &[u8], columns: &[Column]) -> Result<Vec<Value>> {
    let values: Vec<Value> = serde_json::from_slice(line)?;
    ensure!(values.len() == columns.len(), "{} values for {} columns", values.len(), columns.len());
    Ok(values)
}

type Insert<'q> = Query<'q, Any, sqlx::any::AnyArguments>;

/// Gives a statement the next value.
pub fn bind<'q>(statement: Insert<'q>, value: &Value, column: &Column) -> Result<Insert<'q>> {
    let wrong = || format!("the column {} has the value {value}", column.name);
    let text = if value.is_null() { None } else { value.as_str() };
    ensure!(value.is_null() || text.is_some() || column.kind == Kind::Integer, wrong());
    Ok(match column.kind {
        Kind::Integer if value.is_null() => statement.bind(None::<i64>),
        Kind::Integer => statement.bind(value.as_i64().with_context(wrong)?),
        Kind::Real => statement.bind(text.map(str::parse::<f64>).transpose().with_context(wrong)?),
        Kind::Text => statement.bind(text.map(ToOwned::to_owned)),
        Kind::Bytes => statement.bind(text.map(|text| STANDARD.decode(text)).transpose().with_context(wrong)?),
    })
}
