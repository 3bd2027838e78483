//! A door to costly work: so many inside, so many waiting, and of one visitor
//! only a share of both. In the second lane visitors take turns: whoever asks for
//! much at once stands in a line of their own.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Too many are waiting already: come again a little later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

impl std::fmt::Display for Busy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many are waiting")
    }
}

impl std::error::Error for Busy {}

/// Whose turn comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    First,
    Second,
}

#[derive(Clone, Debug)]
pub struct Gate<K: Clone + Eq + Hash> {
    room: Arc<Semaphore>,
    /// Of the second lane only one at a time stands in the line for the room,
    /// so that whoever is of the first lane waits for one of them at most.
    second: Arc<Semaphore>,
    count: Arc<Mutex<Count<K>>>,
    most_waiting: usize,
    most_of_one: usize,
}

#[derive(Debug)]
struct Count<K> {
    /// In each lane; a full one leaves the other free.
    waiting: [usize; 2],
    of_one: HashMap<(Lane, K), (usize, Arc<Semaphore>)>,
}

impl<K: Clone + Debug + Eq + Hash> Gate<K> {
    /// A gate with room for some, before which some may wait in each lane, and
    /// of one visitor never more than some in a lane and behind it.
    pub fn new(inside: usize, waiting: usize, of_one: usize) -> Gate<K> {
        Gate {
            room: Arc::new(Semaphore::new(inside)),
            second: Arc::new(Semaphore::new(1)),
            count: Arc::new(Mutex::new(Count { waiting: [0; 2], of_one: HashMap::new() })),
            most_waiting: waiting,
            most_of_one: of_one,
        }
    }

    /// Waits for room, which is given back when the pass is dropped.
    pub async fn enter(&self, who: &K, lane: Lane) -> Result<Pass<K>, Busy> {
        let (share, standing, line) = self.stand(who, lane)?;
        let closed = "a gate is never closed";
        let first_of_second = match lane {
            Lane::First => None,
            Lane::Second => {
                let first_of_own = line.acquire_owned().await.expect(closed);
                Some((first_of_own, self.second.acquire().await.expect(closed)))
            }
        };
        let permit = self.room.clone().acquire_owned().await.expect(closed);
        drop((first_of_second, standing));
        Ok(Pass { _permit: permit, _share: share })
    }

    /// How many wait in a lane.
    pub fn waiting(&self, lane: Lane) -> usize {
        lock(&self.count).waiting[lane as usize]
    }

    /// Whether nobody waits or is inside.
    pub fn is_empty(&self) -> bool {
        lock(&self.count).of_one.is_empty()
    }

    /// Joins those who wait, and tells the visitor's own line.
    fn stand(&self, who: &K, lane: Lane) -> Result<Stood<'_, K>, Busy> {
        let mut count = lock(&self.count);
        let who = (lane, who.clone());
        let own = count.of_one.get(&who).map_or(0, |(own, _)| *own);
        if count.waiting[lane as usize] >= self.most_waiting || own >= self.most_of_one {
            return Err(Busy);
        }
        count.waiting[lane as usize] += 1;
        let (own, line) = count.of_one.entry(who.clone()).or_insert_with(|| (0, Arc::new(Semaphore::new(1))));
        *own += 1;
        let line = line.clone();
        drop(count);
        Ok((Share { count: self.count.clone(), who }, Standing { gate: self, lane }, line))
    }
}

fn lock<K>(count: &Mutex<Count<K>>) -> MutexGuard<'_, Count<K>> {
    count.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Somebody who is inside.
#[derive(Debug)]
pub struct Pass<K: Clone + Eq + Hash> {
    _permit: OwnedSemaphorePermit,
    _share: Share<K>,
}

/// One of those that a visitor may have, waiting or inside.
#[derive(Debug)]
struct Share<K: Clone + Eq + Hash> {
    count: Arc<Mutex<Count<K>>>,
    who: (Lane, K),
}

impl<K: Clone + Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut count = lock(&self.count);
        if let Some((own, _)) = count.of_one.get_mut(&self.who) {
            *own -= 1;
            if *own == 0 {
                count.of_one.remove(&self.who);
            }
        }
    }
}

/// Somebody among those who wait: their share, their standing, and their own line.
type Stood<'a, K> = (Share<K>, Standing<'a, K>, Arc<Semaphore>);

/// Somebody who waits, also if they go away before their turn.
struct Standing<'a, K: Clone + Eq + Hash> {
    gate: &'a Gate<K>,
    lane: Lane,
}

impl<K: Clone + Eq + Hash> Drop for Standing<'_, K> {
    fn drop(&mut self) {
        lock(&self.gate.count).waiting[self.lane as usize] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn nobody_takes_all_the_places() {
        let gate = Gate::new(1, 3, 2);
        let inside = gate.enter(&"x", Lane::Second).await.unwrap();
        let mut waiting: Vec<_> = [&"a", &"a"].map(|who| Box::pin(gate.enter(who, Lane::Second))).into();
        assert!(waiting.iter_mut().all(|one| one.as_mut().now_or_never().is_none()));
        assert_eq!(gate.enter(&"a", Lane::Second).now_or_never().unwrap().unwrap_err(), Busy, "two of one are enough");
        let mut other = Box::pin(gate.enter(&"b", Lane::Second));
        assert!(other.as_mut().now_or_never().is_none(), "another may wait");
        assert!(gate.enter(&"c", Lane::Second).now_or_never().unwrap().is_err(), "three are enough");
        let mut known = Box::pin(gate.enter(&"k", Lane::First));
        assert!(known.as_mut().now_or_never().is_none(), "the first lane is not full");
        drop(waiting.pop());
        assert!(gate.enter(&"c", Lane::Second).now_or_never().is_none(), "whoever goes away makes room");
        drop(inside);
        drop(waiting.remove(0).await.unwrap());
        let known = known.as_mut().now_or_never().expect("comes before the rest of the second lane").unwrap();
        assert!(other.as_mut().now_or_never().is_none());
        drop(known);
        drop(other.await.unwrap());
        assert!(gate.is_empty() && lock(&gate.count).waiting == [0, 0]);
    }

    #[tokio::test]
    async fn in_the_second_lane_visitors_take_turns() {
        let gate = Gate::new(1, 100, 50);
        let inside = gate.enter(&"crowd", Lane::Second).await.unwrap();
        let mut crowd: Vec<_> = (0..20).map(|_| Box::pin(gate.enter(&"crowd", Lane::Second))).collect();
        assert!(crowd.iter_mut().all(|one| one.as_mut().now_or_never().is_none()));
        let mut late = Box::pin(gate.enter(&"late", Lane::Second));
        assert!(late.as_mut().now_or_never().is_none());
        drop(inside);
        let first = crowd.remove(0).await.unwrap();
        assert!(late.as_mut().now_or_never().is_none());
        assert!(crowd.iter_mut().all(|one| one.as_mut().now_or_never().is_none()));
        drop(first);
        late.as_mut().now_or_never().expect("one of the crowd went before, not all").unwrap();
    }
}
