//! Pieces of pages that change all the time and that many see alike: each is
//! written once a second, however many look.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;

use crate::clock::steady;
use crate::ids::SeasonId;
use crate::texts::Language;

/// What decides what somebody sees of a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    pub season: SeasonId,
    pub page: i64,
    pub language: Language,
    pub names: bool,
    pub is_guest: bool,
}

const FRESH: Duration = Duration::from_secs(1);
/// Pieces that are kept at a time.
const MOST: usize = 64;

#[derive(Debug, Default)]
pub struct Pieces(Mutex<HashMap<Seen, (Duration, Arc<str>)>>);

impl Pieces {
    /// A piece, written by whoever needs it first; the others wait for it.
    pub async fn get<E>(&self, seen: Seen, write: impl Future<Output = Result<String, E>>) -> Result<Arc<str>, E> {
        let mut pieces = self.0.lock().await;
        if let Some((written, piece)) = pieces.get(&seen)
            && steady() < *written + FRESH
        {
            return Ok(piece.clone());
        }
        let piece: Arc<str> = write.await?.into();
        if pieces.len() >= MOST {
            pieces.clear();
        }
        pieces.insert(seen, (steady(), piece.clone()));
        Ok(piece)
    }

    /// After a change that somebody should see at once.
    pub async fn forget(&self) {
        self.0.lock().await.clear();
    }
}
