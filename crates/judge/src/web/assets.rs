//! Files that never change while the program runs, from inside the program.

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::{AppError, Site};
use crate::secrets;

const FILES: [(&str, &str, &[u8]); 9] = [
    ("site.css", "text/css; charset=utf-8", include_bytes!("../../assets/site.css")),
    ("poll.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/poll.js")),
    ("live.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/live.js")),
    ("round.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/round.js")),
    ("final.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/final.js")),
    ("match.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/match.js")),
    ("presenter.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/presenter.js")),
    ("site.js", "text/javascript; charset=utf-8", include_bytes!("../../assets/site.js")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")),
];

pub fn is_asset(path: &str) -> bool {
    path.starts_with("/static/") || path.starts_with("/viewer/")
}

pub fn routes() -> Router<Site> {
    Router::new().route("/static/{version}/{file}", get(file)).route("/viewer/{file}", get(viewer_file))
}

/// The address of a file, which changes with what is in it.
pub fn address(name: &str) -> String {
    format!("/static/{}/{name}", version())
}

fn version() -> &'static str {
    use std::sync::OnceLock;
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| {
        let all: Vec<&[u8]> = FILES.iter().map(|(_, _, content)| *content).collect();
        secrets::token_hash(&ludus_sandbox::build::hash(&all))[..12].to_owned()
    })
}

async fn file(Path((_, name)): Path<(String, String)>) -> Result<Response, AppError> {
    let (_, kind, content) = FILES.iter().find(|(file, ..)| *file == name).ok_or(AppError::NotFound)?;
    let headers = [(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, *content).into_response())
}

async fn viewer_file(Path(name): Path<String>) -> Result<Response, AppError> {
    let asset = ludus_view::asset(&name).ok_or(AppError::NotFound)?;
    let headers = [(header::CONTENT_TYPE, asset.content_type), (header::CACHE_CONTROL, asset.cache_control)];
    Ok((headers, asset.body).into_response())
}
