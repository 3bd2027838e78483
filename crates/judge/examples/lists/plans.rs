//! How PostgreSQL does a statement: the long tables of which it looks at every row.

use anyhow::Result;
use ludus_judge::database::Database;
use sqlx::{AssertSqlSafe, Row as _};

/// What grows with the years.
pub const LONG: [&str; 14] = [
    "matches",
    "seats",
    "submissions",
    "jobs",
    "trainings",
    "training_players",
    "actions",
    "rating_points",
    "ladder_replays",
    "leavings",
    "round_matches",
    "sketches",
    "likenesses",
    "likeness_notes",
];

/// Indexes of what is not done yet, which is never much.
pub const SHORT: [&str; 6] =
    ["jobs_ready", "jobs_unfinished", "jobs_running", "jobs_delayed", "submissions_undecided", "likenesses_new"];

/// The steps of a statement's plan that may go through all of a long table or of an index
/// of one. The plan is the one for any values.
pub async fn whole_scans(database: &Database, statement: &str) -> Result<Vec<String>> {
    Ok(scans_of(&plan(database, statement).await?))
}

/// The lines of a statement's plan.
pub async fn plan(database: &Database, statement: &str) -> Result<Vec<String>> {
    let values = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
    let values = if values == 0 { String::new() } else { format!("({})", vec!["NULL"; values].join(", ")) };
    let mut tx = database.begin().await?;
    sqlx::raw_sql("SET LOCAL plan_cache_mode = force_generic_plan").execute(&mut *tx).await?;
    sqlx::raw_sql(AssertSqlSafe(format!("PREPARE asked AS {statement}"))).execute(&mut *tx).await?;
    let explain = AssertSqlSafe(format!("EXPLAIN (COSTS OFF) EXECUTE asked{values}"));
    let rows = sqlx::raw_sql(explain).fetch_all(&mut *tx).await?;
    sqlx::raw_sql("DEALLOCATE asked").execute(&mut *tx).await?;
    tx.rollback().await?;
    Ok(rows.iter().map(|row| row.try_get(0)).collect::<sqlx::Result<Vec<String>>>()?)
}

/// The same of a plan as PostgreSQL writes it, a line for each step and lines with what
/// it looks for below. What takes all that it meets in an index, and so many, ends with them.
pub fn scans_of(plan: &[String]) -> Vec<String> {
    let is_step = |line: &str| line.contains("->") || line.contains("Plan ") || line.contains("CTE ");
    let mut found = Vec::new();
    for (at, line) in plan.iter().enumerate() {
        let step = line.trim().trim_start_matches("->").trim();
        let Some((how, table)) = step.split_once(" on ") else { continue };
        if !how.contains("Scan") || !LONG.contains(&table.split(' ').next().unwrap_or_default()) {
            continue;
        }
        let says = |what: &str| {
            let mut below = plan[at + 1..].iter().take_while(|line| !is_step(line));
            below.any(|line| line.trim().starts_with(what))
        };
        let indent = |line: &String| line.len() - line.trim_start().len();
        let above =
            plan[..at].iter().rfind(|above| (is_step(above) || indent(above) == 0) && indent(above) < indent(line));
        let is_counted = above.is_some_and(|step| step.trim().trim_start_matches("->").trim() == "Limit");
        let is_whole = how.contains("Seq Scan")
            || (how.starts_with("Index") || how.contains(" Index "))
                && !says("Index Cond:")
                && (says("Filter:") || !is_counted);
        let is_short = SHORT.iter().any(|index| how.ends_with(&format!(" using {index}")));
        if is_whole && !is_short {
            found.push(step.to_owned());
        }
    }
    found
}
