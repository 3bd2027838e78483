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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_where_the_layout_says() {
        let config = super::super::read_config(super::super::ABOUT.default_config.as_bytes()).unwrap();
        let engine = config.engine(30).unwrap();
        let state: &State = crate::game::typed(crate::Engine::state(&engine));
        let mut settings = Vec::new();
        write_settings(&state.settings, &mut settings);
        assert_eq!(settings.len(), 4 * 14);
        let mut view = Vec::new();
        write_state(state, &mut view);
        assert_eq!(view.len(), 11_400 + 12 * 84 + 4 * 15 + 2 * 80);

        let int = |at: usize| i32::from_le_bytes(view[at..at + 4].try_into().unwrap());
        assert_eq!([int(4), int(8), int(16), int(20)], [84, 15, state.voldemort.i, state.voldemort.j]);
        assert_eq!([int(72), int(88 + 4), int(104 + 8)], [1000 / 21, 1, 20]);
        let ghost = state.ghost(Seat::ALL[3]);
        let place = (ghost.pos.i * SIDE + ghost.pos.j) as usize;
        assert_eq!(view[600 + place], b'3');
        assert_eq!(view[4200 + 2 * place..][..2], [3, 0]);
        assert_eq!(view[11_400 + 12 * 3..][..5], [1, 3, ghost.pos.i as u8, ghost.pos.j as u8, 60]);
        let book = state.books.iter().next().unwrap();
        assert_eq!(view[120 + 8 * book.i as usize + book.j as usize / 8] >> (book.j % 8) & 1, 1);
        assert_eq!(int(11_400 + 12 * 84), state.ingredients[0]);
        assert_eq!(view[view.len() - 2..], [83, 0]);
    }
}
