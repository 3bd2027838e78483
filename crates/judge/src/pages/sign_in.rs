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
use crate::accounts::{self, Account};
use crate::ids::AccountId;
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
            form.card method="post" action="/sign-in" {
                (visitor.token())
                input type="hidden" name="next" value=(next);
                @if let Some(text) = error { p.notice.bad role="alert" { (text) } }
                (Field { name: "email", label: visitor.t(texts::EMAIL), kind: "email", value: email, autocomplete: "username", ..Field::default() }.html())
                (Field { name: "password", label: visitor.t(texts::PASSWORD), kind: "password", autocomplete: "current-password", ..Field::default() }.html())
                button { (title) }
                p.quiet { (visitor.t(texts::FORGOTTEN)) }
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
    let right = site.passwords.verify(password, stored, visitor.place, lane).await?;
    match account.filter(|_| right) {
        Some(account) if account.locked => Ok(page(&visitor, &next, typed, Some(visitor.t(texts::ACCOUNT_LOCKED)))),
        Some(account) => {
            site.throttle.succeeded(account.id, &source);
            start_session(&site, &visitor, &account, &next).await
        }
        None => Ok(page(&visitor, &next, typed, Some(visitor.t(texts::WRONG_CREDENTIALS)))),
    }
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

async fn start_session(site: &Site, visitor: &Visitor, account: &Account, next: &str) -> Answer {
    let token = sessions::start(&site.database, account.id, &visitor.address, &visitor.agent).await?;
    let device = devices::remember(&site.database, account.id, visitor.device.as_deref()).await?;
    let mut response = Redirect::to(next).into_response();
    visitor::set_session(visitor, response.headers_mut(), &token);
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

const USED: AppError = AppError::Refused(StatusCode::GONE, texts::LINK_USED);

async fn link_form(State(site): State<Site>, visitor: Visitor, Path(token): Path<String>) -> Answer {
    let (account, is_setup) = accounts::find_link(&site.database, &token).await?.ok_or(USED)?;
    Ok(password_page(&visitor, &account, is_setup, None))
}

/// A field of the form behind a link, and what is wrong with it.
type Wrong = Option<(&'static str, Text)>;

fn password_page(visitor: &Visitor, account: &Account, is_setup: bool, wrong: Wrong) -> Response {
    let title = visitor.t(if is_setup { texts::SET_UP } else { texts::CHOOSE_PASSWORD });
    let hint = visitor.fill(texts::PASSWORD_HINT, &[("count", &SHORTEST_PASSWORD.to_string())]);
    let error = |field: &str| wrong.filter(|(name, _)| *name == field).map(|(_, text)| visitor.t(text));
    let email = if is_setup { "" } else { &account.email };
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
                    (Field { name: "name", label: visitor.t(texts::NAME), error: error("name"), autocomplete: "name", ..Field::default() }.html())
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
    let refused = |field, text| Ok(password_page(&visitor, &account, is_setup, Some((field, text))));
    let password = match new_password(&fields) {
        Ok(password) => password,
        Err(text) => return refused("password", text),
    };
    if is_setup {
        match roster::person(fields.get("name"), fields.get("email"), "") {
            Ok(new) if accounts::set_details(&site.database, account.id, &new).await? => {}
            Ok(_) => return refused("email", texts::ROSTER_KNOWN),
            Err(bad) => return refused(people::field_of(bad), texts::bad_person(bad)),
        }
    }
    let hash = site.passwords.hash(password).await?;
    if !accounts::use_link(&site.database, &token, &hash).await? {
        return Err(USED);
    }
    log::note(&format!("account {} has a new password", account.id));
    start_session(&site, &visitor, &account, "/?said=welcome").await
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
