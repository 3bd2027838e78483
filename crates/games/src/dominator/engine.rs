//! A round of Dominator: orders in a shuffled order, then healing, rebirth
//! and scores. Witches and births have files of their own.

use std::sync::Arc;

use super::birth::Places;
use super::board::Cell;
use super::settings::Settings;
use super::state::{Kind, State, is_witch};
use crate::game::Stuck;
use crate::orders::{self, TooManyOrders};
use crate::tokens::Result;
use crate::{Digest, Dir8, Generator, Grid, Orders, PerSeat, Pos, Seat, Status};

/// The number of the order to stay, beyond the eight directions.
pub const NONE: i32 = 8;

#[derive(Clone)]
pub struct Engine {
    pub(super) state: State,
    pub(super) generator: Generator,
    /// Why nobody can be born on a cell, as bits of one byte: [`WALL`],
    /// [`BORDER`], [`OCCUPIED`] and [`HAUNTED`]. It repeats what the state says,
    /// so that a move looks at one byte and free cells are counted quickly.
    pub(super) taken: Grid<u8>,
    /// Whether some witch has been on no cell since her last move. Only then
    /// may her neighbours be out of date far from where a witch moves.
    pub(super) stray_witch: bool,
    /// How far from a cell the next ones are in a grid, by direction.
    strides: [i32; 8],
    /// What happened to each unit in this round: [`ORDERED`] and [`CAPTURED`].
    pub(super) marks: Vec<u8>,
    /// Ids of the units captured in this round.
    pub(super) captured: Vec<i32>,
    done: Orders,
    pub(super) scratch: Scratch,
}

pub(super) const WALL: u8 = 1;
/// A cell on the edge of the board, where nobody is ever born.
pub(super) const BORDER: u8 = 2;
pub(super) const OCCUPIED: u8 = 4;
pub(super) const HAUNTED: u8 = 8;

/// The steps of [`Dir8`], by number.
const STEPS: [(i32, i32); 8] = {
    let mut steps = [(0, 0); 8];
    let mut k = 0;
    while k < 8 {
        steps[k] = Dir8::ALL[k].step();
        k += 1;
    }
    steps
};

const ORDERED: u8 = 1;
const CAPTURED: u8 = 2;

/// Lists that live for a round, kept for their room.
#[derive(Clone)]
pub(super) struct Scratch {
    given: Vec<[i32; 2]>,
    selected: Vec<[i32; 2]>,
    pub permutation: Vec<u32>,
    pub birthplaces: Places,
    /// Cells near a witch or a rival: those marked with the last number.
    pub exposed: Grid<u8>,
    pub exposure: u8,
    /// Ids of witches near one that moves.
    pub near: Vec<i32>,
    /// Offsets of cells on which a spell kills.
    pub victims: Vec<u32>,
}

impl Engine {
    /// Places the four armies. An error is a board on which they do not fit.
    pub fn new(settings: &Arc<Settings>, cells: Grid<Cell>, generator: Generator) -> Result<Engine> {
        let side = settings.side;
        let mut taken = Grid::new(side, side, 0);
        for pos in cells.positions() {
            let on_border = pos.i == 0 || pos.j == 0 || pos.i == side - 1 || pos.j == side - 1;
            taken[pos] = if on_border { BORDER } else { 0 } | if cells[pos].is_wall() { WALL } else { 0 };
        }
        let mut engine = Engine {
            state: State::new(settings, cells),
            generator,
            taken,
            stray_witch: false,
            strides: STEPS.map(|(di, dj)| di * side + dj),
            marks: Vec::new(),
            captured: Vec::new(),
            done: Orders::new(),
            scratch: Scratch {
                given: Vec::new(),
                selected: Vec::new(),
                permutation: Vec::new(),
                birthplaces: Places::default(),
                exposed: Grid::new(side, side, 0),
                exposure: 0,
                near: Vec::new(),
                victims: Vec::new(),
            },
        };
        for team in Seat::ALL {
            engine.settle(team)?;
        }
        engine.marks = vec![0; engine.state.units.len()];
        engine.score();
        Ok(engine)
    }

    /// Runs the orders of all seats, shuffled together.
    fn run_orders(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck> {
        self.done.clear();
        self.scratch.selected.clear();
        self.marks.fill(0);
        self.captured.clear();
        for (seat, orders) in Seat::ALL.into_iter().zip(orders) {
            self.select(seat, orders);
        }
        let mut selected = std::mem::take(&mut self.scratch.selected);
        self.generator.shuffle(&mut selected);
        let mut done = 0;
        for k in 0..selected.len() {
            if self.run(selected[k])? {
                selected[done] = selected[k];
                done += 1;
            }
        }
        self.done.append(selected[..done].iter().copied());
        self.scratch.selected = selected;
        Ok(())
    }

    /// Adds the orders that make sense, turned from the player's frame to the real one.
    fn select(&mut self, seat: Seat, orders: &Orders) {
        let Scratch { given, selected, .. } = &mut self.scratch;
        let units = &self.state.units[..];
        let marks = &mut self.marks[..units.len()];
        given.extend_from_slice(&orders.filter_length());
        given.retain_mut(|[id, dir]| {
            let Some(unit) = units.get(*id as u32 as usize) else { return false };
            let is_diagonal = *dir % 2 != 0;
            if unit.team != seat || !(0..8).contains(dir) || (is_diagonal && unit.kind != Kind::Knight) {
                return false;
            }
            *dir = (*dir + 2 * seat.index() as i32) & 7;
            std::mem::replace(&mut marks[*id as u32 as usize], ORDERED) == 0
        });
        selected.append(given);
    }

    /// Whether the order was done.
    #[inline]
    fn run(&mut self, [id, dir]: [i32; 2]) -> std::result::Result<bool, Stuck> {
        // Borrowed once: each look through `self` would load them again.
        let (units, unit_on) = (&mut self.state.units[..], self.state.unit_on.cells_mut());
        let (cols, taken) = (self.taken.cols(), self.taken.cells_mut());
        let unit = &units[id as usize];
        let from = unit.pos.i * cols + unit.pos.j;
        let (from, to) = (from as usize, (from + self.strides[dir as usize % 8]) as usize);
        if taken[from] & (WALL | BORDER) != 0 {
            if taken[from] & WALL != 0 {
                return Err(Stuck("a unit without a cell tries to move out of a wall"));
            }
            if !self.state.cells.contains(unit.pos + STEPS[dir as usize % 8]) {
                return Ok(false);
            }
        }
        let ahead = taken[to];
        if ahead & (WALL | OCCUPIED) != 0 {
            return if ahead & WALL != 0 { Ok(false) } else { self.bump(id, self.state.unit_on.cells()[to]) };
        }
        if unit.kind == Kind::Witch {
            let target = unit.pos + STEPS[dir as usize % 8];
            self.walk_witch(id, target)?;
            return Ok(true);
        }
        if unit_on[from] != id {
            if self.marks[id as usize] & CAPTURED != 0 {
                return Ok(false);
            }
            self.stray_witch |= is_witch(units, unit_on[from]);
        }
        unit_on[from] = State::NOBODY;
        taken[from] &= !OCCUPIED;
        unit_on[to] = id;
        taken[to] |= OCCUPIED;
        let unit = &mut units[id as usize];
        unit.pos = unit.pos + STEPS[dir as usize % 8];
        if ahead & HAUNTED != 0 {
            self.spell(id)?;
            return Ok(false);
        }
        if unit.kind == Kind::Farmer {
            let team = unit.team;
            self.paint(to, team);
        }
        Ok(true)
    }

    /// A unit orders to go where another one is: an attack, if it can be one.
    #[inline(never)]
    fn bump(&mut self, id: i32, other: i32) -> std::result::Result<bool, Stuck> {
        if self.marks[id as usize] & CAPTURED != 0 {
            return Ok(false);
        }
        let (unit, target) = (&self.state.units[id as usize], &self.state.units[other as usize]);
        let team = unit.team;
        // An active witch kills everybody around her, so only units that were
        // on no cell when she did can be found beside her.
        let beside_active = match (unit.kind, target.kind) {
            (Kind::Witch, Kind::Witch) => false,
            (Kind::Witch, _) => unit.active,
            (_, Kind::Witch) => target.active,
            _ => false,
        };
        if beside_active {
            return Err(Stuck("a unit is alive beside an active witch"));
        }
        if unit.kind != Kind::Knight || target.kind == Kind::Witch || target.team == team {
            return Ok(false);
        }
        let settings = &self.state.settings;
        let damage = self.generator.random(settings.damage_min, settings.damage_max);
        let target = &mut self.state.units[other as usize];
        // Health may be as large as a 32-bit number; beyond that it wraps around.
        target.health = target.health.wrapping_sub(damage);
        if target.health <= 0 {
            self.capture(other, team);
        }
        Ok(true)
    }

    /// Frees a cell.
    #[inline]
    pub(super) fn leave(&mut self, offset: usize) {
        self.state.unit_on.cells_mut()[offset] = State::NOBODY;
        self.taken.cells_mut()[offset] &= !OCCUPIED;
    }

    #[inline]
    pub(super) fn enter(&mut self, id: i32, pos: Pos, offset: usize) {
        self.state.units[id as usize].pos = pos;
        self.state.unit_on.cells_mut()[offset] = id;
        self.taken.cells_mut()[offset] |= OCCUPIED;
    }

    #[inline]
    pub(super) fn paint(&mut self, offset: usize, team: Seat) {
        let cell = &mut self.state.cells.cells_mut()[offset];
        let colour = Cell::owned_by(team);
        if *cell != colour {
            if let Some(owner) = cell.owner() {
                self.state.land[owner] -= 1;
            }
            self.state.land[team] += 1;
            *cell = colour;
        }
    }

    /// The unit leaves the board until the end of the round, and its team for ever.
    #[inline(never)]
    pub(super) fn capture(&mut self, id: i32, team: Seat) {
        self.state.transfer(id, team);
        let unit = &mut self.state.units[id as usize];
        unit.health = self.state.settings.health(unit.kind);
        let offset = self.taken.offset(unit.pos);
        self.leave(offset);
        self.marks[id as usize] |= CAPTURED;
        self.captured.push(id);
    }

    /// Units without an order that was accepted get better, whatever was done to them.
    #[inline(never)]
    fn heal(&mut self) {
        // Nearly always everybody had one.
        if self.scratch.selected.len() == self.state.units.len() {
            return;
        }
        let settings = &self.state.settings;
        for (unit, _) in self.state.units.iter_mut().zip(&self.marks).filter(|(_, mark)| **mark == 0) {
            let regen = match unit.kind {
                Kind::Farmer => settings.farmer_regen,
                Kind::Knight => settings.knight_regen,
                Kind::Witch => continue,
            };
            // Health may be as large as a 32-bit number; beyond that it wraps around.
            unit.health = unit.health.wrapping_add(regen).min(settings.health(unit.kind));
        }
    }

    fn score(&mut self) {
        for (score, land) in self.state.scores.iter_mut().zip(self.state.land) {
            *score = score.wrapping_add(land);
        }
    }
}

impl crate::Engine for Engine {
    fn state(&self) -> &dyn crate::State {
        &self.state
    }

    fn accept(&self, seat: Seat, asked: &Orders, accepted: &mut Orders) -> std::result::Result<(), TooManyOrders> {
        accepted.clear();
        orders::check_calls(asked)?;
        if asked.of_length().is_some_and(|orders| follow(&self.state.rosters[seat], orders)) {
            accepted.clone_from(asked);
            return Ok(());
        }
        let units = &self.state.units[..];
        let is_own = |id: i32| units.get(id as u32 as usize).is_some_and(|unit| unit.team == seat);
        orders::accept::<2>(asked, accepted, NONE, is_own)
    }

    fn step(&mut self, orders: &PerSeat<Orders>) -> std::result::Result<(), Stuck> {
        self.state.round += 1;
        self.run_orders(orders)?;
        self.heal();
        self.rebirth()?;
        self.score();
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
        digest.finish()
    }

    fn snapshot(&self) -> Box<dyn crate::Engine> {
        Box::new(self.clone())
    }
}

/// Whether orders are for everybody of one kind, then of another, as most
/// players give them: that spares looking at each unit.
fn follow(rosters: &[Vec<i32>; 3], mut orders: &[[i32; 2]]) -> bool {
    let mut left = rosters.each_ref().map(|roster| &roster[..]);
    while let Some(&[first, _]) = orders.first() {
        let Some(roster) = left.iter_mut().find(|roster| roster.first() == Some(&first)) else { return false };
        let roster = std::mem::take(roster);
        let Some((run, rest)) = orders.split_at_checked(roster.len()) else { return false };
        if !run.iter().zip(roster).all(|(&[id, dir], own)| id == *own && orders::is_value(dir, NONE)) {
            return false;
        }
        orders = rest;
    }
    true
}
