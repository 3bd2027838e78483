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
use crate::jobs::{Compile, Job, Play};
use crate::queue::{self, Unfinished};
use crate::texts::{self, Text};
use crate::web::{Answer, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/workshop", get(show))
        .route("/workshop/retry", post(retry_all))
        .route("/workshop/{job}/retry", post(retry))
}

/// The states of a job that is not done: in the database, as a badge, in words.
const STATES: [(&str, &str, Text); 3] = [
    ("parked", "rejected", texts::PARKED),
    ("running", "playing", texts::STAGE_RUNNING),
    ("waiting", "waiting", texts::STAGE_WAITING),
];

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let page = Page::new(query.get("page").and_then(|page| page.parse().ok()));
    let state = STATES.iter().find(|(word, ..)| query.get("state").is_some_and(|asked| asked == word));
    let word = state.map_or("", |(word, ..)| *word);
    let listed = queue::unfinished(&site.database, word, page).await?;
    let again = queue::failed(&site.database).await?;
    let trouble = site.queue.trouble().await?;
    let title = visitor.t(texts::WORKSHOP);
    let body = html! {
        (visitor.said(query.get("said").map(String::as_str)))
        h1 { (title) " " span.count { (listed.total) } }
        p.lead { (visitor.t(texts::WORKSHOP_HINT)) " " a href="/storage" { (visitor.t(texts::STORAGE)) } }
        @if let Some(trouble) = trouble {
            p.notice.bad role="alert" { (visitor.t(texts::PAUSED)) " " (visitor.t(texts::trouble(trouble))) }
        }
        @if again > 0 || trouble.is_some() {
            form method="post" action="/workshop/retry" { (visitor.token()) button { (visitor.t(texts::RETRY_ALL)) } }
        }
        form.filters role="search" {
            div.field {
                label for="state" { (visitor.t(texts::STATE)) }
                select #state name="state" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for (one, _, text) in STATES { option value=(one) selected[one == word] { (visitor.t(text)) } }
                }
            }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::IDLE, &html! { (visitor.t(texts::IDLE_HINT)) })) }
        @else {
            table.collapsing {
                thead { tr { th { (visitor.t(texts::WORK)) } th { (visitor.t(texts::FOR_WHOM)) } th { (visitor.t(texts::PRIORITY)) } th { (visitor.t(texts::STATE)) } th { (visitor.t(texts::SUBMITTED)) } } }
                tbody { @for job in &listed.items { (row(&visitor, job)) } }
            }
        }
        (visitor.pager(&listed, &format!("state={word}&")))
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

/// What is to be done, with a link to what it is about.
fn about(visitor: &Visitor, job: Option<Job>) -> Markup {
    let (address, label, number) = match job {
        Some(Job::Compile(Compile { submission })) => ("/submissions/", texts::COMPILE, submission),
        Some(Job::Play(Play { id })) => ("/matches/", texts::MATCH, id),
        None => return html! { "?" },
    };
    html! { a href={ (address) (number) } { (visitor.t(label)) " " (number) } }
}

fn row(visitor: &Visitor, job: &Unfinished) -> Markup {
    let (_, class, state) = STATES.into_iter().find(|(word, ..)| *word == job.state).unwrap_or(STATES[2]);
    let priority =
        [texts::OFFICIAL, texts::VERIFICATION, texts::TRAINING, texts::LADDER][job.priority.clamp(0, 3) as usize];
    html! {
        tr {
            td { (about(visitor, job.job)) }
            td data-label=(visitor.t(texts::FOR_WHOM)) { (job.account) }
            td data-label=(visitor.t(texts::PRIORITY)) { (visitor.t(priority)) }
            td data-label=(visitor.t(texts::STATE)) {
                span class={ "badge " (class) } { (visitor.t(state)) }
                @if job.failures > 0 { " " (visitor.fill(texts::FAILURES, &[("count", &job.failures.to_string())])) }
                @if job.is_deadly { p { (visitor.t(texts::DEADLY)) } }
                @if let Some(error) = &job.error { pre { code { (error) } } }
                @if job.state == "parked" || job.is_delayed {
                    form method="post" action={ "/workshop/" (job.id) "/retry" } { (visitor.token()) button.quiet { (visitor.t(texts::RETRY)) } }
                }
            }
            td data-label=(visitor.t(texts::SUBMITTED)) { (visitor.time(job.created_at)) }
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

async fn retry(State(site): State<Site>, visitor: Visitor, Path(job): Path<i64>, _: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    if site.queue.retry(job).await? {
        let entry = Entry { detail: &format!("#{job}"), ..Entry::new(actor, Action::TryAgain) };
        actions::note(&site.database, &entry).await?;
    }
    Ok(Redirect::to("/workshop?said=retried").into_response())
}
