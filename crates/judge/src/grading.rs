//! Grades of a season: the rule that an instructor sets, corrections by hand,
//! and the table of everybody with all that led to each mark.
//!
//! Marks are never stored: `ludus_arena::season::grades` works them out of the
//! rule, the corrections and what happened in the season.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use ludus_arena::season::{Author, COLUMNS, Correction, Grade, Mark, Rule, Season as Course, grades};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId};
use crate::official::standing;

/// What grades follow from until an instructor sets something else: from 5 to
/// 9, 10 for the last four, nothing without a player.
pub fn usual_rule() -> Rule {
    let mark = |hundredths| Mark::from_hundredths(hundredths).unwrap_or(Mark::LARGEST);
    Rule {
        first_out: mark(500),
        last_out: mark(900),
        guaranteed: mark(500),
        finalist: mark(1000),
        finalists: 4,
        without_player: mark(0),
    }
}

/// The rule of a season, and whether an instructor has set it.
pub async fn rule(database: &Database, season: SeasonId) -> Result<(Rule, bool)> {
    let row = sqlx::query("SELECT * FROM grade_rules WHERE season_id = $1")
        .bind(season)
        .fetch_optional(database.read())
        .await?;
    let Some(row) = row else { return Ok((usual_rule(), false)) };
    let rule = Rule {
        first_out: mark(&row, "first_out")?,
        last_out: mark(&row, "last_out")?,
        guaranteed: mark(&row, "guaranteed")?,
        finalist: mark(&row, "finalist")?,
        finalists: usize::try_from(row.int("finalists")?)?,
        without_player: mark(&row, "without_player")?,
    };
    Ok((rule, true))
}

fn mark(row: &AnyRow, column: &str) -> Result<Mark> {
    let hundredths = u32::try_from(row.int(column)?)?;
    Mark::from_hundredths(hundredths).with_context(|| format!("{column} is {hundredths} hundredths, which is no mark"))
}

pub async fn set_rule(tx: &mut Tx, season: SeasonId, rule: &Rule) -> Result<()> {
    sqlx::query(
        "INSERT INTO grade_rules (season_id, first_out, last_out, guaranteed, finalist, finalists, without_player)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (season_id) DO UPDATE SET first_out = excluded.first_out,
         last_out = excluded.last_out, guaranteed = excluded.guaranteed, finalist = excluded.finalist,
         finalists = excluded.finalists, without_player = excluded.without_player",
    )
    .bind(season)
    .bind(i64::from(rule.first_out.hundredths()))
    .bind(i64::from(rule.last_out.hundredths()))
    .bind(i64::from(rule.guaranteed.hundredths()))
    .bind(i64::from(rule.finalist.hundredths()))
    .bind(i64::try_from(rule.finalists)?)
    .bind(i64::from(rule.without_player.hundredths()))
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives somebody a mark by hand, in place of any that was given so before.
/// False for somebody who is not on the list of the season.
pub async fn correct(
    tx: &mut Tx,
    season: SeasonId,
    account: AccountId,
    mark: Mark,
    (reason, actor): (&str, AccountId),
) -> Result<bool> {
    let done = sqlx::query(
        "INSERT INTO grade_corrections (season_id, account_id, mark, reason, actor_id, created_at)
         SELECT e.season_id, e.account_id, $3, $4, $5, $6 FROM entrants e WHERE e.season_id = $1 AND e.account_id = $2
         ON CONFLICT (season_id, account_id) DO UPDATE SET mark = excluded.mark, reason = excluded.reason,
         actor_id = excluded.actor_id, created_at = excluded.created_at",
    )
    .bind(season)
    .bind(account)
    .bind(i64::from(mark.hundredths()))
    .bind(reason)
    .bind(actor)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether somebody is on the list of a season, with the mark that was given to
/// them by hand, if one was.
pub async fn correction_of(database: &Database, season: SeasonId, account: AccountId) -> Result<Option<Option<Mark>>> {
    let row = sqlx::query(
        "SELECT c.mark FROM entrants e LEFT JOIN grade_corrections c ON c.season_id = e.season_id
         AND c.account_id = e.account_id WHERE e.season_id = $1 AND e.account_id = $2",
    );
    let row = row.bind(season).bind(account).fetch_optional(database.read()).await?;
    let given = |row: AnyRow| if row.maybe_int("mark")?.is_some() { mark(&row, "mark").map(Some) } else { Ok(None) };
    row.map(given).transpose()
}

/// Lets the rule decide again. False if it does.
pub async fn withdraw(tx: &mut Tx, season: SeasonId, account: AccountId) -> Result<bool> {
    let done = sqlx::query("DELETE FROM grade_corrections WHERE season_id = $1 AND account_id = $2")
        .bind(season)
        .bind(account)
        .execute(&mut **tx)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Somebody on the list of a season, with what they get.
pub struct Graded {
    pub account: AccountId,
    pub student: String,
    pub email: String,
    pub team: String,
    pub grade: Grade,
}

/// The grades of a season.
pub struct Table {
    pub rule: Rule,
    pub course: Course,
    /// In the order of the numbers, those without a player last.
    pub rows: Vec<Graded>,
}

/// Somebody on the list, before there are grades.
struct OnList {
    account: AccountId,
    author: Author,
    has_player: bool,
    student: String,
    email: String,
    team: String,
}

/// The grades of a season as they stand, by some rule.
pub async fn table(database: &Database, season: SeasonId, rule: Rule) -> Result<Table> {
    let listed = listed(database, season).await?;
    let course = standing::find(database, season).await?;
    let corrections = corrections(database, season, &listed).await?;
    let without = listed.iter().filter(|one| !one.has_player).map(|one| one.author);
    let grades = grades(&rule, &course, without, &corrections).context("the grades of the season")?;
    let mut by_author: BTreeMap<Author, Grade> = grades.into_iter().map(|grade| (grade.author, grade)).collect();
    let rows = listed.into_iter().filter_map(|one| {
        let grade = by_author.remove(&one.author)?;
        Some(Graded { account: one.account, student: one.student, email: one.email, team: one.team, grade })
    });
    Ok(Table { rule, course, rows: rows.collect() })
}

/// Everybody on the list. Those without a player get numbers after all the
/// others, which nobody sees.
async fn listed(database: &Database, season: SeasonId) -> Result<Vec<OnList>> {
    let rows = sqlx::query(
        "SELECT e.account_id, e.number, a.name, a.email, a.team FROM entrants e JOIN accounts a ON a.id = e.account_id
         WHERE e.season_id = $1 ORDER BY CASE WHEN e.number IS NULL THEN 1 ELSE 0 END, e.number, a.name, a.id",
    )
    .bind(season)
    .fetch_all(database.read())
    .await?;
    let mut last = 0;
    let mut listed = Vec::with_capacity(rows.len());
    for row in &rows {
        let number = row.maybe_int("number")?;
        last = number.unwrap_or(last + 1);
        listed.push(OnList {
            account: row.try_get("account_id")?,
            author: Author(u32::try_from(last)?),
            has_player: number.is_some(),
            student: row.text("name")?,
            email: row.text("email")?,
            team: row.text("team")?,
        });
    }
    Ok(listed)
}

async fn corrections(database: &Database, season: SeasonId, listed: &[OnList]) -> Result<Vec<Correction>> {
    let rows = sqlx::query("SELECT account_id, mark, reason FROM grade_corrections WHERE season_id = $1")
        .bind(season)
        .fetch_all(database.read())
        .await?;
    let mut corrections = Vec::new();
    for row in &rows {
        let account = row.try_get("account_id")?;
        let author = listed.iter().find(|one| one.account == account).map(|one| one.author);
        let (mark, reason) = (mark(row, "mark")?, row.text("reason")?);
        corrections.extend(author.map(|author| Correction { author, mark, reason }));
    }
    Ok(corrections)
}

impl Table {
    /// The table for spreadsheets: who, then [`COLUMNS`]. It begins with the mark
    /// of UTF-8, without which some of them spoil every accent.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer("\u{feff}".as_bytes().to_vec());
        writer.write_record(["name", "email", "group"].iter().chain(&COLUMNS))?;
        for row in &self.rows {
            let who = [&row.student, &row.email, &row.team].map(Clone::clone);
            let cells = row.grade.cells(&self.rule, &self.course);
            writer.write_record(who.into_iter().chain(cells).map(|cell| harmless(&cell)))?;
        }
        writer.into_inner().map_err(|error| anyhow::anyhow!("the table of grades: {}", error.error()))
    }

    /// How many marks are in each of some steps of equal width, from 0 up to the
    /// largest mark that the rule or an instructor gives; and that mark. The
    /// largest itself counts in the last step.
    pub fn distribution(&self, steps: u32) -> (Vec<usize>, Mark) {
        let rule = &self.rule;
        let given = self.rows.iter().map(|row| row.grade.mark());
        let most = given.chain([rule.finalist, rule.without_player]).max().unwrap_or(rule.finalist);
        // A scale that people know: ten, or a hundred.
        let most = Mark::from_hundredths(1000).filter(|ten| most <= *ten).unwrap_or(Mark::LARGEST);
        let mut counts = vec![0; steps as usize];
        for row in &self.rows {
            let step = row.grade.mark().hundredths() * steps / most.hundredths();
            counts[step.min(steps - 1) as usize] += 1;
        }
        (counts, most)
    }
}

/// A text that no spreadsheet takes for a formula, whole or where it takes a part of it
/// for a cell of its own: some split lines at semicolons, whatever is quoted. Students
/// choose their names.
pub fn harmless(cell: &str) -> String {
    let mut safe = String::with_capacity(cell.len() + 1);
    let mut begins = true;
    for c in cell.chars() {
        if begins && matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '|' | '%' | '＝' | '＋' | '－' | '＠')
        {
            safe.push('\'');
        }
        begins = matches!(c, ';' | '\t' | '\r' | '\n') || (begins && (c.is_whitespace() || c == '"'));
        safe.push(c);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1"] {
            assert_eq!(harmless(text), format!("'{text}"));
        }
        for (text, safe) in [
            ("\t=1", "'\t'=1"),
            ("\r=1", "'\r'=1"),
            ("Ana;=cmd|' /c calc'!A1;x", "Ana;'=cmd|' /c calc'!A1;x"),
            ("Ana; \"+1\";@x", "Ana; \"'+1\";'@x"),
            ("Ana\n=1", "Ana\n'=1"),
        ] {
            assert_eq!(harmless(text), safe);
        }
        for text in ["", "Marta", "7.25", "a=b", "Núria Puig", "Puig; Núria", "x - y"] {
            assert_eq!(harmless(text), text);
        }
    }

    #[test]
    fn the_usual_rule_is_one() {
        assert_eq!(usual_rule().check(), Ok(()));
    }
}
