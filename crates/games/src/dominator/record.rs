//! The record of a match of Dominator, written and read.

use std::sync::Arc;

use super::ABOUT;
use super::board;
use super::coven::REACH;
use super::settings::Settings;
use super::state::{Kind, State, Unit, is_witch};
use crate::game::typed;
use crate::record::{
    Header, Record, RecordWriter, read_heading, read_names, read_scores, read_status, write_heading, write_names,
    write_per_seat,
};
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};
use crate::{Orders, Pos, Seat};

const KIND_LETTERS: &[u8; 3] = b"fkw";
const DIR_LETTERS: &[u8; 8] = b"bwrxtylz";

pub struct Writer;

impl Writer {
    pub fn begin(header: &Header, state: &State, out: &mut Vec<u8>) -> Writer {
        write_heading(header, ABOUT.version, out);
        state.settings.write(out);
        write_names(&header.names, out);
        write_state(state, out);
        Writer
    }
}

impl RecordWriter for Writer {
    fn round(&mut self, done: &Orders, state: &dyn crate::State, out: &mut Vec<u8>) {
        out.text("movements\n");
        for order in done.iter() {
            let &[id, dir] = order else { continue };
            out.int(id);
            out.extend_from_slice(&[b' ', DIR_LETTERS[dir as usize], b'\n']);
        }
        out.text("-1\n");
        write_state(typed(state), out);
    }
}

fn write_state(state: &State, out: &mut Vec<u8>) {
    out.text("\n\n");
    for i in 0..state.settings.side {
        out.extend(state.cells.row(i).iter().map(|&cell| u8::from(cell)));
        out.push(b'\n');
    }
    out.text("\nround ");
    out.int(state.round);
    out.text("\n");
    write_per_seat("land", " ", &state.land, out);
    write_per_seat("total_score", " ", &state.scores, out);
    write_per_seat("status", " ", &state.status, out);
    for unit in &state.units {
        out.extend_from_slice(&[KIND_LETTERS[unit.kind as usize], b' ', b'0' + unit.team.index() as u8]);
        for number in [unit.pos.i, unit.pos.j, unit.health] {
            out.push(b' ');
            out.int(number);
        }
        out.push(b'\n');
    }
    out.text("\n");
}

pub fn read(text: &[u8]) -> Result<Record> {
    let mut tokens = Tokens::new(text);
    let (judged, seed) = read_heading(&mut tokens)?;
    let settings = Arc::new(Settings::read(&mut tokens)?);
    let names = read_names(&mut tokens)?;
    let header = Header { judged, seed, names };
    Record::collect(header, &mut tokens, |tokens, before: Option<&State>| {
        let done = match before {
            Some(_) => read_movements(tokens, &settings)?,
            None => Orders::new(),
        };
        Ok((done, read_state(tokens, &settings)?))
    })
}

fn read_movements(tokens: &mut Tokens, settings: &Settings) -> Result<Orders> {
    tokens.expect("movements")?;
    let mut orders = Orders::new();
    loop {
        let id = tokens.int_in("the id of a unit, or -1", -1..=settings.army() * 4 - 1)?;
        if id == -1 {
            return Ok(orders);
        }
        let dir = tokens.letter("one of b w r x t y l z", DIR_LETTERS)?;
        orders.push(&[id, dir]);
    }
}

fn read_state(tokens: &mut Tokens, settings: &Arc<Settings>) -> Result<State> {
    let mut state = State::new(settings, board::read(tokens, settings.side)?);
    state.round = tokens.setting("round", 0..=settings.rounds)?;
    tokens.expect("land")?;
    for seat in Seat::ALL {
        let cells = state.land[seat];
        tokens.int_in("land", cells..=cells)?;
    }
    state.scores = read_scores(tokens, "total_score")?;
    state.status = read_status(tokens)?;
    for id in 0..settings.army() * 4 {
        let unit = read_unit(tokens, id, settings)?;
        state.recruit(unit);
    }
    deduce(&mut state);
    Ok(state)
}

fn read_unit(tokens: &mut Tokens, id: i32, settings: &Settings) -> Result<Unit> {
    let kind = settings.kind_of(id);
    let letter = KIND_LETTERS[kind as usize];
    tokens.letter(&format!("{} for unit {id}", char::from(letter)), &[letter])?;
    let team = Seat::ALL[tokens.int_in("the team of a unit", 0..=3)? as usize];
    let i = tokens.int_in("the row of a unit", 0..=settings.side - 1)?;
    let pos = Pos::new(i, tokens.int_in("the column of a unit", 0..=settings.side - 1)?);
    let health = tokens.int("the health of a unit")?;
    Ok(Unit { kind, team, pos, health, active: false })
}

/// Sets what records leave to be deduced from positions: who is on which cell,
/// which witches are active and what they haunt. Where a unit without a cell
/// seems to share one with another, the one with the greater id gets it.
fn deduce(state: &mut State) {
    for (id, unit) in (0..).zip(&state.units) {
        if !state.cells[unit.pos].is_wall() {
            state.unit_on[unit.pos] = id;
        }
    }
    let side = state.settings.side;
    for id in 0..state.units.len() {
        let Unit { kind, pos, .. } = state.units[id];
        if kind != Kind::Witch {
            continue;
        }
        let own = state.unit_on.offset(pos);
        let mut active = true;
        REACH.for_each(pos, side, |offset| {
            active &= offset == own || !is_witch(&state.units, state.unit_on.cells()[offset]);
        });
        state.units[id].active = active;
        if active {
            REACH.for_each(pos, side, |offset| state.haunted.cells_mut()[offset] += 1);
        }
    }
}
