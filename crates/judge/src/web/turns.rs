//! Requests of one place take turns, so that one that asks for everything at
//! once stands in its own line and not before the others'.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::place::Place;

#[derive(Clone, Debug)]
pub struct Turns {
    at_once: usize,
    lines: Arc<Mutex<Lines>>,
}

/// The line of each place that asks for something, and how many are in it.
type Lines = HashMap<Place, (Arc<Semaphore>, usize)>;

impl Turns {
    /// So many requests of one place are answered at a time; the others wait.
    pub fn new(at_once: usize) -> Turns {
        Turns { at_once, lines: Arc::default() }
    }

    pub async fn take(&self, place: Place) -> Turn {
        let line = {
            let mut lines = self.lock();
            let (line, count) = lines.entry(place).or_insert_with(|| (Arc::new(Semaphore::new(self.at_once)), 0));
            *count += 1;
            line.clone()
        };
        // Made before it waits, because whoever waits may go away.
        let mut turn = Turn { turns: self.clone(), place, permit: None };
        turn.permit = Some(line.acquire_owned().await.expect("a line is never closed"));
        turn
    }

    /// How many of a place wait or are answered.
    pub fn asking(&self, place: Place) -> usize {
        self.lock().get(&place).map_or(0, |(_, count)| *count)
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request whose turn it is, until it is answered.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    place: Place,
    permit: Option<OwnedSemaphorePermit>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.permit = None;
        let mut lines = self.turns.lock();
        if let Some((_, count)) = lines.get_mut(&self.place) {
            *count -= 1;
            if *count == 0 {
                lines.remove(&self.place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn places_do_not_stand_in_each_others_way() {
        let turns = Turns::new(2);
        let (here, there) = (Place::V4([10, 0, 0, 1]), Place::V4([10, 0, 0, 2]));
        let mut asking = vec![turns.take(here).await, turns.take(here).await];
        let mut third = Box::pin(turns.take(here));
        assert!(third.as_mut().now_or_never().is_none(), "two at a time");
        assert!(turns.take(here).now_or_never().is_none(), "whoever goes away is forgotten");
        assert!(turns.take(there).now_or_never().is_some());
        asking.pop();
        drop(third.now_or_never().expect("its turn has come"));
        drop(asking);
        assert!(turns.lock().is_empty());
    }
}
