//! The calls of the API, described for people who write programs.

use axum::Router;
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use crate::api::{self, Call, description};
use crate::texts;
use crate::web::{Answer, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/api", get(show))
}

const ADDRESS: &str = "/api/v1/openapi.json";

async fn show(visitor: Visitor) -> Answer {
    let title = visitor.t(texts::API_PAGE);
    let calls = api::calls();
    let lead = visitor.t(texts::API_LEAD);
    let (before, after) = lead.split_once("{link}").unwrap_or((lead, ""));
    let body = html! {
        h1 { (title) }
        p.lead { (before) a href=(ADDRESS) { "openapi.json" } (after) }
        p { (visitor.t(texts::API_TOKEN)) " " a href="/account/tokens" { (visitor.t(texts::TOKENS)) } }
        pre { code { "curl -H \"Authorization: Bearer $LUDUS_TOKEN\" " (if visitor.base.is_empty() { "$LUDUS_URL" } else { &visitor.base }) "/api/v1/me" } }
        p.quiet { (visitor.t(texts::API_PROBLEMS)) " " (visitor.t(texts::API_LISTS)) }
        @for (group, some) in grouped(&calls) {
            section #(group) {
                h2 { "/" (group) }
                table.collapsing {
                    thead { tr { th { (visitor.t(texts::API_CALL)) } th { (visitor.t(texts::API_DOES)) } th { (visitor.t(texts::API_TAKES)) } th { (visitor.t(texts::API_SCOPE)) } } }
                    tbody { @for call in some { (row(&visitor, call)) } }
                }
            }
        }
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

/// The calls by the first part of their addresses, in their order.
fn grouped(calls: &[Call]) -> Vec<(&'static str, Vec<&Call>)> {
    let mut groups: Vec<(&'static str, Vec<&Call>)> = Vec::new();
    for call in calls {
        let group = call.path.split('/').nth(1).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, some)) => some.push(call),
            None => groups.push((group, vec![call])),
        }
    }
    groups
}

fn row(visitor: &Visitor, call: &Call) -> Markup {
    html! {
        tr {
            td { code { strong { (call.method) } " " (call.path) } }
            td data-label=(visitor.t(texts::API_DOES)) { (call.about) }
            td data-label=(visitor.t(texts::API_TAKES)) { (takes(call)) }
            td data-label=(visitor.t(texts::API_SCOPE)) { (call.scope.map_or("–", |scope| scope.word())) }
        }
    }
}

/// What is sent, by the description that programs read.
fn takes(call: &Call) -> Markup {
    let described = description();
    let operation = &described["paths"][call.path][call.method.as_str().to_lowercase()];
    let query = operation["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query");
    let mut words: Vec<String> = query.filter_map(|one| Some(format!("?{}", one["name"].as_str()?))).collect();
    let body = operation["requestBody"]["content"].as_object().into_iter().flatten();
    for (kind, content) in body {
        let name = content["schema"]["$ref"].as_str().and_then(|name| name.rsplit('/').next()).unwrap_or_default();
        let fields = described["components"]["schemas"][name]["properties"].as_object().into_iter().flatten();
        let fields: Vec<&str> = fields.map(|(name, _)| name.as_str()).collect();
        words.push(if fields.is_empty() { kind.clone() } else { format!("{{ {} }}", fields.join(", ")) });
    }
    html! { @for (at, word) in words.iter().enumerate() { @if at > 0 { " " } code { (word) } } }
}
