//! The walls of a generated board.
//!
//! The generator is never set back: the draws of a rejected plan stay consumed.

use super::board::{Board, Cell, CellSet, FULL_ROW, SIDE};
use crate::{Dir8, Generator, Pos};

const WALLS: i32 = 8;

/// The share of the board that walls would fill if they never got stuck.
const WALL_CELLS: i32 = SIDE * SIDE / 2;

/// The directions in which walls grow, in the order they are drawn by.
const FOUR: [Dir8; 4] = [Dir8::Up, Dir8::Down, Dir8::Left, Dir8::Right];

/// Walls and corridor, the corridor in one piece.
pub fn cells(generator: &mut Generator) -> Board<Cell> {
    let plan = loop {
        let plan = Plan::draw(generator);
        if plan.corridor_is_connected() {
            break plan;
        }
    };
    let mut cells = Board::new(Cell::Free);
    CellSet { rows: plan.walls }.iter().for_each(|pos| cells[pos] = Cell::Wall);
    cells
}

struct Plan {
    /// The finished walls.
    walls: [u64; SIDE as usize],
    /// The wall that is growing.
    wall: [u64; SIDE as usize],
}

impl Plan {
    fn draw(generator: &mut Generator) -> Plan {
        let mut plan = Plan { walls: [0; SIDE as usize], wall: [0; SIDE as usize] };
        let mut cells = WALL_CELLS;
        for left in (1..=WALLS).rev() {
            cells -= plan.build_wall(cells / left, generator);
        }
        plan
    }

    /// Builds one wall and says how many cells it got. The first one is not
    /// taken from `length`.
    fn build_wall(&mut self, length: i32, generator: &mut Generator) -> i32 {
        let mut heading = FOUR[generator.below(4) as usize];
        let mut pos = loop {
            let i = generator.random(1, SIDE - 2);
            let pos = Pos::new(i, generator.random(1, SIDE - 2));
            if !has_neighbour(&self.walls, pos) {
                break pos;
            }
        };
        self.wall[pos.i as usize] |= 1 << pos.j;
        let mut filled = 1;
        while filled <= length {
            let mut turns = FOUR;
            for k in 0..FOUR.len() {
                let other = k + generator.below((FOUR.len() - k) as u32) as usize;
                turns.swap(k, other);
            }
            let straight = generator.random(1, 8) != 1;
            if !(straight && self.can_extend(pos + heading.step())) {
                match turns.into_iter().find(|turn| self.can_extend(pos + turn.step())) {
                    Some(turn) => heading = turn,
                    None => break,
                }
            }
            pos = pos + heading.step();
            self.wall[pos.i as usize] |= 1 << pos.j;
            filled += 1;
        }
        for (walls, wall) in self.walls.iter_mut().zip(&mut self.wall) {
            *walls |= std::mem::take(wall);
        }
        filled
    }

    /// A wall keeps off the outermost ring and off other walls, and does not
    /// come back to itself.
    fn can_extend(&self, pos: Pos) -> bool {
        const CENTRE: u64 = 1 << 4;
        let inner = 1..SIDE - 1;
        if !inner.contains(&pos.i) || !inner.contains(&pos.j) || has_neighbour(&self.walls, pos) {
            return false;
        }
        let own = around(&self.wall, pos);
        let but_one = own & own.wrapping_sub(1);
        own & CENTRE == 0 && but_one & but_one.wrapping_sub(1) == 0
    }

    /// Counts the pieces of the corridor without visiting them.
    ///
    /// Take the runs of corridor in each row as pieces. Every contact of two
    /// runs in neighbouring rows joins two pieces into one or closes a ring,
    /// so pieces = runs - contacts + rings. There are as many rings as holes,
    /// and the holes are the walls: each in one piece, none next to another or
    /// on the edge of the board.
    fn corridor_is_connected(&self) -> bool {
        let starts = |row: u64| (row & !(row << 1)).count_ones() as i32;
        let mut pieces = WALLS;
        let mut above = 0;
        for wall in self.walls {
            let row = !wall & FULL_ROW;
            pieces += starts(row) - starts(row & above);
            above = row;
        }
        pieces == 1
    }
}

/// Whether there is any in the three by three cells around a cell that is not on
/// the outermost ring.
#[inline]
fn has_neighbour(rows: &[u64; SIDE as usize], pos: Pos) -> bool {
    let i = pos.i as usize;
    (rows[i - 1] | rows[i] | rows[i + 1]) >> (pos.j - 1) & 7 != 0
}

/// The three by three cells around a cell that is not on the outermost ring, a
/// bit each.
#[inline]
fn around(rows: &[u64; SIDE as usize], pos: Pos) -> u64 {
    let (i, left) = (pos.i as usize, pos.j - 1);
    (rows[i - 1] >> left & 7) | (rows[i] >> left & 7) << 3 | (rows[i + 1] >> left & 7) << 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grid, connected};

    #[test]
    fn pieces_are_counted_as_if_they_were_visited() {
        let mut generator = Generator::new(3);
        let mut found = [0; 2];
        for _ in 0..200 {
            let plan = Plan::draw(&mut generator);
            let mut open = Grid::new(SIDE, SIDE, true);
            CellSet { rows: plan.walls }.iter().for_each(|pos| open[pos] = false);
            assert_eq!(plan.corridor_is_connected(), connected(&open, |open| open));
            found[usize::from(plan.corridor_is_connected())] += 1;
        }
        assert!(found[0] > 0 && found[1] > 0, "{found:?}");
    }

    /// Seed, plans drawn and wall cells, as published.
    #[test]
    fn published_boards() {
        for (seed, attempts, walls) in [(0, 7, 782), (1, 5, 788), (30, 12, 653), (42, 5, 658)] {
            let mut generator = Generator::new(seed);
            let drawn = (1..).find(|_| Plan::draw(&mut generator).corridor_is_connected());
            let board = cells(&mut Generator::new(seed));
            assert_eq!(drawn, Some(attempts), "seed {seed}");
            assert_eq!(board.cells().iter().filter(|&&cell| cell == Cell::Wall).count(), walls, "seed {seed}");
        }
    }
}
