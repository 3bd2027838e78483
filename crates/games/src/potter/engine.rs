//! A round of Harry Potter: the orders of the four seats, dealt in a random
//! order, and what follows them.

use std::sync::Arc;

use super::board::{Board, Cell, CellSet, SIDE};
use super::safe::SafeCells;
use super::settings::Settings;
use super::spell::draw_ingredients;
use super::state::{Kind, State, Unit};
use crate::game::Stuck;
use crate::orders::TooManyOrders;
use crate::tokens::{Result, TextError};
use crate::{Digest, Dir8, Generator, Orders, PerSeat, Pos, Seat, Status};

/// The kinds of order, by the number in the second place of an order.
pub const MOVE: i32 = 0;
pub const SPELL: i32 = 1;

#[derive(Clone)]
pub struct Engine {
    pub(super) state: State,
    pub(super) generator: Generator,
    pub(super) corridor: CellSet,
    /// Cells owned by each clan.
    pub(super) owned: PerSeat<i32>,
    /// What has happened in the round so far.
    pub events: Events,
    done: Orders,
    /// The orders of a round that are run; a list kept for its room.
    kept: Vec<Kept>,
}

/// An order for a unit of the seat that gives it.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub id: u16,
    pub action: Action,
}

#[derive(Clone, Copy)]
pub(super) enum Action {
    /// In the direction with this number.
    Walk(i32),
    /// With the answer in the order with this number of the seat.
    Cast(u32),
}

#[derive(Clone, Default)]
pub struct Events {
    /// Wizards killed, by the clan they had, in the order of their deaths.
    pub dead_wizards: PerSeat<Vec<u16>>,
    pub dead_ghosts: PerSeat<bool>,
    pub books_read: PerSeat<i32>,
    /// Books that Voldemort has removed.
    pub books_lost: i32,
    pub spell_cast: bool,
}

impl Events {
    fn clear(&mut self) {
        self.dead_wizards.iter_mut().for_each(Vec::clear);
        self.dead_ghosts = [false; 4];
        self.books_read = [0; 4];
        self.books_lost = 0;
        self.spell_cast = false;
    }

    fn dead<'a>(&'a self, state: &'a State) -> impl Iterator<Item = &'a Unit> {
        let wizards = self.dead_wizards.iter().flatten().map(|&id| &state.units[usize::from(id)]);
        wizards.chain(Seat::ALL.into_iter().filter(|&seat| self.dead_ghosts[seat]).map(|seat| state.ghost(seat)))
    }

    fn books(&self) -> i32 {
        self.books_read.iter().sum::<i32>() + self.books_lost
    }
}

impl Engine {
    /// Puts ghosts, wizards, books, a puzzle and Voldemort on a board with
    /// nothing but walls.
    pub fn settle(settings: &Arc<Settings>, cells: Board<Cell>, generator: Generator) -> Result<Engine> {
        let mut engine = Engine::new(State::unsettled(settings, cells), generator);
        let (corridor, wanted) = (engine.corridor.len(), settings.units() + settings.books);
        if wanted >= corridor {
            return Err(TextError::whole(format!(
                "NUM_INI_WIZARDS_PER_CLAN {} and NUM_INI_BOOKS {} fill {wanted} cells, and the board of this seed has only {corridor}, one of them for Voldemort; ask for fewer wizards or books",
                settings.wizards, settings.books
            )));
        }
        let mut safe = SafeCells::new(&engine.corridor, &CellSet::EMPTY);
        for seat in Seat::ALL {
            engine.create(Kind::Ghost, seat, &mut safe);
        }
        for seat in Seat::ALL {
            (0..settings.wizards).for_each(|_| engine.create(Kind::Wizard, seat, &mut safe));
        }
        (0..settings.books).for_each(|_| engine.place_book(&mut safe));
        draw_ingredients(&mut engine.generator, &mut engine.state.ingredients);
        safe.keep_inner();
        engine.state.voldemort = engine.random_place(&mut safe);
        engine.check().map_err(|Stuck(reason)| {
            TextError::whole(format!(
                "NUM_INI_WIZARDS_PER_CLAN {} and NUM_INI_BOOKS {} crowd the board of this seed: {reason}; ask for fewer wizards or books",
                settings.wizards, settings.books
            ))
        })?;
        Ok(engine)
    }

    /// Goes on from a state.
    pub fn new(state: State, generator: Generator) -> Engine {
        let mut owned = [0; 4];
        for owner in state.cells.cells().iter().filter_map(|cell| cell.owner()) {
            owned[owner] += 1;
        }
        Engine {
            corridor: CellSet::corridor(&state.cells),
            state,
            generator,
            owned,
            events: Events::default(),
            done: Orders::new(),
            kept: Vec::new(),
        }
    }

    fn create(&mut self, kind: Kind, seat: Seat, safe: &mut SafeCells) {
        let id = self.state.units.len() as u16;
        let pos = self.random_place(safe);
        let rounds = match kind {
            Kind::Ghost => {
                self.state.ghosts[seat] = id;
                self.state.settings.spell_rest
            }
            Kind::Wizard => {
                self.state.enlist(id, seat);
                0
            }
        };
        self.state.units.push(Unit { id: i32::from(id), kind, seat, pos, rounds, next: Unit::NONE });
        self.state.unit_on[pos] = id;
        self.own(pos, seat);
    }

    pub(super) fn place_book(&mut self, safe: &mut SafeCells) {
        let pos = self.random_place(safe);
        self.state.books.insert(pos);
    }

    /// A safe cell, or any empty one if none is safe; whatever was looking for
    /// a place is taken to be there from now on.
    pub(super) fn random_place(&mut self, safe: &mut SafeCells) -> Pos {
        if safe.count() > 0 {
            let pos = safe.nth(self.generator.below(safe.count()));
            safe.block(pos);
            return pos;
        }
        loop {
            let i = self.generator.random(0, SIDE - 1);
            let pos = Pos::new(i, self.generator.random(0, SIDE - 1));
            let free = self.corridor.contains(pos) && self.state.unit_on[pos] == State::NOBODY;
            if free && !self.state.books.contains(pos) {
                return pos;
            }
        }
    }

    /// The cells that are safe now. The dead are on no cell.
    fn safe_cells(&self) -> SafeCells {
        let mut blockers = CellSet::EMPTY;
        self.state.units.iter().for_each(|unit| blockers.insert(unit.pos));
        for pos in self.events.dead(&self.state).map(|unit| unit.pos) {
            if self.state.unit_on[pos] == State::NOBODY {
                blockers.remove(pos);
            }
        }
        blockers.insert(self.state.voldemort);
        blockers.rows.iter_mut().zip(self.state.books.rows).for_each(|(row, books)| *row |= books);
        SafeCells::new(&self.corridor, &blockers)
    }

    /// The cell becomes property of the clan.
    #[inline]
    pub(super) fn own(&mut self, pos: Pos, seat: Seat) {
        self.disown(pos);
        self.state.cells[pos] = Cell::of(seat);
        self.owned[seat] += 1;
    }

    /// The cell is nobody's, if it was somebody's.
    #[inline]
    pub(super) fn disown(&mut self, pos: Pos) {
        let cell = &mut self.state.cells[pos];
        if let Some(owner) = cell.owner() {
            self.owned[owner] -= 1;
            *cell = Cell::Free;
        }
    }

    /// Deals the orders: each time one of the seats with orders left is drawn,
    /// and its next order runs on the board as it is by then.
    fn run_orders(&mut self, orders: &PerSeat<Orders>) {
        let mut kept = std::mem::take(&mut self.kept);
        kept.clear();
        self.done.clear();
        let mut waiting = [(0, 0, Seat::ALL[0]); Seat::COUNT];
        let mut count = 0;
        let units = &self.state.units[..];
        for seat in Seat::ALL {
            let first = kept.len();
            let mut number = 0;
            orders[seat].for_each_length(|count, length, words| {
                let numbers = number..;
                match length {
                    0 => {}
                    3 => kept.extend(
                        numbers.zip(words.as_chunks::<3>().0).filter_map(move |(k, order)| keep(units, seat, order, k)),
                    ),
                    _ => kept.extend(
                        numbers.zip(words.chunks_exact(length)).filter_map(|(k, order)| keep(units, seat, order, k)),
                    ),
                }
                number += count as u32;
            });
            if kept.len() > first {
                waiting[count] = (first, kept.len(), seat);
                count += 1;
            }
        }
        while count > 0 {
            let drawn = self.generator.below(count as u32) as usize;
            let (next, end, seat) = &mut waiting[drawn];
            let Kept { id, action } = kept[*next];
            match action {
                Action::Walk(dir) => {
                    if self.walk(usize::from(id), dir) {
                        self.done.push(&[i32::from(id), MOVE, dir]);
                    }
                }
                Action::Cast(number) => self.try_to_cast(usize::from(id), &orders[*seat], number as usize),
            }
            *next += 1;
            if next == end {
                waiting.copy_within(drawn + 1..count, drawn);
                count -= 1;
            }
        }
        self.kept = kept;
    }

    /// Casts the spell that is the order with this number of a seat.
    fn try_to_cast(&mut self, id: usize, orders: &Orders, number: usize) {
        if self.can_cast(id) {
            let order = orders.iter().nth(number).expect("a kept order is one of its seat's");
            if self.cast(id, &order[3..]) {
                self.done.push(order);
            }
        }
    }

    /// Those whom Voldemort has caught come back, wizards in a random clan.
    fn reappear(&mut self, safe: &mut SafeCells) {
        for seat in Seat::ALL {
            for k in 0..self.events.dead_wizards[seat].len() {
                let id = self.events.dead_wizards[seat][k];
                let pos = self.random_place(safe);
                let seat = Seat::ALL[self.generator.below(4) as usize];
                self.state.enlist(id, seat);
                self.put(id, Unit { seat, pos, rounds: 0, next: Unit::NONE, id: i32::from(id), kind: Kind::Wizard });
            }
        }
        for seat in Seat::ALL {
            if self.events.dead_ghosts[seat] {
                let id = self.state.ghosts[seat];
                let rounds = self.state.settings.spell_rest;
                let pos = self.random_place(safe);
                self.put(id, Unit { seat, pos, rounds, next: Unit::NONE, id: i32::from(id), kind: Kind::Ghost });
            }
        }
    }

    fn put(&mut self, id: u16, unit: Unit) {
        self.state.unit_on[unit.pos] = id;
        self.own(unit.pos, unit.seat);
        self.state.units[usize::from(id)] = unit;
    }

    /// Ghosts rest, and wizards whose conversion is over change clan.
    fn count_down(&mut self) {
        for id in 0..self.state.units.len() {
            let unit = &mut self.state.units[id];
            if unit.rounds <= 0 {
                continue;
            }
            unit.rounds -= 1;
            if unit.kind == Kind::Wizard && unit.rounds == 0 {
                let clan = Seat::from_number(unit.next).expect("a wizard in conversion has a next clan");
                unit.next = Unit::NONE;
                self.convert(id, clan);
            }
        }
    }

    /// Strength for the books read, and new books in place of those read and lost.
    fn renew_books(&mut self, safe: &mut SafeCells) {
        for seat in Seat::ALL {
            let read = self.events.books_read[seat];
            let gained = self.state.settings.book_strength.wrapping_mul(read);
            self.state.strength[seat] = self.state.strength[seat].wrapping_add(gained);
            (0..read).for_each(|_| self.place_book(safe));
        }
        (0..self.events.books_lost).for_each(|_| self.place_book(safe));
    }

    /// Numbers that leave 32 bits wrap around, as they do in the reference.
    fn score(&mut self) {
        for seat in Seat::ALL {
            let cells = self.owned[seat].wrapping_mul(self.state.settings.cell_points);
            self.state.scores[seat] = self.state.points[seat].wrapping_add(cells);
        }
    }

    /// The wizard passes to another clan, which gets points for it.
    pub(super) fn convert(&mut self, id: usize, clan: Seat) {
        let unit = &mut self.state.units[id];
        let before = std::mem::replace(&mut unit.seat, clan);
        let pos = unit.pos;
        self.state.dismiss(id as u16, before);
        self.state.enlist(id as u16, clan);
        self.state.points[clan] = self.state.points[clan].wrapping_add(self.state.settings.conversion_points);
        self.own(pos, clan);
    }

    /// What must hold between rounds, and does unless a unit had to appear on
    /// a cell that is not safe.
    pub fn check(&self) -> std::result::Result<(), Stuck> {
        let Pos { i, j } = self.state.voldemort;
        let inner = 1..SIDE - 1;
        if !inner.contains(&i) || !inner.contains(&j) {
            return Err(Stuck("Voldemort is on the edge of the board"));
        }
        if Dir8::ALL.iter().any(|dir| self.state.unit_on[self.state.voldemort + dir.step()] != State::NOBODY) {
            return Err(Stuck("a unit is next to Voldemort"));
        }
        Ok(())
    }
}

/// An order for a unit that the seat has at the beginning of the round.
#[inline]
pub(super) fn keep(units: &[Unit], seat: Seat, order: &[i32], number: u32) -> Option<Kept> {
    let action = match *order {
        [_, MOVE, dir] => Action::Walk(dir),
        [_, SPELL, len, ref answer @ ..] if usize::try_from(len) == Ok(answer.len()) => Action::Cast(number),
        _ => return None,
    };
    Some(Kept { id: unit_of(units, seat, order[0])?.id as u16, action })
}

/// The unit with this id, if the seat has it.
#[inline]
pub(super) fn unit_of(units: &[Unit], seat: Seat, id: i32) -> Option<&Unit> {
    units.get(id as u32 as usize).filter(|unit| unit.seat == seat)
}

impl crate::Engine for Engine {
    fn state(&self) -> &dyn crate::State {
        &self.state
    }

    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> std::result::Result<(), TooManyOrders> {
        self.take_in(seat, asked, accepted)
    }

    fn step(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck> {
        self.events.clear();
        self.run_orders(orders);
        self.move_voldemort();
        if self.events.books() > 0 || self.events.dead(&self.state).next().is_some() {
            let mut safe = self.safe_cells();
            self.reappear(&mut safe);
            self.count_down();
            self.renew_books(&mut safe);
        } else {
            self.count_down();
        }
        self.score();
        draw_ingredients(&mut self.generator, &mut self.state.ingredients);
        self.state.round += 1;
        self.check()
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
        digest.finish()
    }

    fn snapshot(&self) -> Box<dyn crate::Engine> {
        Box::new(self.clone())
    }
}
