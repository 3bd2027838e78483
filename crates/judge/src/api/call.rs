//! A call: where it is, what it takes and gives. The types of its handler say
//! both what is read and written and what the description tells of it, so that
//! neither can be forgotten or be another.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequestParts as _, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bearer;
use crate::accounts::Account;
use crate::texts;
use crate::tokens::Scope;
use crate::web::{AppError, Problem, Site, Visitor, forms};

/// What a handler gives.
pub type Done<T> = Result<T, Problem>;

/// What a handler is asked: the names in the address, the query, the body.
pub struct Ask<P = (), Q = (), B = ()> {
    pub site: Site,
    pub visitor: Visitor,
    pub path: P,
    pub query: Q,
    pub body: B,
}

impl<P, Q, B> Ask<P, Q, B> {
    /// For whom a program asks.
    pub fn account(&self) -> Result<&Account, AppError> {
        self.visitor.signed_in()
    }
}

/// A call of the API.
#[derive(Clone)]
pub struct Call {
    pub method: Method,
    /// Below `/api/v1`.
    pub path: &'static str,
    /// What a token needs for it. None: any token will do.
    pub scope: Option<Scope>,
    pub about: &'static str,
    pub describe: Description,
    run: Arc<dyn Fn(Site, Visitor, Request) -> BoxFuture<'static, Done<Response>> + Send + Sync>,
}

/// How the parts of a call are described.
#[derive(Clone, Copy)]
pub struct Description {
    pub query: fn(&mut SchemaGenerator) -> Option<Schema>,
    pub body: fn(&mut SchemaGenerator) -> Option<Content>,
    pub answer: fn(&mut SchemaGenerator) -> (StatusCode, Option<Content>),
}

/// What is sent or given: its type, and its schema if it has one.
pub struct Content {
    pub kind: &'static str,
    pub schema: Option<Schema>,
}

impl Call {
    pub fn new<P, Q, B, T, F, Fut>(
        method: Method,
        path: &'static str,
        scope: impl Into<Option<Scope>>,
        about: &'static str,
        handler: F,
    ) -> Call
    where
        P: DeserializeOwned + Send + 'static,
        Q: Asked,
        B: Sent,
        T: Given,
        F: Fn(Ask<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Done<T>> + Send + 'static,
    {
        let run = move |site: Site, visitor: Visitor, request: Request| -> BoxFuture<'static, Done<Response>> {
            let handler = handler.clone();
            Box::pin(async move {
                let (mut parts, body) = request.into_parts();
                let path = Path::<P>::from_request_parts(&mut parts, &()).await;
                // A name that is no number where numbers are is the name of nothing.
                let Path(path) = path.map_err(|_| AppError::NotFound)?;
                let query = Q::read(&parts).await?;
                let most = B::MOST;
                let bytes = if most == 0 { Vec::new() } else { forms::body_of(&visitor, &parts, body, most).await? };
                let body = B::read(&parts, bytes)?;
                Ok(handler(Ask { site, visitor, path, query, body }).await?.answer())
            })
        };
        let describe = Description { query: Q::schema, body: B::content, answer: T::content };
        Call { method, path, scope: scope.into(), about, describe, run: Arc::new(run) }
    }

    /// The route of this call.
    pub fn route(self) -> Router<Site> {
        let filter = MethodFilter::try_from(self.method.clone()).unwrap_or(MethodFilter::GET);
        let path = format!("/api/v1{}", self.path);
        let handle = async move |State(site): State<Site>, visitor: Visitor, request: Request| {
            let (mut visitor, unknown) = (visitor.clone(), visitor.language);
            match bearer::recognise(&site, &mut visitor, request.headers(), self.scope).await {
                Err(problem) => problem.answer(visitor.account().map_or(unknown, |account| account.language)),
                Ok(()) => {
                    let language = visitor.language;
                    (self.run)(site, visitor, request).await.unwrap_or_else(|problem| problem.answer(language))
                }
            }
        };
        Router::new().route(&path, on(filter, handle))
    }
}

/// A query.
pub trait Asked: Sized + Send + 'static {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;
    fn read(parts: &Parts) -> impl Future<Output = Done<Self>> + Send;
}

impl Asked for () {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    async fn read(_: &Parts) -> Done<()> {
        Ok(())
    }
}

/// What a call can be asked in its query.
pub trait Question: DeserializeOwned + JsonSchema + Send + 'static {}

impl<Q: Question> Asked for Q {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(Q::json_schema(generator))
    }

    async fn read(parts: &Parts) -> Done<Q> {
        let query = Query::<Q>::try_from_uri(&parts.uri);
        let Query(query) = query.map_err(|_| Problem::new(StatusCode::BAD_REQUEST, texts::BAD_QUERY))?;
        Ok(query)
    }
}

/// What is sent with a call.
pub trait Sent: Sized + Send + 'static {
    /// Bytes of it.
    const MOST: usize;
    fn content(generator: &mut SchemaGenerator) -> Option<Content>;
    fn read(parts: &Parts, bytes: Vec<u8>) -> Done<Self>;
}

impl Sent for () {
    const MOST: usize = 0;

    fn content(_: &mut SchemaGenerator) -> Option<Content> {
        None
    }

    fn read(_: &Parts, _: Vec<u8>) -> Done<()> {
        Ok(())
    }
}

/// JSON, in both directions.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Sent for Json<T> {
    const MOST: usize = 16 << 10;

    fn content(generator: &mut SchemaGenerator) -> Option<Content> {
        Some(Content { kind: "application/json", schema: Some(generator.subschema_for::<T>()) })
    }

    fn read(parts: &Parts, bytes: Vec<u8>) -> Done<Json<T>> {
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, texts::NOT_JSON));
        }
        // PostgreSQL keeps no text with this character, in any way of writing it.
        let has_zero = bytes.windows(6).any(|some| some.eq_ignore_ascii_case(b"\\u0000"));
        match serde_json::from_slice(&bytes) {
            Ok(sent) if !has_zero => Ok(Json(sent)),
            Ok(_) => Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, texts::BAD_JSON).with("why", &"\\u0000")),
            Err(error) => {
                let status = if error.is_data() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::BAD_REQUEST };
                let why: String = error.to_string().chars().take(200).collect();
                Err(Problem::new(status, texts::BAD_JSON).with("why", &why))
            }
        }
    }
}

/// A file as it is.
pub struct Source(pub Bytes);

impl Sent for Source {
    const MOST: usize = forms::LARGEST_UPLOAD;

    fn content(_: &mut SchemaGenerator) -> Option<Content> {
        Some(Content { kind: "application/octet-stream", schema: None })
    }

    fn read(_: &Parts, bytes: Vec<u8>) -> Done<Source> {
        Ok(Source(bytes.into()))
    }
}

/// What a call gives.
pub trait Given: Send + 'static {
    fn content(generator: &mut SchemaGenerator) -> (StatusCode, Option<Content>);
    fn answer(self) -> Response;
}

impl<T: Serialize + JsonSchema + Send + 'static> Given for Json<T> {
    fn content(generator: &mut SchemaGenerator) -> (StatusCode, Option<Content>) {
        let schema = Some(generator.subschema_for::<T>());
        (StatusCode::OK, Some(Content { kind: "application/json", schema }))
    }

    fn answer(self) -> Response {
        axum_json(StatusCode::OK, &self.0)
    }
}

/// Something that the call has made.
pub struct Made<T>(pub T);

impl<T: Serialize + JsonSchema + Send + 'static> Given for Made<T> {
    fn content(generator: &mut SchemaGenerator) -> (StatusCode, Option<Content>) {
        let (_, content) = <Json<T> as Given>::content(generator);
        (StatusCode::CREATED, content)
    }

    fn answer(self) -> Response {
        axum_json(StatusCode::CREATED, &self.0)
    }
}

/// Nothing but that it is done.
pub struct Nothing;

impl Given for Nothing {
    fn content(_: &mut SchemaGenerator) -> (StatusCode, Option<Content>) {
        (StatusCode::NO_CONTENT, None)
    }

    fn answer(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

/// A file, as pages give it too.
pub struct File(pub Response);

impl Given for File {
    fn content(_: &mut SchemaGenerator) -> (StatusCode, Option<Content>) {
        (StatusCode::OK, Some(Content { kind: "*/*", schema: None }))
    }

    fn answer(self) -> Response {
        self.0
    }
}

/// A text.
pub struct Text(pub Cow<'static, str>);

impl Given for Text {
    fn content(_: &mut SchemaGenerator) -> (StatusCode, Option<Content>) {
        (StatusCode::OK, Some(Content { kind: "text/plain", schema: None }))
    }

    fn answer(self) -> Response {
        ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], self.0).into_response()
    }
}

fn axum_json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(error) => AppError::Internal(error.into()).into_response(),
    }
}
