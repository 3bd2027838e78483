//! Positions, directions and grids.

/// A cell of the board: row `i` from the top, column `j` from the left. It may
/// lie outside the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    pub i: i32,
    pub j: i32,
}

impl Pos {
    pub const fn new(i: i32, j: i32) -> Self {
        Pos { i, j }
    }

    /// Manhattan distance.
    pub fn distance(self, other: Pos) -> i32 {
        (self.i - other.i).abs() + (self.j - other.j).abs()
    }
}

impl std::ops::Add<(i32, i32)> for Pos {
    type Output = Pos;

    #[inline]
    fn add(self, (di, dj): (i32, i32)) -> Pos {
        Pos::new(self.i + di, self.j + dj)
    }
}

/// The four directions, in the numbering that players use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dir4 {
    Down,
    Right,
    Up,
    Left,
}

impl Dir4 {
    pub const ALL: [Dir4; 4] = [Dir4::Down, Dir4::Right, Dir4::Up, Dir4::Left];

    pub fn from_number(number: i32) -> Option<Dir4> {
        usize::try_from(number).ok().and_then(|n| Dir4::ALL.get(n).copied())
    }

    pub const fn step(self) -> (i32, i32) {
        match self {
            Dir4::Down => (1, 0),
            Dir4::Right => (0, 1),
            Dir4::Up => (-1, 0),
            Dir4::Left => (0, -1),
        }
    }

    /// Eighths of a turn clockwise from up, as scenes count.
    pub const fn heading(self) -> i32 {
        (12 - 2 * self as i32) % 8
    }
}

/// The eight directions, counter-clockwise from below, in the numbering that
/// players use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dir8 {
    Down,
    DownRight,
    Right,
    UpRight,
    Up,
    UpLeft,
    Left,
    DownLeft,
}

impl Dir8 {
    pub const ALL: [Dir8; 8] =
        [Dir8::Down, Dir8::DownRight, Dir8::Right, Dir8::UpRight, Dir8::Up, Dir8::UpLeft, Dir8::Left, Dir8::DownLeft];

    pub fn from_number(number: i32) -> Option<Dir8> {
        usize::try_from(number).ok().and_then(|n| Dir8::ALL.get(n).copied())
    }

    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    pub const fn step(self) -> (i32, i32) {
        match self {
            Dir8::Down => (1, 0),
            Dir8::DownRight => (1, 1),
            Dir8::Right => (0, 1),
            Dir8::UpRight => (-1, 1),
            Dir8::Up => (-1, 0),
            Dir8::UpLeft => (-1, -1),
            Dir8::Left => (0, -1),
            Dir8::DownLeft => (1, -1),
        }
    }

    /// Eighths of a turn clockwise from up, as scenes count.
    pub const fn heading(self) -> i32 {
        (12 - self as i32) % 8
    }
}

/// A rectangle of cells, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    rows: i32,
    cols: i32,
    cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    pub fn new(rows: i32, cols: i32, cell: T) -> Self {
        Grid { rows, cols, cells: vec![cell; rows as usize * cols as usize] }
    }

    pub fn rows(&self) -> i32 {
        self.rows
    }

    pub fn cols(&self) -> i32 {
        self.cols
    }

    #[inline]
    pub fn contains(&self, pos: Pos) -> bool {
        (pos.i as u32) < self.rows as u32 && (pos.j as u32) < self.cols as u32
    }

    /// The cell, if the position is on the board.
    #[inline]
    pub fn get(&self, pos: Pos) -> Option<T> {
        self.contains(pos).then(|| self.cells[self.offset(pos)])
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    pub fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    pub fn row(&self, i: i32) -> &[T] {
        let start = i as usize * self.cols as usize;
        &self.cells[start..start + self.cols as usize]
    }

    pub fn fill(&mut self, cell: T) {
        self.cells.fill(cell);
    }

    /// Where a position on the board stands in [`Grid::cells`].
    #[inline]
    pub fn offset(&self, pos: Pos) -> usize {
        debug_assert!(self.contains(pos), "{pos:?} is outside the board");
        pos.i as usize * self.cols as usize + pos.j as usize
    }

    /// The position of a cell of [`Grid::cells`].
    pub fn pos(&self, offset: usize) -> Pos {
        let cols = self.cols as usize;
        Pos::new((offset / cols) as i32, (offset % cols) as i32)
    }

    /// All positions, row by row.
    pub fn positions(&self) -> impl Iterator<Item = Pos> + use<T> {
        let (rows, cols) = (self.rows, self.cols);
        (0..rows).flat_map(move |i| (0..cols).map(move |j| Pos::new(i, j)))
    }
}

impl<T: Copy> std::ops::Index<Pos> for Grid<T> {
    type Output = T;

    #[inline]
    fn index(&self, pos: Pos) -> &T {
        &self.cells[self.offset(pos)]
    }
}

impl<T: Copy> std::ops::IndexMut<Pos> for Grid<T> {
    #[inline]
    fn index_mut(&mut self, pos: Pos) -> &mut T {
        let offset = self.offset(pos);
        &mut self.cells[offset]
    }
}

/// Whether all cells for which `open` holds are one region under steps up,
/// down, left and right. No open cell at all is no region.
pub fn connected<T: Copy>(grid: &Grid<T>, open: impl Fn(T) -> bool) -> bool {
    let mut unseen: Vec<bool> = grid.cells.iter().map(|&cell| open(cell)).collect();
    let Some(start) = unseen.iter().position(|&cell| cell) else {
        return false;
    };
    let (rows, cols) = (grid.rows as usize, grid.cols as usize);
    let mut left = unseen.iter().filter(|&&cell| cell).count();
    let mut border = vec![start];
    unseen[start] = false;
    while let Some(at) = border.pop() {
        left -= 1;
        let (i, j) = (at / cols, at % cols);
        let mut visit = |inside: bool, next: usize| {
            if inside && unseen[next] {
                unseen[next] = false;
                border.push(next);
            }
        };
        visit(i + 1 < rows, at + cols);
        visit(j + 1 < cols, at + 1);
        visit(i > 0, at.wrapping_sub(cols));
        visit(j > 0, at.wrapping_sub(1));
    }
    left == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_by_number() {
        assert_eq!(Dir4::from_number(3), Some(Dir4::Left));
        assert_eq!(Dir4::from_number(4), None);
        assert_eq!(Dir4::from_number(-1), None);
        assert_eq!(Dir8::from_number(7), Some(Dir8::DownLeft));
        assert_eq!(Dir8::from_number(8), None);
        assert_eq!(Dir4::ALL.map(Dir4::heading), [4, 2, 0, 6]);
        assert_eq!(Dir8::ALL.map(Dir8::heading), [4, 3, 2, 1, 0, 7, 6, 5]);
        assert!(Dir8::UpRight.is_diagonal() && !Dir8::Up.is_diagonal());
    }

    #[test]
    fn positions_outside() {
        let grid = Grid::new(2, 3, 0u8);
        for pos in [Pos::new(-1, 0), Pos::new(0, -1), Pos::new(2, 0), Pos::new(0, 3)] {
            assert_eq!(grid.get(pos), None);
        }
        assert!(grid.positions().enumerate().all(|(k, pos)| grid.offset(pos) == k && grid.pos(k) == pos));
    }

    #[test]
    fn regions() {
        let mut grid = Grid::new(3, 3, true);
        assert!(connected(&grid, |open| open));
        for j in 0..3 {
            grid[Pos::new(1, j)] = false;
        }
        assert!(!connected(&grid, |open| open));
        grid.fill(false);
        assert!(!connected(&grid, |open| open));
    }
}
