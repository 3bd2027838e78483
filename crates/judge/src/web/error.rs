//! What can go wrong with a request.

use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::gate::Busy;
use crate::texts::{self, Text};

/// Use `NotFound` also for what the visitor must not know to exist, `Refused`
/// for what the visitor can mend, and let everything else become `Internal`.
#[derive(Debug)]
pub enum AppError {
    NotFound,
    Forbidden,
    /// Somebody must sign in first.
    SignIn,
    Refused(StatusCode, Text),
    /// So many ask for this that it has to be asked for again later.
    Busy,
    Internal(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for AppError {
    fn from(error: E) -> Self {
        let error = error.into();
        if error.is::<Busy>() { AppError::Busy } else { AppError::Internal(error) }
    }
}

/// What the boundary needs to make a page of an error: only the boundary knows
/// the visitor and the request's id.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub text: Text,
    /// For the log, never for the page.
    pub internal: Option<String>,
    pub sign_in: bool,
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let plain = |text| Explanation { text, internal: None, sign_in: false };
        let (status, explanation) = match self {
            AppError::NotFound => (StatusCode::NOT_FOUND, plain(texts::NOT_FOUND)),
            AppError::Forbidden => (StatusCode::FORBIDDEN, plain(texts::FORBIDDEN)),
            AppError::SignIn => (StatusCode::UNAUTHORIZED, Explanation { sign_in: true, ..plain(texts::FORBIDDEN) }),
            AppError::Refused(status, text) => (status, plain(text)),
            AppError::Busy => (StatusCode::SERVICE_UNAVAILABLE, plain(texts::BUSY)),
            AppError::Internal(error) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                Explanation { internal: Some(format!("{error:#}")), ..plain(texts::INTERNAL) },
            ),
        };
        let mut response = status.into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response.extensions_mut().insert(explanation);
        response
    }
}
