//! A round of Ants: orders in a shuffled order, then ageing, hatching,
//! succession, food and scores.

use std::sync::Arc;

use super::board::{Board, Cell, Food};
use super::settings::{Nutrients, Settings};
use super::state::{Ant, Kind, State};
use crate::game::Stuck;
use crate::orders::{self, TooManyOrders};
use crate::tokens::{Result, TextError};
use crate::{Digest, Dir4, Generator, Grid, Orders, PerSeat, Pos, Seat, Status};

/// The kinds of order, by the number in the second place of an order.
pub const MOVE: i32 = 0;
pub const TAKE: i32 = 1;
pub const LEAVE: i32 = 2;
pub const LAY: i32 = 3;

#[derive(Clone)]
pub struct Engine {
    state: State,
    generator: Generator,
    /// Where each ant ever born stands in `state.ants`, or [`DEAD`].
    slots: Vec<u32>,
    /// Living ants by seat and kind.
    counts: PerSeat<[i32; 3]>,
    done: Orders,
    scratch: Scratch,
}

const DEAD: u32 = u32::MAX;

/// Lists that live for a round, kept for their room.
#[derive(Clone, Default)]
struct Scratch {
    accepted: Vec<(u32, [i32; 4])>,
    permutation: Vec<u32>,
    eggs: Vec<Egg>,
    free: Vec<Pos>,
}

#[derive(Clone, Copy)]
struct Egg {
    seat: Seat,
    pos: Pos,
    kind: Kind,
}

impl Engine {
    /// Puts the colonies on the board and checks that no queen starts on food.
    pub fn new(settings: &Arc<Settings>, board: Board, generator: Generator) -> Result<Engine> {
        let mut engine = Engine::without_ants(settings, board, generator);
        for seat in Seat::ALL {
            engine.settle(seat)?;
        }
        let hungry = |ant: &&Ant| ant.kind == Kind::Queen && engine.state.cells[ant.pos].food().is_some();
        match engine.state.ants.iter().find(hungry) {
            Some(queen) => Err(TextError::whole(format!(
                "the queen of player {} would start on food, at ({}, {}); leave that cell empty",
                queen.seat, queen.pos.i, queen.pos.j
            ))),
            None => Ok(engine),
        }
    }

    pub(super) fn without_ants(settings: &Arc<Settings>, board: Board, generator: Generator) -> Engine {
        let ant_on = Grid::new(settings.rows, settings.cols, State::NOBODY);
        Engine {
            state: State {
                settings: settings.clone(),
                terrain: Arc::new(board.terrain),
                cells: board.cells,
                ant_on,
                ants: Vec::new(),
                round: 0,
                scores: [0; 4],
                status: [Status::UNUSED; 4],
            },
            generator,
            slots: Vec::new(),
            counts: [[0; 3]; 4],
            done: Orders::new(),
            scratch: Scratch::default(),
        }
    }

    /// Places a colony from its corner outwards, diagonal by diagonal, the
    /// kinds of ant in random order.
    fn settle(&mut self, seat: Seat) -> Result<()> {
        let settings = self.state.settings.clone();
        let mut left = [1, settings.initial_soldiers, settings.initial_workers];
        let (mut a, mut b) = (0, 0);
        while left != [0; 3] {
            let mut kind = self.generator.random(0, 2) as usize;
            while left[kind] == 0 {
                kind = (kind + 1) % 3;
            }
            let pos = loop {
                let pos = from_corner(seat, a, b, &settings);
                if !self.state.cells.contains(pos) {
                    return Err(TextError::whole(format!(
                        "NUM_INI_SOLDIERS {} and NUM_INI_WORKERS {} do not fit on the board for player {seat}; ask for fewer ants or a larger board",
                        settings.initial_soldiers, settings.initial_workers
                    )));
                }
                if self.state.cells[pos] != Cell::Water && self.state.ant_on[pos] == State::NOBODY {
                    break pos;
                }
                (a, b) = if a > 0 { (a - 1, b + 1) } else { (b + 1, 0) };
            };
            self.create(seat, Kind::ALL[kind], pos);
            left[kind] -= 1;
        }
        Ok(())
    }

    pub(super) fn create(&mut self, seat: Seat, kind: Kind, pos: Pos) {
        let id = self.slots.len() as i32;
        self.slots.push(self.state.ants.len() as u32);
        self.state.ants.push(Ant {
            id,
            kind,
            seat,
            pos,
            reserve: [0; 3],
            load: None,
            life: self.state.settings.life(kind),
        });
        self.state.ant_on[pos] = id;
        self.counts[seat][kind as usize] += 1;
    }

    /// Runs the orders of all seats, shuffled together.
    fn run_orders(&mut self, orders: &PerSeat<Orders>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.accepted.clear();
        scratch.eggs.clear();
        self.done.clear();
        for (seat, orders) in Seat::ALL.into_iter().zip(orders) {
            for &[id, kind, dir, born] in orders.filter_length().iter() {
                if let Some(slot) = self.slot_of(id)
                    && self.state.ants[slot as usize].seat == seat
                {
                    scratch.accepted.push((slot, [id, kind, dir, born]));
                }
            }
        }
        self.generator.permutation(scratch.accepted.len(), &mut scratch.permutation);
        for &k in &scratch.permutation {
            let (slot, order) = scratch.accepted[k as usize];
            let slot = slot as usize;
            if self.state.ants[slot].life > 0 && self.run(slot, order, &mut scratch.eggs) {
                self.done.push(&order);
            }
        }
        self.scratch = scratch;
    }

    fn slot_of(&self, id: i32) -> Option<u32> {
        let slot = *self.slots.get(usize::try_from(id).ok()?)?;
        (slot != DEAD).then_some(slot)
    }

    /// Whether the order was done.
    fn run(&mut self, slot: usize, [_, kind, dir, born]: [i32; 4], eggs: &mut Vec<Egg>) -> bool {
        match kind {
            MOVE => self.walk(slot, dir),
            TAKE => self.take(slot),
            LEAVE => self.leave(slot),
            LAY => self.lay(slot, dir, born, eggs),
            _ => false,
        }
    }

    fn walk(&mut self, slot: usize, dir: i32) -> bool {
        let ant = &self.state.ants[slot];
        let Some(dir) = Dir4::from_number(dir) else { return false };
        if ant.kind == Kind::Queen && self.state.round % self.state.settings.queen_period != 0 {
            return false;
        }
        let target = ant.pos + dir.step();
        match self.state.cells.get(target) {
            None | Some(Cell::Water) => return false,
            Some(_) => {}
        }
        let occupant = self.state.ant_on[target];
        if occupant != State::NOBODY {
            let other = self.slots[occupant as usize] as usize;
            let (mover, other_kind) = (ant.kind, self.state.ants[other].kind);
            if mover <= other_kind {
                self.kill(other);
            }
            if mover >= other_kind {
                self.kill(slot);
                return true;
            }
        }
        let ant = &mut self.state.ants[slot];
        self.state.ant_on[ant.pos] = State::NOBODY;
        self.state.ant_on[target] = ant.id;
        ant.pos = target;
        if ant.kind == Kind::Queen {
            self.eat_from_cell(slot);
        }
        true
    }

    fn take(&mut self, slot: usize) -> bool {
        let ant = &mut self.state.ants[slot];
        let cell = &mut self.state.cells[ant.pos];
        match cell.food() {
            Some(food) if ant.kind == Kind::Worker && ant.load.is_none() => {
                ant.load = Some(food);
                *cell = Cell::Soil;
                true
            }
            _ => false,
        }
    }

    fn leave(&mut self, slot: usize) -> bool {
        let ant = &mut self.state.ants[slot];
        let cell = &mut self.state.cells[ant.pos];
        match ant.load {
            Some(food) if *cell == Cell::Soil => {
                ant.load = None;
                *cell = food.on_soil();
                true
            }
            _ => false,
        }
    }

    fn lay(&mut self, slot: usize, dir: i32, born: i32, eggs: &mut Vec<Egg>) -> bool {
        let ant = &mut self.state.ants[slot];
        let Some(dir) = Dir4::from_number(dir) else { return false };
        let (kind, cost) = match born {
            1 => (Kind::Soldier, self.state.settings.soldier_cost),
            2 => (Kind::Worker, self.state.settings.worker_cost),
            _ => return false,
        };
        let target = ant.pos + dir.step();
        let laid_well = ant.kind == Kind::Queen && !matches!(self.state.cells.get(target), None | Some(Cell::Water));
        if !laid_well || ant.reserve.iter().zip(cost).any(|(&have, need)| have < need) {
            return false;
        }
        for (have, need) in ant.reserve.iter_mut().zip(cost) {
            *have -= need;
        }
        eggs.push(Egg { seat: ant.seat, pos: target, kind });
        true
    }

    /// The ant leaves its cell now, and the list of ants at the end of the round.
    fn kill(&mut self, slot: usize) {
        let ant = &mut self.state.ants[slot];
        ant.life = 0;
        self.state.ant_on[ant.pos] = State::NOBODY;
        self.counts[ant.seat][ant.kind as usize] -= 1;
    }

    fn eat_from_cell(&mut self, slot: usize) {
        let ant = &mut self.state.ants[slot];
        let cell = &mut self.state.cells[ant.pos];
        if let Some(food) = cell.food() {
            *cell = Cell::Soil;
            eat(&mut ant.reserve, self.state.settings.contents(food));
        }
    }

    fn age(&mut self) {
        for slot in 0..self.state.ants.len() {
            let life = &mut self.state.ants[slot].life;
            match *life {
                0 => {}
                1 => self.kill(slot),
                _ => *life -= 1,
            }
        }
        self.bury();
    }

    /// Takes the dead out of the list.
    fn bury(&mut self) {
        let Some(first) = self.state.ants.iter().position(|ant| ant.life == 0) else { return };
        self.state.ants[first..].iter().filter(|ant| ant.life == 0).for_each(|ant| self.slots[ant.id as usize] = DEAD);
        self.state.ants.retain(|ant| ant.life > 0);
        for (slot, ant) in self.state.ants.iter().enumerate().skip(first) {
            self.slots[ant.id as usize] = slot as u32;
        }
    }

    fn hatch(&mut self) {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.generator.permutation(scratch.eggs.len(), &mut scratch.permutation);
        for &k in &scratch.permutation {
            let egg = scratch.eggs[k as usize];
            if self.state.ant_on[egg.pos] == State::NOBODY {
                self.create(egg.seat, egg.kind, egg.pos);
            }
        }
        self.scratch = scratch;
    }

    /// A colony without a queen makes one of any soldier or worker.
    fn succeed(&mut self) {
        for seat in Seat::ALL {
            let [queens, soldiers, workers] = self.counts[seat];
            if queens > 0 || soldiers + workers == 0 {
                continue;
            }
            let chosen = self.generator.random(0, soldiers + workers - 1);
            let (kind, nth) =
                if chosen < soldiers { (Kind::Soldier, chosen) } else { (Kind::Worker, chosen - soldiers) };
            let slot = (0..self.state.ants.len())
                .filter(|&slot| self.state.ants[slot].seat == seat && self.state.ants[slot].kind == kind)
                .nth(nth as usize)
                .expect("the counts agree with the list of ants");
            self.counts[seat][kind as usize] -= 1;
            self.counts[seat][Kind::Queen as usize] += 1;
            let ant = &mut self.state.ants[slot];
            ant.kind = Kind::Queen;
            ant.life = self.state.settings.queen_life;
            if let Some(food) = ant.load.take() {
                eat(&mut ant.reserve, self.state.settings.contents(food));
            }
            self.eat_from_cell(slot);
        }
    }

    /// One piece of food appears on a free cell of every rectangle.
    fn grow_food(&mut self) {
        if self.state.round % self.state.settings.bonus_period != 0 {
            return;
        }
        let (rows, cols) = (self.state.settings.bonus_rows, self.state.settings.bonus_cols);
        let mut free = std::mem::take(&mut self.scratch.free);
        for seat in Seat::ALL {
            for food in Food::ALL {
                let corner = self.state.terrain.corners[food as usize][seat];
                free.clear();
                for i in corner.i..corner.i + rows {
                    for j in corner.j..corner.j + cols {
                        let pos = Pos::new(i, j);
                        if self.state.cells[pos] == Cell::Soil && self.state.ant_on[pos] == State::NOBODY {
                            free.push(pos);
                        }
                    }
                }
                if !free.is_empty() {
                    let chosen = free[self.generator.random(0, free.len() as i32 - 1) as usize];
                    self.state.cells[chosen] = food.on_soil();
                }
            }
        }
        self.scratch.free = free;
    }

    fn score(&mut self) {
        for (score, counts) in self.state.scores.iter_mut().zip(self.counts) {
            *score += counts.iter().sum::<i32>();
        }
    }
}

impl crate::Engine for Engine {
    fn state(&self) -> &dyn crate::State {
        &self.state
    }

    /// Words behind the ant are a kind, a direction and a kind of ant.
    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> std::result::Result<(), TooManyOrders> {
        orders::accept::<4>(asked, accepted, LAY, |id| {
            // The place of the dead is in no list.
            let slot = self.slots.get(id as u32 as usize).map_or(DEAD, |slot| *slot);
            self.state.ants.get(slot as usize).is_some_and(|ant| ant.seat == seat)
        })
    }

    fn step(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck> {
        self.run_orders(orders);
        self.age();
        self.hatch();
        self.succeed();
        self.grow_food();
        self.score();
        self.state.round += 1;
        Ok(())
    }

    fn done(&self) -> &Orders {
        &self.done
    }

    fn set_status(&mut self, status: PerSeat<Status>) {
        self.state.status = status;
    }

    fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        crate::State::digest(&self.state, &mut digest);
        digest.word(u64::from(self.generator.state()));
        digest.word(self.slots.len() as u64);
        digest.finish()
    }

    fn snapshot(&self) -> Box<dyn crate::Engine> {
        Box::new(self.clone())
    }
}

/// The cell `a` and `b` steps away from the corner of a colony.
fn from_corner(seat: Seat, a: i32, b: i32, settings: &Settings) -> Pos {
    let (bottom, right) = (settings.rows - 1, settings.cols - 1);
    match seat.index() {
        0 => Pos::new(a, b),
        1 => Pos::new(b, right - a),
        2 => Pos::new(bottom - a, right - b),
        _ => Pos::new(bottom - b, a),
    }
}

/// Amounts wrap around beyond 32 bits, as they do in the reference.
fn eat(reserve: &mut Nutrients, contents: Nutrients) {
    for (amount, more) in reserve.iter_mut().zip(contents) {
        *amount = amount.wrapping_add(more);
    }
}
