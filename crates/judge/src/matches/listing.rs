//! Lists of matches: what a viewer may see, the newest first, at the same cost
//! however many others there are.

use anyhow::Result;

use super::{Match, Purpose, by_ids};
use crate::database::{Listed, Page, Reader, Slice};
use crate::ids::{MatchId, SeasonId};
use crate::visibility::{Viewer, match_is_visible, training_matches_of_viewer};

/// Which matches a list shows, of those that the viewer may see.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub season: Option<SeasonId>,
    pub purpose: Option<Purpose>,
    /// A player who takes part; empty for all.
    pub player: String,
}

/// What a filter asks of a match `m`.
macro_rules! is_wanted {
    () => {
        " AND m.played = 1 AND ($3 = 0 OR m.season_id = $3)
         AND ($5 = '' OR EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.id AND LOWER(s.name) = $5))"
    };
}

/// The newest matches of one purpose that the viewer may see, if they are wanted;
/// `$6` at most.
macro_rules! newest_of {
    ($purpose:tt, $more:tt) => {
        concat!(
            "SELECT id FROM (SELECT m.id FROM matches m LEFT JOIN submissions p ON p.id = m.submission_id WHERE ($4 = '' OR $4 = '",
            $purpose,
            "') AND ",
            match_is_visible!($purpose),
            is_wanted!(),
            $more,
            " ORDER BY m.id DESC LIMIT $6) AS newest"
        )
    };
}

/// The newest matches of all purposes, `$6` of each at most. Instructors, who see
/// everything, have a statement of their own: neither asks for what its viewer
/// cannot get.
macro_rules! newest {
    ("of a viewer", $more:tt) => {
        concat!(
            newest_of!("official", $more),
            " UNION ALL ",
            newest_of!("verification", $more),
            " UNION ALL ",
            newest_of!("demonstration", $more),
            " UNION ALL SELECT id FROM (SELECT DISTINCT m.id FROM ",
            training_matches_of_viewer!(),
            " AND $1 = 0 AND ($4 = '' OR $4 = 'training')",
            is_wanted!(),
            $more,
            " ORDER BY m.id DESC LIMIT $6) AS newest"
        )
    };
    ("of all", $more:tt) => {
        concat!(
            "SELECT m.id FROM matches m WHERE $1 = 1 AND $2 <> -1 AND ($4 = '' OR m.purpose = $4)",
            is_wanted!(),
            $more,
            " ORDER BY m.id DESC LIMIT $6"
        )
    };
}

/// The statements of a list: how many there are, as far as they are counted, and a page.
pub const LISTS: [(&str, &str); 2] = [
    (
        concat!("SELECT COUNT(*) FROM (", newest!("of a viewer", ""), ") AS listed"),
        concat!(
            "SELECT listed.id FROM (",
            newest!("of a viewer", ""),
            ") AS listed ORDER BY listed.id DESC LIMIT $7 OFFSET $8"
        ),
    ),
    (
        concat!("SELECT COUNT(*) FROM (", newest!("of all", ""), ") AS listed"),
        concat!(
            "SELECT listed.id FROM (",
            newest!("of all", ""),
            ") AS listed ORDER BY listed.id DESC LIMIT $7 OFFSET $8"
        ),
    ),
];

/// The statements of a part of a list: what has smaller numbers than `$7`.
pub const SLICES: [&str; 2] = [
    concat!(
        "SELECT listed.id FROM (",
        newest!("of a viewer", " AND m.id < $7"),
        ") AS listed ORDER BY listed.id DESC LIMIT $6"
    ),
    concat!(
        "SELECT listed.id FROM (",
        newest!("of all", " AND m.id < $7"),
        ") AS listed ORDER BY listed.id DESC LIMIT $6"
    ),
];

/// The newest first.
pub async fn list(mut from: impl Reader, viewer: Viewer, filter: &Filter, mut page: Page) -> Result<Listed<Match>> {
    // What is not counted has no pages.
    if page.offset() > Page::MOST_COUNTED {
        page = Page::new(Some(Page::MOST_COUNTED / Page::SIZE + 1));
    }
    let (sees_all, account) = viewer.values();
    let season = filter.season.unwrap_or(SeasonId(0));
    let purpose = filter.purpose.map_or("", Purpose::word);
    let player = filter.player.trim().to_lowercase();
    let (count, select) = LISTS[usize::from(viewer.sees_all)];
    let total = sqlx::query_scalar(count).bind(sees_all).bind(account).bind(season).bind(purpose).bind(&player);
    let total: i64 = total.bind(Page::MOST_COUNTED + 1).fetch_one(from.executor()).await?;
    // Each purpose is counted so far.
    let total = total.min(Page::MOST_COUNTED + 1);
    let ids = sqlx::query_scalar(select).bind(sees_all).bind(account).bind(season).bind(purpose).bind(&player);
    let ids = ids.bind(page.offset() + Page::SIZE).bind(Page::SIZE).bind(page.offset());
    let ids: Vec<MatchId> = ids.fetch_all(from.executor()).await?;
    Ok(Listed { items: by_ids(from, &ids).await?, total, page })
}

/// A part of the list.
pub async fn slice(mut from: impl Reader, viewer: Viewer, filter: &Filter, slice: Slice) -> Result<Vec<Match>> {
    let (sees_all, account) = viewer.values();
    let ids = sqlx::query_scalar(SLICES[usize::from(viewer.sees_all)]).bind(sees_all).bind(account);
    let ids = ids.bind(filter.season.unwrap_or(SeasonId(0))).bind(filter.purpose.map_or("", Purpose::word));
    let ids = ids.bind(filter.player.trim().to_lowercase()).bind(slice.most).bind(slice.before);
    let ids: Vec<MatchId> = ids.fetch_all(from.executor()).await?;
    by_ids(from, &ids).await
}
