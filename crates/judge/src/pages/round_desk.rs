//! Where instructors run the official rounds of a season.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::awaited;
use super::layout::{Field, Sheet};
use super::round_view::{self, number, person, starts};
use super::seasons::{crumbs, season};
use crate::actions::{self, Action, Entry};
use crate::ids::AccountId;
use crate::official::board::{self, Board};
use crate::official::progress::{self, Start};
use crate::official::rounds::State as RoundState;
use crate::official::schedule::{self, Schedule, read_times, written_times};
use crate::official::{entrants, rounds};
use crate::seasons::Season;
use crate::texts;
use crate::web::{Answer, AppError, Asked, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/seasons/{slug}/desk", get(show).post(save))
        .route("/seasons/{slug}/desk/start", post(start))
        .route("/seasons/{slug}/desk/retry", post(retry))
        .route("/seasons/{slug}/desk/cancel", post(cancel))
        .route("/seasons/{slug}/desk/undo", post(undo))
        .route("/seasons/{slug}/desk/pause", post(pause))
        .route("/seasons/{slug}/desk/resume", post(resume))
        .route("/seasons/{slug}/desk/withdraw", post(withdraw))
        .route("/seasons/{slug}/desk/keep", post(keep))
}

fn refused(text: texts::Text) -> AppError {
    AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, text)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, Query(query): Asked) -> Answer {
    visitor.instructor()?;
    let board = board::find(&site.database, season(&site, &slug).await?).await?;
    let (all, chosen) =
        (entrants::roster_groups(&site.database).await?, entrants::groups(&site.database, board.season.id).await?);
    let awaited = awaited::card(&site, &visitor, &board.season, board.schedule.entered_at.is_some()).await?;
    let title = visitor.t(texts::DESK);
    let action = |what: &str| format!("/seasons/{slug}/desk/{what}");
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        div.title {
            h1 { (title) }
            a.button.quiet href={ "/seasons/" (slug) "/rounds" } { (visitor.t(texts::OFFICIAL_ROUNDS)) }
        }
        div.columns {
            div.stack {
                (awaited)
                (under_way(&visitor, &board, &action))
                (pausing(&visitor, &board, &action))
                (undoing(&visitor, &board, &action))
                (leaving(&visitor, &board, &action))
            }
            (settings(&visitor, &board, &all, &chosen))
        }
    };
    let crumbs = crumbs(&visitor, Some((&slug, &board.season.title)));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

/// A form of one button, with a reason if it needs one.
fn form(visitor: &Visitor, action: &str, button: texts::Text, reason: bool, more: &Markup) -> Markup {
    html! {
        form.start method="post" action=(action) {
            (visitor.token())
            (more)
            @if reason {
                label.field { (visitor.t(texts::WHY)) input name="reason" required autocomplete="off"; }
            }
            button.quiet[reason] { (visitor.t(button)) }
        }
    }
}

fn under_way(visitor: &Visitor, board: &Board, action: &dyn Fn(&str) -> String) -> Markup {
    let Some(round) =
        board.rounds.last().filter(|round| matches!(round.state, RoundState::Committed | RoundState::Playing))
    else {
        return html! { section.card { h2 { (visitor.t(texts::NEXT_ROUND)) } p.quiet { (visitor.t(if board.rounds.is_empty() { texts::NO_ROUNDS_HINT } else { texts::NO_ROUND_PLANNED })) " " a href="#schedule" { (visitor.t(texts::TO_SCHEDULE)) } } } };
    };
    let stopped = board.stopped.as_ref().filter(|_| round.state == RoundState::Playing);
    html! {
        section.card {
            h2 { a href={ "/seasons/" (board.season.slug) "/rounds/" (round.number) } { (number(visitor, round)) } }
            (round_view::state(visitor, round, stopped.is_some()))
            @if round.state == RoundState::Committed {
                p { (starts(visitor, round)) }
                p.quiet { (visitor.t(texts::COMMITMENT)) " " code { (round.commitment) } }
                @if board.schedule.paused.is_none() { (form(visitor, &action("start"), texts::START_NOW, false, &html! {})) }
                details { summary { (visitor.t(texts::CANCEL_ROUND)) } (form(visitor, &action("cancel"), texts::CANCEL_ROUND, true, &html! {})) }
            }
            @if let Some((id, why)) = stopped {
                p.notice.bad { (visitor.t(texts::STOPPED_EXPLAINED)) }
                p { a href={ "/matches/" (id) } { (visitor.t(texts::MATCH)) " " (id) } }
                pre { code { (why) } }
                (form(visitor, &action("retry"), texts::PLAY_AGAIN, false, &html! {}))
                details { summary { (visitor.t(texts::CANCEL_ROUND)) } (form(visitor, &action("cancel"), texts::CANCEL_ROUND, true, &html! {})) }
            }
        }
    }
}

fn pausing(visitor: &Visitor, board: &Board, action: &dyn Fn(&str) -> String) -> Markup {
    html! {
        section.card {
            h2 { (visitor.t(texts::PAUSE)) }
            @match &board.schedule.paused {
                Some(reason) => {
                    p.notice { (visitor.fill(texts::PAUSED_SEASON, &[("reason", reason)])) }
                    (form(visitor, &action("resume"), texts::RESUME, false, &html! {}))
                },
                None => (form(visitor, &action("pause"), texts::PAUSE, true, &html! {})),
            }
        }
    }
}

fn undoing(visitor: &Visitor, board: &Board, action: &dyn Fn(&str) -> String) -> Markup {
    let last = board.rounds.iter().rev().find(|round| round.counts());
    let Some((round, out)) = last.and_then(|round| Some((round, board.person(round.elimination?.author)?))) else {
        return html! {};
    };
    let name = format!("{} ({})", out.player.clone().unwrap_or_default(), out.entrant.student);
    html! {
        section.card {
            h2 { (visitor.t(texts::UNDO_LAST)) }
            p { (visitor.fill(texts::UNDO_EXPLAINED, &[("name", &name), ("number", &round.number.to_string())])) }
            details { summary { (visitor.t(texts::UNDO_LAST)) } (form(visitor, &action("undo"), texts::UNDO_LAST, true, &html! {})) }
        }
    }
}

fn leaving(visitor: &Visitor, board: &Board, action: &dyn Fn(&str) -> String) -> Markup {
    let hidden = |account: AccountId| html! { input type="hidden" name="account" value=(account); };
    let choice = html! {
        div.field { label { (visitor.t(texts::PLAYER))
            select name="account" {
                @for one in board.left.iter().filter(|one| one.entrant.leaving.is_none()) {
                    option value=(one.entrant.account) { (one.player.clone().unwrap_or_default()) " · " (one.entrant.student) }
                }
            }
        } }
    };
    html! {
        @if !board.left.is_empty() {
            section.card {
                h2 { (visitor.t(texts::WITHDRAW_AUTHOR)) }
                ul.rows {
                    @for one in board.left.iter() {
                        @if let Some(reason) = &one.entrant.leaving {
                            li {
                                div { (person(one, true)) p.quiet { (visitor.t(texts::LEAVES_NEXT)) ": " (reason) } }
                                (form(visitor, &action("keep"), texts::KEEP_AUTHOR, false, &hidden(one.entrant.account)))
                            }
                        }
                    }
                }
                details { summary { (visitor.t(texts::WITHDRAW_AUTHOR)) } (form(visitor, &action("withdraw"), texts::WITHDRAW_AUTHOR, true, &choice)) }
            }
        }
    }
}

fn settings(visitor: &Visitor, board: &Board, all: &[(String, i64)], chosen: &[String]) -> Markup {
    let Schedule { times, days, rounds_each, most_rounds, least_left, gives_modules, .. } = &board.schedule;
    let words: Vec<&str> = visitor.t(texts::WEEKDAYS).split(' ').collect();
    let number = |name: &'static str, label, value: String, hint: &str, required| {
        let label = visitor.t(label);
        Field { name, label, kind: "number", value: &value, hint, required, ..Field::default() }.html()
    };
    html! {
        form.card #schedule method="post" {
            (visitor.token())
            h2 { (visitor.t(texts::SCHEDULE)) }
            (Field { name: "times", label: visitor.t(texts::SCHEDULE_TIMES), value: &written_times(times), hint: visitor.t(texts::SCHEDULE_TIMES_HINT), required: false, ..Field::default() }.html())
            fieldset.checks {
                legend { (visitor.t(texts::SCHEDULE_DAYS)) }
                @for (day, word) in words.iter().enumerate() {
                    label { input type="checkbox" name={ "day" (day + 1) } checked[days[day]]; " " (word) }
                }
            }
            (number("each", texts::ROUNDS_EACH, rounds_each.to_string(), "", true))
            (number("most", texts::MOST_ROUNDS, most_rounds.map_or(String::new(), |most| most.to_string()), visitor.t(texts::MOST_ROUNDS_HINT), false))
            (number("least", texts::LEAST_LEFT, least_left.to_string(), "", true))
            fieldset.checks {
                legend { (visitor.t(texts::GROUPS)) }
                @for (k, (team, students)) in all.iter().enumerate() {
                    label {
                        input type="hidden" name={ "name" (k) } value=(team);
                        input type="checkbox" name={ "group" (k) } checked[chosen.contains(team)]; " " (team) " " span.count { (students) }
                    }
                }
                p.hint { (visitor.t(texts::GROUPS_HINT)) }
            }
            div.field.checks {
                label { input type="checkbox" name="modules" checked[*gives_modules]; " " (visitor.t(texts::GIVE_MODULES)) }
                p.hint { (visitor.t(texts::GIVE_MODULES_HINT)) }
            }
            div.finish { button { (visitor.t(texts::SAVE)) } }
        }
    }
}

/// The most groups that a form can name.
const MOST_GROUPS: usize = 1000;

async fn save(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let times = read_times(fields.get("times")).ok_or(refused(texts::SCHEDULE_TIMES_WRONG))?;
    let number = |name: &str, least: i64, most: i64| {
        fields.number(name).filter(|number| (least..=most).contains(number)).ok_or(refused(texts::BAD_REQUEST))
    };
    let most_rounds = if fields.get("most").is_empty() { None } else { Some(number("most", 1, 100_000)?) };
    let known = schedule::find(site.database.read(), season.id).await?;
    let schedule = Schedule {
        times,
        days: std::array::from_fn(|day| !fields.get(&format!("day{}", day + 1)).is_empty()),
        rounds_each: number("each", 1, 1000)?,
        most_rounds,
        least_left: number("least", 1, 100_000)?,
        gives_modules: !fields.get("modules").is_empty(),
        ..known
    };
    let is_chosen = |k: &usize| !fields.get(&format!("group{k}")).is_empty();
    let groups = (0..MOST_GROUPS).filter(is_chosen).map(|k| fields.raw(&format!("name{k}")).to_owned());
    let mut tx = site.database.begin().await?;
    schedule::update(&mut tx, season.id, &schedule).await?;
    entrants::set_groups(&mut tx, season.id, &groups.collect::<Vec<_>>()).await?;
    site.director().reschedule(&mut tx, &season, visitor.received_at).await?;
    let detail = written_times(&schedule.times);
    record(&mut tx, actor.id, Action::ChangeSchedule, &season, &detail, "").await?;
    tx.commit().await?;
    Ok(back(&slug))
}

fn back(slug: &str) -> Response {
    Redirect::to(&format!("/seasons/{slug}/desk?said=saved")).into_response()
}

fn reason(fields: &Fields) -> Result<String, AppError> {
    let reason: String = fields.get("reason").chars().filter(|c| !c.is_control()).take(300).collect();
    if reason.is_empty() { Err(refused(texts::REASON_NEEDED)) } else { Ok(reason) }
}

async fn record(
    tx: &mut crate::database::Tx,
    actor: AccountId,
    action: Action,
    season: &Season,
    detail: &str,
    reason: &str,
) -> Result<(), AppError> {
    let entry = Entry { season: Some(season.id), detail, reason, ..Entry::new(actor, action) };
    Ok(actions::record(tx, &entry).await?)
}

async fn start(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    if schedule::find(site.database.read(), season.id).await?.paused.is_some() {
        return Err(refused(texts::SEASON_PAUSED));
    }
    let round = rounds::under_way(site.database.read(), season.id).await?.ok_or(refused(texts::TOO_LATE_NOW))?;
    let mut tx = site.database.begin().await?;
    if progress::start(&mut tx, &site.queue, &season, round.id).await? == Start::TooLate {
        tx.rollback().await?;
        return Err(refused(texts::TOO_LATE_NOW));
    }
    record(&mut tx, actor.id, Action::StartRound, &season, &round.number.to_string(), "").await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(Redirect::to(&format!("/seasons/{slug}/rounds/{}", round.number)).into_response())
}

async fn retry(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let round = rounds::under_way(site.database.read(), season.id).await?.ok_or(refused(texts::TOO_LATE_NOW))?;
    let mut tx = site.database.begin().await?;
    progress::retry(&mut tx, round.id).await?;
    record(&mut tx, actor.id, Action::RetryRound, &season, &round.number.to_string(), "").await?;
    tx.commit().await?;
    site.queue.announce();
    Ok(back(&slug))
}

async fn cancel(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let reason = reason(&fields)?;
    let round = rounds::under_way(site.database.read(), season.id).await?.ok_or(refused(texts::TOO_LATE_NOW))?;
    let mut tx = site.database.begin().await?;
    if !progress::cancel(&mut tx, round.id, &reason).await? {
        tx.rollback().await?;
        return Err(refused(texts::TOO_LATE_NOW));
    }
    record(&mut tx, actor.id, Action::CancelRound, &season, &round.number.to_string(), &reason).await?;
    tx.commit().await?;
    Ok(back(&slug))
}

async fn undo(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let reason = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    let Some(round) = progress::undo(&mut tx, season.id, &reason, actor.id).await? else {
        tx.rollback().await?;
        return Err(refused(texts::TOO_LATE_NOW));
    };
    record(&mut tx, actor.id, Action::UndoElimination, &season, &round.number.to_string(), &reason).await?;
    tx.commit().await?;
    Ok(back(&slug))
}

async fn pause(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let reason = reason(&fields)?;
    let mut tx = site.database.begin().await?;
    schedule::pause(&mut tx, season.id, Some(&reason)).await?;
    record(&mut tx, actor.id, Action::PauseSeason, &season, "", &reason).await?;
    tx.commit().await?;
    Ok(back(&slug))
}

async fn resume(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, _: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let mut tx = site.database.begin().await?;
    schedule::pause(&mut tx, season.id, None).await?;
    // What has passed meanwhile is not made up for.
    site.director().reschedule(&mut tx, &season, visitor.received_at).await?;
    record(&mut tx, actor.id, Action::ResumeSeason, &season, "", "").await?;
    tx.commit().await?;
    Ok(back(&slug))
}

async fn withdraw(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let (reason, account) = (reason(&fields)?, AccountId(fields.number("account").unwrap_or(0)));
    let mut tx = site.database.begin().await?;
    if !entrants::withdraw(&mut tx, season.id, account, &reason, actor.id).await? {
        tx.rollback().await?;
        return Err(refused(texts::TOO_LATE_NOW));
    }
    let entry = Entry {
        account: Some(account),
        season: Some(season.id),
        reason: &reason,
        ..Entry::new(actor.id, Action::WithdrawAuthor)
    };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(back(&slug))
}

async fn keep(State(site): State<Site>, visitor: Visitor, Path(slug): Path<String>, fields: Fields) -> Answer {
    let actor = visitor.instructor()?;
    let season = season(&site, &slug).await?;
    let account = AccountId(fields.number("account").unwrap_or(0));
    let mut tx = site.database.begin().await?;
    if !entrants::keep(&mut tx, season.id, account).await? {
        tx.rollback().await?;
        return Err(refused(texts::TOO_LATE_NOW));
    }
    let entry = Entry { account: Some(account), season: Some(season.id), ..Entry::new(actor.id, Action::KeepAuthor) };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(back(&slug))
}
