//! The places where units and books may appear.

use super::board::{CellSet, FULL_ROW, SIDE};
use crate::Pos;

/// The corridor cells without a unit, a book or Voldemort in the five by five
/// square around them.
///
/// They are found once, a row at a time, and then only taken away: whatever
/// appears makes cells unsafe, and between two appearances of a round nothing
/// leaves the board.
#[derive(Clone, Debug)]
pub struct SafeCells {
    cells: CellSet,
    /// Safe cells of each row and of all of them.
    counts: [u8; SIDE as usize],
    count: u32,
}

/// How far from a safe cell anything must be, in rows and in columns.
const REACH: i32 = 2;

impl SafeCells {
    /// The safe cells of a corridor with these blockers.
    pub fn new(corridor: &CellSet, blockers: &CellSet) -> SafeCells {
        // With two empty rows above and below, no row needs a case of its own.
        let mut wide = [0; SIDE as usize + 2 * REACH as usize];
        for (wide, row) in wide[REACH as usize..].iter_mut().zip(blockers.rows) {
            *wide = row << 2 | row << 1 | row | row >> 1 | row >> 2;
        }
        let mut safe = SafeCells { cells: corridor.clone(), counts: [0; SIDE as usize], count: 0 };
        for (row, near) in safe.cells.rows.iter_mut().zip(wide.array_windows::<{ 2 * REACH as usize + 1 }>()) {
            *row &= !near.iter().fold(0, |all, row| all | row);
        }
        for (count, row) in safe.counts.iter_mut().zip(safe.cells.rows) {
            *count = row.count_ones() as u8;
            safe.count += row.count_ones();
        }
        safe
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// The safe cell with this number, counting from 0 row by row.
    pub fn nth(&self, mut number: u32) -> Pos {
        for (i, &count) in self.counts.iter().enumerate() {
            if number < u32::from(count) {
                let mut row = self.cells.rows[i];
                (0..number).for_each(|_| row &= row - 1);
                return Pos::new(i as i32, row.trailing_zeros() as i32);
            }
            number -= u32::from(count);
        }
        unreachable!("the number is below the count of safe cells")
    }

    /// Something has appeared at `pos`.
    pub fn block(&mut self, pos: Pos) {
        let square = (0b11111 << pos.j >> REACH) & FULL_ROW;
        for i in (pos.i - REACH).max(0)..=(pos.i + REACH).min(SIDE - 1) {
            self.keep(i as usize, !square);
        }
    }

    /// Only the cells that are not on the outermost ring.
    pub fn keep_inner(&mut self) {
        self.keep(0, 0);
        self.keep(SIDE as usize - 1, 0);
        (1..SIDE as usize - 1).for_each(|i| self.keep(i, FULL_ROW >> 1 & !1));
    }

    fn keep(&mut self, i: usize, columns: u64) {
        let row = &mut self.cells.rows[i];
        if *row & !columns == 0 {
            return;
        }
        *row &= columns;
        self.count -= u32::from(self.counts[i]);
        self.counts[i] = row.count_ones() as u8;
        self.count += u32::from(self.counts[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Generator;

    /// The definition, cell by cell.
    fn safe(corridor: &CellSet, blockers: &[Pos]) -> Vec<Pos> {
        let clear =
            |pos: &Pos| blockers.iter().all(|other| (pos.i - other.i).abs() > REACH || (pos.j - other.j).abs() > REACH);
        corridor.iter().filter(clear).collect()
    }

    fn all(cells: &SafeCells) -> Vec<Pos> {
        (0..cells.count()).map(|number| cells.nth(number)).collect()
    }

    #[test]
    fn found_at_once_or_one_blocker_at_a_time() {
        let mut generator = Generator::new(5);
        for blockers in [0, 1, 10, 100, 400] {
            let mut place = || Pos::new(generator.random(0, SIDE - 1), generator.random(0, SIDE - 1));
            let mut corridor = CellSet { rows: [FULL_ROW; SIDE as usize] };
            (0..500).for_each(|_| corridor.remove(place()));
            let blockers: Vec<Pos> = (0..blockers).map(|_| place()).collect();
            let mut set = CellSet::EMPTY;
            blockers.iter().for_each(|&pos| set.insert(pos));
            let at_once = SafeCells::new(&corridor, &set);
            let mut step_by_step = SafeCells::new(&corridor, &CellSet::EMPTY);
            blockers.iter().for_each(|&pos| step_by_step.block(pos));
            let mut expected = safe(&corridor, &blockers);
            assert_eq!(all(&at_once), expected);
            assert_eq!(all(&step_by_step), expected);
            step_by_step.keep_inner();
            expected.retain(|pos| (1..SIDE - 1).contains(&pos.i) && (1..SIDE - 1).contains(&pos.j));
            assert_eq!(all(&step_by_step), expected);
        }
    }
}
