//! Streams end when whoever opened them is signed out or locked out.

use std::time::Duration;

use futures_util::{Stream, StreamExt as _};

use super::{Site, Visitor};
use crate::database::Database;
use crate::ids::SessionId;
use crate::sessions;

/// How often a stream looks whether its owner is still signed in, and so the
/// longest that it outlives that.
const LOOKED: Duration = Duration::from_secs(10);

/// A stream that ends soon after the session of its visitor does. Whoever is not
/// signed in has none to lose.
pub fn while_signed_in<S: Stream>(site: &Site, visitor: &Visitor, stream: S) -> impl Stream<Item = S::Item> + use<S> {
    let session = visitor.session.as_ref().map(|session| session.id);
    stream.take_until(Box::pin(signed_out(site.database.clone(), session)))
}

async fn signed_out(database: Database, session: Option<SessionId>) {
    let Some(session) = session else { return std::future::pending().await };
    loop {
        tokio::time::sleep(LOOKED).await;
        // A database in trouble signs nobody out.
        if let Ok(false) = sessions::is_open(&database, session).await {
            return;
        }
    }
}
