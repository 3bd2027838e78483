//! The settings of Ants, read and checked.

use std::ops::RangeInclusive;

use super::board::Food;
use super::state::Kind;
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};

/// The largest board and the longest match that are played. The reference has
/// no limits; these keep the cost of a hostile config within reason.
pub const LARGEST_SIDE: i32 = 500;
pub const MOST_ROUNDS: i32 = 10_000;

/// Amounts of carbohydrate, protein and lipid.
pub type Nutrients = [i32; 3];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rounds: i32,
    pub rows: i32,
    pub cols: i32,
    /// A queen moves only in rounds that are multiples of this.
    pub queen_period: i32,
    pub soldier_cost: Nutrients,
    pub worker_cost: Nutrients,
    pub bread: Nutrients,
    pub seed: Nutrients,
    pub leaf: Nutrients,
    pub initial_soldiers: i32,
    pub initial_workers: i32,
    pub bonus_rows: i32,
    pub bonus_cols: i32,
    pub bonus_period: i32,
    pub worker_life: i32,
    pub soldier_life: i32,
    pub queen_life: i32,
}

const ANY: RangeInclusive<i32> = 0..=i32::MAX;
const POSITIVE: RangeInclusive<i32> = 1..=i32::MAX;

impl Settings {
    /// Game, version and the 28 settings, each label with its value.
    pub fn read(tokens: &mut Tokens) -> Result<Settings> {
        tokens.expect("Ants")?;
        tokens.expect("1.0")?;
        tokens.setting("NUM_PLAYERS", 4..=4)?;
        let rounds = tokens.setting("NUM_ROUNDS", 1..=MOST_ROUNDS)?;
        let rows = tokens.setting("BOARD_ROWS", 20..=LARGEST_SIDE)?;
        let cols = tokens.setting("BOARD_COLS", 20..=LARGEST_SIDE)?;
        let queen_period = tokens.setting("QUEEN_PERIOD", POSITIVE)?;
        let mut nutrients = |name: &str| -> Result<Nutrients> {
            let mut amounts = [0; 3];
            for (amount, nutrient) in amounts.iter_mut().zip(["CARBO", "PROTE", "LIPID"]) {
                *amount = tokens.setting(&format!("{name}_{nutrient}"), ANY)?;
            }
            Ok(amounts)
        };
        Ok(Settings {
            rounds,
            rows,
            cols,
            queen_period,
            soldier_cost: nutrients("SOLDIER")?,
            worker_cost: nutrients("WORKER")?,
            bread: nutrients("BREAD")?,
            seed: nutrients("SEED")?,
            leaf: nutrients("LEAF")?,
            initial_soldiers: tokens.setting("NUM_INI_SOLDIERS", ANY)?,
            initial_workers: tokens.setting("NUM_INI_WORKERS", ANY)?,
            bonus_rows: tokens.setting("BONUS_ROWS", 0..=rows / 2)?,
            bonus_cols: tokens.setting("BONUS_COLS", 0..=cols / 2)?,
            bonus_period: tokens.setting("BONUS_PERIOD", POSITIVE)?,
            worker_life: tokens.setting("WORKER_LIFE", POSITIVE)?,
            soldier_life: tokens.setting("SOLDIER_LIFE", POSITIVE)?,
            queen_life: tokens.setting("QUEEN_LIFE", POSITIVE)?,
        })
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let mut line = |label: &str, value: i32| {
            out.text(label);
            out.text("\t");
            out.int(value);
            out.text("\n");
        };
        line("NUM_PLAYERS", 4);
        line("NUM_ROUNDS", self.rounds);
        line("BOARD_ROWS", self.rows);
        line("BOARD_COLS", self.cols);
        line("QUEEN_PERIOD", self.queen_period);
        for (name, amounts) in [
            ("SOLDIER", self.soldier_cost),
            ("WORKER", self.worker_cost),
            ("BREAD", self.bread),
            ("SEED", self.seed),
            ("LEAF", self.leaf),
        ] {
            for (nutrient, amount) in ["CARBO", "PROTE", "LIPID"].into_iter().zip(amounts) {
                line(&format!("{name}_{nutrient}"), amount);
            }
        }
        line("NUM_INI_SOLDIERS", self.initial_soldiers);
        line("NUM_INI_WORKERS", self.initial_workers);
        line("BONUS_ROWS", self.bonus_rows);
        line("BONUS_COLS", self.bonus_cols);
        line("BONUS_PERIOD", self.bonus_period);
        line("WORKER_LIFE", self.worker_life);
        line("SOLDIER_LIFE", self.soldier_life);
        line("QUEEN_LIFE", self.queen_life);
    }

    pub fn life(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Queen => self.queen_life,
            Kind::Soldier => self.soldier_life,
            Kind::Worker => self.worker_life,
        }
    }

    pub fn contents(&self, food: Food) -> Nutrients {
        match food {
            Food::Bread => self.bread,
            Food::Seed => self.seed,
            Food::Leaf => self.leaf,
        }
    }
}
