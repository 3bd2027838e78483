//! Walking distances over soil, for players that plan.

use super::board::Cell;
use crate::{Grid, Pos};

/// How many steps it is from anywhere to the places that were asked about.
///
/// Water never moves, so the distances to a place are worked out once, in one
/// sweep, and kept. Ants on the way are not counted: they will have moved.
#[derive(Default)]
pub struct Paths {
    /// The board with a border of water around it, which saves every sweep the
    /// question whether it is still on the board.
    soil: Vec<bool>,
    width: usize,
    /// Distances to a cell from every cell, once asked for.
    known: Vec<Option<Box<[u8]>>>,
    kept: usize,
    border: Vec<u32>,
}

impl Paths {
    /// Farther than this is not told from out of reach.
    pub const FAR: i32 = u8::MAX as i32;

    /// Forget everything rather than keep more distances than this; only boards
    /// much larger than usual get there.
    const MOST_KEPT: usize = 8 << 20;

    pub fn new(cells: &Grid<Cell>) -> Self {
        let width = cells.cols() as usize + 2;
        let size = width * (cells.rows() as usize + 2);
        let mut paths = Paths { soil: vec![false; size], width, known: vec![None; size], ..Paths::default() };
        for pos in cells.positions() {
            let at = paths.offset(pos);
            paths.soil[at] = cells[pos] != Cell::Water;
        }
        paths
    }

    /// Steps between two cells of the board, at most [`Paths::FAR`].
    pub fn distance(&mut self, from: Pos, to: Pos) -> i32 {
        let (from, to) = (self.offset(from), self.offset(to));
        if let Some(distances) = &self.known[to] {
            return i32::from(distances[from]);
        }
        let distances = self.sweep(to);
        let distance = i32::from(distances[from]);
        if self.kept + distances.len() > Paths::MOST_KEPT {
            self.known.fill(None);
            self.kept = 0;
        }
        self.kept += distances.len();
        self.known[to] = Some(distances);
        distance
    }

    fn sweep(&mut self, to: usize) -> Box<[u8]> {
        let mut distances = vec![u8::MAX; self.soil.len()].into_boxed_slice();
        self.border.clear();
        self.border.push(to as u32);
        distances[to] = 0;
        let mut next = 0;
        while let Some(&at) = self.border.get(next) {
            next += 1;
            let at = at as usize;
            let farther = distances[at] + 1;
            if farther == u8::MAX {
                break;
            }
            for neighbour in [at + self.width, at + 1, at - self.width, at - 1] {
                if self.soil[neighbour] && distances[neighbour] == u8::MAX {
                    distances[neighbour] = farther;
                    self.border.push(neighbour as u32);
                }
            }
        }
        distances
    }

    fn offset(&self, pos: Pos) -> usize {
        (pos.i as usize + 1) * self.width + pos.j as usize + 1
    }
}
