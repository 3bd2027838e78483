//! Pieces of pages that change all the time and that many see alike: each is
//! written once in a while, however many look.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex, OnceCell};

use crate::clock::steady;
use crate::ids::AccountId;
use crate::texts::Language;

/// Pieces that are kept at a time.
const MOST: usize = 64;

/// What was written, and when, by what decides what somebody sees.
#[derive(Debug)]
pub struct Pieces<S> {
    kept: Duration,
    written: Mutex<HashMap<S, (Duration, Arc<str>)>>,
}

impl<S: Eq + Hash> Pieces<S> {
    /// Pieces that stand for some time.
    pub fn kept_for(kept: Duration) -> Pieces<S> {
        Pieces { kept, written: Mutex::default() }
    }

    /// A piece, written by whoever needs it first; the others wait for it.
    pub async fn get<E>(&self, seen: S, write: impl Future<Output = Result<String, E>>) -> Result<Arc<str>, E> {
        let mut pieces = self.written.lock().await;
        if let Some((written, piece)) = pieces.get(&seen)
            && steady() < *written + self.kept
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
        self.written.lock().await.clear();
    }
}

/// What decides what somebody sees of a list: the person, the language, and what
/// was asked for.
pub type Asked = (AccountId, Language, String);

/// Pieces that are being written: whoever asks for the same one meanwhile gets it
/// too. Nothing is kept, so that nobody sees what was.
#[derive(Debug, Default)]
pub struct UnderWay(std::sync::Mutex<HashMap<Asked, Arc<OnceCell<Arc<str>>>>>);

impl UnderWay {
    pub async fn get<E>(&self, asked: Asked, write: impl Future<Output = Result<String, E>>) -> Result<Arc<str>, E> {
        let cell = self.lock().entry(asked.clone()).or_default().clone();
        let _end = End { of: self, asked, cell: cell.clone() };
        cell.get_or_try_init(|| async { write.await.map(Into::into) }).await.cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Asked, Arc<OnceCell<Arc<str>>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets a piece when it is written, or when nobody waits for it any more.
struct End<'a> {
    of: &'a UnderWay,
    asked: Asked,
    cell: Arc<OnceCell<Arc<str>>>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut pieces = self.of.lock();
        // Two stand for the list itself and for this one, before it is gone.
        let is_last = self.cell.initialized() || Arc::strong_count(&self.cell) <= 3;
        if is_last && pieces.get(&self.asked).is_some_and(|known| Arc::ptr_eq(known, &self.cell)) {
            pieces.remove(&self.asked);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn who_asks_meanwhile_gets_the_same_and_nothing_is_kept() {
        let (lists, begun, go) = (UnderWay::default(), Notify::new(), Notify::new());
        let asked = || (AccountId(1), Language::English, "x".to_owned());
        let slow = async {
            begun.notify_one();
            go.notified().await;
            Ok::<_, ()>("first".to_owned())
        };
        let second = async {
            begun.notified().await;
            let other = lists.get(asked(), async { Err(()) });
            let stranger =
                lists.get((AccountId(2), Language::English, "x".to_owned()), async { Ok::<_, ()>("own".to_owned()) });
            assert_eq!(&*stranger.await.unwrap(), "own");
            let (other, ()) = tokio::join!(other, async { go.notify_one() });
            other
        };
        let (first, second) = tokio::join!(lists.get(asked(), slow), second);
        assert_eq!((&*first.unwrap(), &*second.unwrap()), ("first", "first"));
        assert!(lists.lock().is_empty());
        assert_eq!(&*lists.get(asked(), async { Ok::<_, ()>("anew".to_owned()) }).await.unwrap(), "anew");
        assert_eq!(lists.get(asked(), async { Err("no") }).await.unwrap_err(), "no");
        // Whoever leaves takes nothing with them and leaves nothing behind.
        let waits = lists.get(asked(), std::future::pending::<Result<String, ()>>());
        drop(tokio::time::timeout(Duration::ZERO, waits).await);
        assert!(lists.lock().is_empty());
    }
}
