//! Veteran of Requiem: who has beaten the Dummy practises with it.

use super::board::{Colour, STAY, STEPS};
use super::state::{Model, State};
use super::view::{RobotSeen, View};
use crate::game::{BuiltinPlayer, typed};
use crate::{Grid, Orders, Pos, Seat};

/// The sparring partner for whoever has beaten `Dummy`. Its farmers walk to the nearest square that is not
/// theirs, out of the reach of rival knights; its knights hunt farmers, and
/// rest when they are hurt and nobody is near.
pub struct Veteran {
    seat: Seat,
}

impl Veteran {
    pub fn new(seat: Seat) -> Self {
        Veteran { seat }
    }
}

impl BuiltinPlayer for Veteran {
    fn play(&mut self, state: &dyn crate::State, orders: &mut Orders) {
        let view = View::new(typed::<State>(state), self.seat);
        if [0, 2, 3, 4].iter().all(|&colour| view.squares(colour) == Some(0)) {
            return;
        }
        let mut map = Map::new(&view);
        for knight in view.knights(1) {
            orders.push(&[knight.id, map.lead_knight(&knight)]);
        }
        for farmer in view.farmers(1) {
            orders.push(&[farmer.id, map.lead_farmer(&farmer)]);
        }
    }
}

const DIRECTIONS: std::ops::RangeInclusive<i32> = 1..=8;

/// A knight with less life than this rests, unless a rival is near.
const HURT: i32 = 250;
const NEAR: i32 = 4;

/// How many steps closer a knight must be than a farmer to be hunted instead.
const DETOUR_FOR_FARMERS: i32 = 6;

/// How many rivals the knights choose from, so that huge armies do not take for ever.
const MOST_PREY: usize = 1000;

/// What the team knows and plans in one round.
struct Map {
    /// Steps from each square to the nearest one worth painting.
    distance: Grid<i16>,
    /// Where nobody can go: walls, robots, and squares that a friend goes to.
    blocked: Grid<bool>,
    /// Where a rival knight can strike.
    danger: Grid<bool>,
    /// Whom the knights may hunt.
    prey: Vec<RobotSeen>,
}

/// More than any distance.
const FAR: i16 = i16::MAX / 2;

impl Map {
    fn new(view: &View) -> Map {
        let dim = view.dim();
        let rivals: Vec<RobotSeen> = view.robots().filter(|robot| robot.team != 1).collect();
        let mut blocked = Grid::new(dim, dim, false);
        let mut danger = Grid::new(dim, dim, false);
        let (mut distance, mut least) = (Grid::new(dim, dim, FAR), Grid::new(dim, dim, 0));
        for (at, colour) in (0..dim).flat_map(|i| view.row(i)).enumerate() {
            match colour {
                Colour::Wall => (blocked.cells_mut()[at], least.cells_mut()[at]) = (true, FAR),
                Colour::Team1 => {}
                _ => distance.cells_mut()[at] = 0,
            }
        }
        for _ in 0..2 {
            sweep(distance.cells_mut(), least.cells(), dim as usize);
            distance.cells_mut().reverse();
            least.cells_mut().reverse();
        }
        view.robots().for_each(|robot| blocked[robot.pos] = true);
        for knight in rivals.iter().filter(|rival| rival.model == Model::Knight) {
            STEPS.iter().for_each(|&step| danger[knight.pos + step] = true);
        }
        let one_in = rivals.len().div_ceil(MOST_PREY).max(1);
        Map { distance, blocked, danger, prey: rivals.into_iter().step_by(one_in).collect() }
    }

    /// The way to the nearest square worth painting, rather safe than short.
    fn lead_farmer(&mut self, farmer: &RobotSeen) -> i32 {
        let beside = |direction: i32| farmer.pos + STEPS[direction as usize];
        let best = DIRECTIONS
            .filter(|&direction| !self.blocked[beside(direction)])
            .min_by_key(|&direction| (self.danger[beside(direction)], self.distance[beside(direction)]));
        match best {
            Some(direction) => {
                self.blocked[beside(direction)] = true;
                direction
            }
            None => STAY,
        }
    }

    fn lead_knight(&mut self, knight: &RobotSeen) -> i32 {
        let cost = |rival: &RobotSeen| {
            let detour = if rival.model == Model::Knight { DETOUR_FOR_FARMERS } else { 0 };
            let steps = steps_between(knight.pos, rival.pos);
            if steps == 1 { 0 } else { steps + detour }
        };
        let Some(prey) = self.prey.iter().min_by_key(|rival| cost(rival)) else { return STAY };
        let steps = steps_between(knight.pos, prey.pos);
        if knight.life < HURT && steps > NEAR {
            return STAY;
        }
        let beside = |direction: i32| knight.pos + STEPS[direction as usize];
        let best = DIRECTIONS
            .filter(|&direction| beside(direction) == prey.pos || !self.blocked[beside(direction)])
            .min_by_key(|&direction| steps_between(beside(direction), prey.pos));
        match best {
            Some(direction) => {
                self.blocked[beside(direction)] = true;
                direction
            }
            None => STAY,
        }
    }
}

/// Takes distances from squares at 0 down and to the right, row by row. No
/// square gets less than its `least`, which keeps walls far from everything.
///
/// A second sweep the other way round makes the distances whole. Behind walls
/// they may come out too long, but going to ever smaller ones always ends at 0.
fn sweep(distance: &mut [i16], least: &[i16], dim: usize) {
    for start in (dim..distance.len()).step_by(dim) {
        let (above, row) = distance[start - dim..start + dim].split_at_mut(dim);
        let above = above[..dim - 2].iter().zip(&above[1..dim - 1]).zip(&above[2..]);
        for (steps, ((&left, &middle), &right)) in row[1..dim - 1].iter_mut().zip(above) {
            *steps = (*steps).min(left.min(middle).min(right) + 1);
        }
        let mut left = FAR;
        for (steps, &least) in row.iter_mut().zip(&least[start..]) {
            left = (*steps).min(left + 1).max(least);
            *steps = left;
        }
    }
}

/// The steps from one square to another if nothing is in the way.
fn steps_between(from: Pos, to: Pos) -> i32 {
    (from.i - to.i).abs().max((from.j - to.j).abs())
}
