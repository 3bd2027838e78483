//! The text record of a match: what its readers and writers share.
//!
//! Each game has its own record format; the heading, the names and the way a
//! damaged file is treated are common.

use crate::game::State;
use crate::orders::Orders;
use crate::text::WriteText;
use crate::tokens::{Result, TextError, Tokens, show};
use crate::{PerSeat, Seat, Status};

/// The facts of a match that are not in its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Played by a judge, whose records say so and hold true CPU fractions.
    pub judged: bool,
    pub seed: i32,
    pub names: PerSeat<String>,
}

/// A match read back from its record.
#[derive(Debug)]
pub struct Record {
    pub header: Header,
    /// The first state, then one frame per round.
    pub frames: Vec<Frame>,
    /// Where and why reading stopped, if that was before the end of the match.
    pub damage: Option<TextError>,
}

/// What was done in a round, and the state it led to. The first frame has no round.
#[derive(Debug)]
pub struct Frame {
    pub done: Orders,
    pub state: Box<dyn State>,
}

/// Writes the record of one match, and keeps what its states have in common.
/// [`crate::Game::begin_record`] makes one.
pub trait RecordWriter: Send {
    /// The part of a record that one round adds: what was done, and the state it led to.
    fn round(&mut self, done: &Orders, state: &dyn State, out: &mut Vec<u8>);
}

impl Record {
    /// The text of the record, as far as it was readable.
    pub fn write(&self, out: &mut Vec<u8>) {
        let [first, rounds @ ..] = &self.frames[..] else { return };
        let mut record = first.state.game().begin_record(&self.header, &*first.state, out);
        rounds.iter().for_each(|frame| record.round(&frame.done, &*frame.state, out));
    }

    /// Reads the states with `read`, which gets the state before (none for the
    /// first), until the match is complete or the text breaks.
    pub fn collect<S: State>(
        header: Header,
        tokens: &mut Tokens,
        mut read: impl FnMut(&mut Tokens, Option<&S>) -> Result<(Orders, S)>,
    ) -> Result<Record> {
        let (done, state) = read(tokens, None)?;
        let mut record = Record { header, frames: vec![Frame { done, state: Box::new(state) }], damage: None };
        loop {
            let last: &S = crate::game::typed(record.last());
            let (round, rounds) = (last.round(), last.rounds());
            if tokens.at_end() {
                if round < rounds {
                    record.damage = Some(
                        tokens
                            .error_at(tokens.offset(), format!("the match breaks off after round {round} of {rounds}")),
                    );
                }
                return Ok(record);
            }
            if round >= rounds {
                record.damage = Some(tokens.error_at(tokens.offset(), "there is more text after the last round"));
                return Ok(record);
            }
            match read(tokens, Some(last)) {
                Ok((_, state)) if state.round() != round + 1 => {
                    record.damage =
                        Some(tokens.error(format!("expected round {}, found round {}", round + 1, state.round())));
                    return Ok(record);
                }
                Ok((done, state)) => record.frames.push(Frame { done, state: Box::new(state) }),
                Err(damage) => {
                    record.damage = Some(damage);
                    return Ok(record);
                }
            }
        }
    }

    fn last(&self) -> &dyn State {
        &*self.frames.last().expect("a record has at least one frame").state
    }
}

/// The lines before the settings: kind of record, seed, game and version.
pub fn write_heading(header: &Header, version: &str, out: &mut Vec<u8>) {
    out.text(if header.judged { "SecGame" } else { "Game" });
    out.text("\n\nSeed ");
    out.int(header.seed);
    out.text("\n\n");
    out.text(version);
    out.text("\n");
}

/// The line after the settings.
pub fn write_names(names: &PerSeat<String>, out: &mut Vec<u8>) {
    out.text("names         ");
    for name in names {
        out.text(" ");
        out.text(name);
    }
    out.text("\n");
}

/// Kind of record and seed; game, version and settings follow.
pub fn read_heading(tokens: &mut Tokens) -> Result<(bool, i32)> {
    let kind = tokens.word("Game or SecGame")?;
    let judged = match kind {
        b"Game" => false,
        b"SecGame" => true,
        _ => return Err(tokens.error(format!("expected Game or SecGame, found {}", show(kind)))),
    };
    tokens.expect("Seed")?;
    Ok((judged, tokens.int("the seed")?))
}

pub fn read_names(tokens: &mut Tokens) -> Result<PerSeat<String>> {
    tokens.expect("names")?;
    let mut names = PerSeat::default();
    for name in &mut names {
        *name = read_name(tokens)?;
    }
    Ok(names)
}

/// Names in records of old are a few letters long.
const LONGEST_NAME: usize = 256;

pub fn read_name(tokens: &mut Tokens) -> Result<String> {
    let word = tokens.word("a player's name")?;
    if word.len() > LONGEST_NAME {
        return Err(tokens.error(format!("expected a player's name, found one of {} bytes", word.len())));
    }
    let name = std::str::from_utf8(word)
        .map_err(|_| tokens.error(format!("expected a player's name, found {}", show(word))))?;
    Ok(name.to_owned())
}

/// `label` and a number for each seat, each in `range`.
pub fn read_scores(tokens: &mut Tokens, label: &str) -> Result<PerSeat<i32>> {
    tokens.expect(label)?;
    let mut scores = [0; Seat::COUNT];
    for score in &mut scores {
        *score = tokens.int(label)?;
    }
    Ok(scores)
}

pub fn read_status(tokens: &mut Tokens) -> Result<PerSeat<Status>> {
    tokens.expect("status")?;
    let mut status = [Status::UNUSED; Seat::COUNT];
    for seat in &mut status {
        *seat = tokens.status("the status of a seat")?;
    }
    Ok(status)
}

/// A label and the values of the four seats, each after `separator`.
pub fn write_per_seat<T: Value>(label: &str, separator: &str, values: &PerSeat<T>, out: &mut Vec<u8>) {
    out.text(label);
    for &value in values {
        out.text(separator);
        value.write(out);
    }
    out.text("\n");
}

/// What a record says of a seat.
pub trait Value: Copy {
    fn write(self, out: &mut Vec<u8>);
}

impl<T: Copy + Into<i64>> Value for T {
    #[inline]
    fn write(self, out: &mut Vec<u8>) {
        out.int(self);
    }
}

impl Value for Status {
    #[inline]
    fn write(self, out: &mut Vec<u8>) {
        if self == Status::UNUSED {
            return out.push(b'0');
        }
        out.text(&self.to_string());
    }
}

/// Writes a board with row and column numbers around it.
///
/// The column numbers are the same in every state, so they are made once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruler {
    columns: Vec<u8>,
}

impl Ruler {
    pub fn new(cols: i32) -> Self {
        let mut columns = Vec::with_capacity(2 * (cols as usize + 4));
        for digit in [|j: i32| j / 10, |j: i32| j % 10] {
            columns.text("   ");
            (0..cols).for_each(|j| columns.int(digit(j)));
            columns.text("\n");
        }
        Ruler { columns }
    }

    /// The board, with `letters` giving the letters of a row.
    pub fn write_board(&self, rows: i32, out: &mut Vec<u8>, mut letters: impl FnMut(i32, &mut Vec<u8>)) {
        out.extend_from_slice(&self.columns);
        for i in 0..rows {
            out.int(i / 10);
            out.int(i % 10);
            out.push(b' ');
            letters(i, out);
            out.push(b'\n');
        }
    }
}

/// Reads a board with row and column numbers around it, giving each row of
/// exactly `cols` letters to `letters`, which may refuse one of them.
pub fn read_board(
    tokens: &mut Tokens,
    rows: i32,
    cols: i32,
    mut letter: impl FnMut(crate::Pos, u8) -> std::result::Result<(), &'static str>,
) -> Result<()> {
    tokens.word("the tens of the column numbers")?;
    tokens.word("the units of the column numbers")?;
    for i in 0..rows {
        tokens.word("a row number")?;
        read_row(tokens, i, cols, &mut letter)?;
    }
    Ok(())
}

/// Reads one row of exactly `cols` letters.
pub fn read_row(
    tokens: &mut Tokens,
    i: i32,
    cols: i32,
    mut letter: impl FnMut(crate::Pos, u8) -> std::result::Result<(), &'static str>,
) -> Result<()> {
    let row = tokens.word("a row of the board")?;
    if row.len() != cols as usize {
        return Err(tokens.error(format!("expected a row of {cols} cells, found {} of them", row.len())));
    }
    for (j, &c) in row.iter().enumerate() {
        letter(crate::Pos::new(i, j as i32), c).map_err(|expected| {
            tokens.error_at(tokens.last() + j, format!("expected {expected}, found {}", show(&[c])))
        })?;
    }
    Ok(())
}
