//! Demo of Ants: an example that draws its orders.

use super::board::Cell;
use super::engine::{LAY, LEAVE, MOVE, TAKE};
use super::state::{Ant, Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::{Dir4, Generator, Orders, Seat};

/// The example player: it draws most of its decisions. Its orders are part of
/// the published game, draw by draw.
pub struct Demo {
    seat: Seat,
    generator: Generator,
    direction: i32,
    permutation: Vec<u32>,
}

impl Demo {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Demo { seat, generator: Generator::for_player(seed, seat), direction: 0, permutation: Vec::new() }
    }

    /// It rests in the second half, while ahead of everybody, and when short of CPU.
    fn rests(&self, state: &State) -> bool {
        let mine = state.scores[self.seat];
        let ahead = Seat::ALL.into_iter().all(|seat| seat == self.seat || state.scores[seat] < mine);
        state.round > state.settings.rounds / 2 || ahead || state.status[self.seat].fraction() >= 0.9
    }
}

impl BuiltinPlayer for Demo {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        if state.round == 0 {
            self.direction = self.generator.random(0, 3);
        }
        if self.rests(state) {
            return;
        }
        let soldiers: Vec<&Ant> = state.ants_of(self.seat, Kind::Soldier).collect();
        if self.generator.random(0, 3) != 0 && !soldiers.is_empty() {
            let chosen = self.generator.random(0, soldiers.len() as i32 - 1);
            orders.push(&[soldiers[chosen as usize].id, MOVE, self.direction, -1]);
        }
        let workers: Vec<&Ant> = state.ants_of(self.seat, Kind::Worker).collect();
        self.generator.permutation(workers.len(), &mut self.permutation);
        for &k in &self.permutation {
            let worker = workers[k as usize];
            let above = worker.pos + Dir4::Up.step();
            if state.cells[worker.pos].food().is_some() {
                orders.push(&[worker.id, TAKE, -1, -1]);
            } else if worker.load.is_some() {
                orders.push(&[worker.id, LEAVE, -1, -1]);
            } else if !matches!(state.cells.get(above), None | Some(Cell::Water))
                && state.ant_on[above] == State::NOBODY
            {
                orders.push(&[worker.id, MOVE, Dir4::Up as i32, -1]);
            }
        }
        if let Some(queen) = state.ants_of(self.seat, Kind::Queen).next() {
            if self.generator.random(0, 1) == 1 {
                orders.push(&[queen.id, LAY, Dir4::Right as i32, Kind::Soldier as i32]);
            } else {
                orders.push(&[queen.id, LAY, Dir4::Left as i32, Kind::Worker as i32]);
            }
        }
    }
}
