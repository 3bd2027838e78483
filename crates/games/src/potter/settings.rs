//! The settings of Harry Potter, read and checked.

use std::ops::RangeInclusive;

use super::board::SIDE;
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};

/// The longest match that is played. The reference has no limit; this keeps
/// the cost of a hostile config within reason.
pub const MOST_ROUNDS: i32 = 10_000;

/// No board has room for more; how many really fit depends on its walls.
const MOST_BOOKS: i32 = SIDE * SIDE;
const MOST_WIZARDS: i32 = SIDE * SIDE / 4 - 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rounds: i32,
    /// Wizards of each clan at the start.
    pub wizards: i32,
    pub books: i32,
    pub initial_strength: i32,
    pub conversion_points: i32,
    pub cell_points: i32,
    /// Strength points that a clan gets for a book.
    pub book_strength: i32,
    /// Rounds of a slow conversion.
    pub conversion_rounds: i32,
    /// Rest added to a ghost that is attacked.
    pub attack_rest: i32,
    /// Rest of a ghost at the start, after a spell and after meeting Voldemort.
    pub spell_rest: i32,
    /// Rounds in which an attacked ghost cannot be attacked again.
    pub attack_pause: i32,
}

const POSITIVE: RangeInclusive<i32> = 1..=i32::MAX;

impl Settings {
    /// Game, version and the 14 settings, each label with its value.
    pub fn read(tokens: &mut Tokens) -> Result<Settings> {
        tokens.expect("HarryPotter")?;
        tokens.expect("1.0")?;
        tokens.setting("NUM_PLAYERS", 4..=4)?;
        let rounds = tokens.setting("NUM_ROUNDS", 1..=MOST_ROUNDS)?;
        tokens.setting("BOARD_ROWS", SIDE..=SIDE)?;
        tokens.setting("BOARD_COLS", SIDE..=SIDE)?;
        Ok(Settings {
            rounds,
            wizards: tokens.setting("NUM_INI_WIZARDS_PER_CLAN", 1..=MOST_WIZARDS)?,
            books: tokens.setting("NUM_INI_BOOKS", 1..=MOST_BOOKS)?,
            initial_strength: tokens.setting("CLAN_INI_MAGIC_STRENGTH", POSITIVE)?,
            conversion_points: tokens.setting("POINTS_FOR_CONVERTING_WIZARD", POSITIVE)?,
            cell_points: tokens.setting("POINTS_PER_OWNED_CELL", POSITIVE)?,
            book_strength: tokens.setting("BOOK_MAGIC_STRENGTH", POSITIVE)?,
            conversion_rounds: tokens.setting("ROUNDS_FOR_CONVERTING", POSITIVE)?,
            attack_rest: tokens.setting("ROUNDS_ATTACK_RESTING_GHOST", POSITIVE)?,
            spell_rest: tokens.setting("ROUNDS_SPELL_RESTING_GHOST", POSITIVE)?,
            attack_pause: tokens.setting("ROUNDS_NO_ATTACK_GHOST", POSITIVE)?,
        })
    }

    /// Records have so many tabs after each label, whatever the value.
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut line = |label: &str, value: i32| {
            out.text(label);
            out.int(value);
            out.text("\n");
        };
        line("NUM_PLAYERS\t\t\t", 4);
        line("NUM_ROUNDS\t\t\t", self.rounds);
        line("BOARD_ROWS\t\t\t", SIDE);
        line("BOARD_COLS\t\t\t", SIDE);
        line("NUM_INI_WIZARDS_PER_CLAN\t", self.wizards);
        line("NUM_INI_BOOKS\t\t\t", self.books);
        line("CLAN_INI_MAGIC_STRENGTH\t\t", self.initial_strength);
        line("POINTS_FOR_CONVERTING_WIZARD\t", self.conversion_points);
        line("POINTS_PER_OWNED_CELL\t\t", self.cell_points);
        line("BOOK_MAGIC_STRENGTH\t\t", self.book_strength);
        line("ROUNDS_FOR_CONVERTING\t\t", self.conversion_rounds);
        line("ROUNDS_ATTACK_RESTING_GHOST\t", self.attack_rest);
        line("ROUNDS_SPELL_RESTING_GHOST\t", self.spell_rest);
        line("ROUNDS_NO_ATTACK_GHOST\t\t", self.attack_pause);
    }

    /// Units of all clans together, which never changes.
    pub fn units(&self) -> i32 {
        4 * (self.wizards + 1)
    }
}
