//! Whoever asks: the account, its sessions and tokens.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::{Ask, Done, Json, Nothing};
use super::lists::{ListPart, Moment};
use crate::accounts::{self, Role};
use crate::ids::{AccountId, SessionId, TokenId};
use crate::texts::{self, Language};
use crate::tokens::{self, Scope};
use crate::web::{AppError, Problem};
use crate::{sessions, training};

/// An account and what it may do.
#[derive(Serialize, JsonSchema)]
pub struct Me {
    id: AccountId,
    name: String,
    email: String,
    team: String,
    role: Role,
    language: &'static str,
    /// Whether it may submit and train: spectators may not.
    may_submit: bool,
    /// Training matches that are left for today.
    training_left: i64,
    /// The token that asks.
    token: Token,
}

/// A token, without what is secret about it.
#[derive(Serialize, JsonSchema)]
pub struct Token {
    id: TokenId,
    name: String,
    scopes: Vec<Scope>,
    created_at: Moment,
    expires_at: Moment,
    used_at: Option<Moment>,
}

impl From<tokens::Token> for Token {
    fn from(token: tokens::Token) -> Token {
        Token {
            id: token.id,
            scopes: token.scopes.list(),
            name: token.name,
            created_at: Moment(token.created_at),
            expires_at: Moment(token.expires_at),
            used_at: token.used_at.map(Moment),
        }
    }
}

/// A browser that is signed in.
#[derive(Serialize, JsonSchema)]
pub struct Session {
    id: SessionId,
    address: String,
    agent: String,
    created_at: Moment,
    seen_at: Moment,
}

/// A language of the site.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    #[schemars(regex(pattern = "^(en|ca|es)$"))]
    language: String,
}

pub async fn show(ask: Ask) -> Done<Json<Me>> {
    let account = ask.account()?;
    let token = ask.visitor.caller.as_ref().ok_or(AppError::SignIn)?.token.clone();
    Ok(Json(Me {
        id: account.id,
        name: account.name.clone(),
        email: account.email.clone(),
        team: account.team.clone(),
        role: account.role,
        language: account.language.code(),
        may_submit: account.may_submit(),
        training_left: training::left_today(&ask.site.database, account.id, ask.site.settings.quota).await?,
        token: token.into(),
    }))
}

pub async fn set_language(ask: Ask<(), (), Json<Chosen>>) -> Done<Nothing> {
    let language = Language::of(&ask.body.0.language);
    let language = language.ok_or_else(|| Problem::in_field("language", texts::BAD_REQUEST))?;
    accounts::set_language(&ask.site.database, ask.account()?.id, language).await?;
    Ok(Nothing)
}

pub async fn sessions(ask: Ask) -> Done<Json<ListPart<Session>>> {
    let open = sessions::list(&ask.site.database, ask.account()?.id).await?;
    let session = |one: sessions::OpenSession| Session {
        id: one.id,
        address: one.address,
        agent: one.agent,
        created_at: Moment(one.created_at),
        seen_at: Moment(one.seen_at),
    };
    Ok(Json(ListPart::whole(open.into_iter().map(session).collect())))
}

pub async fn end_session(ask: Ask<SessionId>) -> Done<Nothing> {
    sessions::end(&ask.site.database, ask.account()?.id, ask.path).await?;
    Ok(Nothing)
}

pub async fn tokens(ask: Ask) -> Done<Json<ListPart<Token>>> {
    let all = tokens::list(&ask.site.database, ask.account()?.id).await?;
    Ok(Json(ListPart::whole(all.into_iter().map(Token::from).collect())))
}

pub async fn revoke(ask: Ask<TokenId>) -> Done<Nothing> {
    if !tokens::revoke(&ask.site.database, ask.account()?.id, ask.path).await? {
        return Err(AppError::NotFound.into());
    }
    Ok(Nothing)
}

/// Ends the token with which it is called: whoever has it may throw it away.
pub async fn revoke_own(ask: Ask) -> Done<Nothing> {
    let caller = ask.visitor.caller.as_ref().ok_or(AppError::SignIn)?;
    tokens::revoke(&ask.site.database, caller.account.id, caller.token.id).await?;
    Ok(Nothing)
}
