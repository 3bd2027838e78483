//! The settings of Dominator, read and checked.

use std::ops::RangeInclusive;

use super::board::Quadrant;
use super::state::Kind;
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};

/// The largest board and the longest match that are played. The reference has
/// no limits; these keep the cost of a hostile config within reason.
pub const LARGEST_SIDE: i32 = 501;
pub const MOST_ROUNDS: i32 = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rounds: i32,
    /// Units of each player at the beginning.
    pub farmers: i32,
    pub knights: i32,
    pub witches: i32,
    pub farmer_health: i32,
    pub knight_health: i32,
    pub farmer_regen: i32,
    pub knight_regen: i32,
    pub damage_min: i32,
    pub damage_max: i32,
    /// Rows and columns of the board, which is a square.
    pub side: i32,
}

const ANY: RangeInclusive<i32> = 0..=i32::MAX;
const POSITIVE: RangeInclusive<i32> = 1..=i32::MAX;

impl Settings {
    /// Game, version and the 13 settings, each label with its value.
    pub fn read(tokens: &mut Tokens) -> Result<Settings> {
        tokens.expect("Dominator")?;
        tokens.expect("4.0")?;
        tokens.setting("nb_players", 4..=4)?;
        let rounds = tokens.setting("nb_rounds", 1..=MOST_ROUNDS)?;
        let mut numbers = [("nb_farmers", 0, 0), ("nb_knights", 0, 0), ("nb_witches", 0, 0)];
        for (label, number, place) in &mut numbers {
            *number = tokens.setting(label, ANY)?;
            *place = tokens.last();
        }
        let settings = Settings {
            rounds,
            farmers: numbers[0].1,
            knights: numbers[1].1,
            witches: numbers[2].1,
            farmer_health: tokens.setting("farmers_health", POSITIVE)?,
            knight_health: tokens.setting("knights_health", POSITIVE)?,
            farmer_regen: tokens.setting("farmers_regen", ANY)?,
            knight_regen: tokens.setting("knights_regen", ANY)?,
            damage_min: tokens.setting("damage_min", ANY)?,
            damage_max: 0,
            side: 0,
        };
        let damage_max = tokens.setting("damage_max", settings.damage_min..=i32::MAX)?;
        let side = tokens.setting("rows", 21..=LARGEST_SIDE)?;
        if side % 2 == 0 {
            return Err(tokens.error(format!("rows must be odd, found {side}")));
        }
        let cols = tokens.setting("cols", ANY)?;
        if cols != side {
            return Err(tokens.error(format!("cols must be equal to rows, {side}, found {cols}")));
        }
        // More units of a kind than cells where they can be born never fit.
        let room = Quadrant::cells(side);
        for (label, number, place) in numbers {
            if number > room {
                let message = format!("{label} must be from 0 to {room} on a board of {side} rows, found {number}");
                return Err(tokens.error_at(place, message));
            }
        }
        Ok(Settings { damage_max, side, ..settings })
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        for (label, value) in [
            ("nb_players     ", 4),
            ("nb_rounds      ", self.rounds),
            ("nb_farmers     ", self.farmers),
            ("nb_knights     ", self.knights),
            ("nb_witches     ", self.witches),
            ("farmers_health ", self.farmer_health),
            ("knights_health ", self.knight_health),
            ("farmers_regen  ", self.farmer_regen),
            ("knights_regen  ", self.knight_regen),
            ("damage_min     ", self.damage_min),
            ("damage_max     ", self.damage_max),
            ("rows           ", self.side),
            ("cols           ", self.side),
        ] {
            out.text(label);
            out.int(value);
            out.text("\n");
        }
    }

    /// The health of a unit that has just been born: the most it can have.
    pub fn health(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Farmer => self.farmer_health,
            Kind::Knight => self.knight_health,
            Kind::Witch => -1,
        }
    }

    /// How many units each player has at the beginning.
    pub fn army(&self) -> i32 {
        self.witches + self.knights + self.farmers
    }

    /// The kind of the unit with this id, which never changes.
    pub fn kind_of(&self, id: i32) -> Kind {
        let place = id % self.army();
        if place < self.witches {
            Kind::Witch
        } else if place < self.witches + self.knights {
            Kind::Knight
        } else {
            Kind::Farmer
        }
    }
}
