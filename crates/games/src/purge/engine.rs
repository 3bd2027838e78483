//! A round of The Purge: the orders of the clans, interleaved; then what has
//! disappeared comes back, and at dawn the barricades fall.

use std::sync::Arc;

use super::board::{Board, Cell, Item};
use super::returning::{SafeCells, Waiting};
use super::settings::Settings;
use super::state::{Barricade, Citizen, Kind, State, Weapon};
use crate::game::Stuck;
use crate::orders::{self, TooManyOrders};
use crate::{Digest, Dir4, Generator, Orders, PerSeat, Pos, Seat, Status};

/// The kinds of order, by the number in the second place of an order.
pub const MOVE: i32 = 0;
pub const BUILD: i32 = 1;

#[derive(Clone)]
pub struct Engine {
    state: State,
    generator: Generator,
    /// The id of the next citizen to be born. Ids are never used twice.
    next_id: i64,
    /// Barricades that each clan has now.
    barricades: PerSeat<i32>,
    pub(super) dead: Waiting<(Kind, Seat)>,
    bonuses: Waiting<Item>,
    weapons: Waiting<Item>,
    done: Orders,
    /// The orders of a round that are for a citizen of the clan that gave
    /// them, clan after clan; kept for its room.
    selected: Vec<Selected>,
    somebody_died: bool,
}

#[derive(Clone, Copy)]
struct Selected {
    /// Where the citizen stands in the list, which keeps its dead until all
    /// orders have been run.
    slot: usize,
    order: [i32; 3],
}

/// The part of [`Engine::selected`] that a clan still has to run.
#[derive(Clone, Copy, Default)]
struct Queue {
    next: usize,
    end: usize,
}

impl Engine {
    pub fn new(settings: &Arc<Settings>, board: Board, next_id: i64, generator: Generator) -> Engine {
        let mut barricades = [0; Seat::COUNT];
        board.barricades.iter().for_each(|barricade| barricades[barricade.owner] += 1);
        Engine {
            state: State {
                settings: settings.clone(),
                cells: board.cells,
                citizens: board.citizens,
                barricades: board.barricades,
                round: 0,
                scores: [0; Seat::COUNT],
                status: [Status::UNUSED; Seat::COUNT],
            },
            generator,
            next_id,
            barricades,
            dead: Waiting::new(),
            bonuses: Waiting::new(),
            weapons: Waiting::new(),
            done: Orders::new(),
            selected: Vec::new(),
            somebody_died: false,
        }
    }

    /// Runs the orders: each time, one of the clans that have any left, all as
    /// likely, has its next one run.
    fn run_orders(&mut self, orders: &PerSeat<Orders>) {
        self.done.clear();
        let (mut queues, mut open) = self.select(orders);
        while open > 0 {
            let chosen = self.generator.below(open as u32) as usize;
            let Selected { slot, order } = self.selected[queues[chosen].next];
            queues[chosen].next += 1;
            if queues[chosen].next == queues[chosen].end {
                queues.copy_within(chosen + 1..open, chosen);
                open -= 1;
            }
            if self.state.citizens[slot].life > 0 && self.run(slot, order) {
                self.done.push(&order);
            }
        }
        if self.somebody_died {
            self.somebody_died = false;
            self.state.citizens.retain(|citizen| citizen.life > 0);
        }
    }

    /// Keeps the orders that are for a citizen of the clan that gives them.
    /// The clans that have any come first in the result, as many as its number says.
    fn select(&mut self, orders: &PerSeat<Orders>) -> ([Queue; Seat::COUNT], usize) {
        let (mut queues, mut open) = ([Queue::default(); Seat::COUNT], 0);
        self.selected.clear();
        let mut roll = Roll::of(&self.state.citizens);
        for (seat, orders) in Seat::ALL.into_iter().zip(orders) {
            let next = self.selected.len();
            for &[id, kind, dir] in orders.filter_length().iter() {
                if let Some(slot) = roll.slot_of(id)
                    && self.state.citizens[slot].seat == seat
                {
                    self.selected.push(Selected { slot, order: [id, kind, dir] });
                }
            }
            let end = self.selected.len();
            if next < end {
                queues[open] = Queue { next, end };
                open += 1;
            }
        }
        (queues, open)
    }

    /// Whether the order was done.
    fn run(&mut self, slot: usize, [_, kind, dir]: [i32; 3]) -> bool {
        let Some(dir) = Dir4::from_number(dir) else { return false };
        let target = self.state.citizens[slot].pos + dir.step();
        let Some(cell) = self.state.cells.get(target) else { return false };
        match kind {
            MOVE => self.walk(slot, target, cell),
            BUILD => self.build(slot, target, cell),
            _ => false,
        }
    }

    fn walk(&mut self, slot: usize, target: Pos, cell: Cell) -> bool {
        match cell {
            Cell::Building => return false,
            Cell::Street => {}
            Cell::Food => self.take(slot, Item::Food),
            Cell::Money => self.take(slot, Item::Money),
            Cell::Gun => self.take(slot, Item::Gun),
            Cell::Bazooka => self.take(slot, Item::Bazooka),
            Cell::Builder | Cell::Warrior => return !self.state.is_day() && self.fight(slot, target),
            Cell::Barricade | Cell::BuilderInBarricade | Cell::WarriorInBarricade => {
                let barricade = self.barricade_slot(target).expect("the cell shows a barricade");
                if self.state.barricades[barricade].owner != self.state.citizens[slot].seat {
                    return !self.state.is_day() && self.demolish(slot, barricade);
                }
                if cell != Cell::Barricade {
                    return false;
                }
            }
        }
        let citizen = &mut self.state.citizens[slot];
        let left = &mut self.state.cells[citizen.pos];
        *left = left.without_citizen();
        self.state.cells[target] = cell.with_citizen(citizen.kind);
        citizen.pos = target;
        true
    }

    /// What a citizen gets from an item as it steps on it. The item is gone
    /// even if it is of no use.
    fn take(&mut self, slot: usize, item: Item) {
        let settings = &*self.state.settings;
        let citizen = &mut self.state.citizens[slot];
        let waiting = match item {
            Item::Food => {
                citizen.life = citizen.life.saturating_add(settings.food_life).min(settings.life(citizen.kind));
                &mut self.bonuses
            }
            Item::Money => {
                add_points(&mut self.state.scores[citizen.seat], settings.money_points);
                &mut self.bonuses
            }
            Item::Gun => {
                citizen.weapon = citizen.weapon.map(|weapon| weapon.max(Weapon::Gun));
                &mut self.weapons
            }
            Item::Bazooka => {
                citizen.weapon = citizen.weapon.map(|_| Weapon::Bazooka);
                &mut self.weapons
            }
        };
        waiting.add(item, self.state.round, settings.delay_of_item(item));
    }

    /// Whether there was a fight with the citizen on `target`. One of the two
    /// loses life; nobody changes place.
    fn fight(&mut self, attacker: usize, target: Pos) -> bool {
        let defender = self.state.slot_at(target).expect("the cell shows a citizen");
        let citizens = &self.state.citizens;
        if citizens[attacker].seat == citizens[defender].seat {
            return false;
        }
        let strength = |slot: usize| self.state.settings.attack(citizens[slot].weapon);
        let wins = attacker_wins(self.generator.below(1001), strength(attacker), strength(defender));
        let (winner, loser) = if wins { (attacker, defender) } else { (defender, attacker) };
        self.hurt(loser, winner);
        true
    }

    /// A citizen that dies leaves its cell now, and the list once all orders have been run.
    fn hurt(&mut self, loser: usize, winner: usize) {
        let settings = &*self.state.settings;
        let winning = self.state.citizens[winner].seat;
        let citizen = &mut self.state.citizens[loser];
        citizen.life -= settings.life_lost;
        if citizen.life > 0 {
            return;
        }
        self.somebody_died = true;
        let cell = &mut self.state.cells[citizen.pos];
        *cell = cell.without_citizen();
        self.dead.add((citizen.kind, citizen.seat), self.state.round, settings.delay_of_citizen(citizen.kind));
        add_points(&mut self.state.scores[winning], settings.kill_points(citizen.kind));
    }

    /// Strikes a barricade, which is always done. Whoever is in it is unharmed.
    fn demolish(&mut self, slot: usize, barricade: usize) -> bool {
        let strength = self.state.settings.demolish(self.state.citizens[slot].weapon);
        let struck = &mut self.state.barricades[barricade];
        struck.resistance -= strength;
        if struck.resistance <= 0 {
            self.barricades[struck.owner] -= 1;
            let cell = &mut self.state.cells[struck.pos];
            *cell = cell.without_barricade();
            self.state.barricades.remove(barricade);
        }
        true
    }

    fn barricade_slot(&self, pos: Pos) -> Result<usize, usize> {
        self.state.barricades.binary_search_by_key(&pos, |barricade| barricade.pos)
    }

    fn build(&mut self, slot: usize, target: Pos, cell: Cell) -> bool {
        let &Settings { barricade_step, barricade_max, most_barricades, .. } = &*self.state.settings;
        let Citizen { kind, seat, pos, .. } = self.state.citizens[slot];
        if kind == Kind::Warrior || !self.state.is_day() || self.state.cells[pos].has_barricade() {
            return false;
        }
        match (cell, self.barricade_slot(target)) {
            (Cell::Street, Err(place)) if self.barricades[seat] < most_barricades => {
                let new = Barricade { pos: target, owner: seat, resistance: barricade_step };
                self.state.barricades.insert(place, new);
                self.state.cells[target] = Cell::Barricade;
                self.barricades[seat] += 1;
                true
            }
            (Cell::Barricade, Ok(at)) if self.state.barricades[at].owner == seat => {
                let resistance = &mut self.state.barricades[at].resistance;
                *resistance = resistance.saturating_add(barricade_step).min(barricade_max);
                true
            }
            _ => false,
        }
    }

    /// Citizens come back first, then money and food, then weapons.
    fn bring_back(&mut self) -> Result<(), Stuck> {
        let Engine { state, generator, next_id, dead, bonuses, weapons, .. } = self;
        let round = state.round;
        if !(dead.any_due(round) || bonuses.any_due(round) || weapons.any_due(round)) {
            return Ok(());
        }
        // Nothing but what comes back changes the safe cells meanwhile.
        let mut safe = SafeCells::of(state);
        dead.bring_back(round, |(kind, seat)| {
            let Some(pos) = safe.draw(generator) else { return Ok(false) };
            let id = i32::try_from(*next_id).map_err(|_| Stuck("there are no ids left for newborn citizens"))?;
            *next_id += 1;
            state.citizens.push(Citizen::newborn(id, kind, seat, pos, &state.settings));
            state.cells[pos] = Cell::Street.with_citizen(kind);
            safe.keep_away(pos);
            Ok(true)
        })?;
        for waiting in [bonuses, weapons] {
            waiting.bring_back(round, |item| {
                let Some(pos) = safe.draw(generator) else { return Ok(false) };
                state.cells[pos] = item.on_street();
                safe.occupy(pos);
                Ok(true)
            })?;
        }
        Ok(())
    }

    /// At the end of the night all barricades fall.
    fn clear_barricades(&mut self) {
        let per_day = self.state.settings.rounds_per_day;
        if self.state.round % per_day != per_day - 1 {
            return;
        }
        for barricade in self.state.barricades.drain(..) {
            let cell = &mut self.state.cells[barricade.pos];
            *cell = cell.without_barricade();
        }
        self.barricades = [0; Seat::COUNT];
    }
}

/// Finds citizens by id. Players mostly go through theirs in the order of ids,
/// so that the next one is looked for where the last one was found.
struct Roll<'a> {
    citizens: &'a [Citizen],
    next: usize,
}

impl<'a> Roll<'a> {
    fn of(citizens: &'a [Citizen]) -> Self {
        Roll { citizens, next: 0 }
    }

    #[inline]
    fn slot_of(&mut self, id: i32) -> Option<usize> {
        let slot = match self.citizens.get(self.next) {
            Some(citizen) if citizen.id == id => self.next,
            _ => self.citizens.binary_search_by_key(&id, |citizen| citizen.id).ok()?,
        };
        self.next = slot + 1;
        Some(slot)
    }
}

impl crate::Engine for Engine {
    fn state(&self) -> &dyn crate::State {
        &self.state
    }

    /// Words behind the citizen are a kind and one of four directions.
    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> Result<(), TooManyOrders> {
        let citizens = &self.state.citizens[..];
        let mut roll = Roll::of(citizens);
        let is_own = |id| roll.slot_of(id).is_some_and(|slot| citizens[slot].seat == seat);
        orders::accept::<3>(asked, accepted, Dir4::ALL.len() as i32 - 1, is_own)
    }

    fn step(&mut self, orders: &PerSeat<Orders>) -> Result<(), Stuck> {
        self.run_orders(orders);
        self.bring_back()?;
        self.clear_barricades();
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
        digest.int(self.next_id);
        digest.word(self.dead.iter().len() as u64);
        for ((kind, seat), due) in self.dead.iter() {
            digest.pair((kind as i32) << 2 | seat.index() as i32, due as i32);
        }
        for waiting in [&self.bonuses, &self.weapons] {
            digest.word(waiting.iter().len() as u64);
            waiting.iter().for_each(|(item, due)| digest.pair(item as i32, due as i32));
        }
        digest.finish()
    }

    fn snapshot(&self) -> Box<dyn crate::Engine> {
        Box::new(self.clone())
    }
}

/// Whether a draw from 0 to 1000 makes the attacker win. It is one of 1001, so
/// that chances are a little off the quotient of the strengths. The sum of two
/// strengths may exceed 32 bits, in which the reference has no answer.
pub(super) fn attacker_wins(draw: u32, attacker: i32, defender: i32) -> bool {
    let (attacker, defender) = (i64::from(attacker), i64::from(defender));
    i64::from(draw) * (attacker + defender) < 1000 * attacker
}

/// Points wrap around beyond 32 bits, as they do in the reference.
fn add_points(score: &mut i32, points: i32) {
    *score = score.wrapping_add(points);
}
