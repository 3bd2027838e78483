//! One link for every group: made and ended by instructors, opened by students.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::dashboard::name_of;
use super::layout::{Field, Sheet};
use super::people::crumbs;
use super::sign_in::asked_for_letter;
use crate::actions::{self, Action, Entry};
use crate::dashboard::{self, Group};
use crate::groups::{self, GroupLink};
use crate::letters::Kind;
use crate::texts::{self, Text};
use crate::throttle::{Source, Who};
use crate::web::{Answer, AppError, Fields, Site, Visitor};
use crate::{accounts, secrets};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/people/groups", get(list))
        .route("/people/groups/link", post(make))
        .route("/people/groups/revoke", post(revoke))
        .route("/join/{token}", get(form).post(join))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    page(&site, &visitor, query.get("said").map(String::as_str), None).await
}

/// The groups with their links; `made` is one that was just made, for its group.
async fn page(site: &Site, visitor: &Visitor, said: Option<&str>, made: Option<(&str, &str)>) -> Answer {
    let groups = dashboard::groups(&site.database, None).await?;
    let links = groups::links(&site.database).await?;
    let title = visitor.t(texts::GROUP_LINKS);
    let hint = if site.settings.mail.is_some() { texts::GROUP_LINKS_MAIL } else { texts::GROUP_LINKS_OPEN };
    let body = html! {
        (visitor.said(said))
        h1 { (title) }
        p.lead { (visitor.t(hint)) }
        @if let Some((team, link)) = made {
            section.notice.good {
                label for="link" { (visitor.fill(texts::GROUP_LINK_MADE, &[("group", name_of(visitor, team))])) }
                (visitor.copied("link", link))
                p.hint { (visitor.t(texts::GROUP_LINK_HINT)) }
            }
        }
        @if groups.is_empty() {
            (visitor.empty(texts::NOBODY, &html! { a href="/people/import" { (visitor.t(texts::IMPORT_ROSTER)) } }))
        } @else {
            table.collapsing {
                thead { tr { th { (visitor.t(texts::GROUP)) } th.number { (visitor.t(texts::STUDENTS)) } th.number { (visitor.t(texts::SIGNED_IN_COUNT)) } th { (visitor.t(texts::LINK)) } } }
                tbody { @for group in &groups { (row(visitor, group, links.iter().find(|link| link.team == group.team))) } }
            }
        }
    };
    Ok(visitor.page(&Sheet { title, crumbs: crumbs(visitor), body, ..Sheet::default() }).into_response())
}

fn row(visitor: &Visitor, group: &Group, link: Option<&GroupLink>) -> Markup {
    html! {
        tr {
            td { strong { (name_of(visitor, &group.team)) } }
            td.number data-label=(visitor.t(texts::STUDENTS)) { (group.students) }
            td.number data-label=(visitor.t(texts::SIGNED_IN_COUNT)) { (group.signed_in) }
            td data-label=(visitor.t(texts::LINK)) {
                div.actions {
                    @if let Some(link) = link { span.quiet { (visitor.t(texts::GROUP_LINK_UNTIL)) " " (visitor.time(link.expires_at)) } }
                    form method="post" action="/people/groups/link" {
                        (visitor.token())
                        input type="hidden" name="group" value=(group.team);
                        button.quiet { (visitor.t(if link.is_some() { texts::GROUP_LINK_AGAIN } else { texts::MAKE_LINK })) }
                    }
                    @if link.is_some() {
                        form method="post" action="/people/groups/revoke" {
                            (visitor.token())
                            input type="hidden" name="group" value=(group.team);
                            button.quiet { (visitor.t(texts::GROUP_LINK_REVOKE)) }
                        }
                    }
                }
            }
        }
    }
}

async fn make(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let team = fields.get("group").to_owned();
    if !dashboard::groups(&site.database, None).await?.iter().any(|group| group.team == team) {
        return Err(AppError::NotFound);
    }
    let mut tx = site.database.begin().await?;
    let token = groups::make_link(&mut tx, &team, actor).await?;
    actions::record(&mut tx, &Entry { detail: &team, ..Entry::new(actor, Action::MakeGroupLink) }).await?;
    tx.commit().await?;
    let link = format!("{}/join/{token}", visitor.base);
    page(&site, &visitor, None, Some((&team, &link))).await
}

async fn revoke(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let actor = visitor.instructor()?.id;
    let mut tx = site.database.begin().await?;
    if groups::revoke(&mut tx, fields.get("group")).await? {
        let entry = Entry { detail: fields.get("group"), ..Entry::new(actor, Action::RevokeGroupLink) };
        actions::record(&mut tx, &entry).await?;
    }
    tx.commit().await?;
    Ok(Redirect::to("/people/groups?said=saved").into_response())
}

const GONE: AppError = AppError::Refused(StatusCode::GONE, texts::LINK_USED);

async fn form(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>) -> Answer {
    let team = groups::of_token(&site.database, &token).await?.ok_or(GONE)?;
    Ok(join_page(&site, &visitor, &team, "", None))
}

fn join_page(site: &Site, visitor: &Visitor, team: &str, typed: &str, error: Option<&str>) -> Response {
    let title = visitor.t(texts::JOIN);
    let hint = if site.settings.mail.is_some() { texts::JOIN_MAIL } else { texts::JOIN_OPEN };
    let body = html! {
        div.narrow {
            h1 { (title) }
            @if !team.is_empty() { p.lead { (visitor.fill(texts::JOIN_GROUP, &[("group", team)])) } }
            form.card method="post" {
                (visitor.token())
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: typed, hint: visitor.t(hint), error, autocomplete: "email", ..Field::default() }.html())
                button { (visitor.t(texts::GO_ON)) }
            }
        }
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, body, ..Sheet::default() })).into_response()
}

/// Sends a letter to the address, or gives the account away: see `groups`.
async fn join(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>, fields: Fields) -> Answer {
    let team = groups::of_token(&site.database, &token).await?.ok_or(GONE)?;
    let typed = fields.get("email");
    let Some(email) = accounts::clean_email(typed) else {
        let wrong = visitor.fill(texts::ROSTER_EMAIL, &[("about", typed)]);
        return Ok(join_page(&site, &visitor, &team, typed, Some(&wrong)));
    };
    if site.settings.mail.is_some() {
        return asked_for_letter(&site, &visitor, Kind::Join, email, Some(team), texts::JOIN_SENT).await;
    }
    // Whoever tries addresses is slowed down, each link by itself.
    let (target, source) = (secrets::token_hash(&token), Source::Stranger(visitor.place));
    if let Err(wait) = site.throttle.admit(Who::Link(&target), &source, site.throttle.now()) {
        let seconds = (wait.as_secs() + 1).to_string();
        let text = visitor.fill(texts::TOO_MANY_ATTEMPTS, &[("seconds", &seconds)]);
        let mut response = join_page(&site, &visitor, &team, typed, Some(&text));
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
        return Ok(response);
    }
    match groups::claim(&site.database, &team, &email, &visitor.address).await? {
        Some(link) => {
            site.throttle.forgive(&target, &source);
            Ok(Redirect::to(&format!("/link/{link}")).into_response())
        }
        None => Ok(join_page(&site, &visitor, &team, typed, Some(visitor.t(NOT_HERE)))),
    }
}

/// The same whether an address is unknown, of another group or claimed already: who
/// knows that asks an instructor.
const NOT_HERE: Text = texts::JOIN_NOT_HERE;
