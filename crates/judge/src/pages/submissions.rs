//! Submissions: lists, the verdict and the way to it, the source.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::get;
use ludus_sandbox::build::Language;
use maud::{Markup, html};
use std::collections::HashMap;

use super::layout::Sheet;
use super::seasons::{crumbs, encode};
use crate::accounts::Account;
use crate::database::Page;
use crate::matches::{self, Match};
use crate::seasons;
use crate::submissions::{self, Filter, Reason, Stage, Submission};
use crate::texts;
use crate::verification::MATCHES;
use crate::web::{Answer, AppError, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/submissions", get(list))
        .route("/submissions/{id}", get(show))
        .route("/submissions/{id}/source", get(source))
        .route("/submissions/{id}/source.txt", get(source_file))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let account = visitor.signed_in()?;
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let season = match asked("season") {
        "" => None,
        slug => Some(seasons::find(&site.database, slug).await?.ok_or(AppError::NotFound)?),
    };
    let stage = Stage::of(asked("stage"));
    let filter = Filter {
        season: season.as_ref().map_or(0, |season| season.id),
        account: if account.is_instructor() { 0 } else { account.id },
        stage: stage.map_or("", Stage::word),
        text: asked("text").to_owned(),
    };
    let listed = submissions::list(&site.database, &filter, Page::new(asked("page").parse().ok())).await?;
    let all = seasons::list(&site.database).await?;
    let title = visitor.t(texts::SUBMISSIONS);
    let body = html! {
        h1 { (title) " " span.count { (listed.total) } }
        form.filters role="search" {
            (season_select(&visitor, &all, asked("season")))
            div.field {
                label for="stage" { (visitor.t(texts::STATE)) }
                select #stage name="stage" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in [Stage::Accepted, Stage::Rejected, Stage::Retired, Stage::Waiting, Stage::Compiling, Stage::Playing] {
                        option value=(one.word()) selected[stage == Some(one)] { (visitor.t(texts::stage(one))) }
                    }
                }
            }
            div.field { label for="text" { (visitor.t(texts::SEARCH)) } input #text name="text" type="search" value=(asked("text")); }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::NOTHING_SUBMITTED, &html! { (visitor.t(texts::NOTHING_SUBMITTED_HINT)) })) }
        @else { (table(&visitor, &listed.items, true)) }
        (visitor.pager(&listed, &format!("season={}&stage={}&text={}&", encode(asked("season")), encode(asked("stage")), encode(asked("text")))))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

pub fn season_select(visitor: &Visitor, all: &[seasons::Season], chosen: &str) -> Markup {
    html! {
        div.field {
            label for="season" { (visitor.t(texts::SEASON)) }
            select #season name="season" {
                option value="" { (visitor.t(texts::ALL)) }
                @for season in all { option value=(season.slug) selected[season.slug == chosen] { (season.title) } }
            }
        }
    }
}

pub fn table(visitor: &Visitor, listed: &[Submission], with_season: bool) -> Markup {
    html! {
        table.collapsing {
            thead { tr {
                th { (visitor.t(texts::PLAYER)) }
                @if with_season { th { (visitor.t(texts::SEASON)) } }
                @if visitor.is_instructor() { th { (visitor.t(texts::AUTHOR)) } }
                th { (visitor.t(texts::STATE)) }
                th { (visitor.t(texts::SUBMITTED)) }
            } }
            tbody {
                @for one in listed {
                    tr {
                        td { a href={ "/submissions/" (one.id) } { strong { (one.name) } } }
                        @if with_season { td data-label=(visitor.t(texts::SEASON)) { (one.season_title) } }
                        @if visitor.is_instructor() { td data-label=(visitor.t(texts::AUTHOR)) { (one.author) } }
                        td data-label=(visitor.t(texts::STATE)) { (visitor.stage(one.stage)) }
                        td data-label=(visitor.t(texts::SUBMITTED)) { (visitor.time(one.created_at)) }
                    }
                }
            }
        }
    }
}

/// The submission, if this visitor is its author or an instructor. To others it
/// does not exist.
pub async fn own(site: &Site, visitor: &Visitor, id: i64) -> Result<Submission, AppError> {
    let account = visitor.signed_in()?;
    let submission = submissions::find(&site.database, id).await?.ok_or(AppError::NotFound)?;
    if may_see(account, &submission) { Ok(submission) } else { Err(AppError::NotFound) }
}

fn may_see(account: &Account, submission: &Submission) -> bool {
    account.is_instructor() || account.id == submission.account_id
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let submission = own(&site, &visitor, id).await?;
    let played = matches::of_submission(&site.database, id).await?;
    let decided = submission.stage.is_verdict();
    let trouble = if decided { None } else { site.queue.trouble().await? };
    let body = html! {
        div.title {
            h1 { (submission.name) }
            div.actions { a.button.quiet href={ "/submissions/" (id) "/source" } { (visitor.t(texts::SOURCE)) } }
        }
        p.quiet {
            (visitor.fill(texts::SUBMITTED_BY, &[("name", &submission.author)])) " · " (visitor.time(submission.created_at))
            @if !submission.file_name.is_empty() { " · " (submission.file_name) }
        }
        @if trouble.is_some() { p.notice.bad role="status" { (visitor.t(texts::JUDGE_IN_TROUBLE)) } }
        div #progress data-events=[(!decided).then(|| format!("/submissions/{id}/events"))] aria-live="polite" {
            (progress(&visitor, &submission, &played))
        }
        (super::retirement::form(&visitor, &submission))
        @if !decided { noscript { p { a.button.quiet href="" { (visitor.t(texts::RELOAD)) } } } }
    };
    let crumbs = crumbs(&visitor, Some((&submission.season_slug, &submission.season_title)));
    let scripts: &[&str] = if decided { &[] } else { &["live.js"] };
    let sheet = Sheet { title: &submission.name, crumbs, body, reload: !decided, scripts };
    Ok(visitor.page(&sheet).into_response())
}

/// The verdict, or how far the verification has come.
pub fn progress(visitor: &Visitor, submission: &Submission, played: &[Match]) -> Markup {
    html! {
        (verdict(visitor, submission, played))
        ol.timeline {
            (step(visitor, visitor.t(texts::STEP_CHECK), StepState::Done, &html! {}))
            (step(visitor, visitor.t(texts::STEP_COMPILE), compile_state(submission), &html! {}))
            @for number in 0..MATCHES {
                @let found = played.iter().find(|one| one.step == Some(number));
                @let label = match_label(visitor, number);
                @let state = match_state(submission, found, number);
                (step(visitor, &label, state, &html! {
                    @if let Some(one) = found.filter(|one| one.played) {
                        a href={ "/matches/" (one.id) } { (visitor.t(texts::WATCH)) }
                        " " span.quiet { (scores(one)) }
                    }
                }))
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepState {
    Waiting,
    Running,
    Done,
    Failed,
    Skipped,
}

fn step(visitor: &Visitor, label: &str, state: StepState, more: &Markup) -> Markup {
    let (class, text) = match state {
        StepState::Waiting => ("waiting", texts::STAGE_WAITING),
        StepState::Running => ("running", texts::STAGE_RUNNING),
        StepState::Done => ("done", texts::STAGE_DONE),
        StepState::Failed => ("failed", texts::STAGE_FAILED),
        StepState::Skipped => ("skipped", texts::STAGE_SKIPPED),
    };
    html! { li class=(class) { span.label { (label) } span.state { (visitor.t(text)) } div { (more) } } }
}

fn compile_state(submission: &Submission) -> StepState {
    match (submission.stage, submission.reason) {
        (Stage::Waiting, _) => StepState::Waiting,
        (Stage::Compiling, _) => StepState::Running,
        (Stage::Rejected, Some(Reason::Compiler | Reason::Slow | Reason::Module | Reason::OtherName)) => {
            StepState::Failed
        }
        (Stage::Rejected, _) if submission.module.is_none() => StepState::Skipped,
        _ => StepState::Done,
    }
}

fn match_state(submission: &Submission, found: Option<&Match>, number: i64) -> StepState {
    let decided = submission.stage.is_verdict();
    match found {
        Some(one) if one.played => {
            let fine =
                if number == 0 { one.seats.iter().all(|seat| seat.fault.is_none()) } else { one.is_won_by(number - 1) };
            if fine { StepState::Done } else { StepState::Failed }
        }
        _ if decided => StepState::Skipped,
        Some(_) => StepState::Running,
        None => StepState::Waiting,
    }
}

pub fn match_label(visitor: &Visitor, step: i64) -> String {
    if step == 0 {
        return visitor.t(texts::MATCH_COPIES).to_owned();
    }
    visitor.fill(texts::MATCH_DUMMIES, &[("seat", &step.to_string())])
}

fn scores(one: &Match) -> String {
    let scores: Vec<String> = one.seats.iter().map(|seat| seat.score.unwrap_or(0).to_string()).collect();
    scores.join(" – ")
}

fn verdict(visitor: &Visitor, submission: &Submission, played: &[Match]) -> Markup {
    let detail = submission.detail.as_deref().unwrap_or_default();
    let cause = played.iter().find(|one| one.id.to_string() == detail);
    match submission.stage {
        Stage::Accepted => html! {
            section.verdict.good {
                h2 { (visitor.t(texts::VERDICT_ACCEPTED)) }
                p { (visitor.fill(texts::ACCEPTED_HINT, &[("name", &submission.name)])) }
            }
        },
        Stage::Retired => html! {
            section.verdict.bad {
                h2 { (visitor.t(texts::VERDICT_RETIRED)) }
                p { (visitor.fill(texts::RETIRED_HINT, &[("name", &submission.name)])) }
                p { strong { (visitor.t(texts::WHY)) ": " } (submission.retired.as_deref().unwrap_or_default()) }
            }
        },
        Stage::Rejected => html! {
            section.verdict.bad {
                h2 { (visitor.t(texts::VERDICT_REJECTED)) }
                p { (reason(visitor, submission, cause)) }
                @if submission.reason == Some(Reason::Compiler) { pre.messages { code { (detail) } } }
                @if let Some(one) = cause {
                    p { a.button href={ "/matches/" (one.id) } { (visitor.t(texts::WATCH_CAUSE)) } }
                }
                p.quiet { (visitor.t(if submission.reason == Some(Reason::NameTaken) { texts::NAME_IS_TAKEN } else { texts::NAME_STAYS_FREE })) }
            }
        },
        Stage::Waiting | Stage::Compiling | Stage::Playing => html! {
            section.verdict {
                h2 { (visitor.t(texts::VERDICT_PENDING)) }
                p { (visitor.t(texts::PENDING_HINT)) }
            }
        },
    }
}

/// Why a submission was rejected, in a sentence.
fn reason(visitor: &Visitor, submission: &Submission, cause: Option<&Match>) -> String {
    let detail = submission.detail.as_deref().unwrap_or_default();
    let name = submission.name.as_str();
    let values = [("name", name), ("about", detail)];
    match submission.reason {
        Some(Reason::Compiler) => visitor.t(texts::REASON_COMPILER).to_owned(),
        Some(Reason::Slow) => visitor.fill(texts::REASON_SLOW, &values),
        Some(Reason::Module) => visitor.fill(texts::REASON_MODULE, &values),
        Some(Reason::OtherName) => visitor.fill(texts::REASON_OTHER_NAME, &values),
        Some(Reason::NameTaken) => visitor.fill(texts::NAME_TAKEN, &[("about", name)]),
        Some(Reason::ExampleTwice) => visitor.t(texts::REASON_EXAMPLE_TWICE).to_owned(),
        Some(Reason::Fault) => {
            let fault = cause.and_then(|one| one.seats.iter().find_map(|seat| Some((seat.seat, seat.fault.as_ref()?))));
            let Some((seat, (round, fault))) = fault else { return visitor.t(texts::REASON_FAULT_PLAIN).to_owned() };
            let (seat, round) = ((seat + 1).to_string(), round.to_string());
            visitor.fill(
                texts::REASON_FAULT,
                &[("seat", &seat), ("round", &round), ("fault", &texts::fault(visitor.language, fault))],
            )
        }
        Some(Reason::NotWon) => {
            let step = cause.and_then(|one| one.step).unwrap_or(0).to_string();
            let scores = cause.map(scores).unwrap_or_default();
            visitor.fill(texts::REASON_NOT_WON, &[("seat", &step), ("scores", &scores)])
        }
        Some(Reason::Overtime) => {
            let mut numbers = detail.split(' ');
            let mut next = || numbers.next().unwrap_or_default();
            visitor.fill(texts::REASON_OVERTIME, &[("match", next()), ("seat", next()), ("seconds", next())])
        }
        None => String::new(),
    }
}

async fn source(State(site): State<Site>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let submission = own(&site, &visitor, id).await?;
    let source = submissions::source(&site.database, id).await?;
    let text = String::from_utf8_lossy(&source);
    let title = visitor.t(texts::SOURCE);
    let body = html! {
        div.title {
            h1 { (submission.name) }
            div.actions { a.button.quiet href={ "/submissions/" (id) "/source.txt" } download=(file_name(&submission)) { (visitor.t(texts::DOWNLOAD)) } }
        }
        p.quiet { (visitor.t(texts::SOURCE_PRIVATE)) }
        ol.listing { @for line in text.lines() { li { code { (line) } } } }
    };
    let mut crumbs = crumbs(&visitor, Some((&submission.season_slug, &submission.season_title)));
    crumbs.push((format!("/submissions/{id}"), submission.name.clone()));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

async fn source_file(State(site): State<Site>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    let submission = own(&site, &visitor, id).await?;
    let source = submissions::source(&site.database, submission.id).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], source).into_response())
}

/// The name under which a source is downloaded: one that `ludus play` finds.
fn file_name(submission: &Submission) -> String {
    match submission.language {
        Language::Cpp => format!("AI{}.cc", submission.name),
        Language::Rust => format!("{}.rs", submission.name),
    }
}
