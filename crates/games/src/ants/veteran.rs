//! Veteran of Ants: who has beaten the Dummy practises with it.

use super::board::Cell;
use super::engine::{LAY, LEAVE, MOVE, TAKE};
use super::paths::Paths;
use super::state::{Ant, Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::orders::MOST_CALLS;
use crate::{Dir4, Grid, Orders, Pos, Seat};

/// The sparring partner for whoever has beaten `Dummy`. Its workers carry food to the queen and wait for more
/// where some has grown before; the queen eats and lays workers; the soldiers
/// chase the workers of others.
///
/// Nothing of it is random, and no ant of it ever attacks another of its own:
/// an ant goes only where no ant of the colony stands or has been sent.
pub struct Veteran {
    seat: Seat,
    paths: Paths,
    /// Where food lies in this round, after its distance from the queen, nearest first.
    foods: Vec<(i32, Pos)>,
    /// Where food has grown, one place for each patch of ground.
    patches: Vec<Pos>,
    /// Which kinds of rival can be on a cell at the end of the round, a bit each.
    reach: Grid<u8>,
    /// Cells that an ant of the colony stands on or has been sent to.
    taken: Grid<bool>,
}

/// Food this close to the queen is left for her to fetch.
const PANTRY: i32 = 2;

/// How far away a soldier notices the worker of a rival.
const HUNT: i32 = 8;

/// What an ant weighs when it looks for its next cell: a step too far from
/// where it wants to be, the risk of being attacked, a weaker rival to attack.
const STEP: i32 = 4;
const RISK: i32 = 10 * STEP;
const PREY: i32 = 5 * STEP;

impl Veteran {
    pub fn new(seat: Seat) -> Self {
        Veteran {
            seat,
            paths: Paths::default(),
            foods: Vec::new(),
            patches: Vec::new(),
            reach: Grid::new(0, 0, 0),
            taken: Grid::new(0, 0, false),
        }
    }

    /// Takes in what is new on the board.
    fn look(&mut self, state: &State, queen: Pos) {
        let (rows, cols) = (state.cells.rows(), state.cells.cols());
        if (self.reach.rows(), self.reach.cols()) != (rows, cols) {
            self.paths = Paths::new(&state.cells);
            self.reach = Grid::new(rows, cols, 0);
            self.taken = Grid::new(rows, cols, false);
        }
        self.reach.fill(0);
        self.taken.fill(false);
        for ant in &state.ants {
            if ant.seat == self.seat {
                self.taken[ant.pos] = true;
                continue;
            }
            self.reach[ant.pos] |= 1 << ant.kind as u8;
            for dir in Dir4::ALL {
                let next = ant.pos + dir.step();
                if self.reach.contains(next) {
                    self.reach[next] |= 1 << ant.kind as u8;
                }
            }
        }
        let cells = state.cells.cells();
        self.foods.clear();
        for at in (0..cells.len()).filter(|&at| cells[at].food().is_some()) {
            let food = state.cells.pos(at);
            self.foods.push((self.paths.distance(food, queen), food));
        }
        self.foods.sort_unstable();
        if (state.round - 1) % state.settings.bonus_period == 0 {
            self.learn_patches(queen);
        }
    }

    /// Food has just grown: remember where, what is nearest to the queen first.
    fn learn_patches(&mut self, queen: Pos) {
        for (_, food) in self.errands() {
            if self.patches.iter().all(|patch| patch.distance(food) > 2) {
                self.patches.push(food);
            }
        }
        self.patches.sort_by_cached_key(|&patch| self.paths.distance(patch, queen));
    }

    /// The food to send workers for: neither what the queen fetches herself
    /// nor what lies in the far half of the board.
    fn errands(&self) -> Vec<(i32, Pos)> {
        let farthest = (self.taken.rows() + self.taken.cols()) * 3 / 8;
        self.foods.iter().copied().filter(|&(home, _)| (PANTRY + 1..=farthest).contains(&home)).collect()
    }

    /// Lays if there is enough for a worker, or else goes for the nearest food.
    fn order_queen(&mut self, state: &State, queen: &Ant, orders: &mut Orders) {
        let can_lay = queen.reserve.iter().zip(state.settings.worker_cost).all(|(&have, need)| have >= need);
        if can_lay && let Some(dir) = self.nest(state, queen) {
            self.taken[queen.pos + dir.step()] = true;
            give(orders, [queen.id, LAY, dir as i32, Kind::Worker as i32]);
            return;
        }
        if state.round % state.settings.queen_period == 0
            && let Some(&(_, food)) = self.foods.first()
        {
            self.walk(state, queen, food, 0, orders);
        }
    }

    /// Where an egg will hatch: a free cell, out of reach of rivals if possible.
    fn nest(&self, state: &State, queen: &Ant) -> Option<Dir4> {
        Dir4::ALL
            .into_iter()
            .filter(|dir| {
                let pos = queen.pos + dir.step();
                self.is_open(state, pos) && state.ant_on[pos] == State::NOBODY
            })
            .min_by_key(|dir| self.reach[queen.pos + dir.step()])
    }

    /// Soil that no ant of the colony stands on or has been sent to.
    fn is_open(&self, state: &State, pos: Pos) -> bool {
        !matches!(state.cells.get(pos), None | Some(Cell::Water)) && !self.taken[pos]
    }

    fn order_workers(&mut self, state: &State, queen: &Ant, orders: &mut Orders) {
        let mut idle = Vec::new();
        for worker in state.ants_of(self.seat, Kind::Worker) {
            let home = self.paths.distance(worker.pos, queen.pos);
            let on_food = state.cells[worker.pos].food().is_some();
            if worker.load.is_some() {
                if home <= PANTRY && !on_food {
                    give(orders, [worker.id, LEAVE, -1, -1]);
                } else {
                    self.walk(state, worker, queen.pos, 1, orders);
                }
            } else if on_food && home > PANTRY {
                give(orders, [worker.id, TAKE, -1, -1]);
            } else {
                idle.push(worker);
            }
        }
        for (home, food) in self.errands() {
            let time = |worker: &Ant| worker.life.min(state.settings.rounds - state.round) - home;
            if !self.taken[food]
                && let Some(worker) = self.nearest(food, &mut idle, time)
            {
                self.walk(state, worker, food, 0, orders);
            }
        }
        for patch in self.patches.clone() {
            if let Some(worker) = self.nearest(patch, &mut idle, |_| Paths::FAR) {
                self.walk(state, worker, patch, 2, orders);
            }
        }
        // The others make room for the queen, a few on each ring around her.
        for (worker, ring) in idle.into_iter().zip(4 * 4..) {
            self.walk(state, worker, queen.pos, ring / 4, orders);
        }
    }

    /// Takes the worker out of `idle` that is nearest to a place, if it has the
    /// time to get there.
    fn nearest<'a>(&mut self, place: Pos, idle: &mut Vec<&'a Ant>, time: impl Fn(&Ant) -> i32) -> Option<&'a Ant> {
        let (at, distance) = idle
            .iter()
            .map(|worker| self.paths.distance(worker.pos, place))
            .enumerate()
            .min_by_key(|&(_, distance)| distance)?;
        (distance < time(idle[at])).then(|| idle.remove(at))
    }

    /// Soldiers go for the nearest worker of a rival, or stay near the queen.
    fn order_soldiers(&mut self, state: &State, queen: &Ant, orders: &mut Orders) {
        for soldier in state.ants_of(self.seat, Kind::Soldier) {
            let prey = state
                .ants
                .iter()
                .filter(|ant| {
                    ant.seat != self.seat && ant.kind == Kind::Worker && ant.pos.distance(soldier.pos) <= HUNT
                })
                .min_by_key(|ant| ant.pos.distance(soldier.pos));
            match prey {
                Some(prey) => self.walk(state, soldier, prey.pos, 0, orders),
                None => self.walk(state, soldier, queen.pos, 4, orders),
            }
        }
    }

    /// Moves an ant to where it is as many steps as wanted from a place, one
    /// step in this round, if there is a step that helps.
    fn walk(&mut self, state: &State, ant: &Ant, place: Pos, wanted: i32, orders: &mut Orders) {
        let stay = STEP * (self.paths.distance(ant.pos, place) - wanted).abs();
        // Two ants in each other's way would wait for ever; now and then one
        // that waits steps aside instead.
        let impatience = if stay > 0 && (state.round + ant.id) % 4 == 0 { STEP + 1 } else { 0 };
        let mut best = (stay + self.risk(ant, ant.pos) + impatience, None);
        for dir in Dir4::ALL {
            let pos = ant.pos + dir.step();
            if !self.is_open(state, pos) {
                continue;
            }
            let mut cost = STEP * (self.paths.distance(pos, place) - wanted).abs() + self.risk(ant, pos);
            match state.ant_on[pos] {
                State::NOBODY => {}
                id if state.ant(id).is_some_and(|rival| rival.kind > ant.kind) => cost -= PREY,
                _ => continue,
            }
            if cost < best.0 {
                best = (cost, Some(dir));
            }
        }
        if let Some(dir) = best.1 {
            self.taken[ant.pos + dir.step()] = true;
            give(orders, [ant.id, MOVE, dir as i32, -1]);
        }
    }

    /// What it costs an ant to be on a cell that rivals no weaker than it can reach.
    fn risk(&self, ant: &Ant, pos: Pos) -> i32 {
        let no_weaker = (2 << ant.kind as u8) - 1;
        if self.reach[pos] & no_weaker != 0 { RISK } else { 0 }
    }
}

impl BuiltinPlayer for Veteran {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        let Some(queen) = state.ants_of(self.seat, Kind::Queen).next() else { return };
        self.look(state, queen.pos);
        self.order_queen(state, queen, orders);
        self.order_workers(state, queen, orders);
        self.order_soldiers(state, queen, orders);
    }
}

/// More calls than a round allows would freeze the seat; what does not fit is left out.
fn give(orders: &mut Orders, order: [i32; 4]) {
    if orders.len() < MOST_CALLS {
        orders.push(&order);
    }
}
