//! Which player stands for whom: the one that its author has chosen, or the
//! newest accepted one. A round takes what is chosen when it is frozen.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::database::{Columns as _, Database, Tx, now};
use crate::ids::{AccountId, SeasonId, SubmissionId};

/// An accepted player that can stand for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub submission: SubmissionId,
    pub name: String,
    /// The hash of its module.
    pub module: String,
    pub created_at: i64,
}

/// The accepted players of somebody, and which of them stands for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The newest one first.
    pub candidates: Vec<Candidate>,
    /// The submission that was chosen, if it still can stand.
    pub chosen: Option<SubmissionId>,
}

impl Choice {
    /// Who stands for them.
    pub fn representative(&self) -> Option<&Candidate> {
        let chosen = self.candidates.iter().find(|one| Some(one.submission) == self.chosen);
        chosen.or(self.candidates.first())
    }
}

/// The choices of everybody in a season who has an accepted player, by account;
/// of one account unless it is [`EVERYBODY`].
async fn choices(database: &Database, season: SeasonId, account: AccountId) -> Result<BTreeMap<AccountId, Choice>> {
    let rows = sqlx::query(CANDIDATES[usize::from(account != EVERYBODY)])
        .bind(season)
        .bind(account)
        .fetch_all(database.read())
        .await?;
    let chosen = sqlx::query(CHOSEN).bind(season).bind(account).fetch_all(database.read()).await?;
    gather(&rows, &chosen)
}

/// No account has the number zero.
const EVERYBODY: AccountId = AccountId(0);

/// Of everybody, and of one author, whose players are few.
const CANDIDATES: [&str; 2] = {
    macro_rules! candidates {
        ($author:literal) => {
            concat!(
                "SELECT account_id, id, name, module, created_at FROM submissions WHERE season_id = $1 AND ",
                $author,
                " AND stage = 'accepted' AND retired_at IS NULL AND module IS NOT NULL ORDER BY id DESC"
            )
        };
    }
    [candidates!("$2 = 0"), candidates!("account_id = $2")]
};
const CHOSEN: &str =
    "SELECT account_id, submission_id FROM representatives WHERE season_id = $1 AND ($2 = 0 OR account_id = $2)";

fn gather(rows: &[AnyRow], chosen: &[AnyRow]) -> Result<BTreeMap<AccountId, Choice>> {
    let mut by_account: HashMap<AccountId, SubmissionId> = HashMap::new();
    for row in chosen {
        by_account.insert(row.try_get("account_id")?, row.try_get("submission_id")?);
    }
    let mut choices: BTreeMap<AccountId, Choice> = BTreeMap::new();
    for row in rows {
        let account = row.try_get("account_id")?;
        let submission = row.try_get("id")?;
        let choice = choices.entry(account).or_default();
        choice.candidates.push(Candidate {
            submission,
            name: row.text("name")?,
            module: row.text("module")?,
            created_at: row.int("created_at")?,
        });
        if by_account.get(&account) == Some(&submission) {
            choice.chosen = Some(submission);
        }
    }
    Ok(choices)
}

/// Who can stand for somebody, and who does.
pub async fn of_account(database: &Database, season: SeasonId, account: AccountId) -> Result<Choice> {
    let mut found = choices(database, season, account).await?;
    Ok(found.remove(&account).unwrap_or_default())
}

/// Everybody's, by account.
pub async fn of_season(database: &Database, season: SeasonId) -> Result<BTreeMap<AccountId, Choice>> {
    choices(database, season, EVERYBODY).await
}

/// The same in a transaction.
pub async fn in_transaction(tx: &mut Tx, season: SeasonId) -> Result<BTreeMap<AccountId, Choice>> {
    let rows = sqlx::query(CANDIDATES[0]).bind(season).bind(EVERYBODY).fetch_all(&mut **tx).await?;
    let chosen = sqlx::query(CHOSEN).bind(season).bind(EVERYBODY).fetch_all(&mut **tx).await?;
    gather(&rows, &chosen)
}

/// Chooses a player. False unless it is an accepted one of that person.
pub async fn choose(tx: &mut Tx, season: SeasonId, account: AccountId, submission: SubmissionId) -> Result<bool> {
    let own = sqlx::query(
        "SELECT 1 FROM submissions WHERE id = $1 AND season_id = $2 AND account_id = $3 AND stage = 'accepted'
         AND retired_at IS NULL",
    )
    .bind(submission)
    .bind(season)
    .bind(account)
    .fetch_optional(&mut **tx)
    .await?;
    if own.is_none() {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO representatives (season_id, account_id, submission_id, chosen_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (season_id, account_id) DO UPDATE SET submission_id = excluded.submission_id,
         chosen_at = excluded.chosen_at",
    )
    .bind(season)
    .bind(account)
    .bind(submission)
    .bind(now())
    .execute(&mut **tx)
    .await?;
    Ok(true)
}
