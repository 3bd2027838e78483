//! Demo of Dominator: an example that draws its orders.

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
        let onward = 2 * (view.round() % 4);
        let generator = &mut self.generator;
        orders.append(view.ids(View::ME, Kind::Farmer).iter().map(|&id| {
            let strolls = *self.strolls[id as usize].get_or_insert_with(|| generator.below(2) == 1);
            [id, if strolls { onward } else { 2 * generator.below(4) as i32 }]
        }));
    }

    /// On even rounds knights attack, on odd ones they scatter diagonally.
    fn move_knights(&mut self, view: View, orders: &mut Orders) {
        let knights = view.ids(View::ME, Kind::Knight);
        if view.round() % 2 == 1 {
            self.generator.permutation(knights.len(), &mut self.permutation);
            let dirs = self.permutation.iter().map(|k| 2 * (k % 4) + 1);
            orders.append(knights.iter().zip(dirs).map(|(&id, dir)| [id, dir as i32]));
        } else {
            orders.append(knights.iter().map(|&id| [id, attack(&view, id, &mut self.generator)]));
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
                // Four different places, in order.
                let mut places = [Pos::new(-1, -1); 4];
                let mut count = 0;
                while count < 4 {
                    let j = self.generator.below(37) as i32;
                    let place = Pos::new(self.generator.below(37) as i32, j);
                    if !places.contains(&place) {
                        places[count] = place;
                        count += 1;
                    }
                }
                places.sort_unstable();
                let chosen = places[self.generator.below(4) as usize];
                if chosen.i < 18 { NONE } else { Dir8::Up as i32 }
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

/// Where a knight finds prey beside it, or else anywhere.
fn attack(view: &View, knight: i32, generator: &mut Generator) -> i32 {
    let mut prey = [0; 8];
    let mut count = 0;
    view.for_each_prey(knight, |dir, _| {
        prey[count] = dir;
        count += 1;
    });
    match count {
        0 => generator.below(8) as i32,
        _ => prey[generator.below(count as u32) as usize],
    }
}

fn second_witch(view: View) -> i32 {
    if view.status(View::ME).fraction() > 0.8 {
        Dir8::Left as i32
    } else if view.total_score(Seat::ALL[1]) > 10_000 {
        Dir8::Down as i32
    } else if view.land(Seat::ALL[3]) > 100 {
        Dir8::Right as i32
    } else if view.cell(Pos::new(35, 35)).is_some_and(|cell| cell.is_wall) {
        NONE
    } else {
        Dir8::Up as i32
    }
}
