//! People as instructors look after them: who was invited, who came, who has a player.

use anyhow::Result;
use sqlx::any::AnyRow;
use sqlx::{FromRow, Row as _};

use crate::accounts::{Account, Role};
use crate::database::{Columns as _, NumberedPart, Page, Reader, pattern};
use crate::grading::harmless;
use crate::ids::{AccountId, SeasonId};
use crate::words::words;

words! {
    /// How far somebody has come.
    pub enum State {
        /// No letter was sent.
        New = "new",
        /// A letter waits to be sent.
        Waiting = "waiting",
        Sent = "sent",
        /// The letter was refused.
        Failed = "failed",
        /// Has signed in, or could.
        Active = "active",
        Locked = "locked",
    }
}

impl State {
    /// Whether an invitation would be too late.
    pub fn has_come(self) -> bool {
        matches!(self, State::Active | State::Locked)
    }
}

words! {
    /// Whether somebody has an accepted player in a season.
    pub enum Having {
        With = "with",
        Without = "without",
    }
}

/// Which people are asked for.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// In the name, the address or the group.
    pub text: String,
    pub role: Option<Role>,
    pub team: Option<String>,
    pub state: Option<State>,
    /// The season whose players are looked at.
    pub season: Option<SeasonId>,
    pub having: Option<Having>,
}

/// Somebody, with all that the dashboard tells.
#[derive(Clone, Debug)]
pub struct Person {
    pub account: Account,
    pub state: State,
    /// What the mail server said to the last letter, and when it was sent or given up.
    pub answer: String,
    pub letter_at: Option<i64>,
    /// When the account was claimed by the link of a group, which proves nothing.
    pub claimed_at: Option<i64>,
    /// The newest accepted player in the season: its number and name.
    pub player: Option<(i64, String)>,
}

impl FromRow<'_, AnyRow> for Person {
    fn from_row(row: &AnyRow) -> sqlx::Result<Person> {
        Ok(Person {
            account: Account::from_row(row)?,
            state: row.try_get("state")?,
            answer: row.maybe_text("answer")?.unwrap_or_default(),
            letter_at: row.maybe_int("letter_at")?,
            claimed_at: row.maybe_int("claimed_at")?,
            player: row.maybe_int("player_id")?.zip(row.maybe_text("player")?),
        })
    }
}

/// Everybody who is asked for, as `p`. Placeholders 1 to 6 are the filter's.
macro_rules! people {
    () => {
        "(SELECT a.id, a.email, a.name, a.team, a.role, a.language, a.locked,
          CASE WHEN a.password IS NULL THEN 0 ELSE 1 END AS has_password,
          CASE WHEN a.locked = 1 THEN 'locked' WHEN a.password IS NOT NULL OR a.signed_in_at IS NOT NULL THEN 'active'
               ELSE COALESCE(l.state, 'new') END AS state,
          l.answer, l.ended_at AS letter_at, c.created_at AS claimed_at,
          (SELECT MAX(y.id) FROM submissions y WHERE y.account_id = a.id
               AND y.season_id = $5 AND y.stage = 'accepted' AND y.retired_at IS NULL) AS player_id
          FROM accounts a
          LEFT JOIN letters l ON l.id = (SELECT MAX(x.id) FROM letters x WHERE x.account_id = a.id AND x.kind <> 'reset')
          LEFT JOIN claims c ON c.account_id = a.id
          WHERE ($1 = '%%' OR LOWER(a.name) LIKE $1 ESCAPE '!' OR a.email LIKE $1 ESCAPE '!' OR LOWER(a.team) LIKE $1 ESCAPE '!')
          AND ($2 = '' OR a.role = $2) AND ($3 = '' OR a.team = SUBSTR($3, 2))) p
         WHERE ($4 = '' OR p.state = $4)
         AND ($6 = '' OR ($6 = 'with' AND p.player_id IS NOT NULL) OR ($6 = 'without' AND p.player_id IS NULL))"
    };
}

/// The names of players are looked up when it is known whose.
macro_rules! with_player {
    () => {
        "SELECT p.*, (SELECT s.name FROM submissions s WHERE s.id = p.player_id) AS player FROM "
    };
}

/// Binds a filter to the placeholders 1 to 6 of a statement.
macro_rules! filtered {
    ($query:expr, $filter:expr) => {
        $query
            .bind(pattern(&$filter.text))
            .bind($filter.role.map_or("", Role::word))
            // Something before its name, which may be empty.
            .bind($filter.team.as_ref().map_or(String::new(), |team| format!("={team}")))
            .bind($filter.state.map_or("", State::word))
            .bind($filter.season.unwrap_or(SeasonId(0)))
            .bind($filter.having.map_or("", Having::word))
    };
}

/// A page of the people who are asked for.
pub async fn list(mut from: impl Reader, filter: &Filter, page: Page) -> Result<NumberedPart<Person>> {
    let total = filtered!(sqlx::query_scalar(concat!("SELECT COUNT(*) FROM ", people!())), filter);
    let total = total.fetch_one(from.executor()).await?;
    let items = concat!(with_player!(), people!(), " ORDER BY LOWER(p.name), p.id LIMIT $7 OFFSET $8");
    let items = filtered!(sqlx::query_as(items), filter).bind(Page::SIZE).bind(page.offset());
    Ok(NumberedPart { items: items.fetch_all(from.executor()).await?, total, page })
}

/// The most people that are exported or acted upon at once.
pub const MOST: i64 = 10_000;

/// All of them.
pub async fn all(mut from: impl Reader, filter: &Filter) -> Result<Vec<Person>> {
    let items = concat!(with_player!(), people!(), " ORDER BY LOWER(p.name), p.id LIMIT $7");
    Ok(filtered!(sqlx::query_as(items), filter).bind(MOST).fetch_all(from.executor()).await?)
}

/// One of them.
pub async fn find(mut from: impl Reader, account: AccountId) -> Result<Option<Person>> {
    let one = concat!(with_player!(), people!(), " AND p.id = $7");
    let one = filtered!(sqlx::query_as(one), &Filter::default()).bind(account);
    Ok(one.fetch_optional(from.executor()).await?)
}

/// A group and how far its students have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub team: String,
    pub students: i64,
    pub signed_in: i64,
    /// Those with an accepted player.
    pub players: i64,
}

/// Groups that are listed; a course has some tens.
const MOST_GROUPS: i64 = 300;

/// Every group of students who are not locked out.
pub async fn groups(mut from: impl Reader, season: Option<SeasonId>) -> Result<Vec<Group>> {
    let rows = sqlx::query(
        "SELECT a.team, COUNT(*) AS students,
         COUNT(CASE WHEN a.password IS NOT NULL OR a.signed_in_at IS NOT NULL THEN 1 END) AS signed_in,
         COUNT(CASE WHEN EXISTS (SELECT 1 FROM submissions s WHERE s.account_id = a.id AND s.season_id = $1
               AND s.stage = 'accepted' AND s.retired_at IS NULL) THEN 1 END) AS players
         FROM accounts a WHERE a.role = 'student' AND a.locked = 0 GROUP BY a.team ORDER BY a.team LIMIT $2",
    );
    let rows = rows.bind(season.unwrap_or(SeasonId(0))).bind(MOST_GROUPS).fetch_all(from.executor()).await?;
    let group = |row: &AnyRow| {
        Ok(Group {
            team: row.text("team")?,
            students: row.int("students")?,
            signed_in: row.int("signed_in")?,
            players: row.int("players")?,
        })
    };
    Ok(rows.iter().map(group).collect::<sqlx::Result<_>>()?)
}

/// A table for spreadsheets, which begins with the mark of UTF-8 and has no formulas.
pub fn csv<const N: usize>(heading: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer("\u{feff}".as_bytes().to_vec());
    writer.write_record(heading)?;
    for row in rows {
        writer.write_record(row.map(|cell| harmless(&cell)))?;
    }
    writer.into_inner().map_err(|error| anyhow::anyhow!("a table: {}", error.error()))
}
