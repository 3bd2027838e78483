//! Demo of Requiem: an example that draws its orders.

use super::state::{Model, State};
use super::view::View;
use crate::game::{BuiltinPlayer, typed};
use crate::{Orders, Seat};

/// The example player: its farmers march in one direction for the whole match
/// and its knights stagger about. Its orders are part of the published game,
/// draw by draw.
pub struct Demo {
    seat: Seat,
    /// Where the farmers go.
    direction: i32,
}

impl Demo {
    pub fn new(seat: Seat) -> Self {
        Demo { seat, direction: 0 }
    }
}

impl BuiltinPlayer for Demo {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let view = View::new(typed::<State>(state), self.seat);
        let mut generator = view.generator();
        if view.round() == 1 {
            self.direction = 1 + generator.below(3) as i32;
        }
        orders.append(view.ids(1, Model::Farmer).map(|id| [id, self.direction]));
        orders.append(view.ids(1, Model::Knight).map(|id| [id, 1 + generator.below(8) as i32]));
    }
}
