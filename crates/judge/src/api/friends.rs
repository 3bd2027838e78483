//! Friends.

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, Json, Nothing};
use super::lists::ListPart;
use crate::accounts;
use crate::friends::{self, Refusal};
use crate::ids::AccountId;
use crate::texts;
use crate::web::{AppError, Problem};

/// Somebody who is listed, or who lists whoever asks. Friends are who do both.
#[derive(Serialize, JsonSchema)]
pub struct Friend {
    account: AccountId,
    name: String,
    is_listed: bool,
    lists_you: bool,
}

/// Somebody by the address that they sign in with.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    email: String,
}

pub async fn list(ask: Ask) -> Done<Json<ListPart<Friend>>> {
    let all = friends::list(&ask.site.database, ask.account()?.id).await?;
    let friend = |one: friends::Friend| Friend {
        account: one.account,
        name: one.name,
        is_listed: one.is_listed,
        lists_you: one.lists,
    };
    Ok(Json(ListPart::whole(all.into_iter().map(friend).collect())))
}

pub async fn add(ask: Ask<(), (), Json<Address>>) -> Done<Nothing> {
    let account = ask.account()?.id;
    let mut tx = ask.site.database.begin().await?;
    let added = friends::add(&mut tx, &ask.site.throttle, account, &ask.body.0.email).await?;
    tx.commit().await?;
    match added {
        Ok(_) => Ok(Nothing),
        Err(Refusal::Guessing) => Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, texts::FRIEND_GUESSING)),
        Err(Refusal::Unknown) => Err(Problem::in_field("email", texts::FRIEND_UNKNOWN)),
        Err(Refusal::Oneself) => Err(Problem::in_field("email", texts::FRIEND_ONESELF)),
        Err(Refusal::TooMany) => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, texts::FRIENDS_FULL)),
    }
}

/// Lists somebody by whom one is listed.
pub async fn list_back(ask: Ask<AccountId>) -> Done<Nothing> {
    let account = ask.account()?.id;
    let mut tx = ask.site.database.begin().await?;
    accounts::hold(&mut tx, account).await?;
    let added = friends::add_back(&mut tx, account, ask.path).await?;
    tx.commit().await?;
    match added {
        Ok(_) => Ok(Nothing),
        Err(Refusal::TooMany) => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, texts::FRIENDS_FULL)),
        Err(Refusal::Unknown | Refusal::Guessing | Refusal::Oneself) => Err(AppError::NotFound.into()),
    }
}

pub async fn remove(ask: Ask<AccountId>) -> Done<Nothing> {
    let account = ask.account()?.id;
    let mut tx = ask.site.database.begin().await?;
    friends::remove(&mut tx, account, ask.path).await?;
    tx.commit().await?;
    Ok(Nothing)
}
