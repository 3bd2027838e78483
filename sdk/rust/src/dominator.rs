//! Dominator: four armies of farmers, knights and witches paint a board with
//! walls. One point per cell of the own colour and round.
//!
//! Whatever its real seat, a player sees itself in seat 0, with its quadrant
//! at the top left: the board is turned for it, and so are its orders.

use std::ffi::CStr;
use std::ops::{Add, AddAssign};

use crate::buffer::Reader;
use crate::game::Rules;
use crate::numbered::numbered;
use crate::random::CommonRandom;

#[doc(inline)]
pub use crate::dominator_player as player;
pub use crate::{Pos, Seat, log, ludus_param};

/// A player of Dominator.
pub trait Player {
    /// Makes the player, once, when the board of round 0 can be seen.
    fn new(game: &Game) -> Self;

    /// Gives the orders of a round.
    fn play(&mut self, game: &Game);
}

/// `player!(Type, "Name")` makes a type that implements [`Player`](trait@Player)
/// the player of this file. The name has at most 12 bytes.
#[macro_export]
macro_rules! dominator_player {
    ($player:ty, $name:literal) => {
        $crate::export_player!($crate::dominator::Dominator, $crate::dominator::Player, $player, $name);
    };
}

/// A match of Dominator, at the beginning of a round.
pub type Game = crate::game::Game<Dominator>;

numbered! {
    /// The eight directions, counter-clockwise. Farmers and witches take only
    /// those with an even number.
    Dir {
        /// To the next row.
        Down,
        /// To the next row and column.
        DownRight,
        /// To the next column.
        Right,
        /// To the row before and the next column.
        UpRight,
        /// To the row before.
        Up,
        /// To the row and column before.
        UpLeft,
        /// To the column before.
        Left,
        /// To the next row and the column before.
        DownLeft,
    }
}

impl Dir {
    /// The four directions of farmers and witches.
    pub const STRAIGHT: [Dir; 4] = [Dir::Down, Dir::Right, Dir::Up, Dir::Left];

    /// Whether only knights can take it.
    pub const fn is_diagonal(self) -> bool {
        self as u8 % 2 == 1
    }

    /// The way back.
    pub const fn opposite(self) -> Dir {
        Dir::ALL[(self as usize + 4) % 8]
    }

    /// What a step adds to row and column.
    #[inline]
    pub const fn step(self) -> Pos {
        match self {
            Dir::Down => Pos::new(1, 0),
            Dir::DownRight => Pos::new(1, 1),
            Dir::Right => Pos::new(0, 1),
            Dir::UpRight => Pos::new(-1, 1),
            Dir::Up => Pos::new(-1, 0),
            Dir::UpLeft => Pos::new(-1, -1),
            Dir::Left => Pos::new(0, -1),
            Dir::DownLeft => Pos::new(1, -1),
        }
    }
}

impl Add<Dir> for Pos {
    type Output = Pos;

    #[inline]
    fn add(self, dir: Dir) -> Pos {
        self + dir.step()
    }
}

impl AddAssign<Dir> for Pos {
    fn add_assign(&mut self, dir: Dir) {
        *self = *self + dir;
    }
}

numbered! {
    /// What a unit is, for ever: farmers paint, knights fight, witches haunt.
    Kind { Farmer, Knight, Witch }
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// No unit can be on a wall.
    pub is_wall: bool,
    /// Whose colour it has.
    pub owner: Option<Seat>,
    /// The id of the unit that is here.
    pub unit: Option<i32>,
    /// Whether an active witch is at distance 2 or less, which kills farmers
    /// and knights.
    pub is_haunted: bool,
}

impl Cell {
    /// Whether a unit can step here.
    pub fn is_open(self) -> bool {
        !self.is_wall && self.unit.is_none()
    }
}

/// A farmer, a knight or a witch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// It never changes.
    pub id: i32,
    /// It never changes either.
    pub kind: Kind,
    /// Whose unit it is. Farmers and knights change sides when they are captured.
    pub seat: Seat,
    /// Where it is.
    pub pos: Pos,
    /// What is left before it is captured; -1 for witches, who cannot be.
    pub health: i32,
    /// Whether a witch haunts the cells around her: there is no other witch near.
    pub is_active: bool,
}

/// What the config of the match says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rounds of the match.
    pub rounds: i32,
    /// Farmers of each player at the beginning.
    pub farmers: i32,
    /// Knights of each player at the beginning.
    pub knights: i32,
    /// Witches of each player.
    pub witches: i32,
    /// The most health that a farmer has.
    pub farmer_health: i32,
    /// The most health that a knight has.
    pub knight_health: i32,
    /// What a farmer without an order gains in a round.
    pub farmer_regen: i32,
    /// What a knight without an order gains in a round.
    pub knight_regen: i32,
    /// The least that an attack takes.
    pub damage_min: i32,
    /// The most that an attack takes.
    pub damage_max: i32,
    /// Rows of the board.
    pub rows: i32,
    /// Columns of the board, as many as rows.
    pub cols: i32,
}

impl Settings {
    /// Whether a position is on the board.
    pub fn contains(&self, pos: Pos) -> bool {
        self.place(pos).is_some()
    }

    #[inline]
    fn place(&self, pos: Pos) -> Option<usize> {
        pos.offset(self.rows, self.cols)
    }

    fn area(&self) -> usize {
        (self.rows * self.cols) as usize
    }
}

/// The rules of Dominator, as far as a player has to do with them.
#[derive(Debug)]
pub struct Dominator;

impl Rules for Dominator {
    const ID: &'static CStr = c"dominator";
    const UNIT: &'static str = "unit";
    type Settings = Settings;
    type Random = CommonRandom;

    fn read_settings(reader: &mut Reader<'_>) -> Settings {
        reader.skip(); // The number of players.
        Settings {
            rounds: reader.int(),
            farmers: reader.int(),
            knights: reader.int(),
            witches: reader.int(),
            farmer_health: reader.int(),
            knight_health: reader.int(),
            farmer_regen: reader.int(),
            knight_regen: reader.int(),
            damage_min: reader.int(),
            damage_max: reader.int(),
            rows: reader.int(),
            cols: reader.int(),
        }
    }

    fn seat_seen(_seat: Seat) -> Seat {
        Seat::ALL[0]
    }
}

/// Where things are in the buffer: in 32-bit integers, 64-bit numbers and bytes.
const ROUND: usize = 0;
const UNITS: usize = 1;
const LAND: usize = 2;
const SCORES: usize = 6;
const STATUSES: usize = 5;
const LIST_ENDS: usize = 18;
const CELLS: usize = 128;

/// What the byte of a cell holds.
const OWNER: u8 = 0x0f;
const WALL: u8 = 0x10;
const HAUNTED: u8 = 0x20;

/// The direction of an order to stay.
const STAY: i32 = 8;

/// A unit in the buffer.
type UnitWords = [i32; 7];

impl Game {
    /// The round about to be played, from 0.
    #[inline]
    pub fn round(&self) -> i32 {
        self.buffer.ints()[ROUND]
    }

    /// The number of cells of a seat's colour.
    #[inline]
    pub fn land(&self, seat: Seat) -> i32 {
        self.buffer.ints()[LAND + seat.index()]
    }

    /// The points of a seat.
    #[inline]
    pub fn score(&self, seat: Seat) -> i32 {
        self.buffer.ints()[SCORES + seat.index()]
    }

    /// The share of its CPU time that a seat has used, from 0 to 1; negative
    /// if it is frozen.
    #[inline]
    pub fn status(&self, seat: Seat) -> f64 {
        self.buffer.reals()[STATUSES + seat.index()]
    }

    /// The cell, if the position is on the board.
    #[inline]
    pub fn cell(&self, pos: Pos) -> Option<Cell> {
        let place = self.settings.place(pos)?;
        let code = self.buffer.bytes()[CELLS + place];
        let unit = self.buffer.ints()[self.ids_at() + place];
        Some(Cell {
            is_wall: code & WALL != 0,
            owner: Seat::from_number(i32::from(code & OWNER) - 1),
            unit: (unit >= 0).then_some(unit),
            is_haunted: code & HAUNTED != 0,
        })
    }

    /// The unit with this id, whosever it is.
    #[inline]
    pub fn unit(&self, id: i32) -> Option<Unit> {
        self.unit_words().get(id as u32 as usize).map(unit)
    }

    /// The unit on a cell.
    #[inline]
    pub fn unit_at(&self, pos: Pos) -> Option<Unit> {
        self.unit(self.cell(pos)?.unit?)
    }

    /// All units, by increasing id.
    pub fn units(&self) -> impl Iterator<Item = Unit> + Clone {
        self.unit_words().iter().map(unit)
    }

    /// The farmers of a seat, by increasing id.
    pub fn farmers(&self, seat: Seat) -> impl Iterator<Item = Unit> + Clone {
        self.units_of(seat, Kind::Farmer)
    }

    /// The knights of a seat, by increasing id.
    pub fn knights(&self, seat: Seat) -> impl Iterator<Item = Unit> + Clone {
        self.units_of(seat, Kind::Knight)
    }

    /// The witches of a seat, by increasing id.
    pub fn witches(&self, seat: Seat) -> impl Iterator<Item = Unit> + Clone {
        self.units_of(seat, Kind::Witch)
    }

    /// Orders a unit to step to the next cell; a knight attacks a rival farmer
    /// or knight that is there.
    #[inline]
    pub fn move_unit(&self, id: i32, dir: Dir) {
        self.order([id, dir as i32]);
    }

    /// Orders a unit to stay, which is the same as no order.
    #[inline]
    pub fn stay(&self, id: i32) {
        self.order([id, STAY]);
    }

    fn units_of(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = Unit> + Clone {
        let list = LIST_ENDS + 3 * seat.index() + kind.index();
        let ints = self.buffer.ints();
        let start = if list == LIST_ENDS { 0 } else { ints[list - 1] };
        let lists = self.ids_at() + self.settings.area();
        let ids = &ints[lists + start as usize..lists + ints[list] as usize];
        let units = self.unit_words();
        ids.iter().map(|&id| unit(&units[id as usize]))
    }

    /// Where the ids of the units on the cells begin.
    #[inline]
    fn ids_at(&self) -> usize {
        (CELLS + self.settings.area()).div_ceil(4)
    }

    #[inline]
    fn unit_words(&self) -> &[UnitWords] {
        let ints = self.buffer.ints();
        let count = ints[UNITS] as usize;
        let (units, _) = ints[self.ids_at() + self.settings.area() + count..].as_chunks();
        &units[..count]
    }
}

#[inline]
fn unit(words: &UnitWords) -> Unit {
    let &[kind, id, seat, health, i, j, active] = words;
    Unit {
        id,
        kind: Kind::from_number(kind).unwrap_or(Kind::Farmer),
        seat: Seat::written(seat),
        pos: Pos::new(i, j),
        health,
        is_active: active != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_and_back_is_no_step() {
        for (k, dir) in Dir::ALL.into_iter().enumerate() {
            assert_eq!(Pos::new(5, 5) + dir + dir.opposite(), Pos::new(5, 5));
            assert_eq!(dir.is_diagonal(), !Dir::STRAIGHT.contains(&dir));
            assert_eq!(Dir::from_number(k as i32), Some(dir));
        }
        assert_eq!(Dir::from_number(8), None);
    }
}
