//! Demo of The Purge: an example that draws its orders.

use super::board::Cell;
use super::engine::{BUILD, MOVE};
use super::state::{Citizen, Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::{Dir4, Generator, Orders, Seat};

/// The example player: it draws most of its decisions. Its orders are part of
/// the published game, draw by draw.
pub struct Demo {
    seat: Seat,
    generator: Generator,
}

/// The order in which it looks around.
const DIRS: [Dir4; 4] = [Dir4::Up, Dir4::Down, Dir4::Left, Dir4::Right];

impl Demo {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Demo { seat, generator: Generator::for_player(seed, seat) }
    }

    fn work(&mut self, builder: &Citizen, state: &State, orders: &mut Orders) {
        let next = |dir: Dir4| state.cells.get(builder.pos + dir.step());
        if let Some(dir) = DIRS.into_iter().rfind(|&dir| next(dir) == Some(Cell::Food)) {
            orders.push(&[builder.id, MOVE, dir as i32]);
        } else if self.generator.random(0, 3) < 2 {
            if let Some(dir) = DIRS.into_iter().find(|&dir| next(dir).is_some()) {
                orders.push(&[builder.id, BUILD, dir as i32]);
            }
        } else {
            let dir = DIRS[self.generator.random(0, 3) as usize];
            if next(dir).is_some_and(|cell| cell.citizen() != Some(Kind::Warrior)) {
                orders.push(&[builder.id, MOVE, dir as i32]);
            }
        }
    }

    fn prowl(&mut self, warrior: &Citizen, state: &State, orders: &mut Orders) {
        if self.generator.random(0, 9) < 6 {
            let dir = DIRS[self.generator.random(0, 3) as usize];
            if state.cells.contains(warrior.pos + dir.step()) {
                orders.push(&[warrior.id, MOVE, dir as i32]);
            }
        }
    }
}

impl BuiltinPlayer for Demo {
    /// It rests in the second half of the match and when short of CPU.
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        if state.status[self.seat].fraction() >= 0.9 || state.round > state.settings.rounds() / 2 {
            return;
        }
        if state.is_day() {
            state.citizens_of(self.seat, Kind::Builder).for_each(|builder| self.work(builder, state, orders));
        } else {
            state.citizens_of(self.seat, Kind::Warrior).for_each(|warrior| self.prowl(warrior, state, orders));
        }
    }
}
