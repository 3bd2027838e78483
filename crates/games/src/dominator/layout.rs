//! What a player's program gets to see, as bytes (`docs/abi/dominator.md`).
//!
//! Every seat has a board of its own, so this is done four times a round. Only
//! the colours are turned cell by cell; units and haunted cells are few, and
//! are put where they belong.

use super::coven::REACH;
use super::settings::Settings;
use super::state::{Kind, State};
use super::view::View;
use crate::bytes::WriteBytes;
use crate::{Pos, Seat};

/// Bytes before the cells.
const HEAD: usize = 128;

/// What is known of a cell, in one byte; the rest is its owner, from 1, or 0.
const WALL: u8 = 0x10;
const HAUNTED: u8 = 0x20;

/// Words of a unit.
const UNIT: usize = 7;

/// The 13 settings, in the order of the config.
pub fn write_settings(settings: &Settings, out: &mut Vec<u8>) {
    out.ints(&[4, settings.rounds, settings.farmers, settings.knights, settings.witches]);
    out.ints(&[settings.farmer_health, settings.knight_health, settings.farmer_regen, settings.knight_regen]);
    out.ints(&[settings.damage_min, settings.damage_max, settings.side, settings.side]);
}

pub fn write_view(view: View, out: &mut Vec<u8>) {
    let area = view.state.cells.cells().len();
    let units = view.state.units.len();
    let start = out.len();
    write_head(view, out);
    out.resize(start + HEAD, 0);
    let (cells_len, ids_len) = (area.next_multiple_of(4), 4 * area);
    out.resize(start + HEAD + cells_len, 0);
    out.resize(start + HEAD + cells_len + ids_len, State::NOBODY.to_le_bytes()[0]);
    for team in Seat::ALL {
        KINDS.iter().for_each(|&kind| out.ints(view.ids(team, kind)));
    }
    let rest = out.len();
    out.resize(rest + 4 * UNIT * units, 0);
    let (cells, rest) = out[start + HEAD..].split_at_mut(cells_len);
    let (ids, rest) = rest.split_at_mut(ids_len);
    write_colours(view, cells);
    write_units(view, cells, ids.as_chunks_mut().0, rest[4 * units..].as_chunks_mut().0);
}

const KINDS: [Kind; 3] = [Kind::Farmer, Kind::Knight, Kind::Witch];

fn write_head(view: View, out: &mut Vec<u8>) {
    out.ints(&[view.round(), view.units()]);
    out.ints(&Seat::ALL.map(|team| view.land(team)));
    out.ints(&Seat::ALL.map(|team| view.total_score(team)));
    out.statuses(&Seat::ALL.map(|team| view.status(team)));
    let mut end = 0;
    for team in Seat::ALL {
        out.ints(&KINDS.map(|kind| {
            end += view.ids(team, kind).len() as i32;
            end
        }));
    }
}

fn write_colours(view: View, cells: &mut [u8]) {
    let mut codes = [0; 256];
    codes[usize::from(u8::from(super::Cell::WALL))] = WALL;
    for team in Seat::ALL {
        codes[usize::from(u8::from(super::Cell::owned_by(team)))] = 1 + view.seen_team(team).index() as u8;
    }
    let real = view.state.cells.cells();
    for (i, row) in (0..).zip(cells.chunks_exact_mut(view.settings().side as usize)) {
        let mut at = view.real_offset(Pos::new(i, 0)) as i32;
        for code in row {
            *code = codes[usize::from(u8::from(real[at as usize]))];
            at += view.right();
        }
    }
}

/// Units, and what they do to the cells.
fn write_units(view: View, cells: &mut [u8], ids: &mut [[u8; 4]], out: &mut [[u8; 4 * UNIT]]) {
    let side = view.settings().side;
    for ((id, unit), bytes) in (0..).zip(&view.state.units).zip(out) {
        let seen = view.seen_pos(unit.pos);
        if unit.active {
            REACH.for_each(seen, side, |place| cells[place] |= HAUNTED);
        }
        // One that is on no cell is not turned.
        let (pos, team) = if view.state.is_placed(id) {
            ids[(seen.i * side + seen.j) as usize] = id.to_le_bytes();
            (seen, view.seen_team(unit.team))
        } else {
            (unit.pos, unit.team)
        };
        let words = [unit.kind as i32, id, team.index() as i32, unit.health, pos.i, pos.j, i32::from(unit.active)];
        bytes.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominator::Dominator;
    use crate::game::{BuiltinPlayer, typed};
    use crate::{Game, Orders, PerSeat};

    fn ints(bytes: &[u8]) -> Vec<i32> {
        bytes.as_chunks().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect()
    }

    /// What the bytes say must be what the view says.
    fn check(view: View) {
        let mut bytes = Vec::new();
        write_view(view, &mut bytes);
        let side = view.settings().side;
        let (area, count) = ((side * side) as usize, view.units() as usize);
        let ids_at = HEAD + area.next_multiple_of(4);
        let head = ints(&bytes[..HEAD]);
        assert_eq!(head[..2], [view.round(), view.units()]);
        assert_eq!(head[2..6], Seat::ALL.map(|team| view.land(team)));
        assert_eq!(head[6..10], Seat::ALL.map(|team| view.total_score(team)));
        let rest = ints(&bytes[ids_at..]);
        let (ids, rest) = rest.split_at(area);
        let (lists, units) = rest.split_at(count);
        assert_eq!(units.len(), UNIT * count);
        for (place, pos) in view.state.cells.positions().enumerate() {
            let seen = view.cell(pos).unwrap();
            let code = if seen.is_wall { WALL } else { 0 }
                | if seen.haunted { HAUNTED } else { 0 }
                | seen.owner.map_or(0, |owner| 1 + owner.index() as u8);
            assert_eq!((bytes[HEAD + place], ids[place]), (code, seen.unit), "{pos:?}");
        }
        for (list, end) in head[18..30].iter().enumerate() {
            let start = if list == 0 { 0 } else { head[17 + list] };
            let expected = view.ids(Seat::ALL[list / 3], KINDS[list % 3]);
            assert_eq!(&lists[start as usize..*end as usize], expected);
        }
        for (id, words) in (0..).zip(units.as_chunks::<UNIT>().0) {
            let unit = view.unit(id).unwrap();
            let Pos { i, j } = unit.pos;
            let team = unit.team.index() as i32;
            assert_eq!(*words, [unit.kind as i32, id, team, unit.health, i, j, i32::from(unit.active)]);
        }
    }

    /// Plays with four Demo and looks now and then.
    fn check_match(config: &str, seed: i32) {
        let mut engine = Dominator.read_config(config.as_bytes()).unwrap().start(seed).unwrap();
        let demo = Dominator.about().players.iter().find(|player| player.name == "Demo").unwrap();
        let mut players: PerSeat<Box<dyn BuiltinPlayer>> = Seat::ALL.map(|seat| (demo.new)(seed, seat));
        let mut orders = PerSeat::<Orders>::default();
        for round in 0..60 {
            for seat in Seat::ALL {
                orders[seat].clear();
                players[seat].play(engine.state(), &mut orders[seat]);
                if round % 7 == 0 {
                    check(View::new(typed(engine.state()), seat));
                }
            }
            if engine.step(&orders).is_err() {
                return;
            }
        }
    }

    #[test]
    fn the_bytes_say_what_the_view_says() {
        let default = Dominator.about().default_config;
        check_match(default, 30);
        check_match(&default.replace("GENERATOR2", "GENERATOR3"), 31);
        // So many witches that they deactivate each other, and units that find no cell.
        let crowded = default.replace("37", "21").replace("nb_witches       2", "nb_witches       3");
        for farmers in [1, 12] {
            let config = crowded.replace("nb_farmers      20", &format!("nb_farmers {farmers}"));
            (0..20).for_each(|seed| check_match(&config.replace("GENERATOR2", "GENERATOR1 0"), seed));
        }
    }
}
