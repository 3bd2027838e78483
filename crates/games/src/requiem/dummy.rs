//! The Dummy: a simple strategy, which opens the door to a season to whoever beats it.

use super::board::{Colour, STAY, STEPS};
use super::state::{Model, State};
use super::view::{RobotSeen, View};
use crate::game::{BuiltinPlayer, typed};
use crate::search::{Ground, nearest};
use crate::{Grid, Orders, Seat};

/// The player to beat. Its farmers walk to the nearest bare square in sight
/// and rest when there is none; its knights strike the knights of rivals that
/// stand beside them, and otherwise rest.
///
/// Nobody of it flees or hunts, and what a rival has painted stays painted.
pub struct Dummy {
    seat: Seat,
}

/// How many steps a farmer sees.
const SIGHT: i32 = 8;

impl Dummy {
    pub fn new(seat: Seat) -> Self {
        Dummy { seat }
    }
}

impl BuiltinPlayer for Dummy {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let view = View::new(typed::<State>(state), self.seat);
        let mut generator = view.generator();
        let map = map(&view);
        let mut dirs: [i32; 8] = std::array::from_fn(|k| k as i32 + 1);
        for farmer in view.farmers(1) {
            // Ways of the same length are equally good.
            generator.shuffle(&mut dirs);
            let ground = |pos| map.get(pos).unwrap_or(Ground::Closed);
            let way = nearest(farmer.pos, &dirs, step, SIGHT, ground);
            orders.push(&[farmer.id, way.map_or(STAY, |(dir, _)| dir)]);
        }
        for knight in view.knights(1) {
            generator.shuffle(&mut dirs);
            let blow = dirs.iter().copied().find(|&dir| is_rival_knight(&view, &knight, dir));
            orders.push(&[knight.id, blow.unwrap_or(STAY)]);
        }
    }
}

fn step(direction: i32) -> (i32, i32) {
    STEPS[direction as usize]
}

/// Farmers walk around walls and robots to ground that nobody has painted.
fn map(view: &View) -> Grid<Ground> {
    let mut map = Grid::new(view.dim(), view.dim(), Ground::Open);
    for (ground, colour) in map.cells_mut().iter_mut().zip((0..view.dim()).flat_map(|i| view.row(i))) {
        *ground = match colour {
            Colour::Wall => Ground::Closed,
            Colour::Bare => Ground::Goal,
            _ => Ground::Open,
        };
    }
    view.robots().for_each(|robot| map[robot.pos] = Ground::Closed);
    map
}

fn is_rival_knight(view: &View, knight: &RobotSeen, direction: i32) -> bool {
    let robot = view.robot_at(knight.pos + step(direction));
    robot.is_some_and(|robot| robot.team != 1 && robot.model == Model::Knight)
}
