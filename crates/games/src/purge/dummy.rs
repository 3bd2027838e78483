//! The Dummy: a simple strategy, which opens the door to a season to whoever beats it.

use super::board::Cell;
use super::engine::{BUILD, MOVE};
use super::state::{Citizen, Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::search::{Ground, nearest};
use crate::{Dir4, Generator, Orders, Pos, Seat};

/// The player to beat. By day its citizens pick up the money that lies near,
/// and its builders put up a barricade now and then. By night its warriors
/// strike who stands beside them and its builders rest, both half of the time.
/// Otherwise they wander, and run into whoever is in the way.
pub struct Dummy {
    seat: Seat,
    generator: Generator,
}

/// How many steps a citizen goes for money.
const SIGHT: i32 = 3;

impl Dummy {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Dummy { seat, generator: Generator::for_player(seed, seat) }
    }

    /// Whether a draw says so, one time in so many.
    fn happens(&mut self, one_in: u32) -> bool {
        self.generator.below(one_in) == 0
    }

    fn order_warrior(&mut self, warrior: &Citizen, state: &State, orders: &mut Orders) {
        let mut dirs = Dir4::ALL;
        self.generator.shuffle(&mut dirs);
        let rival = |dir: &Dir4| {
            let citizen = state.citizen_at(warrior.pos + dir.step());
            citizen.is_some_and(|citizen| citizen.seat != self.seat)
        };
        match dirs.into_iter().find(rival) {
            Some(dir) if !state.is_day() && self.happens(2) => orders.push(&[warrior.id, MOVE, dir as i32]),
            _ => self.walk(warrior, state, orders),
        }
    }

    fn order_builder(&mut self, builder: &Citizen, state: &State, may_build: bool, orders: &mut Orders) {
        let is_free = |dir: &Dir4| state.cells.get(builder.pos + dir.step()) == Some(Cell::Street);
        let free = Dir4::ALL.into_iter().find(is_free);
        match free {
            Some(dir) if may_build && self.happens(6) => orders.push(&[builder.id, BUILD, dir as i32]),
            _ if !state.is_day() && self.happens(2) => {}
            _ => self.walk(builder, state, orders),
        }
    }

    /// A step to the nearest money by day, or else in any direction in which
    /// there is no building.
    fn walk(&mut self, citizen: &Citizen, state: &State, orders: &mut Orders) {
        let mut dirs = Dir4::ALL;
        self.generator.shuffle(&mut dirs);
        let ground = |pos: Pos| match state.cells.get(pos) {
            None | Some(Cell::Building) => Ground::Closed,
            Some(Cell::Money) => Ground::Goal,
            Some(_) => Ground::Open,
        };
        let way = state.is_day().then(|| nearest(citizen.pos, &dirs, Dir4::step, SIGHT, ground)).flatten();
        let any = || dirs.into_iter().find(|dir| ground(citizen.pos + dir.step()) != Ground::Closed);
        if let Some(dir) = way.map(|(dir, _)| dir).or_else(any) {
            orders.push(&[citizen.id, MOVE, dir as i32]);
        }
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        // Orders are run in the order given: the fighters' are the most urgent.
        for warrior in state.citizens_of(self.seat, Kind::Warrior) {
            self.order_warrior(warrior, state, orders);
        }
        let built = state.barricades.iter().filter(|barricade| barricade.owner == self.seat).count();
        let may_build = state.is_day() && (built as i32) < state.settings.most_barricades;
        for builder in state.citizens_of(self.seat, Kind::Builder) {
            self.order_builder(builder, state, may_build, orders);
        }
    }
}
