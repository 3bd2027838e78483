//! Verifications as they happen, for whoever keeps the page open.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::stream::{self, Stream};

use super::submissions::{own, progress};
use crate::web::{Answer, AppError, Site, Visitor};
use crate::{matches, submissions, texts};

pub fn routes() -> Router<Site> {
    Router::new().route("/submissions/{id}/events", get(events))
}

/// How many verifications may be followed at a time, by all and by one person.
const MOST_STREAMS: usize = 500;
const MOST_OF_ONE: usize = 6;
const ASKED_EVERY: Duration = Duration::from_millis(300);
/// A stream ends after this many looks; the browser comes again by itself.
const MOST_LOOKS: u32 = 2000;

/// A stream that somebody has open.
struct Room(i64);

static OPEN: Mutex<Option<HashMap<i64, usize>>> = Mutex::new(None);

impl Room {
    fn take(account: i64) -> Option<Room> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.get_or_insert_default();
        let all: usize = open.values().sum();
        let own = open.entry(account).or_default();
        let free = all < MOST_STREAMS && *own < MOST_OF_ONE;
        *own += usize::from(free);
        free.then(|| Room(account))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.get_or_insert_default();
        if let Some(own) = open.get_mut(&self.0) {
            *own -= 1;
        }
        open.retain(|_, own| *own > 0);
    }
}

/// Follows a verification: a piece of the page whenever it has changed. The
/// database is asked, because the work may be done by another process.
async fn events(State(site): State<Site>, visitor: Visitor, Path(id): Path<i64>) -> Answer {
    own(&site, &visitor, id).await?;
    // Whoever finds no room still has the page, which reloads itself now and then.
    let room = Room::take(visitor.signed_in()?.id);
    let room = room.ok_or(AppError::Refused(StatusCode::SERVICE_UNAVAILABLE, texts::BUSY))?;
    Ok(Sse::new(follow(site, visitor, id, room)).keep_alive(KeepAlive::default()).into_response())
}

fn follow(site: Site, visitor: Visitor, id: i64, room: Room) -> impl Stream<Item = Result<Event, Infallible>> {
    struct Following {
        site: Site,
        visitor: Visitor,
        shown: Option<submissions::Mark>,
        looks: u32,
        _room: Room,
    }
    let start = Following { site, visitor, shown: None, looks: 0, _room: room };
    stream::unfold(start, move |mut state| async move {
        while !state.shown.as_ref().is_some_and(|mark| mark.stage.is_verdict()) && state.looks < MOST_LOOKS {
            state.looks += 1;
            let mark = submissions::mark(&state.site.database, id).await.ok()??;
            if state.shown.as_ref() == Some(&mark) {
                tokio::time::sleep(ASKED_EVERY).await;
                continue;
            }
            let submission = submissions::find(&state.site.database, id).await.ok()??;
            let played = matches::of_submission(&state.site.database, id).await.ok()?;
            let html = progress(&state.visitor, &submission, &played).into_string();
            let event = Event::default().event(if mark.stage.is_verdict() { "over" } else { "progress" }).data(html);
            state.shown = Some(mark);
            return Some((Ok(event), state));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_takes_few_rooms_and_gives_them_back() {
        let rooms: Vec<Option<Room>> = (0..=MOST_OF_ONE).map(|_| Room::take(-7)).collect();
        assert_eq!(rooms.iter().flatten().count(), MOST_OF_ONE);
        assert!(Room::take(-8).is_some(), "others are not kept out");
        drop(rooms);
        assert!(Room::take(-7).is_some());
    }
}
