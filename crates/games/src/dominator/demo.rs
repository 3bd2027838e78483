use std::collections::BTreeSet;

use super::engine::NONE;
use super::state::{Kind, State};
use super::view::View;
use crate::game::{BuiltinPlayer, typed};
use crate::{Dir8, Generator, Orders, Pos, Seat};

/// The example player: it draws most of its decisions. Its orders are part of
/// the published game, draw by draw.
pub struct Demo {
    seat: Seat,
    generator: Generator,
    /// Whether a farmer strolls in circles or staggers, by its id, once it is known.
    strolls: Vec<Option<bool>>,
    permutation: Vec<u32>,
}

impl Demo {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Demo { seat, generator: Generator::for_player(seed, seat), strolls: Vec::new(), permutation: Vec::new() }
    }

    fn move_farmers(&mut self, view: View, orders: &mut Orders) {
        self.strolls.resize(view.units() as usize, None);
        for &id in view.ids(View::ME, Kind::Farmer) {
            let generator = &mut self.generator;
            let strolls = *self.strolls[id as usize].get_or_insert_with(|| generator.random(0, 1) == 1);
            let dir = if strolls { 2 * (view.round() % 4) } else { 2 * generator.random(0, 3) };
            orders.push(&[id, dir]);
        }
    }

    /// On even rounds knights attack, on odd ones they scatter diagonally.
    fn move_knights(&mut self, view: View, orders: &mut Orders) {
        let knights = view.ids(View::ME, Kind::Knight);
        if view.round() % 2 == 1 {
            self.generator.permutation(knights.len(), &mut self.permutation);
            for (&id, &k) in knights.iter().zip(&self.permutation) {
                orders.push(&[id, 2 * (k as i32 % 4) + 1]);
            }
            return;
        }
        for &id in knights {
            let pos = view.unit(id).expect("the ids of a team are of units").pos;
            let mut prey = [0; 8];
            let mut count = 0;
            for (dir, id) in (0..).zip(view.units_around(pos)) {
                if id != State::NOBODY && is_prey(view, id) {
                    prey[count] = dir;
                    count += 1;
                }
            }
            let dir = match count {
                0 => self.generator.random(0, 7),
                _ => prey[self.generator.random(0, count as i32 - 1) as usize],
            };
            orders.push(&[id, dir]);
        }
    }

    /// Up, left, a rest and down again; late in the match, up by chance.
    fn first_witch(&mut self, view: View) -> i32 {
        match view.round() {
            ..40 => Dir8::Up as i32,
            40..80 => Dir8::Left as i32,
            80..120 => NONE,
            120..160 => Dir8::Down as i32,
            160.. => {
                let mut places = BTreeSet::new();
                while places.len() < 4 {
                    let j = self.generator.random(0, 36);
                    places.insert(Pos::new(self.generator.random(0, 36), j));
                }
                let chosen = self.generator.random(0, 3) as usize;
                let upper = places.iter().nth(chosen).is_some_and(|place| place.i < 18);
                if upper { NONE } else { Dir8::Up as i32 }
            }
        }
    }
}

impl BuiltinPlayer for Demo {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let state: &State = typed(state);
        let view = View::new(state, self.seat);
        self.move_farmers(view, orders);
        self.move_knights(view, orders);
        let mut witches = view.ids(View::ME, Kind::Witch).iter();
        if let Some(&id) = witches.next() {
            orders.push(&[id, self.first_witch(view)]);
        }
        if let Some(&id) = witches.next() {
            orders.push(&[id, second_witch(view)]);
        }
    }
}

fn is_prey(view: View, id: i32) -> bool {
    view.unit(id).is_some_and(|unit| unit.team != View::ME && unit.kind != Kind::Witch)
}

fn second_witch(view: View) -> i32 {
    let corner = view.cell(Pos::new(35, 35));
    if view.status(View::ME).fraction() > 0.8 {
        Dir8::Left as i32
    } else if view.total_score(Seat::ALL[1]) > 10_000 {
        Dir8::Down as i32
    } else if view.land(Seat::ALL[3]) > 100 {
        Dir8::Right as i32
    } else if corner.is_some_and(|cell| cell.is_wall) {
        NONE
    } else {
        Dir8::Up as i32
    }
}
