//! Battle Royale II: Requiem: four teams of robots paint a board. Farmers
//! paint what they step on; knights hunt the robots of rivals, which are
//! reborn for the team that killed them. One point per painted square.
//!
//! Every player sees the board turned so that it is in seat 0, in the
//! north-west; seats 1, 2 and 3 follow clockwise.

use std::ffi::CStr;
use std::ops::{Add, AddAssign};

use crate::buffer::{Buffer, Reader};
use crate::game::Rules;
use crate::numbered::numbered;
use crate::random::{Algorithm, Generator};

#[doc(inline)]
pub use crate::requiem_player as player;
pub use crate::{Pos, Seat, log, ludus_param};

/// A player of Requiem.
pub trait Player {
    /// Makes the player, once, when the board of round 1 can be seen.
    fn new(game: &Game) -> Self;

    /// Gives the orders of a round.
    fn play(&mut self, game: &Game);
}

/// `player!(Type, "Name")` makes a type that implements [`Player`](trait@Player)
/// the player of this file. The name has at most 12 bytes.
#[macro_export]
macro_rules! requiem_player {
    ($player:ty, $name:literal) => {
        $crate::export_player!($crate::requiem::Requiem, $crate::requiem::Player, $player, $name);
    };
}

/// A match of Requiem, at the beginning of a round.
///
/// Its generator begins every round with a number that depends on what the
/// player sees: the same situation gives the same draws again.
pub type Game = crate::game::Game<Requiem>;

numbered! {
    /// What a robot is. A farmer paints the squares it steps on; a knight
    /// attacks rivals when it is sent onto their square.
    Model { Farmer, Knight }
}

numbered! {
    /// The eight directions, clockwise.
    Dir { East, SouthEast, South, SouthWest, West, NorthWest, North, NorthEast }
}

impl Dir {
    /// The way back.
    pub const fn opposite(self) -> Dir {
        Dir::ALL[(self as usize + 4) % 8]
    }

    /// What a step adds to row and column.
    #[inline]
    pub const fn step(self) -> Pos {
        const STEPS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        let (i, j) = STEPS[self as usize];
        Pos::new(i, j)
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

/// What a square is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Nobody can step here. A knight may be reborn on a wall.
    Wall,
    /// Ground that nobody has painted.
    Bare,
    /// Ground of the team in a seat.
    Painted(Seat),
}

impl Colour {
    /// The colour with the number of the game: -1 wall, 0 bare, then the teams.
    #[inline]
    fn written(number: i32) -> Colour {
        match number {
            -1 => Colour::Wall,
            0 => Colour::Bare,
            team => Colour::Painted(Seat::written(team - 1)),
        }
    }
}

/// A robot on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Robot {
    /// It keeps its id as long as it lives.
    pub id: i32,
    /// Whose robot it is.
    pub seat: Seat,
    /// What it is.
    pub model: Model,
    /// Where it is.
    pub pos: Pos,
    /// The life of a knight, up to 400. Of a farmer it says nothing: it is
    /// what the last knight left on the square.
    pub life: i32,
}

/// Why an order is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No robot has this id.
    NoRobot,
    /// The robot is of another team.
    NotYours,
    /// It already has an order in this round.
    SecondOrder,
    /// A wall is in the way. A knight on a wall cannot even be told to stay.
    Wall,
}

/// What the config of the match says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rounds of the match.
    pub rounds: i32,
    /// Rows, and columns, of the board. Its border is wall.
    pub side: i32,
    /// Farmers of each team at the start.
    pub farmers: i32,
    /// Knights of each team at the start.
    pub knights: i32,
}

impl Settings {
    /// Whether a position is on the board.
    pub fn contains(&self, pos: Pos) -> bool {
        self.place(pos).is_some()
    }

    #[inline]
    fn place(&self, pos: Pos) -> Option<usize> {
        pos.offset(self.side, self.side)
    }

    fn area(&self) -> usize {
        (self.side * self.side) as usize
    }
}

/// The rules of Requiem, as far as a player has to do with them.
#[derive(Debug)]
pub struct Requiem;

impl Rules for Requiem {
    const ID: &'static CStr = c"requiem";
    const LONGEST_NAME: usize = 40;
    const UNIT: &'static str = "robot";
    type Settings = Settings;
    type Random = RequiemRandom;

    fn read_settings(reader: &mut Reader<'_>) -> Settings {
        Settings { rounds: reader.int(), side: reader.int(), farmers: reader.int(), knights: reader.int() }
    }

    fn seat_seen(_seat: Seat) -> Seat {
        Seat::ALL[0]
    }

    fn generator_of_round(buffer: &Buffer) -> Option<Generator<RequiemRandom>> {
        Some(Generator::seeded(buffer.ints()[SEED]))
    }
}

/// The generator of Requiem, which no other game shares.
#[derive(Clone, Copy, Debug)]
pub enum RequiemRandom {}

const MODULUS: i64 = (1 << 31) - 1;
const INCREMENT: i32 = 453_816_693;

impl Algorithm for RequiemRandom {
    fn seeded(seed: i32) -> u32 {
        seed as u32
    }

    /// A state is negative only as a seed.
    #[inline]
    fn next(state: u32) -> u32 {
        let state = state as i32;
        if state < 0 {
            return after_negative(state) as u32;
        }
        ((62_089_911 * i64::from(state) + i64::from(INCREMENT)) % MODULUS) as u32
    }

    #[inline]
    fn share(state: u32, width: i64) -> i32 {
        (f64::from(state as i32) / MODULUS as f64 * width as f64) as i32
    }

    fn shuffle(generator: &Generator<RequiemRandom>, numbers: &mut [usize]) {
        (1..numbers.len()).rev().for_each(|i| numbers.swap(i, generator.random(0, i as i32) as usize));
    }
}

/// The original multiplies in halves of 16 bits, which do not add up to the
/// product when the number is negative.
#[cold]
fn after_negative(state: i32) -> i32 {
    const M: i32 = MODULUS as i32;
    let (x1, x0) = (state / 65_536, state & 0xffff);
    let (z, w) = (1894 * x0, 27_319 * x1);
    let (z1, z0, w1, w0) = (z / 65_536, z & 0xffff, w / 32_768, w & 0x7fff);
    let lowered = |t: i32| if t >= 0 { t - M } else { t };
    let t = lowered(INCREMENT + 1894 * x1 + z1 + w1 - M + 27_319 * x0);
    let t = lowered(t + 32_768 * z0) + 65_536 * w0;
    if t < 0 { t + M } else { t }
}

/// Where things are in the buffer: in 32-bit integers, and in bytes.
const ROUND: usize = 0;
const LEFT: usize = 1;
const SEED: usize = 2;
const ROBOTS: usize = 3;
const SQUARES: usize = 4;
const COLOURS: usize = 72;

/// The order to stay; the directions are from 1 to 8.
const STAY: i32 = 9;

/// A robot in the buffer.
type RobotWords = [i32; 6];

impl Game {
    /// The round about to be played, from 1.
    #[inline]
    pub fn round(&self) -> i32 {
        self.buffer.ints()[ROUND]
    }

    /// Rounds left, with the one about to be played.
    #[inline]
    pub fn rounds_left(&self) -> i32 {
        self.buffer.ints()[LEFT]
    }

    /// The colour of a square, if the position is on the board.
    #[inline]
    pub fn colour(&self, pos: Pos) -> Option<Colour> {
        let place = self.settings.place(pos)?;
        Some(Colour::written(i32::from(self.buffer.bytes()[COLOURS + place] as i8)))
    }

    /// How many squares there are of a colour.
    pub fn squares(&self, colour: Colour) -> i32 {
        let number = match colour {
            Colour::Wall => 0,
            Colour::Bare => 1,
            Colour::Painted(seat) => 2 + seat.index(),
        };
        self.buffer.ints()[SQUARES + number]
    }

    /// The robot on a square.
    #[inline]
    pub fn robot_at(&self, pos: Pos) -> Option<Robot> {
        let place = self.settings.place(pos)?;
        let robot = self.buffer.ints()[self.places_at() + place];
        self.robot_words().get(robot as u32 as usize).map(robot_of)
    }

    /// The robot with this id, whosever it is.
    pub fn robot(&self, id: i32) -> Option<Robot> {
        let robots = self.robot_words();
        let place = robots.binary_search_by_key(&id, |robot| robot[0]).ok()?;
        Some(robot_of(&robots[place]))
    }

    /// All robots, by increasing id.
    pub fn robots(&self) -> impl Iterator<Item = Robot> + Clone {
        self.robot_words().iter().map(robot_of)
    }

    /// The farmers of a seat, by increasing id.
    pub fn farmers(&self, seat: Seat) -> impl Iterator<Item = Robot> + Clone {
        self.robots_of(seat, Model::Farmer)
    }

    /// The knights of a seat, by increasing id.
    pub fn knights(&self, seat: Seat) -> impl Iterator<Item = Robot> + Clone {
        self.robots_of(seat, Model::Knight)
    }

    /// Orders a robot to step, or to attack whoever is there; whether the
    /// order is accepted.
    #[inline]
    pub fn go(&self, id: i32, dir: Dir) -> bool {
        self.refusal(id, Some(dir)).is_none() && self.order_uncounted([id, dir as i32 + 1])
    }

    /// Orders a robot to stay, which a robot without an order does as well: a
    /// knight then recovers 10 points of life. Whether the order is accepted.
    #[inline]
    pub fn stay(&self, id: i32) -> bool {
        self.refusal(id, None).is_none() && self.order_uncounted([id, STAY])
    }

    /// Why an order to go in a direction, or to stay, would not be accepted.
    /// Whether somebody is in the way does not matter.
    pub fn refusal(&self, id: i32, dir: Option<Dir>) -> Option<Refusal> {
        let Some(robot) = self.robot(id) else { return Some(Refusal::NoRobot) };
        if robot.seat != self.me() {
            return Some(Refusal::NotYours);
        }
        if self.has_order(id) {
            return Some(Refusal::SecondOrder);
        }
        let target = dir.map_or(robot.pos, |dir| robot.pos + dir);
        (self.colour(target).is_none_or(|colour| colour == Colour::Wall)).then_some(Refusal::Wall)
    }

    fn robots_of(&self, seat: Seat, model: Model) -> impl Iterator<Item = Robot> + Clone {
        let wanted = [seat.index() as i32 + 1, model as i32 + 1];
        self.robot_words().iter().filter(move |words| words[3..5] == wanted).map(robot_of)
    }

    /// Where the places of the robots on the squares begin.
    #[inline]
    fn places_at(&self) -> usize {
        (COLOURS + self.settings.area()).div_ceil(4)
    }

    #[inline]
    fn robot_words(&self) -> &[RobotWords] {
        let ints = self.buffer.ints();
        let (robots, _) = ints[self.places_at() + self.settings.area()..].as_chunks();
        &robots[..ints[ROBOTS] as usize]
    }
}

#[inline]
fn robot_of(words: &RobotWords) -> Robot {
    let &[id, i, j, team, model, life] = words;
    Robot {
        id,
        seat: Seat::written(team - 1),
        model: Model::from_number(model - 1).unwrap_or(Model::Farmer),
        pos: Pos::new(i, j),
        life,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_generator_is_the_published_one() {
        for (seed, next) in [(0, 453_816_693), (1, 515_906_604), (i32::MAX, 453_816_693), (-1, 34_623_013)]
            .into_iter()
            .chain([(-65_536, 810_920_463), (-1_000_000_007, 2_027_436_791), (i32::MIN, 391_726_782)])
        {
            let generator = Generator::<RequiemRandom>::seeded(seed);
            generator.random(0, 0);
            assert_eq!(generator.state.get(), next, "after {seed}");
        }
        let generator = Generator::<RequiemRandom>::seeded(20_856);
        assert_eq!([0; 8].map(|_| generator.random(0, 999)), [218, 573, 425, 597, 255, 224, 913, 235]);
        let mut shuffled = Generator::<RequiemRandom>::seeded(3).random_permutation(40);
        assert_ne!(shuffled, (0..40).collect::<Vec<_>>());
        shuffled.sort_unstable();
        assert_eq!(shuffled, (0..40).collect::<Vec<_>>());
    }
}
