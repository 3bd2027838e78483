//! Signing in and out, and choosing a password with a link.

use std::collections::HashMap;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use maud::html;

use super::home::local;
use super::layout::{Field, Sheet};
use super::people;
use crate::accounts::{self, Account, Used};
use crate::ids::AccountId;
use crate::letters::{self, Kind};
use crate::secrets::{self, LONGEST_PASSWORD, SHORTEST_PASSWORD};
use crate::texts::{self, Text};
use crate::throttle::{Source, Who};
use crate::web::gate::Lane;
use crate::web::{Answer, AppError, Fields, Site, Visitor, visitor};
use crate::{devices, log, roster, sessions};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/sign-in", get(form).post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/forgotten", get(forgotten).post(send_reset))
        .route("/link/{token}", get(link_form).post(use_link))
}

async fn form(visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let next = local(query.get("next").map_or("/", String::as_str));
    if visitor.account().is_some() {
        return Ok(Redirect::to(&next).into_response());
    }
    Ok(page(&visitor, &next, "", None))
}

fn page(visitor: &Visitor, next: &str, email: &str, error: Option<&str>) -> Response {
    let title = visitor.t(texts::SIGN_IN);
    let body = html! {
        div.narrow {
            h1 { (title) }
            @if visitor.by_university { a.button href="/sign-in/university" { (visitor.t(texts::BY_UNIVERSITY)) } p.quiet { (visitor.t(texts::OR_PASSWORD)) } }
            form.card method="post" action="/sign-in" {
                (visitor.token())
                input type="hidden" name="next" value=(next);
                @if let Some(text) = error { p.notice.bad role="alert" { (text) } }
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: email, autocomplete: "username", ..Field::default() }.html())
                (Field { name: "password", label: visitor.t(texts::PASSWORD), kind: "password", autocomplete: "current-password", ..Field::default() }.html())
                button { (title) }
                p.quiet { a href="/forgotten" { (visitor.t(texts::FORGOTTEN_LINK)) } }
            }
        }
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, body, ..Sheet::default() })).into_response()
}

async fn sign_in(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let next = local(fields.get("next"));
    let typed = fields.get("email");
    let email = accounts::clean_email(typed).unwrap_or_default();
    let found = accounts::credentials(&site.database, &email).await?;
    let (account, stored) = found.map_or((None, None), |(account, stored)| (Some(account), stored));
    let source = source(&site, &visitor, account.as_ref()).await?;
    let who = account.as_ref().map_or(Who::Nobody(&email), |account| Who::Account(account.id));
    if let Err(wait) = site.throttle.admit(who, &source, site.throttle.now()) {
        return Ok(too_early(&visitor, &next, typed, wait));
    }
    let password: String = fields.raw("password").chars().take(LONGEST_PASSWORD).collect();
    let lane = if matches!(source, Source::Known(_)) { Lane::First } else { Lane::Second };
    let right = site.passwords.verify(password, stored.clone(), visitor.place, lane).await?;
    let refused = |text| Ok(page(&visitor, &next, typed, Some(visitor.t(text))));
    let Some(account) = account.filter(|_| right) else { return refused(texts::WRONG_CREDENTIALS) };
    if account.locked {
        return refused(texts::ACCOUNT_LOCKED);
    }
    let known = stored.unwrap_or_default();
    let token = sessions::start_by_password(&site.database, account.id, &known, &visitor.address, &visitor.agent);
    let Some(token) = token.await? else { return refused(texts::WRONG_CREDENTIALS) };
    site.throttle.succeeded(account.id, &source);
    welcomed(&site, &visitor, &account, &token, &next).await
}

/// By what an attempt is counted. Whether there is an account makes no
/// difference in what is asked, so that the time it takes tells nothing.
async fn source(site: &Site, visitor: &Visitor, account: Option<&Account>) -> Result<Source, AppError> {
    if let Some(token) = &visitor.device
        && devices::knows(&site.database, account.map_or(AccountId(0), |account| account.id), token).await?
    {
        return Ok(Source::Known(secrets::token_hash(token)));
    }
    Ok(Source::Stranger(visitor.place))
}

/// Says how long to wait before the next attempt.
fn too_early(visitor: &Visitor, next: &str, typed: &str, wait: Duration) -> Response {
    let seconds = (wait.as_secs() + 1).to_string();
    let text = visitor.fill(texts::TOO_MANY_ATTEMPTS, &[("seconds", &seconds)]);
    let mut response = page(visitor, next, typed, Some(&text));
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response.headers_mut().extend(seconds.parse().map(|value| (header::RETRY_AFTER, value)).ok());
    response
}

/// The way on for somebody whose session has begun.
pub async fn welcomed(site: &Site, visitor: &Visitor, account: &Account, token: &str, next: &str) -> Answer {
    let device = devices::remember(&site.database, account.id, visitor.device.as_deref()).await?;
    let mut response = Redirect::to(next).into_response();
    visitor::set_session(visitor, response.headers_mut(), token);
    visitor::set_device(visitor, response.headers_mut(), &device);
    Ok(response)
}

async fn sign_out(State(site): State<Site>, visitor: Visitor, _: Fields) -> Answer {
    if let Some(session) = &visitor.session {
        sessions::end(&site.database, session.account.id, session.id).await?;
    }
    let mut response = Redirect::to("/").into_response();
    visitor::clear_session(&visitor, response.headers_mut());
    Ok(response)
}

async fn forgotten(State(site): State<Site>, visitor: Visitor) -> Answer {
    Ok(forgotten_page(&site, &visitor, "", None))
}

fn forgotten_page(site: &Site, visitor: &Visitor, typed: &str, error: Option<&str>) -> Response {
    let title = visitor.t(texts::FORGOTTEN_TITLE);
    let body = html! {
        div.narrow {
            h1 { (title) }
            @if site.settings.mail.is_some() {
                form.card method="post" {
                    (visitor.token())
                    (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: typed, hint: visitor.t(texts::FORGOTTEN_HINT), error, autocomplete: "username", ..Field::default() }.html())
                    button { (visitor.t(texts::SEND_LETTER)) }
                }
            } @else { p.lead { (visitor.t(texts::FORGOTTEN)) } }
            p { a href="/sign-in" { (visitor.t(texts::SIGN_IN)) } }
        }
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, body, ..Sheet::default() })).into_response()
}

async fn send_reset(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    if site.settings.mail.is_none() {
        return Ok(forgotten_page(&site, &visitor, "", None));
    }
    let typed = fields.get("email");
    let Some(email) = accounts::clean_email(typed) else {
        let wrong = visitor.fill(texts::ROSTER_EMAIL, &[("about", typed)]);
        return Ok(forgotten_page(&site, &visitor, typed, Some(&wrong)));
    };
    asked_for_letter(&site, &visitor, Kind::Reset, email, None, texts::FORGOTTEN_SENT).await
}

/// Wants a letter to be sent, and says the same at once whether there is such an
/// address or not: neither words nor time tell who has an account.
pub async fn asked_for_letter(
    site: &Site,
    visitor: &Visitor,
    kind: Kind,
    email: String,
    team: Option<String>,
    said: Text,
) -> Answer {
    let pass = site.gates.letters.enter(&visitor.asker(), Lane::Second).await?;
    let asking = site.clone();
    tokio::spawn(async move {
        if let Err(error) = letters::ask(&asking.database, kind, &email, team.as_deref()).await {
            log::error(&format!("a letter cannot be kept: {error:#}"));
        }
        asking.post.announce();
        drop(pass);
    });
    let title = visitor.t(texts::LETTER_SENT);
    let body = html! {
        div.narrow { h1 { (title) } p.notice.good role="status" { (visitor.t(said)) } p { a href="/sign-in" { (visitor.t(texts::SIGN_IN)) } } }
    };
    Ok(visitor.page(&Sheet { title, body, ..Sheet::default() }).into_response())
}

const USED: AppError = AppError::Refused(StatusCode::GONE, texts::LINK_USED);

async fn link_form(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>) -> Answer {
    let (account, is_setup) = accounts::find_link(&site.database, &token).await?.ok_or(USED)?;
    Ok(password_page(&visitor, &account, is_setup, &Fields::default(), None))
}

/// A field of the form behind a link, and what is wrong with it.
type Wrong = Option<(&'static str, Text)>;

fn password_page(visitor: &Visitor, account: &Account, is_setup: bool, typed: &Fields, wrong: Wrong) -> Response {
    let title = visitor.t(if is_setup { texts::SET_UP } else { texts::CHOOSE_PASSWORD });
    let hint = visitor.fill(texts::PASSWORD_HINT, &[("count", &SHORTEST_PASSWORD.to_string())]);
    let error = |field: &str| wrong.filter(|(name, _)| *name == field).map(|(_, text)| visitor.t(text));
    let email = if is_setup { typed.get("email") } else { &account.email };
    let body = html! {
        div.narrow {
            h1 { (title) }
            p.lead {
                @if is_setup { (visitor.t(texts::SET_UP_HINT)) }
                @else { (visitor.fill(texts::WELCOME_NAME, &[("name", &account.name)])) }
            }
            form.card method="post" {
                (visitor.token())
                @if is_setup {
                    (Field { name: "name", label: visitor.t(texts::NAME), value: typed.get("name"), error: error("name"), autocomplete: "name", ..Field::default() }.html())
                }
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: email, error: error("email"), readonly: !is_setup, autocomplete: "username", ..Field::default() }.html())
                (Field { name: "password", label: visitor.t(texts::NEW_PASSWORD), kind: "password", hint: &hint, error: error("password"), autocomplete: "new-password", ..Field::default() }.html())
                (Field { name: "again", label: visitor.t(texts::PASSWORD_AGAIN), kind: "password", autocomplete: "new-password", ..Field::default() }.html())
                button { (visitor.t(texts::SAVE)) }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    (status, visitor.page(&Sheet { title, body, ..Sheet::default() })).into_response()
}

async fn use_link(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>, fields: Fields) -> Answer {
    let (account, is_setup) = accounts::find_link(&site.database, &token).await?.ok_or(USED)?;
    let refused = |field, text| Ok(password_page(&visitor, &account, is_setup, &fields, Some((field, text))));
    let password = match new_password(&fields) {
        Ok(password) => password,
        Err(text) => return refused("password", text),
    };
    let new = match is_setup.then(|| roster::person(fields.get("name"), fields.get("email"), "")).transpose() {
        Ok(new) => new,
        Err(bad) => return refused(people::field_of(bad), texts::bad_person(bad)),
    };
    let hash = site.passwords.hash(password).await?;
    match accounts::use_link(&site.database, &token, &hash, new.as_ref()).await? {
        Used::Done => {}
        Used::Gone => return Err(USED),
        Used::AddressTaken => return refused("email", texts::ROSTER_KNOWN),
    }
    log::note(&format!("account {} has a new password", account.id));
    let session = sessions::start_by_password(&site.database, account.id, &hash, &visitor.address, &visitor.agent);
    let session = session.await?.ok_or(USED)?;
    welcomed(&site, &visitor, &account, &session, "/?said=welcome").await
}

/// The password typed twice, if it will do.
pub fn new_password(fields: &Fields) -> Result<String, Text> {
    let password = fields.raw("password");
    let length = password.chars().count();
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&length) {
        return Err(texts::PASSWORD_LENGTH);
    }
    if password != fields.raw("again") {
        return Err(texts::PASSWORDS_DIFFER);
    }
    Ok(password.to_owned())
}
