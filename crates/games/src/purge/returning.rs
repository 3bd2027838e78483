//! What has disappeared and waits to come back, and the cells where it may.

use super::board::Cell;
use super::settings::MOST_ROWS;
use super::state::State;
use crate::{Generator, Pos};

/// Things of one sort that wait, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting<T> {
    list: Vec<(T, u32)>,
}

impl<T: Copy> Waiting<T> {
    pub fn new() -> Self {
        Waiting { list: Vec::new() }
    }

    /// Adds what disappeared in `round`. That round counts as the first of its delay.
    pub fn add(&mut self, thing: T, round: i32, delay: i32) {
        self.list.push((thing, round as u32 + delay as u32 - 1));
    }

    /// Whether something is to come back in `round` or should have before.
    pub fn any_due(&self, round: i32) -> bool {
        self.list.iter().any(|&(_, due)| due <= round as u32)
    }

    /// Offers what is due to `place`, oldest first. What finds no place keeps
    /// its own in the list, to be offered again in the next round.
    pub fn bring_back<E>(&mut self, round: i32, mut place: impl FnMut(T) -> Result<bool, E>) -> Result<(), E> {
        let mut kept = 0;
        for k in 0..self.list.len() {
            let (thing, due) = self.list[k];
            if due > round as u32 || !place(thing)? {
                self.list[kept] = (thing, due);
                kept += 1;
            }
        }
        self.list.truncate(kept);
        Ok(())
    }

    /// Each thing and the round in which it is to come back.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (T, u32)> {
        self.list.iter().copied()
    }
}

/// Empty cells without a citizen in the square of five by five around them: a
/// bit for each column of each row.
pub struct SafeCells {
    rows: [u64; MOST_ROWS as usize],
}

impl SafeCells {
    pub fn of(state: &State) -> Self {
        let mut rows = [0; MOST_ROWS as usize];
        for (row, cells) in rows.iter_mut().zip(state.cells.cells().chunks_exact(state.cells.cols() as usize)) {
            for (j, &cell) in cells.iter().enumerate() {
                *row |= u64::from(cell == Cell::Street) << j;
            }
        }
        let mut safe = SafeCells { rows };
        state.citizens.iter().for_each(|citizen| safe.keep_away(citizen.pos));
        safe
    }

    /// Nothing comes back close to a citizen.
    pub fn keep_away(&mut self, citizen: Pos) {
        let five = 0b11111 << citizen.j >> 2;
        let first = (citizen.i - 2).max(0) as usize;
        for row in self.rows.iter_mut().take(citizen.i as usize + 3).skip(first) {
            *row &= !five;
        }
    }

    pub fn occupy(&mut self, pos: Pos) {
        self.rows[pos.i as usize] &= !(1 << pos.j);
    }

    /// One of the cells, each as likely as any other; none, without a draw, if
    /// there is none.
    pub fn draw(&self, generator: &mut Generator) -> Option<Pos> {
        let count: u32 = self.rows.iter().map(|row| row.count_ones()).sum();
        if count == 0 {
            return None;
        }
        let mut left = generator.below(count);
        for (i, &row) in self.rows.iter().enumerate() {
            let here = row.count_ones();
            if left < here {
                let rest = (0..left).fold(row, |row, _| row & (row - 1));
                return Some(Pos::new(i as i32, rest.trailing_zeros() as i32));
            }
            left -= here;
        }
        unreachable!("the draw is below the number of cells")
    }
}
