//! The Purge: four clans of builders and warriors live in a city, gather and
//! build by day, and fight by night. Points for money and for kills.

use std::ffi::CStr;

use crate::buffer::Reader;
use crate::game::Rules;
use crate::numbered::numbered;
use crate::random::CommonRandom;

#[doc(inline)]
pub use crate::purge_player as player;
pub use crate::{Dir, Pos, Seat, log, ludus_param};

/// A player of The Purge.
pub trait Player {
    /// Makes the player, once, when the board of round 0 can be seen.
    fn new(game: &Game) -> Self;

    /// Gives the orders of a round.
    fn play(&mut self, game: &Game);
}

/// `player!(Type, "Name")` makes a type that implements [`Player`](trait@Player)
/// the player of this file. The name has at most 12 bytes.
#[macro_export]
macro_rules! purge_player {
    ($player:ty, $name:literal) => {
        $crate::export_player!($crate::purge::Purge, $crate::purge::Player, $player, $name);
    };
}

/// A match of The Purge, at the beginning of a round.
pub type Game = crate::game::Game<Purge>;

numbered! {
    /// What a citizen is.
    Kind { Builder, Warrior }
}

numbered! {
    /// What a warrior fights with: the later one is the stronger.
    Weapon { Hammer, Gun, Bazooka }
}

numbered! {
    /// What lies in the streets and is taken by whoever steps on it.
    Item { Money, Food, Gun, Bazooka }
}

impl Item {
    /// The weapon that it is, if it is one.
    pub const fn weapon(self) -> Option<Weapon> {
        match self {
            Item::Gun => Some(Weapon::Gun),
            Item::Bazooka => Some(Weapon::Bazooka),
            Item::Money | Item::Food => None,
        }
    }
}

/// A cell of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Nobody can be in a building; everything else is street.
    pub is_building: bool,
    /// What lies here.
    pub item: Option<Item>,
    /// The barricade that is here.
    pub barricade: Option<Barricade>,
    /// The id of the citizen that is here.
    pub citizen: Option<i32>,
}

impl Cell {
    /// Whether it is a street with nothing and nobody on it.
    pub fn is_empty(&self) -> bool {
        !self.is_building && self.item.is_none() && self.barricade.is_none() && self.citizen.is_none()
    }
}

/// A barricade, which only its own clan can enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barricade {
    /// Whose barricade it is.
    pub seat: Seat,
    /// Where it is.
    pub pos: Pos,
    /// What is left to demolish.
    pub resistance: i32,
}

/// A living citizen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citizen {
    /// It keeps its id as long as it lives.
    pub id: i32,
    /// What it is, all its life.
    pub kind: Kind,
    /// Whose citizen it is.
    pub seat: Seat,
    /// Where it is.
    pub pos: Pos,
    /// What a warrior fights with; nothing for builders.
    pub weapon: Option<Weapon>,
    /// It dies when there is nothing left.
    pub life: i32,
}

/// What the config of the match says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Days of the match.
    pub days: i32,
    /// Rounds of a whole day: half of them day, then half of them night.
    pub rounds_per_day: i32,
    /// Rows of the board.
    pub rows: i32,
    /// Columns of the board.
    pub cols: i32,
    /// Builders of a clan at the start.
    pub initial_builders: i32,
    /// Warriors of a clan at the start.
    pub initial_warriors: i32,
    /// Pieces of money on the board at the start.
    pub initial_money: i32,
    /// Pieces of food on the board at the start.
    pub initial_food: i32,
    /// Guns on the board at the start.
    pub initial_guns: i32,
    /// Bazookas on the board at the start.
    pub initial_bazookas: i32,
    /// The life with which a builder is born, and the most it can have.
    pub builder_life: i32,
    /// The life with which a warrior is born, and the most it can have.
    pub warrior_life: i32,
    /// Points for a piece of money.
    pub money_points: i32,
    /// Points for killing a builder.
    pub kill_builder_points: i32,
    /// Points for killing a warrior.
    pub kill_warrior_points: i32,
    /// The life that food gives.
    pub food_life: i32,
    /// The life that the loser of a fight loses.
    pub life_lost: i32,
    /// Strength in a fight of a builder, and with a hammer, a gun, a bazooka.
    pub attack: [i32; 4],
    /// Strength against a barricade of the same four.
    pub demolish: [i32; 4],
    /// Rounds until a dead builder comes back.
    pub builder_delay: i32,
    /// Rounds until a dead warrior comes back.
    pub warrior_delay: i32,
    /// Rounds until food comes back.
    pub food_delay: i32,
    /// Rounds until money comes back.
    pub money_delay: i32,
    /// Rounds until a gun or a bazooka comes back.
    pub weapon_delay: i32,
    /// Resistance of a new barricade, and what building adds to it.
    pub barricade_step: i32,
    /// The most resistance that a barricade can have.
    pub barricade_max: i32,
    /// The most barricades that a clan can have at a time.
    pub most_barricades: i32,
}

impl Settings {
    /// Rounds of the match.
    pub fn rounds(&self) -> i32 {
        self.days * self.rounds_per_day
    }

    /// Whether a round is by day, be it before the end of the match or not.
    pub fn is_day(&self, round: i32) -> bool {
        round % self.rounds_per_day < self.rounds_per_day / 2
    }

    /// The life with which a citizen is born, and the most it can have.
    pub fn life(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Builder => self.builder_life,
            Kind::Warrior => self.warrior_life,
        }
    }

    /// Points for killing a citizen.
    pub fn kill_points(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Builder => self.kill_builder_points,
            Kind::Warrior => self.kill_warrior_points,
        }
    }

    /// Strength in a fight; without a weapon, that of a builder.
    #[inline]
    pub fn attack(&self, weapon: Option<Weapon>) -> i32 {
        self.attack[weapon.map_or(0, |weapon| weapon.index() + 1)]
    }

    /// Strength against a barricade; without a weapon, that of a builder.
    #[inline]
    pub fn demolish(&self, weapon: Option<Weapon>) -> i32 {
        self.demolish[weapon.map_or(0, |weapon| weapon.index() + 1)]
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

/// The rules of The Purge, as far as a player has to do with them.
#[derive(Debug)]
pub struct Purge;

impl Rules for Purge {
    const ID: &'static CStr = c"purge";
    const UNIT: &'static str = "citizen";
    type Settings = Settings;
    type Random = CommonRandom;

    fn read_settings(reader: &mut Reader<'_>) -> Settings {
        reader.skip(); // The number of players.
        Settings {
            days: reader.int(),
            rounds_per_day: reader.int(),
            rows: reader.int(),
            cols: reader.int(),
            initial_builders: reader.int(),
            initial_warriors: reader.int(),
            initial_money: reader.int(),
            initial_food: reader.int(),
            initial_guns: reader.int(),
            initial_bazookas: reader.int(),
            builder_life: reader.int(),
            warrior_life: reader.int(),
            money_points: reader.int(),
            kill_builder_points: reader.int(),
            kill_warrior_points: reader.int(),
            food_life: reader.int(),
            life_lost: reader.int(),
            attack: reader.array(),
            demolish: reader.array(),
            builder_delay: reader.int(),
            warrior_delay: reader.int(),
            food_delay: reader.int(),
            money_delay: reader.int(),
            weapon_delay: reader.int(),
            barricade_step: reader.int(),
            barricade_max: reader.int(),
            most_barricades: reader.int(),
        }
    }
}

/// Where things are in the buffer: in 32-bit integers, 64-bit numbers and bytes.
const ROUND: usize = 0;
const IS_DAY: usize = 1;
const CITIZENS: usize = 2;
const BARRICADES: usize = 3;
const SCORES: usize = 4;
const STATUSES: usize = 4;
const CELLS: usize = 64;

/// Of the id on a cell without a citizen.
const NOBODY: i32 = -1;

/// A citizen and a barricade in the buffer.
type CitizenWords = [i32; 7];
type BarricadeWords = [i32; 4];

impl Game {
    /// The round about to be played, from 0.
    #[inline]
    pub fn round(&self) -> i32 {
        self.buffer.ints()[ROUND]
    }

    /// Whether it is day in this round, and not night.
    #[inline]
    pub fn is_day(&self) -> bool {
        self.buffer.ints()[IS_DAY] != 0
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
        let id = self.buffer.ints()[self.ids_at() + place];
        let barricade = (code >= 1 << 5).then(|| Barricade {
            seat: Seat::written(i32::from(code >> 5) - 1),
            pos,
            resistance: self.buffer.ints()[self.ids_at() + self.settings.area() + place],
        });
        let item = match code & 15 {
            0b0011 => Some(Item::Money),
            0b0111 => Some(Item::Food),
            0b1001 => Some(Item::Gun),
            0b1010 => Some(Item::Bazooka),
            _ => None,
        };
        Some(Cell { is_building: code & 16 != 0, item, barricade, citizen: (id != NOBODY).then_some(id) })
    }

    /// The living citizen with this id, whosever it is.
    pub fn citizen(&self, id: i32) -> Option<Citizen> {
        let citizens = self.citizen_words();
        let place = citizens.binary_search_by_key(&id, |citizen| citizen[0]).ok()?;
        Some(citizen(&citizens[place]))
    }

    /// The living citizen at a position, if there is one.
    pub fn citizen_at(&self, pos: Pos) -> Option<Citizen> {
        self.citizen(self.cell(pos)?.citizen?)
    }

    /// All living citizens, by increasing id.
    pub fn citizens(&self) -> impl Iterator<Item = Citizen> + Clone {
        self.citizen_words().iter().map(citizen)
    }

    /// The builders of a seat, by increasing id.
    pub fn builders(&self, seat: Seat) -> impl Iterator<Item = Citizen> + Clone {
        self.citizens_of(seat, Kind::Builder)
    }

    /// The warriors of a seat, by increasing id.
    pub fn warriors(&self, seat: Seat) -> impl Iterator<Item = Citizen> + Clone {
        self.citizens_of(seat, Kind::Warrior)
    }

    /// The barricades of a seat, by row and then column.
    pub fn barricades(&self, seat: Seat) -> impl Iterator<Item = Barricade> + Clone {
        let wanted = seat.index() as i32;
        self.barricade_words().iter().filter(move |words| words[0] == wanted).map(barricade)
    }

    /// Orders a citizen to move to the next cell. At night, towards a rival or
    /// a rival barricade, it strikes instead.
    #[inline]
    pub fn move_citizen(&self, id: i32, dir: Dir) {
        self.order([id, 0, dir as i32]);
    }

    /// Orders a builder to build a barricade on the next cell, or to make the
    /// one that is there stronger. By day only.
    #[inline]
    pub fn build(&self, id: i32, dir: Dir) {
        self.order([id, 1, dir as i32]);
    }

    fn citizens_of(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = Citizen> + Clone {
        let wanted = [kind as i32, seat.index() as i32];
        self.citizen_words().iter().filter(move |words| words[1..3] == wanted).map(citizen)
    }

    /// Where the ids of the citizens on the cells begin.
    #[inline]
    fn ids_at(&self) -> usize {
        (CELLS + self.settings.area()).div_ceil(4)
    }

    #[inline]
    fn citizens_at(&self) -> usize {
        self.ids_at() + 2 * self.settings.area()
    }

    #[inline]
    fn citizen_words(&self) -> &[CitizenWords] {
        let ints = self.buffer.ints();
        let (citizens, _) = ints[self.citizens_at()..].as_chunks();
        &citizens[..ints[CITIZENS] as usize]
    }

    fn barricade_words(&self) -> &[BarricadeWords] {
        let ints = self.buffer.ints();
        let (barricades, _) = ints[self.citizens_at() + self.citizen_words().as_flattened().len()..].as_chunks();
        &barricades[..ints[BARRICADES] as usize]
    }
}

#[inline]
fn citizen(words: &CitizenWords) -> Citizen {
    let &[id, kind, seat, i, j, weapon, life] = words;
    Citizen {
        id,
        kind: Kind::from_number(kind).unwrap_or(Kind::Builder),
        seat: Seat::written(seat),
        pos: Pos::new(i, j),
        weapon: Weapon::from_number(weapon),
        life,
    }
}

#[inline]
fn barricade(words: &BarricadeWords) -> Barricade {
    let &[seat, i, j, resistance] = words;
    Barricade { seat: Seat::written(seat), pos: Pos::new(i, j), resistance }
}
