//! Veteran of Dominator: who has beaten the Dummy practises with it.

use super::state::{Kind, State};
use super::view::View;
use crate::game::{BuiltinPlayer, typed};
use crate::{Dir8, Orders, Pos, Seat};

/// The sparring partner for whoever has beaten `Dummy`. Farmers walk to the nearest ground that is not theirs,
/// knights hunt whoever is nearest, witches stay where they are, and nobody
/// goes where a witch could be by the end of the round.
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
        let state: &State = typed(state);
        let mut plan = Plan::new(View::new(state, self.seat));
        plan.move_knights(orders);
        plan.move_farmers(orders);
    }
}

const STRAIGHT: [Dir8; 4] = [Dir8::Down, Dir8::Right, Dir8::Up, Dir8::Left];

/// What is known and decided in one round.
///
/// The map has a margin of closed ground, so that every neighbour of a cell of
/// the board is on the map. A cell is its place in the map, row by row.
struct Plan<'a> {
    view: View<'a>,
    width: usize,
    ground: Vec<Ground>,
    /// Cells with a unit, or where one of ours is going.
    occupied: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ground {
    /// A wall, or a cell that a witch haunts or soon may.
    Closed,
    Mine,
    ToPaint,
}

/// A unit that has nothing to do where it is.
struct Walker {
    id: i32,
    cell: usize,
}

/// Farther than any cell of any board.
const FAR: u32 = u32::MAX - 1;

impl<'a> Plan<'a> {
    fn new(view: View<'a>) -> Self {
        let side = view.settings().side;
        let width = side as usize + 2;
        let mut plan =
            Plan { view, width, ground: vec![Ground::Closed; width * width], occupied: vec![false; width * width] };
        for i in 0..side {
            for j in 0..side {
                let pos = Pos::new(i, j);
                let (seen, cell) = (view.cell(pos).expect("the position is on the board"), plan.cell(pos));
                plan.occupied[cell] = seen.unit != State::NOBODY;
                if !seen.is_wall && !seen.haunted {
                    let is_mine = seen.owner == Some(View::ME);
                    plan.ground[cell] = if is_mine { Ground::Mine } else { Ground::ToPaint };
                }
            }
        }
        for &rival in &Seat::ALL[1..] {
            view.ids(rival, Kind::Witch).iter().for_each(|&id| plan.shun(id));
        }
        plan
    }

    /// A witch haunts two cells around her, and she may step before we do.
    fn shun(&mut self, witch: i32) {
        let pos = self.pos_of(witch);
        for di in -3..=3_i32 {
            for dj in di.abs() - 3..=3 - di.abs() {
                let near = pos + (di, dj);
                if self.view.cell(near).is_some() {
                    let cell = self.cell(near);
                    self.ground[cell] = Ground::Closed;
                }
            }
        }
    }

    /// Knights strike the weakest rival beside them, or walk to the nearest one.
    fn move_knights(&mut self, orders: &mut Orders) {
        let mut walkers = Vec::new();
        for &id in self.view.ids(View::ME, Kind::Knight) {
            match self.weakest_rival_around(id) {
                Some(dir) => orders.push(&[id, dir]),
                None => walkers.push(Walker { id, cell: self.cell(self.pos_of(id)) }),
            }
        }
        let mut rivals = Vec::new();
        for &team in &Seat::ALL[1..] {
            for kind in [Kind::Farmer, Kind::Knight] {
                rivals.extend(self.view.ids(team, kind).iter().map(|&id| self.cell(self.pos_of(id))));
            }
        }
        self.send(&walkers, rivals, &Dir8::ALL, orders);
    }

    fn weakest_rival_around(&self, knight: i32) -> Option<i32> {
        let mut weakest = None;
        self.view.for_each_prey(knight, |dir, unit| {
            if weakest.is_none_or(|(health, _)| unit.health < health) {
                weakest = Some((unit.health, dir));
            }
        });
        weakest.map(|(_, dir)| dir)
    }

    /// Farmers paint a cell beside them, or walk to the nearest that is left.
    fn move_farmers(&mut self, orders: &mut Orders) {
        let mut walkers = Vec::new();
        for &id in self.view.ids(View::ME, Kind::Farmer) {
            let cell = self.cell(self.pos_of(id));
            match STRAIGHT.into_iter().find(|&dir| self.can_paint(self.next(cell, dir))) {
                Some(dir) => self.go(&Walker { id, cell }, dir, orders),
                None => walkers.push(Walker { id, cell }),
            }
        }
        if walkers.is_empty() {
            return;
        }
        let left = (0..self.ground.len()).filter(|&cell| self.can_paint(cell)).collect();
        self.send(&walkers, left, &STRAIGHT, orders);
    }

    fn can_paint(&self, cell: usize) -> bool {
        self.ground[cell] == Ground::ToPaint && !self.occupied[cell]
    }

    /// Sends each walker a step nearer to a goal, in one of the directions.
    fn send(&mut self, walkers: &[Walker], goals: Vec<usize>, dirs: &[Dir8], orders: &mut Orders) {
        let distances = self.distances(walkers, goals, dirs);
        for walker in walkers {
            // Whoever stands on closed ground takes any step out of it.
            let is_safe = self.ground[walker.cell] != Ground::Closed;
            let here = if is_safe { distances[walker.cell] } else { FAR + 1 };
            let steps = dirs.iter().map(|&dir| (self.next(walker.cell, dir), dir));
            let free = steps.filter(|&(next, _)| self.ground[next] != Ground::Closed && !self.occupied[next]);
            if let Some((next, dir)) = free.min_by_key(|&(next, _)| distances[next])
                && distances[next] < here
            {
                self.go(walker, dir, orders);
            }
        }
    }

    /// How far each cell is from the nearest goal, at least where the walkers are.
    fn distances(&self, walkers: &[Walker], goals: Vec<usize>, dirs: &[Dir8]) -> Vec<u32> {
        let mut distances = vec![FAR; self.ground.len()];
        goals.iter().for_each(|&goal| distances[goal] = 0);
        let steps: Vec<usize> = dirs.iter().map(|&dir| self.next(0, dir)).collect();
        let (mut border, mut next_border) = (goals, Vec::new());
        for distance in 1.. {
            if border.is_empty() || walkers.iter().all(|walker| distances[walker.cell] != FAR) {
                break;
            }
            for cell in border.drain(..) {
                for &step in &steps {
                    let next = cell.wrapping_add(step);
                    if distances[next] == FAR {
                        distances[next] = distance;
                        if self.ground[next] != Ground::Closed {
                            next_border.push(next);
                        }
                    }
                }
            }
            std::mem::swap(&mut border, &mut next_border);
        }
        distances
    }

    fn go(&mut self, walker: &Walker, dir: Dir8, orders: &mut Orders) {
        let next = self.next(walker.cell, dir);
        self.occupied[next] = true;
        orders.push(&[walker.id, dir as i32]);
    }

    fn next(&self, cell: usize, dir: Dir8) -> usize {
        let (di, dj) = dir.step();
        cell.wrapping_add_signed(di as isize * self.width as isize + dj as isize)
    }

    fn cell(&self, pos: Pos) -> usize {
        (pos.i + 1) as usize * self.width + (pos.j + 1) as usize
    }

    fn pos_of(&self, id: i32) -> Pos {
        self.view.unit(id).expect("the ids of a team are of units").pos
    }
}
