//! Boards made from the seed: scattered pillars, or hedges that grow and bend.
//! Boards of rooms have a file of their own.

use super::board::{Cell, blank};
use crate::tokens::{Result, TextError};
use crate::{Dir8, Generator, Grid, Pos, connected};

/// `GENERATOR1`: pillars of one cell that do not touch each other.
pub fn pillars(side: i32, least: i32, most: Option<i32>, generator: &mut Generator) -> Result<Grid<Cell>> {
    let mut cells = blank(side);
    let wanted = most.map_or(least, |most| generator.random(least, most));
    let mut left = wanted;
    let mut misses = 0u32;
    while left > 0 {
        let i = generator.random(2, side - 3);
        let pos = Pos::new(i, generator.random(2, side - 3));
        if stands_free(&cells, pos) {
            cells[pos] = Cell::WALL;
            left -= 1;
            misses = 0;
            continue;
        }
        misses += 1;
        // The reference would go on for ever; looking now and then is enough.
        if misses >= 64 && misses.is_power_of_two() && !cells.positions().any(|pos| stands_free(&cells, pos)) {
            return Err(TextError::whole(format!(
                "GENERATOR1 finds no room for {wanted} walls on a board of {side} rows; ask for fewer"
            )));
        }
    }
    Ok(cells)
}

/// Whether neither the cell nor any of its neighbours is a wall or outside.
fn stands_free(cells: &Grid<Cell>, pos: Pos) -> bool {
    is_open(cells, pos) && Dir8::ALL.iter().all(|dir| is_open(cells, pos + dir.step()))
}

fn is_open(cells: &Grid<Cell>, pos: Pos) -> bool {
    cells.get(pos).is_some_and(|cell| !cell.is_wall())
}

/// How often hedges that cut the board in two are planted anew. None has been
/// seen on boards of the default size.
const ATTEMPTS: usize = 1000;

/// `GENERATOR2`: hedges that grow from a seed cell, straight on or turning,
/// and keep their distance from each other.
pub fn hedges(side: i32, generator: &mut Generator) -> Result<Grid<Cell>> {
    for _ in 0..ATTEMPTS {
        let mut garden = Garden::new(side);
        while garden.candidates > 0 {
            garden.plant(generator);
        }
        garden.close_diagonals(generator);
        if connected(&garden.cells, |cell| !cell.is_wall()) {
            return Ok(garden.cells);
        }
    }
    Err(TextError::whole(format!("GENERATOR2 finds no board of {side} rows in one piece with this seed")))
}

struct Garden {
    cells: Grid<Cell>,
    /// Hedge cells in the square of radius [`Garden::CLEARANCE`] around each
    /// cell. Counts are kept because a hedge also loses cells.
    crowding: Grid<u8>,
    /// Cells that may become the seed of a hedge: in all, and in each row.
    candidates: i32,
    candidates_in: Vec<i32>,
}

impl Garden {
    const CLEARANCE: i32 = 4;
    /// What pruning leaves free around a hedge.
    const GAP: i32 = 3;
    const LONGEST: usize = 15;

    fn new(side: i32) -> Self {
        // Nearer to the border its wall would be in the square.
        let (first, last) = (Garden::CLEARANCE + 1, side - Garden::CLEARANCE - 2);
        let in_row = last - first + 1;
        let candidates_in = (0..side).map(|i| if (first..=last).contains(&i) { in_row } else { 0 }).collect();
        Garden { cells: blank(side), crowding: Grid::new(side, side, 0), candidates: in_row * in_row, candidates_in }
    }

    /// One hedge: a seed, up to fifteen more cells, then pruning.
    fn plant(&mut self, generator: &mut Generator) {
        let mut pos = self.candidate(generator.random(0, self.candidates - 1));
        let mut hedge = vec![pos];
        self.set_wall(pos);
        let mut dir = 2 * generator.random(0, 4);
        for _ in 0..Garden::LONGEST {
            let mut ways = [0; 3];
            let mut count = 0;
            for way in [dir, (dir + 2) % 8, (dir + 6) % 8] {
                if Dir8::from_number(way).is_some_and(|way| self.can_grow(pos, way)) {
                    ways[count] = way;
                    count += 1;
                }
            }
            if count == 0 {
                break;
            }
            dir = ways[generator.random(0, count as i32 - 1) as usize];
            pos = pos + Dir8::ALL[dir as usize].step();
            self.set_wall(pos);
            hedge.push(pos);
        }
        let pruned: Vec<Pos> = hedge.iter().copied().filter(|&pos| self.is_close_to_another(pos, &hedge)).collect();
        pruned.into_iter().for_each(|pos| self.remove_wall(pos));
    }

    /// The candidate with this number, counting row by row.
    fn candidate(&self, number: i32) -> Pos {
        let mut left = number;
        for i in 0..self.cells.rows() {
            let here = self.candidates_in[i as usize];
            if left < here {
                let (first, last) = (Garden::CLEARANCE + 1, self.cells.cols() - Garden::CLEARANCE - 2);
                let row = &self.crowding.row(i)[first as usize..=last as usize];
                let mut candidates = (first..).zip(row).filter(|(_, crowding)| **crowding == 0);
                let (j, _) = candidates.nth(left as usize).expect("the row has that many candidates");
                return Pos::new(i, j);
            }
            left -= here;
        }
        unreachable!("the number is below that of all candidates")
    }

    /// Whether a hedge that ends at `pos` can go on: there is room ahead and
    /// on both sides of the next cell.
    fn can_grow(&self, pos: Pos, dir: Dir8) -> bool {
        let (left, right) = (turned(dir, 2), turned(dir, 6));
        let next = pos + dir.step();
        let ahead = next + dir.step();
        self.is_clear(next, dir)
            && self.is_clear(next, left)
            && self.is_clear(next, right)
            && is_open(&self.cells, ahead + right.step())
            && is_open(&self.cells, ahead + left.step())
    }

    /// Whether the five cells from `pos` on are open.
    fn is_clear(&self, pos: Pos, dir: Dir8) -> bool {
        let (di, dj) = dir.step();
        (0..5).all(|k| is_open(&self.cells, pos + (k * di, k * dj)))
    }

    fn set_wall(&mut self, pos: Pos) {
        self.cells[pos] = Cell::WALL;
        self.crowd(pos, |crowding| {
            *crowding += 1;
            if *crowding == 1 { -1 } else { 0 }
        });
    }

    fn remove_wall(&mut self, pos: Pos) {
        self.cells[pos] = Cell::UNOWNED;
        self.crowd(pos, |crowding| {
            *crowding -= 1;
            if *crowding == 0 { 1 } else { 0 }
        });
    }

    /// Changes the crowding around `pos`, with what each change adds to the
    /// number of candidates.
    fn crowd(&mut self, pos: Pos, mut change: impl FnMut(&mut u8) -> i32) {
        let (first, last) = (Garden::CLEARANCE + 1, self.cells.rows() - Garden::CLEARANCE - 2);
        let within = |k: i32| (k - Garden::CLEARANCE).max(first)..=(k + Garden::CLEARANCE).min(last);
        for i in within(pos.i) {
            let cols = within(pos.j);
            let (start, end) = (Pos::new(i, *cols.start()), Pos::new(i, *cols.end()));
            let row = self.crowding.offset(start)..=self.crowding.offset(end);
            let more: i32 = self.crowding.cells_mut()[row].iter_mut().map(&mut change).sum();
            self.candidates_in[i as usize] += more;
            self.candidates += more;
        }
    }

    /// Whether a cell of a hedge is near a wall that is not of the hedge.
    fn is_close_to_another(&self, pos: Pos, hedge: &[Pos]) -> bool {
        let within = |k: i32| (k - Garden::GAP).max(0)..(k + Garden::GAP + 1).min(self.cells.rows());
        let cols = within(pos.j);
        within(pos.i).any(|i| {
            let row = &self.cells.row(i)[cols.start as usize..cols.end as usize];
            row.iter().zip(cols.start..).any(|(cell, j)| cell.is_wall() && !hedge.contains(&Pos::new(i, j)))
        })
    }

    /// Fills one of the two gaps wherever walls touch only by their corners.
    /// Earlier fillings count for later squares.
    fn close_diagonals(&mut self, generator: &mut Generator) {
        for i in 1..=self.cells.rows() - 4 {
            for j in 1..=self.cells.cols() - 4 {
                let falling = [Pos::new(i, j), Pos::new(i + 1, j + 1)];
                let rising = [Pos::new(i, j + 1), Pos::new(i + 1, j)];
                self.close_diagonal(falling, rising, generator);
                self.close_diagonal(rising, falling, generator);
            }
        }
    }

    fn close_diagonal(&mut self, walls: [Pos; 2], gaps: [Pos; 2], generator: &mut Generator) {
        let touch = walls.iter().all(|&pos| self.cells[pos].is_wall());
        if touch && !gaps.iter().any(|&pos| self.cells[pos].is_wall()) {
            let [upper, lower] = gaps;
            self.cells[if generator.random(0, 1) == 1 { upper } else { lower }] = Cell::WALL;
        }
    }
}

fn turned(dir: Dir8, eighths: usize) -> Dir8 {
    Dir8::ALL[(dir as usize + eighths) % 8]
}
