//! Verifications as they happen, for whoever keeps the page open.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::stream::{self, Stream};
use tokio::time::{Instant, timeout_at};

use super::submissions::{progress, visible};
use crate::following::Follower;
use crate::ids::SubmissionId;
use crate::submissions::Mark;
use crate::web::{Answer, AppError, Site, Visitor, while_signed_in};
use crate::{matches, submissions};

pub fn routes() -> Router<Site> {
    Router::new().route("/submissions/{id}/events", get(events))
}

/// A stream ends after this time; the browser comes again by itself.
const LONGEST: Duration = Duration::from_secs(600);

/// Follows a verification: a piece of the page whenever it has changed.
async fn events(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    visible(&site, &visitor, id).await?;
    // Whoever finds no room still has the page, which reloads itself now and then.
    let follower = site.following.follow(&site.database, visitor.signed_in()?.id, id).ok_or(AppError::Busy)?;
    let events = while_signed_in(&site.clone(), &visitor.clone(), follow(site, visitor, follower));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

fn follow(site: Site, visitor: Visitor, follower: Follower) -> impl Stream<Item = Result<Event, Infallible>> {
    struct Shown {
        site: Site,
        visitor: Visitor,
        follower: Follower,
        mark: Option<Mark>,
        ends: Instant,
    }
    let start = Shown { site, visitor, follower, mark: None, ends: Instant::now() + LONGEST };
    stream::unfold(start, |mut shown| async move {
        let (database, id) = (shown.site.database.clone(), shown.follower.submission);
        while !shown.mark.as_ref().is_some_and(|mark| mark.stage.is_verdict()) {
            let mark = submissions::mark(&database, id).await.ok()??;
            if shown.mark.as_ref() == Some(&mark) {
                timeout_at(shown.ends, shown.follower.news()).await.ok()?;
                continue;
            }
            let submission = submissions::find(&database, id).await.ok()??;
            let played = matches::of_submission(&database, id).await.ok()?;
            let html = progress(&shown.visitor, &submission, &played).into_string();
            let event = Event::default().event(if mark.stage.is_verdict() { "over" } else { "progress" }).data(html);
            shown.mark = Some(mark);
            return Some((Ok(event), shown));
        }
        None
    })
}
