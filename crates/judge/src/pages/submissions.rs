//! Submissions: lists, the verdict and the way to it, the source.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use axum::routing::get;
use ludus_games::Seat;
use ludus_sandbox::build::Language;
use maud::{Markup, html};
use std::collections::HashMap;

use super::layout::Sheet;
use super::matches::{dot, ranked};
use super::seasons::{crumbs, encode};
use super::verdict::{Outlook, verdict};
use crate::database::Slice;
use crate::ids::SubmissionId;
use crate::invisible::shown;
use crate::matches::{self, Match, Step};
use crate::seasons;
use crate::submissions::{self, Filter, Stage, Submission, Verdict};
use crate::texts;
use crate::web::{Answer, AppError, Site, Visitor};
use crate::words::words;

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/submissions", get(list))
        .route("/submissions/{id}", get(show))
        .route("/submissions/{id}/source", get(source))
        .route("/submissions/{id}/source.txt", get(source_file))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.signed_in()?;
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let season = match asked("season") {
        "" => None,
        slug => Some(seasons::find(&site.database, slug).await?.ok_or(AppError::NotFound)?),
    };
    let stage = Stage::of(asked("stage"));
    let filter = Filter {
        season: season.as_ref().map(|season| season.id),
        stage,
        text: asked("text").to_owned(),
        ..Filter::default()
    };
    let slice = Slice::page(asked("before").parse().ok());
    let listed = submissions::list(&site.database, visitor.viewer(), &filter, slice).await?;
    let all = seasons::list(&site.database).await?;
    let is_whole = ["season", "stage", "text"].iter().all(|name| asked(name).is_empty());
    let next = if listed.items.is_empty() && is_whole {
        html! { (visitor.t(texts::NOTHING_SUBMITTED_HINT)) " " (super::next::submitting(&site, &visitor).await?) }
    } else {
        html! { a href="/submissions" { (visitor.t(texts::SHOW_EVERYTHING)) } " · " a href="/" { (visitor.t(texts::SEASONS)) } }
    };
    let title = visitor.t(texts::SUBMISSIONS);
    let body = html! {
        h1 { (title) @if let Some(count) = listed.count() { " " span.count { (count) } } }
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
        @if listed.items.is_empty() { (visitor.empty(if is_whole { texts::NOTHING_SUBMITTED } else { texts::NOTHING_FITS }, &next)) }
        @else { (table(&visitor, &listed.items, true)) }
        (visitor.further(&listed, &format!("season={}&stage={}&text={}&", encode(asked("season")), encode(asked("stage")), encode(asked("text")))))
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

/// The submission, if this visitor may see it. To others it does not exist.
pub async fn visible(site: &Site, visitor: &Visitor, id: SubmissionId) -> Result<Submission, AppError> {
    visitor.signed_in()?;
    submissions::find_visible(&site.database, visitor.viewer(), id).await?.ok_or(AppError::NotFound)
}

async fn show(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    let submission = visible(&site, &visitor, id).await?;
    let played = matches::of_submission(&site.database, id).await?;
    let text = submissions::source(&site.database, id).await?;
    let warnings = ludus_sandbox::build::warnings(submission.language, &file_name(&submission), &text);
    let decided = submission.stage.is_verdict();
    let trouble = if decided { None } else { site.queue.trouble().await? };
    let ahead = if decided { 0 } else { submissions::mark(&site.database, id).await?.map_or(0, |mark| mark.ahead) };
    let outlook = Outlook::of(&site, &visitor, &submission, ahead).await?;
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
            (progress(&visitor, &submission, &played, &outlook))
        }
        @if !warnings.is_empty() {
            section { h2 { (visitor.t(texts::WARNINGS)) } pre.messages { code { (shown(&texts::compiler(visitor.language, &warnings))) } } }
        }
        (super::training_form::publicity(&visitor, &submission))
        (super::retirement::form(&visitor, &submission))
        @if !decided { noscript { p { a.button.quiet href="" { (visitor.t(texts::RELOAD)) } } } }
    };
    let crumbs = crumbs(&visitor, Some((&submission.season_slug, &submission.season_title)));
    let scripts: &[&str] = if decided { &[] } else { &["live.js"] };
    let sheet = Sheet { title: &submission.name, crumbs, body, reload: !decided, scripts, ..Sheet::default() };
    Ok(visitor.page(&sheet).into_response())
}

/// The verdict, or how far the verification has come.
pub fn progress(visitor: &Visitor, submission: &Submission, played: &[Match], outlook: &Outlook) -> Markup {
    html! {
        (verdict(visitor, submission, played, outlook))
        ol.timeline {
            (line(visitor, visitor.t(texts::STEP_CHECK), StepState::Done, &html! {}))
            (line(visitor, visitor.t(texts::STEP_COMPILE), compile_state(submission), &html! {}))
            @for step in Step::all() {
                @let found = played.iter().find(|one| one.verifies.is_some_and(|(_, of)| of == step));
                @let label = match_label(visitor, step);
                @let state = match_state(submission, found, step);
                (line(visitor, &label, state, &html! {
                    @if let Some(one) = found.filter(|one| one.played) {
                        a href={ "/matches/" (one.id) } { (visitor.t(texts::WATCH)) }
                        (marked_scores(one, submission.id))
                    }
                }))
            }
        }
    }
}

words! {
    /// How far a step of a verification has come.
    pub enum StepState {
        Waiting = "waiting",
        Running = "running",
        Done = "done",
        Failed = "failed",
        Skipped = "skipped",
    }
}

fn line(visitor: &Visitor, label: &str, state: StepState, more: &Markup) -> Markup {
    let text = match state {
        StepState::Waiting => texts::STAGE_WAITING,
        StepState::Running => texts::STAGE_RUNNING,
        StepState::Done => texts::STAGE_DONE,
        StepState::Failed => texts::STAGE_FAILED,
        StepState::Skipped => texts::STAGE_SKIPPED,
    };
    html! { li class=(state.word()) { span.label { (label) } span.state { (visitor.t(text)) } div { (more) } } }
}

pub fn compile_state(submission: &Submission) -> StepState {
    match (submission.stage, &submission.verdict) {
        (Stage::Waiting, _) => StepState::Waiting,
        (Stage::Compiling, _) => StepState::Running,
        (_, Some(Verdict::Rejected(reason))) if reason.is_of_the_source() => StepState::Failed,
        (Stage::Rejected, _) if submission.module.is_none() => StepState::Skipped,
        _ => StepState::Done,
    }
}

pub fn match_state(submission: &Submission, found: Option<&Match>, step: Step) -> StepState {
    let decided = submission.stage.is_verdict();
    match found {
        Some(one) if one.played && one.passes(step) => StepState::Done,
        Some(one) if one.played => StepState::Failed,
        _ if decided => StepState::Skipped,
        Some(_) => StepState::Running,
        None => StepState::Waiting,
    }
}

pub fn match_label(visitor: &Visitor, step: Step) -> String {
    match step {
        Step::Copies => visitor.t(texts::MATCH_COPIES).to_owned(),
        Step::Seat(seat) => visitor.fill(texts::MATCH_DUMMIES, &[("seat", &ordinal(seat))]),
    }
}

/// A seat as people count.
pub fn ordinal(seat: Seat) -> String {
    seat.ordinal().to_string()
}

/// How long something takes, in words.
pub fn duration(visitor: &Visitor, ms: i64) -> String {
    let seconds = (ms + 999) / 1000;
    match seconds {
        0..120 => visitor.fill(texts::SECONDS, &[("count", &seconds.to_string())]),
        _ => visitor.fill(texts::ABOUT_MINUTES, &[("count", &((seconds + 59) / 60).to_string())]),
    }
}

/// The scores of a match, the best first, with those of one player marked.
fn marked_scores(one: &Match, own: SubmissionId) -> Markup {
    html! {
        span.scores { @for seat in ranked(one) {
            span.own[seat.submission == Some(own)] { (dot(&one.game, seat.seat)) (seat.score.unwrap_or(0)) }
        } }
    }
}

async fn source(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    let submission = visible(&site, &visitor, id).await?;
    let source = submissions::source(&site.database, id).await?;
    let text = String::from_utf8_lossy(&source);
    let title = visitor.t(texts::SOURCE);
    let body = html! {
        div.title {
            h1 { (submission.name) }
            div.actions { a.button.quiet href={ "/submissions/" (id) "/source.txt" } download=(file_name(&submission)) { (visitor.t(texts::DOWNLOAD)) } }
        }
        p.quiet { (visitor.t(texts::SOURCE_PRIVATE)) }
        ol.listing { @for line in text.lines() { li { code { (shown(line)) } } } }
    };
    let mut crumbs = crumbs(&visitor, Some((&submission.season_slug, &submission.season_title)));
    crumbs.push((format!("/submissions/{id}"), submission.name.clone()));
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

pub async fn source_file(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    let submission = visible(&site, &visitor, id).await?;
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
