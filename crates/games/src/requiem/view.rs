//! The board as one player sees it: turned and renumbered, so that everybody
//! is team 1 in the north-west.

use super::board::{Colour, STAY, on_board, seat_of_team, seen, team_seen};
use super::random::Generator;
use super::state::{Model, Robot, State};
use crate::{Pos, Seat};

#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    seat: Seat,
    /// The central row and column of a board of odd side, which the reference
    /// forgets to turn: players see the colours there as the board has them.
    unturned: i32,
}

/// A robot as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobotSeen {
    pub id: i32,
    pub pos: Pos,
    /// 1 for the player's own.
    pub team: i32,
    pub model: Model,
    /// The force of the square it stands on.
    pub life: i32,
}

/// Why an order is not taken, in the order of the checks. The original also
/// refuses to leave the board, which nobody can: the border is wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    NotYours,
    NoDirection,
    SecondOrder,
    IntoWall,
}

impl<'a> View<'a> {
    pub fn new(state: &'a State, seat: Seat) -> Self {
        let dim = state.settings.dim;
        View { state, seat, unturned: if dim % 2 == 1 { dim / 2 } else { -1 } }
    }

    pub fn state(&self) -> &'a State {
        self.state
    }

    /// The side of the board.
    pub fn dim(&self) -> i32 {
        self.state.settings.dim
    }

    /// The round about to be played, from 1.
    pub fn round(&self) -> i32 {
        self.state.round + 1
    }

    /// Rounds left, with the one about to be played.
    pub fn rounds_left(&self) -> i32 {
        self.state.rounds_left()
    }

    /// The colour of a square, if it is on the board.
    #[inline]
    pub fn colour(&self, pos: Pos) -> Option<Colour> {
        if !self.state.colours.contains(pos) {
            return None;
        }
        let source = if self.is_unturned(pos) { pos } else { on_board(self.seat, self.dim(), pos) };
        Some(self.state.colours[source].seen_by(self.seat))
    }

    /// The colours of a row of the board.
    pub fn row(&self, i: i32) -> impl Iterator<Item = Colour> + use<'a> {
        let View { state, seat, unturned } = *self;
        let grid = &state.colours;
        let dim = self.dim();
        // A row is seen as a row or a column, forwards or backwards.
        let seat_shown = if i == unturned { Seat::ALL[0] } else { seat };
        let [first, second] = [0, 1].map(|j| grid.offset(on_board(seat_shown, dim, Pos::new(i, j))));
        let stride = second as isize - first as isize;
        let mut at = first;
        (0..dim).map(move |j| {
            let source = if j == unturned { grid.offset(Pos::new(i, j)) } else { at };
            at = at.wrapping_add_signed(stride);
            grid.cells()[source].seen_by(seat)
        })
    }

    /// The robot on a square, if there is one. Robots are always seen in their place.
    #[inline]
    pub fn robot_at(&self, pos: Pos) -> Option<RobotSeen> {
        if !self.state.colours.contains(pos) {
            return None;
        }
        self.state.robot_at(on_board(self.seat, self.dim(), pos)).map(|robot| self.see(robot))
    }

    pub fn robot(&self, id: i32) -> Option<RobotSeen> {
        self.state.robot(id).map(|robot| self.see(robot))
    }

    /// All robots, by increasing id.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = RobotSeen> + Clone + use<'a> {
        let view = *self;
        view.state.robots.iter().map(move |robot| view.see(robot))
    }

    /// The ids of one model of a team from 1 to 4, in increasing order; none of any other team.
    pub fn ids(&self, team: i32, model: Model) -> impl ExactSizeIterator<Item = i32> + Clone + use<'a> {
        let state = self.state;
        self.roster(team, model).iter().map(move |&place| state.robots[place as usize].id)
    }

    /// The farmers of a team from 1 to 4, by increasing id; none of any other team.
    pub fn farmers(&self, team: i32) -> impl Iterator<Item = RobotSeen> + Clone + use<'a> {
        self.robots_of(team, Model::Farmer)
    }

    /// The knights of a team from 1 to 4, by increasing id; none of any other team.
    pub fn knights(&self, team: i32) -> impl Iterator<Item = RobotSeen> + Clone + use<'a> {
        self.robots_of(team, Model::Knight)
    }

    /// How many squares there are of a colour: -1 walls, 0 bare, 1 to 4 painted by that team.
    pub fn squares(&self, colour: i32) -> Option<i32> {
        match colour {
            -1 => Some(self.state.walls),
            0 => Some(self.dim() * self.dim() - self.state.walls - self.state.squares.iter().sum::<i32>()),
            team => seat_of_team(self.seat, team).map(|seat| self.state.squares[seat]),
        }
    }

    /// The state in which the player's generator begins the round.
    pub fn seed(&self) -> i32 {
        self.state.seed_of(self.seat)
    }

    /// The player's generator at the beginning of the round. The same
    /// situation gives the same numbers again.
    pub fn generator(&self) -> Generator {
        Generator::new(self.seed())
    }

    /// Why an order for a robot is not taken, if so. Whether the target is
    /// occupied does not matter.
    #[inline]
    pub fn refusal(&self, robot: &Robot, direction: i32, has_order: bool) -> Option<Refusal> {
        if robot.seat != self.seat {
            return Some(Refusal::NotYours);
        }
        if !(1..=STAY).contains(&direction) {
            return Some(Refusal::NoDirection);
        }
        if has_order {
            return Some(Refusal::SecondOrder);
        }
        let target = robot.at.wrapping_add_signed(self.state.strides(self.seat)[direction as usize]) as usize;
        let shown = if self.unturned < 0 { target } else { self.shown_at(target) };
        (self.state.colours.cells()[shown] == Colour::Wall).then_some(Refusal::IntoWall)
    }

    /// The square of the board whose colour the player sees in the place of
    /// another, on a board of odd side. The centre stays in the centre when the
    /// board turns, so it does not matter which of the two is looked at.
    #[cold]
    #[inline(never)]
    fn shown_at(&self, at: usize) -> usize {
        let colours = &self.state.colours;
        let pos = colours.pos(at);
        if self.is_unturned(pos) { colours.offset(seen(self.seat, self.dim(), pos)) } else { at }
    }

    #[inline]
    fn is_unturned(&self, pos: Pos) -> bool {
        pos.i == self.unturned || pos.j == self.unturned
    }

    #[inline]
    fn see(&self, robot: &Robot) -> RobotSeen {
        RobotSeen {
            id: robot.id,
            pos: seen(self.seat, self.dim(), self.state.pos(robot)),
            team: team_seen(self.seat, robot.seat),
            model: robot.model,
            life: self.state.force(robot),
        }
    }

    fn robots_of(&self, team: i32, model: Model) -> impl Iterator<Item = RobotSeen> + Clone + use<'a> {
        let view = *self;
        self.roster(team, model).iter().map(move |&place| view.see(&view.state.robots[place as usize]))
    }

    fn roster(&self, team: i32, model: Model) -> &'a [u32] {
        seat_of_team(self.seat, team).map_or(&[], |seat| self.state.roster(seat, model))
    }
}
