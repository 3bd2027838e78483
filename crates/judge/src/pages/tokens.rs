//! Tokens for programs: made, shown once, revoked.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use crate::ids::TokenId;
use crate::texts::{self, Text};
use crate::tokens::{self, LIVES, NewToken, Refusal, Scope, Scopes, Token};
use crate::web::{Answer, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/account/tokens", get(show).post(make)).route("/account/tokens/revoke", post(revoke))
}

/// What became of the form.
enum Outcome<'a> {
    /// Nothing was sent yet.
    Asked {
        said: Option<&'a str>,
        name: &'a str,
    },
    Made(&'a str),
    Refused(Refusal, &'a Fields),
}

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let asked = |name: &str| query.get(name).map(String::as_str);
    page(&site, &visitor, &Outcome::Asked { said: asked("said"), name: asked("name").unwrap_or_default() }).await
}

async fn make(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    let chosen = Scope::ALL.into_iter().filter(|scope| !fields.get(scope.word()).is_empty());
    let scopes = Scopes::of(chosen);
    let new = NewToken { name: fields.get("name"), scopes, days: fields.number("days").unwrap_or(0) };
    let mut tx = site.database.begin().await?;
    match tokens::make(&mut tx, account.id, &new).await? {
        Ok(token) => {
            tx.commit().await?;
            page(&site, &visitor, &Outcome::Made(&token)).await
        }
        Err(refusal) => {
            tx.rollback().await?;
            page(&site, &visitor, &Outcome::Refused(refusal, &fields)).await
        }
    }
}

async fn revoke(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    // One that is gone already is as it was wanted.
    tokens::revoke(&site.database, account.id, TokenId(fields.number("token").unwrap_or(0))).await?;
    Ok(Redirect::to("/account/tokens?said=saved").into_response())
}

async fn page(site: &Site, visitor: &Visitor, outcome: &Outcome<'_>) -> Answer {
    let listed = tokens::list(&site.database, visitor.signed_in()?.id).await?;
    let title = visitor.t(texts::TOKENS);
    let body = html! {
        @match outcome {
            Outcome::Asked { said, .. } => (visitor.said(*said)),
            Outcome::Made(token) => (made(visitor, token)),
            Outcome::Refused(..) => {},
        }
        h1 { (title) }
        p.lead { (visitor.t(texts::TOKENS_HINT)) " " a href="/api" { (visitor.t(texts::API_PAGE)) } }
        div.columns {
            (form(visitor, outcome))
            section.card {
                h2 { (visitor.t(texts::YOUR_TOKENS)) " " span.count { (listed.len()) } }
                @if listed.is_empty() { (visitor.empty(texts::NO_TOKENS, &html! { (visitor.t(texts::NO_TOKENS_HINT)) })) }
                ul.rows { @for token in &listed { (row(visitor, token)) } }
            }
        }
    };
    let crumbs = vec![("/account".to_owned(), visitor.t(texts::ACCOUNT).to_owned())];
    let refused = matches!(outcome, Outcome::Refused(..));
    let status = if refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok((status, visitor.page(&Sheet { title, crumbs, body, ..Sheet::default() })).into_response())
}

fn made(visitor: &Visitor, token: &str) -> Markup {
    html! {
        section.notice.good role="status" {
            h2 { (visitor.t(texts::TOKEN_MADE)) }
            label for="token" { (visitor.t(texts::TOKEN_LABEL)) }
            (visitor.copied("token", token))
            p { (visitor.t(texts::TOKEN_USE)) }
        }
    }
}

fn form(visitor: &Visitor, outcome: &Outcome) -> Markup {
    let sent = if let Outcome::Refused(_, fields) = outcome { Some(*fields) } else { None };
    let wrong = |of: Refusal, text: Text| match outcome {
        Outcome::Refused(refusal, _) if *refusal == of => Some(visitor.t(text)),
        _ => None,
    };
    let name = match outcome {
        Outcome::Asked { name, .. } => name,
        Outcome::Made(_) => "",
        Outcome::Refused(_, fields) => fields.get("name"),
    };
    // What the command line needs is chosen already.
    let is_chosen = |scope: Scope| sent.map_or(scope != Scope::Manage, |fields| !fields.get(scope.word()).is_empty());
    let days = sent.and_then(|fields| fields.number("days")).unwrap_or(LIVES[2]);
    let full = visitor.fill(texts::TOKENS_FULL, &[("most", &tokens::MOST.to_string())]);
    html! {
        form.card method="post" action="/account/tokens" {
            h2 { (visitor.t(texts::NEW_TOKEN)) }
            @if wrong(Refusal::TooMany, texts::TOKENS_FULL).is_some() { p.notice.bad role="alert" { (full) } }
            (visitor.token())
            (Field { name: "name", label: visitor.t(texts::TOKEN_NAME), value: name, hint: visitor.t(texts::TOKEN_NAME_HINT), error: wrong(Refusal::NoName, texts::TOKEN_NO_NAME), ..Field::default() }.html())
            fieldset.checks.listed {
                legend { (visitor.t(texts::TOKEN_SCOPES)) }
                @for scope in Scope::ALL {
                    label { input type="checkbox" name=(scope.word()) value="1" checked[is_chosen(scope)]; " " (visitor.t(texts::scope(scope))) }
                }
                @if let Some(text) = wrong(Refusal::NoScope, texts::TOKEN_NO_SCOPE) { p.error { (text) } }
            }
            div.field {
                label for="days" { (visitor.t(texts::TOKEN_LIFE)) }
                select #days name="days" { @for one in LIVES {
                    option value=(one) selected[one == days] { (visitor.fill(texts::TOKEN_DAYS, &[("count", &one.to_string())])) }
                } }
                @if let Some(text) = wrong(Refusal::Days, texts::TOKEN_DAYS_WRONG) { p.error { (text) } }
            }
            div.finish { button { (visitor.t(texts::MAKE_TOKEN)) } }
        }
    }
}

fn row(visitor: &Visitor, token: &Token) -> Markup {
    let scopes: Vec<&str> = token.scopes.list().into_iter().map(Scope::word).collect();
    html! {
        li {
            div {
                strong { (token.name) } " " span.quiet { (scopes.join(" · ")) }
                p.quiet {
                    (visitor.t(texts::UNTIL)) " " (visitor.time(token.expires_at)) " · "
                    @match token.used_at {
                        Some(time) => { (visitor.t(texts::TOKEN_USED)) " " (visitor.time(time)) },
                        None => (visitor.t(texts::TOKEN_UNUSED)),
                    }
                }
            }
            form method="post" action="/account/tokens/revoke" {
                (visitor.token())
                input type="hidden" name="token" value=(token.id);
                button.quiet { (visitor.t(texts::REVOKE)) }
            }
        }
    }
}
