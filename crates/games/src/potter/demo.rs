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
/// rounds of decisions matter for their draws, and for the number of calls
/// that freezes a player. Orders that cannot count are not given here, only
/// counted.
pub struct Demo {
    seat: Seat,
    generator: Generator,
    wizards: Vec<(i32, Pos)>,
    /// Whether each of the wizards has got its order.
    ordered: Vec<bool>,
}

const FOUR: [Dir8; 4] = [Dir8::Up, Dir8::Down, Dir8::Left, Dir8::Right];

/// Right for very few puzzles.
const ANSWER: [i32; 15] = [0, 2, 4, 1, 3, 2, 0, 1, 4, 1, 4, 0, 3, 3, 2];

impl Demo {
    pub fn new(seed: i32, seat: Seat) -> Self {
        let generator = Generator::for_player(seed, seat);
        Demo { seat, generator, wizards: Vec::new(), ordered: Vec::new() }
    }

    fn wander(&mut self, state: &State, calls: &mut Calls) {
        let repetitions = self.wizards.len();
        for done in 0..repetitions {
            if calls.can_be_ignored && !self.ordered.contains(&false) {
                return self.generator.skip(((repetitions - done) * repetitions) as u64);
            }
            for k in 0..repetitions {
                let dir = FOUR[self.generator.below(4) as usize];
                if is_open(state, self.wizards[k].1, dir) {
                    self.order(k, dir, calls);
                }
            }
        }
    }

    fn drift_and_attack(&mut self, state: &State, calls: &mut Calls) {
        let repetitions = self.wizards.len();
        let (mut drifted, mut attacked) = (false, false);
        for done in 0..repetitions {
            if calls.can_be_ignored && drifted && attacked {
                return self.generator.skip((repetitions - done) as u64);
            }
            if self.generator.below(4) <= 1 {
                drifted = true;
                for k in 0..repetitions {
                    if is_open(state, self.wizards[k].1, Dir8::Left) {
                        self.order(k, Dir8::Left, calls);
                    }
                }
            } else {
                attacked = true;
                for k in 0..repetitions {
                    let from = self.wizards[k].1;
                    if let Some(dir) = FOUR.into_iter().find(|dir| self.is_enemy(state, from + dir.step())) {
                        self.order(k, dir, calls);
                    }
                }
            }
        }
    }

    fn is_enemy(&self, state: &State, pos: Pos) -> bool {
        state.unit_at(pos).is_some_and(|unit| unit.seat != self.seat && unit.kind == Kind::Wizard)
    }

    #[inline]
    fn order(&mut self, k: usize, dir: Dir8, calls: &mut Calls) {
        calls.count += 1;
        if !std::mem::replace(&mut self.ordered[k], true) {
            calls.orders.push(&[self.wizards[k].0, MOVE, dir as i32]);
        }
    }
}

struct Calls<'a> {
    orders: &'a mut Orders,
    count: usize,
    /// There are so few wizards that the calls cannot become too many.
    can_be_ignored: bool,
}

impl BuiltinPlayer for Demo {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        if state.status[self.seat].fraction() >= 0.9 {
            return;
        }
        self.wizards.clear();
        self.wizards.extend(state.wizards(self.seat).map(|wizard| (wizard.id, wizard.pos)));
        self.ordered.clear();
        self.ordered.resize(self.wizards.len(), false);
        let can_be_ignored = self.wizards.len() * self.wizards.len() < MOST_CALLS;
        let mut calls = Calls { orders, count: 0, can_be_ignored };
        if state.round % 2 == 0 {
            self.wander(state, &mut calls);
        } else {
            self.drift_and_attack(state, &mut calls);
        }
        let mut spell = [0; 3 + ANSWER.len()];
        spell[..3].copy_from_slice(&[i32::from(state.ghosts[self.seat]), SPELL, ANSWER.len() as i32]);
        spell[3..].copy_from_slice(&ANSWER);
        let too_many = calls.count + 1 > MOST_CALLS;
        orders.push(&spell);
        while too_many && orders.len() <= MOST_CALLS {
            orders.push(&spell);
        }
    }
}

fn is_open(state: &State, pos: Pos, dir: Dir8) -> bool {
    !matches!(state.cells.get(pos + dir.step()), None | Some(Cell::Wall))
}
