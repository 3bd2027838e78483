//! Forms that come in: capped, and only from our own pages.

use std::collections::HashMap;

use axum::Form;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use futures_util::StreamExt as _;

use super::gate::{Gate, Lane};
use super::patience::TooSlow;
use super::{AppError, Asker, Visitor, visitor};
use crate::{log, texts};

/// The largest plain form: a roster or a rules page.
const LARGEST_FORM: usize = 2 << 20;
/// The largest form with a file. Every season's limit is below it.
pub const LARGEST_UPLOAD: usize = 3 << 20;
/// The largest form of somebody who is not signed in: a password, twice.
const LARGEST_OF_GUEST: usize = 16 << 10;
/// The most fields of any form. Reading more would keep the others waiting.
const MOST_FIELDS: usize = 200;
/// What is read and dropped of a body that is too large, so that the browser
/// gets to see the answer instead of a broken connection.
const DRAINED: usize = 256 << 20;

const FORGED: AppError = AppError::Refused(StatusCode::FORBIDDEN, texts::FORM_EXPIRED);
const TOO_LARGE: AppError = AppError::Refused(StatusCode::PAYLOAD_TOO_LARGE, texts::UPLOAD_TOO_LARGE);
const SLOW: AppError = AppError::Refused(StatusCode::REQUEST_TIMEOUT, texts::TOO_SLOW);
const DAMAGED: AppError = AppError::Refused(StatusCode::BAD_REQUEST, texts::BAD_REQUEST);

/// The fields of a form, by name.
#[derive(Clone, Debug, Default)]
pub struct Fields(HashMap<String, String>);

impl Fields {
    /// A field without blanks around it; empty if it is not there.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    /// A field exactly as it came.
    pub fn raw(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The numbers of ticks whose names begin alike, such as `who-12`.
    pub fn numbers<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = i64> + 'a {
        self.0.keys().filter_map(move |name| name.strip_prefix(prefix)?.parse().ok())
    }

    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name).parse().ok()
    }
}

impl<const N: usize> From<[(&str, String); N]> for Fields {
    fn from(fields: [(&str, String); N]) -> Self {
        Fields(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Fields, AppError> {
        let (visitor, parts, bytes) = buffered(request, LARGEST_FORM).await?;
        if bytes.iter().filter(|&&byte| byte == b'&').count() >= MOST_FIELDS {
            return Err(DAMAGED);
        }
        let request = Request::from_parts(parts, Body::from(bytes));
        let Form(fields) = Form::<HashMap<String, String>>::from_request(request, state).await.map_err(|_| DAMAGED)?;
        if !visitor.is_token(fields.get("csrf").map_or("", String::as_str)) {
            return Err(FORGED);
        }
        // PostgreSQL keeps no text with this character, and no text needs it.
        Ok(Fields(fields.into_iter().map(|(name, value)| (name, value.replace('\0', ""))).collect()))
    }
}

/// A form with a file in it.
#[derive(Clone, Debug, Default)]
pub struct Upload {
    pub fields: Fields,
    pub file_name: String,
    pub file: Bytes,
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Upload, AppError> {
        let (visitor, parts, bytes) = buffered(request, LARGEST_UPLOAD).await?;
        let request = Request::from_parts(parts, Body::from(bytes));
        let mut multipart = Multipart::from_request(request, state).await.map_err(|_| DAMAGED)?;
        let mut upload = Upload::default();
        let mut count = 0;
        while let Some(field) = multipart.next_field().await.map_err(|_| DAMAGED)? {
            count += 1;
            if count > MOST_FIELDS {
                return Err(DAMAGED);
            }
            let name = field.name().unwrap_or_default().to_owned();
            if let Some(file_name) = field.file_name() {
                upload.file_name = file_name.chars().filter(|c| log::is_plain(*c)).take(100).collect();
                upload.file = field.bytes().await.map_err(|_| DAMAGED)?;
            } else {
                // A text that is not UTF-8 is judged like a file: later, with a line number.
                let bytes = field.bytes().await.map_err(|_| DAMAGED)?;
                upload.fields.0.insert(name, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        if !visitor.is_token(upload.fields.get("csrf")) {
            return Err(FORGED);
        }
        Ok(upload)
    }
}

/// A request with its body in memory, if that is small enough.
async fn buffered(request: Request, most: usize) -> Result<(Visitor, Parts, Vec<u8>), AppError> {
    let (parts, body) = request.into_parts();
    let visitor = parts.extensions.get::<Visitor>().cloned().unwrap_or_else(|| Visitor::unknown(""));
    if !visitor::is_from_here(&visitor, &parts.headers) {
        return Err(FORGED);
    }
    let most = if visitor.session.is_some() { most } else { LARGEST_OF_GUEST };
    let bytes = body_of(&visitor, &parts, body, most).await?;
    Ok((visitor, parts, bytes))
}

/// What a request brings, if it is no larger than it may be.
pub async fn body_of(visitor: &Visitor, parts: &Parts, body: Body, most: usize) -> Result<Vec<u8>, AppError> {
    // Guests' bodies are so small that nobody needs to wait for others.
    let bodies = parts.extensions.get::<Gate<Asker>>().filter(|_| visitor.account().is_some());
    let _pass = match bodies {
        Some(gate) => Some(gate.enter(&visitor.asker(), Lane::First).await?),
        None => None,
    };
    read(body, most, content_length(&parts.headers)).await
}

fn content_length(headers: &HeaderMap) -> usize {
    let value = headers.get("content-length").and_then(|value| value.to_str().ok());
    value.and_then(|value| value.parse().ok()).unwrap_or(0)
}

async fn read(body: Body, most: usize, claimed: usize) -> Result<Vec<u8>, AppError> {
    let mut stream = body.into_data_stream();
    let mut kept = Vec::new();
    let mut seen = 0;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|error| if is_slow(&error) { SLOW } else { DAMAGED })?;
        seen += chunk.len();
        if seen > DRAINED {
            break;
        }
        if claimed <= most && seen <= most {
            kept.extend_from_slice(&chunk);
        } else {
            kept = Vec::new();
        }
    }
    if seen > most { Err(TOO_LARGE) } else { Ok(kept) }
}

/// Whether it is for its slowness that a body ended. Whoever hands a body on
/// wraps its error.
fn is_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(<dyn std::error::Error>::is::<TooSlow>)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::response::IntoResponse as _;
    use futures_util::stream;

    use super::*;
    use crate::web::patience::{Pace, Patience, paced};

    #[tokio::test]
    async fn a_body_that_comes_too_slowly_is_told_so() {
        let patience = Patience::new(Duration::from_millis(1), 1);
        let pace = Pace { patience, in_all: Duration::from_secs(60) };
        let silent = paced(Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>()), pace);
        let broken = stream::iter([Err::<Bytes, _>(std::io::Error::other("gone"))]);
        for (body, expected) in [
            // As the router hands it on.
            (Body::new(silent), StatusCode::REQUEST_TIMEOUT),
            (paced(Body::from_stream(broken), pace), StatusCode::BAD_REQUEST),
        ] {
            assert_eq!(read(body, 100, 0).await.unwrap_err().into_response().status(), expected);
        }
    }
}
