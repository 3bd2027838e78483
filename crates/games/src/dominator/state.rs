//! What everybody sees of a match of Dominator between two rounds.

use std::sync::Arc;

use super::board::Cell;
use super::settings::Settings;
use crate::{Digest, Grid, PerSeat, Pos, Seat, Status};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Farmer,
    Knight,
    Witch,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub kind: Kind,
    pub team: Seat,
    /// Where it stands; where it died, for a unit that found no cell to be
    /// reborn on.
    pub pos: Pos,
    /// -1 for witches, who have none.
    pub health: i32,
    /// Whether she haunts; false for everybody but witches.
    pub active: bool,
}

/// The board between two rounds, as it really is. Players see it through a
/// [`View`](super::View).
#[derive(Clone, Debug)]
pub struct State {
    pub settings: Arc<Settings>,
    pub cells: Grid<Cell>,
    /// Id of the unit on each cell, or [`State::NOBODY`]. On a crowded board
    /// some units may be on no cell at all.
    pub unit_on: Grid<i32>,
    /// How many active witches haunt each cell.
    pub haunted: Grid<u16>,
    /// All units, by id. Their number never changes.
    pub units: Vec<Unit>,
    /// Ids of the units of each team, in increasing order, by [`Kind`].
    pub rosters: PerSeat<[Vec<i32>; 3]>,
    pub round: i32,
    /// Cells of each team's colour.
    pub land: PerSeat<i32>,
    pub scores: PerSeat<i32>,
    pub status: PerSeat<Status>,
}

impl State {
    pub const NOBODY: i32 = -1;

    /// A board without units.
    pub(super) fn new(settings: &Arc<Settings>, cells: Grid<Cell>) -> State {
        let side = settings.side;
        let mut land = [0; Seat::COUNT];
        cells.cells().iter().filter_map(|cell| cell.owner()).for_each(|owner| land[owner] += 1);
        State {
            settings: settings.clone(),
            cells,
            unit_on: Grid::new(side, side, State::NOBODY),
            haunted: Grid::new(side, side, 0),
            units: Vec::new(),
            rosters: PerSeat::default(),
            round: 0,
            land,
            scores: [0; Seat::COUNT],
            status: [Status::UNUSED; Seat::COUNT],
        }
    }

    /// Whether the unit with this id is on the cell of its position.
    #[inline]
    pub fn is_placed(&self, id: i32) -> bool {
        self.unit_on[self.units[id as usize].pos] == id
    }

    /// Adds a unit, which gets the next id.
    pub(super) fn recruit(&mut self, unit: Unit) {
        self.rosters[unit.team][unit.kind as usize].push(self.units.len() as i32);
        self.units.push(unit);
    }

    /// Makes a unit change its team.
    pub(super) fn transfer(&mut self, id: i32, team: Seat) {
        let unit = &mut self.units[id as usize];
        let old = &mut self.rosters[unit.team][unit.kind as usize];
        old.remove(old.partition_point(|&other| other < id));
        let new = &mut self.rosters[team][unit.kind as usize];
        new.insert(new.partition_point(|&other| other < id), id);
        unit.team = team;
    }
}

/// Whether the one on a cell, if anybody, is a witch.
#[inline]
pub(super) fn is_witch(units: &[Unit], id: i32) -> bool {
    units.get(id as u32 as usize).is_some_and(|unit| unit.kind == Kind::Witch)
}

impl crate::State for State {
    fn game(&self) -> &'static dyn crate::Game {
        &super::Dominator
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

    /// Haunted cells follow from the witches, land from the colours, and
    /// rosters from the teams.
    fn digest(&self, digest: &mut Digest) {
        digest.cells(self.cells.cells());
        digest.int(self.round);
        self.scores.iter().for_each(|&score| digest.int(score));
        for (id, unit) in (0..).zip(&self.units) {
            let flags = (unit.team.index() as u16) << 2 | u16::from(unit.active) << 1 | u16::from(self.is_placed(id));
            digest.unit(unit.pos, flags, unit.health, 0);
        }
    }
}
