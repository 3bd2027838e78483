//! Veteran of Harry Potter: who has beaten the Dummy practises with it.

use super::board::{Cell, CellSet, FULL_ROW, is_on_board};
use super::engine::{MOVE, SPELL};
use super::spell::{LAST_ROUNDS, solve};
use super::state::{Kind, State, Unit};
use crate::game::{BuiltinPlayer, typed};
use crate::orders::MOST_CALLS;
use crate::{Dir8, Orders, Pos, Seat};

/// The sparring partner for whoever has beaten `Dummy`. Its wizards keep out of Voldemort's reach, attack and
/// rescue whoever is near, read books, and otherwise walk to the nearest cell
/// that is not theirs. Its ghost casts whenever it can.
///
/// It thinks in sets of cells. From the cells where it wants to go it spreads
/// outwards, ring by ring, and each unit steps into the innermost ring that it
/// touches.
pub struct Veteran {
    seat: Seat,
    /// Walls never move, so the corridor is found only once.
    corridor: Option<CellSet>,
}

/// How far a wizard goes for a fight, a mate or a book.
const ERRAND: usize = 12;

/// How far a unit looks for new ground.
const WALK: usize = 40;

impl Veteran {
    pub fn new(seat: Seat) -> Self {
        Veteran { seat, corridor: None }
    }
}

impl BuiltinPlayer for Veteran {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        let corridor = self.corridor.get_or_insert_with(|| CellSet::corridor(&state.cells));
        let mut plan = Plan::new(state, self.seat, corridor);
        let ghost = state.ghost(self.seat);
        let can_cast = ghost.rounds == 0 && state.settings.rounds - state.round > LAST_ROUNDS;
        match can_cast.then(|| solve(&state.ingredients)).flatten() {
            Some(answer) => orders.push(&[&[ghost.id, SPELL, answer.len() as i32], &answer[..]].concat()),
            None => plan.send(ghost, orders),
        }
        // One call is the ghost's; a clan larger than that lets the rest stand.
        state.wizards(self.seat).take(MOST_CALLS - 1).for_each(|wizard| plan.send(wizard, orders));
    }
}

struct Plan<'a> {
    state: &'a State,
    /// Cells that a unit may step on in this round.
    open: CellSet,
    /// Cells that Voldemort may strike in this round.
    reach: CellSet,
    /// Rings around enemies to fight, mates to rescue and books.
    errands: Vec<CellSet>,
    /// Rings around the cells that are not ours.
    ground: Vec<CellSet>,
}

impl<'a> Plan<'a> {
    fn new(state: &'a State, seat: Seat, corridor: &CellSet) -> Self {
        let mut open = corridor.clone();
        let reach = within_reach(state.voldemort);
        open.remove_all(&reach);
        state.units.iter().for_each(|unit| open.remove(unit.pos));

        let mut errands = state.books.clone();
        for unit in state.units.iter().filter(|unit| unit.kind == Kind::Wizard) {
            let mate_in_need = unit.seat == seat && unit.is_converting();
            let prey = unit.seat != seat && !unit.is_converting() && is_beatable(state, seat, unit.seat);
            if mate_in_need || prey {
                errands.insert(unit.pos);
            }
        }
        errands.remove_all(&reach);
        let mut ground = foreign_ground(state, seat);
        ground.keep_only(&open);
        Plan { state, errands: rings(errands, &open, ERRAND), ground: rings(ground, &open, WALK), open, reach }
    }

    /// Gives the unit its order, if there is anything to do for it.
    fn send(&mut self, unit: &Unit, orders: &mut Orders) {
        let can_fight = unit.kind == Kind::Wizard && !unit.is_converting() && !self.reach.contains(unit.pos);
        let step = can_fight
            .then(|| self.step_inwards(unit, &self.errands))
            .flatten()
            .or_else(|| self.step_inwards(unit, &self.ground))
            .or_else(|| self.step_inwards(unit, std::slice::from_ref(&self.open)));
        if let Some(dir) = step {
            orders.push(&[unit.id, MOVE, dir as i32]);
            // Nobody else should run for the same cell.
            self.open.remove(unit.pos + dir.step());
        }
    }

    /// The step into the innermost of the rings around the unit.
    fn step_inwards(&self, unit: &Unit, rings: &[CellSet]) -> Option<Dir8> {
        let fights = unit.kind == Kind::Wizard;
        let steps = Dir8::ALL.into_iter().filter(|dir| !(fights && dir.is_diagonal()));
        rings.iter().find_map(|ring| {
            steps.clone().find(|dir| {
                let pos = unit.pos + dir.step();
                ring.holds(pos) && (self.open.contains(pos) || fights && self.state.unit_at(pos).is_some())
            })
        })
    }
}

/// The cells that Voldemort strikes if he steps the right way.
fn within_reach(voldemort: Pos) -> CellSet {
    let mut cells = CellSet::EMPTY;
    for i in voldemort.i - 2..=voldemort.i + 2 {
        for j in voldemort.j - 2..=voldemort.j + 2 {
            if is_on_board(Pos::new(i, j)) {
                cells.insert(Pos::new(i, j));
            }
        }
    }
    cells
}

/// Whoever attacks wins more often than not, unless the other is more than
/// twice as strong: then the attacker changes clan at once.
fn is_beatable(state: &State, seat: Seat, other: Seat) -> bool {
    state.magic_strength(other) <= state.magic_strength(seat).saturating_mul(2)
}

/// The corridor that is not the clan's.
fn foreign_ground(state: &State, seat: Seat) -> CellSet {
    let mut ground = CellSet::EMPTY;
    for (row, cells) in ground.rows.iter_mut().zip(state.cells.rows()) {
        for (j, &cell) in cells.iter().enumerate() {
            *row |= u64::from(cell != Cell::of(seat)) << j;
        }
    }
    ground
}

/// The goals, and then the open cells one step, two steps and so on from them.
fn rings(goals: CellSet, open: &CellSet, most: usize) -> Vec<CellSet> {
    let mut new = open.clone();
    new.remove_all(&goals);
    let mut rings = vec![goals];
    while rings.len() <= most {
        let last = &rings[rings.len() - 1].rows;
        let mut ring = CellSet::EMPTY;
        for i in 0..last.len() {
            let above = if i > 0 { last[i - 1] } else { 0 };
            let below = last.get(i + 1).copied().unwrap_or(0);
            ring.rows[i] = (above | below | last[i] << 1 | last[i] >> 1) & new.rows[i] & FULL_ROW;
        }
        if ring.is_empty() {
            break;
        }
        new.remove_all(&ring);
        rings.push(ring);
    }
    rings
}
