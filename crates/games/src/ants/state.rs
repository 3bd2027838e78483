//! What everybody sees of a match of Ants between two rounds.

use std::sync::Arc;

use super::board::{Cell, Food, Terrain};
use super::settings::{Nutrients, Settings};
use crate::{Digest, Grid, PerSeat, Pos, Seat, Status};

/// The kinds of ant, strongest first: in a fight the smaller number lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Queen,
    Soldier,
    Worker,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Queen, Kind::Soldier, Kind::Worker];
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ant {
    pub id: i32,
    pub kind: Kind,
    pub seat: Seat,
    pub pos: Pos,
    /// What a queen has eaten and not yet spent; nothing for other ants.
    pub reserve: Nutrients,
    /// What a worker carries.
    pub load: Option<Food>,
    /// Rounds left to live; 0 only within a round, for an ant that has just died.
    pub life: i32,
}

/// The board between two rounds.
#[derive(Clone, Debug)]
pub struct State {
    pub settings: Arc<Settings>,
    pub terrain: Arc<Terrain>,
    pub cells: Grid<Cell>,
    /// Id of the ant on each cell, or [`State::NOBODY`].
    pub ant_on: Grid<i32>,
    /// The living ants, by increasing id.
    pub ants: Vec<Ant>,
    pub round: i32,
    pub scores: PerSeat<i32>,
    pub status: PerSeat<Status>,
}

impl State {
    pub const NOBODY: i32 = -1;

    /// The living ant with this id.
    pub fn ant(&self, id: i32) -> Option<&Ant> {
        let at = self.ants.binary_search_by_key(&id, |ant| ant.id).ok()?;
        Some(&self.ants[at])
    }

    /// The ants of one kind of a colony, by increasing id.
    pub fn ants_of(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = &Ant> + Clone {
        self.ants.iter().filter(move |ant| ant.seat == seat && ant.kind == kind)
    }
}

impl crate::State for State {
    fn game(&self) -> &'static dyn crate::Game {
        &super::Ants
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
        digest.int(self.round);
        self.scores.iter().for_each(|&score| digest.int(score));
        digest.word(self.ants.len() as u64);
        for ant in &self.ants {
            let load = ant.load.map_or(3, |food| food as u16);
            let traits = (ant.kind as u16) << 8 | (ant.seat.index() as u16) << 4 | load;
            digest.unit(ant.pos, traits, ant.id, ant.life);
            if ant.kind == Kind::Queen {
                ant.reserve.iter().for_each(|&amount| digest.int(amount));
            }
        }
    }
}
