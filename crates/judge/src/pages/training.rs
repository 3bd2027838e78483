//! Sets of training matches: the list, and the table of one as it fills.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::IntoResponse as _;
use axum::routing::get;
use ludus_arena::Estimate;
use ludus_games::{PerSeat, Seat};
use maud::{Markup, html};

use super::layout::Sheet;
use super::matches::{best_first, dot};
use super::seasons::{crumbs, encode};
use crate::course;
use crate::database::Page;
use crate::ids::TrainingId;
use crate::texts;
use crate::training::{self, Results, Training};
use crate::web::{Answer, AppError, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/training", get(list))
        .route("/training/{id}", get(show))
        .route("/training/{id}/table", get(table))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let account = visitor.signed_in()?;
    let page = Page::new(query.get("page").and_then(|page| page.parse().ok()));
    let listed = training::list(&site.database, account.id, page).await?;
    let sees_names = sees_names(&site, &visitor).await?;
    let next = super::next::training(&site, &visitor).await?;
    let title = visitor.t(texts::TRAINING_PAGE);
    let body = html! {
        div.title {
            h1 { (title) " " span.count { (listed.total) } }
            div.actions { a.button.quiet href="/friends" { (visitor.t(texts::FRIENDS)) } @if !listed.items.is_empty() { (next) } }
        }
        p.quiet { (visitor.t(texts::TRAINING_PRIVATE)) }
        @if listed.items.is_empty() { (visitor.empty(texts::NO_TRAINING, &html! { (visitor.t(texts::NO_TRAINING_HINT)) " " (next) })) }
        @else {
            ul.rows.card { @for one in &listed.items {
                li {
                    div {
                        a href={ "/training/" (one.id) } { (one.players.join(" · ")) }
                        p.quiet { (one.season_title) " · " (visitor.time(one.created_at)) @if one.account != account.id && sees_names { " · " (visitor.fill(texts::ASKED_BY, &[("name", &one.asked_by)])) } }
                    }
                    span.quiet { (played(&visitor, one)) }
                }
            } }
        }
        (visitor.pager(&listed, ""))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

/// Whether this visitor sees the names of students.
pub async fn sees_names(site: &Site, visitor: &Visitor) -> Result<bool, AppError> {
    let names = course::find(&site.database).await?.names;
    Ok(visitor.viewer().sees_names(names))
}

fn played(visitor: &Visitor, one: &Training) -> String {
    visitor.fill(texts::PLAYED_OF, &[("played", &one.played.to_string()), ("all", &one.matches.to_string())])
}

/// The set, if this visitor may see it. To others it does not exist.
pub async fn visible(site: &Site, visitor: &Visitor, id: TrainingId) -> Result<Training, AppError> {
    visitor.signed_in()?;
    training::find_visible(&site.database, visitor.viewer(), id).await?.ok_or(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<TrainingId>) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    let results = training::results(&site.database, &found).await?;
    let own = training::own_places(&site.database, id, visitor.signed_in()?.id).await?;
    // Lines end with the sign between two names, never begin with it.
    let (title, over) = (found.players.join("\u{a0}· "), found.is_over());
    let sees_names = visitor.signed_in()?.id == found.account || sees_names(&site, &visitor).await?;
    let again: String = ["first", "second", "third", "fourth"]
        .iter()
        .zip(&found.players)
        .map(|(field, name)| format!("{field}={}&", encode(name)))
        .collect();
    let again =
        format!("/seasons/{}/train?{again}seating={}&count={}", found.season_slug, found.seating.word(), found.matches);
    let body = html! {
        div.title {
            h1 { (title) }
            div.actions { a.button.quiet href=(again) { (visitor.t(texts::AGAIN)) } }
        }
        p.quiet {
            (found.season_title) " · "
            @if sees_names { (visitor.fill(texts::ASKED_BY, &[("name", &found.asked_by)])) " · " }
            (visitor.time(found.created_at))
            " · " (visitor.t(texts::FIRST_SEED)) " " (found.seed)
        }
        div.stack data-poll=[(!over).then(|| format!("/training/{id}/table"))] { (tables(&visitor, &found, &results, own)) }
    };
    let mut crumbs = crumbs(&visitor, Some((&found.season_slug, &found.season_title)));
    crumbs.push(("/training".to_owned(), visitor.t(texts::TRAINING_PAGE).to_owned()));
    let scripts: &[&str] = if over { &[] } else { &["poll.js"] };
    Ok(visitor.page(&Sheet { title: &title, crumbs, body, reload: !over, scripts, ..Sheet::default() }).into_response())
}

/// The part of the page that changes while matches are played.
async fn table(State(site): State<Site>, visitor: Visitor, Path(id): Path<TrainingId>) -> Answer {
    let found = visible(&site, &visitor, id).await?;
    let results = training::results(&site.database, &found).await?;
    let own = training::own_places(&site.database, id, visitor.signed_in()?.id).await?;
    Ok(tables(&visitor, &found, &results, own).into_response())
}

fn tables(visitor: &Visitor, found: &Training, results: &Results, own: PerSeat<bool>) -> Markup {
    html! {
        div.bar data-over[found.is_over()] role="status" {
            progress max=(found.matches) value=(found.played + found.given_up) aria-hidden="true" {}
            " " (played(visitor, found))
        }
        @if found.given_up > 0 { p.notice { (visitor.fill(texts::GIVEN_UP, &[("count", &found.given_up.to_string())])) } }
        @if results.tally.matches() == 0 {
            @if !found.is_over() { (visitor.empty(texts::WAITING_FOR_WORKERS, &html! { (visitor.t(texts::PENDING_HINT)) })) }
        } @else {
            (standings(visitor, found, results))
            (head_to_head(visitor, found, results))
            (losses(visitor, found, results))
            (matches(visitor, found, results, own))
        }
    }
}

/// A value with what it may be off by.
fn with_margin(visitor: &Visitor, estimate: &Estimate, digits: usize) -> Markup {
    html! { span.estimate {
        (visitor.decimal(&format!("{:.digits$}", estimate.value)))
        @if let Some(margin) = estimate.margin() { " " span.quiet { (visitor.decimal(&format!("± {margin:.digits$}"))) } }
    } }
}

/// A share with the interval in which it lies.
fn share(estimate: &Estimate) -> Markup {
    let percent = |share: f64| format!("{:.0}", share * 100.0);
    html! { span.estimate {
        (percent(estimate.value)) " %"
        @if let Some((low, high)) = estimate.interval { " " span.quiet { (percent(low)) "–" (percent(high)) } }
    } }
}

fn standings(visitor: &Visitor, found: &Training, results: &Results) -> Markup {
    html! {
        table.collapsing {
            thead { tr {
                th { (visitor.t(texts::PLAYER)) } th.number { (visitor.t(texts::WINS)) } th.number { (visitor.t(texts::MEAN_RANK)) }
                th.number { (visitor.t(texts::MEAN_SCORE)) } th.number { (visitor.t(texts::CPU_USED)) } th.number { (visitor.t(texts::FROZEN_SHARE)) }
                th { (visitor.t(texts::BY_SEAT)) }
            } }
            tbody {
                @for place in results.tally.ranking() {
                    @let standing = results.tally.standing(place);
                    tr {
                        td { strong { (name(&found.players, place)) } }
                        td.number data-label=(visitor.t(texts::WINS)) { (share(&standing.wins)) }
                        td.number data-label=(visitor.t(texts::MEAN_RANK)) { (with_margin(visitor, &standing.rank, 2)) }
                        td.number data-label=(visitor.t(texts::MEAN_SCORE)) { (with_margin(visitor, &standing.score, 0)) }
                        td.number data-label=(visitor.t(texts::CPU_USED)) {
                            @match &standing.cpu { Some(cpu) => { (visitor.decimal(&format!("{:.1} %", cpu.value * 100.0))) }, None => { "–" } }
                        }
                        td.number data-label=(visitor.t(texts::FROZEN_SHARE)) { (format!("{:.0} %", standing.frozen.value * 100.0)) }
                        td data-label=(visitor.t(texts::BY_SEAT)) { (by_seat(visitor, found, &results.tally.rank_by_seat(place))) }
                    }
                }
            }
        }
    }
}

fn by_seat(visitor: &Visitor, found: &Training, ranks: &PerSeat<Option<Estimate>>) -> Markup {
    html! { span.scores { @for seat in Seat::ALL {
        span { (dot(&found.game, seat)) @match &ranks[seat] { Some(rank) => { (visitor.decimal(&format!("{:.1}", rank.value))) }, None => { "–" } } }
    } } }
}

/// The same player may be there twice.
fn name(players: &PerSeat<String>, place: usize) -> String {
    let before = players[..place].iter().filter(|one| **one == players[place]).count();
    if before == 0 { players[place].clone() } else { format!("{} ({})", players[place], before + 1) }
}

fn head_to_head(visitor: &Visitor, found: &Training, results: &Results) -> Markup {
    let order = results.tally.ranking();
    html! {
        section {
            h2 { (visitor.t(texts::HEAD_TO_HEAD)) }
            p.quiet { (visitor.t(texts::HEAD_TO_HEAD_HINT)) }
            div.scrolling { table {
                thead { tr { td {} @for &column in &order { th.number { (name(&found.players, column)) } } } }
                tbody { @for &row in &order {
                    tr {
                        th scope="row" { (name(&found.players, row)) }
                        @for &column in &order {
                            td.number { @match results.tally.head_to_head(row, column) {
                                Some(ahead) => (share(&ahead)),
                                None => span.quiet { "–" },
                            } }
                        }
                    }
                } }
            } }
        }
    }
}

fn losses(visitor: &Visitor, found: &Training, results: &Results) -> Markup {
    html! {
        section {
            h2 { (visitor.t(texts::WORST_LOSSES)) }
            dl.facts.losses { @for place in results.tally.ranking() {
                div {
                    dt { (name(&found.players, place)) }
                    @if results.losses[place].is_empty() { dd.quiet { (visitor.t(texts::NEVER_LOST)) } }
                    @for loss in &results.losses[place] {
                        dd { a href={ "/matches/" (loss.id) } {
                            (visitor.fill(texts::BEHIND_BY, &[("points", &loss.behind.to_string()), ("seat", &(loss.seat.index() + 1).to_string())]))
                        } }
                    }
                }
            } }
        }
    }
}

/// All matches: at most as many as one may ask for.
fn matches(visitor: &Visitor, found: &Training, results: &Results, own: PerSeat<bool>) -> Markup {
    html! {
        section {
            h2 { (visitor.t(texts::MATCHES)) }
            ul.rows.card { @for row in &results.matches {
                @if let Some(played) = &row.played {
                    @let best = played.scores.iter().max();
                    @let ranked = best_first(|seat| Some(played.scores[seat]));
                    li {
                        div {
                            a href={ "/matches/" (row.id) } { @for (k, seat) in ranked.into_iter().enumerate() {
                                @if k > 0 { " · " }
                                @let name = name(&found.players, row.seats[seat]);
                                span.contestant { (dot(&found.game, seat)) @if best == Some(&played.scores[seat]) { strong { (name) } } @else { (name) } }
                            } }
                            p.quiet { (visitor.t(texts::SEED)) " " (row.seed) }
                        }
                        span.scores { @for seat in ranked { span.own[own[row.seats[seat]]] { (dot(&found.game, seat)) (played.scores[seat]) } } }
                    }
                }
            } }
        }
    }
}
