//! What can go wrong with a request.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

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
    Internal(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for AppError {
    fn from(error: E) -> Self {
        AppError::Internal(error.into())
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
            AppError::Internal(error) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                Explanation { internal: Some(format!("{error:#}")), ..plain(texts::INTERNAL) },
            ),
        };
        let mut response = status.into_response();
        response.extensions_mut().insert(explanation);
        response
    }
}
