//! Whether the judge works, for whoever watches machines. It says nothing that
//! strangers may not know.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::web::Site;

pub async fn show(State(site): State<Site>) -> Response {
    let health = site.queue.health(&site.store).await;
    let status = if health.is_good() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let paused = health.paused.map_or("null".to_owned(), |trouble| format!("\"{trouble}\""));
    let body = format!(
        "{{\"healthy\":{},\"database\":{},\"store\":{},\"paused\":{paused},\"workers\":{},\"waiting\":{},\
         \"oldest_waiting_seconds\":{},\"stalled\":{}}}\n",
        health.is_good(),
        health.database,
        health.store,
        health.workers,
        health.waiting,
        health.oldest.as_secs(),
        health.stalled
    );
    (status, [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], body).into_response()
}
