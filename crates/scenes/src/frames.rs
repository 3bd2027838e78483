//! Frames in a row.

use ludus_games::{Past, Seat, State};

use crate::{Effect, Event, EventKind, Item, Scene, Scenery};

/// The one event that every game has: it stands after those of the legend.
pub const FROZEN: EventKind = EventKind::new(
    Effect::None,
    "{seat} is frozen: the player failed",
    "{seat} queda congelat: el jugador ha fallat",
    "{seat} queda congelado: el jugador ha fallado",
)
.marked();

/// The frames of a match one after another, with what only a row of frames can
/// tell: where a unit that stands still looks.
pub struct Frames {
    scenery: &'static Scenery,
    now: Scene,
    before: Scene,
    /// Whether there is a frame before.
    started: bool,
}

impl Frames {
    pub fn new(scenery: &'static Scenery) -> Frames {
        Frames { scenery, now: Scene::default(), before: Scene::default(), started: false }
    }

    pub fn now(&self) -> &Scene {
        &self.now
    }

    /// The frame before, empty if there is none.
    pub fn before(&self) -> &Scene {
        &self.before
    }

    /// Goes to the next frame.
    pub fn advance(&mut self, state: &dyn State, past: Option<&Past<'_>>) {
        std::mem::swap(&mut self.now, &mut self.before);
        (self.scenery.fill)(state, past, &mut self.now);
        self.now.scores = state.scores();
        self.now.status = state.status();
        // A record may give its units in any order, and some ids twice.
        if !self.now.items.is_sorted_by(|a, b| a.id < b.id) {
            self.now.items.sort_by_key(|item| item.id);
            self.now.items.dedup_by_key(|item| item.id);
        }
        self.keep_headings();
        if self.started {
            self.note_frozen();
        }
        self.started = true;
    }

    fn keep_headings(&mut self) {
        let mut earlier = self.before.items.iter().peekable();
        for item in self.now.items.iter_mut().filter(|item| item.heading == Item::SAME) {
            while earlier.next_if(|old| old.id < item.id).is_some() {}
            item.heading = earlier.peek().filter(|old| old.id == item.id).map_or(0, |old| old.heading.max(0));
        }
    }

    fn note_frozen(&mut self) {
        let frozen = self.scenery.legend.events.len();
        for seat in Seat::ALL {
            if self.now.status[seat].is_frozen() && !self.before.status[seat].is_frozen() {
                self.now.events.push(Event::new(frozen).seat(seat));
            }
        }
    }
}
