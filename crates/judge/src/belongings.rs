//! All rows that belong to something: found by following the references of the
//! tables, so that a new table is neither forgotten when a course is exported nor
//! when it is deleted.

use std::collections::BTreeMap;

use anyhow::Result;
use sqlx::AssertSqlSafe;

use crate::database::schema::Table;
use crate::database::{Tx, now};

/// What belongs to something, as conditions on the rows of tables. They hold
/// numbers and names of our own only.
pub struct Belongings<'a> {
    tables: &'a [Table],
    conditions: BTreeMap<&'a str, String>,
    soft: &'a [(&'a str, &'a str)],
}

impl<'a> Belongings<'a> {
    /// Everything that refers to rows with these conditions, directly or not.
    /// Soft references do not make a row belong: they can be forgotten.
    pub fn of(tables: &'a [Table], roots: &[(&'a str, String)], soft: &'a [(&'a str, &'a str)]) -> Belongings<'a> {
        let mut conditions: BTreeMap<&str, String> = BTreeMap::new();
        for table in tables {
            let mut ways: Vec<String> = Vec::new();
            ways.extend(roots.iter().filter(|(name, _)| *name == table.name).map(|(_, root)| format!("({root})")));
            for (column, other) in &table.refers {
                let is_soft = soft.contains(&(table.name.as_str(), column.as_str()));
                if let Some(condition) = conditions.get(other.as_str()).filter(|_| !is_soft) {
                    ways.push(format!("\"{column}\" IN (SELECT id FROM \"{other}\" WHERE {condition})"));
                }
            }
            if !ways.is_empty() {
                conditions.insert(&table.name, format!("({})", ways.join(" OR ")));
            }
        }
        Belongings { tables, conditions, soft }
    }

    /// The condition on the rows of a table; none if nothing in it belongs.
    pub fn condition(&self, table: &str) -> Option<&str> {
        self.conditions.get(table).map(String::as_str)
    }

    /// The tables with rows that belong, those that others refer to first.
    pub fn tables(&self) -> impl DoubleEndedIterator<Item = (&'a Table, &str)> {
        self.tables.iter().filter_map(|table| Some((table, self.condition(&table.name)?)))
    }

    /// Deletes it all, notes what the store may give up, and forgets soft references.
    pub async fn delete(&self, tx: &mut Tx) -> Result<u64> {
        self.leave_files(tx).await?;
        for (kind, table) in
            [("match", "matches"), ("compile", "submissions"), ("compare", "submissions"), ("observe", "likenesses")]
        {
            if let Some(condition) = self.condition(table) {
                let statement = format!(
                    "DELETE FROM jobs WHERE kind = '{kind}' AND subject IN (SELECT id FROM {table} WHERE {condition})"
                );
                run(tx, statement).await?;
            }
        }
        for (kinds, table) in [("'replay', 'output'", "matches"), ("'module'", "submissions")] {
            if let Some(condition) = self.condition(table) {
                let statement = format!(
                    "DELETE FROM losses WHERE kind IN ({kinds}) AND subject IN (SELECT id FROM {table} WHERE {condition})"
                );
                run(tx, statement).await?;
            }
        }
        self.forget(tx).await?;
        let mut count = 0;
        for (table, condition) in self.tables().rev() {
            count += run(tx, format!("DELETE FROM \"{}\" WHERE {condition}", table.name)).await?;
        }
        Ok(count)
    }

    /// Soft references to what goes become empty.
    async fn forget(&self, tx: &mut Tx) -> Result<()> {
        for table in self.tables {
            for (column, other) in &table.refers {
                let is_soft = self.soft.contains(&(table.name.as_str(), column.as_str()));
                let Some(condition) = self.condition(other).filter(|_| is_soft) else { continue };
                let chosen = format!("\"{column}\" IN (SELECT id FROM \"{other}\" WHERE {condition})");
                // A seat without a player needs a name that is nobody's.
                let name = if table.has("name") { ", name = 'deleted'" } else { "" };
                run(tx, format!("UPDATE \"{}\" SET \"{column}\" = NULL{name} WHERE {chosen}", table.name)).await?;
            }
        }
        Ok(())
    }

    /// Notes what the caretaker may remove when nobody else refers to it.
    async fn leave_files(&self, tx: &mut Tx) -> Result<()> {
        for (table, column) in [("matches", "replay"), ("seats", "output"), ("submissions", "module")] {
            if let Some(condition) = self.condition(table) {
                leave_files(tx, table, column, condition).await?;
            }
        }
        Ok(())
    }
}

/// Notes what the caretaker may remove when nobody refers to it any more.
pub async fn leave_files(tx: &mut Tx, table: &str, column: &str, condition: &str) -> Result<()> {
    let statement = format!(
        "INSERT INTO leavings (hash, since) SELECT DISTINCT {column}, CAST({} AS BIGINT) FROM {table}
         WHERE {column} IS NOT NULL AND {condition} ON CONFLICT (hash) DO UPDATE SET since = excluded.since",
        now()
    );
    run(tx, statement).await.map(drop)
}

/// Runs a statement that is made of our own names and numbers.
pub async fn run(tx: &mut Tx, statement: String) -> Result<u64> {
    Ok(sqlx::query(AssertSqlSafe(statement)).execute(&mut **tx).await?.rows_affected())
}
