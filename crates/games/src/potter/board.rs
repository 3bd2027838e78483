//! Cells, and sets of cells.

use crate::{Pos, Seat};

/// Rows and columns: the game is played on boards of this size only.
pub const SIDE: i32 = 60;

/// Walls and corridor, with the clan that owns it. The values are the letters
/// of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    Free = b'.',
    Wall = b'W',
    Of0 = b'0',
    Of1 = b'1',
    Of2 = b'2',
    Of3 = b'3',
}

impl Cell {
    /// Corridor owned by the clan.
    #[inline]
    pub fn of(seat: Seat) -> Cell {
        [Cell::Of0, Cell::Of1, Cell::Of2, Cell::Of3][seat.index()]
    }

    #[inline]
    pub fn owner(self) -> Option<Seat> {
        match self {
            Cell::Free | Cell::Wall => None,
            Cell::Of0 => Some(Seat::ALL[0]),
            Cell::Of1 => Some(Seat::ALL[1]),
            Cell::Of2 => Some(Seat::ALL[2]),
            Cell::Of3 => Some(Seat::ALL[3]),
        }
    }

    pub fn from_letter(letter: u8) -> Option<Cell> {
        [Cell::Free, Cell::Wall, Cell::Of0, Cell::Of1, Cell::Of2, Cell::Of3]
            .into_iter()
            .find(|&cell| cell as u8 == letter)
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> u8 {
        cell as u8
    }
}

/// Something for each cell, row by row. As [`crate::Grid`], but the size is
/// known when the rules are compiled, which makes looking at a cell cheaper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board<T>([T; (SIDE * SIDE) as usize]);

impl<T: Copy> Board<T> {
    pub fn new(cell: T) -> Self {
        Board([cell; (SIDE * SIDE) as usize])
    }

    /// The cell, if the position is on the board.
    #[inline]
    pub fn get(&self, pos: Pos) -> Option<T> {
        is_on_board(pos).then(|| self[pos])
    }

    pub fn cells(&self) -> &[T] {
        &self.0
    }

    /// The rows, from the top.
    pub fn rows(&self) -> &[[T; SIDE as usize]] {
        self.0.as_chunks().0
    }
}

impl<T> std::ops::Index<Pos> for Board<T> {
    type Output = T;

    #[inline]
    fn index(&self, pos: Pos) -> &T {
        &self.0[offset(pos)]
    }
}

impl<T> std::ops::IndexMut<Pos> for Board<T> {
    #[inline]
    fn index_mut(&mut self, pos: Pos) -> &mut T {
        &mut self.0[offset(pos)]
    }
}

#[inline]
pub fn is_on_board(pos: Pos) -> bool {
    (pos.i as u32) < SIDE as u32 && (pos.j as u32) < SIDE as u32
}

#[inline]
fn offset(pos: Pos) -> usize {
    debug_assert!(is_on_board(pos), "{pos:?} is outside the board");
    (pos.i as u32 as usize) * SIDE as usize + pos.j as u32 as usize
}

/// A set of cells: a word per row, the lowest bit for column 0. A row fits in
/// a word, so whole rows are compared, spread and counted at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellSet {
    pub rows: [u64; SIDE as usize],
}

/// A row with every column.
pub const FULL_ROW: u64 = (1 << SIDE) - 1;

impl CellSet {
    pub const EMPTY: CellSet = CellSet { rows: [0; SIDE as usize] };

    /// The corridor of a board.
    pub fn corridor(cells: &Board<Cell>) -> CellSet {
        let mut corridor = CellSet::EMPTY;
        for (row, cells) in corridor.rows.iter_mut().zip(cells.rows()) {
            for (j, &cell) in cells.iter().enumerate() {
                *row |= u64::from(cell != Cell::Wall) << j;
            }
        }
        corridor
    }

    /// The cell must be on the board.
    #[inline]
    pub fn contains(&self, pos: Pos) -> bool {
        self.rows[pos.i as usize] >> pos.j & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, pos: Pos) {
        self.rows[pos.i as usize] |= 1 << pos.j;
    }

    #[inline]
    pub fn remove(&mut self, pos: Pos) {
        self.rows[pos.i as usize] &= !(1 << pos.j);
    }

    pub fn remove_all(&mut self, others: &CellSet) {
        self.rows.iter_mut().zip(&others.rows).for_each(|(row, others)| *row &= !others);
    }

    pub fn keep_only(&mut self, others: &CellSet) {
        self.rows.iter_mut().zip(&others.rows).for_each(|(row, others)| *row &= others);
    }

    /// As [`CellSet::contains`], for a cell that may be off the board.
    #[inline]
    pub fn holds(&self, pos: Pos) -> bool {
        is_on_board(pos) && self.contains(pos)
    }

    pub fn len(&self) -> i32 {
        self.rows.iter().map(|row| row.count_ones() as i32).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Pos> {
        self.rows.iter().zip(0..).flat_map(|(&row, i)| columns(row).map(move |j| Pos::new(i, j)))
    }
}

/// The columns in a row of a set, by increasing number.
#[inline]
pub fn columns(mut row: u64) -> impl Iterator<Item = i32> {
    std::iter::from_fn(move || {
        let column = (row != 0).then(|| row.trailing_zeros() as i32);
        row &= row.wrapping_sub(1);
        column
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_go_row_by_row() {
        let cells = [Pos::new(0, 0), Pos::new(0, 59), Pos::new(3, 7), Pos::new(59, 59)];
        let mut set = CellSet::EMPTY;
        cells.iter().rev().for_each(|&pos| set.insert(pos));
        assert!(set.iter().eq(cells));
        set.remove(cells[1]);
        assert_eq!((set.len(), set.contains(cells[1]), set.contains(cells[2])), (3, false, true));
    }
}
