//! What a player's program gets to see, as bytes (`docs/abi.md`).

use super::board::Cell;
use super::settings::Settings;
use super::state::State;
use crate::bytes::WriteBytes;

/// The 28 settings, in the order of the config.
pub fn write_settings(settings: &Settings, out: &mut Vec<u8>) {
    out.ints(&[4, settings.rounds, settings.rows, settings.cols, settings.queen_period]);
    for amounts in [settings.soldier_cost, settings.worker_cost, settings.bread, settings.seed, settings.leaf] {
        out.ints(&amounts);
    }
    out.ints(&[settings.initial_soldiers, settings.initial_workers]);
    out.ints(&[settings.bonus_rows, settings.bonus_cols, settings.bonus_period]);
    out.ints(&[settings.worker_life, settings.soldier_life, settings.queen_life]);
}

pub fn write_state(state: &State, out: &mut Vec<u8>) {
    out.ints(&[state.round, state.ants.len() as i32]);
    out.ints(&state.scores);
    out.statuses(&state.status);
    out.extend(state.cells.cells().iter().map(|&cell| match cell {
        Cell::Water => 0x13,
        cell => cell.food().map_or(3, |food| food as u8),
    }));
    out.pad(4);
    out.ints(state.ant_on.cells());
    for ant in &state.ants {
        let [carbo, prote, lipid] = ant.reserve;
        let load = ant.load.map_or(3, |food| food as i32);
        let seat = ant.seat.index() as i32;
        out.ints(&[ant.id, ant.kind as i32, seat, ant.pos.i, ant.pos.j, carbo, prote, lipid, load, ant.life]);
    }
}
