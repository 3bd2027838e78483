//! Seasons: one game, its config, its limits, its dates, its rules page.

use anyhow::{Result, anyhow};
use ludus_games::game::CpuLimit;
use ludus_games::{Config, Game};
use ludus_sandbox::Limits;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, now};

#[derive(Clone, Debug)]
pub struct Season {
    pub id: i64,
    pub slug: String,
    pub title: String,
    pub game: String,
    pub config: String,
    pub match_ms: i64,
    pub round_ms: Option<i64>,
    pub memory_mib: i64,
    pub source_kib: i64,
    pub opens_at: i64,
    pub deadline_at: i64,
    pub official_at: i64,
    pub rules: String,
}

/// Where a season stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Coming,
    Open,
    /// Players can be submitted until the official rounds begin, for nobody's
    /// second player should depend on the deadline of the first.
    Closing,
    Official,
}

impl Season {
    pub fn phase(&self, time: i64) -> Phase {
        match time {
            time if time < self.opens_at => Phase::Coming,
            time if time < self.deadline_at => Phase::Open,
            time if time < self.official_at => Phase::Closing,
            _ => Phase::Official,
        }
    }

    pub fn takes_submissions(&self, time: i64) -> bool {
        time >= self.opens_at
    }

    pub fn rules_of_game(&self) -> Result<&'static dyn Game> {
        ludus_games::find(&self.game).ok_or_else(|| anyhow!("season {}: there is no game {}", self.slug, self.game))
    }

    pub fn read_config(&self) -> Result<Box<dyn Config>> {
        let config = self.rules_of_game()?.read_config(self.config.as_bytes());
        config.map_err(|error| anyhow!("the config of season {}: {error}", self.slug))
    }

    /// What one player may use in a match of this season.
    pub fn limits(&self) -> Limits {
        let ms = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
        let cpu = CpuLimit { match_ms: ms(self.match_ms), round_ms: self.round_ms.map(ms) };
        Limits { memory: (self.memory_mib as usize) << 20, ..Limits::of(cpu) }
    }

    fn from_row(row: &AnyRow) -> sqlx::Result<Season> {
        Ok(Season {
            id: row.int("id")?,
            slug: row.text("slug")?,
            title: row.text("title")?,
            game: row.text("game")?,
            config: row.text("config")?,
            match_ms: row.int("match_ms")?,
            round_ms: row.maybe_int("round_ms")?,
            memory_mib: row.int("memory_mib")?,
            source_kib: row.int("source_kib")?,
            opens_at: row.int("opens_at")?,
            deadline_at: row.int("deadline_at")?,
            official_at: row.int("official_at")?,
            rules: row.text("rules")?,
        })
    }
}

/// Seasons never grow to a number that would want pages.
const MOST: i64 = 200;

pub async fn list(database: &Database) -> Result<Vec<Season>> {
    let rows = sqlx::query("SELECT * FROM seasons ORDER BY opens_at DESC, id LIMIT $1")
        .bind(MOST)
        .fetch_all(database.read())
        .await?;
    Ok(rows.iter().map(Season::from_row).collect::<sqlx::Result<_>>()?)
}

pub async fn find(database: &Database, slug: &str) -> Result<Option<Season>> {
    let row = sqlx::query("SELECT * FROM seasons WHERE slug = $1").bind(slug).fetch_optional(database.read()).await?;
    Ok(row.as_ref().map(Season::from_row).transpose()?)
}

pub async fn by_id(database: &Database, id: i64) -> Result<Season> {
    let row = sqlx::query("SELECT * FROM seasons WHERE id = $1").bind(id).fetch_one(database.read()).await?;
    Ok(Season::from_row(&row)?)
}

/// Adds a season; its id does not matter. False if the slug is taken.
pub async fn add(database: &Database, season: &Season) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO seasons (slug, title, game, config, match_ms, round_ms, memory_mib, source_kib,
         opens_at, deadline_at, official_at, rules, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (slug) DO NOTHING",
    )
    .bind(&season.slug)
    .bind(&season.title)
    .bind(&season.game)
    .bind(&season.config)
    .bind(season.match_ms)
    .bind(season.round_ms)
    .bind(season.memory_mib)
    .bind(season.source_kib)
    .bind(season.opens_at)
    .bind(season.deadline_at)
    .bind(season.official_at)
    .bind(&season.rules)
    .bind(now())
    .execute(database.write())
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Changes what may change: not the game, and not the slug that links use.
pub async fn update(database: &Database, season: &Season) -> Result<()> {
    sqlx::query(
        "UPDATE seasons SET title = $1, config = $2, match_ms = $3, round_ms = $4, memory_mib = $5, source_kib = $6,
         opens_at = $7, deadline_at = $8, official_at = $9, rules = $10 WHERE id = $11",
    )
    .bind(&season.title)
    .bind(&season.config)
    .bind(season.match_ms)
    .bind(season.round_ms)
    .bind(season.memory_mib)
    .bind(season.source_kib)
    .bind(season.opens_at)
    .bind(season.deadline_at)
    .bind(season.official_at)
    .bind(&season.rules)
    .bind(season.id)
    .execute(database.write())
    .await?;
    Ok(())
}
