use crate::game::BuiltinPlayer;
use crate::{Orders, Seat};

pub struct Dummy {
    seat: Seat,
}

impl Dummy {
    pub fn new(seat: Seat) -> Self {
        Dummy { seat }
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, _state: &dyn crate::State, _orders: &mut Orders) {
        let _ = self.seat;
    }
}
