//! The settings of The Purge, read and checked.

use std::ops::RangeInclusive;

use super::board::Item;
use super::state::{Kind, Weapon};
use crate::text::WriteText;
use crate::tokens::{Result, TextError, Tokens};

/// The longest match that is played. The reference has no limit; this one
/// keeps the cost of a hostile config within reason.
pub const MOST_ROUNDS: i64 = 100_000;

/// The largest board, which the reference enforces too. A row fits in the bits
/// of a word, on which board generation and the search for safe cells rely.
pub const MOST_ROWS: i32 = 25;
pub const MOST_COLS: i32 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub days: i32,
    /// Rounds of a whole day: half of them day, then half of them night.
    pub rounds_per_day: i32,
    pub rows: i32,
    pub cols: i32,
    pub initial_builders: i32,
    pub initial_warriors: i32,
    pub initial_money: i32,
    pub initial_food: i32,
    pub initial_guns: i32,
    pub initial_bazookas: i32,
    pub builder_life: i32,
    pub warrior_life: i32,
    pub money_points: i32,
    pub kill_builder_points: i32,
    pub kill_warrior_points: i32,
    pub food_life: i32,
    pub life_lost: i32,
    /// Strength in fights of a builder, and with a hammer, a gun, a bazooka.
    pub attack: [i32; 4],
    /// Strength against barricades, of the same four.
    pub demolish: [i32; 4],
    pub builder_delay: i32,
    pub warrior_delay: i32,
    pub food_delay: i32,
    pub money_delay: i32,
    pub weapon_delay: i32,
    pub barricade_step: i32,
    pub barricade_max: i32,
    pub most_barricades: i32,
}

const POSITIVE: RangeInclusive<i32> = 1..=i32::MAX;

impl Settings {
    /// Game, version and the 34 settings, each label with its value.
    pub fn read(tokens: &mut Tokens) -> Result<Settings> {
        tokens.expect("ThePurge")?;
        tokens.expect("1.0")?;
        tokens.setting("NUM_PLAYERS", 4..=4)?;
        let settings = Settings {
            days: tokens.setting("NUM_DAYS", POSITIVE)?,
            rounds_per_day: read_rounds_per_day(tokens)?,
            rows: tokens.setting("BOARD_ROWS", 12..=MOST_ROWS)?,
            cols: tokens.setting("BOARD_COLS", 12..=MOST_COLS)?,
            initial_builders: tokens.setting("NUM_INI_BUILDERS", 1..=6)?,
            initial_warriors: tokens.setting("NUM_INI_WARRIORS", 1..=4)?,
            initial_money: tokens.setting("NUM_INI_MONEY", 0..=10)?,
            initial_food: tokens.setting("NUM_INI_FOOD", 0..=10)?,
            initial_guns: tokens.setting("NUM_INI_GUNS", 0..=5)?,
            initial_bazookas: tokens.setting("NUM_INI_BAZOOKAS", 0..=4)?,
            builder_life: tokens.setting("BUILDER_INI_LIFE", POSITIVE)?,
            warrior_life: tokens.setting("WARRIOR_INI_LIFE", POSITIVE)?,
            money_points: tokens.setting("MONEY_POINTS", POSITIVE)?,
            kill_builder_points: tokens.setting("KILL_BUILDER_POINTS", POSITIVE)?,
            kill_warrior_points: tokens.setting("KILL_WARRIOR_POINTS", POSITIVE)?,
            food_life: tokens.setting("FOOD_INCR_LIFE", POSITIVE)?,
            life_lost: tokens.setting("LIFE_LOST_IN_ATTACK", POSITIVE)?,
            attack: read_strengths(tokens, "ATTACK")?,
            demolish: read_strengths(tokens, "DEMOLISH")?,
            builder_delay: tokens.setting("NUM_ROUNDS_REGEN_BUILDER", POSITIVE)?,
            warrior_delay: tokens.setting("NUM_ROUNDS_REGEN_WARRIOR", POSITIVE)?,
            food_delay: tokens.setting("NUM_ROUNDS_REGEN_FOOD", POSITIVE)?,
            money_delay: tokens.setting("NUM_ROUNDS_REGEN_MONEY", POSITIVE)?,
            weapon_delay: tokens.setting("NUM_ROUNDS_REGEN_WEAPON", POSITIVE)?,
            barricade_step: tokens.setting("BARRICADE_RESISTANCE_STEP", POSITIVE)?,
            barricade_max: tokens.setting("BARRICADE_MAX_RESISTANCE", POSITIVE)?,
            most_barricades: tokens.setting("MAX_NUM_BARRICADES", POSITIVE)?,
        };
        settings.check_relations()?;
        Ok(settings)
    }

    fn check_relations(&self) -> Result<()> {
        let rounds = i64::from(self.days) * i64::from(self.rounds_per_day);
        if rounds > MOST_ROUNDS {
            return Err(TextError::whole(format!(
                "NUM_DAYS times NUM_ROUNDS_PER_DAY must be at most {MOST_ROUNDS}, found {rounds}"
            )));
        }
        for (kind, strengths) in [("ATTACK", self.attack), ("DEMOLISH", self.demolish)] {
            for (fighters, pair) in FIGHTERS.windows(2).zip(strengths.windows(2)) {
                if pair[0] > pair[1] {
                    return Err(TextError::whole(format!(
                        "{}_STRENGTH_{kind} must be at most {}_STRENGTH_{kind}, found {} and {}",
                        fighters[0], fighters[1], pair[0], pair[1]
                    )));
                }
            }
        }
        if self.barricade_step > self.barricade_max {
            return Err(TextError::whole(format!(
                "BARRICADE_RESISTANCE_STEP must be at most BARRICADE_MAX_RESISTANCE, found {} and {}",
                self.barricade_step, self.barricade_max
            )));
        }
        Ok(())
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let mut line = |label: &str, value: i32| {
            out.text(label);
            out.text("\t");
            out.int(value);
            out.text("\n");
        };
        line("NUM_PLAYERS", 4);
        line("NUM_DAYS", self.days);
        line("NUM_ROUNDS_PER_DAY", self.rounds_per_day);
        line("BOARD_ROWS", self.rows);
        line("BOARD_COLS", self.cols);
        line("NUM_INI_BUILDERS", self.initial_builders);
        line("NUM_INI_WARRIORS", self.initial_warriors);
        line("NUM_INI_MONEY", self.initial_money);
        line("NUM_INI_FOOD", self.initial_food);
        line("NUM_INI_GUNS", self.initial_guns);
        line("NUM_INI_BAZOOKAS", self.initial_bazookas);
        line("BUILDER_INI_LIFE", self.builder_life);
        line("WARRIOR_INI_LIFE", self.warrior_life);
        line("MONEY_POINTS", self.money_points);
        line("KILL_BUILDER_POINTS", self.kill_builder_points);
        line("KILL_WARRIOR_POINTS", self.kill_warrior_points);
        line("FOOD_INCR_LIFE", self.food_life);
        line("LIFE_LOST_IN_ATTACK", self.life_lost);
        for (kind, strengths) in [("ATTACK", self.attack), ("DEMOLISH", self.demolish)] {
            for (fighter, strength) in FIGHTERS.into_iter().zip(strengths) {
                line(&format!("{fighter}_STRENGTH_{kind}"), strength);
            }
        }
        line("NUM_ROUNDS_REGEN_BUILDER", self.builder_delay);
        line("NUM_ROUNDS_REGEN_WARRIOR", self.warrior_delay);
        line("NUM_ROUNDS_REGEN_FOOD", self.food_delay);
        line("NUM_ROUNDS_REGEN_MONEY", self.money_delay);
        line("NUM_ROUNDS_REGEN_WEAPON", self.weapon_delay);
        line("BARRICADE_RESISTANCE_STEP", self.barricade_step);
        line("BARRICADE_MAX_RESISTANCE", self.barricade_max);
        line("MAX_NUM_BARRICADES", self.most_barricades);
    }

    /// Rounds of the whole match.
    pub fn rounds(&self) -> i32 {
        self.days * self.rounds_per_day
    }

    pub fn is_day(&self, round: i32) -> bool {
        round % self.rounds_per_day < self.rounds_per_day / 2
    }

    /// The life with which a citizen is born, which it never exceeds.
    pub fn life(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Builder => self.builder_life,
            Kind::Warrior => self.warrior_life,
        }
    }

    pub fn kill_points(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Builder => self.kill_builder_points,
            Kind::Warrior => self.kill_warrior_points,
        }
    }

    /// Rounds until a dead citizen comes back.
    pub fn delay_of_citizen(&self, kind: Kind) -> i32 {
        match kind {
            Kind::Builder => self.builder_delay,
            Kind::Warrior => self.warrior_delay,
        }
    }

    /// Rounds until an item that was taken comes back.
    pub fn delay_of_item(&self, item: Item) -> i32 {
        match item {
            Item::Money => self.money_delay,
            Item::Food => self.food_delay,
            Item::Gun | Item::Bazooka => self.weapon_delay,
        }
    }

    /// Strength in a fight; without a weapon, that of a builder.
    pub fn attack(&self, weapon: Option<Weapon>) -> i32 {
        self.attack[weapon.map_or(0, |weapon| weapon as usize + 1)]
    }

    /// Strength against a barricade.
    pub fn demolish(&self, weapon: Option<Weapon>) -> i32 {
        self.demolish[weapon.map_or(0, |weapon| weapon as usize + 1)]
    }
}

const FIGHTERS: [&str; 4] = ["BUILDER", "HAMMER", "GUN", "BAZOOKA"];

fn read_strengths(tokens: &mut Tokens, kind: &str) -> Result<[i32; 4]> {
    let mut strengths = [0; 4];
    for (strength, fighter) in strengths.iter_mut().zip(FIGHTERS) {
        *strength = tokens.setting(&format!("{fighter}_STRENGTH_{kind}"), POSITIVE)?;
    }
    Ok(strengths)
}

fn read_rounds_per_day(tokens: &mut Tokens) -> Result<i32> {
    let rounds = tokens.setting("NUM_ROUNDS_PER_DAY", 2..=i32::MAX)?;
    match rounds % 2 {
        0 => Ok(rounds),
        _ => Err(tokens.error(format!("NUM_ROUNDS_PER_DAY must be even, found {rounds}"))),
    }
}
