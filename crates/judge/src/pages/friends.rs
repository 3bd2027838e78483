//! The page of friends.

use std::collections::HashMap;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{get, post};
use maud::{Markup, html};

use super::layout::{Field, Sheet};
use crate::accounts;
use crate::friends::{self, Friend, Refusal};
use crate::ids::AccountId;
use crate::texts::{self, Text};
use crate::web::{Answer, AppError, Fields, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new()
        .route("/friends", get(show).post(add))
        .route("/friends/back", post(list_back))
        .route("/friends/remove", post(remove))
}

async fn show(State(site): State<Site>, visitor: Visitor, Query(query): Query<HashMap<String, String>>) -> Answer {
    let body = page(&site, &visitor, "", None).await?;
    let said = visitor.said(query.get("said").map(String::as_str));
    let body = html! { (said) (body) };
    Ok(visitor
        .page(&Sheet { title: visitor.t(texts::FRIENDS), crumbs: crumbs(&visitor), body, ..Sheet::default() })
        .into_response())
}

/// Friends are for training.
fn crumbs(visitor: &Visitor) -> Vec<(String, String)> {
    vec![("/training".to_owned(), visitor.t(texts::TRAINING_PAGE).to_owned())]
}

async fn page(site: &Site, visitor: &Visitor, email: &str, error: Option<Text>) -> Result<Markup, AppError> {
    let account = visitor.signed_in()?;
    let all = friends::list(&site.database, account.id).await?;
    Ok(html! {
        h1 { (visitor.t(texts::FRIENDS)) }
        p.quiet { (visitor.t(texts::FRIENDS_HINT)) }
        form.card method="post" action="/friends" {
            (visitor.token())
            (Field { name: "email", kind: "email", label: visitor.t(texts::FRIEND_EMAIL), value: email, error: error.map(|text| visitor.t(text)), ..Field::default() }.html())
            button { (visitor.t(texts::LIST_FRIEND)) }
        }
        @if all.is_empty() { (visitor.empty(texts::NO_FRIENDS, &html! { (visitor.t(texts::NO_FRIENDS_HINT)) })) }
        @else { ul.rows.card { @for one in &all { (row(visitor, one)) } } }
    })
}

fn row(visitor: &Visitor, one: &Friend) -> Markup {
    let (class, state) = match (one.is_listed, one.lists) {
        (true, true) => ("accepted", texts::IS_FRIEND),
        (true, false) => ("waiting", texts::IS_WAITING),
        (false, _) => ("running", texts::LISTS_YOU),
    };
    let (address, button) =
        if one.is_listed { ("/friends/remove", texts::UNLIST_FRIEND) } else { ("/friends/back", texts::LIST_BACK) };
    html! {
        li {
            div { strong { (one.name) } " " span class={ "badge " (class) } { (visitor.t(state)) } }
            form method="post" action=(address) {
                (visitor.token())
                input type="hidden" name="account" value=(one.account);
                button.quiet { (visitor.t(button)) }
            }
        }
    }
}

async fn add(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    let mut tx = site.database.begin().await?;
    let added = friends::add(&mut tx, &site.throttle, account.id, fields.get("email")).await?;
    tx.commit().await?;
    let (status, error) = match added {
        Ok(_) => return Ok(Redirect::to("/friends?said=saved").into_response()),
        Err(Refusal::Guessing) => (StatusCode::TOO_MANY_REQUESTS, texts::FRIEND_GUESSING),
        Err(Refusal::Unknown) => (StatusCode::UNPROCESSABLE_ENTITY, texts::FRIEND_UNKNOWN),
        Err(Refusal::Oneself) => (StatusCode::UNPROCESSABLE_ENTITY, texts::FRIEND_ONESELF),
        Err(Refusal::TooMany) => (StatusCode::UNPROCESSABLE_ENTITY, texts::FRIENDS_FULL),
    };
    let body = page(&site, &visitor, fields.get("email"), Some(error)).await?;
    let page =
        visitor.page(&Sheet { title: visitor.t(texts::FRIENDS), crumbs: crumbs(&visitor), body, ..Sheet::default() });
    Ok((status, page).into_response())
}

/// Lists somebody by whom one is listed.
async fn list_back(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    let other = other(&fields)?;
    let mut tx = site.database.begin().await?;
    accounts::hold(&mut tx, account.id).await?;
    let added = friends::add_back(&mut tx, account.id, other).await?;
    tx.commit().await?;
    match added {
        Ok(_) => Ok(Redirect::to("/friends?said=saved").into_response()),
        Err(Refusal::TooMany) => Err(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::FRIENDS_FULL)),
        Err(Refusal::Unknown | Refusal::Guessing | Refusal::Oneself) => Err(AppError::NotFound),
    }
}

async fn remove(State(site): State<Site>, visitor: Visitor, fields: Fields) -> Answer {
    let account = visitor.signed_in()?;
    let other = other(&fields)?;
    let mut tx = site.database.begin().await?;
    friends::remove(&mut tx, account.id, other).await?;
    tx.commit().await?;
    Ok(Redirect::to("/friends?said=saved").into_response())
}

fn other(fields: &Fields) -> Result<AccountId, AppError> {
    let number = fields.number("account");
    number.map(AccountId).ok_or(AppError::Refused(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_REQUEST))
}
