//! A person's own account: password, language, sessions.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::html;

use super::layout::{Field, Sheet};
use super::sign_in::new_password;
use crate::ids::SessionId;
use crate::secrets::{LONGEST_PASSWORD, SHORTEST_PASSWORD};
use crate::texts::{self, Language};
use crate::throttle::{Source, Who};
use crate::web::gate::Lane;
use crate::web::{Answer, Fields, Site, Visitor, visitor};
use crate::{accounts, devices, sessions};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/account", get(show))
        .route("/account/password", post(change_password))
        .route("/account/sessions/end", post(end_session))
        .route("/account/sessions/end-all", post(end_all_sessions))
}

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    page(&site, &visitor, query.get("said").map(String::as_str), None).await
}

/// What is wrong with the form for a new password: the field and the text.
type Wrong<'a> = Option<(&'static str, &'a str)>;

async fn page(site: &Site, visitor: &Visitor, said: Option<&str>, wrong: Wrong<'_>) -> Answer {
    let account = visitor.signed_in()?;
    let own = visitor.session.as_ref().map_or(SessionId(0), |session| session.id);
    let listed = sessions::list(&site.database, account.id).await?;
    let title = visitor.t(texts::ACCOUNT);
    let hint = visitor.fill(texts::PASSWORD_HINT, &[("count", &SHORTEST_PASSWORD.to_string())]);
    let error = |field: &str| wrong.filter(|(name, _)| *name == field).map(|(_, text)| text);
    let body = html! {
        (visitor.said(said))
        h1 { (account.name) }
        p.quiet { (account.email) @if !account.team.is_empty() { " · " (account.team) } " · " (visitor.t(texts::role(account.role))) }
        div.columns {
            div.stack {
            form.card method="post" action="/account/password" {
                h2 { (visitor.t(texts::CHANGE_PASSWORD)) }
                (visitor.token())
                (Field { name: "current", label: visitor.t(texts::CURRENT_PASSWORD), kind: "password", error: error("current"), autocomplete: "current-password", ..Field::default() }.html())
                (Field { name: "password", label: visitor.t(texts::NEW_PASSWORD), kind: "password", hint: &hint, error: error("password"), autocomplete: "new-password", ..Field::default() }.html())
                (Field { name: "again", label: visitor.t(texts::PASSWORD_AGAIN), kind: "password", autocomplete: "new-password", ..Field::default() }.html())
                button { (visitor.t(texts::SAVE)) }
            }
            form.card method="post" action="/language" {
                h2 { (visitor.t(texts::LANGUAGE)) }
                (visitor.token())
                input type="hidden" name="next" value="/account?said=saved";
                div.field {
                    label for="language" { (visitor.t(texts::LANGUAGE_HINT)) }
                    select #language name="language" { @for one in Language::ALL { option value=(one.code()) lang=(one.code()) selected[one == visitor.language] { (one.name()) } } }
                }
                button.quiet { (visitor.t(texts::SAVE)) }
            }
            }
            div.stack {
            section.card #tokens {
                h2 { (visitor.t(texts::TOKENS)) }
                p { (visitor.t(texts::TOKENS_LINK)) }
                a.button.quiet href="/account/tokens" { (visitor.t(texts::TOKENS)) }
            }
            section.card {
                h2 { (visitor.t(texts::SESSIONS)) }
                ul.rows {
                    @for session in &listed {
                        li {
                            div {
                                strong { (browser(&session.agent)) } @if session.id == own { " " span.badge.accepted { (visitor.t(texts::THIS_SESSION)) } }
                                p.quiet { (session.address) " · " (visitor.t(texts::LAST_SEEN)) " " (visitor.time(session.seen_at)) }
                            }
                            form method="post" action="/account/sessions/end" {
                                (visitor.token())
                                input type="hidden" name="session" value=(session.id);
                                button.quiet { (visitor.t(if session.id == own { texts::SIGN_OUT } else { texts::END_SESSION })) }
                            }
                        }
                    }
                }
                form.bar method="post" action="/account/sessions/end-all" {
                    (visitor.token())
                    button.quiet { (visitor.t(texts::END_ALL_SESSIONS)) }
                    span.quiet { (visitor.t(texts::END_ALL_HINT)) }
                }
            }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok((status, visitor.page(&Sheet { title, body, ..Sheet::default() })).into_response())
}

async fn change_password(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    // Before anything that costs, and few of one person at a time.
    let password = match new_password(&fields) {
        Ok(password) => password,
        Err(text) => return page(&site, &visitor, None, Some(("password", visitor.t(text)))).await,
    };
    let _pass = site.gates.changes.enter(&visitor.asker(), Lane::First).await?;
    let stored = accounts::credentials(&site.database, &account.email).await?.and_then(|(_, stored)| stored);
    // Whoever finds a screen unlocked must not be able to guess here either,
    // and makes nobody wait but this session.
    let own = visitor.session.as_ref().map_or(SessionId(0), |session| session.id);
    let source = Source::Known(format!("session {own}"));
    if let Err(wait) = site.throttle.admit(Who::Account(account.id), &source, site.throttle.now()) {
        let seconds = (wait.as_secs() + 1).to_string();
        let text = visitor.fill(texts::TOO_MANY_ATTEMPTS, &[("seconds", &seconds)]);
        return page(&site, &visitor, None, Some(("current", &text))).await;
    }
    let current: String = fields.raw("current").chars().take(LONGEST_PASSWORD).collect();
    if !site.passwords.verify(current, stored.clone(), visitor.place, Lane::First).await? {
        return page(&site, &visitor, None, Some(("current", visitor.t(texts::WRONG_PASSWORD)))).await;
    }
    site.throttle.succeeded(account.id, &source);
    let hash = site.passwords.hash(password).await?;
    let known = stored.unwrap_or_default();
    if !accounts::change_password(&site.database, account.id, own, &known, &hash).await? {
        return page(&site, &visitor, None, Some(("current", visitor.t(texts::WRONG_PASSWORD)))).await;
    }
    let device = devices::remember(&site.database, account.id, visitor.device.as_deref()).await?;
    let mut response = Redirect::to("/account?said=password").into_response();
    visitor::set_device(&visitor, response.headers_mut(), &device);
    Ok(response)
}

async fn end_session(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    sessions::end(&site.database, account.id, SessionId(fields.number("session").unwrap_or(0))).await?;
    Ok(Redirect::to("/account?said=ended").into_response())
}

/// Whoever has lost a phone, or does not know where a session is still open.
async fn end_all_sessions(State(site): State<Site>, visitor: Visitor, _: Fields) -> Answer {
    sessions::end_all(&site.database, visitor.signed_in()?.id).await?;
    let mut response = Redirect::to("/?said=ended-all").into_response();
    visitor::clear_session(&visitor, response.headers_mut());
    Ok(response)
}

/// The name of a browser and its system, as far as it tells.
fn browser(agent: &str) -> String {
    let known = |names: &[&'static str]| names.iter().find(|name| agent.contains(**name)).copied();
    let name = known(&["Firefox", "Edg", "Chrome", "Safari", "curl"]).unwrap_or("?");
    let system = known(&["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"]).unwrap_or("?");
    format!("{}, {system}", if name == "Edg" { "Edge" } else { name })
}
