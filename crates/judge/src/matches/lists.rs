//! Lists of matches, which take no longer when there are a million of them: every
//! statement begins at one place of one index and ends after a page. So what
//! somebody may see of each purpose is looked up on its own, and training by way
//! of the sets that one's own players took part in.

use anyhow::Result;
use sqlx::Row as _;

use super::{Filter, Match, Purpose, select_matches, with_seats};
use crate::database::{Part, Reader, Slice};
use crate::ids::SeasonId;
use crate::visibility::{Viewer, match_is_visible};

/// Matches of a player of some name that are looked at for a page: names such as
/// those of the game's own players are everywhere.
const LOOKED_AT: i64 = 1000;

/// What a list selects, for all seasons or for one, of what is visible.
macro_rules! listed {
    ($visible:expr, $season:literal) => {
        select_matches!($visible, " AND m.played = 1 AND ", $season, " AND m.id < $5 ORDER BY m.id DESC LIMIT $6")
    };
}

/// For instructors, who see everything: of all purposes and of one, each for all
/// seasons and for one.
const ALL: [[&str; 2]; 2] = [
    [
        listed!("$1 = 1 AND $2 >= 0 AND $4 = ''", "$3 = 0"),
        listed!("$1 = 1 AND $2 >= 0 AND $4 = ''", "m.season_id = $3"),
    ],
    [
        listed!("$1 = 1 AND $2 >= 0 AND m.purpose = $4", "$3 = 0"),
        listed!("$1 = 1 AND $2 >= 0 AND m.purpose = $4", "m.season_id = $3"),
    ],
];

/// For everybody else, of one purpose: for all seasons and for one.
macro_rules! of_purpose {
    ($purpose:tt) => {
        [
            listed!(concat!("$1 = 0 AND $2 >= 0 AND $4 <> '' AND ", match_is_visible!($purpose)), "$3 = 0"),
            listed!(concat!("$1 = 0 AND $2 >= 0 AND $4 <> '' AND ", match_is_visible!($purpose)), "m.season_id = $3"),
        ]
    };
}
const OFFICIAL: [&str; 2] = of_purpose!("official");
const VERIFICATION: [&str; 2] = of_purpose!("verification");
const LADDER: [&str; 2] = of_purpose!("ladder");
const DEMONSTRATION: [&str; 2] = of_purpose!("demonstration");

/// Sets that are looked at for a page of training matches: each has at least one.
/// Their matches are numbered in the order of the sets, and all players of a set are in
/// each of them, so that a page of those that were played is a page of what is visible.
const OWN_TRAINING: &str = select_matches!(
    match_is_visible!(),
    " AND m.played = 1 AND ($3 = 0 OR m.season_id = $3) AND m.purpose = $4 AND m.id IN (
         SELECT tm.id FROM matches tm WHERE tm.id < $5 AND tm.played = 1 AND tm.training_id IN (
             SELECT DISTINCT tp.training_id FROM submissions ts JOIN training_players tp ON tp.submission_id = ts.id
             WHERE ts.account_id = $2 AND ($3 = 0 OR ts.season_id = $3) AND tp.training_id <= (
                 SELECT lm.training_id FROM matches lm WHERE lm.purpose = 'training' AND lm.id < $5 ORDER BY lm.id DESC LIMIT 1)
             ORDER BY tp.training_id DESC LIMIT 60)
         ORDER BY tm.id DESC LIMIT $6)
     ORDER BY m.id DESC LIMIT $6"
);

/// The newest matches in which somebody of a name takes part, of those that were
/// looked at.
const OF_NAME: &str = select_matches!(
    match_is_visible!(),
    " AND m.played = 1 AND ($3 = 0 OR m.season_id = $3) AND ($4 = '' OR m.purpose = $4) AND m.id IN (
         SELECT s.match_id FROM seats s WHERE LOWER(s.name) = $7 AND s.match_id < $5 ORDER BY s.match_id DESC LIMIT $8)
     ORDER BY m.id DESC LIMIT $6"
);

/// What a list asks for, for the test that asks databases how they do it.
pub const LISTS: [&str; 13] = [
    ALL[0][0],
    ALL[0][1],
    ALL[1][0],
    ALL[1][1],
    OFFICIAL[0],
    OFFICIAL[1],
    VERIFICATION[0],
    VERIFICATION[1],
    LADDER[0],
    LADDER[1],
    DEMONSTRATION[0],
    DEMONSTRATION[1],
    OWN_TRAINING,
];

/// A page of a list, the newest first.
pub async fn list(mut from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Part<Match>> {
    let name = filter.player.trim().to_lowercase();
    let last = if name.is_empty() { None } else { last_of_name(&mut from, &name, slice.before).await? };
    let mut part = Part::of(found(from, viewer, filter, slice).await?, slice, |one| one.id.0);
    part.older = part.older.or(last);
    Ok(part)
}

/// A part of the list.
pub async fn slice(from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Vec<Match>> {
    found(from, viewer, filter, slice).await
}

/// The number of the last match that is looked at for a name, if there are more.
async fn last_of_name(from: &mut impl Reader, name: &str, before: i64) -> Result<Option<i64>> {
    let row = sqlx::query(
        "SELECT s.match_id FROM seats s WHERE LOWER(s.name) = $1 AND s.match_id < $2 ORDER BY s.match_id DESC
         LIMIT 1 OFFSET $3",
    );
    let row = row.bind(name).bind(before).bind(LOOKED_AT).fetch_optional(from.executor()).await?;
    // Its other seats may still be to come.
    Ok(row.map(|row| row.try_get::<i64, _>(0)).transpose()?.map(|last| last + 1))
}

async fn found(mut from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Vec<Match>> {
    let mut found = Vec::new();
    if !filter.player.trim().is_empty() {
        found = of_name(&mut from, viewer, filter, slice).await?;
    } else if viewer.sees_all {
        found = some(&mut from, viewer, filter.season, filter.purpose, slice).await?;
    } else {
        for purpose in Purpose::ALL.into_iter().filter(|one| filter.purpose.is_none_or(|asked| asked == *one)) {
            found.extend(some(&mut from, viewer, filter.season, Some(purpose), slice).await?);
        }
        found.sort_by_key(|one| -one.id.0);
        found.truncate(usize::try_from(slice.most).unwrap_or(0));
    }
    with_seats(from, found).await
}

async fn some(
    from: &mut impl Reader,
    viewer: Viewer,
    season: Option<SeasonId>,
    purpose: Option<Purpose>,
    slice: Slice,
) -> Result<Vec<Match>> {
    let (sees_all, account) = viewer.values();
    let of_season = usize::from(season.is_some());
    let statement = match purpose {
        _ if viewer.sees_all => ALL[usize::from(purpose.is_some())][of_season],
        Some(Purpose::Official) => OFFICIAL[of_season],
        Some(Purpose::Verification) => VERIFICATION[of_season],
        Some(Purpose::Ladder) => LADDER[of_season],
        Some(Purpose::Demonstration) => DEMONSTRATION[of_season],
        Some(Purpose::Training) => OWN_TRAINING,
        None => return Ok(Vec::new()),
    };
    let found = sqlx::query_as(statement).bind(sees_all).bind(account).bind(season.unwrap_or(SeasonId(0)));
    let found = found.bind(purpose.map_or("", Purpose::word)).bind(slice.before).bind(slice.most);
    Ok(found.fetch_all(from.executor()).await?)
}

async fn of_name(from: &mut impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Vec<Match>> {
    let (sees_all, account) = viewer.values();
    let found = sqlx::query_as(OF_NAME).bind(sees_all).bind(account).bind(filter.season.unwrap_or(SeasonId(0)));
    let found = found.bind(filter.purpose.map_or("", Purpose::word)).bind(slice.before).bind(slice.most);
    let found = found.bind(filter.player.trim().to_lowercase()).bind(LOOKED_AT);
    Ok(found.fetch_all(from.executor()).await?)
}
