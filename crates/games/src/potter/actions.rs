//! What units do when an order of theirs is run: walk, read, fight, rescue and
//! cast.
//!
//! A unit acts for the clan it has at that moment, whoever gave the order.

#![allow(clippy::float_arithmetic)]

use super::board::{Cell, columns};
use super::engine::Engine;
use super::spell::{LAST_ROUNDS, is_solution};
use super::state::{Kind, State, Unit};
use crate::{Dir8, Pos, Seat};

impl Engine {
    /// Whether the move was done.
    pub(super) fn walk(&mut self, id: usize, dir: i32) -> bool {
        let Some(dir) = Dir8::from_number(dir) else { return false };
        let unit = &self.state.units[id];
        if unit.kind == Kind::Wizard && dir.is_diagonal() {
            return false;
        }
        let target = unit.pos + dir.step();
        let Some(cell) = self.state.cells.get(target) else { return false };
        // Voldemort comes first: he also catches who would run against a wall.
        if self.state.is_deadly(target) {
            self.kill(id);
            return true;
        }
        if cell == Cell::Wall {
            return false;
        }
        let occupant = self.state.unit_on[target];
        if occupant != State::NOBODY {
            return unit.kind == Kind::Wizard && self.meet(id, usize::from(occupant));
        }
        let seat = unit.seat;
        if self.state.books.contains(target) {
            self.state.books.remove(target);
            self.events.books_read[seat] += 1;
        }
        let unit = &mut self.state.units[id];
        self.state.unit_on[unit.pos] = State::NOBODY;
        self.state.unit_on[target] = id as u16;
        unit.pos = target;
        if cell != Cell::of(seat) {
            self.own(target, seat);
        }
        true
    }

    /// The unit leaves its cell and its clan; it keeps its position, which
    /// still attracts Voldemort.
    pub(super) fn kill(&mut self, id: usize) {
        let unit = &self.state.units[id];
        self.state.unit_on[unit.pos] = State::NOBODY;
        match unit.kind {
            Kind::Ghost => self.events.dead_ghosts[unit.seat] = true,
            Kind::Wizard => {
                let clan = unit.seat;
                self.events.dead_wizards[clan].push(id as u16);
                self.state.dismiss(id as u16, clan);
            }
        }
    }

    /// A wizard moves against the unit `other`. Nobody changes place.
    fn meet(&mut self, id: usize, other: usize) -> bool {
        let settings = &self.state.settings;
        let round = self.state.round;
        let (seat, converting) = (self.state.units[id].seat, self.state.units[id].is_converting());
        let met = &mut self.state.units[other];
        if converting {
            return false;
        }
        match (met.seat == seat, met.kind) {
            (true, _) if met.is_converting() => {
                met.rounds = 0;
                met.next = Unit::NONE;
                true
            }
            (true, _) => false,
            (false, Kind::Ghost) => {
                if met.next != Unit::NONE && round - met.next < settings.attack_pause {
                    return false;
                }
                met.rounds = met.rounds.wrapping_add(settings.attack_rest);
                met.next = round;
                true
            }
            (false, Kind::Wizard) if met.is_converting() => false,
            (false, Kind::Wizard) => {
                self.fight(id, other);
                true
            }
        }
    }

    fn fight(&mut self, attacker: usize, defender: usize) {
        let seat = |id: usize| self.state.units[id].seat;
        let strength = |id: usize| i64::from(self.state.magic_strength(seat(id)));
        let (a, b) = (strength(attacker), strength(defender));
        if a > 2 * b {
            self.convert(defender, seat(attacker));
        } else if b > 2 * a {
            self.convert(attacker, seat(defender));
        } else {
            let (winner, loser) = if self.attacker_wins(a, b) { (attacker, defender) } else { (defender, attacker) };
            let next = self.state.units[winner].seat.index() as i32;
            let loser = &mut self.state.units[loser];
            loser.rounds = self.state.settings.conversion_rounds;
            loser.next = next;
        }
    }

    /// A fight between strengths of which neither is more than double the other.
    fn attacker_wins(&mut self, a: i64, b: i64) -> bool {
        const SURPRISE: i32 = 30;
        if self.generator.random(0, 100) < SURPRISE {
            return true;
        }
        if a + b == 0 {
            return self.generator.random(0, 1) == 0;
        }
        // In this order and with these roundings: some draws lie so close to
        // the exact share that they decide.
        let share = a as f64 / (a + b) as f64 * 1000.0;
        f64::from(self.generator.random(0, 1000)) < share
    }

    /// Whether a right answer would work now.
    pub(super) fn can_cast(&self, id: usize) -> bool {
        let unit = &self.state.units[id];
        let late = self.state.settings.rounds - self.state.round <= LAST_ROUNDS;
        unit.kind == Kind::Ghost && unit.rounds == 0 && !late && !self.events.spell_cast
    }

    /// Whether the spell of a ghost that can cast was done.
    pub(super) fn cast(&mut self, id: usize, answer: &[i32]) -> bool {
        if !is_solution(&self.state.ingredients, answer) {
            return false;
        }
        self.events.spell_cast = true;
        self.state.units[id].rounds = self.state.settings.spell_rest;
        self.enchant(self.state.units[id].seat);
        true
    }

    /// The clan gets a share of the corridor, drawn among the cells without a
    /// unit that it does not own yet.
    fn enchant(&mut self, seat: Seat) {
        let mine = Cell::of(seat);
        let mut free = 0;
        let mut prizes: Vec<Pos> = Vec::new();
        for (&row, i) in self.corridor.rows.iter().zip(0..) {
            for pos in columns(row).map(|j| Pos::new(i, j)) {
                if self.state.unit_on[pos] == State::NOBODY {
                    free += 1;
                    if self.state.cells[pos] != mine {
                        prizes.push(pos);
                    }
                }
            }
        }
        let count = ((f64::from(free) * 0.15) as usize).min(prizes.len());
        // A shuffle of which only the first cells are looked at.
        for k in 0..count {
            let other = k + self.generator.below((prizes.len() - k) as u32) as usize;
            prizes.swap(k, other);
            self.own(prizes[k], seat);
        }
        self.generator.skip((prizes.len() - count) as u64);
    }
}
