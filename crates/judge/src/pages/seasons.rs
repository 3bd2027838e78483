//! A season: what it is, its rules, its players.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::get;
use futures_util::stream;
use maud::{Markup, PreEscaped, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode};

use super::home::{counted, days, phase};
use super::layout::{Preview, Sheet};
use super::manual::{api_links, story};
use super::pictures;
use crate::database::{Page, Slice, now};
use crate::ids::AccountId;
use crate::kit::{self, Packed, Program};
use crate::official::finals;
use crate::seasons::{self, Admission, Season};
use crate::submissions::{self, Filter, Stage};
use crate::texts;
use crate::web::gate::{Lane, Pass};
use crate::web::{Answer, AppError, Asked, Asker, Site, Visitor};
use crate::{content, exceptions, matches};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/archive", get(archived))
        .route("/seasons/{slug}", get(show))
        .route("/seasons/{slug}/players", get(players))
        .route("/seasons/{slug}/config", get(config))
        .route("/seasons/{slug}/kit", get(whole_kit))
}

pub async fn season(site: &Site, slug: &str) -> Result<Season, AppError> {
    seasons::find(&site.database, slug).await?.ok_or(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
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
    let count = submissions::count_players(&site.database, season.id).await?;
    let admission = season.admission(visitor.received_at, excepted);
    let can_submit = account.is_some_and(|account| account.may_submit()) && admission.is_granted();
    let is_taken = admission != Admission::TooLate;
    let body = html! {
        div.title {
            h1 { (season.title) }
            div.actions {
                a.button.quiet href={ "/seasons/" (slug) "/rules" } { (visitor.t(texts::RULES)) }
                a.button.quiet href={ "/seasons/" (slug) "/rounds" } { (visitor.t(texts::OFFICIAL_ROUNDS)) }
                a.button.quiet href={ "/seasons/" (slug) "/ladder" } { (visitor.t(texts::LADDER_PAGE)) }
                @if mine.iter().any(|one| one.stage == Stage::Accepted) { a.button.quiet href={ "/seasons/" (slug) "/train" } { (visitor.t(texts::TRAIN)) } }
                @if can_submit { a.button href={ "/seasons/" (slug) "/submit" } { (visitor.t(texts::SUBMIT_PLAYER)) } }
            }
        }
        @if visitor.is_instructor() { div.actions.tools { (instructors(&visitor, &season)) } }
        (cover(&visitor, &season))
        (visitor.said(query.get("said").map(String::as_str)))
        @if season.is_archived { p.notice role="status" { (visitor.t(texts::ARCHIVED_HINT)) } }
        @if visitor.is_instructor() && query.get("said").is_some_and(|said| said == "made") { (next_steps(&visitor, &season)) }
        (super::representative::card(&site, &visitor, &season).await?)
        @if !finals.is_empty() { div.cards { (super::finals::links(&visitor, &finals)) } }
        @if is_taken && !mine.iter().any(|one| one.stage == Stage::Accepted) && account.is_none_or(|account| account.may_submit()) {
            (beginning(&visitor, &season, can_submit))
        }
        (facts(&visitor, &season, excepted, count))
        @if account.is_none_or(|account| account.may_submit()) { (at_home(&site, &visitor, &season)?) }
        @if account.is_some() {
            @if !mine.is_empty() {
                section {
                    h2 { a href={ "/submissions?season=" (slug) } { (visitor.t(texts::MY_SUBMISSIONS)) } }
                    (super::submissions::table(&visitor, &mine[..mine.len().min(8)], false))
                }
            }
            (latest(&site, &visitor, &season, count).await?)
        } @else { (PreEscaped(public_matches(&site, &visitor, &season).await?)) }
    };
    let about = story(&season, visitor.language).map_or(String::new(), |[about, _]| plain(&about.into_string()));
    let preview = Some(Preview { about, picture: pictures::address(&season.game) });
    let sheet = Sheet { title: &season.title, crumbs: crumbs(&visitor, None), body, preview, ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

/// What the game looks like and is about, and where the season stands.
fn cover(visitor: &Visitor, season: &Season) -> Markup {
    html! {
        section.card.cover {
            img src=(pictures::address(&season.game)) alt="" width="500" height="500";
            div.stack {
                (phase(visitor, season))
                @if let Some([about, story]) = story(season, visitor.language) {
                    div.lead { (about) }
                    div.story { (story) }
                }
            }
        }
    }
}

/// The words of a piece of HTML, of which all markup is ours.
fn plain(html: &str) -> String {
    let words = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, words)| words));
    let text: String = words.collect();
    text.replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The newest matches that strangers may watch, written once for all who come at
/// the same time.
async fn public_matches(site: &Site, visitor: &Visitor, season: &Season) -> Result<String, AppError> {
    // No account has the number zero.
    let asked = (AccountId(0), visitor.language, format!("season {}", season.slug));
    let written = site.following.lists.get(asked, async {
        let filter = matches::Filter { season: Some(season.id), ..Default::default() };
        let played = matches::slice(&site.database, visitor.viewer(), &filter, Slice::first(LATEST)).await?;
        let list = html! {
            @if !played.is_empty() {
                section {
                    h2 { (visitor.t(texts::LATEST_MATCHES)) }
                    ul.rows.card { @for one in &played { (super::matches::row(visitor, one)) } }
                }
            }
        };
        Ok::<_, AppError>(list.into_string())
    });
    Ok(written.await?.to_string())
}

/// What instructors do with a season.
fn instructors(visitor: &Visitor, season: &Season) -> Markup {
    let address = format!("/seasons/{}", season.slug);
    html! {
        a.button.quiet href={ (address) "/grades" } { (visitor.t(texts::GRADES)) }
        a.button.quiet href={ (address) "/likeness" } { (visitor.t(texts::LIKENESS_PAGE)) }
        a.button.quiet href={ (address) "/edit" } { (visitor.t(texts::EDIT)) }
        a.button.quiet href={ "/seasons/new?from=" (season.slug) } { (visitor.t(texts::COPY_SEASON)) }
        form method="post" action={ (address) "/archive" } {
            (visitor.token())
            input type="hidden" name="archived" value=(if season.is_archived { "0" } else { "1" });
            button.quiet { (visitor.t(if season.is_archived { texts::RETURN_SEASON } else { texts::ARCHIVE_SEASON })) }
        }
    }
}

/// What comes after making a season.
fn next_steps(visitor: &Visitor, season: &Season) -> Markup {
    html! {
        section.card {
            h2 { (visitor.t(texts::NEXT_STEPS)) }
            ol.steps {
                li { a href="/people/import" { (visitor.t(texts::IMPORT_ROSTER)) } }
                li { a href={ "/seasons/" (season.slug) "/desk" } { (visitor.t(texts::STEP_ROUNDS)) } }
                li { a href={ "/seasons/" (season.slug) "/rules" } { (visitor.t(texts::STEP_RULES)) } }
            }
        }
    }
}

/// Seasons that are out of the way.
async fn archived(State(site): State<Site>, visitor: Visitor) -> Answer {
    let all = seasons::list(&site.database).await?;
    let archived: Vec<&Season> = all.iter().filter(|season| season.is_archived).collect();
    let title = visitor.t(texts::ARCHIVED_SEASONS);
    let body = html! {
        h1 { (title) }
        @if archived.is_empty() { (visitor.empty(texts::NO_ARCHIVED, &html! { a href="/" { (visitor.t(texts::SEASONS)) } })) }
        @else { div.cards { @for season in archived { (super::home::card(&visitor, season, &[])) } } }
    };
    Ok(visitor.page(&Sheet { title, crumbs: crumbs(&visitor, None), body, ..Sheet::default() }).into_response())
}

/// Players and matches shown on the page of a season.
const LATEST: i64 = 8;

/// The newest players and matches of a season.
async fn latest(site: &Site, visitor: &Visitor, season: &Season, count: i64) -> Result<Markup, AppError> {
    let accepted = submissions::players(&site.database, season.id, "", Slice::first(LATEST + 1)).await?;
    let filter = matches::Filter { season: Some(season.id), ..Default::default() };
    let played = matches::slice(&site.database, visitor.viewer(), &filter, Slice::first(LATEST)).await?;
    let address = format!("/seasons/{}", season.slug);
    let step = match visitor.account() {
        Some(account) if account.is_instructor() => html! { a href="/people" { (visitor.t(texts::PEOPLE)) } },
        Some(account) if account.may_submit() && season.is_open(now()) => {
            html! { a href={ (address) "/submit" } { (visitor.t(texts::SUBMIT_PLAYER)) } }
        }
        _ => html! { a href={ (address) "/rules" } { (visitor.t(texts::BEGIN_RULES)) } },
    };
    Ok(html! {
        div.columns {
            section {
                h2 { a href={ "/seasons/" (season.slug) "/players" } { (visitor.t(texts::PLAYERS)) } " " span.count { (counted(count)) } }
                @if accepted.items.is_empty() { p.quiet { (visitor.t(texts::NO_PLAYERS)) " " (step) } }
                ul.rows { @for player in &accepted.items { (player_row(visitor, player)) } }
            }
            section {
                h2 { a href={ "/matches?season=" (season.slug) } { (visitor.t(texts::MATCHES)) } }
                @if played.is_empty() { p.quiet { (visitor.t(texts::NO_MATCHES)) ". " a href={ "/seasons/" (season.slug) "/rules" } { (visitor.t(texts::BEGIN_RULES)) } } }
                ul.rows { @for one in &played { (super::matches::row(visitor, one)) } }
            }
        }
    })
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

/// The way to a season, and to a page below it.
pub fn crumbs(visitor: &Visitor, season: Option<(&str, &str)>) -> Vec<(String, String)> {
    let mut crumbs = vec![("/".to_owned(), visitor.t(texts::SEASONS).to_owned())];
    crumbs.extend(season.map(|(slug, title)| (format!("/seasons/{slug}"), title.to_owned())));
    crumbs
}

fn facts(visitor: &Visitor, season: &Season, excepted: Option<i64>, count: i64) -> Markup {
    let game = ludus_games::find(&season.game).map_or("", |game| game.about().title);
    let seconds = |ms: i64| visitor.decimal(&format!("{} s", ms as f64 / 1000.0));
    html! {
        dl.facts {
            div { dt { (visitor.t(texts::GAME)) } dd { (game) } }
            div { dt { (visitor.t(texts::PARTICIPANTS)) } dd { (counted(visitor.frame.participants.get(&season.id).copied().unwrap_or(0))) } }
            div { dt { (visitor.t(texts::ACCEPTED_PLAYERS)) } dd { (counted(count)) } }
            @for (label, time) in [(texts::OPENS, season.opens_at), (texts::DEADLINE, season.deadline_at), (texts::TAKEN_UNTIL, season.closes_for(excepted)), (texts::OFFICIAL_START, season.official_at)] {
                div { dt { (visitor.t(label)) } dd { (visitor.date(time)) @if let Some(words) = days(visitor, time) { " " span.zone { "(" (words) ")" } } } }
            }
            div { dt { (visitor.t(texts::CPU_LIMIT)) } dd { (seconds(season.match_ms)) @if let Some(ms) = season.round_ms { " · " (seconds(ms)) " " (visitor.t(texts::PER_ROUND)) } } }
            div { dt { (visitor.t(texts::MEMORY)) } dd { (season.memory_mib) " MiB" } }
            div { dt { (visitor.t(texts::SOURCE_SIZE)) } dd { (season.source_kib) " KiB" } }
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

async fn players(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
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
        @if listed.items.is_empty() { (visitor.empty(texts::NO_PLAYERS, &html! { a href={ "/seasons/" (slug) } { (visitor.t(texts::HOW_TO_BEGIN)) } })) }
        ul.rows.card { @for player in &listed.items { (player_row(&visitor, player)) } }
        (visitor.further(&listed, &format!("text={}&", encode(&text))))
    };
    let crumbs = crumbs(&visitor, Some((&slug, &season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

async fn config(State(site): State<Site>, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], season.config).into_response())
}

/// Everything that is needed to work at home, with the program.
async fn whole_kit(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let season = season(&site, &slug).await?;
    let pass = site.gates.kits.enter(&visitor.asker(), Lane::First).await?;
    let program = match &site.settings.program {
        Some(program) => program.packed().await,
        None => None,
    };
    archive(&site, &visitor, &season, program.as_ref(), Some(pass))
}

/// The same for programs that call: they have the program.
pub async fn small_kit(site: &Site, visitor: &Visitor, slug: &str) -> Answer {
    archive(site, visitor, &season(site, slug).await?, None, None)
}

/// Sends a kit part by part, and keeps its place at the gate until it is sent.
fn archive(
    site: &Site,
    visitor: &Visitor,
    season: &Season,
    program: Option<&Packed>,
    pass: Option<Pass<Asker>>,
) -> Answer {
    let name = format!("attachment; filename=\"{}.tar.gz\"", kit::folder(season));
    let parts = kit::archive(season, visitor.language, site.settings.rust, program)?;
    let size = parts.iter().map(Bytes::len).sum::<usize>().to_string();
    let sent = stream::iter(parts.into_iter().map(move |part| {
        let _held = &pass;
        Ok::<_, std::convert::Infallible>(part)
    }));
    let headers = [
        (header::CONTENT_TYPE, "application/gzip".to_owned()),
        (header::CONTENT_LENGTH, size),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Body::from_stream(sent)).into_response())
}

/// What a student needs to work at home, in three lines.
fn at_home(site: &Site, visitor: &Visitor, season: &Season) -> Result<Markup, AppError> {
    let program = site.settings.program.is_some();
    let (folder, platform) = (kit::folder(season), Program::platform());
    let text = if program { texts::KIT_HINT } else { texts::KIT_HINT_PLAIN };
    let lines = kit::instructions(season, visitor.language, program)?;
    Ok(html! {
        section.card #home {
            h2 { (visitor.t(texts::KIT)) }
            p { (visitor.fill(text, &[("platform", &platform)])) }
            pre tabindex="0" { code { "tar xzf " (folder) ".tar.gz && cd " (folder) } }
            div.steps-of-kit { (PreEscaped(super::prose::markdown(&lines))) }
            a.button.quiet href={ "/seasons/" (season.slug) "/kit" } { (visitor.t(texts::KIT_DOWNLOAD)) }
        }
    })
}

/// What a part of an address may not hold as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A text as part of an address.
pub fn encode(text: &str) -> PercentEncode<'_> {
    percent_encoding::utf8_percent_encode(text, ENCODED)
}
