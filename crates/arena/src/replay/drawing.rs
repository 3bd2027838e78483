//! What players drew for their authors: a layer of a replay that has nothing to
//! do with the match.
//!
//! It stands behind the rounds, where readers that do not know it read past it,
//! and a replay without drawings has none. `docs/replay.md` describes it.

use ludus_games::Seat;

use super::head::{Bytes, WriteNumbers};
use super::recorder::checksum;
use super::{LARGEST, MOST_ROUNDS};
use crate::{Match, Observer, Players};

/// What the layer ends with, before the digest of the file.
const MARK: [u8; 8] = *b"\x93LUDRAW1";

/// The most that a layer holds. What comes later is left out.
const MOST_BYTES: usize = 1 << 20;

/// The longest text of one drawing, in bytes.
pub const LONGEST_TEXT: usize = 80;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The cell in a row and a column.
    Cell { row: i32, col: i32 },
    /// A line from the middle of a cell to that of another.
    Line { from: (i32, i32), to: (i32, i32) },
    /// A text that begins in a cell.
    Text { row: i32, col: i32 },
    /// A text beside a unit.
    Note { unit: i32 },
}

/// One thing that a player drew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    pub shape: Shape,
    /// Red, green and blue in a byte each, or none for the colour of the seat.
    pub colour: Option<u32>,
    pub text: String,
}

impl Shape {
    /// The shape of a kind with its four numbers.
    pub fn of(kind: i32, [a, b, c, d]: [i32; 4]) -> Option<Shape> {
        Some(match kind {
            1 => Shape::Cell { row: a, col: b },
            2 => Shape::Line { from: (a, b), to: (c, d) },
            3 => Shape::Text { row: a, col: b },
            4 => Shape::Note { unit: a },
            _ => return None,
        })
    }

    pub fn parts(self) -> (i32, [i32; 4]) {
        match self {
            Shape::Cell { row, col } => (1, [row, col, 0, 0]),
            Shape::Line { from, to } => (2, [from.0, from.1, to.0, to.1]),
            Shape::Text { row, col } => (3, [row, col, 0, 0]),
            Shape::Note { unit } => (4, [unit, 0, 0, 0]),
        }
    }

    /// The same with every place changed.
    fn moved(self, place: impl Fn((i32, i32)) -> (i32, i32)) -> Shape {
        match self {
            Shape::Cell { row, col } => {
                let (row, col) = place((row, col));
                Shape::Cell { row, col }
            }
            Shape::Line { from, to } => Shape::Line { from: place(from), to: place(to) },
            Shape::Text { row, col } => {
                let (row, col) = place((row, col));
                Shape::Text { row, col }
            }
            note @ Shape::Note { .. } => note,
        }
    }
}

/// What was drawn, with the round whose board it belongs to, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    pub round: u32,
    pub seat: Seat,
    pub drawn: Drawn,
}

/// Takes down what players draw while a match is played.
#[derive(Default)]
pub struct DrawingLayer {
    bytes: Vec<u8>,
    drawn: Vec<Drawn>,
}

impl DrawingLayer {
    /// The replay with this layer in it; the same bytes if nothing was drawn.
    pub fn add_to(self, mut replay: Vec<u8>) -> Vec<u8> {
        let size = replay.len() + self.bytes.len() + MARK.len() + 4;
        if self.bytes.is_empty() || size > LARGEST || replay.len() < 8 {
            return replay;
        }
        replay.truncate(replay.len() - 8);
        replay.extend_from_slice(&self.bytes);
        replay.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        replay.extend_from_slice(&MARK);
        let digest = checksum(&replay);
        replay.extend_from_slice(&digest.to_le_bytes());
        replay
    }

    fn write(&mut self, round: u32, seat: Seat, drawn: &Drawn) {
        let (kind, numbers) = drawn.shape.parts();
        let mut bytes = Vec::new();
        bytes.number(u64::from(round));
        bytes.number((kind as u64) << 2 | seat.index() as u64);
        bytes.number(drawn.colour.map_or(0, |colour| u64::from(colour) + 1));
        numbers.iter().for_each(|&number| bytes.number(signed(number)));
        bytes.number(drawn.text.len() as u64);
        bytes.extend_from_slice(drawn.text.as_bytes());
        if self.bytes.len() + bytes.len() <= MOST_BYTES {
            self.bytes.append(&mut bytes);
        }
    }
}

impl<E> Observer<Players, E> for DrawingLayer {
    fn round(&mut self, played: &mut Match) -> Result<(), E> {
        let round = played.state().round().saturating_sub(1);
        for seat in Seat::ALL {
            let mut drawn = std::mem::take(&mut self.drawn);
            played.take_drawing(seat, &mut drawn);
            for Drawn { shape, colour, text } in drawn.drain(..) {
                // Some see a board that is turned; the layer lies on the true one.
                let state = played.state();
                let shape = shape.moved(|place| state.game().true_place(state, seat, place));
                self.write(round, seat, &Drawn { shape, colour, text });
            }
            self.drawn = drawn;
        }
        Ok(())
    }
}

fn signed(number: i32) -> u64 {
    let number = i64::from(number);
    ((number << 1) ^ (number >> 63)) as u64
}

fn unsigned(number: u64) -> Option<i32> {
    i32::try_from((number >> 1) as i64 ^ -((number & 1) as i64)).ok()
}

/// The layer at the end of what follows the head of a replay, and the rest.
pub(super) fn split(stream: &[u8]) -> (&[u8], &[u8]) {
    let parts = || {
        let rest = stream.strip_suffix(&MARK)?;
        let (rest, length) = rest.split_last_chunk::<4>()?;
        let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
        Some(rest.split_at(start))
    };
    parts().unwrap_or((stream, &[]))
}

/// What a layer tells, as far as it can be read.
pub(super) fn read(layer: &[u8]) -> Vec<Drawing> {
    let mut bytes = Bytes(layer);
    let mut drawings = Vec::new();
    while let Some(drawing) = read_one(&mut bytes) {
        drawings.push(drawing);
    }
    drawings
}

fn read_one(bytes: &mut Bytes<'_>) -> Option<Drawing> {
    let round = u32::try_from(bytes.number()?).ok().filter(|&round| round < MOST_ROUNDS)?;
    let kind = bytes.number()?;
    let seat = Seat::ALL[(kind & 3) as usize];
    let colour = bytes.number()?.checked_sub(1).map(|colour| (colour & 0xff_ffff) as u32);
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = unsigned(bytes.number()?)?;
    }
    let length = usize::try_from(bytes.number()?).ok().filter(|&length| length <= LONGEST_TEXT)?;
    let text = String::from_utf8_lossy(bytes.take(length)?).into_owned();
    let shape = Shape::of(i32::try_from(kind >> 2).ok()?, numbers)?;
    Some(Drawing { round, seat, drawn: Drawn { shape, colour, text } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_read_as_it_was_written() {
        let mut layer = DrawingLayer::default();
        let shapes = [(1, [3, -4, 0, 0]), (2, [1, 2, 3, i32::MIN]), (3, [i32::MAX, 0, 0, 0]), (4, [77, 0, 0, 0])];
        let mut expected = Vec::new();
        for (round, (kind, numbers)) in (5..).zip(shapes) {
            let text = if kind > 2 { "ñandú".to_owned() } else { String::new() };
            let colour = (kind != 4).then_some(0xff_8000);
            let drawn = Drawn { shape: Shape::of(kind, numbers).unwrap(), colour, text };
            layer.write(round, Seat::ALL[2], &drawn);
            expected.push(Drawing { round, seat: Seat::ALL[2], drawn });
        }
        let replay = b"some bytes and eight".to_vec();
        assert_eq!(DrawingLayer::default().add_to(replay.clone()), replay);
        let with = layer.add_to(replay);
        let (stream, layer) = split(&with[..with.len() - 8]);
        assert_eq!(stream, b"some bytes a");
        assert_eq!(read(layer), expected);
        // Whatever it is spoilt to, reading it ends.
        for cut in 0..layer.len() {
            assert!(read(&layer[..cut]).len() <= expected.len());
        }
    }

    #[test]
    fn a_layer_does_not_grow_for_ever() {
        let mut layer = DrawingLayer::default();
        let drawn = Drawn { shape: Shape::Note { unit: 1 }, colour: None, text: "x".repeat(LONGEST_TEXT) };
        (0..20_000).for_each(|round| layer.write(round, Seat::ALL[0], &drawn));
        assert!(layer.bytes.len() <= MOST_BYTES && layer.bytes.len() > MOST_BYTES - 200);
    }
}
