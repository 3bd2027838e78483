//! The first page: the seasons of the course.

use axum::Router;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};
use std::collections::HashMap;

use super::layout::{Preview, Sheet};
use super::matches::ranked;
use super::pictures;
use crate::database::{Page, Slice, now};
use crate::matches::{self, Match};
use crate::official::finals;
use crate::seasons::{self, Phase, Season};
use crate::submissions::{self, MOST_COUNTED, Submission};
use crate::texts::{self, Language};
use crate::web::{Answer, Fields, Site, Theme, Visitor, visitor};
use crate::{accounts, course};

pub fn routes() -> Router<Site> {
    Router::new().route("/", get(home)).route("/language", post(set_language)).route("/theme", post(set_theme))
}

async fn home(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let course = course::find(&site.database).await?;
    let (archived, seasons): (Vec<Season>, Vec<Season>) =
        seasons::list(&site.database).await?.into_iter().partition(|season| season.is_archived);
    let finals = finals::list(&site.database).await?;
    let mine = match visitor.account() {
        Some(account) => {
            let filter = submissions::Filter { author: Some(account.id), ..Default::default() };
            submissions::slice(&site.database, visitor.viewer(), &filter, Slice::first(Page::SIZE)).await?
        }
        None => Vec::new(),
    };
    let featured = matches::latest_official(&site.database).await?;
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        div.title {
            h1 { (course.title) }
            @if visitor.is_instructor() {
                div.actions {
                    a.button.quiet href="/finals/new" { (visitor.t(texts::FINAL_NEW)) }
                    a.button href="/seasons/new" { (visitor.t(texts::NEW_SEASON)) }
                }
            }
        }
        @if visitor.account().is_none() { p.lead { (visitor.t(texts::WELCOME)) } }
        @if let Some(one) = &featured { (feature(&visitor, one)) }
        @if seasons.is_empty() {
            (visitor.empty(texts::NO_SEASONS, &html! {
                @if visitor.is_instructor() { (visitor.t(texts::NO_SEASONS_INSTRUCTOR)) " " a.button href="/seasons/new" { (visitor.t(texts::NEW_SEASON)) } }
                @else { (visitor.t(texts::NO_SEASONS_HINT)) }
            }))
        }
        (sections(&visitor, &seasons, &mine))
        @if !finals.is_empty() { section { h2 { (visitor.t(texts::FINALS)) } div.cards { (super::finals::links(&visitor, &finals)) } } }
        @if !archived.is_empty() { p { a href="/seasons/archive" { (visitor.t(texts::ARCHIVED_SEASONS)) } " " span.count { (archived.len()) } } }
        @if !mine.is_empty() {
            section {
                h2 { (visitor.t(texts::MY_LATEST)) }
                (super::submissions::table(&visitor, &mine[..mine.len().min(5)], true))
            }
        }
    };
    let preview = seasons.first().map(|season| Preview {
        about: visitor.t(texts::WELCOME).to_owned(),
        picture: pictures::address(&season.game),
    });
    let scripts: &[&str] = if featured.is_some() { &["home.js"] } else { &[] };
    Ok(visitor.page(&Sheet { title: &course.title, body, preview, scripts, ..Sheet::default() }).into_response())
}

/// A match that plays by itself, for whoever wonders what this is about: the script
/// of the page puts the viewer over the picture. Browsers that want no motion show it
/// standing still.
fn feature(visitor: &Visitor, one: &Match) -> Markup {
    let address = format!("/watch/{}", one.share);
    html! {
        section.card.feature {
            div.stage-of-match data-viewer={ (address) "/viewer.html" } data-title=(visitor.t(texts::VIEWER)) {
                img src=(pictures::address(&one.game)) alt="" width="500" height="500" fetchpriority="high";
            }
            div.stack {
                h2 { (visitor.t(texts::LATEST_OFFICIAL)) }
                p { a href={ "/seasons/" (one.season_slug) } { (one.season_title) } " · " (visitor.time(one.created_at)) }
                ol.standing {
                    @for seat in ranked(one) {
                        li { (super::matches::dot(&one.game, seat.seat)) strong { (seat.name) } span.number { (seat.score.unwrap_or(0)) } }
                    }
                }
                div.actions { a.button href=(address) { (visitor.t(texts::WATCH_WHOLE)) } a.button.quiet href={ "/seasons/" (one.season_slug) "/rounds" } { (visitor.t(texts::OFFICIAL_ROUNDS)) } }
            }
        }
    }
}

/// Where something can be handed in first, then what is played and what is over.
fn sections(visitor: &Visitor, seasons: &[Season], mine: &[Submission]) -> Markup {
    let (open, others): (Vec<&Season>, Vec<&Season>) = seasons.iter().partition(|season| season.is_open(now()));
    html! {
        @for (title, seasons) in [(texts::OPEN_NOW, open), (texts::OTHER_SEASONS, others)] {
            @if !seasons.is_empty() {
                section {
                    h2 { (visitor.t(title)) " " span.count { (seasons.len()) } }
                    div.cards { @for season in seasons { (card(visitor, season, mine)) } }
                }
            }
        }
    }
}

/// How many people have a player in a season, in words.
fn participants(visitor: &Visitor, season: &Season) -> String {
    match visitor.frame.participants.get(&season.id).copied().unwrap_or(0) {
        0 => visitor.t(texts::NO_PARTICIPANTS).to_owned(),
        1 => visitor.t(texts::ONE_PARTICIPANT).to_owned(),
        count => visitor.fill(texts::MANY_PARTICIPANTS, &[("count", &counted(count))]),
    }
}

/// How many there are, as far as they are counted.
pub fn counted(count: i64) -> String {
    if count > MOST_COUNTED { format!("{MOST_COUNTED}+") } else { count.to_string() }
}

pub fn card(visitor: &Visitor, season: &Season, mine: &[Submission]) -> Markup {
    let game = ludus_games::find(&season.game).map_or("", |game| game.about().title);
    let accepted = mine.iter().find(|one| one.season_id == season.id && one.stage == submissions::Stage::Accepted);
    html! {
        article.card.season {
            img src=(pictures::address(&season.game)) alt="" width="500" height="280" loading="lazy";
            h2 { a href={ "/seasons/" (season.slug) } { (season.title) } }
            @if game != season.title { p.quiet { (game) } }
            (phase(visitor, season))
            p.quiet { (participants(visitor, season)) }
            @if let Some(player) = accepted {
                p.quiet { (visitor.t(texts::YOUR_PLAYER)) " " strong { (player.name) } }
            }
        }
    }
}

/// Where a season stands and what comes next.
pub fn phase(visitor: &Visitor, season: &Season) -> Markup {
    let (class, word, label, time) = match season.phase(now()) {
        Phase::Coming => ("waiting", texts::PHASE_COMING, texts::OPENS, season.opens_at),
        Phase::Open => ("accepted", texts::PHASE_OPEN, texts::DEADLINE, season.deadline_at),
        Phase::Closing => ("playing", texts::PHASE_CLOSING, texts::TAKEN_UNTIL, season.closes_at),
        Phase::Closed => ("waiting", texts::PHASE_CLOSED, texts::OFFICIAL_START, season.official_at),
        Phase::Official => ("official", texts::PHASE_OFFICIAL, texts::SINCE, season.official_at),
    };
    html! {
        p.phase {
            @if season.is_archived { span.badge.waiting { (visitor.t(texts::ARCHIVED)) } }
            @else { span class={ "badge " (class) } { (visitor.t(word)) } }
            span.quiet { (visitor.t(label)) " " (visitor.time(time)) @if let Some(words) = days(visitor, time) { ", " (words) } }
        }
    }
}

/// How far away a day is, in words.
pub fn days(visitor: &Visitor, time: i64) -> Option<String> {
    const DAY: i64 = 86_400_000;
    let days = (time - now()).div_euclid(DAY);
    let (text, count) = match days {
        -1 | 0 => return None,
        1 => (texts::TOMORROW, 1),
        2.. => (texts::IN_DAYS, days),
        -2 => (texts::A_DAY_AGO, 1),
        ..-1 => (texts::DAYS_AGO, -days - 1),
    };
    Some(visitor.fill(text, &[("count", &count.to_string())]))
}

async fn set_language(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let language = Language::of(fields.get("language")).unwrap_or_default();
    if let Some(account) = visitor.account() {
        accounts::set_language(&site.database, account.id, language).await?;
    }
    let mut response = Redirect::to(&local(fields.get("next"))).into_response();
    visitor::set_cookie(response.headers_mut(), visitor::LANGUAGE, language.code(), visitor.secure, Some(31_536_000));
    Ok(response)
}

/// A browser's, not an account's: a projector and a phone want different ones.
async fn set_theme(visitor: Visitor, fields: Fields) -> Answer {
    let theme = Theme::of(fields.get("theme")).unwrap_or_default();
    let mut response = Redirect::to(&local(fields.get("next"))).into_response();
    visitor::set_cookie(response.headers_mut(), visitor::THEME, theme.word(), visitor.secure, Some(31_536_000));
    Ok(response)
}

/// An address on this site, whatever a stranger's link says.
pub fn local(next: &str) -> String {
    let plain = next.starts_with('/')
        && !next.starts_with("//")
        && next.len() < 200
        && next.bytes().all(|c| c.is_ascii_graphic() && c != b'\\');
    if plain { next.to_owned() } else { "/".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn links_lead_nowhere_else() {
        assert_eq!(local("/seasons/ants"), "/seasons/ants");
        for wrong in ["", "https://elsewhere.org", "//elsewhere.org", "/\\elsewhere.org", "/a b", "javascript:alert(1)"]
        {
            assert_eq!(local(wrong), "/");
        }
    }
}
