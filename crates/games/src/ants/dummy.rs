//! The Dummy: a simple strategy, which opens the door to a season to whoever beats it.

use super::board::Cell;
use super::engine::{LAY, LEAVE, MOVE, TAKE};
use super::state::{Ant, Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::orders::MOST_CALLS;
use crate::search::{Ground, nearest};
use crate::{Dir4, Generator, Orders, Pos, Seat};

/// The player to beat. Workers bring the queen what grows far from her, she
/// eats what lies nearest and lays workers, soldiers go for the workers of
/// rivals. But every ant is distracted more than every third time: then the
/// queen does nothing, and the others take a step anywhere.
///
/// No ant goes where one of the colony stands or has been sent, nor where a
/// rival stands that is no weaker.
pub struct Dummy {
    seat: Seat,
    generator: Generator,
    /// Cells that ants of the colony have been sent to in this round.
    sent: Vec<Pos>,
}

/// Food nearer to the queen than this is left for her to fetch.
const FAR: i32 = 10;

/// How many steps ants look for food, and soldiers for workers.
const SIGHT: i32 = 50;
const HUNT: i32 = 14;

impl Dummy {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Dummy { seat, generator: Generator::for_player(seed, seat), sent: Vec::new() }
    }

    fn is_distracted(&mut self) -> bool {
        self.generator.below(8) < 3
    }

    fn order_queen(&mut self, state: &State, queen: &Ant, orders: &mut Orders) {
        if self.is_distracted() {
            return;
        }
        let can_lay = queen.reserve.iter().zip(state.settings.worker_cost).all(|(&have, need)| have >= need);
        let free = |dir: &Dir4| {
            let pos = queen.pos + dir.step();
            self.ground(state, queen, pos) == Ground::Open && state.ant_on[pos] == State::NOBODY
        };
        if can_lay && let Some(dir) = Dir4::ALL.into_iter().find(free) {
            self.sent.push(queen.pos + dir.step());
            give(orders, [queen.id, LAY, dir as i32, Kind::Worker as i32]);
        } else if state.round % state.settings.queen_period == 0 {
            self.go(state, queen, SIGHT, |pos| state.cells[pos].food().is_some(), orders);
        }
    }

    fn order_worker(&mut self, state: &State, worker: &Ant, queen: Pos, orders: &mut Orders) {
        let on_food = state.cells[worker.pos].food().is_some();
        let is_far = |pos: Pos| pos.distance(queen) >= FAR;
        if self.is_distracted() {
            self.stroll(state, worker, orders);
        } else if worker.load.is_none() && on_food && is_far(worker.pos) {
            give(orders, [worker.id, TAKE, -1, -1]);
        } else if worker.load.is_none() {
            self.go(state, worker, SIGHT, |pos| state.cells[pos].food().is_some() && is_far(pos), orders);
        } else if worker.pos.distance(queen) == 1 && !on_food {
            give(orders, [worker.id, LEAVE, -1, -1]);
        } else {
            self.go(state, worker, SIGHT, |pos| pos.distance(queen) == 1, orders);
        }
    }

    fn order_soldier(&mut self, state: &State, soldier: &Ant, orders: &mut Orders) {
        let seat = self.seat;
        let is_prey = |pos: Pos| {
            let ant = state.ant(state.ant_on[pos]);
            ant.is_some_and(|ant| ant.seat != seat && ant.kind == Kind::Worker)
        };
        if self.is_distracted() || !self.go(state, soldier, HUNT, is_prey, orders) {
            self.stroll(state, soldier, orders);
        }
    }

    /// A step towards the nearest goal, if there is one that can be reached.
    fn go(&mut self, state: &State, ant: &Ant, reach: i32, is_goal: impl Fn(Pos) -> bool, orders: &mut Orders) -> bool {
        let mut dirs = Dir4::ALL;
        self.generator.shuffle(&mut dirs);
        let way = nearest(ant.pos, &dirs, Dir4::step, reach, |pos| match self.ground(state, ant, pos) {
            Ground::Open if is_goal(pos) => Ground::Goal,
            ground => ground,
        });
        if let Some((dir, _)) = way {
            self.step(ant, dir, orders);
        }
        way.is_some()
    }

    /// A step in any direction that is open.
    fn stroll(&mut self, state: &State, ant: &Ant, orders: &mut Orders) {
        self.go(state, ant, 1, |_| true, orders);
    }

    fn step(&mut self, ant: &Ant, dir: Dir4, orders: &mut Orders) {
        self.sent.push(ant.pos + dir.step());
        give(orders, [ant.id, MOVE, dir as i32, -1]);
    }

    /// Where an ant can go without falling over its own or dying.
    fn ground(&self, state: &State, ant: &Ant, pos: Pos) -> Ground {
        let is_soil = !matches!(state.cells.get(pos), None | Some(Cell::Water));
        let is_open = is_soil && !self.sent.contains(&pos) && {
            let other = state.ant(state.ant_on[pos]);
            other.is_none_or(|other| other.seat != self.seat && other.kind > ant.kind)
        };
        if is_open { Ground::Open } else { Ground::Closed }
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        let Some(queen) = state.ants_of(self.seat, Kind::Queen).next() else { return };
        self.sent.clear();
        self.order_queen(state, queen, orders);
        state.ants_of(self.seat, Kind::Soldier).for_each(|soldier| self.order_soldier(state, soldier, orders));
        state.ants_of(self.seat, Kind::Worker).for_each(|worker| self.order_worker(state, worker, queen.pos, orders));
    }
}

/// More calls than a round allows would freeze the seat; what does not fit is left out.
fn give(orders: &mut Orders, order: [i32; 4]) {
    if orders.len() < MOST_CALLS {
        orders.push(&order);
    }
}
