//! The ladder of a season, and a player's place on it.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, PreEscaped, html};

use super::layout::Sheet;
use super::matches::row_for_all;
use super::rating_chart::chart;
use super::rounds::sees_names;
use super::seasons::{crumbs, season};
use crate::following::Seen;
use crate::ids::SubmissionId;
use crate::ladder::Out;
use crate::ladder::standing::{self, PAGE, Place, Progress, Row};
use crate::matches::{self, Match, Purpose};
use crate::seasons::Season;
use crate::texts;
use crate::web::{Answer, AppError, Asked, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/seasons/{slug}/ladder", get(show)).route("/seasons/{slug}/ladder/table", get(table))
}

/// Matches that are shown below a ladder.
const LATEST: i64 = 6;

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let season = season(&site, &slug).await?;
    let page = page_of(&query);
    let piece = piece(&site, &visitor, &season, page).await?;
    let title = visitor.t(texts::LADDER_PAGE);
    let body = html! {
        div.title {
            h1 { (title) }
            @if visitor.account().is_some() {
                div.actions { a.button.quiet href={ "/matches?season=" (slug) "&purpose=ladder" } { (visitor.t(texts::MATCHES)) } }
            }
        }
        p.lead { (visitor.t(texts::LADDER_LEAD)) }
        div.stack data-poll={ "/seasons/" (slug) "/ladder/table?page=" (page) } { (PreEscaped(&*piece)) }
        details {
            summary { (visitor.t(texts::LADDER_HOW)) }
            ul.links.card { @for text in [texts::LADDER_HOW_PAIRED, texts::LADDER_HOW_RATED, texts::LADDER_HOW_ENDS, texts::LADDER_HOW_WHO] { li { (visitor.t(text)) } } }
        }
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    let sheet = Sheet { title, crumbs, body, reload: true, scripts: &["poll.js"], ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

fn page_of(query: &HashMap<String, String>) -> i64 {
    query.get("page").and_then(|page| page.parse().ok()).unwrap_or(1).clamp(1, 1000)
}

/// The part of the page that changes while matches are played.
async fn table(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let season = season(&site, &slug).await?;
    let piece = piece(&site, &visitor, &season, page_of(&query)).await?;
    Ok(PreEscaped(piece.to_string()).into_response())
}

/// The same for everybody who sees the same, and for a moment.
async fn piece(site: &Site, visitor: &Visitor, season: &Season, page: i64) -> Result<std::sync::Arc<str>, AppError> {
    let names = sees_names(site, visitor).await?;
    let is_guest = visitor.account().is_none();
    let seen = Seen { season: season.id, page, language: visitor.language, names, is_guest };
    site.following.ladders.get(seen, write(site, visitor, season, page, names)).await
}

async fn write(site: &Site, visitor: &Visitor, season: &Season, page: i64, names: bool) -> Result<String, AppError> {
    let progress = standing::progress(&site.database, season.id).await?;
    if progress.players == 0 {
        let next = html! {
            @if visitor.account().is_some() { a href={ "/submissions?season=" (season.slug) } { (visitor.t(texts::SUBMISSIONS)) } }
            @else { a href={ "/seasons/" (season.slug) } { (visitor.t(texts::HOW_TO_BEGIN)) } }
        };
        return Ok(visitor
            .empty(texts::LADDER_EMPTY, &html! { (visitor.t(texts::LADDER_EMPTY_HINT)) " " (next) })
            .into_string());
    }
    let rows = standing::rows(&site.database, season.id, page).await?;
    let latest = matches::latest(&site.database, season.id, Purpose::Ladder, LATEST).await?;
    let html = html! {
        p role="status" { (state(visitor, &progress)) }
        (standings(visitor, &rows, page, names))
        (pager(visitor, rows.len(), page))
        @if !latest.is_empty() { (matches_of(visitor, &latest)) }
    };
    Ok(html.into_string())
}

fn state(visitor: &Visitor, progress: &Progress) -> Markup {
    let (class, text) = match progress.rests_since {
        Some(_) => ("badge", texts::LADDER_RESTS),
        None => ("badge playing", texts::LADDER_CLIMBING),
    };
    let told = visitor.fill(text, &[("played", &progress.played.to_string())]);
    let text = if progress.players == 1 { texts::LADDER_ONE_PLAYER } else { texts::LADDER_PLAYERS };
    let players = visitor.fill(text, &[("count", &progress.players.to_string())]);
    html! { span class=(class) { (players) } " " (told) }
}

fn standings(visitor: &Visitor, rows: &[Row], page: i64, names: bool) -> Markup {
    let low = rows.iter().map(|row| row.rating - row.margin).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(|row| row.rating + row.margin).fold(f64::NEG_INFINITY, f64::max);
    html! {
        table.ladder {
            thead { tr {
                th.number { span.wide { (visitor.t(texts::LADDER_RANK)) } } th { (visitor.t(texts::PLAYER)) } th.number { (visitor.t(texts::LADDER_RATING)) }
                th.wide { (visitor.t(texts::LADDER_RANGE)) } th.number { (visitor.t(texts::MATCHES)) } th.number.wide { (visitor.t(texts::WINS)) }
            } }
            tbody { @for (at, one) in rows.iter().enumerate() {
                tr {
                    td.number { (at as i64 + 1 + (page - 1) * PAGE) }
                    td {
                        strong { @match one.submission {
                            Some(player) if visitor.account().is_some() => a href={ "/players/" (player) } { (one.name) },
                            _ => (one.name),
                        } }
                        @if one.submission.is_none() { p.quiet { (visitor.t(texts::LADDER_OF_GAME)) } }
                        @else if let Some(author) = one.author.as_ref().filter(|_| names) { p.quiet { (author) } }
                    }
                    td.number { span.estimate { (visitor.decimal(&format!("{:.1}", one.rating))) " " span.quiet { (visitor.decimal(&format!("± {:.1}", one.margin))) } } }
                    td.wide { (range(one, low, high)) }
                    td.number { (one.played) }
                    td.number.wide { (share(one.wins, one.played)) }
                }
            } }
        }
    }
}

fn share(part: i64, of: i64) -> String {
    if of == 0 { "–".to_owned() } else { format!("{:.0} %", 100.0 * part as f64 / of as f64) }
}

/// Where a rating lies, on the scale of all that are shown. The numbers stand
/// beside it.
fn range(one: &Row, low: f64, high: f64) -> Markup {
    let place = |rating: f64| 2.0 + 96.0 * (rating - low) / (high - low).max(0.001);
    let (from, to) = (place(one.rating - one.margin), place(one.rating + one.margin));
    html! {
        svg.range viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" {
            rect x=(format!("{from:.1}")) y="4" width=(format!("{:.1}", to - from)) height="4" rx="2" {}
            rect.mean x=(format!("{:.1}", place(one.rating) - 0.75)) y="1" width="1.5" height="10" {}
        }
    }
}

fn pager(visitor: &Visitor, count: usize, page: i64) -> Markup {
    html! {
        @if page > 1 || count as i64 == PAGE {
            nav.pager aria-label=(visitor.t(texts::PAGES)) {
                @if page > 1 { a.button.quiet rel="prev" href={ "?page=" (page - 1) } { "← " (visitor.t(texts::PREVIOUS)) } }
                @if count as i64 == PAGE { a.button.quiet rel="next" href={ "?page=" (page + 1) } { (visitor.t(texts::NEXT)) " →" } }
            }
        }
    }
}

fn matches_of(visitor: &Visitor, latest: &[Match]) -> Markup {
    html! {
        section {
            h2 { (visitor.t(texts::LADDER_LATEST)) }
            ul.rows.card { @for one in latest { (row_for_all(visitor, one)) } }
        }
    }
}

/// A player's place on the ladder, for its page.
pub async fn place(site: &Site, visitor: &Visitor, player: SubmissionId, is_own: bool) -> Result<Markup, AppError> {
    let Some(place) = standing::of_player(&site.database, player).await? else { return Ok(html! {}) };
    Ok(html! {
        section #ladder {
            h2 { (visitor.t(texts::LADDER_PAGE)) }
            @if let Some(out) = place.out { p.notice.bad[is_own] { (visitor.t(why_out(out, is_own || visitor.is_instructor()))) } }
            (facts(visitor, &place))
            (chart(visitor, &place.points))
        }
    })
}

/// Why a player is not on the ladder is said to its author.
pub fn why_out(out: Out, is_told: bool) -> texts::Text {
    match out {
        Out::Retired => texts::LADDER_OUT_RETIRED,
        Out::Newer => texts::LADDER_OUT_NEWER,
        Out::Overran if is_told => texts::LADDER_OUT_OVERRAN,
        Out::Lost if is_told => texts::LADDER_OUT_LOST,
        Out::Overran | Out::Lost => texts::LADDER_OUT,
    }
}

fn facts(visitor: &Visitor, place: &Place) -> Markup {
    let row = &place.row;
    html! {
        dl.facts {
            @if let Some(rank) = place.rank {
                div { dt { (visitor.t(texts::LADDER_RANK)) } dd { (visitor.fill(texts::LADDER_PLACE, &[("rank", &rank.to_string()), ("of", &place.of.to_string())])) } }
            }
            div { dt { (visitor.t(texts::LADDER_RATING)) } dd { (visitor.decimal(&format!("{:.1} ± {:.1}", row.rating, row.margin))) } }
            div { dt { (visitor.t(texts::MATCHES)) } dd { (row.played) } }
            div { dt { (visitor.t(texts::WINS)) } dd { (share(row.wins, row.played)) } }
        }
    }
}
