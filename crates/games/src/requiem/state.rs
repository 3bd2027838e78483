//! What everybody sees of a match of Requiem between two rounds.

use std::sync::Arc;

use super::board::{Colour, strides, team_seen};
use super::settings::Settings;
use crate::{Digest, Grid, PerSeat, Pos, Seat, Status};

/// The models of robot, by the number that players know them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Model {
    Farmer = 1,
    Knight = 2,
}

impl Model {
    pub const ALL: [Model; 2] = [Model::Farmer, Model::Knight];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Robot {
    pub id: i32,
    pub seat: Seat,
    pub model: Model,
    /// Where its square stands in the grids. Nobody ever stands on the border,
    /// so all eight neighbours are squares of the board.
    pub at: u32,
}

/// The life of a knight at its best.
pub const FULL_FORCE: i16 = 400;

/// The board between two rounds.
#[derive(Clone, Debug)]
pub struct State {
    pub settings: Arc<Settings>,
    pub colours: Grid<Colour>,
    /// The life of the knight on each square, or what the last one left there.
    /// It belongs to the square: a farmer shows what it happens to stand on.
    pub forces: Grid<i16>,
    /// Place in `robots` of the robot on each square, or [`State::NOBODY`].
    pub robot_on: Grid<u32>,
    /// By increasing id.
    pub robots: Vec<Robot>,
    /// Places in `robots` of each team's robots: all, the farmers, the knights.
    rosters: PerSeat<[Vec<u32>; 3]>,
    /// How many squares each team has painted.
    pub squares: PerSeat<i32>,
    pub walls: i32,
    sums: Sums,
    /// For each team and each of its directions, the way in the grids.
    strides: PerSeat<[i32; 10]>,
    /// The greatest id ever given.
    pub last_id: i32,
    pub round: i32,
    pub status: PerSeat<Status>,
}

/// Sums over all robots, from which the seeds of the players' generators come.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    ids: i64,
    rows: i64,
    cols: i64,
}

impl State {
    pub const NOBODY: u32 = u32::MAX;

    /// A board without robots and without painted squares.
    pub fn new(settings: &Arc<Settings>, colours: Grid<Colour>) -> State {
        let dim = settings.dim;
        State {
            settings: settings.clone(),
            forces: Grid::new(dim, dim, 0),
            robot_on: Grid::new(dim, dim, State::NOBODY),
            robots: Vec::new(),
            rosters: Default::default(),
            squares: [0; 4],
            walls: colours.cells().iter().filter(|&&colour| colour == Colour::Wall).count() as i32,
            colours,
            sums: Sums::default(),
            strides: strides(dim),
            last_id: 0,
            round: 0,
            status: [Status::UNUSED; 4],
        }
    }

    /// The robot with this id.
    pub fn robot(&self, id: i32) -> Option<&Robot> {
        let at = self.robots.binary_search_by_key(&id, |robot| robot.id).ok()?;
        Some(&self.robots[at])
    }

    /// The force of the square of a robot: its life, if it is a knight.
    #[inline]
    pub fn force(&self, robot: &Robot) -> i32 {
        i32::from(self.forces.cells()[robot.at as usize])
    }

    /// The robot on a square of the board.
    pub fn robot_at(&self, pos: Pos) -> Option<&Robot> {
        self.robots.get(self.robot_on[pos] as usize)
    }

    pub fn pos(&self, robot: &Robot) -> Pos {
        self.colours.pos(robot.at as usize)
    }

    /// How far in the grids a step in each direction of a team leads.
    #[inline]
    pub fn strides(&self, seat: Seat) -> &[i32; 10] {
        &self.strides[seat]
    }

    /// The robots of one model of a team, by increasing id.
    pub fn robots_of(&self, seat: Seat, model: Model) -> impl ExactSizeIterator<Item = &Robot> + Clone {
        self.roster(seat, model).iter().map(|&place| &self.robots[place as usize])
    }

    /// Where the robots of one model of a team stand in `robots`.
    #[inline]
    pub fn roster(&self, seat: Seat, model: Model) -> &[u32] {
        &self.rosters[seat][model as usize]
    }

    /// Where the robots of a team stand in `robots`.
    pub fn team(&self, seat: Seat) -> &[u32] {
        &self.rosters[seat][0]
    }

    /// Rounds left, with the one about to be played.
    pub fn rounds_left(&self) -> i32 {
        self.settings.rounds - self.round
    }

    pub fn score(&self, seat: Seat) -> i32 {
        match self.squares[seat] {
            0 if self.team(seat).is_empty() => -1,
            squares => squares,
        }
    }

    /// What seeds the generator of the player in `seat`: a sum over the board
    /// as that player sees it.
    pub fn seed_of(&self, seat: Seat) -> i32 {
        let Sums { ids, rows, cols } = self.sums;
        let far = self.robots.len() as i64 * i64::from(self.settings.dim - 1);
        let positions = match seat.index() {
            0 => rows + cols,
            1 => far - cols + rows,
            2 => 2 * far - rows - cols,
            _ => cols + far - rows,
        };
        let painted = Seat::ALL.into_iter().map(|owner| self.squares[owner] * team_seen(seat, owner));
        let colours = painted.sum::<i32>() - self.walls;
        // The reference adds in 32 bits.
        (i64::from(self.rounds_left() + colours) + ids + positions) as i32
    }

    /// Puts a new robot on a square and gives its place. A farmer paints it.
    pub(super) fn create(&mut self, seat: Seat, model: Model, pos: Pos) -> u32 {
        let place = self.robots.len() as u32;
        let at = self.colours.offset(pos);
        self.last_id += 1;
        self.robots.push(Robot { id: self.last_id, seat, model, at: at as u32 });
        self.robot_on[pos] = place;
        match model {
            Model::Farmer => self.paint(at, seat),
            Model::Knight => self.forces[pos] = FULL_FORCE,
        }
        place
    }

    /// Takes a robot off the board; [`State::bury`] takes it out of the list.
    pub(super) fn lift(&mut self, place: u32) {
        self.robot_on.cells_mut()[self.robots[place as usize].at as usize] = State::NOBODY;
    }

    /// Moves a robot to a free square.
    #[inline]
    pub(super) fn walk(&mut self, place: u32, target: usize) {
        let robot = &mut self.robots[place as usize];
        let from = robot.at as usize;
        robot.at = target as u32;
        let (seat, model) = (robot.seat, robot.model);
        let robot_on = self.robot_on.cells_mut();
        robot_on[from] = State::NOBODY;
        robot_on[target] = place;
        match model {
            Model::Farmer => self.paint(target, seat),
            Model::Knight => {
                let forces = self.forces.cells_mut();
                forces[target] = forces[from];
            }
        }
    }

    /// A wall is painted only by a farmer reborn on it, and is one no more.
    #[inline]
    fn paint(&mut self, at: usize, seat: Seat) {
        let colour = &mut self.colours.cells_mut()[at];
        match colour.owner() {
            Some(owner) => self.squares[owner] -= 1,
            None if *colour == Colour::Wall => self.walls -= 1,
            None => {}
        }
        *colour = Colour::of(seat);
        self.squares[seat] += 1;
    }

    /// Keeps the robots for which `lives` holds, which gets their places.
    pub(super) fn bury(&mut self, mut lives: impl FnMut(usize) -> bool) {
        let mut place = 0;
        self.robots.retain(|_| {
            place += 1;
            lives(place - 1)
        });
        self.muster();
    }

    /// Adds up what the seeds of the players need; due whenever robots have moved.
    pub(super) fn sum_up(&mut self) {
        let dim = self.settings.dim as u32;
        let (mut places, mut cols) = (0, 0);
        for robot in &self.robots {
            places += u64::from(robot.at);
            cols += u64::from(robot.at % dim);
        }
        self.sums.rows = ((places - cols) / u64::from(dim)) as i64;
        self.sums.cols = cols as i64;
    }

    /// Writes the rosters, and the places on the board, anew; due whenever
    /// robots have come or gone.
    pub(super) fn muster(&mut self) {
        self.rosters.iter_mut().flatten().for_each(Vec::clear);
        self.sums.ids = self.robots.iter().map(|robot| i64::from(robot.id)).sum();
        for (place, robot) in self.robots.iter().enumerate() {
            self.robot_on.cells_mut()[robot.at as usize] = place as u32;
            let [all, farmers, knights] = &mut self.rosters[robot.seat];
            all.push(place as u32);
            match robot.model {
                Model::Farmer => farmers.push(place as u32),
                Model::Knight => knights.push(place as u32),
            }
        }
    }
}

impl crate::State for State {
    fn game(&self) -> &'static dyn crate::Game {
        &super::Requiem
    }

    fn round(&self) -> u32 {
        self.round as u32
    }

    fn rounds(&self) -> u32 {
        self.settings.rounds as u32
    }

    fn scores(&self) -> PerSeat<i64> {
        Seat::ALL.map(|seat| i64::from(self.score(seat)))
    }

    fn status(&self) -> PerSeat<Status> {
        self.status
    }

    /// Everything else follows from these.
    fn digest(&self, digest: &mut Digest) {
        digest.cells(self.colours.cells());
        digest.shorts(self.forces.cells());
        digest.pair(self.round, self.last_id);
        digest.word(self.robots.len() as u64);
        for robot in &self.robots {
            let kind = (robot.seat.index() as u32) << 2 | robot.model as u32;
            digest.pair(robot.id, (robot.at << 4 | kind) as i32);
        }
    }
}
