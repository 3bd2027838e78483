//! Demo of Harry Potter: an example that draws its orders.

use super::board::Cell;
use super::engine::{MOVE, SPELL};
use super::state::{Kind, State};
use crate::game::{BuiltinPlayer, typed};
use crate::orders::MOST_CALLS;
use crate::{Dir8, Generator, Orders, Pos, Seat};

/// The example player: it draws most of its decisions. Its orders are part of
/// the published game, draw by draw.
///
/// By an accident of the original it decides for all its wizards as many times
/// as it has wizards. Only the first order for a unit counts, so the later
/// times matter for their draws, and for the number of calls, too many of
/// which freeze a player. Orders that cannot count are not given here, and
/// decisions that can neither count nor freeze are not made.
pub struct Demo {
    seat: Seat,
    generator: Generator,
    wizards: Vec<Wizard>,
}

struct Wizard {
    id: i32,
    pos: Pos,
    has_order: bool,
}

const FOUR: [Dir8; 4] = [Dir8::Up, Dir8::Down, Dir8::Left, Dir8::Right];

/// Right for very few puzzles.
const ANSWER: [i32; 15] = [0, 2, 4, 1, 3, 2, 0, 1, 4, 1, 4, 0, 3, 3, 2];

impl Demo {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Demo { seat, generator: Generator::for_player(seed, seat), wizards: Vec::new() }
    }

    fn wander(&mut self, state: &State, calls: &mut Calls) {
        let times = self.wizards.len();
        for time in 0..times {
            if calls.are_few && calls.orders.len() == times {
                return self.generator.skip(((times - time) * times) as u64);
            }
            for wizard in &mut self.wizards {
                let dir = FOUR[self.generator.below(4) as usize];
                if calls.matter_for(wizard) && is_open(state, wizard.pos + dir.step()) {
                    calls.order(wizard, dir);
                }
            }
        }
    }

    fn drift_or_attack(&mut self, state: &State, calls: &mut Calls) {
        let times = self.wizards.len();
        let (mut drifted, mut attacked) = (false, false);
        for time in 0..times {
            if calls.are_few && drifted && attacked {
                return self.generator.skip((times - time) as u64);
            }
            if self.generator.below(4) <= 1 {
                if !drifted || !calls.are_few {
                    self.drift(state, calls);
                }
                drifted = true;
            } else {
                if !attacked || !calls.are_few {
                    self.attack(state, calls);
                }
                attacked = true;
            }
        }
    }

    fn drift(&mut self, state: &State, calls: &mut Calls) {
        for wizard in &mut self.wizards {
            if calls.matter_for(wizard) && is_open(state, wizard.pos + Dir8::Left.step()) {
                calls.order(wizard, Dir8::Left);
            }
        }
    }

    fn attack(&mut self, state: &State, calls: &mut Calls) {
        let is_enemy =
            |pos: Pos| state.unit_at(pos).is_some_and(|unit| unit.seat != self.seat && unit.kind == Kind::Wizard);
        for wizard in &mut self.wizards {
            if calls.matter_for(wizard)
                && let Some(dir) = FOUR.into_iter().find(|dir| is_enemy(wizard.pos + dir.step()))
            {
                calls.order(wizard, dir);
            }
        }
    }
}

struct Calls<'a> {
    orders: &'a mut Orders,
    count: usize,
    /// There are so few wizards that the calls cannot become too many.
    are_few: bool,
}

impl Calls<'_> {
    fn matter_for(&self, wizard: &Wizard) -> bool {
        !(wizard.has_order && self.are_few)
    }

    fn order(&mut self, wizard: &mut Wizard, dir: Dir8) {
        self.count += 1;
        if !std::mem::replace(&mut wizard.has_order, true) {
            self.orders.push(&[wizard.id, MOVE, dir as i32]);
        }
    }
}

impl BuiltinPlayer for Demo {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        if state.status[self.seat].fraction() >= 0.9 {
            return;
        }
        self.wizards.clear();
        let wizards = state.wizards(self.seat);
        self.wizards.extend(wizards.map(|unit| Wizard { id: unit.id, pos: unit.pos, has_order: false }));
        let are_few = self.wizards.len() * self.wizards.len() < MOST_CALLS;
        let mut calls = Calls { orders, count: 0, are_few };
        if state.round % 2 == 0 {
            self.wander(state, &mut calls);
        } else {
            self.drift_or_attack(state, &mut calls);
        }
        let too_many = calls.count + 1 > MOST_CALLS;
        let mut spell = [0; 3 + ANSWER.len()];
        spell[..3].copy_from_slice(&[i32::from(state.ghosts[self.seat]), SPELL, ANSWER.len() as i32]);
        spell[3..].copy_from_slice(&ANSWER);
        orders.push(&spell);
        while too_many && orders.len() <= MOST_CALLS {
            orders.push(&spell);
        }
    }
}

fn is_open(state: &State, pos: Pos) -> bool {
    !matches!(state.cells.get(pos), None | Some(Cell::Wall))
}
