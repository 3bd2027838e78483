//! What everybody sees of a match of Harry Potter between two rounds.

use std::sync::Arc;

use super::board::{Board, Cell, CellSet};
use super::settings::Settings;
use crate::{Digest, PerSeat, Pos, Seat, Status};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Wizard,
    Ghost,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub id: i32,
    pub kind: Kind,
    pub seat: Seat,
    pub pos: Pos,
    /// Rounds until a wizard in conversion changes clan (0 for one that is
    /// not), or until a ghost can cast.
    pub rounds: i32,
    /// The seat that a wizard in conversion will join, or the round in which a
    /// ghost was last attacked; [`Unit::NONE`] without either.
    pub next: i32,
}

impl Unit {
    pub const NONE: i32 = -1;

    #[inline]
    pub fn is_converting(&self) -> bool {
        self.kind == Kind::Wizard && self.rounds > 0
    }
}

/// The board between two rounds.
#[derive(Clone, Debug)]
pub struct State {
    pub settings: Arc<Settings>,
    pub cells: Board<Cell>,
    /// Number of the unit on each cell, or [`State::NOBODY`].
    pub unit_on: Board<u16>,
    /// All units; the place of each is its id.
    pub units: Vec<Unit>,
    pub books: CellSet,
    pub ingredients: Vec<i32>,
    pub voldemort: Pos,
    pub round: i32,
    pub scores: PerSeat<i32>,
    /// Points for conversions, which are part of the score.
    pub points: PerSeat<i32>,
    /// Strength points: what the magic of a clan is shared out of.
    pub strength: PerSeat<i32>,
    pub status: PerSeat<Status>,
    /// The wizards of each clan, by increasing id, without those that are
    /// about to reappear.
    pub wizards: PerSeat<Vec<u16>>,
    /// The id of the ghost of each clan.
    pub ghosts: PerSeat<u16>,
}

impl State {
    pub const NOBODY: u16 = u16::MAX;

    pub fn unit_at(&self, pos: Pos) -> Option<&Unit> {
        self.units.get(usize::from(self.unit_on.get(pos)?))
    }

    /// The wizards of a clan, by increasing id.
    pub fn wizards(&self, seat: Seat) -> impl Iterator<Item = &Unit> + Clone {
        self.wizards[seat].iter().map(|&id| &self.units[usize::from(id)])
    }

    pub fn ghost(&self, seat: Seat) -> &Unit {
        &self.units[usize::from(self.ghosts[seat])]
    }

    #[inline]
    pub fn magic_strength(&self, seat: Seat) -> i32 {
        self.strength[seat] / (self.wizards[seat].len() as i32 + 1)
    }

    pub(super) fn enlist(&mut self, id: u16, clan: Seat) {
        let wizards = &mut self.wizards[clan];
        wizards.insert(wizards.partition_point(|&other| other < id), id);
    }

    pub(super) fn dismiss(&mut self, id: u16, clan: Seat) {
        self.wizards[clan].retain(|&other| other != id);
    }

    /// Whether a unit that enters `pos` dies: Voldemort reaches one cell in
    /// every direction.
    #[inline]
    pub fn is_deadly(&self, pos: Pos) -> bool {
        (pos.i - self.voldemort.i).abs() <= 1 && (pos.j - self.voldemort.j).abs() <= 1
    }
}

impl crate::State for State {
    fn game(&self) -> &'static dyn crate::Game {
        &super::Potter
    }

    fn round(&self) -> u32 {
        self.round as u32
    }

    fn rounds(&self) -> u32 {
        self.settings.rounds as u32
    }

    fn scores(&self) -> PerSeat<i64> {
        self.scores.map(i64::from)
    }

    fn status(&self) -> PerSeat<Status> {
        self.status
    }

    fn digest(&self, digest: &mut Digest) {
        digest.cells(self.cells.cells());
        self.books.rows.iter().for_each(|&row| digest.word(row));
        digest.word(self.units.len() as u64);
        for unit in &self.units {
            digest.unit(unit.pos, (unit.seat.index() as u16) << 4 | unit.kind as u16, unit.rounds, unit.next);
        }
        digest.word(self.ingredients.len() as u64);
        self.ingredients.iter().for_each(|&ingredient| digest.int(ingredient));
        digest.pair(self.voldemort.i, self.voldemort.j);
        digest.int(self.round);
        for numbers in [&self.scores, &self.points, &self.strength] {
            numbers.iter().for_each(|&number| digest.int(number));
        }
    }
}
