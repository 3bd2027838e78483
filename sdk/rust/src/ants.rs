//! Ants: four colonies gather food, raise soldiers and workers, and fight over
//! the ground. One point per living ant and round.

use std::ffi::CStr;
use std::ops::Index;

use crate::buffer::Reader;
use crate::game::Rules;
use crate::numbered::numbered;
use crate::random::CommonRandom;

#[doc(inline)]
pub use crate::ants_player as player;
pub use crate::{Dir, Pos, Seat, log, ludus_param};

/// A player of Ants.
pub trait Player {
    /// Makes the player, once, when the board of round 0 can be seen.
    fn new(game: &Game) -> Self;

    /// Gives the orders of a round.
    fn play(&mut self, game: &Game);
}

/// `player!(Type, "Name")` makes a type that implements [`Player`](trait@Player)
/// the player of this file. The name has at most 12 bytes.
#[macro_export]
macro_rules! ants_player {
    ($player:ty, $name:literal) => {
        $crate::export_player!($crate::ants::Ants, $crate::ants::Player, $player, $name);
    };
}

/// A match of Ants, at the beginning of a round.
pub type Game = crate::game::Game<Ants>;

numbered! {
    /// What an ant is. A queen beats a soldier, a soldier beats a worker, and
    /// equals kill each other.
    Kind { Queen, Soldier, Worker }
}

numbered! {
    /// What grows on the ground, workers carry and queens eat.
    Food { Bread, Seed, Leaf }
}

numbered! {
    /// What food consists of and eggs cost.
    Nutrient { Carbohydrate, Protein, Lipid }
}

/// Amounts of the nutrients, indexed by [`Nutrient`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nutrients(pub [i32; 3]);

impl Nutrients {
    /// Whether there is enough of every nutrient.
    pub fn cover(self, cost: Nutrients) -> bool {
        Nutrient::ALL.into_iter().all(|nutrient| self[nutrient] >= cost[nutrient])
    }
}

impl Index<Nutrient> for Nutrients {
    type Output = i32;

    #[inline]
    fn index(&self, nutrient: Nutrient) -> &i32 {
        &self.0[nutrient.index()]
    }
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// No ant can be on water.
    pub is_water: bool,
    /// The food that lies here.
    pub food: Option<Food>,
    /// The id of the ant that is here.
    pub ant: Option<i32>,
}

/// A living ant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ant {
    /// It keeps its id as long as it lives.
    pub id: i32,
    /// An ant without a queen may become one.
    pub kind: Kind,
    /// Whose ant it is.
    pub seat: Seat,
    /// Where it is.
    pub pos: Pos,
    /// What a queen has to lay eggs from; nothing for other ants.
    pub reserve: Nutrients,
    /// What a worker carries.
    pub load: Option<Food>,
    /// Rounds that it has left.
    pub life: i32,
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
    /// Queens move only in rounds that are multiples of this.
    pub queen_period: i32,
    /// What the egg of a soldier costs.
    pub soldier_cost: Nutrients,
    /// What the egg of a worker costs.
    pub worker_cost: Nutrients,
    /// What is in bread.
    pub bread: Nutrients,
    /// What is in a seed.
    pub seed: Nutrients,
    /// What is in a leaf.
    pub leaf: Nutrients,
    /// Soldiers of a colony at the start.
    pub initial_soldiers: i32,
    /// Workers of a colony at the start.
    pub initial_workers: i32,
    /// Rows of the rectangles in which food grows.
    pub bonus_rows: i32,
    /// Columns of the rectangles in which food grows.
    pub bonus_cols: i32,
    /// Food grows in rounds that are multiples of this.
    pub bonus_period: i32,
    /// Rounds that a worker lives.
    pub worker_life: i32,
    /// Rounds that a soldier lives.
    pub soldier_life: i32,
    /// Rounds that a queen lives.
    pub queen_life: i32,
}

impl Settings {
    /// What an egg costs; there are no eggs of queens.
    pub fn cost(&self, kind: Kind) -> Option<Nutrients> {
        match kind {
            Kind::Queen => None,
            Kind::Soldier => Some(self.soldier_cost),
            Kind::Worker => Some(self.worker_cost),
        }
    }

    /// What is in a piece of food.
    pub fn contents(&self, food: Food) -> Nutrients {
        match food {
            Food::Bread => self.bread,
            Food::Seed => self.seed,
            Food::Leaf => self.leaf,
        }
    }

    /// Rounds that an ant lives.
    pub fn life(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Queen => self.queen_life,
            Kind::Soldier => self.soldier_life,
            Kind::Worker => self.worker_life,
        }
    }

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

/// The rules of Ants, as far as a player has to do with them.
#[derive(Debug)]
pub struct Ants;

impl Rules for Ants {
    const ID: &'static CStr = c"ants";
    const UNIT: &'static str = "ant";
    type Settings = Settings;
    type Random = CommonRandom;

    fn read_settings(reader: &mut Reader<'_>) -> Settings {
        reader.skip(); // The number of players.
        Settings {
            rounds: reader.int(),
            rows: reader.int(),
            cols: reader.int(),
            queen_period: reader.int(),
            soldier_cost: Nutrients(reader.array()),
            worker_cost: Nutrients(reader.array()),
            bread: Nutrients(reader.array()),
            seed: Nutrients(reader.array()),
            leaf: Nutrients(reader.array()),
            initial_soldiers: reader.int(),
            initial_workers: reader.int(),
            bonus_rows: reader.int(),
            bonus_cols: reader.int(),
            bonus_period: reader.int(),
            worker_life: reader.int(),
            soldier_life: reader.int(),
            queen_life: reader.int(),
        }
    }
}

/// Where things are in the buffer: in 32-bit integers, 64-bit numbers and bytes.
const ROUND: usize = 0;
const ANTS: usize = 1;
const SCORES: usize = 2;
const STATUSES: usize = 3;
const CELLS: usize = 56;

/// An ant in the buffer.
type AntWords = [i32; 10];

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

    /// The cell, if the position is on the board.
    #[inline]
    pub fn cell(&self, pos: Pos) -> Option<Cell> {
        let place = self.settings.place(pos)?;
        let code = self.buffer.bytes()[CELLS + place];
        let ant = self.buffer.ints()[self.ids_at() + place];
        Some(Cell {
            is_water: code >> 4 == 1,
            food: Food::from_number(i32::from(code & 15)),
            ant: (ant >= 0).then_some(ant),
        })
    }

    /// The living ant with this id, whosever it is.
    pub fn ant(&self, id: i32) -> Option<Ant> {
        let ants = self.ant_words();
        let place = ants.binary_search_by_key(&id, |ant| ant[0]).ok()?;
        Some(ant(&ants[place]))
    }

    /// All living ants, by increasing id.
    pub fn ants(&self) -> impl Iterator<Item = Ant> + Clone {
        self.ant_words().iter().map(ant)
    }

    /// The soldiers of a seat, by increasing id.
    pub fn soldiers(&self, seat: Seat) -> impl Iterator<Item = Ant> + Clone {
        self.ants_of(seat, Kind::Soldier)
    }

    /// The workers of a seat, by increasing id.
    pub fn workers(&self, seat: Seat) -> impl Iterator<Item = Ant> + Clone {
        self.ants_of(seat, Kind::Worker)
    }

    /// The queen of a seat, if it has one.
    pub fn queen(&self, seat: Seat) -> Option<Ant> {
        self.ants_of(seat, Kind::Queen).next()
    }

    /// Orders an ant to move to the next cell.
    #[inline]
    pub fn move_ant(&self, id: i32, dir: Dir) {
        self.order([id, 0, dir as i32, -1]);
    }

    /// Orders a worker to take the food of its cell.
    #[inline]
    pub fn take(&self, id: i32) {
        self.order([id, 1, -1, -1]);
    }

    /// Orders a worker to leave its food on its cell.
    #[inline]
    pub fn leave(&self, id: i32) {
        self.order([id, 2, -1, -1]);
    }

    /// Orders a queen to lay an egg on the next cell.
    #[inline]
    pub fn lay(&self, id: i32, dir: Dir, kind: Kind) {
        self.order([id, 3, dir as i32, kind as i32]);
    }

    fn ants_of(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = Ant> + Clone {
        let wanted = [kind as i32, seat.index() as i32];
        self.ant_words().iter().filter(move |words| words[1..3] == wanted).map(ant)
    }

    /// Where the ids of the ants on the cells begin.
    #[inline]
    fn ids_at(&self) -> usize {
        (CELLS + self.settings.area()).div_ceil(4)
    }

    #[inline]
    fn ant_words(&self) -> &[AntWords] {
        let ints = self.buffer.ints();
        let (ants, _) = ints[self.ids_at() + self.settings.area()..].as_chunks();
        &ants[..ints[ANTS] as usize]
    }
}

#[inline]
fn ant(words: &AntWords) -> Ant {
    let &[id, kind, seat, i, j, carbohydrate, protein, lipid, load, life] = words;
    Ant {
        id,
        kind: Kind::from_number(kind).unwrap_or(Kind::Worker),
        seat: Seat::written(seat),
        pos: Pos::new(i, j),
        reserve: Nutrients([carbohydrate, protein, lipid]),
        load: Food::from_number(load),
        life,
    }
}
