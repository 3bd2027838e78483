//! The ground: cells, rivers and the rectangles in which food grows.

use std::ops::Range;

use super::settings::Settings;
use crate::record::read_board;
use crate::text::WriteText;
use crate::tokens::{Result, TextError, Tokens};
use crate::{Grid, PerSeat, Pos, Seat};

/// What is on a cell besides an ant. The values are the letters of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    Soil = b'.',
    Water = b'W',
    Bread = b'B',
    Seed = b'S',
    Leaf = b'L',
}

impl Cell {
    pub(super) fn from_letter(letter: u8) -> Option<Cell> {
        Some(match letter {
            b'.' => Cell::Soil,
            b'W' => Cell::Water,
            b'B' => Cell::Bread,
            b'S' => Cell::Seed,
            b'L' => Cell::Leaf,
            _ => return None,
        })
    }

    #[inline]
    pub fn food(self) -> Option<Food> {
        match self {
            Cell::Bread => Some(Food::Bread),
            Cell::Seed => Some(Food::Seed),
            Cell::Leaf => Some(Food::Leaf),
            Cell::Soil | Cell::Water => None,
        }
    }
}

impl From<Cell> for u8 {
    fn from(cell: Cell) -> u8 {
        cell as u8
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Food {
    Bread,
    Seed,
    Leaf,
}

impl Food {
    pub const ALL: [Food; 3] = [Food::Bread, Food::Seed, Food::Leaf];

    /// Soil with this food on it.
    pub fn on_soil(self) -> Cell {
        match self {
            Food::Bread => Cell::Bread,
            Food::Seed => Cell::Seed,
            Food::Leaf => Cell::Leaf,
        }
    }
}

/// A board before the ants come.
#[derive(Clone, Debug)]
pub struct Board {
    pub cells: Grid<Cell>,
    pub terrain: Terrain,
}

/// What never changes, besides water. Players do not see it; records show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terrain {
    /// Only written and drawn: water is what the cells say.
    pub rivers: Vec<Vec<Pos>>,
    /// Top left corners of the rectangles in which food grows, by kind of food.
    pub corners: [PerSeat<Pos>; 3],
}

impl Terrain {
    /// Rivers and corners as records write them.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        text.text("\nrivers\n");
        text.int(self.rivers.len() as i64);
        text.text("\n");
        for river in &self.rivers {
            text.text("\t");
            text.int(river.len() as i64);
            text.text("\n");
            for cell in river {
                text.text("\t\t");
                write_pair(*cell, &mut text);
            }
        }
        for (kind, corners) in ["bread", "seed", "leaf"].into_iter().zip(&self.corners) {
            text.text("\n");
            text.text(kind);
            text.text("\n");
            corners.iter().for_each(|corner| write_pair(*corner, &mut text));
        }
        text
    }

    /// Every rectangle must lie in the quadrant of its seat.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        let (rows, cols) = (settings.rows, settings.cols);
        let empty = match settings.bonus_rows.min(settings.bonus_cols) {
            0 => "; one of 0 rows or columns may not begin at the edge of the board either",
            _ => "",
        };
        for (kind, corners) in ["bread", "seed", "leaf"].into_iter().zip(&self.corners) {
            for (seat, &Pos { i, j }) in Seat::ALL.into_iter().zip(corners) {
                let in_rows = if seat.index() < 2 { 0..rows / 2 } else { rows / 2..rows };
                let in_cols = if matches!(seat.index(), 0 | 3) { 0..cols / 2 } else { cols / 2..cols };
                if !(fits(i, settings.bonus_rows, &in_rows, rows) && fits(j, settings.bonus_cols, &in_cols, cols)) {
                    return Err(TextError::whole(format!(
                        "the {kind} rectangle of player {seat}, {} by {} cells from ({i}, {j}), is not within rows {} to {} and columns {} to {}{empty}",
                        settings.bonus_rows,
                        settings.bonus_cols,
                        in_rows.start,
                        in_rows.end - 1,
                        in_cols.start,
                        in_cols.end - 1
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Whether a rectangle that begins at `first` and has `size` rows or columns is
/// on the board and in its half of it. Nothing else is asked of one of size 0,
/// which ends before it begins and may do so in the other half.
fn fits(first: i32, size: i32, half: &Range<i32>, board: i32) -> bool {
    let Some(last) = first.checked_add(size - 1) else { return false };
    let in_half = if half.start == 0 { last < half.end } else { first >= half.start };
    (0..board).contains(&first) && (0..board).contains(&last) && in_half
}

fn write_pair(pos: Pos, out: &mut Vec<u8>) {
    out.int(pos.i);
    out.text("\t");
    out.int(pos.j);
    out.text("\n");
}

/// Reads a board as configs give it and states of a record begin with it.
pub fn read(tokens: &mut Tokens, settings: &Settings) -> Result<Board> {
    let mut cells = Grid::new(settings.rows, settings.cols, Cell::Soil);
    read_board(tokens, settings.rows, settings.cols, |pos, letter| {
        cells[pos] = Cell::from_letter(letter).ok_or("one of . W B S L")?;
        Ok(())
    })?;
    tokens.expect("rivers")?;
    let mut rivers = Vec::new();
    for _ in 0..tokens.int_in("the number of rivers", 0..=i32::MAX)? {
        let mut river = Vec::new();
        for _ in 0..tokens.int_in("the number of cells of a river", 0..=i32::MAX)? {
            river.push(read_pair(tokens)?);
        }
        rivers.push(river);
    }
    let mut corners = [[Pos::default(); Seat::COUNT]; 3];
    for (kind, corners) in ["bread", "seed", "leaf"].into_iter().zip(&mut corners) {
        tokens.expect(kind)?;
        for corner in corners {
            *corner = read_pair(tokens)?;
        }
    }
    Ok(Board { cells, terrain: Terrain { rivers, corners } })
}

fn read_pair(tokens: &mut Tokens) -> Result<Pos> {
    Ok(Pos::new(tokens.int("a row")?, tokens.int("a column")?))
}
