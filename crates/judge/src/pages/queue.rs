//! What is being done, for instructors: the queue, and what is in trouble.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::Sheet;
use crate::actions::{self, Action, Entry};
use crate::database::Page;
use crate::ids::JobId;
use crate::jobs::{Compare, Compile, Job, Observe, Play, Prove};
use crate::queue::{self, Listing, Priority, State as JobState, Workers};
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/workshop", get(show))
        .route("/workshop/table", get(part))
        .route("/workshop/retry", post(retry_all))
        .route("/workshop/{job}/retry", post(retry))
}

/// The states that are listed.
const STATES: [JobState; 3] = [JobState::Parked, JobState::Running, JobState::Waiting];

/// A state as a badge and in words.
fn shown(state: JobState) -> (&'static str, Text) {
    match state {
        JobState::Parked => ("rejected", texts::PARKED),
        JobState::Running => ("playing", texts::STAGE_RUNNING),
        JobState::Waiting => ("waiting", texts::STAGE_WAITING),
        JobState::Done => ("accepted", texts::STAGE_DONE),
    }
}

pub fn priority(priority: Priority) -> Text {
    match priority {
        Priority::Official => texts::OFFICIAL,
        Priority::Verification => texts::VERIFICATION,
        Priority::Training => texts::TRAINING,
        Priority::Ladder => texts::LADDER,
        Priority::Comparison => texts::COMPARISON,
    }
}

/// Which jobs a page is about.
struct Asked {
    state: Option<JobState>,
    page: Page,
}

impl Asked {
    fn of(query: &HashMap<String, String>) -> Asked {
        let asked = query.get("state").map_or("", String::as_str);
        let state = STATES.into_iter().find(|state| asked == state.word());
        Asked { state, page: Page::new(query.get("page").and_then(|page| page.parse().ok())) }
    }

    fn word(&self) -> &'static str {
        self.state.map_or("", JobState::word)
    }
}

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = Asked::of(&query);
    let title = visitor.t(texts::WORKSHOP);
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        h1 { (title) }
        p.lead { (visitor.t(texts::WORKSHOP_HINT)) " " a href="/storage" { (visitor.t(texts::STORAGE)) } " · " a href="/workers" { (visitor.t(texts::FLEET)) } }
        form.filters role="search" {
            div.field {
                label for="state" { (visitor.t(texts::STATE)) }
                select #state name="state" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in STATES { option value=(one.word()) selected[asked.state == Some(one)] { (visitor.t(shown(one).1)) } }
                }
            }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        div.stack data-poll={ "/workshop/table?state=" (asked.word()) "&page=" (asked.page.number) } { (tables(&site, &visitor, &asked).await?) }
    };
    Ok(visitor.page(&Sheet { title, body, scripts: &["poll.js"], ..Sheet::default() }).into_response())
}

/// The part of the page that changes while somebody looks.
async fn part(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    Ok(tables(&site, &visitor, &Asked::of(&query)).await?.into_response())
}

/// Jobs that are shown of those that are done.
const LATELY: i64 = 10;

async fn tables(site: &Site, visitor: &Visitor, asked: &Asked) -> Result<Markup, AppError> {
    let listed = queue::unfinished(&site.database, asked.state, asked.page).await?;
    let lately = queue::lately(&site.database, LATELY).await?;
    let crews = queue::workers(&site.database).await?;
    let again = queue::failed(&site.database).await?;
    let trouble = site.queue.trouble().await?;
    Ok(html! {
        @if let Some(trouble) = trouble {
            p.notice.bad role="alert" { (visitor.t(texts::PAUSED)) " " (visitor.t(texts::trouble(trouble))) }
        }
        @if again > 0 || trouble.is_some() {
            form method="post" action="/workshop/retry" { (visitor.token()) button { (visitor.t(texts::RETRY_ALL)) } }
        }
        (workers(visitor, &crews))
        section.stack {
            h2 { (visitor.t(texts::TO_BE_DONE)) " " span.count { (listed.total) } }
            @if listed.items.is_empty() { (visitor.empty(texts::IDLE, &html! { (visitor.t(texts::IDLE_HINT)) " " a href="/submissions" { (visitor.t(texts::SUBMISSIONS)) } })) }
            @else { (table(visitor, &listed.items, texts::SUBMITTED)) }
            (visitor.pager(&listed, &format!("state={}&", asked.word())))
        }
        @if !lately.is_empty() {
            section.stack { h2 { (visitor.t(texts::DONE_LATELY)) } (table(visitor, &lately, texts::DONE_AT)) }
        }
    })
}

/// Who works, process by process.
fn workers(visitor: &Visitor, crews: &[Workers]) -> Markup {
    let count: i64 = crews.iter().map(|crew| crew.workers).sum();
    html! {
        dl.facts {
            div { dt { (visitor.t(texts::WORKERS)) } dd { (count) } }
            @for (number, crew) in (1..).zip(crews) {
                div {
                    dt { (visitor.fill(texts::PROCESS, &[("number", &number.to_string())])) }
                    dd {
                        (visitor.fill(texts::JOBS_TAKEN, &[("count", &crew.taken.to_string())]))
                        @if let Some(trouble) = crew.pause { " " span.badge.rejected { (visitor.t(texts::trouble(trouble))) } }
                    }
                }
            }
        }
    }
}

fn table(visitor: &Visitor, jobs: &[Listing], time: Text) -> Markup {
    html! {
        table.collapsing.jobs {
            thead { tr { th { (visitor.t(texts::WORK)) } th { (visitor.t(texts::PLAYERS)) } th { (visitor.t(texts::FOR_WHOM)) } th { (visitor.t(texts::PRIORITY)) } th { (visitor.t(texts::STATE)) } th { (visitor.t(time)) } } }
            tbody { @for job in jobs { (row(visitor, job, time)) } }
        }
    }
}

/// What is to be done, with a link to what it is about.
fn about(visitor: &Visitor, job: Option<Job>) -> Markup {
    let (address, label, number) = match job {
        Some(Job::Climb(_)) => return html! { (visitor.t(texts::LADDER_PAGE)) },
        Some(Job::Compile(Compile { submission })) => ("/submissions/", texts::COMPILE, submission.0),
        Some(Job::Compare(Compare { submission })) => ("/submissions/", texts::COMPARISON, submission.0),
        Some(Job::Observe(Observe { likeness })) => ("/likeness/", texts::COMPARISON, likeness.0),
        Some(Job::Play(Play { id }) | Job::Prove(Prove { id })) => ("/matches/", texts::MATCH, id.0),
        None => return html! { "?" },
    };
    html! { a.capital href={ (address) (number) } { (visitor.t(label)) " " (number) } }
}

fn row(visitor: &Visitor, job: &Listing, time: Text) -> Markup {
    let (class, state) = shown(job.state);
    html! {
        tr {
            td { (about(visitor, job.job)) }
            td data-label=(visitor.t(texts::PLAYERS)) { (job.names) }
            td data-label=(visitor.t(texts::FOR_WHOM)) { (job.account) }
            td data-label=(visitor.t(texts::PRIORITY)) { (visitor.t(priority(job.priority))) }
            td data-label=(visitor.t(texts::STATE)) {
                span class={ "badge " (class) } { (visitor.t(state)) }
                @if job.failures > 0 { " " (visitor.fill(texts::FAILURES, &[("count", &job.failures.to_string())])) }
                @if job.is_deadly { p { (visitor.t(texts::DEADLY)) } }
                @if let Some(error) = &job.error { pre { code { (error) } } }
                @if job.state == JobState::Parked || job.is_delayed {
                    form method="post" action={ "/workshop/" (job.id) "/retry" } { (visitor.token()) button.quiet { (visitor.t(texts::RETRY)) } }
                }
            }
            td data-label=(visitor.t(time)) { (visitor.time(job.finished_at.unwrap_or(job.created_at))) }
        }
    }
}

async fn retry_all(State(site): State<Site>, visitor: Visitor, _: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let count = site.queue.retry_all().await?;
    let entry = Entry { detail: &count.to_string(), ..Entry::new(actor, Action::TryAllAgain) };
    actions::note(&site.database, &entry).await?;
    Ok(Redirect::to("/workshop?said=retried").into_response())
}

async fn retry(State(site): State<Site>, visitor: Visitor, Path(job): Path<JobId>, _: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    if site.queue.retry(job).await? {
        let entry = Entry { detail: &format!("#{job}"), ..Entry::new(actor, Action::TryAgain) };
        actions::note(&site.database, &entry).await?;
    }
    Ok(Redirect::to("/workshop?said=retried").into_response())
}
