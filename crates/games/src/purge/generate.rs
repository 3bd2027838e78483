//! Boards made from the seed: five walls, then everybody and everything on
//! cells that are still empty.
//!
//! No draw is ever taken back: a board that is rejected has used up its
//! numbers of both sequences.

use super::board::{Board, Cell, Item};
use super::library_rand::LibraryRand;
use super::settings::{MOST_ROWS, Settings};
use super::state::{Citizen, Kind};
use crate::tokens::{Result, TextError};
use crate::{Dir4, Generator, Grid, Pos, Seat, connected};

/// Most boards are good at the first or second attempt. The reference has no
/// limit; this one only keeps a loop from being endless.
const MOST_ATTEMPTS: usize = 100_000;

const WALLS: i32 = 5;

/// A bit for each cell. A row fits in a word, whatever the settings.
type Bits = [u64; MOST_ROWS as usize];

/// A board and the id of the first citizen to be born on it: one is left out.
pub fn board(settings: &Settings, generator: &mut Generator) -> Result<(Board, i64)> {
    let mut board = Board { cells: buildings(settings, generator)?, citizens: Vec::new(), barricades: Vec::new() };
    for seat in Seat::ALL {
        for (kind, count) in [(Kind::Builder, settings.initial_builders), (Kind::Warrior, settings.initial_warriors)] {
            for _ in 0..count {
                let pos = empty_cell(&board.cells, generator);
                let id = board.citizens.len() as i32;
                board.citizens.push(Citizen::newborn(id, kind, seat, pos, settings));
                board.cells[pos] = Cell::Street.with_citizen(kind);
            }
        }
    }
    for (item, count) in [
        (Item::Food, settings.initial_food),
        (Item::Money, settings.initial_money),
        (Item::Gun, settings.initial_guns),
        (Item::Bazooka, settings.initial_bazookas),
    ] {
        for _ in 0..count {
            let pos = empty_cell(&board.cells, generator);
            board.cells[pos] = item.on_street();
        }
    }
    let next_id = board.citizens.len() as i64 + 1;
    Ok((board, next_id))
}

/// Settings never ask for more than there is room for, so this ends.
fn empty_cell(cells: &Grid<Cell>, generator: &mut Generator) -> Pos {
    loop {
        let i = generator.below(cells.rows() as u32) as i32;
        let pos = Pos::new(i, generator.below(cells.cols() as u32) as i32);
        if cells[pos] == Cell::Street {
            return pos;
        }
    }
}

/// Streets in one piece, and about a fifth of the cells buildings.
fn buildings(settings: &Settings, generator: &mut Generator) -> Result<Grid<Cell>> {
    let mut rand = LibraryRand::new();
    let mut cells = Grid::new(settings.rows, settings.cols, Cell::Street);
    for _ in 0..MOST_ATTEMPTS {
        let mut plan = Plan { rows: settings.rows, cols: settings.cols, walls: [0; MOST_ROWS as usize] };
        let mut remaining = settings.rows * settings.cols / 5;
        for k in (1..=WALLS).rev() {
            remaining -= plan.add_wall(remaining / k, generator, &mut rand)?;
        }
        for pos in cells.positions() {
            let is_wall = plan.walls[pos.i as usize] >> pos.j & 1 == 1;
            cells[pos] = if is_wall { Cell::Building } else { Cell::Street };
        }
        if connected(&cells, |cell| cell == Cell::Street) {
            return Ok(cells);
        }
    }
    Err(TextError::whole(format!(
        "no RANDOM board of {} rows and {} columns came out in one piece with this seed; try another one",
        settings.rows, settings.cols
    )))
}

struct Plan {
    rows: i32,
    cols: i32,
    walls: Bits,
}

impl Plan {
    /// Draws a wall of `length` cells besides its first one, or as many as fit,
    /// and says how many it has.
    fn add_wall(&mut self, length: i32, generator: &mut Generator, rand: &mut LibraryRand) -> Result<i32> {
        let mut dirs = [Dir4::Up, Dir4::Down, Dir4::Left, Dir4::Right];
        let mut last = dirs[generator.below(4) as usize];
        let mut wall: Bits = [0; MOST_ROWS as usize];
        let mut pos = self.draw_start(generator)?;
        let mut filled = 0;
        loop {
            wall[pos.i as usize] |= 1 << pos.j;
            filled += 1;
            if filled > length {
                break;
            }
            rand.shuffle(&mut dirs);
            let fits = |dir: &Dir4| self.fits(pos + dir.step(), &wall);
            let goes_on = generator.below(8) != 0;
            if !(goes_on && fits(&last)) {
                match dirs.into_iter().find(fits) {
                    Some(turn) => last = turn,
                    None => break,
                }
            }
            pos = pos + last.step();
        }
        for (all, wall) in self.walls.iter_mut().zip(wall) {
            *all |= wall;
        }
        Ok(filled)
    }

    /// A cell that touches no wall and is not on the border.
    fn draw_start(&self, generator: &mut Generator) -> Result<Pos> {
        let touches_nothing = |pos: Pos| around(&self.walls, pos) == 0;
        let inside = (1..self.rows - 1).flat_map(|i| (1..self.cols - 1).map(move |j| Pos::new(i, j)));
        // The reference would draw for ever.
        if !inside.clone().any(touches_nothing) {
            return Err(TextError::whole(format!(
                "with this seed the walls of a RANDOM board of {} rows and {} columns leave no room for one another; \
                 try another seed or a larger board",
                self.rows, self.cols
            )));
        }
        loop {
            let i = 1 + generator.below(self.rows as u32 - 2) as i32;
            let pos = Pos::new(i, 1 + generator.below(self.cols as u32 - 2) as i32);
            if touches_nothing(pos) {
                return Ok(pos);
            }
        }
    }

    /// Whether `wall`, the one being drawn, may go on to this cell: off the
    /// border, away from other walls, and without closing up on itself.
    fn fits(&self, pos: Pos, wall: &Bits) -> bool {
        (1..self.rows - 1).contains(&pos.i)
            && (1..self.cols - 1).contains(&pos.j)
            && wall[pos.i as usize] >> pos.j & 1 == 0
            && around(&self.walls, pos) == 0
            && around(wall, pos).count_ones() <= 2
    }
}

/// The bits of the cell and its eight neighbours. The cell is not on the border.
fn around(bits: &Bits, pos: Pos) -> u64 {
    let row = |i: i32| bits[i as usize] >> (pos.j - 1) & 0b111;
    row(pos.i - 1) << 6 | row(pos.i) << 3 | row(pos.i + 1)
}
