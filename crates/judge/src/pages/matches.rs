//! Matches: lists, the page with the viewer, and what can be downloaded.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Router};
use ludus_games::Seat;
use maud::{Markup, PreEscaped, html};

use super::cpu::by_round;
use super::layout::{Preview, Sheet};
use super::seasons::{crumbs, encode};
use super::submissions::{match_label, season_select};
use crate::database::Slice;
use crate::downloads::{CpuUse, Product, Unavailable};
use crate::ids::{AccountId, MatchId};
use crate::losses::{self, Kind};
use crate::matches::{self, Filter, KeptReplay, Match, Purpose, SeatResult, output};
use crate::store::Lost;
use crate::texts::{self, Text};
use crate::web::packing::takes_gzip;
use crate::web::unsent::Weight;
use crate::web::{Answer, AppError, Site, Visitor};
use crate::{downloads, seasons};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/matches", get(list))
        .route("/matches/{id}", get(show))
        .route("/matches/{id}/{file}", get(file))
        .route("/matches/{id}/output.json", get(outputs))
        .route("/matches/{id}/output/{seat}", get(output))
        .route("/watch/{share}", get(show_shared))
        .route("/watch/{share}/{file}", get(file_shared))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<BTreeMap<String, String>>) -> Answer {
    // Many requests for the same list at once, as before a deadline, cost one.
    let asked = (visitor.signed_in()?.id, visitor.language, format!("{query:?}"));
    let body = site.following.lists.get(asked, listed(&site, &visitor, &query)).await?;
    let title = visitor.t(texts::MATCHES);
    Ok(visitor.page(&Sheet { title, body: PreEscaped(body.to_string()), ..Sheet::default() }).into_response())
}

async fn listed(site: &Site, visitor: &Visitor, query: &BTreeMap<String, String>) -> Result<String, AppError> {
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let season = match asked("season") {
        "" => None,
        slug => Some(seasons::find(&site.database, slug).await?.ok_or(AppError::NotFound)?),
    };
    let purpose = Purpose::of(asked("purpose"));
    let filter =
        Filter { season: season.as_ref().map(|season| season.id), purpose, player: asked("player").to_owned() };
    let slice = Slice::page(asked("before").parse().ok());
    let listed = matches::list(&site.database, visitor.viewer(), &filter, slice).await?;
    let all = seasons::list(&site.database).await?;
    let title = visitor.t(texts::MATCHES);
    let body = html! {
        h1 { (title) @if let Some(count) = listed.count() { " " span.count { (count) } } }
        form.filters role="search" {
            (season_select(visitor, &all, asked("season")))
            div.field {
                label for="purpose" { (visitor.t(texts::PURPOSE)) }
                select #purpose name="purpose" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in Purpose::ALL { option value=(one.word()) selected[purpose == Some(one)] { (visitor.t(texts::purpose(one))) } }
                }
            }
            div.field { label for="player" { (visitor.t(texts::PLAYER)) } input #player name="player" type="search" value=(asked("player")); }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::NO_MATCHES, &html! { (visitor.t(texts::NO_MATCHES_HINT)) " " a href="/matches" { (visitor.t(texts::SHOW_EVERYTHING)) } " · " a href="/" { (visitor.t(texts::SEASONS)) } })) }
        @else { ul.rows.card { @for one in &listed.items { (row(visitor, one)) } } }
        (visitor.further(&listed, &format!("season={}&purpose={}&player={}&", encode(asked("season")), encode(asked("purpose")), encode(asked("player")))))
    };
    Ok(body.into_string())
}

/// A match in a list, with what is the visitor's own marked.
pub fn row(visitor: &Visitor, one: &Match) -> Markup {
    listed_row(visitor, one, visitor.account().map(|account| account.id))
}

/// The same where many see one and the same list.
pub fn row_for_all(visitor: &Visitor, one: &Match) -> Markup {
    listed_row(visitor, one, None)
}

fn listed_row(visitor: &Visitor, one: &Match, own: Option<AccountId>) -> Markup {
    let is_own = |seat: &SeatResult| own.is_some() && seat.author == own;
    html! {
        li {
            div {
                a href={ "/matches/" (one.id) } {
                    @for (k, seat) in ranked(one).into_iter().enumerate() {
                        @if k > 0 { " · " }
                        span.contestant { (dot(&one.game, seat.seat)) @if seat.rank == Some(1) { strong { (seat.name) } } @else { (seat.name) } }
                    }
                }
                p.quiet { (one.season_title) " · " (visitor.t(texts::purpose(one.purpose))) " · " (visitor.time(one.created_at)) }
            }
            span.scores { @for seat in ranked(one) { span.own[is_own(seat)] { (dot(&one.game, seat.seat)) (seat.score.unwrap_or(0)) } } }
        }
    }
}

/// A spot in the colour that the game gives to a seat.
pub fn dot(game: &str, seat: Seat) -> Markup {
    html! { svg.dot viewBox="0 0 12 12" aria-hidden="true" { rect width="12" height="12" rx="4" fill=(colour(game, seat)) {} } }
}

/// The colour that a game gives to a seat.
pub fn colour(game: &str, seat: Seat) -> &'static str {
    ludus_games::find(game).map_or("gray", |game| ludus_scenes::scenery(game).legend.seats[seat].strong)
}

/// Why nobody can watch a match that was played, if it is so.
pub async fn unwatchable(site: &Site, found: &Match) -> Result<Option<(StatusCode, Text)>, AppError> {
    if found.thinned_at.is_some() {
        return Ok(Some((StatusCode::GONE, texts::REPLAY_THINNED)));
    }
    match &found.replay {
        Some(hash) => lost(site, hash).await,
        None => Ok(None),
    }
}

/// What is known about a file of the store that was lost.
async fn lost(site: &Site, hash: &str) -> Result<Option<(StatusCode, Text)>, AppError> {
    Ok(match losses::find(&site.database, hash).await?.map(|loss| loss.state) {
        Some(losses::State::Found) => Some((StatusCode::SERVICE_UNAVAILABLE, texts::FILE_LOST)),
        Some(losses::State::Lost) => Some((StatusCode::GONE, texts::FILE_GONE)),
        Some(losses::State::Restored) | None => None,
    })
}

/// What to say when something could not be read: what is lost is noted, so that
/// it is made again.
async fn explained(site: &Site, kind: Kind, found: &Match, error: anyhow::Error) -> AppError {
    if let Some(unavailable) = error.downcast_ref() {
        return match unavailable {
            Unavailable::Busy => AppError::Refused(StatusCode::SERVICE_UNAVAILABLE, texts::BUSY),
            Unavailable::TooMuch => AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::REPLAY_TOO_MUCH),
        };
    }
    let Some(missing) = Lost::of(&error) else { return AppError::Internal(error) };
    if let Err(error) = losses::note(&site.database, missing, kind, found.id.0).await {
        return AppError::Internal(error);
    }
    match lost(site, missing.hash()).await {
        Ok(Some((status, text))) => AppError::Refused(status, text),
        Ok(None) => AppError::Internal(error),
        Err(error) => error,
    }
}

/// The match, if this visitor may watch it. To others it does not exist.
pub async fn visible(site: &Site, visitor: &Visitor, id: MatchId) -> Result<Match, AppError> {
    if let Some(found) = matches::find_visible(&site.database, visitor.viewer(), id).await? {
        return Ok(found);
    }
    visitor.signed_in()?;
    Err(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<MatchId>) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    page(&site, &visitor, &found, &format!("/matches/{id}"), true).await
}

pub async fn shared(site: &Site, visitor: &Visitor, share: &str) -> Result<Match, AppError> {
    let found = matches::find_shared(&site.database, share).await?;
    found.filter(|found| visitor.viewer().may_watch_by_link(found)).ok_or(AppError::NotFound)
}

async fn show_shared(State(site): State<Site>, visitor: Visitor, Path(share): Path<String>) -> Answer {
    let found = shared(&site, &visitor, &share).await?;
    page(&site, &visitor, &found, &format!("/watch/{share}"), false).await
}

async fn page(site: &Site, visitor: &Visitor, found: &Match, address: &str, inside: bool) -> Answer {
    let cpu = matches::cpu(&site.database, found.id).await?.map(|packed| CpuUse::unpack(&packed));
    let season = seasons::by_id(&site.database, found.season_id).await?;
    let missing = unwatchable(site, found).await?;
    let title = visitor.fill(texts::MATCH_NUMBER, &[("number", &found.id.to_string())]);
    let share = format!("{}/watch/{}", visitor.base, found.share);
    let watchable = found.played && missing.is_none();
    let own = found.seats.iter().any(|seat| seat.submission.is_some() && visitor.viewer().may_read_output(seat));
    let outputs = (inside && own && found.thinned_at.is_none()).then(|| format!("{address}/output.json"));
    let heading = html! {
        div.title {
            h1 { (title) }
            @if watchable {
                div.actions {
                    a.button.quiet href={ (address) "/replay.ludus" } download={ "match-" (found.id) ".ludus" } { (visitor.t(texts::DOWNLOAD_REPLAY)) }
                    a.button.quiet href={ (address) "/record.txt" } download={ "match-" (found.id) ".txt" } { (visitor.t(texts::DOWNLOAD_RECORD)) }
                }
            }
        }
        p.quiet {
            (found.season_title) " · " (visitor.t(texts::purpose(found.purpose)))
            @if let Some((_, step)) = found.verifies { " · " (match_label(visitor, step)) }
            " · " (visitor.t(texts::SEED)) " " (found.seed)
            " · " (visitor.time(found.created_at))
        }
    };
    let body = html! {
        // The viewer takes the address and the keys of the page that it fills.
        @if watchable {
            iframe.viewer.whole #viewer src={ (address) "/viewer.html" } title=(visitor.t(texts::VIEWER)) allow="fullscreen" data-whole data-output=[outputs] {}
        }
        (heading)
        @if found.played {
            @if let Some((_, text)) = missing { p.notice role="status" { (visitor.t(text)) } }
            (results(visitor, found, address))
            @if found.is_shared() {
                section.share {
                    label for="share" { (visitor.t(texts::SHARE)) }
                    (visitor.copied("share", &share))
                    @if watchable {
                        label.tick { input #from-round type="checkbox"; (visitor.t(texts::SHARE_FROM_ROUND)) }
                    }
                }
            }
            @if let Some(cpu) = &cpu { (by_round(visitor, &season, found, cpu)) }
        } @else {
            (visitor.empty(texts::NOT_PLAYED, &html! { (visitor.t(texts::NOT_PLAYED_HINT)) " " a href="/status" { (visitor.t(texts::STATUS)) } }))
        }
    };
    let crumbs = match (inside, found.verifies) {
        (true, Some((submission, _))) if found.seats.iter().any(|seat| visitor.viewer().may_read_output(seat)) => {
            let mut crumbs = crumbs(visitor, Some((&found.season_slug, &found.season_title)));
            let name =
                found.seats.iter().find(|seat| seat.submission == Some(submission)).map_or("", |seat| &seat.name);
            crumbs.push((format!("/submissions/{submission}"), name.to_owned()));
            crumbs
        }
        _ => crumbs(visitor, Some((&found.season_slug, &found.season_title))),
    };
    // Whoever previews a link is a stranger, and whoever is signed in needs none.
    let preview = (watchable && visitor.account().is_none())
        .then(|| Preview { about: outcome(found), picture: format!("{address}/picture.png") });
    let sheet = Sheet { title: &title, crumbs, body, scripts: &["match.js"], preview, ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

/// Season and scores, the best first, in a line.
fn outcome(found: &Match) -> String {
    let scores: Vec<String> =
        ranked(found).iter().map(|seat| format!("{} {}", seat.name, seat.score.unwrap_or(0))).collect();
    format!("{}: {}", found.season_title, scores.join(" · "))
}

/// The seats, the best first.
pub fn ranked(found: &Match) -> Vec<&SeatResult> {
    let mut seats: Vec<&SeatResult> = found.seats.iter().collect();
    seats.sort_by_key(|seat| seat.rank);
    seats
}

/// The seats by what they had in the end, and by their order where it is the same or not known.
pub fn best_first(score: impl Fn(Seat) -> Option<i64>) -> [Seat; 4] {
    let mut seats = Seat::ALL;
    seats.sort_by_key(|&seat| Reverse(score(seat)));
    seats
}

fn results(visitor: &Visitor, found: &Match, address: &str) -> Markup {
    html! {
        table.collapsing.results {
            thead { tr {
                th { (visitor.t(texts::PLAYER)) } th.number { (visitor.t(texts::RANK)) } th.number { (visitor.t(texts::SCORE)) }
                th { (visitor.t(texts::CPU_USED)) } th { (visitor.t(texts::OUTPUT)) }
            } }
            tbody {
                @for seat in ranked(found) {
                    @let is_own = seat.author.is_some() && seat.author == visitor.account().map(|account| account.id);
                    tr.own[is_own] {
                        td { (dot(&found.game, seat.seat)) strong {
                            @match seat.submission {
                                Some(player) if visitor.account().is_some() && address.starts_with("/matches/") => a href={ "/players/" (player) } { (seat.name) },
                                _ => (seat.name),
                            }
                        } @if is_own { " " span.badge { (visitor.t(texts::YOURS)) } } }
                        td.number data-label=(visitor.t(texts::RANK)) { (seat.rank.unwrap_or(0)) }
                        td.number data-label=(visitor.t(texts::SCORE)) { (seat.score.unwrap_or(0)) }
                        td data-label=(visitor.t(texts::CPU_USED)) { @if found.shows_cpu(visitor.viewer(), seat) { (cpu(visitor, seat)) } @else { span.quiet { "–" } } }
                        td data-label=(visitor.t(texts::OUTPUT)) {
                            @if seat.output.is_some() && found.thinned_at.is_none() && visitor.viewer().may_read_output(seat) && address.starts_with("/matches/") {
                                a href={ (address) "/output/" (seat.seat) } { (visitor.t(texts::SHOW_OUTPUT)) }
                            } @else { span.quiet { "–" } }
                        }
                    }
                }
            }
        }
    }
}

fn cpu(visitor: &Visitor, seat: &SeatResult) -> Markup {
    if let Some((round, fault)) = &seat.fault {
        let round = round.to_string();
        return html! { span.bad { (visitor.fill(texts::FROZEN, &[("round", &round), ("fault", &texts::fault(visitor.language, fault))])) } };
    }
    match seat.cpu {
        Some(millionths) if seat.submission.is_some() => {
            let percent = millionths as f64 / 10_000.0;
            html! { meter min="0" max="100" high="80" value=(format!("{percent:.2}")) {} " " (visitor.decimal(&format!("{percent:.1} %"))) }
        }
        _ => html! { span.quiet { (visitor.t(texts::NOT_METERED)) } },
    }
}

pub async fn file(
    State(site): State<Site>,
    visitor: Visitor,
    Path((id, name)): Path<(MatchId, String)>,
    headers: HeaderMap,
) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    download(&site, &found, &name, &format!("/matches/{id}"), &visitor, takes_gzip(&headers)).await
}

pub async fn file_shared(
    State(site): State<Site>,
    visitor: Visitor,
    Path((share, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let found = shared(&site, &visitor, &share).await?;
    download(&site, &found, &name, &format!("/watch/{share}"), &visitor, takes_gzip(&headers)).await
}

/// What belongs to a match and may be seen by whoever may watch it.
async fn download(site: &Site, found: &Match, name: &str, address: &str, visitor: &Visitor, zips: bool) -> Answer {
    if name == "viewer.html" {
        return Ok((
            ([(header::CONTENT_SECURITY_POLICY, ludus_view::POLICY)]),
            Html(downloads::viewer(address, visitor)),
        )
            .into_response());
    }
    let hash = found.replay.as_ref().ok_or(AppError::NotFound)?;
    let kept = (header::CACHE_CONTROL, "private, max-age=600");
    if name != "replay.ludus" && Product::of(name).is_none() {
        return Err(AppError::NotFound);
    }
    if let Some((status, text)) = unwatchable(site, found).await? {
        return Err(AppError::Refused(status, text));
    }
    let replay = KeptReplay::of(&site.database, &site.store, found).await?;
    let Some(product) = Product::of(name) else {
        let replay = tokio::task::spawn_blocking(move || replay.read()).await?;
        let replay = match replay {
            Ok(replay) => replay,
            Err(error) => return Err(explained(site, Kind::Replay, found, error).await),
        };
        return Ok(([(header::CONTENT_TYPE, "application/octet-stream"), kept], replay).into_response());
    };
    let packed = match downloads::product(hash, product, replay).await {
        Ok(packed) => packed,
        Err(error) => return Err(explained(site, Kind::Replay, found, error).await),
    };
    let content_type = (header::CONTENT_TYPE, product.content_type());
    let varies = (header::VARY, "accept-encoding");
    if zips {
        let zipped = (header::CONTENT_ENCODING, "gzip");
        return Ok(([content_type, kept, varies, zipped], packed).into_response());
    }
    // It is kept for as long as somebody reads what is made of it.
    Ok((Extension(Weight(packed.len())), [content_type, kept, varies], downloads::unpacked(packed)).into_response())
}

async fn stored(site: &Site, hash: &str) -> anyhow::Result<Vec<u8>> {
    let (store, hash) = (site.store.clone(), hash.to_owned());
    tokio::task::spawn_blocking(move || store.get(&hash)).await?
}

pub async fn output(State(site): State<Site>, visitor: Visitor, Path((id, seat)): Path<(MatchId, i32)>) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    let seat = Seat::from_number(seat).and_then(|seat| found.seats.iter().find(|one| one.seat == seat));
    let seat = seat.filter(|seat| visitor.viewer().may_read_output(seat)).ok_or(AppError::NotFound)?;
    let kept = written(&site, &found, seat).await?;
    Ok(plain(tokio::task::spawn_blocking(move || output::readable(&kept)).await?))
}

/// The most that the viewer shows of what a player wrote; its file has all of it.
const MOST_SHOWN: usize = 128 << 10;

/// What the players whose output one may read have written, round by round, for
/// the viewer.
async fn outputs(State(site): State<Site>, visitor: Visitor, Path(id): Path<MatchId>) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    let mut seats = Vec::new();
    for seat in found.seats.iter().filter(|seat| visitor.viewer().may_read_output(seat)) {
        let (pieces, is_cut) = match &seat.output {
            Some(_) => {
                let kept = written(&site, &found, seat).await?;
                tokio::task::spawn_blocking(move || output::first_pieces(&kept, MOST_SHOWN)).await?
            }
            None => Default::default(),
        };
        let fault = seat.fault.as_ref().map(|(round, fault)| (round, texts::fault(visitor.language, fault)));
        seats.push(serde_json::json!({ "seat": seat.seat.index(), "pieces": pieces, "cut": is_cut, "fault": fault }));
    }
    if seats.is_empty() {
        return Err(AppError::NotFound);
    }
    let told = serde_json::to_string(&seats)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], told).into_response())
}

/// What a player wrote, as it is kept.
async fn written(site: &Site, found: &Match, seat: &SeatResult) -> Result<Vec<u8>, AppError> {
    let hash = seat.output.as_ref().ok_or(AppError::NotFound)?;
    if found.thinned_at.is_some() {
        return Err(AppError::Refused(StatusCode::GONE, texts::REPLAY_THINNED));
    }
    match stored(site, hash).await {
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(explained(site, Kind::Output, found, error).await),
    }
}

fn plain(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
