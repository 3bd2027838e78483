//! Around every request: who asks, an id, the headers, and a page for errors.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::FutureExt as _;
use maud::Markup;

use super::error::{AppError, Explanation};
use super::patience::{self, Pace, Patience};
use super::visitor::{self, Visitor};
use super::{Site, assets, problem};
use crate::log::Subject;
use crate::texts::{self, Text};
use crate::{log, secrets};

const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
    ),
];

/// How bodies of requests must come: a KiB per second, and within two minutes.
const BODIES: Pace =
    Pace { patience: Patience::new(Duration::from_secs(15), 1 << 10), in_all: Duration::from_secs(120) };

/// How a page says what went wrong, and under which id it is in the log.
pub type ErrorPage = fn(&Visitor, StatusCode, Text, &str) -> Markup;

pub async fn boundary(State((site, error_page)): State<(Site, ErrorPage)>, request: Request, next: Next) -> Response {
    let id = secrets::short_token();
    log::within(Subject::Request(id.clone()), answer(site, error_page, request, next, id)).await
}

async fn answer(site: Site, error_page: ErrorPage, request: Request, next: Next, id: String) -> Response {
    let (mut parts, body) = request.into_parts();
    let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
    // A question is one with a body too; what is sent waits elsewhere.
    let waits = !assets::is_asset(&path) && (body.is_end_stream() || method.is_safe());
    let _turn = if waits { Some(site.gates.turns.take(visitor::place(&site.settings, &parts)).await) } else { None };
    let is_text = !has_zero(&path) && !parts.uri.query().is_some_and(has_zero);
    let recognised =
        if assets::is_asset(&path) { Ok(Visitor::unknown(&path)) } else { visitor::recognise(&site, &parts).await };
    let (visitor, response) = match recognised {
        Ok(visitor) if !is_text => (visitor, AppError::NotFound.into_response()),
        Ok(visitor) => {
            parts.extensions.insert(visitor.clone());
            let mut body = body;
            if !body.is_end_stream() {
                parts.extensions.insert(site.gates.bodies.clone());
                body = patience::paced(body, BODIES);
            }
            let request = Request::from_parts(parts, body);
            let answer = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            let panicked = |_| AppError::Internal(anyhow::anyhow!("a handler panicked")).into_response();
            (visitor, answer.unwrap_or_else(panicked))
        }
        Err(error) => (Visitor::unknown(&path), AppError::Internal(error).into_response()),
    };
    let mut response = if visitor::is_call(&path) {
        problem::explain(&visitor, &id, &method, &path, response)
    } else {
        explain(error_page, &visitor, &id, &method, &path, response)
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    if !assets::is_asset(&path) {
        let kept_by =
            response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
        // What caches between us keep for everybody must hold nobody's cookie.
        let is_shared = kept_by.to_str().is_ok_and(|value| value.contains("max-age") && !value.contains("private"));
        if !visitor::is_call(&path) && !is_shared {
            visitor::remember_guest(&visitor, response.headers_mut());
        }
    }
    response
}

/// Whether a part of an address holds a zero byte, which PostgreSQL does not
/// take for text.
fn has_zero(part: &str) -> bool {
    part.contains("%00")
}

/// Turns errors into pages. Whatever the framework refuses by itself gets one too.
fn explain(
    error_page: ErrorPage,
    visitor: &Visitor,
    id: &str,
    method: &Method,
    path: &str,
    response: Response,
) -> Response {
    let status = response.status();
    let explanation = match response.extensions().get::<Explanation>() {
        Some(explanation) => explanation.clone(),
        None if status.is_client_error() || status.is_server_error() => {
            let is_page = response
                .headers()
                .get(header::CONTENT_TYPE)
                .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
            if is_page {
                return response;
            }
            let text = if status == StatusCode::NOT_FOUND { texts::NOT_FOUND } else { texts::BAD_REQUEST };
            Explanation { text, internal: None, sign_in: false }
        }
        None => return response,
    };
    if explanation.sign_in {
        let next = if *method == Method::GET { path } else { "/" };
        return Redirect::to(&format!("/sign-in?next={next}")).into_response();
    }
    if let Some(internal) = &explanation.internal {
        log::error(&format!("request {id} {method} {path}: {internal}"));
    }
    let later = response.headers().get(header::RETRY_AFTER).cloned();
    let mut page = (status, error_page(visitor, status, explanation.text, id)).into_response();
    page.headers_mut().extend(later.map(|later| (header::RETRY_AFTER, later)));
    page
}
