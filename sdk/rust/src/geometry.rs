//! Positions and directions on the boards.

use std::fmt;
use std::ops::{Add, AddAssign};

use crate::numbered::numbered;

numbered! {
    /// The four directions.
    Dir {
        /// To the next row.
        Down,
        /// To the next column.
        Right,
        /// To the row before.
        Up,
        /// To the column before.
        Left,
    }
}

impl Dir {
    /// The way back.
    pub const fn opposite(self) -> Dir {
        match self {
            Dir::Down => Dir::Up,
            Dir::Right => Dir::Left,
            Dir::Up => Dir::Down,
            Dir::Left => Dir::Right,
        }
    }

    /// What a step adds to row and column.
    #[inline]
    pub const fn step(self) -> Pos {
        match self {
            Dir::Down => Pos::new(1, 0),
            Dir::Right => Pos::new(0, 1),
            Dir::Up => Pos::new(-1, 0),
            Dir::Left => Pos::new(0, -1),
        }
    }
}

/// A cell of the board: row `i` from the top, column `j` from the left. It may
/// lie outside the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The row, from 0 at the top.
    pub i: i32,
    /// The column, from 0 at the left.
    pub j: i32,
}

impl Pos {
    /// Row `i`, column `j`.
    #[inline]
    pub const fn new(i: i32, j: i32) -> Pos {
        Pos { i, j }
    }

    /// Steps from here to there, if nothing is in the way.
    #[inline]
    pub const fn distance(self, other: Pos) -> i32 {
        self.i.abs_diff(other.i).saturating_add(self.j.abs_diff(other.j)) as i32
    }

    /// The place of the cell when rows are laid one after another; none off the board.
    #[inline]
    pub(crate) fn offset(self, rows: i32, cols: i32) -> Option<usize> {
        let on_board = (self.i as u32) < rows as u32 && (self.j as u32) < cols as u32;
        on_board.then(|| (self.i * cols + self.j) as usize)
    }
}

impl Add for Pos {
    type Output = Pos;

    #[inline]
    fn add(self, other: Pos) -> Pos {
        Pos::new(self.i.wrapping_add(other.i), self.j.wrapping_add(other.j))
    }
}

impl Add<Dir> for Pos {
    type Output = Pos;

    #[inline]
    fn add(self, dir: Dir) -> Pos {
        self + dir.step()
    }
}

impl AddAssign for Pos {
    fn add_assign(&mut self, other: Pos) {
        *self = *self + other;
    }
}

impl AddAssign<Dir> for Pos {
    fn add_assign(&mut self, dir: Dir) {
        *self = *self + dir;
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.i, self.j)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cells_of_the_board_have_a_place() {
        for (pos, place) in [
            (Pos::new(0, 0), Some(0)),
            (Pos::new(1, 2), Some(9)),
            (Pos::new(3, 6), Some(27)),
            (Pos::new(4, 0), None),
            (Pos::new(0, 7), None),
            (Pos::new(-1, 0), None),
            (Pos::new(0, -1), None),
            (Pos::new(i32::MAX, i32::MIN), None),
        ] {
            assert_eq!(pos.offset(4, 7), place, "{pos}");
        }
    }

    #[test]
    fn a_step_and_back_is_no_step() {
        for dir in Dir::ALL {
            assert_eq!(Pos::new(5, 5) + dir + dir.opposite(), Pos::new(5, 5));
            assert_eq!(Dir::from_number(dir.index() as i32), Some(dir));
        }
        assert_eq!(Dir::from_number(-1), None);
        assert_eq!(Dir::from_number(4), None);
        assert_eq!(Pos::new(i32::MAX, 0) + Dir::Down, Pos::new(i32::MIN, 0));
    }
}
