//! Official rounds for everybody: the survivors' board, every round as it
//! happens, every player's history, and the files that prove it all.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State as Shared};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use axum::routing::get;
use futures_util::stream::{self, Stream};
use ludus_arena::season::{Author, Departure};
use maud::{Markup, PreEscaped, html};

use super::layout::Sheet;
use super::live;
use super::matches::dot;
use super::prose::markdown;
use super::round_view::{self, latest, number, person, starts};
use super::seasons::{crumbs, season};
use crate::following::Follower;
use crate::following::rounds::{Rounds, Scene, Seen};
use crate::losses::{self, Kind};
use crate::official::board::{self, Board, Person};
use crate::official::rounds::{self, Round, State};
use crate::official::{proof, schedule};
use crate::store::Lost;
use crate::texts::{self, Language};
use crate::web::gate::Lane;
use crate::web::{Answer, AppError, Asked, Site, Visitor};
use crate::{course, seasons};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/rounds", get(overview))
        .route("/seasons/{slug}/rounds/{number}", get(show))
        .route("/seasons/{slug}/rounds/{number}/file", get(file))
        .route("/seasons/{slug}/authors/{number}", get(history))
        .route("/seasons/{slug}/hall", get(hall))
        .route("/seasons/{slug}/live", get(events))
        .route("/official-rounds", get(explained))
        .route("/course.pub", get(key))
}

/// Whether somebody sees the names of students on these pages.
pub async fn sees_names(site: &Site, visitor: &Visitor) -> Result<bool, AppError> {
    let names = course::find(&site.database).await?.names;
    Ok(visitor.viewer().sees_names(names))
}

fn crumbs_of(visitor: &Visitor, board: &Board, inside: bool) -> Vec<(String, String)> {
    let mut way = crumbs(visitor, Some((&board.season.slug, &board.season.title)));
    if inside {
        way.push((format!("/seasons/{}/rounds", board.season.slug), visitor.t(texts::OFFICIAL_ROUNDS).to_owned()));
    }
    way
}

/// The number of the visitor in a season, to find oneself in a round.
fn own(visitor: &Visitor, board: &Board) -> Option<u32> {
    let account = visitor.account()?.id;
    let gone = board.gone.iter().map(|(person, _)| person);
    let own = board.left.iter().chain(gone).find(|person| person.entrant.account == account);
    own.and_then(|person| person.entrant.author).map(|author| author.0)
}

async fn overview(Shared(site): Shared<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let board = board::find(&site.database, season(&site, &slug).await?).await?;
    let names = sees_names(&site, &visitor).await?;
    let title = visitor.t(texts::OFFICIAL_ROUNDS);
    let body = html! {
        div.title {
            h1 { (title) }
            div.actions {
                a.button.quiet href="/official-rounds" { (visitor.t(texts::HOW_ROUNDS_GO)) }
                a.button.quiet href={ "/seasons/" (slug) "/hall" } { (visitor.t(texts::HALL)) }
                @if visitor.is_instructor() { a.button href={ "/seasons/" (slug) "/desk" } { (visitor.t(texts::DESK)) } }
            }
        }
        @if let Some(reason) = &board.schedule.paused { p.notice { (visitor.fill(texts::PAUSED_SEASON, &[("reason", reason)])) } }
        @if board.schedule.entered_at.is_none() {
            (visitor.empty(texts::NO_ROUNDS, &html! {
                (visitor.t(texts::NO_ROUNDS_HINT)) " " (visitor.t(texts::DEADLINE)) " " (visitor.date(board.season.deadline_at)) ". "
                a href={ "/seasons/" (slug) } { (visitor.t(texts::HOW_TO_BEGIN)) }
            }))
        } @else {
            @if let Some(champion) = board.champion() {
                div.verdict.good { h2 { (visitor.t(texts::CHAMPION)) ": " (person(champion, names)) } }
            }
            (survivors(&visitor, &board, names))
            (all_rounds(&visitor, &board, names))
            @if !board.absent.is_empty() && names {
                details { summary { (visitor.t(texts::NOT_TAKING_PART)) " " span.count { (board.absent.len()) } }
                    p.quiet { (visitor.t(texts::NOT_TAKING_PART_HINT)) }
                    ul.links.card { @for one in &board.absent { li { (one.entrant.student) } } }
                }
            }
        }
    };
    let crumbs = crumbs_of(&visitor, &board, false);
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

fn survivors(visitor: &Visitor, board: &Board, names: bool) -> Markup {
    let slug = &board.season.slug;
    let link = |one: &Person| {
        let number = one.entrant.author.map_or(0, |author| author.0);
        html! { a href={ "/seasons/" (slug) "/authors/" (number) } { (person(one, names)) } }
    };
    html! {
        div.columns {
            section {
                h2 { (visitor.t(texts::STILL_IN)) " " span.count { (board.left.len()) } }
                ul.rows { @for one in &board.left { li {
                    div { (link(one)) }
                    @if one.entrant.leaving.is_some() && names { span.bad { (visitor.t(texts::LEAVES_NEXT)) } }
                } } }
            }
            section {
                h2 { (visitor.t(texts::OUT_LIST)) " " span.count { (board.gone.len()) } }
                ul.rows { @for (one, departure) in &board.gone { li {
                    div { (link(one)) }
                    span.quiet { (how_left(visitor, departure, slug)) }
                } } }
            }
        }
    }
}

fn how_left(visitor: &Visitor, departure: &Departure, slug: &str) -> Markup {
    match departure {
        Departure::Eliminated { round, .. } => html! {
            a href={ "/seasons/" (slug) "/rounds/" (round) } { (visitor.fill(texts::OUT_IN_ROUND, &[("number", &round.to_string())])) }
        },
        // Why is between them and the instructors.
        Departure::Withdrawn { reason, .. } => html! {
            (visitor.t(texts::WITHDRAWN)) @if visitor.is_instructor() { ": " (reason) }
        },
    }
}

fn all_rounds(visitor: &Visitor, board: &Board, names: bool) -> Markup {
    let out = |round: &Round| round.elimination.and_then(|out| board.person(out.author));
    html! {
        section {
            h2 { (visitor.t(texts::ALL_ROUNDS)) }
            ul.rows.card {
                @for round in board.rounds.iter().rev() {
                    li {
                        div {
                            a href={ "/seasons/" (board.season.slug) "/rounds/" (round.number) } { strong { (number(visitor, round)) } }
                            p.quiet {
                                @match round.state {
                                    State::Committed => (starts(visitor, round)),
                                    _ => { @if let Some(time) = round.frozen_at { (visitor.time(time)) } },
                                }
                            }
                        }
                        @if let Some(out) = out(round).filter(|_| round.counts()) { span { (visitor.t(texts::OUT)) ": " (person(out, names)) } }
                        (round_view::state(visitor, round, board.stopped.is_some() && round.state == State::Playing))
                    }
                }
            }
        }
    }
}

pub async fn find_round(site: &Site, slug: &str, number: i64) -> Result<Round, AppError> {
    let season = season(site, slug).await?;
    rounds::find(&site.database, season.id, number).await?.ok_or(AppError::NotFound)
}

async fn show(Shared(site): Shared<Site>, visitor: Visitor, Path((slug, wanted)): Path<(String, i64)>) -> Answer {
    let round = find_round(&site, &slug, wanted).await?;
    let board = board::find(&site.database, season(&site, &slug).await?).await?;
    let names = sees_names(&site, &visitor).await?;
    let whole = rounds::whole(&site.database, round.clone()).await?;
    let is_live = matches!(round.state, State::Committed | State::Playing);
    let title = number(&visitor, &round);
    let address = format!("/seasons/{slug}/live?round={wanted}");
    let body = html! {
        div.title {
            h1 { (title) }
            div.actions {
                @if is_live { a.button.quiet href={ "/seasons/" (slug) "/hall" } { (visitor.t(texts::HALL)) } }
                @if round.state == State::Over {
                    a.button href={ "/seasons/" (slug) "/rounds/" (wanted) "/file" } download={ (slug) "-" (wanted) ".round" } { (visitor.t(texts::DOWNLOAD_ROUND)) }
                }
                @if visitor.is_instructor() { a.button.quiet href={ "/seasons/" (slug) "/desk" } { (visitor.t(texts::DESK)) } }
            }
        }
        @if let Some(reason) = &round.cancelled_reason { p.notice { (visitor.fill(texts::CANCELLED_BECAUSE, &[("reason", reason)])) } }
        div #round data-events=[is_live.then_some(&address)] data-own=[own(&visitor, &board)] {
            @match &whole {
                Some(whole) => (round_view::round(&visitor, whole, board.stopped.is_some() && round.state == State::Playing, &board.season.game, names)),
                None => (prepared(&visitor, &round)),
            }
        }
        (round_facts(&visitor, &round))
    };
    let crumbs = crumbs_of(&visitor, &board, true);
    let sheet = Sheet { title: &title, crumbs, body, reload: is_live, scripts: &["round.js"], ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

fn round_facts(visitor: &Visitor, round: &Round) -> Markup {
    html! {
        dl.facts.proof {
            div { dt { (visitor.t(texts::COMMITMENT)) } dd { code { (round.commitment) } } }
            div { dt { (visitor.t(texts::ROUND_SEED)) } dd {
                @match round.revealed_seed() {
                    Some(seed) => code { (seed) },
                    None => span.quiet { (visitor.t(texts::SEED_SECRET)) },
                }
            } }
            @if round.state == State::Committed { div { dt { (visitor.t(texts::STARTS)) } dd { (starts(visitor, round)) } } }
            @if let Some(time) = round.frozen_at { div { dt { (visitor.t(texts::FROZEN_AT)) } dd { (visitor.date(time)) } } }
            @if let Some(time) = round.ended_at { div { dt { (visitor.t(texts::ENDED)) } dd { (visitor.date(time)) } } }
        }
        p.quiet { a href="/official-rounds" { (visitor.t(texts::HOW_ROUNDS_GO)) } " · " a href="/course.pub" { (visitor.t(texts::COURSE_KEY)) } }
    }
}

/// The signed file that proves a round.
pub async fn file(Shared(site): Shared<Site>, visitor: Visitor, Path((slug, number)): Path<(String, i64)>) -> Answer {
    let round = find_round(&site, &slug, number).await?;
    let turn = site.gates.proofs.enter(&visitor.asker(), Lane::Second).await?;
    let season = seasons::by_id(&site.database, round.season_id).await?;
    let gives_modules = schedule::find(site.database.read(), season.id).await?.gives_modules;
    let whole = rounds::whole(&site.database, round).await?.ok_or(AppError::NotFound)?;
    let (store, key, found) = (site.store.clone(), site.key.clone(), whole.clone());
    let made = tokio::task::spawn_blocking(move || {
        // Whoever asked may leave meanwhile.
        let _turn = turn;
        proof::round_file(&store, &key, &season, &found, gives_modules)
    });
    let bytes = match made.await? {
        Ok(bytes) => bytes.ok_or(AppError::NotFound)?,
        Err(error) => return Err(noted(&site, &whole, error).await),
    };
    let name = format!("attachment; filename=\"{slug}-{number}.round\"");
    let headers = [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

/// What to say when the file of a round cannot be made: what is lost is noted,
/// so that it is made again.
async fn noted(site: &Site, whole: &rounds::Whole, error: anyhow::Error) -> AppError {
    let Some(lost) = Lost::of(&error) else { return AppError::Internal(error) };
    let replay = |one: &&rounds::RoundMatch| one.result.as_ref().is_some_and(|result| result.replay == lost.hash());
    let noted = match whole.matches.iter().find(replay) {
        Some(one) => losses::note(&site.database, lost, Kind::Replay, one.id.0).await,
        None => match whole.players.iter().find(|one| one.module.to_string() == lost.hash()) {
            Some(player) => losses::note(&site.database, lost, Kind::Module, player.submission.0).await,
            None => Ok(()),
        },
    };
    match noted {
        Ok(()) => AppError::Refused(StatusCode::SERVICE_UNAVAILABLE, texts::FILE_LOST),
        Err(error) => AppError::Internal(error),
    }
}

/// Everything that somebody's players did in official rounds.
async fn history(Shared(site): Shared<Site>, visitor: Visitor, Path((slug, wanted)): Path<(String, u32)>) -> Answer {
    let board = board::find(&site.database, season(&site, &slug).await?).await?;
    let names = sees_names(&site, &visitor).await?;
    let author = Author(wanted);
    let found = board.person(author).ok_or(AppError::NotFound)?.clone();
    let appearances = board::appearances(&site.database, board.season.id, author).await?;
    let departure = board.gone.iter().find(|(one, _)| one.entrant.author == Some(author)).map(|(_, how)| how);
    let title = found.player.clone().unwrap_or_else(|| format!("#{wanted}"));
    let body = html! {
        h1 { (person(&found, names)) }
        p {
            @match departure {
                Some(how) => { span.badge.rejected { (visitor.t(texts::OUT)) } " " (how_left(&visitor, how, &slug)) },
                None => span.badge.accepted { (visitor.t(texts::STILL_IN)) },
            }
        }
        @if !appearances.is_empty() {
            table.collapsing {
                thead { tr { th { (visitor.t(texts::MATCH)) } th { (visitor.t(texts::PLAYER)) } th.number { (visitor.t(texts::RANK)) } th.number { (visitor.t(texts::SCORE)) } } }
                tbody { @for one in &appearances { tr {
                    td {
                        a href={ "/matches/" (one.match_id) } {
                            (visitor.fill(texts::ROUND_NUMBER, &[("number", &one.round.to_string())])) " · "
                            (visitor.fill(texts::STAGE_SAVING, &[("number", &one.stage.to_string())]))
                        }
                    }
                    td data-label=(visitor.t(texts::PLAYER)) { span { (dot(&board.season.game, one.seat)) (one.player) } @if one.is_frozen { " " span.bad { (visitor.t(texts::FROZEN_SEAT)) } } }
                    td.number data-label=(visitor.t(texts::RANK)) { @if let Some(rank) = one.rank { (rank) } @else { "–" } }
                    td.number data-label=(visitor.t(texts::SCORE)) { @if let Some(score) = one.score { (score) } @else { "–" } }
                } } }
            }
        }
    };
    let crumbs = crumbs_of(&visitor, &board, true);
    Ok(visitor.page(&Sheet { title: &title, crumbs, body, ..Sheet::default() }).into_response())
}

/// The newest round, large, for a lecture hall: it goes on by itself.
async fn hall(Shared(site): Shared<Site>, visitor: Visitor, Path(slug): Path<String>) -> Answer {
    let board = board::find(&site.database, season(&site, &slug).await?).await?;
    let names = sees_names(&site, &visitor).await?;
    let title = visitor.t(texts::HALL);
    let body = html! {
        div.hall data-hall="" {
            div.title {
                h1 { (board.season.title) }
                button.quiet #whole-screen type="button" { (visitor.t(texts::WHOLE_SCREEN)) }
            }
            div #round data-events={ "/seasons/" (slug) "/live" } data-own=[own(&visitor, &board)] { (latest(&visitor, &board, names)) }
        }
    };
    let crumbs = crumbs_of(&visitor, &board, true);
    let sheet = Sheet { title, crumbs, body, reload: true, scripts: &["round.js"], ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

/// Follows a season: a piece of the page whenever it has changed.
async fn events(Shared(site): Shared<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    let season = season(&site, &slug).await?;
    let seen = Seen {
        round: query.get("round").and_then(|number| number.parse().ok()),
        language: visitor.language,
        names: sees_names(&site, &visitor).await?,
    };
    // Whoever finds no room still has the page, which reloads itself now and then.
    let follower = site.following.rounds.follow(&site.database, visitor.asker(), season.id).ok_or(AppError::Busy)?;
    Ok(live::stream(&site, &visitor.clone(), follow(visitor, follower, seen)))
}

fn follow(visitor: Visitor, follower: Follower<Rounds>, seen: Seen) -> impl Stream<Item = Result<Event, Infallible>> {
    struct Shown {
        visitor: Visitor,
        follower: Follower<Rounds>,
        last: Option<Arc<Scene>>,
        is_over: bool,
    }
    let start = Shown { visitor, follower, last: None, is_over: false };
    stream::unfold(start, move |mut shown| async move {
        if shown.is_over {
            return None;
        }
        if shown.last.is_some() {
            shown.follower.change().await?;
        }
        let scene: Arc<Scene> = shown.follower.latest().await?;
        shown.is_over = seen.round.is_some_and(|number| !is_under_way(&scene.board, number));
        let changes = shown.last.replace(scene.clone()).and_then(|last| {
            let write = |old: &Board, new: &Board| round_view::changes(&shown.visitor, old, new, seen.names);
            scene.changes(&last, seen, |old, new| write(old, new).map(Markup::into_string))
        });
        let event = match changes {
            // The page that comes then has what only the server knows. Browsers
            // do not hear of events without data.
            _ if shown.is_over => Event::default().event("over").data("over"),
            Some(html) => Event::default().event("changes").data(&*html),
            None => {
                let html = scene.written(seen, |board| piece(&shown.visitor, board, seen).into_string());
                Event::default().event("progress").data(&*html)
            }
        };
        Some((Ok(event), shown))
    })
}

/// Whether a round is prepared or being played.
fn is_under_way(board: &Board, number: i64) -> bool {
    let playing = board.latest.as_ref().map(|whole| &whole.round).filter(|round| round.state == State::Playing);
    board.next().into_iter().chain(playing).any(|round| round.number == number)
}

/// What changes of a page while it is looked at: of a round that is under way, or
/// of the newest one.
fn piece(visitor: &Visitor, board: &Board, seen: Seen) -> Markup {
    match (seen.round, board.next(), &board.latest) {
        (Some(number), Some(next), _) if next.number == number => prepared(visitor, next),
        (Some(_), _, Some(whole)) => {
            round_view::round(visitor, whole, board.stopped.is_some(), &board.season.game, seen.names)
        }
        _ => latest(visitor, board, seen.names),
    }
}

fn prepared(visitor: &Visitor, round: &Round) -> Markup {
    html! {
        (round_view::state(visitor, round, false))
        @if round.state == State::Committed { p { (visitor.t(texts::PREPARED_EXPLAINED)) } }
    }
}

/// How rounds go, for students.
async fn explained(visitor: Visitor) -> Answer {
    const TEXT: &str = include_str!("../../../../docs/season.md");
    let title = visitor.t(texts::OFFICIAL_ROUNDS);
    let text = TEXT.replace("([replay.md](replay.md))", "");
    let own = match visitor.language {
        Language::English => None,
        Language::Catalan => Some(include_str!("../../../../docs/season.ca.md")),
        Language::Spanish => Some(include_str!("../../../../docs/season.es.md")),
    };
    let body = html! {
        @if let Some(own) = own {
            article.prose { (PreEscaped(markdown(own))) }
            p.quiet { (visitor.t(texts::SEASON_IN_FULL)) }
            details { summary { "English" } article.prose lang="en" { (PreEscaped(markdown(&text))) } }
        } @else {
            article.prose { (PreEscaped(markdown(&text))) }
        }
        p { a href="/course.pub" { (visitor.t(texts::COURSE_KEY)) } " " span.quiet { (visitor.t(texts::COURSE_KEY_HINT)) } }
    };
    let crumbs = crumbs(&visitor, None);
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

pub fn key_text(site: &Site) -> String {
    format!("{}\n", site.key.public())
}

/// The key that the course signs with, as `ludus verify --key` reads it.
async fn key(Shared(site): Shared<Site>) -> Answer {
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], key_text(&site)).into_response())
}
