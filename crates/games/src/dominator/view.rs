//! What a player sees: the board turned so that its own quadrant is at the top
//! left, and the teams renumbered so that its own is 0.
//!
//! A view is a state and a seat. It copies nothing, so asking for one cell
//! costs a few instructions and a whole board costs as much as reading it.

use super::settings::Settings;
use super::state::{Kind, State, Unit};
use crate::game::{CaseFile, Engine, typed};
use crate::text::WriteText;
use crate::{Dir8, Pos, Seat, Status};

/// Positions, teams and directions here are those of the player in the seat,
/// for whom every seat but its own is a rival from 1 to 3.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) state: &'a State,
    seat: Seat,
    /// Where the cell at the top left is in the real board, and how far from
    /// a cell the next ones are, by direction.
    corner: i32,
    steps: [i32; 8],
}

/// A cell as a player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenCell {
    pub is_wall: bool,
    pub owner: Option<Seat>,
    /// Id of the unit on it, or [`State::NOBODY`].
    pub unit: i32,
    pub haunted: bool,
}

impl<'a> View<'a> {
    /// The team of whoever looks.
    pub const ME: Seat = Seat::ALL[0];

    pub fn new(state: &'a State, seat: Seat) -> Self {
        let side = state.settings.side;
        let offset = |pos| {
            let Pos { i, j } = turned(pos, seat.index(), side);
            i * side + j
        };
        let corner = offset(Pos::new(0, 0));
        let (below, right) = (offset(Pos::new(1, 0)) - corner, offset(Pos::new(0, 1)) - corner);
        let steps = [below, below + right, right, right - below, -below, -below - right, -right, below - right];
        View { state, seat, corner, steps }
    }

    pub fn settings(&self) -> &'a Settings {
        &self.state.settings
    }

    pub fn round(&self) -> i32 {
        self.state.round
    }

    /// The cell, if the position is on the board.
    #[inline]
    pub fn cell(&self, pos: Pos) -> Option<SeenCell> {
        if !self.state.cells.contains(pos) {
            return None;
        }
        let at = self.real_offset(pos);
        let cell = self.state.cells.cells()[at];
        Some(SeenCell {
            is_wall: cell.is_wall(),
            owner: cell.owner().map(|owner| self.seen_team(owner)),
            unit: self.state.unit_on.cells()[at],
            haunted: self.state.haunted.cells()[at] > 0,
        })
    }

    /// The id of the unit on a cell; nobody is outside the board.
    #[inline]
    pub fn unit_on(&self, pos: Pos) -> i32 {
        if self.state.unit_on.contains(pos) { self.state.unit_on.cells()[self.real_offset(pos)] } else { State::NOBODY }
    }

    /// Visits the units that a knight of the player can attack, by direction.
    /// A closure, because an iterator would show.
    #[inline]
    pub fn for_each_prey(&self, knight: i32, mut visit: impl FnMut(i32, &Unit)) {
        let State { units, unit_on, .. } = self.state;
        let side = self.state.settings.side;
        let mut meet = |dir, id: i32| {
            // Nobody has no unit.
            if let Some(unit) = units.get(id as u32 as usize)
                && unit.team != self.seat
                && unit.kind != Kind::Witch
            {
                visit(dir, unit);
            }
        };
        let pos = units[knight as usize].pos;
        // On no cell, it is where its position seems to be.
        let pos = if self.state.is_placed(knight) { pos } else { turned(pos, self.seat.index(), side) };
        let is_inner = |k: i32| ((k - 1) as u32) < (side - 2) as u32;
        if is_inner(pos.i) && is_inner(pos.j) {
            let centre = unit_on.offset(pos) as i32;
            for (dir, step) in (0..).zip(&self.steps) {
                meet(dir, unit_on.cells()[(centre + step) as usize]);
            }
            return;
        }
        for dir in 0..8 {
            let real_dir = Dir8::ALL[(dir as usize + 2 * self.seat.index()) % 8];
            meet(dir, unit_on.get(pos + real_dir.step()).unwrap_or(State::NOBODY));
        }
    }

    pub fn units(&self) -> i32 {
        self.state.units.len() as i32
    }

    /// The unit with this id. One that is on no cell shows its position and
    /// its team as they really are: the board is turned cell by cell, and the
    /// units with the cells they are on.
    #[inline]
    pub fn unit(&self, id: i32) -> Option<Unit> {
        let unit = self.state.units.get(id as u32 as usize)?;
        let mut seen = unit.clone();
        if self.state.is_placed(id) {
            seen.pos = self.seen_pos(unit.pos);
            seen.team = self.seen_team(unit.team);
        }
        Some(seen)
    }

    /// The ids of the units of one kind of a team, in increasing order. Units
    /// on no cell are in the list of their team, whatever their own team says.
    pub fn ids(&self, team: Seat, kind: Kind) -> &'a [i32] {
        &self.state.rosters[self.real_team(team)][kind as usize]
    }

    pub fn land(&self, team: Seat) -> i32 {
        self.state.land[self.real_team(team)]
    }

    pub fn total_score(&self, team: Seat) -> i32 {
        self.state.scores[self.real_team(team)]
    }

    pub fn status(&self, team: Seat) -> Status {
        self.state.status[self.real_team(team)]
    }

    fn real_team(&self, seen: Seat) -> Seat {
        Seat::ALL[(seen.index() + self.seat.index()) % Seat::COUNT]
    }

    pub(super) fn seen_team(&self, real: Seat) -> Seat {
        Seat::ALL[(real.index() + Seat::COUNT - self.seat.index()) % Seat::COUNT]
    }

    /// How far apart in the real board two cells are that a player sees side by side.
    pub(super) fn right(&self) -> i32 {
        self.steps[Dir8::Right as usize]
    }

    #[inline]
    pub(super) fn real_offset(&self, seen: Pos) -> usize {
        let below = self.steps[Dir8::Down as usize];
        (self.corner + below * seen.i + self.right() * seen.j) as usize
    }

    #[inline]
    pub(super) fn seen_pos(&self, real: Pos) -> Pos {
        turned(real, Seat::COUNT - self.seat.index(), self.state.settings.side)
    }
}

/// Where a position comes to be when the board turns counter-clockwise.
#[inline]
pub fn turned(Pos { i, j }: Pos, quarters: usize, side: i32) -> Pos {
    match quarters % 4 {
        0 => Pos::new(i, j),
        1 => Pos::new(side - 1 - j, i),
        2 => Pos::new(side - 1 - i, side - 1 - j),
        _ => Pos::new(j, side - 1 - i),
    }
}

/// Writes `views.txt` of a recorded case: what every player sees in some rounds.
pub struct ViewsFile;

impl CaseFile for ViewsFile {
    fn write(&mut self, engine: &dyn Engine, out: &mut Vec<u8>) {
        let state: &State = typed(engine.state());
        if matches!(state.round, 0 | 1 | 10 | 50) && state.round < state.settings.rounds
            || state.round == state.settings.rounds - 1
        {
            Seat::ALL.into_iter().for_each(|seat| write_view(View::new(state, seat), seat, out));
        }
    }
}

fn write_view(view: View, seat: Seat, out: &mut Vec<u8>) {
    let line = |words: &str, numbers: &[i32], out: &mut Vec<u8>| {
        out.text(words);
        for &number in numbers {
            out.text(" ");
            out.int(number);
        }
        out.text("\n");
    };
    out.text(&format!("view round {} player {seat}\n", view.round()));
    for i in 0..view.settings().side {
        write_row(view, i, out);
    }
    line("round", &[view.round()], out);
    line("land", &Seat::ALL.map(|team| view.land(team)), out);
    line("total_score", &Seat::ALL.map(|team| view.total_score(team)), out);
    let [a, b, c, d] = Seat::ALL.map(|team| view.status(team));
    out.text(&format!("status {a} {b} {c} {d}\n"));
    for id in 0..view.units() {
        let unit = view.unit(id).expect("ids count the units");
        let kind = ["f", "k", "w"][unit.kind as usize];
        let team = unit.team.index() as i32;
        line(kind, &[id, team, unit.pos.i, unit.pos.j, unit.health, i32::from(unit.active)], out);
    }
    for team in Seat::ALL {
        for (label, kind) in [("farmers", Kind::Farmer), ("knights", Kind::Knight), ("witches", Kind::Witch)] {
            line(&format!("{label} {team}:"), view.ids(team, kind), out);
        }
    }
}

fn write_row(view: View, i: i32, out: &mut Vec<u8>) {
    let row = || (0..view.settings().side).map(move |j| view.cell(Pos::new(i, j)).expect("the row is on the board"));
    out.extend(row().map(|cell| match cell {
        SeenCell { is_wall: true, .. } => b'X',
        SeenCell { owner: Some(owner), .. } => b'0' + owner.index() as u8,
        _ => b'.',
    }));
    out.text(" ");
    out.extend(row().map(|cell| if cell.haunted { b'h' } else { b'.' }));
    for cell in row() {
        out.text(" ");
        out.int(cell.unit);
    }
    out.text("\n");
}
