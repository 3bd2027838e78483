//! Drawing for your own eyes: cells, lines, texts and notes on units, shown by
//! `ludus view` over the board of the round in which you draw them.
//!
//! ```
//! use ludus_player::{Pos, draw};
//!
//! draw::cell(Pos { i: 3, j: 4 }, draw::OWN);
//! draw::note(7, "goes home", draw::rgb(255, 0, 0));
//! ```
//!
//! In official matches nothing of it is kept. A round has room for a thousand
//! drawings, and texts for eighty bytes.

use crate::Pos;
use crate::host;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(i32);

/// The colour of your seat.
pub const OWN: Colour = Colour(-1);

/// A colour by its parts.
pub const fn rgb(red: u8, green: u8, blue: u8) -> Colour {
    Colour((red as i32) << 16 | (green as i32) << 8 | blue as i32)
}

/// Marks a cell.
pub fn cell(at: Pos, colour: Colour) {
    host::draw(1, colour.0, [at.i, at.j, 0, 0], "");
}

/// A line from the middle of a cell to that of another.
pub fn line(from: Pos, to: Pos, colour: Colour) {
    host::draw(2, colour.0, [from.i, from.j, to.i, to.j], "");
}

/// Words that begin in a cell.
pub fn text(at: Pos, words: &str, colour: Colour) {
    host::draw(3, colour.0, [at.i, at.j, 0, 0], words);
}

/// Words beside a unit.
pub fn note(unit: i32, words: &str, colour: Colour) {
    host::draw(4, colour.0, [unit, 0, 0, 0], words);
}
