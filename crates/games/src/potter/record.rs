//! The record of a match of Harry Potter, written and read. Configs with a
//! given board hold the same text as a state, up to Voldemort's line.

use std::sync::Arc;

use super::ABOUT;
use super::board::{Board, Cell, CellSet, SIDE, columns};
use super::engine::{MOVE, SPELL};
use super::settings::Settings;
use super::state::{Kind, State, Unit};
use crate::game::typed;
use crate::record::{
    Header, Record, RecordWriter, read_board, read_heading, read_names, read_scores, read_status, write_heading,
    write_names, write_per_seat,
};
use crate::text::WriteText;
use crate::tokens::{Result, Tokens};
use crate::{Orders, PerSeat, Pos, Seat, Status};

const UNIT_COLUMNS: [&str; 7] = ["type", "id", "player", "row", "column", "rounds", "next"];

const KIND_LETTERS: &[u8; 2] = b"wg";
const ORDER_LETTERS: &[u8; 2] = b"ms";
const DIR_LETTERS: &[u8; 8] = b"dcreuqlz";

/// The lines above the board, which every state repeats.
const COLUMN_NUMBERS: &str = "\n
   000000000011111111112222222222333333333344444444445555555555
   012345678901234567890123456789012345678901234567890123456789
";

pub struct Writer;

impl Writer {
    pub fn begin(header: &Header, state: &State, out: &mut Vec<u8>) -> Writer {
        write_heading(header, ABOUT.version, out);
        out.text("\n");
        state.settings.write(out);
        write_names(&header.names, out);
        write_state(state, out);
        Writer
    }
}

impl RecordWriter for Writer {
    fn round(&mut self, done: &Orders, state: &dyn crate::State, out: &mut Vec<u8>) {
        out.text("commands\n");
        out.int(done.len() as i64);
        out.text("\n");
        for order in done.iter() {
            match *order {
                [id, MOVE, dir] => {
                    out.int(id);
                    out.extend_from_slice(&[b'\t', b'm', b'\t', DIR_LETTERS[dir as usize], b'\t', b'\n']);
                }
                [id, SPELL, len, ref answer @ ..] => {
                    out.int(id);
                    out.text("\ts\t");
                    out.int(len);
                    out.text("\t");
                    for &group in answer {
                        out.text(" ");
                        out.int(group);
                    }
                    out.text("\n");
                }
                _ => {}
            }
        }
        write_state(typed(state), out);
    }
}

fn write_state(state: &State, out: &mut Vec<u8>) {
    out.text(COLUMN_NUMBERS);
    for (row, i) in state.cells.rows().iter().zip(0..) {
        let mut line = [b'\n'; SIDE as usize + 4];
        line[..3].copy_from_slice(&[b'0' + i / 10, b'0' + i % 10, b' ']);
        for (letter, &cell) in line[3..].iter_mut().zip(row) {
            *letter = cell as u8;
        }
        out.extend_from_slice(&line);
    }
    write_units(state, out);
    out.text("\nbooks\n");
    out.int(state.settings.books);
    out.text("\nrow\tcolumn\n");
    for (&row, i) in state.books.rows.iter().zip(0..) {
        columns(row).for_each(|j| write_pair(Pos::new(i, j), b'\t', out));
    }
    out.text("\nspell_ingredients\n");
    out.int(state.ingredients.len() as i64);
    out.text("\n");
    for &ingredient in &state.ingredients {
        out.int(ingredient);
        out.text(" ");
    }
    out.text("\n\nVoldemort\n");
    write_pair(state.voldemort, b' ', out);
    out.text("\nround ");
    out.int(state.round);
    out.text("\n");
    write_numbers("\nscore", &state.scores, out);
    write_numbers("\nscr_acc", &state.points, out);
    write_numbers("\nstrength", &state.strength, out);
    write_per_seat("\nstatus", "\t", &state.status, out);
    out.text("\n");
}

fn write_units(state: &State, out: &mut Vec<u8>) {
    out.text("\nunits\n");
    out.int(state.units.len() as i64);
    out.text("\ntype\tid\tplayer\trow\tcolumn\trounds\tnext\n");
    for unit in &state.units {
        out.extend_from_slice(&[KIND_LETTERS[unit.kind as usize], b'\t']);
        for number in [unit.id, unit.seat.index() as i32, unit.pos.i, unit.pos.j, unit.rounds] {
            out.int(number);
            out.push(b'\t');
        }
        out.int(unit.next);
        out.push(b'\n');
    }
}

fn write_pair(pos: Pos, separator: u8, out: &mut Vec<u8>) {
    out.int(pos.i);
    out.push(separator);
    out.int(pos.j);
    out.push(b'\n');
}

fn write_numbers(label: &str, numbers: &PerSeat<i32>, out: &mut Vec<u8>) {
    out.text(label);
    for &number in numbers {
        out.push(b'\t');
        out.int(number);
    }
    out.push(b'\n');
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
        let mut state = read_grid(tokens, &settings)?;
        state.round = tokens.setting("round", 0..=settings.rounds)?;
        state.scores = read_scores(tokens, "score")?;
        state.points = read_scores(tokens, "scr_acc")?;
        state.strength = read_scores(tokens, "strength")?;
        state.status = read_status(tokens)?;
        Ok((done, state))
    })
}

fn read_orders(tokens: &mut Tokens) -> Result<Orders> {
    tokens.expect("commands")?;
    let mut orders = Orders::new();
    let mut order = Vec::new();
    for _ in 0..tokens.int_in("the number of commands", 0..=i32::MAX)? {
        order.clear();
        order.push(tokens.int("the id of a unit")?);
        order.push(tokens.letter("m or s", ORDER_LETTERS)?);
        if order[1] == MOVE {
            order.push(tokens.letter("a direction, one of d c r e u q l z", DIR_LETTERS)?);
        } else {
            let len = tokens.int_in("the length of an answer", 0..=i32::MAX)?;
            order.push(len);
            for _ in 0..len {
                order.push(tokens.int("a group of an answer")?);
            }
        }
        orders.push(&order);
    }
    Ok(orders)
}

/// Reads a state up to Voldemort's line; the rest is as at the start of a match.
pub fn read_grid(tokens: &mut Tokens, settings: &Arc<Settings>) -> Result<State> {
    let mut cells = Board::new(Cell::Free);
    read_board(tokens, SIDE, SIDE, |pos, letter| {
        cells[pos] = Cell::from_letter(letter).ok_or("one of . W 0 1 2 3")?;
        Ok(())
    })?;
    let mut state = State::unsettled(settings, cells);
    tokens.expect("units")?;
    let count = settings.units();
    tokens.int_in("the number of units", count..=count)?;
    UNIT_COLUMNS.iter().try_for_each(|column| tokens.word(column).map(|_| ()))?;
    for id in 0..count {
        read_unit(tokens, id, &mut state)?;
    }
    if let Some(seat) = Seat::ALL.into_iter().find(|&seat| state.ghosts[seat] == State::NOBODY) {
        return Err(tokens.error(format!("player {seat} has no ghost")));
    }
    tokens.expect("books")?;
    tokens.int_in("the number of books", settings.books..=settings.books)?;
    ["row", "column"].iter().try_for_each(|column| tokens.word(column).map(|_| ()))?;
    for _ in 0..settings.books {
        let pos = read_empty(tokens, &state, "a book")?;
        state.books.insert(pos);
    }
    tokens.expect("spell_ingredients")?;
    for _ in 0..tokens.int_in("the number of ingredients", 1..=i32::MAX)? {
        state.ingredients.push(tokens.int("an ingredient")?);
    }
    tokens.expect("Voldemort")?;
    let i = tokens.int_in("Voldemort's row", 1..=SIDE - 2)?;
    state.voldemort = Pos::new(i, tokens.int_in("Voldemort's column", 1..=SIDE - 2)?);
    if let Some(unit) = state.units.iter().find(|unit| unit.pos != state.voldemort && state.is_deadly(unit.pos)) {
        return Err(tokens.error(format!("unit {} is next to Voldemort", unit.id)));
    }
    Ok(state)
}

fn read_unit(tokens: &mut Tokens, id: i32, state: &mut State) -> Result<()> {
    let kind = [Kind::Wizard, Kind::Ghost][tokens.letter("w or g", KIND_LETTERS)? as usize];
    tokens.int_in("the id of the unit", id..=id)?;
    let seat = Seat::ALL[tokens.int_in("player", 0..=3)? as usize];
    let pos = read_empty(tokens, state, "a unit")?;
    if state.cells[pos] != Cell::of(seat) {
        return Err(tokens.error(format!("the cell of unit {id} must be owned by its player {seat}")));
    }
    let rounds = tokens.int_in("rounds", 0..=i32::MAX)?;
    let next = match kind {
        Kind::Wizard if rounds == 0 => Unit::NONE..=Unit::NONE,
        Kind::Wizard => 0..=3,
        Kind::Ghost => Unit::NONE..=i32::MAX,
    };
    let next = tokens.int_in("next", next)?;
    if kind == Kind::Wizard {
        state.wizards[seat].push(id as u16);
    } else {
        if state.ghosts[seat] != State::NOBODY {
            return Err(tokens.error(format!("player {seat} has two ghosts, {} and {id}", state.ghosts[seat])));
        }
        state.ghosts[seat] = id as u16;
    }
    state.unit_on[pos] = id as u16;
    state.units.push(Unit { id, kind, seat, pos, rounds, next });
    Ok(())
}

/// A position that must be corridor without a unit or a book.
fn read_empty(tokens: &mut Tokens, state: &State, what: &str) -> Result<Pos> {
    let i = tokens.int_in(&format!("the row of {what}"), 0..=SIDE - 1)?;
    let pos = Pos::new(i, tokens.int_in(&format!("the column of {what}"), 0..=SIDE - 1)?);
    let taken = state.unit_on[pos] != State::NOBODY || state.books.contains(pos);
    match state.cells[pos] {
        Cell::Wall => Err(tokens.error(format!("({}, {}), the place of {what}, is a wall", pos.i, pos.j))),
        _ if taken => Err(tokens.error(format!("({}, {}), the place of {what}, is taken", pos.i, pos.j))),
        _ => Ok(pos),
    }
}

impl State {
    /// A board at the start of a match, before anything is on it.
    pub(super) fn unsettled(settings: &Arc<Settings>, cells: Board<Cell>) -> State {
        State {
            cells,
            unit_on: Board::new(State::NOBODY),
            units: Vec::new(),
            books: CellSet::EMPTY,
            ingredients: Vec::new(),
            voldemort: Pos::new(-1, -1),
            round: 0,
            scores: [0; 4],
            points: [0; 4],
            strength: [settings.initial_strength; 4],
            status: [Status::UNUSED; 4],
            wizards: PerSeat::default(),
            ghosts: [State::NOBODY; 4],
            settings: settings.clone(),
        }
    }
}
