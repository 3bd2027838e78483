//! Shows of finals that are followed by everybody.

use std::time::Duration;

use anyhow::Result;

use super::followers::{Known, Topic};
use crate::database::{Columns as _, Database};
use crate::texts::Language;

#[derive(Debug)]
pub struct Finals;

impl Topic for Finals {
    type Id = i64;
    /// Its steps and its state.
    type News = (i64, String);
    const NAME: &str = "finals";
    const ASKED_EVERY: Duration = Duration::from_millis(300);
    const MOST_OF_PLACE: usize = 500;

    async fn look(database: &Database, _: Known<Self>) -> Result<Known<Self>> {
        let rows = sqlx::query("SELECT id, revealed_steps, state FROM finals").fetch_all(database.read()).await?;
        rows.iter().map(|row| Ok((row.int("id")?, Some((row.int("revealed_steps")?, row.text("state")?))))).collect()
    }
}

/// What is written of a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// What changes from step to step.
    Stage,
    /// The same on its page, and all that stands below it.
    Page,
}

/// What decides what somebody sees of a final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub piece: Piece,
    pub id: i64,
    pub steps: i64,
    pub state: &'static str,
    pub language: Language,
    pub names: bool,
}
