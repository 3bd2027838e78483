//! Who calls: the token in the head of a request, and nothing else.

use axum::http::header::HeaderMap;
use axum::http::{StatusCode, header};

use crate::texts;
use crate::throttle::{Source, Who};
use crate::tokens::{self, Scope};
use crate::web::{Problem, Site, Visitor};

/// Finds out for whom a program asks, and whether its token is good for what it
/// asks. Wrong tokens are counted as wrong passwords are, by the place that they
/// come from; right ones are always taken, since a whole classroom may share it.
pub async fn recognise(
    site: &Site,
    visitor: &mut Visitor,
    headers: &HeaderMap,
    needed: Option<Scope>,
) -> Result<(), Problem> {
    let Some(value) = headers.get(header::AUTHORIZATION) else {
        return Err(Problem::new(StatusCode::UNAUTHORIZED, texts::TOKEN_MISSING));
    };
    let token = value.to_str().ok().and_then(|value| value.split_once(' '));
    let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, token)| token.trim());
    let Some(caller) = tokens::find(&site.database, token).await? else {
        let (who, source) = (Who::Nobody("tokens of calls"), Source::Stranger(visitor.place));
        return Err(match site.throttle.admit(who, &source, site.throttle.now()) {
            Ok(()) => Problem::new(StatusCode::UNAUTHORIZED, texts::TOKEN_WRONG),
            Err(wait) => {
                let seconds = wait.as_secs() + 1;
                Problem::new(StatusCode::TOO_MANY_REQUESTS, texts::TOO_MANY_WRONG_TOKENS)
                    .with("seconds", &seconds)
                    .after(seconds)
            }
        });
    };
    visitor.language = caller.account.language;
    let scopes = caller.token.scopes;
    visitor.caller = Some(caller);
    match needed {
        Some(scope) if !scopes.has(scope) => {
            Err(Problem::new(StatusCode::FORBIDDEN, texts::SCOPE_MISSING).with("scope", &scope.word()))
        }
        _ => Ok(()),
    }
}
