//! Seasons: one game, its config, its limits, its dates, its rules page.

use anyhow::{Result, anyhow};
use ludus_games::game::{About, CpuLimit};
use ludus_games::{Config, Game};
use ludus_sandbox::Limits;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::database::{Columns as _, Database, Reader, Tx, now};
use crate::ids::SeasonId;
use crate::source::Allowed;

#[derive(Clone, Debug)]
pub struct Season {
    pub id: SeasonId,
    pub slug: String,
    pub title: String,
    pub game: String,
    pub config: String,
    pub match_ms: i64,
    pub round_ms: Option<i64>,
    pub memory_mib: i64,
    pub source_kib: i64,
    pub opens_at: i64,
    /// Until then everybody needs an accepted player.
    pub deadline_at: i64,
    /// Until then players are taken: at the deadline, or later.
    pub closes_at: i64,
    /// How many seconds late a submission may be.
    pub grace_s: i64,
    pub official_at: i64,
    pub rules: String,
    /// Whether it is over and kept out of the way.
    pub is_archived: bool,
}

/// Where a season stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Coming,
    Open,
    /// After the deadline, while players are still taken.
    Closing,
    Closed,
    Official,
}

/// What the dates of a season say to a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    TooEarly,
    OnTime,
    /// Late by less than the grace.
    InGrace,
    /// Late, but this person may.
    Excepted,
    TooLate,
}

impl Admission {
    pub fn is_granted(self) -> bool {
        matches!(self, Admission::OnTime | Admission::InGrace | Admission::Excepted)
    }
}

impl Season {
    pub fn phase(&self, time: i64) -> Phase {
        match time {
            time if time < self.opens_at => Phase::Coming,
            time if time < self.deadline_at => Phase::Open,
            time if time >= self.official_at => Phase::Official,
            time if time < self.closes_at => Phase::Closing,
            _ => Phase::Closed,
        }
    }

    /// Whether everybody may hand in something.
    pub fn is_open(&self, time: i64) -> bool {
        !self.is_archived && matches!(self.phase(time), Phase::Open | Phase::Closing)
    }

    /// What becomes of a submission received at some time, of somebody who may
    /// have an exception until another.
    pub fn admission(&self, received_at: i64, excepted_until: Option<i64>) -> Admission {
        match received_at {
            _ if self.is_archived => Admission::TooLate,
            time if time < self.opens_at => Admission::TooEarly,
            time if time < self.closes_at => Admission::OnTime,
            time if excepted_until.is_some_and(|until| time < until) => Admission::Excepted,
            time if time < self.closes_at + 1000 * self.grace_s => Admission::InGrace,
            _ => Admission::TooLate,
        }
    }

    /// Until when somebody's players are taken, as pages say it: the grace is
    /// for slow networks and not announced as time to work in.
    pub fn closes_for(&self, excepted_until: Option<i64>) -> i64 {
        self.closes_at.max(excepted_until.unwrap_or(0))
    }

    pub fn rules_of_game(&self) -> Result<&'static dyn Game> {
        ludus_games::find(&self.game).ok_or_else(|| anyhow!("season {}: there is no game {}", self.slug, self.game))
    }

    pub fn read_config(&self) -> Result<Box<dyn Config>> {
        let config = self.rules_of_game()?.read_config(self.config.as_bytes());
        config.map_err(|error| anyhow!("the config of season {}: {error}", self.slug))
    }

    /// A season of a game as most are, not stored yet: players are taken until
    /// the deadline, and official rounds begin a week later.
    pub fn of_game(about: &About, slug: &str, opens_at: i64, deadline_at: i64) -> Season {
        const WEEK: i64 = 7 * 86_400_000;
        Season {
            id: SeasonId(0),
            slug: slug.to_owned(),
            title: about.title.to_owned(),
            game: about.id.to_owned(),
            config: about.default_config.to_owned(),
            match_ms: i64::from(about.cpu.match_ms),
            round_ms: about.cpu.round_ms.map(i64::from),
            memory_mib: 128,
            source_kib: 256,
            opens_at,
            deadline_at,
            closes_at: deadline_at,
            grace_s: 120,
            official_at: deadline_at + WEEK,
            rules: String::new(),
            is_archived: false,
        }
    }

    /// The player to be beaten first, who fills groups too.
    pub fn reserve(&self) -> Result<&'static str> {
        Ok(self.rules_of_game()?.about().reserve)
    }

    /// What a submitted source may be.
    pub fn allowed(&self) -> Result<Allowed> {
        Ok(Allowed { kib: self.source_kib, longest_name: self.rules_of_game()?.about().longest_name })
    }

    /// What one player may use in a match of this season.
    pub fn limits(&self) -> Limits {
        let ms = |value: i64| u32::try_from(value).unwrap_or(u32::MAX);
        let cpu = CpuLimit { match_ms: ms(self.match_ms), round_ms: self.round_ms.map(ms) };
        Limits { memory: (self.memory_mib as usize) << 20, ..Limits::of(cpu) }
    }
}

impl FromRow<'_, AnyRow> for Season {
    fn from_row(row: &AnyRow) -> sqlx::Result<Season> {
        Ok(Season {
            id: row.try_get("id")?,
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
            closes_at: row.int("closes_at")?,
            grace_s: row.int("grace_s")?,
            official_at: row.int("official_at")?,
            rules: row.text("rules")?,
            is_archived: row.maybe_int("archived_at")?.is_some(),
        })
    }
}

/// Seasons never grow to a number that would want pages.
const MOST: i64 = 200;

pub async fn list(mut from: impl Reader) -> Result<Vec<Season>> {
    let all = sqlx::query_as("SELECT * FROM seasons ORDER BY opens_at DESC, id LIMIT $1").bind(MOST);
    Ok(all.fetch_all(from.executor()).await?)
}

pub async fn find(mut from: impl Reader, slug: &str) -> Result<Option<Season>> {
    Ok(sqlx::query_as("SELECT * FROM seasons WHERE slug = $1").bind(slug).fetch_optional(from.executor()).await?)
}

pub async fn by_id(mut from: impl Reader, id: SeasonId) -> Result<Season> {
    Ok(sqlx::query_as("SELECT * FROM seasons WHERE id = $1").bind(id).fetch_one(from.executor()).await?)
}

/// Adds a season; its id does not matter. False if the slug is taken.
pub async fn add(database: &Database, season: &Season) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO seasons (title, config, match_ms, round_ms, memory_mib, source_kib, opens_at, deadline_at,
         closes_at, grace_s, official_at, rules, slug, game, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (slug) DO NOTHING",
    );
    let done = bind_changeable(done, season).bind(&season.slug).bind(&season.game).bind(now());
    Ok(done.execute(database.write()).await?.rows_affected() == 1)
}

/// Gives a statement what may change of a season, as `$1` to `$12`.
fn bind_changeable<'q>(statement: Statement<'q>, season: &'q Season) -> Statement<'q> {
    statement
        .bind(&season.title)
        .bind(&season.config)
        .bind(season.match_ms)
        .bind(season.round_ms)
        .bind(season.memory_mib)
        .bind(season.source_kib)
        .bind(season.opens_at)
        .bind(season.deadline_at)
        .bind(season.closes_at)
        .bind(season.grace_s)
        .bind(season.official_at)
        .bind(&season.rules)
}

type Statement<'q> = sqlx::query::Query<'q, sqlx::Any, <sqlx::Any as sqlx::Database>::Arguments>;

/// Puts a season away, or brings it back. False if it was so already.
pub async fn set_archived(tx: &mut Tx, season: SeasonId, archived: bool) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE seasons SET archived_at = $1 WHERE id = $2 AND CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END <> $3",
    );
    let done = done.bind(archived.then(now)).bind(season).bind(i64::from(archived));
    Ok(done.execute(&mut **tx).await?.rows_affected() == 1)
}

/// Changes what may change: not the game, and not the slug that links use.
pub async fn update(database: &Database, season: &Season) -> Result<()> {
    let update = sqlx::query(
        "UPDATE seasons SET title = $1, config = $2, match_ms = $3, round_ms = $4, memory_mib = $5, source_kib = $6,
         opens_at = $7, deadline_at = $8, closes_at = $9, grace_s = $10, official_at = $11, rules = $12 WHERE id = $13",
    );
    bind_changeable(update, season).bind(season.id).execute(database.write()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn season() -> Season {
        Season {
            id: SeasonId(1),
            slug: "s".to_owned(),
            title: "S".to_owned(),
            game: "ants".to_owned(),
            config: String::new(),
            match_ms: 1000,
            round_ms: None,
            memory_mib: 128,
            source_kib: 64,
            opens_at: 1_000_000,
            deadline_at: 2_000_000,
            closes_at: 3_000_000,
            grace_s: 120,
            official_at: 4_000_000,
            rules: String::new(),
            is_archived: false,
        }
    }

    #[test]
    fn dates_decide_to_the_millisecond() {
        let season = season();
        for (time, excepted, expected) in [
            (999_999, None, Admission::TooEarly),
            (999_999, Some(9_000_000), Admission::TooEarly),
            (1_000_000, None, Admission::OnTime),
            (2_999_999, None, Admission::OnTime),
            (3_000_000, None, Admission::InGrace),
            (3_119_999, None, Admission::InGrace),
            (3_120_000, None, Admission::TooLate),
            (3_120_000, Some(3_120_001), Admission::Excepted),
            (3_120_000, Some(3_120_000), Admission::TooLate),
            (3_000_000, Some(2_500_000), Admission::InGrace),
        ] {
            assert_eq!(season.admission(time, excepted), expected, "{time} {excepted:?}");
        }
        assert_eq!(Season { grace_s: 0, ..season.clone() }.admission(3_000_000, None), Admission::TooLate);
        assert_eq!(season.closes_for(Some(2_500_000)), 3_000_000);
        assert_eq!(season.closes_for(Some(3_500_000)), 3_500_000);
    }

    #[test]
    fn a_season_goes_through_its_phases() {
        let phases = [0, 1_500_000, 2_500_000, 3_500_000, 4_500_000].map(|time| season().phase(time));
        assert_eq!(phases, [Phase::Coming, Phase::Open, Phase::Closing, Phase::Closed, Phase::Official]);
        let open = [0, 1_500_000, 2_500_000, 3_500_000, 4_500_000].map(|time| season().is_open(time));
        assert_eq!(open, [false, true, true, false, false]);
    }
}
