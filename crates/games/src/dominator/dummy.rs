//! The Dummy: a simple strategy, which opens the door to a season to whoever beats it.

use super::state::{Kind, State};
use super::view::View;
use crate::game::{BuiltinPlayer, typed};
use crate::search::{Ground, nearest};
use crate::{Dir8, Generator, Orders, Pos, Seat};

/// The player to beat. Farmers walk to the nearest ground that is not theirs,
/// knights and witches to the nearest rival; whoever sees nothing to do takes
/// a step anywhere.
///
/// Only farmers keep out of haunted cells, and nobody thinks of where the
/// others will be at the end of the round.
pub struct Dummy {
    seat: Seat,
    generator: Generator,
}

/// How many steps farmers, and knights and witches, look around.
const FIELD: i32 = 37;
const HUNT: i32 = 18;

impl Dummy {
    pub fn new(seed: i32, seat: Seat) -> Self {
        Dummy { seat, generator: Generator::for_player(seed, seat) }
    }

    /// A step to the nearest goal, or else in any direction.
    fn send(&mut self, view: &View, id: i32, reach: i32, ground: impl Fn(Pos) -> Ground, orders: &mut Orders) {
        let unit = view.unit(id).expect("the ids of a team are of units");
        let mut dirs: Vec<Dir8> = match unit.kind {
            Kind::Knight => Dir8::ALL.to_vec(),
            Kind::Farmer | Kind::Witch => Dir8::ALL.into_iter().filter(|dir| !dir.is_diagonal()).collect(),
        };
        self.generator.shuffle(&mut dirs);
        let dir = nearest(unit.pos, &dirs, Dir8::step, reach, ground).map_or(dirs[0], |(dir, _)| dir);
        orders.push(&[id, dir as i32]);
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let view = View::new(typed::<State>(state), self.seat);
        let to_paint = |pos: Pos| match view.cell(pos) {
            Some(cell) if !cell.is_wall && !cell.haunted && cell.unit == State::NOBODY => {
                if cell.owner == Some(View::ME) { Ground::Open } else { Ground::Goal }
            }
            _ => Ground::Closed,
        };
        let rivals = |pos: Pos| match view.cell(pos) {
            Some(cell) if !cell.is_wall && cell.unit == State::NOBODY => Ground::Open,
            Some(cell) => match view.unit(cell.unit) {
                Some(unit) if unit.team != View::ME && unit.kind != Kind::Witch => Ground::Goal,
                _ => Ground::Closed,
            },
            None => Ground::Closed,
        };
        for &farmer in view.ids(View::ME, Kind::Farmer) {
            self.send(&view, farmer, FIELD, to_paint, orders);
        }
        for kind in [Kind::Knight, Kind::Witch] {
            for &hunter in view.ids(View::ME, kind) {
                self.send(&view, hunter, HUNT, rivals, orders);
            }
        }
    }
}
