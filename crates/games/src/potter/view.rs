//! What a player's program gets to see, as bytes (`docs/abi/potter.md`).

use super::board::SIDE;
use super::settings::Settings;
use super::state::State;
use crate::Seat;
use crate::bytes::WriteBytes;

/// The 14 settings, in the order of the config.
pub fn write_settings(settings: &Settings, out: &mut Vec<u8>) {
    out.ints(&[4, settings.rounds, SIDE, SIDE, settings.wizards, settings.books, settings.initial_strength]);
    out.ints(&[settings.conversion_points, settings.cell_points, settings.book_strength]);
    out.ints(&[settings.conversion_rounds, settings.attack_rest, settings.spell_rest, settings.attack_pause]);
}

pub fn write_state(state: &State, out: &mut Vec<u8>) {
    let (units, ingredients) = (state.units.len() as i32, state.ingredients.len() as i32);
    out.ints(&[state.round, units, ingredients, 0, state.voldemort.i, state.voldemort.j]);
    out.statuses(&state.status);
    out.ints(&state.scores);
    out.ints(&Seat::ALL.map(|seat| state.magic_strength(seat)));
    out.ints(&Seat::ALL.map(|seat| i32::from(state.ghosts[seat])));
    out.ints(&Seat::ALL.map(|seat| state.wizards[seat].len() as i32));
    out.extend(state.books.rows.iter().flat_map(|row| row.to_le_bytes()));
    out.extend(state.cells.cells().iter().map(|&cell| cell as u8));
    out.ids(state.unit_on.cells());
    for unit in &state.units {
        let place = [unit.kind as u8, unit.seat.index() as u8, unit.pos.i as u8, unit.pos.j as u8];
        out.ints(&[i32::from_le_bytes(place), unit.rounds, unit.next]);
    }
    out.ints(&state.ingredients);
    state.wizards.iter().for_each(|ids| out.ids(ids));
}
