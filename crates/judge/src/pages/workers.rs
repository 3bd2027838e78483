//! Workers on other machines, for instructors: made, shown, let in again, revoked.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use crate::accounts;
use crate::actions::{self, Action, Entry};
use crate::database::{Slice, Tx};
use crate::ids::{AccountId, WorkerId};
use crate::remote::enrolment::{self, Enrolled, Refusal, Scope};
use crate::remote::trust;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/workers", get(show).post(make))
        .route("/workers/revoke", post(revoke))
        .route("/workers/admit", post(admit))
}

/// What became of the form.
enum Outcome<'a> {
    Asked { said: Option<&'a str>, before: Option<i64> },
    Made(&'a str),
    Refused(Wrong, &'a Fields),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Owner,
    Worker(Refusal),
}

fn scope(scope: Scope) -> Text {
    match scope {
        Scope::Play => texts::WORKER_PLAYS,
        Scope::Compile => texts::WORKER_COMPILES,
        Scope::Volunteer => texts::WORKER_VOLUNTEERS,
    }
}

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = |name: &str| query.get(name).map(String::as_str);
    let before = asked("before").and_then(|before| before.parse().ok());
    page(&site, &visitor, &Outcome::Asked { said: asked("said"), before }).await
}

async fn make(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let mut tx = site.database.begin().await?;
    let Some(owner) = owner(&mut tx, actor, fields.get("owner")).await? else {
        tx.rollback().await?;
        return page(&site, &visitor, &Outcome::Refused(Wrong::Owner, &fields)).await;
    };
    match enrolment::make(&mut tx, owner, fields.get("name"), Scope::of(fields.get("scope"))).await? {
        Ok(token) => {
            let entry =
                Entry { account: Some(owner), detail: fields.get("name"), ..Entry::new(actor, Action::MakeWorker) };
            actions::record(&mut tx, &entry).await?;
            tx.commit().await?;
            page(&site, &visitor, &Outcome::Made(&token.text())).await
        }
        Err(refusal) => {
            tx.rollback().await?;
            page(&site, &visitor, &Outcome::Refused(Wrong::Worker(refusal), &fields)).await
        }
    }
}

/// Whose machine it is: who asks, or who has an address.
async fn owner(tx: &mut Tx, actor: AccountId, email: &str) -> Result<Option<AccountId>, AppError> {
    if email.trim().is_empty() {
        return Ok(Some(actor));
    }
    let Some(email) = accounts::clean_email(email) else { return Ok(None) };
    Ok(accounts::credentials(tx, &email).await?.map(|(account, _)| account.id))
}

async fn revoke(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let mut tx = site.database.begin().await?;
    let found = named(&mut tx, &fields).await?;
    enrolment::revoke(&mut tx, found.id).await?;
    done(tx, actor, &found, Action::RevokeWorker).await
}

async fn admit(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let mut tx = site.database.begin().await?;
    let found = named(&mut tx, &fields).await?;
    enrolment::admit(&mut tx, found.id).await?;
    done(tx, actor, &found, Action::AdmitWorker).await
}

async fn named(tx: &mut Tx, fields: &Fields) -> Result<Enrolled, AppError> {
    let id = WorkerId(fields.number("worker").unwrap_or(0));
    enrolment::find(tx, id).await?.ok_or(AppError::NotFound)
}

async fn done(mut tx: Tx, actor: AccountId, worker: &Enrolled, action: Action) -> Answer {
    let entry = Entry { account: Some(worker.account), detail: &worker.name, ..Entry::new(actor, action) };
    actions::record(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(Redirect::to("/workers?said=saved").into_response())
}

async fn page(site: &Site, visitor: &Visitor, outcome: &Outcome<'_>) -> Answer {
    let before = if let Outcome::Asked { before, .. } = outcome { *before } else { None };
    let listed = enrolment::list(&site.database, Slice::page(before)).await?;
    let unconfirmed = trust::unconfirmed(&site.database).await?.to_string();
    let title = visitor.t(texts::FLEET);
    let body = html! {
        @match outcome {
            Outcome::Asked { said, .. } => (visitor.said(*said)),
            Outcome::Made(token) => section.notice.good role="status" {
                label for="token" { (visitor.t(texts::WORKER_MADE)) }
                (visitor.copied("token", token))
                p { (visitor.t(texts::WORKER_USE)) }
            },
            Outcome::Refused(..) => {},
        }
        h1 { (title) }
        p.lead { (visitor.t(texts::FLEET_HINT)) }
        @if listed.items.is_empty() { (visitor.empty(texts::FLEET_EMPTY, &html! { (visitor.t(texts::FLEET_EMPTY_HINT)) })) }
        @else {
            (table(visitor, &listed.items))
            p.quiet { (visitor.fill(texts::WORKERS_UNCONFIRMED, &[("count", &unconfirmed)])) }
        }
        (visitor.further(&listed, ""))
        (form(visitor, outcome))
    };
    let crumbs = vec![("/workshop".to_owned(), visitor.t(texts::WORKSHOP).to_owned())];
    let refused = matches!(outcome, Outcome::Refused(..));
    let status = if refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok((status, visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() })).into_response())
}

fn table(visitor: &Visitor, workers: &[Enrolled]) -> Markup {
    let label = |text| visitor.t(text);
    html! {
        table.collapsing {
            thead { tr {
                th { (label(texts::WORKER)) } th { (label(texts::WORKER_VERSION)) } th.number { (label(texts::WORKER_CORES)) }
                th.number { (label(texts::WORKER_PACE)) } th.number { (label(texts::WORKER_MATCHES)) }
                th.number { (label(texts::WORKER_DISAGREED)) } th { (label(texts::WORKER_SEEN)) } th {}
            } }
            tbody { @for one in workers { (row(visitor, one)) } }
        }
    }
}

fn row(visitor: &Visitor, one: &Enrolled) -> Markup {
    let label = |text| visitor.t(text);
    let button = |action: &str, text: Text| {
        html! {
            form method="post" action={ "/workers/" (action) } {
                (visitor.token())
                input type="hidden" name="worker" value=(one.id);
                button.quiet { (visitor.t(text)) }
            }
        }
    };
    html! {
        tr {
            td {
                strong { (one.name) } " " span.quiet { a href={ "/people/" (one.account) } { (one.owner) } " · " (one.scope.word()) }
                @if one.suspended_at.is_some() { " " span.badge.rejected { (label(texts::WORKER_SUSPENDED)) } p.quiet { (one.suspended_why) } }
            }
            td data-label=(label(texts::WORKER_VERSION)) { (one.version) }
            td.number data-label=(label(texts::WORKER_CORES)) { (one.cores) }
            td.number data-label=(label(texts::WORKER_PACE)) { (one.pace) }
            td.number data-label=(label(texts::WORKER_MATCHES)) { (one.matches) }
            td.number data-label=(label(texts::WORKER_DISAGREED)) { (one.disagreed) " / " (one.checked) }
            td data-label=(label(texts::WORKER_SEEN)) {
                @match one.seen_at { Some(time) => (visitor.time(time)), None => (label(texts::WORKER_UNSEEN)) }
            }
            td { div.actions {
                @if one.suspended_at.is_some() { (button("admit", texts::WORKER_ADMIT)) }
                (button("revoke", texts::REVOKE))
            } }
        }
    }
}

fn form(visitor: &Visitor, outcome: &Outcome) -> Markup {
    let sent = if let Outcome::Refused(_, fields) = outcome { Some(*fields) } else { None };
    let value = |name: &str| sent.map_or("", |fields| fields.get(name)).to_owned();
    let wrong = |of: Wrong, text: Text| match outcome {
        Outcome::Refused(wrong, _) if *wrong == of => Some(visitor.t(text)),
        _ => None,
    };
    let full = visitor.fill(texts::WORKERS_FULL, &[("most", &enrolment::MOST.to_string())]);
    let (name, owner, chosen) = (value("name"), value("owner"), value("scope"));
    html! {
        form.card method="post" action="/workers" {
            h2 { (visitor.t(texts::WORKER_NEW)) }
            @if wrong(Wrong::Worker(Refusal::TooMany), texts::WORKERS_FULL).is_some() { p.notice.bad role="alert" { (full) } }
            (visitor.token())
            (Field { name: "name", label: visitor.t(texts::WORKER_NAME), value: &name, hint: visitor.t(texts::WORKER_NAME_HINT), error: wrong(Wrong::Worker(Refusal::NoName), texts::WORKER_NO_NAME), ..Field::default() }.html())
            (Field { name: "owner", label: visitor.t(texts::WORKER_OWNER), value: &owner, hint: visitor.t(texts::WORKER_OWNER_HINT), error: wrong(Wrong::Owner, texts::WORKER_NO_OWNER), ..Field::default() }.html())
            div.field {
                label for="scope" { (visitor.t(texts::WORKER_SCOPE)) }
                select #scope name="scope" { @for one in Scope::ALL {
                    option value=(one.word()) selected[one.word() == chosen] { (visitor.t(scope(one))) }
                } }
                @if let Some(text) = wrong(Wrong::Worker(Refusal::NoScope), texts::WORKER_NO_SCOPE) { p.error { (text) } }
            }
            div.finish { button { (visitor.t(texts::WORKER_MAKE)) } }
        }
    }
}
