//! The ground: walls, painted cells and the quadrants where units are born.

use crate::record::read_row;
use crate::tokens::{Result, Tokens};
use crate::{Grid, Pos, Seat};

/// A wall, or the colour of an open cell, as the letter of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell(u8);

impl Cell {
    pub const WALL: Cell = Cell(b'X');
    pub const UNOWNED: Cell = Cell(b'.');

    #[inline]
    pub const fn owned_by(team: Seat) -> Cell {
        Cell(b'0' + team.index() as u8)
    }

    #[inline]
    pub fn is_wall(self) -> bool {
        self == Cell::WALL
    }

    #[inline]
    pub fn owner(self) -> Option<Seat> {
        Seat::ALL.get(usize::from(self.0.wrapping_sub(b'0'))).copied()
    }

    fn from_letter(letter: u8) -> Option<Cell> {
        matches!(letter, b'X' | b'.' | b'0'..=b'3').then_some(Cell(letter))
    }
}

impl From<Cell> for u8 {
    #[inline]
    fn from(cell: Cell) -> u8 {
        cell.0
    }
}

/// Reads a board as configs give it and states of a record begin with it.
pub fn read(tokens: &mut Tokens, side: i32) -> Result<Grid<Cell>> {
    let mut cells = Grid::new(side, side, Cell::UNOWNED);
    for i in 0..side {
        read_row(tokens, i, side, |pos, letter| {
            cells[pos] = Cell::from_letter(letter).ok_or("one of X . 0 1 2 3")?;
            Ok(())
        })?;
    }
    Ok(cells)
}

/// The board with nothing but walls on its border.
pub fn blank(side: i32) -> Grid<Cell> {
    let mut cells = Grid::new(side, side, Cell::UNOWNED);
    for k in 0..side {
        for pos in [Pos::new(0, k), Pos::new(side - 1, k), Pos::new(k, 0), Pos::new(k, side - 1)] {
            cells[pos] = Cell::WALL;
        }
    }
    cells
}

/// The square in which the units of a team are born. Between two quadrants
/// there are three lines where nobody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quadrant {
    pub first: Pos,
    pub last: Pos,
}

impl Quadrant {
    pub fn of(team: Seat, side: i32) -> Self {
        let low = (1, side / 2 - 2);
        let high = (side / 2 + 2, side - 2);
        let rows = if matches!(team.index(), 0 | 3) { low } else { high };
        let cols = if matches!(team.index(), 0 | 1) { low } else { high };
        Quadrant { first: Pos::new(rows.0, cols.0), last: Pos::new(rows.1, cols.1) }
    }

    /// How many cells a quadrant has.
    pub fn cells(side: i32) -> i32 {
        (side / 2 - 2) * (side / 2 - 2)
    }
}

/// The cells at Manhattan distance at most `radius` from one.
pub struct Diamond<const N: usize> {
    radius: i32,
    steps: [(i32, i32); N],
}

impl<const N: usize> Diamond<N> {
    pub const fn new(radius: i32) -> Self {
        let mut steps = [(0, 0); N];
        let mut count = 0;
        let mut i = -radius;
        while i <= radius {
            let width = radius - i.abs();
            let mut j = -width;
            while j <= width {
                steps[count] = (i, j);
                count += 1;
                j += 1;
            }
            i += 1;
        }
        assert!(count == N, "a diamond has 2 r (r + 1) + 1 cells");
        Diamond { radius, steps }
    }

    pub const fn radius(&self) -> i32 {
        self.radius
    }

    /// How many they are, far from the border.
    pub const fn cells(&self) -> i32 {
        N as i32
    }

    /// Visits those that are on the board, row by row, as offsets in a grid.
    /// A closure, because witches ask so often that an iterator would show.
    #[inline]
    pub fn for_each(&self, centre: Pos, side: i32, mut visit: impl FnMut(usize)) {
        let base = centre.i * side + centre.j;
        // One comparison each, with what is negative far beyond the side.
        let is_inside = |k: i32, margin: i32| ((k - margin) as u32) < (side - 2 * margin) as u32;
        if is_inside(centre.i, self.radius) && is_inside(centre.j, self.radius) {
            self.steps.iter().for_each(|&(di, dj)| visit((base + di * side + dj) as usize));
            return;
        }
        for &(di, dj) in &self.steps {
            if is_inside(centre.i + di, 0) && is_inside(centre.j + dj, 0) {
                visit((base + di * side + dj) as usize);
            }
        }
    }
}
