//! The Dummy: a simple strategy, which opens the door to a season to whoever beats it.

use super::board::Cell;
use super::engine::{MOVE, SPELL};
use super::spell::{LAST_ROUNDS, solve};
use super::state::{State, Unit};
use crate::game::{BuiltinPlayer, typed};
use crate::orders::MOST_CALLS;
use crate::search::{Ground, nearest};
use crate::{Dir8, Generator, Orders, Pos, Seat};

/// The player to beat. Its wizards run from Voldemort, walk to the nearest
/// rival or book, and two times in five take a step anywhere; its ghost keeps
/// away from rivals and tries one spell.
///
/// It does not ask who is stronger, whether a rival is already being converted,
/// or who is in the way.
pub struct Dummy {
    seat: Seat,
    generator: Generator,
    has_cast: bool,
}

const STRAIGHT: [Dir8; 4] = [Dir8::Down, Dir8::Right, Dir8::Up, Dir8::Left];

/// How many steps a wizard looks around, and a ghost.
const SIGHT: i32 = 60;
const CAUTION: i32 = 12;

/// Whoever is this close to Voldemort, in rows and columns, runs.
const FEAR: i32 = 3;

impl Dummy {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Dummy { seat, generator: Generator::for_player(seed, seat), has_cast: false }
    }

    /// Two steps in five go anywhere; the others away from Voldemort, if he is
    /// near, or to the nearest rival or book.
    fn order_wizard(&mut self, state: &State, wizard: &Unit, orders: &mut Orders) {
        let mut dirs = STRAIGHT;
        self.generator.shuffle(&mut dirs);
        let open = dirs.iter().copied().filter(|dir| is_open(state, wizard.pos + dir.step()));
        let Some(any) = open.clone().next() else { return };
        let dir = if self.generator.below(5) < 2 {
            any
        } else if gap(wizard.pos, state.voldemort) <= FEAR {
            open.max_by_key(|dir| gap(wizard.pos + dir.step(), state.voldemort)).unwrap_or(any)
        } else {
            let is_goal = |pos: Pos| state.books.contains(pos) || self.is_rival(state, pos);
            let way = nearest(wizard.pos, &dirs, Dir8::step, SIGHT, |pos| ground(state, pos, is_goal));
            way.map_or(any, |(dir, _)| dir)
        };
        orders.push(&[wizard.id, MOVE, dir as i32]);
    }

    /// The ghost goes where the nearest rival is farthest.
    fn order_ghost(&mut self, state: &State, ghost: &Unit, orders: &mut Orders) {
        let free = |dir: &Dir8| {
            let pos = ghost.pos + dir.step();
            is_open(state, pos) && state.unit_at(pos).is_none()
        };
        let mut dirs: Vec<Dir8> = Dir8::ALL.into_iter().filter(free).collect();
        self.generator.shuffle(&mut dirs);
        let safety = |dir: &Dir8| {
            let is_rival = |pos: Pos| self.is_rival(state, pos);
            let from = ghost.pos + dir.step();
            let way = nearest(from, &Dir8::ALL, Dir8::step, CAUTION, |pos| ground(state, pos, is_rival));
            way.map_or(CAUTION + 1, |(_, length)| length)
        };
        if let Some(dir) = dirs.into_iter().max_by_key(safety) {
            orders.push(&[ghost.id, MOVE, dir as i32]);
        }
    }

    fn is_rival(&self, state: &State, pos: Pos) -> bool {
        state.unit_at(pos).is_some_and(|unit| unit.seat != self.seat)
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        let ghost = state.ghost(self.seat);
        let can_cast = !self.has_cast && ghost.rounds == 0 && state.settings.rounds - state.round > LAST_ROUNDS;
        match can_cast.then(|| solve(&state.ingredients)).flatten() {
            Some(answer) => {
                self.has_cast = true;
                orders.push(&[&[ghost.id, SPELL, answer.len() as i32], &answer[..]].concat());
            }
            None => self.order_ghost(state, ghost, orders),
        }
        // One call is the ghost's; a clan larger than that lets the rest stand.
        state.wizards(self.seat).take(MOST_CALLS - 1).for_each(|wizard| self.order_wizard(state, wizard, orders));
    }
}

fn is_open(state: &State, pos: Pos) -> bool {
    !matches!(state.cells.get(pos), None | Some(Cell::Wall))
}

fn ground(state: &State, pos: Pos, is_goal: impl Fn(Pos) -> bool) -> Ground {
    match is_open(state, pos) {
        false => Ground::Closed,
        true if is_goal(pos) => Ground::Goal,
        true => Ground::Open,
    }
}

/// Rows or columns between two cells, whichever are more.
fn gap(a: Pos, b: Pos) -> i32 {
    (a.i - b.i).abs().max((a.j - b.j).abs())
}
