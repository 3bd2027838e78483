//! Pages as they change, for whoever keeps them open: verifications here, rounds
//! and finals beside their pages.

use std::convert::Infallible;

use axum::Router;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use futures_util::stream::{self, Stream};

use super::submissions::{progress, visible};
use super::verdict::Outlook;
use crate::following::{Follower, Verifications};
use crate::ids::SubmissionId;
use crate::matches::Match;
use crate::submissions::{Mark, Submission};
use crate::web::{Answer, AppError, Asker, Site, Visitor, while_signed_in};
use crate::{matches, submissions};

pub fn routes() -> Router<Site> {
    Router::new().route("/submissions/{id}/events", get(events))
}

/// Follows a verification: a piece of the page whenever it has changed.
async fn events(State(site): State<Site>, visitor: Visitor, Path(id): Path<SubmissionId>) -> Answer {
    visible(&site, &visitor, id).await?;
    // Whoever finds no room still has the page, which reloads itself now and then.
    let asker = Asker::Account(visitor.signed_in()?.id);
    let follower = site.following.verifications.follow(&site.database, asker, id).ok_or(AppError::Busy)?;
    Ok(stream(&site.clone(), &visitor.clone(), follow(site, visitor, follower)))
}

/// The answer that sends events until they end or the visitor signs out.
pub fn stream(
    site: &Site,
    visitor: &Visitor,
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response {
    Sse::new(while_signed_in(site, visitor, events)).keep_alive(KeepAlive::default()).into_response()
}

fn follow(
    site: Site,
    visitor: Visitor,
    follower: Follower<Verifications>,
) -> impl Stream<Item = Result<Event, Infallible>> {
    struct Shown {
        site: Site,
        visitor: Visitor,
        follower: Follower<Verifications>,
        mark: Option<Mark>,
        /// What was read last; another place in the queue changes nothing of it.
        read: Option<(Submission, Vec<Match>)>,
    }
    let start = Shown { site, visitor, follower, mark: None, read: None };
    stream::unfold(start, |mut shown| async move {
        let (database, id) = (shown.site.database.clone(), shown.follower.id);
        while !shown.mark.as_ref().is_some_and(|mark| mark.stage.is_verdict()) {
            let mark = submissions::mark(&database, id).await.ok()??;
            if shown.mark.as_ref() == Some(&mark) {
                shown.follower.change().await?;
                continue;
            }
            if !shown.mark.as_ref().is_some_and(|before| before.differs_only_in_place(&mark)) {
                let submission = submissions::find(&database, id).await.ok()??;
                shown.read = Some((submission, matches::of_submission(&database, id).await.ok()?));
            }
            let (submission, played) = shown.read.as_ref()?;
            let outlook = Outlook::of(&shown.site, &shown.visitor, submission, mark.ahead).await.ok()?;
            let html = progress(&shown.visitor, submission, played, &outlook).into_string();
            let event = Event::default().event(if mark.stage.is_verdict() { "over" } else { "progress" }).data(html);
            shown.mark = Some(mark);
            return Some((Ok(event), shown));
        }
        None
    })
}
