//! A season: what it is, its rules, its players.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode};

use super::home::phase;
use super::layout::Sheet;
use crate::database::{Page, Slice};
use crate::official::finals;
use crate::seasons::{self, Season};
use crate::submissions::{self, Filter, MOST_COUNTED, Stage};
use crate::texts::{self, Language};
use crate::web::{Answer, AppError, Site, Visitor};
use crate::{content, exceptions, kit, matches};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}", get(show))
        .route("/seasons/{slug}/rules", get(rules))
        .route("/seasons/{slug}/api/{language}", get(api))
        .route("/seasons/{slug}/players", get(players))
        .route("/seasons/{slug}/config", get(config))
        .route("/seasons/{slug}/kit", get(archive))
}

pub async fn season(site: &Site, slug: &str) -> Result<Season, AppError> {
    seasons::find(&site.database, slug).await?.ok_or(AppError::NotFound)
}

async fn show(
    State(site): State<Site>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    let season = season(&site, &slug).await?;
    let account = visitor.account();
    let mine = match account {
        Some(account) => {
            let filter = Filter { season: Some(season.id), author: Some(account.id), ..Filter::default() };
            submissions::slice(&site.database, visitor.viewer(), &filter, Slice::first(Page::SIZE)).await?
        }
        None => Vec::new(),
    };
    let finals = finals::of_season(&site.database, season.id).await?;
    let excepted = match account {
        Some(account) => exceptions::until(&site.database, season.id, account.id).await?,
        None => None,
    };
    let can_submit = account.is_some_and(|account| account.may_submit())
        && season.admission(visitor.received_at, excepted).is_granted();
    let body = html! {
        div.title {
            h1 { (season.title) }
            div.actions {
                a.button.quiet href={ "/seasons/" (slug) "/rules" } { (visitor.t(texts::RULES)) }
                a.button.quiet href={ "/seasons/" (slug) "/rounds" } { (visitor.t(texts::OFFICIAL_ROUNDS)) }
                a.button.quiet href={ "/seasons/" (slug) "/ladder" } { (visitor.t(texts::LADDER_PAGE)) }
                @if visitor.is_instructor() { a.button.quiet href={ "/seasons/" (slug) "/grades" } { (visitor.t(texts::GRADES)) } }
                @if visitor.is_instructor() { a.button.quiet href={ "/seasons/" (slug) "/edit" } { (visitor.t(texts::EDIT)) } }
                @if mine.iter().any(|one| one.stage == Stage::Accepted) { a.button.quiet href={ "/seasons/" (slug) "/train" } { (visitor.t(texts::TRAIN)) } }
                @if can_submit { a.button href={ "/seasons/" (slug) "/submit" } { (visitor.t(texts::SUBMIT_PLAYER)) } }
            }
        }
        (phase(&visitor, &season))
        (visitor.said(query.get("said").map(String::as_str)))
        (super::representative::card(&site, &visitor, &season).await?)
        @if !finals.is_empty() { div.cards { (super::finals::links(&visitor, &finals)) } }
        (facts(&visitor, &season, excepted))
        @if !mine.iter().any(|one| one.stage == Stage::Accepted) && account.is_none_or(|account| account.may_submit()) {
            (beginning(&visitor, &season, can_submit))
        }
        @if account.is_some() {
            @if !mine.is_empty() {
                section {
                    h2 { a href={ "/submissions?season=" (slug) } { (visitor.t(texts::MY_SUBMISSIONS)) } }
                    (super::submissions::table(&visitor, &mine[..mine.len().min(8)], false))
                }
            }
            (latest(&site, &visitor, &season).await?)
        }
    };
    Ok(visitor
        .page(&Sheet { title: &season.title, crumbs: crumbs(&visitor, None), body, ..Sheet::default() })
        .into_response())
}

/// Players and matches shown on the page of a season.
const LATEST: i64 = 8;

/// The newest players and matches of a season.
async fn latest(site: &Site, visitor: &Visitor, season: &Season) -> Result<Markup, AppError> {
    let accepted = submissions::players(&site.database, season.id, "", Slice::first(LATEST + 1)).await?;
    let count = submissions::count_players(&site.database, season.id).await?;
    let filter = matches::Filter { season: Some(season.id), ..Default::default() };
    let played = matches::slice(&site.database, visitor.viewer(), &filter, Slice::first(LATEST)).await?;
    Ok(html! {
        div.columns {
            section {
                h2 { a href={ "/seasons/" (season.slug) "/players" } { (visitor.t(texts::PLAYERS)) } " " span.count { (counted(count)) } }
                @if accepted.items.is_empty() { p.quiet { (visitor.t(texts::NO_PLAYERS)) } }
                ul.rows { @for player in &accepted.items { (player_row(visitor, player)) } }
            }
            section {
                h2 { a href={ "/matches?season=" (season.slug) } { (visitor.t(texts::MATCHES)) } }
                @if played.is_empty() { p.quiet { (visitor.t(texts::NO_MATCHES)) } }
                ul.rows { @for one in &played { (super::matches::row(visitor, one)) } }
            }
        }
    })
}

/// How many players there are, as far as they are counted.
fn counted(count: i64) -> String {
    if count > MOST_COUNTED { format!("{MOST_COUNTED}+") } else { count.to_string() }
}

/// How somebody who has no player yet gets one.
fn beginning(visitor: &Visitor, season: &Season, can_submit: bool) -> Markup {
    let address = format!("/seasons/{}", season.slug);
    let strongest = content::strongest(&season.game).unwrap_or_default();
    html! {
        section.card.beginning {
            h2 { (visitor.t(texts::HOW_TO_BEGIN)) }
            ol.steps {
                li { a href={ (address) "/rules" } { (visitor.t(texts::BEGIN_RULES)) } " " (visitor.t(texts::API)) " " (api_links(season)) }
                li { (visitor.fill(texts::BEGIN_EXAMPLE, &[("example", strongest)])) }
                li { (visitor.t(texts::BEGIN_SUBMIT)) }
            }
            @if can_submit { a.button href={ (address) "/submit#examples" } { (visitor.t(texts::TAKE_EXAMPLE)) } }
            @else if visitor.account().is_none() { a.button href={ "/sign-in?next=" (address) } { (visitor.t(texts::SIGN_IN)) } }
        }
    }
}

/// Links to what a player can ask and order.
pub fn api_links(season: &Season) -> Markup {
    html! {
        a href={ "/seasons/" (season.slug) "/api/cpp" } { "C++" } " · "
        a href={ "/seasons/" (season.slug) "/api/rust" } { "Rust" }
    }
}

/// The way to a season, and to a page below it.
pub fn crumbs(visitor: &Visitor, season: Option<(&str, &str)>) -> Vec<(String, String)> {
    let mut crumbs = vec![("/".to_owned(), visitor.t(texts::SEASONS).to_owned())];
    crumbs.extend(season.map(|(slug, title)| (format!("/seasons/{slug}"), title.to_owned())));
    crumbs
}

fn facts(visitor: &Visitor, season: &Season, excepted: Option<i64>) -> Markup {
    let game = ludus_games::find(&season.game).map_or("", |game| game.about().title);
    let seconds = |ms: i64| format!("{} s", ms as f64 / 1000.0);
    html! {
        dl.facts {
            div { dt { (visitor.t(texts::GAME)) } dd { (game) } }
            div { dt { (visitor.t(texts::OPENS)) } dd { (visitor.date(season.opens_at)) } }
            div { dt { (visitor.t(texts::DEADLINE)) } dd { (visitor.date(season.deadline_at)) } }
            div { dt { (visitor.t(texts::TAKEN_UNTIL)) } dd { (visitor.date(season.closes_for(excepted))) } }
            div { dt { (visitor.t(texts::OFFICIAL_START)) } dd { (visitor.date(season.official_at)) } }
            div { dt { (visitor.t(texts::CPU_LIMIT)) } dd { (seconds(season.match_ms)) @if let Some(ms) = season.round_ms { " · " (seconds(ms)) " " (visitor.t(texts::PER_ROUND)) } } }
            div { dt { (visitor.t(texts::MEMORY)) } dd { (season.memory_mib) " MiB" } }
            div { dt { (visitor.t(texts::SOURCE_SIZE)) } dd { (season.source_kib) " KiB" } }
            div { dt { (visitor.t(texts::KIT)) } dd { a href={ "/seasons/" (season.slug) "/kit" } { (kit::folder(season)) ".tar.gz" } } }
            div { dt { (visitor.t(texts::CONFIG)) } dd { a href={ "/seasons/" (season.slug) "/config" } { (season.game) ".cnf" } } }
        }
    }
}

fn player_row(visitor: &Visitor, player: &submissions::Submission) -> Markup {
    html! {
        li {
            div {
                a href={ "/players/" (player.id) } { strong { (player.name) } }
                p.quiet { (player.author) }
            }
            span.quiet { (visitor.time(player.decided_at.unwrap_or(player.created_at))) }
        }
    }
}

async fn players(
    State(site): State<Site>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer {
    visitor.signed_in()?;
    let season = season(&site, &slug).await?;
    let text = query.get("text").cloned().unwrap_or_default();
    let slice = Slice::page(query.get("before").and_then(|before| before.parse().ok()));
    let listed = submissions::players(&site.database, season.id, &text, slice).await?;
    let count = submissions::count_players(&site.database, season.id).await?;
    let title = visitor.t(texts::PLAYERS);
    let body = html! {
        h1 { (title) " " span.count { (counted(count)) } }
        form.filters role="search" {
            div.field { label for="text" { (visitor.t(texts::SEARCH)) } input id="text" name="text" type="search" value=(text); }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::NO_PLAYERS, &html! {})) }
        ul.rows.card { @for player in &listed.items { (player_row(&visitor, player)) } }
        (visitor.further(&listed, &format!("text={}&", encode(&text))))
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

async fn rules(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    let text = rules_of(&season, visitor.language);
    let title = visitor.t(texts::RULES);
    let body = html! {
        article.prose { (PreEscaped(markdown(text))) }
        p.quiet { (visitor.t(texts::API)) " " (api_links(&season)) }
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

async fn api(State(site): State<Site>, visitor: Visitor, Path((slug, language)): Path<(String, String)>) -> Answer {
    let season = season(&site, &slug).await?;
    let text = content::api(&season.game, &language, visitor.language.code()).ok_or(AppError::NotFound)?;
    let title = if language == "rust" { "Rust" } else { "C++" };
    let body = html! { article.prose { (PreEscaped(markdown(text))) } };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

async fn config(State(site): State<Site>, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], season.config).into_response())
}

/// Everything that is needed to work at home.
pub async fn archive(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    let name = format!("attachment; filename=\"{}.tar.gz\"", kit::folder(&season));
    let bytes = kit::archive(&season, visitor.language, site.settings.rust)?;
    let headers = [(header::CONTENT_TYPE, "application/gzip".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

/// The rules of a season: its own, or those that come with its game.
pub fn rules_of(season: &Season, language: Language) -> &str {
    if season.rules.trim().is_empty() { built_in_rules(&season.game, language) } else { &season.rules }
}

/// The rules that come with a game; where a language has none, the English ones.
fn built_in_rules(game: &str, language: Language) -> &'static str {
    content::rules(game, language.code()).or_else(|| content::rules(game, "en")).unwrap_or_default()
}

/// Markdown as HTML. Markup inside it is shown as text: rules are written by
/// instructors, but a page of theirs must not run as another's.
pub fn markdown(text: &str) -> String {
    use pulldown_cmark::{Event, Options, Parser, Tag, html};
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) if is_script(&dest_url) => {
            Event::Start(Tag::Link { link_type, dest_url: "#".into(), title, id })
        }
        event => event,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}

fn is_script(address: &str) -> bool {
    let address = address.trim().to_lowercase();
    address.contains(':') && !["http:", "https:", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}

/// What a part of an address may not hold as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A text as part of an address.
pub fn encode(text: &str) -> PercentEncode<'_> {
    percent_encoding::utf8_percent_encode(text, ENCODED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_cannot_carry_scripts() {
        let html =
            markdown("# Rules\n\n<script>alert(1)</script> <b>x</b>\n\n[a](javascript:alert(1)) [b](https://x.org)");
        assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("javascript:"), "{html}");
        assert!(html.contains("<h1>Rules</h1>") && html.contains("https://x.org"));
    }

    #[test]
    fn every_game_has_rules() {
        for game in ludus_games::GAMES {
            for language in Language::ALL {
                assert!(built_in_rules(game.about().id, language).starts_with("# "), "{}", game.about().id);
            }
        }
    }
}
