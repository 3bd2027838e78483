//! The record of a match of Ants, written and read.

use std::sync::Arc;

use super::ABOUT;
use super::board::{self, Food, Terrain};
use super::engine::{LAY, LEAVE, MOVE, TAKE};
use super::settings::Settings;
use super::state::{Ant, Kind, State};
use crate::game::typed;
use crate::record::{
    Header, Record, RecordWriter, Ruler, read_heading, read_names, read_scores, read_status, write_heading,
    write_names, write_per_seat,
};
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};
use crate::{Grid, Orders, Pos, Seat};

const ANT_COLUMNS: [&str; 10] = ["type", "id", "player", "i", "j", "carbo", "prote", "lipid", "bonus", "life"];

const KIND_LETTERS: &[u8; 3] = b"qsw";
const LOAD_LETTERS: &[u8; 4] = b"bsln";
const ORDER_LETTERS: &[u8; 4] = b"mtly";
const DIR_LETTERS: &[u8; 4] = b"drul";

/// Writes a record; column numbers, rivers and corners are the same in every
/// state of a match.
pub struct Writer {
    ruler: Ruler,
    terrain: Arc<Terrain>,
    /// The terrain as every state repeats it.
    text: Vec<u8>,
}

impl Writer {
    pub fn begin(header: &Header, state: &State, out: &mut Vec<u8>) -> Writer {
        write_heading(header, ABOUT.version, out);
        out.text("\n");
        state.settings.write(out);
        write_names(&header.names, out);
        let terrain = state.terrain.clone();
        let text = terrain.text();
        let mut writer = Writer { ruler: Ruler::new(state.settings.cols), terrain, text };
        writer.state(state, out);
        writer
    }

    fn state(&mut self, state: &State, out: &mut Vec<u8>) {
        // Records that somebody else wrote may have another terrain in every state.
        if !Arc::ptr_eq(&self.terrain, &state.terrain) {
            self.terrain = state.terrain.clone();
            self.text = state.terrain.text();
        }
        out.text("\n\n");
        self.ruler.write_board(state.settings.rows, out, |i, out| {
            out.extend(state.cells.row(i).iter().map(|&cell| cell as u8));
        });
        out.extend_from_slice(&self.text);
        write_rest(state, out);
    }
}

impl RecordWriter for Writer {
    fn round(&mut self, done: &Orders, state: &dyn crate::State, out: &mut Vec<u8>) {
        out.text("commands\n");
        for order in done.iter() {
            let &[id, kind, dir, born] = order else { continue };
            let dir = if matches!(kind, MOVE | LAY) { DIR_LETTERS[dir as usize] } else { b'_' };
            let born = if kind == LAY { KIND_LETTERS[born as usize] } else { b'_' };
            out.int(id);
            out.extend_from_slice(&[b'\t', ORDER_LETTERS[kind as usize], b'\t', dir, b'\t', born, b'\t', b'\n']);
        }
        out.text("-1\n");
        self.state(typed(state), out);
    }
}

/// What follows board and terrain.
fn write_rest(state: &State, out: &mut Vec<u8>) {
    out.text("\nround ");
    out.int(state.round);
    out.text("\n\n");
    write_per_seat("score", "\t", &state.scores, out);
    out.text("\n");
    write_per_seat("status", "\t", &state.status, out);
    out.text("\nants\n");
    out.int(state.ants.len() as i64);
    out.text("\n");
    ANT_COLUMNS.iter().for_each(|column| {
        out.text(column);
        out.text("\t");
    });
    out.text("\n");
    state.ants.iter().for_each(|ant| write_ant(ant, out));
    out.text("\n");
}

fn write_ant(ant: &Ant, out: &mut Vec<u8>) {
    out.push(KIND_LETTERS[ant.kind as usize]);
    let [carbo, prote, lipid] = ant.reserve;
    for number in [ant.id, ant.seat.index() as i32, ant.pos.i, ant.pos.j, carbo, prote, lipid] {
        out.push(b'\t');
        out.int(number);
    }
    out.extend_from_slice(&[b'\t', LOAD_LETTERS[ant.load.map_or(3, |food| food as usize)], b'\t']);
    out.int(ant.life);
    out.text("\t\n");
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
        Ok((done, read_state(tokens, &settings, before)?))
    })
}

fn read_orders(tokens: &mut Tokens) -> Result<Orders> {
    tokens.expect("commands")?;
    let mut orders = Orders::new();
    loop {
        let id = tokens.int("the id of an ant, or -1")?;
        if id == -1 {
            return Ok(orders);
        }
        let kind = tokens.letter("m, t, l or y", ORDER_LETTERS)?;
        let (dir, born) = match kind {
            TAKE | LEAVE => (blank(tokens)?, blank(tokens)?),
            _ => {
                let dir = tokens.letter("d, r, u or l", DIR_LETTERS)?;
                let born = if kind == LAY { 1 + tokens.letter("s or w", b"sw")? } else { blank(tokens)? };
                (dir, born)
            }
        };
        orders.push(&[id, kind, dir, born]);
    }
}

fn read_state(tokens: &mut Tokens, settings: &Arc<Settings>, before: Option<&State>) -> Result<State> {
    let board = board::read(tokens, settings)?;
    // Nearly every state repeats the terrain of the one before; keep one copy.
    let terrain = match before {
        Some(before) if *before.terrain == board.terrain => before.terrain.clone(),
        _ => Arc::new(board.terrain),
    };
    let round = tokens.setting("round", 0..=settings.rounds)?;
    let scores = read_scores(tokens, "score")?;
    let status = read_status(tokens)?;
    tokens.expect("ants")?;
    let count = tokens.int_in("the number of ants", 0..=settings.rows * settings.cols)?;
    ANT_COLUMNS.iter().try_for_each(|column| tokens.expect(column))?;
    let mut state = State {
        settings: settings.clone(),
        terrain,
        cells: board.cells,
        ant_on: Grid::new(settings.rows, settings.cols, State::NOBODY),
        ants: Vec::new(),
        round,
        scores,
        status,
    };
    for _ in 0..count {
        let ant = read_ant(tokens, &state)?;
        state.ant_on[ant.pos] = ant.id;
        state.ants.push(ant);
    }
    Ok(state)
}

fn read_ant(tokens: &mut Tokens, state: &State) -> Result<Ant> {
    let kind = Kind::ALL[tokens.letter("q, s or w", KIND_LETTERS)? as usize];
    let smallest = state.ants.last().map_or(0, |ant| ant.id.saturating_add(1));
    let id = tokens.int_in("the id of an ant", smallest..=i32::MAX)?;
    let seat = Seat::ALL[tokens.int_in("player", 0..=3)? as usize];
    let i = tokens.int_in("the row of an ant", 0..=state.settings.rows - 1)?;
    let pos = Pos::new(i, tokens.int_in("the column of an ant", 0..=state.settings.cols - 1)?);
    if state.ant_on[pos] != State::NOBODY {
        return Err(tokens.error(format!("ants {} and {id} are on the same cell", state.ant_on[pos])));
    }
    let mut reserve = [0; 3];
    for amount in &mut reserve {
        *amount = tokens.int("an amount of a nutrient")?;
    }
    let load = Food::ALL.get(tokens.letter("b, s, l or n", LOAD_LETTERS)? as usize).copied();
    let life = tokens.int("the life of an ant")?;
    Ok(Ant { id, kind, seat, pos, reserve, load, life })
}

/// The `_` in place of what an order of this kind does not have.
fn blank(tokens: &mut Tokens) -> Result<i32> {
    tokens.expect("_").map(|()| -1)
}
