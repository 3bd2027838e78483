//! Voldemort: one step towards the nearest unit, through walls if need be.

use super::board::is_on_board;
use super::engine::Engine;
use super::state::State;
use crate::{Dir4, Dir8, Pos};

impl Engine {
    /// He steps towards one of the nearest units and strikes the cells around him.
    pub(super) fn move_voldemort(&mut self) {
        let goal = self.draw_goal();
        self.state.voldemort = step_towards(self.state.voldemort, goal);
        for dir in Dir8::ALL {
            let pos = self.state.voldemort + dir.step();
            if !is_on_board(pos) {
                continue;
            }
            if self.state.books.contains(pos) {
                self.state.books.remove(pos);
                self.events.books_lost += 1;
            }
            self.disown(pos);
            let unit = self.state.unit_on[pos];
            if unit != State::NOBODY {
                self.kill(usize::from(unit));
            }
        }
    }

    /// The position of one of the nearest units, those just killed included.
    fn draw_goal(&mut self) -> Pos {
        let from = self.state.voldemort;
        let (mut nearest, mut count, mut first) = (i32::MAX, 0, 0);
        for (id, unit) in self.state.units.iter().enumerate() {
            let distance = unit.pos.distance(from);
            if distance > nearest {
                continue;
            }
            if distance < nearest {
                (nearest, count, first) = (distance, 0, id);
            }
            count += 1;
        }
        let drawn = self.generator.below(count) as usize;
        let mut goals = self.state.units[first..].iter().filter(|unit| unit.pos.distance(from) == nearest);
        goals.nth(drawn).expect("as many goals as were counted").pos
    }
}

/// The step that shortens the way, if possible along the longer axis.
fn step_towards(from: Pos, goal: Pos) -> Pos {
    let longest = |pos: Pos| (pos.i - goal.i).abs().max((pos.j - goal.j).abs());
    Dir4::ALL
        .into_iter()
        .map(|dir| from + dir.step())
        .filter(|&pos| is_on_board(pos))
        .filter(|pos| pos.distance(goal) < from.distance(goal))
        .min_by_key(|&pos| longest(pos))
        .unwrap_or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(from: (i32, i32), goal: (i32, i32), expected: (i32, i32)) {
        let [from, goal, expected] = [from, goal, expected].map(|(i, j)| Pos::new(i, j));
        assert_eq!(step_towards(from, goal), expected, "from {from:?} to {goal:?}");
    }

    #[test]
    fn steps() {
        check((10, 10), (13, 20), (10, 11));
        check((10, 10), (20, 13), (11, 10));
        check((10, 10), (5, 9), (9, 10));
        // Both axes are as long: down or up come before right and left in turn.
        check((10, 10), (13, 13), (11, 10));
        check((10, 10), (7, 13), (10, 11));
        check((10, 10), (7, 7), (9, 10));
        check((10, 10), (13, 7), (11, 10));
        check((10, 10), (10, 10), (10, 10));
    }
}
