//! Lists of submissions, which take no longer when there are a hundred thousand of
//! them: every statement begins at one place of one index.

use std::collections::HashMap;

use anyhow::Result;

use super::{Filter, Stage, Submission, select_submissions};
use crate::database::{Part, Reader, Slice, pattern};
use crate::ids::{AccountId, SeasonId};
use crate::visibility::{Viewer, submission_is_visible};

/// Numbers among which a text is looked for, for one page: there is no index for
/// parts of names.
const LOOKED_AT: i64 = 10_000;
/// Players that are counted; where there are more nobody wants to know.
pub const MOST_COUNTED: i64 = 1000;

/// Statements for all seasons and for one, each for everybody and for one author,
/// each for all stages and for one, and for retired players.
const STATEMENTS: [[[&str; 3]; 2]; 2] = {
    macro_rules! listed {
        ($season:literal, $author:literal, $stage:literal) => {
            select_submissions!(
                submission_is_visible!(),
                " AND ",
                $season,
                " AND ",
                $author,
                " AND ",
                $stage,
                " AND (s.name_key LIKE $6 ESCAPE '!' OR LOWER(a.name) LIKE $6 ESCAPE '!')
                 AND s.id < $7 AND s.id > $8 ORDER BY s.id DESC LIMIT $9"
            )
        };
    }
    macro_rules! of_stages {
        ($season:literal, $author:literal) => {
            [
                listed!($season, $author, "$5 = ''"),
                listed!($season, $author, "s.stage = $5 AND s.retired_at IS NULL"),
                listed!($season, $author, "$5 <> '' AND s.retired_at IS NOT NULL"),
            ]
        };
    }
    [
        [of_stages!("$3 = 0", "$4 = 0"), of_stages!("$3 = 0", "s.account_id = $4")],
        [of_stages!("s.season_id = $3", "$4 = 0"), of_stages!("s.season_id = $3", "s.account_id = $4")],
    ]
};

/// A page of a list, the newest first.
pub async fn list(mut from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Part<Submission>> {
    let floor = floor(&mut from, filter, slice).await?;
    let mut part = Part::of(found(from, viewer, filter, slice, floor).await?, slice, |one| one.id.0);
    part.older = part.older.or((floor > 0).then_some(floor + 1));
    Ok(part)
}

/// A part of the list.
pub async fn slice(mut from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Vec<Submission>> {
    let floor = floor(&mut from, filter, slice).await?;
    found(from, viewer, filter, slice, floor).await
}

/// The number below which a text is not looked for yet.
async fn floor(from: &mut impl Reader, filter: &Filter, slice: Slice) -> Result<i64> {
    let is_bounded = filter.text.trim().is_empty() || filter.author.is_some() || filter.season.is_some();
    if is_bounded {
        return Ok(0);
    }
    let newest: i64 =
        sqlx::query_scalar("SELECT COALESCE(MAX(id), 0) FROM submissions").fetch_one(from.executor()).await?;
    Ok((slice.before.min(newest + 1) - 1 - LOOKED_AT).max(0))
}

async fn found(
    mut from: impl Reader,
    viewer: Viewer,
    filter: &Filter,
    slice: Slice,
    floor: i64,
) -> Result<Vec<Submission>> {
    let (sees_all, account) = viewer.values();
    // To others than instructors the list is that of their own.
    let author = if viewer.sees_all { filter.author } else { viewer.account };
    if !viewer.sees_all && filter.author.is_some_and(|asked| Some(asked) != author) {
        return Ok(Vec::new());
    }
    let stage = match filter.stage {
        None => 0,
        Some(Stage::Retired) => 2,
        Some(_) => 1,
    };
    let statement = STATEMENTS[usize::from(filter.season.is_some())][usize::from(author.is_some())][stage];
    let found = sqlx::query_as(statement).bind(sees_all).bind(account).bind(filter.season.unwrap_or(SeasonId(0)));
    let found = found.bind(author.unwrap_or(AccountId(0))).bind(filter.stage.map_or("", Stage::word));
    let found = found.bind(pattern(&filter.text)).bind(slice.before).bind(floor).bind(slice.most);
    Ok(found.fetch_all(from.executor()).await?)
}

/// The accepted players of a season, whose names and authors are for everybody.
pub async fn players(from: impl Reader, season: SeasonId, text: &str, slice: Slice) -> Result<Part<Submission>> {
    let (season, stage, text) = (Some(season), Some(Stage::Accepted), text.to_owned());
    list(from, Viewer { account: None, sees_all: true }, &Filter { season, stage, text, author: None }, slice).await
}

/// How many there are; where there are very many, a little more than are counted.
pub async fn count_players(mut from: impl Reader, season: SeasonId) -> Result<i64> {
    let count = sqlx::query_scalar(
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM submissions WHERE season_id = $1 AND stage = 'accepted'
         AND retired_at IS NULL LIMIT $2) counted",
    );
    Ok(count.bind(season).bind(MOST_COUNTED + 1).fetch_one(from.executor()).await?)
}

/// How many people have an accepted player, by season; where there are very many, a
/// little more than are counted. It goes from author to author along an index, so that it takes
/// as long as there are people, however much they hand in.
pub async fn count_authors(mut from: impl Reader) -> Result<HashMap<SeasonId, i64>> {
    let counts = sqlx::query_as(
        "WITH RECURSIVE authors (season_id, account_id, number) AS (
         SELECT id, CAST(0 AS BIGINT), CAST(0 AS BIGINT) FROM seasons
         UNION ALL
         SELECT season_id, (SELECT MIN(s.account_id) FROM submissions s WHERE s.season_id = authors.season_id
         AND s.stage = 'accepted' AND s.retired_at IS NULL AND s.account_id > authors.account_id), number + 1
         FROM authors WHERE account_id IS NOT NULL AND number < $1)
         SELECT season_id, MAX(number) FROM authors WHERE account_id IS NOT NULL GROUP BY season_id",
    );
    let counts: Vec<(SeasonId, i64)> = counts.bind(MOST_COUNTED + 1).fetch_all(from.executor()).await?;
    Ok(counts.into_iter().collect())
}
