//! Harry Potter: four clans of wizards, each with a ghost, take cells, read
//! books, convert each other's wizards and cast spells, and keep away from
//! Voldemort. Points for conversions and for the cells owned at the end.

use std::ffi::CStr;
use std::ops::{Add, AddAssign};

use crate::buffer::Reader;
use crate::game::Rules;
use crate::numbered::numbered;
use crate::random::CommonRandom;

#[doc(inline)]
pub use crate::potter_player as player;
pub use crate::{Pos, Seat, log, ludus_param};

/// A player of Harry Potter.
pub trait Player {
    /// Makes the player, once, when the board of round 0 can be seen.
    fn new(game: &Game) -> Self;

    /// Gives the orders of a round.
    fn play(&mut self, game: &Game);
}

/// `player!(Type, "Name")` makes a type that implements [`Player`](trait@Player)
/// the player of this file. The name has at most 12 bytes.
#[macro_export]
macro_rules! potter_player {
    ($player:ty, $name:literal) => {
        $crate::export_player!($crate::potter::Potter, $crate::potter::Player, $player, $name);
    };
}

/// A match of Harry Potter, at the beginning of a round.
pub type Game = crate::game::Game<Potter>;

numbered! {
    /// The eight directions, counter-clockwise. Wizards take only the four of
    /// [`Dir::FOUR`].
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
    /// The directions that are not diagonal.
    pub const FOUR: [Dir; 4] = [Dir::Up, Dir::Down, Dir::Left, Dir::Right];

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
    /// What a unit is.
    Kind {
        /// Walks in four directions, fights, and may change clan.
        Wizard,
        /// Walks in eight directions, casts spells, and stays with its clan.
        Ghost,
    }
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Nothing can be on a wall.
    pub is_wall: bool,
    /// The clan that it belongs to.
    pub owner: Option<Seat>,
    /// The id of the unit that is here.
    pub unit: Option<i32>,
    /// Whether a book lies here.
    pub has_book: bool,
}

impl Cell {
    /// Whether it is corridor with neither unit nor book.
    pub fn is_empty(self) -> bool {
        !self.is_wall && self.unit.is_none() && !self.has_book
    }
}

/// A wizard or a ghost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// It keeps its id for the whole match.
    pub id: i32,
    /// Wizard or ghost.
    pub kind: Kind,
    /// The clan that it is in.
    pub seat: Seat,
    /// Where it is.
    pub pos: Pos,
    /// Rounds until a wizard in conversion changes clan, 0 for other wizards;
    /// rounds until a ghost can cast.
    pub rounds: i32,
    /// The clan that a wizard in conversion will join.
    pub joins: Option<Seat>,
    /// The round in which a ghost was last attacked.
    pub attacked: Option<i32>,
}

impl Unit {
    /// Whether it is a wizard that lost a fight and is about to change clan.
    #[inline]
    pub fn is_converting(self) -> bool {
        self.kind == Kind::Wizard && self.rounds > 0
    }
}

/// What the config of the match says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rounds of the match.
    pub rounds: i32,
    /// Rows of the board.
    pub rows: i32,
    /// Columns of the board.
    pub cols: i32,
    /// Wizards of each clan at the start.
    pub initial_wizards: i32,
    /// Books on the board.
    pub books: i32,
    /// Strength points of each clan at the start.
    pub initial_strength: i32,
    /// Points for a finished conversion.
    pub conversion_points: i32,
    /// Points for each cell owned.
    pub cell_points: i32,
    /// Strength points for a book.
    pub book_strength: i32,
    /// Rounds that a conversion takes, unless it happens at once.
    pub conversion_rounds: i32,
    /// Rest added to a ghost that is attacked.
    pub attack_rest: i32,
    /// Rest of a ghost at the start, after a spell and after meeting Voldemort.
    pub spell_rest: i32,
    /// Rounds in which an attacked ghost cannot be attacked again.
    pub attack_pause: i32,
}

impl Settings {
    /// Whether a position is on the board.
    pub fn contains(&self, pos: Pos) -> bool {
        place(pos).is_some()
    }
}

/// The rules of Harry Potter, as far as a player has to do with them.
#[derive(Debug)]
pub struct Potter;

impl Rules for Potter {
    const ID: &'static CStr = c"potter";
    const UNIT: &'static str = "unit";
    const NOTES_REPETITIONS: bool = false;
    type Settings = Settings;
    type Random = CommonRandom;

    fn read_settings(reader: &mut Reader<'_>) -> Settings {
        reader.skip(); // The number of players.
        Settings {
            rounds: reader.int(),
            rows: reader.int(),
            cols: reader.int(),
            initial_wizards: reader.int(),
            books: reader.int(),
            initial_strength: reader.int(),
            conversion_points: reader.int(),
            cell_points: reader.int(),
            book_strength: reader.int(),
            conversion_rounds: reader.int(),
            attack_rest: reader.int(),
            spell_rest: reader.int(),
            attack_pause: reader.int(),
        }
    }
}

/// All boards have so many rows and columns.
const SIDE: i32 = 60;

/// Where things are in the buffer: in 32-bit integers (bytes for cells, 64-bit
/// numbers for statuses, 16-bit integers for ids).
const ROUND: usize = 0;
const UNITS: usize = 1;
const INGREDIENTS: usize = 2;
const VOLDEMORT: usize = 4;
const STATUSES: usize = 3;
const SCORES: usize = 14;
const STRENGTHS: usize = 18;
const GHOSTS: usize = 22;
const WIZARDS: usize = 26;
const BOOKS: usize = 30;
const CELLS: usize = 600;
const IDS: usize = 2100;
const FIRST_UNIT: usize = 2850;

/// A unit in the buffer.
type UnitWords = [i32; 3];

impl Game {
    /// The round about to be played, from 0.
    #[inline]
    pub fn round(&self) -> i32 {
        self.buffer.ints()[ROUND]
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

    /// The strength points of a clan, divided by the number of its units: what
    /// decides fights.
    #[inline]
    pub fn magic_strength(&self, seat: Seat) -> i32 {
        self.buffer.ints()[STRENGTHS + seat.index()]
    }

    /// Where Voldemort is.
    #[inline]
    pub fn voldemort(&self) -> Pos {
        let ints = self.buffer.ints();
        Pos::new(ints[VOLDEMORT], ints[VOLDEMORT + 1])
    }

    /// The cell, if the position is on the board.
    #[inline]
    pub fn cell(&self, pos: Pos) -> Option<Cell> {
        let place = place(pos)?;
        let letter = self.buffer.bytes()[CELLS + place];
        let unit = self.buffer.shorts()[IDS + place];
        let books = self.buffer.ints()[BOOKS + 2 * pos.i as usize + pos.j as usize / 32];
        Some(Cell {
            is_wall: letter == b'W',
            owner: Seat::from_number(i32::from(letter) - i32::from(b'0')),
            unit: (unit >= 0).then_some(i32::from(unit)),
            has_book: books >> (pos.j % 32) & 1 == 1,
        })
    }

    /// The unit with this id, whosever it is.
    #[inline]
    pub fn unit(&self, id: i32) -> Option<Unit> {
        self.unit_words().get(id as usize).map(|words| unit(id, words))
    }

    /// All units, by increasing id.
    pub fn units(&self) -> impl Iterator<Item = Unit> + Clone {
        (0..).zip(self.unit_words()).map(|(id, words)| unit(id, words))
    }

    /// The wizards of a clan, by increasing id.
    pub fn wizards(&self, seat: Seat) -> impl Iterator<Item = Unit> + Clone {
        let ints = self.buffer.ints();
        let counts = &ints[WIZARDS..WIZARDS + 4];
        let lists = 2 * (self.ingredients_at() + ints[INGREDIENTS] as usize);
        let start = lists + counts[..seat.index()].iter().sum::<i32>() as usize;
        let ids = &self.buffer.shorts()[start..start + counts[seat.index()] as usize];
        let units = self.unit_words();
        ids.iter().map(move |&id| unit(i32::from(id), &units[id as usize]))
    }

    /// The ghost of a clan.
    pub fn ghost(&self, seat: Seat) -> Unit {
        let id = self.buffer.ints()[GHOSTS + seat.index()];
        unit(id, &self.unit_words()[id as usize])
    }

    /// The ingredients of this round's spell: 15 numbers that can be split
    /// into five groups of three with the same sum.
    pub fn ingredients(&self) -> &[i32] {
        let ints = self.buffer.ints();
        &ints[self.ingredients_at()..][..ints[INGREDIENTS] as usize]
    }

    /// Orders a unit to move to the next cell, or against the unit there.
    #[inline]
    pub fn move_unit(&self, id: i32, dir: Dir) {
        self.order([id, 0, dir as i32]);
    }

    /// Orders a ghost to cast a spell: the group, from 0, of each ingredient.
    pub fn cast(&self, id: i32, groups: &[i32]) {
        let mut words = vec![id, 1, groups.len() as i32];
        words.extend_from_slice(groups);
        self.order(words);
    }

    #[inline]
    fn unit_words(&self) -> &[UnitWords] {
        let ints = self.buffer.ints();
        let (units, _) = ints[FIRST_UNIT..].as_chunks();
        &units[..ints[UNITS] as usize]
    }

    fn ingredients_at(&self) -> usize {
        FIRST_UNIT + 3 * self.buffer.ints()[UNITS] as usize
    }
}

#[inline]
fn place(pos: Pos) -> Option<usize> {
    pos.offset(SIDE, SIDE)
}

#[inline]
fn unit(id: i32, words: &UnitWords) -> Unit {
    let &[place, rounds, next] = words;
    let [kind, seat, i, j] = place.to_le_bytes().map(i32::from);
    let kind = Kind::from_number(kind).unwrap_or(Kind::Wizard);
    let (joins, attacked) = match kind {
        Kind::Wizard => (Seat::from_number(next), None),
        Kind::Ghost => (None, (next >= 0).then_some(next)),
    };
    Unit { id, kind, seat: Seat::written(seat), pos: Pos::new(i, j), rounds, joins, attacked }
}
