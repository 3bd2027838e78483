//! The record of a match of The Purge, written and read.

use std::sync::Arc;

use super::ABOUT;
use super::board;
use super::engine::MOVE;
use super::settings::Settings;
use super::state::{Barricade, Citizen, State};
use crate::game::typed;
use crate::record::{
    Header, Record, RecordWriter, Ruler, read_heading, read_names, read_scores, read_status, write_heading,
    write_names, write_per_seat,
};
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};
use crate::{Orders, Pos};

const KIND_LETTERS: &[u8; 2] = b"bw";
const WEAPON_LETTERS: &[u8; 4] = b"nhgb";
const ORDER_LETTERS: &[u8; 2] = b"mb";
const DIR_LETTERS: &[u8; 4] = b"drul";

/// Writes a record; the numbers of the columns are the same in every state.
pub struct Writer {
    ruler: Ruler,
}

impl Writer {
    pub fn begin(header: &Header, state: &State, out: &mut Vec<u8>) -> Writer {
        let ruler = Ruler::new(state.settings.cols);
        write_heading(header, ABOUT.version, out);
        out.text("\n");
        state.settings.write(out);
        write_names(&header.names, out);
        write_state(&ruler, state, out);
        Writer { ruler }
    }
}

impl RecordWriter for Writer {
    fn round(&mut self, done: &Orders, state: &dyn crate::State, out: &mut Vec<u8>) {
        out.text("commands\n");
        out.int(done.len() as i64);
        out.text("\n");
        for order in done.iter() {
            let &[id, kind, dir] = order else { continue };
            out.int(id);
            out.extend_from_slice(&[
                b'\t',
                ORDER_LETTERS[usize::from(kind != MOVE)],
                b'\t',
                DIR_LETTERS[dir as usize],
                b'\t',
                b'\n',
            ]);
        }
        write_state(&self.ruler, typed(state), out);
    }
}

fn write_state(ruler: &Ruler, state: &State, out: &mut Vec<u8>) {
    out.text("\n\n");
    ruler.write_board(state.settings.rows, out, |i, out| {
        out.extend(state.cells.row(i).iter().map(|&cell| cell as u8));
    });
    out.text("\ncitizens\n");
    out.int(state.citizens.len() as i64);
    out.text("\ntype\tid\tplayer\trow\tcolumn\tweapon\tlife\n");
    state.citizens.iter().for_each(|citizen| write_citizen(citizen, out));
    out.text("\nbarricades\n");
    out.int(state.barricades.len() as i64);
    out.text("\nplayer\trow\tcolumn\tresistance\n");
    state.barricades.iter().for_each(|barricade| write_barricade(barricade, out));
    out.text("\nround ");
    out.int(state.round);
    out.text(if state.is_day() { "\nday 1\n\n" } else { "\nday 0\n\n" });
    write_per_seat("score", "\t", &state.scores, out);
    out.text("\n");
    write_per_seat("status", "\t", &state.status, out);
    out.text("\n");
}

fn write_citizen(citizen: &Citizen, out: &mut Vec<u8>) {
    out.extend_from_slice(&[KIND_LETTERS[citizen.kind as usize], b'\t']);
    out.int(citizen.id);
    out.extend_from_slice(&[b'\t', b'0' + citizen.seat.index() as u8]);
    write_pos(citizen.pos, out);
    let weapon = WEAPON_LETTERS[citizen.weapon.map_or(0, |weapon| weapon as usize + 1)];
    out.extend_from_slice(&[b'\t', weapon, b'\t']);
    out.int(citizen.life);
    out.push(b'\n');
}

fn write_barricade(barricade: &Barricade, out: &mut Vec<u8>) {
    out.push(b'0' + barricade.owner.index() as u8);
    write_pos(barricade.pos, out);
    out.push(b'\t');
    out.int(barricade.resistance);
    out.push(b'\n');
}

/// Row and column, each after a tab.
fn write_pos(pos: Pos, out: &mut Vec<u8>) {
    out.push(b'\t');
    out.int(pos.i);
    out.push(b'\t');
    out.int(pos.j);
}

pub fn read(text: &[u8]) -> Result<Record> {
    let mut tokens = Tokens::new(text);
    let (judged, seed) = read_heading(&mut tokens)?;
    let settings = Arc::new(Settings::read(&mut tokens)?);
    let names = read_names(&mut tokens)?;
    let header = Header { judged, seed, names };
    Record::collect(header, &mut tokens, |tokens, before: Option<&State>| {
        let done = match before {
            Some(_) => read_orders(tokens)?,
            None => Orders::new(),
        };
        Ok((done, read_state(tokens, &settings)?))
    })
}

fn read_orders(tokens: &mut Tokens) -> Result<Orders> {
    tokens.expect("commands")?;
    let mut orders = Orders::new();
    for _ in 0..tokens.int_in("the number of orders", 0..=i32::MAX)? {
        let id = tokens.int("the id of a citizen")?;
        let kind = tokens.letter("m or b", ORDER_LETTERS)?;
        orders.push(&[id, kind, tokens.letter("d, r, u or l", DIR_LETTERS)?]);
    }
    Ok(orders)
}

fn read_state(tokens: &mut Tokens, settings: &Arc<Settings>) -> Result<State> {
    let board = board::read(tokens, settings)?;
    let round = tokens.setting("round", 0..=settings.rounds())?;
    let day = i32::from(settings.is_day(round));
    tokens.setting("day", day..=day)?;
    Ok(State {
        settings: settings.clone(),
        cells: board.cells,
        citizens: board.citizens,
        barricades: board.barricades,
        round,
        scores: read_scores(tokens, "score")?,
        status: read_status(tokens)?,
    })
}
