//! Walking distances over soil, for players that plan.

use super::board::Cell;
use crate::{Grid, Pos};

/// How many steps it is between places.
///
/// Water never moves, so the distances to a place are worked out once, in one
/// sweep, and kept. Ants on the way are not counted: they will have moved.
#[derive(Default)]
pub struct Paths {
    /// The board before a sweep, with a border of water around it, which saves
    /// every sweep the question whether it is still on the board.
    blank: Box<[u8]>,
    width: usize,
    /// Distances to a cell from every cell, once worked out.
    known: Vec<Option<Box<[u8]>>>,
    kept: usize,
    /// Where a sweep has been and goes on from, kept for its room.
    border: Box<[u32]>,
}

const UNSEEN: u8 = u8::MAX;
const WATER: u8 = UNSEEN - 1;

impl Paths {
    /// The distance of what cannot be reached, or not in fewer steps than this.
    pub const FAR: i32 = WATER as i32;

    /// Forget everything rather than keep more distances than this; only boards
    /// much larger than usual get there.
    const MOST_KEPT: usize = 8 << 20;

    pub fn new(cells: &Grid<Cell>) -> Self {
        let width = cells.cols() as usize + 2;
        let size = width * (cells.rows() as usize + 2);
        let blank = vec![WATER; size].into_boxed_slice();
        let border = vec![0; size].into_boxed_slice();
        let mut paths = Paths { blank, width, known: vec![None; size], kept: 0, border };
        for pos in cells.positions() {
            if cells[pos] != Cell::Water {
                let at = paths.offset(pos);
                paths.blank[at] = UNSEEN;
            }
        }
        paths
    }

    /// Steps between two cells of the board, at most [`Paths::FAR`].
    pub fn distance(&mut self, from: Pos, to: Pos) -> i32 {
        let (from, to) = (self.offset(from), self.offset(to));
        let distance = match (&self.known[to], &self.known[from]) {
            (Some(to_there), _) => to_there[from],
            (None, Some(from_here)) => from_here[to],
            (None, None) => self.learn(to)[from],
        };
        i32::from(distance.min(WATER))
    }

    fn learn(&mut self, to: usize) -> &[u8] {
        if self.kept + self.blank.len() > Paths::MOST_KEPT {
            self.known.fill(None);
            self.kept = 0;
        }
        self.kept += self.blank.len();
        let distances = self.sweep(to);
        self.known[to].insert(distances)
    }

    fn sweep(&mut self, to: usize) -> Box<[u8]> {
        let mut distances = self.blank.clone();
        let (mut next, mut end) = (0, 1);
        self.border[0] = to as u32;
        distances[to] = 0;
        while next < end {
            let at = self.border[next] as usize;
            next += 1;
            let farther = distances[at] + 1;
            if farther == WATER {
                break;
            }
            for neighbour in [at - self.width, at - 1, at + 1, at + self.width] {
                if distances[neighbour] == UNSEEN {
                    distances[neighbour] = farther;
                    self.border[end] = neighbour as u32;
                    end += 1;
                }
            }
        }
        distances
    }

    fn offset(&self, pos: Pos) -> usize {
        (pos.i as usize + 1) * self.width + pos.j as usize + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn around_the_water() {
        let mut cells = Grid::new(3, 4, Cell::Soil);
        (0..2).for_each(|i| cells[Pos::new(i, 1)] = Cell::Water);
        cells[Pos::new(1, 3)] = Cell::Water;
        cells[Pos::new(0, 2)] = Cell::Water;
        let mut paths = Paths::new(&cells);
        for (from, to, expected) in [
            ((0, 0), (0, 0), 0),
            ((0, 0), (1, 2), 5),
            ((1, 2), (0, 0), 5),
            ((2, 3), (2, 0), 3),
            ((0, 3), (0, 0), Paths::FAR),
            ((0, 0), (0, 3), Paths::FAR),
        ] {
            let distance = paths.distance(Pos::new(from.0, from.1), Pos::new(to.0, to.1));
            assert_eq!(distance, expected, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn too_far_is_out_of_reach() {
        let mut paths = Paths::new(&Grid::new(1, 300, Cell::Soil));
        let mut from_the_left = |j| paths.distance(Pos::new(0, 0), Pos::new(0, j));
        assert_eq!([252, 253, 254, 255, 299].map(&mut from_the_left), [252, 253, 254, 254, 254]);
    }
}
