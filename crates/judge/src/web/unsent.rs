//! Answers that wait to be read, and how much memory they may hold.
//!
//! Whoever reads slowly keeps a whole answer in memory. All of them together
//! have a budget, and those of one place a share of it. Where an answer does not
//! fit, whoever has been reading longest is cut: of the same place if it has
//! used up its share, else of the place that holds most. So nobody is refused
//! for what others do, unless memory is not given back fast enough.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use tokio::sync::Notify;

use super::gate::Busy;
use super::place::Place;

/// Answers that are not counted, because there are never more of them than
/// connections.
pub const SMALL: usize = 32 << 10;

/// Goes with an answer that keeps more in memory than its body tells.
#[derive(Clone, Copy, Debug)]
pub struct Weight(pub usize);

#[derive(Debug)]
pub struct Unsent {
    most: usize,
    most_of_place: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Counts answers, so that earlier ones are less.
    clock: u64,
    /// Of all answers, also of those that are cut and not gone yet.
    in_memory: usize,
    /// Of those that are not cut.
    counted: usize,
    places: HashMap<Place, Share>,
}

/// What a place holds.
#[derive(Debug, Default)]
struct Share {
    bytes: usize,
    answers: BTreeMap<u64, (usize, Arc<Notify>)>,
}

impl Unsent {
    pub fn new(most: usize, most_of_place: usize) -> Arc<Unsent> {
        Arc::new(Unsent { most, most_of_place, state: Mutex::default() })
    }

    /// Counts an answer, which may cost others theirs; `leave` cuts this one.
    pub fn hold(self: &Arc<Unsent>, place: Place, bytes: usize, leave: &Arc<Notify>) -> Result<Option<Held>, Busy> {
        if bytes <= SMALL {
            return Ok(None);
        }
        let mut state = self.lock();
        // An answer larger than all there is passes alone.
        if state.in_memory > 0 && state.in_memory + bytes > 2 * self.most {
            return Err(Busy);
        }
        while state.of(place) + bytes > self.most_of_place && state.cut_oldest(place) {}
        while state.counted + bytes > self.most && state.largest().is_some_and(|place| state.cut_oldest(place)) {}
        state.clock += 1;
        let id = state.clock;
        state.in_memory += bytes;
        state.counted += bytes;
        let share = state.places.entry(place).or_default();
        share.bytes += bytes;
        share.answers.insert(id, (bytes, leave.clone()));
        Ok(Some(Held { unsent: self.clone(), place, id, bytes }))
    }

    /// How many bytes wait to be read.
    pub fn bytes(&self) -> usize {
        self.lock().in_memory
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn of(&self, place: Place) -> usize {
        self.places.get(&place).map_or(0, |share| share.bytes)
    }

    fn largest(&self) -> Option<Place> {
        self.places.iter().max_by_key(|(_, share)| share.bytes).map(|(place, _)| *place)
    }

    /// Cuts the answer that a place has been reading longest; false if there is none.
    fn cut_oldest(&mut self, place: Place) -> bool {
        let oldest = self.places.get(&place).and_then(|share| share.answers.first_key_value());
        let Some((id, leave)) = oldest.map(|(id, (_, leave))| (*id, leave.clone())) else { return false };
        self.forget(place, id);
        leave.notify_one();
        true
    }

    fn forget(&mut self, place: Place, id: u64) {
        let Some(share) = self.places.get_mut(&place) else { return };
        if let Some((bytes, _)) = share.answers.remove(&id) {
            share.bytes -= bytes;
            self.counted -= bytes;
        }
        if share.answers.is_empty() {
            self.places.remove(&place);
        }
    }
}

/// An answer that is counted, until nobody has any of its bytes.
#[derive(Debug)]
pub struct Held {
    unsent: Arc<Unsent>,
    place: Place,
    id: u64,
    bytes: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut state = self.unsent.lock();
        state.in_memory -= self.bytes;
        state.forget(self.place, self.id);
    }
}

/// The same bytes, which count for as long as anybody has some of them: the
/// connection keeps what it could not send when the body is long gone.
pub fn counted(bytes: Bytes, held: &Arc<Held>) -> Bytes {
    struct Counted(Bytes, #[expect(dead_code, reason = "it counts until it is dropped")] Arc<Held>);

    impl AsRef<[u8]> for Counted {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    Bytes::from_owner(Counted(bytes, held.clone()))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const HERE: Place = Place::V4([10, 0, 0, 1]);
    const THERE: Place = Place::V4([10, 0, 0, 2]);
    const MIB: usize = 1 << 20;

    fn hold(unsent: &Arc<Unsent>, place: Place, bytes: usize) -> (Arc<Held>, Arc<Notify>) {
        let leave = Arc::<Notify>::default();
        let held = unsent.hold(place, bytes, &leave).unwrap().unwrap();
        (Arc::new(held), leave)
    }

    fn is_cut(answer: &(Arc<Held>, Arc<Notify>)) -> bool {
        answer.1.notified().now_or_never().is_some()
    }

    #[test]
    fn a_place_that_holds_its_share_gives_up_its_own() {
        let unsent = Unsent::new(100 * MIB, 10 * MIB);
        let other = hold(&unsent, THERE, 9 * MIB);
        let own: Vec<_> = (0..3).map(|_| hold(&unsent, HERE, 4 * MIB)).collect();
        assert!(is_cut(&own[0]) && !is_cut(&own[1]) && !is_cut(&own[2]) && !is_cut(&other));
        let large = hold(&unsent, HERE, 50 * MIB);
        assert!(is_cut(&own[1]) && is_cut(&own[2]) && !is_cut(&large), "one that is too large passes alone");
        assert_eq!(unsent.bytes(), 71 * MIB, "who is cut counts until it is gone");
        drop((own, large, other));
        assert_eq!(unsent.bytes(), 0);
        assert!(unsent.lock().places.is_empty() && unsent.lock().counted == 0);
    }

    #[test]
    fn the_place_that_holds_most_makes_room_for_others() {
        let unsent = Unsent::new(10 * MIB, 8 * MIB);
        let greedy: Vec<_> = (0..4).map(|_| hold(&unsent, HERE, 2 * MIB)).collect();
        let modest = hold(&unsent, THERE, MIB);
        let more = hold(&unsent, THERE, 2 * MIB);
        assert!(is_cut(&greedy[0]) && !is_cut(&greedy[1]));
        assert!(!is_cut(&modest) && !is_cut(&more));
    }

    #[test]
    fn who_does_not_go_is_waited_for() {
        let unsent = Unsent::new(MIB, MIB);
        let stuck: Vec<_> = (0..2).map(|_| hold(&unsent, HERE, MIB)).collect();
        assert!(is_cut(&stuck[0]) && !is_cut(&stuck[1]));
        assert_eq!(unsent.hold(THERE, MIB, &Arc::default()).unwrap_err(), Busy);
        assert!(!is_cut(&stuck[1]), "which would help nobody now");
        assert!(unsent.hold(THERE, SMALL, &Arc::default()).unwrap().is_none(), "small ones always pass");
        drop(stuck);
        assert!(unsent.hold(THERE, MIB, &Arc::default()).is_ok());
    }

    #[test]
    fn bytes_count_while_anybody_has_some_of_them() {
        let unsent = Unsent::new(MIB, MIB);
        let (held, _) = hold(&unsent, HERE, MIB);
        let mut bytes = counted(Bytes::from(vec![7; MIB]), &held);
        drop(held);
        let part = bytes.split_to(10);
        drop(bytes);
        assert_eq!((&part[..], unsent.bytes()), (&[7; 10][..], MIB));
        drop(part);
        assert_eq!(unsent.bytes(), 0);
    }
}
