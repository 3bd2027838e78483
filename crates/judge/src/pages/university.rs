//! Signing in by the university.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::get;

use super::sign_in::welcomed;
use crate::university::{Errand, WrongCode};
use crate::web::gate::Busy;
use crate::web::{Answer, AppError, Site, Visitor, visitor};
use crate::{accounts, groups, log, sessions, texts};

pub fn routes() -> Router<Site> {
    Router::new().route("/sign-in/university", get(leave)).route("/sign-in/university/back", get(come_back))
}

/// How long somebody may take at the university, in seconds.
const PATIENCE: u32 = 900;

async fn leave(State(site): State<Site>, visitor: Visitor) -> Answer {
    let university = site.settings.university.as_ref().ok_or(AppError::NotFound)?;
    let (address, errand) = university.begin(&visitor.asker()).await.map_err(|error| silent(&error))?;
    let mut response = Redirect::to(&address).into_response();
    visitor::set_cookie(response.headers_mut(), visitor::ERRAND, &errand.cookie(), visitor.secure, Some(PATIENCE));
    Ok(response)
}

/// The university cannot be asked, or what somebody brought from there is worth nothing.
fn silent(error: &anyhow::Error) -> AppError {
    if error.is::<Busy>() {
        return AppError::Busy;
    }
    if error.is::<WrongCode>() {
        return AppError::Refused(StatusCode::FORBIDDEN, texts::UNIVERSITY_REFUSED);
    }
    log::error(&format!("signing in by the university: {error:#}"));
    AppError::Refused(StatusCode::BAD_GATEWAY, texts::UNIVERSITY_FAILED)
}

async fn come_back(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let university = site.settings.university.as_ref().ok_or(AppError::NotFound)?;
    let refused = |text| AppError::Refused(StatusCode::FORBIDDEN, text);
    let asked = |name: &str| query.get(name).map_or("", String::as_str);
    let errand = visitor.errand.as_deref().and_then(Errand::of_cookie).filter(|errand| errand.began(asked("state")));
    let errand = errand.ok_or(refused(texts::UNIVERSITY_OTHER_BROWSER))?;
    if asked("code").is_empty() {
        return Err(refused(texts::UNIVERSITY_REFUSED));
    }
    let email = university.address(&visitor.asker(), asked("code").to_owned(), errand).await;
    let email = email.map_err(|error| silent(&error))?;
    let email = email.as_deref().and_then(accounts::clean_email).ok_or(refused(texts::UNIVERSITY_NO_ADDRESS))?;
    let account = accounts::credentials(&site.database, &email).await?.map(|(account, _)| account);
    let account = account.ok_or(refused(texts::UNIVERSITY_STRANGER))?;
    if account.locked {
        return Err(refused(texts::ACCOUNT_LOCKED));
    }
    // Somebody else may have said to be this person, behind the link of a group.
    let mut tx = site.database.begin().await?;
    groups::end_claim(&mut tx, account.id).await?;
    tx.commit().await?;
    let token = sessions::start(&site.database, account.id, &visitor.address, &visitor.agent).await?;
    let mut response = welcomed(&site, &visitor, &account, &token, "/").await?;
    visitor::set_cookie(response.headers_mut(), visitor::ERRAND, "", visitor.secure, Some(0));
    Ok(response)
}
