//! A final for everybody: what is revealed so far, as it happens.

use std::convert::Infallible;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use axum::routing::get;
use futures_util::stream::{self, Stream};
use maud::{Markup, PreEscaped, html};

use super::final_stage::{Eyes, stage};
use super::layout::Sheet;
use super::live;
use super::rounds::sees_names;
use super::seasons::crumbs;
use crate::following::Follower;
use crate::following::finals::{Finals, Piece, Seen};
use crate::official::finals::{self, Final, Finalist, State as Phase};
use crate::official::rounds;
use crate::official::show::Show;
use crate::seasons;
use crate::texts::{self, Text};
use crate::web::gate::Lane;
use crate::web::{Answer, AppError, Asked, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/finals/{slug}", get(show))
        .route("/finals/{slug}/events", get(events))
        .route("/finals/{slug}/rounds/{file}", get(file))
}

pub async fn the_final(site: &Site, slug: &str) -> Result<Final, AppError> {
    finals::find(site.database.read(), slug).await?.ok_or(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let found = the_final(&site, &slug).await?;
    let season = seasons::by_id(&site.database, found.season_id).await?;
    let eyes = Eyes::of(&site, &visitor).await?;
    let stopped = stopped(&site, &visitor, found.id).await?;
    let seen = seen(&visitor, &eyes, &found, Piece::Page);
    let write = page(&site, &visitor, &eyes, found.clone());
    let written = site.following.shows.get(seen, write).await?;
    let said = visitor.said(query.get("said").map(String::as_str));
    let body = html! {
        (said)
        div.title {
            h1 { (found.title) }
            @if visitor.is_instructor() { (instructor_links(&visitor, &found)) }
        }
        (stopped)
        (PreEscaped(&*written))
    };
    let crumbs = crumbs(&visitor, Some((&season.slug, &season.title)));
    let reload = !found.state.is_open();
    Ok(visitor
        .page(&Sheet { title: &found.title, crumbs, body, reload, scripts: &["final.js"], ..Sheet::default() })
        .into_response())
}

fn seen(visitor: &Visitor, eyes: &Eyes, found: &Final, piece: Piece) -> Seen {
    Seen {
        piece,
        id: found.id,
        steps: found.revealed_steps,
        state: found.state.word(),
        language: visitor.language,
        names: eyes.sees_names,
    }
}

/// What the page of a final has for everybody.
async fn page(site: &Site, visitor: &Visitor, eyes: &Eyes, found: Final) -> Result<String, AppError> {
    let finalists = finals::finalists(site.database.read(), found.id).await?;
    let shown = Show::find(&site.database, found, false).await?;
    // Nothing more comes of one that is over.
    let events = (!shown.of.state.is_open()).then(|| format!("/finals/{}/events", shown.of.slug));
    let html = html! {
        div #show data-events=[events] aria-live="polite" { (stage(visitor, eyes, &shown)) }
        @if shown.everybody().is_empty() { (listed(visitor, eyes, &finalists)) }
        (proof(visitor, &shown))
    };
    Ok(html.into_string())
}

pub fn phase(state: Phase) -> Text {
    match state {
        Phase::Planned => texts::FINAL_PLANNED,
        Phase::Playing => texts::FINAL_PLAYING,
        Phase::Played => texts::FINAL_PLAYED,
        Phase::Showing => texts::FINAL_SHOWING,
        Phase::Revealed => texts::FINAL_REVEALED,
        Phase::Cancelled => texts::FINAL_CANCELLED,
    }
}

pub fn explanation(state: Phase) -> Text {
    match state {
        Phase::Planned => texts::FINAL_PLANNED_HINT,
        Phase::Playing => texts::FINAL_PLAYING_HINT,
        Phase::Played => texts::FINAL_PLAYED_HINT,
        Phase::Showing => texts::FINAL_SHOWING_HINT,
        Phase::Revealed => texts::FINAL_REVEALED_HINT,
        Phase::Cancelled => texts::FINAL_CANCELLED_HINT,
    }
}

pub fn badge(state: Phase) -> &'static str {
    match state {
        Phase::Planned | Phase::Cancelled => "waiting",
        Phase::Playing | Phase::Played => "playing",
        Phase::Showing => "official",
        Phase::Revealed => "accepted",
    }
}

/// What an instructor can do with a final as it stands.
fn instructor_links(visitor: &Visitor, of: &Final) -> Markup {
    let post = |what: &str, text: Text| {
        html! { form method="post" action={ "/finals/" (of.slug) "/" (what) } { (visitor.token()) button { (visitor.t(text)) } } }
    };
    html! {
        div.actions {
            @match of.state {
                Phase::Planned => (post("play", texts::FINAL_PLAY)),
                Phase::Played | Phase::Showing => a.button href={ "/finals/" (of.slug) "/present" } { (visitor.t(texts::FINAL_PRESENT)) },
                Phase::Playing | Phase::Revealed | Phase::Cancelled => {},
            }
            @if matches!(of.state, Phase::Planned | Phase::Playing | Phase::Played) { (cancel_form(visitor, of)) }
        }
    }
}

fn cancel_form(visitor: &Visitor, of: &Final) -> Markup {
    html! {
        details.card {
            summary { (visitor.t(texts::FINAL_CANCEL)) }
            form method="post" action={ "/finals/" (of.slug) "/cancel" } {
                (visitor.token())
                p.hint { (visitor.t(texts::FINAL_CANCEL_HINT)) }
                div.field { label for="reason" { (visitor.t(texts::WHY)) } input #reason name="reason" required; }
                button.danger { (visitor.t(texts::FINAL_CANCEL)) }
            }
        }
    }
}

/// Why a final is not played on, for instructors.
async fn stopped(site: &Site, visitor: &Visitor, id: i64) -> Result<Markup, AppError> {
    if !visitor.is_instructor() {
        return Ok(html! {});
    }
    let rounds = rounds::of_final(site.database.read(), id).await?;
    let playing = rounds.iter().find(|round| round.state == rounds::State::Playing);
    if let Some(round) = playing
        && let Some((subject, error)) = rounds::stopped_by(&site.database, round.id).await?
    {
        return Ok(html! {
            div.notice.bad role="alert" {
                p { (visitor.fill(texts::FINAL_STOPPED, &[("match", &subject.to_string())])) " " a href="/workshop?state=parked" { (visitor.t(texts::DESK_TO_WORKSHOP)) } }
                pre { code { (error) } }
            }
        });
    }
    Ok(html! {})
}

/// Who is in it, before anything is revealed.
fn listed(visitor: &Visitor, eyes: &Eyes, finalists: &[Finalist]) -> Markup {
    let mut by_season: Vec<(&str, Vec<&Finalist>)> = Vec::new();
    for one in finalists {
        match by_season.iter_mut().find(|(title, _)| *title == one.season.1) {
            Some((_, some)) => some.push(one),
            None => by_season.push((&one.season.1, vec![one])),
        }
    }
    html! {
        section {
            h2 { (visitor.t(texts::FINAL_FINALISTS)) " " span.count { (finalists.len()) } }
            div.columns {
                @for (title, some) in &by_season {
                    section.card {
                        h2 { (title) " " span.count { (some.len()) } }
                        @if eyes.sees_names { p { @for (at, one) in some.iter().enumerate() { @if at > 0 { ", " } (one.student) } } }
                    }
                }
            }
        }
    }
}

/// What was published before, and what proves it now.
fn proof(visitor: &Visitor, shown: &Show) -> Markup {
    let of = &shown.of;
    let revealed: Vec<u32> = shown.begun().filter(|round| shown.out(*round).is_some()).collect();
    html! {
        section.card.proof {
            h2 { (visitor.t(texts::FINAL_PROOF)) }
            p.quiet { (visitor.t(texts::FINAL_PROOF_HINT)) }
            dl {
                dt { (visitor.t(texts::FINAL_COMMITMENT)) } dd { code { (of.commitment) } }
                @if let Some(digest) = of.digest { dt { (visitor.t(texts::FINAL_DIGEST)) } dd { code { (digest) } } }
                @if let Some(seed) = of.revealed_seed() { dt { (visitor.t(texts::FINAL_SEED)) } dd { code { (seed) } } }
            }
            @if !revealed.is_empty() {
                p {
                    (visitor.t(texts::FINAL_FILES)) " "
                    @for round in revealed.iter().rev() { a href={ "/finals/" (of.slug) "/rounds/" (round) ".round" } download { (round) } " " }
                }
            }
        }
    }
}

/// Follows the show: the stage whenever something is revealed.
async fn events(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let found = the_final(&site, &slug).await?;
    let follower = site.following.finals.follow(&site.database, visitor.asker(), found.id).ok_or(AppError::Busy)?;
    Ok(live::stream(&site.clone(), &visitor.clone(), follow(site, visitor, follower)))
}

fn follow(site: Site, visitor: Visitor, follower: Follower<Finals>) -> impl Stream<Item = Result<Event, Infallible>> {
    struct Watching {
        site: Site,
        visitor: Visitor,
        follower: Follower<Finals>,
        mark: Option<(i64, Phase)>,
    }
    let start = Watching { site, visitor, follower, mark: None };
    stream::unfold(start, |mut seen| async move {
        loop {
            if seen.mark.is_some_and(|(_, state)| state.is_open()) {
                return None;
            }
            let found = finals::by_id(seen.site.database.read(), seen.follower.id).await.ok()?;
            let mark = (found.revealed_steps, found.state);
            if seen.mark == Some(mark) {
                seen.follower.change().await?;
                continue;
            }
            let is_over = found.state.is_open();
            let eyes = Eyes::of(&seen.site, &seen.visitor).await.ok()?;
            let same = self::seen(&seen.visitor, &eyes, &found, Piece::Stage);
            let write = async {
                let shown = Show::find(&seen.site.database, found, false).await?;
                anyhow::Ok(stage(&seen.visitor, &eyes, &shown).into_string())
            };
            let html = seen.site.following.shows.get(same, write).await.ok()?;
            let event = Event::default().event(if is_over { "over" } else { "step" }).data(&*html);
            seen.mark = Some(mark);
            return Some((Ok(event), seen));
        }
    })
}

/// The file that proves a round which is revealed.
pub async fn file(State(site): State<Site>, visitor: Visitor, Path((slug, name)): Path<(String, String)>) -> Answer {
    let found = the_final(&site, &slug).await?;
    let season = seasons::by_id(&site.database, found.season_id).await?;
    let number: u32 = name.strip_suffix(".round").and_then(|number| number.parse().ok()).ok_or(AppError::NotFound)?;
    let shown = Show::find(&site.database, found, visitor.is_instructor()).await?;
    let whole = shown.revealed_round(number).ok_or(AppError::NotFound)?.clone();
    let _turn = site.gates.proofs.enter(&visitor.asker(), Lane::Second).await?;
    let bytes = site.final_director().file(&season, whole).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{slug}-{number}.round\"")),
        (header::CACHE_CONTROL, "private, max-age=600".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// The finals in a list of links, for pages of seasons and the first page.
pub fn links(visitor: &Visitor, all: &[Final]) -> Markup {
    html! {
        @for one in all.iter().filter(|one| one.state != Phase::Cancelled || visitor.is_instructor()) {
            article.card.season {
                h2 { a href={ "/finals/" (one.slug) } { (one.title) } }
                p.phase { span class={ "badge " (badge(one.state)) } { (visitor.t(phase(one.state))) } span.quiet { (visitor.t(texts::FINAL)) } }
            }
        }
    }
}

/// Whose names this visitor sees.
impl Eyes {
    pub async fn of(site: &Site, visitor: &Visitor) -> Result<Eyes, AppError> {
        Ok(Eyes { sees_names: sees_names(site, visitor).await? })
    }
}
