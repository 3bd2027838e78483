//! What a player's program gets to see, as bytes (`docs/abi/purge.md`).

use super::board::Cell;
use super::settings::Settings;
use super::state::{State, Weapon};
use crate::bytes::WriteBytes;

/// The 34 settings, in the order of the config.
pub fn write_settings(settings: &Settings, out: &mut Vec<u8>) {
    out.ints(&[4, settings.days, settings.rounds_per_day, settings.rows, settings.cols]);
    out.ints(&[settings.initial_builders, settings.initial_warriors]);
    out.ints(&[settings.initial_money, settings.initial_food, settings.initial_guns, settings.initial_bazookas]);
    out.ints(&[settings.builder_life, settings.warrior_life]);
    out.ints(&[settings.money_points, settings.kill_builder_points, settings.kill_warrior_points]);
    out.ints(&[settings.food_life, settings.life_lost]);
    out.ints(&settings.attack);
    out.ints(&settings.demolish);
    out.ints(&[settings.builder_delay, settings.warrior_delay]);
    out.ints(&[settings.food_delay, settings.money_delay, settings.weapon_delay]);
    out.ints(&[settings.barricade_step, settings.barricade_max, settings.most_barricades]);
}

pub fn write_state(state: &State, out: &mut Vec<u8>) {
    let start = out.len();
    let (citizens, barricades) = (state.citizens.len() as i32, state.barricades.len() as i32);
    out.ints(&[state.round, i32::from(state.is_day()), citizens, barricades]);
    out.ints(&state.scores);
    out.statuses(&state.status);
    let cells_at = out.len();
    out.extend(state.cells.cells().iter().map(|&cell| CODES[usize::from(cell as u8)]));
    out.resize(start + (out.len() - start).next_multiple_of(4), 0);
    let area = state.cells.cells().len();
    let (ids_at, resistances_at) = (out.len(), out.len() + 4 * area);
    // All bytes one is -1, in both grids: no citizen, no barricade.
    out.resize(out.len() + 8 * area, 0xff);
    let place = |pos: crate::Pos| (pos.i * state.settings.cols + pos.j) as usize;
    for citizen in &state.citizens {
        put(out, ids_at + 4 * place(citizen.pos), citizen.id);
    }
    for barricade in &state.barricades {
        out[cells_at + place(barricade.pos)] |= (barricade.owner.index() as u8 + 1) << 5;
        put(out, resistances_at + 4 * place(barricade.pos), barricade.resistance);
    }
    for citizen in &state.citizens {
        let weapon = citizen.weapon.map_or(NO_WEAPON, |weapon| weapon as u8);
        let seat = citizen.seat.index() as i32;
        out.ints(&[citizen.id, citizen.kind as i32, seat, citizen.pos.i, citizen.pos.j, weapon.into(), citizen.life]);
    }
    for barricade in &state.barricades {
        out.ints(&[barricade.owner.index() as i32, barricade.pos.i, barricade.pos.j, barricade.resistance]);
    }
}

fn put(out: &mut [u8], at: usize, value: i32) {
    out[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

const MONEY: u8 = 0;
const FOOD: u8 = 1;
const NO_BONUS: u8 = 2;
const NO_WEAPON: u8 = 3;

/// The byte of a cell without its barricade, by the letter of the cell.
const CODES: [u8; 128] = {
    let mut codes = [code(0, NO_BONUS, NO_WEAPON); 128];
    codes[Cell::Building as usize] = code(1, NO_BONUS, NO_WEAPON);
    codes[Cell::Money as usize] = code(0, MONEY, NO_WEAPON);
    codes[Cell::Food as usize] = code(0, FOOD, NO_WEAPON);
    codes[Cell::Gun as usize] = code(0, NO_BONUS, Weapon::Gun as u8);
    codes[Cell::Bazooka as usize] = code(0, NO_BONUS, Weapon::Bazooka as u8);
    codes
};

const fn code(kind: u8, bonus: u8, weapon: u8) -> u8 {
    kind << 4 | bonus << 2 | weapon
}
