//! The log of what was done, for instructors.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use super::verdict::retired_because;
use crate::actions::{self, Action, Logged};
use crate::database::Slice;
use crate::texts;
use crate::web::{Answer, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/actions", get(list))
}

async fn list(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    visitor.instructor()?;
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let action = Action::of(asked("action"));
    let listed = actions::list(&site.database, action, Slice::page(asked("before").parse().ok())).await?;
    let title = visitor.t(texts::ACTIONS);
    let body = html! {
        h1 { (title) @if let Some(count) = listed.count() { " " span.count { (count) } } }
        p.lead { (visitor.t(texts::ACTIONS_HINT)) }
        form.filters role="search" {
            div.field {
                label for="action" { (visitor.t(texts::WHAT)) }
                select #action name="action" {
                    option value="" { (visitor.t(texts::ALL)) }
                    @for one in Action::ALL { option value=(one.word()) selected[action == Some(one)] { (visitor.t(texts::action(one))) } }
                }
            }
            button.quiet { (visitor.t(texts::SHOW)) }
        }
        @if listed.items.is_empty() { (visitor.empty(texts::NO_ACTIONS, &html! { a href="/actions" { (visitor.t(texts::SHOW_EVERYTHING)) } " · " a href="/desk" { (visitor.t(texts::YOUR_DESK)) } })) }
        @else { (table(&visitor, &listed.items)) }
        (visitor.further(&listed, &format!("action={}&", action.map_or("", Action::word))))
    };
    let crumbs = vec![("/course".to_owned(), visitor.t(texts::COURSE).to_owned())];
    Ok(visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() }).into_response())
}

/// Actions as rows of a table.
pub fn table(visitor: &Visitor, logged: &[Logged]) -> Markup {
    let label = |text| visitor.t(text);
    html! {
        table.collapsing {
            thead { tr { th { (label(texts::WHAT)) } th { (label(texts::ABOUT)) } th { (label(texts::WHY)) } th { (label(texts::WHO)) } th { (label(texts::WHEN)) } } }
            tbody {
                @for one in logged {
                    tr {
                        td { strong { (one.action.map_or("?", |action| visitor.t(texts::action(action)))) } }
                        td data-label=(label(texts::ABOUT)) { (about(one)) }
                        td data-label=(label(texts::WHY)) { (retired_because(visitor, &one.reason)) }
                        td data-label=(label(texts::WHO)) { a href={ "/people/" (one.actor.0) } { (one.actor.1) } }
                        td data-label=(label(texts::WHEN)) { (visitor.time(one.created_at)) }
                    }
                }
            }
        }
    }
}

/// What an action was about, as links.
fn about(one: &Logged) -> Markup {
    let mut parts = Vec::new();
    parts.extend(one.submission.as_ref().map(|(id, name)| html! { a href={ "/submissions/" (id) } { (name) } }));
    parts.extend(one.account.as_ref().map(|(id, name)| html! { a href={ "/people/" (id) } { (name) } }));
    parts.extend(one.season.as_ref().map(|(slug, title)| html! { a href={ "/seasons/" (slug) } { (title) } }));
    if !one.detail.is_empty() {
        parts.push(html! { span.stamp { (one.detail) } });
    }
    html! { span { @for (at, part) in parts.iter().enumerate() { @if at > 0 { " · " } (part) } } }
}
