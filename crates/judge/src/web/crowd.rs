//! Who is connected, and who has to leave when it gets full.
//!
//! Nobody is refused while another is connected who does nothing: whoever has
//! waited longest without asking anything goes first, then whoever is slow to
//! send or to read. Only those for whom work is being done stay.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::place::Place;

/// What a connection is doing, in the order in which they have to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doing {
    /// Nothing: no whole request has come.
    Nothing,
    /// The body of a request is coming.
    Sending,
    /// An answer is on its way.
    Reading,
    /// A verification is being followed.
    Listening,
    /// Work is being done for it.
    Working,
}

/// In which order connections leave: what they do, and since when.
type Turn = (Doing, u64);

#[derive(Debug)]
pub struct Crowd {
    most: usize,
    most_of_place: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Counts everything that happens, so that what happened earlier is less.
    clock: u64,
    members: HashMap<u64, Member>,
    turns: BTreeMap<Turn, u64>,
    places: HashMap<Place, BTreeMap<Turn, u64>>,
}

#[derive(Debug)]
struct Member {
    place: Option<Place>,
    turn: Turn,
    leave: Arc<Notify>,
}

impl Crowd {
    pub fn new(most: usize, most_of_place: usize) -> Arc<Crowd> {
        Arc::new(Crowd { most, most_of_place, state: Mutex::default() })
    }

    /// A seat for a new connection, or nothing if work is being done for
    /// everybody else. Behind a proxy nobody's place is known.
    pub fn enter(self: &Arc<Crowd>, place: Option<Place>) -> Option<Seat> {
        let mut state = self.lock();
        let of_place = place.and_then(|place| state.places.get(&place));
        if of_place.is_some_and(|turns| turns.len() >= self.most_of_place) {
            let id = of_place.and_then(first_to_leave)?;
            state.ask_to_leave(id);
        }
        if state.members.len() >= self.most {
            let id = first_to_leave(&state.turns)?;
            state.ask_to_leave(id);
        }
        state.clock += 1;
        let (id, leave) = (state.clock, Arc::<Notify>::default());
        let turn = (Doing::Nothing, id);
        state.members.insert(id, Member { place, turn, leave: leave.clone() });
        state.take_turn(id, place, turn);
        drop(state);
        Some(Seat { crowd: self.clone(), id, leave })
    }

    /// Asks some to leave who are first to do so: the system has no files left.
    pub fn make_room(&self, count: usize) {
        let mut state = self.lock();
        for _ in 0..count {
            let Some(id) = first_to_leave(&state.turns) else { return };
            state.ask_to_leave(id);
        }
    }

    pub fn len(&self) -> usize {
        self.lock().members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn first_to_leave(turns: &BTreeMap<Turn, u64>) -> Option<u64> {
    turns.first_key_value().filter(|((doing, _), _)| *doing < Doing::Working).map(|(_, id)| *id)
}

impl State {
    fn take_turn(&mut self, id: u64, place: Option<Place>, turn: Turn) {
        self.turns.insert(turn, id);
        if let Some(place) = place {
            self.places.entry(place).or_default().insert(turn, id);
        }
    }

    fn give_up_turn(&mut self, place: Option<Place>, turn: Turn) {
        self.turns.remove(&turn);
        if let Some(place) = place
            && let Some(turns) = self.places.get_mut(&place)
        {
            turns.remove(&turn);
            if turns.is_empty() {
                self.places.remove(&place);
            }
        }
    }

    /// It counts no longer, though it takes a moment to go.
    fn ask_to_leave(&mut self, id: u64) {
        if let Some(member) = self.members.remove(&id) {
            self.give_up_turn(member.place, member.turn);
            member.leave.notify_one();
        }
    }
}

/// One connection's place in the crowd, until it is dropped.
#[derive(Debug)]
pub struct Seat {
    crowd: Arc<Crowd>,
    id: u64,
    leave: Arc<Notify>,
}

impl Seat {
    pub fn now(&self, doing: Doing) {
        let mut state = self.crowd.lock();
        state.clock += 1;
        let turn = (doing, state.clock);
        let Some(member) = state.members.get_mut(&self.id) else { return };
        let (place, before) = (member.place, std::mem::replace(&mut member.turn, turn));
        state.give_up_turn(place, before);
        state.take_turn(self.id, place, turn);
    }

    /// What ends this connection when somebody says so.
    pub fn leave(&self) -> &Arc<Notify> {
        &self.leave
    }

    /// Waits until the seat is needed for another.
    pub async fn asked_to_leave(&self) {
        self.leave.notified().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.crowd.lock();
        if let Some(member) = state.members.remove(&self.id) {
            state.give_up_turn(member.place, member.turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn place(number: u8) -> Option<Place> {
        Some(Place::V4([10, 0, 0, number]))
    }

    fn must_leave(seat: &Seat) -> bool {
        seat.asked_to_leave().now_or_never().is_some()
    }

    #[test]
    fn whoever_does_nothing_goes_first() {
        let crowd = Crowd::new(4, 4);
        let seats: Vec<Seat> = (0..4).map(|k| crowd.enter(place(k)).unwrap()).collect();
        for (seat, doing) in seats.iter().zip([Doing::Working, Doing::Listening, Doing::Reading, Doing::Sending]) {
            seat.now(doing);
        }
        for leaving in [3, 2, 1] {
            let new = crowd.enter(place(9)).unwrap();
            assert!(must_leave(&seats[leaving]), "{leaving}");
            new.now(Doing::Working);
            std::mem::forget(new);
        }
        assert!(crowd.enter(place(9)).is_none(), "work is being done for everybody");
        assert!(!must_leave(&seats[0]));
        assert_eq!(crowd.len(), 4);
        drop(seats);
        assert_eq!(crowd.len(), 3, "those who left count once");
        assert!(crowd.enter(place(9)).is_some());
    }

    #[test]
    fn the_oldest_goes_and_a_place_has_its_share() {
        let crowd = Crowd::new(10, 3);
        let old = crowd.enter(place(1)).unwrap();
        let crowded: Vec<Seat> = (0..3).map(|_| crowd.enter(place(2)).unwrap()).collect();
        crowded[0].now(Doing::Nothing);
        let more = crowd.enter(place(2)).unwrap();
        assert!(must_leave(&crowded[1]), "the one that has been idle longest, of those of that place");
        assert!(!must_leave(&old) && !must_leave(&crowded[0]) && !must_leave(&crowded[2]) && !must_leave(&more));
        let unknown: Vec<Seat> = (0..6).map(|_| crowd.enter(None).unwrap()).collect();
        assert_eq!(crowd.len(), 10);
        let last = crowd.enter(None).unwrap();
        assert!(must_leave(&old) && !unknown.iter().any(must_leave) && !must_leave(&last));
        drop((old, crowded, more, unknown, last));
        assert!(crowd.is_empty() && crowd.lock().places.is_empty() && crowd.lock().turns.is_empty());
    }
}
