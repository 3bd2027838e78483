//! What went wrong with a call, as a document for programs: RFC 9457.

use std::collections::BTreeMap;

use axum::http::header::{self, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::AppError;
use super::error::Explanation;
use super::visitor::Visitor;
use crate::log;
use crate::texts::{self, Language, Text};

pub const CONTENT_TYPE: &str = "application/problem+json";

/// A problem that names what it is about.
#[derive(Debug)]
pub struct Problem {
    error: AppError,
    about: Box<About>,
}

#[derive(Clone, Debug, Default)]
struct About {
    /// The names in the text, and what stands for them.
    values: Vec<(&'static str, String)>,
    field: Option<&'static str>,
    line: Option<usize>,
    /// Seconds after which it may be asked again.
    later: Option<u64>,
    /// The language of whoever asks; none if it is not known who does.
    language: Option<Language>,
}

impl Problem {
    pub fn new(status: StatusCode, text: Text) -> Problem {
        AppError::Refused(status, text).into()
    }

    /// What is wrong with a value that was sent.
    pub fn in_field(field: &'static str, text: Text) -> Problem {
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, text);
        problem.about.field = Some(field);
        problem
    }

    pub fn with(mut self, name: &'static str, value: &dyn ToString) -> Problem {
        self.about.values.push((name, value.to_string()));
        self
    }

    pub fn at_line(mut self, line: Option<usize>) -> Problem {
        self.about.line = line;
        self
    }

    pub fn after(mut self, seconds: u64) -> Problem {
        self.about.later = Some(seconds);
        self
    }

    /// The answer, which the boundary completes. Only the boundary knows the
    /// request's id, and only whoever has read the token knows the language.
    pub fn answer(mut self, language: Language) -> Response {
        self.about.language = Some(language);
        let mut response = self.error.into_response();
        if let Some(later) = self.about.later.and_then(|seconds| HeaderValue::from_str(&seconds.to_string()).ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, later);
        }
        response.extensions_mut().insert(*self.about);
        response
    }
}

impl<E: Into<AppError>> From<E> for Problem {
    fn from(error: E) -> Self {
        Problem { error: error.into(), about: Box::default() }
    }
}

/// What went wrong.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct Document {
    /// The status of the answer.
    status: u16,
    /// What went wrong, for programs: a word that does not change.
    code: String,
    /// The same for people, in the language of the account.
    title: String,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// The line of the source that is wrong, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// What the text is about, by name.
    about: BTreeMap<&'static str, String>,
    /// The number of the request in the judge's log.
    request: String,
}

/// Makes documents of errors, also of those that the framework finds itself.
pub fn explain(visitor: &Visitor, id: &str, method: &Method, path: &str, response: Response) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let explanation = response.extensions().get::<Explanation>().cloned();
    let plain = if status == StatusCode::NOT_FOUND { texts::NOT_FOUND } else { texts::BAD_REQUEST };
    let text = explanation.as_ref().map_or(plain, |explanation| explanation.text);
    if let Some(internal) = explanation.and_then(|explanation| explanation.internal) {
        log::error(&format!("request {id} {method} {path}: {internal}"));
    }
    let details = response.extensions().get::<About>().cloned().unwrap_or_default();
    let language = details.language.unwrap_or(visitor.language);
    // Calls know no pages.
    let said = if text == texts::NOT_FOUND { texts::NO_SUCH_THING } else { text };
    let mut title = language.of_text(said).to_owned();
    for (name, value) in &details.values {
        title = title.replace(&format!("{{{name}}}"), value);
    }
    let document = Document {
        status: status.as_u16(),
        code: text.code(),
        title,
        field: details.field,
        line: details.line,
        about: details.values.into_iter().collect(),
        request: id.to_owned(),
    };
    let body = serde_json::to_vec(&document).unwrap_or_default();
    let mut answer = (status, [(header::CONTENT_TYPE, CONTENT_TYPE)], body).into_response();
    for name in [header::RETRY_AFTER, header::ALLOW, header::WWW_AUTHENTICATE] {
        answer.headers_mut().extend(response.headers().get(&name).cloned().map(|value| (name, value)));
    }
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ludus\""));
    }
    answer
}
