//! What everybody sees of a match of The Purge between two rounds.

use std::sync::Arc;

use super::board::Cell;
use super::settings::Settings;
use crate::{Digest, Grid, PerSeat, Pos, Seat, Status};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Builder,
    Warrior,
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Builder, Kind::Warrior];
}

/// The weapons of warriors, weakest first. Builders never have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Weapon {
    Hammer,
    Gun,
    Bazooka,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citizen {
    pub id: i32,
    pub kind: Kind,
    pub seat: Seat,
    pub pos: Pos,
    pub weapon: Option<Weapon>,
    /// 0 or less only within a round, for a citizen that has just died.
    pub life: i32,
}

impl Citizen {
    /// A citizen with full life and the weapon of its birth.
    pub fn newborn(id: i32, kind: Kind, seat: Seat, pos: Pos, settings: &Settings) -> Self {
        let weapon = (kind == Kind::Warrior).then_some(Weapon::Hammer);
        Citizen { id, kind, seat, pos, weapon, life: settings.life(kind) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barricade {
    pub pos: Pos,
    pub owner: Seat,
    pub resistance: i32,
}

/// The city between two rounds.
#[derive(Clone, Debug)]
pub struct State {
    pub settings: Arc<Settings>,
    /// What is on each cell; which citizen or barricade it is, the lists say.
    pub cells: Grid<Cell>,
    /// The living citizens, by increasing id.
    pub citizens: Vec<Citizen>,
    /// By row, then column.
    pub barricades: Vec<Barricade>,
    pub round: i32,
    pub scores: PerSeat<i32>,
    pub status: PerSeat<Status>,
}

impl State {
    pub fn is_day(&self) -> bool {
        self.settings.is_day(self.round)
    }

    /// The living citizen with this id.
    pub fn citizen(&self, id: i32) -> Option<&Citizen> {
        let at = self.citizens.binary_search_by_key(&id, |citizen| citizen.id).ok()?;
        Some(&self.citizens[at])
    }

    /// The citizens of one kind of a clan, by increasing id.
    pub fn citizens_of(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = &Citizen> + Clone {
        self.citizens.iter().filter(move |citizen| citizen.seat == seat && citizen.kind == kind)
    }

    /// Where the living citizen on this cell stands in the list. There are so
    /// few of them that a search costs less than keeping a grid of them would.
    pub(super) fn slot_at(&self, pos: Pos) -> Option<usize> {
        self.citizens.iter().position(|citizen| citizen.pos == pos && citizen.life > 0)
    }

    pub fn citizen_at(&self, pos: Pos) -> Option<&Citizen> {
        self.slot_at(pos).map(|slot| &self.citizens[slot])
    }

    pub fn barricade_at(&self, pos: Pos) -> Option<&Barricade> {
        let at = self.barricades.binary_search_by_key(&pos, |barricade| barricade.pos).ok()?;
        Some(&self.barricades[at])
    }
}

impl crate::State for State {
    fn game(&self) -> &'static dyn crate::Game {
        &super::Purge
    }

    fn round(&self) -> u32 {
        self.round as u32
    }

    fn rounds(&self) -> u32 {
        self.settings.rounds() as u32
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
        let [a, b, c, d] = self.scores;
        digest.pair(a, b);
        digest.pair(c, d);
        digest.pair(self.citizens.len() as i32, self.barricades.len() as i32);
        for citizen in &self.citizens {
            let weapon = citizen.weapon.map_or(3, |weapon| weapon as u16);
            let traits = (citizen.kind as u16) << 4 | (citizen.seat.index() as u16) << 2 | weapon;
            digest.unit(citizen.pos, traits, citizen.id, citizen.life);
        }
        for barricade in &self.barricades {
            digest.unit(barricade.pos, barricade.owner.index() as u16, barricade.resistance, 0);
        }
    }
}
