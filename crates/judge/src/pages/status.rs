//! How the judge is doing, for everybody: what waits, how long, who works.

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse as _;
use axum::routing::get;
use maud::{Markup, html};

use super::layout::Sheet;
use super::news::state;
use super::queue::priority;
use super::submissions::duration;
use crate::news::{self, in_language};
use crate::queue::{self, Load};
use crate::submissions;
use crate::texts;
use crate::web::{Answer, Site, Visitor};

pub fn routes() -> Router<Site> {
    Router::new().route("/status", get(show))
}

async fn show(State(site): State<Site>, visitor: Visitor) -> Answer {
    let health = site.queue.health(&site.store).await;
    let load = queue::load(&site.database).await?;
    let expected = submissions::expected_wait(&site.database).await?;
    let last = news::last_incident(&site.database).await?;
    let title = visitor.t(texts::STATUS);
    let (class, text) = if health.is_good() && visitor.frame.incidents.is_empty() {
        ("good", texts::STATUS_GOOD)
    } else {
        ("bad", texts::STATUS_BAD)
    };
    let body = html! {
        h1 { (title) }
        p class={ "notice " (class) } role="status" {
            (visitor.t(text))
            @if let Some(trouble) = health.paused { ": " (visitor.t(texts::trouble(trouble))) }
        }
        dl.facts {
            div { dt { (visitor.t(texts::STATUS_EXPECTED)) } dd { (expected.map_or_else(|| visitor.t(texts::STATUS_UNKNOWN).to_owned(), |ms| duration(&visitor, ms))) } }
            div { dt { (visitor.t(texts::STATUS_WORKERS)) } dd { (health.workers) } }
            div { dt { (visitor.t(texts::STATUS_LAST_INCIDENT)) } dd {
                @match &last {
                    Some(one) => { a href={ "/news/" (one.id) } { (in_language(&one.titles, visitor.language)) } " " (state(&visitor, one)) }
                    None => (visitor.t(texts::STATUS_NO_INCIDENT)),
                }
            } }
        }
        (table(&visitor, &load))
    };
    Ok(visitor.page(&Sheet { title, body, reload: true, ..Sheet::default() }).into_response())
}

fn table(visitor: &Visitor, load: &[Load]) -> Markup {
    html! {
        table {
            thead { tr { th { (visitor.t(texts::WORK)) } th.number { (visitor.t(texts::STATUS_WAITING)) } th.number { (visitor.t(texts::STATUS_RUNNING)) } } }
            tbody { @for one in load {
                tr { td.capital { (visitor.t(priority(one.priority))) } td.number { (one.waiting) } td.number { (one.running) } }
            } }
        }
    }
}
